"""Training from the lab: each run is a process, which may be paused and resumed.

A run continues when its page is closed, and ends with a checkpoint when the server ends. Its folder
says what it is doing (outflank.learn.status), whoever trains it.
"""

from __future__ import annotations

import asyncio
import math
import re
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from outflank.errors import DataError, OutflankError
from outflank.lab import answers
from outflank.learn.launching import TrainingProcess
from outflank.learn.layout import RUN_NAME, is_run, read_config, run_folders
from outflank.learn.learner import Curve, Learner
from outflank.learn.measurements import Measurements
from outflank.learn.registry import find_learner, learner_of, learners, player_of_run
from outflank.learn.settings import Settings
from outflank.learn.status import State, Status, is_training, read_status, stop_by_hand

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,39}")
_SETTING = re.compile(r"[a-z_0-9]+=[A-Za-z0-9_.,+-]*")
_MOST_AT_ONCE = 2
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_TO_END = 60.0


class Runs:
    """The runs of a folder, including those in training.

    Args:
        folder: Of the runs.
        wthor: Folder of the WThor files to learn from; the store's if None.
    """

    def __init__(self, folder: Path, wthor: Path | None) -> None:
        self.folder, self.options = folder, {"wthor": wthor}
        self._processes: dict[str, TrainingProcess] = {}
        self._measurements: dict[str, Measurements] = {}
        self._measuring = threading.Lock()

    def learners(self) -> list[answers.LearnerRow]:
        """Describe the learners."""
        return [
            {
                "name": learner.name,
                "title": learner.title,
                "presets": [
                    {"name": name, "summary": preset.text}
                    for name, preset in learner.presets.items()
                ],
                "default": learner.default,
                "needs": learner.missing(self.options),
            }
            for learner in learners().values()
        ]

    def listed(self) -> list[answers.RunRow]:
        """Describe all runs, those in training first, including those that cannot be read."""
        rows = []
        for folder in run_folders(self.folder):
            try:
                rows.append(self.describe(folder.name))
            except OutflankError as error:
                rows.append(_unreadable(folder.name, str(error)))
        return sorted(rows, key=lambda row: (row["state"] != "running", row["name"]))

    def describe(self, name: str) -> answers.RunRow:
        """Describe a run as a row of the list."""
        folder = self._find(name)
        learner = learner_of(*read_config(folder))
        status = read_status(folder)
        metrics = self._measured(name)
        last = metrics[-1] if metrics else {}
        state, why = self._state(name, status)
        running = state == "running"
        return {
            "name": name,
            "learner": learner.name if learner else None,
            "state": state,
            "why": why,
            "elsewhere": self._is_elsewhere(name),
            "step": max(status.step, int(last.get("step", 0))),
            "steps": status.steps,
            "seconds": last.get("seconds") if status.seconds is None else status.seconds,
            "remaining": status.remaining if running else None,
            "error": why if state == "failed" else None,
            "player": f"run:{name}" if player_of_run(folder) else None,
        }

    def _state(self, name: str, status: Status) -> tuple[State, str]:
        """Return a run's state and its reason; the process may know more than the folder."""
        if self._is_running(name):  # one that was just started has not locked the run yet
            return "running", ""
        process = self._processes.get(name)
        if process is not None and process.problem:  # perhaps it never came to the run
            return "failed", process.problem
        return status.state, status.why

    def details(self, name: str) -> answers.RunDetails:
        """Describe a run with its configuration, measurements and curves."""
        kind, config = read_config(self._find(name))
        learner = learner_of(kind, config)
        return {
            **self.describe(name),
            "config": {key: _finite(value) for key, value in config.items()},
            "metrics": self._measured(name),
            "curves": [_curve_json(curve) for curve in learner.curves] if learner else [],
        }

    def _find(self, name: str) -> Path:
        folder = self.folder / name
        if not RUN_NAME.fullmatch(name) or not is_run(folder):
            raise DataError(f"no such run: {name}")
        return folder

    def _measured(self, name: str) -> list[dict[str, float]]:
        """Return the numbers of a run's measurements; only new lines are read."""
        with self._measuring:
            known = self._measurements.setdefault(name, Measurements(self.folder / name))
            known.read()
            return list(known.lines)

    def _is_running(self, name: str) -> bool:
        process = self._processes.get(name)
        return process is not None and process.is_running

    def _is_elsewhere(self, name: str) -> bool:
        """Return whether a process that was not started here trains a run."""
        return not self._is_running(name) and is_training(self.folder / name)

    async def start(self, kind: str, preset: str, name: str, settings: list[str]) -> answers.RunRow:
        """Start a run, after checking all that can be checked beforehand."""
        learner = find_learner(kind)
        if not _NAME.fullmatch(name):
            raise DataError("a run's name has up to 40 letters, digits and _ + -")
        if (self.folder / name).exists():
            raise DataError(f"there is a run {name!r} already; choose another name")
        for setting in settings:
            if not _SETTING.fullmatch(setting) or learner.is_closed(setting.split("=")[0]):
                raise DataError(f"not a setting that can be chosen here: {setting!r}")
        config = learner.configure(preset, settings)
        problem = learner.missing(self.options)
        if problem:
            raise DataError(problem)
        process = await self._launch(learner, name, config)
        while not is_run(self.folder / name):
            if not process.is_running:
                raise DataError(process.problem or "training did not start")
            await asyncio.sleep(0.05)
        return await asyncio.to_thread(self.describe, name)

    async def _launch(
        self, learner: Learner, name: str, config: Settings | None
    ) -> TrainingProcess:
        running = [one for one in self._processes if self._is_running(one)]
        if len(running) >= _MOST_AT_ONCE:
            raise DataError(f"{' and '.join(running)} are training; pause one first")
        self.folder.mkdir(parents=True, exist_ok=True)
        process = TrainingProcess(learner, self.folder / name, config, self.options)
        self._processes[name] = process
        return process

    async def pause(self, name: str) -> answers.RunRow:
        """Let a run write a checkpoint and end its process."""
        self._find(name)
        self._refuse_elsewhere(name)
        if not self._is_running(name):
            raise DataError(f"{name} is not training")
        await self._end(name)
        return await asyncio.to_thread(self.describe, name)

    async def stop(self, name: str) -> answers.RunRow:
        """Stop a run and mark it as stopped; it can still be resumed."""
        folder = self._find(name)
        self._refuse_elsewhere(name)
        if self._is_running(name):
            await self._end(name)
        stop_by_hand(folder)
        return await asyncio.to_thread(self.describe, name)

    async def _end(self, name: str) -> None:
        await asyncio.to_thread(self._processes[name].pause, _SECONDS_TO_END)

    def _refuse_elsewhere(self, name: str) -> None:
        if self._is_elsewhere(name):
            raise DataError(f"{name} was not started here; the process that trains it can stop it")

    async def resume(self, name: str) -> answers.RunRow:
        """Resume a run from its last checkpoint."""
        folder = self._find(name)
        if self._is_running(name) or self._is_elsewhere(name):
            raise DataError(f"{name} is training already")
        if read_status(folder).state == "finished":
            raise DataError(f"{name} is finished")
        learner = learner_of(*read_config(folder))
        if learner is None:
            raise DataError(f"{name}: made by a learner that is not installed here")
        await self._launch(learner, name, None)
        return await asyncio.to_thread(self.describe, name)

    async def news(self, name: str) -> AsyncIterator[dict[str, Any]]:
        """Yield a run's description whenever it changes, with the new measurements."""
        known: float = -1
        last = None
        while True:
            described = await asyncio.to_thread(self.describe, name)
            lines = [line for line in self._measured(name) if line["step"] > known]
            if lines or described != last:
                last = described
                known = lines[-1]["step"] if lines else known
                yield {"run": described, "metrics": lines}
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)

    async def close(self) -> None:
        """Let all processes write their checkpoints and end."""
        running = [name for name in self._processes if self._is_running(name)]
        await asyncio.gather(*(self._end(name) for name in running))
        for name in running:
            self._is_running(name)  # what they said is read and put away


def _curve_json(curve: Curve) -> answers.Curve:
    """Describe a curve as JSON."""
    return {
        "title": curve.title,
        "unit": curve.unit,
        "help": curve.help,
        "series": [{"name": name, "label": label} for name, label in curve.series.items()],
    }


def _finite(value: Any) -> Any:
    """Return a value that JSON can represent."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _unreadable(name: str, problem: str) -> answers.RunRow:
    """Describe a run whose folder cannot be read."""
    return {
        "name": name,
        "learner": None,
        "state": "failed",
        "why": problem,
        "elsewhere": False,
        "step": 0,
        "steps": None,
        "seconds": None,
        "remaining": None,
        "error": problem,
        "player": None,
    }
