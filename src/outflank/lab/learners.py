"""The learners that the page can start. A new one is one more entry here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outflank.data import wthor_folder
from outflank.errors import OutflankError
from outflank.learn.coevolution import PRESETS as COEVOLUTION
from outflank.learn.coevolution import CoevolutionConfig
from outflank.learn.imitation.config import PRESETS as IMITATION
from outflank.learn.imitation.config import ImitationConfig
from outflank.learn.settings import Preset, Settings, find_preset

_PLOTTED = {
    "imitation": [
        {
            "title": "Accuracy",
            "unit": "share",
            "series": [
                {"name": "accuracy", "label": "training"},
                {"name": "held_out_accuracy", "label": "held out"},
            ],
        },
        {
            "title": "Loss",
            "unit": "",
            "series": [
                {"name": "loss", "label": "training"},
                {"name": "held_out_loss", "label": "held out"},
            ],
        },
    ],
    "coevolution": [
        {
            "title": "Observers",
            "unit": "rungs",
            "series": [{"name": "score", "label": "rungs climbed, mean of the parents"}],
        },
        {
            "title": "Levels",
            "unit": "parents",
            "series": [
                {"name": "novices", "label": "novices"},
                {"name": "intermediates", "label": "intermediates"},
                {"name": "masters", "label": "masters"},
            ],
        },
        {
            "title": "Points",
            "unit": "points",
            "series": [
                {"name": "points", "label": "mean of the parents"},
                {"name": "most_points", "label": "the best"},
            ],
        },
        {"title": "Weights", "unit": "", "series": [{"name": "weight_size", "label": "size"}]},
    ],
}


@dataclass(frozen=True)
class Learner:
    """A way of learning.

    closed: settings that the page must not choose, because they name files. options: words of the
    command beside those that all learners have. needs: why it cannot run here, or nothing.
    """

    name: str
    title: str
    config: type[Settings]
    presets: Mapping[str, Preset]
    default: str
    curves: list[dict[str, Any]]
    closed: tuple[str, ...] = ()
    needs: Callable[[Path | None], str | None] = lambda wthor: None
    options: Callable[[Path | None], list[str]] = lambda wthor: []

    def configure(self, preset: str, settings: list[str]) -> Settings:
        """Return the configuration, or tell what is wrong with it."""
        return find_preset(self.presets, preset, self.config).with_settings(settings)

    def to_json(self, wthor: Path | None) -> dict[str, Any]:
        """Describe it to the page."""
        return {
            "name": self.name,
            "title": self.title,
            "presets": [
                {"name": name, "summary": preset.text} for name, preset in self.presets.items()
            ],
            "default": self.default,
            "needs": self.needs(wthor),
        }


def _games_problem(wthor: Path | None) -> str | None:
    try:
        wthor_folder(wthor)
    except OutflankError as error:
        return str(error)
    return None


def _games_options(wthor: Path | None) -> list[str]:
    return [] if wthor is None else ["--wthor", str(wthor.resolve())]


LEARNERS = {
    learner.name: learner
    for learner in (
        Learner(
            "imitation",
            "Imitation: predict the moves of experts (paper 1)",
            ImitationConfig,
            IMITATION,
            "line-smoke",
            _PLOTTED["imitation"],
            closed=("start", "lessons", "teacher"),
            needs=_games_problem,
            options=_games_options,
        ),
        Learner(
            "coevolution",
            "Coevolution: networks that play each other (paper 4)",
            CoevolutionConfig,
            COEVOLUTION,
            "smoke",
            _PLOTTED["coevolution"],
        ),
    )
}


def learner_of(config: Mapping[str, Any]) -> Learner | None:
    """Tell which learner made a run, by the fields of its configuration."""
    for learner in LEARNERS.values():
        fields = set(learner.config.__dataclass_fields__)
        if fields >= set(config) and len(fields & set(config)) > len(fields) // 2:
            return learner
    return None
