"""SGF: the Smart Game Format, version 4, for Othello (GM[2]).

``(;FF[4]GM[2]SZ[8]PB[black]PW[white];B[f5];W[d6]C[a comment](;B[c3])(;B[c4]))``

A file is a tree of nodes; the main line is what stands before the first closing parenthesis.
Squares are written f5 or, as in Go, by two letters for column and row from the top left.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

from outflank.errors import NotationError, RecordError
from outflank.othello import BLACK, PASS, SQUARES, WHITE, Color, Game, Move, Note, Position
from outflank.othello.moves import squares_of
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

Node = dict[str, list[bytes]]  # values by the property's name

_MARK = re.compile(rb"\s*[();]")
_NOTHING = re.compile(rb"\s*\Z")
_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;")
_GAME_NUMBER = re.compile(rb"GM\s*\[\s*\d")
_OTHER_SPACE = re.compile(r"[\t\v\f]")
_RESULT = re.compile(r"([BW])\+(\d{1,2})(?:\.0*)?", re.ASCII | re.IGNORECASE)

_ESCAPED = "]\\"
_SIDES = {"B": BLACK, "W": WHITE}
_SETUP = ("AB", "AW", "AE")
_FACTS = {"PB": "black", "PW": "white", "DT": "date", "EV": "event", "PC": "site"}
# What the root says in other places of a Game, or what the writer says itself.
_NOT_TAGS = {"FF", "CA", "GM", "SZ", "GC", "C", "V", "RE", "PL", *_SETUP, *_SIDES, *_FACTS}
# Encodings that a file may name; others are read as decode_text() does.
_CHARSETS = {"iso-8859-1", "windows-1252", "shift_jis", "euc-jp", "euc-kr", "gb18030", "big5"}
_GAMES = {"1": "Go", "3": "chess", "4": "Gomoku", "5": "Nine Men's Morris", "6": "backgammon"}


class Sgf(PropertyFormat[list[Node]]):
    """Games in the Smart Game Format; of a tree, the main line."""

    name = "sgf"
    title = "SGF games"
    extensions = (".sgf",)
    begin = re.compile(rb"\(\s*;")
    fragment = re.compile(rb"\[|\A\s*\)")
    brackets_inside = True

    def recognises(self, head: bytes) -> bool:
        """Tell by how the first game begins and by the number of its game."""
        return bool(_HEAD.match(head) and _GAME_NUMBER.search(head))

    def parse(self, scanner: Scanner) -> list[Node]:
        """Read a whole tree and return the nodes of its main line."""
        return _main_line(scanner)

    def build(self, syntax: list[Node]) -> Game:
        """Make a game of its nodes."""
        return _game(syntax)

    def format(self, game: Game) -> str:
        """Write the root on a line and the moves on another."""
        return _format_game(game)


def _main_line(scanner: Scanner) -> list[Node]:
    # Depth is counted, not descended into: a tree may be as deep as it likes.
    nodes: list[Node] = [{}]
    depth = 1
    main = in_node = True
    branch = scanner.at  # where the last parenthesis opened
    first = False  # whether this is the first node behind it
    while depth:
        mark = scanner.take(_MARK)[-1:]
        if mark == b"(":
            depth += 1
            in_node, first, branch = False, True, scanner.at - 1
        elif mark == b")":
            depth -= 1
            main = in_node = first = False
        elif mark == b";":
            first = first and not in_node
            in_node = True
            if main:
                nodes.append({})
        else:
            found = _property(scanner, in_node)
            if first and found.name in ("FF", "GM"):
                # These stand in a root: it is the next game.
                scanner.at = branch
                raise scanner.fault("the game is not closed: ) is missing")
            if main:
                nodes[-1].setdefault(found.name, []).extend(found.values)
    return nodes


def _property(scanner: Scanner, in_node: bool) -> Property:
    found = scanner.take_property()
    if found is None:
        if _NOTHING.match(scanner.data, scanner.at):
            raise scanner.fault("the game is not closed: ) is missing")
        raise scanner.fault("not a property; written as NAME[value]")
    if not in_node:
        raise scanner.fault(
            "a property outside a node, which begins with ;", field=excerpt(found.name)
        )
    # Until version 3, names could have small letters, which mean nothing: GaMe is GM.
    name = "".join(letter for letter in found.name if not letter.islower())
    return Property(name or found.name, found.values)


def _game(nodes: list[Node]) -> Game:
    """Build a game, or raise a RecordError that names the property or move."""
    root = nodes[0]
    _check_game(root)
    charset = _charset(root)
    start = _start(nodes)
    facts = {
        field: _simple_text(root[name], charset) for name, field in _FACTS.items() if name in root
    }
    tags = {
        name: text
        for name, values in root.items()
        if name not in _NOT_TAGS and (text := _simple_text(values, charset))
    }
    result_text = _simple_text(root.get("RE", ()), charset)
    result = _parse_result(result_text)
    if result is None and result_text:
        tags["RE"] = result_text
    moves, notes, comment = _play(start, nodes, charset)
    return Game(start, moves, result=result, comment=comment, notes=notes, tags=tags, **facts)


def _check_game(root: Node) -> None:
    if "GM" not in root:
        raise RecordError("missing, which means Go; accepted is GM[2], Othello", field="GM")
    game = _simple_text(root["GM"]).strip()
    if game != "2":
        name = _GAMES.get(game, "another game")
        raise RecordError(f"{excerpt(game)!r} is {name}; accepted is 2, Othello", field="GM")
    size = _simple_text(root.get("SZ", [b"8"])).strip()
    if size not in ("8", "8:8"):
        raise RecordError(f"another board: {excerpt(size)!r}; accepted is 8", field="SZ")


def _charset(root: Node) -> str:
    name = _simple_text(root.get("CA", ())).strip().lower()
    return name if name in _CHARSETS else ""


def _simple_text(values: Sequence[bytes], charset: str = "") -> str:
    """Read values of one line."""
    return ", ".join(one_line(_text(value, charset)) for value in values)


def _text(raw: bytes, charset: str) -> str:
    """Read a value in which all space but line breaks is a space."""
    return _OTHER_SPACE.sub(" ", read_text(raw, charset))


def _start(nodes: list[Node]) -> Position:
    """Set up the board from the nodes before the first move."""
    black, white = Position.start().black, Position.start().white
    turn: Color | None = None
    is_set_up = False
    for node in nodes:
        if not is_set_up and ("AB" in node or "AW" in node):
            black = white = 0
            is_set_up = True
        squares = {name: _squares(node, name) for name in _SETUP}
        if squares["AB"] & squares["AW"]:
            raise RecordError("a square cannot hold a black and a white disc", field="AW")
        cleared = ~(squares["AB"] | squares["AW"] | squares["AE"])
        black = black & cleared | squares["AB"]
        white = white & cleared | squares["AW"]
        if "PL" in node:
            turn = _parse_turn(node["PL"])
        if "B" in node or "W" in node:
            # A board that was set up without saying whose turn it is.
            turn = turn or (_SIDES["B" if "B" in node else "W"] if is_set_up else None)
            break
    return Position(black, white, turn or BLACK)


def _parse_turn(values: Sequence[bytes]) -> Color:
    text = _simple_text(values).strip().upper()
    if text in ("B", "BLACK"):
        return BLACK
    if text in ("W", "WHITE"):
        return WHITE
    raise RecordError(f"not a side: {excerpt(text)!r}; sides are B and W", field="PL")


def _squares(node: Node, name: str) -> int:
    """Return the squares of a list as a bitboard; b2:c3 is a rectangle by two of its corners."""
    bits = 0
    for raw in node.get(name, ()):
        text = _simple_text([raw])
        try:
            corners = [_parse_move(corner) for corner in text.split(":", 1)]
        except RecordError as error:
            raise RecordError(error.problem, field=name) from None
        if PASS in corners:
            raise RecordError(f"not a square: {excerpt(text)!r}", field=name)
        rows = sorted(corner.row for corner in corners)
        columns = sorted(corner.column for corner in corners)
        for row in range(rows[0], rows[-1] + 1):
            for column in range(columns[0], columns[-1] + 1):
                bits |= 1 << (8 * row + column)
    return bits


def _parse_move(text: str) -> Move:
    """Read f5 or, column and row by letters, fe; a pass is empty, pass, pa or tt."""
    text = text.strip()
    if len(text) == 2 and text.isalpha() and all("a" <= letter <= "h" for letter in text):
        column, row = (ord(letter) - ord("a") for letter in text)
        return SQUARES[8 * row + column]
    if text in ("", "tt"):
        return PASS
    try:
        return Move(excerpt(text))
    except NotationError as error:
        raise RecordError(str(error)) from None


def _parse_result(text: str) -> int | None:
    """Return black's score, or None for a result without one, such as B+R."""
    text = text.strip()
    if text.lower() in ("0", "draw"):
        return 0
    match = _RESULT.fullmatch(text)
    if match is None or int(match[2]) > 64:
        return None
    return int(match[2]) if match[1].upper() == "B" else -int(match[2])


