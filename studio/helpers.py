"""Processes that do the work of the studio, so that the page stays quick: one for each run, two for quick answers."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..csp.base.errors import JigsatError
from ..csp.base.stop import Report, never
from .texts import text
from .worker import Call, serve

# How often to look whether a call is to stop, in seconds.
_POLL = 0.05


class StoppedCallError(Exception):
    """A call was stopped and has no result."""


class Helper:
    """A process that does one call at a time; it is started for the first one, and again if it died.

    Parameters
    ----------
    folder
        The folder in which it works.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: Any = None
        self._connection: Any = None

    def call(
        self,
        call: Call,
        report: Report | None = None,
        notice: Callable[[str], object] = lambda text: None,
        stopped: Callable[[], bool] = never,
    ) -> Any:
        """Do a call and return its result; one thread at a time.

        `stopped` is asked many times a second: a call that it stops returns what it has.

        Raises StoppedCallError if it has nothing. Raises JigsatError if the call does, or its process died.
        """
        if stopped():
            raise StoppedCallError
        self.start()
        try:
            return self._served(call, report, notice, stopped)
        except (EOFError, OSError):
            self.close()
            raise JigsatError(text("run.died")) from None

    def start(self) -> None:
        """Start the process unless it runs."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._connection, other = context.Pipe()
            self._process = context.Process(target=serve, args=(other, str(self._folder)))
            self._process.start()
            other.close()

    def close(self, seconds: float = 0.01) -> None:
        """End the process, and wait so long for that; what it does is interrupted."""
        if self._process is not None:
            self._connection.close()
            # Those that take longer are collected when the next one starts, or the server ends.
            self._process.join(seconds)
            self._process = None

    def _served(self, call: Call, report: Any, notice: Any, stopped: Callable[[], bool]) -> Any:
        self._connection.send(call)
        is_told = False
        while True:
            if not is_told and stopped():
                is_told = True
                self._connection.send("stop")
            if not self._connection.poll(_POLL):
                continue
            kind, value = self._connection.recv()
            if kind == "progress" and report is not None:
                report(value)
            elif kind == "notice":
                notice(value)
            elif kind == "refused":
                raise JigsatError(value)
            elif kind == "stopped":
                raise StoppedCallError
            elif kind == "done":
                return value


class Desk:
    """Quick answers for pages: of each topic only the latest question is answered.

    Parameters
    ----------
    folder
        The folder in which its processes work.
    """

    def __init__(self, folder: Path) -> None:
        # A thread for each process: questions wait their turn there.
        self._helpers = {name: (Helper(folder), ThreadPoolExecutor(1)) for name in ("move", "picture")}
        self._asked: Counter[str] = Counter()

    def start(self) -> None:
        """Start the processes ahead of the first question."""
        for helper, thread in self._helpers.values():
            thread.submit(helper.call, Call(int))

    async def ask(
        self, topic: str, call: Call, report: Report | None = None, notice: Callable[[str], object] = lambda text: None
    ) -> Any:
        """The result of a call; None if there was a newer question on the topic, or it was stopped without a result.

        Topics that begin with ``move`` have a process of their own.

        Raises JigsatError if the call does.
        """
        self._asked[topic] += 1
        number = self._asked[topic]
        helper, thread = self._helpers["move" if topic.startswith("move") else "picture"]
        with suppress(StoppedCallError):
            found = await asyncio.get_running_loop().run_in_executor(
                thread, helper.call, call, report, notice, lambda: self._asked[topic] != number
            )
            return found if self._asked[topic] == number else None
        return None

    def forget(self, topic: str) -> None:
        """Stop what is asked on a topic."""
        self._asked[topic] += 1

    def close(self) -> None:
        """End the processes."""
        for helper, thread in self._helpers.values():
            thread.shutdown(wait=False, cancel_futures=True)
            helper.close()
