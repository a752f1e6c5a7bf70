"""All builds of the core give identical results: tuned, portable, checked, and on another CPU."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = sorted({path.parent for path in (ROOT / "core").rglob("*.cpp")} - {ROOT / "core/bindings"})


def signature(
    folder: Path, *flags: str, compiler: str = "g++", runner: tuple[str, ...] = ()
) -> dict[str, str]:
    """Build the core with these flags and return what each function's number is.

    The sources of a room are compiled as one, because reading headers takes most of the time.
    """
    program = folder / "signature"
    command = [compiler, "-std=c++20", "-pthread", "-I", str(ROOT / "core"), *flags]

    def compile_room(room: Path) -> Path:
        whole = folder / f"{room.name}.cpp"
        whole.write_text("".join(f'#include "{one}"\n' for one in sorted(room.glob("*.cpp"))))
        subprocess.run([*command, "-c", whole, "-o", whole.with_suffix(".o")], check=True)
        return whole.with_suffix(".o")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_room, [*ROOMS, Path(__file__).parent]))
    subprocess.run([*command, *objects, "-o", program], check=True)
    result = subprocess.run([*runner, program], check=True, capture_output=True, text=True)
    assert result.stderr == ""
    return dict(line.split() for line in result.stdout.splitlines())


@pytest.fixture(scope="module")
def portable(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    return signature(tmp_path_factory.mktemp("portable"), "-O3", "-Wall", "-Wextra", "-Werror")


def test_every_function_is_in_the_signature(portable: dict[str, str]) -> None:
    assert len(portable) == 66
    assert portable["legal_moves"] == portable["portable::legal_moves"]
    assert portable["flips"] == portable["portable::flips"]


def test_the_build_for_this_cpu_gives_the_same(portable: dict[str, str], tmp_path: Path) -> None:
    assert signature(tmp_path, "-O3", "-march=native") == portable


def test_undefined_behaviour_and_bad_memory_use_are_not_there(
    portable: dict[str, str], tmp_path: Path
) -> None:
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    assert signature(tmp_path, "-O1", "-march=native", *checks) == portable


def test_arm64_gives_the_same(portable: dict[str, str], tmp_path: Path) -> None:
    compiler, runner = "aarch64-linux-gnu-g++", "qemu-aarch64-static"
    if not (shutil.which(compiler) and shutil.which(runner)):
        pytest.skip("needs Debian's packages g++-aarch64-linux-gnu and qemu-user-static")
    found = signature(tmp_path, "-O1", "-static", compiler=compiler, runner=(runner,))
    assert found == portable


def test_the_stub_is_that_of_the_module(tmp_path: Path) -> None:
    """src/outflank/_core.pyi is what nanobind's generator writes for the built module."""
    fresh = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "outflank._core", "-o", fresh],
        check=True,
    )
    committed = ROOT / "src" / "outflank" / "_core.pyi"
    assert committed.read_text() == fresh.read_text(), "run make stub"