def _play(
    start: Position, nodes: list[Node], charset: str
) -> tuple[tuple[Move, ...], dict[int, Note], str]:
    """Return the moves, the notes on them, and what is said before the first."""
    line = ColoredMoves(start)
    comments: defaultdict[int, list[bytes]] = defaultdict(list)  # by ply, -1 before the first
    values: dict[int, float] = {}
    comments[-1] += nodes[0].get("GC", ())
    for node in nodes:
        moved = _play_node(line, node, charset)
        ply = len(line.moves) - 1
        if "C" in node:
            comments[ply] += node["C"]
        if "V" in node and moved:
            values[ply] = _parse_value(node["V"], line.position.turn.other)
    texts = {
        ply: "\n\n".join(filter(None, (_text(raw, charset) for raw in comment)))
        for ply, comment in comments.items()
    }
    opening = texts.pop(-1)
    notes = {
        ply: Note(texts.get(ply, ""), values.get(ply))
        for ply in range(len(line.moves))
        if texts.get(ply) or ply in values
    }
    return tuple(line.moves), notes, opening


def _play_node(line: ColoredMoves, node: Node, charset: str) -> bool:
    """Play the move of a node, if it has one."""
    names = [name for name in _SIDES if name in node]
    if line.moves:
        for name in _SETUP:
            if name in node:
                raise RecordError("the board is changed after the first move", field=name)
    if not names:
        return False
    number = len(line.moves) + 1
    texts = [_simple_text([value], charset) for name in names for value in node[name]]
    field = f"move {number} {names[0]}[{excerpt(texts[0])}]"
    if len(texts) > 1:
        raise RecordError("more than one move in a node", field=field)
    try:
        line.play(_SIDES[names[0]], _parse_move(texts[0]))
    except RecordError as error:
        raise RecordError(error.problem, field=field) from None
    return True


