"""Workers do every task once, keep their copy of the work, and end when they should."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cluster.work_to_do import Closing, Counting, Dying, Failing, Sleeping
from outflank import cluster
from outflank.cluster import Inline, LocalProcesses, WorkerDiedError
from outflank.errors import RecordError


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Tell whether a process exists and is no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_done_once(workers: int) -> None:
    with cluster.start(Counting(), workers) as crew:
        outcomes = list(crew.map(range(20)))
    assert sorted(outcome.index for outcome in outcomes) == list(range(20))
    assert all(outcome.value[0] == outcome.index**2 for outcome in outcomes)


def test_one_worker_is_this_process_and_more_are_others() -> None:
    with cluster.start(Counting(), 1) as crew:
        assert {outcome.value[2] for outcome in crew.map(range(3))} == {os.getpid()}
    with cluster.start(Counting(), 2) as crew:
        assert os.getpid() not in {outcome.value[2] for outcome in crew.map(range(4))}


def test_a_worker_keeps_its_copy_of_the_work() -> None:
    with LocalProcesses(Counting(), 1) as crew:
        before = [outcome.value[1] for outcome in crew.map(range(5))]
        after = [outcome.value[1] for outcome in crew.map(range(5))]
    assert before + after == list(range(10))


def test_no_more_processes_than_tasks() -> None:
    with LocalProcesses(Counting(), 8) as crew:
        assert [outcome.value[0] for outcome in crew.map([5])] == [25]
        assert len(crew._workers) == 1


def test_tasks_are_drawn_when_somebody_is_free() -> None:
    drawn = []

    def tasks() -> object:
        for task in range(100):
            drawn.append(task)
            yield task

    with LocalProcesses(Counting(), 2) as crew:
        next(crew.map(tasks()))  # type: ignore[arg-type]
        assert len(drawn) <= 3


@pytest.mark.parametrize("crew", [Inline(Failing()), LocalProcesses(Failing(), 2)])
def test_an_error_is_the_outcome_of_its_task_alone(crew: cluster.Cluster[str, str]) -> None:
    with crew:
        outcomes = {outcome.index: outcome for outcome in crew.map(["a", "record", "b"])}
    assert (outcomes[0].value, outcomes[2].value) == ("a", "b")
    with pytest.raises(RecordError, match="file: game 3: it is bad") as caught:
        _ = outcomes[1].value
    assert caught.value.record == 3


def test_an_error_tells_where_in_the_worker_it_was_raised() -> None:
    with LocalProcesses(Failing(), 1) as crew:
        (outcome,) = crew.map(["record"])
    assert outcome.error is not None
    assert "work_to_do.py" in str(outcome.error.__cause__)


@pytest.mark.parametrize(
    ("task", "problem"), [("unsendable", "UnsendableError: 1 and 2"), ("value", "local object")]
)
def test_what_cannot_be_sent_is_an_error_of_its_task(task: str, problem: str) -> None:
    with LocalProcesses(Failing(), 1) as crew:
        outcomes = sorted(crew.map([task, "a"]), key=lambda outcome: outcome.index)
    assert problem in str(outcomes[0].error)
    assert outcomes[1].value == "a"


def test_a_worker_that_dies_is_replaced_and_its_task_done_again(tmp_path: Path) -> None:
    lives = [tmp_path / str(task) for task in range(4)]
    for task, path in enumerate(lives):
        path.write_text("1" if task == 1 else "0")
    with LocalProcesses(Dying(), 2) as crew:
        assert [outcome.value for outcome in crew.map(lives)] == [0, 0, 0, 0]


def test_a_task_that_kills_two_workers_is_given_up(tmp_path: Path) -> None:
    deadly, harmless = tmp_path / "deadly", tmp_path / "harmless"
    deadly.write_text("9")
    harmless.write_text("0")
    with LocalProcesses(Dying(), 1) as crew:
        outcomes = {outcome.index: outcome for outcome in crew.map([deadly, harmless])}
    with pytest.raises(WorkerDiedError, match="was killed by SIGKILL, twice on one task"):
        _ = outcomes[0].value
    assert outcomes[1].value == 0
    assert deadly.read_text() == "7"


def test_a_worker_that_died_between_tasks_costs_nothing() -> None:
    with LocalProcesses(Counting(), 1) as crew:
        (first,) = crew.map([1])
        os.kill(first.value[2], signal.SIGKILL)
        (second,) = crew.map([2])
    assert second.value[:2] == (4, 0)


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_close_their_work(tmp_path: Path, workers: int) -> None:
    note = tmp_path / "note"
    with cluster.start(Closing(note), workers) as crew:
        list(crew.map([tmp_path]))
    assert note.read_text() == "closed"


def test_an_error_in_the_middle_ends_workers_and_what_they_started(tmp_path: Path) -> None:
    note = tmp_path / "note"

    def fail_in_the_middle() -> None:
        with LocalProcesses(Sleeping(), 2) as crew:
            outcomes = crew.map([note, None])
            assert next(outcomes).index == 1
            wait_until(note.exists)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_in_the_middle()
    wait_until(lambda: not any(map(is_running, map(int, note.read_text().split()))), seconds=5)


def test_outcomes_that_nobody_wants_any_more_end_their_workers(tmp_path: Path) -> None:
    note = tmp_path / "note"
    with LocalProcesses(Sleeping(), 2) as crew:
        outcomes = crew.map([note, None])
        next(outcomes)
        wait_until(note.exists)
        outcomes.close()  # type: ignore[attr-defined]  # it is a generator
        (outcome,) = crew.map([None])
    assert outcome.error is None
    assert not any(map(is_running, map(int, note.read_text().split())))


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
