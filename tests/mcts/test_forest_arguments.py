"""How a forest is asked: progress, limits, evaluators that fail, impossible arguments."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mcts.forests import bits, forest, positions, same
from mcts.made_evaluators import hashed
from outflank import Position
from outflank._core import Forest, MctsOptions, Stop
from strategies import random_game


def test_progress_shows_the_search_under_way() -> None:
    seen: list[int] = []
    trees = forest([Position.start()], "uniform")

    def look(of: Forest) -> None:
        assert of is trees
        seen.append(int(of.visits().sum()))
        with pytest.raises(ValueError, match="being searched"):
            of.advance(np.array([19], np.uint8))

    trees.search(300_000, on_progress=look, interval=0.02, threads=1)
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert seen[-1] < 300_000


def test_time_and_stop_end_a_search() -> None:
    trees = forest([Position.start()], "uniform", max_nodes=10_000_000)
    began = time.perf_counter()
    done = trees.search(2**30, seconds=0.1)
    assert 0.05 < time.perf_counter() - began < 5
    assert 0 < done == trees.visits().sum()
    stop = Stop()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    trees.search(2**30, stop=stop)
    timer.join()
    assert trees.search(2**30, stop=stop) == 0


def test_nobody_touches_a_forest_that_is_searched() -> None:
    trees = forest([Position.start()], "uniform")
    stop = Stop()
    thread = threading.Thread(target=lambda: trees.search(2**30, stop=stop, threads=1))
    thread.start()
    time.sleep(0.1)
    with pytest.raises(ValueError, match="being searched"):
        trees.visits()
    with pytest.raises(ValueError, match="being searched"):
        trees.search(1)
    stop.set()
    thread.join()
    assert trees.visits().sum() > 0


def test_what_an_evaluator_raises_comes_out_and_the_tree_goes_on() -> None:
    fails = [False]

    def moody(own: NDArray[np.uint64], other: NDArray[np.uint64]) -> Any:
        if fails[0]:
            raise RuntimeError("no mood")
        return hashed(own, other)

    found = [random_game(seed, plies=10).position for seed in range(20)]
    trees = forest(found, moody, leaves=3)
    trees.search(20, threads=1)
    before = trees.visits()
    fails[0] = True
    for threads in (1, 2):
        with pytest.raises(RuntimeError, match="no mood"):
            trees.search(20, threads=threads)
        assert np.array_equal(trees.visits(), before)
    fails[0] = False
    trees.search(20, threads=1)
    calm = forest(found, hashed, leaves=3)
    calm.search(20)
    calm.search(20)
    assert np.array_equal(trees.visits(), calm.visits())


def test_a_forest_and_who_evaluates_for_it_are_freed_together() -> None:
    """A player that holds a forest and is its evaluator, as players are: a circle."""

    class Player:
        def __init__(self) -> None:
            self.trees = Forest(self.evaluate, *bits([Position.start()]))

        def evaluate(self, own: NDArray[np.uint64], other: NDArray[np.uint64]) -> Any:
            return hashed(own, other)

    player = Player()
    player.trees.search(5)
    seen = weakref.ref(player)
    del player
    gc.collect()
    assert seen() is None


GOOD = np.zeros((1, 64), np.float32), np.zeros(1, np.float32)
BAD_ANSWERS = {
    "nothing": None,
    "one array": GOOD[0],
    "texts": ("a", "b"),
    "too few logits": (GOOD[0][:, :63], GOOD[1]),
    "too many boards": (np.zeros((2, 64), np.float32), np.zeros(2, np.float32)),
    "no value": (GOOD[0], np.zeros((1, 1), np.float32)),
    "a logit that is no number": (GOOD[0] * np.nan, GOOD[1]),
    "an infinite logit": (GOOD[0] + np.inf, GOOD[1]),
    "a value that is no number": (GOOD[0], GOOD[1] * np.nan),
    "a value beyond the result": (GOOD[0], GOOD[1] + 1.5),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_bad_answers_of_an_evaluator_are_refused(name: str) -> None:
    trees = forest([Position.start()], lambda own, other: BAD_ANSWERS[name])
    with pytest.raises(ValueError, match="the evaluator"):
        trees.search(10)


def test_float64_from_an_evaluator_is_taken() -> None:
    def wide(own: NDArray[np.uint64], other: NDArray[np.uint64]) -> Any:
        logits, values = hashed(own, other)
        return logits.astype(np.float64), values.astype(np.float64)

    trees, narrow = forest(positions(3), wide), forest(positions(3))
    trees.search(20)
    narrow.search(20)
    assert same(trees, narrow)


START = bits([Position.start()])


@pytest.mark.parametrize(
    "options",
    [
        {"selection": "best"},
        {"first_play": "last"},
        {"exploration": -1},
        {"exploration": float("nan")},
        {"fpu_reduction": 3.0},
        {"leaves": 0},
        {"leaves": 5000},
        {"virtual_loss": -0.1},
        {"solve_empties": 21},
        {"solve_empties": -1},
        {"noise_alpha": 0},
        {"noise_share": 1.1},
        {"forced_playouts": float("inf")},
        {"gumbel_moves": 65},
        {"gumbel_visit": -1},
        {"gumbel_scale": -1},
        {"gumbel_noise": -1},
        {"max_nodes": -1},
        {"max_nodes": 2**31},
    ],
)
def test_impossible_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        MctsOptions(**options)


def test_options_say_what_they_are() -> None:
    options = MctsOptions(selection="uct", first_play="zero", leaves=3, canonical=False)
    assert (options.selection, options.first_play, options.leaves) == ("uct", "zero", 3)
    assert not options.canonical
    assert MctsOptions().canonical


def test_impossible_arguments_are_refused() -> None:
    own, other = START
    for evaluator in ("magic", 3, None):
        with pytest.raises(ValueError, match="evaluator"):
            Forest(evaluator, own, other)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="both sides on one square"):
        Forest("uniform", own, own)
    with pytest.raises(ValueError, match="differ in length"):
        Forest("uniform", own, np.concatenate([other, other]))
    with pytest.raises(ValueError, match="at least one board"):
        Forest("uniform", own[:0], other[:0])
    with pytest.raises(ValueError, match="differ in length"):
        Forest("uniform", own, other, keys=np.zeros(2, np.uint64))
    trees = Forest("uniform", own, other)
    for simulations in (0, -1, 2**30 + 1, np.array([-1], np.int32), np.array([1, 1], np.int32)):
        with pytest.raises(ValueError, match=r"simulations|length"):
            trees.search(simulations)
    for arguments in ({"seconds": -1}, {"threads": -1}, {"interval": -1}, {"on_progress": 3}):
        with pytest.raises(ValueError, match=next(iter(arguments))):
            trees.search(1, **arguments)  # type: ignore[arg-type]
    for move in (0, 64, 65, 200):
        with pytest.raises(ValueError, match="not legal"):
            trees.advance(np.array([move], np.uint8))
    with pytest.raises(ValueError, match="differ in length"):
        trees.advance(np.array([19, 19], np.uint8))
    for tree in (-1, 1):
        with pytest.raises(ValueError, match="tree must be"):
            trees.line(tree)
        with pytest.raises(ValueError, match="tree must be"):
            trees.reset(tree, int(own[0]), int(other[0]))
    with pytest.raises(ValueError, match="both sides"):
        trees.reset(0, 1, 1)
