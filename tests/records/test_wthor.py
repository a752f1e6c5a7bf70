"""WThor: the files themselves, and all games of the database."""

from __future__ import annotations

import dataclasses
import re
import struct
from pathlib import Path

import numpy as np
import pytest

from data.made_games import GAMES, write_games
from outflank import Game, Note, RecordError, records
from outflank.records import Problems
from outflank.records.check import check_file
from outflank.records.replay import Replay, replay
from outflank.records.wthor import (
    Wthor,
    WthorFile,
    WthorHeader,
    WthorNames,
    find_names,
)
from strategies import random_game

SAMPLE = [
    Game.from_transcript(
        "f5d6c3d3c4f4f6", black="Rose", white="Ünal", event="Cup", date="2004", result=12
    ),
    random_game(5, black="Ünal", white="Rose", event="Open", date="2004"),
]


def write(folder: Path, games: list[Game] = SAMPLE) -> Path:
    file = folder / "games.wtb"
    records.write(file, games)
    return file


def test_names_scores_and_years_are_kept(tmp_path: Path) -> None:
    first, second = records.read(write(tmp_path))
    assert (first.black, first.white, first.event, first.date) == ("Rose", "Ünal", "Cup", "2004")
    assert (second.black, second.white, second.event) == ("Ünal", "Rose", "Open")
    assert first.result == 12
    assert second.result == SAMPLE[1].score
    assert second.moves == SAMPLE[1].moves


def test_the_bytes_are_those_of_the_published_format(tmp_path: Path) -> None:
    data = write(tmp_path).read_bytes()
    assert len(data) == 16 + 2 * 68
    games, names, year, size = struct.unpack_from("<IHHB", data, 4)
    assert (games, names, year, size) == (2, 0, 2004, 8)
    tournament, black, white, score, _, *moves = struct.unpack_from("<HHHBB5B", data, 16)
    assert (tournament, black, white, score) == (0, 0, 1, 38)
    assert moves == [56, 64, 33, 34, 43]  # f5 d6 c3 d3 c4 as 10 * row + column
    jou = (tmp_path / "games.jou").read_bytes()
    assert len(jou) == 16 + 2 * 20
    assert jou[16 + 20 :] == "Ünal".encode("latin-1").ljust(20, b"\0")
    assert len((tmp_path / "games.trn").read_bytes()) == 16 + 2 * 26


def test_passes_are_left_out_and_put_back(tmp_path: Path) -> None:
    passing = next(
        game for game in map(random_game, range(1000)) if any(m.is_pass for m in game.moves[:-2])
    )
    (again,) = records.read(write(tmp_path, [passing]))
    assert again.moves == passing.moves


def test_without_a_file_of_names_the_games_are_there(tmp_path: Path) -> None:
    file = write(tmp_path)
    (tmp_path / "games.jou").unlink()
    (tmp_path / "games.trn").unlink()
    assert [game.black for game in records.read(file)] == ["", ""]


def test_names_are_found_whatever_the_case(tmp_path: Path) -> None:
    file = write(tmp_path)
    (tmp_path / "games.jou").rename(tmp_path / "WTH.JOU")
    assert find_names(file, ".jou") == tmp_path / "WTH.JOU"
    assert next(iter(records.read(file))).black == "Rose"


def damage(file: Path, at: int, value: bytes) -> None:
    data = bytearray(file.read_bytes())
    data[at : at + len(value)] = value
    file.write_bytes(data)


def problem_of(file: Path) -> str:
    with pytest.raises(RecordError) as caught:
        list(records.read(file))
    return str(caught.value).removeprefix(str(file.parent) + "/")


