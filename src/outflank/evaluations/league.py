"""The networks of the Othello League's players, built in or from their files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from outflank._core import NTupleNetwork, square_weights
from outflank.data.league import LEAGUE_FILES, SUFFIX, Convention, convention_of, league_path
from outflank.data.player_file import PlayerFile
from outflank.errors import SpecError
from outflank.evaluations.names import unknown
from outflank.files import located, needed, read_bytes

# Players of weighted squares, whose weights were printed and are in _core.
_SQUARES = {
    "swh": "the league's standard heuristic, weighted squares made by hand",
    "lr06": "Lucas, Runarsson 2006: weighted squares, coevolved",
    "sjk09": "Szubert, Jaśkowski, Krawiec 2009: weighted squares, coevolved",
    "sjk11": "Szubert, Jaśkowski, Krawiec 2011: weighted squares, coevolved",
}


@dataclass(frozen=True)
class LeagueEntry:
    """A player of the league as lists show it."""

    name: str
    summary: str
    convention: Convention
    file: str = ""  # the name of its file; empty if it is built in


def league_entries() -> list[LeagueEntry]:
    """List the players that have a name; their files may not be on this machine."""
    squares = [LeagueEntry(name, summary, "neg") for name, summary in _SQUARES.items()]
    return squares + [
        LeagueEntry(file.name, file.summary, file.convention, file.file)
        for file in LEAGUE_FILES.values()
    ]


def is_league(name: str) -> bool:
    """Return whether this is the name of a league player or of a .player file."""
    return name in _SQUARES or name in LEAGUE_FILES or name.lower().endswith(SUFFIX)


def league_network(name: str, convention: str | None = None) -> NTupleNetwork:
    """Load the network of a player.

    An error in a file is a RecordError, a missing file a DataError or FileError.

    Args:
        name: Of the player, or the path of its file.
        convention: How it plays white, "neg" or "inv"; as its file's name says if None.
    """
    if convention not in (None, "neg", "inv"):
        raise SpecError(f"convention cannot be {convention!r}; it is neg or inv")
    if not is_league(name):
        raise unknown("league player", name, [entry.name for entry in league_entries()])
    if name in _SQUARES:
        file = PlayerFile.of_squares(square_weights(name))
        return _network(file, convention or "neg")
    path = league_path(name) if name in LEAGUE_FILES else located(name)
    data = read_bytes(path)
    return _load(data, str(needed(path)), convention or convention_of(path))


# A tournament makes the same players many times.
@lru_cache(maxsize=32)
def _load(data: bytes, source: str, convention: str) -> NTupleNetwork:
    return _network(PlayerFile.parse(data, source), convention)


def _network(file: PlayerFile, convention: str) -> NTupleNetwork:
    inverts = convention == "inv"
    return NTupleNetwork(file.lengths, file.squares, file.offsets, file.weights, inverts)
