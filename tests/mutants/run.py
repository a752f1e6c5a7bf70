"""`make mutants`: changes the program in small ways and counts how many the tests notice.

Each mutant is a copy of the package in which one file differs by one change (changes.py, or NAMED:
those that once survived). A process of its own runs the tests of that file on the copy; the mutant
is killed if they fail. The clone itself is never changed.

    python -m mutants.run [--sample 60] [--seed 1] [--named] [--only studies/estimate.py]
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mutants.changes import Change, changes_of
from outflank import _core

TESTS = Path(__file__).resolve().parents[1]
PACKAGE = TESTS.parent / "src" / "outflank"
_LONGEST = 300  # seconds; what takes longer is killed, as an endless loop is


@dataclass(frozen=True)
class Target:
    """A file of the package and the tests that should notice its changes."""

    file: str
    tests: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file."""
        return PACKAGE / self.file

    @property
    def test_paths(self) -> list[Path]:
        """The tests' files."""
        return [TESTS / test.partition("::")[0] for test in self.tests]


@dataclass(frozen=True)
class Mutant:
    """A target with one change: a place in the text, or words that are replaced."""

    target: Target
    change: Change

    def text(self) -> str:
        """Return the changed file."""
        return self.change.of(self.target.path.read_text())

    def __str__(self) -> str:
        return f"{self.target.file}:{self.change.described(self.target.path.read_text())}"


_SHIPPED = "studies/test_shipped_results.py::test_claims_are_what_the_code_says_of_the_rows"
_PRINTED = "studies/test_shipped_results.py::test_figures_of_the_papers_are_those_of_the_data_file"
CLAIMS = ("studies/test_imitation_claims.py", _SHIPPED)
TARGETS = [
    Target("studies/estimate.py", ("studies/test_workbench.py::test_rows_and_estimates",
                                   "studies/test_workbench.py::test_students_t",
                                   "studies/test_workbench.py::test_the_mean_of_trainings",
                                   "studies/test_workbench.py::test_the_winning_rate_of_a_match",
                                   "studies/test_workbench.py::test_changes_may_be_negative",
                                   *CLAIMS)),
    Target("studies/result.py", ("studies/test_workbench.py::test_rows_and_estimates",
                                 "studies/test_study_command.py::test_judging_anew",
                                 "studies/test_workbench.py::test_results_that_cannot_be_read",
                                 "studies/test_workbench.py::test_a_claim_is_judged_by_the_interval",
                                 "studies/test_coevolution_claims.py", *CLAIMS)),
    Target("studies/imitation/claims.py", CLAIMS),
    Target("studies/imitation/evidence.py", CLAIMS),
    Target("studies/coevolution/claims.py", ("studies/test_coevolution_claims.py",
                                             _SHIPPED)),
    Target("studies/documents.py", ("studies/test_documents.py",)),
    Target("studies/sources.py", ("studies/test_sources.py",)),
    Target("lab/guard.py", ("lab/test_guard.py",)),
    Target("data/splits.py", ("data/test_splits.py", "data/test_extraction.py")),
    Target("data/years.py", ("data/test_years.py",)),
    Target("data/examples.py", ("data/test_extraction.py", "data/test_unique.py")),
    Target("learn/coevolution/selection.py", ("learn/test_generations.py",)),
    Target("learn/coevolution/observing.py", ("learn/test_coevolution.py",)),
    Target("learn/imitation/measuring.py", ("learn/test_measuring.py",)),
    Target("learn/imitation/timing.py", ("learn/test_measuring.py",)),
]  # fmt: skip


def _named(file: str, old: str, new: str, *tests: str) -> Mutant:
    target = Target(file, tests)
    place = target.path.read_text().index(old)
    return Mutant(target, Change(place, place + len(old), new))