class TestBadFiles:
    def test_cut_short(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        file.write_bytes(file.read_bytes()[:-30])
        message = "games.wtb: header: the header says 2 games, the file holds 1 and 38 bytes"
        assert problem_of(file) == message
        problems = Problems(lenient=True)
        assert len(list(records.read(file, problems=problems))) == 1
        assert len(problems.found) == 1

    def test_too_many_games_promised(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        damage(file, 4, struct.pack("<I", 4_000_000_000))
        assert "the header says 4000000000 games, the file holds 2" in problem_of(file)

    def test_ten_by_ten(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        damage(file, 12, b"\x0a")
        assert problem_of(file) == "games.wtb: header: a 10x10 board; only 8x8 is accepted"

    def test_solitaires(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        damage(file, 13, b"\x01")
        assert "a file of solitaires" in problem_of(file)

    def test_shorter_than_a_header(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        file.write_bytes(b"short")
        assert problem_of(file) == (
            "games.wtb: header: a WThor file begins with 16 bytes, this one has 5 in all"
        )

    def test_an_illegal_move(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        damage(file, 16 + 68 + 8 + 4, bytes([11]))
        assert problem_of(file) == (
            "games.wtb: game 2: move 5: a1 is illegal: it outflanks no white disc"
        )

    def test_a_byte_that_is_no_square(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        damage(file, 16 + 8 + 3, bytes([99]))
        assert problem_of(file) == "games.wtb: game 1: move 4: not a square"

    def test_a_gap_in_the_moves(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        damage(file, 16 + 8 + 3, bytes([0]))
        assert problem_of(file) == "games.wtb: game 1: moves: a move follows the end of the moves"

    def test_a_file_of_names_that_does_not_fit(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        jou = tmp_path / "games.jou"
        one_name = WthorNames.load(jou)
        jou.write_bytes(WthorNames(WthorHeader(names=1), one_name.raw[:1]).to_bytes())
        assert problem_of(file) == (
            "games.wtb: game 1: white player: number 1, but the file of names holds 1"
        )

    def test_a_damaged_file_of_names(self, tmp_path: Path) -> None:
        file = write(tmp_path)
        jou = tmp_path / "games.jou"
        jou.write_bytes(jou.read_bytes()[:-1])
        assert problem_of(file) == (
            "games.jou: header: the header says 2 names of 20 bytes, "
            "the file holds 39 bytes of names"
        )
        problems = Problems(lenient=True)
        assert [game.black for game in records.read(file, problems=problems)] == ["", ""]
        assert len(problems.found) == 1

    @pytest.mark.parametrize(
        ("name", "problem"),
        [("A" * 20, "is longer than 19 characters"), ("棋", "has letters outside Latin-1")],
    )
    def test_a_name_that_the_format_cannot_hold(
        self, name: str, problem: str, tmp_path: Path
    ) -> None:
        with pytest.raises(RecordError, match=rf"games\.wtb: names: '{name}' {problem}"):
            write(tmp_path, [Game.from_transcript("f5", black=name)])
        assert list(tmp_path.iterdir()) == []

    def test_a_start_that_the_format_cannot_hold(self, tmp_path: Path) -> None:
        game = Game(SAMPLE[0].position).play("f3")
        with pytest.raises(RecordError, match="game 1: start: WThor games begin at the start"):
            write(tmp_path, [game])


def check_positions(played: Replay, index: int, game: Game) -> None:
    """The arrays of one game are its positions before every move that is no pass."""
    place = slice(played.offsets[index], played.offsets[index + 1])
    before = [
        (position, move)
        for position, move in zip(game.positions(), game.moves, strict=False)
        if not move.is_pass
    ]
    assert played.own[place].tolist() == [position.own for position, _ in before]
    assert played.other[place].tolist() == [position.other for position, _ in before]
    assert played.move[place].tolist() == [move for _, move in before]
    assert played.white_to_move[place].tolist() == [p.turn == "white" for p, _ in before]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder like the database's, with made-up games: finished, broken off, and with passes."""
    return write_games(tmp_path / "made")


class TestMadeUpFiles:
    """What TestTheDatabase asks of the real games, for a clone that has none."""

    def test_every_game_is_legal_and_every_finished_score_agrees(self, made: Path) -> None:
        finished = 0
        for year, games in GAMES.items():
            file = WthorFile.load(made / f"WTH_{year}.wtb")
            assert (file.header.year, len(file.games)) == (year, len(games))
            played = file.replay()
            assert played.legal.all()
            assert played.over.tolist() == [game.is_over for game in games]
            scores = [game.score for game in games if game.is_over]
            assert played.black_score()[played.over].tolist() == scores
            finished += len(scores)
        assert finished >= 4

    def test_reading_and_writing_gives_identical_bytes(self, made: Path) -> None:
        for path in made.glob("*.wtb"):
            assert WthorFile.load(path).to_bytes() == path.read_bytes()
        for name in ("jou", "trn"):
            for path in made.glob(f"*.{name}"):
                assert WthorNames.load(path).to_bytes() == path.read_bytes()

    def test_positions_are_those_of_the_games(self, made: Path) -> None:
        path = made / "WTH_1991.wtb"
        played = WthorFile.load(path).replay()
        read = list(Wthor().read_file(path, Problems(str(path))))
        assert [game.moves for game in read] == [game.moves for game in GAMES[1991]]
        for index, game in enumerate(read):
            check_positions(played, index, game)

    def test_all_years_and_threads_give_the_same_arrays(self, made: Path) -> None:
        files = [WthorFile.load(path) for path in sorted(made.glob("*.wtb"))]
        squares = np.concatenate([file.squares() for file in files])
        apart = [file.replay(threads=1) for file in files]
        for together in (replay(squares), replay(squares, threads=4)):
            for field in ("own", "other", "move", "white_to_move", "black", "white", "legal"):
                joined = np.concatenate([getattr(part, field) for part in apart])
                assert np.array_equal(getattr(together, field), joined)

    def test_a_year_survives_the_way_through_other_formats(
        self, made: Path, tmp_path: Path
    ) -> None:
        games = list(records.read(made / "WTH_1991.wtb"))
        for name in ("games.ggf", "games.sgf", "games.txt", "games.wtb"):
            records.write(tmp_path / name, games)
            again = list(records.read(tmp_path / name))
            assert [game.transcript for game in again] == [game.transcript for game in games]

    def test_a_check_tells_where_scores_differ(self, tmp_path: Path) -> None:
        right, cut = random_game(5), random_game(6, plies=20)
        wrong = dataclasses.replace(right, result=right.score + 2)
        report = check_file(write(tmp_path, [right, wrong, dataclasses.replace(cut, result=64)]))
        assert report.errors == []
        assert [(entry.record, entry.unfinished) for entry in report.score_differences] == [
            (2, False),
            (3, True),
        ]


class TestTheDatabase:
    """All games of 1977 to 2020."""

    def test_every_game_is_legal_and_every_finished_score_agrees(self, wthor_data: Path) -> None:
        games = finished = differ_finished = differ = 0
        for path in sorted(wthor_data.glob("*.wtb")):
            file = WthorFile.load(path)
            assert struct.unpack_from("<I", path.read_bytes(), 4)[0] == len(file.games)
            assert f"WTH_{file.header.year}.wtb" == path.name
            played = file.replay()
            assert played.legal.all(), path
            wrong = (played.black_score().astype(int) + 64) // 2 != file.games["score"]
            games += len(wrong)
            differ += int(wrong.sum())
            finished += int(played.over.sum())
            differ_finished += int((wrong & played.over).sum())
        assert games == 127_205
        assert finished == 126_792
        assert differ_finished == 0
        assert differ == 382  # all of them games that break off before their end

    def test_reading_and_writing_gives_identical_bytes(self, wthor_data: Path) -> None:
        for path in wthor_data.glob("*.wtb"):
            assert WthorFile.load(path).to_bytes() == path.read_bytes()
        for path in (wthor_data / "WTH.JOU", wthor_data / "WTH.TRN"):
            assert WthorNames.load(path).to_bytes() == path.read_bytes()

    def test_positions_are_those_of_the_games(self, wthor_data: Path) -> None:
        path = wthor_data / "WTH_1985.wtb"
        played = WthorFile.load(path).replay()
        for index, game in enumerate(Wthor().read_file(path, Problems(str(path)))):
            if index % 50:
                continue
            check_positions(played, index, game)

    def test_all_years_at_once_are_the_years_one_by_one(self, wthor_data: Path) -> None:
        paths = sorted(wthor_data.glob("WTH_19[89]*.wtb"))
        files = [WthorFile.load(path) for path in paths]
        together = replay(np.concatenate([file.squares() for file in files]))
        apart = [file.replay() for file in files]
        for field in ("own", "other", "move", "white_to_move", "black", "white", "legal"):
            joined = np.concatenate([getattr(part, field) for part in apart])
            assert np.array_equal(getattr(together, field), joined)

    def test_one_thread_or_many_give_the_same_arrays(self, wthor_data: Path) -> None:
        file = WthorFile.load(wthor_data / "WTH_2004.wtb")
        one, many = file.replay(threads=1), file.replay(threads=4)
        for field in ("own", "other", "move", "white_to_move", "offsets", "black", "white"):
            assert np.array_equal(getattr(one, field), getattr(many, field))

    def test_a_year_survives_the_way_through_other_formats(
        self, wthor_data: Path, tmp_path: Path
    ) -> None:
        games = list(records.read(wthor_data / "WTH_1990.wtb"))
        assert len({game.black for game in games}) > 20
        for name in ("games.ggf", "games.sgf", "games.txt", "games.wtb"):
            records.write(tmp_path / name, games)
            again = list(records.read(tmp_path / name))
            assert [game.transcript for game in again] == [game.transcript for game in games]
            if name != "games.txt":
                assert [game.black for game in again] == [game.black for game in games]
                assert [game.result for game in again] == [game.result for game in games]

    def test_a_check_tells_where_scores_differ(self, wthor_data: Path) -> None:
        report = check_file(wthor_data / "WTH_1981.wtb")
        assert report.errors == []
        assert [(entry.record, entry.unfinished) for entry in report.score_differences] == [
            (69, True),
            (148, True),
            (152, True),
        ]


def test_a_check_counts_every_bad_game(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5d6c3\nf5f5\n# a comment\nf5d6c5f4e3f6g5e6e7\nzz\n")
    report = check_file(file)
    assert report.games == 2
    assert report.unfinished == 1
    assert [re.sub(".*games", "games", str(error)) for error in report.errors] == [
        "games.txt: game 2: move 2: f5 is illegal: the square is taken",
        "games.txt: game 4: not a move at character 1: 'zz'; moves are a1..h8 and pass",
    ]


def test_notes_do_not_get_in_the_way(tmp_path: Path) -> None:
    game = Game.from_transcript("f5d6", notes={0: Note("hello", 1.0, 2.0)})
    assert len(list(records.read(write(tmp_path, [game])))) == 1
