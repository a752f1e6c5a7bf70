"""`outflank match`, `outflank tournament` and `outflank ratings`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from outflank import arena
from outflank.arena import Store, ToMove, Tournament, TournamentError, TournamentRunner
from outflank.cli.arena_tables import (
    print_cross_table,
    print_errors,
    print_pair,
    standings_table,
)
from outflank.cli.output import Json, console, errors, print_json
from outflank.cli.spreading import OnCluster
from outflank.errors import FileError, SpecError
from outflank.numbers import GAMES, PROCESSES, SEEDS
from outflank.players.registry import read_spec

_GAMES = 100  # if neither --games nor a file says how many
_SECONDS_BETWEEN_TABLES = 1.0

Openings = Annotated[
    str,
    typer.Option(help="Where games begin: start, random:PLIES, or a file of positions or games."),
]
Games = Annotated[
    int | None,
    typer.Option(
        min=2,
        max=GAMES.greatest,
        help="Games per pair of players, an even number. Default: 100, or all openings of a file.",
        show_default=False,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        min=0,
        max=SEEDS.greatest,
        help="Seed of random openings and of players that play at random.",
    ),
]
Mover = Annotated[
    ToMove,
    typer.Option("--to-move", help="Side to move after the opening; file: as the file says."),
]
Plies = Annotated[
    int | None,
    typer.Option(min=0, max=120, help="Cut the games of an openings file after N plies."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=PROCESSES.greatest,
        help="Workers for players that search. Default: one per core.",
    ),
]
Batch = Annotated[int, typer.Option(min=2, max=1_000_000, help="Most games to play in lockstep.")]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="Results store. Default: the one in your user data folder."),
]
Export = Annotated[
    Path | None,
    typer.Option(help="Also write the games to a file; its extension gives the format."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file of --export.")]
Anchor = Annotated[
    str | None, typer.Option(help="Player whose Elo is 0. Default: the mean of all players is 0.")
]


def match(
    first: Annotated[str, typer.Argument(metavar="A", help="Player spec.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Player spec.")],
    openings: Openings = "random:6",
    games: Games = None,
    seed: Seed = 0,
    to_move: Mover = ToMove.FILE,
    plies: Plies = None,
    workers: Workers = None,
    cluster: OnCluster = None,
    batch: Batch = 4096,
    store: StoreFile = None,
    export: Export = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Play a match between two players; results are from A's view.

    Every opening is played twice, with colours swapped. Games are stored as they end; run the
    same command again to continue an interrupted match. A finished match is played again.

    Examples:

        outflank match greedy random --games 200

        outflank match greedy playouts:games=50 --openings openings.txt --to-move black
    """
    tournament = _tournament([first, second], openings, games, seed, to_move, plies)
    _check_target(export, force, tournament)
    with (
        _open_store(store) as kept,
        TournamentRunner(tournament, kept, workers=workers, batch=batch) as run,
    ):
        _play(run, json, again=True)
        result = run.standings().pairs[0]
        anchor = tournament.players[1]
        rating = next(
            (row.rating for row in run.standings(anchor).players if row.spec != anchor), None
        )
        if export:
            arena.export(export, run.games())
    if json:
        elo = rating and {"elo": rating.elo, "elo_interval": [rating.low, rating.high]}
        print_json({**result.to_json(), **(elo or {}), "seed": seed})
        return
    print_pair(result, rating)
    print_errors(result)


def tournament(
    players: Annotated[list[str], typer.Argument(metavar="PLAYERS...", help="Player specs.")],
    openings: Openings = "random:6",
    games: Games = None,
    seed: Seed = 0,
    to_move: Mover = ToMove.FILE,
    plies: Plies = None,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only the first player meets the others.")
    ] = False,
    anchor: Anchor = None,
    workers: Workers = None,
    cluster: OnCluster = None,
    batch: Batch = 4096,
    store: StoreFile = None,
    again: Annotated[
        bool, typer.Option("--again", help="Play a finished tournament again.")
    ] = False,
    export: Export = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Play a tournament and rate the players.

    All pairs play the same openings, each twice, with colours swapped. Games are stored as they
    end; run the same command again to continue an interrupted tournament, or to see the table of
    a finished one.

    Examples:

        outflank tournament random greedy playouts:games=20 --games 100

        outflank tournament playouts:games=20 random greedy --gauntlet --export games.ggf
    """
    wanted = _tournament(players, openings, games, seed, to_move, plies, gauntlet=gauntlet)
    if len(set(wanted.players)) == 1:
        raise TournamentError(
            f"{wanted.players[0]} is named twice; use match to let it play itself"
        )
    anchor = _find_anchor(anchor, wanted)
    _check_target(export, force, wanted)
    with (
        _open_store(store) as kept,
        TournamentRunner(wanted, kept, workers=workers, batch=batch) as run,
    ):
        _play(run, json, again=again)
        table = run.standings(anchor)
        if export:
            arena.export(export, run.games())
    if json:
        print_json(
            {
                "players": [row.to_json() for row in table.players],
                "pairs": [pair.to_json() for pair in table.pairs],
                "games": table.games,
                "kind": wanted.kind,
                "seed": seed,
            }
        )
        return
    console.print(standings_table(table))
    print_cross_table(table)
    for pair in table.pairs:
        print_errors(pair)


def ratings(
    store: StoreFile = None,
    anchor: Anchor = None,
    export: Export = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Show the ladder: Elo ratings of all players, from all stored games.

    A game that the same players repeated move for move counts once.

    Examples:

        outflank ratings --anchor random

        outflank ratings --export all-games.ggf
    """
    path = store or arena.default_store()
    _check_target(export, force)
    with Store(path, create=False) as kept:
        table = arena.ladder(kept, anchor and str(read_spec(anchor)))
        if export:
            arena.export(export, kept.games())
    if json:
        rows = [row.to_json() for row in table.players]
        print_json({"players": rows, "games": table.games, "store": str(path)})
        return
    console.print(standings_table(table))
    console.print(f"{table.games:,} games in {path}", markup=False, soft_wrap=True)


