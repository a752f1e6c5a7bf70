"""Positions off the beaten track, with the moves that a search finds there.

Experts' games teach what experts play in positions that experts reach. Games of the network itself,
with other players and from random openings, reach others. A search over the evaluation by patterns,
exact near the end, says what to play there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.errors import DataError
from outflank.evaluations import evaluation
from outflank.learn.order import draws
from outflank.nets.files import load_tensors, save_tensors
from outflank.othello.boards import Boards, MoveArray
from outflank.players import Player, make_player

_KIND = "positions"
_AT_ONCE = 4096  # boards that are searched between two looks at the progress


@dataclass(frozen=True)
class TeacherConfig:
    """How positions are reached and how they are judged.

    games: how many are played. others: specs of players that the network meets, beside itself.
    temperatures: at which the network draws its moves, one for each game at random. opening: plies
    of random moves before, from the first number to the last. slip: share of random moves later.
    early: share of the positions before the solver's stage that are judged; all later ones are.
    depth: of the search. solve: from so many empty squares on, the solver. seed: of all chance.
    """

    games: int = 100_000
    others: tuple[str, ...] = (
        "alphabeta:eval=patterns,depth=1", "alphabeta:eval=patterns,depth=2",
        "alphabeta:eval=iago,depth=1", "alphabeta:eval=mobility,depth=1",
        "alphabeta:eval=course,depth=1", "alphabeta:eval=maggs,depth=1",
        "alphabeta:eval=discs,depth=1", "greedy", "random",
    )  # fmt: skip
    temperatures: tuple[float, ...] = (0.0, 0.6, 1.0)
    alone: float = 0.5  # share of the games in which the network meets itself
    opening: tuple[int, int] = (3, 12)
    slip: float = 0.03
    eval: str = "patterns"
    early: float = 0.6
    depth: int = 4
    solve: int = 10
    seed: int = 1
    threads: int = 0


@dataclass(frozen=True, eq=False)
class Lessons:
    """Boards from the movers' views, the moves to play there, and how the games ended.

    own, other: uint64[n]. move: uint8[n]. value: float32[n], the mover's result, in [-1, 1].
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    move: NDArray[np.uint8]
    value: NDArray[np.float32]
    facts: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.own)

    def save(self, path: Path | str) -> None:
        """Write them into a file."""
        arrays = {name: getattr(self, name) for name in ("own", "other", "move", "value")}
        save_tensors(path, arrays, kind=_KIND, facts={"facts": self.facts})

    @classmethod
    def load(cls, path: Path | str) -> Lessons:
        """Read them from a file."""
        tensors, facts = load_tensors(path, kind=_KIND)
        try:
            own, other, move, value = (tensors[n] for n in ("own", "other", "move", "value"))
        except KeyError as error:
            raise DataError(f"{path}: has no array {error}") from None
        if len({len(array) for array in tensors.values()}) != 1:
            raise DataError(f"{path}: its arrays differ in length")
        return cls(own, other, move, value, facts.get("facts", {}))


def gather_lessons(
    network: str, config: TeacherConfig, progress: Callable[[str, float], None] | None = None
) -> Lessons:
    """Play games with a network (a name, run folder or file) and judge their positions."""
    progress = progress or (lambda what, share: None)
    seed = config.seed
    own_players = [
        make_player(f'policy:name="{network}",temperature={temperature},seed={seed}')
        for temperature in config.temperatures
    ]
    others = [make_player(spec) for spec in config.others]
    boards, value = _play(own_players, others, config, progress)
    early = 64 - np.bitwise_count(boards.own | boards.other) > config.solve
    drawn = draws(np.arange(len(boards)), 1 << 16, seed, "early") < config.early * (1 << 16)
    boards, value = boards[~early | drawn], value[~early | drawn]
    move = _judge(boards, config, progress)
    facts = {"network": network, **{k: v for k, v in vars(config).items() if k != "threads"}}
    return Lessons(boards.own, boards.other, move, value, facts)


