"""GGF: the Generic Game Format of the GGS server and of NBoard.

``(;GM[Othello]PC[place]DT[date]PB[black]PW[white]RE[+4.000]TY[8]BO[8 <64 squares> *]B[F5]...;)``

Moves are written ``F5/evaluation/seconds``, the evaluation from the mover's view; a pass is PA.
Text between games is allowed: the server writes how many games a match has before the first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from outflank.errors import NotationError, RecordError
from outflank.othello import BLACK, WHITE, Game, Move, Note, Position
from outflank.othello.notation import parse_board
from outflank.records.properties import (
    ColoredMoves,
    Property,
    PropertyFormat,
    Scanner,
    escape,
    excerpt,
    format_number,
    one_line,
    parse_number,
    read_text,
)

_END = re.compile(rb"\s*;\s*\)")
_NEXT_GAME = re.compile(rb"\s*(?:[()]|\Z)")
_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?[\d\s]*\(;")
_OTHELLO = re.compile(rb"GM\s*\[\s*[A-Za-z]|BO\s*\[")
_RESULT = re.compile(r"([^:]*)(:[rts])?")
_TYPE = re.compile(r"s?(\d+)([a-z]\d*)*", re.ASCII | re.IGNORECASE)

_SIDES = {"B": BLACK, "W": WHITE}
_TAGS = ("RB", "RW", "TI", "TB", "TW", "TY", "KB", "KW", "KM")  # kept in Game.tags as they are
_FACTS = ("GM", "PC", "DT", "PB", "PW", *_TAGS, "RE", "BO")
_USUAL_TYPE = "8"
_ESCAPED = "[]\\"


class Ggf(PropertyFormat[list[Property]]):
    """Games of the GGS server and of NBoard."""

    name = "ggf"
    title = "GGF games"
    extensions = (".ggf",)
    begin = re.compile(rb"\(;")
    fragment = re.compile(rb"\[|;\s*\)")
    brackets_inside = False

    def recognises(self, head: bytes) -> bool:
        """Tell by how the first game begins and by a game's name or a board."""
        return bool(_HEAD.match(head) and _OTHELLO.search(head))

    def parse(self, scanner: Scanner) -> list[Property]:
        """Read the properties of a game and its end."""
        properties: list[Property] = []
        while not scanner.take(_END):
            found = scanner.take_property()
            if found is not None:
                properties.append(found)
            elif _NEXT_GAME.match(scanner.data, scanner.at):
                raise scanner.fault("the game is not closed: ;) is missing")
            else:
                raise scanner.fault("not a property; written as NAME[value]")
        return properties

    def build(self, syntax: list[Property]) -> Game:
        """Make a game of its properties."""
        return _game(syntax)

    def format(self, game: Game) -> str:
        """Write a game on one line."""
        return format_ggf(game)


def parse_ggf(text: str) -> Game:
    """Read the one game of a text; it may be without moves, even if it has a result."""
    scanner = Scanner(text.encode("utf-8", "surrogatepass"), brackets_inside=False)
    if scanner.skip_past(Ggf.begin) is None:
        raise RecordError(f"no game found; {Ggf.title} begin with (;")
    game = _game(Ggf().parse(scanner))
    if Ggf.begin.search(scanner.rest()):
        raise RecordError("more than one game")
    return game


def format_ggf(game: Game) -> str:
    """Write a game on one line."""
    facts = {"GM": "Othello", "PC": game.site or game.event}
    if game.date:
        facts["DT"] = game.date
    facts |= {"PB": game.black, "PW": game.white}
    facts |= {name: game.tags[name] for name in _TAGS if game.tags.get(name)}
    facts["TY"] = facts.get("TY", _USUAL_TYPE)
    _check_type(facts["TY"])
    facts["RE"] = _format_result(game, _komi(facts, game.start))
    facts["BO"] = f"8 {game.start.to_string('ggf')}"
    sides = "BW" if game.start.turn is BLACK else "WB"
    moves = (f"{sides[ply % 2]}[{_format_move(game, ply)}]" for ply in range(len(game.moves)))
    named = (
        f"{name}[{escape(one_line(facts[name]), _ESCAPED)}]" for name in _FACTS if name in facts
    )
    return f"(;{''.join(named)}{''.join(moves)};)"


