"""OBF: positions with the scores of their moves, as endgame test suites are kept.

``<64 squares> <side to move>; G8:+18; H1:+12;`` on each line; % begins a comment line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from outflank.errors import NotationError
from outflank.othello import Game, Move, Position
from outflank.records.board_strings import refuse_moves
from outflank.records.format import Format, Problems
from outflank.records.lines import content_lines, first_line

_SCORE = re.compile(r"([A-Ha-h][1-8]|[Pp][AaSs]|--)[ \t]*:[ \t]*([+-]?[0-9]{1,2})")


def scores_of(game: Game) -> dict[Move, int]:
    """Return the moves' scores that an OBF line gives, from the side to move, best first."""
    words = game.tags.get("scores", "").split()
    return {Move(move): int(score) for move, score in (word.split(":") for word in words)}


class Obf(Format):
    """Positions with scored moves; a game without moves for each."""

    name = "obf"
    title = "OBF positions"
    extensions = (".obf",)

    def recognises(self, head: bytes) -> bool:
        """Tell by the first line: a board, and a semicolon behind it."""
        board, semicolon, _ = first_line(head).partition(";")
        try:
            Position.from_string(board)
        except NotationError:
            return False
        return bool(semicolon)

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Game]:
        """Yield a game that starts at each position; scores_of() gives the scores."""
        for number, (_, line) in enumerate(content_lines(stream, comments="%#"), start=1):
            board, *fields = line.split(";")
            try:
                position = Position.from_string(board)
            except NotationError as error:
                problems.report(str(error), record=number, field="board")
                continue
            scores = []
            for text in (text for text in map(str.strip, fields) if text):
                problem = _problem(text, position)
                if problem:
                    problems.report(problem, record=number, field=text[:20])
                    break
                move, score = text.split(":")
                scores.append(f"{Move(move)}:{int(score):+d}")
            else:
                yield Game(position, tags={"scores": " ".join(scores)} if scores else {})

    def write(self, games: Iterable[Game], stream: BinaryIO) -> None:
        """Write the start position of each game, which must have no moves, and its scores."""
        for number, game in enumerate(games, start=1):
            refuse_moves(game, number, self.title)
            scores = "".join(
                f" {'PA' if move.is_pass else move.name.upper()}:{score:+d};"
                for move, score in scores_of(game).items()
            )
            stream.write(f"{game.start.to_string()};{scores}\n".encode())


def _problem(text: str, position: Position) -> str:
    """Say what is wrong with one field, or nothing."""
    match = _SCORE.fullmatch(text)
    if match is None:
        return "not a move with its score; written as G8:+18"
    if not position.is_legal(match[1]):
        return f"{Move(match[1])} is illegal in this position"
    if not -64 <= int(match[2]) <= 64:
        return "a score is -64..64"
    return ""
