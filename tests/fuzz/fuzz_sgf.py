"""Fuzz the reader of SGF: ``python -m fuzz.fuzz_sgf``."""

from fuzz.target import fuzz

SEEDS = [
    "(;FF[4]CA[UTF-8]GM[2]SZ[8]PB[a\\]b]PW[c\\\\]DT[1977-03-04]RE[W+12]GC[first\nof all]AP[x:1]"
    ";B[f5]C[a\\\nb]V[1.5];W[d6](;B[c3])(;B[c4];W[]))",
    "(;GM[2]AB[d5][ed:ee]AW[dd]AE[h8]PL[W]CA[Shift_JIS]RE[B+R];W[c5])(;GM[1];B[dd])",
]
WORDS = ["(;", ")", "GM[2]", "AB[", "AW[", "AE[", "PL[W]", "B[f5]", "W[]", "C[", "V[", "RE[", "\\]"]

if __name__ == "__main__":
    fuzz("sgf", SEEDS, WORDS)
