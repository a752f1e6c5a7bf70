"""Going over a game: what each move was worth, and what would have been better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from outflank import _core
from outflank.othello import Game, Move, Position
from outflank.players.player import Player, Thought
from outflank.players.search import AlphaBetaPlayer

# Empty squares from which moves are valued by perfect play: a second or so for each position.
SOLVE_FROM = 18


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
    is worth is what the position after it is worth to the player, seen from the other side.
    stop: ends the review early, also while the solver or a search is at work.
    """
    stop = stop or _core.Stop()
    solver = _core.Solver(64)
    for ply, (position, move) in enumerate(
        zip(game.positions(), game.moves, strict=False), start=1
    ):
        if position.empties <= solve_from:
            review = _solved(ply, position, move, solver, threads, stop)
        else:
            review = _valued(ply, position, move, player, stop)
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
    ply: int, position: Position, move: Move, player: Player, stop: _core.Stop
) -> MoveReview:
    thought = _think(player, position, stop)
    if thought.move == move:
        return MoveReview(
            ply,
            move,
            thought.value,
            move,
            thought.value,
            _no_loss(thought),
            thought.exact,
            position,
            thought.line,
        )
    value = _value_after(position.play(move), player, stop)
    if value is None or thought.value is None:
        loss, exact = None, False
    else:
        loss, exact = max(0.0, thought.value - value), thought.exact
    return MoveReview(
        ply, move, value, thought.move, thought.value, loss, exact, position, thought.line
    )


def _no_loss(thought: Thought) -> float | None:
    return None if thought.value is None else 0.0


def _value_after(position: Position, player: Player, stop: _core.Stop) -> float | None:
    """What a position is worth to whoever has just moved."""
    if position.is_over:
        return float(-position.score)
    value = _think(player, position, stop).value
    return None if value is None else -value
