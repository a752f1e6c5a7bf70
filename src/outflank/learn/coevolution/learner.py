"""Coevolution as the registry describes it to the command, the lab and the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outflank import cluster
from outflank.learn.coevolution.config import PRESETS, CoevolutionConfig
from outflank.learn.learner import Curve, Learner, TrainingContext, workers_option
from outflank.learn.run import Run
from outflank.learn.training import Trainer
from outflank.players.spec import Spec

_WORKERS = 2

_ABOUT = """
After each generation, observers that do not evolve measure the parents; evolution never sees
their results. A run may be interrupted at any time; --resume continues it with the same result.

Examples:

    outflank learn coevolution --preset smoke --run first

    outflank learn coevolution --preset paper --run evolved

    outflank learn coevolution draw runs/evolved --out evolved.png

    outflank learn coevolution export runs/evolved --out mine.safetensors

    outflank match evolved:mine.safetensors alphabeta:eval=discs,depth=4
"""


@contextmanager
def _trainer(config: CoevolutionConfig, context: TrainingContext) -> Iterator[Trainer]:
    """Start the processes that play, and make the first generation."""
    from outflank.learn.coevolution.contest import Crew
    from outflank.learn.coevolution.evolution import Evolution

    with Crew(config, cluster.count_workers(context.options["workers"], usual=_WORKERS)) as crew:
        yield Evolution(config, crew, context.folder)


def _player(folder: Path) -> str | None:
    from outflank.evaluations.learned import PLAYER_FILE

    player = folder / PLAYER_FILE
    return str(Spec("evolved", str(player))) if player.is_file() else None


def _closing(run: Run) -> list[str]:
    from outflank.learn.coevolution.evolution import level
    from outflank.learn.coevolution.observing import LEVELS

    metrics = (run.metrics() or [{}])[-1]
    words = []
    for observer, beaten in metrics.get("climbed", {}).items():
        levels = [level(depths) for depths in beaten]
        counts = [f"{levels.count(name)} {name}" for name in LEVELS if name in levels]
        words.append(f"against {observer}: {', '.join(counts)}")
    return [*words, str(run.folder)]


LEARNER = Learner(
    name="coevolution",
    title="Coevolution: networks evolve by playing each other (Chong et al., 2005)",
    config=CoevolutionConfig,
    presets=PRESETS,
    default="smoke",
    trainer=_trainer,
    player=_player,
    plays="its best network",
    about=_ABOUT,
    curves=(
        Curve(
            "Observers",
            {"score": "depths beaten, mean of the parents"},
            unit="depths",
            help="Fixed players that search 2, 4, 6, … plies deep. Nothing is learned from them: "
            "they only measure at how many depths a parent wins.",
        ),
        Curve(
            "Levels",
            {"novices": "novices", "intermediates": "intermediates", "masters": "masters"},
            unit="parents",
            help="The paper's names for parents that beat the first observer at depth 2 "
            "(novices), at 2 and 4 (intermediates), and at 2, 4 and 6 (masters).",
        ),
        Curve(
            "Points",
            {"points": "mean of the parents", "most_points": "the best"},
            help="What the networks won against each other. It does not rise where all of them "
            "improve alike.",
        ),
        Curve(
            "Weights",
            {"weight_size": "size"},
            help="The mean size (root of the mean square) of the weights.",
        ),
    ),
    options=(workers_option(_WORKERS),),
    closing=_closing,
)
