"""The runs of the studio: long work, each in a process of its own, which a book keeps when the server ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from ..csp.base.errors import JigsatError
from ..csp.base.stop import Progress
from ..csp.work.book import Book, open_book
from ..csp.work.pools import Finished, Threads
from ..csp.work.run import run
from .acts import Act
from .folder import Folder
from .helpers import Helper, StoppedCallError
from .worker import Call

#: The book of the runs in the folder.
BOOK = "studio.book"
_ABOUT = {"format": "jigsat-studio/1", "work": "studio"}
# Runs at the same time; further ones wait.
_AT_ONCE = 2
# Scores over time that are kept.
_MOST_SCORES = 1000


@dataclass
class Run:
    """A run: what it does, how far it is, and what it found."""

    number: int
    act: Act
    #: The puzzle's name, for people.
    about: str
    #: ``waiting``, ``running``, ``stopping``; ``done``, ``stopped``, ``failed`` or ``cut off`` (the server ended).
    state: str = "waiting"
    #: What it wrote, or will write, in the folder.
    files: list[str] = field(default_factory=list)
    progress: Progress | None = None
    #: Seconds and best score, whenever that changed.
    scores: list[tuple[float, int]] = field(default_factory=list)
    #: The answer in words, or the error; the record as scripts get it.
    words: str = ""
    record: dict[str, Any] | None = None
    notices: list[str] = field(default_factory=list)
    started: float = 0.0
    seconds: float = 0.0
    #: The result itself, while the server that saw it runs.
    result: Any = None

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state not in ("waiting", "running", "stopping")

    @property
    def may_go_on(self) -> bool:
        """Whether it left something from which it can be continued."""
        return self.state in ("stopped", "cut off") and bool({"resume", "ledger"} & {*self.act.takes})

    def entry(self) -> dict[str, Any]:
        """What the book keeps."""
        kept = {name: getattr(self, name) for name in ("number", "about", "state", "files", "words", "record")}
        act = {"name": self.act.name, "given": [*self.act.given], "options": dict(self.act.options)}
        return {**kept, "act": act, "scores": self.scores, "notices": self.notices, "seconds": self.seconds}


class Runs:
    """The runs in a folder, as work for a pool of threads, each of which watches the process of a run.

    Parameters
    ----------
    folder
        The folder, in which the runs work.
    """

    over = False

    def __init__(self, folder: Folder) -> None:
        self._folder, self._closing = folder, threading.Event()
        self._lock, self._book = threading.Lock(), None
        self.all: list[Run] = []
        #: Counts whatever changes, so that pages see when to show it.
        self.version = 0
        self._stack = ExitStack()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def start(self) -> None:
        """Open the book, and begin to serve.

        Raises BookError if another server works in the folder.
        """
        self._folder.path.mkdir(parents=True, exist_ok=True)
        self._book: Book | None = self._stack.enter_context(open_book(self._folder.path / BOOK, _ABOUT))
        latest = {entry["number"]: entry for entry in self._book.entries}
        self.all = [self._from(entry) for entry in latest.values()]
        self._thread.start()

    def add(self, act: Act, about: str, files: list[str]) -> Run:
        """A new run."""
        with self._lock:
            made = Run(len(self.all) + 1, act, about, files=files)
            self.all.append(made)
        self._keep(made)
        return made

    def stop(self, one: Run) -> None:
        """Have a run end; what it found is kept."""
        with self._lock:
            if not one.over:
                one.state = "stopped" if one.state == "waiting" else "stopping"
        self._keep(one)

    def go_on(self, one: Run) -> None:
        """Continue a run that was stopped or cut off."""
        with self._lock:
            extra = {"resume": True} if "resume" in one.act.takes else {}
            one.act = Act(one.act.name, one.act.given, {**one.act.options, **extra})
            one.state = "waiting"
        self._keep(one)

    def running(self) -> Iterator[Run]:
        """The runs that have not ended."""
        return (one for one in self.all if not one.over)

    def close(self, seconds: float = 10.0) -> list[Run]:
        """Stop all runs; return those that could be continued."""
        left = [*self.running()]
        self._closing.set()
        self._thread.join(seconds)
        self._stack.close()
        self._book = None
        return [one for one in left if one.may_go_on]

    def next_part(self, workers: int) -> Run | None:
        with self._lock:
            found = next((one for one in self.all if one.state == "waiting"), None)
            if found is not None:
                found.state, found.started = "running", time.time()
        return found

    def enter(self, finished: Finished[Run, None]) -> None:
        self._keep(finished.part)

    def _serve(self) -> None:
        with Threads(self._do, _AT_ONCE) as pool:
            run(self, pool, stop=lambda: "closed" if self._closing.is_set() else None)

    def _do(self, one: Run, dropped: Callable[[], bool]) -> None:
        helper = Helper(self._folder.path)
        call = Call(one.act.function, one.act.given, one.act.options, reports="report" in one.act.takes)
        began = time.monotonic()

        def report(progress: Progress) -> None:
            one.progress, one.seconds = progress, time.monotonic() - began
            score = progress.scores[0] if progress.scores else None
            if score is not None and (not one.scores or one.scores[-1][1] != score) and len(one.scores) < _MOST_SCORES:
                one.scores.append((one.seconds, score))
            self.version += 1

        state = "stopped"
        try:
            one.result = helper.call(call, report, one.notices.append, lambda: dropped() or one.state == "stopping")
            one.words, one.record = str(one.result), _record(one.result)
            state = "stopped" if getattr(one.result, "ended_by", None) == "interrupt" else "done"
        except StoppedCallError:
            pass
        except JigsatError as error:
            state, one.words = "failed", str(error)
        finally:
            helper.close()
        one.seconds, one.state = time.monotonic() - began, state

    def _keep(self, one: Run) -> None:
        self.version += 1
        with self._lock:
            if self._book is not None:
                self._book.add(one.entry())

    @staticmethod
    def _from(entry: dict[str, Any]) -> Run:
        act = Act(entry["act"]["name"], tuple(entry["act"]["given"]), entry["act"]["options"])
        state = entry["state"] if entry["state"] in ("done", "stopped", "failed") else "cut off"
        rest = {name: entry[name] for name in ("number", "about", "files", "words", "record", "notices", "seconds")}
        return Run(**rest, act=act, state=state, scores=[(at, score) for at, score in entry["scores"]])


def _record(result: Any) -> Any:
    record: Any = getattr(result, "record", None)
    return record() if callable(record) else record
