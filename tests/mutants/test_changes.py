"""The changes of a mutation run, on programs of one line."""

from __future__ import annotations

import pytest

from mutants.changes import changes_of
from mutants.run import NAMED, TARGETS, Mutant, mutants_of, sampled


@pytest.mark.parametrize(
    ("program", "changed"),
    [
        ("a < b", {"a <= b"}),
        ("a is not b", {"a is b"}),
        ("a in b", {"a not in b"}),
        ("a + b", {"a - b"}),
        ("not a", {"a"}),
        ("a and b", {"a or b"}),
        ("f(x=True)", {"f(x=False)"}),
        ("'é' + a", {"'é' - a"}),
        ("a * 2.5", {"a / 2.5", "a * 3.5"}),
        ('"text"', set()),
        ("dataclass(frozen=True)", set()),
        ("a % 'x'", {"a * 'x'"}),
    ],
)
def test_changes(program: str, changed: set[str]) -> None:
    assert {change.of(program) for change in changes_of(program)} == changed


def test_a_change_is_described_by_its_line() -> None:
    program = "x = 1\nif x < y:\n    pass\n"
    found = [change.described(program) for change in changes_of(program)]
    assert "2: if x < y:  ->  if x <= y:" in found


def test_every_target_and_every_named_mutant_is_there() -> None:
    for target in TARGETS:
        assert target.path.is_file()
        assert all(path.exists() for path in target.test_paths)
        assert any(True for _ in mutants_of(target))
    for mutant in NAMED:
        assert isinstance(mutant, Mutant)
        assert mutant.text() != mutant.target.path.read_text()


def test_a_sample_is_the_same_for_a_seed() -> None:
    first, again, other = sampled(20, 1), sampled(20, 1), sampled(20, 2)
    assert first == again != other
    assert len({one.target.file for one in first}) > 8
