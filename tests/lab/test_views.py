"""What the page is told of a thought."""

from __future__ import annotations

import json

from outflank.lab.views import thought_json
from outflank.othello import Move
from outflank.players import Thought, Unit

D3, C4 = Move("d3"), Move("c4")


def test_values_have_a_unit() -> None:
    told = thought_json(Thought(D3, 1.5, 4, 99, 0.12345, line=(D3, C4), values={D3: 1.5, C4: -2.0}))
    assert told == {
        "move": "d3",
        "value": 1.5,
        "unit": "own",
        "depth": 4,
        "nodes": 99,
        "seconds": 0.123,
        "exact": False,
        "line": ["d3", "c4"],
        "values": {"d3": 1.5, "c4": -2.0},
        "kind": "values",
    }
    assert thought_json(Thought(D3, 2.0, exact=True))["unit"] == "discs"
    assert json.loads(json.dumps(told)) == told


def test_a_policy_stands_where_there_are_no_values() -> None:
    told = thought_json(Thought(D3, 0.2, policy={D3: 0.75, C4: 0.25}, unit=Unit.RESULT))
    assert (told["kind"], told["unit"]) == ("probabilities", "result")
    assert told["values"] == told["policy"] == {"d3": 0.75, "c4": 0.25}


def test_a_tree_search_says_everything() -> None:
    thought = Thought(
        D3,
        0.2,
        values={D3: 0.2, C4: 0.1},
        policy={D3: 0.75, C4: 0.25},
        visits={D3: 30, C4: 10},
        unit=Unit.RESULT,
    )
    told = thought_json(thought)
    assert (told["kind"], told["values"]) == ("values", {"d3": 0.2, "c4": 0.1})
    assert told["policy"] == {"d3": 0.75, "c4": 0.25}
    assert told["visits"] == {"d3": 30, "c4": 10}
