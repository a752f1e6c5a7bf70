"""The network of patterns: the core against slow arithmetic, files, and search over it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nets.pattern_values import CARD, random_tensors, save_pattern_value
from outflank import _core
from outflank.errors import DataError, SpecError
from outflank.models import load_network
from outflank.nets.files import save_weights
from outflank.nets.pattern_value import PatternValue
from outflank.othello.boards import Boards
from outflank.players import Unit, make_player
from strategies import random_game

BOARDS = Boards.from_positions(random_game(seed, seed % 58).position for seed in range(116))


def slow_value(tensors: dict[str, np.ndarray], own: int, other: int) -> int:
    """The same arithmetic with Python's whole numbers, read from pattern_network.hpp."""
    boards = np.array([own], np.uint64), np.array([other], np.uint64)
    rows = _core.pattern_rows(*boards)[0].tolist()
    empties = 64 - (own | other).bit_count()
    hidden = tensors["outer"].shape[1]
    sums = tensors["empties"][min(empties, 60)].astype(int)
    for row in rows:
        sums = sums + tensors["rows"][row].astype(int)
    sums = np.clip(sums, 0, 512)
    stage = min(empties // 4, 15)
    out = int(tensors["outer_bias"][stage])
    for unit in range(hidden):
        weights = tensors["inner"][stage * hidden + unit].astype(int)
        found = int(tensors["inner_bias"][stage, unit]) + int((sums * weights).sum())
        found = int(found / 1024)  # towards zero
        out += min(max(found, 0), 512) * int(tensors["outer"][stage, unit])
    return int(out * 1000 / (64 * 256))


@pytest.mark.parametrize("channels", [16, 32, 64])
def test_the_core_computes_what_its_header_says(channels: int) -> None:
    tensors = random_tensors(channels, hidden=5, seed=channels)
    network = PatternValue(tensors, CARD)
    found = network.evaluation.evaluate(BOARDS.own, BOARDS.other, BOARDS.white_to_move)
    wanted = [
        slow_value(tensors, own, other)
        for own, other in zip(BOARDS.own.tolist(), BOARDS.other.tolist(), strict=True)
    ]
    assert found.tolist() == wanted
    assert len(set(wanted)) > 50
    values = network.predict(BOARDS).values
    assert values is not None
    np.testing.assert_allclose(values, np.tanh(np.array(wanted) / 1000), atol=1e-6)


def test_mirror_images_have_the_same_value() -> None:
    network = PatternValue(random_tensors(), CARD)
    assert network.symmetric
    plain = network.predict(BOARDS).values
    for symmetry in range(1, 8):
        image = network.predict(BOARDS.transform(symmetry)).values
        np.testing.assert_array_equal(plain, image)


def test_rounding_costs_little() -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    from outflank.nets.torch.pattern_value import PatternModule

    torch.manual_seed(3)
    module = PatternModule(32, 16)
    with torch.no_grad():
        module.rows.weight.normal_(0, 0.1)
    rows = _core.pattern_rows(BOARDS.own, BOARDS.other).astype(np.int64)
    empties = 64 - np.bitwise_count(BOARDS.own | BOARDS.other).astype(np.int64)
    with torch.no_grad():
        exact = torch.tanh(module(torch.from_numpy(rows), torch.from_numpy(empties))[:, 0]).numpy()
    played = PatternValue(module.whole_numbers(), CARD).predict(BOARDS).values
    assert played is not None
    np.testing.assert_allclose(played, exact, atol=0.05)
    assert np.ptp(exact) > 0.3


def test_files_come_back_and_broken_ones_are_named(tmp_path: Path) -> None:
    path = save_pattern_value(tmp_path / "n.safetensors")
    network = load_network(path)
    assert isinstance(network, PatternValue)
    assert network.fingerprint == PatternValue(random_tensors(), CARD).fingerprint
    assert network.fingerprint != PatternValue(random_tensors(seed=2), CARD).fingerprint
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="not a whole"):
        load_network(path)
    tensors = random_tensors()
    for changed, problem in (
        ({"rows": tensors["rows"][:-1]}, "holds no network of patterns: rows has"),
        ({"rows": tensors["rows"].astype(np.int16)}, "rows is int16; needed is int8"),
        ({"more": tensors["rows"]}, "its weights are of another network: more"),
        ({"rows": np.zeros((_core.PatternNetwork.rows, 20), np.int8)}, "channels must be 16, 32"),
    ):
        save_weights(path, {**tensors, **changed}, CARD)
        with pytest.raises(DataError, match=problem):
            load_network(path)


def test_the_cores_search_goes_over_it(tmp_path: Path) -> None:
    path = save_pattern_value(tmp_path / "n.safetensors")
    player = make_player(f"alphabeta:net={path},depth=3")
    network = load_network(path)
    assert (player.unit, player.batched) == (Unit.RESULT, True)
    assert player.fingerprint == network.fingerprint
    game = random_game(4, 20)

    def slow(position: object, depth: int) -> float:
        if depth == 0:
            values = network.predict(Boards.from_positions([position])).values  # type: ignore[list-item]
            assert values is not None
            return float(values[0])
        return max(-slow(position.play(m), depth - 1) for m in position.legal_moves)  # type: ignore[attr-defined]

    assert player.think(game).value == pytest.approx(slow(game.position, 3), abs=1e-3)
    timed = make_player(f"alphabeta:net={path},time=0.1s,solve=0,ponder=yes")
    with timed:
        timed.start_pondering(game.position)
        assert timed.think(game).depth >= 3  # type: ignore[operator]
    with pytest.raises(SpecError, match="scores no moves"):
        make_player(f"policy:{path}")
