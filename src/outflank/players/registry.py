"""The kinds of players, and how a spec becomes a player."""

from __future__ import annotations

import dataclasses
import pkgutil
import typing
from collections.abc import Callable, Iterable
from importlib import import_module
from types import NoneType, UnionType
from typing import Any

from outflank.errors import SpecError
from outflank.models import shipped_models
from outflank.numbers import OPTIONS, number, whole_number
from outflank.players.duration import Seconds
from outflank.players.player import Player
from outflank.players.spec import Spec

_KINDS: dict[str, type[Player]] = {}
_PREFIXES: dict[str, str] = {}


def register(
    kind: str, summary: str, *, prefix: str = ""
) -> Callable[[type[Player]], type[Player]]:
    """Make a Player class known under the first word of its specs.

    Args:
        kind: The first word of its specs.
        summary: What it does, in one line.
        prefix: Of the names of its shipped networks; specs may leave it out.
    """

    def enter(player: type[Player]) -> type[Player]:
        player.kind = kind
        player.summary = summary
        _KINDS[kind] = player
        _PREFIXES[kind] = prefix
        return player

    return enter


def discover(package: str, folders: Iterable[str]) -> None:
    """Import every module of a package, so that its players are registered."""
    for module in pkgutil.iter_modules(folders):
        import_module(f"{package}.{module.name}")


def kinds() -> dict[str, type[Player]]:
    """Return all kinds of players by name."""
    return dict(_KINDS)


def read_spec(text: str) -> Spec:
    """Parse a spec; a shipped network with two names gets the shorter one.

    >>> str(read_spec("evolved:evolved-master,depth=4"))
    'evolved:master,depth=4'
    """
    kind, colon, rest = text.strip().partition(":")
    if colon and not rest and kind in _KINDS:
        raise SpecError(f"{kind}: nothing follows the colon; {_known(_fields(_KINDS[kind]))}")
    parsed = Spec.parse(text)
    prefix = _PREFIXES.get(parsed.kind, "")
    if prefix and parsed.argument in shipped_models():
        return dataclasses.replace(parsed, argument=parsed.argument.removeprefix(prefix))
    return parsed


def make_player(spec: str | Spec) -> Player:
    """Make the player that a spec describes.

    >>> make_player("playouts:games=50,seed=1")
    PlayoutsPlayer(games=50, seed=1)

    Args:
        spec: The kind, perhaps with options: "random", "alphabeta:eval=iago,depth=6",
            "policy:imitation-fast". `outflank players` lists them all.
    """
    parsed = read_spec(spec) if isinstance(spec, str) else spec
    if parsed.kind not in _KINDS:
        raise SpecError(f"no such player: {parsed.kind!r}; players are {', '.join(sorted(_KINDS))}")
    player = _KINDS[parsed.kind]
    types = typing.get_type_hints(player)
    fields = _fields(player)
    options = dict(parsed.options)
    if parsed.argument:
        first = next(iter(fields), None)
        if first is None or first in options:
            raise SpecError(f"{parsed}: {parsed.kind} takes no argument {parsed.argument!r}")
        options = {first: parsed.argument, **options}
    arguments: dict[str, Any] = {}
    for key, text in options.items():
        if key not in fields:
            raise SpecError(f"{parsed}: {parsed.kind} has no option {key!r}; {_known(fields)}")
        wanted = _type_of(types[fields[key]])
        try:
            value = _convert(text, wanted)
        except ValueError:
            accepted = _accepted(wanted)
            raise SpecError(f"{parsed}: {key} cannot be {text!r}; {accepted} is accepted") from None
        try:
            _check_range(key, value)
        except ValueError as error:
            raise SpecError(f"{parsed}: {error}") from None
        arguments[fields[key]] = value
    try:
        return player(**arguments)
    except ValueError as error:
        raise SpecError(f"{parsed}: {error}") from None


def _fields(player: type[Player]) -> dict[str, str]:
    """Return the names of fields by those of options.

    An option named like a Python keyword is a field with a trailing underscore.
    """
    return {
        field.name.rstrip("_"): field.name for field in dataclasses.fields(player) if field.init
    }


def _known(fields: dict[str, str]) -> str:
    return f"its options are {', '.join(fields)}" if fields else "it has no options"


def _type_of(hint: object) -> type:
    """Return the type of an option, which may be one `| None`."""
    if typing.get_origin(hint) in (typing.Union, UnionType):
        (hint,) = [option for option in typing.get_args(hint) if option is not NoneType]
    if isinstance(hint, type) and issubclass(hint, (int, float, str)):
        return hint
    raise TypeError(f"options cannot have the type {hint}")


def _convert(text: str, wanted: type) -> object:
    """Turn the text of an option into a value of its type."""
    if wanted is bool:
        if text not in ("yes", "no", "true", "false"):
            raise ValueError(text)
        return text in ("yes", "true")
    if wanted is int:
        return whole_number(text)
    return number(text) if wanted is float else wanted(text)


def _check_range(key: str, value: object) -> None:
    """Raise ValueError for a number that is outside the range of its option."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and key in OPTIONS:  # a player of somebody's own may have other options
        OPTIONS[key].check(key, value)  # type: ignore[arg-type]


def _accepted(wanted: type) -> str:
    if wanted is bool:
        return "yes or no"
    if issubclass(wanted, Seconds):
        return "a time such as 2s or 500ms"
    return "a whole number" if issubclass(wanted, int) else "a number"
