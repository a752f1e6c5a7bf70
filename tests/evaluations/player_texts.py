"""Players in the league's format made up for tests, and what their networks say, slowly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from reference import Board


@dataclass(frozen=True)
class SlowTuple:
    """Placements of a tuple and its weights."""

    placements: Sequence[Sequence[int]]
    weights: Sequence[float]

    def value(self, black_view: Board) -> float:
        """The sum over the placements; cells are 1 for black, -1 for white."""
        total = 0.0
        for squares in self.placements:
            address = 0
            for square in squares:
                address = 3 * address + black_view[square] + 1
            total += self.weights[address]
        return total


def random_tuples(seed: int, count: int = 5, longest: int = 5) -> list[SlowTuple]:
    draw = random.Random(seed)
    tuples = []
    for _ in range(count):
        length = draw.randint(1, longest)
        placements = [draw.sample(range(64), length) for _ in range(draw.randint(1, 8))]
        weights = [draw.choice([0.5, 1.0, 30.0]) * draw.gauss(0, 1) for _ in range(3**length)]
        tuples.append(SlowTuple(placements, weights))
    return tuples


def text_of(tuples: Sequence[SlowTuple], braces: bool = True) -> str:
    """The league's format, with braces or without."""
    lines = [f"{{ {len(tuples)}"]
    for one in tuples:
        lines.append(f"  {{ {len(one.placements[0])} {len(one.placements)}")
        lines += ["    { " + " ".join(map(str, squares)) + " }" for squares in one.placements]
        lines += ["    { " + " ".join(map(repr, one.weights)) + " }", "  }"]
    text = "\n".join([*lines, "}", ""])
    return text if braces else text.replace("{", "").replace("}", "")


def slow_value(tuples: Sequence[SlowTuple], board: Board, white: bool, inverts: bool) -> float:
    """What the network says of a board, from the view of its mover.

    board: from the mover's view; white: whether white is to move. The other side has just moved,
    and takes the position for what it is worth to it.
    """
    if inverts:
        just_moved = tuple(-cell for cell in board)
        return -sum(one.value(just_moved) for one in tuples)
    black_view = tuple(-cell for cell in board) if white else board
    value = sum(one.value(black_view) for one in tuples)
    return -value if white else value
