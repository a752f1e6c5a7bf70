"""GGF: games of the GGS server and of NBoard."""

from __future__ import annotations

import io
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank import BLACK, PASS, WHITE, Game, Note, Position, RecordError
from outflank.records import Problems
from outflank.records.ggf import Ggf, format_ggf, parse_ggf
from strategies import MUST_PASS, any_boards, random_game

START = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
CANONICAL_START = "BO[8 ---------------------------O*------*O--------------------------- *]"
WHITE_FIRST = "BO[8 ---------------------------O*------**------*-------------------- O]"


def game_text(inside: str) -> str:
    return f"(;GM[Othello]{START}{inside};)"


# Nine plies by which black takes all discs.
WIPE_OUT = game_text(
    "PC[GGS/os]DT[2004.09.18_05:54:38.MDT]PB[Arrow]PW[Bow]RB[1837.5]RW[2203.51]TI[05:00//02:00]"
    "TY[8]RE[+64.000]B[f5//0.01]W[F4/-1.50/12.3]B[d3/2]W[d6//1:02]B[D7]W[e3/-64.00]B[f3]W[c5]"
    "B[b5/64.00/1:00:00.5]"
)
# Black has no move after c1.
WITH_PASS = "B[D3]W[C3]B[E6]W[D2]B[D1]W[E1]B[B2]W[C1]B[PA]W[D6]"


def read(text: str | bytes, *, lenient: bool = False) -> tuple[list[Game], Problems]:
    data = text.encode() if isinstance(text, str) else text
    problems = Problems("file", lenient=lenient)
    return list(Ggf().read(io.BytesIO(data), problems)), problems


def read_one(text: str | bytes) -> Game:
    (game,), _ = read(text)
    return game


def written(*games: Game) -> bytes:
    stream = io.BytesIO()
    Ggf().write(games, stream)
    return stream.getvalue()


