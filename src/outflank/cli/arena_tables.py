"""Results of the arena as tables for the terminal."""

from __future__ import annotations

from collections import Counter

from rich.table import Table
from rich.text import Text

from outflank.arena import PairResult, Rating, Standings
from outflank.cli.output import console

_NARROW = 72  # columns, below which tables show what matters most


def print_pair(pair: PairResult, rating: Rating | None) -> None:
    """Print the result of a match.

    Args:
        pair: The result.
        rating: The first player's, where the second's is 0; None if there is none.
    """
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    low, high = pair.interval
    rows = [
        ("games", f"{pair.games:,}: {pair.wins:,} won, {pair.draws:,} drawn, {pair.losses:,} lost"),
        ("winning rate", f"{_percent(pair.winning_rate)} (95%: {low:.1%} to {high:.1%})"),
        ("as black", _percent(pair.black_rate)),
        ("as white", _percent(pair.white_rate)),
        ("discs", f"{_signed(pair.discs)} on average"),
        ("time per move", " - ".join(map(_duration, pair.seconds_per_move))),
    ]
    if rating:
        elo = f"{_elo(rating.elo)} (95%: {_elo(rating.low)} to {_elo(rating.high)})"
        rows.insert(2, ("Elo difference", elo))
    for name, value in rows:
        grid.add_row(name, value)
    console.print(Text(f"{pair.first} - {pair.second}", style="bold"))
    console.print(grid)
    if pair.different < pair.games:
        console.print(
            f"Different games: {pair.different:,} of {pair.games:,}."
            " The interval is too narrow; use more openings.",
            style="yellow",
        )


def print_errors(pair: PairResult) -> None:
    """List the errors by which games were lost off the board."""
    for (player, reason), count in Counter(
        (error.player, error.reason) for error in pair.errors
    ).most_common():
        games = "1 game" if count == 1 else f"{count:,} games"
        console.print(Text(f"{player} lost {games} by error: {reason}", style="red"))


def standings_table(standings: Standings) -> Table:
    """Make the table of players, narrow where the terminal is."""
    wide = console.width >= _NARROW
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("player", overflow="fold")
    for name in ("Elo", "95%", "games", "rate") + ("discs", "time/move") * wide:
        if wide or name != "games":
            table.add_column(name, justify="right", no_wrap=True)
    any_errors = any(row.errors for row in standings.players)
    if any_errors:
        table.add_column("errors", justify="right", no_wrap=True)
    for place, row in enumerate(standings.players, start=1):
        margin = row.rating.high - row.rating.elo
        cells = [_elo(row.rating.elo), f"±{margin:.0f}"] if row.games else ["", ""]
        cells += [f"{row.games:,}"] * wide + [_percent(row.winning_rate)]
        if wide:
            cells += [_signed(row.discs), _duration(row.seconds_per_move)]
        table.add_row(str(place), Text(row.spec), *cells, *[str(row.errors)] * any_errors)
    return table


def print_cross_table(standings: Standings) -> None:
    """Print winning rates of all pairs, in percent, if they fit."""
    places = {row.spec: place for place, row in enumerate(standings.players)}
    count = len(places)
    if count < 3 or 6 * count + 4 > console.width:
        return
    rates = [["" for _ in range(count)] for _ in range(count)]
    for pair in standings.pairs:
        if pair.winning_rate is not None:
            first, second = places[pair.first], places[pair.second]
            rates[first][second] = f"{100 * pair.winning_rate:.1f}"
            rates[second][first] = f"{100 - 100 * pair.winning_rate:.1f}"
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    for place in range(count):
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    for place in range(count):
        table.add_row(str(place + 1), *rates[place])
    console.print()
    console.print("Winning rates in percent, row against column:", style="dim")
    console.print(table)


def _elo(value: float) -> str:
    return f"{round(value):+d}"  # of whole numbers, so that there is no -0


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.1f}"


def _duration(seconds: float | None) -> str:
    """Write a time in a readable unit: 3 µs, 1.2 ms, 4.0 s."""
    if seconds is None:
        return ""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
