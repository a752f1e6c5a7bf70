"""`outflank learn`: a command for each learner of the registry.

Commands that only one learner has are in the module of its name beside this one.
"""

from __future__ import annotations

import importlib
import importlib.util

import typer

from outflank.cli.learn.command import make_command
from outflank.cli.output import Json, print_json, print_table
from outflank.learn.registry import learners


def make_app() -> typer.Typer:
    """Make the command from the registry."""
    app = typer.Typer(no_args_is_help=True, help="Train players.")
    app.command("list")(list_learners)
    for learner in learners().values():
        own = typer.Typer(no_args_is_help=True)
        older = None
        place = f"{__name__}.{learner.name.replace('-', '_')}"
        if importlib.util.find_spec(place):
            module = importlib.import_module(place)
            older = getattr(module, "OLDER", None)
            for name, function in module.COMMANDS.items():
                own.command(name)(function)
        own.callback(invoke_without_command=True)(make_command(learner, older))
        app.add_typer(own, name=learner.name)
    return app


def list_learners(json: Json = False) -> None:
    """List the learners, their presets and what they need."""
    if json:
        print_json(
            [
                {
                    "name": one.name,
                    "title": one.title,
                    "presets": list(one.presets),
                    "needs": [need.name for need in one.needs if not need.only_for],
                    "may_need": [need.name for need in one.needs if need.only_for],
                }
                for one in learners().values()
            ]
        )
        return
    rows = [
        (one.name, one.title, ", ".join(one.presets), ", ".join(map(str, one.needs)) or "nothing")
        for one in learners().values()
    ]
    print_table(("learner", "what it does", "presets", "needs"), rows, prose=(1, 2, 3))


app = make_app()
