"""Training sets once more, slowly: lists, dictionaries and the reference rules."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

import reference
from outflank.data import AnyExamples, Examples
from outflank.othello import PASS, Game

Pair = tuple[reference.Board, int]  # a board and the move played on it
Counted = tuple[Pair, int, float]  # a board and the move played there, how often, mean result


@dataclass(frozen=True)
class Row:
    """One move of one game."""

    board: reference.Board
    move: int
    score: int
    game: int
    year: int
    ply: int

    @property
    def pair(self) -> Pair:
        return self.board, self.move

    @property
    def result(self) -> int:
        return (self.score > 0) - (self.score < 0)


def rows_of(years: dict[int, Sequence[Game]]) -> list[Row]:
    """All moves of all games, in the order of years."""
    rows: list[Row] = []
    games = [(year, game) for year in sorted(years) for game in years[year]]
    for number, (year, game) in enumerate(games):
        board, black = reference.START, True
        moved = []
        for move in game.moves:
            if move == PASS:
                board, black = reference.swap(board), not black
                continue
            moved.append((board, int(move), black))
            board, black = reference.play(board, int(move)), not black
        score = reference.final_score(board) * (1 if black else -1)  # from black's view
        for board, square, by_black in moved:
            discs = sum(map(abs, board))
            rows.append(Row(board, square, score if by_black else -score, number, year, discs - 4))
    return rows


def image(pair: Pair, symmetry: int) -> Pair:
    board, move = pair
    return reference.image(board, symmetry), reference.image_of_square(move, symmetry)


def images(pair: Pair) -> list[Pair]:
    return [image(pair, symmetry) for symmetry in range(8)]


def least_image(pair: Pair) -> tuple[int, int, int]:
    return min((*reference.bits(board), move) for board, move in images(pair))


def triple(pair: Pair) -> tuple[int, int, int]:
    return (*reference.bits(pair[0]), pair[1])


def triples_of(examples: Examples) -> list[tuple[int, int, int]]:
    return list(
        zip(examples.own.tolist(), examples.other.tolist(), examples.move.tolist(), strict=True)
    )


def everything(examples: AnyExamples) -> Examples:
    return examples.take(np.arange(len(examples)))


def groups(rows: Iterable[Row]) -> dict[Pair, list[Row]]:
    """Rows by their pair, in the order in which the pairs first appear."""
    found: dict[Pair, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.pair].append(row)
    return found


def ceiling(pairs: Iterable[Pair]) -> float:
    moves: dict[reference.Board, Counter[int]] = defaultdict(Counter)
    for board, move in pairs:
        moves[board][move] += 1
    right = sum(max(counter.values()) for counter in moves.values())
    return right / sum(counter.total() for counter in moves.values())


def counted_examples(rows: list[Counted]) -> Examples:
    triples = [triple(pair) for pair, _, _ in rows]
    n = len(rows)
    return Examples(
        own=np.array([own for own, _, _ in triples], np.uint64),
        other=np.array([other for _, other, _ in triples], np.uint64),
        move=np.array([move for _, _, move in triples], np.uint8),
        score=np.zeros(n, np.int8),
        value=np.array([value for _, _, value in rows], np.float32),
        count=np.array([count for _, count, _ in rows], np.uint32),
        game=np.zeros(n, np.uint32),
        year=np.zeros(n, np.uint16),
        ply=np.zeros(n, np.uint8),
    )
