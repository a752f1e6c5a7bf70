"""Training in a separate process, for programs that have other work to do.

The process is `python -m outflank.learn`. It reads its request from standard input and reports in
the run's status.json and metrics.jsonl, which anybody may read.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from outflank.learn.learner import Learner, Options
from outflank.learn.session import train_run
from outflank.learn.settings import Settings

_MODULE = "outflank.learn"


class TrainingProcess:
    """A process that trains one run.

    Args:
        learner: The learner that trains it.
        folder: Of the run.
        config: Of a new run; None resumes the run in the folder.
        options: Values of the learner's options; others are ignored.
    """

    def __init__(
        self, learner: Learner, folder: Path, config: Settings | None, options: Options
    ) -> None:
        request = {
            "learner": learner.name,
            "folder": str(folder.resolve()),
            "config": None if config is None else config.to_json(),
            "options": _to_json(learner, options),
        }
        self._ends, self._said = False, ""  # whether it was asked to end; its last words
        self._looking = threading.Lock()  # several threads may look
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed when it has ended
        self._process = subprocess.Popen(  # noqa: S603  # this very interpreter
            [sys.executable, "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C in a terminal is for the program that started it
        )
        assert self._process.stdin is not None  # noqa: S101
        with suppress(BrokenPipeError), self._process.stdin as stream:  # it may have died at once
            stream.write(json.dumps(request).encode())

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        with self._looking:
            if self._process.poll() is None:
                return True
            if not self._errors.closed:  # the first look after its end
                self._errors.seek(0)
                self._said = self._errors.read().decode("utf-8", "replace").strip()
                self._errors.close()
            return False

    def pause(self, patience: float) -> None:
        """Let it write a checkpoint and end; kill it if that takes more than `patience` seconds."""
        self._ends = True
        self._process.terminate()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def problem(self) -> str:
        """Its last error line, if it failed by itself; otherwise empty.

        A killed process is no problem: its run can be resumed.
        """
        if self.is_running or self._process.returncode <= 0 or self._ends:
            return ""
        last = self._said.splitlines()[-1:] or ["the process failed without an error message"]
        return last[0]


def serve(request: Any) -> None:
    """Carry out a request: the other end of TrainingProcess."""
    from outflank.learn.registry import find_learner

    learner = find_learner(request["learner"])
    fields = request["config"]
    config = None if fields is None else learner.config.from_json(fields)
    options = _from_json(learner, request["options"])
    train_run(learner, Path(request["folder"]), config, options=options)


def _to_json(learner: Learner, options: Options) -> dict[str, Any]:
    chosen = learner.chosen_options(options)
    return {
        name: str(value.resolve()) if isinstance(value, Path) else value
        for name, value in chosen.items()
    }


def _from_json(learner: Learner, values: Options) -> dict[str, Any]:
    kinds = {option.name: option.kind for option in learner.all_options}
    return {name: value if value is None else kinds[name](value) for name, value in values.items()}
