"""The core's gradient descent for value networks takes the steps that PyTorch takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from outflank import _core

STATES = 60
SHAPES = [(5, 2, 16, 2, 40), (3, 1, 7, 1, 9), (4, 0, 1, 2, 20), (2, 3, 20, 0, 1)]


def made(shape: tuple[int, ...], **options: Any) -> _core.ValueDescent:
    names = ("planes", "conv_layers", "maps", "dense_layers", "nodes")
    return _core.ValueDescent(**dict(zip(names, shape, strict=True)), **options)


def states(planes: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    rng = np.random.default_rng(planes)
    return (
        rng.integers(-1, 2, (STATES, planes, 8, 8)).astype(np.int8),
        rng.integers(-1, 2, STATES).astype(np.float32),
    )


def order(seed: int = 1) -> NDArray[np.int64]:
    return np.random.default_rng(seed).permutation(STATES).astype(np.int64)


def rates(steps: int, rate: float = 0.003) -> NDArray[np.float32]:
    return (rate / (1 + 0.1 * np.arange(steps))).astype(np.float32)


def weights(size: int) -> NDArray[np.float32]:
    return (np.random.default_rng(3).normal(size=size) * 0.1).astype(np.float32)


class Twin:
    """The same network and descent in PyTorch."""

    def __init__(self, shape: tuple[int, ...], numbers: NDArray[np.float32]) -> None:
        torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
        from outflank.nets.torch.value import ValueShape, build

        self.torch = torch
        self.module = build(ValueShape(*shape))
        with torch.no_grad():
            for parameter in self.module.parameters():
                part, numbers = np.split(numbers, [parameter.numel()])
                parameter.copy_(torch.from_numpy(part.reshape(parameter.shape)))
        self.optimiser = torch.optim.SGD(self.module.parameters(), 1.0, 0.9)

    def step(self, planes: Any, values: Any, rate: float, max_norm: float) -> float:
        torch = self.torch
        for group in self.optimiser.param_groups:
            group["lr"] = float(rate)
        found = self.module(torch.from_numpy(planes).float()).view(-1)
        loss = torch.nn.functional.mse_loss(found, torch.from_numpy(values))
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        with torch.no_grad():
            for parameter in self.module.parameters():
                if parameter.ndim > 1 and max_norm:
                    rows = parameter.view(len(parameter), -1)
                    rows.mul_(max_norm / rows.norm(dim=1, keepdim=True).clamp(min=max_norm))
        return float(loss.detach()) * len(values)

    def numbers(self) -> NDArray[np.float32]:
        return np.concatenate([p.detach().numpy().ravel() for p in self.module.parameters()])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("batch", [1, 5, 8, 19])
@pytest.mark.parametrize("max_norm", [0.0, 0.4])
def test_it_steps_as_pytorch_does(shape: tuple[int, ...], batch: int, max_norm: float) -> None:
    descent = made(shape, momentum=0.9, max_norm=max_norm)
    first = weights(descent.size)
    descent.set_weights(first)
    twin = Twin(shape, first)
    planes, values = states(shape[0])
    begins = range(0, STATES, batch)  # the last batch may be smaller
    expected = 0.0
    for begin, rate in zip(begins, rates(len(begins)), strict=True):
        index = order()[begin : begin + batch]
        expected += twin.step(planes[index], values[index], rate, max_norm)
    found = descent.train(planes, values, order(), batch=batch, rates=rates(len(begins)), first=0)
    assert found == pytest.approx(expected, rel=1e-4)
    np.testing.assert_allclose(descent.weights(), twin.numbers(), rtol=1e-3, atol=2e-6)
    assert np.abs(descent.weights() - first).max() > 1e-3


@pytest.mark.parametrize("shape", SHAPES)
def test_weights_come_back_as_they_were_given(shape: tuple[int, ...]) -> None:
    descent = made(shape)
    assert not descent.weights().any()
    descent.set_weights(weights(descent.size))
    descent.set_momentum(weights(descent.size)[::-1].copy())
    np.testing.assert_array_equal(descent.weights(), weights(descent.size))
    np.testing.assert_array_equal(descent.momentum(), weights(descent.size)[::-1])


def test_steps_do_not_depend_on_how_many_are_asked_for_at_once() -> None:
    shape = SHAPES[0]
    planes, values = states(shape[0])
    ends = []
    for sizes in ((12,), (1, 4, 7)):
        descent = made(
            shape, momentum=0.9, max_norm=2.0, conv_dropout=0.3, dense_dropout=0.4, seed=5
        )
        descent.set_weights(weights(descent.size))
        begin = 0
        for size in sizes:
            index = order()[begin * 5 : (begin + size) * 5]
            part = rates(12)[begin : begin + size]
            descent.train(planes, values, index, batch=5, rates=part, first=begin)
            begin += size
        ends.append(descent.weights())
    np.testing.assert_array_equal(ends[0], ends[1])


def test_dropped_units_are_those_of_the_seed_and_the_step() -> None:
    def error(seed: int, first: int) -> float:
        descent = made(SHAPES[0], conv_dropout=0.3, dense_dropout=0.3, seed=seed)
        descent.set_weights(weights(descent.size))
        planes, values = states(SHAPES[0][0])
        index = order()[:5]
        return descent.train(planes, values, index, batch=5, rates=rates(1), first=first)

    assert error(1, 0) == error(1, 0)
    assert len({error(1, 0), error(2, 0), error(1, 1)}) == 3


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_dropout_leaves_the_mean_and_adds_the_right_spread(share: float) -> None:
    """One layer whose units are all active: their sum has a known mean and variance."""
    nodes = 48
    descent = made((1, 0, 1, 1, nodes), dense_dropout=share)
    # The board's weights are zero; the units are their biases, all positive; then one sum of them.
    units = np.linspace(0.5, 1.5, nodes, dtype=np.float32)
    narrow = np.zeros((64, nodes), np.float32)
    narrow[0] = np.linspace(-1, 1, nodes) + 0.3
    last = np.eye(1, 64, dtype=np.float32)
    parts: list[NDArray[Any]] = [
        np.zeros((nodes, 64)),
        units,
        narrow,
        np.zeros(64),
        last,
        np.zeros(1),
    ]
    descent.set_weights(np.concatenate([part.ravel() for part in parts]).astype(np.float32))
    mean = float(narrow[0] @ units)
    variance = float(((narrow[0] * units) ** 2).sum()) * share / (1 - share)
    steps = 4000
    planes, index = np.zeros((1, 1, 8, 8), np.int8), np.zeros(steps, np.int64)
    still = np.zeros(steps, np.float32)  # a rate of zero: nothing is learned

    def squares(target: float) -> float:
        values = np.array([target], np.float32)
        return descent.train(planes, values, index, batch=1, rates=still, first=0) / steps

    assert squares(mean) == pytest.approx(variance, rel=0.1)
    # Half of the difference of the two squares is twice the mean.
    assert (squares(-1.0) - squares(1.0)) / 4 == pytest.approx(mean, abs=4 * variance**0.5 / 63)
