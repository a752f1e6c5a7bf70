"""What the figures depend on besides the code: the machine and the versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

from outflank import _core

CPU_INFO = Path("/proc/cpuinfo")


def cpu_model() -> str:
    """The name that the processor gives itself."""
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def describe() -> dict[str, str | int | float]:
    """Names and numbers; load: how many processes wanted to run in the last minute."""
    return {
        "cpu": cpu_model(),
        "cores": _core.available_threads(),
        "load": round(os.getloadavg()[0], 2),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "outflank": version("outflank"),
        "build": _core.build(),
    }
