"""The patterns learner as the registry describes it to the command, the lab and the docs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outflank.learn.learner import GAMES, WTHOR, Curve, Learner, TrainingContext
from outflank.learn.patterns.config import PRESETS, PatternsConfig
from outflank.learn.run import Run
from outflank.learn.training import Trainer
from outflank.players.spec import Spec

_ABOUT = """
Weights of lines, corners and edges at each stage of the game are fitted to the scores of expert
games; then the evaluation plays itself and learns from its own games.

Examples:

    outflank learn patterns --preset self-play --run mine

    outflank learn patterns --run mine --resume

    outflank match alphabeta:eval=runs/mine,depth=5 alphabeta:eval=iago,depth=5

    outflank learn patterns --out mine.safetensors --self-play 200
"""

_DEPTH = 6  # default depth of the search


@contextmanager
def _trainer(config: PatternsConfig, context: TrainingContext) -> Iterator[Trainer]:
    """Gather the positions of the games."""
    from outflank.learn.patterns.trainer import PatternsTrainer, gather_positions

    context.report("looking for the games")
    wthor = context.options["wthor"]
    yield PatternsTrainer(config, gather_positions(config, wthor=wthor, report=context.report))


def _player(folder: Path) -> str | None:
    from outflank.evaluations.learned import PLAYER_FILE

    found = folder / PLAYER_FILE
    if not found.is_file():
        return None
    return str(Spec("alphabeta", "", {"eval": str(found), "depth": str(_DEPTH)}))


def _closing(run: Run) -> list[str]:
    metrics = (run.metrics() or [{}])[-1]
    words = []
    if "error" in metrics:
        words.append(
            f"{metrics['positions']:,} positions; error {metrics['error']:.2f} discs on "
            f"{metrics['held_out']:,} held-out ones"
        )
    return [*words, str(run.folder)]


LEARNER = Learner(
    name="patterns",
    title="Patterns: an evaluation for alpha-beta, from expert games and self-play",
    config=PatternsConfig,
    presets=PRESETS,
    default="smoke",
    trainer=_trainer,
    player=_player,
    plays="alpha-beta over its evaluation",
    about=_ABOUT,
    curves=(
        Curve(
            "Error",
            {"error": "held-out expert games", "own_error": "its own games"},
            unit="discs",
            help="Root mean square error of the evaluation: against the final score in expert "
            "games, and against its target in its own games. Neither measures strength.",
        ),
    ),
    needs=(GAMES,),
    options=(WTHOR,),
    closing=_closing,
)
