"""Joins the books of processes that have shared a piece of work."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...csp.base.errors import BookError, UsageError, shortened
from ...csp.base.safe_files import escaped
from ...csp.base.words import grouped
from ...csp.files.books import Sound, read_about, read_book
from ...csp.search.counting.ledger import read_ledger, sound_below
from ...csp.work.book import merge_books
from ..experiments.records import NAME as RECORDS
from ..experiments.records import first_of_runs
from ..races.race_book import FILE as RACE
from ..races.race_book import each_trial_once


@dataclass(frozen=True)
class Merged:
    """The book in which others were joined.

    Attributes
    ----------
    path : str
        The file, or the folder of a race or experiment.
    work : str
        What it is about: ``count``, ``race`` or ``compare``.
    entries : int
        The number of entries.
    parts, done : int, optional
        For counts: the number of parts, and how many are counted.
    count : int, optional
        For counts: the arrangements in these parts.
    method : str, optional
        For counts: their method.
    """

    path: str
    work: str
    entries: int
    parts: int | None = None
    done: int | None = None
    count: int | None = None
    method: str | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do, as far as the book can say."""
        return self.parts is not None and self.done == self.parts

    def record(self) -> dict[str, Any]:
        """The result for scripts: the attributes by name."""
        return asdict(self)

    def summary(self) -> str:
        """What is in the book, and how to go on."""
        where = escaped(self.path)
        if self.parts is None or self.done is None or self.count is None:
            return f"{where}: {grouped(self.entries)} entries; the command goes on from there"
        found = f"{'' if self.complete else 'at least '}{grouped(self.count)} arrangements"
        what = "shows the whole result" if self.complete else "counts the rest"
        next_step = f"jigsat count INSTANCE --method {self.method} --ledger {where} {what}"
        return f"{where}: {grouped(self.done)} of {grouped(self.parts)} parts, {found}\n{next_step}"


def _sound(about: Mapping[str, Any]) -> Sound:
    """Which entries of a book about this belong together.

    Raises BookError if the work is not shared by several processes.
    """
    work = about.get("work")
    if work == "count":
        return sound_below(about.get("parts"))
    if work == "compare":
        return first_of_runs
    if work == "race":
        return each_trial_once
    raise BookError(
        f"books of the work {shortened(str(work))!r} cannot be joined; those of count, race and compare can"
    )


def _file(path: Path) -> Path:
    """A book; the folder of a race or an experiment stands for that in it."""
    return next((path / name for name in (RACE, RECORDS) if os.path.exists(path / name)), path)


def merge(books: Iterable[str | Path], to: str | Path) -> Merged:
    """Join the books of processes that have shared a piece of work, such as the tasks of a SLURM array.

    Each process has done a part of the same work, as `part` asks for, or any other share of it, with a book of its own.
    What is in several books is taken once.

    Parameters
    ----------
    books : iterable of str or Path
        The ledgers of a count, or the folders of a race or an experiment.  They stay as they are, and may be in use.
    to : str or Path
        The ledger or folder for all of it.  If it exists, it must be of the same work, and is added to.

    Returns
    -------
    Merged
        What is in the book now.

    Raises
    ------
    UsageError
        If there is no book.
    BookError
        If one of them is not a book or of other work, or the file cannot be written.

    Examples
    --------
    >>> import jigsat as js
    >>> js.merge(["first.ledger"], "all.ledger")
    Traceback (most recent call last):
        ...
    jigsat.csp.base.errors.BookError: first.ledger: cannot be used as a book: No such file or directory
    """
    paths = [Path(books)] if isinstance(books, str | Path) else [*map(Path, books)]
    if not paths:
        raise UsageError("give at least one", "books")
    sources, target = [*map(_file, paths)], _file(Path(to))
    if os.path.isdir(target) or (sources != paths and not os.path.isfile(target)):
        name = next((source.name for source, path in zip(sources, paths, strict=True) if source != path), RECORDS)
        target /= name
    merge_books(sources, target, _sound)
    about = read_about(target)
    if about["work"] == "count":
        _, shares = read_ledger(target)
        done, count = sum(one.last - one.first for one in shares), sum(one.count for one in shares)
        return Merged(str(to), "count", len(shares), about["parts"], done, count, about["method"])
    return Merged(str(to), about["work"], len(read_book(target)[1]))
