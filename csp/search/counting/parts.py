"""Counting in parts, which can be counted anywhere, at any time and in any order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...puzzles.symmetry import Symmetries


class Pause(IntEnum):
    """Whether a count of parts must continue, end after the current part, or drop it and end immediately."""

    NO = 0
    AFTER_PART = 1
    NOW = 2


@dataclass(frozen=True)
class Share:
    """The results of consecutive parts, each of them counted completely."""

    #: The parts: from number `first` on, up to but not including `last`.
    first: int
    last: int
    #: Nodes by the number of pieces on the board, one number for each square of the board.
    nodes: tuple[int, ...]
    #: The number of arrangements of numbered pieces.
    count: int
    #: The number of their orbits; None if all orbits have one size, so that `count` determines it.
    canonical_count: int | None


class Piecework(Protocol):
    """A count that is cut into parts.

    Attributes:
    - `method`: the name of the algorithm.
    - `options`: everything except the puzzle that the parts and their numbers depend on, as JSON values.
    - `found`: the symmetries of the puzzle.
    - `work`: the predicted nodes of each part.
    """

    method: str
    options: Mapping[str, object]
    found: Symmetries
    work: NDArray[np.float64]

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`.

        `pause` is called about every tenth of a second.  If it ends the count early, the share has the parts that were
        counted completely, perhaps no part.  Several threads may count different parts of one piecework at a time.
        """
        ...
