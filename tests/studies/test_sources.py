"""What a result was made of, and when it is stale."""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import outflank
from outflank import __version__
from outflank.errors import FileError
from outflank.learn.coevolution import preset
from outflank.models import load_network
from outflank.studies import Contender, Origin, Result, Workbench, find_result, sources, why_stale
from outflank.studies.imitation.effort import EFFORTS
from outflank.studies.sources import changed_models, checksum, current_commit

SMALL = EFFORTS["smoke"].config("line", "unique", seed=7)


def shipped(name: str) -> Result:
    path = find_result(Path("away"), name, "laptop")
    assert path is not None
    return Result.load(path)


def test_the_checksum_is_of_the_contents_in_the_order_of_names(tmp_path: Path) -> None:
    for name, content in (("b", b"two"), ("a", b"one")):
        (tmp_path / name).write_bytes(content)
    wanted = hashlib.sha256(b"onetwo").hexdigest()
    assert checksum([tmp_path / "b", tmp_path / "a"]) == wanted
    with pytest.raises(FileError, match="cannot read"):
        checksum([tmp_path / "away"])


def test_the_commit_and_whether_the_source_was_changed(tmp_path: Path) -> None:
    assert current_commit(tmp_path) == ""

    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.example")
        done = subprocess.run(
            ["git", *who, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    git("init", "--quiet")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("one")
    git("add", ".")
    git("commit", "--quiet", "--message", "one")
    commit = git("rev-parse", "HEAD")
    assert current_commit(tmp_path) == commit
    (tmp_path / "notes").write_text("not part of it")
    assert current_commit(tmp_path) == commit
    (tmp_path / "src" / "a.py").write_text("two")
    assert current_commit(tmp_path) == f"{commit}+"


def test_the_source_is_where_the_clone_is() -> None:
    assert Path(outflank.__file__).parent == sources._ROOT / "src" / "outflank"


def test_a_result_says_what_it_was_made_of(tmp_path: Path, wthor: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("f5d6c3\nf5f6e6\n")
    bench = Workbench(tmp_path / "out", wthor=wthor, openings=str(openings))
    bench.need_games()
    bench.openings(2)
    network = bench.train(SMALL)
    bench.measure(network, "original", at_most=50)
    found = bench.sources.origin()
    assert found == Origin(
        current_commit(),
        __version__,
        checksum(wthor.glob("*.wtb")),
        checksum([openings]),
        {"line, pieces, unique, training 7": network.load().fingerprint},
        [7],
    )
    bench.sources.clear()
    assert bench.sources.origin() == Origin(current_commit(), __version__, seeds=[])


def test_the_seed_of_every_learner_is_noted(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, workers=1)
    config = preset("smoke").with_settings(["generations=1", "deepest=2", "top_depth=2", "seed=9"])
    for _ in range(2):  # trained, and found there
        bench.sources.clear()
        bench.learn("coevolution", config)
        assert bench.sources.origin().seeds == [9]


def test_a_result_whose_network_changed_is_stale() -> None:
    result = replace(shipped("imitation-table-7"), command="outflank study run x")
    today = load_network("imitation-0ply").fingerprint
    for models, changed in (
        ({"imitation-0ply": today}, []),
        ({"imitation-0ply": "another"}, ["imitation-0ply"]),
        ({"conv4, pieces, unique": "another"}, []),  # nobody knows what it is today
        ({"imitation-fast (looks one move ahead)": "x"}, ["imitation-fast (looks one move ahead)"]),
    ):
        made = replace(result, origin=Origin(models=models))
        assert changed_models(made) == changed
        assert bool(why_stale(made)) == bool(changed)
    assert why_stale(replace(result, origin=Origin())) == ""
    assert why_stale(made).endswith("make it anew with: outflank study run x")


def test_shipped_results_with_the_first_imitation_fast_are_stale() -> None:
    """It has a memory since; results of evolution have no shipped network."""
    assert "imitation-fast" in why_stale(shipped("imitation-table-2"))
    assert why_stale(shipped("coevolution-figure-3")) == ""
    assert why_stale(shipped("imitation-table-3")) == ""


def test_a_network_is_known_by_its_title(tmp_path: Path) -> None:
    seven = Contender("line", (tmp_path,), SMALL)
    assert seven.title == "line, pieces, unique, training 7"