_OPTIMISER = "learn/imitation/convolutional.py"
_TRAINING = "learn/test_imitation_training.py::test_weights_decay_and_biases_do_not"
_MERGED = (
    "data/test_extraction.py"
    "::test_values_of_examples_that_are_merged_count_as_often_as_they_were_played"
)
# Changes that the tests of version 0.2.0 did not notice.
NAMED = [
    _named("studies/papers.json", "[77.9, 85.2", "[77.8, 85.2", _PRINTED),
    _named("studies/papers.json", "[87.5, 1.0", "[87.4, 1.0", _PRINTED),
    _named("studies/imitation/claims.py", "_LEGAL = 99.9", "_LEGAL = 99.5", CLAIMS[0]),
    _named("studies/imitation/claims.py", "above=2.0", "above=1.0", CLAIMS[0]),
    _named("studies/coevolution/claims.py", "_LITTLE = 5.0", "_LITTLE = 9.0",
           "studies/test_coevolution_claims.py"),
    _named("studies/estimate.py", "4.303", "4.003", "studies/test_workbench.py::test_students_t"),
    _named("studies/estimate.py", "3.182", "3.082", "studies/test_workbench.py::test_students_t"),
    _named("studies/imitation/effort.py", "if not self.examples:", "if True:", CLAIMS[0]),
    _named("learn/coevolution/selection.py", "-2 if order[-1] == best else -1", "-1",
           "learn/test_generations.py::test_the_best_of_all_is_there_twice_if_it_survived_as_last"),
    _named("learn/coevolution/observing.py", "(one > 0 for", "(one >= 0 for",
           "learn/test_coevolution.py::test_a_drawn_game_beats_nobody"),
    _named(_OPTIMISER, '"weight_decay": 0.0', '"weight_decay": config.l2', _TRAINING),
    _named("data/extraction.py", "0.25, 0.05", "0.25, 0.25",
           "data/test_extraction.py::test_a_twentieth_of_the_mirror_images_is_held_out"),
    _named("data/examples.py", "examples.value * examples.count", "examples.value",
           _MERGED),
    _named("learn/imitation/timing.py", "statistics.median(took) / batch",
           "statistics.median(took)",
           "learn/test_measuring.py::test_the_time_of_a_batch_is_shared_by_its_positions"),
    _named("lab/guard.py", "_PER_SECOND * (now - seen)", "0.0", "lab/test_guard.py"),
    _named("lab/guard.py", "len(self._clients) > _CLIENTS", "False", "lab/test_guard.py"),
    _named("lab/guard.py", '("cross-site", "same-site")', '("cross-site",)', "lab/test_guard.py"),
]  # fmt: skip


def mutants_of(target: Target) -> Iterator[Mutant]:
    """Return all mutants of a file."""
    return (Mutant(target, change) for change in changes_of(target.path.read_text()))


def sampled(count: int, seed: int, only: str = "") -> list[Mutant]:
    """Return some mutants of all files, as many of each file as its share of all changes."""
    every = [one for target in TARGETS if only in target.file for one in mutants_of(target)]
    return random.Random(seed).sample(every, min(count, len(every)))


class Copy:
    """A copy of the package, all links, in which one file at a time differs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for path in PACKAGE.rglob("*"):
            compiled = "__pycache__" in path.parts or path.name.startswith("_core.cpython")
            if path.is_file() and not compiled:
                place = self._place(path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(path)
        core = Path(_core.__file__)
        (folder / "src" / "outflank" / core.name).symlink_to(core)

    def kills(self, mutant: Mutant) -> bool:
        """Run the tests of a mutant on the copy; whether they noticed it."""
        place = self._place(mutant.target.path)
        self._replace(place, mutant.text())
        try:
            return self._fails(mutant.target.tests)
        finally:
            self._replace(place, None)

    def _fails(self, tests: Sequence[str]) -> bool:
        places = (self.folder / "src", TESTS, Path(np.__file__).parents[1])
        paths = os.pathsep.join(map(str, places))
        done = subprocess.run(
            # Without site, which would find the package that is installed.
            [sys.executable, "-S", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
            cwd=TESTS, capture_output=True, check=False, timeout=_LONGEST,
            # Plugins that happen to be installed take longer to load than most tests to run.
            env={**os.environ, "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )  # fmt: skip
        if done.returncode not in (0, 1, 2):  # 2: what cannot even be imported
            raise SystemExit(done.stdout.decode() + done.stderr.decode())
        return done.returncode != 0

    def _place(self, path: Path) -> Path:
        return self.folder / "src" / "outflank" / path.relative_to(PACKAGE)

    def _replace(self, place: Path, text: str | None) -> None:
        """Write a file in the place of a link, or put the link back; nothing compiled is left."""
        for compiled in (place.parent / "__pycache__").glob(f"{place.stem}.*"):
            compiled.unlink()
        place.unlink()
        if text is None:
            place.symlink_to(PACKAGE / place.relative_to(self.folder / "src" / "outflank"))
        else:
            place.write_text(text)


def main(words: Sequence[str]) -> int:
    """Run the mutants and print the survivors and the score."""
    parser = argparse.ArgumentParser(description="Count how many small changes the tests notice.")
    parser.add_argument("--sample", type=int, default=60, help="mutants that are drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--only", default="", help="part of a file's name")
    parser.add_argument("--named", action="store_true", help="only those that once survived")
    chosen = parser.parse_args(words)
    mutants = list(NAMED)
    if not chosen.named:
        mutants += sampled(chosen.sample, chosen.seed, chosen.only)
    survivors, began = [], time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        for number, mutant in enumerate(mutants, 1):
            try:
                killed = copy.kills(mutant)
            except subprocess.TimeoutExpired:
                killed = True
            if not killed:
                survivors.append(mutant)
            verdict = "killed" if killed else "SURVIVED"
            print(f"{number}/{len(mutants)} {verdict} {mutant}", flush=True)
    share = 100 * (1 - len(survivors) / len(mutants))
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} killed: {share:.0f}%, "
          f"{time.monotonic() - began:.0f} s")  # fmt: skip
    return int(share < 85)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
