"""What must hold for any bytes that are read as games of a format, whoever makes them up."""

from __future__ import annotations

import io

from outflank import Game, RecordError
from outflank.records import Format, Problems

# Black passes before the last move.
SAMPLE = Game.from_transcript("d3c3e6d2d1e1b2c1d6")


def check(format: Format, data: bytes) -> None:
    """Raise if reading gives anything but games that can be read back, or a RecordError."""
    format.recognises(data)
    games, errors = read(format, data, lenient=True)
    strict, first = read(format, data, lenient=False)
    assert [str(error) for error in errors[:1]] == [str(error) for error in first]
    assert not any("\n" in str(error) for error in errors)
    if not errors:
        assert strict == games
    check_round_trip(format, games)


def read(format: Format, data: bytes, *, lenient: bool) -> tuple[list[Game], list[RecordError]]:
    """Return the games and what was wrong; an error that ends the reading is among it."""
    problems = Problems("file", lenient=lenient)
    games = []
    try:
        for game in format.read(io.BytesIO(data), problems):
            games.append(game)
    except RecordError as error:
        problems.found.append(error)
    return games, problems.found


def check_round_trip(format: Format, games: list[Game]) -> None:
    """Raise if games change when they are written and read again."""
    stream = io.BytesIO()
    try:
        format.write(games, stream)
    except RecordError:
        return  # more than the format can hold
    again = format.read(io.BytesIO(stream.getvalue()), Problems("file"))
    before = [(game.start, game.transcript) for game in games]
    assert [(game.start, game.transcript) for game in again] == before


def seeds_of(format: Format) -> list[bytes]:
    """Small files of a format: of a game, or of a position if it holds no moves."""
    seeds = []
    for games in ([SAMPLE], [SAMPLE.undo(4), SAMPLE], [Game(SAMPLE.position)]):
        stream = io.BytesIO()
        try:
            format.write(games, stream)
        except RecordError:
            continue
        seeds.append(stream.getvalue())
    return seeds
