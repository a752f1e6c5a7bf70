"""GTP, version 2: any player as an engine.

A command is a line: an optional number, a word, arguments. The answer is ``=`` (or ``?`` for a
mistake) with the number and the text, and an empty line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from outflank import records
from outflank.errors import NotationError, OutflankError
from outflank.othello import PASS, Color, Game, Move, Position
from outflank.protocols.engine.thinker import Thinker, Thought, command_lines, limit

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_COLORS = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}
_GAME = "Othello"
_SHARE = 0.9  # of the time there is, the rest being for the way there and back


class _Refused(Exception):  # noqa: N818  # not an error of ours, but an answer
    """A command that is answered with ? and these words."""


class GtpEngine:
    """A player that is asked by GTP.

    Passes: a side that must pass may be told so or not, and answers `pass` when it is asked; when
    the game is over, both sides answer `pass` to whatever they are asked.
    """

    def __init__(self, player: Thinker, name: str, version: str) -> None:
        self.player = player
        self.name = " ".join(name.split()) or "player"
        self.version = version
        self.games = _plies(Game())  # the last is the game as it is; undo goes back
        self.thought: Thought | None = None  # behind the move that was chosen last
        self.running = True
        self.commands: dict[str, Callable[[str], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: f"Outflank {self.name}",
            "version": lambda _: self.version,
            "known_command": lambda text: "true" if text in self.commands else "false",
            "list_commands": lambda _: "\n".join(self.commands),
            "quit": self.quit,
            "boardsize": self.boardsize,
            "clear_board": self.clear_board,
            "komi": self.komi,
            "play": self.play,
            "genmove": self.genmove,
            "undo": self.undo,
            "time_settings": self.time_settings,
            "time_left": self.time_left,
            "set_game": self.set_game,
            "list_games": lambda _: _GAME,
            "loadsgf": self.loadsgf,
            "reg_genmove": self.reg_genmove,
            "final_score": self.final_score,
            "showboard": self.showboard,
            "outflank-setup_board": self.setup_board,
            "outflank-thought": self.last_thought,
        }

    def run(self, requests: BinaryIO, answers: BinaryIO) -> None:
        """Answer until the other side quits or ends its output."""
        for line in command_lines(requests):
            answer = "? line too long\n\n" if line is None else self.answer(line)
            if answer:
                answers.write(answer.encode("utf-8", "replace"))
                answers.flush()
            if not self.running:
                return

    def answer(self, line: str) -> str:
        """Answer one line; an empty line or a comment gets no answer."""
        text = _CONTROL.sub("", line.partition("#")[0].replace("\t", " ")).strip()
        if not text:
            return ""
        number = ""
        word, rest = _first_word(text)
        if word.isascii() and word.isdigit():
            number = word
            word, rest = _first_word(rest)
        command = self.commands.get(word)
        try:
            if command is None:
                raise _Refused("unknown command")
            words = command(rest)
        except (_Refused, OutflankError) as error:
            return f"?{number} {_without_empty_lines(str(error))}\n\n"
        return f"={number} {_without_empty_lines(words)}".rstrip() + "\n\n"

    @property
    def game(self) -> Game:
        """The game as it is."""
        return self.games[-1]

    @property
    def position(self) -> Position:
        """The position as it is."""
        return self.game.position

    def quit(self, _: str) -> str:
        """End after this answer."""
        self.running = False
        return ""

    def boardsize(self, text: str) -> str:
        """Accept 8."""
        if _whole(text) != 8:
            raise _Refused("unacceptable size")
        return ""

    def clear_board(self, _: str) -> str:
        """Begin a new game."""
        self.games = _plies(Game())
        return ""

    def komi(self, text: str) -> str:
        """Accept a number, which means nothing in Othello."""
        _number(text)
        return ""

    def set_game(self, text: str) -> str:
        """Accept Othello."""
        if text.lower() != _GAME.lower():
            raise _Refused("unsupported game")
        return ""

    def play(self, text: str) -> str:
        """Play a move of one side."""
        words = text.split()
        if len(words) != 2:
            raise _Refused("syntax error: play needs a color and a move")
        color, move = _color(words[0]), _move(words[1])
        game = self._turned_to(color)
        if move.is_pass and game.is_over:
            self.games.append(game)
        elif not game.position.is_legal(move):
            raise _Refused("illegal move")
        else:
            self.games.append(game.play(move))
        return ""

    def genmove(self, text: str) -> str:
        """Choose a move of one side and play it."""
        game, move = self._choose(text)
        self.games.append(game if game.is_over else game.play(move))
        return _vertex(move)

    def reg_genmove(self, text: str) -> str:
        """Choose a move of one side without playing it."""
        return _vertex(self._choose(text)[1])

    def _choose(self, text: str) -> tuple[Game, Move]:
        game = self._turned_to(_color(text))
        if not game.position.legal_squares:
            return game, PASS
        self.thought = self.player.think(game)
        return game, self.thought.move

    def _turned_to(self, color: Color) -> Game:
        """Return the game with a side to move, after the other side's pass if that is forced."""
        if self.position.turn is color or self.position.is_over:
            return self.game
        if not self.position.must_pass:
            raise _Refused(f"illegal move: it is {self.position.turn}'s turn")
        return self.game.play(PASS)

    def undo(self, _: str) -> str:
        """Take back the last move."""
        if len(self.games) == 1:
            raise _Refused("cannot undo")
        self.games.pop()
        return ""

    def time_settings(self, text: str) -> str:
        """Share the main time, or else the byo-yomi time, among its moves."""
        words = text.split()
        if len(words) != 3:
            raise _Refused("syntax error: time_settings needs three numbers")
        main, byoyomi, stones = _number(words[0]), _number(words[1]), _whole(words[2])
        if main < 0 or byoyomi < 0 or stones < 0:
            raise _Refused("syntax error: a time cannot be negative")
        if main > 0:
            self._limit(main, 0)
        elif stones > 0:  # without stones, a byo-yomi time means that there is no limit
            self._limit(byoyomi, stones)
        return ""

    def time_left(self, text: str) -> str:
        """Share the time that is left among the moves that are left."""
        words = text.split()
        if len(words) != 3:
            raise _Refused("syntax error: time_left needs a color, a time and a number")
        color, seconds, stones = _color(words[0]), _number(words[1]), _whole(words[2])
        if color is self.position.turn and seconds >= 0:
            self._limit(seconds, stones)
        return ""

    def _limit(self, seconds: float, stones: int) -> None:
        """Set the time for a move from the time for some, or for all that one side can have."""
        moves = stones if stones > 0 else (self.position.empties + 1) // 2
        if seconds > 0:
            limit(self.player, seconds=_SHARE * seconds / max(1, moves))

    def loadsgf(self, text: str) -> str:
        """Take the first game of a file, or its position before a move of a number."""
        name, _, number = text.rpartition(" ")
        if not (name and number.isascii() and number.isdigit() and len(number) < 10):
            name, number = text, ""
        if not name:
            raise _Refused("syntax error: loadsgf needs a file")
        sgf = records.format_named("sgf")
        game = next(records.read(name.strip(), format=sgf), None)
        if game is None:
            raise _Refused("cannot load file")
        plies = min(len(game), max(0, int(number) - 1)) if number else len(game)
        self.games = _plies(game.undo(len(game) - plies))
        return ""

    def setup_board(self, text: str) -> str:
        """Begin a game at a board: 64 squares, then black or white (black if it is not said)."""
        board, _, color = text.partition(" ")
        turn = _color(color) if color.strip() else Color.BLACK
        try:
            self.games = _plies(Game(Position.from_string(board, turn)))
        except NotationError as error:
            raise _Refused(f"syntax error: {error}") from None
        return ""

    def last_thought(self, _: str) -> str:
        """Say what was thought when a move was last chosen: all of it, then move by move."""
        if self.thought is None:
            raise _Refused("no move was chosen yet")
        return "\n".join(_describe(self.thought))

    def final_score(self, _: str) -> str:
        """Tell who has won a finished game, and by how much."""
        if not self.position.is_over:
            raise _Refused("cannot score")
        score = self.position.score_of(Color.BLACK)
        return f"{'B' if score > 0 else 'W'}+{abs(score)}" if score else "0"

    def showboard(self, _: str) -> str:
        """Draw the board."""
        return "\n" + self.position.text()


