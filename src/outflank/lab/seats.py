"""The seats of a table: who has them, and the players while they are needed."""

from __future__ import annotations

import asyncio
import threading

from outflank.errors import SpecError
from outflank.lab.roster import HUMAN, Roster
from outflank.lab.table_state import TableState
from outflank.othello import BLACK, Color
from outflank.players import Player, Spec, kinds, make_player

_SECONDS_KEPT = 30.0  # that players are kept after the last person left
_WITH_HANDICAP = "lenient"  # the kind of player that gives discs away
_LENIENT = "imitation-fast"  # plays older games whose player cannot, under its own name


class Seats:
    """Who plays black and white: people or players.

    Players are made when they are first asked, and again when the seats change. The thinking
    threads use them: `in_use` is held while one is made or asked.
    """

    def __init__(self, state: TableState, roster: Roster) -> None:
        self._state, self._roster = state, roster
        self.in_use = threading.Lock()  # a search that was cancelled may not be over yet
        self._players: dict[str, Player] = {}
        self._made_for = ""  # the seats that the players were made for
        self._release: asyncio.TimerHandle | None = None
        self._names: dict[str, str] = {}
        self._stoppable: dict[str, bool] = {}

    def spec_of(self, side: Color) -> str:
        """Return the spec of a side's player, or `human`."""
        return self._state.black if side is BLACK else self._state.white

    def is_person(self, side: Color) -> bool:
        """Return whether a person plays a side."""
        return self.spec_of(side) == HUMAN

    @property
    def has_people(self) -> bool:
        """Whether a person has a seat."""
        return HUMAN in (self._state.black, self._state.white)

    def name_of(self, side: Color) -> str:
        """Return the name of the player or person in a seat; looked up once."""
        spec = self.spec_of(side)
        if spec not in self._names:
            name = self._roster.name_of(spec)
            if self._state.budget is not None and spec != HUMAN:
                name = self._name_with_handicap(spec, self._state.budget)
            self._names[spec] = name
        return self._names[spec]

    def _name_with_handicap(self, spec: str, budget: float) -> str:
        """Return who really plays: not all players can give discs away."""
        network = self._network(spec)
        asked = Spec.parse(spec)
        name = self._roster.name_of(str(Spec(asked.kind, asked.argument))) if network else _LENIENT
        return f"{name}, gives away up to {budget:g} discs"

    def _network(self, spec: str) -> str | None:
        """Return the network of a player that is one, or None."""
        try:
            return self._roster.network_of(spec)
        except SpecError:  # a run that is not there any more
            return None

    def can_stop(self, side: Color) -> bool:
        """Return whether a side's player can be asked to move at once; looked up once."""
        spec = self.spec_of(side)
        if spec not in self._stoppable:
            try:
                kind = Spec.parse(self._roster.resolve(spec)).kind
            except SpecError:
                return False
            if self._state.budget is not None:
                kind = _WITH_HANDICAP
            self._stoppable[spec] = kinds()[kind].stoppable
        return self._stoppable[spec]

    def player(self, side: Color) -> Player:
        """Return a seat's player, with the handicap, if any; `in_use` must be held."""
        state = self._state
        wanted = f"{state.black}|{state.white}|{state.budget}"
        if wanted != self._made_for:
            self._close_players()
            self._made_for = wanted
        if side.value not in self._players:
            spec = self.spec_of(side)
            if state.budget is not None:
                options = {"discs": f"{state.budget:g}", "name": self._network(spec) or _LENIENT}
                self._players[side.value] = make_player(Spec(_WITH_HANDICAP, options=options))
            else:
                self._players[side.value] = self._roster.make(spec)
        return self._players[side.value]

    def release_later(self) -> None:
        """Close the players in a while, unless somebody plays before."""
        loop = asyncio.get_running_loop()
        self._release = loop.call_later(_SECONDS_KEPT, self._release_players)

    def hold(self) -> None:
        """Cancel a pending `release_later`."""
        if self._release is not None:
            self._release.cancel()
            self._release = None

    def _release_players(self) -> None:
        """Close players that nobody plays with; their searches are over or were cancelled."""
        self._release = None
        asyncio.get_running_loop().run_in_executor(None, self.close_players)

    def close_players(self, patience: float = -1) -> None:
        """Close the players, once none of them is being asked.

        Args:
            patience: Seconds to wait for that; without a limit if None.
        """
        if self.in_use.acquire(timeout=patience):
            try:
                self._close_players()
            finally:
                self.in_use.release()

    def _close_players(self) -> None:
        players, self._players = self._players, {}
        self._made_for = ""
        for player in players.values():
            player.close()
