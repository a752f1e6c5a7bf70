"""Fingerprints stay: the results store tells players apart by them."""

from __future__ import annotations

import hashlib

import numpy as np

from outflank.evaluations.evolved import EvolvedNetwork, weights_of
from outflank.fingerprints import boards_of_all_stages, fingerprint, opening_boards
from outflank.othello.boards import Boards

# Of the version 0.1.0, in which each kind of network had code of its own for them.
OPENING = "e594ae2edc7325e1"
STAGES = "8e9acc960bfe5c38"
EVOLVED = "ce7adb2008db66df"


def digest(*boards: Boards) -> str:
    return fingerprint(*(bits for part in boards for bits in (part.own, part.other)))


def test_a_fingerprint_is_the_beginning_of_a_sha256() -> None:
    array = np.arange(3, dtype=np.float32)
    whole = hashlib.sha256(b"depth 2" + b"\x00\xff" + array.tobytes()).hexdigest()
    assert fingerprint("depth 2", b"\x00\xff", array) == whole[:16]


def test_one_weight_makes_another_fingerprint() -> None:
    weights = np.zeros(100, np.float32)
    before = fingerprint(weights)
    weights[50] = 1e-6
    assert fingerprint(weights) != before


def test_the_boards_that_are_asked_about_stay_the_same() -> None:
    assert digest(opening_boards()) == OPENING
    assert digest(*boards_of_all_stages()) == STAGES
    assert len(boards_of_all_stages()) == 60


def test_fingerprints_of_before_are_found_again() -> None:
    weights = np.linspace(-1, 1, weights_of("spatial"), dtype=np.float32)
    assert EvolvedNetwork("spatial", weights).fingerprint == EVOLVED
