"""Fuzz the reader of board strings: ``python -m fuzz.fuzz_boards``."""

from fuzz.target import fuzz

SEEDS = [
    "-" * 27 + "OX------XO" + "-" * 27 + " X\n",
    "." * 27 + "wb......bw" + "." * 27 + "w\n",
    "-" * 27 + "O*------*O" + "-" * 27 + " *\n",
]
WORDS = ["X", "O", "b", "w", "*", ".", "-", " X\n", "●", "○", "#", "%"]

if __name__ == "__main__":
    fuzz("boards", SEEDS, WORDS)
