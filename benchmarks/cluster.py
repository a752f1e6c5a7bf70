"""The same work on this machine's processes and on a Ray cluster of this machine, side by side.

Tasks of no work show what a task costs, tasks of a second what is left of it; a generation of
self-play is the real thing. Both engines have the same workers and take turns. Then the sizes from
which docs/cluster.md reckons: bytes of a game, of a broadcast and of a checkpoint, and how fast one
learner learns.
"""

from __future__ import annotations

import argparse
import pickle
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from outflank import _core, cluster
from outflank.learn.selfplay import PlayedPositions, Replay, Window, preset
from outflank.learn.selfplay.networks import make_network
from outflank.learn.selfplay.playing import SelfPlayers

ENGINES = ("local", "ray")


class Spinning(cluster.Work[float, None]):
    """Keeps a core busy for some seconds of its time."""

    def do(self, task: float) -> None:
        """Keep it busy."""
        end = time.process_time() + task
        while time.process_time() < end:
            pass


def rate(action: Callable[[], int]) -> float:
    began = time.perf_counter()
    done = action()
    return done / (time.perf_counter() - began)


def tasks_per_second(crew: cluster.Cluster[float, None], seconds: float, count: int) -> float:
    return rate(lambda: sum(1 for _ in crew.map([seconds] * count)))


def compare(name: str, measured: dict[str, list[float]]) -> None:
    here, there = (median(measured[engine]) for engine in ENGINES)
    print(f"{name:<34} {here:>10.4g} {there:>10.4g} {there / here:>8.2f}")


def measure_tasks(workers: int, rounds: int) -> None:
    crews = {}
    for engine in ENGINES:
        with cluster.using(engine):
            crews[engine] = cluster.start(Spinning(), workers)
            list(crews[engine].map([0.0] * 200))  # until everything has started
    try:
        for name, seconds, count in (
            ("tasks/s without work", 0.0, 1000),
            ("tasks/s of 1 s", 1.0, 4 * workers),
        ):
            measured: dict[str, list[float]] = {engine: [] for engine in ENGINES}
            for _ in range(rounds):
                for engine, crew in crews.items():
                    measured[engine].append(tasks_per_second(crew, seconds, count))
            compare(name, measured)
    finally:
        for crew in crews.values():
            crew.close()


def measure_games(workers: int, rounds: int, games: int) -> None:
    config = preset("laptop").with_settings([f"games={games}", "threads=1"])
    weights = make_network(config).weights()
    players = {}
    for engine in ENGINES:
        with cluster.using(engine):
            players[engine] = SelfPlayers(config, workers)
            players[engine].play(weights, 0)
    measured: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    for generation in range(1, rounds + 1):
        for engine, own in players.items():

            def play(own: SelfPlayers = own, generation: int = generation) -> int:
                own.play(weights, generation)
                return games

            measured[engine].append(rate(play))
    compare(f"self-play games/s, {workers} workers", measured)
    measure_sizes(players["local"].play(weights, 0), games, rounds)
    for own in players.values():
        own.close()


def measure_sizes(played: dict[str, np.ndarray], games: int, rounds: int) -> None:
    config = preset("laptop").with_settings(["threads=1"])
    network = make_network(config)
    positions = PlayedPositions.of_games(played)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        Replay(folder / "replay").save(1, positions, {})
        kept = sum(path.stat().st_size for path in (folder / "replay").rglob("*") if path.is_file())
        checkpoint = folder / "checkpoint"
        checkpoint.mkdir()
        network.save(checkpoint, {})
        saved = sum(path.stat().st_size for path in checkpoint.iterdir())
    window = Window(positions)
    index = np.arange(config.batch) % len(window)
    batch = (
        positions.own[index],
        positions.other[index],
        window.policies(index),
        np.sign(positions.outcome[index]).astype(np.float32),
        np.ones(len(index), np.float32),
    )

    def learn() -> int:
        for _ in range(4):
            network.learn(*batch, 1e-3)
        return 4 * len(index)

    learn()
    learned = median(rate(learn) for _ in range(rounds))
    print(f"positions a game                   {len(positions) / games:>10.4g}")
    print(f"bytes a game, as an answer         {len(pickle.dumps(played)) / games:>10,.0f}")
    print(f"bytes a game, in the replay buffer {kept / games:>10,.0f}")
    print(f"bytes of a broadcast (weights)     {len(pickle.dumps(network.weights())):>10,d}")
    print(f"bytes of a checkpoint              {saved:>10,d}")
    print(f"learner's positions/s, one thread  {learned:>10.4g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=_core.available_threads())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=128, help="of a generation")
    options = parser.parse_args()
    print(f"{options.workers} workers{'':<25} {'local':>10} {'ray':>10} {'ratio':>8}")
    measure_tasks(options.workers, options.rounds)
    measure_games(options.workers, options.rounds, options.games)


if __name__ == "__main__":
    main()
