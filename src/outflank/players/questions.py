"""Questions about one position: how it ends under perfect play, and what a search finds."""

from __future__ import annotations

import time
from dataclasses import dataclass

from outflank import _core
from outflank.errors import IllegalMoveError, SpecError
from outflank.othello import Game, Move, Position
from outflank.players.duration import Seconds
from outflank.players.player import Thought
from outflank.players.search import AlphaBetaPlayer

_MEMORY = 64  # megabytes


@dataclass(frozen=True)
class Solution:
    """How a position ends under perfect play.

    Attributes:
        score: Final disc difference from the mover's view, the empty squares going to the winner;
            with `win_draw_loss` only its sign, 1, 0 or -1.
        move: The best move; None if the game is over.
        line: Best play to the end, this move first, passes included.
        nodes: Positions looked at.
        seconds: Time taken.
    """

    score: int
    move: Move | None
    line: tuple[Move, ...]
    nodes: int
    seconds: float


def solve(
    position: Position | Game,
    *,
    threads: int = 1,
    win_draw_loss: bool = False,
    memory: int = _MEMORY,
) -> Solution:
    """Find the score of a position under perfect play, and the best move.

    The time grows severalfold with each empty square: 20 take about a second, more than 30 may
    take very long. Ctrl-C ends it.

    >>> from outflank import Position
    >>> solve(Position.from_string("XXXXXXXX" * 7 + "XXXXXXO- X")).line
    (Move('h8'),)

    Args:
        position: The position, or a game whose last position is meant.
        threads: How many to use; 0 for all cores. The answer does not depend on it.
        win_draw_loss: Find only who wins, which is faster.
        memory: Megabytes of the transposition table.
    """
    wanted = position.position if isinstance(position, Game) else position
    solver = _core.Solver(memory)
    began = time.perf_counter()
    found = solver.solve(*wanted.bits, win_draw_loss=win_draw_loss, threads=threads)
    return Solution(
        found.score,
        None if wanted.is_over else Move(found.best),
        tuple(map(Move, found.line)),
        found.nodes,
        time.perf_counter() - began,
    )


def search(
    position: Position | Game,
    *,
    evaluation: str = "patterns",
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    memory: int = _MEMORY,
) -> Thought:
    """Search a position with alpha-beta: its best move and value, and the moves that follow.

    The first limit reached ends the search; without a limit, the depth is 6. Ctrl-C ends it too.

    Args:
        position: The position, or a game whose last position is meant. It must not be over.
        evaluation: One that `outflank players` lists. With "patterns", values are in discs.
        depth: Plies to look ahead.
        nodes: Positions to look at.
        seconds: Time to think. With no `depth`, the last 16 squares are solved exactly.
        threads: How many to use; 0 for all cores.
        memory: Megabytes of the transposition table.
    """
    game = position if isinstance(position, Game) else Game(position)
    if game.is_over:
        raise IllegalMoveError("there is nothing to search: the game is over")
    try:
        player = AlphaBetaPlayer(
            eval=evaluation,
            depth=depth,
            nodes=nodes,
            time=None if seconds is None else Seconds(seconds),
            threads=threads,
            memory=memory,
        )
    except ValueError as error:
        raise SpecError(str(error)) from None
    return player.think(game)
