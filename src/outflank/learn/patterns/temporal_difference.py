"""Improves the pattern evaluation by self-play, with temporal differences.

Expert games say little about positions that only a bad move reaches. Here the evaluation plays
itself, one move deep, from random openings and from positions of experts, with some random moves.
Each position's value moves towards the values of the positions that followed it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import Shuffle, chance, draws
from outflank.data.examples import Examples
from outflank.othello.boards import Boards
from outflank.othello.lockstep import Lockstep


@dataclass(frozen=True)
class TemporalDifferenceConfig:
    """How games are played, and how the evaluation learns from them.

    Attributes:
        rounds: Of games that are played in lockstep.
        games: In a round.
        depth: Of the search that plays.
        batches: Learning steps in a round.
        td_lambda: Of TD(lambda): 0 learns from the next position alone, 1 from the final score.
        epsilon: Share of random moves.
        opening: Fewest and most random moves that a game begins with.
        experts: Share of the games that begin in an expert's position instead.
        learning_rate: Of the first round (see PatternLearner.step); it falls to zero.
        prior: See PatternLearner.step.
        seed: Of all randomness.
        threads: 0: all cores.
    """

    rounds: int = 300
    games: int = 10_000
    depth: int = 1
    batches: int = 4
    td_lambda: float = 0.5
    epsilon: float = 0.05
    opening: tuple[int, int] = (2, 12)
    experts: float = 0.3
    learning_rate: float = 2.0
    prior: float = 1.0
    seed: int = 1
    threads: int = 0


def improve_patterns(
    weights: NDArray[np.int16],
    experts: Examples | None,
    config: TemporalDifferenceConfig,
    on_round: Callable[[int, float], None] | None = None,
) -> NDArray[np.int16]:
    """Return better weights.

    Args:
        weights: To start from.
        experts: Positions where some games begin, if any.
        config: How games are played and learned from.
        on_round: Called with each round's number (from 1) and mean squared error.
    """
    learner = _core.PatternLearner(weights)
    for number in range(config.rounds):
        error = play_and_learn(learner, experts, config, number)
        if on_round:
            on_round(number + 1, error)
    return learner.weights()


def play_and_learn(
    learner: _core.PatternLearner,
    experts: Examples | None,
    config: TemporalDifferenceConfig,
    number: int,
) -> float:
    """Play a round, by its number from 0, and learn from it; return the mean squared error."""
    evaluation = _core.PatternEvaluation(learner.weights())
    own, other, scores = _play_round(evaluation, experts, config, number)
    rate = config.learning_rate * 0.5 * (1 + math.cos(math.pi * number / config.rounds))
    order = Shuffle(len(own), config.seed, "order", number)(np.arange(len(own)))
    errors = [
        learner.step(
            own[part], other[part], scores[part],
            rate=rate, prior=config.prior, threads=config.threads,
        )
        for part in np.array_split(order, config.batches)
    ]  # fmt: skip
    return float(np.mean(errors))


def _first_boards(
    experts: Examples | None, config: TemporalDifferenceConfig, number: int
) -> tuple[Boards, NDArray[np.int64]]:
    """Return where the games of a round begin, and how many random moves follow."""
    games = np.arange(config.games)
    first, last = config.opening
    random_plies = first + draws(games, last - first + 1, config.seed, "opening", number)
    boards = Boards.start(config.games)
    if experts is None or not len(experts):
        return boards, random_plies
    there = chance(games, config.experts, config.seed, "experts", number)
    place = draws(games, len(experts), config.seed, "place", number)[there]
    own, other = boards.own.copy(), boards.other.copy()
    own[there], other[there] = experts.own[place], experts.other[place]
    return Boards(own, other, boards.white_to_move), np.where(there, 0, random_plies)


def _play_round(
    evaluation: _core.PatternEvaluation,
    experts: Examples | None,
    config: TemporalDifferenceConfig,
    number: int,
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.float32]]:
    """Play games; return the positions where the evaluation chose, and their targets."""
    searcher = _core.Searcher(evaluation)
    first, random_plies = _first_boards(experts, config, number)
    games = Lockstep(first)
    plies: list[tuple[Boards, NDArray[np.int64], NDArray[np.bool_]]] = []
    while games:
        boards, game, ply = games.boards, games.running, games.ply
        keys = draws(game, 1 << 31, config.seed, "keys", number, ply).astype(np.uint64)
        at_random = chance(game, config.epsilon, config.seed, "slip", number, ply)
        at_random |= ply < random_plies[game]
        plies.append((boards, game, at_random))
        moves = searcher.search_many(
            boards.own, boards.other, boards.white_to_move,
            depth=config.depth, threads=config.threads,
        )  # fmt: skip
        drawn = _core.random_moves(boards.own, boards.other, keys, threads=config.threads)
        games.play(np.where(at_random, drawn, moves))
    # Of each game's next position to its mover, by what followed.
    worth = games.all_boards.score().astype(np.float64)
    value = worth.copy()  # of each game's next position to its mover, as the evaluation sees it
    parts = []
    for boards, game, at_random in reversed(plies):
        wanted = -((1 - config.td_lambda) * value[game] + config.td_lambda * worth[game])
        found = evaluation.evaluate(
            boards.own, boards.other, boards.white_to_move, threads=config.threads
        )
        value[game] = found / evaluation.units
        worth[game] = np.where(at_random, value[game], wanted)
        parts.append((boards.own[~at_random], boards.other[~at_random], wanted[~at_random]))
    own, other, scores = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return own, other, scores.astype(np.float32)