def _play(
    own_players: Sequence[Player],
    others: Sequence[Player],
    config: TeacherConfig,
    progress: Callable[[str, float], None],
) -> tuple[Boards, NDArray[np.float32]]:
    """Play all games together; return distinct positions with a choice, and results."""
    games = np.arange(config.games)
    seats = _seats(len(own_players), len(others), config)
    players = [*own_players, *others]
    first, last = config.opening
    opening = first + draws(games, last - first + 1, config.seed, "opening")
    boards, game, side = Boards.start(config.games), games, np.zeros(config.games, np.int64)
    result = np.zeros(config.games)
    reached = []
    for ply in range(128):
        over = boards.is_over()
        result[game[over]] = np.sign(boards.score()[over]) * np.where(side[over] == 0, 1, -1)
        boards, game, side = boards[~over], game[~over], side[~over]
        if not len(boards):
            break
        begun = ply >= opening[game]
        wanted = begun & (np.bitwise_count(boards.legal_moves()) > 1)
        reached.append((boards.own[wanted], boards.other[wanted], game[wanted], side[wanted]))
        keys = draws(game, 1 << 31, config.seed, "keys", ply).astype(np.uint64)
        moves = _core.random_moves(boards.own, boards.other, keys)
        slips = draws(game, 1 << 16, config.seed, "slip", ply) < config.slip * (1 << 16)
        seat = np.where(begun & ~slips, seats[game, side], -1)
        for number, player in enumerate(players):
            mine = seat == number
            if mine.any():
                moves[mine] = player.choose_many(boards[mine], keys[mine])
        boards, side = boards.play(moves), 1 - side
        progress("playing", min(1.0, ply / 64))
    own, other, game, side = (np.concatenate(parts) for parts in zip(*reached, strict=True))
    least, _ = Boards(own, other, np.zeros(len(own), np.bool_)).canonical()
    _, chosen = np.unique(np.stack([least.own, least.other], axis=1), axis=0, return_index=True)
    value = (result[game] * np.where(side == 0, 1, -1)).astype(np.float32)[chosen]
    return Boards(least.own[chosen], least.other[chosen], np.zeros(len(chosen), np.bool_)), value


def _seats(own: int, others: int, config: TeacherConfig) -> NDArray[np.int64]:
    """Who has black and who has white in each game, as numbers of players."""
    games = np.arange(config.games)
    seats = np.stack(
        [draws(games, own, config.seed, "network"), draws(games, own, config.seed, "network", 2)], 1
    )
    if others:
        alone = draws(games, 1 << 16, config.seed, "alone") < config.alone * (1 << 16)
        stranger = own + draws(games, others, config.seed, "other")
        seats[:, 1] = np.where(alone, seats[:, 1], stranger)
    swapped = draws(games, 2, config.seed, "colours") == 1
    seats[swapped] = seats[swapped][:, ::-1]
    return seats


def _judge(
    boards: Boards, config: TeacherConfig, progress: Callable[[str, float], None]
) -> MoveArray:
    """Find the move to play on each board."""
    moves = np.zeros(len(boards), np.uint8)
    empties = 64 - np.bitwise_count(boards.own | boards.other)
    late = np.flatnonzero(empties <= config.solve)
    early = np.flatnonzero(empties > config.solve)
    searcher = _core.Searcher(evaluation(config.eval))
    for start in range(0, len(early), _AT_ONCE):
        part = early[start : start + _AT_ONCE]
        moves[part] = searcher.search_many(
            boards.own[part], boards.other[part], boards.white_to_move[part],
            depth=config.depth, threads=config.threads,
        )  # fmt: skip
        progress("searching", start / max(1, len(early)))
    for start in range(0, len(late), _AT_ONCE):
        part = late[start : start + _AT_ONCE]
        moves[part] = _solve(boards[part], config.threads)
        progress("solving", start / len(late))
    return moves


def _solve(boards: Boards, threads: int) -> MoveArray:
    """Find the best move on each board; the solver leaves Python's lock to the other threads."""

    def solve(part: Boards) -> list[int]:
        solver = _core.Solver()
        pairs = zip(part.own.tolist(), part.other.tolist(), strict=True)
        return [solver.solve(own, other).best for own, other in pairs]

    crew = threads or _core.available_threads()
    with ThreadPoolExecutor(crew) as pool:
        parts = pool.map(solve, (boards[k::crew] for k in range(crew)))
        found = np.zeros(len(boards), np.uint8)
        for k, part in enumerate(parts):
            found[k::crew] = part
    return found
