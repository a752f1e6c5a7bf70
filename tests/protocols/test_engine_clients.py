"""Calling other programs' engines: what they are told, and what becomes of each answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank import PASS, Game, IllegalMoveError, Move, Position
from outflank.errors import EngineError
from outflank.protocols import (
    EdaxClient,
    EngineClient,
    EnginePool,
    EngineProcess,
    GtpClient,
    NBoardClient,
)
from protocols.called_engines import fake_edax, faulty_engine, own_engine
from strategies import MUST_PASS, random_game

CLIENTS: dict[str, type[EngineClient]] = {"gtp": GtpClient, "nboard": NBoardClient}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything that engines are told."""
    lines: list[str] = []
    ask = EngineProcess.ask

    def listen(self: EngineProcess, *said: str, seconds: float) -> None:
        lines.extend(said)
        ask(self, *said, seconds=seconds)

    monkeypatch.setattr(EngineProcess, "ask", listen)
    return lines


@pytest.fixture(params=CLIENTS)
def protocol(request: pytest.FixtureRequest) -> str:
    """A protocol in which faults are tried."""
    return str(request.param)


def faulty(protocol: str, fault: str, moves: str = "", timeout: float = 20.0) -> EngineClient:
    return CLIENTS[protocol](faulty_engine(protocol, fault, moves), timeout=timeout)


def test_a_good_answer(protocol: str) -> None:
    client = faulty(protocol, "f5")
    answer = client.answer(Game())
    client.close()
    assert answer.move == Move("f5")
    assert answer.seconds > 0
    if protocol == "nboard":
        assert (answer.value, answer.depth, answer.line) == (1.5, 3, (Move("f5"),))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("dies", r"python\S*: ended with exit code 3: out of memory"),
        ("dies-at-once", r"ended with exit code 1: no licence"),
        ("crashes", r"was ended: Segmentation fault"),
        ("closes", r"closed its output"),
        ("nonsense", r"answered 'hello', expected"),
        ("e5", r"e5 is illegal: the square is taken \(in -"),
        ("a1", r"a1 is illegal: it outflanks no white disc \(in -"),
        ("pass", r"black may not pass: there are legal moves \(in -"),
    ],
)
def test_a_fault_is_explained(protocol: str, fault: str, reason: str) -> None:
    with pytest.raises(EngineError, match=reason):
        faulty(protocol, fault).answer(Game())


@pytest.mark.parametrize("fault", ["endless", "endless-line"])
def test_an_engine_that_writes_without_end_is_not_waited_for(protocol: str, fault: str) -> None:
    with pytest.raises(EngineError, match="wrote 4 MB and no answer"):
        faulty(protocol, fault).answer(Game())


def test_an_engine_that_hangs_is_not_waited_for(protocol: str) -> None:
    client = faulty(protocol, "hangs", timeout=0.6)
    began = time.monotonic()
    with pytest.raises(EngineError, match=r"python\S*: no answer in 0\.6 s"):
        client.answer(Game())
    assert time.monotonic() - began < 3


def test_an_engine_that_failed_is_started_anew(protocol: str) -> None:
    client = faulty(protocol, "dies", "f5")
    game = Game().play(client.answer(Game()).move).play("f6")
    with pytest.raises(EngineError, match="exit code 3"):
        client.answer(game)
    assert client.answer(Game()).move == Move("f5")
    client.close()


def test_an_engine_may_start_slowly(protocol: str) -> None:
    client = faulty(protocol, "starts-slowly")
    assert client.answer(Game()).move == Move("f5")
    client.close()


def test_an_engine_may_write_many_errors(protocol: str) -> None:
    client = faulty(protocol, "noisy")
    assert client.answer(Game()).move == Move("f5")
    client.close()


@pytest.mark.parametrize(
    ("fault", "reason"), [("resigns", "resigned"), ("refuses", "refused genmove: I do not want to")]
)
def test_a_gtp_engine_may_resign_or_refuse(fault: str, reason: str) -> None:
    with pytest.raises(EngineError, match=reason):
        faulty("gtp", fault).answer(Game())


def test_a_program_that_does_not_exist() -> None:
    with pytest.raises(EngineError, match="engine: cannot be started: No such file or directory"):
        GtpClient(["/no/such/engine"]).answer(Game())


