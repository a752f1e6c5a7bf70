"""The contract of clusters, kept by a Ray cluster of two nodes; real work on it, while some die.

One cluster serves the whole file, since it takes seconds to start.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

import outflank
from cluster.engine_contract import WorkersContract, wait_until
from cluster.ray_nodes import RayNodes, free_port, ray_nodes, variables
from cluster.work_to_do import Counting, Reading, Threads
from outflank import cluster
from outflank._core import LineNetwork
from outflank.arena import Store, Tournament, TournamentListener, TournamentRunner, random_openings
from outflank.cli import app
from outflank.cluster import Cluster, ClusterError, Work, ray_connection
from outflank.cluster.solving import solve_positions
from outflank.errors import DataError
from outflank.learn import TrainingObserver, find_learner, train_run
from outflank.learn.coevolution import CoevolutionConfig, Crew, Evolution, preset
from outflank.learn.imitation.lessons import LessonsConfig, gather_lessons
from outflank.nets import Card
from outflank.nets.files import load_tensors
from outflank.nets.line import LinePolicy
from outflank.othello import Game

if importlib.util.find_spec("ray") is None:
    pytest.skip("Ray is not installed", allow_module_level=True)
import grpc  # comes with Ray

pytestmark = [
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

    def test_a_worker_takes_its_cores_for_all_cores(self) -> None:
        with cluster.start(Threads(), 2) as crew:
            assert {outcome.value for outcome in crew.map(range(4))} == {1}

    def test_as_many_workers_as_the_cluster_has_cores(self) -> None:
        assert cluster.count_workers() == cluster.count_workers(None, usual=1) == 2
        assert cluster.count_workers(cores=2) == 1

    def test_files_come_along(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("mine").write_text("content")
        with cluster.start(Reading(("mine",)), 1) as crew:
            Path("mine").unlink()
            assert [one.value for one in crew.map(["mine"])] == [b"content"]

    def test_short_tasks_are_under_way_together(self) -> None:
        with cluster.start(Counting(), 1) as crew:
            began = time.perf_counter()
            assert len(list(crew.map(range(500)))) == 500
            assert time.perf_counter() - began < 20


# Real work


class Disturbance(threading.Thread):
    """Kills a worker as soon as there is one, and perhaps a node, while others work."""

    def __init__(self, nodes: RayNodes, *, node: bool = False) -> None:
        super().__init__(daemon=True)
        self.nodes, self.node, self.killed = nodes, node, 0

    def run(self) -> None:
        wait_until(lambda: bool(self.nodes.workers()))
        time.sleep(0.2)
        os.kill(self.nodes.workers()[0], signal.SIGKILL)
        self.killed += 1
        if self.node:
            self.nodes.kill(self.nodes.running[0])
            self.killed += 1


class Disturbing(TournamentListener):
    """Kills a worker and a node, and removes a player's file, in the middle of a tournament."""

    def __init__(self, nodes: RayNodes, file: Path) -> None:
        self.nodes, self.file = nodes, file
        self.killed: list[str] = []
        self.told: list[float] = []

    def advanced(self, played: float) -> None:
        self.told.append(played)
        if played >= 3 and not self.killed:
            self.file.rename(self.file.with_suffix(".gone"))
            os.kill(self.nodes.workers()[0], signal.SIGKILL)
            self.killed.append("worker")
        if played >= 6 and len(self.killed) == 1:
            self.nodes.kill(self.nodes.running[0])
            self.killed.append("node")


def same_arrays(here: Path, there: Path, kind: str) -> None:
    wanted, found = (load_tensors(path, kind=kind)[0] for path in (here, there))
    assert wanted.keys() == found.keys()
    for name, array in wanted.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def small_network(path: Path) -> None:
    LinePolicy(LineNetwork(channels=16, hidden=16, seed=1), Card("line", "pieces")).save(path)