def _plies(game: Game) -> list[Game]:
    """Return a game from its beginning, ply by ply, without its facts."""
    games = [Game(game.start)]
    for move in game.moves:
        games.append(games[-1].play(move))
    return games


def _describe(thought: Thought) -> Iterator[str]:
    """Yield lines of words and numbers; moves come with the most visited first, or the best."""
    yield f"move {_vertex(thought.move)}"
    if thought.value is not None:
        yield f"value {thought.value:.4f} {thought.unit}" + (" exact" if thought.exact else "")
    if thought.depth is not None:
        yield f"depth {thought.depth}"
    if thought.nodes is not None:
        yield f"nodes {thought.nodes}"
    yield f"seconds {thought.seconds:.3f}"
    if thought.line:
        yield f"line {' '.join(map(_vertex, thought.line))}"
    columns = {"visits": thought.visits, "value": thought.values, "policy": thought.policy}
    moves = {move for numbers in columns.values() for move in numbers}
    for move in sorted(moves, key=lambda move: _rank(thought, move)):
        known = [
            f"{name} {numbers[move]:.4f}" if name != "visits" else f"visits {numbers[move]}"
            for name, numbers in columns.items()
            if move in numbers
        ]
        yield f"{_vertex(move)} {' '.join(known)}"


def _rank(thought: Thought, move: Move) -> tuple[float, ...]:
    """Order moves by their visits, their values, and how likely they are."""
    return (
        -thought.visits.get(move, 0),
        -thought.values.get(move, -math.inf),
        -thought.policy.get(move, 0.0),
        float(move),
    )


def _first_word(text: str) -> tuple[str, str]:
    word, rest = [*text.split(maxsplit=1), "", ""][:2]
    return word, rest


def _color(text: str) -> Color:
    try:
        return _COLORS[text.strip().lower()]
    except KeyError:
        raise _Refused("syntax error: a color is black or white") from None


def _move(text: str) -> Move:
    try:
        return Move(text)
    except NotationError:
        raise _Refused("syntax error: a move is a1..h8 or pass") from None


def _vertex(move: Move) -> str:
    return "pass" if move.is_pass else move.name.upper()


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise _Refused("syntax error: not a whole number")
    return int(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _Refused("syntax error: not a number")
    return number


def _without_empty_lines(text: str) -> str:
    """Leave out what would end the answer too early."""
    return re.sub(r"\n\s*\n", "\n", text.replace("\r", "")).rstrip()
