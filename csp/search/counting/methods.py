"""The methods of counting, and the parts into which they cut a count: counted anywhere, any time and in any order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError, misspelt, shortened
from ...engines.request import Options, given_slips
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import Symmetries, symmetries
from .two_by_two import why_no_blocks


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


# Limits of the kernels: inner squares for frames, free pieces for blocks and for macros.
_INNER_SQUARES, _BLOCK_PIECES = 64, 256
MACRO_PIECES = 64
#: The names of the methods.
METHODS = ("plain", "frames", "macros", "middle", "blocks", "halves")
#: The methods that count the ways to fill some squares of the board, and those that count whole boards.
OF_REGIONS = ("plain", "halves")
OF_WHOLE_BOARDS = tuple(name for name in METHODS if name == "plain" or name not in OF_REGIONS)


def refuse_method(name: str, *, region: bool) -> None:
    """Raise EngineError if there is no such method, or if it counts only whole boards, or only some squares."""
    if name not in METHODS:
        raise EngineError(f"unknown method {misspelt(name, METHODS)}, choose from {', '.join(METHODS)}")
    if region and name not in OF_REGIONS:
        raise EngineError(f"method {name}: it counts whole boards; for squares choose from {', '.join(OF_REGIONS)}")
    if not region and name not in OF_WHOLE_BOARDS:
        able = ", ".join(OF_WHOLE_BOARDS)
        raise EngineError(f"method {name}: it counts some squares of a board; for whole boards choose from {able}")


def refuse_form(name: str, puzzle: EdgeMatchingPuzzle) -> None:
    """Raise EngineError if a method other than plain is asked for a puzzle that is not a framed rectangle."""
    if name != "plain" and not puzzle.is_classic:
        raise EngineError(f"method {name}: it is {puzzle.classic_only}; the method plain takes it")


def refuse_frames(puzzle: EdgeMatchingPuzzle, options: Options) -> None:
    """Raise EngineError if the method does not apply; the size of its numbers and tables is checked later."""
    rows, columns = puzzle.rows, puzzle.columns
    squares = (rows - 2) * (columns - 2)
    reason = _why_not_whole(puzzle, options)
    if reason is None and (min(rows, columns) < 3 or rows * columns < 12):
        reason = f"the board is {rows}x{columns}; it must be 3x4 or larger"
    elif reason is None and squares > _INNER_SQUARES:
        reason = f"the inside has {squares} squares; at most {_INNER_SQUARES} are supported"
    _refuse("frames", reason, puzzle, options)


def refuse_middle(puzzle: EdgeMatchingPuzzle, options: Options) -> None:
    """Raise EngineError if the method does not apply; the size of its tables is checked later."""
    reason = _why_not_whole(puzzle, options)
    if reason is None and min(puzzle.rows, puzzle.columns) < 3:
        reason = f"the board is {puzzle.rows}x{puzzle.columns}; it must be 3x3 or larger"
    _refuse("middle", reason, puzzle, options, MACRO_PIECES)


def _why_not_whole(puzzle: EdgeMatchingPuzzle, options: Options) -> str | None:
    """Why a method does not apply that breaks symmetries, and places all pieces."""
    unequal = [(name, *sizes) for name, sizes in puzzle.class_sizes().items() if sizes[0] != sizes[1]]
    if not options.symmetry:
        return "symmetries are always broken; the method plain has the option"
    if puzzle.fixed:
        return "there are fixed pieces; all pieces must be free"
    if unequal:
        return "there are {1} {0} pieces for {2} squares; their numbers must be equal".format(*unequal[0])
    return None


def refuse_macros(puzzle: EdgeMatchingPuzzle, options: Options) -> None:
    """Raise EngineError if the method does not apply; the size of its tables is checked later."""
    size = f"{puzzle.rows}x{puzzle.columns}"
    narrow = f"a {size} board has no rows of two halves; at least 2x2 is needed"
    _refuse("macros", narrow if min(puzzle.rows, puzzle.columns) < 2 else None, puzzle, options, MACRO_PIECES)


def refuse_blocks(puzzle: EdgeMatchingPuzzle, options: Options) -> None:
    """Raise EngineError if the method does not apply; the size of its tables is checked later."""
    _refuse("blocks", why_no_blocks(puzzle.board), puzzle, options, _BLOCK_PIECES)


def _refuse(
    name: str, reason: str | None, puzzle: EdgeMatchingPuzzle, options: Options, most: int | None = None
) -> None:
    """Raise EngineError if a method does not apply for a reason of its own, or one that all but plain have."""
    slips, free = given_slips(options), len(puzzle.pieces) - len(puzzle.fixed)
    if options.order is not None:
        reason = f"order {shortened(str(options.order))!r}: only the method plain has orders"
    elif slips is not None:
        given = shortened(str(getattr(options, slips)))
        reason = f"{slips} {given!r}: not supported; the method plain supports slips"
    elif reason is None and most is not None and free > most:
        reason = f"{free} free pieces; at most {most} are supported"
    elif reason is None and not symmetries(puzzle).regular:
        reason = "the orbits of solutions have different sizes; use the method plain"
    if reason:
        raise EngineError(f"method {name}: {reason}")
