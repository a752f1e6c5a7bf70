"""What an environment can be asked for: which side, which rules, which start position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from outflank.errors import NotationError, OutflankError
from outflank.othello import Position

Agent = Literal["black", "white", "alternate", "random"]
Illegal = Literal["lose", "raise"]


class OptionError(OutflankError, ValueError):
    """An option that an environment cannot take: names the option and what is accepted."""


def check_words(agent: str, illegal: str, render_mode: str | None, modes: Sequence[str]) -> None:
    """Refuse words that are not among those an environment's arguments accept."""
    _check("agent", agent, get_args(Agent))
    _check("illegal", illegal, get_args(Illegal))
    check_render_mode(render_mode, modes)


def check_render_mode(render_mode: str | None, modes: Sequence[str]) -> None:
    """Refuse a render mode that an environment does not have; None is none."""
    if render_mode is not None:
        _check("render_mode", render_mode, modes)


def _check(name: str, word: str, accepted: Sequence[str]) -> None:
    if word not in accepted:
        raise OptionError(f"{name} cannot be {word!r}; accepted are {', '.join(accepted)}")


def start_position(options: Mapping[str, Any] | None) -> Position:
    """Return the position of reset(options={"position": ...}): a Position or its string."""
    if not options or "position" not in options:
        return Position.start()
    return read_position(options["position"])


def read_position(given: Position | str) -> Position:
    """Return a position to start from, in which the game is not over."""
    if not isinstance(given, (Position, str)):
        raise OptionError(f"position cannot be {given!r}; accepted are a Position and its string")
    try:
        position = Position.from_string(given) if isinstance(given, str) else given
    except NotationError as error:
        raise OptionError(f"position: {error}") from None
    if position.is_over:
        raise OptionError(f"position: the game is over there: {position.to_string()}")
    return position


def too_late(position: Position) -> OptionError:
    """Return the error for a start position where the opponent's move ends the game."""
    return OptionError(
        f"position: the opponent's move ends the game before the agent's turn: "
        f"{position.to_string()}"
    )
