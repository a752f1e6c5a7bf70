"""A table: a game between two seats, of people or players, that any number of pages look at."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from outflank import _core
from outflank.errors import IllegalMoveError, OutflankError, SpecError
from outflank.lab.roster import HUMAN, Roster
from outflank.lab.table_state import NO_TIME, TableState, result_of
from outflank.lab.thinking import NobodyWaitsError, Pool, think
from outflank.lab.views import place_json, thought_json
from outflank.othello import BLACK, PASS, Color, Game, Move, Note, Position
from outflank.othello.openings import opening_name
from outflank.players import Player, Spec, Thought, make_player

MOST_DELAY = 60.0
_SECONDS_KEPT = 30.0  # that players are kept when nobody plays any more
_SECONDS_TO_CLOSE = 2.0
_LENIENT = "imitation-fast"  # who plays with a handicap in place of players that cannot
_PLACES_KNOWN = 500
Listener = Callable[[dict[str, Any]], None]
_log = logging.getLogger(__name__)


class Table:
    """A game that goes on: it asks its players, keeps the clocks and tells who looks at it."""

    def __init__(
        self, state: TableState, roster: Roster, pool: Pool, keep: Callable[[TableState], None]
    ) -> None:
        """keep: writes the state; called after every change."""
        self.state = state
        self.version = 0
        self._roster, self._pool, self._write = roster, pool, keep
        self._listeners: dict[Listener, bool] = {}  # whether each only watches
        self._players: dict[str, Player] = {}
        self._using_players = threading.Lock()  # a search that was cancelled may not be over yet
        self._thinking: asyncio.Task[None] | None = None
        self._turn = 0  # what was begun in another turn comes too late
        self._delay_changed = asyncio.Event()
        self._stop = _core.Stop()
        self._flag: asyncio.TimerHandle | None = None
        self._release: asyncio.TimerHandle | None = None
        self._is_gone = False
        self._turn_began: float | None = None
        self._made_for = ""  # the seats that the players were made for
        self._only_one = False  # pause after the next move
        self._names: dict[str, str] = {}
        self._stoppable: dict[str, bool] = {}
        self._known: tuple[tuple[Move, ...], list[Position]] = ((), [state.start])
        self._places: dict[Position, dict[str, Any]] = {}

    # What is so.

    @property
    def game(self) -> Game:
        """The game as it stands."""
        state, facts, result = self.state, self.state.facts, self.result
        return Game(
            state.start,
            tuple(state.moves),
            black=facts.get("black") or self._name(state.black),
            white=facts.get("white") or self._name(state.white),
            date=facts.get("date") or state.created[:10],
            event=facts.get("event", ""),
            site=facts.get("site", ""),
            result=None if result is None else result["score"],
            comment=facts.get("comment", ""),
            notes={
                ply: Note(**note) for ply, note in state.notes.items() if ply < len(state.moves)
            },
        )

    @property
    def _positions(self) -> list[Position]:
        """All positions; those that were there the last time are not made again."""
        known, positions = self._known
        moves = tuple(self.state.moves)
        if moves != known:
            same = 0
            while same < min(len(known), len(moves)) and known[same] == moves[same]:
                same += 1
            positions = positions[: same + 1]
            for move in moves[same:]:
                positions.append(positions[-1].play(move))
            self._known = moves, positions
        return positions

    def _name(self, spec: str) -> str:
        """Return how people call whoever has a seat; looked up once."""
        if spec not in self._names:
            name = self._roster.name_of(spec)
            if self.state.budget is not None and spec != HUMAN:
                name = self._name_with_handicap(spec, self.state.budget)
            self._names[spec] = name
        return self._names[spec]

    def _name_with_handicap(self, spec: str, budget: float) -> str:
        """Tell who really plays: not all players can give discs away."""
        network = self._network(spec)
        asked = Spec.parse(spec)
        name = self._roster.name_of(str(Spec(asked.kind, asked.argument))) if network else _LENIENT
        return f"{name}, gives away up to {budget:g} discs"

    def _network(self, spec: str) -> str | None:
        """Return the network of a player that is one, or None."""
        try:
            made = Spec.parse(self._roster.resolve(spec))
        except SpecError:  # a run that is not there any more
            return None
        return made.argument if made.kind == "policy" else None

    def _can_stop(self, spec: str) -> bool:
        """Tell whether a player can be told to move at once; looked up once."""
        if spec not in self._stoppable:
            try:
                made = Spec.parse(self._roster.resolve(spec))
            except SpecError:
                return False
            self._stoppable[spec] = made.kind == "alphabeta" and self.state.budget is None
        return self._stoppable[spec]

    def _place(self, position: Position) -> dict[str, Any]:
        """Describe a position; most were described before."""
        if position not in self._places:
            if len(self._places) >= _PLACES_KNOWN:
                self._places.clear()
            self._places[position] = place_json(position)
        return self._places[position]

    def seat(self, side: Color) -> str:
        """Return the spec of a side's player, or `human`."""
        return self.state.black if side is BLACK else self.state.white

    @property
    def result(self) -> dict[str, Any] | None:
        """How the game ended, if it did."""
        if self.state.result is not None:
            return self.state.result
        position = self._positions[-1]
        if not position.is_over:
            return None
        return result_of(position.score_of(BLACK), "board")

    def to_json(self) -> dict[str, Any]:
        """Describe the table to the page."""
        state, game = self.state, self.game
        return {
            "id": state.id,
            "version": self.version,
            "black": self._seat_json(state.black, game.black),
            "white": self._seat_json(state.white, game.white),
            "start": state.start.to_string(),
            "plies": [self._place(position) for position in self._positions],
            "moves": [move.name for move in state.moves],
            "future": [move.name for move in state.future],
            "opening": opening_name(game),
            "transcript": game.transcript,
            "thoughts": {str(ply): thought for ply, thought in state.thoughts.items()},
            "clock": {
                **self._used(),
                "limit": state.limit,
                "running": self._running.value if self._running else None,
            },
            "thinking": self._running.value if self._running and self._thinking else None,
            "can_stop": (
                self._can_stop(self.seat(self._running))
                if self._running and self._thinking
                else None
            ),
            "can_undo": self._ply_to_undo() is not None,
            "given": state.given,
            "paused": state.paused,
            "delay": state.delay,
            "budget": state.budget,
            "result": self.result,
            "created": state.created,
            "facts": state.facts,
        }

    def _seat_json(self, spec: str, name: str) -> dict[str, Any]:
        return {"spec": spec, "name": name, "human": spec == HUMAN}

    @property
    def _running(self) -> Color | None:
        """Whose clock runs."""
        if self.state.paused or self.result is not None or not self._is_played:
            return None
        return self._positions[-1].turn

    def _used(self) -> dict[str, float]:
        used = dict(self.state.used)
        if self._running and self._turn_began is not None:
            used[self._running.value] += time.monotonic() - self._turn_began
        return {side: round(seconds, 2) for side, seconds in used.items()}

    # Who looks.

    def join(self, listener: Listener, *, watch: bool = False) -> None:
        """Tell somebody of all changes from now on; the first one sets the game going.

        watch: only look; the game does not go on for those.
        """
        was_played = self._is_played
        if self._listeners.get(listener) is False and watch:
            self.leave(listener)
        self._listeners[listener] = watch
        if self._is_played and not was_played:
            if self._release is not None:
                self._release.cancel()
                self._release = None
            self._go_on()
            self._tell({"type": "table", "table": self.to_json()})
        else:
            listener({"type": "table", "table": self.to_json()})

    def leave(self, listener: Listener) -> None:
        """Tell somebody no more; a search that nobody waits for is cancelled."""
        was_played = self._is_played
        self._spend()
        self._listeners.pop(listener, None)
        if was_played and not self._is_played and not self._is_gone:
            self._halt()
            self._turn_began = None
            self._keep()
            self._tell({"type": "table", "table": self.to_json()})
            self._release = asyncio.get_running_loop().call_later(
                _SECONDS_KEPT, self._release_players
            )

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks."""
        return bool(self._listeners)

    @property
    def _is_played(self) -> bool:
        """Whether somebody is there for whom the game goes on."""
        return not all(self._listeners.values())

    def _tell(self, message: dict[str, Any]) -> None:
        for listener in list(self._listeners):
            listener(message)

    def remove(self) -> None:
        """End the game for all who look at it, and keep it no more."""
        self._is_gone = True
        self._halt()
        self._tell({"type": "gone", "game": self.state.id})
        self._listeners.clear()

    def _keep(self) -> None:
        if not self._is_gone:
            self._write(self.state)

    def _changed(self) -> None:
        self.version += 1
        self._halt()
        self._pass_where_forced()
        self._keep()
        self._go_on()
        self._tell({"type": "table", "table": self.to_json()})

    # What people do.

    def play(self, ply: int, name: str) -> None:
        """Play a move after the first `ply` moves; what came after them is dropped."""
        state = self.state
        if not 0 <= ply <= len(state.moves):
            raise IllegalMoveError(f"there is no ply {ply}; the game has {len(state.moves)}")
        if ply == len(state.moves) and self.result is not None:
            raise IllegalMoveError("the game is over")
        position = self._positions[ply]
        if ply == len(state.moves) and self.seat(position.turn) != HUMAN and not state.paused:
            raise IllegalMoveError(f"it is the turn of {self._name(self.seat(position.turn))}")
        move = Move(name)
        position.play(move)  # an illegal one is told
        self._spend()
        if ply < len(state.moves):
            state.future = []
            self._cut(ply)
        self._add(move)
        self._changed()

    def _add(self, move: Move) -> None:
        """Put a move behind the others; what can be redone stays if it begins so."""
        state = self.state
        state.moves.append(move)
        if state.future and state.future[0] == move:
            del state.future[0]
        elif state.future:
            state.future = []
            self._forget_from(len(state.moves) - 1)
        state.used_at[len(state.moves)] = dict(state.used)

    def undo(self) -> None:
        """Take back to where a person last had a choice, or one move between players."""
        ply = self._ply_to_undo()
        if ply is None:
            raise IllegalMoveError("there is nothing to take back")
        self.go_to(ply)

    def _ply_to_undo(self) -> int | None:
        """Return where taking back leads, if there is such a moment."""
        keep = len(self.state.moves) - 1
        if HUMAN in (self.state.black, self.state.white):
            positions = self._positions
            while keep >= 0 and not self._is_choice(positions[keep]):
                keep -= 1
        return keep if keep >= 0 else None

    def redo(self) -> None:
        """Play again what was taken back, up to where a person has a choice."""
        state = self.state
        if not state.future:
            raise IllegalMoveError("there is nothing to play again")
        ply = len(state.moves) + 1
        positions = list(Game(state.start, (*state.moves, *state.future)).positions())
        last = len(positions) - 1
        while ply < last and not self._is_choice(positions[ply]):
            ply += 1
        self.go_to(ply)

    def _is_choice(self, position: Position) -> bool:
        return self.seat(position.turn) == HUMAN and bool(position.legal_squares)

    def go_to(self, ply: int) -> None:
        """Make a moment the present; later moves can be played again."""
        state = self.state
        every = [*state.moves, *state.future]
        if not 0 <= ply <= len(every):
            raise IllegalMoveError(f"there is no ply {ply}; the game has {len(every)}")
        state.result = None
        state.moves, state.future = every[:ply], every[ply:]
        self._set_clocks_back(ply)
        if ply < len(every) and HUMAN not in (state.black, state.white):
            state.paused = True  # else the players would go on at once
        self._changed()

    def swap(self) -> None:
        """Let the seats change places."""
        self._spend()
        self.state.black, self.state.white = self.state.white, self.state.black
        self._changed()

    def restart(self) -> None:
        """Begin again, with the same seats and the moves that were given."""
        state = self.state
        state.moves = [*state.moves, *state.future][: state.given]
        state.future, state.result = [], None
        self._forget_from(state.given)
        state.used = dict(NO_TIME)
        self._changed()

    def pause(self) -> None:
        """Stop the clocks and the players."""
        self._only_one = False
        self._spend()
        self.state.paused = True
        self._changed()

    def go(self) -> None:
        """Go on after a pause."""
        self._only_one = False
        self.state.paused = False
        self._changed()

    def step(self) -> None:
        """Let the player that is to move make one move, and pause."""
        if self.result is not None:
            raise IllegalMoveError("the game is over")
        self.state.paused = False
        self._only_one = True
        self._changed()

    def resign(self, side: Color) -> None:
        """End the game as a loss of one side."""
        if self.result is not None:
            raise IllegalMoveError("the game is over")
        self._spend()
        self._end(side.other, "resigned", f"{side.value.capitalize()} resigns.")

    def move_now(self) -> None:
        """Let the player that thinks answer at once."""
        if self._thinking is not None and self._running is not None:
            spec = self.seat(self._running)
            if not self._can_stop(spec):
                raise IllegalMoveError(f"{self._name(spec)} cannot be told to move at once")
            self._stop.set()

    def set_delay(self, seconds: float) -> None:
        """Choose how long each move between players takes at least."""
        self.state.delay = min(max(0.0, seconds), MOST_DELAY)
        self._delay_changed.set()
        self.version += 1
        self._keep()
        self._tell({"type": "table", "table": self.to_json()})

    def _end(self, winner: Color | None, reason: str, text: str) -> None:
        score = 0 if winner is None else 64 if winner is BLACK else -64
        name = winner.value if winner else None
        self.state.result = {"winner": name, "score": score, "reason": reason, "text": text}
        self._changed()

    def _cut(self, ply: int) -> None:
        """Drop the moves from a ply on."""
        state = self.state
        state.result = None
        del state.moves[ply:]
        self._set_clocks_back(ply)
        self._forget_from(ply)

    def _forget_from(self, ply: int) -> None:
        """Drop what was noted of the moves from a ply on."""
        state = self.state
        state.given = min(state.given, ply)
        state.thoughts = {at: one for at, one in state.thoughts.items() if at < ply}
        state.notes = {at: one for at, one in state.notes.items() if at < ply}
        state.used_at = {at: one for at, one in state.used_at.items() if at <= ply}

    def _pass_where_forced(self) -> None:
        state = self.state
        while state.result is None:
            if not self._positions[-1].must_pass:
                return
            self._add(PASS)

    # Clocks.

    def _spend(self) -> None:
        """Charge the side to move with the time since its turn began."""
        if self._running and self._turn_began is not None:
            now = time.monotonic()
            self.state.used[self._running.value] += now - self._turn_began
            self._turn_began = now

    def _set_clocks_back(self, ply: int) -> None:
        """Give both sides the time again that they had when a ply began."""
        known = [at for at in self.state.used_at if at <= ply]
        self.state.used = dict(self.state.used_at[max(known)] if known else NO_TIME)

    def _start_clock(self, side: Color) -> None:
        self._turn_began = time.monotonic()
        limit = self.state.limit
        if limit is not None:
            left = max(0.0, limit - self.state.used[side.value])
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(left, self._time_is_up, side, self._turn)

    def _time_is_up(self, side: Color, turn: int) -> None:
        if self._turn == turn and self._running is side:
            self._spend()
            self._end(side.other, "time", f"{side.value.capitalize()}'s time is up.")

    # Players.

    def _halt(self) -> None:
        """Cancel the search that goes on, and the clock."""
        self._turn += 1
        self._stop.set()
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    def _go_on(self) -> None:
        """Start the clock of whoever is to move, and ask if it is a player."""
        side = self._running
        if side is None:
            self._turn_began = None
            return
        self._start_clock(side)
        if self.seat(side) != HUMAN:
            self._stop = _core.Stop()
            self._thinking = asyncio.get_running_loop().create_task(
                self._let_think(side, self._stop, self._turn)
            )

    async def _let_think(self, side: Color, stop: _core.Stop, turn: int) -> None:
        began = time.monotonic()
        game = self.game
        loop = asyncio.get_running_loop()
        cancelled = _core.Stop()  # unlike `stop`, which may only ask for an answer at once

        def work() -> tuple[Player, Thought]:
            def heard(thought: Thought) -> None:
                loop.call_soon_threadsafe(self._report, side, thought_json(thought, player), turn)

            with self._using_players:
                if cancelled.is_set:
                    raise NobodyWaitsError
                player = self._player(side)
                return player, think(player, game, stop, heard)

        try:
            player, thought = await self._pool.run(work, cancelled)
            game.play(thought.move)  # a player that is wrong loses
            if HUMAN not in (self.state.black, self.state.white):
                await self._wait_until(began)
        except NobodyWaitsError:
            return
        except OutflankError as error:
            self._fail(side, turn, str(error))
            return
        except Exception as error:
            _log.exception("%s failed", self.seat(side))
            self._fail(side, turn, f"it failed: {str(error) or type(error).__name__}")
            return
        if self._turn == turn:
            self._thinking = None  # this task: _changed must not cancel it
            self._answer(thought, player)

    async def _wait_until(self, began: float) -> None:
        """Wait for the rest of the delay, however often that is changed meanwhile."""
        while (left := self.state.delay - (time.monotonic() - began)) > 0:
            self._delay_changed.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._delay_changed.wait(), left)

    def _fail(self, side: Color, turn: int, problem: str) -> None:
        """End the game as a loss of a player that does not answer as it should."""
        if self._turn == turn:
            self._thinking = None
            self._end(side.other, "error", f"{self._name(self.seat(side))}: {problem}")

    def _report(self, side: Color, thought: dict[str, Any], turn: int) -> None:
        if self._turn == turn:
            message = {"type": "thinking", "game": self.state.id, "side": side.value}
            self._tell({**message, "thought": thought})

    def _answer(self, thought: Thought, player: Player) -> None:
        state = self.state
        self._spend()
        self._add(thought.move)
        state.thoughts[len(state.moves) - 1] = thought_json(thought, player)
        if self._only_one:
            self._only_one, state.paused = False, True
        self._changed()

    def _player(self, side: Color) -> Player:
        """Return a seat's player, made when it is first asked; with the handicap, if any."""
        wanted = f"{self.state.black}|{self.state.white}|{self.state.budget}"
        if wanted != self._made_for:
            self._close_players()
            self._made_for = wanted
        if side.value not in self._players:
            spec = self.seat(side)
            if self.state.budget is not None:
                options = {
                    "discs": f"{self.state.budget:g}", "name": self._network(spec) or _LENIENT,
                }  # fmt: skip
                self._players[side.value] = make_player(Spec("lenient", options=options))
            else:
                self._players[side.value] = self._roster.make(spec)
        return self._players[side.value]

    def _release_players(self) -> None:
        """Let players go that nobody plays with; their searches are over or told to end."""
        self._release = None
        if not self._is_played:
            asyncio.get_running_loop().run_in_executor(None, self.close_players)

    def close_players(self, patience: float = -1) -> None:
        """End what the players keep running, as soon as none of them is asked any more.

        patience: seconds to wait for that; without, as long as it takes.
        """
        if self._using_players.acquire(timeout=patience):
            try:
                self._close_players()
            finally:
                self._using_players.release()

    def _close_players(self) -> None:
        players, self._players = self._players, {}
        self._made_for = ""
        for player in players.values():
            player.close()

    def close(self) -> None:
        """End all that goes on, and keep the game."""
        self._spend()
        self._halt()
        if self._release is not None:
            self._release.cancel()
            self._release = None
        self._keep()
        self.close_players(_SECONDS_TO_CLOSE)
