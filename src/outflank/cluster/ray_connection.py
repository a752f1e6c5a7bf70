"""The connection of this process to a Ray cluster: found, started, checked, or refused in words."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import platform
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import outflank
from outflank import _core
from outflank.cluster.cluster import ClusterError

if TYPE_CHECKING:
    from types import ModuleType

_ADDRESS = "RAY_ADDRESS"  # Ray's own variable of the environment
_CLIENT = "ray://"
_HOW_TO_INSTALL = "install it with: pip install 'outflank[cluster]'"
_SECONDS_TO_ANSWER = 4.0  # for a port
_SECONDS_TO_GREET = 8.0  # for the protocol that Ray speaks
_SECONDS_TO_CONNECT = 120.0  # a cluster that has greeted may start processes first
_SECONDS_TO_REFUSE = 20.0  # an unsuitable cluster, in total
_SECONDS_TO_CHECK = 4.0  # at least; the first task of a node starts a process there
# Requests that anyone may send, to Ray's head and to its client server: are you alive?
_QUESTIONS = (
    ("/ray.rpc.NodeInfoGcsService/CheckAlive", b""),
    ("/ray.rpc.RayletDriver/ClusterInfo", b"\x08\x06"),  # PING
)
_WHOSE = "copy ~/.ray/auth_token from its head"
_NOT_SERVED = "client/server/proxier.py"  # where Ray's head starts a process for a client
_TRIES_TO_BE_SERVED = 3
_STORE_OF_OUR_OWN = 512 << 20  # bytes of a cluster that we start; weights and games are smaller

_log = logging.getLogger(__name__)

_Answer = TypeVar("_Answer")
_connected: str | None = None  # where, if this module connected it


def connect(where: str) -> None:
    """Connect this process to a cluster, once; a ClusterError says in one line why it cannot.

    Args:
        where: `ray`: that of RAY_ADDRESS, or the one that `ray start` started on this machine, or
            else a new one that ends with this process. `ray://HOST:PORT`: another machine's.
    """
    global _connected
    ray = _import_ray()
    until = time.monotonic() + _SECONDS_TO_REFUSE
    if ray.is_initialized() and _connected in (None, where):
        if _connected is None:  # the caller did it
            _check_nodes(ray, until)
        _connected = where
        return
    if ray.is_initialized():
        ray.shutdown()
    address = _find(ray, where)
    if address is None:
        _start(ray)
    else:
        _knock(address)
        _greet(address)
        _stay_on_loopback(address)
        shown = f"no Ray cluster answers at {address}"
        with _own_handling_of_termination():
            _within(_SECONDS_TO_CONNECT, lambda: _join(ray, address), shown)
    _connected = where
    try:
        _check_nodes(ray, until)
    except ClusterError:
        disconnect()
        raise


def disconnect() -> None:
    """End the connection, and the cluster if it was started for this process."""
    global _connected
    _connected = None
    _import_ray().shutdown()


def count_cores() -> int:
    """Return how many cores the connected cluster has; at least 1, since it may still grow."""
    return max(1, int(_import_ray().cluster_resources().get("CPU", 0)))


def _import_ray() -> Any:
    # A new cluster must not report its use to the world.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Ray would otherwise announce in a warning what a later version will do with GPUs.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if importlib.util.find_spec("ray") is None:
        raise ClusterError(f"a cluster needs Ray, which is not installed; {_HOW_TO_INSTALL}")
    import ray

    return ray


def _find(ray: ModuleType, where: str) -> str | None:
    """Return the address that a choice means, or None to start a cluster."""
    if where.startswith(_CLIENT):
        return where
    given = os.environ.get(_ADDRESS, "")
    if given == "local":
        return None
    if given not in ("", "auto"):
        return given
    recorded: str | None = ray._private.utils.read_ray_address()  # of the last `ray start`
    if recorded is not None:
        try:
            _knock(recorded)
        except ClusterError:  # it has ended since
            return None
    return recorded


def _knock(address: str) -> None:
    """Fail at once if nobody listens at an address; Ray itself would try for minutes."""
    host, _, port = address.removeprefix(_CLIENT).rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _SECONDS_TO_ANSWER).close()
    except ValueError:
        raise ClusterError(f"{address}: not an address; HOST:PORT is accepted") from None
    except OSError as error:
        reason = "no answer" if isinstance(error, TimeoutError) else error.strerror or error
        raise ClusterError(f"no Ray cluster answers at {address}: {reason}") from None


def _stay_on_loopback(address: str) -> None:
    """Let Ray use the loopback address if the cluster listens there alone.

    Ray replaces it by this machine's network address, where nothing may be listening.
    """
    from ray._private import ray_constants, services

    host, _, port = address.rpartition(":")
    if address.startswith(_CLIENT) or not services.is_localhost(host):
        return
    try:
        _knock(f"{services.get_node_ip_address()}:{port}")
    except ClusterError:
        ray_constants.ENABLE_RAY_CLUSTER = False


def _greet(address: str) -> None:
    """Fail soon if an address is not Ray's, or if it asks for a token that we do not have.

    Ray itself would retry for half a minute and print warnings.
    """
    from grpc import StatusCode

    until = time.monotonic() + _SECONDS_TO_GREET
    answer = _ask(address, until)
    if answer is StatusCode.UNAUTHENTICATED:  # as from every cluster of `ray start`
        answer = _ask(address, until, _token(address))
        if answer is StatusCode.UNAUTHENTICATED:
            raise ClusterError(f"the Ray cluster at {address} asks for another token; {_WHOSE}")
    if answer in (
        StatusCode.UNIMPLEMENTED,
        StatusCode.UNAVAILABLE,
        StatusCode.DEADLINE_EXCEEDED,
    ):
        problem = f"no Ray cluster answers at {address}: another program listens there"
        raise ClusterError(problem)


def _ask(address: str, until: float, token: tuple[tuple[str, str], ...] = ()) -> Any:
    """Ask whether Ray is alive, and return gRPC's status."""
    import grpc

    question, content = _QUESTIONS[address.startswith(_CLIENT)]
    with grpc.insecure_channel(address.removeprefix(_CLIENT)) as channel:
        try:
            channel.unary_unary(question)(
                content,
                timeout=max(0.1, until - time.monotonic()),
                wait_for_ready=True,
                metadata=token,
            )
        except grpc.RpcError as error:
            return error.code()
    return grpc.StatusCode.OK


