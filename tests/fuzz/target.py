"""What every fuzz target does: read bytes that a fuzzer makes up as games of one format."""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType

import atheris

from fuzz.checking import check, seeds_of
from outflank.records import FORMATS


def instrument(package: str) -> None:
    """Let the fuzzer see which branches of a package an input takes.

    Done function by function, because atheris.instrument_imports() sees only a part of an editable
    install, which has a loader of its own, and instrument_all() spends minutes on other packages.
    """
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and str(found.__module__).startswith(package):
            atheris.instrument_func(found)


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
