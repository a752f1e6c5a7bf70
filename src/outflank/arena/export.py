"""Writes stored games to files, in any record format that holds them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from outflank import records
from outflank.errors import RecordError
from outflank.othello import Game, Position
from outflank.othello.reach import moves_to
from outflank.records.wthor import NAME_LENGTHS


def check_export(path: Path | str, openings: Iterable[Game]) -> None:
    """Raise RecordError if games from these openings cannot be written to this file.

    Call it before hours of play: some formats hold only positions, others only games from the
    start.
    """
    format = records.format_for(path)
    first_moves = (game.play(game.position.legal_moves[0]) for game in openings)
    try:
        format.write(_as_held_by(format, first_moves), io.BytesIO())
    except RecordError as error:
        raise RecordError(error.problem, source=str(path), field=error.field) from None


def export(path: Path | str, games: Iterable[Game]) -> int:
    """Write games to a file, whole or not at all, and return how many there were.

    For formats that hold only games from the start, the moves that lead to an opening are put
    before it, if they are known.
    """
    count = 0

    def counted() -> Iterator[Game]:
        nonlocal count
        for game in games:
            count += 1
            yield game

    format = records.format_for(path)
    records.write(path, _as_held_by(format, counted()), format=format)
    return count


def _as_held_by(format: records.Format, games: Iterable[Game]) -> Iterable[Game]:
    if format.name in ("transcript", "wthor"):
        games = map(_from_the_start, games)
    return _with_short_names(games) if format.name == "wthor" else games


def _from_the_start(game: Game) -> Game:
    moves = moves_to(game.start)
    return (
        game if moves is None else replace(game, start=Position.start(), moves=moves + game.moves)
    )


def _with_short_names(games: Iterable[Game]) -> Iterator[Game]:
    """Cut names to WThor's length; names that become equal are numbered."""
    names: dict[str, str] = {}
    for game in games:
        for spec in (game.black, game.white):
            if spec not in names:
                names[spec] = _short_name(spec, set(names.values()))
        yield replace(game, black=names[game.black], white=names[game.white])


def _short_name(spec: str, taken: set[str]) -> str:
    longest = NAME_LENGTHS[".jou"] - 1
    spec = spec.encode("latin-1", "replace").decode("latin-1")
    name, number = spec[:longest], 1
    while name in taken:
        number += 1
        end = f"~{number}"
        name = spec[: longest - len(end)] + end
    return name
