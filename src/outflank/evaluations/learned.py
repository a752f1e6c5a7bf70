"""Learned and evolved evaluations: shipped ones by name, others by their files."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from outflank._core import Evaluation
from outflank.errors import DataError, FileError
from outflank.evaluations import champion, evolved, patterns
from outflank.files import located, needed
from outflank.models import Model, shipped_models
from outflank.nets.files import kind_of

PLAYER_FILE = "player.safetensors"  # in the folder of a run that evolved players, the best one

_SUFFIX = ".safetensors"
_LOADERS: dict[str, Callable[[Path], Evaluation]] = {
    champion.KIND: champion.load_champion,
    patterns.KIND: patterns.load_patterns,
    evolved.KIND: lambda path: evolved.EvolvedNetwork.load(path).evaluation(),
}


def shipped_evaluations() -> dict[str, Model]:
    """Return the shipped models that are evaluations, by name."""
    return {name: model for name, model in shipped_models().items() if model.kind in _LOADERS}


def is_learned(name: str) -> bool:
    """Return whether this names a shipped evaluation, a file, or a run's folder."""
    return name.lower().endswith(_SUFFIX) or name in shipped_evaluations() or _is_run(name)


def find_player_file(name: str) -> Path:
    """Return the file of a learned evaluation: the file itself, or that in a run's folder."""
    path = located(name)
    path = path / PLAYER_FILE if _is_run(name) else path
    return needed(path) if path.is_file() else path


def _is_run(name: str) -> bool:
    try:
        return bool(name) and (located(name) / PLAYER_FILE).is_file()
    except (OSError, FileError):  # longer than a name can be
        return False


def learned_path(name: str) -> Path:
    """Return the file of the shipped evaluation of this name, a file, or that of a run's folder."""
    shipped = shipped_evaluations()
    return shipped[name].path if name in shipped else find_player_file(name)


def learned_evaluation(name: str) -> Evaluation:
    """Load the shipped evaluation of this name, or that of a file or of a run's folder."""
    path = learned_path(name)
    return _load(path, path.stat().st_mtime_ns if path.is_file() else 0)


# A tournament makes the same players many times; a changed file is read again.
@lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> Evaluation:
    kind = kind_of(path)
    if kind not in _LOADERS:
        raise DataError(f"{path}: holds no evaluation")
    return _LOADERS[kind](path)
