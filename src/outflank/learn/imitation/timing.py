"""How long a network takes to predict a move."""

from __future__ import annotations

import statistics
import time

from outflank import _core
from outflank.nets.network import PolicyNetwork
from outflank.othello.boards import Boards
from outflank.othello.lockstep import Lockstep

BATCH = 256  # paper 1's
_PLIES = 20  # boards of the middle game have the most moves
_LEAST = 3  # calls, however long they take


def seconds_per_position(
    network: PolicyNetwork, batch: int = BATCH, *, seconds: float = 1.0
) -> float:
    """Return the time per position, as the median of many calls.

    It includes everything from boards to scores: encoding, the network, decoding.

    Args:
        network: The network to time.
        batch: Positions in a call.
        seconds: How long to measure.
    """
    boards = _boards(batch)
    network.predict(boards)  # the first call also initialises
    took: list[float] = []
    end = time.perf_counter() + seconds
    while len(took) < _LEAST or time.perf_counter() < end:
        began = time.perf_counter()
        network.predict(boards)
        took.append(time.perf_counter() - began)
    return statistics.median(took) / batch


def _boards(count: int) -> Boards:
    """Return boards of random games, none of them over."""
    games = Lockstep(Boards.start(2 * count))
    for ply in range(_PLIES):
        games.play(_core.random_moves(games.boards.own, games.boards.other, ply))
    return games.boards[:count]
