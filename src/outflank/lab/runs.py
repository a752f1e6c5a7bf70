"""Training from the page: each run is a process of the command, which may be paused and resumed.

A run goes on when the page is closed. It is ended when the server ends, with a checkpoint.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outflank.errors import DataError, OutflankError
from outflank.lab.learners import LEARNERS, Learner, learner_of
from outflank.lab.roster import player_of_run
from outflank.learn import Run

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,39}")
_SETTING = re.compile(r"[a-z_0-9]+=[A-Za-z0-9_.,+-]*")
_MOST_AT_ONCE = 2
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_TO_END = 60.0


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

    def listed(self) -> list[dict[str, Any]]:
        """Describe all runs, those that train first."""
        names = [path.name for path in self._folders()]
        rows = [self.describe(name) for name in names]
        return sorted(rows, key=lambda row: (row["state"] != "running", row["name"]))

    def _folders(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return sorted(p for p in self.folder.iterdir() if (p / "config.json").is_file())

    def describe(self, name: str) -> dict[str, Any]:
        """Describe a run in a few words."""
        run = self._open(name)
        learner = learner_of(run.config)
        held = self._processes.get(name)
        metrics = run.metrics()
        last = metrics[-1] if metrics else {}
        checkpoint = run.last_checkpoint()
        progress = held.progress if held else {}
        step = progress.get("step", max(last.get("step", 0), checkpoint.step if checkpoint else 0))
        steps = progress.get("steps")
        return {
            "name": name,
            "learner": learner.name if learner else None,
            "state": self._state(name),
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
            "config": run.config,
            "metrics": [_numbers(line) for line in run.metrics()],
            "curves": learner.curves if learner else [],
        }

    def _open(self, name: str) -> Run:
        if not _NAME.fullmatch(name) or not (self.folder / name / "config.json").is_file():
            raise DataError(f"no such run: {name}")
        return Run.open(self.folder / name)

    def _is_running(self, name: str) -> bool:
        held = self._processes.get(name)
        return held is not None and held.process.returncode is None

    def _state(self, name: str) -> str:
        if self._is_running(name):
            return "running"
        held = self._processes.get(name)
        if held is not None and held.problem:
            return "failed"
        log = self.folder / name / "log.txt"
        lines = log.read_text("utf-8").splitlines() if log.is_file() else []
        if lines and " finished " in f"{lines[-1]} ":
            return "finished"
        return "stopped" if held is not None and held.wanted == "stopped" else "paused"

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
                held.progress.update({key: heard[key] for key in known if key in heard})
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
        while not (self.folder / name / "config.json").is_file():
            if held.process.returncode is not None:
                await asyncio.sleep(0.1)
                raise DataError(held.problem or "training did not begin")
            await asyncio.sleep(0.05)
        return self.describe(name)

    async def pause(self, name: str, wanted: str = "paused") -> dict[str, Any]:
        """Let a run write a checkpoint and end its process."""
        self._open(name)
        held = self._processes.get(name)
        if held is None or not self._is_running(name):
            if wanted == "paused":
                raise DataError(f"{name} is not training")
            if held is not None:
                held.wanted = wanted
            return self.describe(name)
        held.wanted = wanted
        held.process.terminate()
        try:
            await asyncio.wait_for(held.process.wait(), _SECONDS_TO_END)
        except asyncio.TimeoutError:
            held.process.kill()
            await held.process.wait()
        return self.describe(name)

    async def stop(self, name: str) -> dict[str, Any]:
        """End a run; it could still be resumed."""
        return await self.pause(name, "stopped")

    async def resume(self, name: str) -> dict[str, Any]:
        """Go on with a run from its last checkpoint."""
        run = self._open(name)
        if self._is_running(name):
            raise DataError(f"{name} is training already")
        if self._state(name) == "finished":
            raise DataError(f"{name} is finished")
        learner = learner_of(run.config)
        if learner is None:
            raise DataError(f"{name}: no learner here made this run")
        await self._launch(learner, name, ["--resume"])
        return self.describe(name)

    async def news(self, name: str) -> AsyncIterator[dict[str, Any]]:
        """Yield a run's description whenever it changes, with the new measurements."""
        known, last = -1, None
        while True:
            lines = [line for line in self._open(name).metrics() if line["step"] > known]
            described = self.describe(name)
            if lines or described != last:
                last = described
                known = lines[-1]["step"] if lines else known
                yield {"run": described, "metrics": [_numbers(line) for line in lines]}
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


def _numbers(line: dict[str, Any]) -> dict[str, float]:
    """Keep what can be drawn of a measurement."""
    return {
        key: value
        for key, value in line.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
