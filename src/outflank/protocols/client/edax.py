"""The console of Edax (as of versions 4.3 and 4.4): the client's side.

Edax prints ``>`` when it waits for a command. For every move the board is set up anew, so that
nothing that was said before matters: ``setboard``, then ``go``, which is answered by a table of
what the search found and by ``Edax plays F5``.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from outflank.errors import EngineError
from outflank.othello import Game, Move, Position
from outflank.protocols.client.client import Answer, EngineClient, legal_line

_PROMPT = ">"
_PLAYS = re.compile(r"^Edax plays (\S+)\s*$", re.MULTILINE)

# depth[@probability], bound and score, time, nodes and nodes/s (both may be missing), moves
_RESULT = re.compile(
    r"^ *(?P<depth>\d{1,2})(?P<selective>@ *\d+%)? +(?P<bound>[<>?]?) *(?P<score>[+-]\d{1,3})"
    r" +(?:\d+:)*\d+\.\d+ +(?P<nodes>\d{1,18})?(?: +\d+)?"
    r" *(?P<line>(?:[A-Ha-h][1-8]|[Pp][Ss]).*)?$",
    re.MULTILINE | re.ASCII,
)
_MOVE = re.compile(r"[a-h][1-8]|ps", re.IGNORECASE)
_VARIABLE = "OUTFLANK_EDAX"


class EdaxClient(EngineClient):
    """Edax, by its console."""

    def __init__(
        self,
        path: Path,
        *,
        level: int = 5,
        threads: int = 1,
        book: bool = False,
        timeout: float = 60.0,
    ) -> None:
        usage = "on" if book else "off"
        command = [
            str(path), "-book-usage", usage, "-ponder", "off", "-n-tasks", str(threads),
            "-verbose", "1", "-width", "200",
        ]  # fmt: skip
        super().__init__(command, timeout=timeout, folder=_data_folder(path))
        self.level = level

    def greet(self) -> None:
        """Wait for the first prompt, and see that Edax moves only when it is asked."""
        try:
            self._command()
        except EngineError as error:
            if self.process.is_running() and not self._has_book():
                raise EngineError(
                    f"{error}; without a book file (data/book.dat) Edax first makes one, which"
                    " takes minutes: start it once by hand, or give it a longer timeout"
                ) from None
            raise
        self._command("mode 3")
        self._command(f"level {self.level}")

    def _has_book(self) -> bool:
        return ((self.folder or Path()) / "data" / "book.dat").is_file()

    def ask(self, game: Game, position: Position) -> Answer:
        """Set up the board and let Edax play."""
        self._command(f"setboard {position.to_string()}")
        output = self._command("go")
        plays = _PLAYS.search(output)
        if plays is None:
            raise self.nonsense(output.strip(), "Edax plays")
        return _describe(self.read_move(plays[1]), output, position)

    def _command(self, *command: str) -> str:
        self.process.ask(*command, seconds=self.timeout)
        return self.process.read_to_prompt(_PROMPT)


def _describe(move: Move, output: str, position: Position) -> Answer:
    """Add to a move what the last line of the table says of it."""
    results = list(_RESULT.finditer(output))
    if not results:
        return Answer(move)
    last = results[-1]
    line = legal_line(position, (Move(name) for name in _MOVE.findall(last["line"] or "")))
    depth = int(last["depth"])
    return Answer(
        move,
        value=float(last["score"]),
        depth=depth,
        nodes=int(last["nodes"]) if last["nodes"] else None,
        exact=depth >= position.empties and not last["selective"] and not last["bound"],
        line=line if line[:1] == (move,) else (),
    )


def find_edax(path: str = "") -> Path:
    """Return where Edax is: at the path, where OUTFLANK_EDAX says, or where programs are."""
    wanted = path or os.environ.get(_VARIABLE, "") or "edax"
    found = shutil.which(wanted)
    if found is None:
        raise ValueError(
            f"there is no program {wanted!r}: give path=..., set {_VARIABLE}, "
            "or put edax where programs are found"
        )
    return Path(found).resolve()


def _data_folder(path: Path) -> Path | None:
    """Return the folder from which Edax finds its data/eval.dat, if it is near the program."""
    for folder in (path.parent, path.parent.parent):
        if (folder / "data" / "eval.dat").exists():
            return folder
    return None