def _tournament(
    players: list[str],
    openings: str,
    games: int | None,
    seed: int,
    to_move: ToMove,
    plies: int | None,
    *,
    gauntlet: bool = False,
) -> Tournament:
    specs = tuple(str(read_spec(player)) for player in players)
    if games is None and (openings == "start" or openings.startswith("random:")):
        games = _GAMES
    found = arena.find_openings(
        openings, None if games is None else max(1, games // 2), seed=seed, to_move=to_move,
        plies=plies,
    )  # fmt: skip
    return Tournament(
        specs, tuple(found), 2 * len(found) if games is None else games, seed, gauntlet
    )


def _find_anchor(anchor: str | None, tournament: Tournament) -> str | None:
    """Return the anchor's spec; fail before the games are played if it is no player of theirs."""
    if anchor is None:
        return None
    spec = str(read_spec(anchor))
    if spec not in tournament.players:
        names = ", ".join(tournament.players)
        raise SpecError(f"{spec} does not play in it; players are {names}")
    return spec


def _open_store(path: Path | None) -> Store:
    if path is None:
        path = arena.default_store()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(path.parent, "make the folder", error) from error
    return Store(path)


def _check_target(path: Path | None, force: bool, tournament: Tournament | None = None) -> None:
    """Fail before the games are played if they cannot be written."""
    if path is None:
        return
    if path.exists() and not force:
        raise FileError(path, "write", "the file exists; --force replaces it")
    if not path.parent.is_dir():
        raise FileError(path, "write", "there is no such folder")
    arena.check_export(path, tournament.openings if tournament else [])


def _play(run: TournamentRunner, quiet: bool, *, again: bool) -> None:
    total = run.tournament.total
    try:
        with _shown(run, quiet or not errors.is_terminal) as listener:
            run.play(listener, again=again)
    except KeyboardInterrupt:
        played = sum(map(len, run.store.played(run.number).values()))
        errors.print(
            f"\n{played:,} of {total:,} games are played and stored;"
            " run the same command again to continue."
        )
        raise
    if not quiet and listener.before == total and not again:
        errors.print("All games were played before; --again plays them again.")


class _Listener(arena.TournamentListener):
    """Knows how many games were there before, and shows nothing."""

    before = 0

    def began(self, run: TournamentRunner, played: int) -> None:
        self.before = played


class _LiveListener(_Listener):
    """Shows a bar with the remaining time and, above it, the table so far."""

    def __init__(self, live: Live, bar: Progress, run: TournamentRunner) -> None:
        self.live = live
        self.bar = bar
        self.run = run
        self.task = bar.add_task("games", total=run.tournament.total)
        self.next_table = 0.0

    def began(self, run: TournamentRunner, played: int) -> None:
        super().began(run, played)
        self.bar.reset(self.task, completed=played)

    def advanced(self, played: float) -> None:
        self.bar.update(self.task, completed=played)
        began = time.monotonic()
        if began >= self.next_table:
            table = self.run.standings()
            self.live.update(Group(standings_table(table), self.bar))
            # Tables of many games take long: spend no more than a tenth of the time on them.
            took = time.monotonic() - began
            self.next_table = began + max(_SECONDS_BETWEEN_TABLES, 10 * took)


@contextmanager
def _shown(run: TournamentRunner, hidden: bool) -> Iterator[_Listener]:
    if hidden:
        yield _Listener()
        return
    bar = Progress(
        BarColumn(bar_width=None),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
        TimeRemainingColumn(),
        console=errors,
        expand=True,
    )
    with Live(bar, console=errors, transient=True) as live:
        yield _LiveListener(live, bar, run)
