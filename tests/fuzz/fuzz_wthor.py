"""Fuzz the reader of WThor files: ``python -m fuzz.fuzz_wthor``."""

from fuzz.target import fuzz

if __name__ == "__main__":
    fuzz("wthor")