def test_a_tournament_goes_on_without_a_worker_a_node_and_a_file(
    nodes: RayNodes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "mine.safetensors"
    small_network(file)
    players = ("alphabeta:eval=iago,depth=5,solve=10", f"policy:{file}")
    tournament = Tournament(players, tuple(random_openings(8, 8, 1)), 16)

    def played(listener: TournamentListener | None, where: str) -> list[Game]:
        with (
            cluster.using(where),
            Store(tmp_path / f"{where}.sqlite") as store,
            TournamentRunner(tournament, store, workers=2) as run,
        ):
            run.play(listener)
            return sorted(run.games(), key=str)

    wanted = played(None, "local")
    listener = Disturbing(nodes, file)
    with caplog.at_level(logging.WARNING, logger="outflank.cluster"):
        found = played(listener, "ray")
    assert listener.killed == ["worker", "node"]
    assert listener.told == [float(number) for number in range(1, 17)]  # each game once
    assert [game.moves for game in found] == [game.moves for game in wanted]
    assert [(game.black, game.white) for game in found] == [
        (game.black, game.white) for game in wanted
    ]
    assert "died; its task is done again" in caplog.text
    nodes.add()


def test_a_player_that_learned_meanwhile_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    small_network(file)
    tournament = Tournament((f"policy:{file}", "random"), tuple(random_openings(8, 1, 1)), 2)
    with Store(":memory:") as store, TournamentRunner(tournament, store, workers=1) as run:
        LinePolicy(LineNetwork(channels=16, hidden=16, seed=2), Card("line", "pieces")).save(file)
        with pytest.raises(DataError, match="another player now"):
            run.play()


class Killing(TrainingObserver):
    """Disturbs a run after its first step."""

    def __init__(self, nodes: RayNodes) -> None:
        self.disturbance = Disturbance(nodes)

    def advanced(self, step: int, means: Mapping[str, float], seconds: float) -> None:
        if step == 1:
            self.disturbance.start()


def test_self_play_learns_the_same_on_a_cluster(nodes: RayNodes, tmp_path: Path) -> None:
    learner = find_learner("selfplay")
    config = learner.configure(
        "smoke",
        ["games=80", "simulations=8", "generations=3", "evaluate_games=0", "batch=64", "threads=1"],
    )
    killing = Killing(nodes)
    train_run(learner, tmp_path / "here", config, options={"workers": 1, "cluster": "local"})
    options = {"workers": 2, "cluster": "ray"}
    train_run(learner, tmp_path / "there", config, options=options, observers=[killing])
    killing.disturbance.join()
    assert killing.disturbance.killed == 1
    last = "checkpoints/step-000000003/training.safetensors"
    same_arrays(tmp_path / "here" / last, tmp_path / "there" / last, "training")


def test_the_champion_learns_the_same_on_a_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its evaluations are files of the run, under names that mean nothing to a worker."""
    monkeypatch.chdir(tmp_path)
    learner = find_learner("champion")
    config = learner.configure("smoke", ["games=20", "block=10", "match_games=4", "threads=1"])
    for where, workers in (("local", 1), ("ray", 2)):
        train_run(learner, Path(where), config, options={"workers": workers, "cluster": where})
    for number in (1, 2):
        name = f"evaluations/round-{number:03d}.safetensors"
        same_arrays(Path("local", name), Path("ray", name), "champion")
        for block in sorted(Path("local/positions").rglob("*.npz")):
            with (
                np.load(block) as wanted,
                np.load(Path("ray", *block.parts[1:])) as found,
            ):
                for array in wanted.files:
                    np.testing.assert_array_equal(found[array], wanted[array], err_msg=array)


def evolved(config: CoevolutionConfig, workers: int | None) -> tuple[Evolution, Mapping[str, Any]]:
    with Crew(config, workers) as crew:
        evolution = Evolution(config, crew)
        evolution.train_until(config.generations)
        return evolution, evolution.measure()


def test_coevolution_is_the_same_on_a_cluster_that_loses_a_node(nodes: RayNodes) -> None:
    config = preset("smoke").with_settings(["generations=120"])
    with cluster.using("local"):
        wanted, measured = evolved(config, 1)
    disturbance = Disturbance(nodes, node=True)
    disturbance.start()
    found, also_measured = evolved(config, None)
    disturbance.join()
    assert disturbance.killed == 2
    np.testing.assert_array_equal(found.parents.weights, wanted.parents.weights)
    np.testing.assert_array_equal(found.points, wanted.points)
    assert also_measured == measured


def test_lessons_are_the_same_on_a_cluster(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    small_network(file)
    config = LessonsConfig(games=12, others=("greedy",), eval="mobility", depth=2, solve=6)
    with cluster.using("local"):
        wanted = gather_lessons(str(file), config, workers=1)
    found = gather_lessons(str(file), config, workers=2)
    for name, array in vars(wanted.positions).items():
        np.testing.assert_array_equal(vars(found.positions)[name], array, err_msg=name)
    np.testing.assert_array_equal(found.weight, wanted.weight)


def test_positions_are_solved_the_same_on_a_cluster() -> None:
    positions = [game.position for game in random_openings(50, 6, 3)]
    with cluster.using("local"):
        wanted = list(solve_positions(positions))
    found = list(solve_positions(positions, workers=2))
    assert [one.position for one in found] == positions
    assert [(one.score, one.best, one.nodes, one.line) for one in found] == [
        (one.score, one.best, one.nodes, one.line) for one in wanted
    ]


# The command


def test_match_plays_the_same_with_any_cluster(tmp_path: Path) -> None:
    answers = []
    for where in ("local", "ray"):
        arguments = ["alphabeta:depth=2", "greedy", "--games", "40", "--json"]  # in batches
        done = CliRunner().invoke(
            app, ["match", *arguments, "--cluster", where, "--store", str(tmp_path / where)]
        )
        assert done.exit_code == 0, done.output
        answer = json.loads(done.stdout)
        assert answer.pop("seconds_per_move")
        answers.append(answer)
    assert answers[0] == answers[1]


def outflank_command(*words: str, folder: Path, **environment: str) -> Any:
    """Run the command in a process of its own, as a user does, and return its JSON."""
    done = subprocess.run(
        [sys.executable, "-m", "outflank", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "HOME": str(folder), **environment},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()][-1]


def test_a_client_gets_the_same(nodes: RayNodes, tmp_path: Path) -> None:
    """A match and self-play on `ray://HOST:PORT`, from a process outside the cluster."""
    settings = [
        word
        for one in ("games=16", "simulations=4", "generations=1", "evaluate_games=0", "threads=1")
        for word in ("--set", one)
    ]
    answers = []
    for name, where in (("here", "local"), ("there", f"ray://127.0.0.1:{nodes.client}")):
        words = ["match", "alphabeta:depth=2", "greedy", "--games", "20", "--json"]
        words += ["--store", f"{name}.sqlite", "--cluster", where]
        answer = outflank_command(*words, folder=tmp_path)
        assert answer.pop("seconds_per_move")
        answers.append(answer)
        words = ["learn", "selfplay", "--preset", "smoke", "--run", name, "--json"]
        words += [*settings, "--workers", "2", "--cluster", where]
        outflank_command(*words, folder=tmp_path)
    assert answers[0] == answers[1]
    last = "checkpoints/step-000000001/training.safetensors"
    same_arrays(tmp_path / "runs/here" / last, tmp_path / "runs/there" / last, "training")


class Heads:
    """Stands for Ray's module: clients are refused a few times, with an explanation."""

    def __init__(self, refusals: int, why: str) -> None:
        self.refusals, self.why = refusals, why
        self.tries = self.shutdowns = 0
        self._private = SimpleNamespace(worker=SimpleNamespace())

    def init(self, **arguments: Any) -> None:
        self.tries += 1
        if self.tries <= self.refusals:
            raise ConnectionAbortedError(f"Initialization failure from server:\n{self.why}")

    def shutdown(self) -> None:
        self.shutdowns += 1


SERVER_DIED = "File ray/util/client/server/proxier.py, line 772, in Datapath: RuntimeError"


def test_a_client_whose_server_died_tries_again() -> None:
    heads = Heads(2, SERVER_DIED)
    ray_connection._join(cast(Any, heads), "ray://127.0.0.1:1")
    assert (heads.tries, heads.shutdowns) == (3, 2)


@pytest.mark.parametrize(("why", "tries"), [(SERVER_DIED, 3), ("another version of Ray", 1)])
def test_a_client_gives_up(why: str, tries: int) -> None:
    heads = Heads(9, why)
    with pytest.raises(ConnectionAbortedError, match=why):
        ray_connection._join(cast(Any, heads), "ray://127.0.0.1:1")
    assert heads.tries == tries


def test_a_study_finds_the_same(tmp_path: Path) -> None:
    found = []
    for where in ("local", "ray"):
        words = ["run", "coevolution-figure-5", "--out", str(tmp_path / where)]
        done = CliRunner().invoke(app, ["study", *words, "--cluster", where, "--json"])
        assert done.exit_code == 0, done.output
        rows = json.loads(done.stdout)["rows"]
        found.append([(row["label"], row["values"], row["intervals"]) for row in rows])
    assert found[0] == found[1]


def test_the_lab_plays_its_tournaments_there(nodes: RayNodes, tmp_path: Path) -> None:
    words = ["lab", "--no-browser", "--port", "0", "--cluster", "ray"]
    lab = subprocess.Popen(
        [sys.executable, "-m", "outflank", *words],
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path), "OUTFLANK_DATA": str(tmp_path)},
    )
    try:
        assert lab.stderr is not None
        address = lab.stderr.readline().split()[4]
        players = ["random", "greedy", "playouts:games=2"]
        body = {"players": players, "games": 4, "plies": 4, "seed": 3}
        begun = httpx.post(f"{address}/api/tournaments", json=body, timeout=60)
        assert begun.status_code == 201, begun.text
        seen: set[int] = set()

        def is_over() -> bool:
            seen.update(nodes.workers())
            state = httpx.get(f"{address}/api/tournaments/{begun.json()['id']}").json()["state"]
            return bool(state == "finished")

        wait_until(is_over, seconds=120)
    finally:
        lab.send_signal(signal.SIGINT)
        lab.communicate(timeout=60)
    assert seen
    with Store(next(tmp_path.rglob("*.sqlite"))) as store:
        (number,) = (one.number for one in store.tournaments())
        tournament = store.tournament(number)
        with TournamentRunner(tournament, store) as run:
            found = sorted(run.games(), key=str)
    with (
        cluster.using("local"),
        Store(":memory:") as local,
        TournamentRunner(tournament, local) as run,
    ):
        run.play()
        assert [game.moves for game in sorted(run.games(), key=str)] == [
            game.moves for game in found
        ]


