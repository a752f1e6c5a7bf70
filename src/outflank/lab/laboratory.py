"""Everything that a server holds."""

from __future__ import annotations

import asyncio
import importlib.util
import tempfile
import threading
from pathlib import Path

from outflank.data.explorer import Explorer
from outflank.lab import answers
from outflank.lab.roster import Roster
from outflank.lab.runs import Runs
from outflank.lab.settings import LabSettings
from outflank.lab.tables import Tables
from outflank.lab.thinking import Pool
from outflank.lab.tournaments import Arena
from outflank.lab.uploads import Uploads
from outflank.studies import SCALES, Result, draw, find_result, find_study, study_rows, why_stale


class Laboratory:
    """What the lab's pages show: games, runs, results, studies, the explorer."""

    def __init__(self, settings: LabSettings) -> None:
        self.settings = settings
        self.roster = Roster(settings)
        self.pool = Pool()
        self.tables = Tables(settings.games, self.roster, self.pool)
        self.uploads = Uploads(settings.wthor)
        self.runs = Runs(settings.runs, settings.wthor)
        self.arena = Arena(settings.results, self.roster)
        self.studies = StoredStudies(settings.studies)
        self._explorer: asyncio.Task[Explorer] | None = None

    async def explorer(self) -> Explorer:
        """Return the index of the user's games, which is made on first use."""
        if self._explorer is None or (self._explorer.done() and self._explorer.exception()):
            folder = self.settings.wthor
            self._explorer = asyncio.create_task(asyncio.to_thread(Explorer, folder))
        return await asyncio.shield(self._explorer)

    async def close(self) -> None:
        """Save the games and end everything that runs."""
        self.tables.close()
        await self.runs.close()
        await self.arena.close()
        await self.pool.close()


class StoredStudies:
    """Results of studies, the user's and the shipped ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._drawing = threading.Lock()  # Matplotlib draws one figure at a time

    def listed(self) -> list[answers.StudyRow]:
        """Describe all studies, with the scales that have results."""
        return study_rows(self.folder)

    def result(self, name: str, scale: str) -> answers.StudyResult | None:
        """Return the result of a study at a scale, if there is one."""
        study = find_study(name)
        path = find_result(self.folder, study.name, scale) if scale in SCALES else None
        if path is None:
            return None
        found = Result.load(path)
        drawn = found.plot is not None and importlib.util.find_spec("matplotlib") is not None
        figure = f"/api/studies/{study.name}/figure?scale={scale}" if drawn else None
        return answers.StudyResult(**vars(found), figure=figure, stale=why_stale(found))

    def figure(self, name: str, scale: str) -> bytes | None:
        """Draw the figure of a study as SVG, if there is a result."""
        study = find_study(name)
        path = find_result(self.folder, study.name, scale) if scale in SCALES else None
        if path is None:
            return None
        with self._drawing, tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "figure.svg"
            draw(Result.load(path), target)
            return target.read_bytes()
