"""SGF: Othello games in the Smart Game Format."""

from __future__ import annotations

import io
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank import BLACK, PASS, WHITE, Game, Note, Position, RecordError
from outflank.records import Problems
from outflank.records.sgf import Sgf
from strategies import MUST_PASS, any_boards, random_game

GAME = "(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3])"
# Black has no move after c1.
WITH_PASS = ";B[d3];W[c3];B[e6];W[d2];B[d1];W[e1];B[b2];W[c1];B[];W[d6]"


def tree(inside: str) -> str:
    return f"(;GM[2]{inside})"


def read(text: str | bytes, *, lenient: bool = False) -> tuple[list[Game], Problems]:
    data = text.encode() if isinstance(text, str) else text
    problems = Problems("file", lenient=lenient)
    return list(Sgf().read(io.BytesIO(data), problems)), problems


def read_one(text: str | bytes) -> Game:
    (game,), _ = read(text)
    return game


def written(*games: Game) -> bytes:
    stream = io.BytesIO()
    Sgf().write(games, stream)
    return stream.getvalue()


class TestReading:
    def test_facts_and_moves(self) -> None:
        game = read_one(
            "(;FF[4]CA[UTF-8]GM[2]SZ[8]AP[board:1.2]PB[Hasegawa]PW[Inoue]BR[9 dan]DT[1977-03-04]"
            "EV[WOC]PC[Tokyo]RO[final]RE[W+12]TM[1800]GC[The first of all.]XY[private]"
            ";B[f5]BL[1790];W[f6]XX[ignored];B[e6])"
        )
        assert (game.black, game.white) == ("Hasegawa", "Inoue")
        assert (game.date, game.event, game.site) == ("1977-03-04", "WOC", "Tokyo")
        assert game.result == -12
        assert game.comment == "The first of all."
        assert game.transcript == "f5f6e6"
        assert game.tags == {
            "AP": "board:1.2",
            "BR": "9 dan",
            "RO": "final",
            "TM": "1800",
            "XY": "private",
        }

    @pytest.mark.parametrize("moves", [";B[f5];W[d6]", ";B[F5];W[D6]", ";B[fe];W[df]"])
    def test_squares_are_letter_and_number_or_two_letters(self, moves: str) -> None:
        assert read_one(tree(moves)).transcript == "f5d6"

    @pytest.mark.parametrize("word", ["", "pass", "PA", "tt"])
    def test_a_pass_is_written_in_several_ways(self, word: str) -> None:
        game = read_one(tree(WITH_PASS.replace("B[]", f"B[{word}]")))
        assert game.moves[8] == PASS
        assert game.moves[9].name == "d6"

    def test_a_forced_pass_may_be_left_out(self) -> None:
        left_out = tree(WITH_PASS.replace(";B[]", "") + "C[note]")
        assert read_one(left_out).moves == read_one(tree(WITH_PASS)).moves
        assert read_one(left_out).notes == {9: Note("note")}

    def test_the_first_variation_is_the_main_line(self) -> None:
        game = read_one(tree("(;B[f5](;W[d6](;B[c3])(;B[c4]))(;W[f4];B[e3]))(;B[d3]C[no];W[a1])"))
        assert game.transcript == "f5d6c3"
        assert game.notes == {}

    def test_a_tree_may_be_deep(self) -> None:
        deep = 20_000
        game = read_one(tree("(;C[x]" * deep + ";B[f5]" + ")" * deep))
        assert game.transcript == "f5"

    def test_moves_may_stand_in_the_root(self) -> None:
        # As Edax writes it: the last node is empty.
        game = read_one(
            "(;FF[4]GM[2]AB[e4][d5]AW[d4][e5]PL[B]\nRE[Void]\nB[f5]C[hm];W[d6];\nB[c3];)"
        )
        assert game.start == Position.start()
        assert game.transcript == "f5d6c3"
        assert game.notes == {0: Note("hm")}
        assert game.tags == {"RE": "Void"}

    def test_small_letters_in_names_mean_nothing(self) -> None:
        game = read_one("(;FileFormat[1]GaMe[2]PlayerBlack[me];Black[f5])")
        assert (game.black, game.transcript) == ("me", "f5")

    @pytest.mark.parametrize(
        ("recorded", "result"),
        [("B+12", 12), ("W+3", -3), ("B+2.0", 2), ("0", 0), ("Draw", 0), ("w+64", -64)],
    )
    def test_results_with_a_score(self, recorded: str, result: int) -> None:
        game = read_one(tree(f"RE[{recorded}];B[f5]"))
        assert (game.result, game.tags) == (result, {})

    @pytest.mark.parametrize("recorded", ["B+R", "W+T", "B+", "Void", "?", "B+0.5", "B+65"])
    def test_results_without_a_score_are_kept(self, recorded: str) -> None:
        game = read_one(tree(f"RE[{recorded}];B[f5]"))
        assert (game.result, game.tags) == (None, {"RE": recorded})
        assert read_one(written(game)) == game

    def test_games_stand_one_after_another(self) -> None:
        games, _ = read(f"Two games:\n{GAME}\n\n{tree(';B[d3]')}{GAME}\n")
        assert [game.transcript for game in games] == ["f5d6c3", "d3", "f5d6c3"]

    def test_an_empty_file_has_no_games(self) -> None:
        assert read("\n \n")[0] == []


