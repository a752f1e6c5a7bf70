"""A table: a game between two seats, of people or players, that any number of pages look at."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from outflank import _core
from outflank.errors import IllegalMoveError, OutflankError
from outflank.lab.roster import HUMAN, Roster
from outflank.lab.thinking import NobodyWaitsError, Pool, think
from outflank.lab.views import place_json, thought_json
from outflank.othello import BLACK, PASS, Color, Game, Move, Position
from outflank.othello.openings import opening_name
from outflank.players import Player, Spec, Thought, make_player

FORMAT = 1
MOST_DELAY = 60.0
Listener = Callable[[dict[str, Any]], None]


@dataclass
class TableState:
    """All of a table that is kept on disk."""

    id: str
    black: str
    white: str
    start: Position = field(default_factory=Position.start)
    moves: list[Move] = field(default_factory=list)
    future: list[Move] = field(default_factory=list)  # what redo plays, next first
    thoughts: dict[int, dict[str, Any]] = field(default_factory=dict)
    used: dict[str, float] = field(default_factory=lambda: {"black": 0.0, "white": 0.0})
    limit: float | None = None  # seconds for each side
    budget: float | None = None  # discs that a player may give away
    delay: float = 0.0
    paused: bool = False
    result: dict[str, Any] | None = None  # if the game ended otherwise than on the board
    created: str = ""
    facts: dict[str, str] = field(default_factory=dict)  # names, event, date of a record

    def to_json(self) -> dict[str, Any]:
        """Write it as JSON has it."""
        return {
            **vars(self),
            "format": FORMAT,
            "start": self.start.to_string(),
            "moves": [move.name for move in self.moves],
            "future": [move.name for move in self.future],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TableState:
        """Read what to_json wrote; a wrong one raises KeyError, TypeError or ValueError."""
        if data.pop("format") != FORMAT:
            raise ValueError("another format")
        start = Position.from_string(data.pop("start"))
        moves = [Move(name) for name in data.pop("moves")]
        future = [Move(name) for name in data.pop("future")]
        thoughts = {int(ply): thought for ply, thought in data.pop("thoughts").items()}
        state = cls(start=start, moves=moves, future=future, thoughts=thoughts, **data)
        Game.from_moves([*moves, *future], start)  # all must be legal
        return state


class Table:
    """A game that goes on: it asks its players, keeps the clocks and tells who looks at it."""

    def __init__(
        self, state: TableState, roster: Roster, pool: Pool, keep: Callable[[TableState], None]
    ) -> None:
        """keep: writes the state; called after every change."""
        self.state = state
        self.version = 0
        self._roster, self._pool, self._keep = roster, pool, keep
        self._listeners: list[Listener] = []
        self._players: dict[str, Player] = {}
        self._thinking: asyncio.Task[None] | None = None
        self._stop = _core.Stop()
        self._flag: asyncio.TimerHandle | None = None
        self._turn_began: float | None = None
        self._made_for = ""  # the seats that the players were made for
        self._only_one = False  # pause after the next move
        self._names: dict[str, str] = {}
        self._known_moves: tuple[Move, ...] = ()
        self._known_places: list[dict[str, Any]] = []

    # What is so.

    @property
    def game(self) -> Game:
        """The game as it stands."""
        state, facts = self.state, self.state.facts
        return Game(
            state.start,
            tuple(state.moves),
            black=facts.get("black") or self._name(state.black),
            white=facts.get("white") or self._name(state.white),
            date=facts.get("date") or state.created[:10],
            event=facts.get("event", ""),
            site=facts.get("site", ""),
        )

    def _name(self, spec: str) -> str:
        """Return how people call a player; looked up once."""
        if spec not in self._names:
            self._names[spec] = self._roster.name_of(spec)
        return self._names[spec]

    def _places(self, game: Game) -> list[dict[str, Any]]:
        """Describe all positions; those that were there the last time are known."""
        same = 0
        for known, move in zip(self._known_moves, game.moves, strict=False):
            if known != move:
                break
            same += 1
        del self._known_places[same + 1 :]
        for position in list(game.positions())[len(self._known_places) :]:
            self._known_places.append(place_json(position))
        self._known_moves = game.moves
        return self._known_places

    def seat(self, side: Color) -> str:
        """Return the spec of a side's player, or `human`."""
        return self.state.black if side is BLACK else self.state.white

    @property
    def result(self) -> dict[str, Any] | None:
        """How the game ended, if it did."""
        if self.state.result is not None:
            return self.state.result
        position = self.game.position
        if not position.is_over:
            return None
        winner = position.winner
        score = position.score_of(BLACK)
        text = f"{winner.value.capitalize()} wins by {abs(score)}." if winner else "A draw."
        return {
            "winner": winner.value if winner else None,
            "score": score,
            "reason": "board",
            "text": text,
        }

    def to_json(self) -> dict[str, Any]:
        """Describe the table to the page."""
        state, game = self.state, self.game
        return {
            "id": state.id,
            "version": self.version,
            "black": self._seat_json(state.black, game.black),
            "white": self._seat_json(state.white, game.white),
            "start": state.start.to_string(),
            "plies": self._places(game),
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
        if self.state.paused or self.result is not None or not self._listeners:
            return None
        return self.game.position.turn

    def _used(self) -> dict[str, float]:
        used = dict(self.state.used)
        if self._running and self._turn_began is not None:
            used[self._running.value] += time.monotonic() - self._turn_began
        return {side: round(seconds, 2) for side, seconds in used.items()}

    # Who looks.

    def join(self, listener: Listener) -> None:
        """Tell somebody of all changes from now on; the first one sets the game going."""
        self._listeners.append(listener)
        if len(self._listeners) == 1:
            self._go_on()
        listener({"type": "table", "table": self.to_json()})

    def leave(self, listener: Listener) -> None:
        """Tell somebody no more; a search that nobody waits for is cancelled."""
        if listener in self._listeners:
            self._listeners.remove(listener)
        if not self._listeners:
            self._halt()
            self._keep(self.state)

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks."""
        return bool(self._listeners)

    def _tell(self, message: dict[str, Any]) -> None:
        for listener in list(self._listeners):
            listener(message)

    def _changed(self) -> None:
        self.version += 1
        self._halt()
        self._pass_where_forced()
        self._keep(self.state)
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
        game = Game(state.start, tuple(state.moves[:ply]))
        position = game.position
        if ply == len(state.moves) and self.seat(position.turn) != HUMAN and not state.paused:
            raise IllegalMoveError(f"it is the turn of {self._name(self.seat(position.turn))}")
        move = Move(name)
        position.play(move)  # an illegal one is told
        self._spend()
        if state.future and ply == len(state.moves) and state.future[0] == move:
            del state.future[0]
        else:
            state.future = []
        self._cut(ply)
        state.moves.append(move)
        self._changed()

    def undo(self) -> None:
        """Take back to where a person last had a choice, or one move between players."""
        keep = len(self.state.moves) - 1
        positions = list(self.game.positions())
        if HUMAN in (self.state.black, self.state.white):
            while keep > 0 and not self._is_choice(positions[keep]):
                keep -= 1
        if keep < 0:
            raise IllegalMoveError("there is nothing to take back")
        self.go_to(keep)

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
        self._spend()
        state.result = None
        state.moves, state.future = every[:ply], every[ply:]
        if ply < len(every) and HUMAN not in (state.black, state.white):
            state.paused = True  # else the players would go on at once
        self._changed()

    def swap(self) -> None:
        """Let the seats change places."""
        self._spend()
        self.state.black, self.state.white = self.state.white, self.state.black
        self._changed()

    def restart(self) -> None:
        """Begin again, with the same seats."""
        state = self.state
        state.moves, state.future, state.thoughts, state.result = [], [], {}, None
        state.used = {"black": 0.0, "white": 0.0}
        self._turn_began = None
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
        self._stop.set()

    def set_delay(self, seconds: float) -> None:
        """Choose how long each move between players takes at least."""
        self.state.delay = min(max(0.0, seconds), MOST_DELAY)
        self.version += 1
        self._keep(self.state)
        self._tell({"type": "table", "table": self.to_json()})

    def _end(self, winner: Color | None, reason: str, text: str) -> None:
        score = 0 if winner is None else 64 if winner is BLACK else -64
        name = winner.value if winner else None
        self.state.result = {"winner": name, "score": score, "reason": reason, "text": text}
        self._changed()

    def _cut(self, ply: int) -> None:
        state = self.state
        state.result = None
        del state.moves[ply:]
        state.thoughts = {at: one for at, one in state.thoughts.items() if at < ply}

    def _pass_where_forced(self) -> None:
        state = self.state
        while state.result is None:
            position = self.game.position
            if not position.must_pass:
                return
            state.moves.append(PASS)
            if state.future and state.future[0] == PASS:
                del state.future[0]

    # Clocks.

    def _spend(self) -> None:
        """Charge the side to move with the time since its turn began."""
        if self._running and self._turn_began is not None:
            now = time.monotonic()
            self.state.used[self._running.value] += now - self._turn_began
            self._turn_began = now

    def _start_clock(self, side: Color) -> None:
        self._turn_began = time.monotonic()
        limit = self.state.limit
        if limit is not None:
            left = max(0.0, limit - self.state.used[side.value])
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(left, self._time_is_up, side, self.version)

    def _time_is_up(self, side: Color, version: int) -> None:
        if self.version == version and self._running is side:
            self._spend()
            self._end(side.other, "time", f"{side.value.capitalize()}'s time is up.")

    # Players.

    def _halt(self) -> None:
        """Cancel the search that goes on, and the clock."""
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
                self._let_think(side, self._stop, self.version)
            )

    async def _let_think(self, side: Color, stop: _core.Stop, version: int) -> None:
        began = time.monotonic()
        game = self.game
        loop = asyncio.get_running_loop()
        try:
            player = await self._pool.run(lambda: self._player(side), _core.Stop())

            def heard(thought: Thought) -> None:
                loop.call_soon_threadsafe(
                    self._report, side, thought_json(thought, player), version
                )

            thought = await self._pool.run(lambda: think(player, game, stop, heard), stop)
            if HUMAN not in (self.state.black, self.state.white):
                await asyncio.sleep(max(0.0, self.state.delay - (time.monotonic() - began)))
        except NobodyWaitsError:
            return
        except OutflankError as error:
            if self.version == version:
                self._thinking = None
                self._end(side.other, "error", f"{self._name(self.seat(side))}: {error}")
            return
        if self.version == version:
            self._thinking = None  # this task: _changed must not cancel it
            self._answer(thought, player)

    def _report(self, side: Color, thought: dict[str, Any], version: int) -> None:
        if self.version == version:
            message = {"type": "thinking", "game": self.state.id, "side": side.value}
            self._tell({**message, "thought": thought})

    def _answer(self, thought: Thought, player: Player) -> None:
        state = self.state
        self._spend()
        state.thoughts[len(state.moves)] = thought_json(thought, player)
        if state.future and state.future[0] == thought.move:
            del state.future[0]
        else:
            state.future = []
        state.moves.append(thought.move)
        if self._only_one:
            self._only_one, state.paused = False, True
        self._changed()

    def _player(self, side: Color) -> Player:
        """Return a seat's player, made when it is first asked; with the handicap, if any."""
        wanted = f"{self.state.black}|{self.state.white}|{self.state.budget}"
        if wanted != self._made_for:
            self.close_players()
            self._made_for = wanted
        if side.value not in self._players:
            spec = self.seat(side)
            if self.state.budget is not None:
                self._players[side.value] = make_player(
                    str(Spec("lenient", options={"discs": f"{self.state.budget:g}"}))
                )
            else:
                self._players[side.value] = self._roster.make(spec)
        return self._players[side.value]

    def close_players(self) -> None:
        """End what the players keep running."""
        players, self._players = self._players, {}
        self._made_for = ""
        for player in players.values():
            player.close()

    def close(self) -> None:
        """End all that goes on, and keep the game."""
        self._spend()
        self._halt()
        self._keep(self.state)
        self.close_players()


def new_state(key: str, black: str, white: str, game: Game) -> TableState:
    """Begin a table with a game that has perhaps some moves already."""
    created = datetime.now(timezone.utc).isoformat(timespec="seconds")
    return TableState(key, black, white, game.start, list(game.moves), created=created)
