"""Players as NBoard engines: what they answer, line by line."""

from __future__ import annotations

import io
import os
import re
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from hypothesis import given
from hypothesis import strategies as st

from outflank import Game, Move, Position
from outflank._core import Stop
from outflank.errors import OutflankError
from outflank.players import OnThought, Player, Thought, Unit, make_player
from outflank.players.simple import RandomPlayer
from outflank.protocols import NBoardEngine
from outflank.records.ggf import format_ggf
from protocols.called_engines import fake_edax
from strategies import MUST_PASS, games


@dataclass
class Opinionated(RandomPlayer):
    """Knows the value of every move: its number; and looks as deep as it is told."""

    depth: int = 4
    asked: list[Position] = field(default_factory=list)

    unit = Unit.DISCS

    def think(
        self, game: Game, *, stop: Stop | None = None, on_thought: OnThought | None = None
    ) -> Thought:
        position = game.position
        self.asked.append(position)
        values = {move: float(move) for move in position.legal_moves}
        best = max(values, key=lambda move: values[move])
        reply = position.play(best).legal_moves[:1]
        line = (best, *reply)
        return Thought(
            best, values[best], self.depth, 1234, 0.25, line=line, values=values, unit=self.unit
        )


def talk(*lines: str, player: Player | None = None) -> list[str]:
    """Send lines as one stream, and return the lines of the answers but for the status."""
    answers = io.BytesIO()
    engine = NBoardEngine(player or Opinionated(seed=1), "an  opinion\n")
    engine.run(io.BytesIO("".join(f"{line}\r\n" for line in lines).encode()), answers)
    said = answers.getvalue().decode().splitlines()
    return [line for line in said if not line.startswith("status")]


def test_a_conversation() -> None:
    assert talk(
        "nboard 2",
        "set depth 12",
        "set contempt 0",
        "ping 1",
        f"set game {format_ggf(Game.from_transcript('f5f6'))}",
        "go",
        "move F7/1.20/3.5",
        "go",
        "learn",
    ) == [
        "pong 1",
        "set myname an opinion",
        "search F7E3 53.00 0 12",
        "nodestats 1234 0.25",
        "=== F7/53.00/0.25",
        "search G7D3 54.00 0 12",
        "nodestats 1234 0.25",
        "=== G7/54.00/0.25",
        "learned",
    ]


def test_go_does_not_play_the_move() -> None:
    player = Opinionated()
    talk("go", "go", player=player)
    assert player.asked == [Position.start()] * 2


def test_hints_are_as_many_as_wanted() -> None:
    assert talk("hint 3") == [
        "search E6F4 44.00 0 4",
        "search F5 37.00 0 4",
        "search C4 26.00 0 4",
    ]
    assert talk("hint 0") == talk("hint") == ["search E6F4 44.00 0 4"]


def test_a_pass_is_played_and_hinted() -> None:
    game = format_ggf(Game(MUST_PASS))
    assert talk(f"set game {game}", "go", "hint 2") == ["=== PA", "search PA -2.00 0 0"]
    assert talk(f"set game {game}", "move PA", "go")[-1] == "=== C1/2.00/0.25"
    assert talk(f"set game {game}", "move C1", "go", "hint 1") == []  # the game is over


def test_moves_may_be_told_as_in_version_1() -> None:
    assert talk("F5", "go") == talk("move F5", "go")


def test_a_game_is_analysed_backwards() -> None:
    """Values are from the mover's view; behind the last move, of the result."""
    game = Game(MUST_PASS).play("pass").play("c1")
    assert talk(f"set game {format_ggf(game)}", "analyze") == [
        "analysis 2 -64.00",
        "analysis 1 2.00",
        "analysis 0 -2.00",
    ]


def test_a_player_without_values_only_plays() -> None:
    said = talk("go", "hint 2", "analyze", player=make_player("random:seed=1"))
    assert re.fullmatch(r"=== [A-H][1-8]//\d\.\d\d", said[0])
    assert re.fullmatch(r"search [A-H][1-8] 0\.00 0 0", said[1])
    assert said[2:] == []


def test_values_go_out_only_in_discs() -> None:
    """Who reads them takes them for discs; a score on the board is one whoever plays."""
    game = Game(MUST_PASS).play("pass").play("c1")
    read = f"set game {format_ggf(game)}"
    for spec in ("alphabeta:eval=iago,depth=3", "policy", "league:swh"):
        player = make_player(spec)
        said = talk("go", "hint 3", read, "analyze", player=player)
        assert re.fullmatch(r"nodestats \d+ \d\.\d\d", said[0])
        assert re.fullmatch(r"=== [A-H][1-8]//\d\.\d\d", said[1])
        assert re.fullmatch(r"search (?:[A-H][1-8])+ 0\.00 0 \d", said[2])
        assert said[3] == "analysis 2 -64.00"
        assert len(said) == (6 if "depth" in spec else 4)  # the search sees the end of the game
    said = talk("go", player=make_player("alphabeta:eval=patterns,depth=3"))
    assert [line.split()[0] for line in said] == ["search"] * 4 + ["nodestats", "==="]
    assert re.fullmatch(r"=== [A-H][1-8]/-?\d\.\d\d/\d\.\d\d", said[-1])


