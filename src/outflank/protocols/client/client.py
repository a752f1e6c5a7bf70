"""Asking another program's engine for moves, whatever its protocol."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from outflank.errors import EngineError, IllegalMoveError, NotationError
from outflank.othello import PASS, Game, Move, Position
from outflank.protocols.client.process import EngineProcess

_EXCERPT = 60  # characters of a wrong answer that a message shows


@dataclass(frozen=True)
class Answer:
    """An engine's move, and what it said about it."""

    move: Move
    value: float | None = None  # from the mover's view, in the engine's unit, mostly discs
    depth: int | None = None  # plies searched
    nodes: int | None = None  # positions looked at
    seconds: float = 0.0  # as measured here
    exact: bool = False  # the engine says that the value is the final score
    line: tuple[Move, ...] = ()  # the expected moves, this one first


class EngineClient(ABC):
    """One engine, started when it is first asked, and the game that it is at.

    An engine that hangs, ends or answers what it must not raises EngineError and is killed; it is
    started anew when it is asked again.
    """

    def __init__(
        self, command: Sequence[str], *, timeout: float = 60.0, folder: Path | None = None
    ) -> None:
        self.command = tuple(command)
        self.timeout = timeout  # seconds for one answer
        self.folder = folder  # in which the engine runs
        self._running: EngineProcess | None = None
        # The game as the engine knows it; None if it must be told a new one.
        self._start: Position | None = None
        self._moves: tuple[Move, ...] = ()

    @property
    def process(self) -> EngineProcess:
        """The running engine."""
        assert self._running is not None  # noqa: S101  # only asked while it is running
        return self._running

    def answer(self, game: Game) -> Answer:
        """Ask for a move in a game that is not over; a forced pass is answered without asking."""
        position = game.position
        if position.is_over:
            raise IllegalMoveError("there is nothing to choose: the game is over")
        if position.must_pass:
            return Answer(PASS)
        began = time.perf_counter()
        try:
            if self._running is None:
                self._running = EngineProcess(self.command, folder=self.folder)
                self.greet()
            answer = self.ask(game, position)
            self._refuse_illegal(answer.move, position)
        except BaseException:  # also Ctrl-C: an answer to this question must not come to the next
            self.kill()
            raise
        return replace(answer, seconds=time.perf_counter() - began)

    @abstractmethod
    def greet(self) -> None:
        """Say what must be said first to an engine that has been started."""

    @abstractmethod
    def ask(self, game: Game, position: Position) -> Answer:
        """Bring the engine to a game's last position and ask for a move, which is checked then."""

    def knows(self, game: Game) -> bool:
        """Return whether only moves must be added for the engine to be at a game."""
        return self._start == game.start and self._moves == game.moves[: len(self._moves)]

    def is_at(self, game: Game, *played: Move) -> None:
        """Note which game the engine is at."""
        self._start, self._moves = game.start, (*game.moves, *played)

    @property
    def known_plies(self) -> int:
        """How many plies of its game the engine has been told."""
        return len(self._moves)

    def close(self) -> None:
        """Let the engine quit."""
        if self._running is not None:
            self._running.close("quit")
        self.kill()

    def kill(self) -> None:
        """End the engine at once; the next question starts it anew."""
        if self._running is not None:
            self._running.kill()
        self._running = self._start = None
        self._moves = ()

    def interrupt(self) -> None:
        """End the engine from another thread; a question that waits for its answer fails."""
        running = self._running
        if running is not None:
            running.interrupt()

    def nonsense(self, text: str, expected: str) -> EngineError:
        """Make the error for an answer that cannot be read."""
        return EngineError(f"{self.process.name}: answered {excerpt(text)}, expected {expected}")

    def read_move(self, text: str) -> Move:
        """Read a move of an answer."""
        try:
            return Move(text)
        except NotationError:
            raise self.nonsense(text, "a move") from None

    def _refuse_illegal(self, move: Move, position: Position) -> None:
        try:
            position.play(move)
        except IllegalMoveError as error:
            raise EngineError(f"{self.process.name}: {error} (in {position.to_string()})") from None


def excerpt(text: str) -> str:
    """Quote the beginning of an answer for a message of one line."""
    return repr(text[:_EXCERPT]) + ("..." if len(text) > _EXCERPT else "")


def legal_line(position: Position, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return the moves of an expected line as far as they are legal; passes may be left out."""
    line: list[Move] = []
    for move in moves:
        if position.must_pass and not move.is_pass:
            line.append(PASS)
            position = position.play(PASS)
        if not position.is_legal(move):
            break
        line.append(move)
        position = position.play(move)
    return tuple(line)