def _text(found: Property) -> str:
    return one_line(read_text(found.value))


def _game(properties: list[Property]) -> Game:
    """Build a game, or raise a RecordError that names the property or move."""
    facts: dict[str, str] = {}
    moves: list[Property] = []
    for found in properties:
        if found.name in _SIDES:
            moves.append(found)
            continue
        if found.name not in _FACTS:
            known = " ".join((*_FACTS, *_SIDES))
            raise RecordError(f"unknown property; known are {known}", field=excerpt(found.name))
        if found.name in facts:
            raise RecordError("given twice", field=found.name)
        facts[found.name] = _text(found)
    _check_game(facts)
    start = _start(facts)
    result, result_tag = _parse_result(facts.get("RE", ""), _komi(facts, start))
    tags = {name: facts[name] for name in _TAGS if facts.get(name)}
    if tags.get("TY") == _USUAL_TYPE:
        del tags["TY"]  # it says nothing, and is written in any case
    if result_tag:
        tags["RE"] = result_tag
    played, notes = _play(start, moves)
    return Game(
        start,
        played,
        black=facts.get("PB", ""),
        white=facts.get("PW", ""),
        date=facts.get("DT", ""),
        site=facts.get("PC", ""),
        result=result,
        notes=notes,
        tags=tags,
    )


def _check_game(facts: Mapping[str, str]) -> None:
    if "GM" not in facts:
        raise RecordError("missing; accepted is GM[Othello]", field="GM")
    if facts["GM"].strip().lower() != "othello":
        name = excerpt(facts["GM"])
        raise RecordError(f"another game: {name!r}; accepted is Othello", field="GM")
    if "TY" in facts:
        _check_type(facts["TY"])


def _check_type(text: str) -> None:
    """Refuse types such as 10 (another board) and 8a (anti: the fewer discs win)."""
    match = _TYPE.fullmatch(text.strip())
    if match is None:
        raise RecordError(
            f"not a type of game: {excerpt(text)!r}; written as 8, 8k or s8r20", field="TY"
        )
    if match[1] != "8":
        raise RecordError(f"another board: {excerpt(match[1])}; accepted is 8", field="TY")
    if "a" in text.lower():
        raise RecordError("an anti game, which the fewer discs win, is not Othello", field="TY")


def _start(facts: Mapping[str, str]) -> Position:
    if "BO" not in facts:
        raise RecordError("missing; written as BO[8 <64 squares> *]", field="BO")
    size, *board = facts["BO"].split(maxsplit=1) or [""]
    if size != "8":
        raise RecordError(f"another board: {excerpt(size)!r}; accepted is 8", field="BO")
    try:
        black, white, turn = parse_board("".join(board))
    except NotationError as error:
        raise RecordError(str(error), field="BO") from None
    if turn is None:
        raise RecordError("the side to move is missing: * or O behind the squares", field="BO")
    return Position(black, white, turn)


def _komi(facts: Mapping[str, str], start: Position) -> float:
    """Return what black gives in advance, and check the moves by which it was found."""
    for name in ("KB", "KW"):
        if name in facts:
            try:
                move, _ = _parse_move(facts[name])
            except RecordError as error:
                raise RecordError(error.problem, field=name) from None
            if not start.is_legal(move):
                raise RecordError(f"{move} is illegal in the start position", field=name)
    komi = parse_number(facts.get("KM", "0"))
    if komi is None:
        raise RecordError(f"not a number: {excerpt(facts['KM'])!r}", field="KM")
    return komi


