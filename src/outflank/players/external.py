"""Other programs' engines as players: through GTP, NBoard's protocol, or Edax's console."""

from __future__ import annotations

import os
import shlex
import shutil
import threading
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outflank import _core
from outflank.errors import EngineError, ThinkingStoppedError
from outflank.evaluations import Unit
from outflank.othello import Game, Move
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.registry import register
from outflank.protocols.client import (
    Answer,
    EdaxClient,
    EngineClient,
    EnginePool,
    GtpClient,
    NBoardClient,
    find_edax,
)

# Where Debian puts engines, which is on people's path but not on the administrator's.
_GAMES = "/usr/games"
_MOST_PROCESSES = 256
_SECONDS_BETWEEN_LOOKS = 0.1


class ExternalPlayer(Player):
    """An engine in a process of its own, started when it is first asked.

    Attributes:
        timeout: Seconds that it has for one move.
        processes: How many of them run. With several, an engine switches between games less
            often; each switch means sending it a whole game.
    """

    needs_games = True
    batched = False  # it gains by processes, not by batches
    timeout: float
    processes: int

    def __post_init__(self) -> None:
        if not self.timeout > 0:
            raise ValueError("timeout must be more than 0 seconds")
        if not 1 <= self.processes <= _MOST_PROCESSES:
            raise ValueError(f"processes must be 1 to {_MOST_PROCESSES}")
        self.connect()

    @abstractmethod
    def connect(self) -> EngineClient:
        """Make a client of the engine without starting it; ValueError if that is impossible."""

    @cached_property
    def _pool(self) -> EnginePool:
        return EnginePool(self.connect, self.processes)

    def answers(self, games: Sequence[Game]) -> list[Answer | EngineError]:
        """Ask for a move in each game; a game in which the engine failed gets the error."""
        return self._pool.answers(games)

    def choose_in_games(self, games: Sequence[Game], keys: Keys | None = None) -> list[Move]:
        """Choose a move in each game; raise the first error, if there is one."""
        moves = []
        for answer in self.answers(games):
            if isinstance(answer, EngineError):
                raise answer
            moves.append(answer.move)
        return moves

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose a move for each board, each as a game that begins there."""
        return np.array(self.choose_in_games([Game(board) for board in boards]), np.uint8)

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Choose a move, with whatever else the engine reports.

        Engines have no command to answer at once, so stopping the thought ends the engine.
        """
        with self._ended_by(stop):
            (answer,) = self.answers([game])
            if isinstance(answer, EngineError):
                raise answer
        return Thought(
            answer.move,
            answer.value,
            answer.depth,
            answer.nodes,
            exact=answer.exact,
            line=answer.line,
            unit=self.unit,
        )

    @contextmanager
    def _ended_by(self, stop: _core.Stop | None) -> Iterator[None]:
        """End the engine if the thought is stopped in the meantime."""
        if stop is None:
            yield
            return
        done = threading.Event()

        def watch() -> None:
            while not done.wait(_SECONDS_BETWEEN_LOOKS):
                if stop.is_set:
                    self.interrupt()

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        try:
            yield
        except EngineError as error:
            if stop.is_set:
                raise ThinkingStoppedError("the engine was stopped before it answered") from error
            raise
        finally:
            done.set()
            watching.join()

    def interrupt(self) -> None:
        """End the engine from another thread; whoever asked it gets the error."""
        if "_pool" in vars(self):
            for client in self._pool.clients:
                client.interrupt()

    def close(self) -> None:
        """Let the engine quit; it is started again if it is asked again."""
        if "_pool" in vars(self):
            self._pool.close()


@register("gtp", "an engine that speaks GTP, such as gtp-rhino")
@dataclass
class GtpPlayer(ExternalPlayer):
    """An engine that speaks GTP.

    Args:
        cmd: Its command line.
        timeout: Seconds for one move.
        processes: How many of them run.
    """

    cmd: str = ""
    timeout: float = 60.0
    processes: int = 1

    def connect(self) -> EngineClient:
        """Make a client of the engine."""
        return GtpClient(_command(self.cmd), timeout=self.timeout)


@register("nboard", "an engine that speaks NBoard's protocol, such as NTest")
@dataclass
class NBoardPlayer(ExternalPlayer):
    """An engine that speaks NBoard's protocol.

    Args:
        cmd: Its command line.
        depth: Plies, or the engine's level.
        timeout: Seconds for one move.
        processes: How many of them run.
    """

    cmd: str = ""
    depth: int | None = None
    timeout: float = 60.0
    processes: int = 1

    unit = Unit.DISCS  # by the protocol
    gives_values = True

    def connect(self) -> EngineClient:
        """Make a client of the engine."""
        if self.depth is not None and self.depth < 1:
            raise ValueError("depth must be at least 1")
        return NBoardClient(_command(self.cmd), depth=self.depth, timeout=self.timeout)


@register("edax", "Edax, at one of its levels")
@dataclass
class EdaxPlayer(ExternalPlayer):
    """Edax at one of its levels.

    Args:
        level: 0 to 60.
        path: The program. Default: what OUTFLANK_EDAX names, or `edax`.
        threads: Threads of its search.
        book: Whether it uses its opening book.
        timeout: Seconds for one move.
        processes: How many of them run.
    """

    level: int = 5
    path: str = ""
    threads: int = 1
    book: bool = False
    timeout: float = 60.0
    processes: int = 1

    unit = Unit.DISCS
    gives_values = True

    def connect(self) -> EngineClient:
        """Make a client of Edax."""
        if not 0 <= self.level <= 60:
            raise ValueError("level must be 0 to 60")
        if self.threads < 1:
            raise ValueError("threads must be at least 1")
        return EdaxClient(
            find_edax(self.path),
            level=self.level,
            threads=self.threads,
            book=self.book,
            timeout=self.timeout,
        )


def _command(text: str) -> list[str]:
    """Split a command line as a shell would, and find its program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"cmd cannot be read: {error}") from None
    if not words:
        raise ValueError('cmd is missing: the command line of the engine, as in cmd="engine -x 1"')
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), _GAMES])
    program = shutil.which(words[0], path=places)
    if program is None:
        raise ValueError(f"there is no program {words[0]!r}")
    return [program, *words[1:]]
