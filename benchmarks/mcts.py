"""How fast the tree search is: alone, with random games, with a network, and in self-play.

Simulations a second, all in one run, beside a straightforward search in Python and, where the
environment of the peers has them (rules.py makes it), open_spiel's and mctx's. With `--memory` it
runs only self-play, for the given number of minutes, and prints the memory in use.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine, peer_environment
from benchmarks.peers.protocol import START_OTHER, START_OWN, rate
from benchmarks.python_mcts import PythonMcts, uniform

from outflank import _core
from outflank._core import Forest, LineNetwork, MctsOptions, SelfPlayOptions, play_selfplay
from outflank.learn.selfplay import preset

Boards = tuple[NDArray[np.uint64], NDArray[np.uint64]]
GAMES = 512
WANTED = {"constant": 500_000, "network": 20_000, "games": 100}


def starts(count: int) -> Boards:
    return np.full(count, START_OWN, np.uint64), np.full(count, START_OTHER, np.uint64)


def middlegames(count: int, plies: int = 24) -> Boards:
    """Positions after random moves."""
    own, other = starts(count)
    for ply in range(plies):
        own, other = _core.play(own, other, _core.random_moves(own, other, ply))
    return own, other


def network() -> LineNetwork:
    """The size of network that plays itself; what its weights are does not matter here."""
    laptop = preset("laptop")
    return LineNetwork(
        channels=laptop.channels,
        blocks=laptop.blocks,
        layers=laptop.layers,
        hidden=laptop.hidden,
        afterstates=True,
        seed=1,
    )


def searching(
    evaluator: LineNetwork | str, boards: Boards, simulations: int, threads: int, **options: float
) -> Callable[[], int]:
    """New trees each time."""

    def work() -> int:
        trees = Forest(evaluator, *boards, MctsOptions(**options))  # type: ignore[arg-type]
        return trees.search(simulations, threads=threads)

    return work


def reusing(boards: Boards, simulations: int) -> Callable[[], int]:
    """Whole games in which each tree keeps what it knows from move to move."""

    def work() -> int:
        trees = Forest("uniform", *boards)
        done = 0
        while not (over := _core.is_over(*trees.boards())).all():
            done += trees.search(simulations, threads=1)
            trees.advance(np.where(over, 255, trees.best()).astype(np.uint8))
        return done

    return work


def python_search(simulations: int) -> int:
    tree = PythonMcts(uniform)
    for _ in range(simulations):
        tree.search((START_OWN, START_OTHER))
    return simulations


def peer(module: str, seconds: float) -> tuple[float, str] | str:
    """A peer's simulations a second and its version, or why there are none."""
    if not peer_environment.interpreter().exists():
        return "the peers are not installed; run benchmarks/rules.py once"
    result = subprocess.run(
        [str(peer_environment.interpreter()), "-m", f"benchmarks.peers.{module}", str(seconds)],
        cwd=peer_environment.HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    if result.returncode or not lines:
        said = [line for line in result.stderr.splitlines() if line.strip()]
        return said[-1] if said else "it ended without a word"
    answer = json.loads(lines[-1])
    return float(answer["simulations"]), str(answer["version"])


def show(title: str, figure: float, note: str = "") -> float:
    print(f"{title:<58}{figure:>12,.0f}   {note}", flush=True)
    return figure


def compare(title: str, module: str, ours: float, seconds: float) -> None:
    found = peer(module, seconds)
    if isinstance(found, str):
        print(f"{title}: absent: {found}")
    else:
        show(f"{title} {found[1]}", found[0], f"outflank / it: {ours / found[0]:,.0f}")


def measure(seconds: float) -> None:
    print(" ".join(f"{key} {value}," for key, value in machine.describe().items()))
    wanted = f"at least {WANTED['constant']:,} wanted"
    print("\nconstant evaluator, simulations/s on one thread")
    alone = show("one tree of 100,000 from the start",
                 rate(searching("uniform", starts(1), 100_000, 1), seconds), wanted)  # fmt: skip
    show("one tree of 100,000 from the middlegame",
         rate(searching("uniform", middlegames(1), 100_000, 1), seconds), wanted)  # fmt: skip
    show("games of 64 trees that are kept, 400 a move",
         rate(reusing(starts(64), 400), seconds), wanted)  # fmt: skip
    many = show(f"{GAMES} trees of 100 from the middlegame",
                rate(searching("uniform", middlegames(GAMES), 100, 1), seconds))  # fmt: skip
    slow = rate(lambda: python_search(300), seconds)
    show("dictionaries in Python, from the start", slow, f"outflank / it: {alone / slow:,.0f}")
    compare("mctx over pgx, compiled, all cores,", "mctx_mcts", many, seconds)

    print("\nrandom playouts, simulations/s on one thread")
    uct = {"exploration": 1.0}
    playouts = show("one tree of 2,000 from the start",
                    rate(searching("rollouts", starts(1), 2000, 1, **uct), seconds))  # fmt: skip
    compare("open_spiel", "open_spiel_mcts", playouts, seconds)

    cores = _core.available_threads()
    print(
        f"\nline network of the preset laptop (32 channels, 2 blocks, 2 layers of 64), "
        f"{GAMES} trees of 100"
    )
    for threads in (1, cores):
        note = f"at least {WANTED['network']:,} wanted" if threads == cores else ""
        work = searching(network(), middlegames(GAMES), 100, threads)
        show(f"simulations/s on {threads} cores", rate(work, seconds), note)
    show("one tree of 3,000 on one core", rate(searching(network(), starts(1), 3000, 1), seconds))

    print(f"\nself-play with this network, 100 simulations a move, {cores} cores")
    for title, play in (
        ("games a minute, to the end", SelfPlayOptions()),
        ("games a minute, solved at 10 empties", SelfPlayOptions(solve_at=10)),
    ):
        games = rate(lambda play=play: self_play(play, 128), seconds)  # type: ignore[misc]
        show(title, 60 * games, f"at least {WANTED['games']} wanted")


def self_play(play: SelfPlayOptions, games: int, seed: int = 0) -> int:
    options = MctsOptions(noise_share=0.25)
    return len(play_selfplay(network(), games, options, play, seed=seed)["game_number"])


def resident_megabytes() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise SystemExit("this system does not say how much memory a process holds")


def watch_memory(minutes: float) -> None:
    """Generation after generation of self-play; a line for each twentieth of the time."""
    print(f"{'minutes':>8}{'games':>10}{'megabytes':>12}")
    began, games, lines = time.perf_counter(), 0, 0
    while (spent := (time.perf_counter() - began) / 60) < minutes:
        if spent >= lines * minutes / 20:
            print(f"{spent:8.1f}{games:10,}{resident_megabytes():12.1f}", flush=True)
            lines += 1
        games += self_play(SelfPlayOptions(solve_at=10), 256, seed=games)
    print(f"{minutes:8.1f}{games:10,}{resident_megabytes():12.1f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    options.add_argument("--memory", type=float, metavar="MINUTES", help="watch memory instead")
    given = options.parse_args()
    if given.memory:
        watch_memory(given.memory)
    else:
        measure(given.seconds)


if __name__ == "__main__":
    main()
