"""Bad command lines, made from the command's own description: a new command is covered at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import typer

from outflank.cli import app

# What a required argument is given, by its name, so that the option beside it is reached.
GOOD = {
    "what": "f5d6c3",
    "spec": "random",
    "position": "f5",
    "first": "random",
    "second": "greedy",
    "players": "random",
    "depth": "2",
    "years": "1977",
}
_BAD_SPECS = [
    "alphabeta:depth=-1",
    "alphabeta:depth=99999999999999999999",
    "alphabeta:threads=-1",
    "alphabeta:threads=100000",
    "alphabeta:memory=99999999",
    "alphabeta:memory=0",
    "alphabeta:nodes=-5",
    "alphabeta:nodes=1" + "0" * 30,
    "alphabeta:solve=-3",
    "alphabeta:selectivity=nan",
    "alphabeta:selectivity=-1",
    "alphabeta:time=inf",
    "alphabeta:depth=1_4",
    "alphabeta:depth=\uff11",
    "playouts:games=99999999999999999999",
    "playouts:games=-1",
    "random:seed=-1",
    "mcts:rollouts=-1",
    "mcts:rollouts=10,memory=-1",
    "mcts:rollouts=10,c=nan",
    "policy:temperature=nan",
    "evolved:novice,window=-1",
    'gtp:cmd="/nonexistent/engine"',
    "edax:level=-1",
    "hybrid:stage=99-1",
    "league:/dev/null",
    "policy:/dev/zero",
    "policy:/",
]
_BAD_TEXTS = [
    "",
    " ",
    "\x1b]0;title\x07\x1b[31m",
    "\udcff\udcfe",
    "x" * 5000,
    "9" * 5000,
    "random:" + "9" * 5000,
    "random:-1",
    "../../../etc/passwd",
    "%s%n{}",
    "\x00",
    "-",
    "nan",
    "{" * 3000,
    "[" * 100000,
    "f5" * 20000,
    "X" * 64 + " X",
    "/dev/null",
    "/dev/full",
    "/proc/self/mem",
    "/",
]
_BAD_PATHS = [
    "",
    "/",
    "/nonexistent/folder/file",
    "/dev/full",
    "/dev/null",
    "/proc/self/mem",
    "/dev/null/x",
    "x" * 5000,
    "\udcff.sqlite",
    "\x00",
    "one-byte",
    "empty",
    "loop",
    "a folder",
]
_BAD_INTEGERS = [
    "-1",
    "-9223372036854775809",
    "9223372036854775808",
    "1" + "0" * 30,
    "1e3",
    "1.5",
    "nan",
    "inf",
    "",
    "x",
    "0x10",
    "9" * 5000,
]
_BAD_FLOATS = ["nan", "inf", "-inf", "-1", "1e400", "", "x", "9" * 400]


@dataclass(frozen=True)
class Line:
    """A command line; `refused`: whether nothing but exit code 2 will do."""

    words: tuple[str, ...]
    refused: bool


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command, and every group that is one, with the words that name it."""
    pending: list[tuple[tuple[str, ...], Any]] = [((), typer.main.get_command(app))]
    while pending:
        words, command = pending.pop(0)
        if hasattr(command, "list_commands"):
            context = typer.Context(command)
            pending += [
                ((*words, name), command.get_command(context, name))
                for name in command.list_commands(context)
            ]
            if not command.params:
                continue
        yield words, command


def kind_of(param: Any) -> type | None:
    """Return the type of a parameter's value, if it is a class."""
    annotation = getattr(getattr(param, "type_descriptor", None), "annotation", None)
    return annotation if isinstance(annotation, type) else None


def numbers() -> Iterator[tuple[str, Any]]:
    """Yield every option and argument that is a number, with the words that name it."""
    for words, command in commands():
        for param in command.params:
            if kind_of(param) in (int, float):
                yield f"{' '.join(words)} {param.opts[-1]}", param


def bad_lines(most: int | None = None) -> Iterator[Line]:
    """Yield bad command lines; at most this many values for each parameter."""
    yield Line(("no-such-command",), True)
    for words, command in commands():
        yield Line((*words, "--no-such-option"), False)
        positional = [param for param in command.params if param.param_type_name == "argument"]
        options = [param for param in command.params if param.param_type_name == "option"]
        good = [GOOD.get(param.name, "x") for param in positional if param.required]
        for param in options:
            if param.is_flag or param.name in ("help", "version"):
                continue
            needed = [
                word
                for other in options
                if other.required and other is not param
                for word in (other.opts[-1], "x")
            ]
            for value in _some(values(param), most):
                line = (*words, *good, *needed, param.opts[-1], value)
                yield Line(line, kind_of(param) in (int, float))
        for place, param in enumerate(positional):
            for value in _some([*values(param), *_BAD_SPECS], most):
                others = [*good[:place], value, *good[place + 1 :]]
                yield Line((*words, "--", *others), kind_of(param) in (int, float))


def values(param: Any) -> list[str]:
    """Return bad values of a parameter."""
    kind = kind_of(param)
    if kind is int:
        return _BAD_INTEGERS
    if kind is float:
        return [value for value in _BAD_FLOATS if value != "-1" or param.min > -1]
    if kind is not None and issubclass(kind, os.PathLike):
        return _BAD_PATHS
    return _BAD_TEXTS


def _some(every: list[str], most: int | None) -> list[str]:
    """Return a few of many, spread over them, or all."""
    if most is None or len(every) <= most:
        return every
    return [every[len(every) * i // most] for i in range(most)]
