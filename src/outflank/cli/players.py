"""`outflank players`: who can play."""

from __future__ import annotations

import dataclasses

from rich.table import Table

from outflank.cli.output import Json, console, print_json
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
        known = [dataclasses.asdict(listed_evaluation) for listed_evaluation in evaluations()]
        print_json({"players": listed, "evaluations": known})
        return
    table = Table("kind", "what it does", "options and what they are if not given")
    for kind, facts in listed.items():
        options = facts["options"]
        assert isinstance(options, dict)  # noqa: S101
        shown = ", ".join(
            name if value is None else f"{name}={value}" for name, value in options.items()
        )
        table.add_row(kind, str(facts["summary"]), shown)
    console.print(table)
    table = Table("evaluation", "what it counts", "source")
    for entry in evaluations():
        table.add_row(entry.name, entry.summary, entry.source)
    console.print(table)


def _default(field: dataclasses.Field[object]) -> object:
    return None if field.default is dataclasses.MISSING else field.default
