"""Fuzz the reader of OBF: ``python -m fuzz.fuzz_obf``."""

from fuzz.target import fuzz

START = "-" * 27 + "OX------XO" + "-" * 27
SEEDS = [f"% positions\n{START} X; F5:+0; d3:-2;\n{START} O;\n"]
WORDS = ["% ", "; ", " X;", " O;", " F5:+18;", " PA:-4;", "X", "O", "-", START]

if __name__ == "__main__":
    fuzz("obf", SEEDS, WORDS)
