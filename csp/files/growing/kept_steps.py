"""Journals: what work that consists of steps has found so far, so that it can be continued.

A journal is a growing file (see `growing_file`) beside the file of the answer.  Its first fields say what the work is;
each entry is the outcome of a step, with a checksum of it and all entries before.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...base.errors import InstanceError, UsageError, shortened
from ...base.safe_files import is_stream, refuse_unwritable, replacing_bytes
from .growing_file import GrowingFile, Grown, is_beginning, part_of, read_grown

_NAME = "steps"
_START_OVER = "start over with --overwrite"


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

    def __init__(self, answer: str | Path | None = None, *, overwrite: bool = False) -> None:
        self.answer, self._overwrite = None if answer is None else str(answer), overwrite
        self.earlier: list[dict[str, Any]] = []
        self.complete = self.finished = False
        self.taken_over = True
        self._file: GrowingFile | None = None
        self._check = ""
        self._written: str | None = None
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
        if self._file is not None:
            self._check = _checksum(self._check, entry)
            self._file.add({**entry, "check": self._check})

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
        if self._file is not None and not (self.complete or self.finished):
            self._written = hashlib.sha256(content).hexdigest()
            self._file.keep({"written": self._written})
            self.kept = f"{part_of(self.answer)}, from which --resume continues"

    def _may_replace(self, answer: str) -> bool:
        free = self.complete or self._overwrite or is_stream(answer) or not os.path.exists(answer)
        return free or (self.taken_over and _digest(Path(answer)) == self._written)

    def _begin(self, path: Path, head: Mapping[str, Any], *, resume: bool) -> None:
        grown = None if self._overwrite or not path.exists() else _continued(path, head, resume=resume)
        if grown is None:
            self._file = GrowingFile.begin(path, head, _NAME)
        else:
            self._read(grown)
            self._file = GrowingFile.resume(grown)
        self._check = self._check or _checksum("", head)

    def _read(self, grown: Grown) -> None:
        self._check = _checksum("", grown.head)
        try:
            for entry in grown.lines():
                given = entry.pop("check")
                self._check = _checksum(self._check, entry)
                if given != self._check:
                    raise ValueError
                self.earlier.append(entry)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            number = len(self.earlier) + 1
            raise InstanceError(f"{grown.path}: step {number} is damaged; {_START_OVER}") from None
        self._written = grown.state.get("written") if isinstance(grown.state, dict) else None

    def _close(self) -> None:
        if self._file is None:
            return
        self._file.close()
        if self.complete or self.finished or not (self._file.entries or self._written):
            self._file.path.unlink(missing_ok=True)


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
    journal = KeptSteps(answer, overwrite=overwrite)
    if answer is not None and not is_stream(answer):
        journal._begin(part_of(answer), json.loads(json.dumps({"format": "jigsat-steps/1", **head})), resume=resume)
    elif resume:
        raise UsageError("needs a file in which to continue; give the one of the run that was stopped", "resume")
    try:
        yield journal
    except BaseException:
        # Complete work whose answer could not be written is not lost.
        journal.complete = journal.finished = False
        raise
    finally:
        journal._close()


def kept_head(answer: str | Path) -> Mapping[str, Any]:
    """What the run was that has left its steps beside this answer; empty if none has."""
    path = None if is_stream(answer) else part_of(answer)
    grown = read_grown(path, _NAME) if path is not None and path.is_file() else None
    return {} if grown is None else grown.head


def refuse_unfinished(answer: str | Path, *, resume: bool, overwrite: bool) -> None:
    """Raise, before a long search, the UsageError of `keep_steps` if a journal is there and neither option is given."""
    path = part_of(answer)
    if path.is_file() and not (resume or overwrite):
        _continued(path, {}, resume=False)


def refuse_both(*, resume: bool, overwrite: bool) -> None:
    """Raise UsageError if a run is to be continued and to be started over."""
    if resume and overwrite:
        raise UsageError("one continues, the other starts over; omit one of them", "resume", "overwrite")


def _continued(path: Path, head: Mapping[str, Any], *, resume: bool) -> Grown | None:
    """The journal to continue; None if there is nothing in it."""
    if is_beginning(path, head, _NAME):
        return None
    grown = read_grown(path, _NAME)
    if grown is not None and not grown.entries and grown.state is None:
        return None
    if not resume:
        why = f"one of them is needed: {path} is left from a run that was stopped"
        raise UsageError(why, "resume", "overwrite")
    if grown is None or grown.head.get("format") != head["format"]:
        raise InstanceError(f"{path}: is not a journal that can be continued; {_START_OVER}")
    for name, value in head.items():
        if grown.head.get(name) != value:
            shown = [shortened(json.dumps(each)) for each in (grown.head.get(name), value)]
            raise InstanceError(f"{path}: is of other work: {name} is {shown[0]} there and {shown[1]} here")
    return grown


def _checksum(before: str, entry: Mapping[str, Any]) -> str:
    return hashlib.sha256((before + json.dumps(entry, separators=(",", ":"))).encode()).hexdigest()[:16]


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
