"""Ng's claims about the errors of his networks, judged by stored rows."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from outflank.studies.doubts import ONCE, left_open
from outflank.studies.estimate import Estimate
from outflank.studies.result import Claim, Result, Row

# An error that no network has that learned anything: results have a mean square of 0.95.
COLLAPSED = 0.9
BEST = "13"
# Networks of Table 1 that differ in their features alone: border; corners too; moves too.
_BY_FEATURES = (
    ("/", "5", "13"), ("1", "6", "11"), ("2", "7", "10"), ("3", "8", "12"), ("4", "9", "14"),
)  # fmt: skip
# Those that differ in their dropout alone, less first; and in their width alone, narrow first.
_BY_DROPOUT = (
    ("/", "4"), ("1", "2"), ("2", "3"), ("5", "9"), ("6", "7"), ("7", "8"), ("13", "14"),
    ("11", "10"), ("10", "12"),
)  # fmt: skip
_BY_WIDTH = (("/", "1"), ("4", "2"), ("5", "6"), ("9", "7"), ("13", "11"), ("14", "10"))
_THOUSANDTHS, _HUNDREDTH = 0.01, 0.01
_SIDES = 0.025  # of a 95% interval, each

Pairs = Sequence[tuple[str, str]]


class Networks:
    """The networks of one effort among a result's rows."""

    def __init__(self, result: Result, *, whole: bool = False) -> None:
        self.rows: dict[str, Row] = {
            str(row.facts["network"]): row for row in result.rows
            if ("as in the paper" in row.label) == whole
        }  # fmt: skip
        self.how = ", trained as in the paper" if whole else ""

    def learned(self, name: str) -> bool:
        """Return whether a network is there, and learned something in every training."""
        row = self.rows.get(name)
        return row is not None and all(
            one["training"] <= COLLAPSED for one in row.facts["trainings"]
        )

    def once(self, names: Sequence[str]) -> str:
        """Return the doubt about networks of which one was trained only once, or nothing."""
        trained = (len(self.rows[name].facts["trainings"]) for name in names)
        return ONCE if min(trained) < 2 else ""

    def gain(self, one: str, other: str, column: str) -> Estimate | None:
        """Return how much greater a figure of one network is than another's, if both are known."""
        if not {one, other} <= self.rows.keys():
            return None
        first, second = (self.rows[name].estimate(column) for name in (one, other))
        return first.gain(second) if first and second else None

    def judge(self, text: str, pairs: Pairs, column: str, **bound: float) -> list[Claim]:
        """Judge the mean difference within pairs; nothing where no pair is there."""
        there = [pair for pair in pairs if self.gain(*pair, column)]
        if not there:
            return []
        used = [pair for pair in there if all(map(self.learned, pair))]
        gains = [gain for pair in used if (gain := self.gain(*pair, column))]
        if not gains:
            reason = "of each pair a network learned nothing"
            return [Claim(text + self.how, Claim.OPEN, reason)]
        words = ", ".join(f"{one} less {other}" for one, other in used)
        if len(used) < len(there):
            words += "; without pairs of which a network learned nothing"
        claim = Claim.judge(
            text + self.how, f"{_NAMES[column]}, mean of {words}" if len(used) > 1 else
            f"{_NAMES[column]}, {words}", Estimate.mean_gain(gains), digits=4, **bound,
        )  # fmt: skip
        return [left_open(claim, self.once([name for pair in used for name in pair]))]

    def judge_none_better(self, text: str, names: Sequence[str], than: str = BEST) -> list[Claim]:
        """Judge that none of some networks has a lower error than one, all at once.

        It holds if none of the intervals goes below zero, and fails if one lies below zero even
        when it is widened for the number of networks.
        """
        there = [name for name in names if name in self.rows and name != than]
        gains = {name: gain for name in there if (gain := self.gain(name, than, "test"))}
        if not gains:
            return []
        normal = statistics.NormalDist()
        wider = normal.inv_cdf(1 - _SIDES / len(gains)) / normal.inv_cdf(1 - _SIDES)
        name, lowest = min(gains.items(), key=lambda item: item[1].value)
        better = [one for one in gains.values() if one.value + wider * one.margin < 0]
        holds = all(one.low >= 0 for one in gains.values())
        reason = (
            f"of {len(gains)} networks {sum(one.value < 0 for one in gains.values())} have a lower "
            f"error than network {than}; the lowest, network {name}, less network {than}: "
            f"{lowest.value:.4f} (95%: {lowest.low:.4f} to {lowest.high:.4f}, of this one alone)"
        )
        verdict = Claim.HOLDS if holds else Claim.FAILS if better else Claim.OPEN
        return [left_open(Claim(text + self.how, verdict, reason), self.once([*gains, than]))]


