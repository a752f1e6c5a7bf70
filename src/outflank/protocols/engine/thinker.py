"""What an engine needs of a player, and the limits that a program on the other side may set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import BinaryIO, Protocol

from outflank import _core
from outflank.evaluations import Unit
from outflank.numbers import SECONDS
from outflank.othello import Game, Move

_DEEPEST = 60  # plies
_SHORTEST = 0.01  # seconds
_LONGEST_LINE = 1 << 20  # bytes; what is longer is no command


class Thought(Protocol):
    """A move, and what the player thinks of the position; outflank.players says more."""

    # ruff: noqa: D102  # the names are those of outflank.players
    @property
    def move(self) -> Move: ...
    @property
    def value(self) -> float | None: ...
    @property
    def depth(self) -> int | None: ...
    @property
    def nodes(self) -> int | None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def exact(self) -> bool: ...
    @property
    def line(self) -> tuple[Move, ...]: ...
    @property
    def values(self) -> Mapping[Move, float]: ...
    @property
    def policy(self) -> Mapping[Move, float]: ...
    @property
    def visits(self) -> Mapping[Move, int]: ...
    @property
    def unit(self) -> Unit: ...


OnThought = Callable[[Thought], None]


class Thinker(Protocol):
    """A player. The players' room is above this one, so this is all that is known of it."""

    def think(
        self,
        game: Game,
        *,
        stop: _core.Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought: ...
    def rank_moves(
        self,
        game: Game,
        count: int,
        *,
        stop: _core.Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought: ...
    def close(self) -> None: ...


def limit(player: Thinker, *, depth: int | None = None, seconds: float | None = None) -> None:
    """Set a player's depth or time for a move, if it has such an option.

    The limits of the protocols are wishes: a player without the option stays as it is. What the
    player keeps from earlier searches is kept, so it is not made anew.
    """
    options: list[str] = [option.name for option in fields(player)] if is_dataclass(player) else []
    if depth is not None and "depth" in options:
        setattr(player, "depth", max(1, min(depth, _DEEPEST)))  # noqa: B010
    if seconds is not None and "time" in options:
        setattr(player, "time", min(max(seconds, _SHORTEST), SECONDS.greatest))  # noqa: B010


def command_lines(stream: BinaryIO) -> Iterator[str | None]:
    """Yield the lines of a stream as text without their ends; None for one that is too long."""
    while line := stream.readline(_LONGEST_LINE):
        if len(line) < _LONGEST_LINE or line.endswith(b"\n"):
            yield line.decode("utf-8", "replace").rstrip("\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_LONGEST_LINE)
        yield None
