"""The paper's variants once more, of an evolution that evolves.

As printed, the paper's configuration does not evolve here, so nothing can be learned from comparing
it with its variants. The preset `paper-repaired` does. Each of the paper's variants changes it as
the paper changes its own configuration: numbers grow by the same factor. Its steps are fixed, so
`fixed` and `fixed-small` have larger and smaller ones.
"""

from __future__ import annotations

from outflank.learn.coevolution import CoevolutionConfig, preset

REPAIRED: dict[str, tuple[str, ...]] = {
    "paper": (),
    "fig-9": ("population=150",),
    "fig-10": ("shape=flat",),
    "fig-11": ("shape=only",),
    "fig-12": ("variation=single",),
    "fixed": ("sigma=0.01",),
    "fixed-small": ("sigma=0.002",),
    "fig-13": ("keep_best=yes",),
    "fig-14": ("opponents=30",),
    "filter": ("shape=filter",),
    "filter-30": ("shape=filter", "population=150"),
    "filter-40": ("shape=filter", "population=200"),
    "filter-50": ("shape=filter", "population=250"),
    "filter-cauchy": ("shape=filter", "variation=cauchy"),
    "filter-mean": ("shape=filter", "variation=mean"),
    "filter-better": ("shape=filter", "variation=better"),
    "filter-differential": ("shape=filter", "variation=differential"),
}


def repaired(variant: str) -> CoevolutionConfig:
    """Return the repaired configuration of one of the paper's variants."""
    return preset("paper-repaired").with_settings(list(REPAIRED[variant]))
