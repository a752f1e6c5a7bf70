"""Paper 4, Figures 9 to 14, section IV-E and beyond: evolution with something changed."""

from __future__ import annotations

from outflank.studies.coevolution.figures import enter

enter("figure-9", "Figure 9: a population of 30", ("paper", "fig-9"), ("discs-4",))
enter("figure-10", "Figure 10: no spatial layer", ("paper", "fig-10"))
enter("figure-11", "Figure 11: nothing but the spatial layer", ("paper", "fig-11"))
enter(
    "figure-12",
    "Figure 12: one step size for all weights, or a fixed one",
    ("paper", "fig-12", "fixed", "fixed-small"),
    ("discs-4",),
)
enter("figure-13", "Figure 13: the best network is kept", ("paper", "fig-13"))
enter("figure-14", "Figure 14: 15 opponents instead of five", ("paper", "fig-14"))
enter(
    "filters",
    "Section IV-E: networks that filter the moves of a search",
    (
        "paper", "filter", "filter-30", "filter-40", "filter-50",
        "filter-cauchy", "filter-mean", "filter-better", "filter-differential",
    ),
)  # fmt: skip
enter(
    "beyond",
    "Beyond the paper: two networks as one, an evolution strategy, symmetric networks",
    ("paper", "hybrid", "strategy", "symmetric", "symmetric-strategy"),
    ("discs-4", "iago-4", "master", "top-6"),
)
