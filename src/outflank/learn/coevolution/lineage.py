"""A run's past: networks of archived generations, and the ancestors of a network."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from outflank.errors import DataError
from outflank.evaluations.evolved import EvolvedNetwork
from outflank.learn.coevolution.config import CoevolutionConfig
from outflank.learn.coevolution.contest import network_of
from outflank.learn.coevolution.evolution import ARCHIVE, load_population
from outflank.learn.coevolution.variation import Weights

_NAME = re.compile(r"generation-([0-9]+)\.safetensors")


@dataclass(frozen=True, eq=False)
class Ancestor:
    """An ancestor of a network, which was a parent in an archived generation."""

    generation: int
    number: int
    born: int
    rank: int  # among the parents of that generation, from 1
    weights: Weights


def archived_generations(run: Path) -> dict[int, Path]:
    """Return the files of a run's archive by generation."""
    folder = run / ARCHIVE
    names = {path: _NAME.fullmatch(path.name) for path in folder.glob("generation-*")}
    found = {int(matched[1]): path for path, matched in names.items() if matched}
    if not found:
        raise DataError(f"{run}: not a run of coevolution (it has no {ARCHIVE})")
    return dict(sorted(found.items()))


def network_of_run(run: Path, *, generation: int | None = None, rank: int = 1) -> EvolvedNetwork:
    """Return the network of a rank (from 1) in an archived generation, the last if None."""
    archive = archived_generations(run)
    generation = max(archive) if generation is None else generation
    if generation not in archive:
        raise DataError(
            f"{run}: generation {generation} was not archived; "
            f"there are {', '.join(map(str, archive))}"
        )
    parents, _, facts = load_population(archive[generation])
    if not 1 <= rank <= len(parents):
        raise DataError(f"{run}: rank {rank}; accepted is 1 to {len(parents)}")
    config = CoevolutionConfig.from_json(facts["config"], str(run))
    past = {
        "generation": generation,
        "rank": rank,
        "number": int(parents.number[rank - 1]),
        "born": int(parents.born[rank - 1]),
        "points": facts["points"][rank - 1],
        "config": config.to_json(),
    }
    return network_of(config, parents.weights[rank - 1], past)


def ancestors(run: Path, *, rank: int = 1, every: int = 1) -> list[Ancestor]:
    """Return the ancestors of a network of the last generation, oldest first.

    There is one for each archived generation whose number is a multiple of `every`, and the last. A
    parent that survived several generations appears several times.
    """
    archive = archived_generations(run)
    last, family, _ = load_population(archive[max(archive)])
    if not 1 <= rank <= len(last):
        raise DataError(f"{run}: rank {rank}; accepted is 1 to {len(last)}")
    parent_of = {int(number): int(parent) for number, parent, _ in family}
    line = [int(last.number[rank - 1])]
    while parent_of[line[-1]] >= 0:
        line.append(parent_of[line[-1]])
    found = []
    for generation, path in archive.items():
        if generation % every and generation != max(archive):
            continue
        parents, _, _ = load_population(path)
        there = [place for place, number in enumerate(parents.number) if number in line]
        place = max(there, key=lambda place: int(parents.born[place]))  # the line goes on from it
        number, born = int(parents.number[place]), int(parents.born[place])
        found.append(Ancestor(generation, number, born, place + 1, parents.weights[place]))
    return found
