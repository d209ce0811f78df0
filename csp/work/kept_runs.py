"""Runs: long calls of public functions, each in a process of its own; a book keeps them when the server ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from inspect import signature
from typing import Any, Generic, Protocol, TypeVar

from ..base.errors import BookError
from ..base.folder import Folder
from ..base.safe_files import writing
from ..base.stop import Progress
from ..files.file_format import part_of
from .book import Book, open_book
from .pools import Finished, Threads
from .processes import Call, Helper, StoppedCallError, error_line
from .run import run

#: The name of the book in the folder.
BOOK = "studio.book"
_ABOUT = {"format": "jigsat-studio/1", "work": "studio"}
# Runs at the same time; further ones wait.
_AT_ONCE = 2
# Scores over time that are kept; how often the book is written while runs work; how long a process may take to end.
_MOST_SCORES, _KEPT_SECONDS, _END_SECONDS = 1000, 1.0, 5.0
# What ended a search that could go on.
_LIMITS = ("interrupt", "time", "nodes")


class Act(Protocol):
    """A call of a public function with JSON values; its files are in the folder."""

    @property
    def name(self) -> str: ...
    @property
    def given(self) -> tuple[Any, ...]: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def function(self) -> Callable[..., Any]: ...


_ActT = TypeVar("_ActT", bound=Act)


@dataclass
class Run(Generic[_ActT]):
    """A run: what it does, how far it is, and what it found."""

    number: int
    act: _ActT
    #: The puzzle's name, for people.
    about: str
    #: ``waiting``, ``running``, ``stopping``; ``done``, ``stopped``, ``failed`` or ``cut off`` (the server ended).
    state: str = "waiting"
    #: What it wrote, or will write, in the folder.
    files: list[str] = field(default_factory=list)
    progress: Progress | None = None
    #: Seconds and best score, whenever that changed.
    scores: list[tuple[float, int]] = field(default_factory=list)
    #: The best board so far: a piece from 0 and a rotation for each square.
    best: list[list[int]] | None = None
    #: The answer in words, or the error; the record as scripts get it.
    words: str = ""
    record: dict[str, Any] | None = None
    notices: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state not in ("waiting", "running", "stopping")

    @property
    def may_go_on(self) -> bool:
        """Whether it can be continued from a file."""
        limited = (self.record or {}).get("ended_by") in _LIMITS
        kept = self.act.options.get("output") or self.act.options.get("ledger")
        return self.over and (self.state != "done" or limited) and bool(kept)

    @property
    def in_short(self) -> str:
        """The first line of the answer, all of an error, and what was noticed but that a search began."""
        words = self.words if self.state == "failed" else self.words.partition("\n")[0] or self.state
        return "\n".join([words, *(notice for notice in self.notices if "; solving it" not in notice)])

    @property
    def board(self) -> Any:
        """The best board or first solution, as files of solutions have it, or `best`; None without one."""
        record = self.record or {}
        return record.get("best_board") or next(iter(record.get("solutions") or []), None) or self.best

    @property
    def source(self) -> str:
        """The puzzle that it was given."""
        return str(self.act.given[0]) if self.act.given else ""

    def entry(self) -> dict[str, Any]:
        """What the book keeps."""
        act = {"name": self.act.name, "given": [*self.act.given], "options": dict(self.act.options)}
        return {**vars(self), "act": act, "progress": None if self.progress is None else asdict(self.progress)}

    def shown(self, folder: Folder) -> dict[str, Any]:
        """What a page shows of it: also what it has left in the folder."""
        names = [name for file in self.files for name in (file, part_of(file).as_posix())]
        there = [name for name in names if (path := folder.file(name)).is_file() and path.stat().st_size]
        return {**self.entry(), "files": there if self.over else [], "may_go_on": self.may_go_on}

    @classmethod
    def kept(cls, entry: dict[str, Any], act: Callable[..., _ActT]) -> Run[_ActT]:
        """The run of an entry; what had not ended then was cut off."""
        found = cls(**{**entry, "act": act(**entry["act"])})
        found.progress = found.progress and Progress(**entry["progress"])
        found.state = found.state if found.over else "cut off"
        return found


class Runs(Generic[_ActT]):
    """The runs in a folder, as work for a pool of threads, each of which watches the process of a run.

    Parameters
    ----------
    folder
        The folder, in which the runs work.
    act
        Makes an act of its name, what is given, and options.
    """

    over = False

    def __init__(self, folder: Folder, act: Callable[[str, tuple[Any, ...], Mapping[str, Any]], _ActT]) -> None:
        self._folder, self._act, self._closing = folder, act, threading.Event()
        self._lock, self._book, self._kept = threading.Lock(), None, 0.0
        self.all: list[Run[_ActT]] = []
        #: Counts whatever changes, so that pages see when to show it.
        self.version = 0
        self._stack = ExitStack()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def start(self) -> None:
        """Open the book, and begin to serve.

        Raises BookError if another server works in the folder.
        """
        with writing(self._folder.path):
            self._folder.path.mkdir(parents=True, exist_ok=True)
        self._book: Book | None = self._stack.enter_context(open_book(self._folder.path / BOOK, _ABOUT))
        self.all = [Run.kept(entry, self._act) for entry in self._book.state or []]
        self._thread.start()

    def add(self, act: _ActT, about: str, files: list[str]) -> Run[_ActT]:
        """A new run."""
        with self._lock:
            made = Run(max((one.number for one in self.all), default=0) + 1, act, about, files=files)
            self.all.append(made)
        self._keep()
        return made

    def stop(self, one: Run[_ActT]) -> None:
        """Have a run end; what it found is kept."""
        with self._lock:
            if not one.over:
                one.state = "stopped" if one.state == "waiting" else "stopping"
        self._keep()

    def go_on(self, one: Run[_ActT]) -> None:
        """Continue a run that was stopped or cut off, from what it has left."""
        output = one.act.options.get("output")
        with self._lock:
            if not one.may_go_on:
                return
            if output is not None and "resume" in signature(one.act.function).parameters:
                left = part_of(self._folder.file(output)).exists()
                one.act = self._act(one.act.name, one.act.given, {**one.act.options, "resume": left})
            one.state, one.words, one.notices = "waiting", "", []
        self._keep()

    def remove(self, one: Run[_ActT]) -> None:
        """Take a run that has ended from the list; its files stay."""
        with self._lock:
            if one.over and one in self.all:
                self.all.remove(one)
        self._keep()

    def find(self, number: int) -> Run[_ActT] | None:
        """The run with this number."""
        return next((one for one in self.all if one.number == number), None)

    def running(self) -> Iterator[Run[_ActT]]:
        """The runs that have not ended."""
        return (one for one in self.all if not one.over)

    def close(self, seconds: float = 15.0) -> list[Run[_ActT]]:
        """Stop all runs; return those that had not ended."""
        left = [*self.running()]
        for one in left:
            self.stop(one)
        self._closing.set()
        self._thread.join(seconds)
        self._stack.close()
        self._book = None
        return [one for one in left if one.state != "done" or one.may_go_on]

    def next_part(self, workers: int) -> Run[_ActT] | None:
        with self._lock:
            found = next((one for one in self.all if one.state == "waiting"), None)
            if found is not None:
                found.state = "running"
        return found

    def enter(self, finished: Finished[Run[_ActT], None]) -> None:
        with suppress(BookError):
            self._keep()

    def _serve(self) -> None:
        with Threads(self._do, _AT_ONCE) as pool:
            run(self, pool, stop=lambda: "closed" if self._closing.is_set() else None)

    def _do(self, one: Run[_ActT], dropped: Callable[[], bool]) -> None:
        helper = Helper(self._folder.path)
        reports = "report" in signature(one.act.function).parameters
        call = Call(one.act.function, one.act.given, one.act.options, reports=reports, brief=True)
        # The time of a run that goes on is that of all its parts.
        before, began, state = one.seconds, time.monotonic(), "stopped"

        def report(progress: Progress) -> None:
            one.progress, one.seconds = progress, before + time.monotonic() - began
            best: Any = progress.best
            one.best = one.best if best is None else best
            score = progress.scores[0] if progress.scores else None
            if score is not None and (not one.scores or one.scores[-1][1] < score) and len(one.scores) < _MOST_SCORES:
                one.scores.append((round(one.seconds, 1), score))
            with suppress(BookError):
                self._keep(now=False)

        try:
            one.words, one.record = helper.call(
                call, report, one.notices.append, lambda: dropped() or one.state == "stopping"
            )
            state = "stopped" if (one.record or {}).get("ended_by") == "interrupt" else "done"
        except StoppedCallError:
            pass
        except Exception as error:
            # Other runs go on.  What has found nothing when it is stopped may end with an error.
            state, one.words = "stopped" if one.state == "stopping" else "failed", error_line(error)
        finally:
            helper.close(_END_SECONDS)
        one.seconds, one.state = before + time.monotonic() - began, state

    def _keep(self, *, now: bool = True) -> None:
        """Show the pages that something has changed, and write it to the book unless that was just done."""
        self.version += 1
        with self._lock:
            if self._book is not None and (now or time.monotonic() - self._kept > _KEPT_SECONDS):
                self._kept = time.monotonic()
                self._book.keep([one.entry() for one in self.all])
                self._book.flush()
