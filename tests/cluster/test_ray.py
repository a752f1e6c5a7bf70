"""The contract of clusters, kept by a Ray cluster of two nodes, of which some die."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import pytest

from cluster.engine_contract import WorkersContract
from cluster.ray_nodes import RayNodes, ray_nodes
from outflank import cluster
from outflank.cluster import Cluster, Work

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed"),
    # Ray leaves sockets and files to the end of the process.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def nodes() -> Iterator[RayNodes]:
    with ray_nodes() as running:
        yield running


@pytest.fixture(autouse=True)
def _on_ray(nodes: RayNodes) -> Iterator[None]:
    with cluster.using("ray"):
        yield


class TestRayActors(WorkersContract):
    most_drawn = 4

    def start(self, work: Work[Any, Any], workers: int) -> Cluster[Any, Any]:
        return cluster.start(work, workers)
