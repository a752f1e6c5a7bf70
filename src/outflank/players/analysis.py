"""Reviews of games: the value of each move, and what would have been better.

A game is reviewed from its end. The last positions are solved. There, a move is worth what the
position after it turned out to be worth, so each loss is charged to the move that caused it.
Earlier positions are valued by a player's search, and a move's loss is the difference of two
searches that end at the same ply. If its values are in discs, they are shifted towards the value
of the position after the move, so that values from ply to ply change little except by losses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from outflank import _core
from outflank.evaluations import Unit
from outflank.othello import PASS, Game, Move, Position
from outflank.players.judge import champion_is_shipped, judge_spec
from outflank.players.player import Player

# The default, with values in discs. The champion is so fast that it can look further.
REVIEWER = judge_spec("depth=12" if champion_is_shipped() else "depth=8")

# Empty squares from which moves are valued by perfect play: a few seconds for the first position.
SOLVE_FROM, SOLVE_FROM_ON_TWO = 20, 22
# How many more there may be if the player can guide the solver: for endings that are solved almost
# surely, and for those in which the winner is proved.
_ALMOST_SURE, _PROVED = 4, 2
_DEVIATIONS = 1.7  # of an almost sure solution: 91%
_MEMORY = 64  # megabytes of the solver's table
_LEANING = 0.9  # share of the way from a search's value to that of the position after the move


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


def exact_from(threads: int = 1) -> int:
    """Return the empty squares from which reviews are exact; 0 threads: all cores."""
    cores = threads or _core.available_threads()
    return SOLVE_FROM if cores == 1 else SOLVE_FROM_ON_TWO


def review_game(
    game: Game,
    player: Player,
    *,
    solve_from: int | None = None,
    threads: int = 1,
    stop: _core.Stop | None = None,
    on_review: Callable[[MoveReview], None] | None = None,
) -> Iterator[MoveReview]:
    """Yield a review of every move, in the order of the game, once all are known.

    Args:
        game: The game, from its first move on.
        player: Values positions before the end, and guides the solver if it can.
        solve_from: Empty squares from which moves are valued exactly; `exact_from` if None.
        threads: Threads of the solver; 0: all cores.
        stop: Ends the review early, also while the solver or the player is at work; then nothing
            is yielded. A player that has no answer yet raises ThinkingStoppedError.
        on_review: Called with each review as soon as it is known, the last move's first.
    """
    if solve_from is None:
        solve_from = exact_from(threads)
    critic = _Critic(player, solve_from, threads, stop or _core.Stop())
    found: list[MoveReview] = []
    for ply in range(len(game), 0, -1):
        before = game.undo(len(game) - ply + 1)
        review = critic.review(before, game.moves[ply - 1], found[-1] if found else None)
        if review is None or critic.stop.is_set:
            return
        found.append(review)
        if on_review is not None:
            on_review(review)
    yield from reversed(found)


class _Critic:
    """Reviews moves by the solver and, before the end, by a player.

    Args:
        player: Values positions before the end.
        solve_from: Empty squares from which moves are valued exactly.
        threads: Of the solver.
        stop: Ends the work from another thread.
    """

    def __init__(self, player: Player, solve_from: int, threads: int, stop: _core.Stop) -> None:
        self.player, self.replying = player, player.after_move()
        self.solver = player.make_solver(_MEMORY)
        self.solve_from, self.threads, self.stop = solve_from, threads, stop

    def review(self, before: Game, move: Move, after: MoveReview | None) -> MoveReview | None:
        """Review a move; None if that was stopped.

        Args:
            before: The game before the move.
            move: What was played.
            after: The review of the next move, if there was one.
        """
        empties = before.position.empties
        if empties <= self.solve_from:
            return self._solved(before, move, after)
        if self.player.guides_endings and empties <= self.solve_from + _ALMOST_SURE:
            return self._solved(before, move, after, _DEVIATIONS)
        return _leaning(self._searched(before, move), after)

    def _solve(self, position: Position, deviations: float) -> _core.Solution:
        return self.solver.solve(
            *position.bits, threads=self.threads, stop=self.stop, deviations=deviations
        )

    def _solved(
        self, before: Game, move: Move, after: MoveReview | None, deviations: float = 0.0
    ) -> MoveReview | None:
        """Value a move by a search to the end, exact without deviations; None if stopped."""
        position = before.position
        reply = position.play(move)
        if after is not None and after.best_value is not None:
            value, rest = -after.best_value, after.line
        elif reply.is_over:
            value, rest = float(-reply.score), ()
        else:
            answer = self._solve(reply, deviations)
            value, rest = float(-answer.score), tuple(map(Move, answer.line))
        solution = self._solve(position, deviations)
        if not solution.complete or self.stop.is_set:
            return None
        best_value = float(solution.score)
        if deviations and position.empties <= self.solve_from + _PROVED:
            proved = self.solver.solve(
                *position.bits, win_draw_loss=True, threads=self.threads, stop=self.stop
            )
            best_value = _agreeing(best_value, proved.score)
        best, line = Move(solution.best), tuple(map(Move, solution.line))
        if move == PASS or value >= best_value:
            best, best_value, line = move, value, (move, *rest)
        exact = not deviations
        loss = best_value - value
        return MoveReview(
            len(before) + 1, move, value, best, best_value, loss, exact, position, line or (best,)
        )

    def _searched(self, before: Game, move: Move) -> MoveReview:
        """Value a move by the player; `replying` values the position after it."""
        if move == PASS:  # there is no choice
            value, rest = self._after(before.play(move))
            loss = None if value is None else 0.0
            ply, line, unit = len(before) + 1, (move, *rest), self.player.unit
            return MoveReview(
                ply, move, value, move, value, loss, False, before.position, line, unit
            )
        thought = self.player.think(before, stop=self.stop)
        best, line, value = thought.move, thought.line, thought.value
        if move != best:
            value, own_line = self._after(before.play(move))
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

    def _after(self, game: Game) -> tuple[float | None, tuple[Move, ...]]:
        """Return a position's value for the side that just moved, and the expected line."""
        if game.is_over:
            return float(-game.position.score), ()
        if game.position.must_pass:
            value, line = self._after(game.play(PASS))
            return None if value is None else -value, (PASS, *line)
        thought = self.replying.think(game, stop=self.stop)
        return None if thought.value is None else -thought.value, thought.line


def _agreeing(value: float, outcome: int) -> float:
    """Return the value nearest to `value` whose sign is that of `outcome`, which says who wins."""
    if outcome == 0:
        return 0.0
    return max(value, 1.0) if outcome > 0 else min(value, -1.0)


def _leaning(review: MoveReview, after: MoveReview | None) -> MoveReview:
    """Move a search's values, in discs, towards what is known of the position after the move."""
    comparable = after is not None and after.unit is review.unit is Unit.DISCS
    if not comparable or review.exact or review.value is None or review.best_value is None:
        return review
    known = after.best_value if after is not None else None
    if known is None:
        return review
    shift = _LEANING * (-known - review.value)
    return replace(review, value=review.value + shift, best_value=review.best_value + shift)
