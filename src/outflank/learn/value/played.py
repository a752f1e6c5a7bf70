"""Games played here, as material to learn from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from outflank import records
from outflank.data.examples import Examples
from outflank.errors import DataError
from outflank.learn.value.sets import Games
from outflank.othello import BLACK, PASS, Game


def examples_of(games: Iterable[Game], year: int = 0) -> Examples:
    """Return every move of finished games, as examples; games that have no end are left out."""
    rows: list[tuple[int, int, int, int, int]] = []
    for number, game in enumerate(one for one in games if one.is_over and one.moves):
        score = game.score
        for position, move in zip(game.positions(), game.moves, strict=False):
            if move != PASS:
                own = score if position.turn is BLACK else -score
                rows.append((position.own, position.other, int(move), own, number))
    columns: list[tuple[int, ...]] = list(zip(*rows, strict=True)) if rows else [()] * 5
    boards = np.array(columns[0], np.uint64), np.array(columns[1], np.uint64)
    scores = np.array(columns[3], np.int8)
    return Examples(
        own=boards[0],
        other=boards[1],
        move=np.array(columns[2], np.uint8),
        score=scores,
        value=np.sign(scores).astype(np.float32),
        count=np.ones(len(rows), np.uint32),
        game=np.array(columns[4], np.uint32),
        year=np.full(len(rows), year, np.uint16),
        ply=(np.bitwise_count(boards[0] | boards[1]) - 4).astype(np.uint8),
    )


def material_of(games: Sequence[Game], source: str) -> Games:
    """Return games as the sets are drawn from; an empty collection is an error."""
    examples = examples_of(games)
    if not len(examples):
        raise DataError(f"{source}: no finished game to learn from")
    facts = {
        "games": int(examples.game.max()) + 1,
        "years": "",
        "sources": [hashlib.sha256(examples.own.tobytes()).hexdigest()[:16]],
    }
    return Games(examples, facts)


def games_in_files(path: str) -> Games:
    """Read the games of a file, of any format that Outflank reads."""
    return material_of(list(records.read(Path(path).expanduser())), path)