def _parse_value(values: Sequence[bytes], mover: Color) -> float:
    """Return the value of a node, which is from black's view, from the mover's."""
    text = _simple_text(values)
    value = parse_number(text.strip())
    if value is None:
        raise RecordError(f"not a number: {excerpt(text)!r}", field="V")
    return value if mover is BLACK else -value


def _format_game(game: Game) -> str:
    facts = {"FF": "4", "CA": "UTF-8", "GM": "2", "SZ": "8"}
    facts |= {name: getattr(game, field) for name, field in _FACTS.items()}
    facts["RE"] = _format_result(game)
    facts |= {
        name: text
        for name, text in game.tags.items()
        if name.isascii() and name.isalpha() and name.isupper() and name not in _NOT_TAGS
    }
    root = "".join(_format(name, one_line(text)) for name, text in facts.items() if text)
    root += _format("GC", game.comment) if game.comment else ""
    sides = "BW" if game.start.turn is BLACK else "WB"
    nodes = "".join(f";{_format_node(game, ply, sides[ply % 2])}" for ply in range(len(game.moves)))
    return f"(;{root}{_format_setup(game.start)}\n{nodes})"


def _format(name: str, text: str) -> str:
    return f"{name}[{escape(text, _ESCAPED)}]"


def _format_result(game: Game) -> str:
    if game.result is None:
        text = game.tags.get("RE", "")
        return text if _parse_result(text) is None else ""
    if game.result == 0:
        return "0"
    return f"{'B' if game.result > 0 else 'W'}+{abs(game.result)}"


def _format_setup(start: Position) -> str:
    if start == Position.start():
        return ""
    turn = f"PL[{'B' if start.turn is BLACK else 'W'}]"
    if (start.black, start.white) == (Position.start().black, Position.start().white):
        return turn
    lists = {
        name: "".join(f"[{square}]" for square in squares_of(bits))
        for name, bits in (("AB", start.black), ("AW", start.white))
    }
    discs = "".join(f"{name}{squares}" for name, squares in lists.items() if squares)
    return f"{discs or 'AE[a1:h8]'}{turn}"


def _format_node(game: Game, ply: int, side: str) -> str:
    move, note = game.moves[ply], game.notes.get(ply, Note())
    text = f"{side}[{'' if move.is_pass else move}]"
    if note.comment:
        text += _format("C", note.comment)
    if note.value is not None:
        if not math.isfinite(note.value):
            raise RecordError(f"a value must be finite: {note.value}", field=f"move {ply + 1}")
        text += f"V[{format_number(note.value if side == 'B' else -note.value)}]"
    return text
