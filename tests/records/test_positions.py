"""Formats of positions: OBF and board strings."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from outflank import Game, Move, Position, RecordError, records
from outflank.records import Problems
from outflank.records.obf import Obf, scores_of
from strategies import random_game

# FFO endgame 1 as published: the position and the scores of black's eight moves.
FFO_1 = (
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; "
    "G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;\n"
)


def read(text: str) -> list[Game]:
    return list(Obf().read(io.BytesIO(text.encode()), Problems("file")))


def test_obf_gives_the_scores_of_moves() -> None:
    (game,) = read("% a comment\n\n" + FFO_1)
    scores = scores_of(game)
    assert next(iter(scores)) == Move("g8")
    assert scores[Move("g8")] == 18
    assert scores[Move("a4")] == -22
    assert set(scores) == set(game.start.legal_moves)
    stream = io.BytesIO()
    Obf().write([game], stream)
    assert stream.getvalue().decode() == FFO_1


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        ("G8:18:3", "G8:18:3: not a move with its score"),
        ("Z9:+1", "Z9:.1: not a move with its score"),
        ("A1:+1", "A1:.1: a1 is illegal in this position"),
        ("G8:+70", "G8:.70: a score is -64..64"),
    ],
)
def test_a_bad_field_of_obf_is_named(field: str, problem: str) -> None:
    with pytest.raises(RecordError, match=f"file: game 2: {problem}"):
        read(FFO_1 + FFO_1.split(";")[0] + f"; {field};\n")


@pytest.mark.parametrize("name", ["obf", "boards"])
def test_positions_of_made_up_games_are_read_and_written_as_they_are(
    name: str, tmp_path: Path
) -> None:
    """What the published files are asked below, for a clone that has none."""
    starts = [random_game(seed, plies=7).position for seed in range(20)]
    file = tmp_path / f"positions{records.FORMATS[name].extensions[0]}"
    records.write(file, [Game(start) for start in starts])
    games = list(records.read(file))
    assert [game.start for game in games] == starts
    assert {game.start.discs for game in games} == {11}
    stream = io.BytesIO()
    records.FORMATS[name].write(games, stream)
    assert stream.getvalue() == file.read_bytes()


def test_the_endgames_are_read_and_written_as_they_are(endgames_data: list[Path]) -> None:
    for path in endgames_data:
        games = list(records.read(path))
        assert len(games) in (19, 20)
        for game in games:
            best = list(scores_of(game).values())
            assert best == sorted(best, reverse=True)
        stream = io.BytesIO()
        Obf().write(games, stream)
        assert stream.getvalue().split() == path.read_bytes().split()


def test_the_openings_are_read_and_written_as_they_are(openings_data: Path) -> None:
    assert records.detect(openings_data).name == "boards"
    games = list(records.read(openings_data))
    assert len({game.start for game in games}) == 1000
    assert len({game.start.canonical()[0] for game in games}) == 857
    assert {game.start.discs for game in games} == {11}
    assert {game.start.turn.value for game in games} == {"white"}
    stream = io.BytesIO()
    records.FORMATS["boards"].write(games, stream)
    assert stream.getvalue().split() == openings_data.read_bytes().split()


def test_board_strings_may_leave_out_the_side_to_move(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(Position.start().to_string()[:64] + "\n")
    (game,) = records.read(file)
    assert game.start == Position.start()
