"""`outflank players`: the kinds of players and evaluations."""

from __future__ import annotations

import dataclasses

from outflank.cli.output import Json, print_json, print_table
from outflank.evaluations import evaluations
from outflank.players import kinds


def players(json: Json = False) -> None:
    """List the kinds of players with their options, and the evaluations they can search with.

    A player is named by a spec: kind, or kind:option=value,option=value.
    """
    listed = {
        kind: {
            "summary": player.summary,
            "options": {
                field.name.rstrip("_"): _default(field)
                for field in dataclasses.fields(player)
                if field.init
            },
        }
        for kind, player in sorted(kinds().items())
    }
    if json:
        described = [dataclasses.asdict(entry) for entry in evaluations()]
        print_json({"players": listed, "evaluations": described})
        return
    rows = []
    for kind, facts in listed.items():
        options = facts["options"]
        assert isinstance(options, dict)  # noqa: S101
        shown = ", ".join(
            name if value is None else f"{name}={value}" for name, value in options.items()
        )
        rows.append((kind, str(facts["summary"]), shown))
    heads = ("kind", "what it does", "options and defaults")
    print_table(heads, rows, prose=(1, 2))
    known = [(entry.name, entry.summary, entry.source) for entry in evaluations()]
    print_table(("evaluation", "what it counts", "source"), known, prose=(1, 2))


def _default(field: dataclasses.Field[object]) -> object:
    return None if field.default is dataclasses.MISSING else field.default