class TestReading:
    def test_facts_and_moves(self) -> None:
        game = read_one(WIPE_OUT)
        assert (game.black, game.white, game.site) == ("Arrow", "Bow", "GGS/os")
        assert game.date == "2004.09.18_05:54:38.MDT"
        assert game.tags == {"RB": "1837.5", "RW": "2203.51", "TI": "05:00//02:00"}
        assert game.start == Position.start()
        assert game.transcript == "f5f4d3d6d7e3f3c5b5"
        assert game.is_over
        assert game.result == game.score == 64

    def test_evaluations_are_the_movers_and_times_are_seconds(self) -> None:
        assert read_one(WIPE_OUT).notes == {
            0: Note(seconds=0.01),
            1: Note(value=-1.5, seconds=12.3),
            2: Note(value=2.0),
            3: Note(seconds=62.0),
            5: Note(value=-64.0),
            8: Note(value=64.0, seconds=3600.5),
        }

    @pytest.mark.parametrize("word", ["PA", "pa", "pass", "PASS", "PA//0.38"])
    def test_a_pass_is_written_in_several_ways(self, word: str) -> None:
        game = read_one(game_text(WITH_PASS.replace("PA", word)))
        assert game.moves[8] == PASS
        assert game.moves[9].name == "d6"

    def test_a_forced_pass_may_be_left_out(self) -> None:
        with_pass = read_one(game_text(WITH_PASS))
        left_out = read_one(game_text(WITH_PASS.replace("B[PA]W[D6]", "W[D6//7]")))
        assert left_out.moves == with_pass.moves
        assert left_out.notes == {9: Note(seconds=7.0)}

    def test_a_forced_pass_may_be_left_out_at_the_start(self) -> None:
        board = MUST_PASS.to_string("ggf")
        game = read_one(f"(;GM[Othello]BO[8 {board}]W[C1];)")
        assert [move.name for move in game.moves] == ["pass", "c1"]
        assert game.is_over

    def test_white_may_begin_on_another_board(self) -> None:
        game = read_one(f"(;GM[Othello]TY[s8r5]{WHITE_FIRST}W[f6]B[f5];)")
        assert game.start.turn is WHITE
        assert game.start.discs == 5
        assert game.position.turn is WHITE
        assert game.tags == {"TY": "s8r5"}

    def test_the_result_of_a_komi_game_is_without_the_komi(self) -> None:
        # Black wins by 64 discs; the server counts 64 - 1.5. An evaluation of nought is left out.
        game = read_one(
            WIPE_OUT.replace(
                "TY[8]RE[+64.000]", "TY[8k]KB[f5//0.90]KW[d3/3.00]KM[1.500]RE[+62.500]"
            )
        )
        assert game.result == 64
        komi = {"TY": "8k", "KB": "f5//0.90", "KW": "d3/3.00", "KM": "1.500"}
        assert komi.items() <= game.tags.items()
        assert "RE" not in game.tags

    @pytest.mark.parametrize(
        ("recorded", "result", "tag"),
        [
            ("+64.00", 64, None),
            ("-3", -3, None),
            ("0.000", 0, None),
            ("?", None, None),
            ("", None, None),
            ("+64.00:r", 64, "+64.00:r"),
            ("-12.000:t", -12, "-12.000:t"),
            ("+2.000:s", 2, "+2.000:s"),
            ("+0.500", None, "+0.500"),
            ("-127.000", None, "-127.000"),
        ],
    )
    def test_results(self, recorded: str, result: int | None, tag: str | None) -> None:
        game = read_one(game_text(f"RE[{recorded}]B[f5]"))
        assert game.result == result
        assert game.tags.get("RE") == tag
        assert f"RE[{tag}]" in format_ggf(game) or tag is None

    def test_the_date_may_be_seconds(self) -> None:
        assert read_one(game_text("DT[945277754]B[f5]")).date == "945277754"

    def test_games_of_a_match_stand_on_one_line_behind_their_number(self) -> None:
        pair = "2 " + game_text("TY[s8]PB[a]PW[b]B[f5]") + game_text("TY[s8]PB[b]PW[a]B[d3]")
        single = "1 " + game_text("PB[c]PW[d]B[e6]W[f4]")
        games, _ = read(f"{pair}\n{single}\r\n\n")
        assert [(game.black, game.transcript) for game in games] == [
            ("a", "f5"),
            ("b", "d3"),
            ("c", "e6f4"),
        ]

    def test_a_game_may_stand_on_several_lines(self) -> None:
        text = game_text("PB[x]B[f5]W[d6]")
        game = read_one(text.replace("[", " [").replace("]", "]\r\n\t"))
        assert (game.black, game.transcript) == ("x", "f5d6")

    def test_names_are_utf8_or_else_latin1(self) -> None:
        utf8 = game_text("PB[Jérôme]PW[長谷川]B[f5]").encode()
        latin1 = game_text("PB[Jérôme]PW[Müller]B[f5]").encode("latin-1")
        games, _ = read(b"\xef\xbb\xbf" + utf8 + latin1)
        assert [(game.black, game.white) for game in games] == [
            ("Jérôme", "長谷川"),
            ("Jérôme", "Müller"),
        ]

    def test_brackets_and_backslashes_in_names_are_escaped(self) -> None:
        game = read_one(game_text(r"PB[a\]b\\]PW[\[c\d]B[f5]"))
        assert (game.black, game.white) == ("a]b\\", "[cd")

    def test_an_empty_file_has_no_games(self) -> None:
        assert read("\n \n")[0] == []


