"""Probcut: calibrated evaluations search fewer nodes and find nearly the same values."""

from __future__ import annotations

import pytest

from outflank import _core
from outflank.errors import SpecError
from outflank.evaluations import evaluation
from outflank.players import make_player
from outflank.players.probcut import PAIRS, STAGES, calibrated, measure, regressions_for
from search.test_midgame import middlegames, search


@pytest.mark.parametrize("name", calibrated())
def test_every_calibration_covers_all_stages_and_depths(name: str) -> None:
    assert len(regressions_for(name)) == len(PAIRS) * len(STAGES)


@pytest.mark.parametrize("name", calibrated())
def test_fewer_nodes_give_nearly_the_same_values(name: str) -> None:
    positions = [position for position in middlegames(30, seed=900) if position.empties > 18]
    whole, pruned = 0, 0
    same = 0
    for position in positions:
        exact = search(_core.Searcher(evaluation(name), 16), position, depth=8)
        selective = _core.Searcher(evaluation(name), 16)
        selective.set_selectivity(1.5, regressions_for(name))
        quick = search(selective, position, depth=8)
        whole += exact.nodes
        pruned += quick.nodes
        same += exact.lines[0].moves[0] == quick.lines[0].moves[0]
    assert pruned < 0.7 * whole
    assert same >= 0.8 * len(positions)


def test_zero_deviations_prune_nothing() -> None:
    searcher = _core.Searcher(evaluation("iago"), 4)
    searcher.set_selectivity(0, regressions_for("iago"))
    for position in middlegames(10, seed=950):
        white = position.turn == "white"
        expected = searcher.minimax(*position.bits, white, 4)[0]
        assert search(searcher, position, depth=4).lines[0].value == expected


def test_a_measurement_can_be_made_again() -> None:
    fitted = measure("discs", 20, seed=1)
    assert len(fitted) == len(PAIRS) * len(STAGES)
    assert fitted == measure("discs", 20, seed=1)
    assert all(line["error"] > 0 for line in fitted)


def test_an_evaluation_that_was_not_calibrated_is_named() -> None:
    with pytest.raises(SpecError, match="maggs has not been calibrated for selectivity"):
        make_player("alphabeta:eval=maggs,depth=4,selectivity=1.5")
    assert make_player("alphabeta:eval=iago,depth=4,selectivity=1.5")
