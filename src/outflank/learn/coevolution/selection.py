"""Tournaments of a generation, their points, and the selection of survivors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import key_of
from outflank.learn.coevolution.config import CoevolutionConfig
from outflank.learn.coevolution.contest import Crew, Games
from outflank.learn.coevolution.variation import Networks, Weights, random_of
from outflank.othello.boards import Boards
from outflank.othello.lockstep import Lockstep


@dataclass(frozen=True, eq=False)
class Contest:
    """The tournament of a generation.

    Attributes:
        points: float64[n], of each network.
        distinct_games: Share of the games that have moves of their own; near-clones repeat each
            other's.
        draws: Share of the games that were drawn.
    """

    points: NDArray[np.float64]
    distinct_games: float
    draws: float


def draw_pairings(
    config: CoevolutionConfig, count: int, generation: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Let each of `count` networks be black against some different others, drawn at random.

    Balanced, they are drawn in rounds: in a random order around a circle, each meets the one at a
    distance drawn for the round. With both colours, the same games follow with colours swapped.
    """
    random = random_of(config, "pairings", generation)
    if config.balanced:
        circle = random.permutation(count)
        distances = 1 + random.choice(count - 1, config.opponents, replace=False)
        black = np.tile(circle, config.opponents)
        white = np.concatenate([np.roll(circle, -distance) for distance in distances])
    else:
        black = np.repeat(np.arange(count), config.opponents)
        white = np.concatenate(
            [
                random.choice(np.delete(np.arange(count), own), config.opponents, replace=False)
                for own in range(count)
            ]
        )
    if config.both_colours:
        black, white = np.concatenate([black, white]), np.concatenate([white, black])
    return black.astype(np.int32), white.astype(np.int32)


def draw_openings(
    config: CoevolutionConfig, games: int, generation: int
) -> NDArray[np.uint8] | None:
    """Draw the random first moves of each game of a generation, if it has any.

    Games that would end with them are drawn again. With both colours, two games share an opening;
    balanced, all games of a round do.
    """
    if not config.opening:
        return None
    if config.both_colours:
        games //= 2
    alike = games // config.opponents if config.balanced else 1
    games //= alike
    openings = np.zeros((games, config.opening), np.uint8)
    missing, attempt = np.arange(games), 0
    while len(missing):
        drawn = Lockstep(Boards.start(len(missing)))
        for ply in range(config.opening):
            again = (attempt,) if attempt else ()
            seed = key_of("coevolution", config.seed, "openings", generation, ply, *again)
            boards = drawn.boards
            drawn.play(_core.random_moves(boards.own, boards.other, seed, threads=1))
        openings[missing] = drawn.moves()
        missing, attempt = np.delete(missing, drawn.running), attempt + 1
    openings = np.repeat(openings, alike, axis=0)
    return np.concatenate([openings, openings]) if config.both_colours else openings


def count_points(
    config: CoevolutionConfig,
    count: int,
    black: NDArray[np.int32],
    white: NDArray[np.int32],
    scores: NDArray[np.int32],
) -> NDArray[np.float64]:
    """Add up each network's points, over its games with either colour."""
    points = np.zeros(count)
    values = np.array([config.loss, config.draw, config.win])
    np.add.at(points, black, values[np.sign(scores) + 1])
    np.add.at(points, white, values[1 - np.sign(scores)])
    return points


def hold_tournament(
    config: CoevolutionConfig, networks: Networks, generation: int, crew: Crew
) -> Contest:
    """Let a generation's networks meet."""
    count = len(networks)
    black, white = draw_pairings(config, count, generation)
    openings = draw_openings(config, len(black), generation)
    games = Games(networks.weights, black, white, openings=openings)
    scores = crew.play(games)
    points = count_points(config, count, black, white, scores)
    distinct = crew.count_distinct(games) / len(scores)
    return Contest(points, distinct, float((scores == 0).mean()))


def rank(
    config: CoevolutionConfig, points: NDArray[np.float64], generation: int, what: str = "equals"
) -> NDArray[np.int64]:
    """Return the numbers of all networks, most points first; chance decides among equals."""
    chance = random_of(config, what, generation).random(len(points))
    return np.lexsort((chance, -points))


def select(
    config: CoevolutionConfig, networks: Networks, generation: int, crew: Crew
) -> tuple[Networks, NDArray[np.float64], Contest]:
    """Play a generation's tournament.

    Returns the parents of the next generation, best first, their points, and the tournament.
    """
    contest = hold_tournament(config, networks, generation, crew)
    order = rank(config, contest.points, generation)[: config.parents]
    if config.keep_best:
        best = best_of_all(config, networks.weights, generation, crew)
        order[-2 if order[-1] == best else -1] = best  # if it survived already, there are two
    return networks.take(order), contest.points[order], contest


def best_of_all(config: CoevolutionConfig, weights: Weights, generation: int, crew: Crew) -> int:
    """Return the winner of a round robin in which each pair plays both colours."""
    count = len(weights)
    pairs = np.argwhere(~np.eye(count, dtype=np.bool_)).astype(np.int32)
    black, white = pairs[:, 0], pairs[:, 1]
    scores = crew.play(Games(weights, black, white))
    points = count_points(config, count, black, white, scores)
    return int(rank(config, points, generation, "best")[0])


def keep_better_children(config: CoevolutionConfig, children: Networks, crew: Crew) -> Networks:
    """Keep the better of the two children of each parent, by two games with colours swapped.

    If neither wins, keep the first.
    """
    half = len(children) // 2
    first, second = np.arange(half, dtype=np.int32), np.arange(half, 2 * half, dtype=np.int32)
    scores = crew.play(
        Games(
            children.weights,
            np.concatenate([first, second]),
            np.concatenate([second, first]),
        )
    )
    ahead = np.sign(scores[:half]) - np.sign(scores[half:])
    return children.take(np.where(ahead >= 0, first, second))
