"""All kinds of players, and how a spec becomes a player."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable
from types import NoneType, UnionType

from outflank.errors import SpecError
from outflank.players.player import Player
from outflank.players.spec import Spec

_KINDS: dict[str, type[Player]] = {}


def register(kind: str, summary: str) -> Callable[[type[Player]], type[Player]]:
    """Make a Player class known under the first word of its specs."""

    def enter(player: type[Player]) -> type[Player]:
        player.kind = kind
        player.summary = summary
        _KINDS[kind] = player
        return player

    return enter


def kinds() -> dict[str, type[Player]]:
    """Return all kinds of players by name."""
    return dict(_KINDS)


def make_player(spec: str | Spec) -> Player:
    """Make the player that a spec describes.

    >>> make_player("playouts:games=50,seed=1")
    PlayoutsPlayer(games=50, seed=1)
    """
    parsed = Spec.parse(spec) if isinstance(spec, str) else spec
    if parsed.kind not in _KINDS:
        raise SpecError(f"no such player: {parsed.kind!r}; players are {', '.join(sorted(_KINDS))}")
    player = _KINDS[parsed.kind]
    types = typing.get_type_hints(player)
    # An option that is a word of Python is a field with an underscore behind it.
    fields = {
        field.name.rstrip("_"): field.name for field in dataclasses.fields(player) if field.init
    }
    options = dict(parsed.options)
    if parsed.argument:
        first = next(iter(fields), None)
        if first is None or first in options:
            raise SpecError(f"{parsed}: {parsed.kind} takes no argument {parsed.argument!r}")
        options = {first: parsed.argument, **options}
    arguments = {}
    for key, text in options.items():
        if key not in fields:
            known = f"its options are {', '.join(fields)}" if fields else "it has no options"
            raise SpecError(f"{parsed}: {parsed.kind} has no option {key!r}; {known}")
        try:
            arguments[fields[key]] = _convert(text, types[fields[key]])
        except ValueError:
            raise SpecError(f"{parsed}: {key} cannot be {text!r}") from None
    try:
        return player(**arguments)
    except ValueError as error:
        raise SpecError(f"{parsed}: {error}") from None


def _convert(text: str, wanted: object) -> object:
    """Turn the text of an option into a value of its field's type."""
    if typing.get_origin(wanted) in (typing.Union, UnionType):
        (wanted,) = [option for option in typing.get_args(wanted) if option is not NoneType]
    if wanted is bool:
        if text not in ("yes", "no", "true", "false"):
            raise ValueError(text)
        return text in ("yes", "true")
    if isinstance(wanted, type) and issubclass(wanted, (int, float, str)):
        return wanted(text)
    raise TypeError(f"options cannot have the type {wanted}")
