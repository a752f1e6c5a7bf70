"""Training from the page: each run is a process of the command, which may be paused and resumed.

A run goes on when the page is closed. It is ended when the server ends, with a checkpoint.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import signal
import sys
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outflank.errors import DataError, FileError, OutflankError
from outflank.lab.learners import LEARNERS, Learner, learner_of
from outflank.lab.roster import player_of_run
from outflank.learn import Run
from outflank.learn.run import CONFIG, LOCK, LOG, METRICS, RUN_NAME
from outflank.locks import is_locked

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,39}")
_SETTING = re.compile(r"[a-z_0-9]+=[A-Za-z0-9_.,+-]*")
_MOST_AT_ONCE = 2
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_TO_END = 60.0
_STOPPED = "stopped by hand"  # in the log: other than a pause, this is meant to be the end
_LONGEST_LINE = 4096
_UNKNOWN = {
    "learner": None, "state": "failed", "elsewhere": False, "step": 0, "steps": None,
    "seconds": None, "remaining": None, "player": None,
}  # fmt: skip


@dataclass
class _Process:
    process: asyncio.subprocess.Process
    progress: dict[str, Any]
    wanted: str = "running"  # what a person asked for: running, paused or stopped
    problem: str = ""


class Runs:
    """All runs of a folder, and those that train now."""

    def __init__(self, folder: Path, wthor: Path | None) -> None:
        self.folder, self.wthor = folder, wthor
        self._processes: dict[str, _Process] = {}
        self._readers: set[asyncio.Task[None]] = set()
        self._measurements: dict[str, _Measurements] = {}
        self._measuring = threading.Lock()

    def listed(self) -> list[dict[str, Any]]:
        """Describe all runs, those that train first; one that cannot be read is told."""
        rows = []
        for folder in self._folders():
            try:
                rows.append(self.describe(folder.name))
            except OutflankError as error:
                rows.append({**_UNKNOWN, "name": folder.name, "error": str(error)})
        return sorted(rows, key=lambda row: (row["state"] != "running", row["name"]))

    def _folders(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        named = (path for path in self.folder.iterdir() if RUN_NAME.fullmatch(path.name))
        return sorted(path for path in named if (path / CONFIG).is_file())

    def describe(self, name: str) -> dict[str, Any]:
        """Describe a run in a few words."""
        run = self._open(name)
        learner = learner_of(run.config)
        held = self._processes.get(name)
        metrics = self._measured(name)
        last = metrics[-1] if metrics else {}
        checkpoint = run.last_checkpoint()
        progress = held.progress if held else {}
        step = progress.get("step", max(last.get("step", 0), checkpoint.step if checkpoint else 0))
        steps = progress.get("steps")
        return {
            "name": name,
            "learner": learner.name if learner else None,
            "state": self._state(name),
            "elsewhere": self._is_elsewhere(name),
            "step": step,
            "steps": steps,
            "seconds": progress.get("seconds", last.get("seconds")),
            "remaining": progress.get("remaining") if self._is_running(name) else None,
            "error": (held.problem or None) if held else None,
            "player": f"run:{name}" if player_of_run(run.folder) else None,
        }

    def details(self, name: str) -> dict[str, Any]:
        """Describe a run with its configuration, its measurements and what to draw of them."""
        run = self._open(name)
        learner = learner_of(run.config)
        return {
            **self.describe(name),
            "config": {key: _finite(value) for key, value in run.config.items()},
            "metrics": self._measured(name),
            "curves": learner.curves if learner else [],
        }

    def _open(self, name: str) -> Run:
        if not RUN_NAME.fullmatch(name) or not (self.folder / name / CONFIG).is_file():
            raise DataError(f"no such run: {name}")
        return Run.open(self.folder / name)

    def _measured(self, name: str) -> list[dict[str, float]]:
        """Return what can be drawn of a run's measurements; only what is new is read."""
        with self._measuring:
            known = self._measurements.setdefault(name, _Measurements(self.folder / name / METRICS))
            known.read()
            return list(known.lines)

    def _is_running(self, name: str) -> bool:
        held = self._processes.get(name)
        return held is not None and held.process.returncode is None

    def _state(self, name: str) -> str:
        if self._is_running(name) or self._is_elsewhere(name):
            return "running"
        held = self._processes.get(name)
        if held is not None and held.problem:
            return "failed"
        last = _last_line(self.folder / name / LOG)
        if " finished " in f"{last} ":
            return "finished"
        return "stopped" if last.endswith(_STOPPED) else "paused"

    def _is_elsewhere(self, name: str) -> bool:
        """Tell whether a process that was not begun here trains a run."""
        return not self._is_running(name) and is_locked(self.folder / name / LOCK)

    async def start(self, kind: str, preset: str, name: str, settings: list[str]) -> dict[str, Any]:
        """Begin a run; all that can be checked before is checked before."""
        learner = LEARNERS.get(kind)
        if learner is None:
            raise DataError(f"no such learner: {kind!r}; learners are {', '.join(LEARNERS)}")
        if not _NAME.fullmatch(name):
            raise DataError("a run's name has up to 40 letters, digits and _ + -")
        if (self.folder / name).exists():
            raise DataError(f"there is a run {name!r} already; choose another name")
        for setting in settings:
            if not _SETTING.fullmatch(setting) or setting.split("=")[0] in learner.closed:
                raise DataError(f"not a setting that can be chosen here: {setting!r}")
        learner.configure(preset, settings)  # what is wrong is told now
        problem = learner.needs(self.wthor)
        if problem:
            raise DataError(problem)
        chosen = [word for setting in settings for word in ("--set", setting)]
        await self._launch(learner, name, ["--preset", preset, *chosen])
        return await self._described_soon(name)

    async def _launch(self, learner: Learner, name: str, words: list[str]) -> None:
        running = [one for one in self._processes if self._is_running(one)]
        if len(running) >= _MOST_AT_ONCE:
            raise DataError(f"{' and '.join(running)} are training; pause one first")
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [
            sys.executable, "-m", "outflank", "learn", learner.name, "--run", name, *words,
            "--runs", str(self.folder.resolve()), *learner.options(self.wthor), "--json",
        ]  # fmt: skip
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=1 << 22,
            start_new_session=True,
        )
        held = _Process(process, {})
        self._processes[name] = held
        for task in (self._read(held), self._read_errors(held)):
            reader = asyncio.create_task(task)
            self._readers.add(reader)
            reader.add_done_callback(self._readers.discard)

    async def _read(self, held: _Process) -> None:
        """Follow what a process prints about its progress."""
        assert held.process.stdout is not None  # noqa: S101
        async for line in held.process.stdout:
            try:
                heard = json.loads(line)
            except ValueError:
                continue
            if isinstance(heard, dict):
                known = ("step", "steps", "seconds", "remaining")
                numbers = _numbers(heard)
                held.progress.update({key: numbers[key] for key in known if key in numbers})
        await held.process.wait()

    async def _read_errors(self, held: _Process) -> None:
        assert held.process.stderr is not None  # noqa: S101
        text = (await held.process.stderr.read()).decode("utf-8", "replace").strip()
        code = await held.process.wait()
        if code not in (0, -signal.SIGTERM) and held.wanted == "running":
            last = text.splitlines()[-1] if text else f"it ended with code {code}"
            held.problem = last.removeprefix("outflank: ")

    async def _described_soon(self, name: str) -> dict[str, Any]:
        """Describe a run as soon as its folder is there, or tell why it is not."""
        held = self._processes[name]
        while not (self.folder / name / CONFIG).is_file():
            if held.process.returncode is not None:
                await asyncio.sleep(0.1)
                raise DataError(held.problem or "training did not begin")
            await asyncio.sleep(0.05)
        return await asyncio.to_thread(self.describe, name)

    async def pause(self, name: str) -> dict[str, Any]:
        """Let a run write a checkpoint and end its process."""
        self._open(name)
        self._refuse_elsewhere(name)
        if not self._is_running(name):
            raise DataError(f"{name} is not training")
        await self._end(self._processes[name], "paused")
        return await asyncio.to_thread(self.describe, name)

    async def stop(self, name: str) -> dict[str, Any]:
        """End a run, and note that; it could still be resumed."""
        run = self._open(name)
        self._refuse_elsewhere(name)
        if self._is_running(name):
            await self._end(self._processes[name], "stopped")
        if self._state(name) == "paused":
            run.log(_STOPPED)
        return await asyncio.to_thread(self.describe, name)

    async def _end(self, held: _Process, wanted: str) -> None:
        held.wanted = wanted
        held.process.terminate()
        try:
            await asyncio.wait_for(held.process.wait(), _SECONDS_TO_END)
        except asyncio.TimeoutError:
            held.process.kill()
            await held.process.wait()

    def _refuse_elsewhere(self, name: str) -> None:
        if self._is_elsewhere(name):
            raise DataError(f"{name} was not begun here; the process that trains it can stop it")

    async def resume(self, name: str) -> dict[str, Any]:
        """Go on with a run from its last checkpoint."""
        run = self._open(name)
        if self._is_running(name) or self._is_elsewhere(name):
            raise DataError(f"{name} is training already")
        if self._state(name) == "finished":
            raise DataError(f"{name} is finished")
        learner = learner_of(run.config)
        if learner is None:
            raise DataError(f"{name}: no learner here made this run")
        await self._launch(learner, name, ["--resume"])
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
        for name in running:
            try:
                await self.pause(name)
            except OutflankError:
                continue
        for reader in list(self._readers):
            reader.cancel()


