"""One of several processes that share a piece of work, each with a book of its own: `--part 3/16`."""

import re
from dataclasses import dataclass

from ..base.errors import UsageError, shortened

# In how many pieces a portion of consecutive numbers is cut, because they differ in size.
_PIECES = 64


@dataclass(frozen=True)
class Portion:
    """The `number`-th of `of` portions of all the work; they do not overlap.

    Examples
    --------
    >>> Portion.parsed("3/16")
    Portion(number=3, of=16)
    >>> 18 in Portion(3, 16), 19 in Portion(3, 16)
    (True, False)
    """

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
