"""Small changes of a program's text: each turns one comparison, sum, number or condition around."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
}  # fmt: skip
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*"),
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """A piece of a text that is replaced: where it begins and ends, and what takes its place."""

    begin: int
    end: int
    by: str

    def of(self, text: str) -> str:
        """Return a text with the change."""
        return text[: self.begin] + self.by + text[self.end :]

    def described(self, text: str) -> str:
        """Return the line of the change, before and after."""
        first = text.rfind("\n", 0, self.begin) + 1
        last = text.find("\n", self.end)
        line = text[first:last]
        changed = text[first : self.begin] + self.by + text[self.end : last]
        number = text.count("\n", 0, self.begin) + 1
        return f"{number}: {line.strip()}  ->  {changed.strip()}"


def changes_of(text: str) -> Iterator[Change]:
    """Return all changes of a program, in the order of a walk through its tree."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines(keepends=True)

    def at(line: int, column: int) -> int:
        # Columns count bytes of UTF-8.
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    def span(node: ast.expr) -> tuple[int, int]:
        begin = at(node.lineno, node.col_offset)
        return begin, at(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def between(one: ast.AST, other: ast.AST, old: str, new: str) -> Iterator[Change]:
        begin = at(one.end_lineno, one.end_col_offset)  # type: ignore[attr-defined]
        end = at(other.lineno, other.col_offset)  # type: ignore[attr-defined]
        place = text.find(old, begin, end)
        if place >= 0:
            yield Change(place, place + len(old), new)

    tree = ast.parse(text)
    # Whether a dataclass is frozen changes nothing that a program does.
    unseen = [
        one.value for one in ast.walk(tree) if isinstance(one, ast.keyword) and one.arg == "frozen"
    ]
    for node in ast.walk(tree):
        if node in unseen:
            continue
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                yield from between(left, right, *COMPARISONS[type(operator)])
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
                yield from between(left, right, *OPERATORS[type(operator)])
            case ast.BoolOp(op=operator, values=[left, right, *_]):
                words = ("and", "or") if isinstance(operator, ast.And) else ("or", "and")
                yield from between(left, right, *words)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                begin = at(node.lineno, node.col_offset)
                yield Change(begin, at(operand.lineno, operand.col_offset), "")
            case ast.Constant(value=bool(value)):
                begin, end = (
                    at(node.lineno, node.col_offset),
                    at(node.lineno, node.end_col_offset or 0),
                )
                yield Change(begin, end, str(not value))
            case ast.Constant(value=int(value)) | ast.Constant(value=float(value)):
                begin, end = (
                    at(node.lineno, node.col_offset),
                    at(node.lineno, node.end_col_offset or 0),
                )
                yield Change(begin, end, repr(value + 1))
            case _:
                pass
