"""The option of all commands that spread work: where it is done."""

from __future__ import annotations

from typing import Annotated

import typer

from outflank import cluster


def _use(context: typer.Context, where: str | None) -> str | None:
    """Choose the cluster for as long as the command runs."""
    context.with_resource(cluster.using(where))
    return where


OnCluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        callback=_use,
        help="Where workers are: local, ray, or ray://HOST:PORT (docs/cluster.md)."
        " Default: OUTFLANK_CLUSTER, or local.",
    ),
]
