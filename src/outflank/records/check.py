"""Looking files of games over: what is in them, and what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from outflank.errors import FileError, RecordError
from outflank.othello import Game, Position
from outflank.records import Problems, detect, read
from outflank.records.format import Format
from outflank.records.replay import NO_MOVE, replay


@dataclass(frozen=True)
class ScoreDifference:
    """A game whose recorded score is not the one that its moves lead to."""

    record: int  # from 1
    recorded: int  # black's view, the empty squares going to the winner
    on_board: int
    unfinished: bool  # the moves break off before the end of the game
    game: Game


@dataclass
class FileReport:
    """What looking one file over found."""

    path: Path
    format: Format | None = None
    games: int = 0  # that can be read
    unfinished: int = 0
    players: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    dates: set[str] = field(default_factory=set)
    errors: list[RecordError | FileError] = field(default_factory=list)
    score_differences: list[ScoreDifference] = field(default_factory=list)


def check_file(path: Path | str, format: Format | None = None) -> FileReport:
    """Read a whole file, keep what is wrong, and compare recorded scores with the boards."""
    path = Path(path)
    report = FileReport(path)
    problems = Problems(str(path), lenient=True)
    numbered: list[tuple[int, Game]] = []
    try:
        report.format = format or detect(path)
        for game in read(path, format=report.format, problems=problems):
            # Games that were skipped count too, so that numbers are those of the file.
            skipped = sum(error.record is not None for error in problems.found)
            numbered.append((len(numbered) + skipped + 1, game))
    except (RecordError, FileError) as error:
        report.errors.append(error)
    report.errors[:0] = problems.found
    report.games = len(numbered)
    for _, game in numbered:
        report.players.update(name for name in (game.black, game.white) if name)
        report.events.update([game.event] if game.event else [])
        report.dates.update([game.date] if game.date else [])
    _compare_scores(numbered, report)
    return report


def _compare_scores(numbered: list[tuple[int, Game]], report: FileReport) -> None:
    """Replay all games that begin at the start in one go; the few others one by one."""
    usual = [entry for entry in numbered if entry[1].start == Position.start() and entry[1].moves]
    moves = np.full((len(usual), 60), NO_MOVE, np.uint8)
    for row, (_, game) in zip(moves, usual, strict=True):
        squares = [move for move in game.moves if not move.is_pass]
        row[: len(squares)] = squares
    played = replay(moves)
    for (record, game), score, over in zip(
        usual, played.black_score().tolist(), played.over.tolist(), strict=True
    ):
        _compare(record, game, score, over, report)
    for record, game in numbered:
        if game.start != Position.start() and game.moves:
            _compare(record, game, game.score, game.is_over, report)


def _compare(record: int, game: Game, score: int, over: bool, report: FileReport) -> None:
    report.unfinished += not over
    if game.result is not None and game.result != score:
        report.score_differences.append(ScoreDifference(record, game.result, score, not over, game))
