"""What every record format must do."""

from __future__ import annotations

import contextlib
import io
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank import Game, OutflankError, Position, RecordError, records
from outflank.records import FORMATS, Problems
from strategies import any_boards, games

# Formats that hold positions, not moves.
OF_POSITIONS = {"obf", "boards"}
# What each format's file looks like in the middle of being bad: text around one broken game.
SAMPLE = Game.from_transcript("f5d6c3d3c4f4f6")

# Formats whose files say something even without games.
WITH_A_HEADER = {"wthor"}

every_format = pytest.mark.parametrize("name", FORMATS)


def sample_for(name: str) -> list[Game]:
    """Three games that a format can hold."""
    if name in OF_POSITIONS:
        return [Game(position) for position in list(SAMPLE.positions())[:3]]
    return [SAMPLE, SAMPLE.undo(2), SAMPLE.undo(4)]


def written(name: str, batch: list[Game]) -> bytes:
    stream = io.BytesIO()
    FORMATS[name].write(batch, stream)
    return stream.getvalue()


def read(name: str, data: bytes, *, lenient: bool = False) -> tuple[list[Game], Problems]:
    problems = Problems("file", lenient=lenient)
    return list(FORMATS[name].read(io.BytesIO(data), problems)), problems


@every_format
class TestEveryFormat:
    def test_is_named_and_has_an_extension(self, name: str) -> None:
        format = FORMATS[name]
        assert format.name == name
        assert format.title
        assert all(e.startswith(".") and e == e.lower() for e in format.extensions)
        assert records.format_for(f"some/file{format.extensions[0]}") is format
        assert records.format_for(f"FILE{format.extensions[0].upper()}") is format

    def test_reads_what_it_wrote(self, name: str) -> None:
        batch = sample_for(name)
        again, problems = read(name, written(name, batch))
        assert [(game.start, game.moves) for game in again] == [(g.start, g.moves) for g in batch]
        assert problems.found == []

    def test_writes_the_same_bytes_again(self, name: str) -> None:
        data = written(name, sample_for(name))
        assert written(name, read(name, data)[0]) == data

    def test_is_recognised_by_content(self, name: str, tmp_path: Path) -> None:
        file = tmp_path / "games.dat"
        file.write_bytes(written(name, sample_for(name)))
        assert records.detect(file).name == name

    def test_a_file_is_written_and_read(self, name: str, tmp_path: Path) -> None:
        file = tmp_path / f"games{FORMATS[name].extensions[0]}"
        records.write(file, sample_for(name))
        assert len(list(records.read(file))) == 3
        assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]

    def test_an_empty_file_is_named(self, name: str, tmp_path: Path) -> None:
        file = tmp_path / f"empty{FORMATS[name].extensions[0]}"
        file.touch()
        with pytest.raises(RecordError, match=r"empty.*: the file is empty"):
            list(records.read(file))

    def test_no_games_make_a_file_without_games(self, name: str) -> None:
        data = written(name, [])
        assert bool(data) == (name in WITH_A_HEADER)
        assert read(name, data)[0] == []

    @given(data=st.binary(max_size=300))
    def test_any_bytes_are_games_or_a_record_error(self, name: str, data: bytes) -> None:
        FORMATS[name].recognises(data)
        _only_record_errors(name, data)

    @given(data=st.data())
    def test_a_damaged_file_gives_games_or_a_record_error(
        self, name: str, data: st.DataObject
    ) -> None:
        damaged = bytearray(written(name, sample_for(name)))
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(damaged) - 1))
            match data.draw(st.sampled_from(["change", "cut", "insert"])):
                case "change":
                    damaged[at] = data.draw(st.integers(0, 255))
                case "cut":
                    del damaged[at : at + data.draw(st.integers(1, 20))]
                case _:
                    damaged[at:at] = data.draw(st.binary(max_size=20))
            if not damaged:
                break
        _only_record_errors(name, bytes(damaged))

    def test_a_large_file_of_rubbish_is_refused_quickly(self, name: str) -> None:
        began = time.monotonic()
        for rubbish in (b"(" * 200_000, b"(;" * 100_000, b"a" * 200_000, b"[" * 200_000):
            _only_record_errors(name, rubbish)
        assert time.monotonic() - began < 30, "reading must not grow with the square of the size"


