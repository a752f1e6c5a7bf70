"""From WThor files to training sets: paper 1's Original, Unique, Original-S and Unique-S.

Original has every move of every game. Unique has each (board, move) once. The other two are their
mirror images: eight of each for Original-S; for Unique-S those that differ, each once. The images
are not stored (see example_folder).
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from outflank.data.example_folder import (
    MANIFEST,
    FolderWriter,
    Manifest,
    SourceFile,
    alone_in,
    check_arrays,
)
from outflank.data.examples import (
    Examples,
    SymmetricExamples,
    ceiling,
    with_distinct_images,
    with_images,
    without_duplicates,
)
from outflank.data.splits import SPLITS, seen_share, split_examples
from outflank.data.store import check_wthor, store_folder, wthor_files, wthor_folder, wthor_year
from outflank.data.years import describe_years
from outflank.errors import DataError, RecordError
from outflank.files import read_bytes
from outflank.records.format import Problems
from outflank.records.replay import NO_MOVE, replay
from outflank.records.wthor import WthorFile

Step = Callable[[str, int], None]  # hears what is done next, and how many steps were done
EXTRACTION_STEPS = 6

_HELD_OUT, _HELD_OUT_IMAGES = 0.25, 0.05  # of the splits whose seen shares are told


@dataclass(frozen=True)
class Extraction:
    """Training sets in their folder, to be opened with open_examples."""

    folder: Path
    manifest: Manifest
    reused: bool  # they were there already
    seconds: float
    damage: str = ""  # what was wrong with sets that were there, so that they were made anew


def extract_examples(
    *,
    wthor: Path | None = None,
    years: range | None = None,
    out: Path | None = None,
    refresh: bool = False,
    step: Step | None = None,
) -> Extraction:
    """Make the training sets of some years' games, or reuse those made from the same files.

    An interrupted extraction leaves nothing that open_examples would open.

    Args:
        wthor: Folder of WThor files; the store's if None.
        years: Of the games; all if None.
        out: Folder for the sets; if None, one in the store for each choice of games.
        refresh: Make the sets again even if they exist.
        step: Called with what is being done and the steps done.
    """
    began = time.perf_counter()
    step = step or (lambda text, done: None)
    step("reading the games", 0)
    read = _read_files(wthor_files(wthor_folder(wthor), years))
    sources = tuple(source for source, _ in read)
    folder = _folder_for(sources) if out is None else out
    manifest, damage = (None, "") if refresh else _up_to_date(folder, sources)
    reused = manifest is not None
    if manifest is None:
        with alone_in(folder):
            # Another process may have made them while this one waited for the folder.
            manifest, _ = (None, "") if refresh else _up_to_date(folder, sources)
            reused = manifest is not None
            manifest = manifest or _write_sets(folder, read, step)
    return Extraction(folder, manifest, reused, time.perf_counter() - began, damage)


def gather_examples(files: Sequence[WthorFile], years: Sequence[int]) -> tuple[Examples, int]:
    """Return every legal move of every game, and how many games have a move that is not legal.

    In such a game, the moves before it count, and the board before it gives the score.
    """
    squares = [np.empty((0, 60), np.uint8), *(file.squares() for file in files)]
    played = replay(np.concatenate(squares))
    moves = np.diff(played.offsets)
    game = np.repeat(np.arange(len(moves), dtype=np.uint32), moves)
    year = np.repeat(np.array(years, np.uint16), [len(file.games) for file in files])
    score = played.black_score()[game]
    score[played.white_to_move] *= -1
    examples = Examples(
        own=played.own,
        other=played.other,
        move=played.move,
        score=score,
        value=np.sign(score).astype(np.float32),
        count=np.ones(len(game), np.uint32),
        game=game,
        year=year[game],
        ply=(np.bitwise_count(played.own | played.other) - 4).astype(np.uint8),
    )
    illegal = int((~played.legal).sum())
    return (examples.take(played.move != NO_MOVE) if illegal else examples), illegal


def seen_shares(
    original: Examples, unique: Examples, unique_s: SymmetricExamples
) -> dict[str, float]:
    """Return which share of test boards also occur, themselves or mirrored, in training.

    Of Original by the name of the split; each holds out a quarter, that by year the latest years
    which make a quarter at most. Of the others by their own names, split by example as in paper 1:
    a quarter, or a twentieth of the mirror images. A split with nothing to test is left out.
    """
    shares = {}
    for name in SPLITS:
        split = split_examples(original, name, share=_HELD_OUT)
        if len(split.test):
            shares[name] = seen_share(original.take(split.train), original.take(split.test))
    split = split_examples(unique, "example", share=_HELD_OUT)
    if len(split.test):
        shares["unique"] = seen_share(unique.take(split.train), unique.take(split.test))
    split = split_examples(unique_s, "example", share=_HELD_OUT_IMAGES)
    if len(split.test):
        shares["unique-s"] = seen_share(unique_s.base_of(split.train), unique_s.take(split.test))
    return shares


def _read_files(paths: Sequence[Path]) -> list[tuple[SourceFile, WthorFile]]:
    """Read files of games, each checked as a whole."""
    read = []
    for path in paths:
        data = read_bytes(path)
        try:
            check_wthor(path.name, data)
        except RecordError as error:
            raise RecordError(error.problem, source=str(path), field=error.field) from None
        file = WthorFile.parse(data, Problems(str(path)))
        year = wthor_year(path.name) or file.header.year
        sha256 = hashlib.sha256(data).hexdigest()
        read.append((SourceFile(path.name, year, len(file.games), len(data), sha256), file))
    return read


def _folder_for(sources: Sequence[SourceFile]) -> Path:
    """Return the store's folder for the sets of these files: named by years and content."""
    content = "".join(f"{source.year} {source.sha256}\n" for source in sources)
    key = hashlib.sha256(content.encode()).hexdigest()[:12]
    return store_folder("examples") / f"{sources[0].year}-{sources[-1].year}-{key}"