class _Measurements:
    """The lines of a file of measurements, of which only what is new is read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[dict[str, float]] = []
        self._file: tuple[int, int] = (0, 0)  # device and number: a run that is resumed has another
        self._read = 0  # bytes

    def read(self) -> None:
        """Read the lines that were added; one that is only half written does not count."""
        try:
            with self.path.open("rb") as stream:
                facts = os.fstat(stream.fileno())
                if (facts.st_dev, facts.st_ino) != self._file or facts.st_size < self._read:
                    self.lines, self._read = [], 0
                    self._file = facts.st_dev, facts.st_ino
                stream.seek(self._read)
                content = stream.read()
        except FileNotFoundError:
            self.lines, self._read = [], 0
            return
        except OSError as error:
            raise FileError(self.path, "read", error) from error
        for line in content.split(b"\n")[:-1]:
            try:
                values = json.loads(line)
                if not isinstance(values["step"], int):
                    raise TypeError
            except (ValueError, KeyError, TypeError):
                number = len(self.lines) + 1
                raise DataError(f"{self.path}: line {number} is no measurement") from None
            self.lines.append(_numbers(values))
            self._read += len(line) + 1


def _numbers(line: dict[str, Any]) -> dict[str, float]:
    """Keep what can be drawn of a measurement."""
    return {
        key: value
        for key, value in line.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    }


def _finite(value: Any) -> Any:
    """Return a value as JSON can have it."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _last_line(path: Path) -> str:
    """Return the last line of a file, however long that is; empty if there is none."""
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - _LONGEST_LINE))
            lines = stream.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""