def _only_record_errors(name: str, data: bytes) -> None:
    """Strict reading may raise RecordError; lenient reading raises it only for whole files."""
    strict = problem = None
    try:
        strict, _ = read(name, data)
    except RecordError as error:
        problem = str(error)
    if problem is None:
        assert read(name, data, lenient=True)[0] == strict
        return
    assert problem.startswith("file: ")
    assert "\n" not in problem
    with contextlib.suppress(RecordError):
        read(name, data, lenient=True)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in OF_POSITIONS])
class TestFormatsOfGames:
    @given(game=games())
    def test_any_game_reads_back(self, name: str, game: Game) -> None:
        if not game.transcript:
            return
        (again,), _ = read(name, written(name, [game]))
        assert again.transcript == game.transcript
        assert again.position in (game.position, *game.positions())

    def test_lenient_skips_the_bad_game_and_counts_it(self, name: str) -> None:
        data = written(name, [SAMPLE, SAMPLE, SAMPLE])
        first, rest = data[: len(data) // 3], data[len(data) // 3 :]
        # The fifth move of the second game becomes its first: no longer legal.
        for good, bad in ((b"c4", b"f5"), (b"C4", b"F5"), (bytes([43]), bytes([56]))):
            if good in rest:
                damaged = first + rest.replace(good, bad, 1)
                break
        with pytest.raises(RecordError, match=r"file: game 2: .*f5 is illegal"):
            read(name, damaged)
        good_games, problems = read(name, damaged, lenient=True)
        assert len(good_games) == 2
        assert [error.record for error in problems.found] == [2]


@pytest.mark.parametrize("name", sorted(OF_POSITIONS))
class TestFormatsOfPositions:
    @given(position=any_boards())
    def test_any_position_reads_back(self, name: str, position: Position) -> None:
        (again,), _ = read(name, written(name, [Game(position)]))
        assert again.start == position

    def test_moves_are_refused(self, name: str) -> None:
        with pytest.raises(RecordError, match=r"game 1: moves: .* hold no moves"):
            written(name, [SAMPLE])

    def test_lenient_skips_the_bad_position_and_counts_it(self, name: str) -> None:
        lines = written(name, sample_for(name)).splitlines(keepends=True)
        lines[1] = b"Q" + lines[1][1:]
        with pytest.raises(RecordError, match="file: game 2: board: not a disc"):
            read(name, b"".join(lines))
        good, problems = read(name, b"".join(lines), lenient=True)
        assert len(good) == 2
        assert [error.record for error in problems.found] == [2]


def test_a_file_of_no_known_format_is_named(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader,\nthis is no game.\n")
    with pytest.raises(RecordError, match=r"letter\.txt: not a game record: tried WThor"):
        records.read(file)


def test_an_unknown_extension_is_named() -> None:
    with pytest.raises(RecordError, match=r"no format has the extension '\.pdf'; known are"):
        records.format_for("games.pdf")


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutflankError, match=r"none\.ggf: cannot read: No such file"):
        records.read(tmp_path / "none.ggf")
    with pytest.raises(OutflankError, match="cannot read: Is a directory"):
        records.read(tmp_path)


def test_an_older_file_survives_a_failed_write(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5\n")
    with pytest.raises(RecordError, match=r"games\.txt: game 2: start: .* the start position"):
        records.write(file, [SAMPLE, Game(SAMPLE.position).play("f3")])
    assert file.read_text() == "f5\n"
    assert [path.name for path in tmp_path.iterdir()] == ["games.txt"]