def _token(address: str) -> tuple[tuple[str, str], ...]:
    """Make Ray send its token from now on, and return it as gRPC metadata."""
    from ray.exceptions import AuthenticationError

    _raylet: Any = importlib.import_module("ray._raylet")  # has no types

    os.environ.setdefault("RAY_AUTH_MODE", "token")
    _raylet.Config.initialize("")  # it has read the environment already
    try:
        return tuple(
            _raylet.AuthenticationTokenLoader.instance().get_token_for_http_header().items()
        )
    except AuthenticationError:
        raise ClusterError(f"the Ray cluster at {address} asks for a token; {_WHOSE}") from None


def _start(ray: ModuleType) -> None:
    """Start a cluster on this machine that only this machine can reach."""
    from ray._private import ray_constants

    many = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False  # makes Ray listen on the loopback address alone
    try:
        # In this thread: the processes that Ray starts end with the thread that started them.
        with _own_handling_of_termination():
            _init(
                ray,
                address="local",
                num_cpus=_core.available_threads(),
                object_store_memory=_STORE_OF_OUR_OWN,
                include_dashboard=False,
                _system_config={"worker_niceness": 0},  # as this process's own workers have it
            )
    except Exception as error:  # of many kinds: no memory, no room on the disk, no process
        raise ClusterError(f"Ray did not start on this machine: {_one_line(error)}") from None
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = many


@contextmanager
def _own_handling_of_termination() -> Iterator[None]:
    """Keep what this process does when it is asked to end.

    Ray takes that over twice: in Python, and below it with a handler that prints stack traces.
    Where this process does nothing of its own, it then leaves as Ray does, in good order.
    """
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            ours = before not in (signal.SIG_DFL, None)
            signal.signal(signal.SIGTERM, before if ours else signal.getsignal(signal.SIGTERM))