def _up_to_date(folder: Path, sources: tuple[SourceFile, ...]) -> tuple[Manifest | None, str]:
    """Return the manifest of a folder if its sets are whole and were made from these files.

    If sets that were finished are not as they were written, also say so.
    """
    if not (folder / MANIFEST).is_file():
        return None, ""
    try:
        manifest = Manifest.load(folder)
        check_arrays(folder, manifest)
    except DataError as error:
        return None, str(error)
    return (manifest if manifest.sources == sources else None), ""


def _write_sets(folder: Path, read: Sequence[tuple[SourceFile, WthorFile]], step: Step) -> Manifest:
    """Make the four sets, one after the other, and write them."""
    step("replaying the games", 1)
    years = [source.year for source, _ in read]
    original, illegal = gather_examples([file for _, file in read], years)
    if not len(original):
        raise DataError(f"the games of {describe_years(years)} have not a single legal move")
    writer = FolderWriter(folder)
    writer.begin()
    writer.write("original", original)
    step("removing duplicates", 2)
    unique = without_duplicates(original)
    writer.write("unique", unique)
    step("finding mirror images", 3)
    unique_s = with_distinct_images(original)
    writer.write("unique-s", unique_s.base)
    step("counting", 4)
    ceilings = {"original": ceiling(original), "unique": ceiling(unique)}
    step("comparing splits", 5)
    manifest = Manifest(
        sources=tuple(source for source, _ in read),
        games=sum(source.games for source, _ in read),
        illegal=illegal,
        examples={
            "original": len(original),
            "unique": len(unique),
            "original-s": len(with_images(original)),
            "unique-s": len(unique_s),
        },
        stored=writer.stored,
        checksums=writer.checksums,
        whole=unique_s.whole,
        ceilings=ceilings,
        seen=seen_shares(original, unique, unique_s),
    )
    writer.finish(manifest)
    step("done", EXTRACTION_STEPS)
    return manifest
