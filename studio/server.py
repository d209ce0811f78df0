"""The server of the studio, and the function that starts it."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..api.public import Act, AnyPuzzle, opened
from ..csp.base.errors import UsageError, need_extra
from ..csp.base.folder import Folder
from ..csp.base.stop import INTERRUPTS, interrupts_noted
from ..csp.work.kept_runs import Runs
from ..csp.work.questions import Desk
from .guard import Guard
from .texts import text

if TYPE_CHECKING:
    import uvicorn

    from .visit import Studio

#: The port that is tried first, and the folder without another one.
PORT, FOLDER = 8421, "jigsat-studio"
# How often to look whether Ctrl-C was pressed, in seconds.
_POLL = 0.1


def studio(
    puzzle: AnyPuzzle | None = None,
    *,
    folder: str | Path = FOLDER,
    port: int | None = None,
    browser: bool = True,
) -> None:
    """Open a page in the browser to work in: look at puzzles, play, search, make and cut them.

    The page is served on this computer alone, to the user who has the address with its token.  Everything that the
    page makes is in one folder.  Ctrl-C ends the server; searches that run keep what they have found, and the page
    offers to continue them the next time.  Needs ``pip install 'jigsat[studio]'``.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path, optional
        The puzzle to open.
    folder : str or Path, default 'jigsat-studio'
        The folder of the page, the only one that it reads and writes; made if it does not exist.
    port : int, optional
        The port of the server (default: 8421, or a free one).
    browser : bool, default True
        Whether to open the browser; otherwise only the address is printed.

    Raises
    ------
    JigsatError
        If NiceGUI is not installed, or another studio works in the folder.
    UsageError
        If the port is taken.
    """
    need_extra("nicegui", extra="studio", what="the studio needs")
    from .visit import Studio

    with interrupts_noted() as interrupted, _listening(port) as listener:
        # Runs have found something, so Ctrl-C must not end this process at any point.
        INTERRUPTS.keep()
        taken = listener.getsockname()[1]
        here = Folder(folder)
        made = Studio(here, Runs(here, Act), Desk(here.path, "move", "picture"))
        made.runs.start()
        try:
            name = None if puzzle is None else _placed(puzzle, here)
            server, guard = _server(made, taken, name)
            key = "server.opened" if browser else "server.address"
            print(text(key, address=guard.address, folder=here.path), file=sys.stderr, flush=True)
            with _opener(guard.address) as opener:
                _serve(server, listener, opener if browser else None, interrupted)
        finally:
            made.desk.close()
            for one in made.runs.close():
                key = "server.left" if one.may_go_on else "server.stopped"
                print(text(key, number=one.number, about=one.about), file=sys.stderr)


@contextmanager
def _listening(port: int | None) -> Iterator[socket.socket]:
    """A socket on this computer alone: at the port, or the usual one if it is free, or any."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    with listener:
        for wish in (port,) if port is not None else (PORT, 0):
            try:
                listener.bind(("127.0.0.1", wish))
                break
            except (OSError, OverflowError) as error:
                if port is not None:
                    raise UsageError(f"{port} cannot be used: {error}; leave it out for a free one", "port") from error
        # Browsers that come before the server is up wait.
        listener.listen()
        yield listener


def _placed(puzzle: AnyPuzzle, folder: Folder) -> str:
    """The name of a puzzle in the studio: a bundled name, or that of a copy in the folder."""
    from ..csp.files.file_format import bundled_names
    from ..csp.files.instances import format_instance

    if isinstance(puzzle, str) and puzzle in bundled_names():
        return puzzle
    found = opened(puzzle)
    return folder.save(f"{found.name}.json", format_instance(found).encode())


def _server(made: Studio, port: int, name: str | None) -> tuple[uvicorn.Server, Guard]:
    import uvicorn
    from fastapi import FastAPI
    from nicegui import ui

    from .pages import add_pages

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    add_pages(app, made, name)
    ui.run_with(
        app, title=text("page.title"), dark=None, reconnect_timeout=10, show_welcome_message=False, tailwind=False,
        gzip_middleware_factory=None, language="en-US",
    )  # fmt: skip
    guard = Guard(app, port)
    config = uvicorn.Config(guard, log_level="warning", lifespan="on", timeout_graceful_shutdown=1, server_header=False)
    return uvicorn.Server(config), guard


@contextmanager
def _opener(address: str) -> Iterator[str]:
    """A page that only this user can read, and that leads to the address.

    All users of a computer see the arguments of a browser's process, so the address must not be one of them.
    """
    with tempfile.TemporaryDirectory(prefix="jigsat-studio-", ignore_cleanup_errors=True) as folder:
        page = Path(folder, "open.html")
        page.touch(mode=0o600)
        page.write_text(f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={escape(address)}">')
        yield page.as_uri()


def _serve(server: Any, listener: socket.socket, opener: str | None, interrupted: threading.Event) -> None:
    import asyncio

    async def serve() -> None:
        # Uvicorn would raise the signals of its end again, as if they had come twice.
        server.capture_signals = nullcontext
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        if opener is not None:
            webbrowser.open(opener)
        while not serving.done():
            server.should_exit = interrupted.is_set()
            await asyncio.wait([serving], timeout=_POLL)
        await serving

    asyncio.run(serve())
    print(file=sys.stderr)
