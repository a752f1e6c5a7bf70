"""The published players of the Othello League: what they are called, and where their files are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from outflank.data.fetch import copy_checked, folder_address
from outflank.data.player_file import PlayerFile
from outflank.data.report import (
    FetchReport,
    FileOutcome,
    FileResult,
    Patience,
    Progress,
    UnreachableError,
)
from outflank.data.store import StoredFile, store_folder
from outflank.errors import DataError, DownloadError, FileError, RecordError
from outflank.files import located, read_bytes

LEAGUE_URL = (
    "https://raw.githubusercontent.com/wjaskowski/TCIAIG-2015-Co-CMA-ES/HEAD/"
    "cevo-games/src/main/resources/put/ci/cevo/games/othello/players/published/"
)

SUFFIX = ".player"
LEAGUE_FOLDER = "OUTFLANK_LEAGUE"  # a variable of the environment: where the players are

_HOW_TO_GET = "get the players with: outflank data fetch league"


# How a player whose values are black's plays white: for low values ("neg"), or by swapping the
# colours of the board and playing for high ones ("inv").
Convention = Literal["neg", "inv"]


@dataclass(frozen=True)
class LeagueFile:
    """A published player, by the name that it has in specs."""

    name: str
    convention: Convention
    stem: str  # of its file's name
    summary: str

    @property
    def file(self) -> str:
        """The name of its file."""
        return self.stem + SUFFIX


# The conventions are not in the files but in the code that was published with them: the classes
# that load the files say OUTPUT_NEGATION or BOARD_INVERSION. (For cocmaes-2 and -3 the code was not
# seen; like cocmaes-4 they play much better with "inv". Two classes load each other's file, all2
# and all123: what counts here is the file.)
_FILES = (
    LeagueFile(
        "sjk13-ctdl",
        "neg",
        "SzubertJaskowskiKrawiec2013CTDL",
        "Szubert, Jaśkowski, Krawiec 2013: coevolution and temporal differences",
    ),
    LeagueFile(
        "sjk13-etdl",
        "neg",
        "SzubertJaskowskiKrawiec2013ETDL",
        "Szubert, Jaśkowski, Krawiec 2013: evolution and temporal differences",
    ),
    LeagueFile(
        "pb11-etdl", "neg", "Burrow2011ETDL", "Burrow 2011: evolution and temporal differences"
    ),
    LeagueFile(
        "em10-nash70", "neg", "Manning2010Nash70", "Manning 2010: coevolution with Nash memory"
    ),
    LeagueFile(
        "em10-tciag2", "neg", "Manning2010TCIAG2", "Manning 2010: coevolution with Nash memory"
    ),
    LeagueFile(
        "em10-tciag1", "neg", "Manning2010TCIAG1", "Manning 2010: coevolution with Nash memory"
    ),
    LeagueFile(
        "em10-gecco", "inv", "Manning2010GECCO", "Manning 2010: coevolution with Nash memory"
    ),
    LeagueFile(
        "rl14-ipref1",
        "inv",
        "RunnarsonLucas2014IPref1",
        "Runarsson, Lucas 2014: weighted squares from experts' preferences",
    ),
    LeagueFile(
        "rl14-iprefn",
        "inv",
        "RunnarsonLucas2014IPrefN",
        "Runarsson, Lucas 2014: tuples from experts' preferences",
    ),
    LeagueFile(
        "cocmaes-4+2x2",
        "inv",
        "JaskowskiSzubert2015CoCMAES-4+2x2",
        "Jaśkowski, Szubert 2015: all straight 4-tuples and 2x2 squares, coevolved",
    ),
    LeagueFile(
        "cocmaes-4",
        "inv",
        "JaskowskiSzubert2015CoCMAES-4",
        "Jaśkowski, Szubert 2015: all straight 4-tuples, coevolved",
    ),
    LeagueFile(
        "cocmaes-3",
        "inv",
        "JaskowskiSzubert2015CoCMAES-3",
        "Jaśkowski, Szubert 2015: all straight 3-tuples, coevolved",
    ),
    LeagueFile(
        "cocmaes-2",
        "inv",
        "JaskowskiSzubert2015CoCMAES-2",
        "Jaśkowski, Szubert 2015: all straight 2-tuples, coevolved",
    ),
    LeagueFile(
        "wj14-all123",
        "neg",
        "Jaskowski2014All123",
        "Jaśkowski 2014: all straight tuples of 1 to 3 squares",
    ),
    LeagueFile("wj14-all2", "inv", "Jaskowski2014All2", "Jaśkowski 2014: all straight 2-tuples"),
)

LEAGUE_FILES = {file.name: file for file in _FILES}


def convention_of(path: Path) -> Convention:
    """Return the convention of a file by its name, "neg" if it is none of those published."""
    known = {file.file.lower(): file.convention for file in _FILES}
    return known.get(path.name.lower(), "neg")


def league_folder() -> Path:
    """Return the folder that OUTFLANK_LEAGUE names, or else the store's; it need not exist."""
    chosen = os.environ.get(LEAGUE_FOLDER)
    return located(chosen) if chosen else store_folder("league")


