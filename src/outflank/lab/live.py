"""The socket: each open page has one, for live news of games, hints, reviews and runs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from outflank import _core
from outflank.errors import DataError, OutflankError, ThinkingStoppedError
from outflank.lab import analysing, answers
from outflank.lab import messages as said
from outflank.lab.table import Table, TableMessage
from outflank.othello import Color, Game

if TYPE_CHECKING:
    from outflank.lab.laboratory import Laboratory

_LONGEST = 64 * 1024  # characters of a message
_QUEUE = 1000  # unread messages after which a page is dropped
_PER_SECOND, _AT_ONCE = 40.0, 120.0  # messages from a page
_MOST_GAMES = 20  # that one page may join
_log = logging.getLogger(__name__)


class _FloodError(Exception):
    """A page keeps sending after the warning to wait."""


class Socket:
    """One page's connection."""

    def __init__(self, lab: Laboratory, socket: WebSocket) -> None:
        self.lab, self.socket = lab, socket
        self._out: asyncio.Queue[answers.AnyLive | None] = asyncio.Queue(_QUEUE)
        self._joined: dict[str, Table] = {}
        self._jobs: dict[str, tuple[asyncio.Task[None], _core.Stop]] = {}
        self._following: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._allowance, self._counted = _AT_ONCE, time.monotonic()
        self._closing: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serve the page until it leaves."""
        await self.socket.accept()
        writer = asyncio.create_task(self._write())
        try:
            while True:
                text = await self.socket.receive_text()
                await self._hear(text)
        except (WebSocketDisconnect, RuntimeError):
            pass
        except KeyError:  # bytes where text was expected
            await self._close(1003)
        except _FloodError:
            await self._close(1008)
        finally:
            self._leave_all()
            writer.cancel()
            ending = [writer] if self._closing is None else [writer, self._closing]
            # Whatever a connection that is gone raises, nobody is left to hear of it.
            await asyncio.gather(*ending, return_exceptions=True)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
            await self.socket.close(code)

    def tell(self, message: answers.AnyLive) -> None:
        """Send something; a page that does not read is dropped."""
        try:
            self._out.put_nowait(message)
        except asyncio.QueueFull:
            self._out = asyncio.Queue(1)
            self._closing = asyncio.get_running_loop().create_task(self._close(1013))

    async def _write(self) -> None:
        while (message := await self._out.get()) is not None:
            try:
                await self.socket.send_text(json.dumps(message))
            except (RuntimeError, WebSocketDisconnect, OSError):
                return

    async def _hear(self, text: str) -> None:
        kind = ""
        try:
            if not self._may_speak():
                raise DataError("too many messages; wait a moment")
            if len(text) > _LONGEST:
                raise DataError(f"a message has at most {_LONGEST} characters")
            data = _object_in(text)
            kind = _kind_of(data)
            await self._obey(_message_in(data))
        except OutflankError as error:
            self.tell({"type": "error", "about": kind, "message": str(error)})
        except ValueError as error:
            self.tell({"type": "error", "about": kind, "message": f"not understood: {error}"})

    def _may_speak(self) -> bool:
        now = time.monotonic()
        earned = _PER_SECOND * (now - self._counted)
        self._allowance = min(_AT_ONCE, self._allowance + earned) - 1
        self._counted = now
        if self._allowance < -_AT_ONCE:
            raise _FloodError
        return self._allowance >= 0

    async def _obey(self, message: said.Message) -> None:
        match message:
            case said.Ping():
                self.tell({"type": "pong"})
            case said.Join():
                self._join(message.game, message.watch)
            case said.Simple(type="leave"):
                self._leave(message.game)
            case said.Follow():
                self._follow(message)
            case said.Hints():
                self._hint(message)
            case said.Opinions():
                self._ask(message)
            case said.Review():
                self._review(message)
            case said.GameMessage():
                self._act(self.lab.tables.find(message.game), message)

    def _act(self, table: Table, message: said.GameMessage) -> None:
        """Carry out a message about a game."""
        match message:
            case said.Play():
                table.play(message.ply, message.move)
            case said.GoTo():
                table.go_to(message.ply)
            case said.Resign():
                table.resign(Color(message.side))
            case said.Delay():
                table.set_delay(message.seconds)
            case said.Simple():
                actions: dict[str, Callable[[], None]] = {
                    "undo": table.undo, "redo": table.redo, "swap": table.swap,
                    "restart": table.restart, "pause": table.pause, "go": table.go,
                    "step": table.step, "stop": table.move_now,
                }  # fmt: skip
                actions[message.type]()

    def _join(self, key: str, watch: bool) -> None:
        if key not in self._joined and len(self._joined) >= _MOST_GAMES:
            raise DataError(f"a page joins no more than {_MOST_GAMES} games; leave one")
        self._joined.setdefault(key, self.lab.tables.find(key)).join(self._told, watch=watch)

    def _told(self, message: TableMessage) -> None:
        """Pass on the news of a table."""
        if message["type"] == "gone":
            self._leave(message["game"])
        self.tell(message)

    def _leave(self, key: str) -> None:
        for kind in ("hints", "opinions", "review"):
            self._end_job(f"{kind}:{key}")
        table = self._joined.pop(key, None)
        if table is not None:
            table.leave(self._told)

    def _leave_all(self) -> None:
        for key in list(self._joined):
            self._leave(key)
        for key in list(self._jobs):
            self._end_job(key)
        for task in self._following.values():
            task.cancel()

    def _moment(self, game: str, ply: int) -> Game:
        whole = self.lab.tables.find(game).game
        if ply > len(whole.moves):
            raise DataError(f"there is no ply {ply}; the game has {len(whole.moves)}")
        return whole.undo(len(whole.moves) - ply)

    def _start_job(
        self, key: str, work: Callable[[_core.Stop, analysing.Tell], None], about: dict[str, Any]
    ) -> None:
        """Start a job. Each game has one job of a kind; a new one ends the one before."""
        self._end_job(key)
        stop = _core.Stop()
        loop = asyncio.get_running_loop()

        def tell(part: dict[str, Any]) -> None:
            if not stop.is_set:
                message = cast("answers.AnyLive", {**about, **part})
                loop.call_soon_threadsafe(self.tell, message)

        async def run() -> None:
            try:
                await self.lab.pool.run_in_turn(about["type"], lambda: work(stop, tell), stop)
            except ThinkingStoppedError:
                pass
            except Exception as error:
                self._tell_problem(about["type"], error)

        self._jobs[key] = (loop.create_task(run()), stop)

    def _end_job(self, key: str) -> None:
        task, stop = self._jobs.pop(key, (None, None))
        if task is not None and stop is not None:
            stop.set()
            task.cancel()

    def _hint(self, message: said.Hints) -> None:
        key = f"hints:{message.game}"
        if message.ply is None:
            self._end_job(key)
            return
        game = self._moment(message.game, message.ply)
        about = {"type": "hints", "game": message.game, "ply": message.ply}
        self._start_job(key, lambda stop, tell: analysing.hint(game, stop, tell), about)

    def _ask(self, message: said.Opinions) -> None:
        game = self._moment(message.game, message.ply)
        for spec in message.players:
            self.lab.roster.resolve(spec)
        about = {"type": "opinions", "game": message.game, "ply": message.ply}

        def work(stop: _core.Stop, tell: analysing.Tell) -> None:
            found: list[dict[str, Any]] = []
            if not game.is_over and not game.position.must_pass:
                for spec in message.players:
                    if stop.is_set:
                        raise ThinkingStoppedError("nobody waits for the opinions any longer")
                    found.append(analysing.opinion(spec, self.lab.roster, game, stop))
                    tell({"players": found})
            tell({"players": found})

        self._start_job(f"opinions:{message.game}", work, about)

    def _review(self, message: said.Review) -> None:
        key = f"review:{message.game}"
        spec = message.player
        if spec is None:
            self._end_job(key)
            return
        self.lab.roster.resolve(spec)
        game = self.lab.tables.find(message.game).game
        about = {"type": "review", "game": message.game}
        self._start_job(
            key,
            lambda stop, tell: analysing.review(spec, self.lab.roster, game, stop, tell),
            about,
        )

    def _follow(self, message: said.Follow) -> None:
        key = (message.what, str(message.name))
        task = self._following.pop(key, None)
        if task is not None:
            task.cancel()
        if message.on:
            news = self.lab.runs.news if message.what == "run" else self.lab.arena.news
            self._following[key] = asyncio.get_running_loop().create_task(
                self._pass_on(message, news(str(message.name)))
            )

    async def _pass_on(self, message: said.Follow, news: Any) -> None:
        try:
            async for part in news:
                self.tell(cast("answers.AnyLive", {"type": message.what, **part}))
        except Exception as error:
            self._tell_problem("follow", error)

    def _tell_problem(self, about: str, error: Exception) -> None:
        """Report an error that no message of the page caused directly."""
        problem = str(error)
        if not isinstance(error, OutflankError):
            _log.error("%s failed", about, exc_info=error)
            problem = f"it failed: {str(error) or type(error).__name__}"
        self.tell({"type": "error", "about": about, "message": problem})


def _object_in(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise DataError("a message is one JSON object")
    return data


def _kind_of(data: dict[str, Any]) -> str:
    """Return the type that a message claims to have, for error messages."""
    kind = data.get("type")
    return kind if isinstance(kind, str) and len(kind) < 20 else ""


def _message_in(data: dict[str, Any]) -> said.Message:
    try:
        return said.MESSAGES.validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "message"
        raise DataError(f"{place}: {first['msg']}") from None
