"""The state of PyTorch's optimisers as arrays, for checkpoints."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from outflank.nets.files import Tensors
from outflank.nets.torch.policy import to_array


def optimiser_state(optimiser: torch.optim.Optimizer) -> Tensors:
    """Return an optimiser's state as arrays; its groups come from the configuration."""
    return {
        f"{number}.{name}": to_array(value)
        for number, parameter in enumerate(_parameters(optimiser))
        for name, value in optimiser.state.get(parameter, {}).items()
        if isinstance(value, Tensor)
    }


def set_optimiser_state(optimiser: torch.optim.Optimizer, state: Tensors) -> None:
    """Give an optimiser the state that optimiser_state returned."""
    parameters = list(_parameters(optimiser))
    optimiser.state.clear()
    for key, array in state.items():
        number, _, name = key.partition(".")
        parameter = parameters[int(number)]
        value = torch.from_numpy(array.copy())
        if value.shape == parameter.shape:  # in the layout of the parameter it belongs to
            value = torch.empty_like(parameter, requires_grad=False).copy_(value)
        optimiser.state[parameter][name] = value


def _parameters(optimiser: torch.optim.Optimizer) -> Iterator[Tensor]:
    for group in optimiser.param_groups:
        yield from group["params"]
