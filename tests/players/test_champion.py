"""The champion: its limits, its endings, and the time it takes."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from outflank import Game, Position, _core
from outflank.errors import DataError, OutflankError, SpecError
from outflank.evaluations.champion import champion_regressions, save_champion
from outflank.evaluations.patterns import save_patterns
from outflank.learn.champion.calibration import CalibrationConfig, calibrate
from outflank.nets.files import load_tensors
from outflank.players import Unit, make_player
from outflank.players.champion import level
from players.fitted_champion import Weights, fitted_weights, save_fitted
from strategies import random_game


def positions_with(empties: int, count: int, seed: int = 0) -> list[Position]:
    found: list[Position] = []
    while len(found) < count:
        seed += 1
        game = random_game(seed)
        found += [
            p for p in game.positions() if p.empties == empties and not (p.must_pass or p.is_over)
        ]
    return found[:count]


@pytest.fixture(scope="module")
def weights() -> Weights:
    return fitted_weights()


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory, weights: Weights) -> Path:
    """A calibrated evaluation."""
    config = CalibrationConfig(positions=12, depth=5, solve_from=12)
    measured = calibrate(_core.ChampionEvaluation(weights), config)
    return save_fitted(tmp_path_factory.mktemp("champion"), weights, measured)


@pytest.mark.parametrize("empties", [6, 9, 12])
def test_endings_are_played_perfectly(net: Path, empties: int) -> None:
    solver = _core.Solver(4)
    for spec in (f"depth={empties}", "level=10", "time=5s"):
        player = make_player(f"champion:net={net},{spec},memory=8")
        for position in positions_with(empties, 3):
            if position.legal_squares.bit_count() == 1:
                continue
            thought = player.think(Game(position))
            assert thought.exact
            assert thought.value == solver.solve(*position.bits).score
            assert thought.line[0] == thought.move


def test_its_values_are_discs_and_its_depth_is_kept(net: Path) -> None:
    player = make_player(f"champion:net={net},depth=5,memory=8")
    assert player.unit is Unit.DISCS
    for position in positions_with(30, 3):
        thought = player.think(Game(position))
        assert thought.depth == 5
        assert thought.value is not None
        assert abs(thought.value) <= 64


@pytest.mark.parametrize("empties", [20, 34])
def test_time_is_used_up_and_kept(net: Path, empties: int) -> None:
    player = make_player(f"champion:net={net},time=0.3s,memory=8")
    position = next(p for p in positions_with(empties, 9) if p.legal_squares.bit_count() > 1)
    began = time.perf_counter()
    thought = player.think(Game(position))
    took = time.perf_counter() - began
    assert took < 3  # even on a machine with much else to do
    assert thought.exact or took > 0.85 * 0.3


def test_a_single_move_needs_no_time(net: Path) -> None:
    player = make_player(f"champion:net={net},time=20s,memory=8")
    position = next(
        p
        for seed in range(200)
        for p in random_game(seed).positions()
        if p.empties > 24 and p.legal_squares.bit_count() == 1
    )
    began = time.perf_counter()
    thought = player.think(Game(position))
    assert thought.move in position.legal_moves
    assert time.perf_counter() - began < 10


def test_stop_gives_an_answer_at_once(net: Path) -> None:
    player = make_player(f"champion:net={net},level=20,memory=8")
    stop = _core.Stop()
    stop.set()
    for empties in (26, 40):
        thought = player.think(Game(positions_with(empties, 1)[0]), stop=stop)
        assert thought.move in positions_with(empties, 1)[0].legal_moves


def test_pondering_can_be_ended(net: Path) -> None:
    player = make_player(f"champion:net={net},depth=4,memory=8,ponder=yes")
    position = positions_with(40, 1)[0]
    player.start_pondering(position)
    assert player.think(Game(position)).move in position.legal_moves
    player.start_pondering(position)
    player.close()


def test_a_level_is_almost_sure_of_earlier_endings(net: Path) -> None:
    """From `solve` on it is certain; a little earlier it searches to the end selectively."""
    player = make_player(f"champion:net={net},level=4,memory=8")
    budget, solver = level(4), _core.Solver(8)
    wrong = []
    for position in positions_with(budget.almost, 6):
        thought = player.think(Game(position))
        assert (thought.exact, thought.depth) == (False, budget.almost)
        wrong.append(abs((thought.value or 0) - solver.solve(*position.bits).score))
    assert sum(wrong) / len(wrong) < 6
    assert player.think(Game(positions_with(budget.solve, 1)[0])).exact
    assert player.think(Game(positions_with(budget.almost + 1, 1)[0])).depth == budget.depth


def test_levels_rise() -> None:
    levels = [level(number) for number in range(1, 21)]
    for lower, higher in pairwise(levels):
        assert higher.depth > lower.depth
        assert higher.solve >= lower.solve
        assert higher.almost >= lower.almost >= lower.solve
    for wrong in (0, 21):
        with pytest.raises(ValueError, match=r"1\.\.20"):
            level(wrong)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("time=1s,depth=3", "exclude each other"),
        ("level=30", r"level must be 1\.\.20"),
        ("depth=0", r"depth must be 1\.\.60"),
        ("time=0s", "positive"),
        ("memory=0", "memory must be 1 to"),
        ("selectivity=-1", "selectivity must be 0 to"),
    ],
)
def test_bad_options_are_explained(net: Path, options: str, message: str) -> None:
    with pytest.raises(OutflankError, match=message):
        make_player(f"champion:net={net},{options}")


def test_a_wrong_evaluation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no evaluation"):
        make_player("champion:net=nowhere.safetensors")
    other = tmp_path / "patterns.safetensors"
    save_patterns(other, np.zeros((16, 3), np.int16), {})
    with pytest.raises(SpecError, match="champion's form"):
        make_player(f"champion:net={other}")


class TestCalibration:
    """What calibrate measures, and what it is used for."""

    def test_it_covers_all_depths_and_endings(self, net: Path) -> None:
        depths = champion_regressions(net, "probcut")
        endings = champion_regressions(net, "endings")
        assert len(depths) == 6 * 22
        assert len(endings) == 17

    def test_it_can_be_repeated(self, weights: Weights) -> None:
        config = CalibrationConfig(positions=10, depth=4, solve_from=12)
        first, second = (calibrate(_core.ChampionEvaluation(weights), config) for _ in range(2))
        assert first == second
        for entry in [*first["probcut"], *first["endings"]]:
            assert entry["error"] > 0
            assert entry["shallow"] < entry["depth"]
            assert (entry["depth"] - entry["shallow"]) % 2 == 0 or entry in first["endings"]

    def test_fewer_nodes_give_nearly_the_same_values(self, net: Path, weights: Weights) -> None:
        evaluation = _core.ChampionEvaluation(weights)
        whole, quick = (_core.Searcher(evaluation, 16, "discs") for _ in range(2))
        quick.set_selectivity(1.0, champion_regressions(net, "probcut"))
        nodes, close = [0, 0], 0
        boards = positions_with(34, 8)
        for position in boards:
            exact, selective = (
                searcher.search(*position.bits, False, depth=7) for searcher in (whole, quick)
            )
            nodes[0] += exact.nodes
            nodes[1] += selective.nodes
            close += abs(exact.lines[0].value - selective.lines[0].value) < 6 * 128
        assert nodes[1] < 0.8 * nodes[0]
        assert close >= 5

    def test_a_selective_ending_is_cheaper_and_marks_itself(self, net: Path) -> None:
        """Even where the table holds its findings, the exact solution is exact."""
        solver, plain = _core.Solver(16), _core.Solver(16)
        solver.set_guide(
            _core.ChampionEvaluation(load_weights(net)),
            endings=champion_regressions(net, "endings"),
        )
        selective = exact = 0
        for position in positions_with(16, 6):
            selective += solver.solve(*position.bits, deviations=0.5).nodes
            found = solver.solve(*position.bits)
            exact += found.nodes
            assert found.score == plain.solve(*position.bits).score
        assert selective < 0.7 * exact
        with pytest.raises(ValueError, match="guide"):
            plain.solve(*positions_with(16, 1)[0].bits, deviations=1.0)

    def test_damaged_measurements_are_an_error(self, tmp_path: Path, weights: Weights) -> None:
        path = tmp_path / "damaged.safetensors"
        save_champion(path, weights, {"probcut": [{"depth": "deep"}]})
        with pytest.raises(DataError, match="probcut"):
            champion_regressions(path, "probcut")


def load_weights(path: Path) -> Weights:
    tensors, _ = load_tensors(path, kind="champion")
    return tensors["weights"]


def test_a_guide_changes_no_score(net: Path) -> None:
    guided, plain = _core.Solver(8), _core.Solver(8)
    guided.set_guide(
        _core.ChampionEvaluation(load_weights(net)), 1.5, champion_regressions(net, "probcut")
    )
    for position in positions_with(14, 6):
        for threads in (1, 2):
            guided.clear()
            found = guided.solve(*position.bits, threads=threads)
            assert found.score == plain.solve(*position.bits).score
        scored, _ = guided.solve_moves(*position.bits)
        assert scored[0][1] == found.score
        assert sorted(scored) == sorted(plain.solve_moves(*position.bits)[0])


def test_another_calibration_is_another_player(net: Path, weights: Weights, tmp_path: Path) -> None:
    without = save_fitted(tmp_path, weights, {})
    known, other = (make_player(f"champion:net={one},depth=2") for one in (net, without))
    assert known.fingerprint != other.fingerprint
    same = make_player(f"champion:net={net},depth=2")
    assert known.fingerprint == same.fingerprint
