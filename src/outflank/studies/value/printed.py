"""What Ng (2017) printed: his networks by number, and their errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from outflank.studies.value.networks import BORDER, CORNER, MOVES, dense

# By number: what differs from network 13, and the errors printed: on sets 2-7 and on set 1.
Printed = Mapping[str, tuple[Mapping[str, Any], float, float]]

TABLE_1: Printed = {
    "/": (dense(512, 0.3, BORDER), 0.7427, 0.7058),
    "1": (dense(1024, 0.3, BORDER), 0.7312, 0.6624),
    "2": (dense(1024, 0.4, BORDER), 0.7331, 0.6886),
    "3": (dense(1024, 0.5, BORDER), 1.0817, 1.0802),
    "4": (dense(512, 0.4, BORDER), 0.7576, 0.7496),
    "5": (dense(512, 0.3, CORNER), 0.7339, 0.6966),
    "6": (dense(1024, 0.3, CORNER), 0.7298, 0.6750),
    "7": (dense(1024, 0.4, CORNER), 0.7392, 0.7147),
    "8": (dense(1024, 0.5, CORNER), 0.7595, 0.7457),
    "9": (dense(512, 0.4, CORNER), 0.7300, 0.6921),
    "10": (dense(1024, 0.4, MOVES), 0.7230, 0.6394),
    "11": (dense(1024, 0.3, MOVES), 0.7207, 0.6666),
    "12": (dense(1024, 0.5, MOVES), 0.9178, 0.9094),
    "13": (dense(512, 0.3, MOVES), 0.7191, 0.6542),
    "14": (dense(512, 0.4, MOVES), 0.7393, 0.7262),
}


def _uneven(nodes: int, conv: float, dense_rate: float) -> dict[str, Any]:
    return {"nodes": nodes, "conv_dropout": conv, "dense_dropout": dense_rate, "features": MOVES}


TABLE_2: Printed = {
    "13": TABLE_1["13"],
    "15": (_uneven(1024, 0.0, 0.4), 0.7525, 0.6874),
    "16": (_uneven(1024, 0.3, 0.4), 0.7231, 0.6907),
    "17": (_uneven(1024, 0.3, 0.5), 0.7383, 0.7254),
    "18": (_uneven(1024, 0.4, 0.3), 0.7318, 0.7149),
    "19": (_uneven(1024, 0.4, 0.5), 0.7430, 0.7339),
    "20": (_uneven(1024, 0.5, 0.3), 0.8176, 0.8116),
    "21": (_uneven(1024, 0.5, 0.4), 0.7643, 0.7567),
    "22": (_uneven(512, 0.3, 0.4), 0.7278, 0.6723),
    "23": (_uneven(512, 0.4, 0.3), 0.7549, 0.7425),
    "24": (_uneven(512, 0.0, 0.3), 0.7719, 0.6125),
    "25": (_uneven(512, 0.0, 0.4), 0.7624, 0.6068),
}


def _deep(conv: int, layers: int) -> dict[str, Any]:
    return dense(512, 0.3, MOVES, conv_layers=conv, dense_layers=layers)


TABLE_3: Printed = {
    "13": TABLE_1["13"],
    "26": (_deep(3, 4), 0.7202, 0.6904),
    "27": (_deep(2, 5), 0.7237, 0.6654),
    "28": (_deep(3, 5), 0.7238, 0.6962),
    "29": (_deep(1, 4), 0.7356, 0.6256),
    "30": (_deep(2, 3), 0.7309, 0.6752),
    "31": (_deep(1, 3), 0.7379, 0.6007),
}
TABLE_4: Printed = {
    "13": TABLE_1["13"],
    "final_network1": (dense(512, 0.3, MOVES, held_out=0.1), 0.7246, 0.6916),
    "final_network2": (dense(512, 0.3, MOVES, held_out=0.1, sets="1-7"), 0.6608, 0.5330),
    "final_network3": (
        dense(512, 0.3, "raw+corner-10+freemove", held_out=0.1), 0.7181, 0.6453
    ),
}  # fmt: skip
_SEEN = {BORDER: "border", CORNER: "corners", MOVES: "corners and moves"}
_FINAL = {
    "final_network1": "the whole of set 1", "final_network2": "sets 1 to 7",
    "final_network3": "corners count 10",
}  # fmt: skip


def label_of(name: str, changes: Mapping[str, Any]) -> str:
    """Return what a network is called in tables: its number, and what tells it from others."""
    if name in _FINAL:
        return f"{name}: {_FINAL[name]}"
    if "conv_layers" in changes:
        many = "s" * (changes["conv_layers"] > 1)
        what = f"{changes['conv_layers']} convolution{many}, {changes['dense_layers']} layers"
        return f"network {name}: {what}"
    rates = dict.fromkeys((changes["conv_dropout"], changes["dense_dropout"]))
    dropout = " and ".join(f"{rate:g}" for rate in rates)
    seen = _SEEN[changes["features"]]
    return f"network {name}: {seen}, {changes['nodes']} units, dropout {dropout}"


# Errors on each set.
FIGURE_12: dict[str, dict[str, float]] = {
    name: {f"set-{number}": error for number, error in enumerate(errors, 1)}
    for name, errors in {
        "5": (0.6966, 0.7338, 0.7329, 0.7338, 0.7340, 0.7359, 0.7329),
        "6": (0.6750, 0.7298, 0.7289, 0.7302, 0.7306, 0.7317, 0.7279),
        "7": (0.7147, 0.7393, 0.7383, 0.7387, 0.7399, 0.7410, 0.7378),
        "8": (0.7457, 0.7600, 0.7586, 0.7592, 0.7593, 0.7606, 0.7591),
        "9": (0.6921, 0.7303, 0.7289, 0.7306, 0.7304, 0.7318, 0.7280),
    }.items()
}