def _init(ray: ModuleType, **arguments: Any) -> None:
    """Connect quietly: workers' output would run through the progress bars of this process."""
    logging.getLogger("ray").setLevel(logging.ERROR)
    ray.init(logging_level=logging.ERROR, log_to_driver=False, **arguments)
    # Ray prints on standard output what its nodes report, where it would be among our answers.
    ray._private.worker.print_to_stdstream = _keep_for_the_log


def _join(ray: ModuleType, address: str) -> None:
    """Connect to a cluster that has greeted.

    A head forks a process for each client while its own threads use gRPC, and now and then that
    process does not survive it. Another one does.
    """
    for _ in range(_TRIES_TO_BE_SERVED - 1):
        try:
            return _init(ray, address=address)
        except ConnectionAbortedError as error:
            if _NOT_SERVED not in str(error):
                raise
            _log.warning("%s: %s; trying again", address, _one_line(error))
            ray.shutdown()
    return _init(ray, address=address)


def _keep_for_the_log(data: dict[str, Any], ignore_prefix: bool) -> None:
    for line in data.get("lines", ()):
        _log.info("Ray: %s", line)


def _within(seconds: float, action: Callable[[], _Answer], problem: str) -> _Answer:
    """Do something that may hang; a ClusterError says the problem if it fails or takes too long."""
    answers: list[_Answer] = []
    errors: list[BaseException] = []

    def act() -> None:
        try:
            answers.append(action())
        except BaseException as error:  # whatever it is, the caller hears of it
            errors.append(error)

    thread = threading.Thread(target=act, daemon=True, name="connecting to Ray")
    thread.start()
    thread.join(seconds)
    if answers:
        return answers[0]
    if not errors:
        raise ClusterError(f"{problem} within {seconds:g} s")
    raise ClusterError(f"{problem}: {_one_line(errors[0])}") from None


def _one_line(error: BaseException) -> str:
    """Return the part of Ray's explanation that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:6]) or type(error).__name__


def versions() -> dict[str, str]:
    """Return what must agree between the machines of a cluster."""
    return {"outflank": outflank.__version__, "Python": _major_minor(platform.python_version())}


def _major_minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _check_nodes(ray: ModuleType, until: float) -> None:
    """Ask every node for its versions until a time; a ClusterError names an unsuitable one."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    # A function inside a function travels whole: a node without outflank can run it, too.
    def look() -> dict[str, str]:
        import platform

        found = {"Python": ".".join(platform.python_version_tuple()[:2])}
        try:
            import outflank

            found["outflank"] = outflank.__version__
        except Exception as error:  # not there, or built for another machine
            found["problem"] = f"{type(error).__name__}: {error}"
        return found

    nodes = {
        node["NodeID"]: node["NodeManagerAddress"]
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU")  # a head often has none for workers
    }
    asked = {
        ray.remote(look)
        .options(
            num_cpus=0,
            max_retries=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False),
        )
        .remote(): address
        for node, address in nodes.items()
    }
    until = max(until, time.monotonic() + _SECONDS_TO_CHECK)
    waiting = list(asked)
    while waiting:
        done, waiting = ray.wait(waiting, timeout=max(0.0, until - time.monotonic()))
        if not done:  # busy, perhaps; if it will not do, its workers say so
            _log.warning("%d nodes of the Ray cluster are slow to answer", len(waiting))
            return
        try:
            found = ray.get(done[0])
        except (ray.exceptions.TaskUnschedulableError, ray.exceptions.NodeDiedError):
            continue  # it left the cluster meanwhile
        except ray.exceptions.RayError as error:
            found = {"problem": _one_line(error)}
        _compare(asked[done[0]], found)


def _compare(address: str, found: dict[str, str]) -> None:
    """Raise a ClusterError if a node's versions are not this process's."""
    for name, ours in versions().items():
        theirs = found.get(name)
        if theirs is None:
            raise ClusterError(
                f"node {address} of the Ray cluster cannot load outflank ({found['problem']});"
                " install the same outflank on every node"
            )
        if theirs != ours:
            raise ClusterError(
                f"node {address} of the Ray cluster has {name} {theirs}, this process {ours};"
                " install the same on every node"
            )
