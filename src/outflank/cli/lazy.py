"""Commands whose modules are imported when they are used.

`outflank --version`, `--help` and the completion of command names need none of them: the help lists
the summaries of the table in cli/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class Command(NamedTuple):
    """A command, or a group of them, as the table has it.

    Attributes:
        name: What is typed.
        place: Its module in this room and its name there, as "arena:match". It is a function, or
            the Typer of a group.
        summary: The first sentence of its help; a test compares the two.
        boards: Whether it takes a board string, which may begin with a dash. That must not make
            it an option.
    """

    name: str
    place: str
    summary: str
    boards: bool = False

    def load(self) -> Any:
        """Import the command and return it as the parser wants it."""
        module, attribute = self.place.split(":")
        found = getattr(import_module(f"outflank.cli.{module}"), attribute)
        parent = typer.Typer(rich_markup_mode="rich", callback=lambda: None)
        if isinstance(found, typer.Typer):
            parent.add_typer(found, name=self.name)
        else:
            settings = {"ignore_unknown_options": True} if self.boards else None
            parent.command(self.name, context_settings=settings)(found)
        return typer.main.get_group(parent).commands[self.name]


class LazyGroup(TyperGroup):
    """A group of commands that are loaded when they are asked for; lists only need summaries."""

    table: Sequence[Command] = ()

    def __init__(self, **settings: Any) -> None:
        summaries = {one.name: TyperCommand(one.name, help=one.summary) for one in self.table}
        super().__init__(**{**settings, "commands": summaries})
        self._places = {one.name: one for one in self.table}
        self._loaded: dict[str, Any] = {}
        self._listing = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or its summary while a list is made; None if there is none."""
        if self._listing or cmd_name not in self._places:
            return super().get_command(ctx, cmd_name)
        if cmd_name not in self._loaded:
            self._loaded[cmd_name] = self._places[cmd_name].load()
        return self._loaded[cmd_name]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, which lists all commands."""
        with self._list():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands and options that begin like this."""
        with self._list():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def _list(self) -> Iterator[None]:
        self._listing = True
        try:
            yield
        finally:
            self._listing = False
