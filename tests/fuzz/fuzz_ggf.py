"""Fuzz the reader of GGF: ``python -m fuzz.fuzz_ggf``."""

from fuzz.target import fuzz

BOARD = "BO[8 ---------------------------O*------*O--------------------------- *]"
SEEDS = [
    f"(;GM[Othello]PC[GGS/os]DT[2004.09.18]PB[A\\]]PW[\\\\]RB[1837.5]RW[9]TI[05:00//02:00]{BOARD};)",
    f"2 (;GM[Othello]TY[s8]{BOARD}B[f5//0.01]W[F4/-1.50/12.3];)(;GM[Othello]{BOARD}B[d3/2/1:02];)",
    f"(;GM[Othello]TY[8k]KB[f5//0.9]KW[d3/3.00]KM[1.500]RE[+62.500]{BOARD}B[f5];)",
    f"(;GM[Othello]RE[-4.000:r]{BOARD}B[f5];)",
    "(;GM[Othello]BO[8 O*" + "-" * 62 + " *]B[PA]W[C1];)",
]
WORDS = [
    "(;",
    ";)",
    "GM[Othello]",
    BOARD,
    "B[f5]",
    "W[PA]",
    "RE[+4:t]",
    "RE[?]",
    "KM[2]",
    "TY[8",
    "\\]",
]

if __name__ == "__main__":
    fuzz("ggf", SEEDS, WORDS)
