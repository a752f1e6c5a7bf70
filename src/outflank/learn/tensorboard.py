"""Measurements as TensorBoard event files; `tensorboard --logdir runs` shows them."""

from __future__ import annotations

import importlib.util
import math
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from outflank.errors import OutflankError
from outflank.learn.training import TrainingObserver


class EventFiles(TrainingObserver):
    """Writes every number of a measurement as a scalar; use it as a context manager.

    A killed process may have written measurements after the run's last checkpoint. Each session
    records the step at which it begins, and TensorBoard drops what earlier sessions wrote after it.

    Args:
        folder: Of the event files; each session adds one.
    """

    def __init__(self, folder: Path) -> None:
        if importlib.util.find_spec("tensorboard") is None:
            raise OutflankError(
                "event files need TensorBoard, which is not installed; "
                "install it with: pip install 'outflank[train]'"
            )
        self.folder = folder
        self._writer: Any = None

    def __enter__(self) -> EventFiles:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def began(self, step: int, steps: int) -> None:
        """Open a file whose measurements replace earlier ones after a step."""
        from tensorboard.compat.proto.event_pb2 import SessionLog
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._writer = EventFileWriter(str(self.folder))
        self._add(step + 1, session_log=SessionLog(status=SessionLog.START))
        self._writer.flush()

    def measured(self, step: int, metrics: Mapping[str, Any]) -> None:
        """Write the numbers of a measurement."""
        from tensorboard.compat.proto.summary_pb2 import Summary

        values = [
            Summary.Value(tag=name, simple_value=value)
            for name, value in metrics.items()
            if isinstance(value, (int, float)) and name != "step" and math.isfinite(value)
        ]
        self._add(step, summary=Summary(value=values))
        self._writer.flush()

    def _add(self, step: int, **content: Any) -> None:
        from tensorboard.compat.proto.event_pb2 import Event

        self._writer.add_event(Event(wall_time=time.time(), step=step, **content))
