"""`outflank models`: the shipped networks."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markdown import Markdown

from outflank.cli.output import Json, console, print_json, print_table
from outflank.errors import DataError
from outflank.models import shipped_models


def models(
    name: Annotated[str | None, typer.Argument(help="The model whose card to show.")] = None,
    json: Json = False,
) -> None:
    """List the shipped networks, or show the card of one.

    A card says how the model was made and how strong it is.
    """
    shipped = shipped_models()
    if name is not None:
        if name not in shipped:
            known = ", ".join(shipped) or "none"
            raise DataError(f"no such model: {name!r}; shipped are {known}")
        if json:
            print_json({"name": name, "card": shipped[name].text})
        else:
            console.print(Markdown(shipped[name].text))
        return
    if json:
        print_json(
            [
                {"name": model.name, "summary": model.summary, "bytes": model.bytes}
                for model in shipped.values()
            ]
        )
        return
    rows = [(model.name, model.summary, f"{model.bytes:,}") for model in shipped.values()]
    print_table(("model", "what it is", "bytes"), rows, right=(2,), prose=(1,))
    console.print("outflank models NAME shows how a model was made and how strong it is.")
