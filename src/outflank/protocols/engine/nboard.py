"""NBoard, version 2: any player as an engine.

The other side says which game it is at and asks for a move (``go``), for values (``hint``,
``analyze``) or whether the engine is there (``ping``). Lines that mean nothing are ignored.

The player thinks in a thread of its own, so that a ping is answered at once. What it was thinking
about is then no longer wanted: a player that cannot be stopped thinks on, but nobody hears of it.

Evaluations are discs to whoever reads them, so a value goes out only if it is in discs.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO

from outflank import _core
from outflank.errors import NotationError, OutflankError, RecordError
from outflank.evaluations import Unit
from outflank.othello import PASS, Game, Move
from outflank.protocols.engine.thinker import Thinker, Thought, command_lines, limit
from outflank.records.ggf import parse_ggf

_MOST_TRIED = 6  # moves whose visits are named
_MOST_HINTS = 60  # moves that a search ranks; no position has as many
_LAST_WAIT = 1.0  # seconds for a thought that nobody waits for, before the engine ends


class _Interest:
    """What was asked since the last ping, as long as somebody wants to know."""

    def __init__(self) -> None:
        self.lost = False
        self._stop = _core.Stop()

    def lose(self) -> None:
        """End the thought, if it can be, and keep quiet about it."""
        self.lost = True
        self._stop.set()

    def new_stop(self) -> _core.Stop:
        """Make what ends the next thought; it is not used twice, as a time limit sets it too."""
        self._stop = stop = _core.Stop()
        if self.lost:
            stop.set()
        return stop


_Task = Callable[[_Interest], Iterator[str]]  # yields the lines of an answer


class NBoardEngine:
    """A player that is asked by NBoard's protocol."""

    def __init__(self, player: Thinker, name: str) -> None:
        self.player = player
        self.name = " ".join(name.split()) or "player"
        self.game = Game()
        self._answers: BinaryIO
        self._writing = threading.Lock()
        self._interest = _Interest()
        self._tasks: queue.SimpleQueue[tuple[_Interest, _Task] | None] = queue.SimpleQueue()

    def run(self, requests: BinaryIO, answers: BinaryIO) -> None:
        """Answer until the other side quits or ends its output.

        When its output ends, what it has asked is still answered; when it quits, it is not.
        """
        self._answers = answers
        thinking = threading.Thread(target=self._think, name="thinking", daemon=True)
        thinking.start()
        patience = None
        for line in command_lines(requests):
            if line is not None and line.split() == ["quit"]:
                self._forget_thoughts()
                patience = _LAST_WAIT
                break
            if line is not None:
                self.obey(line)
        self._tasks.put(None)
        thinking.join(patience)

    def _think(self) -> None:
        while (task := self._tasks.get()) is not None:
            interest, lines = task
            if interest.lost:
                continue
            try:
                for line in lines(interest):
                    self._say(line, interest)
            except OutflankError as error:
                self._say(f"status {_one_line(str(error))}", interest)
            except BrokenPipeError:
                return  # nobody listens any more

    def _say(self, line: str, interest: _Interest | None = None) -> None:
        """Write a line, unless it belongs to a thought that nobody wants any more."""
        with self._writing:
            if interest is None or not interest.lost:
                self._answers.write(f"{line}\n".encode("utf-8", "replace"))
                self._answers.flush()

    def _ask(self, task: _Task) -> None:
        """Let something be thought about that a ping will end."""
        self._tasks.put((self._interest, task))

    def _do(self, task: _Task) -> None:
        """Let something be done in its turn that no ping will end."""
        self._tasks.put((_Interest(), task))

    def _forget_thoughts(self) -> None:
        with self._writing:
            self._interest.lose()
            self._interest = _Interest()

    def obey(self, line: str) -> None:
        """Carry out one line."""
        word, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        match word:
            case "set":
                self._set(rest)
            case "move":
                self._move(rest)
            case "go":
                game = self.game
                self._ask(lambda interest: self._go(game, interest))
            case "hint":
                game, count = self.game, min(max(1, _whole(rest, 1)), _MOST_HINTS)
                self._ask(lambda interest: self._hint(game, count, interest))
            case "analyze":
                game = self.game
                self._ask(lambda interest: self._analyze(game, interest))
            case "ping":
                self._forget_thoughts()
                self._say(f"pong {_one_line(rest)}".rstrip())
            case "learn":
                self._do(_learn)
            case _ if len(word) == 2 and not rest:
                self._move(word)  # as version 1 says it

    def _set(self, text: str) -> None:
        what, _, value = text.partition(" ")
        if what == "game":
            self._set_game(value)
        elif what == "depth" and (depth := _whole(value.strip(), 0)) > 0:
            self._do(lambda _: self._set_depth(depth))

    def _set_game(self, text: str) -> None:
        try:
            self.game = parse_ggf(text)
        except RecordError as error:
            self._say(f"status Cannot read the game: {_one_line(str(error))}")

    def _set_depth(self, depth: int) -> Iterator[str]:
        limit(self.player, depth=depth)
        yield f"set myname {self.name}"

    def _move(self, text: str) -> None:
        """Play a move, which may come with its evaluation and time."""
        try:
            move = Move(text.split("/")[0])
        except NotationError:
            return
        if self.game.position.must_pass and not move.is_pass:
            self.game = self.game.play(PASS)
        try:
            self.game = self.game.play(move)
        except OutflankError as error:
            self._say(f"status {error}")

    def _go(self, game: Game, interest: _Interest) -> Iterator[str]:
        if game.is_over:
            yield "status The game is over"
            return
        if game.position.must_pass:
            yield "=== PA"
            return
        yield "status Thinking"
        thought = self.player.think(
            game,
            stop=interest.new_stop(),
            on_thought=lambda thought: self._say_search(thought, interest),
        )
        value = _discs(thought)
        if value is not None:
            yield _search(thought)
        if thought.nodes is not None:
            yield f"nodestats {thought.nodes} {thought.seconds:.2f}"
        shown = "" if value is None else f"{value:.2f}"
        yield f"=== {_name(thought.move)}/{shown}/{thought.seconds:.2f}"
        yield f"status {_tried(thought)}".rstrip()

    def _hint(self, game: Game, count: int, interest: _Interest) -> Iterator[str]:
        if game.is_over:
            yield "status The game is over"
            return
        yield "status Thinking"
        if game.position.must_pass:
            yield f"search PA {self._value(game, interest) or 0.0:.2f} 0 0"
        else:
            thought = self.player.rank_moves(
                game,
                count,
                stop=interest.new_stop(),
                on_thought=lambda thought: self._say_search(thought, interest),
            )
            yield _search(thought)
            if thought.unit is Unit.DISCS:
                values = thought.values
                others = [move for move in values if move != thought.move]
                for move in sorted(others, key=lambda move: -values[move])[: count - 1]:
                    yield f"search {_name(move)} {values[move]:.2f} 0 {_depth(thought)}"
        yield "status"

    def _analyze(self, game: Game, interest: _Interest) -> Iterator[str]:
        """Value every position of a game, the last one first."""
        yield "status Analyzing"
        for plies in range(len(game), -1, -1):
            if interest.lost:
                return
            value = self._value(game.undo(len(game) - plies), interest)
            if value is not None:
                yield f"analysis {plies} {value:.2f}"
        yield "status"

    def _say_search(self, thought: Thought, interest: _Interest) -> None:
        """Say what is thought so far: a value in discs, or else how often moves were tried."""
        if _discs(thought) is not None:
            self._say(_search(thought), interest)
        elif thought.visits:
            self._say(f"status {_tried(thought)}", interest)

    def _value(self, game: Game, interest: _Interest) -> float | None:
        """Return what a game's last position is worth to its mover in discs, if it is known."""
        position = game.position
        if position.is_over:
            return float(position.score)
        if position.must_pass:
            value = self._value(game.play(PASS), interest)
            return None if value is None else -value
        return _discs(self.player.think(game, stop=interest.new_stop()))


def _learn(_: _Interest) -> Iterator[str]:
    yield "learned"


def _discs(thought: Thought) -> float | None:
    """Return a thought's value if it is in discs."""
    return thought.value if thought.unit is Unit.DISCS else None


def _search(thought: Thought) -> str:
    line = "".join(map(_name, thought.line or (thought.move,)))
    return f"search {line} {_discs(thought) or 0.0:.2f} 0 {_depth(thought)}"


def _tried(thought: Thought) -> str:
    """Write how often a tree search tried its moves: "Visits: F5 61, D3 52"."""
    if not thought.visits:
        return ""
    often = sorted(thought.visits.items(), key=lambda item: -item[1])[:_MOST_TRIED]
    return "Visits: " + ", ".join(f"{_name(move)} {visits}" for move, visits in often)


def _depth(thought: Thought) -> str:
    return "100%" if thought.exact else str(thought.depth or 0)


def _name(move: Move) -> str:
    return "PA" if move.is_pass else move.name.upper()


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