def test_a_forced_pass_is_not_asked_for() -> None:
    assert GtpClient(["/no/such/engine"]).answer(Game(MUST_PASS)).move == PASS


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="the game is over"):
        GtpClient(["/no/such/engine"]).answer(Game(Position.from_string("X" * 64)))


@pytest.fixture(scope="module")
def clients() -> Iterator[dict[str, EngineClient]]:
    """Our own engines, by protocol."""
    clients = {name: client(own_engine(name, "greedy:seed=1")) for name, client in CLIENTS.items()}
    yield clients
    for client in clients.values():
        client.close()


def test_only_new_moves_are_told(
    protocol: str, clients: dict[str, EngineClient], told: list[str]
) -> None:
    client = clients[protocol]
    client.kill()
    game = Game()
    for _ in range(3):
        game = game.play(client.answer(game).move)
        game = game.play(game.position.legal_moves[0])
    moves = [move.name for move in game.moves]
    if protocol == "gtp":
        assert told[:4] == ["list_commands", "boardsize 8", "clear_board", "genmove black"]
        assert told[4:] == [
            f"play white {moves[1]}", "genmove black", f"play white {moves[3]}", "genmove black"
        ]  # fmt: skip
    else:
        assert told[:2] == ["nboard 2", "ping 1"]
        assert told[2].startswith("set game (;GM[Othello]")
        assert told[3:] == ["go", *(f"move {m.upper()}" for m in moves[:2]), "go",
                            *(f"move {m.upper()}" for m in moves[2:4]), "go"]  # fmt: skip


def test_another_game_is_told_from_the_beginning(
    protocol: str, clients: dict[str, EngineClient], told: list[str]
) -> None:
    client = clients[protocol]
    one, other = random_game(1, 10), random_game(2, 12)
    for game in (one, other, one):
        assert game.position.is_legal(client.answer(game).move)
    begin = "clear_board" if protocol == "gtp" else "set game"
    assert sum(line.startswith(begin) for line in told) == 3


def test_any_position_can_be_set_up(protocol: str, clients: dict[str, EngineClient]) -> None:
    for seed in range(20):
        game = random_game(seed, seed * 3)
        position = game.position
        if not position.is_over:
            assert position.is_legal(clients[protocol].answer(Game(position)).move)


def test_a_game_with_passes_is_told(protocol: str, clients: dict[str, EngineClient]) -> None:
    """After these eight plies, the fewest there can be, black must pass."""
    game = Game.from_transcript("d3c3b3b2f5a3a1c1").play(PASS)
    assert game.position.is_legal(clients[protocol].answer(game).move)
    game = game.undo().undo()  # as if white had not yet moved
    answer = clients[protocol].answer(game)
    game = game.play(answer.move)
    assert game.position.legal_moves


def test_a_gtp_engine_that_sets_up_no_board_is_brought_there_by_moves(told: list[str]) -> None:
    start = Game.from_transcript("f5f6e6").position
    client = faulty("gtp", "f4")
    assert client.answer(Game(start)).move == Move("f4")
    client.close()
    assert told[2:] == ["clear_board", "play black f5", "play white f6", "play black e6",
                        "genmove white"]  # fmt: skip


def test_a_position_that_gtp_cannot_reach() -> None:
    board = "OX" + "-" * 62 + "O"
    with pytest.raises(EngineError, match=r"cannot be brought to OX-.* O: GTP sets up no board"):
        faulty("gtp", "c1").answer(Game(Position.from_string(board)))


@pytest.fixture
def edax(tmp_path: Path) -> Path:
    """A program that speaks as Edax does."""
    return fake_edax(tmp_path)


def test_edax_plays_and_tells_its_value(edax: Path, told: list[str]) -> None:
    client = EdaxClient(edax, level=3)
    answer = client.answer(Game().play("f5"))
    assert (answer.move, answer.value, answer.depth, answer.nodes) == (Move("f4"), 4.0, 3, 2500)
    assert not answer.exact
    assert answer.line == (Move("f4"), Move("c3"))
    late = Position.from_string("-" + "OX" * 31 + "-X")
    assert client.answer(Game(late)).exact
    client.close()
    start = Game().play("f5").position.to_string()
    assert told[:4] == ["mode 3", "level 3", f"setboard {start}", "go"]


