"""From games to training sets: as slow Python makes them, and as the paper counted them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reference
from data.made_games import GAMES, write_games
from data.slow_examples import (
    Row,
    ceiling,
    everything,
    groups,
    images,
    least_image,
    rows_of,
    triple,
    triples_of,
)
from data.wthor_bytes import wtb
from outflank import _core, data
from outflank.data import SETS, Examples, SymmetricExamples, extract_examples, open_examples
from outflank.data.examples import with_distinct_images, without_duplicates
from outflank.data.extraction import seen_shares
from outflank.data.splits import split_examples
from outflank.errors import DataError, RecordError
from strategies import random_game

ROWS = rows_of(GAMES)


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """A folder of the training sets of a few games."""
    made = extract_examples(wthor=write_games(tmp_path / "games"), out=tmp_path / "sets")
    return made.folder


def check_rows(examples: Examples, rows: list[Row]) -> None:
    """Check all but value and count."""
    assert triples_of(examples) == [triple(row.pair) for row in rows]
    for name in ("score", "game", "year", "ply"):
        expected = [getattr(row, name) for row in rows]
        assert getattr(examples, name).tolist() == expected, name


def test_original_has_every_move(sets: Path) -> None:
    original = open_examples(sets, "original", years=range(1990, 1993))
    check_rows(original, ROWS)
    assert original.value.tolist() == [row.result for row in ROWS]
    assert set(original.count.tolist()) == {1}
    boards = original.boards()
    assert (boards.legal_moves() >> original.move.astype(np.uint64) & np.uint64(1)).all()


def test_unique_has_each_pair_once(sets: Path) -> None:
    unique = open_examples(sets, "unique")
    grouped = groups(ROWS)
    check_rows(unique, [same[0] for same in grouped.values()])
    assert unique.count.tolist() == [len(same) for same in grouped.values()]
    means = [sum(row.result for row in same) / len(same) for same in grouped.values()]
    assert unique.value.tolist() == np.array(means, np.float32).tolist()
    assert len(unique) < len(ROWS)


def test_original_s_has_the_eight_images_of_each(sets: Path) -> None:
    symmetric = open_examples(sets, "original-s")
    taken = everything(symmetric)
    expected = [triple(image) for row in ROWS for image in images(row.pair)]
    assert triples_of(taken) == expected
    assert len(symmetric) == len(taken) == 8 * len(ROWS)
    assert taken.value.tolist() == [row.result for row in ROWS for _ in range(8)]
    assert symmetric.game.tolist() == taken.game.tolist()
    assert symmetric.year.tolist() == taken.year.tolist()


def test_unique_s_has_each_image_once(sets: Path) -> None:
    symmetric = open_examples(sets, "unique-s")
    taken = everything(symmetric)
    expected = {triple(image) for row in ROWS for image in images(row.pair)}
    assert len(triples_of(taken)) == len(symmetric) == len(expected)
    assert set(triples_of(taken)) == expected
    assert len(symmetric.base) - symmetric.whole == 2  # the moves on a diagonal
    assert len(expected) < 8 * len({least_image(row.pair) for row in ROWS})
    assert symmetric.game.tolist() == taken.game.tolist()
    results: dict[tuple[int, int, int], list[int]] = {}
    for row in ROWS:
        results.setdefault(least_image(row.pair), []).append(row.result)
    found = _core.canonical_examples(taken.own, taken.other, taken.move)
    least = list(zip(*(array.tolist() for array in found), strict=True))
    assert taken.count.tolist() == [len(results[key]) for key in least]
    means = [sum(results[key]) / len(results[key]) for key in least]
    assert taken.value.tolist() == np.array(means, np.float32).tolist()


def test_images_are_taken_by_index_mask_and_slice(sets: Path) -> None:
    symmetric = open_examples(sets, "unique-s")
    taken = triples_of(everything(symmetric))
    index = np.array([len(symmetric) - 1, 0, 17, 17, -1])
    assert triples_of(symmetric.take(index)) == [taken[i] for i in index]
    mask = np.arange(len(symmetric)) % 7 == 0
    assert triples_of(symmetric.take(mask)) == taken[::7]
    assert triples_of(symmetric.take(slice(5, 40, 3))) == taken[5:40:3]
    with pytest.raises(IndexError, match="there are"):
        symmetric.take(np.array([len(symmetric)]))
    example, symmetry = symmetric.origin(np.array([8, 9, 8 * symmetric.whole + 5]))
    assert example.tolist() == [1, 1, symmetric.whole + 1]
    assert symmetry.tolist() == [0, 1, 1]


def test_what_images_are_made_of(sets: Path) -> None:
    symmetric = open_examples(sets, "unique-s")
    random = np.random.default_rng(1)
    for count in (0, 1, 40, len(symmetric)):
        index = random.choice(len(symmetric), count, replace=False)
        found = symmetric.base_of(index)
        expected = symmetric.base.take(np.unique(symmetric.origin(index)[0]))
        for name, array in expected.arrays().items():
            np.testing.assert_array_equal(found.arrays()[name], array)


def test_the_manifest_counts(sets: Path) -> None:
    manifest = data.Manifest.load(sets)
    assert manifest.games == sum(len(games) for games in GAMES.values())
    assert manifest.years == (1990, 1991, 1992)
    assert manifest.examples == {name: len(open_examples(sets, name)) for name in SETS}
    assert manifest.ceilings["original"] == ceiling(row.pair for row in ROWS)
    assert manifest.ceilings["unique"] == ceiling({row.pair for row in ROWS})
    assert manifest.illegal == 0


def test_the_manifest_says_how_many_test_boards_are_in_training(sets: Path) -> None:
    """Of each split, by sets of boards; a quarter is held out, of mirror images a twentieth."""
    splits = {
        **{name: ("original", name, 0.25) for name in ("example", "game", "year")},
        "unique": ("unique", "example", 0.25),
        "unique-s": ("unique-s", "example", 0.05),
    }
    found = {}
    for key, (name, how, share) in splits.items():
        examples = open_examples(sets, name)
        split = split_examples(examples, how, share=share)
        if not len(split.test):
            continue
        train, test = ([_least(row) for row in triples_of(examples.take(part))]
                       for part in (split.train, split.test))  # fmt: skip
        found[key] = sum(board in set(train) for board in test) / len(test)
    assert data.Manifest.load(sets).seen == pytest.approx(found)
    assert 0 < found["example"] < 1
    assert {"game", "unique", "unique-s"} < found.keys()


def test_a_twentieth_of_the_mirror_images_is_held_out(sets: Path) -> None:
    """Of 24 images chance takes none for a twentieth; for a quarter it would take five."""
    few = open_examples(sets, "unique").take(np.arange(40, 43))
    turned = with_distinct_images(few)
    taken = [len(split_examples(turned, "example", share=share).test) for share in (0.05, 0.25)]
    assert (len(turned), taken) == (24, [0, 5])
    assert seen_shares(few, few, turned) == {}


def _least(triple: tuple[int, int, int]) -> reference.Board:
    """The least of a board's mirror images."""
    own, other, move = triple
    board = tuple((own >> square & 1) - (other >> square & 1) for square in range(64))
    return min(image for image, _ in images((board, move)))


