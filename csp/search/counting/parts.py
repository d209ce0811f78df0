"""Counting in parts: a count that is cut into parts which can be counted anywhere, at any time, in any order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...puzzles.symmetry import Symmetries


class Pause(IntEnum):
    """Whether a count of parts is to go on, to end after the part in hand, or to drop it and end at once."""

    NO = 0
    AFTER_PART = 1
    NOW = 2


@dataclass(frozen=True)
class Share:
    """What consecutive parts hold, each of them counted to its end.

    Parameters
    ----------
    first, last
        The parts: from number `first` on, up to but not including `last`.
    nodes
        Nodes by the number of pieces on the board, one number for each square of the board.
    count
        The arrangements of numbered pieces that the solutions stand for.
    canonical_count
        Their orbits; None where all orbits are alike, so that `count` alone tells their number.
    """

    first: int
    last: int
    nodes: tuple[int, ...]
    count: int
    canonical_count: int | None


class Piecework(Protocol):
    """A count that is cut into parts.

    Attributes
    ----------
    method
        What the algorithm is called.
    options
        Everything but the puzzle that the parts and their numbers depend on, as JSON values.
    found
        The symmetries of the puzzle.
    work
        The nodes that are predicted for each part.
    """

    method: str
    options: Mapping[str, object]
    found: Symmetries
    work: NDArray[np.float64]

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`.

        `pause` is asked every tenth of a second or so.  If it ends the count early, the share has the parts that were
        counted to their end, perhaps none.  Several threads may count different parts of one piecework at a time.
        """
        ...
