"""What every fuzz target does: read bytes that a fuzzer makes up as games of one format."""

from __future__ import annotations

import gc
import io
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType

import atheris

from outflank import Game, RecordError
from outflank.records import FORMATS, Format, Problems

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


def instrument(package: str) -> None:
    """Let the fuzzer see which branches of a package an input takes.

    Done function by function, because atheris.instrument_imports() sees only a part of an editable
    install, which has a loader of its own, and instrument_all() spends minutes on other packages.
    """
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and str(found.__module__).startswith(package):
            atheris.instrument_func(found)


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


def fuzz(name: str, seeds: Iterable[str] = (), words: Iterable[str] = ()) -> None:
    """Fuzz the format of a name; never returns.

    The command's arguments are libFuzzer's. Without a corpus or a file to run among them, a corpus
    of the seeds is made in a temporary folder. Words are what a mutation may put in.
    """
    format = FORMATS[name]
    arguments = list(sys.argv)
    if all(argument.startswith("-") for argument in arguments[1:]):
        folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
        corpus = folder / "corpus"
        corpus.mkdir()
        texts = [seed.encode() for seed in seeds]
        for number, data in enumerate([*texts, *seeds_of(format)]):
            (corpus / f"seed-{number}").write_bytes(data)
        arguments.append(str(corpus))
        if words:
            escaped = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in words)
            (folder / "words").write_text("".join(f'"{word}"\n' for word in escaped))
            arguments.append(f"-dict={folder / 'words'}")
    instrument("outflank")
    atheris.Setup(arguments, lambda data: check(format, data))
    atheris.Fuzz()