# What may be wrong with a cluster


def refusal(where: str, seconds: float = 20.0) -> str:
    """Return what is said of a cluster that cannot be used."""
    began = time.monotonic()
    with pytest.raises(ClusterError) as caught, cluster.using(where):
        cluster.start(Counting(), 1)
    assert time.monotonic() - began < seconds
    assert "\n" not in str(caught.value)
    return str(caught.value)


@contextmanager
def grpc_server(status: Any) -> Iterator[int]:
    """Run a server that answers every question with the same status."""
    handler = grpc.unary_unary_rpc_method_handler(
        lambda request, context: context.abort(status, "as always")
    )

    class Refusing(grpc.GenericRpcHandler):  # type: ignore[misc]
        def service(self, details: Any) -> Any:
            return handler

    server = grpc.server(ThreadPoolExecutor(1), handlers=[Refusing()])
    port: int = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(None).wait()


@pytest.fixture
def reconnected(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a test connect anew, and the next one, too, and wait for the nodes of a busy machine."""
    from outflank.cluster import ray_connection

    monkeypatch.setattr(ray_connection, "_SECONDS_TO_CHECK", 60.0)
    ray_connection.disconnect()
    yield
    ray_connection.disconnect()


@pytest.mark.usefixtures("reconnected")
class TestWhatIsWrong:
    def test_nobody_listens(self) -> None:
        port = free_port()
        text = refusal(f"ray://127.0.0.1:{port}")
        assert text == f"no Ray cluster answers at ray://127.0.0.1:{port}: Connection refused"
        with variables(RAY_ADDRESS=f"127.0.0.1:{port}"):
            assert "Connection refused" in refusal("ray")

    def test_no_such_host(self) -> None:
        assert "no Ray cluster answers at ray://nowhere.invalid:1" in refusal(
            "ray://nowhere.invalid:1"
        )

    def test_somebody_else_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            where = f"ray://127.0.0.1:{silent.getsockname()[1]}"
            assert f"no Ray cluster answers at {where}" in refusal(where)

    def test_a_foreign_server_listens(self) -> None:
        with grpc_server(grpc.StatusCode.UNIMPLEMENTED) as port:
            text = refusal(f"ray://127.0.0.1:{port}")
        assert text.endswith("another program listens there")

    @pytest.mark.parametrize(
        ("token", "problem"),
        [({}, "asks for a token"), ({"RAY_AUTH_TOKEN": "wrong"}, "asks for another token")],
    )
    def test_a_token_is_asked_for(
        self, token: dict[str, str], problem: str, tmp_path: Path
    ) -> None:
        with grpc_server(grpc.StatusCode.UNAUTHENTICATED) as port:
            where = f"ray://127.0.0.1:{port}"
            words = [
                "match",
                "random",
                "greedy",
                "--games",
                "2",
                "--store",
                "x",
                "--cluster",
                where,
            ]
            done = subprocess.run(
                [sys.executable, "-m", "outflank", *words],
                capture_output=True,
                text=True,
                cwd=tmp_path,
                env={**os.environ, "HOME": str(tmp_path), **token},
            )
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"outflank: the Ray cluster at {where} {problem}; ")

    def test_the_time_to_refuse(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A node that does not answer is not waited for longer than that."""
        from outflank.cluster import ray_connection as connection

        monkeypatch.undo()
        asked: list[float] = []

        def wait(waiting: list[str], timeout: float) -> tuple[list[str], list[str]]:
            asked.append(timeout)
            return [], waiting

        silent = SimpleNamespace(
            nodes=lambda: [
                {
                    "NodeID": "ab" * 28,
                    "NodeManagerAddress": "10.0.0.1",
                    "Alive": True,
                    "Resources": {"CPU": 1},
                }
            ],
            remote=lambda function: SimpleNamespace(
                options=lambda **_: SimpleNamespace(remote=lambda: "reference")
            ),
            wait=wait,
        )
        until = time.monotonic() + connection._SECONDS_TO_REFUSE
        connection._check_nodes(silent, until)  # type: ignore[arg-type]
        assert len(asked) == 1
        assert 0 < asked[0] <= connection._SECONDS_TO_REFUSE <= 20
        assert connection._SECONDS_TO_ANSWER + connection._SECONDS_TO_GREET < 20

    def test_another_version_of_outflank(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(outflank, "__version__", "9.9.9")
        assert "this process 9.9.9; install the same on every node" in refusal("ray", 90)

    def test_another_version_of_python(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("platform.python_version", lambda: "3.9.1")
        assert "this process 3.9; install the same on every node" in refusal("ray", 90)

    def test_a_node_without_outflank(self, nodes: RayNodes, tmp_path: Path) -> None:
        (tmp_path / "sitecustomize.py").write_text(
            "import sys\nsys.modules['outflank'] = None  # importing it fails\n"
        )
        node = nodes.add(str(tmp_path))
        try:
            text = refusal("ray", 90)
        finally:
            nodes.kill(node)
        assert "cannot load outflank (ModuleNotFoundError" in text
        assert "install the same outflank on every node" in text


def test_the_handling_of_termination_stays_ours() -> None:
    from outflank.cluster.ray_connection import _own_handling_of_termination

    before = signal.getsignal(signal.SIGTERM)
    mine = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGTERM, mine)
        with _own_handling_of_termination():
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as Ray does
        assert signal.getsignal(signal.SIGTERM) == mine
    finally:
        signal.signal(signal.SIGTERM, before)
