"""What every cluster promises; the tests of each engine inherit these."""

from __future__ import annotations

import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cluster.work_to_do import Adding, Closing, Counting, Dying, Failing, Heavy, Sleeping
from outflank.cluster import Cluster, Work, WorkerDiedError
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


def all_ended(note: Path) -> bool:
    """Tell whether the processes that Sleeping wrote down have ended."""
    return not any(map(is_running, map(int, note.read_text().split())))


class EngineContract(ABC):
    """What every cluster promises, also one that is this process."""

    @abstractmethod
    def start(self, work: Work[Any, Any], workers: int) -> Cluster[Any, Any]:
        """Start the cluster that is tested."""

    def test_every_task_is_done_once(self) -> None:
        with self.start(Counting(), 2) as crew:
            outcomes = list(crew.map(range(40)))
        assert sorted(outcome.index for outcome in outcomes) == list(range(40))
        assert all(outcome.value[0] == outcome.index**2 for outcome in outcomes)

    def test_no_tasks_have_no_outcomes(self) -> None:
        with self.start(Counting(), 2) as crew:
            assert list(crew.map([])) == []

    def test_an_error_is_the_outcome_of_its_task_alone(self) -> None:
        with self.start(Failing(), 2) as crew:
            outcomes = {outcome.index: outcome for outcome in crew.map(["a", "record", "b"])}
        assert (outcomes[0].value, outcomes[2].value) == ("a", "b")
        with pytest.raises(RecordError, match="file: game 3: it is bad") as caught:
            _ = outcomes[1].value
        assert caught.value.record == 3

    def test_a_shared_value_reaches_every_task_and_is_packed_at_most_once(
        self, tmp_path: Path
    ) -> None:
        packed = [tmp_path / "first", tmp_path / "second"]
        with self.start(Adding(), 2) as crew:
            for base, file in zip((100, 200), packed, strict=True):
                shared = crew.share(Heavy(file, base))
                found = {one.index: one.value for one in crew.map((shared, n) for n in range(12))}
                assert found == {number: base + number for number in range(12)}
                assert shared.value.number == base
        assert all(not file.exists() or file.read_text() == "1" for file in packed)

    def test_workers_close_their_work(self, tmp_path: Path) -> None:
        note = tmp_path / "note"
        with self.start(Closing(note), 2) as crew:
            list(crew.map([tmp_path]))
        assert note.read_text() == "closed"

    def test_outcomes_may_be_left_and_the_cluster_used_again(self) -> None:
        with self.start(Counting(), 2) as crew:
            next(iter(crew.map(range(10))))
            assert sorted(outcome.value[0] for outcome in crew.map(range(3))) == [0, 1, 4]


class WorkersContract(EngineContract):
    """What a cluster promises whose workers are other processes."""

    most_drawn = 3  # tasks when the first outcome of two workers is there

    def test_workers_are_other_processes(self) -> None:
        with self.start(Counting(), 2) as crew:
            assert os.getpid() not in {outcome.value[2] for outcome in crew.map(range(4))}

    def test_a_worker_keeps_its_copy_of_the_work(self) -> None:
        with self.start(Counting(), 1) as crew:
            before = [outcome.value[1] for outcome in crew.map(range(5))]
            after = [outcome.value[1] for outcome in crew.map(range(5))]
        assert sorted(before) + sorted(after) == list(range(10))  # outcomes come in any order

    def test_tasks_are_drawn_when_somebody_is_free(self) -> None:
        drawn = []

        def tasks() -> Iterator[int]:
            for task in range(1000):
                drawn.append(task)
                yield task

        with self.start(Counting(), 2) as crew:
            next(crew.map(tasks()))
            assert len(drawn) <= self.most_drawn

    def test_an_error_tells_where_in_the_worker_it_was_raised(self) -> None:
        with self.start(Failing(), 1) as crew:
            (outcome,) = crew.map(["record"])
        assert outcome.error is not None
        assert "work_to_do.py" in str(outcome.error.__cause__)

    @pytest.mark.parametrize(
        ("task", "problem"), [("unsendable", "UnsendableError: 1 and 2"), ("value", "local object")]
    )
    def test_what_cannot_be_sent_is_an_error_of_its_task(self, task: str, problem: str) -> None:
        with self.start(Failing(), 1) as crew:
            outcomes = sorted(crew.map([task, "a"]), key=lambda outcome: outcome.index)
        assert problem in str(outcomes[0].error)
        assert outcomes[1].value == "a"

    def test_a_worker_that_dies_is_replaced_and_its_task_done_again(self, tmp_path: Path) -> None:
        lives = [tmp_path / str(task) for task in range(4)]
        for task, path in enumerate(lives):
            path.write_text("1" if task == 1 else "0")
        with self.start(Dying(), 2) as crew:
            assert [outcome.value for outcome in crew.map(lives)] == [0, 0, 0, 0]

    def test_a_task_that_kills_two_workers_is_given_up_alone(self, tmp_path: Path) -> None:
        deadly, *harmless = [tmp_path / name for name in ("deadly", "a", "b", "c")]
        deadly.write_text("9")
        for path in harmless:
            path.write_text("0")
        with self.start(Dying(), 1) as crew:
            list(crew.map(harmless))  # short tasks: from now on several may be under way
            outcomes = {outcome.index: outcome for outcome in crew.map([deadly, *harmless])}
        with pytest.raises(WorkerDiedError, match="twice on one task"):
            _ = outcomes[0].value
        assert [outcomes[number].value for number in (1, 2, 3)] == [0, 0, 0]
        assert deadly.read_text() == "7"

    def test_a_worker_that_died_between_tasks_costs_nothing(self) -> None:
        with self.start(Counting(), 1) as crew:
            (first,) = crew.map([1])
            os.kill(first.value[2], signal.SIGKILL)
            (second,) = crew.map([2])
        assert second.value[:2] == (4, 0)

    def test_an_error_in_the_middle_ends_workers_and_what_they_started(
        self, tmp_path: Path
    ) -> None:
        note = tmp_path / "note"

        def fail_in_the_middle() -> None:
            with self.start(Sleeping(), 2) as crew:
                outcomes = crew.map([note, None])
                assert next(outcomes).index == 1
                wait_until(note.exists)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail_in_the_middle()
        wait_until(lambda: all_ended(note), seconds=5)

    def test_a_killed_worker_ends_what_it_started(self, tmp_path: Path) -> None:
        note, again = tmp_path / "note", tmp_path / "again"
        with self.start(Sleeping(), 2) as crew:
            outcomes = crew.map([note, None])
            assert next(outcomes).index == 1
            wait_until(note.exists)
            note.rename(again)
            os.kill(int(again.read_text().split()[0]), signal.SIGKILL)
            # Its replacement has begun only when the cluster is asked for more.
            wait_until(lambda: not is_running(int(again.read_text().split()[0])))
            outcomes.close()  # type: ignore[attr-defined]  # it is a generator
            wait_until(lambda: all_ended(again), seconds=5)

    def test_outcomes_that_nobody_wants_any_more_end_their_workers(self, tmp_path: Path) -> None:
        note = tmp_path / "note"
        with self.start(Sleeping(), 2) as crew:
            outcomes = crew.map([note, None])
            next(outcomes)
            wait_until(note.exists)
            outcomes.close()  # type: ignore[attr-defined]  # it is a generator
            (outcome,) = crew.map([None])
            assert outcome.error is None
            wait_until(lambda: all_ended(note), seconds=5)
