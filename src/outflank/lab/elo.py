"""One Elo for one player: shipped players' ratings are fixed, all others are rated beside them."""

from __future__ import annotations

from pathlib import Path

from outflank.arena import Store
from outflank.arena.ratings import Rating
from outflank.arena.standings import ratings_beside
from outflank.lab.roster import Roster


class EloScale:
    """The ratings of all players on the scale of the shipped ones, where `random` has 0."""

    def __init__(self, store: Path, roster: Roster) -> None:
        self._store, self._roster = store, roster
        self._read: tuple[int, int] | None = None  # the state of the store that was rated
        self._rated: dict[str, Rating] = {}

    def of(self, spec: str) -> Rating | None:
        """Return a player's rating by the spec that makes it, if it has one."""
        return self._roster.rated.get(spec) or self._others().get(spec)

    def _others(self) -> dict[str, Rating]:
        """Rate the players of the store beside the shipped ones; again only after new games."""
        if not self._store.is_file():
            return {}
        about = self._store.stat()
        if self._read != (about.st_mtime_ns, about.st_size):
            self._read = about.st_mtime_ns, about.st_size
            known = {spec: one.elo for spec, one in self._roster.rated.items()}
            with Store(self._store) as store:
                self._rated = ratings_beside(store, known)
        return self._rated
