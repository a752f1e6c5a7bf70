"""Imitation as the registry describes it to the command, the lab and the documentation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outflank.learn.imitation.config import PRESETS, ImitationConfig
from outflank.learn.learner import GAMES, PYTORCH, WTHOR, Curve, Learner, TrainingContext
from outflank.learn.run import Run
from outflank.learn.training import Trainer
from outflank.players.spec import Spec

_ABOUT = """
A run may be interrupted at any time, even by a power cut; --resume continues from its last
checkpoint, with the same result. Use torchrun to train on several GPUs, as in the last example.

Examples:

    outflank learn imitation --preset smoke --run first

    outflank learn imitation --preset paper --set network=conv8-bn --run conv8bn --hours 10

    outflank learn imitation --run conv8bn --resume

    torchrun --standalone --nproc-per-node 2 -m -- outflank learn imitation --run a --resume
"""


@contextmanager
def _trainer(config: ImitationConfig, context: TrainingContext) -> Iterator[Trainer]:
    """Gather the games and make the trainer of the configuration's network."""
    from outflank.learn.imitation.material import gather_material
    from outflank.learn.imitation.trainers import find_trainer, make_trainer

    find_trainer(config.network)  # report what is missing before reading the games
    context.report("looking for the games")
    material = gather_material(
        config,
        wthor=context.options["wthor"],
        step=lambda text, done: context.report(f"games: {text}"),
    )
    yield make_trainer(config, material, context.team)


def _player(folder: Path) -> str | None:
    for name in ("network.onnx", "network.safetensors"):
        if (folder / name).is_file():
            return str(Spec("policy", str(folder / name)))
    return None


def _closing(run: Run) -> list[str]:
    from outflank.learn.imitation.measuring import SCORE
    from outflank.models import find_network_file

    last, best = run.last_checkpoint(), run.best_checkpoint()
    metrics = (run.metrics() or [{}])[-1]
    words = [f"held-out accuracy {100 * metrics[SCORE]:.1f}%"] if SCORE in metrics else []
    words.append(str(find_network_file(str(run.folder))))
    if best and last and best.score is not None and best.step < last.step:
        words.append(f"{best.folder} was better: {100 * best.score:.1f}% at step {best.step:,}")
    return words


LEARNER = Learner(
    name="imitation",
    title="Imitation: predict the moves of experts (Liskowski et al., 2018)",
    config=ImitationConfig,
    presets=PRESETS,
    default="line-smoke",
    trainer=_trainer,
    player=_player,
    about=_ABOUT,
    curves=(
        Curve(
            "Accuracy",
            {"accuracy": "training", "held_out_accuracy": "held out"},
            unit="share",
            help="How often the network's first choice is the expert's move. Held out: in games "
            "that it does not learn from.",
        ),
        Curve(
            "Loss",
            {"loss": "training", "held_out_loss": "held out"},
            help="Cross-entropy of the experts' moves; lower is better.",
        ),
    ),
    needs=(GAMES, dataclasses.replace(PYTORCH, only_for="convolutional networks")),
    options=(WTHOR,),
    closed=("start", "lessons", "teacher"),
    closing=_closing,
)
