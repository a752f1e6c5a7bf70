"""Each table and figure of the papers as an experiment that can be run again, at three scales."""

from importlib import import_module

from outflank.studies.contender import Contender
from outflank.studies.drawing import draw
from outflank.studies.estimate import Estimate
from outflank.studies.registry import (
    SCALES,
    Study,
    StudyRow,
    find_study,
    studies,
    study,
    study_rows,
)
from outflank.studies.result import (
    Claim,
    Column,
    Findings,
    Plot,
    Result,
    Row,
    find_result,
    result_path,
)
from outflank.studies.workbench import StudyListener, Workbench

__all__ = [
    "SCALES",
    "Claim",
    "Column",
    "Contender",
    "Estimate",
    "Findings",
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
    "result_path",
    "studies",
    "study",
    "study_rows",
]

# Importing these enters their studies in the registry.
_MODULES = {
    "imitation": ("accuracy", "architectures", "heat_maps", "strength", "search"),
    "value": ("tables", "style"),
    "selfplay": ("tables", "leads", "curve", "ablations"),
    "coevolution": ("figures", "games", "variants", "heredity", "reproduction"),
}
for _paper, _names in _MODULES.items():
    for _name in _names:
        import_module(f"outflank.studies.{_paper}.{_name}")