class TestSetup:
    def test_discs_and_turn(self) -> None:
        game = read_one(tree("AB[d5][e4][d4]AW[e5]PL[W];W[c5]"))
        assert game.start.count(BLACK) == 3
        assert game.start.turn is WHITE

    def test_letters_and_rectangles(self) -> None:
        start = read_one(tree("AB[aa:bc][h8:g7]AW[c1]")).start
        assert start.to_string("ggf") == "**O-----**------**------" + "-" * 30 + "**------** *"

    def test_squares_can_be_cleared(self) -> None:
        assert read_one(tree("AE[d4]")).start.discs == 3
        assert read_one(tree("AB[a1:b1];AE[a1]")).start == Position(2, 0)

    def test_the_turn_alone(self) -> None:
        assert read_one(tree("PL[white];W[e3]")).position.turn is BLACK

    def test_the_first_move_tells_the_turn(self) -> None:
        assert read_one(tree("AB[d5][e4]AW[d4][e5];W[f4]")).start.turn is WHITE
        assert read_one(tree("AB[d5][e4]AW[d4][e5]")).start.turn is BLACK


class TestTexts:
    def test_comments_belong_to_moves(self) -> None:
        game = read_one(tree("GC[game]C[root];C[before];B[f5]C[first];W[d6];C[later]C[still]"))
        assert game.comment == "game\n\nroot\n\nbefore"
        assert game.notes == {0: Note("first"), 1: Note("later\n\nstill")}

    def test_values_are_blacks_and_notes_the_movers(self) -> None:
        game = read_one(tree(";B[f5]V[1.5];W[d6]V[2]C[bad];B[c3]V[-0.25]"))
        assert game.notes == {0: Note(value=1.5), 1: Note("bad", value=-2.0), 2: Note(value=-0.25)}

    def test_escapes_and_line_breaks(self) -> None:
        text = "a\\]b\\\\c\\:d [e]"
        assert read_one(tree(f"PB[{text[:-1]}\\]]")).black == "a]b\\c:d [e]"
        game = read_one(tree("PB[a\nb\tc]GC[soft\\\nbreak\\\r\nhard\r\nbreak\n\rand\ttab]"))
        assert game.black == "a b c"
        assert game.comment == "softbreakhard\nbreak\nand tab"

    def test_the_encoding_is_the_files_own(self) -> None:
        assert read_one(tree("PB[Jérôme]").encode()).black == "Jérôme"
        assert read_one(tree("PB[Jérôme]").encode("latin-1")).black == "Jérôme"
        assert read_one(b"\xef\xbb\xbf" + tree("PB[長谷川]").encode()).black == "長谷川"
        shift_jis = tree("CA[Shift_JIS]PB[長谷川]").encode("shift_jis")
        assert read_one(shift_jis).black == "長谷川"
        # What is not in the encoding that the file names, and an encoding that nobody knows.
        assert read_one(tree("CA[EUC-JP]PB[Jérôme]").encode("latin-1")).black == "Jérôme"
        assert read_one(tree("CA[unicode_escape]PB[\\x]").encode()).black == "x"

    def test_several_values_are_joined(self) -> None:
        assert read_one(tree("XY[a][b]")).tags == {"XY": "a, b"}


