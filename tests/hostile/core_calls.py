"""Calls every function of the compiled core with hostile arguments; run it as a program.

Arguments are made from the types that the stub gives them: good ones first, then each in turn is
replaced by bad ones. Whatever is raised is fine, but the process must survive and go on. The
program prints each function before its calls, so that whoever started it knows which one crashed.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from hostile.stub import Signature, classes, signatures
from outflank import _core

OWN, OTHER = 0x0000000810000000, 0x0000001008000000  # the start position
END_OWN, END_OTHER = 0xA0C1EBDDDBD7EECE, 0x1C3C142224281020  # seven squares are empty
FULL = 2**64 - 1
# What a parameter is given if its type alone does not say enough.
GOOD: dict[str, Any] = {
    "own": OWN,
    "other": OTHER,
    "bits": OWN,
    "symmetry": 3,
    "square": 19,
    "move": 19,
    "depth": 2,
    "threads": 1,
    "seed": 1,
    "size": 5,
    "games": 1,
    "simulations": 3,
    "name": "swh",  # has weighted squares, which one function needs
    "shape": "flat",
    "ends": "score",
    "names": ["own", "legal"],
    "evaluator": "uniform",
    "megabytes": 1,
    "channels": 16,
    "hidden": 16,
    "passes": 1,
    "nodes": 50,
    "shallow": 1,
    "from_discs": 4,
    "to_discs": 64,
    "slope": 1.0,
    "offset": 0.0,
    "error": 1.0,
    "tree": 0,
    "rates": (0.1, 0.1, 0.1),
    "piece_weight": 0.1,
    "parallel": 2,
}
# Optional, but given, so that a call is short.
BOUNDS = ("threads", "megabytes", "depth", "channels", "hidden")
WRONG: list[Any] = [
    None,
    -1,
    0,
    1,
    65,
    2**31 - 1,
    -(2**31),
    2**63,
    2**64,
    -(2**70),
    10**30,
    float("nan"),
    float("inf"),
    -1e308,
    1e308,
    "",
    "no such name",
    "\0",
    b"bytes",
    [],
    [None],
    (),
    {},
    object(),
    int,
    lambda *_: None,
    np.zeros(0, np.uint64),
    np.zeros(1, np.uint64),
    np.full(3, FULL, np.uint64),
    np.zeros((2, 2), np.uint64),
    np.zeros(3, np.float32),
    np.full(3, np.nan, np.float32),
    np.full(3, 200, np.uint8),
    np.arange(6, dtype=np.uint64)[::2],
    np.zeros((3, 64), np.float32),
    np.full((1, 3), -1, np.int16),
]
ARRAYS: list[Any] = [
    lambda kind, shape: np.zeros(shape, kind),
    lambda kind, shape: np.full(shape, _greatest(kind), kind),
    lambda kind, shape: np.full(shape, np.nan, kind) if kind().dtype.kind == "f" else None,
    lambda kind, shape: np.zeros((*shape, 2), kind),
    lambda kind, shape: np.zeros((0, *shape[1:]), kind),
    lambda kind, shape: np.zeros((shape[0] + 1, *shape[1:]), kind),
    lambda kind, shape: np.zeros((2 * shape[0], *shape[1:]), kind)[::2],
]


def _greatest(kind: Any) -> Any:
    return (
        np.finfo(kind).max
        if kind().dtype.kind == "f"
        else kind(-1)
        if kind is np.bool_
        else (np.iinfo(kind).max)
    )


def good(name: str, type_text: str, owner: str = "") -> Any:
    """Return a good argument."""
    if name == "evaluator" and type_text.startswith("Callable"):
        return lambda own, other, white: np.zeros(len(own))
    if "NDArray[numpy." in type_text and not type_text.startswith(("int |", "LineNetwork |")):
        return array(name, type_text, owner)
    if type_text.startswith("Sequence[DepthRegression]"):
        return [_core.DepthRegression(3, 1, 4, 64, 1.0, 0.0, 1.0)]
    if "Sequence[int]" in type_text:
        return [19]
    if type_text.startswith("Sequence[Mind]"):
        return [_core.Mind(_core.Evaluation.named("discs"))]
    plain = type_text.split(" | ")[0]
    if name == "network":
        return make("LineNetwork")
    if plain in classes():
        return make(plain)
    if owner == "Solver" and name in ("own", "other"):
        return END_OWN if name == "own" else END_OTHER
    if name in GOOD:
        return GOOD[name]
    if plain == "bool":
        return False
    return {"int": 1, "float": 0.5, "str": "x"}.get(plain)


def array(name: str, type_text: str, owner: str) -> Any:
    """Return a good array for a parameter."""
    kind = getattr(np, type_text.split("NDArray[numpy.")[1].split("]")[0])
    if name == "weights" and owner in ("EvolvedEvaluation", "MoveFilter"):
        shape = "filter" if owner == "MoveFilter" else "flat"
        return np.zeros(_core.evolved_weights(shape), kind)
    if name in ("weights", "exact_weights") and owner.startswith("Pattern"):
        return (
            _core.PatternLearner(patterns()).exact_weights() if kind is np.float32 else patterns()
        )
    if name == "weights" and owner in ("ChampionEvaluation", ""):
        whole = np.zeros(_core.ChampionEvaluation.bytes, np.int8)
        return whole if kind is np.int8 else _core.champion_numbers(whole)
    if owner == "ValueDescent" and name in ("weights", "momentum"):
        return np.zeros(make(owner).size, kind)
    special = {
        ("ValueDescent", "planes"): np.zeros((1, 1, 8, 8), np.int8),
        ("PatternNetwork", "rows"): np.zeros((117_262, 16), np.int8),
        ("PatternNetwork", "empties"): np.zeros((61, 16), np.int16),
        ("PatternNetwork", "inner"): np.zeros((16 * 16, 16), np.int16),
        ("PatternNetwork", "inner_bias"): np.zeros((16, 16), np.int32),
        ("PatternNetwork", "outer"): np.zeros((16, 16), np.int16),
        ("PatternNetwork", "outer_bias"): np.zeros(16, np.int32),
        ("NTupleNetwork", "lengths"): np.array([2], kind),
        ("NTupleNetwork", "squares"): np.array([0, 1], np.uint8),
        ("NTupleNetwork", "offsets"): np.array([0], np.uint32),
        ("NTupleNetwork", "weights"): np.zeros(9),
    }
    if (owner, name) in special:
        return special[owner, name]
    if "shape=(None, None)" in type_text or name == "policy":
        return np.zeros((1, 64 if kind is np.float32 else 0), kind)
    value = {"own": OWN, "other": OTHER, "move": 19, "moves": 19, "bits": OWN}.get(
        name.removeprefix("among_").removeprefix("start_"), 0
    )
    return np.full(1, value, kind)


def patterns() -> Any:
    none = np.zeros(0, np.uint64)
    return _core.fit_patterns(none, none, np.zeros(0, np.float32), passes=0)


def make(name: str) -> Any:
    """Make an object of a class of the core."""
    if name == "Evaluation":
        return _core.Evaluation.named("discs")
    wanted = next(one for one in signatures() if (one.owner, one.name) == (name, "__init__"))
    return getattr(_core, name)(**arguments(wanted))


def arguments(of: Signature) -> dict[str, Any]:
    """Return good arguments for all that is required, and for what bounds the work."""
    given = {
        name: good(name, kind, of.owner)
        for name, kind in of.parameters.items()
        if name not in of.optional or name in BOUNDS
    }
    if of.name == "step" and of.owner == "LineTrainer":
        given["move"] = np.full(1, 19, np.uint8)
    return given


def bad_arguments(name: str, kind: str, owner: str) -> Iterator[Any]:
    """Yield bad arguments in place of one parameter."""
    yield from WRONG
    if "NDArray[numpy." in kind:
        usual = good(name, kind, owner)
        if isinstance(usual, np.ndarray):
            for change in ARRAYS:
                made = change(usual.dtype.type, usual.shape)
                if made is not None:
                    yield made


def hostile_calls(of: Signature) -> Iterator[dict[str, Any]]:
    """Yield arguments for calls: each bad one alone, then boards that overlap."""
    usual = arguments(of)
    for name, kind in of.parameters.items():
        for wrong in bad_arguments(name, kind, of.owner):
            yield {**usual, name: wrong}
        yield {key: value for key, value in usual.items() if key != name}
    if "own" in of.parameters and "other" in of.parameters:
        for both in (OWN, FULL, 2**64 - 2):
            is_array = isinstance(usual.get("own"), np.ndarray)
            value = np.full(1, both, np.uint64) if is_array else both
            yield {**usual, "own": value, "other": value}


def find(of: Signature) -> Any:
    """Return what is to be called; a method is one of an object that all its calls share."""
    if of.name == "__init__":
        return getattr(_core, of.owner)
    return getattr(make(of.owner) if of.owner else _core, of.name)


_SECONDS_TO_HEAR = 10.0  # under the load of other tests


def _too_slow(*_: object) -> None:
    raise TimeoutError


def main() -> None:
    signal.signal(signal.SIGALRM, _too_slow)
    tries = 0
    most = float(os.environ.get("HOSTILE_MOST_SECONDS", "60"))
    wanted = sys.argv[1:]
    for one in signatures():
        if one.name in ("end_calls", "__len__") or (wanted and str(one) not in wanted):
            continue
        print(f"calling {one}", flush=True)
        called = find(one)
        for given in hostile_calls(one):
            began = time.monotonic()
            # Outside, an alarm that rings just after the call has ended is caught, too.
            with suppress(TimeoutError):
                signal.setitimer(signal.ITIMER_REAL, most)
                with suppress(Exception):  # whatever is raised is an answer
                    called(**given)
                signal.setitimer(signal.ITIMER_REAL, 0)
            tries += 1
            if time.monotonic() - began > most + _SECONDS_TO_HEAR:  # long work is ended in time
                print(f"slow {one} {given}", flush=True)
    print(f"tries {tries}", flush=True)


if __name__ == "__main__":
    main()
