"""The `outflank` command, also as `python -m outflank`: answers Ctrl-C from its first moment on.

Most of the time of a short command goes to its imports, and an interrupt in the middle of an import
is a traceback, here or in code of others. Nothing is begun then, so nothing is to be cleaned up.
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
    except KeyboardInterrupt:  # in between
        _leave(signal.SIGINT, None)


def _leave(number: int, frame: object) -> None:
    """Leave at once, as the command does on Ctrl-C; no exception can come out of an import."""
    try:
        os.write(_STDERR, b"\nInterrupted.\n")
    finally:
        os._exit(128 + number)


if __name__ == "__main__":
    main()
