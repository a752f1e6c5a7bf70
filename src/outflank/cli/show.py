"""`outflank show`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from outflank import records
from outflank.cli.output import Json, console, print_json
from outflank.errors import NotationError, OutflankError
from outflank.files import write_bytes
from outflank.numbers import GAMES
from outflank.othello import Game, Position
from outflank.othello.openings import opening_name


def show(
    what: Annotated[
        str,
        typer.Argument(help="A board string, a transcript such as f5d6c3, or a file of games."),
    ],
    game: Annotated[int, typer.Option(min=1, max=GAMES.greatest, help="Which game of a file.")] = 1,
    ply: Annotated[
        int | None,
        typer.Option(min=0, max=120, help="Show the position after N plies. Default: the last."),
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Write the picture to an SVG file.")] = None,
    json: Json = False,
) -> None:
    """Show a position or a game.

    Examples:

        outflank show f5d6c3d3c4

        outflank show games.ggf --game 3 --ply 20

        outflank show "---------------------------OX------XO--------------------------- X"
    """
    found = find_game(what, game)
    if ply is not None:
        if not 0 <= ply <= len(found.moves):
            raise NotationError(f"ply {ply} is not in the game, which has {len(found.moves)}")
        found = found.undo(len(found.moves) - ply)
    if svg:
        write_bytes(svg, found.position.svg(last=found.last).encode())
    if json:
        print_json(describe(found))
        return
    if found.black or found.white or found.event:
        facts = [f"{found.black or '?'} - {found.white or '?'}", found.event, found.date]
        console.print(", ".join(fact for fact in facts if fact), style="bold", markup=False)
    console.print(found)
    if found.moves:
        console.print(found.transcript, style="dim")
    opening = opening_name(found)
    if opening:
        console.print(f"opening: {opening}")


def find_game(what: str, number: int = 1) -> Game:
    """Take a game from a file, a transcript or a board string, whichever the text is."""
    path = Path(what)
    try:
        is_file = path.exists()
    except OSError:  # longer than a file name can be
        is_file = False
    if is_file:
        for index, game in enumerate(records.read(path), start=1):
            if index == number:
                return game
        raise OutflankError(f"{what}: there is no game {number}")
    if number != 1:
        raise OutflankError(f"{what}: no such file")
    try:
        return Game(Position.from_string(what))
    except NotationError as board_error:
        try:
            return Game.from_transcript(what)
        except NotationError:
            looks_like_board = len("".join(what.split())) > 40 and not any(
                c in what for c in "12345678"
            )
            reason = board_error if looks_like_board else "no such file, transcript or board"
            raise OutflankError(f"{what}: {reason}") from None


def describe(game: Game) -> dict[str, Any]:
    """Describe a game and the position at its end for a program."""
    position = game.position
    return {
        "position": position.to_string(),
        "turn": position.turn.value,
        "legal_moves": [move.name for move in position.legal_moves],
        "black": position.count("black"),
        "white": position.count("white"),
        "over": position.is_over,
        "score": position.score,
        "moves": game.transcript,
        "opening": opening_name(game),
        "black_player": game.black,
        "white_player": game.white,
        "event": game.event,
        "date": game.date,
    }
