"""Where the command prints, and its answers for programs."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False, soft_wrap=True, markup=False)

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]


def print_json(answer: Any) -> None:
    """Print an answer for a program: JSON on standard output, names as they are."""
    print(json.dumps(answer, ensure_ascii=False))
