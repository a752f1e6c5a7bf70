"""`python -m outflank` is the `outflank` command."""

from outflank.cli import main

main()
