"""What a line network remembers of positions that came up often."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from data.slow_examples import counted_examples
from nets.line_networks import make_network
from outflank.data.positions import group_by_position
from outflank.errors import DataError
from outflank.nets import Card, load_weights, save_weights
from outflank.nets.line import LinePolicy, average
from outflank.nets.memory import Memory
from outflank.nets.network import legal_probabilities
from outflank.othello.boards import Boards
from reference import Board

CARD = Card("line", "pieces", "small", {"seed": 1})
DOUBT = 3.0
Played = list[tuple[Board, int]]


def openings(games: int, plies: int) -> Played:
    """Moves at the beginnings of random games; the start and others come up often."""
    return [
        pair
        for seed in range(games)
        for pair, _ in zip(reference.random_game(seed), range(plies), strict=False)
    ]


PLAYED = openings(60, 6)


def memory_of(played: Played, at_least: int = 4) -> Memory:
    positions = group_by_position(counted_examples([(pair, 1, 0.0) for pair in played]))
    return Memory.gather(positions, at_least=at_least, doubt=DOUBT)


def slowly(played: Played) -> dict[Board, tuple[float, dict[int, float]]]:
    """How often every image of every board occurred, and the shares of its moves."""
    moves: dict[Board, Counter[int]] = defaultdict(Counter)
    images: dict[Board, int] = {}
    for board, move in played:
        turned = [reference.image(board, symmetry) for symmetry in range(8)]
        for symmetry, image in enumerate(turned):
            moves[image][reference.image_of_square(move, symmetry)] += 1
            images[image] = turned.count(image)
    return {
        board: (
            counts.total() / images[board],
            {move: count / counts.total() for move, count in counts.items()},
        )
        for board, counts in moves.items()
    }


def boards_of(boards: list[Board]) -> Boards:
    own, other = zip(*map(reference.bits, boards), strict=True)
    return Boards(
        np.array(own, np.uint64), np.array(other, np.uint64), np.zeros(len(own), np.bool_)
    )


@pytest.fixture(scope="module")
def plain() -> LinePolicy:
    return LinePolicy(make_network(), CARD, threads=1)


@pytest.fixture(scope="module")
def policy(plain: LinePolicy) -> LinePolicy:
    return LinePolicy(plain.network, CARD, memory=memory_of(PLAYED), threads=1)


def test_known_boards_and_their_images_are_recalled(policy: LinePolicy, plain: LinePolicy) -> None:
    expected = slowly(PLAYED)
    met = [reference.image(board, k % 8) for k, (board, _) in enumerate(openings(90, 9))]
    boards = boards_of(met)
    found = legal_probabilities(boards, policy.predict(boards))
    own = legal_probabilities(boards, plain.predict(boards))
    known = 0
    for board, mixed, alone in zip(met, found, own, strict=True):
        count, shares = expected.get(board, (0.0, {}))
        part = count / (count + DOUBT) if count >= 4 else 0.0
        told = np.array([shares.get(square, 0.0) for square in range(64)])
        np.testing.assert_allclose(mixed, (1 - part) * alone + part * told, atol=2e-3)
        known += part > 0
    assert 100 < known < len(met) - 100
    np.testing.assert_array_equal(policy.predict(boards).values, plain.predict(boards).values)


def test_only_what_occurred_often_is_kept() -> None:
    counts = Counter(reference.canonical(board)[:2] for board, _ in PLAYED)
    for at_least in (1, 4, 20, 1000):
        memory = memory_of(PLAYED, at_least)
        often = {board: count for board, count in counts.items() if count >= at_least}
        pairs = zip(memory.own.tolist(), memory.other.tolist(), strict=True)
        assert dict(zip(pairs, memory.count.tolist(), strict=True)) == often


def test_it_is_as_symmetric_as_the_network(policy: LinePolicy) -> None:
    start = boards_of([reference.START])
    assert np.ptp(policy.predict(start).logits[0, [19, 26, 37, 44]]) < 1e-3
    boards = boards_of([board for board, _ in PLAYED])
    logits = policy.predict(boards).logits
    for symmetry in range(1, 8):
        turned = policy.predict(boards.transform(symmetry)).logits
        image = [reference.image_of_square(square, symmetry) for square in range(64)]
        np.testing.assert_allclose(turned[:, image], logits, atol=1e-3)


def test_other_boards_are_left_alone(policy: LinePolicy, plain: LinePolicy) -> None:
    late = boards_of([board for board, _ in openings(3, 60)[30:60]])
    np.testing.assert_array_equal(policy.predict(late).logits, plain.predict(late).logits)
    assert len(policy.predict(late[:0]).logits) == 0
    empty = LinePolicy(plain.network, CARD, memory=memory_of(PLAYED, 1000))
    start = Boards.start(2)
    np.testing.assert_array_equal(empty.predict(start).logits, plain.predict(start).logits)


def test_a_memory_is_kept_in_the_file(
    policy: LinePolicy, plain: LinePolicy, tmp_path: Path
) -> None:
    policy.save(tmp_path / "n.safetensors", quantised=False)
    loaded = LinePolicy.load(tmp_path / "n.safetensors")
    boards = boards_of([board for board, _ in PLAYED])
    np.testing.assert_array_equal(loaded.predict(boards).logits, policy.predict(boards).logits)
    assert loaded.fingerprint == policy.fingerprint != plain.fingerprint
    told = Card("line", "pieces", "small", {"seed": 1, "memory": {"positions": 3}})
    mean = average([(LinePolicy(policy.network, told, memory=policy.memory), 1.0), (plain, 1.0)])
    assert mean.memory is None
    assert "memory" not in mean.card.training


@given(
    name=st.sampled_from(["own", "other", "count", "moves", "move", "share", "doubt"]),
    damage=st.sampled_from(["missing", "short", "kind", "flat"]),
)
@settings(deadline=None)  # it writes files, which takes long on a busy machine
def test_a_damaged_memory_is_named(
    name: str, damage: str, policy: LinePolicy, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("net") / "n.safetensors"
    policy.save(path)
    tensors, card = load_weights(path)
    array = tensors.pop(f"memory.{name}")
    changed = {"short": array[:-1], "kind": array.astype(np.int64), "flat": array[:, None]}
    if damage != "missing":
        tensors[f"memory.{name}"] = np.ascontiguousarray(changed[damage])
    save_weights(path, tensors, card)
    with pytest.raises(DataError, match=r"memory (is missing|do not fit together)"):
        LinePolicy.load(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("moves", 0),
        ("move", 64),
        ("share", 0),
        ("share", np.nan),
        ("share", np.inf),
        ("count", 0),
        ("doubt", -1),
        ("move", 27),
    ],
)
def test_wrong_numbers_in_a_memory_are_named(
    name: str, value: float, policy: LinePolicy, tmp_path: Path
) -> None:
    path = tmp_path / "n.safetensors"
    policy.save(path)
    tensors, card = load_weights(path)
    tensors[f"memory.{name}"] = tensors[f"memory.{name}"].copy()
    tensors[f"memory.{name}"][0] = value
    save_weights(path, tensors, card)
    with pytest.raises(DataError, match="do not fit together"):
        LinePolicy.load(path)