BAD_MOVE = "moves are a1..h8 and pass"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Other games.
        ("(;FF[4]GM[1]SZ[19];B[dd])", "GM: '1' is Go; accepted is 2, Othello"),
        ("(;GM[40])", "GM: '40' is another game; accepted is 2, Othello"),
        ("(;FF[4];B[f5])", "GM: missing, which means Go; accepted is GM[2], Othello"),
        (tree("SZ[10]"), "SZ: another board: '10'; accepted is 8"),
        # Moves that are missing.
        (
            tree(";B[f5];B[f6]"),
            "move 2 B[f6]: a move is missing: it is white's turn, not black's",
        ),
        (tree(";W[f4]"), "move 1 W[f4]: a move is missing: it is black's turn, not white's"),
        (tree("RE[B+4]"), "RE: a result but no moves"),
        # Moves that are wrong.
        (tree(";B[f5];W[a1]"), "move 2 W[a1]: a1 is illegal: it outflanks no black disc"),
        (tree(";B[]"), "move 1 B[]: black may not pass: there are legal moves"),
        (tree(";B[i9]"), f"move 1 B[i9]: not a move: 'i9'; {BAD_MOVE}"),
        (tree(";B[FE]"), f"move 1 B[FE]: not a move: 'FE'; {BAD_MOVE}"),
        (tree(";B[f5][d6]"), "move 1 B[f5]: more than one move in a node"),
        (tree(";B[f5]W[d6]"), "move 1 B[f5]: more than one move in a node"),
        (tree(";B[f5]V[good]"), "V: not a number: 'good'"),
        # Setup.
        (tree("AB[a1]AW[a1:b2]"), "AW: a square cannot hold a black and a white disc"),
        (tree("AB[]"), "AB: not a square: ''"),
        (tree("AE[z1]"), f"AE: not a move: 'z1'; {BAD_MOVE}"),
        (tree("PL[red]"), "PL: not a side: 'RED'; sides are B and W"),
        (tree(";B[f5];AW[a1]"), "AW: the board is changed after the first move"),
        # Brackets.
        ("(;GM[2]PB", "PB has no value; written as NAME[value] (line 2, column 10)"),
        ("(;GM[2]!)", "not a property; written as NAME[value] (line 2, column 8)"),
        (
            "(;GM[2](B[f5]))",
            "B: a property outside a node, which begins with ; (line 2, column 14)",
        ),
    ],
)
class TestErrors:
    def test_say_which_game_and_what(self, text: str, message: str) -> None:
        with pytest.raises(RecordError) as caught:
            read(f"{GAME}\n{text}")
        assert str(caught.value) == f"file: game 2: {message}"

    def test_cost_only_that_game_when_lenient(self, text: str, message: str) -> None:
        games, problems = read(f"{GAME}\n{text}\n{GAME}\n{GAME}", lenient=True)
        assert [game.transcript for game in games] == ["f5d6c3"] * 3
        assert [error.record for error in problems.found] == [2]


class TestUnclosed:
    def test_a_game_at_the_end_of_the_file(self) -> None:
        with pytest.raises(RecordError) as caught:
            read(f"{GAME}\n(;GM[2];B[f5]\n")
        assert str(caught.value) == (
            "file: game 2: the game is not closed: ) is missing (line 2, column 14)"
        )

    def test_a_game_before_another(self) -> None:
        text = f"(;GM[2];B[f5]\n{GAME}{GAME}"
        with pytest.raises(RecordError) as caught:
            read(text)
        assert str(caught.value) == (
            "file: game 1: the game is not closed: ) is missing (line 2, column 1)"
        )
        games, problems = read(text, lenient=True)
        assert len(games) == 2
        assert [error.record for error in problems.found] == [1]

    def test_a_bracket(self) -> None:
        text = f"{GAME}\n(;GM[2];B[f5]C[all that follows; W[d6)"
        with pytest.raises(RecordError) as caught:
            read(text)
        assert str(caught.value) == (
            "file: game 2: C: the bracket is not closed (line 2, column 16)"
        )
        games, problems = read(text, lenient=True)
        assert len(games) == len(problems.found) == 1

    def test_too_much_closed(self) -> None:
        with pytest.raises(RecordError) as caught:
            read(f"{GAME})\n")
        assert str(caught.value) == "file: text outside a game: ')'; SGF games begin with (;"

    def test_something_else(self) -> None:
        with pytest.raises(RecordError) as caught:
            read("f5d6c3")
        assert str(caught.value) == "file: no game found; SGF games begin with (;"


class TestWriting:
    def test_a_game_as_it_is_written(self) -> None:
        game = Game(
            black="a]b",
            white="c\\d",
            result=-4,
            comment="two\nlines",
            notes={0: Note("best", value=0.0), 1: Note(value=1.25, seconds=3.0)},
            tags={"RO": "1", "small": "not written"},
        )
        assert written(game.play("f5").play("d6")).decode() == (
            "(;FF[4]CA[UTF-8]GM[2]SZ[8]PB[a\\]b]PW[c\\\\d]RE[W+4]RO[1]GC[two\nlines]\n"
            ";B[f5]C[best]V[0.00];W[d6]V[-1.25])\n"
        )

    def test_a_pass_is_an_empty_move(self) -> None:
        game = read_one(tree(WITH_PASS))
        assert written(game).decode().endswith(f"\n{WITH_PASS})\n")

    @pytest.mark.parametrize(
        ("start", "setup"),
        [
            (Position.start(), ""),
            (Position(Position.start().black, Position.start().white, WHITE), "PL[W]"),
            (MUST_PASS, "AB[b1]AW[a1]PL[B]"),
            (Position(0, 1, BLACK), "AW[a1]PL[B]"),
            (Position(0, 0, WHITE), "AE[a1:h8]PL[W]"),
        ],
    )
    def test_setup(self, start: Position, setup: str) -> None:
        text = written(Game(start)).decode()
        assert text == f"(;FF[4]CA[UTF-8]GM[2]SZ[8]{setup}\n)\n"
        assert read_one(text).start == start

    @pytest.mark.parametrize(
        ("game", "message"),
        [
            (Game(result=4), "game 2: RE: a result but no moves"),
            (
                Game(notes={0: Note(value=math.nan)}).play("f5"),
                "game 2: move 1: a value must be finite: nan",
            ),
        ],
    )
    def test_what_cannot_be_read_again_is_not_written(self, game: Game, message: str) -> None:
        with pytest.raises(RecordError) as caught:
            written(Game(), game)
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("head", "is_sgf"),
    [
        ("(;FF[4]GM[2]SZ[8]", True),
        ("\ufeff\n( ;GM[1]", True),
        ("1 (;GM[Othello]PC[", False),
        ("(;PB[x]", False),
        ("f5d6c3", False),
        ("", False),
    ],
)
def test_is_recognised(head: str, is_sgf: bool) -> None:
    assert Sgf().recognises(head.encode()) is is_sgf


