"""The learning rate at each step: a function of the step alone, so that resuming is exact."""

from __future__ import annotations

import math

from outflank.learn.imitation.config import ImitationConfig

_FIRST = 25.0  # a one-cycle begins below its highest rate by this factor


def rate_at(config: ImitationConfig, step: int, steps: int, steps_per_epoch: int) -> float:
    """Return the learning rate of a step, from 0, of `steps`."""
    if config.schedule == "constant":
        return config.learning_rate
    if config.schedule == "halving":
        halvings = math.floor(config.halvings_per_epoch * step / steps_per_epoch)
        return config.learning_rate * 0.5**halvings
    rising = round(config.warm_up * steps)
    if step < rising:
        share = (step + 1) / rising
        if config.schedule == "cosine":
            return config.learning_rate * share
        low = config.learning_rate / _FIRST
        return low + (config.learning_rate - low) * _half_cosine(1 - share)
    return config.learning_rate * _half_cosine((step - rising) / max(1, steps - rising))


def _half_cosine(share: float) -> float:
    """Fall from 1 at 0 to 0 at 1, slowly at both ends."""
    return 0.5 * (1 + math.cos(math.pi * min(1.0, share)))
