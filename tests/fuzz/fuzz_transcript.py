"""Fuzz the reader of transcripts: ``python -m fuzz.fuzz_transcript``."""

from fuzz.target import fuzz

SEEDS = ["# games\nf5d6c3d3c4\n1. F5 D6 2. C3, d3\n", "d3c3e6d2d1e1b2c1--d6pass\n"]
WORDS = ["f5", "d6", "C3", "pass", "PA", "ps", "--", "1.", "2...", ",", ";", "#", "%"]

if __name__ == "__main__":
    fuzz("transcript", SEEDS, WORDS)
