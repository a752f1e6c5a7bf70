"""GTP, version 2: the client's side.

Commands are sent without numbers and several at a time; answers come in their order. An answer
begins with ``=`` or ``?`` and ends with an empty line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from outflank.errors import EngineError
from outflank.othello import Game, Move, Position
from outflank.othello.reach import moves_to
from outflank.protocols.client.client import Answer, EngineClient

_ANSWER = re.compile(r"([=?])\d*[ \t]*(.*)")

# Private commands that set up a board: 64 squares of X, O and -, then black or white.
_SETUP_COMMANDS = ("outflank-setup_board", "grhino-setup_board")


@dataclass(frozen=True)
class _Response:
    good: bool
    text: str


class GtpClient(EngineClient):
    """An engine that speaks GTP."""

    _setup_command = ""

    def greet(self) -> None:
        """Find out what the engine can do, and see that it plays on eight by eight squares."""
        listed, size = self._send("list_commands", "boardsize 8")
        commands = listed.text.split() if listed.good else []
        self._setup_command = next((name for name in _SETUP_COMMANDS if name in commands), "")
        if not size.good:
            raise self._refused("boardsize 8", size)

    def ask(self, game: Game, position: Position) -> Answer:
        """Send the moves that the engine does not know yet, and ask for one."""
        moves, turn = game.moves[self.known_plies :], position.turn
        if not self.knows(game):
            moves = (*self._new_game(game.start), *game.moves)
        colors = (turn, turn.other)
        ago = range(len(moves), 0, -1)  # plies before the position
        plays = [f"play {colors[plies % 2]} {move}" for plies, move in zip(ago, moves, strict=True)]
        *responses, generated = self._send(*plays, f"genmove {turn}")
        for play, move, response in zip(plays, moves, responses, strict=True):
            # Some engines (GRhino) pass by themselves and refuse to be told so.
            if not response.good and not move.is_pass:
                raise self._refused(play, response)
        move = self._read_genmove(generated)
        self.is_at(game, move)
        return Answer(move)

    def _new_game(self, start: Position) -> tuple[Move, ...]:
        """Begin a game at a position, or return the moves that still lead there."""
        cleared, *_ = self._send("clear_board")
        if not cleared.good:
            raise self._refused("clear_board", cleared)
        if start == Position.start():
            return ()
        if self._setup_command:
            board = start.to_string()[:64]
            setup, *_ = self._send(f"{self._setup_command} {board} {start.turn}")
            if setup.good:
                return ()
        moves = moves_to(start)
        if moves is None:
            raise EngineError(
                f"{self.process.name}: cannot be brought to {start.to_string()}: GTP sets up no "
                "board, and no moves from the start that lead there were found"
            )
        return moves

    def _read_genmove(self, response: _Response) -> Move:
        if not response.good:
            raise self._refused("genmove", response)
        if response.text.lower() == "resign":
            raise EngineError(f"{self.process.name}: resigned")
        return self.read_move(response.text)

    def _refused(self, command: str, response: _Response) -> EngineError:
        reason = " ".join(response.text.split())[:100]
        return EngineError(f"{self.process.name}: refused {command}: {reason}")

    def _send(self, *commands: str) -> list[_Response]:
        self.process.ask(*commands, seconds=self.timeout)
        return [self._read() for _ in commands]

    def _read(self) -> _Response:
        while not (line := self.process.read_line().strip()) or line.startswith("#"):
            pass
        match = _ANSWER.fullmatch(line)
        if match is None:
            raise self.nonsense(line, "= or ?")
        text = [match[2]]
        while line := self.process.read_line().strip():
            text.append(line)
        return _Response(match[1] == "=", "\n".join(text).strip())
