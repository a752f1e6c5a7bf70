"""Sets of states: one position of each game, drawn by the number of the set (Ng, 2017)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import Shuffle, draws
from outflank.data.example_folder import open_examples
from outflank.data.examples import Examples
from outflank.data.extraction import Step, extract_examples
from outflank.data.years import describe_years, parse_years
from outflank.errors import DataError
from outflank.othello.boards import Boards
from outflank.othello.orientation import orientation_of

FIRST_STATE = 5  # moves that are played before the earliest state, as in Ng's code

_SETS = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")


@dataclass(frozen=True, eq=False)
class States:
    """Positions and how their games ended.

    Attributes:
        own: uint64[n], the mover's discs.
        other: uint64[n], the opponent's discs.
        value: float32[n], 1 if the side to move won the game, 0 if it was drawn, -1 if it lost.
        game: uint32[n], the index of the game.
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    value: NDArray[np.float32]
    game: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.own)

    def boards(self) -> Boards:
        """Return the boards; whose turn it was is not kept, and black's is assumed."""
        return Boards(self.own, self.other, np.zeros(len(self), np.bool_))

    def take(self, index: NDArray[np.integer] | NDArray[np.bool_] | slice) -> States:
        """Return the states of an index array, a mask or a slice."""
        return States(self.own[index], self.other[index], self.value[index], self.game[index])

    @staticmethod
    def join(parts: Sequence[States]) -> States:
        """Return the states of several sets, one after the other."""
        return States(
            np.concatenate([part.own for part in parts]),
            np.concatenate([part.other for part in parts]),
            np.concatenate([part.value for part in parts]),
            np.concatenate([part.game for part in parts]),
        )


def all_states(examples: Examples) -> States:
    """Return every position of some games."""
    return States(examples.own, examples.other, examples.value, examples.game)


def draw_states(examples: Examples, number: int, *, rotate: bool = True) -> States:
    """Draw one position of each game, before its sixth move or later.

    Which one depends on the set's number and the game's index alone. Games of fewer than six moves
    have none.

    Args:
        examples: All moves of the games, game by game.
        number: Of the set.
        rotate: Turn each board so that black's first move was c4.
    """
    if not len(examples):
        return all_states(examples)
    games = np.asarray(examples.game)
    first = _first_moves(examples)
    length = np.diff(np.append(first, len(games)))
    long_enough = length > FIRST_STATE
    first, length = first[long_enough], length[long_enough]
    game = games[first]
    drawn = draws(game, 1 << 31, "states", number)
    index = first + FIRST_STATE + drawn % (length - FIRST_STATE)
    own, other = (np.ascontiguousarray(side[index]) for side in (examples.own, examples.other))
    if rotate:
        symmetry = orientation_of(np.asarray(examples.move)[first])
        own, other = _core.transform(own, symmetry), _core.transform(other, symmetry)
    return States(own, other, np.asarray(examples.value)[index], game)


def _first_moves(examples: Examples) -> NDArray[np.int64]:
    """Return where each game begins among its examples."""
    games = np.asarray(examples.game)
    return np.flatnonzero(np.append(True, games[1:] != games[:-1]) if len(games) else games)


def parse_sets(text: str) -> list[int]:
    """Read numbers of sets: 1, 1-7, 1,3,5-7."""
    found: list[int] = []
    for part in text.split(","):
        match = _SETS.fullmatch(part.strip())
        if match is None:
            raise DataError(f"sets {text[:40]!r}: accepted are numbers such as 1, 1-7 or 1,3")
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    if not found or len(set(found)) < len(found):
        raise DataError(f"sets {text[:40]!r}: accepted are different numbers, in rising order")
    return found


@dataclass(frozen=True, eq=False)
class Games:
    """The positions of the games of some years, and facts about them for a network's card."""

    examples: Examples
    facts: dict[str, Any]

    def sets(self, numbers: Sequence[int], *, rotate: bool = True) -> States:
        """Return the states of several sets."""
        return States.join([draw_states(self.examples, one, rotate=rotate) for one in numbers])

    def rotated(self) -> Examples:
        """Return all positions, turned so that black's first move was c4."""
        first = _first_moves(self.examples)
        each = orientation_of(np.asarray(self.examples.move)[first])
        symmetry = np.repeat(each, np.diff(np.append(first, len(self.examples))))
        return dataclasses.replace(
            self.examples,
            own=_core.transform(np.ascontiguousarray(self.examples.own), symmetry),
            other=_core.transform(np.ascontiguousarray(self.examples.other), symmetry),
            move=_core.transform_move(np.ascontiguousarray(self.examples.move), symmetry),
        )


def gather_games(years: str = "", *, wthor: Path | None = None, step: Step | None = None) -> Games:
    """Find the games of some years; make their training sets first if needed.

    Args:
        years: Such as 1977-2015; empty: all.
        wthor: Folder of WThor files; the store's if None.
        step: Called with what is being done and the steps done.
    """
    made = extract_examples(wthor=wthor, years=parse_years(years) if years else None, step=step)
    examples = open_examples(made.folder, "original")
    if not isinstance(examples, Examples):
        raise TypeError("the set of all moves has no mirror images")
    facts = {
        "games": made.manifest.games,
        "years": describe_years(made.manifest.years),
        "sources": [source.sha256[:16] for source in made.manifest.sources],
    }
    return Games(examples, facts)


def split_states(
    states: States, share: float, *, by: str = "state", seed: int = 1
) -> tuple[States, States]:
    """Split states into those to train on and those held out.

    Args:
        states: The states.
        share: Held out.
        by: "state", or "game": all states of a game stay together.
        seed: Of the choice.
    """
    if by == "game":
        drawn = draws(states.game, 1 << 30, seed, "held-out games")
        held_out = drawn < share * (1 << 30)
    else:
        order = Shuffle(len(states), seed, "held-out states")(np.arange(len(states)))
        held_out = np.zeros(len(states), np.bool_)
        held_out[order[: round(share * len(states))]] = True
    return states.take(~held_out), states.take(held_out)
