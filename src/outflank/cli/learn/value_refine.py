"""`outflank learn value refine`: learn from games played here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.learn.training import Changes, RunName, Runs, displaying, run_folder
from outflank.cli.output import Json, console, errors, print_json
from outflank.learn.value.refining import refine as refine_network
from outflank.numbers import GAMES, SEEDS


def refine(
    network: Annotated[
        str, typer.Argument(help="A run's folder: its network is where training goes on.")
    ],
    games: Annotated[
        str,
        typer.Option(help="A file of games, lab (games of the web page) or arena (of matches)."),
    ],
    name: RunName = "",
    runs: Runs = Path("runs"),
    settings: Changes = None,
    match_games: Annotated[
        int,
        typer.Option(
            "--match",
            min=0,
            max=GAMES.greatest,
            help="Games against the network it comes from; 0: none.",
        ),
    ] = 100,
    limit: Annotated[
        str, typer.Option(help="Of both sides' searches in the match: time=100ms, depth=3.")
    ] = "time=100ms",
    seed: Annotated[
        int, typer.Option(min=0, max=SEEDS.greatest, help="Seed of the match's openings.")
    ] = 1,
    json: Json = False,
) -> None:
    """Continue training on games played here, and show by a match whether it got stronger.

    Examples:

        outflank learn value refine runs/network-13 --games arena --run refined

        outflank learn value refine runs/fast --games mine.ggf --run refined --match 200
    """
    folder = run_folder(runs, name)
    with displaying(not json, False) as display:
        found = refine_network(
            network,
            games,
            folder,
            settings=settings or [],
            match_games=match_games,
            limit=limit,
            seed=seed,
            observers=[display],
            report=display.report,
        )
    result = found.result
    if json:
        answer = {"run": str(folder), "games": found.games, "finished": found.ending.finished}
        played = None if result is None else result.to_json()
        print_json({**answer, "metrics": found.ending.metrics, "match": played})
        return
    if not found.ending.finished:
        errors.print(
            f"Stopped at step {found.ending.step:,} of {found.ending.steps:,}, without a match; "
            f"outflank learn value --resume --run {name} --runs {runs} continues from there."
        )
        return
    console.print(f"{folder}: learned from {found.games} games", markup=False, soft_wrap=True)
    if result is not None and result.winning_rate is not None:
        low, high = result.interval
        verdict = "stronger" if low > 0.5 else "weaker" if high < 0.5 else "inconclusive"
        console.print(
            f"{100 * result.winning_rate:.1f}% of {result.games} games against the network it "
            f"comes from (95%: {100 * low:.1f} to {100 * high:.1f}): {verdict}",
            markup=False,
        )
