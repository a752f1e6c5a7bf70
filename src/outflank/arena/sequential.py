"""Matches that end as soon as a sequential test decides, and a log of such tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from outflank.arena.running import match
from outflank.arena.sprt import SprtConfig, Verdict, elo_of_points
from outflank.errors import DataError
from outflank.files import check_target, read_bytes, write_bytes
from outflank.numbers import SEEDS
from outflank.othello import Game

BATCH = 50  # openings between two looks at the test

_COLUMNS = ("date", "change", "player", "against", "openings", "games", "won", "drawn", "lost",
            "winning rate", "Elo", "hypotheses", "log-likelihood ratio", "verdict")  # fmt: skip
_HEAD = "| " + " | ".join(_COLUMNS) + " |"
_RULE = re.compile(r"\|( *:?-+:? *\|)+")


@dataclass(frozen=True)
class SequentialResult:
    """The games of a sequential test, from the first player's view.

    Attributes:
        config: What the test decides between.
        wins: Games won.
        draws: Games drawn.
        losses: Games lost.
    """

    config: SprtConfig
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def winning_rate(self) -> float | None:
        """Points per game; None without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def elo(self) -> float | None:
        """The Elo difference, shrunk a little towards 0 to stay finite; None without games."""
        points = self.wins + self.draws / 2
        return elo_of_points((points + 0.5) / (self.games + 1)) if self.games else None

    @property
    def verdict(self) -> Verdict:
        """What the games prove so far."""
        return self.config.verdict(self.wins, self.draws, self.losses)

    @property
    def log_likelihood_ratio(self) -> float:
        """Of the hypothesis `upper` to `lower`."""
        return self.config.log_likelihood_ratio(self.wins, self.draws, self.losses)

    def to_json(self) -> dict[str, Any]:
        """Describe it as `outflank sprt --json` does."""
        low, high = self.config.bounds
        return {
            "games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "winning_rate": self.winning_rate, "elo": self.elo, "verdict": self.verdict,
            "log_likelihood_ratio": self.log_likelihood_ratio, "bounds": [low, high],
        }  # fmt: skip


def play_sequential(
    first: str,
    second: str,
    config: SprtConfig,
    openings: Sequence[Game],
    *,
    seed: int = 0,
    batch: int = BATCH,
    workers: int | None = 1,
    on_batch: Callable[[SequentialResult], None] | None = None,
) -> SequentialResult:
    """Play both colours of each opening in turn, until the test decides or openings run out.

    Args:
        first: The spec of the player that may be better.
        second: The spec of the other one.
        config: What to decide between.
        openings: Where games begin.
        seed: Of players that play at random.
        batch: Openings between two looks at the test.
        workers: As for `match`.
        on_batch: Called with the result so far.
    """
    result = SequentialResult(config)
    for at in range(0, len(openings), batch):
        found = match(
            first,
            second,
            openings=openings[at : at + batch],
            seed=(seed + at) % (int(SEEDS.greatest) + 1),
            workers=workers,
        )
        result = SequentialResult(
            config,
            result.wins + found.wins,
            result.draws + found.draws,
            result.losses + found.losses,
        )
        if on_batch is not None:
            on_batch(result)
        if result.verdict != "undecided":
            break
    return result


def log_sequential(
    path: Path, first: str, second: str, openings: str, change: str, result: SequentialResult
) -> None:
    """Add a test to a log in Markdown, as the last row of its last table.

    A missing file is created. Text around the table stays as it is.

    Args:
        path: The log.
        first: The spec of the player that was tested.
        second: The spec of the other one.
        openings: Where games began, in words.
        change: What was tested, in words.
        result: The games.
    """
    config = result.config
    cells = (
        datetime.now(timezone.utc).date().isoformat(),
        change or "-",
        f"`{first}`",
        f"`{second}`",
        openings,
        str(result.games),
        str(result.wins),
        str(result.draws),
        str(result.losses),
        "-" if result.winning_rate is None else f"{result.winning_rate:.1%}",
        "-" if result.elo is None else f"{result.elo:+.0f}",
        f"{config.lower:g} against {config.upper:g} Elo, alpha {config.alpha:g}, "
        f"beta {config.beta:g}",
        f"{result.log_likelihood_ratio:+.2f}",
        result.verdict,
    )
    row = "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
    lines, end = _table_of(path)
    lines.insert(end, row)
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def check_log(path: Path) -> None:
    """Raise an error if a test could not be logged in a file; called before the games."""
    check_target(path, ".md")
    _table_of(path)


def _table_of(path: Path) -> tuple[list[str], int]:
    """Return the lines of a log, old or new, and the index of the line after its table."""
    if not path.is_file():
        title = path.stem.replace("-", " ").capitalize()
        lines = [f"# {title}", "", _HEAD, f"|{' --- |' * len(_COLUMNS)}"]
        return lines, len(lines)
    try:
        lines = read_bytes(path).decode().splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{path}: not a log of tests: it is not text") from None
    if _HEAD not in lines:
        raise DataError(f"{path}: not a log of tests: it has no table that begins {_HEAD[:30]} ...")
    end = max(number for number, line in enumerate(lines) if line == _HEAD) + 1
    if end >= len(lines) or not _RULE.fullmatch(lines[end]):
        raise DataError(f"{path}: not a log of tests: its table has no line of dashes")
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return lines, end
