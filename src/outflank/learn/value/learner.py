"""Value networks as the registry describes them to the command, the lab and the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outflank.learn.learner import GAMES, PYTORCH, WTHOR, Curve, Learner, TrainingContext
from outflank.learn.run import Run
from outflank.learn.training import Trainer
from outflank.learn.value.config import PRESETS, ValueConfig
from outflank.players.spec import Spec

_ABOUT = """
A network learns who will win, from one position of each expert game or from all of them, and
alpha-beta searches over it. A run may be interrupted at any time; --resume continues from its last
checkpoint, with the same result.

Examples:

    outflank learn value --preset smoke --run first

    outflank learn value --preset paper --run network-13

    outflank learn value test runs/network-13 value-fast --sets 1-7

    outflank match alphabeta:net=runs/first,depth=2 greedy --openings random:8
"""

_TIME = "1s"  # for a move of a run's player


@contextmanager
def _trainer(config: ValueConfig, context: TrainingContext) -> Iterator[Trainer]:
    from outflank.learn.value.trainers import make_trainer
    from outflank.nets.architectures import need_torch

    need_torch()
    context.report("looking for the games")
    yield make_trainer(
        config,
        wthor=context.options["wthor"],
        step=lambda text, done: context.report(f"games: {text}"),
    )


def _player(folder: Path) -> str | None:
    for name in ("network.onnx", "network.safetensors"):
        if (folder / name).is_file():
            return str(Spec("alphabeta", "", {"net": str(folder / name), "time": _TIME}))
    return None


def _closing(run: Run) -> list[str]:
    measured = [line for line in run.metrics() if "lowest_error" in line]
    words = []
    if measured:
        last = measured[-1]
        words.append(
            f"lowest mean squared error on held-out states {last['lowest_error']:.4f}, after "
            f"{last['epoch']:g} epochs in all"
        )
    return [*words, str(run.folder)]


LEARNER = Learner(
    name="value",
    title="Value: predict who will win, and search over it with alpha-beta (Ng, 2017)",
    config=ValueConfig,
    presets=PRESETS,
    default="smoke",
    trainer=_trainer,
    player=_player,
    plays="alpha-beta over its newest network, a second a move",
    about=_ABOUT,
    curves=(
        Curve(
            "Error",
            {"loss": "training, with dropout", "held_out_error": "held out"},
            help="Mean squared error of the result: 1 won, 0 drawn, -1 lost. A network that always "
            "says 0 has about 0.96.",
        ),
        Curve(
            "Explained",
            {"explained": "held out"},
            unit="share",
            help="Share of the results' variance that the network explains.",
        ),
    ),
    needs=(GAMES, PYTORCH),
    options=(WTHOR,),
    closed=("start", "games"),
    closing=_closing,
)
