"""The opening book: values backed up as minimax would, symmetric positions shared, whole files."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluations.champions import random_weights
from outflank import Game, Position, _core
from outflank.errors import OutflankError
from outflank.evaluations.champion import save_champion
from outflank.learn.champion import book as growing
from outflank.learn.champion.book import BookConfig, cheapest_leaves, grow_book
from outflank.nets.files import load_tensors, save_tensors
from outflank.othello import BLACK, WHITE
from outflank.players import make_player
from outflank.players.book import KIND, Book, BookMoves, book_file, canonical, successors
from strategies import random_game

CONFIG = BookConfig(positions=60, depth=2, save_every=3, memory=4)


def mirrored(position: Position, symmetry: int) -> Position:
    black, white = (_core.transform(bits, symmetry) for bits in (position.black, position.white))
    return Position(black, white, position.turn)


def slow_value(book: Book, position: Position) -> float:
    """Plain minimax over the stored tree, without order and memory."""
    board = canonical(position)
    if board not in book.expanded:
        return book.searched[board]
    return max(-slow_value(book, position.play(move)) for move in position.legal_moves)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "mine.safetensors"
    save_champion(path, random_weights(1), {})
    return path


@pytest.fixture(scope="module")
def book(net: Path) -> Book:
    return grow_book(net, net.with_name("grown.safetensors"), CONFIG)


def expanded_positions(book: Book) -> list[Position]:
    """All expanded positions, reached from the start."""
    found, frontier = [], [Position.start()]
    while frontier:
        position = frontier.pop()
        if canonical(position) in book.expanded:
            found.append(position)
            frontier += [position.play(move) for move in position.legal_moves]
    return found


def test_values_are_those_of_minimax(book: Book) -> None:
    moves = BookMoves(book)
    positions = expanded_positions(book)
    assert len({canonical(one) for one in positions}) == len(book.expanded) > 5
    for position in positions:
        found = moves.find(position)
        assert found is not None
        assert found == {
            move: -slow_value(book, position.play(move)) for move in position.legal_moves
        }
        assert next(iter(found.values())) == max(found.values())


def test_mirror_images_and_colours_are_shared(book: Book) -> None:
    moves = BookMoves(book)
    position = Game.from_transcript("f5").position
    found = moves.find(position)
    assert found is not None
    for symmetry in range(8):
        image = moves.find(mirrored(position, symmetry))
        assert image is not None
        assert sorted(image.values()) == sorted(found.values())
        assert image == {
            _core.transform_move(move, symmetry): value for move, value in found.items()
        }
    turn = WHITE if position.turn is BLACK else BLACK
    assert moves.find(Position(position.white, position.black, turn)) == found
    assert all(_core.canonical(*board)[:2] == board for board in book.searched)


def test_positions_outside_are_not_known(book: Book) -> None:
    assert BookMoves(book).find(random_game(1, plies=30).position) is None


def test_the_cheapest_leaf_is_reached_by_the_best_moves(book: Book) -> None:
    """With a negligible price for a ply, the first to expand ends the line of best play."""
    (leaf,) = cheapest_leaves(book, 1e-9, 1)
    position, value = Position.start(), slow_value(book, Position.start())
    while canonical(position) in book.expanded:
        moves = BookMoves(book).find(position)
        assert moves is not None
        best, found = next(iter(moves.items()))
        assert found == pytest.approx(value)
        position, value = position.play(best), -value
    assert book.searched[leaf] == pytest.approx(value)


def test_growing_goes_on_where_it_was_interrupted(
    net: Path, tmp_path: Path, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "book.safetensors"
    searches = 0
    value = growing._Search.value

    def interrupted(self: object, board: tuple[int, int]) -> float:
        nonlocal searches
        searches += 1
        if searches == 30:
            raise KeyboardInterrupt
        return value(self, board)  # type: ignore[arg-type]

    monkeypatch.setattr(growing._Search, "value", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grow_book(net, target, CONFIG)
    assert 1 < len(Book.load(target)) < len(book)
    assert grow_book(net, target, CONFIG) == book == Book.load(target)
    with pytest.raises(OutflankError, match="another evaluation or depth"):
        grow_book(net, target, BookConfig(positions=60, depth=3))


def test_the_champion_plays_from_it(net: Path, book: Book, tmp_path: Path) -> None:
    path = tmp_path / "book.safetensors"
    book.save(path)
    game = Game.from_transcript("f5")
    known = BookMoves(book).find(game.position)
    assert known is not None
    thought = make_player(f"champion:net={net},depth=2,memory=4,book={path}").think(game)
    assert (thought.move, thought.value) == next(iter(known.items()))
    assert thought.values == known
    assert thought.nodes is None
    for off in ("no", "yes"):  # there is no book beside this evaluation
        searched = make_player(f"champion:net={net},depth=2,memory=4,book={off}").think(game)
        assert searched.nodes
    beside = book_file(net)
    book.save(beside)
    try:
        for spec, nodes in ((f"net={net}", False), (f"net={net},book=no", True)):
            player = make_player(f"champion:{spec},depth=2,memory=4")
            assert bool(player.think(game).nodes) is nodes
    finally:
        beside.unlink()


def test_a_champion_with_another_book_is_another_player(
    net: Path, book: Book, tmp_path: Path
) -> None:
    """The store must not take its old games for those of the new one."""
    path = tmp_path / "book.safetensors"
    spec = f"champion:net={net},depth=2,memory=4,book="
    book.save(path)
    before = make_player(f"{spec}{path}").fingerprint
    assert before != make_player(f"{spec}no").fingerprint
    start = canonical(Position.start())
    few = Book({start: 1.5, **dict.fromkeys(successors(start).values(), -1.5)}, {start})
    few.save(path)
    assert make_player(f"{spec}{path}").fingerprint != before
    book.save(path)
    assert make_player(f"{spec}{path}").fingerprint == before


def test_a_missing_book_is_one_line(net: Path, tmp_path: Path) -> None:
    with pytest.raises(OutflankError, match="no such file"):
        make_player(f"champion:net={net},depth=2,book={tmp_path / 'none.safetensors'}")


def damage(path: Path, **changes: np.ndarray[tuple[int, ...], np.dtype[np.generic]] | None) -> None:
    tensors, facts = load_tensors(path, kind=KIND)
    for name, array in changes.items():
        if array is None:
            del tensors[name]
        else:
            tensors[name] = array
    save_tensors(path, tensors, kind=KIND, facts={"facts": facts["facts"]})


def test_damaged_books_are_one_line(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "book.safetensors"
    cases: list[dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]] | None]] = [
        {"own": None},
        {"value": np.zeros(len(book), np.float32)},
        {"value": np.zeros(3, np.int16)},
        {"own": np.full(len(book), 255, np.uint64), "other": np.full(len(book), 255, np.uint64)},
        {"expanded": np.ones(len(book), np.uint8)},
    ]
    for changes in cases:
        book.save(path)
        damage(path, **changes)
        with pytest.raises(OutflankError, match="not a whole opening book") as caught:
            Book.load(path)
        assert "\n" not in str(caught.value)


@given(at=st.integers(0, 1 << 20), flip=st.integers(1, 255), kept=st.integers(0, 1 << 20))
def test_bytes_that_changed_never_crash(at: int, flip: int, kept: int) -> None:
    start = canonical(Position.start())
    small = Book({start: 1.5, **dict.fromkeys(successors(start).values(), -1.5)}, {start})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.safetensors"
        small.save(path)
        whole = bytearray(path.read_bytes())
        whole[at % len(whole)] ^= flip
        path.write_bytes(whole[: max(kept % (2 * len(whole)), 1)])
        with contextlib.suppress(OutflankError):
            Book.load(path).values()
