"""All positions of games, with everything that is known of how they end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.chance import draws
from outflank.data.extraction import Step
from outflank.data.store import wthor_files, wthor_folder
from outflank.data.years import parse_years
from outflank.errors import DataError
from outflank.files import read_bytes
from outflank.learn.value.config import ValueConfig
from outflank.learn.value.played import games_in_files
from outflank.learn.value.sets import gather_games
from outflank.records.format import Problems
from outflank.records.wthor import WthorFile

_PARTS = 1 << 30


@dataclass(frozen=True, eq=False)
class GamePositions:
    """Positions game by game, in the order of play, from the movers' views.

    Attributes:
        own: uint64[n].
        other: uint64[n].
        value: float32[n], 1 if the mover won the game, 0 if it was drawn, -1 if it lost.
        score: float32[n], the final score in discs.
        perfect: float32[n], the score that perfect play from some 24 empty squares on would have
            had, as the games' file records it; NaN where it is not known.
        game: uint32[n].
        held_out: bool[n], of games that are not learned from.
        facts: About the games, for a network's card.
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    value: NDArray[np.float32]
    score: NDArray[np.float32]
    perfect: NDArray[np.float32]
    game: NDArray[np.uint32]
    held_out: NDArray[np.bool_]
    facts: dict[str, Any]

    def __len__(self) -> int:
        return len(self.own)

    @property
    def empties(self) -> NDArray[np.int64]:
        """Empty squares, int64[n]."""
        discs: NDArray[np.int64] = np.bitwise_count(self.own | self.other).astype(np.int64)
        return 64 - discs


def gather_positions(
    config: ValueConfig, *, wthor: Path | None = None, step: Step | None = None
) -> GamePositions:
    """Gather all positions of a configuration's games.

    Args:
        config: Which games, and how many are held out.
        wthor: Folder of WThor files; the store's if None.
        step: Called with what is being done and the steps done.
    """
    if config.games:
        games = games_in_files(config.games)
        perfect = np.full(int(games.facts["games"]), np.nan, np.float32)
    else:
        games = gather_games(config.years, wthor=wthor, step=step)
        perfect = _perfect_scores(config, wthor)
    examples = games.examples
    game = np.asarray(examples.game)
    held_out = draws(game, _PARTS, config.split_seed, "held-out games") < config.held_out * _PARTS
    if held_out.all():
        raise DataError("there is nothing to learn from: all games are held out")
    own, score = np.ascontiguousarray(examples.own), np.asarray(examples.score, np.float32)
    black = colours(own, game)
    facts = {
        **games.facts, "states": int((~held_out).sum()), "held_out": int(held_out.sum())
    }  # fmt: skip
    return GamePositions(
        own,
        np.ascontiguousarray(examples.other),
        np.asarray(examples.value, np.float32),
        score,
        perfect[game] * black,
        game,
        held_out,
        facts,
    )


def colours(own: NDArray[np.uint64], game: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Return 1 where black is to move and -1 where white is, of positions in the order of play.

    A mover's discs stay the mover's, so the next position belongs to the same side, after a pass,
    exactly if the two sides' discs overlap.
    """
    if not len(own):
        return np.zeros(0, np.float32)
    begins = np.append(True, game[1:] != game[:-1])
    changes = np.append(0, (own[1:] & own[:-1]) == 0)
    turns = np.cumsum(changes)
    first = np.maximum.accumulate(np.where(begins, np.arange(len(own)), 0))
    return np.where((turns - turns[first]) % 2 == 0, 1, -1).astype(np.float32)


def lambda_returns(
    positions: GamePositions, values: NDArray[np.float32], share: float
) -> NDArray[np.float32]:
    """Return what each position should be worth: a mean of what the next ones are worth.

    The value of a later position is a far less noisy guess at the result than the result itself.
    With G the returned values, G(t) is `share` of G(t + 1) and for the rest the value of position
    t + 1, both from the mover's view; G of a game's last position is the result.

    Args:
        positions: Game by game.
        values: float32[n], what a network thinks of them.
        share: lambda of TD(lambda); 1 gives the results themselves.
    """
    first = np.flatnonzero(
        np.append(True, positions.game[1:] != positions.game[:-1])
        if len(positions)
        else np.zeros(0, np.bool_)
    )
    last = np.append(first[1:], len(positions)) - 1
    same = (positions.own[1:] & positions.own[:-1]) != 0
    returns = positions.value.copy()
    length = last - first
    for back in range(1, int(length.max(initial=0)) + 1):
        here = (last - back)[length >= back]
        after = share * returns[here + 1] + (1 - share) * values[here + 1]
        returns[here] = np.where(same[here], after, -after)
    return returns


def _perfect_scores(config: ValueConfig, wthor: Path | None) -> NDArray[np.float32]:
    """Return black's scores under perfect play, in the order of games."""
    years = parse_years(config.years) if config.years else None
    parts = [np.zeros(0, np.float32)]
    for path in wthor_files(wthor_folder(wthor), years):
        games = WthorFile.parse(read_bytes(path), Problems(str(path))).games
        parts.append(2 * games["theoretical"].astype(np.float32) - 64)
    return np.concatenate(parts)
