"""Game: a start position and moves."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank import PASS, Game, IllegalMoveError, Move, NotationError, Note, Position
from strategies import games

# The shortest game: white is wiped out after nine plies.
WIPE_OUT = "f5d6c5f4e3f6g5e6e7"


def test_a_game_is_played_and_taken_back() -> None:
    game = Game().play("f5").play("d6")
    assert len(game) == 2
    assert game.undo() == Game().play("f5")
    assert game.undo(2) == Game()
    assert game.position == Position.start().play("f5").play("d6")
    assert next(iter(game.positions())) == Position.start()
    with pytest.raises(IndexError, match="cannot take back 3 of 2 plies"):
        game.undo(3)


def test_taking_back_drops_the_notes_of_the_dropped_moves() -> None:
    game = Game.from_transcript("f5d6", notes={0: Note("good"), 1: Note("bad")})
    assert game.undo().notes == {0: Note("good")}


def test_the_shortest_game() -> None:
    game = Game.from_transcript(WIPE_OUT)
    assert game.is_over
    assert game.score == 64
    assert len(game) == 9


def test_an_illegal_move_is_named_by_its_number() -> None:
    with pytest.raises(IllegalMoveError, match="move 3: a1 is illegal"):
        Game.from_transcript("f5d6a1")
    with pytest.raises(IllegalMoveError, match="move 10: a1 is illegal: the game is over"):
        Game.from_transcript(WIPE_OUT + "a1")


@pytest.mark.parametrize(
    "text",
    ["f5d6c3", "F5D6C3", "f5 d6 c3", "1. f5 d6 2. c3", "f5,d6,c3", " f5-d6"[:3] + "d6\nc3"],
)
def test_transcripts_may_be_written_in_several_ways(text: str) -> None:
    assert Game.from_transcript(text).transcript == "f5d6c3"


@pytest.mark.parametrize("text", ["f5d6x3", "hello", "f5d", "f5 - d6", "f5d6!"])
def test_what_is_no_transcript_is_explained(text: str) -> None:
    with pytest.raises(NotationError, match="not a move at character"):
        Game.from_transcript(text)


@given(games())
def test_a_transcript_gives_the_game_back(game: Game) -> None:
    """Passes at the very end are lost: nothing follows that would tell of them."""
    again = Game.from_transcript(game.transcript)
    moves = game.moves[:-1] if game.moves[-1] == PASS else game.moves
    assert again.moves == moves


@given(games())
def test_games_are_values(game: Game) -> None:
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(game) == hash(Game(game.start, game.moves))
    assert list(game.positions())[-1] == game.position
    assert game.score == game.position.score_of("black")


def test_positions_are_replayed_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0
    play = Position.play

    def counted(position: Position, move: Move | int | str) -> Position:
        nonlocal played
        played += 1
        return play(position, move)

    monkeypatch.setattr(Position, "play", counted)
    game = Game(moves=Game.from_transcript(WIPE_OUT).moves[:-1])
    played = 0
    assert game.positions()[-1] is game.position
    assert game.positions() is game.positions()
    assert played == 8
    longer = game.play("e7")
    assert longer.is_over
    assert played == 9
    assert longer.undo(4).positions() == longer.positions()[:-4]
    named = longer.with_facts(black="Tamenori")
    assert (named.black, named.positions()) == ("Tamenori", longer.positions())
    assert played == 9
    last = Game(moves=game.moves)
    assert last.position is last.position
    assert played == 17


@given(games())
def test_games_share_the_positions_of_those_they_come_from(game: Game) -> None:
    """Whichever way a game was made, its positions are those of its own moves."""
    game.positions()
    shorter = game.undo(len(game) - len(game) // 2)
    for made in (game, shorter, shorter.play(game.moves[len(shorter)])):
        assert made.positions() == Game(made.start, made.moves).positions()
        assert pickle.loads(pickle.dumps(made)).positions() == made.positions()


def test_kept_positions_are_no_part_of_the_value() -> None:
    game, other = Game.from_transcript("f5d6"), Game.from_transcript("f5d6")
    before = pickle.dumps(game)
    game.positions()
    assert (game, hash(game), repr(game)) == (other, hash(other), repr(other))
    assert pickle.dumps(game) == before
    with pytest.raises(TypeError, match="no facts of a game"):
        game.with_facts(moves=())


@given(st.text(alphabet="abcdefgh12345678 ,.-psPASS\n", max_size=200))
def test_any_text_is_a_game_or_an_error_for_people(text: str) -> None:
    with contextlib.suppress(NotationError, IllegalMoveError):
        Game.from_transcript(text)


def test_a_game_may_start_anywhere() -> None:
    start = Position.start().play("f5")
    game = Game.from_transcript("d6c3", start)
    assert game.position == Game.from_transcript("f5d6c3").position


def test_a_game_says_what_it_is() -> None:
    game = Game.from_transcript("f5d6", black="Tamenori", white="Ben", event="Cup", date="1977")
    assert str(game) == "Tamenori - Ben, Cup, 1977: f5d6"
    assert str(Game()) == "? - ?: (no moves)"
