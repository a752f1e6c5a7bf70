"""How fast Ng's value networks learn in the core, beside PyTorch doing the same steps.

Milliseconds of processor time a step, on one thread, in turn within each round: network 13 (2
convolutions, 4 x 512 units) and one of 1024 units, in the paper's batches of 5 and in batches of
50. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from outflank import _core
from outflank.nets.torch.value import ValueShape, build

_STATES, _PLANES, _STEPS = 1000, 5, 60
_DROPOUT, _MOMENTUM, _RATE, _NORM = 0.3, 0.9, 0.001, 2.0

Steps = Callable[[], object]


def core_steps(nodes: int, batch: int) -> Steps:
    """Return a function that takes _STEPS steps in the core."""
    descent = _core.ValueDescent(
        planes=_PLANES, conv_layers=2, maps=32, dense_layers=4, nodes=nodes,
        conv_dropout=_DROPOUT, dense_dropout=_DROPOUT, momentum=_MOMENTUM, max_norm=_NORM,
    )  # fmt: skip
    rng = np.random.default_rng(1)
    descent.set_weights((rng.normal(size=descent.size) * 0.03).astype(np.float32))
    planes = rng.integers(0, 2, (_STATES, _PLANES, 8, 8)).astype(np.int8)
    values = rng.integers(-1, 2, _STATES).astype(np.float32)
    order = rng.integers(0, _STATES, _STEPS * batch)
    rates = np.full(_STEPS, _RATE, np.float32)
    return lambda: descent.train(planes, values, order, batch=batch, rates=rates, first=0)


def torch_steps(nodes: int, batch: int) -> Steps:
    """Return a function that takes _STEPS steps in PyTorch."""
    plain = build(ValueShape(_PLANES, nodes=nodes))
    layers: list[nn.Module] = []
    for layer in plain:
        layers.append(layer)
        if isinstance(layer, nn.ReLU):
            layers.append(nn.Dropout(_DROPOUT))
    module = nn.Sequential(*layers)
    optimiser = torch.optim.SGD(module.parameters(), _RATE, _MOMENTUM)
    planes = torch.randint(0, 2, (_STATES, _PLANES, 8, 8)).float()
    values = torch.randint(-1, 2, (_STATES,)).float()

    def work() -> None:
        for _ in range(_STEPS):
            index = torch.randint(0, _STATES, (batch,))
            loss = nn.functional.mse_loss(module(planes[index]).view(-1), values[index])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            with torch.no_grad():
                for parameter in module.parameters():
                    if parameter.ndim > 1:
                        rows = parameter.view(len(parameter), -1)
                        norms = torch.linalg.vector_norm(rows, dim=1, keepdim=True)
                        if float(norms.max()) > _NORM:
                            rows.mul_(_NORM / norms.clamp(min=_NORM))

    return work


def milliseconds(steps: Steps) -> float:
    """Return the processor time of a step."""
    began = time.process_time()
    steps()
    return 1000 * (time.process_time() - began) / _STEPS


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="ratios are medians of as many")
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    print("units  batch  core, ms  PyTorch, ms  ratio")
    for nodes, batch in ((512, 5), (1024, 5), (512, 50)):
        ours, theirs = core_steps(nodes, batch), torch_steps(nodes, batch)
        milliseconds(ours)
        milliseconds(theirs)
        pairs = [(milliseconds(ours), milliseconds(theirs)) for _ in range(rounds)]
        core, other = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(slow / fast for fast, slow in pairs)
        print(f"{nodes:5}  {batch:5}  {core:8.2f}  {other:11.2f}  {ratio:5.1f}")


if __name__ == "__main__":
    main()
