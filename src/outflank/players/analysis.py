"""Going over a game: what each move was worth, and what would have been better."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from outflank import _core
from outflank.othello import Game, Move, Position
from outflank.players.player import Player, Thought
from outflank.players.search import AlphaBetaPlayer, MinimaxPlayer

# Empty squares from which moves are valued by perfect play: a second or so for each position.
SOLVE_FROM = 18
REVIEWER = "alphabeta:eval=patterns,depth=8"  # who values moves if nobody else is named; in discs


@dataclass(frozen=True)
class MoveReview:
    """One move of a game, seen with hindsight. Values are from the view of whoever moved."""

    ply: int  # from 1; passes count
    move: Move
    value: float | None  # of the move played
    best: Move
    best_value: float | None
    loss: float | None  # what the move gave away: best_value - value, not below zero
    exact: bool  # the values are final scores under perfect play, in discs
    position: Position  # before the move
    line: tuple[Move, ...] = ()  # the best moves from there, as far as they were found


def review_game(
    game: Game,
    player: Player,
    *,
    solve_from: int = SOLVE_FROM,
    threads: int = 1,
    stop: _core.Stop | None = None,
) -> Iterator[MoveReview]:
    """Yield a review of every move, in the order of the game.

    The player values positions; from `solve_from` empty squares on the solver does. What a move
    is worth is what the position after it is worth to the player, seen from the other side, and by
    a search that ends at the same ply.
    stop: ends the review early, also while the solver or a search is at work.
    """
    stop = stop or _core.Stop()
    solver, replying = _core.Solver(64), _one_ply_less(player)
    for ply, (position, move) in enumerate(
        zip(game.positions(), game.moves, strict=False), start=1
    ):
        if position.empties <= solve_from:
            review = _solved(ply, position, move, solver, threads, stop)
        else:
            review = _valued(ply, position, move, player, replying, stop)
        if review is None or stop.is_set:
            return
        yield review


def _solved(
    ply: int,
    position: Position,
    move: Move,
    solver: _core.Solver,
    threads: int,
    stop: _core.Stop,
) -> MoveReview | None:
    """Value a move by perfect play; None if that was stopped."""
    scored, _ = solver.solve_moves(*position.bits, threads=threads, stop=stop)
    if stop.is_set:
        return None
    scores = {Move(square): float(score) for square, score in scored}
    best = move if scores[move] == scored[0][1] else Move(scored[0][0])
    loss = scores[best] - scores[move]
    line = (best, *_best_line(position.play(best), solver, threads, stop))
    return MoveReview(ply, move, scores[move], best, scores[best], loss, True, position, line)


def _best_line(
    position: Position, solver: _core.Solver, threads: int, stop: _core.Stop
) -> tuple[Move, ...]:
    """The moves of perfect play; the solver remembers most of what it needs."""
    if position.is_over:
        return ()
    return tuple(map(Move, solver.solve(*position.bits, threads=threads, stop=stop).line))


def _think(player: Player, position: Position, stop: _core.Stop) -> Thought:
    if isinstance(player, AlphaBetaPlayer):
        return player.think(position, stop=stop)
    return player.think(position)


def _valued(
    ply: int, position: Position, move: Move, player: Player, replying: Player, stop: _core.Stop
) -> MoveReview:
    """Value a move by what a player says; replying: the player that values what comes after it."""
    thought = _think(player, position, stop)
    best, line, value = thought.move, thought.line, thought.value
    if move != best:
        value, own_line = _after(position.play(move), replying, stop)
        if value is not None and thought.value is not None and value >= thought.value:
            best, line = move, (move, *own_line)  # as good
    loss = None
    if value is not None and thought.value is not None:
        loss = max(0.0, thought.value - value)
    exact = thought.exact and loss is not None
    best_value = value if best == move else thought.value
    return MoveReview(ply, move, value, best, best_value, loss, exact, position, line)


def _after(
    position: Position, player: Player, stop: _core.Stop
) -> tuple[float | None, tuple[Move, ...]]:
    """What a position is worth to whoever has just moved, and how it goes on."""
    if position.is_over:
        return float(-position.score), ()
    thought = _think(player, position, stop)
    return None if thought.value is None else -thought.value, thought.line


def _one_ply_less(player: Player) -> Player:
    """Return a player that looks as far after a move as the given one before it.

    What is seen one ply further is worth something else: whose turn is last has the advantage.
    """
    if isinstance(player, AlphaBetaPlayer | MinimaxPlayer) and (player.depth or 0) > 1:
        return dataclasses.replace(player, depth=(player.depth or 0) - 1)
    return player
