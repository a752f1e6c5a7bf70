"""A Ray cluster of several nodes on this machine, for tests."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

TESTS = str(Path(__file__).resolve().parents[1])

# A node that dies is to be missed soon; one that is slow, on a busy machine, is not. Ray's workers
# would step back behind everything else that such a machine does.
_SYSTEM = {
    "worker_niceness": 0,
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 6,
}
_STORE = 100 << 20  # bytes, the least that Ray accepts without complaint


class RayNodes:
    """A head without cores, and nodes of one core each, all on the loopback address."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self.client = free_port()
        head = {
            "num_cpus": 0,
            "object_store_memory": _STORE,
            "include_dashboard": False,
            "ray_client_server_port": self.client,
            "_system_config": _SYSTEM,
        }
        # The processes of clients are the head's: they need the modules and the loopback address.
        with variables(PYTHONPATH=TESTS, RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0"):
            self.cluster: Any = Cluster(initialize_head=True, head_node_args=head)
        self.address: str = self.cluster.address
        self.running: list[Any] = []

    def add(self, path: str = TESTS) -> Any:
        """Start a node, whose Python looks for modules in a folder, too."""
        with variables(PYTHONPATH=path):
            node = self.cluster.add_node(num_cpus=1, object_store_memory=_STORE)
        self.running.append(node)
        return node

    def kill(self, node: Any) -> None:
        """End a node as if its machine had lost power."""
        self.running.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)

    def workers(self) -> list[int]:
        """Return the processes of all workers."""
        return [pid for node in self.running for pid in workers_of(node)]


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


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
        with variables(RAY_USAGE_STATS_ENABLED="0", RAY_raylet_start_wait_time_s="120"):
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


def workers_of(node: Any) -> list[int]:
    """Return the processes of a node's actors that work for Outflank."""
    (raylet,) = node.all_processes["raylet"]
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            title = (stat.parent / "cmdline").read_bytes()
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == raylet.process.pid and title.startswith(b"ray::RayWorker"):
                found.append(int(stat.parent.name))
    return found