def test_edax_plays_a_whole_game(edax: Path) -> None:
    client = EdaxClient(edax)
    game = Game()
    while not game.is_over:
        game = game.play(client.answer(game).move)
    client.close()
    assert game.moves == first_moves().moves


def first_moves() -> Game:
    """The game in which both sides always play the first legal move."""
    game = Game()
    while not game.is_over:
        game = game.play(game.position.legal_moves[0])
    return game


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("dies", "edax: ended with exit code 1: Fatal error: cannot open data/eval.dat"),
        ("silent", "answered .*, expected Edax plays"),
        ("nonsense", "answered 'A9', expected a move"),
        ("illegal", "h1 is illegal"),
    ],
)
def test_a_fault_of_edax_is_explained(
    fault: str, reason: str, edax: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_EDAX", fault)
    with pytest.raises(EngineError, match=reason):
        EdaxClient(edax).answer(Game())


def test_an_edax_that_hangs_is_not_waited_for(edax: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_EDAX", "hangs")
    client = EdaxClient(edax, timeout=1.5)
    with pytest.raises(EngineError, match=r"no answer in 1\.5 s"):
        client.answer(Game())


class TestPool:
    def test_games_stay_with_the_engine_that_knows_them(self, told: list[str]) -> None:
        pool = EnginePool(lambda: GtpClient(own_engine("gtp", "greedy:seed=1")), processes=3)
        games = [Game(), Game().play("f5").play("f6"), Game().play("c4").play("c3")]
        for turn in range(4):
            answers = pool.answers(games if turn % 2 else games[::-1])
            order = games if turn % 2 else games[::-1]
            games = [
                _go_on(game.play(answer.move))
                for game, answer in zip(order, answers, strict=True)
                if not isinstance(answer, EngineError)
            ]
        pool.close()
        assert told.count("clear_board") == 3

    def test_games_are_more_than_engines(self) -> None:
        pool = EnginePool(lambda: NBoardClient(own_engine("nboard", "greedy:seed=1")), processes=2)
        games = [random_game(seed, 10) for seed in range(7)]
        answers = pool.answers(games)
        pool.close()
        for game, answer in zip(games, answers, strict=True):
            assert not isinstance(answer, EngineError)
            assert game.position.is_legal(answer.move)

    def test_a_fault_is_of_its_game_alone(self) -> None:
        """The engine plays d3 in every game; where it is illegal, that game has the error."""
        pool = EnginePool(lambda: GtpClient(faulty_engine("gtp", "d3")))
        good, bad = Game(), Game().play("f5")
        found = pool.answers([bad, good, bad, good])
        pool.close()
        assert [isinstance(answer, EngineError) for answer in found] == [True, False, True, False]


def _go_on(game: Game) -> Game:
    return game.play(game.position.legal_moves[0])


class Script:
    """An engine that has written its lines before it was asked."""

    name = "script"

    def __init__(self, lines: list[str]) -> None:
        self.lines = iter(lines)

    def ask(self, *lines: str, seconds: float) -> None:
        pass

    def read_line(self) -> str:
        try:
            return next(self.lines)
        except StopIteration:
            raise EngineError("script: ended") from None

    def read_to_prompt(self, prompt: str) -> str:
        return self.read_line()

    def kill(self) -> None:
        pass


_PARTS = st.sampled_from(
    ["=", "?", "= ", "===", "=== ", "F5", "f5", "/", " ", "1.5", "e9", "pass", "search ", "book ",
     "F5d6", "0", "100%", "nodestats ", "7", "7" * 5000, "\n", "Edax plays ", "   12  ", " +04 ",
     " 0:00.001 "]
)  # fmt: skip
_LINES = st.lists(st.one_of(st.lists(_PARTS, max_size=8).map("".join), st.text()), max_size=20)


@pytest.mark.parametrize("kind", [GtpClient, NBoardClient, EdaxClient])
@given(lines=_LINES)
def test_whatever_an_engine_writes_is_a_legal_move_or_an_error(
    kind: type[EngineClient], lines: list[str]
) -> None:
    client = EdaxClient(Path("edax")) if kind is EdaxClient else kind(["engine"])
    client._running = Script(lines)  # type: ignore[assignment]
    problem = ""
    try:
        answer = client.answer(Game())
        assert Position.start().is_legal(answer.move)
        assert not answer.line or answer.line[0] == answer.move
    except EngineError as error:
        problem = str(error)
    assert "\n" not in problem
