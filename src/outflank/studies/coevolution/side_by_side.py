"""Runs of evolution side by side: a core each, which is faster than all cores for one run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from outflank import cluster
from outflank.learn.coevolution import CoevolutionConfig
from outflank.studies.workbench import EvolvedRun, Workbench


class Evolutions(cluster.Work[CoevolutionConfig, None]):
    """Evolves populations to the end, each as a run in the studies' folder.

    Args:
        folder: Of the studies.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def do(self, task: CoevolutionConfig) -> None:
        """Evolve one population, or go on where it was interrupted."""
        with Workbench(self.folder, workers=1) as bench:
            bench.evolve(task)


def evolve_all(configs: Sequence[CoevolutionConfig], bench: Workbench) -> list[EvolvedRun]:
    """Return finished runs, in the order of their configurations.

    Workers on other machines do not have this one's folders. On a remote cluster, runs follow each
    other, and the games of each are spread over the workers.
    """
    left = [config for config in dict.fromkeys(configs) if not bench.is_evolved(config)]
    if len(left) > 1 and not cluster.is_remote():
        bench.listener.began("runs of evolution", len(left))
        with cluster.start(Evolutions(bench.folder), min(bench.workers, len(left))) as crew:
            for done, _ in enumerate(crew.map(left), 1):
                bench.listener.advanced(done)
    return [bench.evolve(config) for config in configs]
