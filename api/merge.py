"""Join the books of work that several processes have shared."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..csp.base.errors import BookError, UsageError, escaped, grouped, shortened
from ..csp.base.notebook import HasSummary
from ..csp.files.books import Sound, read_about, read_book
from ..csp.search.counting.ledger import read_ledger, sound_below
from ..csp.work.book import merge_books
from ..estimators.experiments.records import NAME as RECORDS
from ..estimators.experiments.records import first_of_runs
from ..estimators.races.race_book import FILE as RACE
from ..estimators.races.race_book import each_trial_once
from .public import public


@dataclass(frozen=True, repr=False)
class Merged(HasSummary):
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

    def summary(self, *, verbose: bool = False) -> str:
        """What is in the book, and how to go on."""
        where = escaped(self.path)
        if self.parts is None or self.done is None or self.count is None:
            return f"{where}: {grouped(self.entries)} entries; the command goes on from there"
        found = f"{'' if self.complete else 'at least '}{grouped(self.count)} arrangements"
        what = "shows the whole result" if self.complete else "counts the rest"
        next_step = f"jigsat count INSTANCE --method {self.method} --ledger {where} {what}"
        return f"{where}: {grouped(self.done)} of {grouped(self.parts)} parts, {found}\n{next_step}"


def _sound(about: Mapping[str, Any]) -> Sound:
    """Which entries of a book about this belong together."""
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


@public
def merge(books: Iterable[str | Path], output: str | Path) -> Merged:
    """Join the books of processes that have shared a piece of work.

    The tasks of a SLURM array, or machines that know nothing of each other, each do a part of a count, race or
    experiment (K of N, such as 3/16) with a ledger or folder of its own.  What is in several books is taken once.  The
    command of the work continues from the book with all of it.

    Parameters
    ----------
    books : iterable of str or Path
        The ledgers of a count, or the folders of a race or an experiment, to join.  They stay as they are, and may be
        in use.
    output : str or Path
        The ledger or folder for all of it; one of the same work is added to.

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
    sources, target = [*map(_file, paths)], _file(Path(output))
    if os.path.isdir(target) or (sources != paths and not os.path.isfile(target)):
        name = next((source.name for source, path in zip(sources, paths, strict=True) if source != path), RECORDS)
        target /= name
    merge_books(sources, target, _sound)
    about = read_about(target)
    if about["work"] == "count":
        _, shares = read_ledger(target)
        done, count = sum(one.last - one.first for one in shares), sum(one.count for one in shares)
        return Merged(str(output), "count", len(shares), about["parts"], done, count, about["method"])
    return Merged(str(output), about["work"], len(read_book(target)[1]))
