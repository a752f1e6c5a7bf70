"""A table: a game between people or players, which any number of pages may follow."""

from __future__ import annotations

from collections.abc import Callable

from outflank.errors import IllegalMoveError
from outflank.lab import answers
from outflank.lab.asking import Asking
from outflank.lab.clocks import Clocks
from outflank.lab.roster import HUMAN, Roster
from outflank.lab.seats import Seats
from outflank.lab.table_state import TableState, result_of
from outflank.lab.thinking import Pool
from outflank.lab.views import place_json, thought_json
from outflank.othello import BLACK, PASS, WHITE, Color, Game, Move, Note, Position
from outflank.othello.openings import opening_name
from outflank.players import Thought

MOST_DELAY = 60.0
_SECONDS_TO_CLOSE = 2.0
_PLACES_KNOWN = 500
TableMessage = answers.TableNews | answers.Thinking | answers.Gone
Listener = Callable[[TableMessage], None]
# Writes a state, and calls the function when it is stored.
Keep = Callable[[TableState, Callable[[], None]], None]


class Table:
    """A running game: asks its players, keeps the clocks and reports to its pages."""

    def __init__(self, state: TableState, roster: Roster, pool: Pool, keep: Keep) -> None:
        """Make a table; `keep` writes its state and is called after every change."""
        self.state = state
        self.version = 0
        self._write = keep
        self._seats = Seats(state, roster)
        self._clocks = Clocks(state, self._time_is_up)
        self._asking = Asking(
            state, self._seats, pool, heard=self._hear, answered=self._take, failed=self._fail
        )
        self._listeners: dict[Listener, bool] = {}  # whether each only watches
        self._is_gone = False
        self._only_one = False  # pause after the next move
        self._places: dict[Position, answers.Place] = {}

    @property
    def game(self) -> Game:
        """The game as it stands."""
        state, facts, result = self.state, self.state.facts, self.result
        return state.game.with_facts(
            black=facts.get("black") or self._seats.name_of(BLACK),
            white=facts.get("white") or self._seats.name_of(WHITE),
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
    def _position(self) -> Position:
        """The position as it stands."""
        return self.state.game.position

    def _place(self, position: Position) -> answers.Place:
        """Describe a position; most were described before."""
        if position not in self._places:
            if len(self._places) >= _PLACES_KNOWN:
                self._places.clear()
            self._places[position] = place_json(position)
        return self._places[position]

    @property
    def result(self) -> answers.GameResult | None:
        """How the game ended, if it did."""
        if self.state.result is not None:
            return self.state.result
        position = self._position
        if not position.is_over:
            return None
        return result_of(position.score_of(BLACK), "board")

    def to_json(self) -> answers.Table:
        """Describe the table as JSON."""
        state, game, running = self.state, self.game, self._running
        used = self._clocks.used()
        thinking = running if self._asking.is_thinking else None
        return {
            "id": state.id,
            "version": self.version,
            "black": self._seat_json(state.black, game.black),
            "white": self._seat_json(state.white, game.white),
            "start": state.start.to_string(),
            "plies": [self._place(position) for position in game.positions()],
            "moves": [move.name for move in state.moves],
            "future": [move.name for move in state.future],
            "opening": opening_name(game),
            "transcript": game.transcript,
            "thoughts": {str(ply): thought for ply, thought in state.thoughts.items()},
            "clock": {
                "black": used["black"],
                "white": used["white"],
                "limit": state.limit,
                "running": running.value if running else None,
            },
            "thinking": thinking.value if thinking else None,
            "can_stop": self._seats.can_stop(thinking) if thinking else None,
            "can_undo": self._has_resigned or self._ply_to_undo() is not None,
            "given": state.given,
            "paused": state.paused,
            "delay": state.delay,
            "budget": state.budget,
            "result": self.result,
            "created": state.created,
            "facts": state.facts,
        }

    def _seat_json(self, spec: str, name: str) -> answers.Seat:
        return {"spec": spec, "name": name, "human": spec == HUMAN}

    @property
    def _running(self) -> Color | None:
        """Whose clock runs."""
        if self.state.paused or self.result is not None or not self._is_played:
            return None
        return self._position.turn

    def join(self, listener: Listener, *, watch: bool = False) -> None:
        """Report all changes to a listener from now on; the first listener starts the game.

        Args:
            listener: Called with the table's news.
            watch: Whether it only looks; the game does not run because of it.
        """
        was_played = self._is_played
        if self._listeners.get(listener) is False and watch:
            self.leave(listener)
        self._listeners[listener] = watch
        if self._is_played and not was_played:
            self._seats.hold()
            self._go_on()
            self._tell({"type": "table", "table": self.to_json()})
        else:
            listener({"type": "table", "table": self.to_json()})

    def leave(self, listener: Listener) -> None:
        """Stop reporting to a listener; a search that nobody waits for is cancelled."""
        was_played = self._is_played
        self._clocks.spend()
        self._listeners.pop(listener, None)
        if was_played and not self._is_played and not self._is_gone:
            self._halt()
            self._keep_and_tell()
            self._seats.release_later()

    @property
    def is_watched(self) -> bool:
        """Whether somebody follows it."""
        return bool(self._listeners)

    @property
    def _is_played(self) -> bool:
        """Whether somebody follows it who does not only watch."""
        return not all(self._listeners.values())

    def _tell(self, message: TableMessage) -> None:
        for listener in list(self._listeners):
            listener(message)

    def remove(self) -> None:
        """Delete the game, and report that to everyone who follows it."""
        self._is_gone = True
        self._halt()
        self._tell({"type": "gone", "game": self.state.id})
        self._listeners.clear()

    def _keep_and_tell(self) -> None:
        """Store the game, and report it when that is done: what was seen is never lost."""
        if not self._is_gone:
            message: TableMessage = {"type": "table", "table": self.to_json()}
            self._write(self.state, lambda: self._tell(message))

    def play(self, ply: int, name: str) -> None:
        """Play a move after the first `ply` moves; later moves are dropped."""
        state = self.state
        if not 0 <= ply <= len(state.moves):
            raise IllegalMoveError(f"there is no ply {ply}; the game has {len(state.moves)}")
        is_now = ply == len(state.moves)
        if is_now and self.result is not None:
            raise IllegalMoveError("the game is over")
        position = state.game.positions()[ply]
        if is_now and not state.paused and not self._seats.is_person(position.turn):
            raise IllegalMoveError(f"it is the turn of {self._seats.name_of(position.turn)}")
        move = Move(name)
        position.play(move)  # raises if it is illegal
        self._clocks.spend()
        if not is_now:
            state.cut(ply)
        state.add(move)
        self._changed()

    def undo(self) -> None:
        """Take back a resignation, or else to the last choice of a person, or else one move."""
        if self._has_resigned:
            self.state.result = None
            self._changed()
            return
        ply = self._ply_to_undo()
        if ply is None:
            raise IllegalMoveError("there is nothing to undo")
        self.go_to(ply)

    @property
    def _has_resigned(self) -> bool:
        return self.state.result is not None and self.state.result["reason"] == "resigned"

    def _ply_to_undo(self) -> int | None:
        """Return the ply to which undo leads, if there is one."""
        keep = len(self.state.moves) - 1
        if self._seats.has_people:
            positions = self.state.game.positions()
            while keep >= 0 and not self._is_choice(positions[keep]):
                keep -= 1
        return keep if keep >= 0 else None

    def redo(self) -> None:
        """Replay moves that were taken back, up to the next choice of a person."""
        state = self.state
        if not state.future:
            raise IllegalMoveError("there is nothing to redo")
        game = state.game
        for move in state.future:
            game = game.play(move)
            if self._is_choice(game.position):
                break
        self.go_to(len(game))

    def _is_choice(self, position: Position) -> bool:
        return self._seats.is_person(position.turn) and bool(position.legal_squares)

    def go_to(self, ply: int) -> None:
        """Go to a ply; later moves can be redone."""
        state = self.state
        last = len(state.moves) + len(state.future)
        if not 0 <= ply <= last:
            raise IllegalMoveError(f"there is no ply {ply}; the game has {last}")
        state.go_to(ply)
        if ply < last and not self._seats.has_people:
            state.paused = True  # or the players would continue at once
        self._changed()

    def swap(self) -> None:
        """Swap the seats."""
        self._clocks.spend()
        self.state.black, self.state.white = self.state.white, self.state.black
        self._changed()

    def restart(self) -> None:
        """Start again, with the same seats and given moves."""
        self.state.restart()
        self._changed()

    def pause(self) -> None:
        """Stop the clocks and the players."""
        self._only_one = False
        self._clocks.spend()
        self.state.paused = True
        self._changed()

    def go(self) -> None:
        """Continue after a pause."""
        self._only_one = False
        self.state.paused = False
        self._changed()

    def step(self) -> None:
        """Let the player to move make one move, and pause."""
        if self.result is not None:
            raise IllegalMoveError("the game is over")
        self.state.paused = False
        self._only_one = True
        self._changed()

    def resign(self, side: Color) -> None:
        """End the game as a loss of one side."""
        if self.result is not None:
            raise IllegalMoveError("the game is over")
        self._clocks.spend()
        self._end(side.other, "resigned", f"{_capital(side)} resigns: {_capital(side.other)} wins.")

    def move_now(self) -> None:
        """Make the thinking player move at once."""
        side = self._running
        if self._asking.is_thinking and side is not None:
            if not self._seats.can_stop(side):
                name = self._seats.name_of(side)
                raise IllegalMoveError(f"{name} cannot move at once")
            self._asking.hurry()

    def set_delay(self, seconds: float) -> None:
        """Set the shortest time of a move between players."""
        self.state.delay = min(max(0.0, seconds), MOST_DELAY)
        self._asking.delay_changed()
        self.version += 1
        self._keep_and_tell()

    def _end(self, winner: Color | None, reason: str, text: str) -> None:
        score = 0 if winner is None else 64 if winner is BLACK else -64
        name: answers.Side | None = winner.value if winner else None
        self.state.result = {"winner": name, "score": score, "reason": reason, "text": text}
        self._changed()

    def _changed(self) -> None:
        """Continue from the changed state, and report it."""
        self.version += 1
        self._halt()
        self._pass_where_forced()
        self._go_on()
        self._keep_and_tell()

    def _pass_where_forced(self) -> None:
        while self.state.result is None and self._position.must_pass:
            self.state.add(PASS)

    def _halt(self) -> None:
        """Cancel the running search, and stop the clock."""
        self._asking.cancel()
        self._clocks.stop()

    def _go_on(self) -> None:
        """Start the clock of the side to move, and ask its player, if it has one."""
        side = self._running
        if side is not None:
            self._clocks.start(side)
            if not self._seats.is_person(side):
                self._asking.ask(side, self.game)

    def _hear(self, side: Color, thought: answers.Thought) -> None:
        """Report what the player to move thinks so far."""
        self._tell(
            {"type": "thinking", "game": self.state.id, "side": side.value, "thought": thought}
        )

    def _take(self, thought: Thought) -> None:
        """Play the move that a player chose."""
        state = self.state
        self._clocks.spend()
        state.add(thought.move)
        state.thoughts[len(state.moves) - 1] = thought_json(thought)
        if self._only_one:
            self._only_one, state.paused = False, True
        self._changed()

    def _fail(self, side: Color, problem: str) -> None:
        """End the game as a loss of a player that failed."""
        self._end(side.other, "error", f"{self._seats.name_of(side)} failed: {problem}")

    def _time_is_up(self, side: Color) -> None:
        """End the game as a loss of a side that has no time left."""
        self._clocks.spend()
        words = f"{_capital(side)}'s time is up: {_capital(side.other)} wins."
        self._end(side.other, "time", words)

    def close_players(self) -> None:
        """Close the players, once none of them is being asked."""
        self._seats.close_players()

    def close(self) -> None:
        """End everything that runs, and save the game."""
        self._clocks.spend()
        self._halt()
        self._seats.hold()
        self._keep_and_tell()
        self._seats.close_players(_SECONDS_TO_CLOSE)


def _capital(side: Color) -> str:
    return side.value.capitalize()
