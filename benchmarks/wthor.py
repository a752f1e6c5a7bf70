"""From the files of the WThor database to arrays of (own, other, move): seconds and memory."""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np

from outflank.data import wthor_files, wthor_folder
from outflank.records.replay import replay
from outflank.records.wthor import WthorFile


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wthor", type=Path, help="folder of .wtb files; without: the store")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    files = wthor_files(wthor_folder(arguments.wthor))
    began = time.perf_counter()
    squares = np.concatenate([WthorFile.load(file).squares() for file in files])
    played = replay(squares, threads=arguments.threads)
    seconds = time.perf_counter() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(played.legal):,} games, {len(played.own):,} positions in {seconds:.2f} s"
        f" with {arguments.threads} thread(s); {memory:.0f} MB at most in the whole process"
    )


if __name__ == "__main__":
    main()
