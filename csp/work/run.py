"""Long pieces of work: their parts go to workers, and what the workers find is entered, until nothing is left to do."""

import math
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from ..base.errors import UsageError, shortened
from ..base.stop import never
from .pools import Finished, OutcomeT, PartT, Pool

# How often to ask whether to stop.
_POLL_SECONDS = 0.1
# The number of parts for each worker that may wait or be done before the first of them is asked for.
_AHEAD = 4
# In how many pieces a portion of consecutive numbers is cut, because they differ in size.
_PIECES = 64
_CSP = Path(__file__).parents[1]


class Work(Protocol[PartT, OutcomeT]):
    """A piece of work that is done in parts.

    Attributes:
    - `over`: whether nothing more is to be done.
    """

    @property
    def over(self) -> bool: ...

    def next_part(self, workers: int) -> PartT | None:
        """The next part for one of this number of workers; None if there is nothing to start at the moment."""
        ...

    def enter(self, finished: Finished[PartT, OutcomeT]) -> None:
        """Record the outcome of a part; if it was lost, the part is still to be done."""
        ...


def run(
    work: Work[PartT, OutcomeT],
    pool: Pool[PartT, OutcomeT],
    *,
    stop: Callable[[], str | None],
    report: Callable[[int], None] = lambda workers: None,
    grace: float = math.inf,
) -> str | None:
    """Do a piece of work; the pool is dropped at the end.

    - `stop`: is called every tenth of a second; returns a reason to stop, or None.
    - `report`: is called as often with the number of workers.
    - `grace`: how many seconds parts may take to end when work is stopped; later outcomes are lost.

    Returns the reason to stop; None if the work is over.

    Raises what a worker raises, after the outcomes of the others have been entered.
    """
    reason = None
    try:
        while not work.over and (reason := stop()) is None:
            # The workers of a cluster may be gone at the next look.
            while pool.running < (workers := pool.workers) and (part := work.next_part(workers)) is not None:
                pool.start(part)
            for finished in pool.finished(_POLL_SECONDS):
                work.enter(finished)
            report(pool.workers)
    except BaseException:
        _end(work, pool, grace)
        raise
    if faults := _end(work, pool, grace):
        raise faults[0]
    return reason


def _end(work: Work[PartT, OutcomeT], pool: Pool[PartT, OutcomeT], grace: float) -> list[Exception]:
    """Drop what runs, and enter what was found; return what was raised."""
    faults = list[Exception]()
    pool.drop()
    until = time.monotonic() + grace
    while pool.running and time.monotonic() < until:
        try:
            for finished in pool.finished(min(_POLL_SECONDS, grace)):
                work.enter(finished)
        except Exception as fault:
            faults.append(fault)
    return faults


def in_order(
    parts: Iterable[PartT], pool: Pool[PartT, OutcomeT], must_stop: Callable[[], bool] = never
) -> Iterator[OutcomeT]:
    """Do parts, which are different objects, and yield what is found in their order.

    At most a few parts are done before their results are requested.  `must_stop` is called at least ten times a second;
    if it returns true the pool is dropped, and the outcomes of the parts that have begun are the last ones.

    Raises what a worker raises.
    """
    left, waiting, found = iter(parts), deque[PartT](), dict[int, OutcomeT | None]()
    stopped = False
    while True:
        while not stopped and len(waiting) < _AHEAD * pool.workers and (part := next(left, None)) is not None:
            pool.start(part)
            waiting.append(part)
        if not waiting:
            return
        for finished in pool.finished(_POLL_SECONDS):
            found[id(finished.part)] = finished.outcome
        while waiting and id(waiting[0]) in found:
            outcome = found.pop(id(waiting.popleft()))
            if outcome is None:
                return
            yield outcome
        if not stopped and must_stop():
            stopped = True
            pool.drop()


@dataclass(frozen=True)
class Portion:
    """The work of one of several processes that share it, each with a book of its own: number 3 of 16."""

    number: int = 1
    of: int = 1

    @classmethod
    def parsed(cls, text: str | None) -> "Portion":
        """The portion that a text such as ``"3/16"`` names, number 3 of 16 counted from 1; all the work for None.

        Raises UsageError if it is not of the form K/N with K from 1 to N.
        """
        if text is None:
            return ALL
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        number, of = map(int, found.groups()) if found else (0, 0)
        if not 1 <= number <= of:
            raise UsageError(f"{shortened(text)!r} is not a part K/N, such as 3/16, with K from 1 to N", "part")
        return cls(number, of)

    def __contains__(self, number: int) -> bool:
        """Whether a piece of the work, numbered from 0, is in the portion, if the pieces are dealt out in turn."""
        return number % self.of == self.number - 1

    def ranges(self, parts: int) -> list[tuple[int, int]]:
        """The parts below `parts` that are in the portion, as half-open ranges in ascending order."""
        pieces = min(parts, self.of * _PIECES) if self.of > 1 else 1
        ends = [parts * piece // max(pieces, 1) for piece in range(pieces + 1)]
        mine = range(self.number - 1, pieces, self.of)
        return [(ends[piece], ends[piece + 1]) for piece in mine if ends[piece] < ends[piece + 1]]


ALL = Portion()


@cache
def code_version(root: Path = _CSP) -> str:
    """The package's version and a digest of the sources that counts depend on, as in ``0.1.0+3f8a0c61b2d4``.

    These are all modules below `root`, the layer of the searches, which imports nothing from the layers above it. Two
    processes with the same version number the parts of a count in the same way and find the same in each of them.
    """
    from importlib.metadata import version

    digest = sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in root.rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return f"{version('jigsat')}+{digest.hexdigest()[:12]}"
