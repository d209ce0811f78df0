"""Journals: what work has found so far, so that it can be continued.

A journal is a book beside the file of the answer.  Each entry is the outcome of a step, such as a solution; the state
says how far a search is, or which incomplete answer was written.
"""

import hashlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from ..base.errors import UsageError
from ..base.safe_files import is_stream, refuse_unwritable, replacing_bytes
from ..files.books import has_content, read_about
from ..files.file_format import is_book, part_of
from .book import Book, open_book, remove_book


class KeptSteps:
    """A journal that is open; without a file it keeps nothing.

    Attributes:
    - `earlier_number`: the number of entries of the run that is continued; 0 if none is.
    - `complete`: whether the answer is complete.  Then the journal is removed when it is closed.
    - `finished`: whether there is nothing left to do, although the answer is not complete; then it is removed, too.
    - `refused`: whether the work turned out to be impossible, so that an error ends it; then it is removed, too.
    - `taken_over`: whether the answer includes what all entries of the earlier run say; otherwise it is poorer than
      that one's.
    """

    def __init__(self, answer: str | Path | None = None, book: Book | None = None, *, overwrite: bool = False) -> None:
        self.answer, self.overwrite = None if answer is None else str(answer), overwrite
        self.complete = self.finished = self.refused = False
        self.taken_over = True
        self._book = book
        self._state: dict[str, Any] = {} if book is None or not isinstance(book.state, dict) else book.state
        self.earlier_number = self.number
        #: Where an incomplete answer is, in words; None if the answer is complete, or nothing is kept.
        self.kept: str | None = None

    @property
    def entries(self) -> Iterable[Any]:
        """All entries, read from the journal."""
        return () if self._book is None else self._book.entries

    @property
    def number(self) -> int:
        """The number of entries."""
        return 0 if self._book is None else len(self._book.entries)

    @cached_property
    def earlier(self) -> list[Any]:
        """The entries of the run that is continued."""
        return [*islice(self.entries, self.earlier_number)]

    @property
    def place(self) -> Any:
        """How far the work was, as it was kept last; None if unknown."""
        return self._state.get("place")

    @property
    def label(self) -> str:
        """The name of the journal in errors."""
        return "" if self.answer is None else str(part_of(self.answer))

    def add(self, entry: Any, *, now: bool = False) -> None:
        """Write the outcome of a step, at once or within half a second.

        Raises InstanceError if it cannot be written.
        """
        if self._book is not None:
            self._book.add(entry, now=now)

    def keep(self, place: Any) -> None:
        """Keep how far the work is with all steps so far; raises as `add` does."""
        self._keep(place=place)

    def check(self) -> None:
        """Raise the error of a write in the background, if there was one, unless it succeeds now."""
        if self._book is not None:
            self._book.check()

    def _keep(self, **state: Any) -> None:
        if self._book is not None:
            self._state = {**self._state, **state}
            self._book.keep(self._state)

    def write_answer(self, content: bytes | Callable[[], object] | None, *, may_replace: bool | None = None) -> None:
        """Write the answer, unless it is incomplete and would replace one that is not of the same work.

        - `content`: the content of the file, or a function that writes it; None if it cannot be in this format.
        - `may_replace`: whether this answer may replace what is in the file, if the caller has compared them.

        Raises InstanceError if it cannot be written.
        """
        if self.answer is None:
            return
        if content is None and is_stream(self.answer):
            return
        if content is None or not (self._may_replace(self.answer) if may_replace is None else may_replace):
            but = f"{self.answer} is left as it was" if os.path.exists(self.answer) else f"{self.answer} is not written"
            is_kept = not self.finished and (self.number or self._state)
            self.kept = f"{part_of(self.answer)}, from which --resume continues; {but}" if is_kept else but
            return
        if not isinstance(content, bytes):
            content()
        else:
            with replacing_bytes(self.answer) as file:
                file.write(content)
        if self._book is not None and not (self.complete or self.finished):
            if isinstance(content, bytes):
                self._keep(written=hashlib.sha256(content).hexdigest())
            self._book.flush()
            if self.number or self._state:
                self.kept = f"{part_of(self.answer)}, from which --resume continues"

    def _may_replace(self, answer: str) -> bool:
        free = self.complete or self.overwrite or is_stream(answer) or not os.path.exists(answer)
        return free or (self.taken_over and _digest(Path(answer)) == self._state.get("written"))


@contextmanager
def keep_steps(
    answer: str | Path | None, head: Mapping[str, Any], *, resume: bool = False, overwrite: bool = False
) -> Iterator[KeptSteps]:
    """The journal of work whose answer will be in a file; closed at the end, and removed if the work is complete.

    - `answer`: the file of the answer; the journal's name has ``.part`` at its end.  Without such a file, or if it is
      not a regular file (``-`` is standard output), nothing is kept.
    - `head`: everything that the outcome of the steps depends on, as JSON values by name.
    - `resume`: whether to continue a run that was stopped, if there is one.
    - `overwrite`: whether to start over if there is one, and whether the answer may replace a better one.

    Raises UsageError if there is a journal and neither `resume` nor `overwrite` is given, or both are. Raises
    InstanceError if the journal is of other work, is damaged, is in use, or cannot be written; or the answer cannot.
    """
    refuse_both(resume=resume, overwrite=overwrite)
    if answer is not None:
        refuse_unwritable(answer)
    if answer is None or is_stream(answer):
        if resume:
            raise UsageError("needs a file in which to continue; give the one of the run that was stopped", "resume")
        yield KeptSteps(answer, overwrite=overwrite)
        return
    path, over = part_of(answer), False
    _decide(path, resume=resume, overwrite=overwrite)
    options = head.keys() - {"work", "instance", "sha256"}
    try:
        about = {"format": "jigsat-steps/1", **head}
        with open_book(path, about, options=options, overwrite=overwrite, empty=False) as book:
            if book.salvaged is not None:
                warnings.warn(book.salvaged, UserWarning, stacklevel=3)
            journal = KeptSteps(answer, book, overwrite=overwrite)
            try:
                yield journal
                # Complete work whose answer could not be written is not lost.
                over = journal.complete or journal.finished
            finally:
                over = over or journal.refused
    finally:
        if over:
            remove_book(path)


def kept_head(answer: str | Path) -> Mapping[str, Any]:
    """What the run was that has left its steps beside this answer; empty if none has."""
    path = part_of(answer)
    return {} if is_stream(answer) or not is_book(path) else read_about(path)


def refuse_unfinished(answer: str | Path, *, resume: bool, overwrite: bool) -> None:
    """Raise, before a long search, the UsageError of `keep_steps` if a journal is there and neither option is given."""
    _decide(part_of(answer), resume=resume, overwrite=overwrite)


def refuse_both(*, resume: bool, overwrite: bool) -> None:
    """Raise UsageError if a run is to be continued and to be started over."""
    if resume and overwrite:
        raise UsageError("one continues, the other starts over; omit one of them", "resume", "overwrite")


def _decide(path: Path, *, resume: bool, overwrite: bool) -> None:
    """Raise UsageError if a run has left something and it is not said what is to be done with it."""
    found = path.exists() and path.stat().st_size > 0
    if found and not (resume or overwrite) and (not is_book(path) or has_content(path)):
        why = f"one of them is needed: {path} is left from a run that was stopped"
        raise UsageError(why, "resume", "overwrite")


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