BAD_MOVE = "moves are a1..h8 and pass"
KNOWN = "GM PC DT PB PW RB RW TI TB TW TY KB KW KM RE BO B W"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # What a game must have and may have.
        (f"(;{START}B[f5];)", "GM: missing; accepted is GM[Othello]"),
        ("(;GM[Othello]B[f5];)", "BO: missing; written as BO[8 <64 squares> *]"),
        (game_text("XX[1]B[f5]"), f"XX: unknown property; known are {KNOWN}"),
        (game_text("PB[a]PB[b]B[f5]"), "PB: given twice"),
        (game_text("PB[a][b]B[f5]"), "PB: more than one value"),
        # Other games.
        ("(;GM[Amazons]TY[10];)", "GM: another game: 'Amazons'; accepted is Othello"),
        ("(;GM[Othello]BO[10 -];)", "BO: another board: '10'; accepted is 8"),
        ("(;GM[Othello]BO[];)", "BO: another board: ''; accepted is 8"),
        (game_text("TY[10]B[f5]"), "TY: another board: 10; accepted is 8"),
        (
            game_text("TY[8a]B[f5]"),
            "TY: an anti game, which the fewer discs win, is not Othello",
        ),
        (
            game_text("TY[big]B[f5]"),
            "TY: not a type of game: 'big'; written as 8, 8k or s8r20",
        ),
        # Boards.
        (
            "(;GM[Othello]BO[8 --- *]B[f5];)",
            "BO: a board has 64 squares and may name the side to move: got 4 symbols",
        ),
        (
            f"(;GM[Othello]{START.replace(' *]', ']')}B[f5];)",
            "BO: the side to move is missing: * or O behind the squares",
        ),
        (
            f"(;GM[Othello]{START.replace('O*', 'Q*')}B[f5];)",
            "BO: not a disc or an empty square: 'Q' (symbol 28)",
        ),
        # Moves that are missing.
        (
            game_text("B[f5]B[f6]"),
            "move 2 B[f6]: a move is missing: it is white's turn, not black's",
        ),
        (game_text("W[f4]"), "move 1 W[f4]: a move is missing: it is black's turn, not white's"),
        (game_text("B[f5]W[]B[c3]"), "move 2 W[]: names no move; moves are A1..H8 and PA"),
        (game_text("B[/1.0/2]"), "move 1 B[/1.0/2]: names no move; moves are A1..H8 and PA"),
        (game_text("RE[+4.000]"), "RE: a result but no moves"),
        # Moves that are wrong.
        (game_text("B[f5]W[a1]"), "move 2 W[a1]: a1 is illegal: it outflanks no black disc"),
        (game_text("B[PA]"), "move 1 B[PA]: black may not pass: there are legal moves"),
        (
            WIPE_OUT.replace(";)", "W[PA];)"),
            "move 10 W[PA]: pass is illegal: the game is over",
        ),
        (game_text("B[i9]"), f"move 1 B[i9]: not a move: 'i9'; {BAD_MOVE}"),
        (
            game_text("B[f5 and then, much later, d6]"),
            f"move 1 B[f5 and then, much la...]: not a move: 'f5 and then, much la...'; {BAD_MOVE}",
        ),
        (
            game_text("B[f5/1/2/3]"),
            "move 1 B[f5/1/2/3]: too many parts; written as move/evaluation/seconds",
        ),
        (game_text("B[f5/inf]"), "move 1 B[f5/inf]: not an evaluation: 'inf'"),
        (
            game_text(f"B[f5/{'9' * 400}]"),
            f"move 1 B[f5/{'9' * 17}...]: not an evaluation: '{'9' * 20}...'",
        ),
        (
            game_text("B[f5//soon]"),
            "move 1 B[f5//soon]: not a time: 'soon'; written as 12.3 or 1:02",
        ),
        (
            game_text("B[f5//-1]"),
            "move 1 B[f5//-1]: not a time: '-1'; written as 12.3 or 1:02",
        ),
        (
            game_text("B[f5//1:2:3:4]"),
            "move 1 B[f5//1:2:3:4]: not a time: '1:2:3:4'; written as 12.3 or 1:02",
        ),
        # Results and komi.
        (
            game_text("RE[black]B[f5]"),
            "RE: not a result: 'black'; written as +4.000, as -12.000:r with how it ended "
            "(r resigned, t time out, s agreed), or as ?",
        ),
        (game_text("KM[x]B[f5]"), "KM: not a number: 'x'"),
        (game_text("KB[]B[f5]"), "KB: names no move; moves are A1..H8 and PA"),
        (game_text("KW[a1/2.00]B[f5]"), "KW: a1 is illegal in the start position"),
        # Brackets.
        (game_text("PB[a PW[b]B[f5]"), "PB: the bracket is not closed (line 2, column 96)"),
        (game_text("B"), "B has no value; written as NAME[value] (line 2, column 94)"),
        (game_text("B[f5];W[d6]"), "not a property; written as NAME[value] (line 2, column 98)"),
        (game_text("B[f5]")[:-2], "the game is not closed: ;) is missing (line 2, column 98)"),
        (
            game_text("B[f5]")[:-2] + ")",
            "the game is not closed: ;) is missing (line 2, column 98)",
        ),
    ],
)
class TestErrors:
    def test_say_which_game_and_what(self, text: str, message: str) -> None:
        with pytest.raises(RecordError) as caught:
            read(f"{game_text('B[f5]')}\n{text}")
        assert str(caught.value) == f"file: game 2: {message}"

    def test_cost_only_that_game_when_lenient(self, text: str, message: str) -> None:
        good = game_text("B[f5]")
        games, problems = read(f"{good}\n{text}\n{good}\n{good}", lenient=True)
        assert [game.transcript for game in games] == ["f5"] * 3
        assert [error.record for error in problems.found] == [2]


