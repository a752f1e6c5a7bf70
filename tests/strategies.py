"""Games and positions for property tests."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from outflank import Game, Move, Position

# Black has no move here, but white has c1.
MUST_PASS = Position.from_string("OX" + "-" * 62 + "X")
# Set up by hand: 35 legal moves. No game is known to reach a position with more than 33.
MANY_MOVES = Position.from_bits(0x0010BC2400661800, 0x006A025242086600)


def random_game(seed: int, plies: int = 80, start: Position | None = None, **facts: Any) -> Game:
    """A game of uniformly random moves, cut after some plies; facts are those of Game."""
    draw = random.Random(seed)
    position = start = start or Position.start()
    moves: list[Move] = []
    while not position.is_over and len(moves) < plies:
        moves.append(draw.choice(position.legal_moves))
        position = position.play(moves[-1])
    return Game(start, tuple(moves), **facts)


def games() -> st.SearchStrategy[Game]:
    """Random games of any length from the start position, at least one ply."""
    return st.builds(random_game, st.integers(0, 2**32), st.integers(1, 80))


def positions() -> st.SearchStrategy[Position]:
    """Positions of random games, from the start to the end."""
    return st.builds(random_game, st.integers(0, 2**32), st.integers(0, 80)).map(
        lambda game: game.position
    )


def any_boards() -> st.SearchStrategy[Position]:
    """Any discs on any squares, reachable or not."""
    return st.tuples(
        st.lists(st.sampled_from("XO-"), min_size=64, max_size=64), st.sampled_from("XO")
    ).map(lambda parts: Position.from_string("".join(parts[0]) + parts[1]))