def league_path(name: str) -> Path:
    """Return where the file of a published player is."""
    folder = league_folder()
    wanted = LEAGUE_FILES[name].file
    if not folder.is_dir():
        what = "not a folder" if folder.exists() else "no such folder"
        raise DataError(f"{folder}: {what}; {_HOW_TO_GET}", remedy="league")
    found = {path.name.lower(): path for path in _player_files(folder)}
    if wanted.lower() not in found:
        raise DataError(f"{folder}: no {wanted} in it; {_HOW_TO_GET}", remedy="league")
    return found[wanted.lower()]


def fetch_league(
    *,
    base_url: str | None = None,
    years: range | None = None,
    into: Path | None = None,
    refresh: bool = False,
    progress: Progress | None = None,
    patience: Patience | None = None,
) -> FetchReport:
    """Download the published players.

    Args:
        base_url: Address of the files; OUTFLANK_LEAGUE_URL or the authors' repository if None.
        years: Must be None: players have no years.
        into: As for fetch_wthor.
        refresh: As for fetch_wthor.
        progress: As for fetch_wthor.
        patience: As for fetch_wthor.
    """
    # Importing httpx takes a tenth of a second, which only a download should cost.
    from outflank.data.download import open_downloads

    _refuse(years)
    base = folder_address(base_url, "OUTFLANK_LEAGUE_URL", LEAGUE_URL)
    folder = store_folder("league") if into is None else into
    progress = progress or Progress()
    names = [file.file for file in _FILES]
    results: list[FileResult] = []
    unreachable: UnreachableError | None = None
    with open_downloads(folder, check_player, patience or Patience(), progress) as downloads:
        progress.begin(names)
        for name in names:
            try:
                if unreachable and (refresh or not downloads.has(name)):
                    raise unreachable
                result = downloads.get(name, base + name, refresh=refresh)
            except DownloadError as error:
                if isinstance(error, UnreachableError):
                    unreachable = error
                result = FileResult(name, folder / name, FileOutcome.FAILED, problem=str(error))
            results.append(result)
            progress.finished(result)
    return FetchReport(folder, tuple(results))


def take_league(
    folder: Path,
    *,
    years: range | None = None,
    into: Path | None = None,
    progress: Progress | None = None,
) -> FetchReport:
    """Copy all .player files of a folder that can be read."""
    _refuse(years)
    if not folder.is_dir():
        what = "not a folder" if folder.exists() else "no such folder"
        raise DataError(f"{folder}: {what}")
    sources = sorted(_player_files(folder))
    if not sources:
        raise DataError(f"{folder}: no *{SUFFIX} files in it")
    into = store_folder("league") if into is None else into
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(into, "make the folder", error) from error
    progress = progress or Progress()
    progress.begin([source.name for source in sources])
    results = []
    for source in sources:
        results.append(copy_checked(source, into / source.name, check_player))
        progress.finished(results[-1])
    return FetchReport(into, tuple(results))


def check_player(name: str, data: bytes) -> PlayerFile:
    """Check a file's content; what is wrong with it is a RecordError."""
    return PlayerFile.parse(data, name)


def list_league(folder: Path | None = None) -> list[StoredFile]:
    """Return what a folder (the store's if None) holds of the league, by file name."""
    folder = store_folder("league") if folder is None else folder
    if not folder.exists():
        return []
    return [_describe(path) for path in sorted(_player_files(folder))]


def _describe(path: Path) -> StoredFile:
    problem = None
    try:
        check_player(path.name, read_bytes(path))
    except RecordError as error:
        problem = error.problem
    except FileError as error:
        problem = str(error)
    return StoredFile("league", path, path.stat().st_size, problem=problem)


def _refuse(years: range | None) -> None:
    if years is not None:
        raise DataError("the league's players are not of single years; leave the years out")


def _player_files(folder: Path) -> Iterator[Path]:
    try:
        yield from [
            path for path in folder.iterdir() if path.suffix.lower() == SUFFIX and path.is_file()
        ]
    except OSError as error:
        raise FileError(folder, "read", error) from error