class TestTextOutsideGames:
    def test_a_part_of_a_game_is_not_passed_over(self) -> None:
        with pytest.raises(RecordError) as caught:
            read("W[d6]B[c3];)\n" + game_text("B[f5]"))
        assert str(caught.value) == (
            "file: text outside a game: 'W[d6]B[c3];)'; GGF games begin with (;"
        )
        games, problems = read(game_text("B[f5]") + "\nW[d6];)", lenient=True)
        assert len(games) == len(problems.found) == 1

    def test_a_file_of_something_else_is_named(self) -> None:
        with pytest.raises(RecordError) as caught:
            read("f5d6c3")
        assert str(caught.value) == "file: no game found; GGF games begin with (;"

    def test_lines_are_counted(self) -> None:
        good = game_text("B[f5]") + "\n"
        with pytest.raises(RecordError, match=r"game 4: .* \(line 4, column 5\)$"):
            read(good * 3 + "(;PB")


class TestWriting:
    def test_a_canonical_file_is_written_as_it_was_read(self) -> None:
        line = (
            r"(;GM[Othello]PC[GGS/os]DT[945277754]PB[a\]b\\c]PW[Jérôme]RB[1837.5]RW[2203.51]"
            "TI[05:00//02:00]TY[8k]KB[f5//0.90]KW[d3/3.00]KM[1.500]RE[+62.500:s]"
            f"{CANONICAL_START}B[F5//0.01]W[F4/-1.50/12.30]B[D3/2.00]W[D6]B[D7]W[E3]B[F3]W[C5]"
            "B[B5/64.00/0.001];)\n"
        )
        with_pass = f"(;GM[Othello]PC[]PB[]PW[]TY[8]RE[?]{CANONICAL_START}{WITH_PASS};)\n"
        position = f"(;GM[Othello]PC[]PB[]PW[]TB[1]TW[2]TY[8]RE[?]{WHITE_FIRST};)\n"
        for text in (line, with_pass, position, with_pass + line + position):
            games, _ = read(text)
            assert written(*games).decode() == text

    def test_a_changed_result_is_written(self) -> None:
        game = read_one(game_text("RE[+64.00:r]B[f5]"))
        assert "RE[-2.000]" in format_ggf(Game(moves=game.moves, result=-2, tags=game.tags))
        assert "RE[?]" in format_ggf(Game(moves=game.moves, tags=game.tags))

    def test_the_event_stands_in_for_the_place(self) -> None:
        assert "PC[Paris]" in format_ggf(Game(event="WOC", site="Paris"))
        assert "PC[WOC]" in format_ggf(Game(event="WOC"))

    def test_a_game_is_one_line(self) -> None:
        assert "PB[a b c]" in format_ggf(Game(black="a\nb\r\nc"))

    @pytest.mark.parametrize(
        ("game", "message"),
        [
            (Game(result=4), "game 2: RE: a result but no moves"),
            (
                Game(notes={0: Note(value=math.inf)}).play("f5"),
                "game 2: move 1: an evaluation must be finite: inf",
            ),
            (
                Game(notes={0: Note(seconds=-1.0)}).play("f5"),
                "game 2: move 1: a time cannot be negative: -1.0",
            ),
            (Game(tags={"TY": "10"}), "game 2: TY: another board: 10; accepted is 8"),
            (Game(tags={"KM": "five"}), "game 2: KM: not a number: 'five'"),
        ],
    )
    def test_what_cannot_be_read_again_is_not_written(self, game: Game, message: str) -> None:
        with pytest.raises(RecordError) as caught:
            written(Game(), game)
        assert str(caught.value) == message


