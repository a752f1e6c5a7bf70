"""Training of the line network: gradients, and the rules by which weights follow them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import reference
from nets import line_geometry as geometry
from nets.line_networks import (
    Shape,
    as_arrays,
    copy_of,
    dense_names,
    make_network,
    some_boards,
    table_names,
    weights_of,
)
from outflank._core import LineNetwork, LineTrainer

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Batch:
    """Boards, shares of their legal moves, results and weights."""

    boards: list[reference.Board]
    policy: Floats
    value: Floats
    weight: Floats

    @property
    def move(self) -> NDArray[np.uint8]:
        """The likeliest move of each board."""
        likeliest: NDArray[np.uint8] = self.policy.argmax(axis=1).astype(np.uint8)
        return likeliest

    @property
    def one_move(self) -> Batch:
        """The same with all shares on that move."""
        return replace(self, policy=np.eye(64, dtype=np.float32)[self.move])

    def given(self, trainer: LineTrainer, rates: tuple[float, float, float], **more: Any) -> Any:
        own, other = as_arrays(self.boards)
        what = {"value": self.value, "weight": self.weight, "policy": self.policy, "threads": 1}
        return trainer.step(own, other, rates=rates, **{**what, **more})


def make_batch(seed: int, boards: list[reference.Board] | None = None) -> Batch:
    random = np.random.default_rng(seed)
    boards = boards or some_boards()
    policy = np.zeros((len(boards), 64), np.float32)
    for i, board in enumerate(boards):
        if moves := reference.legal_moves(board):
            policy[i, moves] = random.dirichlet(np.ones(len(moves)))
    value = random.uniform(-1, 1, len(boards)).astype(np.float32)
    return Batch(boards, policy, value, random.uniform(0.2, 3, len(boards)).astype(np.float32))


def batches(count: int, size: int = 12) -> list[Batch]:
    """Batches of positions of random games, some of which occur in several."""
    boards = [
        board for seed in (11, 12) for board, move in reference.random_game(seed) if move >= 0
    ]
    random = np.random.default_rng(1)
    return [
        make_batch(seed, [boards[i] for i in random.choice(len(boards), size, replace=False)])
        for seed in range(count)
    ]


def gradients(network: LineNetwork, batch: Batch, **options: Any) -> dict[str, Floats]:
    """The gradient by every weight, from what a fresh trainer does with a copy of the network.

    Adam's first moment is then a tenth of the gradient; a row moves by the gradient over its root
    mean square, which the trainer keeps.
    """
    copy = copy_of(network)
    trainer = LineTrainer(copy, **options)
    batch.given(trainer, (0, 1, 1))
    state = trainer.state()
    found: dict[str, Floats] = {}
    begin = 0
    for name in dense_names(network):
        weights = network.parameters()[name]
        found[name] = state["first"][begin : begin + weights.size].reshape(weights.shape) / 0.1
        begin += weights.size
    assert begin == len(state["first"])
    for name in table_names(network):
        moved = network.parameters()[name] - copy.parameters()[name]
        found[name] = moved * np.sqrt(state[f"{name}.square"])[:, None]
    return found


def test_a_policy_of_zeros_teaches_the_value_alone() -> None:
    """Half of the positions without a policy: the gradient is that of two trainings in one."""
    network, batch = LineNetwork(channels=16, layers=1, hidden=16, seed=3), make_batch(4)
    taught = np.arange(len(batch.boards)) % 2 == 0
    half = replace(batch, policy=np.where(taught[:, None], batch.policy, np.float32(0)))
    # A weight of zero leaves a position out; then only values, or only policies, are learned.
    policies = replace(batch, weight=np.where(taught, batch.weight, np.float32(0)))
    values = gradients(network, replace(batch, policy=0 * batch.policy))
    of_policies = gradients(network, policies, value_weight=0.0)
    for name, found in gradients(network, half).items():
        wanted = values[name] + of_policies[name]
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-5)
    report = half.given(LineTrainer(copy_of(network)), (0, 0, 0))
    alone = Batch(
        [board for board, one in zip(batch.boards, taught, strict=True) if one],
        batch.policy[taught], batch.value[taught], batch.weight[taught],
    )  # fmt: skip
    expected = alone.given(LineTrainer(copy_of(network)), (0, 0, 0))
    choices = [len(reference.legal_moves(board)) > 1 for board in batch.boards]
    counted = len(taught) - sum(
        choice and not one for choice, one in zip(choices, taught, strict=True)
    )
    assert report["policy_loss"] * counted == pytest.approx(expected["policy_loss"] * taught.sum())


@dataclass(frozen=True)
class Case:
    """A network and what it is trained with."""

    shape: Shape
    options: dict[str, float] = field(default_factory=dict)
    moves: bool = False
    dropout: tuple[float, float, float] = (0, 0, 0)


CASES = {
    "plain": Case(Shape()),
    "smoothing": Case(Shape(blocks=2, layers=3), {"smoothing": 0.2, "value_weight": 0.7}),
    "square_logits": Case(Shape(blocks=0, layers=1), {"square_logits": 0.05}),
    "moves": Case(Shape(channels=32, blocks=3, layers=0), {"smoothing": 0.1}, moves=True),
    "no afterstates": Case(Shape(blocks=2, afterstates=False), {"value_weight": 0}),
    "dropout": Case(Shape(blocks=2), {"square_logits": 0.01}, dropout=(0.25, 0.4, 0.1)),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_gradients_are_those_that_autograd_finds(case: Case) -> None:
    pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    from nets.line_twin import LineTwin, Shares

    network = make_network(case.shape)
    batch = make_batch(1).one_move if case.moves else make_batch(1)
    options: dict[str, Any] = {"value_weight": 0.2, "square_logits": 1e-4, "smoothing": 0.0}
    options |= case.options
    twin = LineTwin(network, Shares(*case.dropout, seed=7))
    loss, policy_loss, value_loss = twin.loss(
        batch.boards, batch.policy, batch.value, batch.weight, **options
    )
    expected = twin.gradients(loss)
    names = ("line_dropout", "pattern_dropout", "channel_dropout")
    options |= dict(zip(names, case.dropout, strict=True))
    found = gradients(network, batch, seed=7, **options)
    assert found.keys() == expected.keys()
    for name, gradient in expected.items():
        scale = np.abs(gradient).max()
        np.testing.assert_allclose(found[name], gradient, rtol=1e-3, atol=3e-6 * scale)
        if name in table_names(network):  # no row is touched that was not used
            np.testing.assert_array_equal(found[name].any(axis=1), gradient.any(axis=1))
    trainer = LineTrainer(network, seed=7, **options)
    what = {"move": batch.move, "policy": None} if case.moves else {}
    report = batch.given(trainer, (0, 0, 0), **what)
    assert report["policy_loss"] == pytest.approx(policy_loss, rel=1e-5)
    assert report["value_loss"] == pytest.approx(value_loss, rel=1e-5)


def test_the_accuracy_is_that_of_the_likeliest_moves() -> None:
    network, batch = make_network(), make_batch(1)
    logits, _ = network.predict(*as_arrays(batch.boards))
    able = np.isfinite(logits).any(axis=1)
    right = (logits.argmax(axis=1) == batch.move) & able
    report = batch.given(LineTrainer(network), (0, 0, 0))
    assert report["accuracy"] == pytest.approx(right.mean())


def test_without_weights_all_positions_count_alike() -> None:
    network, batch = make_network(), make_batch(1)
    plain = replace(batch, weight=np.ones_like(batch.weight))
    one = plain.given(LineTrainer(copy_of(network)), (0, 0, 0))
    assert one == plain.given(LineTrainer(network), (0, 0, 0), weight=None)


# The tables as the trainer numbers them.
IN_ORDER = [
    *(f"line{i}" for i in range(12)), "facts", *(f"pattern{i}" for i in range(12)), "pairs"
]  # fmt: skip


def root_mean_square(rows: Floats) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.sqrt((rows.astype(np.float64) ** 2).mean(axis=1))
    return found


def test_dense_weights_follow_adam_and_rows_their_own_scale() -> None:
    network = make_network(noise=0.02)
    trainer = LineTrainer(network, dense_decay=0.5)
    weights = {name: array.astype(np.float64) for name, array in weights_of(network).items()}
    dense, tables = dense_names(network), table_names(network)
    first, second, square = ({name: 0.0 * weights[name] for name in weights} for _ in range(3))
    square = {name: np.zeros(len(weights[name])) for name in tables}
    visits = {name: np.zeros(len(weights[name]), np.int64) for name in tables}
    table_square = dict.fromkeys(tables, 0.0)
    for step, batch in enumerate(batches(4), 1):
        rates = (0.01 * step, 0.02, 0.005 * step)
        found = gradients(network, batch)
        floor = dict(zip(IN_ORDER, 0.1 * trainer.state()["table_square"], strict=True))
        batch.given(trainer, rates)
        for name in dense:
            g = found[name].astype(np.float64)
            first[name] = 0.9 * first[name] + 0.1 * g
            second[name] = 0.99 * second[name] + 0.01 * g**2
            towards = first[name] / (1 - 0.9**step)
            by = np.sqrt(second[name] / (1 - 0.99**step)) + 1e-8
            weights[name] = (1 - rates[0] * 0.5) * weights[name] - rates[0] * towards / by
        for name in tables:
            used = found[name].any(axis=1)
            visits[name] += used
            share = np.maximum(0.01, 1 / visits[name][used])
            now = root_mean_square(found[name][used]) ** 2
            square[name][used] += share * (now - square[name][used])
            rate = rates[1] if name.startswith("line") else rates[2]
            by = np.sqrt(square[name][used] + floor[name])
            weights[name][used] -= rate * found[name][used] / by[:, None]
            table_square[name] += max(0.01, 1 / step) * (now.mean() - table_square[name])
        for name, array in network.parameters().items():
            # Both rules divide by the gradient's size: where it is tiny, so is its precision.
            wrong = np.abs(array - weights[name]) > 1e-4
            assert wrong.mean() < 1e-3, name
            weights[name] = array.astype(np.float64)
        for name in tables:
            np.testing.assert_array_equal(trainer.visits()[f"{name}.visits"], visits[name])
            kept = trainer.state()["table_square"][IN_ORDER.index(name)]
            assert kept == pytest.approx(table_square[name], rel=1e-3)
    assert (trainer.steps, trainer.positions) == (4, 48)


ALL_AT_ONCE: dict[str, Any] = {
    "smoothing": 0.1, "table_decay": 0.5, "back_off": 0.5,
    "line_dropout": 0.2, "pattern_dropout": 0.2, "channel_dropout": 0.2,
}  # fmt: skip


def test_threads_change_nothing() -> None:
    networks = [make_network() for _ in range(3)]
    trainers = [LineTrainer(network, seed=3, **ALL_AT_ONCE) for network in networks]
    for batch in batches(3, size=21):
        reports = [
            batch.given(trainer, (0.01, 0.02, 0.01), threads=threads)
            for threads, trainer in enumerate(trainers, 1)
        ]
        assert reports[0] == reports[1] == reports[2]
    for name, array in networks[0].parameters().items():
        for network in networks[1:]:
            np.testing.assert_array_equal(network.parameters()[name], array)


def test_dropout_depends_on_the_seed_and_the_position() -> None:
    """What is left is scaled as the twin scales it: see the case dropout above."""
    network, batch = make_network(), make_batch(1)
    options: dict[str, Any] = {"line_dropout": 0.3, "channel_dropout": 0.3}

    def loss(seed: int, positions: int = 0) -> float:
        trainer = LineTrainer(copy_of(network), seed=seed, **options)
        trainer.positions = positions
        return float(batch.given(trainer, (0, 0, 0))["policy_loss"])

    assert loss(1) == loss(1)
    assert len({loss(1), loss(2), loss(1, positions=100)}) == 3
    options = dict.fromkeys(options, 0.0)  # then the seed changes nothing
    without = batch.given(LineTrainer(copy_of(network)), (0, 0, 0))["policy_loss"]
    assert {loss(1), loss(2), loss(1, positions=100)} == {without}


def test_shorter_patterns_move_with_what_has_gathered() -> None:
    """Every 32 steps, by the same rule as rows; and with them all rows that contain them."""
    together = make_network(noise=0.02)
    alone = copy_of(together)
    trainer, plain = LineTrainer(together, back_off=0.5), LineTrainer(alone)
    trainer.steps = plain.steps = 30
    names = [name for name in table_names(together) if name not in ("facts", "pairs")]
    sums = {name: np.zeros((keys_of(name).max() + 1, together.channels)) for name in names}
    rates = (0.0, 0.02, 0.01)
    for step, batch in enumerate(batches(2, size=20), 31):
        found = gradients(alone, batch)
        for one in (trainer, plain):
            batch.given(one, rates)
        for name in names:
            used = found[name].any(axis=1)
            for k in range(keys_of(name).shape[1]):
                np.add.at(sums[name], keys_of(name)[used, k], found[name][used])
            if step == 31:
                gathered = trainer.state()[f"{name}.keys.gradient"]
                scale = np.abs(sums[name]).max()
                np.testing.assert_allclose(gathered, sums[name], rtol=1e-3, atol=1e-5 * scale)
                np.testing.assert_array_equal(together.parameters()[name], alone.parameters()[name])
    for name in names:
        size = root_mean_square(sums[name])
        rate = 0.5 * (rates[1] if name.startswith("line") else rates[2])
        moved = -rate * sums[name] / np.maximum(size, 1e-30)[:, None]
        sure = size > 1e-4 * size.max()  # what cancels out has no certain direction
        sure_rows = (sure | (size == 0))[keys_of(name)].all(axis=1)
        assert sure_rows.mean() > 0.5
        expected = alone.parameters()[name] + moved[keys_of(name)].sum(axis=1)
        np.testing.assert_allclose(
            together.parameters()[name][sure_rows], expected[sure_rows], atol=2e-2 * rate
        )
        np.testing.assert_array_equal(trainer.visits()[f"{name}.keys.visits"][sure], 1)
        assert not trainer.state()[f"{name}.keys.gradient"].any()
    for name in ("facts", "pairs"):  # these have none
        assert f"{name}.keys.gradient" not in trainer.state()
        np.testing.assert_array_equal(together.parameters()[name], alone.parameters()[name])


@cache
def keys_of(table: str) -> NDArray[np.int64]:
    if table.startswith("line"):
        return geometry.line_keys(geometry.line_length(int(table[4:])))
    return geometry.pattern_keys(int(table[7:]))


@pytest.mark.parametrize("kind", range(12))
def test_all_states_of_a_row_have_the_same_shorter_patterns(kind: int) -> None:
    lines = geometry.line_state_keys(geometry.line_length(kind)).reshape(-1, 6)
    for keys, rows in (
        (lines, geometry.line_rows(geometry.line_length(kind)).reshape(-1)),
        (geometry.pattern_state_keys(kind), geometry.pattern_rows(kind)),
    ):
        one = np.zeros((rows.max() + 1, keys.shape[1]), np.int64)
        one[rows] = np.sort(keys, axis=1)
        np.testing.assert_array_equal(one[rows], np.sort(keys, axis=1))


def test_rows_decay_towards_where_they_started() -> None:
    network = LineNetwork(**asdict(Shape()), seed=4)
    start = weights_of(network)
    trainer = LineTrainer(network, seed=4, table_decay=0.25)
    one, other = batches(2)
    one.given(trainer, (0, 0.5, 0.1))
    moved = weights_of(network)
    for _ in range(3):
        other.given(trainer, (0, 0, 0))  # no time passes for the decay without a rate
    other.given(trainer, (0, 0.5, 0))
    touched = {n: trainer.state()[f"{n}.clock"] > 0.2 for n in table_names(network)}
    assert trainer.clock == pytest.approx(2 * 0.25 * 0.5)
    trainer.settle()
    for name in table_names(network):
        # Rows of the second batch moved once more; all others only decayed, by what was due.
        left = ~touched[name]
        expected = start[name] + np.exp(-0.125) * (moved[name] - start[name])
        np.testing.assert_allclose(network.parameters()[name][left], expected[left], atol=1e-6)
        assert (trainer.state()[f"{name}.clock"] == np.float32(trainer.clock)).all()
    settled = weights_of(network)
    trainer.settle()
    for name, array in network.parameters().items():
        np.testing.assert_array_equal(array, settled[name])


def test_a_trainer_with_anothers_state_goes_on_like_it() -> None:
    network = LineNetwork(**asdict(Shape()), seed=3)
    trainer = LineTrainer(network, seed=3, **ALL_AT_ONCE)
    trainer.steps = 62  # so that shorter patterns move in between
    first, second, third = batches(3)
    for batch in (first, second):
        batch.given(trainer, (0.01, 0.02, 0.01))
    trainer.settle()
    resumed_network = copy_of(network)
    resumed = LineTrainer(resumed_network, seed=3, **ALL_AT_ONCE)
    for name, array in {**trainer.state(), **trainer.visits()}.items():
        {**resumed.state(), **resumed.visits()}[name][...] = array
    resumed.steps, resumed.positions, resumed.clock = (
        trainer.steps,
        trainer.positions,
        trainer.clock,
    )
    for one in (trainer, resumed):
        third.given(one, (0.01, 0.02, 0.01))
        one.settle()
    for name, array in network.parameters().items():
        np.testing.assert_array_equal(resumed_network.parameters()[name], array)


def test_it_learns_a_few_positions_by_heart() -> None:
    network = LineNetwork(**asdict(Shape()), seed=1)
    trainer = LineTrainer(network)
    batch = batches(1)[0].one_move
    for _ in range(60):
        report = batch.given(trainer, (0.005, 0.05, 0.01), weight=None)
    assert report["accuracy"] == 1
    assert report["policy_loss"] < 0.1
    assert report["value_loss"] < 0.05


GOOD: dict[str, Any] = {
    "own": np.array([0x0000000810000000], np.uint64),
    "other": np.array([0x0000001008000000], np.uint64),
    "move": np.array([19], np.uint8),
    "value": np.zeros(1, np.float32),
    "rates": (0.1, 0.1, 0.1),
}
EVEN = np.full((1, 64), 0.25, np.float32)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"own": np.zeros(0, np.uint64)}, "differ in length: 0 and 1"),
        ({"value": np.zeros(2, np.float32)}, "differ in length: 1 and 2"),
        ({"move": np.zeros(2, np.uint8)}, "differ in length: 1 and 2"),
        ({"weight": np.zeros(2, np.float32)}, "differ in length: 1 and 2"),
        ({"move": None}, "either moves or policies"),
        ({"policy": EVEN}, "either moves or policies"),
        ({"move": None, "policy": EVEN[:, :60].copy()}, "a policy has 64 shares"),
        ({"own": GOOD["other"]}, "board 0 has discs of both sides"),
        ({"move": np.array([0], np.uint8)}, "position 0 of the batch: its move is not legal"),
        ({"move": np.array([64], np.uint8)}, "its move is not legal"),
        ({"move": None, "policy": 2 * EVEN}, "the shares of its legal moves do not add up to 1"),
        ({"move": None, "policy": np.nan * EVEN}, "shares of its legal moves do not add up"),
        ({"value": np.array([np.nan], np.float32)}, r"its value is not in \[-1, 1\]"),
        ({"value": np.array([1.5], np.float32)}, r"its value is not in \[-1, 1\]"),
        ({"weight": np.array([np.nan], np.float32)}, "its weight is not a number from 0 up"),
        ({"weight": np.array([-1], np.float32)}, "its weight is not a number from 0 up"),
        ({"rates": (0.1, np.nan, 0.1)}, "a rate must be from 0"),
    ],
)
def test_batches_that_cannot_be(changed: dict[str, Any], problem: str) -> None:
    network = LineNetwork(channels=16, hidden=16)
    before = weights_of(network)
    trainer = LineTrainer(network)
    with pytest.raises(ValueError, match=problem):
        trainer.step(**{**GOOD, **changed})
    assert (trainer.steps, trainer.positions) == (0, 0)
    for name, array in network.parameters().items():
        np.testing.assert_array_equal(array, before[name])


def test_an_empty_batch_is_refused() -> None:
    trainer = LineTrainer(LineNetwork(channels=16, hidden=16))
    empty = {name: GOOD[name][:0] for name in ("own", "other", "move", "value")}
    with pytest.raises(ValueError, match="a batch needs at least one position"):
        trainer.step(**empty, rates=(0.1, 0.1, 0.1))


@pytest.mark.parametrize(
    "option",
    ["line_dropout", "pattern_dropout", "channel_dropout", "smoothing", "table_decay", "back_off"],
)
def test_options_that_cannot_be(option: str) -> None:
    network = LineNetwork(channels=16, hidden=16)
    for value in (-0.1, np.nan, 1e9):
        wrong: dict[str, Any] = {option: value}
        with pytest.raises(ValueError, match=f"{option} must be from 0"):
            LineTrainer(network, **wrong)
