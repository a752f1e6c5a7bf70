"""`outflank gtp` and `outflank nboard`: any player as an engine for other programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from outflank import __version__
from outflank.players import make_player
from outflank.protocols import GtpEngine, NBoardEngine

_Player = Annotated[str, typer.Argument(metavar="SPEC", help="Player spec.", show_default=False)]


def gtp(spec: _Player) -> None:
    """Play as an engine that speaks GTP, version 2, on standard input and output.

    Example:

        outflank gtp playouts:games=500
    """
    engine = GtpEngine(make_player(spec), spec, __version__)
    try:
        engine.run(sys.stdin.buffer, sys.stdout.buffer)
    finally:
        engine.player.close()


def nboard(spec: _Player) -> None:
    """Play as an engine that speaks NBoard's protocol, version 2, on standard input and output.

    Example:

        outflank nboard playouts:games=500
    """
    engine = NBoardEngine(make_player(spec), spec)
    engine.run(sys.stdin.buffer, sys.stdout.buffer)
