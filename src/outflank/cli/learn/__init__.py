"""`outflank learn`: training, in runs that can be interrupted; a file for each learner."""

from __future__ import annotations

import typer

from outflank.cli.learn import coevolution, imitation, patterns

app = typer.Typer(no_args_is_help=True, help="Train networks.")
app.add_typer(imitation.app, name="imitation")
app.add_typer(coevolution.app, name="coevolution")
app.command("patterns")(patterns.patterns)
