"""The `outflank` command, also as `python -m outflank`: answers Ctrl-C from the start.

A short command spends most of its time on imports, and an interrupt during an import prints a
traceback. Nothing has begun by then, so there is nothing to clean up.
"""

import os
import signal

_STDERR = 2


def main() -> None:
    """Import the command line and run it."""
    try:
        usual = signal.getsignal(signal.SIGINT)
        if usual is signal.default_int_handler:  # nohup and jobs of a shell ignore it
            signal.signal(signal.SIGINT, _leave)
        from outflank.cli import main as command

        signal.signal(signal.SIGINT, usual)
        command()
    except KeyboardInterrupt:  # between the two handlers
        _leave(signal.SIGINT, None)


def _leave(number: int, frame: object) -> None:
    """Exit at once, as the command does on Ctrl-C, without raising anything in an import."""
    try:
        os.write(_STDERR, b"\nInterrupted.\n")
    finally:
        os._exit(128 + number)


if __name__ == "__main__":
    main()
