"""Line networks in files, and what they remember of symmetric boards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reference
from nets.line_networks import Shape, as_arrays, make_network, some_boards, table_names
from outflank import Game, _core, cli
from outflank.errors import DataError
from outflank.nets import Card, load_weights, save_weights
from outflank.nets.files import Tensors
from outflank.nets.line import LinePolicy, Ties, average
from outflank.othello.boards import Boards

CARD = Card("line", "pieces", "small", {"seed": 1}, {"accuracy": 0.5})
OWN, OTHER = as_arrays(some_boards())
BOARDS = Boards(OWN, OTHER, np.zeros(len(OWN), np.bool_))
# The start, the board after f5f6e6, and one that no symmetry leaves as it is; with some moves.
SYMMETRIC = [Game.from_transcript(moves).position.bits for moves in ("f5f6", "f5d6", "f5f6e6")]


def start_ties() -> Ties:
    own, other = (np.array([side], np.uint64) for side in reference.bits(reference.START))
    return Ties(own, other, np.array([37], np.uint8))


@pytest.fixture
def policy() -> LinePolicy:
    return LinePolicy(make_network(), CARD, ties=start_ties(), threads=1)


@pytest.mark.parametrize(
    "shape", [Shape(), Shape(blocks=0, layers=0, afterstates=False), Shape(32, 2, 1)], ids=str
)
def test_a_file_as_it_is_has_every_bit(shape: Shape, tmp_path: Path) -> None:
    policy = LinePolicy(make_network(shape), CARD)
    policy.save(tmp_path / "n.safetensors", quantised=False)
    loaded = LinePolicy.load(tmp_path / "n.safetensors")
    assert (loaded.card, loaded.ties, loaded.threads) == (CARD, None, 0)
    for name, array in policy.network.parameters().items():
        np.testing.assert_array_equal(loaded.network.parameters()[name], array)
    before, after = policy.predict(BOARDS), loaded.predict(BOARDS)
    if shape.layers:  # with none, the file does not say how wide they would be
        assert loaded.network.hidden == policy.network.hidden
    np.testing.assert_array_equal(before.logits, after.logits)
    assert loaded.fingerprint == policy.fingerprint


def test_a_small_file_is_within_rounding(policy: LinePolicy, tmp_path: Path) -> None:
    weights = policy.network.parameters()
    weights["line1"][:3] = [[0.0] * 16, [1e-9] * 16, [100.0] * 15 + [-100.0]]
    policy.network.refresh()
    policy.save(tmp_path / "n.safetensors")
    policy.save(tmp_path / "whole.safetensors", quantised=False)
    small, whole = (tmp_path / f"{n}.safetensors" for n in ("n", "whole"))
    assert small.stat().st_size < 0.4 * whole.stat().st_size
    loaded = LinePolicy.load(small, threads=2)
    assert loaded.threads == 2
    for name, array in policy.network.parameters().items():
        found = loaded.network.parameters()[name]
        if name not in table_names(policy.network):
            np.testing.assert_array_equal(found, array)
            continue
        step = np.abs(array).max(axis=1, keepdims=True) / 127
        # The scale itself is rounded to 11 bits, or to multiples of 2^-24.
        assert (np.abs(found - array) <= 0.6 * step + 127 * 2.0**-25).all()
    before, after = policy.predict(BOARDS), loaded.predict(BOARDS)
    legal = np.isfinite(before.logits)
    np.testing.assert_array_equal(np.isfinite(after.logits), legal)
    assert loaded.ties is not None
    np.testing.assert_array_equal(loaded.ties.move, [37])
    # Saving what was loaded changes nothing more.
    loaded.save(tmp_path / "again.safetensors")
    again = LinePolicy.load(tmp_path / "again.safetensors").network.parameters()
    for name, array in loaded.network.parameters().items():
        np.testing.assert_allclose(again[name], array, rtol=2e-3, atol=1e-6)


def changed(tensors: Tensors, change: str) -> Tensors:
    """The tensors of a good file with one thing wrong."""
    wrong = dict(tensors)
    match change:
        case "without bias":
            del wrong["class_bias"]
        case "without table":
            del wrong["facts.int8"], wrong["facts.scale"]
        case "without scale":
            del wrong["line3.scale"]
        case "short scale":
            wrong["line3.scale"] = wrong["line3.scale"][:-1]
        case "one more":
            wrong["block7.bias"] = wrong["block0.bias"]
        case "shape":
            wrong["logit"] = wrong["logit"][:, :8]
        case "short table":
            for part in ("int8", "scale"):
                wrong[f"pattern9.{part}"] = wrong[f"pattern9.{part}"][:-1]
        case "channels":
            wrong["class_bias"] = wrong["class_bias"][:, :5]
        case "dimensions":
            wrong["class_bias"] = wrong["class_bias"][0]
        case "infinite":
            wrong["logit"] = np.full_like(wrong["logit"], np.inf)
        case "half ties":
            del wrong["ties.move"]
        case "long ties":
            wrong["ties.move"] = np.zeros(2, np.uint8)
        case "ties off the board":
            wrong["ties.move"] = np.array([64], np.uint8)
    return wrong


def test_the_mean_of_networks(policy: LinePolicy, tmp_path: Path) -> None:
    """By the command, from files; shares need not add up to one."""
    other = LinePolicy(make_network(seed=5), Card("line", "pieces", "other"))
    for name, one in (("a", policy), ("b", other)):
        one.save(tmp_path / f"{name}.safetensors", quantised=False)
    mean = average([(policy, 3.0), (other, 1.0)])
    for name, array in mean.network.parameters().items():
        parts = [one.network.parameters()[name] for one in (policy, other)]
        np.testing.assert_allclose(array, 0.75 * parts[0] + 0.25 * parts[1], rtol=1e-5, atol=1e-6)
    assert mean.ties is policy.ties
    shares = [{"name": "small", "share": 0.75}, {"name": "other", "share": 0.25}]
    assert mean.card.training["mean of"] == shares
    out = tmp_path / "mean.safetensors"
    words = [f"{tmp_path / 'a.safetensors'}=3", str(tmp_path / "b.safetensors"), "--out", str(out)]
    done = CliRunner().invoke(cli.app, ["learn", "imitation", "average", *words, "--json"])
    assert done.exit_code == 0, done.output
    assert LinePolicy.load(out).card.training["mean of"] == shares
    again = average([(mean, 1.0), (other, 1.0)]).card
    assert again.name == ""
    assert [part["share"] for part in again.training["mean of"]] == [0.5, 0.5]
    assert [part["name"] for part in again.training["mean of"]] == ["", "other"]
    with pytest.raises(DataError, match="of one shape"):
        average([(policy, 1.0), (LinePolicy(make_network(Shape(32, 2, 1)), CARD), 1.0)])
    with pytest.raises(DataError, match="not all zero"):
        average([(policy, 0.0), (other, 0.0)])
    for words, problem in (
        (["imitation-conv", "--out", str(out)], "imitation-conv: not a line network"),
        (["imitation-fast", "--out", str(tmp_path / "mean.txt")], "that ends in .safetensors"),
        (["imitation-fast", "--out", str(tmp_path / "away" / "a.safetensors")], "no such folder"),
    ):
        wrong = CliRunner().invoke(cli.app, ["learn", "imitation", "average", *words])
        assert problem in str(wrong.exception)
    wrong = CliRunner().invoke(cli.app, ["learn", "imitation", "average", "x=y", "--out", str(out)])
    assert "the share 'y' is not a number" in str(wrong.exception)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("without bias", "holds no line network: 'class_bias'"),
        ("without table", "the line network's weights are not those expected: facts"),
        ("without scale", r"line3\.scale has not one scale for each row of line3"),
        ("short scale", r"line3\.scale has not one scale for each row of line3"),
        ("one more", r"not those expected: block7\.bias"),
        ("shape", r"logit has the shape \(10, 8\); needed is \(10, 16\)"),
        ("short table", r"pattern9 has the shape \(10205, 16\); needed is \(10206, 16\)"),
        ("channels", "holds no line network: channels must be a multiple of 16"),
        ("dimensions", "holds no line network: "),
        ("infinite", "logit has weights that are no numbers"),
        ("half ties", r"ties\.own, ties\.other and ties\.move do not fit together"),
        ("long ties", "do not fit together"),
        ("ties off the board", "do not fit together"),
    ],
)
def test_wrong_files_are_named(
    change: str, problem: str, policy: LinePolicy, tmp_path: Path
) -> None:
    path = tmp_path / "n.safetensors"
    policy.save(path)
    tensors, card = load_weights(path)
    save_weights(path, changed(tensors, change), card)
    with pytest.raises(DataError, match=rf"n\.safetensors: .*{problem}") as error:
        LinePolicy.load(path)
    assert "\n" not in str(error.value)


def test_truncated_files_and_those_of_others(policy: LinePolicy, tmp_path: Path) -> None:
    path = tmp_path / "n.safetensors"
    policy.save(path)
    whole = path.read_bytes()
    for length in (0, 7, 1000, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(DataError, match=r"not a whole \.safetensors file"):
            LinePolicy.load(path)
    save_weights(path, {"0.weight": np.zeros((32, 2, 3, 3), np.float32)}, Card("conv2", "pieces"))
    with pytest.raises(DataError, match="holds no line network: 'class_bias'"):
        LinePolicy.load(path)


def test_the_fingerprint_is_that_of_the_weights(policy: LinePolicy) -> None:
    before = policy.fingerprint
    assert before == policy.fingerprint
    assert before != LinePolicy(make_network(seed=2), CARD).fingerprint
    policy.network.parameters()["logit"][...] *= 2
    policy.network.refresh()
    assert before != policy.fingerprint


def slow_ties(rows: list[tuple[int, int, int, int]]) -> dict[tuple[int, int], Counter[int]]:
    """How often each move was played on the boards that some symmetry leaves as they are."""
    found: dict[tuple[int, int], Counter[int]] = {}
    for own, other, move, count in rows:
        board = tuple((own >> square & 1) - (other >> square & 1) for square in range(64))
        if any(reference.image(board, symmetry) == board for symmetry in range(1, 8)):
            found.setdefault((own, other), Counter())[move] += count
    return found


def test_ties_are_the_symmetric_boards_and_their_usual_moves() -> None:
    random = np.random.default_rng(1)
    rows = []
    for own, other in SYMMETRIC + [p.bits for p in BOARDS[:12].positions()]:
        board = tuple((own >> square & 1) - (other >> square & 1) for square in range(64))
        for move in reference.legal_moves(board):
            rows += [(own, other, move, int(random.integers(1, 9))) for _ in range(2)]
    expected = slow_ties(rows)
    assert 2 <= len(expected) < 15
    columns = [list(column) for column in zip(*rows, strict=True)]
    ties = Ties.gather(
        np.array(columns[0], np.uint64),
        np.array(columns[1], np.uint64),
        np.array(columns[2], np.uint8),
        np.array(columns[3], np.uint32),
    )
    assert len(ties.own) == len(expected)
    for own, other, move in zip(ties.own.tolist(), ties.other.tolist(), ties.move, strict=True):
        counts = expected[own, other]
        assert counts[int(move)] == max(counts.values())
    hashes = _core.hash(ties.own, ties.other)
    assert (hashes[1:] > hashes[:-1]).all()


def test_a_tie_is_broken_and_nothing_else_is_changed(policy: LinePolicy) -> None:
    boards = Boards.concatenate([Boards.start(2), BOARDS])
    plain = LinePolicy(policy.network, CARD).predict(boards)
    broken = policy.predict(boards)
    assert np.ptp(plain.logits[0, [19, 26, 37, 44]]) < 1e-4  # the network itself cannot choose
    assert (broken.logits[:2].argmax(axis=1) == 37).all()
    different = np.argwhere(broken.logits != plain.logits).tolist()
    starts = [i for i, (own, other) in enumerate(zip(boards.own, boards.other, strict=True))
              if (own, other) == (boards.own[0], boards.other[0])]  # fmt: skip
    assert different == [[i, 37] for i in starts]
    assert len(starts) >= 3
    np.testing.assert_allclose(broken.logits[0, 37] - plain.logits[0, 37], 1e-3, rtol=0.01)


def test_no_ties_and_no_boards(policy: LinePolicy) -> None:
    nothing = np.zeros(0, np.uint64)
    none = Ties.gather(nothing, nothing, np.zeros(0, np.uint8), np.zeros(0, np.uint32))
    assert len(none.own) == 0
    found = LinePolicy(policy.network, CARD, ties=none).predict(BOARDS)
    np.testing.assert_array_equal(
        found.logits, LinePolicy(policy.network, CARD).predict(BOARDS).logits
    )
    assert policy.predict(BOARDS[:0]).logits.shape == (0, 64)
