"""Lessons: positions off the beaten track, with the moves that a search finds there.

Expert games show what experts play in positions that experts reach. Games that the network itself
plays, against other players and from random openings, reach other positions. A search over the
pattern evaluation, exact near the end, says what to play there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core, cluster
from outflank.chance import chance, draws
from outflank.data.positions import Positions
from outflank.errors import DataError
from outflank.evaluations import evaluation
from outflank.nets.files import load_tensors, save_tensors
from outflank.othello.boards import Boards, MoveArray
from outflank.othello.lockstep import Lockstep
from outflank.players import Player, make_player

_KIND, _WEIGHT = "lessons", "weight"
_AT_ONCE = 1 << 15  # moves judged in one task, or in as many as there are workers
_LEAST = 0.01  # moves with a smaller share of the best one's are dropped
_MOST = 10.0  # greatest weight of a lesson


@dataclass(frozen=True)
class LessonsConfig:
    """How positions are reached and how they are judged.

    Attributes:
        games: How many are played.
        others: Specs of the players that the network meets, beside itself.
        temperatures: At which the network draws its moves; each game takes one at random.
        alone: Share of the games in which the network meets itself.
        opening: Fewest and most plies of random moves that a game begins with.
        turned: Share of the games that continue after these with the other side to move, as if
            one had passed. Tests that set up a position with the wrong side to move ask for
            boards that no game reaches.
        epsilon: Share of random moves after the opening.
        eval: Evaluation of the search.
        early: Share of the positions before the solver's stage that are judged. All later ones
            are.
        depth: Of the search.
        solve: The solver judges positions with this many empty squares or fewer.
        softness: A move worth this many discs less than another gets 1/e of its share.
        blunder: A position in which the network's move loses this many discs counts twice; one
            that loses more counts more.
        seed: Of all randomness.
        threads: Of a worker that is alone; 0: all cores.
    """

    games: int = 100_000
    others: tuple[str, ...] = (
        "alphabeta:eval=patterns,depth=1", "alphabeta:eval=patterns,depth=2",
        "alphabeta:eval=iago,depth=1", "alphabeta:eval=mobility,depth=1",
        "alphabeta:eval=course,depth=1", "alphabeta:eval=course-late,depth=1",
        "alphabeta:eval=maggs,depth=1", "alphabeta:eval=maggs,depth=2",
        "alphabeta:eval=paip,depth=1", "alphabeta:eval=discs,depth=1",
        "alphabeta:eval=discs,depth=2", "greedy", "random",
    )  # fmt: skip
    temperatures: tuple[float, ...] = (0.0, 0.6, 1.0)
    alone: float = 0.35
    opening: tuple[int, int] = (3, 12)
    turned: float = 0.5
    epsilon: float = 0.03
    eval: str = "patterns"
    early: float = 0.6
    depth: int = 3
    solve: int = 9
    softness: float = 1.5
    blunder: float = 3.0
    seed: int = 1
    threads: int = 0


@dataclass(frozen=True, eq=False)
class Lessons:
    """Positions with the shares of their moves and the results of the games they are from.

    Attributes:
        positions: Canonical boards with their moves.
        weight: float32[n], how much each counts, 1 or more.
        facts: How they were made.
    """

    positions: Positions
    weight: NDArray[np.float32]
    facts: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.positions)

    def save(self, path: Path | str) -> None:
        """Write them into a file."""
        arrays = {**vars(self.positions), _WEIGHT: self.weight}
        save_tensors(path, arrays, kind=_KIND, facts={"facts": self.facts})

    @classmethod
    def load(cls, path: Path | str) -> Lessons:
        """Read them from a file."""
        tensors, facts = load_tensors(path, kind=_KIND)
        names = [one.name for one in dataclasses.fields(Positions)]
        if set(tensors) != {*names, _WEIGHT}:
            raise DataError(f"{path}: does not have the arrays {', '.join(names)}, {_WEIGHT}")
        count, moves = len(tensors["own"]), len(tensors["move"])
        lengths = {"offset": count + 1, "move": moves, "share": moves}
        if any(len(array) != lengths.get(name, count) for name, array in tensors.items()):
            raise DataError(f"{path}: its arrays differ in length")
        weight = tensors.pop(_WEIGHT)
        return cls(Positions(**tensors), weight, facts.get("facts", {}))


def gather_lessons(
    network: str,
    config: LessonsConfig,
    progress: Callable[[str, float], None] | None = None,
    *,
    workers: int | None = 1,
) -> Lessons:
    """Play games with a network and judge their positions.

    Args:
        network: A shipped network's name, a run's folder, or a file.
        config: How positions are reached and judged.
        progress: Called with what is being done and the share that is done.
        workers: That judge; None: this process, or all cores of a Ray cluster. The lessons do not
            depend on it.
    """
    progress = progress or (lambda what, share: None)
    seed = config.seed
    evaluation(config.eval)  # a wrong name fails before games are played
    own_players = [
        make_player(f'policy:name="{network}",temperature={temperature},seed={seed}')
        for temperature in config.temperatures
    ]
    others = [make_player(spec) for spec in config.others]
    boards, value = _play(own_players, others, config, progress)
    early = 64 - np.bitwise_count(boards.own | boards.other) > config.solve
    drawn = chance(np.arange(len(boards)), config.early, seed, "early")
    boards, value = boards[~early | drawn], value[~early | drawn]
    if not len(boards):
        raise DataError("the games reached no position to judge; play more games")
    owner, move, discs = _judge(boards, config, progress, workers)
    offset, good, share = _shares(owner, move, discs, len(boards), config.softness)
    positions = Positions(
        boards.own, boards.other, np.ones(len(boards), np.uint32), value, offset, good, share
    )
    greedy = make_player(f'policy:name="{network}"')
    lost = _lost(owner, move, discs, greedy.choose_many(boards))
    weight = np.minimum(1 + lost / config.blunder, _MOST).astype(np.float32)
    facts = {"network": network, **{k: v for k, v in vars(config).items() if k != "threads"}}
    return Lessons(positions, weight, facts)


def _play(
    own_players: Sequence[Player],
    others: Sequence[Player],
    config: LessonsConfig,
    progress: Callable[[str, float], None],
) -> tuple[Boards, NDArray[np.float32]]:
    """Play all games together; return distinct positions with a choice, and results."""
    numbers = np.arange(config.games)
    seats = _seats(len(own_players), len(others), config)
    players = [*own_players, *others]
    first, last = config.opening
    opening = first + draws(numbers, last - first + 1, config.seed, "opening")
    turned = chance(numbers, config.turned, config.seed, "turned")
    games = Lockstep(Boards.start(config.games))
    reached = []
    while games:
        game, ply = games.running, games.ply
        games.turn(turned[game] & (ply == opening[game]))
        boards = games.boards
        side = boards.white_to_move.astype(np.int64)
        begun = ply >= opening[game]
        wanted = begun & (np.bitwise_count(boards.legal_moves()) > 1)
        reached.append((boards.own[wanted], boards.other[wanted], game[wanted], side[wanted]))
        keys = draws(game, 1 << 31, config.seed, "keys", ply).astype(np.uint64)
        moves = _core.random_moves(boards.own, boards.other, keys)
        at_random = chance(game, config.epsilon, config.seed, "slip", ply)
        seat = np.where(begun & ~at_random, seats[game, side], -1)
        for number, player in enumerate(players):
            mine = seat == number
            if mine.any():
                moves[mine] = player.choose_many(boards[mine], keys[mine])
        games.play(moves)
        progress("playing", min(1.0, ply / 64))
    ends = games.all_boards
    black_result = np.sign(ends.score()) * np.where(ends.white_to_move, -1, 1)
    own, other, game, side = (np.concatenate(parts) for parts in zip(*reached, strict=True))
    least, _ = Boards(own, other, np.zeros(len(own), np.bool_)).canonical()
    _, chosen = np.unique(np.stack([least.own, least.other], axis=1), axis=0, return_index=True)
    value = (black_result[game] * np.where(side == 0, 1.0, -1.0)).astype(np.float32)[chosen]
    return Boards(least.own[chosen], least.other[chosen], np.zeros(len(chosen), np.bool_)), value


def _seats(own: int, others: int, config: LessonsConfig) -> NDArray[np.int64]:
    """Who has black and who has white in each game, as numbers of players."""
    games = np.arange(config.games)
    seats = np.stack(
        [draws(games, own, config.seed, "network"), draws(games, own, config.seed, "network", 2)], 1
    )
    if others:
        alone = chance(games, config.alone, config.seed, "alone")
        stranger = own + draws(games, others, config.seed, "other")
        seats[:, 1] = np.where(alone, seats[:, 1], stranger)
    swapped = draws(games, 2, config.seed, "colours") == 1
    seats[swapped] = seats[swapped][:, ::-1]
    return seats


@dataclass(frozen=True, eq=False)
class Afterstates:
    """Boards after moves, for a worker to value; `late` ones are solved."""

    boards: Boards
    late: bool


class JudgeWork(cluster.Work[Afterstates, NDArray[np.float64]]):
    """Values boards in discs, from their movers' views; each by itself."""

    def __init__(self, config: LessonsConfig, threads: int) -> None:
        self.config, self.threads = config, threads

    def prepare(self) -> None:
        """Load the evaluation, which may be a user's file."""
        evaluation(self.config.eval)

    def do(self, task: Afterstates) -> NDArray[np.float64]:
        """Search the boards, or solve them."""
        boards = task.boards
        if not task.late:
            evaluated = evaluation(self.config.eval)
            values = _core.Searcher(evaluated).value_many(
                boards.own, boards.other, boards.white_to_move,
                depth=self.config.depth - 1, threads=self.threads,
            )  # fmt: skip
            return _in_discs(values, evaluated.units)
        scores = boards.score().astype(np.float64)
        going = np.flatnonzero(~boards.is_over())
        scores[going] = _solve(boards[going], self.threads)
        return scores


