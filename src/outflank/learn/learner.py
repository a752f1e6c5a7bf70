"""A learner's description of itself, for the command, the lab and the documentation."""

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
        folder: Of the run; it may not exist yet.
        options: Values of the learner's own options, by name.
        team: The processes that train together.
        report: Takes a line about what is being prepared, for people.
    """

    folder: Path
    options: Options = field(default_factory=dict)
    team: Team = field(default_factory=Team)
    report: Callable[[str], None] = no_report


@dataclass(frozen=True)
class Option:
    """An option of a learner's command that is not part of its configuration.

    Attributes:
        name: `wthor` is `--wthor` in the command.
        kind: The type of its values.
        default: Its value if it is not given.
        help: One line.
        least: The smallest value accepted, for a number.
    """

    name: str
    kind: type
    default: Any
    help: str
    least: int | None = None


@dataclass(frozen=True)
class Need:
    """A requirement of a learner.

    Attributes:
        name: As lists show it.
        missing: Given the options, returns what is missing, or None.
        only_for: The part of the learner that needs it; empty: all of it.
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
        title: Above the figure.
        series: Labels by the names of measurements.
        unit: Of its values; "share" is drawn in percent.
        help: What it shows, in a sentence or two.
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
        name: In the command, in config.json and in the lab.
        title: A sentence for people.
        config: The class of its configurations.
        presets: Named configurations.
        default: The preset that the lab suggests; it should take seconds.
        trainer: Makes the trainer of a configuration, which is closed when its block is left.
            It should import heavy modules only when called.
        player: Returns the spec of the player in a run's folder, or None if there is none yet.
        plays: Short name of that player.
        about: The command's help below the title: paragraphs and examples.
        curves: Figures worth drawing.
        needs: Its requirements.
        options: Options of the command besides those that all learners have.
        closed: Settings that the lab must not change, because they name files.
        closing: Returns what the command prints when training has ended.
    """

    name: str
    title: str
    config: type[Settings]
    presets: Mapping[str, Preset]
    default: str
    trainer: Callable[[Any, TrainingContext], AbstractContextManager[Trainer]]
    player: Callable[[Path], str | None]
    plays: str = "its newest checkpoint"
    about: str = ""
    curves: Sequence[Curve] = ()
    needs: Sequence[Need] = ()
    options: Sequence[Option] = ()
    closed: Sequence[str] = ()
    closing: Callable[[Run], list[str]] = _folder_of

    @property
    def all_options(self) -> Sequence[Option]:
        """Its options, and where its workers work if it has any."""
        spreads = any(one.name == WORKERS for one in self.options)
        return (*self.options, CLUSTER) if spreads else self.options

    def configure(self, preset: str, settings: Sequence[str] = ()) -> Settings:
        """Return the configuration of a preset with some settings; DataError if that is wrong."""
        return find_preset(self.presets, preset, self.config).with_settings(settings)

    def is_closed(self, setting: str) -> bool:
        """Return whether the lab must not change a setting, by its present or an earlier name."""
        return self.config.ALIASES.get(setting, setting) in self.closed

    def chosen_options(self, given: Options) -> dict[str, Any]:
        """Return the values of its options; `given` may also hold those of other learners."""
        return {one.name: given.get(one.name, one.default) for one in self.all_options}

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

WTHOR = Option("wthor", Path, None, "Folder of WThor files. Default: the store's.")
WORKERS = "workers"
CLUSTER = Option(
    "cluster", str, None, "Where the workers are: local, ray, or ray://HOST:PORT (docs/cluster.md)."
)


def workers_option(usual: int) -> Option:
    """Return the option of a learner that spreads work over `usual` workers on this machine.

    Such a learner has `--cluster`, too. Its trainer asks outflank.cluster.count_workers how many
    there are, and outflank.cluster.start for them.
    """
    text = (
        f"Workers that play; the result does not depend on it. Default: {usual},"
        " or every core of a Ray cluster."
    )
    return Option(WORKERS, int, None, text, least=1)