_NAMES: Mapping[str, str] = {
    "test": "error", "unseen": "error on games of no set", "difference": "difference",
}  # fmt: skip


def judge_table_1(result: Result) -> list[Claim]:
    """Judge what the paper says of features, dropout and width."""
    found = []
    for networks in (Networks(result), Networks(result, whole=True)):
        for text, one, other in (
            ("corners as a feature lower the error", 1, 0),
            ("legal moves as a feature lower it further", 2, 1),
            ("corners and legal moves together lower it", 2, 0),
        ):
            pairs = [(row[one], row[other]) for row in _BY_FEATURES]
            found += networks.judge(text, pairs, "test", below=0)
        more = [(strong, weak) for weak, strong in _BY_DROPOUT]
        wide = [(wide, narrow) for narrow, wide in _BY_WIDTH]
        found += networks.judge("more dropout means a higher error", more, "test", above=0)
        found += networks.judge("and less overfitting", more, "difference", above=0)
        found += networks.judge("more units mean a lower error", wide, "test", below=0)
        found += networks.judge("and more overfitting", wide, "difference", below=0)
        others, all_others = len(networks.rows) - 1, len(Networks(result).rows) - 1
        few = f"only {others} of {all_others} others were trained so" * (others < all_others)
        found += [
            left_open(claim, few)
            for claim in networks.judge_none_better("no network is better than network 13",
                                                    list(networks.rows))
        ]  # fmt: skip
    return found


def judge_table_2(result: Result) -> list[Claim]:
    """Judge that asymmetric dropout does not help."""
    networks = Networks(result)
    text = "asymmetric dropout does not lower the error"
    return networks.judge_none_better(text, list(networks.rows))


def judge_table_3(result: Result) -> list[Claim]:
    """Judge that other depths do not help."""
    networks = Networks(result)
    return networks.judge_none_better(
        "other numbers of layers do not lower the error", list(networks.rows)
    )


def judge_table_4(result: Result) -> list[Claim]:
    """Judge the final networks: all sets together overfit, and the others are no better."""
    found = []
    last = "final_network2"
    for networks in (Networks(result), Networks(result, whole=True)):
        pair = [(last, BEST)]
        found += networks.judge("all sets together mean a lower error on sets of the same games",
                                pair, "test", below=0)  # fmt: skip
        found += networks.judge("but serious overfitting: a larger difference", pair,
                                "difference", below=0)  # fmt: skip
        found += networks.judge("and nothing is gained on games that no set contains (our reading)",
                                pair, "unseen", least=0)  # fmt: skip
        found += networks.judge_none_better(
            "nothing is gained by training on the whole of set 1, or by a corner of 10",
            ["final_network1", "final_network3"],
        )
    return found


def judge_figure_12(result: Result) -> list[Claim]:
    """Judge how much the errors on the sets differ."""
    spreads, gaps = [], []
    for row in result.rows:
        others = [row.values[name] for name in row.values if name.startswith("set-")][1:]
        spreads.append(max(others) - min(others))
        gaps.append(row.values["others"] - row.values["set-1"])
    partly = "set 1 holds more than a network has learned from" if result.config["effort"][
        "states"] else ""  # fmt: skip
    return [
        Claim(
            "the errors on the test sets differ by thousandths",
            Claim.HOLDS if max(spreads) < _THOUSANDTHS else Claim.FAILS,
            f"greatest difference between two of them: {max(spreads):.4f}",
        ),
        left_open(
            Claim(
                "that on set 1 is lower by hundredths",
                Claim.HOLDS if min(gaps) >= _HUNDREDTH else Claim.FAILS,
                f"lower by {min(gaps):.4f} to {max(gaps):.4f}",
            ),
            partly,
        ),
    ]
