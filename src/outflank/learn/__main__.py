"""`python -m outflank.learn`: trains a run as its standard input says; see launching.py."""

from __future__ import annotations

import json
import signal
import sys
from types import FrameType

from outflank.errors import OutflankError
from outflank.learn.launching import serve

_TERMINATED = 128 + signal.SIGTERM  # as a shell would say it


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(_TERMINATED)  # blocks are left in order, and the run's status says so


def main() -> None:
    """Train; an error is one line on standard error."""
    signal.signal(signal.SIGTERM, _leave)  # until training itself takes over
    try:
        serve(json.load(sys.stdin))
    except OutflankError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
