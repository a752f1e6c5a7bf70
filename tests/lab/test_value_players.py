"""Value networks in the lab: opponents that think on the person's time."""

from __future__ import annotations

import pytest

from outflank.errors import SpecError
from outflank.lab.roster import Roster
from outflank.lab.settings import LabSettings
from outflank.players import Unit


def test_they_are_listed_and_ponder(settings: LabSettings) -> None:
    roster = Roster(settings)
    groups = {group["id"]: group for group in roster.to_json()["groups"]}
    specs = {player["spec"]: player for player in groups["value"]["players"]}
    assert set(specs) == {"alphabeta:net=value-fast", "alphabeta:net=value-ng"}
    assert all(player["values"] for player in specs.values())
    imitating = {player["name"] for player in groups["imitation"]["players"]}
    assert imitating.isdisjoint({"value-fast", "value-ng"})
    for spec in specs:
        resolved = roster.resolve(f"{spec},time=0.1")
        assert "ponder=yes" in resolved
        assert roster.is_listed(resolved)
        with roster.make(f"{spec},time=0.1") as player:
            assert (player.unit, player.stoppable) == (Unit.RESULT, True)
    assert roster.name_of("alphabeta:net=value-fast,time=2") == "value-fast (time 2)"
    with pytest.raises(SpecError, match="time is '61'"):
        roster.resolve("alphabeta:net=value-fast,time=61")
