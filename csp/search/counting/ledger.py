"""The ledger of a count: the book of its shares, in which no part is counted twice."""

from bisect import bisect, insort
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from ...base.stop import never
from ...files.books import Sound, read_about, read_book
from ...work.book import Book, open_book
from .methods import Share

# What the command can be given to count along the same parts.
_OPTIONS = ("method", "order", "squares", "symmetry")
_Digits = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4300}\z")]


class _ShareEntry(BaseModel):
    """The entry of a share.  Numbers that may be large are strings, which other readers of JSON do not round."""

    model_config = ConfigDict(extra="forbid", strict=True)
    first: Annotated[int, Field(ge=0)]
    last: int
    nodes: list[_Digits]
    count: _Digits
    canonical_count: _Digits | None
    seconds: Annotated[float, Field(ge=0, le=1e300)]


class Ledger:
    """A ledger that is open for recording.

    Attributes:
    - `shares`: the counted shares in the order in which they were recorded; no part is in two of them.
    - `seconds`: the processor time that they took.
    - `salvaged`: a sentence that describes the repair if the file was damaged; otherwise None.
    """

    def __init__(self, book: Book) -> None:
        self.salvaged, self._book = book.salvaged, book
        entries = [*book.entries]
        self.shares = [share_in(entry) for entry in entries]
        self.seconds = float(sum(entry["seconds"] for entry in entries))
        self._spans = sorted((share.first, share.last) for share in self.shares)

    def record(self, share: Share, seconds: float) -> None:
        """Write a share and its processor time to the disk.

        Raises ValueError if the share has no parts, or a part that is already recorded. Raises BookError if it cannot
        be written.
        """
        if not 0 <= share.first < share.last or overlaps(self._spans, share.first, share.last):
            raise ValueError(f"parts {share.first} to {share.last}: empty, or some of them are already recorded")
        self._book.add(share_entry(share, seconds))
        insort(self._spans, (share.first, share.last))
        self.seconds += seconds
        self.shares.append(share)

    def remaining(self, parts: int) -> list[tuple[int, int]]:
        """The parts below `parts` that are not recorded, as half-open ranges."""
        ends = [0, *(last for _, last in self._spans)]
        starts = [*(first for first, _ in self._spans), parts]
        return [(first, last) for first, last in zip(ends, starts, strict=True) if first < last]


@contextmanager
def open_ledger(path: str | Path, key: Mapping[str, object], must_stop: Callable[[], bool] = never) -> Iterator[Ledger]:
    """Open the ledger in a file exclusively, as `open_book` does.

    `key` is everything that the count depends on (instance, method, options, code, number of parts), as JSON values by
    name; `must_stop` is asked many times a second while the file is read.

    Raises StoppedError if `must_stop` asks to stop. Raises BookError if the file is not a book or that of another
    count, is in use, or cannot be written.
    """
    with open_book(path, key, options=_OPTIONS, sound=sound_below(key.get("parts")), must_stop=must_stop) as book:
        yield Ledger(book)


def read_ledger(path: str | Path) -> tuple[Mapping[str, Any], list[Share]]:
    """The key of a ledger and its shares; it may be in use.

    Raises BookError if it cannot be read, is not a book, or has lost its key.
    """
    key = read_about(path)
    _, entries = read_book(path, sound_below(key.get("parts")))
    return key, [share_in(entry) for entry in entries]


def share_entry(share: Share, seconds: float) -> dict[str, Any]:
    """The entry of a share."""
    canonical = share.canonical_count
    return {
        "first": int(share.first),
        "last": int(share.last),
        "nodes": [str(int(nodes)) for nodes in share.nodes],
        "count": str(int(share.count)),
        "canonical_count": None if canonical is None else str(int(canonical)),
        "seconds": round(seconds, 6),
    }


def share_in(entry: Mapping[str, Any]) -> Share:
    """The share of an entry."""
    canonical = entry["canonical_count"]
    return Share(
        entry["first"],
        entry["last"],
        tuple(map(int, entry["nodes"])),
        int(entry["count"]),
        None if canonical is None else int(canonical),
    )


def sound_below(parts: object) -> Sound:
    """Chooses the shares that have a part, only parts below `parts`, and none of a share before.

    Some may be repeated, or left over from an unfinished transaction.
    """

    def sound() -> Callable[[int, Any], bool]:
        spans: list[tuple[int, int]] = []

        def accept(number: int, entry: Any) -> bool:
            try:
                _ShareEntry.model_validate(entry)
            except ValidationError:
                return False
            first, last = entry["first"], entry["last"]
            inside = first < last and not (isinstance(parts, int) and last > parts)
            if not inside or overlaps(spans, first, last):
                return False
            insort(spans, (first, last))
            return True

        return accept

    return sound


def overlaps(spans: list[tuple[int, int]], first: int, last: int) -> bool:
    """Whether one of the spans, which are sorted and do not overlap, has one of these parts."""
    at = bisect(spans, (first, last))
    return any(start < last and first < end for start, end in spans[max(at - 1, 0) : at + 1])
