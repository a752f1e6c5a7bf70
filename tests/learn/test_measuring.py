"""Measures of imitation against their definitions, and prediction times."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from learn.slow_measures import slow_measures
from outflank import _core
from outflank.data import extract_examples, open_examples
from outflank.data.examples import Examples
from outflank.errors import DataError
from outflank.learn.imitation import (
    draw_measures,
    measure,
    seconds_per_position,
    tie_convention,
    timing,
)
from outflank.nets.network import Averaged, Card, PolicyNetwork, Prediction, Symmetrised
from outflank.othello.boards import Boards


class Arbitrary(PolicyNetwork):
    """Scores that have no sense, many of them equal; the same for the same board."""

    def __init__(self, *, valued: bool = False, steps: int = 6) -> None:
        self.card = Card("arbitrary", "pieces")
        self.valued, self.steps = valued, steps
        self.asked: list[int] = []

    def predict(self, boards: Boards) -> Prediction:
        self.asked.append(len(boards))
        key = np.repeat(_core.hash(boards.own, boards.other), 64)
        square = np.tile(np.arange(64, dtype=np.uint64), len(boards))
        drawn = _core.hash(key, square).reshape(-1, 64) % np.uint64(self.steps)
        # What was played is often the highest of the legal ones: measures should not be near 0.
        logits = drawn.astype(np.float32) / 2 + 2 * boards.legal_mask()[:, :64]
        values = np.sin(boards.own.astype(np.float32)) if self.valued else None
        return Prediction(logits.astype(np.float32), values)


@pytest.fixture
def examples(weighted_wthor: Path) -> Examples:
    made = extract_examples(wthor=weighted_wthor)
    every = open_examples(made.folder, "unique")
    return every.take(slice(0, len(every), 37))


def near(found: Any, expected: Any) -> bool:
    """Whether two answers are the same but for rounding."""
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(near(found[k], expected[k]) for k in found)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(near, found, expected))
    if isinstance(expected, float):
        return bool(found == pytest.approx(expected, abs=1e-5))
    return bool(found == expected)


@pytest.mark.parametrize("network", [Arbitrary(), Arbitrary(valued=True, steps=1000)])
def test_measures_are_those_of_their_definitions(network: Arbitrary, examples: Examples) -> None:
    found = measure(network, examples).to_json()
    assert found.pop("ties") == "equal scores count against the move"
    expected = slow_measures(network, examples)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert near(found[name], value), name
    assert 0 < found["accuracy"] < found["top"]["2"] < found["top"]["5"] < 1


def test_who_watches_hears_of_all_examples(examples: Examples) -> None:
    heard: list[int] = []
    measure(Arbitrary(), examples, advanced=heard.append)
    assert heard == [len(examples)]


def test_nothing_to_measure(examples: Examples) -> None:
    found = measure(Arbitrary(), examples.take(slice(0, 0)))
    assert (found.examples, found.top, found.cells, found.value_error) == (
        0, {1: 0.0, 2: 0.0, 3: 0.0, 5: 0.0}, (), None,
    )  # fmt: skip


def test_equal_scores_count_against_the_move(examples: Examples) -> None:
    found = measure(Arbitrary(steps=1), examples)  # all legal moves have the same score
    alone = [count for moves, (count, _) in found.by_moves.items() if moves == 1]
    assert found.accuracy == sum(alone) / len(examples)
    assert found.legal == 1


def test_networks_that_break_ties_say_so() -> None:
    breaking = Arbitrary()
    breaking.ties = object()  # type: ignore[attr-defined]
    assert "most frequent move" in tie_convention(breaking)
    assert "most frequent move" in tie_convention(Averaged([Arbitrary(), breaking]))
    assert "most frequent move" not in tie_convention(Averaged([Arbitrary()]))
    assert "most frequent move" not in tie_convention(Symmetrised(breaking))


def test_prediction_time_is_of_the_batch_that_is_asked() -> None:
    network = Arbitrary()
    for batch in (1, 256):
        network.asked.clear()
        assert 0 < seconds_per_position(network, batch, seconds=0.01) < 1
        assert set(network.asked) == {batch}
        assert len(network.asked) >= 4


def test_a_drawing_is_written_whole(examples: Examples, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib (the extra train)")
    found = measure(Arbitrary(), examples)
    draw_measures(tmp_path / "found.svg", found, "arbitrary")
    assert "</svg>" in (tmp_path / "found.svg").read_text()
    with pytest.raises(DataError, match=r"found.doc: no such format of figures; accepted is .png"):
        draw_measures(tmp_path / "found.doc", found)


def test_scores_that_are_no_numbers(examples: Examples) -> None:
    class Astray(Arbitrary):
        def predict(self, boards: Boards) -> Prediction:
            found = super().predict(boards)
            found.logits[0, 5] = np.nan
            return found

    with pytest.raises(DataError, match="its scores are not numbers"):
        measure(Astray(), examples)


@pytest.mark.parametrize("batch", [1, 4, 256])
def test_the_time_of_a_batch_is_shared_by_its_positions(
    batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow:
        """Takes two seconds for a call, whatever is asked."""

        def predict(self, boards: Boards) -> None:
            assert len(boards) == batch
            clock[0] += 2.0

    clock = [0.0]
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    found = timing.seconds_per_position(Slow(), batch, seconds=10.0)  # type: ignore[arg-type]
    assert found == 2.0 / batch
