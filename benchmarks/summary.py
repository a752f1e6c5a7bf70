"""From the figures of all rounds to medians and ratios."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from benchmarks.peers.protocol import MEASURES

ONE_THREAD = "outflank, 1 thread"
ALL_CORES = "outflank, all cores"

# One round: who measured, what, things a second.
Round = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Row:
    """One measure: medians of things a second, and how many times the peers outflank is.

    ratios: for each of outflank's two ways, for each peer, the median over the rounds of the
    ratio within a round, so that a slow minute of the machine falls on both sides.
    """

    measure: str
    medians: dict[str, float]
    fastest_peer: str | None
    ratios: dict[str, dict[str, float]]

    def best_ratios(self) -> dict[str, float]:
        """Ratios to the fastest peer."""
        if self.fastest_peer is None:
            return {}
        return {way: to[self.fastest_peer] for way, to in self.ratios.items()}


def row_of(measure: str, rounds: list[Round], peers: list[str]) -> Row:
    who = [name for name in (ONE_THREAD, ALL_CORES, *peers) if measure in rounds[0][name]]
    series = {name: [one[name][measure] for one in rounds] for name in who}
    medians = {name: median(values) for name, values in series.items()}
    ratios = {
        way: {
            peer: median(a / b for a, b in zip(series[way], series[peer], strict=True))
            for peer in peers
        }
        for way in (ONE_THREAD, ALL_CORES)
        if way in series
    }
    fastest = max(peers, key=medians.__getitem__, default=None)
    return Row(measure, medians, fastest, ratios)


def summarize(rounds: list[Round], peers: list[str]) -> list[Row]:
    """One row for each measure."""
    return [row_of(measure, rounds, peers) for measure in MEASURES]