def test_an_engine_behind_us_keeps_its_value(tmp_path: Path) -> None:
    spec = f"edax:level=5,path={fake_edax(tmp_path)}"
    with make_player(spec) as player:
        said = talk("go", player=player)
    assert said[:2] == ["search D3C3 4.00 0 5", "nodestats 2500 " + said[1].split()[2]]
    assert said[2].startswith("=== D3/4.00/")


def test_what_means_nothing_is_ignored() -> None:
    said = talk(
        "", "x", "move", "move Z9", "move A1", "set game nonsense", "set game (;)", "set depth x",
        "set depth 0", "hint many", "x" * 2_000_000, "go",
    )  # fmt: skip
    assert said[-1] == "=== E6/44.00/0.25"


def test_quit_ends_at_once() -> None:
    assert talk("ping 1", "quit", "ping 2") == ["pong 1"]


class FailingPlayer(RandomPlayer):
    def think(
        self, game: Game, *, stop: Stop | None = None, on_thought: OnThought | None = None
    ) -> Thought:
        raise OutflankError("no memory\nleft")


def test_a_player_that_fails_does_not_end_the_engine() -> None:
    answers = io.BytesIO()
    NBoardEngine(FailingPlayer(), "failing").run(io.BytesIO(b"go\nlearn\n"), answers)
    assert answers.getvalue() == b"status Thinking\nstatus no memory left\nlearned\n"


class SlowPlayer(RandomPlayer):
    """Thinks until it is told to go on."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.go_on = threading.Event(), threading.Event()

    def think(
        self, game: Game, *, stop: Stop | None = None, on_thought: OnThought | None = None
    ) -> Thought:
        self.began.set()
        self.go_on.wait(10)
        return Thought(game.position.legal_moves[0], 1.0, unit=Unit.DISCS)


def pipe() -> tuple[BinaryIO, BinaryIO]:
    """Both ends of a pipe, as two programs have them."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), os.fdopen(writing, "wb")


def test_a_ping_is_answered_while_thinking_and_ends_it() -> None:
    """The answer to the first question does not come; the second is of the new position."""
    requests, send = pipe()
    receive, answers = pipe()
    player = SlowPlayer()
    engine = NBoardEngine(player, "slow")
    running = threading.Thread(target=engine.run, args=(requests, answers))
    with requests, send, receive, answers:
        running.start()
        send.write(b"go\n")
        send.flush()
        assert receive.readline() == b"status Thinking\n"
        player.began.wait(10)
        send.write(b"ping 7\nmove F5\ngo\n")
        send.flush()
        assert receive.readline() == b"pong 7\n"
        player.go_on.set()
        assert receive.readline() == b"status Thinking\n"
        assert receive.readline() == b"search F4 1.00 0 0\n"
        assert receive.readline().startswith(b"=== F4/1.00/")
        send.write(b"quit\n")
        send.flush()
        running.join(10)
        assert not running.is_alive()


class StoppablePlayer(RandomPlayer):
    """Is told when nobody wants to know any more, and speaks while it thinks."""

    def rank_moves(
        self,
        game: Game,
        count: int,
        *,
        stop: Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought:
        assert stop is not None
        assert on_thought is not None
        move = game.position.legal_moves[0]
        for depth in (1, 2):
            on_thought(Thought(move, 0.5 * depth, depth, line=(move,), unit=Unit.DISCS))
        values = {Move("d3"): 2.0, Move("c4"): 1.0}
        return Thought(move, 2.0, 3, exact=True, values=dict(list(values.items())[:count]))


def test_a_player_is_heard_while_it_thinks() -> None:
    assert talk("hint 2", player=StoppablePlayer()) == [
        "search D3 0.50 0 1",
        "search D3 1.00 0 2",
        "search D3 2.00 0 100%",
        "search C4 1.00 0 100%",
    ]


_WORDS = st.sampled_from(
    ["nboard", "2", "set", "game", "depth", "move", "F5", "PA", "hint", "go", "ping", "analyze"]
)


@given(st.lists(st.one_of(st.lists(_WORDS, max_size=4).map(" ".join), st.text()), max_size=12))
def test_any_lines_are_survived(lines: list[str]) -> None:
    answers = io.BytesIO()
    engine = NBoardEngine(make_player("random:seed=1"), "random")
    text = "\n".join(line for line in lines if line.split() != ["quit"])
    engine.run(io.BytesIO(text.encode("utf-8", "replace") + b"\nping 99\n"), answers)
    assert b"pong 99\n" in answers.getvalue()


@given(games())
def test_any_game_is_understood(game: Game) -> None:
    engine = NBoardEngine(make_player("random:seed=1"), "random")
    engine.obey(f"set game {format_ggf(game)}")
    assert engine.game.moves == game.moves


def test_a_tree_search_says_its_visits() -> None:
    answers = io.BytesIO()
    engine = NBoardEngine(make_player("mcts:rollouts=60,seed=1"), "mcts")
    engine.run(io.BytesIO(b"nboard 2\ngo\n"), answers)
    said = answers.getvalue().decode().splitlines()
    (last,) = {line for line in said if line.startswith("status Visits: ")}
    visits = [int(words.split()[1]) for words in last.removeprefix("status Visits: ").split(", ")]
    assert sum(visits) == 60
    assert visits == sorted(visits, reverse=True)
    assert "nodestats 61" in " ".join(said)
    assert not any(line.startswith("search") for line in said)  # its values are not in discs
