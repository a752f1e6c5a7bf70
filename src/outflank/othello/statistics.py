"""How a game goes: discs, moves to choose from and corners of both sides, position by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello.game import Game

PANELS = {"discs": "discs", "mobility": "possible moves", "corners": "corners"}

MIDDLE = 40  # moves after which the two sides are compared

_CORNERS = np.uint64(0x8100000000000081)


@dataclass(frozen=True, eq=False)
class GameStatistics:
    """Numbers of black and white, in this order, in every position from the start to the end.

    discs, mobility, corners: int64[positions, 2]; mobility counts the moves that a side has, or
    would have if it were its turn.
    """

    discs: NDArray[np.int64]
    mobility: NDArray[np.int64]
    corners: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.discs)

    def summary(self, move: int = MIDDLE) -> dict[str, Any]:
        """Return black's final score and, black's first, discs and moves after so many moves.

        And the corners at the end. A shorter game is taken at its end.
        """
        place = min(move, len(self) - 1)
        return {
            "score": int(self.discs[-1, 0] - self.discs[-1, 1]),
            "discs": self.discs[place].tolist(),
            "mobility": self.mobility[place].tolist(),
            "corners": self.corners[-1].tolist(),
        }


def statistics_of(game: Game) -> GameStatistics:
    """Follow a game."""
    position = game.start
    sides = [(position.black, position.white)]
    for move in game.moves:
        position = position.play(move)
        sides.append((position.black, position.white))
    black, white = (np.array(side, np.uint64) for side in zip(*sides, strict=True))
    return GameStatistics(
        _pairs(black, white),
        _pairs(_core.legal_moves(black, white), _core.legal_moves(white, black)),
        _pairs(black & _CORNERS, white & _CORNERS),
    )


def _pairs(black: NDArray[np.uint64], white: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count the squares of both sides."""
    return np.stack([np.bitwise_count(side) for side in (black, white)], axis=1).astype(np.int64)


def draw_statistics(
    axes: Sequence[Any], statistics: GameStatistics, black: str, white: str
) -> None:
    """Draw a game on three axes of matplotlib, as paper 4 does its Figs. 7 and 8."""
    looks = ((black, "black", "-"), (white, "tab:blue", "--"))
    for axis, (name, label) in zip(axes, PANELS.items(), strict=True):
        for side, (who, colour, line) in enumerate(looks):
            axis.plot(getattr(statistics, name)[:, side], line, color=colour, label=who)
        axis.set(ylabel=label, ylim=(0, 4.2) if name == "corners" else (0, None))
        for ticks in (axis.xaxis, axis.yaxis):
            ticks.get_major_locator().set_params(integer=True)
    axes[0].legend()
    axes[-1].set(xlabel="move")