# Any text; a lone surrogate is no character, and tabs and returns do not survive.
one_line = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\t\v\f"), max_size=12)
lines = st.text(st.characters(codec="utf-8", exclude_characters="\r\t\v\f"), max_size=30)
values = st.none() | st.floats(allow_nan=False, allow_infinity=False)
notes = st.builds(Note, lines, values).filter(lambda note: note != Note())


@st.composite
def sgf_games(draw: st.DrawFn) -> Game:
    """Games with everything that SGF can hold."""
    start = draw(st.just(Position.start()) | any_boards())
    moves = random_game(draw(st.integers(0, 2**32)), draw(st.integers(0, 70)), start).moves
    plies = st.integers(0, max(0, len(moves) - 1))
    names = st.sampled_from(["AP", "BR", "WR", "RU", "GN", "XYZ"])
    return Game(
        start,
        moves,
        black=draw(one_line),
        white=draw(one_line),
        date=draw(one_line),
        event=draw(one_line),
        site=draw(one_line),
        comment=draw(lines),
        result=draw(st.none() | st.integers(-64, 64)) if moves or start.is_over else None,
        notes=draw(st.dictionaries(plies, notes)) if moves else {},
        tags=draw(st.dictionaries(names, one_line.filter(bool))),
    )


MARKS = ["(;", "(", ")", ";", "[", "]", "\\", "\n", ":", "é", "B[", "C[\\]"]
MOVES = ["B[f5]", "W[f6]", "B[e6]", "W[]", "B[fe]", "C[x]", "V[1]"]
FACTS = ["GM[2]", "GM[2]", "AB[d5]", "AW[d4:e4]", "PL[W]", "RE[B+4]", "SZ[8]", "CA[big5]", "PB[x]"]
pieces = st.lists(st.sampled_from([*MARKS, *MOVES, *FACTS]), max_size=12).map("".join)


class TestAnything:
    @given(sgf_games())
    def test_a_game_reads_back_equal(self, game: Game) -> None:
        data = written(game, game)
        games, _ = read(data)
        assert games == [game, game]
        assert written(*games) == data

    @given(st.binary(max_size=200) | pieces.map(str.encode))
    def test_bytes_are_games_or_a_record_error(self, data: bytes) -> None:
        Sgf().recognises(data)
        games, problems = read(data, lenient=True)
        if not problems.found:
            assert read(data)[0] == games
            return
        with pytest.raises(RecordError) as caught:
            read(data)
        assert str(caught.value) == str(problems.found[0])
        assert "\n" not in str(caught.value)

    @given(pieces)
    def test_what_was_read_is_written_and_read_again(self, text: str) -> None:
        games, _ = read(f"(;GM[2]{text})", lenient=True)
        assert read(written(*games))[0] == games

    @pytest.mark.parametrize(
        ("piece", "times"),
        [
            ("(", 100_000),
            ("[", 100_000),
            ("\\]", 100_000),
            ("(;", 50_000),
            ("(;A[", 50_000),
            ("(;A[\\", 50_000),
            ("(;A[]", 10_000),
            ("(;\n", 10_000),
            (";C[]", 10_000),
            ("A[]", 10_000),
            ("(;GM[2]", 10_000),
        ],
    )
    def test_large_rubbish_is_refused_quickly(self, piece: str, times: int) -> None:
        began = time.process_time()
        for before in ("", "(;", "(;A["):
            _, problems = read(before + piece * times, lenient=True)
            assert all(len(str(error)) < 200 for error in problems.found)
            with pytest.raises(RecordError):
                read(before + piece * times)
        assert time.process_time() - began < 10
