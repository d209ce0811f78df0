"""What a process of the studio does: it calls functions one after another, and says how far it is."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from ..csp.base.stop import Progress

# The shortest time between two messages on progress; how long a call has to end if the server is gone.
_PERIOD, _GRACE = 0.2, 10.0


@dataclass(frozen=True)
class Call:
    """A call of a function of this package, which a process does."""

    function: Callable[..., Any]
    given: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    #: Whether it takes a `report`.
    reports: bool = False


def serve(connection: Connection, folder: str) -> None:
    """Do the calls that arrive, until the other end is closed; they see this folder as the current one.

    Messages out are pairs: ``progress``, ``notice`` (a warning), and at last ``done`` with the result, ``refused`` with
    the error's text, or ``stopped``.
    """
    # Ctrl-C in the terminal is for the server, which says what is to end.
    if hasattr(os, "setsid"):
        with suppress(OSError):
            os.setsid()
    if os.path.isdir(folder):
        os.chdir(folder)
    # Puzzles show pictures only if this floor is loaded.
    from .. import api  # noqa: F401

    calls: SimpleQueue[Call | None] = SimpleQueue()
    busy = threading.Event()
    threading.Thread(target=_listen, args=(connection, calls, busy), daemon=True).start()
    while True:
        try:
            if (call := calls.get()) is None:
                return
            _do(call, connection, busy)
        except KeyboardInterrupt:
            # It arrived after the call had ended.
            continue
        except OSError:
            return


def _listen(connection: Connection, calls: SimpleQueue[Call | None], busy: threading.Event) -> None:
    """Pass calls on, and interrupt the running one if it is to stop, or if the server is gone."""
    while True:
        try:
            message = connection.recv()
        except (EOFError, OSError):
            calls.put(None)
            if busy.is_set():
                _interrupt()
                time.sleep(_GRACE)
                os._exit(1)
            return
        if isinstance(message, Call):
            busy.set()
            calls.put(message)
        elif busy.is_set():
            _interrupt()


def _interrupt() -> None:
    """Ctrl-C in the main thread."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        import _thread

        _thread.interrupt_main()


def _do(call: Call, connection: Connection, busy: threading.Event) -> None:
    from ..csp.base.errors import JigsatError

    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= _PERIOD:
            last = time.monotonic()
            connection.send(("progress", progress))

    options = {**call.options, **({"report": report} if call.reports else {})}
    try:
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always", UserWarning)
            answer = "done", call.function(*call.given, **options)
        for warning in noted:
            if issubclass(warning.category, UserWarning):
                connection.send(("notice", str(warning.message)))
    except JigsatError as error:
        answer = "refused", str(error)
    except KeyboardInterrupt:
        answer = "stopped", None
    busy.clear()
    connection.send(answer)