def _parse_result(text: str, komi: float) -> tuple[int | None, str]:
    """Return black's score on the board, and the text if it says more than that.

    The recorded result is the score without the komi.
    """
    if text.strip() in ("", "?"):
        return None, ""
    match = _RESULT.fullmatch(text)
    recorded = parse_number(match[1]) if match else None
    if match is None or recorded is None:
        raise RecordError(
            f"not a result: {excerpt(text)!r}; written as +4.000, as -12.000:r with how it ended "
            "(r resigned, t time out, s agreed), or as ?",
            field="RE",
        )
    score = recorded + komi
    # Beyond the board is what Edax writes for an unfinished game; what is not whole after the komi
    # is the server's verdict on a game that was not played to its end.
    if not -64 <= score <= 64 or abs(score - round(score)) > 0.01:
        return None, text
    result = round(score)
    exact = match[2] is None and recorded == float(_result_text(result, komi))
    return result, "" if exact else text


def _result_text(result: int, komi: float) -> str:
    return f"{result - komi:+.3f}"


def _format_result(game: Game, komi: float) -> str:
    """Write the result as it was read if the game still has that result."""
    text = game.tags.get("RE", "")
    try:
        if text and _parse_result(text, komi)[0] == game.result:
            return text
    except RecordError:
        pass  # another format's way to write a result
    return "?" if game.result is None else _result_text(game.result, komi)


def _play(start: Position, moves: list[Property]) -> tuple[tuple[Move, ...], dict[int, Note]]:
    line = ColoredMoves(start)
    notes = {}
    for number, found in enumerate(moves, start=1):
        text = _text(found)
        try:
            move, note = _parse_move(text)
            line.play(_SIDES[found.name], move)
        except RecordError as error:
            field = f"move {number} {found.name}[{excerpt(text)}]"
            raise RecordError(error.problem, field=field) from None
        if note is not None:
            notes[len(line.moves) - 1] = note
    return tuple(line.moves), notes


def _parse_move(text: str) -> tuple[Move, Note | None]:
    """Read a move, ``move/evaluation``, ``move//time`` or ``move/evaluation/time``."""
    name, *details = text.split("/")
    if not name.strip():
        raise RecordError("names no move; moves are A1..H8 and PA")
    if len(details) > 2:
        raise RecordError("too many parts; written as move/evaluation/seconds")
    try:
        move = Move(excerpt(name.strip()))
    except NotationError as error:
        raise RecordError(str(error)) from None
    evaluation, time = (text.strip() for text in (*details, "", "")[:2])
    if not evaluation and not time:
        return move, None
    value = parse_number(evaluation) if evaluation else None
    if evaluation and value is None:
        raise RecordError(f"not an evaluation: {excerpt(evaluation)!r}")
    return move, Note(value=value, seconds=_parse_time(time) if time else None)


def _parse_time(text: str) -> float:
    """Read seconds, ``minutes:seconds`` or ``hours:minutes:seconds``."""
    seconds = 0.0
    for part in text.split(":", 2):
        number = parse_number(part)
        seconds = math.inf if number is None or number < 0 else 60 * seconds + number
    if not math.isfinite(seconds):
        raise RecordError(f"not a time: {excerpt(text)!r}; written as 12.3 or 1:02")
    return seconds


def _format_move(game: Game, ply: int) -> str:
    move, note = game.moves[ply], game.notes.get(ply, Note())
    text = "PA" if move.is_pass else move.name.upper()
    for number, what in ((note.value, "an evaluation"), (note.seconds, "a time")):
        if number is not None and not math.isfinite(number):
            raise RecordError(f"{what} must be finite: {number}", field=f"move {ply + 1}")
    if note.seconds is not None and note.seconds < 0:
        raise RecordError(f"a time cannot be negative: {note.seconds}", field=f"move {ply + 1}")
    if note.value is None and note.seconds is None:
        return text
    text += "/" if note.value is None else f"/{format_number(note.value)}"
    return text if note.seconds is None else f"{text}/{format_number(note.seconds)}"
