"""Lets a real fuzzer make up inputs for one parser: python -m fuzz.target PARSER [ARGUMENT...]"""

from __future__ import annotations

import gc
import sys
import tempfile
from pathlib import Path
from types import FunctionType

import atheris

from fuzz.parsers import Parser, parsers
from outflank.errors import OutflankError


def instrument(package: str) -> None:
    """Let the fuzzer see which branches of a package an input takes.

    Done function by function, because atheris.instrument_imports() sees only a part of an editable
    install, which has a loader of its own, and instrument_all() spends minutes on other packages.
    """
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and str(found.__module__).startswith(package):
            atheris.instrument_func(found)


def fuzz(parser: Parser, arguments: list[str]) -> None:
    """Fuzz a parser; never returns.

    The arguments are libFuzzer's. Without a corpus or a file to run among them, a corpus of the
    parser's seeds is made in a temporary folder.
    """
    if all(argument.startswith("-") for argument in arguments[1:]):
        folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
        corpus = folder / "corpus"
        corpus.mkdir()
        for number, data in enumerate(parser.seeds):
            (corpus / f"seed-{number}").write_bytes(data)
        arguments.append(str(corpus))
        if parser.words:
            escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in parser.words)
            (folder / "words").write_text("".join(f'"{word}"\n' for word in escaped))
            arguments.append(f"-dict={folder / 'words'}")

    def check(data: bytes) -> None:
        try:
            parser.check(data)
        except OutflankError as error:
            if len(str(error).splitlines()) > 1:
                raise AssertionError("an error of several lines") from error

    instrument("outflank")
    atheris.Setup(arguments, check)
    atheris.Fuzz()


def main() -> None:
    """Fuzz the parser that is named first."""
    every = parsers()
    if len(sys.argv) < 2 or sys.argv[1] not in every:
        sys.exit(f"name a parser: {', '.join(every)}")
    fuzz(every[sys.argv[1]], [sys.argv[0], *sys.argv[2:]])


if __name__ == "__main__":
    main()
