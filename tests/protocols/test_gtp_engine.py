"""Players as GTP engines: what they answer, line by line."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank import PASS, Game, Move, records
from outflank.errors import OutflankError
from outflank.othello.boards import Boards, MoveArray
from outflank.players import Keys, make_player
from outflank.players.simple import RandomPlayer
from outflank.protocols import GtpEngine
from strategies import random_game

# After these eight plies, the fewest there can be, black must pass.
TO_A_PASS = "d3c3b3b2f5a3a1c1"


def engine() -> GtpEngine:
    return GtpEngine(make_player("random:seed=1"), "random", "1.0")


def talk(lines: str, to: GtpEngine | None = None) -> str:
    """Send lines as one stream, and return the answers in one."""
    answers = io.BytesIO()
    (to or engine()).run(io.BytesIO(lines.encode()), answers)
    return answers.getvalue().decode()


def plays(transcript: str) -> str:
    """The commands that play a game."""
    moves = [transcript[at : at + 2] for at in range(0, len(transcript), 2)]
    return "".join(f"play {'bw'[ply % 2]} {move}\n" for ply, move in enumerate(moves))


def test_a_conversation() -> None:
    assert talk(
        "1 protocol_version\n2 name\n3 version\n4 boardsize 8\n5 clear_board\n6 komi 6.5\n"
        "7 set_game Othello\n8 list_games\n9 play black F5\n10 play w d6\n11 final_score\n"
        "12 undo\n13 known_command undo\n14 known_command redo\n15 quit\n16 name\n"
    ) == (
        "=1 2\n\n=2 Outflank random\n\n=3 1.0\n\n=4\n\n=5\n\n=6\n\n=7\n\n=8 Othello\n\n"
        "=9\n\n=10\n\n?11 cannot score\n\n=12\n\n=13 true\n\n=14 false\n\n=15\n\n"
    )


def test_numbers_comments_and_empty_lines() -> None:
    said = "# a comment\n\n  \t\n7 name # and another\r\nname\x07\n12\n3x\n"
    assert talk(said) == (
        "=7 Outflank random\n\n= Outflank random\n\n?12 unknown command\n\n? unknown command\n\n"
    )


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("nothing", "unknown command"),
        ("boardsize 10", "unacceptable size"),
        ("boardsize", "syntax error: not a whole number"),
        ("komi much", "syntax error: not a number"),
        ("set_game Go", "unsupported game"),
        ("play black e5", "illegal move"),
        ("play black pass", "illegal move"),
        ("play white f5", "illegal move: it is black's turn"),
        ("play f5", "syntax error: play needs a color and a move"),
        ("play green f5", "syntax error: a color is black or white"),
        ("play black i9", "syntax error: a move is a1..h8 or pass"),
        ("genmove", "syntax error: a color is black or white"),
        ("genmove white", "illegal move: it is black's turn"),
        ("undo", "cannot undo"),
        ("final_score", "cannot score"),
        ("time_settings 1", "syntax error: time_settings needs three numbers"),
        ("time_settings -1 0 0", "syntax error: a time cannot be negative"),
        ("time_left b 10", "syntax error: time_left needs a color, a time and a number"),
        ("loadsgf", "syntax error: loadsgf needs a file"),
        ("loadsgf /no/such.sgf", "/no/such.sgf: cannot read: No such file or directory"),
    ],
)
def test_a_mistake_is_explained_and_changes_nothing(line: str, answer: str) -> None:
    gtp = engine()
    assert gtp.answer(line) == f"? {answer}\n\n"
    assert gtp.game == Game()


def test_every_listed_command_is_known() -> None:
    commands = talk("list_commands\n").removeprefix("= ").split()
    assert {"play", "genmove", "undo", "loadsgf", "reg_genmove", "showboard"} < set(commands)
    assert all(engine().answer(f"known_command {name}") == "= true\n\n" for name in commands)


def test_a_forced_pass_may_be_told() -> None:
    gtp = engine()
    talk(plays(TO_A_PASS), gtp)
    assert gtp.answer("genmove black") == "= pass\n\n"
    assert gtp.game.moves[-1] == PASS
    assert gtp.answer("undo") == "=\n\n"
    assert gtp.answer("play black pass") == "=\n\n"
    assert gtp.answer("play white e3") == "=\n\n"
    assert gtp.game.moves[-2:] == (PASS, Move("e3"))


def test_a_forced_pass_may_be_left_out() -> None:
    gtp = engine()
    talk(plays(TO_A_PASS), gtp)
    assert gtp.answer("play white e3") == "=\n\n"
    assert gtp.game.moves[-2:] == (PASS, Move("e3"))
    assert gtp.answer("undo") == "=\n\n"
    assert len(gtp.game) == 8  # the move and the pass before it, which nobody told


def test_a_forced_pass_may_be_left_out_before_genmove() -> None:
    gtp = engine()
    talk(plays(TO_A_PASS), gtp)
    assert gtp.answer("reg_genmove white") != "= pass\n\n"
    assert len(gtp.game) == 8
    assert gtp.answer("genmove white") != "= pass\n\n"
    assert len(gtp.game) == 10


def test_both_sides_pass_when_the_game_is_over() -> None:
    gtp = engine()
    talk(f"outflank-setup_board {'X' * 63}- white\n", gtp)
    assert gtp.answer("genmove white") == "= pass\n\n"
    assert gtp.answer("play black pass") == "=\n\n"
    assert gtp.answer("genmove black") == "= pass\n\n"
    assert gtp.answer("play white h8") == "? illegal move\n\n"
    assert gtp.answer("final_score") == "= B+64\n\n"
    assert gtp.answer("undo") == "=\n\n"


@pytest.mark.parametrize(("board", "score"), [("XO" * 32, "0"), ("X" * 20 + "O" * 44, "W+24")])
def test_the_final_score(board: str, score: str) -> None:
    assert talk(f"outflank-setup_board {board}\nfinal_score\n") == f"=\n\n= {score}\n\n"


def test_the_board_is_shown() -> None:
    assert "4 . . . O X . . .\n5 . . . X X X . .\n" in talk("play b f5\nshowboard\n")


def test_whole_games_are_played() -> None:
    gtp = engine()
    for _ in range(3):
        gtp.answer("clear_board")
        colors = ["black", "white"]
        while not gtp.game.is_over:
            assert gtp.answer(f"genmove {colors[0]}").startswith("= ")
            colors.reverse()
        game = Game.from_moves(gtp.game.moves)
        assert game.is_over


def test_a_file_is_loaded_up_to_a_move(tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    game = random_game(3, 20)
    records.write(path, [game])
    gtp = engine()
    assert gtp.answer(f"loadsgf {path}") == "=\n\n"
    assert gtp.game.moves == game.moves
    assert gtp.answer(f"loadsgf {path} 5") == "=\n\n"
    assert gtp.game.moves == game.moves[:4]
    assert gtp.answer("undo") == "=\n\n"
    assert gtp.game.moves == game.moves[:3]


@dataclass
class TimedPlayer(RandomPlayer):
    time: float | None = None


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        ("time_settings 0 10 1", 9.0),  # ten seconds a move
        ("time_settings 60 0 0", 1.8),  # a minute for thirty moves
        ("time_settings 0 30 0", None),  # no limit
        ("time_left black 30 0", 0.9),
        ("time_left black 30 3", 9.0),
        ("time_left white 30 3", None),  # not the side to move
        ("time_left black 0 0", None),
    ],
)
def test_time_is_shared_out(lines: str, seconds: float | None) -> None:
    player = TimedPlayer(seed=1)
    assert talk(f"{lines}\n", GtpEngine(player, "timed", "1.0")) == "=\n\n"
    assert player.time == (seconds if seconds is None else pytest.approx(seconds))


class FailingPlayer(RandomPlayer):
    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        raise OutflankError("no memory\n\nleft")


def test_a_player_that_fails_does_not_end_the_engine() -> None:
    said = talk("1 genmove b\n2 name\n", GtpEngine(FailingPlayer(), "failing", "1.0"))
    assert said == "?1 no memory\nleft\n\n=2 Outflank failing\n\n"


def test_a_line_without_end_is_refused() -> None:
    said = talk("play " + "b" * 3_000_000 + "\nname\n" + "n" * (1 << 20))
    assert said == "? line too long\n\n= Outflank random\n\n? line too long\n\n"


def test_bytes_that_are_no_text_are_survived() -> None:
    answers = io.BytesIO()
    engine().run(io.BytesIO(b"\xff\xfe play\nname\n\x00\x01"), answers)
    assert answers.getvalue() == b"? unknown command\n\n= Outflank random\n\n"


_WORDS = st.sampled_from(
    [*engine().commands, "9" * 5000, "b", "w", "white", "f5", "d6", "pass", "8", "#", "7"]
)


@given(st.lists(st.one_of(st.lists(_WORDS, max_size=4).map(" ".join), st.text()), max_size=20))
def test_any_lines_get_well_formed_answers(lines: list[str]) -> None:
    gtp = engine()
    for line in lines:
        answer = gtp.answer(line)
        if answer:
            assert answer[0] in "=?"
            assert answer.endswith("\n\n")
            assert "\n\n" not in answer[:-2]
            assert "\r" not in answer
        assert Game.from_moves(gtp.game.moves, gtp.game.start).position == gtp.position


def test_it_says_what_it_thought() -> None:
    gtp = GtpEngine(make_player("mcts:rollouts=60,seed=1"), "mcts", "1.0")
    assert talk("outflank-thought\n", gtp) == "? no move was chosen yet\n\n"
    chosen = talk("genmove b\n", gtp).removeprefix("= ").strip()
    lines = talk("outflank-thought\n", gtp).removeprefix("= ").strip().split("\n")
    assert lines[0] == f"move {chosen}"
    facts = dict(line.split(" ", 1) for line in lines)
    assert facts["value"].endswith(" result")
    assert facts["nodes"] == "61"
    assert facts["line"].split()[0] == chosen
    moves = [line.split() for line in lines if line[0].isupper()]
    assert {words[0] for words in moves} == {"D3", "C4", "F5", "E6"}
    assert moves[0][0] == chosen
    visits = [int(words[words.index("visits") + 1]) for words in moves]
    assert sum(visits) == 60
    assert visits == sorted(visits, reverse=True)


def test_it_says_a_policy_and_exact_values() -> None:
    gtp = GtpEngine(make_player("policy:imitation-0ply"), "policy", "1.0")
    told = talk("genmove b\noutflank-thought\n", gtp)
    assert told.count(" policy 0.2") == 4
    assert "visits" not in told
    gtp = GtpEngine(make_player("alphabeta:eval=discs,depth=2"), "discs", "1.0")
    talk(f"outflank-setup_board {'X' * 56}OXXXXXX- white\n", gtp)
    assert "value -48.0000 discs exact\n" in talk("genmove w\noutflank-thought\n", gtp)


def test_a_time_limit_ends_a_tree_search() -> None:
    player = make_player("mcts:rollouts=1000000000")
    gtp = GtpEngine(player, "mcts", "1.0")
    began = time.monotonic()
    talk("time_settings 0 2 20\ngenmove b\n", gtp)
    assert time.monotonic() - began < 2
