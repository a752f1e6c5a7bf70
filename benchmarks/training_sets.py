"""From the files of the WThor database to the four training sets: seconds, memory and disk."""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path

from outflank.data import extract_examples, parse_years


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wthor", type=Path, help="folder of .wtb files; without: the store")
    parser.add_argument("--years", default="1977-2015")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = extract_examples(
            wthor=arguments.wthor, years=parse_years(arguments.years), out=Path(folder)
        )
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*.npy")) / 2**20
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    counts = ", ".join(f"{name} {count:,}" for name, count in made.manifest.examples.items())
    print(f"{made.manifest.games:,} games: {counts}")
    print(
        f"{made.seconds:.1f} s; {memory:.0f} MB at most in the whole process; {disk:.0f} MB on disk"
    )


if __name__ == "__main__":
    main()
