"""How fast the shipped value networks answer: `value-fast` beside Ng's network 13, `value-ng`.

Positions of random games a second of processor time, on one thread, in turn within each round: in
batches of 256, one by one, and one by one as searches ask, who find `value-fast` in the core and
`value-ng` in ONNX Runtime. Fails if `value-fast` is not 50 times as fast in batches of 256.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

# Run as a script, this file would not find the modules beside it.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.positions import play_random_games

from outflank.models import load_network
from outflank.nets import PolicyNetwork
from outflank.othello.boards import Boards

_GAMES = 128
_PER_LOOK = 512  # positions between looks at the clock
_WANTED = 50.0  # times as fast, in batches of 256

Rate = Callable[[float], float]  # takes how long to measure, in seconds; returns positions/s


def random_boards() -> Boards:
    """Return boards of all stages in random order."""
    found = play_random_games(_GAMES)
    order = np.random.default_rng(1).permutation(len(found.own))
    return Boards(found.own[order], found.other[order], np.zeros(len(order), np.bool_))


def in_batches(network: PolicyNetwork, boards: Boards, size: int) -> Rate:
    """Return what measures a network that is shown some boards at once."""
    starts = range(0, len(boards) - size + 1, size)
    batches = [boards[start : start + size] for start in starts]
    return lambda seconds: positions_per_second(network.predict, batches, size, seconds)


def in_core(network: PolicyNetwork, boards: Boards) -> Rate:
    """Return what measures a network that the core asks about one board after the other."""
    if network.evaluation is None:
        raise SystemExit("this network is none of the core's")
    evaluate = network.evaluation.evaluate
    pairs = list(zip(boards.own.tolist(), boards.other.tolist(), strict=True))
    return lambda seconds: positions_per_second(
        lambda pair: evaluate(pair[0], pair[1], False), pairs, 1, seconds
    )


def positions_per_second(
    ask: Callable[[Any], object], batches: Sequence[Any], size: int, seconds: float
) -> float:
    """Return how many positions are valued in a second of processor time.

    Args:
        ask: Values the positions of a batch.
        batches: Used again and again.
        size: Positions of each batch; divides _PER_LOOK.
        seconds: Processor time that the measurement takes.
    """
    began, done, spent = time.process_time(), 0, 0.0
    for batch in itertools.cycle(batches):
        ask(batch)
        done += size
        if done % _PER_LOOK == 0:
            spent = time.process_time() - began
            if spent >= seconds:
                break
    return done / spent


def main() -> None:
    """Measure and print; fail if the ratio is too low."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="figures are medians of as many")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure of a round")
    options = parser.parse_args()
    fast, slow = (load_network(name, threads=1) for name in ("value-fast", "value-ng"))
    boards = random_boards()
    rows = {
        "batches of 256": (in_batches(fast, boards, 256), in_batches(slow, boards, 256)),
        "one by one": (in_batches(fast, boards, 1), in_batches(slow, boards, 1)),
        "one by one, in searches": (in_core(fast, boards), in_batches(slow, boards, 1)),
    }
    ratios = []
    print(f"{'positions/s':<24}  value-fast  value-ng  ratio")
    for name, (ours, ngs) in rows.items():
        ours(options.seconds / 5)  # to warm up
        ngs(options.seconds / 5)
        pairs = [(ours(options.seconds), ngs(options.seconds)) for _ in range(options.rounds)]
        rates = [statistics.median(column) for column in zip(*pairs, strict=True)]
        ratios.append(statistics.median(one / other for one, other in pairs))
        print(f"{name:<24}  {rates[0]:10,.0f}  {rates[1]:8,.0f}  {ratios[-1]:5.0f}", flush=True)
    if ratios[0] < _WANTED:
        raise SystemExit(f"value-fast is {ratios[0]:.0f} times as fast; wanted are {_WANTED:.0f}")


if __name__ == "__main__":
    main()
