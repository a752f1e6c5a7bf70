"""The contract of clusters, kept by this process and by this machine's processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cluster.engine_contract import EngineContract, WorkersContract, is_running, wait_until
from cluster.work_to_do import Adding, Counting, Dying, Heavy
from outflank import _core, cluster
from outflank.cluster import (
    Cluster,
    ClusterError,
    Inline,
    LocalProcesses,
    Work,
    WorkerDiedError,
    local,
)


class TestInline(EngineContract):
    def start(self, work: Work[Any, Any], workers: int) -> Cluster[Any, Any]:
        return Inline(work)


class TestLocalProcesses(WorkersContract):
    def start(self, work: Work[Any, Any], workers: int) -> Cluster[Any, Any]:
        return LocalProcesses(work, workers)

    def test_no_more_processes_than_tasks(self) -> None:
        with LocalProcesses(Counting(), 8) as crew:
            assert [outcome.value[0] for outcome in crew.map([5])] == [25]
            assert len(crew._workers) == 1

    def test_the_error_of_a_deadly_task_says_how_its_worker_ended(self, tmp_path: Path) -> None:
        deadly = tmp_path / "deadly"
        deadly.write_text("2")
        with LocalProcesses(Dying(), 1) as crew:
            (outcome,) = crew.map([deadly])
        with pytest.raises(WorkerDiedError, match="was killed by SIGKILL, twice on one task"):
            _ = outcome.value

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGALRM])
    def test_an_interrupt_waits_until_a_process_has_started(
        self, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A process that is cut off while it starts prints a traceback."""
        process = type(local._SPAWN.Process())
        start, started = process.start, []

        def start_interrupted(self: Any) -> None:
            signal.raise_signal(number)
            start(self)
            started.append(self)

        def stop(number: int, frame: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(process, "start", start_interrupted)
        before = signal.signal(number, stop)
        try:
            with (
                pytest.raises(KeyboardInterrupt),
                LocalProcesses(Counting(), 1) as crew,
            ):
                list(crew.map([5]))
        finally:
            signal.signal(number, before)
        assert len(started) == 1
        started[0].kill()

    def test_workers_forget_a_shared_value_that_nobody_holds(self, tmp_path: Path) -> None:
        with LocalProcesses(Adding(), 1) as crew:
            for number in range(3):
                shared = crew.share(Heavy(tmp_path / "packed", number))
                assert [one.value for one in crew.map([(shared, 1)])] == [number + 1]
                assert crew._workers[0].shared == {number}


@pytest.fixture
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cluster.SETTING, raising=False)


@pytest.mark.usefixtures("nothing_chosen")
class TestTheChoice:
    def test_one_worker_is_this_process_and_more_are_others(self) -> None:
        with cluster.start(Counting(), 1) as one, cluster.start(Counting(), 2) as two:
            assert isinstance(one, Inline)
            assert isinstance(two, LocalProcesses)
            assert (one.workers, two.workers) == (1, 2)

    def test_a_block_goes_before_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert cluster.chosen() == "local"
        monkeypatch.setenv(cluster.SETTING, "ray://somewhere:10001")
        assert cluster.chosen() == "ray://somewhere:10001"
        with cluster.using("local"):
            with cluster.using(None):
                assert cluster.chosen() == "local"
            assert not cluster.is_remote()
        assert cluster.is_remote()

    @pytest.mark.parametrize("where", ["rays", "ray://", "ray://host", "ray://:1", "ray://host:p"])
    def test_a_name_that_is_no_clusters_is_refused(self, where: str) -> None:
        accepted = "local, ray and ray://HOST:PORT are accepted"
        with pytest.raises(ClusterError, match=accepted), cluster.using(where):
            pass

    def test_workers_are_those_asked_for_or_the_usual_ones(self) -> None:
        assert cluster.count_workers(3, usual=2) == 3
        assert cluster.count_workers(None, usual=2) == 2
        assert cluster.count_workers() == cluster.count_workers(None, usual=None) >= 1

    def test_only_a_worker_that_is_alone_here_uses_many_threads(self) -> None:
        assert cluster.threads_of_each(1, asked=8) == 8
        assert cluster.threads_of_each(2, asked=8) == 1
        with cluster.using("ray"):
            assert cluster.threads_of_each(1, asked=8) == 1

    def test_a_process_may_take_fewer_cores_for_all(self) -> None:
        cores = _core.available_threads()
        try:
            _core.limit_threads(1)
            assert _core.available_threads() == 1
            _core.limit_threads(cores + 5)
            assert _core.available_threads() == cores
        finally:
            _core.limit_threads(0)
        assert _core.available_threads() == cores

    def test_without_ray_it_is_said_how_to_get_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        with (
            cluster.using("ray"),
            pytest.raises(ClusterError, match=r"pip install 'outflank\[cluster\]'"),
        ):
            cluster.start(Counting(), 2)


_SCRIPT = """
import sys
from pathlib import Path
from cluster.work_to_do import Sleeping
from outflank.cluster import LocalProcesses

if __name__ == "__main__":
    with LocalProcesses(Sleeping(), 2) as crew:
        list(crew.map(map(Path, sys.argv[1:])))
"""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_main_process_however_it_ends(
    tmp_path: Path, end: signal.Signals
) -> None:
    script = tmp_path / "main.py"
    script.write_text(_SCRIPT)
    notes = [tmp_path / "a.pids", tmp_path / "b.pids"]
    tests = str(Path(__file__).resolve().parents[1])
    main = subprocess.Popen(
        [sys.executable, str(script), *map(str, notes)],
        env={**os.environ, "PYTHONPATH": tests},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: all(note.exists() for note in notes))
    pids = [int(pid) for note in notes for pid in note.read_text().split()]
    assert all(map(is_running, pids))
    # As the terminal does it: to everything that is in the foreground.
    (os.killpg if end == signal.SIGINT else os.kill)(main.pid, end)
    began = time.monotonic()
    _, errors = main.communicate(timeout=20)
    wait_until(lambda: not any(map(is_running, pids)))
    assert time.monotonic() - began < 5
    assert errors.count("Traceback") == (1 if end == signal.SIGINT else 0), errors
