"""What a learner says about itself, once, for the command, the page and the documentation."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outflank.errors import OutflankError
from outflank.learn.run import Run
from outflank.learn.settings import Preset, Settings, find_preset
from outflank.learn.team import Team
from outflank.learn.training import Trainer

Options = Mapping[str, Any]


def no_report(text: str) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class TrainingContext:
    """What a trainer is given besides its configuration: where and with what it works.

    Attributes:
        folder: of the run; it may not exist yet.
        options: values of the learner's own options, by name.
        team: the processes that train together.
        report: takes a line on what is being prepared, for people.
    """

    folder: Path
    options: Options = field(default_factory=dict)
    team: Team = field(default_factory=Team)
    report: Callable[[str], None] = no_report


@dataclass(frozen=True)
class Option:
    """Something that a machine or a user gives to training, and that is no part of a configuration.

    Attributes:
        name: `wthor` is `--wthor` in the command.
        kind: the type of its values.
        default: its value if it is not given.
        help: one line.
        least: the smallest value accepted, for a number.
    """

    name: str
    kind: type
    default: Any
    help: str
    least: int | None = None


@dataclass(frozen=True)
class Need:
    """Something that must be there to learn.

    Attributes:
        name: in lists.
        missing: returns why it is not there, given the options, or None if it is.
        only_for: the part of the learner that needs it; empty: all of it.
    """

    name: str
    missing: Callable[[Options], str | None]
    only_for: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.only_for})" if self.only_for else self.name


@dataclass(frozen=True)
class Curve:
    """A figure worth drawing of a run's measurements.

    Attributes:
        title: above it.
        series: labels by the names of measurements.
        unit: of its values; "share" is drawn in percent.
        help: what it shows, in a sentence or two.
    """

    title: str
    series: Mapping[str, str]
    unit: str = ""
    help: str = ""


def _folder_of(run: Run) -> list[str]:
    return [str(run.folder)]


@dataclass(frozen=True)
class Learner:
    """A way of learning.

    Attributes:
        name: in the command, in config.json and on the page.
        title: a sentence for people.
        config: the class of its configurations.
        presets: named configurations.
        default: the preset that the page suggests; it should take seconds.
        trainer: makes the trainer of a configuration, which is closed when its block is left.
            It imports what is heavy only when it is called.
        player: returns the spec of what a run's folder plays as now, or None if it cannot yet.
        plays: what that player is, in a few words.
        about: what the command's help says below the title; paragraphs and examples.
        curves: figures worth drawing.
        needs: what must be there.
        options: what the command takes besides the options that all learners have.
        closed: settings that the page must not change, because they name files.
        closing: returns what the command prints for people when training has ended.
    """

    name: str
    title: str
    config: type[Settings]
    presets: Mapping[str, Preset]
    default: str
    trainer: Callable[[Any, TrainingContext], AbstractContextManager[Trainer]]
    player: Callable[[Path], str | None]
    plays: str = "as it plays now"
    about: str = ""
    curves: Sequence[Curve] = ()
    needs: Sequence[Need] = ()
    options: Sequence[Option] = ()
    closed: Sequence[str] = ()
    closing: Callable[[Run], list[str]] = _folder_of

    def configure(self, preset: str, settings: Sequence[str] = ()) -> Settings:
        """Return the configuration of a preset with some settings, or say what is wrong with it."""
        return find_preset(self.presets, preset, self.config).with_settings(settings)

    def is_closed(self, setting: str) -> bool:
        """Return whether the page must not change a setting, under whatever name."""
        return self.config.ALIASES.get(setting, setting) in self.closed

    def chosen_options(self, given: Options) -> dict[str, Any]:
        """Return the values of its options; `given` may hold those of other learners, too."""
        return {one.name: given.get(one.name, one.default) for one in self.options}

    def missing(self, options: Options) -> str | None:
        """Return why it cannot train at all with some options, or None if it can."""
        whole = [need.missing(options) for need in self.needs if not need.only_for]
        return next((problem for problem in whole if problem), None)


def _why_no_games(options: Options) -> str | None:
    from outflank.data.store import wthor_folder

    try:
        wthor_folder(options.get("wthor"))
    except OutflankError as error:
        return str(error)
    return None


def _why_no_torch(options: Options) -> str | None:
    if importlib.util.find_spec("torch") is None:
        return "PyTorch is not installed"
    return None


GAMES = Need("games", _why_no_games)
PYTORCH = Need("PyTorch", _why_no_torch)

WTHOR = Option("wthor", Path, None, "Folder of WThor files. Without: the store's.")
WORKERS = Option("workers", int, 2, "Processes that play; the result is the same for any.", least=1)
