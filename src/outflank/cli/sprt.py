"""`outflank sprt`: is one player better than another? Plays until a test decides."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from outflank.arena import find_openings
from outflank.arena.sequential import SequentialResult, check_log, log_sequential, play_sequential
from outflank.arena.sprt import SprtConfig
from outflank.cli.arena import Seed, Workers
from outflank.cli.options import finite
from outflank.cli.output import Json, console, errors, print_json
from outflank.errors import OutflankError
from outflank.numbers import GAMES
from outflank.players.registry import read_spec


def sprt(
    first: Annotated[str, typer.Argument(metavar="A", help="Spec of the player to test.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Spec of the other player.")],
    lower: Annotated[
        float,
        typer.Option(min=-800, max=800, callback=finite, help="Elo difference of `not better`."),
    ] = 0.0,
    upper: Annotated[
        float,
        typer.Option(min=-800, max=800, callback=finite, help="Elo difference of `better`."),
    ] = 10.0,
    alpha: Annotated[
        float,
        typer.Option(min=0.0001, max=0.49, callback=finite, help="Chance of a wrong `better`."),
    ] = 0.05,
    beta: Annotated[
        float,
        typer.Option(min=0.0001, max=0.49, callback=finite, help="Chance of a wrong `not better`."),
    ] = 0.05,
    openings: Annotated[
        str, typer.Option(help="Where games begin: random:PLIES, or a file of positions or games.")
    ] = "random:10",
    games: Annotated[
        int, typer.Option(min=2, max=GAMES.greatest, help="Games at most, an even number.")
    ] = 1000,
    batch: Annotated[
        int, typer.Option(min=2, max=100_000, help="Games between two checks of the test.")
    ] = 100,
    seed: Seed = 0,
    workers: Workers = None,
    log: Annotated[
        Path | None, typer.Option(help="Add the result to the table in this Markdown file.")
    ] = None,
    change: Annotated[str, typer.Option(help="What was changed, in words, for the log.")] = "",
    json: Json = False,
) -> None:
    """Test whether A is better than B: a sequential probability ratio test.

    Plays both colours of every opening until the games decide between two Elo differences, --lower
    (`not better`) and --upper (`better`), or until --games are played.

    Examples:

        outflank sprt alphabeta:eval=iago,depth=4 alphabeta:eval=iago,depth=3

        outflank sprt champion:time=0.1s,selectivity=1.3 champion:time=0.1s --log tests.md
    """
    try:
        config = SprtConfig(lower, upper, alpha, beta)
    except ValueError as error:
        raise OutflankError(str(error)) from None
    if games % 2:
        raise OutflankError(f"--games {games}: give an even number")
    if log is not None:
        check_log(log)
    first, second = str(read_spec(first)), str(read_spec(second))
    found = find_openings(openings, games // 2, seed=seed)

    def show(result: SequentialResult) -> None:
        if not json:
            errors.print(
                f"{result.games} games: {result.winning_rate:.1%}, log-likelihood ratio "
                f"{result.log_likelihood_ratio:+.2f}",
                highlight=False,
            )

    result = play_sequential(
        first, second, config, found,
        seed=seed, batch=max(1, batch // 2), workers=workers, on_batch=show,
    )  # fmt: skip
    if log is not None:
        log_sequential(log, first, second, openings, change, result)
    if json:
        print_json({**result.to_json(), "seed": seed})
        return
    low, high = config.bounds
    console.print(
        f"{result.verdict}: {result.wins} won, {result.draws} drawn, {result.losses} lost; "
        f"log-likelihood ratio {result.log_likelihood_ratio:+.2f} ({low:.2f} to {high:.2f})",
        highlight=False,
    )
