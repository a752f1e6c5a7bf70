"""Every function of the compiled core survives hostile arguments, also under the sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hostile.core_calls import arguments, find
from hostile.stub import Signature, signatures
from outflank import _core

TESTS = Path(__file__).parents[1]
LONG = os.environ.get("OUTFLANK_HOSTILE") == "long"
EVERY = sorted({str(one) for one in signatures()} - {"end_calls", "Forest.__len__"})
PARTS = 4
OWN, OTHER = 0x0000000810000000, 0x0000001008000000
NO_EFFECT: set[str] = {"end_calls"}


def run(names: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-W", "ignore", "-m", "hostile.core_calls", *names],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TESTS), **environment},
        timeout=1200,
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_no_argument_crashes_the_core(part: int) -> None:
    ended = run(EVERY[part::PARTS], HOSTILE_MOST_SECONDS="2")
    last = [line for line in ended.stdout.splitlines() if line.startswith("calling")][-1:]
    assert ended.returncode == 0, f"{last}: {ended.stderr[-2000:]}"
    assert "slow" not in ended.stdout, ended.stdout
    print(ended.stdout.splitlines()[-1])


@pytest.mark.parametrize("one", list(signatures()), ids=str)
def test_the_good_arguments_are_good(one: Signature) -> None:
    """Otherwise all calls would fail at the same parameter, and reach nothing."""
    if str(one) not in NO_EFFECT:
        find(one)(**arguments(one))


def test_boards_that_overlap_are_refused_everywhere() -> None:
    solver, searcher = _core.Solver(1), _core.Searcher(_core.Evaluation.named("discs"), 1)
    both, score = np.full(1, OWN, np.uint64), np.zeros(1, np.float32)
    white = np.zeros(1, np.bool_)
    learner = _core.PatternLearner(_core.fit_patterns(both[:0], both[:0], score[:0], passes=0))
    for call in (
        lambda: solver.solve(OWN, OWN),
        lambda: solver.solve_moves(OWN, OWN),
        lambda: searcher.search(OWN, OWN, False),
        lambda: searcher.search_many(both, both, white),
        lambda: searcher.minimax(OWN, OWN, False, 1),
        lambda: _core.fit_patterns(both, both, score),
        lambda: learner.step(both, both, score),
        lambda: _core.legal_moves(both, both),
        lambda: _core.pattern_rows(both, both),
        lambda: _core.perft(OWN, OWN, 1),
    ):
        with pytest.raises(ValueError, match="both sides on one square"):
            call()


def test_what_crashed_once_is_refused() -> None:
    searcher = _core.Searcher(_core.Evaluation.named("discs"), 1)
    with pytest.raises(ValueError, match="megabytes"):
        _core.Solver(0)
    nobody = np.zeros(1, np.int32)
    with pytest.raises(ValueError, match="None"):
        _core.play_minds([None], nobody, nobody)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="depth"):
        searcher.minimax(OWN, OTHER, False, -1)
    for slope, error in ((0.0, 1.0), (1.0, 0.0), (float("nan"), 1.0)):
        with pytest.raises(ValueError, match="must be from"):
            _core.DepthRegression(4, 2, 4, 64, slope, 0.0, error)
    with pytest.raises(ValueError, match="shallow"):
        _core.DepthRegression(4, 4, 4, 64, 1.0, 0.0, 1.0)
    with pytest.raises(ValueError, match="threads"):
        _core.legal_moves(np.zeros(1, np.uint64), np.zeros(1, np.uint64), -1)
