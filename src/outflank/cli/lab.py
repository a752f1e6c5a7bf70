"""`outflank lab`: the web app."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.output import errors
from outflank.errors import FileError, OutflankError


def lab(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any free one.")] = 8000,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Any but this machine's own lets others in.")
    ] = "127.0.0.1",
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", help="Another host name that browsers may use."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
    runs: Annotated[Path, typer.Option(help="Folder of the runs.")] = Path("runs"),
    studies: Annotated[Path, typer.Option(help="Folder of the studies' results.")] = Path(
        "studies"
    ),
    wthor: Annotated[
        Path | None, typer.Option(help="Folder of WThor files. Default: the store's.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Where the work of runs and tournaments is done: local, ray, or ray://HOST:PORT."
        ),
    ] = None,
) -> None:
    """Open the lab: play, review, watch, learn and compare in a web page.

    It serves only this machine, until Ctrl-C.

    Examples:

        outflank lab

        outflank lab --port 9000 --no-browser --wthor data/wthor
    """
    try:
        import uvicorn

        from outflank.lab.app import create_app
    except ImportError as error:
        raise OutflankError(
            f"the lab needs {error.name}, which is not installed; "
            "install it with: pip install 'outflank[lab]'"
        ) from None
    from outflank.cluster.choice import SETTING, check
    from outflank.lab import LabSettings
    from outflank.lab.settings import LOCAL

    if cluster is not None:
        os.environ[SETTING] = check(cluster)  # processes that the lab starts inherit it
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    names = (*LOCAL, host, *(allow or []))
    settings = LabSettings(
        host=host, port=port, hosts=names, runs=runs, studies=studies, wthor=wthor
    )
    for folder in (settings.games, settings.results.parent):
        _check_folder(folder)
    shown = "localhost" if host in ("0.0.0.0", "::") else host  # noqa: S104
    address = f"http://{shown}:{port}"
    errors.print(f"The lab is at {address} (Ctrl-C ends it).", highlight=False)
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        ws_max_size=128 * 1024,
        timeout_graceful_shutdown=3,
    )
    if browser:
        opening = threading.Timer(1.0, webbrowser.open, [address])
        opening.daemon = True  # a browser that does not start must not keep the lab from ending
        opening.start()
    uvicorn.Server(config).run(sockets=[listening])


def _check_folder(folder: Path) -> None:
    """Make a folder that the lab writes to, or say at once that it cannot."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(folder, "write into the folder", error) from None


def _is_name(host: str) -> bool:
    """Return whether a text can be given to the system as a host's name."""
    try:
        host.encode("idna")
    except UnicodeError:  # no Unicode, or longer than a name can be
        return False
    return bool(host.strip()) and "\0" not in host  # sockets take nothing for any address


def _listen(host: str, port: int) -> socket.socket:
    """Take a port, or raise an error that says why not."""
    if not _is_name(host):
        raise OutflankError(f"--host: {host!a} is no host's name or address")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # a browser that is opened early waits, and is not refused
    except OSError as error:
        listening.close()
        other = "host" if isinstance(error, socket.gaierror) else "port"
        raise OutflankError(
            f"cannot listen on {host}:{port}: {error.strerror}; try another --{other}"
        ) from None
    return listening
