"""The trainer of a configuration's network."""

from __future__ import annotations

from pathlib import Path

from outflank.data.extraction import Step
from outflank.learn.training import Trainer
from outflank.learn.value.config import PATTERNS, ValueConfig
from outflank.learn.value.material import gather_material


def make_trainer(
    config: ValueConfig, *, wthor: Path | None = None, step: Step | None = None
) -> Trainer:
    """Gather what a configuration learns from, and make its trainer.

    Args:
        config: Of the network and its training.
        wthor: Folder of WThor files; the store's if None.
        step: Called with what is being done and the steps done.
    """
    if config.network == PATTERNS:
        from outflank.learn.value.patterns import PatternTrainer
        from outflank.learn.value.positions import gather_positions

        return PatternTrainer(config, gather_positions(config, wthor=wthor, step=step))
    from outflank.learn.value.convolutional import ConvolutionalTrainer

    return ConvolutionalTrainer(config, gather_material(config, wthor=wthor, step=step))