def test_values_of_examples_that_are_merged_count_as_often_as_they_were_played() -> None:
    one = rows_of(GAMES)[0]
    own, other, move = triple(one.pair)

    def made(value: list[float], count: list[int]) -> Examples:
        size = len(value)
        return Examples(
            np.full(size, own, np.uint64), np.full(size, other, np.uint64),
            np.full(size, move, np.uint8), np.zeros(size, np.int8), np.array(value, np.float32),
            np.array(count, np.uint32), np.arange(size, dtype=np.uint32),
            np.full(size, 1990, np.uint16), np.zeros(size, np.uint8),
        )  # fmt: skip

    merged = without_duplicates(made([1.0, -1.0, 0.0], [5, 1, 2]))
    assert (merged.value.tolist(), merged.count.tolist()) == ([0.5], [8])


def test_a_game_that_breaks_the_rules_ends_before_that_move(tmp_path: Path) -> None:
    good, bad = random_game(1), random_game(2)
    path = write_games(tmp_path / "games", {2001: [good, bad, good]}) / "WTH_2001.wtb"
    content = bytearray(path.read_bytes())
    content[16 + 68 + 8 + 10] = 44  # d4 is taken: the eleventh move of the second game
    path.write_bytes(content)
    made = extract_examples(wthor=tmp_path / "games", out=tmp_path / "sets")
    assert made.manifest.illegal == 1
    check_rows(
        open_examples(made.folder, "original"),
        rows_of({2001: [good, random_game(2, plies=10), good]}),
    )


