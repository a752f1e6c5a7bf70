"""Files: written whole or not at all (whole.py), and going along to other machines (luggage.py)."""

from outflank.files.luggage import Luggage, located, needed, noting_files
from outflank.files.whole import (
    PART,
    check_target,
    open_to_read,
    open_to_write,
    read_bytes,
    remove_parts,
    write_bytes,
)

__all__ = [
    "PART",
    "Luggage",
    "check_target",
    "located",
    "needed",
    "noting_files",
    "open_to_read",
    "open_to_write",
    "read_bytes",
    "remove_parts",
    "write_bytes",
]
