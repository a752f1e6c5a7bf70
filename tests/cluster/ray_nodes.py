"""A Ray cluster of several nodes on this machine, for tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TESTS = str(Path(__file__).resolve().parents[1])

# A node that dies is to be missed soon.
_SYSTEM = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 3,
}
_STORE = 100 << 20  # bytes, the least that Ray accepts without complaint


class RayNodes:
    """A head without cores, and nodes of two cores each, all on the loopback address."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "object_store_memory": _STORE, "include_dashboard": False}
        self.cluster: Any = Cluster(
            initialize_head=True, head_node_args={**head, "_system_config": _SYSTEM}
        )
        self.address: str = self.cluster.address

    def add(self, **environment: str) -> Any:
        """Start a node, perhaps with variables of the environment."""
        with variables(PYTHONPATH=TESTS, **environment):
            return self.cluster.add_node(num_cpus=2, object_store_memory=_STORE)

    def kill(self, node: Any) -> None:
        """End a node as if its machine had lost power."""
        self.cluster.remove_node(node, allow_graceful=False)


@contextmanager
def variables(**values: str) -> Iterator[None]:
    """Set variables of the environment within a block."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def ray_nodes() -> Iterator[RayNodes]:
    """Run a cluster of a head and two nodes, which only this machine can reach."""
    from ray._private import ray_constants

    from outflank.cluster.ray_connection import disconnect

    many = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False
    try:
        with variables(RAY_USAGE_STATS_ENABLED="0"):
            nodes = RayNodes()
            try:
                nodes.add()
                nodes.add()
                with variables(RAY_ADDRESS=nodes.address):
                    yield nodes
            finally:
                disconnect()
                nodes.cluster.shutdown()
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = many
