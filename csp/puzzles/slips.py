"""Slip arrays: the number of invalid joins that a search allows, and from which depth on.

A slip array d_1 <= d_2 <= ... <= d_N allows one more invalid inner join from each of its depths on: with p pieces on
the board, fixed ones included, at most as many joins are invalid as the array has entries <= p.  One piece may make
several.  Joins along the frame must be valid (Owen's model in the theory of edge-matching search).
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..base.errors import SlipError, shortened
from .board import MAX_LENGTH, Placement, opposite
from .edge_matching import EdgeMatchingPuzzle

Slips = tuple[int, ...]

_MOST = 2 * MAX_LENGTH**2


def parse_slips(text: str) -> Slips:
    """A slip array from text: depths separated by commas, with ``DxN`` for N times the depth D.

    Raises
    ------
    SlipError
        If the text is not such a list.

    Examples
    --------
    >>> parse_slips("220,230x2")
    (220, 230, 230)
    """
    slips: list[int] = []
    for entry in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,7})(?:x([0-9]{1,7}))?\s*", entry)
        if not match:
            raise SlipError(f"slips: {shortened(entry)!r} is not a depth or DEPTHxNUMBER, as in 220,230,240 or 192x10")
        number = int(match[2] or 1)
        if len(slips) + number > _MOST:
            raise SlipError(f"slips: {shortened(text)!r} has more entries than any board has joins")
        slips += [int(match[1])] * number
    return tuple(slips)


def format_slips(slips: Iterable[int]) -> str:
    """The shortest text that `parse_slips` reads as this slip array.

    Examples
    --------
    >>> format_slips((220, 230, 230))
    '220,230x2'
    """
    return ",".join(f"{depth}x{n}" if n > 1 else f"{depth}" for depth, n in sorted(Counter(slips).items()))


def checked_slips(puzzle: EdgeMatchingPuzzle, slips: str | Iterable[int] | None) -> Slips:
    """A slip array for a puzzle, without entries beyond the number of inner joins, which have no effect.

    Parameters
    ----------
    puzzle
        The puzzle.
    slips
        Text or depths; None for no slips.

    Raises
    ------
    SlipError
        If the text is not a slip array, a depth is not between 1 and the number of squares, or the depths descend.
    """
    array = parse_slips(slips) if isinstance(slips, str) else tuple(slips or ())
    squares = len(puzzle.board)
    for depth, following in pairwise(array):
        if depth > following:
            raise SlipError(f"slips: {following} comes after {depth}; the depths must ascend")
    for depth in (*array[:1], *array[-1:]):
        if not 1 <= depth <= squares:
            board = f"{puzzle.rows}x{puzzle.columns} board"
            raise SlipError(f"slips: depth {depth} is not between 1 and {squares}, the squares of the {board}")
    return array[: inner_joins(puzzle)]


def anywhere(puzzle: EdgeMatchingPuzzle) -> Slips:
    """The slip array that allows every inner join to be invalid."""
    return (1,) * inner_joins(puzzle)


def inner_joins(puzzle: EdgeMatchingPuzzle) -> int:
    """The number of joins that do not run along the frame."""
    rows, columns = puzzle.rows, puzzle.columns
    return max(rows - 2, 0) * (columns - 1) + max(columns - 2, 0) * (rows - 1)


def allowed(slips: Slips, placed: int) -> int:
    """The number of joins that may be invalid with `placed` pieces on the board."""
    return bisect_right(slips, placed)


def restrict_nothing(puzzle: EdgeMatchingPuzzle, slips: Slips, order: Iterable[int]) -> bool:
    """Whether only the number of invalid joins matters and not their positions, so that the board may be turned.

    This holds if at most i - 1 inner joins are made before depth d_i, for every i.
    """
    if not slips:
        return True
    board = puzzle.board
    placed: set[int] = set()
    made = [0]
    for square in order:
        joins = board.joins_of(square)
        made.append(made[-1] + sum(join.second in placed and not board.is_frame_join(join) for join in joins))
        placed.add(square)
    return all(made[depth - 1] <= i for i, depth in enumerate(slips))


def fixed_pieces_agree(puzzle: EdgeMatchingPuzzle) -> bool:
    """Whether all joins between fixed pieces are valid; otherwise nothing can be filled."""
    return permitted_prefix(puzzle, [fixed.square for fixed in puzzle.fixed], ())[0] == len(puzzle.fixed)


def permitted_prefix(puzzle: EdgeMatchingPuzzle, squares: Sequence[int], slips: Slips) -> tuple[int, int]:
    """The number of fixed pieces on `squares` that a search can place, and the invalid inner joins between them."""
    shown = {fixed.square: puzzle.shown(Placement(fixed.piece, fixed.rotation)) for fixed in puzzle.fixed}
    placed: set[int] = set()
    invalid = 0
    for depth, square in enumerate(squares):
        before = invalid
        for join in puzzle.board.joins_of(square):
            if join.second in placed:
                matches = shown[square][join.side] == puzzle.mate(shown[join.second][opposite(join.side)])
                if not matches and puzzle.board.is_frame_join(join):
                    return depth, before
                invalid += not matches
        if invalid > allowed(slips, depth + 1):
            return depth, before
        placed.add(square)
    return len(squares), invalid
