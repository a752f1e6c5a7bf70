"""`outflank learn value test`: how far networks are from the results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from outflank.cli.learn.training import minutes_bar
from outflank.cli.output import Json, console, errors, print_json, print_table
from outflank.learn.value.sets import Games, States, gather_games, parse_sets
from outflank.learn.value.testing import is_rotated, measure_values, states_of_years, years_of
from outflank.models import load_networks
from outflank.nets import PolicyNetwork


def measure_networks(
    networks: Annotated[
        list[str],
        typer.Argument(
            help="Shipped networks' names, runs' folders, or networks' files; join several with + "
            "to average them."
        ),
    ],
    sets: Annotated[
        str, typer.Option(help="Sets of one state of each game: 1-7. Default: all positions.")
    ] = "",
    wthor: Annotated[
        Path | None, typer.Option(help="Folder of WThor files. Default: the store's.")
    ] = None,
    years: Annotated[
        str | None,
        typer.Option(
            help="Years to test with: 2019-2020. Default: with --sets, the years that the first "
            "network learned from; otherwise all."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Measure the mean squared error of networks' values against the results of games.

    A result is 1 if the side to move wins, 0 for a draw, -1 if it loses; who always says 0 has an
    error of about 0.96. With --sets, each network is tested on each set, as in Ng (2017), Figure 6.

    Examples:

        outflank learn value test value-fast --years 2019-2020

        outflank learn value test runs/network-13 value-ng --sets 1-7
    """
    numbers = parse_sets(sets) if sets else []
    loaded = {name: load_networks(name) for name in networks}
    if years is None:
        years = years_of(next(iter(loaded.values()))) if numbers else ""
    with minutes_bar(json or not errors.is_terminal) as bar:
        task = bar.add_task("reading games", total=None)
        games = gather_games(years, wthor=wthor)
        bar.update(task, description="testing", total=len(loaded) * max(1, len(numbers)))
        rows: list[dict[str, Any]] = []
        for name, network in loaded.items():
            chosen: list[int | None] = [*numbers] or [None]
            for number in chosen:
                found = measure_values(network, _states(games, network, number))
                rows.append({"network": name, "set": number, **found.to_json()})
                bar.advance(task)
    if json:
        whole = games.facts["years"]
        if len(rows) == 1:
            print_json({**rows[0], "years": whole})
        else:
            print_json({"years": whole, "rows": rows})
        return
    _print(list(loaded), numbers, rows, games)


def _states(games: Games, network: PolicyNetwork, number: int | None) -> States:
    if number is None:
        return states_of_years(games, network)
    return games.sets([number], rotate=is_rotated(network))


def _print(names: list[str], numbers: list[int], rows: list[dict[str, Any]], games: Games) -> None:
    console.print(
        f"Mean squared error against the results, games of {games.facts['years']}", markup=False
    )
    if not numbers:
        shown = [
            (row["network"], f"{row['mse']:.4f}", f"±{row['margin']:.4f}", f"{row['examples']:,}")
            for row in rows
        ]
        print_table(("network", "error", "95%", "positions"), shown)
        return
    by_place = {(row["network"], row["set"]): row["mse"] for row in rows}
    table = [
        (
            name,
            *(f"{by_place[name, number]:.4f}" for number in numbers),
            f"{sum(by_place[name, number] for number in numbers) / len(numbers):.4f}",
        )
        for name in names
    ]
    print_table(("network", *(f"set {number}" for number in numbers), "mean"), table)
