"""Reviews of games: the value of each move, and what would have been better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from outflank import _core
from outflank.evaluations import Unit
from outflank.othello import Game, Move, Position
from outflank.players.player import Player

# Empty squares from which moves are valued by perfect play: a second or so for each position.
SOLVE_FROM = 18
REVIEWER = "alphabeta:eval=patterns,depth=8"  # the default; its values are in discs


@dataclass(frozen=True)
class MoveReview:
    """The review of one move. Values are from the mover's view."""

    ply: int  # from 1; passes count
    move: Move
    value: float | None  # of the move played
    best: Move
    best_value: float | None
    loss: float | None  # what the move gave away: best_value - value, not below zero
    exact: bool  # the values are final scores under perfect play, in discs
    position: Position  # before the move
    line: tuple[Move, ...] = ()  # the best moves from there, as far as they were found
    unit: Unit = Unit.DISCS  # of the values


def review_game(
    game: Game,
    player: Player,
    *,
    solve_from: int = SOLVE_FROM,
    threads: int = 1,
    stop: _core.Stop | None = None,
) -> Iterator[MoveReview]:
    """Yield a review of every move, in the order of the game.

    A move is worth what the position after it is worth, by a search that ends at the same ply as
    that of the position before.

    Args:
        game: The game, from its first move on.
        player: Values positions before the end.
        solve_from: Empty squares from which the solver values moves.
        threads: Threads of the solver; 0: all cores.
        stop: Ends the review early, also while the solver or the player is at work. A player that
            has nothing to answer then raises ThinkingStoppedError.
    """
    stop = stop or _core.Stop()
    solver, replying = _core.Solver(64), player.after_move()
    for ply, move in enumerate(game.moves, start=1):
        before = game.undo(len(game) - ply + 1)
        if before.position.empties <= solve_from:
            review = _solved(ply, before.position, move, solver, threads, stop)
        else:
            review = _valued(before, move, player, replying, stop)
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
    """Return the moves of perfect play; the solver remembers most of what it needs."""
    if position.is_over:
        return ()
    return tuple(map(Move, solver.solve(*position.bits, threads=threads, stop=stop).line))


def _valued(
    before: Game, move: Move, player: Player, replying: Player, stop: _core.Stop
) -> MoveReview:
    """Value a move by a player; `replying` values the position after it."""
    thought = player.think(before, stop=stop)
    best, line, value = thought.move, thought.line, thought.value
    if move != best:
        value, own_line = _after(before.play(move), replying, stop)
        if value is not None and thought.value is not None and value >= thought.value:
            best, line = move, (move, *own_line)  # as good
    loss = None
    if value is not None and thought.value is not None:
        loss = max(0.0, thought.value - value)
    return MoveReview(
        len(before) + 1,
        move,
        value,
        best,
        value if best == move else thought.value,
        loss,
        thought.exact and loss is not None,
        before.position,
        line,
        thought.unit,
    )


def _after(game: Game, player: Player, stop: _core.Stop) -> tuple[float | None, tuple[Move, ...]]:
    """Return a position's value for the side that just moved, and the expected line."""
    if game.is_over:
        return float(-game.position.score), ()
    thought = player.think(game, stop=stop)
    return None if thought.value is None else -thought.value, thought.line
