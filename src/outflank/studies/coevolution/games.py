"""Paper 4, Figures 7 and 8 and section IV-A: single games of evolved networks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.evaluations import evaluation
from outflank.learn.coevolution import (
    CoevolutionConfig,
    Rival,
    archived_generations,
    load_population,
    preset,
)
from outflank.learn.coevolution.play import game_of
from outflank.othello import Game
from outflank.othello.statistics import MIDDLE, GameStatistics, statistics_of
from outflank.studies.coevolution.figures import DEEPER, SMALL
from outflank.studies.estimate import Estimate
from outflank.studies.papers import printed_rows
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Plot, Result, Row
from outflank.studies.workbench import EvolvedRun, Workbench

_DEPTHS = (2, 4, 6)  # of black, when the piece differential meets itself


@dataclass(frozen=True)
class GamesConfig:
    """Of one run: a network against Iago's positions (Fig. 7), and one against Iago (Fig. 8).

    generations, seed: of the run. from_generation: where networks are looked for.
    """

    generations: int = 1000
    seed: int = 1
    from_generation: int = 640
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Figure:
    label: str
    rival: Rival
    depth: int  # of the network


_FIGURES = (
    _Figure("Figure 7: depth 2 against Iago's positions, depth 4", Rival("iago-positional", 4), 2),
    _Figure("Figure 8: depth 4 against Iago, depth 2", Rival("iago", 2), 4),
)


@study(
    "coevolution-figures-7-8",
    paper=4,
    title="Figures 7 and 8: discs and possible moves in two games",
    scales={
        "smoke": GamesConfig(4, 1, 0, SMALL),
        "laptop": GamesConfig(settings=DEEPER),
        "paper": GamesConfig(settings=DEEPER),
    },
)
def figures_7_8(config: GamesConfig, bench: Workbench) -> Findings:
    """Find the networks that won most clearly, and follow their games."""
    settings = [f"generations={config.generations}", f"seed={config.seed}", *config.settings]
    run = bench.evolve(preset("paper").with_settings(settings))
    bench.note(
        "Of all archived parents from the given generation on, the one with the highest score in a "
        f"game of at least {MIDDLE} moves. Numbers of the network and of its opponent after "
        f"{MIDDLE} moves; the paper prints such games as curves only (its network of generation "
        "643 won 44:20)."
    )
    rows, games = [], {}
    for figure in _FIGURES:
        generation, game = _clearest(config, run.network.parent, run.config, figure)
        if game.score <= 0:
            bench.note(f"{figure.label}: no network won such a game.")
        statistics = statistics_of(game)
        rows.append(_row(figure, generation, game, statistics))
        games[figure.label] = {
            "discs": statistics.discs.tolist(),
            "mobility": statistics.mobility.tolist(),
            "corners": statistics.corners.tolist(),
            "black": f"evolved network, generation {generation}",
            "white": game.white,
        }
    columns = (
        Column("generation", "generation", "", 0),
        Column("score", "final score", "discs", 0),
        Column("discs", "discs of the network", "", 0),
        Column("opponent's discs", "discs of the opponent", "", 0),
        Column("moves", "possible moves of the network", "", 0),
        Column("opponent's moves", "possible moves of the opponent", "", 0),
        Column("corners", "corners of the network at the end", "", 0),
        Column("opponent's corners", "corners of the opponent at the end", "", 0),
    )
    return Findings(columns, tuple(rows), plot=Plot("courses", {"games": games}))


def _clearest(
    config: GamesConfig, folder: Path, evolved: CoevolutionConfig, figure: _Figure
) -> tuple[int, Game]:
    """Return the generation and the game with the highest score, of those long enough."""
    games = []
    for generation, path in archived_generations(folder).items():
        if generation >= config.from_generation:
            parents, _, _ = load_population(path)
            for weights in parents.weights:
                game = game_of(evolved, weights, figure.rival, depth=figure.depth)
                games.append((generation, game))
    return max(games, key=lambda pair: (len(pair[1].moves) >= MIDDLE, pair[1].score))


def _row(figure: _Figure, generation: int, game: Game, statistics: GameStatistics) -> Row:
    found = statistics.summary()
    values = {
        "generation": generation,
        "score": game.score,
        "discs": found["discs"][0],
        "opponent's discs": found["discs"][1],
        "moves": found["mobility"][0],
        "opponent's moves": found["mobility"][1],
        "corners": found["corners"][0],
        "opponent's corners": found["corners"][1],
    }
    figures = {name: float(value) for name, value in values.items()}
    return Row(figure.label, figures, facts={"game": game.transcript})


@dataclass(frozen=True)
class AgainstIagoConfig:
    """Parents of the last tenth of the generations of several runs, against all of Iago."""

    generations: int = 1000
    seeds: int = 3
    settings: tuple[str, ...] = ()


@study(
    "coevolution-section-4a",
    paper=4,
    title="Section IV-A: late parents against Iago, and what it means to be black",
    scales={
        "smoke": AgainstIagoConfig(4, 2, SMALL),
        "laptop": AgainstIagoConfig(settings=DEEPER),
        "paper": AgainstIagoConfig(seeds=10, settings=DEEPER),
    },
    judge=lambda result: judge_section_4a(result),
)
def section_4a(config: AgainstIagoConfig, bench: Workbench) -> Findings:
    """Let all late parents meet Iago, and the piece differential meet itself."""
    iago, rows, runs = Rival("iago", 2), [], []
    for seed in range(1, config.seeds + 1):
        settings = [f"generations={config.generations}", f"seed={seed}", *config.settings]
        runs.append(bench.evolve(preset("paper").with_settings(settings)))
    for depth in (2, 4):
        scores = [_late_scores(run, iago, depth) for run in runs]
        mean = Estimate.of_runs([float(one.mean()) for one in scores], least=-64.0)
        won = Estimate.of_runs([100 * float((one > 0).mean()) for one in scores])
        rows.append(Row.of(_against_iago(depth), {"score": mean, "won": won}))
    for depth in _DEPTHS:
        score = _discs_alone(depth)
        rows.append(Row.of(_alone(depth), {"score": float(score), "won": 100.0 * (score > 0)}))
    bench.note(
        f"All archived parents of the last tenth of {config.generations} generations of "
        f"{config.seeds} runs play black; means over runs with 95% intervals."
    )
    columns = (Column("score", "final score", "discs"), Column("won", "won"))
    return Findings(columns, tuple(rows))


def judge_section_4a(result: Result) -> list[Claim]:
    """Judge the scores against Iago, and at which depth the piece differential beats itself."""
    rows = {row.label: row for row in result.rows}
    found = {depth: rows[_against_iago(depth)].estimate("score") for depth in (2, 4)}
    alone = {depth: rows[_alone(depth)].values["score"] for depth in _DEPTHS}
    needs = next((depth for depth, score in alone.items() if score > 0), None)
    about = 2 * printed_rows(4, "section-4a")["late parents against Iago"][0]
    judged = [
        Claim.judge(text, "mean score", one, least=least)
        for text, one, least in (
            ("at depth 2 late parents lose to Iago by no more than about four discs", found[2],
             about),
            ("at depth 4 they outplay it", found[4], 0.0),
        )
        if one is not None
    ]  # fmt: skip
    return [
        *judged,
        Claim(
            "with one evaluation on both sides black needs depth 6 to beat white at depth 2",
            Claim.HOLDS if needs == 6 else Claim.FAILS,
            f"with the piece differential black first wins at depth {needs or 'greater than 6'}",
        ),
    ]


def _against_iago(depth: int) -> str:
    return f"parents at depth {depth} against Iago at depth 2"


def _alone(depth: int) -> str:
    return f"piece differential: black at depth {depth} against white at depth 2"


def _late_scores(run: EvolvedRun, rival: Rival, depth: int) -> NDArray[np.int64]:
    """Scores of all archived parents of the last tenth of a run, as black."""
    archive = archived_generations(run.network.parent)
    late = [one for one in archive if one > 0.9 * max(archive)]
    return np.array(
        [
            game_of(run.config, weights, rival, depth=depth).score
            for generation in late
            for weights in load_population(archive[generation])[0].weights
        ]
    )


def _discs_alone(depth: int) -> int:
    """Return black's score when the piece differential meets itself, white at depth 2."""
    minds = [_core.Mind(evaluation("discs"), plies) for plies in (depth, 2)]
    scores, _, _ = _core.play_minds(minds, np.zeros(1, np.int32), np.ones(1, np.int32))
    return int(scores[0])
