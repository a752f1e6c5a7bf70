"""NBoard, version 2: the client's side.

The engine is told a game in GGF or the next moves of it, and asked to ``go``; it may say much
while it thinks, and ends with ``=== F5/evaluation/seconds``. Lines that mean nothing here are
passed over, as the protocol wants it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from outflank.othello import Game, Move, Position
from outflank.othello.moves import PASS
from outflank.protocols.client.client import Answer, EngineClient, legal_line
from outflank.records.ggf import format_ggf

_MOVE = re.compile(r"[a-h][1-8]|pa(?:ss)?|ps|--", re.IGNORECASE)
_DEPTH = re.compile(r"\d{1,9}", re.ASCII)
_EXACT = "100%"


@dataclass(frozen=True)
class _Search:
    """What one ``search`` or ``book`` line says of a move."""

    line: tuple[Move, ...]
    value: float | None
    depth: int | None
    exact: bool


class NBoardClient(EngineClient):
    """An engine that speaks NBoard's protocol."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        depth: int | None = None,
        timeout: float = 60.0,
        folder: Path | None = None,
    ) -> None:
        super().__init__(command, timeout=timeout, folder=folder)
        self.depth = depth  # in plies; engines may take it for a level

    def greet(self) -> None:
        """Name the protocol, set the depth, and wait until the engine is there."""
        lines = ["nboard 2"]
        if self.depth is not None:
            lines.append(f"set depth {self.depth}")
        self.process.ask(*lines, "ping 1", seconds=self.timeout)
        while self.process.read_line().split() != ["pong", "1"]:
            pass

    def ask(self, game: Game, position: Position) -> Answer:
        """Tell the engine the game, or the moves it does not know yet, and let it go."""
        if self.knows(game):
            told = [f"move {_name(move)}" for move in game.moves[self.known_plies :]]
        else:
            told = [f"set game {format_ggf(Game(game.start, game.moves))}"]
        self.process.ask(*told, "go", seconds=self.timeout)
        self.is_at(game)  # it does not play its own move
        nodes = None
        searches: dict[Move, _Search] = {}
        while True:
            word, _, rest = self.process.read_line().strip().partition(" ")
            if word == "===":
                break
            if word in ("search", "book") and (search := _parse_search(rest, position)):
                searches[search.line[0]] = search  # later lines know more
            elif word == "nodestats":
                nodes = _whole(rest.split(" ")[0])
        move, value = self._read_answer(rest)
        search = searches.get(move)
        if search is None:
            return Answer(move, value, nodes=nodes)
        value = search.value if value is None else value
        return Answer(move, value, search.depth, nodes, exact=search.exact, line=search.line)

    def _read_answer(self, text: str) -> tuple[Move, float | None]:
        """Read ``F5/1.20/0.5`` or, as Edax writes, ``f5 1.20 0.5``."""
        parts = text.split("/") if "/" in text else text.split()
        if not parts:
            raise self.nonsense(text, "a move")
        value = _number(parts[1]) if len(parts) > 1 else None
        return self.read_move(parts[0]), value


def _name(move: Move) -> str:
    return "PA" if move.is_pass else move.name.upper()


def _parse_search(text: str, position: Position) -> _Search | None:
    """Read ``line evaluation games depth text``, or return None if it is none of this position."""
    words = text.split()
    if len(words) < 2:
        return None
    moves = (Move(found.group()) for found in _MOVE.finditer(words[0]))
    line = legal_line(position, moves)
    if not line or (line[0] == PASS and not position.must_pass):
        return None
    depth = _DEPTH.match(words[3]) if len(words) > 3 else None
    exact = len(words) > 3 and words[3] == _EXACT
    # "100%" tells how sure the engine is, not how deep it looked.
    plies = int(depth[0]) if depth and not words[3].endswith(("%", "%W")) else None
    return _Search(line, _number(words[1]), plies, exact)


def _number(text: str) -> float | None:
    """Read an evaluation; a pair (a draw goes to black, to white) is taken in its middle."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        return None
    value = sum(numbers) / len(numbers)
    return value if abs(value) < float("inf") else None


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
