"""`outflank course`: statistics of a game, move by move."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from outflank.cli.output import Json, console, print_json
from outflank.cli.show import find_game
from outflank.figures import new_figure, write_figure
from outflank.numbers import GAMES
from outflank.othello.statistics import PANELS, draw_statistics, statistics_of


def course(
    what: Annotated[str, typer.Argument(help="A transcript such as f5d6c3, or a file of games.")],
    game: Annotated[int, typer.Option(min=1, max=GAMES.greatest, help="Which game of a file.")] = 1,
    plot: Annotated[
        Path | None, typer.Option(help="Draw it into a file: .png, .svg or .pdf.")
    ] = None,
    json: Json = False,
) -> None:
    """Show each side's discs, legal moves and corners after every move of a game.

    Few discs and many moves in the middle of the game are the mark of the mobility strategy
    (Chong et al., 2005, Figs. 7 and 8).

    Example: outflank course games.ggf --game 3 --plot course.png
    """
    found = find_game(what, game)
    followed = statistics_of(found)
    if plot:
        figure = new_figure(8.0, 8.0)
        axes = figure.subplots(len(PANELS), 1, sharex=True)
        draw_statistics(axes, followed, found.black or "black", found.white or "white")
        write_figure(plot, figure)
    if json:
        numbers = {name: getattr(followed, name).tolist() for name in PANELS}
        print_json({"moves": [str(move) for move in found.moves], **numbers})
        return
    table = Table("move", "", *PANELS.values())
    for column in table.columns[:1] + table.columns[2:]:
        column.justify = "right"
    names = ["", *map(str, found.moves)]
    for number, name in enumerate(names):
        pairs = (getattr(followed, panel)[number] for panel in PANELS)
        table.add_row(str(number), name, *(f"{black:>2} : {white:>2}" for black, white in pairs))
    console.print(table)
