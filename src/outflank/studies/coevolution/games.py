"""Paper 4, Figures 7 and 8: discs and possible moves in single games of evolved networks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from outflank.learn.coevolution import (
    CoevolutionConfig,
    Rival,
    archived_generations,
    load_population,
    preset,
)
from outflank.learn.coevolution.play import game_of
from outflank.othello import Game
from outflank.othello.course import MIDDLE, Course, course_of
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Plot, Row
from outflank.studies.workbench import Workbench


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
        "smoke": GamesConfig(
            4, 1, 0, ("population=6", "opponents=2", "deepest=2", "top_depth=2", "archive_every=2")
        ),
        "laptop": GamesConfig(),
        "paper": GamesConfig(),
    },
)
def figures_7_8(config: GamesConfig, bench: Workbench) -> Findings:
    """Find the networks that won most clearly, and follow their games."""
    settings = [f"generations={config.generations}", f"seed={config.seed}", *config.settings]
    run = bench.evolve(preset("paper").with_settings(settings))
    bench.note(
        "Of all archived parents from the given generation on, the game that was won most clearly. "
        f"Numbers of the network and of its opponent after {MIDDLE} moves; the paper prints such "
        "games as curves only (its network of generation 643 won 44:20)."
    )
    rows, games = [], {}
    for figure in _FIGURES:
        generation, game = _clearest(config, run.network.parent, run.config, figure)
        course = course_of(game)
        rows.append(_row(figure, generation, game, course))
        games[figure.label] = {
            "discs": course.discs.tolist(),
            "mobility": course.mobility.tolist(),
            "corners": course.corners.tolist(),
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
    )
    return Findings(columns, tuple(rows), plot=Plot("courses", {"games": games}))


def _clearest(
    config: GamesConfig, folder: Path, evolved: CoevolutionConfig, figure: _Figure
) -> tuple[int, Game]:
    """Return the generation and the game with the highest score."""
    games = []
    for generation, path in archived_generations(folder).items():
        if generation >= config.from_generation:
            parents, _, _ = load_population(path)
            for weights in parents.weights:
                game = game_of(evolved, weights, figure.rival, depth=figure.depth)
                games.append((generation, game))
    return max(games, key=lambda pair: pair[1].score)


def _row(figure: _Figure, generation: int, game: Game, course: Course) -> Row:
    found = course.summary()
    values = {
        "generation": generation,
        "score": found["score"],
        "discs": found["discs"][0],
        "opponent's discs": found["discs"][1],
        "moves": found["mobility"][0],
        "opponent's moves": found["mobility"][1],
        "corners": found["corners"][0],
    }
    figures = {name: float(value) for name, value in values.items()}
    return Row(figure.label, figures, facts={"game": game.transcript})