def test_sets_that_are_there_are_used_again(tmp_path: Path) -> None:
    games = write_games(tmp_path / "games")
    first = extract_examples(wthor=games)
    assert first.folder.parent == data.store_folder("examples")
    assert first.folder.name.startswith("1990-1992-")
    again = extract_examples(wthor=games)
    assert (first.reused, again.reused) == (False, True)
    assert (again.folder, again.manifest) == (first.folder, first.manifest)
    assert not extract_examples(wthor=games, refresh=True).reused
    fewer = extract_examples(wthor=games, years=range(1991, 1993))
    assert fewer.folder != first.folder
    write_games(games, {1992: GAMES[1991]})
    changed = extract_examples(wthor=games)
    assert (changed.reused, changed.folder != first.folder) == (False, True)


def test_a_folder_of_other_games_is_made_anew(tmp_path: Path) -> None:
    games = write_games(tmp_path / "games")
    extract_examples(wthor=games, out=tmp_path / "sets")
    made = extract_examples(wthor=games, years=range(1990, 1991), out=tmp_path / "sets")
    assert not made.reused
    assert len(open_examples(made.folder, "original")) == len(rows_of({1990: GAMES[1990]}))


def test_wrong_files_and_games_without_moves_are_refused(tmp_path: Path) -> None:
    games = write_games(tmp_path / "games")
    out = tmp_path / "sets"
    with pytest.raises(DataError, match="no games of 1993; years there are 1990-1992"):
        extract_examples(wthor=games, years=range(1990, 1994), out=out)
    (games / "WTH_1991.wtb").write_bytes((games / "WTH_1991.wtb").read_bytes()[:-5])
    with pytest.raises(RecordError, match=r"WTH_1991\.wtb: header: the header says"):
        extract_examples(wthor=games, out=out)
    (games / "WTH_1991.wtb").write_bytes(wtb(1991, 3))
    with pytest.raises(DataError, match="games of 1991 have not a single legal move"):
        extract_examples(wthor=games, years=range(1991, 1992), out=out)
    with pytest.raises(DataError, match="no finished training sets"):
        open_examples(out, "original")


def test_the_sets_of_the_paper(wthor_paper_data: Path, tmp_path: Path) -> None:
    """What paper 1 counted, but for the first ceiling, which it prints as 91.16%."""
    years = range(1977, 2016)
    made = extract_examples(wthor=wthor_paper_data, years=years, out=tmp_path / "sets")
    assert made.manifest.games == 114_871
    assert made.manifest.illegal == 0
    assert made.manifest.examples == {
        "original": 6_874_503,
        "unique": 4_880_413,
        "original-s": 54_996_024,
        "unique-s": 39_019_056,
    }
    assert {name: f"{share:.2%}" for name, share in made.manifest.ceilings.items()} == {
        "original": "91.62%",
        "unique": "97.49%",
    }
    symmetric = open_examples(made.folder, "unique-s", years=years)
    assert isinstance(symmetric, SymmetricExamples)
    assert len(symmetric) - 8 * symmetric.whole == 4 * 60
    last = symmetric.take(np.arange(len(symmetric) - 240, len(symmetric)))
    assert len(set(triples_of(last))) == 240
