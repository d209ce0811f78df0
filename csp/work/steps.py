"""Journals: what work that consists of steps has found so far, so that it can be continued.

A journal is a book beside the file of the answer.  Each entry is the outcome of a step, or says which incomplete answer
was written.
"""

import hashlib
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..base.errors import UsageError
from ..base.safe_files import is_stream, refuse_unwritable, replacing_bytes
from ..files.file_format import is_book
from ..files.growing.growing_file import part_of
from .book import Book, open_book, read_book, remove_book


class KeptSteps:
    """A journal that is open; without a file it keeps nothing.

    Attributes
    ----------
    earlier
        The entries of the run that is continued; empty if none is.
    complete
        Whether the answer is complete.  Then the journal is removed when it is closed.
    finished
        Whether there is nothing left to do, although the answer is not complete; then it is removed, too.
    taken_over
        Whether the answer includes what all entries of the earlier run say; otherwise it is poorer than that one's.
    """

    def __init__(self, answer: str | Path | None = None, book: Book | None = None, *, overwrite: bool = False) -> None:
        self.answer, self._overwrite = None if answer is None else str(answer), overwrite
        self.earlier: list[dict[str, Any]] = []
        self.complete = self.finished = False
        self.taken_over = True
        self._book = book
        self._written: str | None = None
        for entry in () if book is None else book.entries:
            if "written" in entry:
                self._written = entry["written"]
            else:
                self.earlier.append(dict(entry))
        #: Where an incomplete answer is, in words; None if the answer is complete, or nothing is kept.
        self.kept: str | None = None

    @property
    def label(self) -> str:
        """The name of the journal in errors."""
        return "" if self.answer is None else str(part_of(self.answer))

    def add(self, entry: Mapping[str, Any]) -> None:
        """Write the outcome of a step.

        Raises
        ------
        InstanceError
            If it cannot be written.
        """
        if self._book is not None:
            self._book.add(entry, now=False)

    def write_answer(self, content: bytes | None) -> None:
        """Write the answer, unless it is incomplete and would replace one that is not of the same work.

        Parameters
        ----------
        content
            The content of the file; None if it cannot be in this format.

        Raises
        ------
        InstanceError
            If it cannot be written.
        """
        if self.answer is None:
            return
        if content is None and is_stream(self.answer):
            return
        if content is None or not self._may_replace(self.answer):
            but = f"{self.answer} is left as it was" if os.path.exists(self.answer) else f"{self.answer} is not written"
            self.kept = but if self.finished else f"{part_of(self.answer)}, from which --resume continues; {but}"
            return
        with replacing_bytes(self.answer) as file:
            file.write(content)
        if self._book is not None and not (self.complete or self.finished):
            self._written = hashlib.sha256(content).hexdigest()
            self._book.add({"written": self._written})
            self.kept = f"{part_of(self.answer)}, from which --resume continues"

    def _may_replace(self, answer: str) -> bool:
        free = self.complete or self._overwrite or is_stream(answer) or not os.path.exists(answer)
        return free or (self.taken_over and _digest(Path(answer)) == self._written)


@contextmanager
def keep_steps(
    answer: str | Path | None, head: Mapping[str, Any], *, resume: bool = False, overwrite: bool = False
) -> Iterator[KeptSteps]:
    """The journal of work whose answer will be in a file; closed at the end, and removed if the work is complete.

    Parameters
    ----------
    answer
        The file of the answer; the journal's name has ``.part`` at its end.  Without such a file, or if it is not a
        regular file (``-`` is standard output), nothing is kept.
    head
        Everything that the outcome of the steps depends on, as JSON values by name.
    resume
        Whether to continue a run that was stopped, if there is one.
    overwrite
        Whether to start over if there is one, and whether the answer may replace a better one.

    Raises
    ------
    UsageError
        If there is a journal and neither `resume` nor `overwrite` is given, or both are.
    InstanceError
        If the journal is of other work, is damaged, is in use, or cannot be written; or the answer cannot.
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
        with open_book(path, {"format": "jigsat-steps/1", **head}, options=options, overwrite=overwrite) as book:
            if book.salvaged is not None:
                warnings.warn(book.salvaged, UserWarning, stacklevel=3)
            journal = KeptSteps(answer, book, overwrite=overwrite)
            try:
                yield journal
                # Complete work whose answer could not be written is not lost.
                over = journal.complete or journal.finished
            finally:
                book.flush()
                over |= not book.entries
    finally:
        if over:
            remove_book(path)


def kept_head(answer: str | Path) -> Mapping[str, Any]:
    """What the run was that has left its steps beside this answer; empty if none has."""
    path = part_of(answer)
    return {} if is_stream(answer) or not is_book(path) else read_book(path)[0]


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
    if found and not (resume or overwrite) and (not is_book(path) or read_book(path)[1]):
        why = f"one of them is needed: {path} is left from a run that was stopped"
        raise UsageError(why, "resume", "overwrite")


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
