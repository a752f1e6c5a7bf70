"""Each table and figure of the papers as an experiment that can be run again, at three scales."""

from importlib import import_module

from outflank.studies.contender import Contender
from outflank.studies.drawing import draw
from outflank.studies.estimate import Estimate
from outflank.studies.registry import (
    SCALES,
    ChangedVerdict,
    Study,
    StudyRow,
    find_study,
    rejudge,
    studies,
    study,
    study_rows,
)
from outflank.studies.result import (
    Claim,
    Column,
    Findings,
    Origin,
    Plot,
    Result,
    Row,
    find_result,
    result_path,
)
from outflank.studies.sources import why_stale
from outflank.studies.workbench import StudyListener, Workbench

__all__ = [
    "SCALES",
    "ChangedVerdict",
    "Claim",
    "Column",
    "Contender",
    "Estimate",
    "Findings",
    "Origin",
    "Plot",
    "Result",
    "Row",
    "Study",
    "StudyListener",
    "StudyRow",
    "Workbench",
    "draw",
    "find_result",
    "find_study",
    "rejudge",
    "result_path",
    "studies",
    "study",
    "study_rows",
    "why_stale",
]

# Importing these enters their studies in the registry.
_MODULES = {
    "imitation": ("accuracy", "architectures", "heat_maps", "strength", "search", "comparisons"),
    "value": ("tables", "style", "play", "seven_sets"),
    "selfplay": ("tables", "leads", "curve", "ablations"),
    "coevolution": ("figures", "games", "variants", "heredity", "reproduction"),
    "champion": ("ladder", "data_curve"),
}
for _paper, _names in _MODULES.items():
    for _name in _names:
        import_module(f"outflank.studies.{_paper}.{_name}")