def _judge(
    boards: Boards,
    config: LessonsConfig,
    progress: Callable[[str, float], None],
    workers: int | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Value every legal move: return the boards' numbers in order, the moves, and discs."""
    owner, move = np.nonzero(boards.legal_mask()[:, :64])
    discs = np.zeros(len(move))
    late = (64 - np.bitwise_count(boards.own | boards.other) <= config.solve)[owner]
    count = cluster.count_workers(workers, usual=1)
    size = -(-_AT_ONCE // count)
    parts = [
        (stage, places[start : start + size])
        for stage, places in ((False, np.flatnonzero(~late)), (True, np.flatnonzero(late)))
        for start in range(0, len(places), size)
    ]
    tasks = (
        Afterstates(boards[owner[places]].play(move[places]), stage) for stage, places in parts
    )
    work = JudgeWork(config, cluster.threads_of_each(count, config.threads))
    with cluster.start(work, count) as crew:
        for done, outcome in enumerate(crew.map(tasks), start=1):
            stage, places = parts[outcome.index]
            discs[places] = -outcome.value
            progress("solving" if stage else "searching", done / len(parts))
    return owner, move, discs


def _shares(
    owner: NDArray[np.int64],
    move: NDArray[np.int64],
    discs: NDArray[np.float64],
    count: int,
    softness: float,
) -> tuple[NDArray[np.int64], MoveArray, NDArray[np.float32]]:
    """Turn the moves' values into shares, as Positions has them: offset, move, share."""
    shares = np.exp((discs - _best(owner, discs)) / softness)
    kept = shares > _LEAST
    owner, move, shares = owner[kept], move[kept], shares[kept]
    offset = np.searchsorted(owner, np.arange(count + 1))
    shares /= np.add.reduceat(shares, offset[:-1])[owner]
    return offset, move.astype(np.uint8), shares.astype(np.float32)


def _best(owner: NDArray[np.int64], discs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for every move, the value of the best move on its board."""
    first = np.searchsorted(owner, np.arange(owner[-1] + 1))
    best: NDArray[np.float64] = np.maximum.reduceat(discs, first)[owner]
    return best


def _lost(
    owner: NDArray[np.int64],
    move: NDArray[np.int64],
    discs: NDArray[np.float64],
    chosen: MoveArray,
) -> NDArray[np.float64]:
    """Return how many discs the chosen move of each board gives away."""
    there = move == chosen[owner]
    lost: NDArray[np.float64] = (_best(owner, discs) - discs)[there]
    return lost


def _in_discs(values: NDArray[np.int32], units: float) -> NDArray[np.float64]:
    """Turn values of a search into discs; those of finished games are beyond all evaluations."""
    over = np.abs(values) >= _core.GAME_VALUE
    scores = np.sign(values) * (np.abs(values) - _core.GAME_VALUE) / _core.DISC_VALUE
    return np.where(over, scores, values / units)


def _solve(boards: Boards, threads: int) -> NDArray[np.float64]:
    """Find the score of each board; the solver releases Python's lock, so threads help."""

    def solve(part: Boards) -> list[int]:
        solver = _core.Solver()
        pairs = zip(part.own.tolist(), part.other.tolist(), strict=True)
        return [solver.solve(own, other).score for own, other in pairs]

    crew = threads or _core.available_threads()
    scores = np.zeros(len(boards))
    with ThreadPoolExecutor(crew) as pool:
        parts = pool.map(solve, (boards[k::crew] for k in range(crew)))
        for k, part in enumerate(parts):
            scores[k::crew] = part
    return scores