class TestOneGame:
    def test_a_text_is_a_game_and_a_game_a_text(self) -> None:
        game = Game(black="me", white="you").play("f5").play("d6")
        text = format_ggf(game)
        assert text == (f"(;GM[Othello]PC[]PB[me]PW[you]TY[8]RE[?]{CANONICAL_START}B[F5]W[D6];)")
        assert parse_ggf(text) == game

    def test_a_game_without_moves_is_read(self) -> None:
        game = parse_ggf(game_text("RE[+4]"))
        assert (game.moves, game.result, game.position.turn) == ((), 4, BLACK)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "no game found; GGF games begin with (;"),
            (game_text("") * 2, "more than one game"),
            (game_text("B[a1]"), "move 1 B[a1]: a1 is illegal: it outflanks no white disc"),
            ("(;GM[Othello]", "the game is not closed: ;) is missing (line 1, column 14)"),
        ],
    )
    def test_errors_name_no_file_and_no_number(self, text: str, message: str) -> None:
        with pytest.raises(RecordError) as caught:
            parse_ggf(text)
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("head", "is_ggf"),
    [
        ("2 (;GM[Othello]PC[", True),
        ("\ufeff(;GM[othello]", True),
        (f"(;{START}", True),
        ("(;FF[4]GM[2]SZ[8]", False),
        ("f5d6c3", False),
        ("", False),
    ],
)
def test_is_recognised(head: str, is_ggf: bool) -> None:
    assert Ggf().recognises(head.encode()) is is_ggf


# Any text of one line; a lone surrogate is no character.
one_line = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=12)
times = st.none() | st.floats(0, 1e9) | st.sampled_from([0.01, 12.5, 90.0])
evaluations = st.none() | st.floats(allow_nan=False, allow_infinity=False)
notes = st.builds(Note, value=evaluations, seconds=times).filter(lambda note: note != Note())


@st.composite
def ggf_games(draw: st.DrawFn) -> Game:
    """Games with everything that GGF can hold."""
    start = draw(st.just(Position.start()) | any_boards())
    moves = random_game(draw(st.integers(0, 2**32)), draw(st.integers(0, 70)), start).moves
    plies = st.integers(0, max(0, len(moves) - 1))
    names = st.sampled_from(["RB", "RW", "TI", "TB", "TW"])
    return Game(
        start,
        moves,
        black=draw(one_line),
        white=draw(one_line),
        date=draw(one_line),
        site=draw(one_line),
        result=draw(st.none() | st.integers(-64, 64)) if moves or start.is_over else None,
        notes=draw(st.dictionaries(plies, notes)) if moves else {},
        tags=draw(st.dictionaries(names, one_line.filter(bool))),
    )


MARKS = ["(;", ";)", "[", "]", "\\", "/", "\n", "é", "B[", "PW[\\]"]
MOVES = ["B[f5]", "W[f6]", "W[PA]", "B[f5/1/2]"]
FACTS = ["GM[Othello]", START, WHITE_FIRST, "RE[+4]", "RE[+1:r]", "KM[1]", "KB[f5/1]", "PB[x]"]
pieces = st.lists(st.sampled_from([*MARKS, *MOVES, *FACTS]), max_size=12).map("".join)


class TestAnything:
    @given(ggf_games())
    def test_a_game_reads_back_equal(self, game: Game) -> None:
        text = format_ggf(game)
        assert "\n" not in text
        assert parse_ggf(text) == game
        data = written(game, game)
        games, _ = read(data)
        assert games == [game, game]
        assert written(*games) == data

    @given(st.binary(max_size=200) | pieces.map(str.encode))
    def test_bytes_are_games_or_a_record_error(self, data: bytes) -> None:
        Ggf().recognises(data)
        games, problems = read(data, lenient=True)
        if not problems.found:
            assert read(data)[0] == games
            return
        with pytest.raises(RecordError) as caught:
            read(data)
        assert str(caught.value) == str(problems.found[0])
        assert "\n" not in str(caught.value)

    @given(st.text(max_size=100) | pieces)
    def test_text_is_a_game_or_a_record_error(self, text: str) -> None:
        try:
            game = parse_ggf(text)
        except RecordError:
            return
        assert parse_ggf(format_ggf(game)) == game

    @pytest.mark.parametrize(
        ("piece", "times"),
        [
            ("(", 100_000),
            ("[", 100_000),
            ("\\]", 100_000),
            ("(;", 10_000),
            ("(;A[", 10_000),
            ("(;A[]", 10_000),
            ("(;\n", 10_000),
            ("(;A[\\", 10_000),
            ("A[]", 10_000),
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
