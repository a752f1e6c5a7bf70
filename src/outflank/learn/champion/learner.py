"""The champion's learner as the registry describes it to the command, the lab and the docs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from outflank import cluster
from outflank.learn.champion.config import PRESETS, ChampionConfig
from outflank.learn.learner import (
    GAMES,
    WTHOR,
    Curve,
    Learner,
    Need,
    TrainingContext,
    workers_option,
)
from outflank.learn.run import Run
from outflank.learn.training import Trainer
from outflank.players.spec import Spec

_WORKERS = 2

_ABOUT = """
In each round the evaluation plays games against itself, with random first moves and solved
endings; a new evaluation is trained on the scores of these games and plays a match against the one
before. All positions stay in the run's folder.

Examples:

    outflank learn champion --preset smoke --run first

    outflank learn champion --from zero --run champion --hours 8

    outflank learn champion --run champion --resume

    outflank match alphabeta:eval=runs/champion,depth=6 alphabeta:eval=patterns,depth=6
"""

_DEPTH = 8  # default depth of the search


@contextmanager
def _trainer(config: ChampionConfig, context: TrainingContext) -> Iterator[Trainer]:
    """Find the expert games, if they are wanted, and start the processes that play."""
    from outflank.learn.champion.games import GamePlayers, Starts
    from outflank.learn.champion.positions import Positions
    from outflank.learn.champion.trainer import ChampionTrainer

    starts, experts = Starts.none(), None
    if config.source == "wthor":
        from outflank.data.example_folder import open_examples
        from outflank.data.extraction import extract_examples
        from outflank.data.years import parse_years

        context.report("looking for the games")
        made = extract_examples(
            wthor=context.options["wthor"],
            years=parse_years(config.years) if config.years else None,
            step=lambda text, done: context.report(f"games: {text}"),
        )
        examples = open_examples(made.folder, "original")
        starts = Starts.of(examples.own, examples.other)
        scores = examples.score.astype(np.float32)
        experts = Positions(
            examples.own,
            examples.other,
            scores,
            scores,
            examples.game.astype(np.int64),
        )
    players = GamePlayers(
        config, starts, cluster.count_workers(context.options["workers"], usual=_WORKERS)
    )
    try:
        yield ChampionTrainer(config, context.folder, players, experts, context.report)
    finally:
        players.close()


def _player(folder: Path) -> str | None:
    from outflank.evaluations.learned import PLAYER_FILE

    found = folder / PLAYER_FILE
    if not found.is_file():
        return None
    return str(Spec("alphabeta", "", {"eval": str(found), "depth": str(_DEPTH), "ends": "discs"}))


def _closing(run: Run) -> list[str]:
    metrics = (run.metrics() or [{}])[-1]
    words = []
    if "error" in metrics:
        words.append(
            f"round {metrics['round']}: {metrics['positions']:,} positions; error "
            f"{metrics['error']:.2f} discs on {metrics['held_out']:,} held-out ones"
        )
    return [*words, str(run.folder)]


LEARNER = Learner(
    name="champion",
    title="Champion: the strongest evaluation, from rounds of its own games",
    config=ChampionConfig,
    presets=PRESETS,
    default="smoke",
    trainer=_trainer,
    player=_player,
    plays="alpha-beta over its evaluation",
    about=_ABOUT,
    curves=(
        Curve(
            "Error",
            {
                "error": "all positions",
                "error_12": "12 empty squares",
                "error_20": "20 empty squares",
                "error_30": "30 empty squares",
            },
            unit="discs",
            help="Mean absolute difference between the evaluation and the final score, in games "
            "that it did not learn from.",
        ),
        Curve(
            "Match against the round before",
            {"winning_rate": "winning rate"},
            unit="share",
            help="Points for each game of the new evaluation against the last one, at equal depth.",
        ),
    ),
    needs=(Need(GAMES.name, GAMES.missing, "source=wthor"),),
    options=(WTHOR, workers_option(_WORKERS)),
    closed=("first",),
    closing=_closing,
)
