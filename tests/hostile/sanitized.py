"""Calls the core of a build with sanitizers: python -m hostile.sanitized FOLDER [FUNCTION...]

The sanitizers' libraries must be there before Python is, so that the calls are made in a process
that preloads them. Whatever they find ends that process, and is printed.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

TESTS = str(Path(__file__).parents[1])
_SETTINGS = {
    # Python keeps memory until its end. A request that no machine can fulfil is an answer.
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "HOSTILE_MOST_SECONDS": "2",
    "OUTFLANK_SANITIZED": "yes",
}


def library(name: str) -> str:
    """Return the path of a library of the compiler."""
    asked = ["g++", f"-print-file-name={name}"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def load(folder: Path) -> None:
    """Put the module of a build in the place of the installed one."""
    (path,) = folder.glob("_core*.so")
    spec = importlib.util.spec_from_file_location("outflank._core", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["outflank._core"] = module
    spec.loader.exec_module(module)
    import outflank

    outflank._core = module


def main() -> int:
    folder = Path(sys.argv.pop(1))
    if "OUTFLANK_SANITIZED" in os.environ:
        load(folder)
        from hostile.core_calls import main as call_all

        call_all()
        return 0
    libraries = " ".join(library(f"lib{name}.so") for name in ("asan", "ubsan", "stdc++"))
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "hostile.sanitized", str(folder), *sys.argv[1:]],
        env={**os.environ, **_SETTINGS, "LD_PRELOAD": libraries, "PYTHONPATH": TESTS},
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
