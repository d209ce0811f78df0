"""Slip arrays: the number of invalid joins that a search allows, and from which depth on.

A slip array d_1 <= d_2 <= ... <= d_N allows one more invalid inner join from each of its depths on: with p pieces on
the board, fixed ones included, at most as many joins are invalid as the array has entries <= p.  One piece may make
several (Owen's model in the theory of edge-matching search).  Joins along the frame must be valid, unless a second
array, the frame slip array, allows invalid ones in the same way.  Each array counts its own joins only.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import index
from typing import NamedTuple

from ..base.errors import SlipError, shortened
from .board import MAX_LENGTH, Arrangement, Placement, opposite
from .edge_matching import EdgeMatchingPuzzle

Slips = tuple[int, ...]

_MOST = 2 * MAX_LENGTH**2
#: How messages name the two arrays.
_INNER, _FRAME = "slips", "frame slips"


class InvalidJoins(NamedTuple):
    """Numbers of invalid joins: inner ones, and those along the frame."""

    inner: int = 0
    frame: int = 0

    @property
    def total(self) -> int:
        return self.inner + self.frame


NONE_INVALID = InvalidJoins()


def parse_slips(text: str, name: str = _INNER) -> Slips:
    """A slip array from text: depths separated by commas, with ``DxN`` for N times the depth D; or SlipError.

    >>> parse_slips("220,230x2")
    (220, 230, 230)
    """
    slips: list[int] = []
    for entry in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,7})(?:x([0-9]{1,7}))?\s*", entry)
        if not match:
            example = "as in 220,230,240 or 192x10" + (", or best:NUMBER" if name == _INNER else "")
            raise SlipError(f"{name}: {shortened(entry)!r} is not a depth or DEPTHxNUMBER, {example}")
        number = int(match[2] or 1)
        if len(slips) + number > _MOST:
            raise SlipError(f"{name}: {shortened(text)!r} has more entries than any board has joins")
        slips += [int(match[1])] * number
    return tuple(slips)


def format_slips(slips: Iterable[int]) -> str:
    """The shortest text that `parse_slips` reads as this slip array.

    >>> format_slips((220, 230, 230))
    '220,230x2'
    """
    return ",".join(f"{depth}x{n}" if n > 1 else f"{depth}" for depth, n in sorted(Counter(slips).items()))


def shown_slips(slips: Iterable[int], frame_slips: Iterable[int]) -> dict[str, str]:
    """Both arrays as records show them; the second one only if it has entries."""
    along = format_slips(frame_slips)
    return {"slips": format_slips(slips), **({"frame_slips": along} if along else {})}


def number_to_find(slips: object) -> int | None:
    """The number N of a slip array ``best:N``, whose depths are to be found; None for any other array.

    >>> number_to_find("best:10"), number_to_find("192x10")
    (10, None)
    """
    match = re.fullmatch(r"\s*best:([0-9]{1,7})\s*", slips) if isinstance(slips, str) else None
    return int(match[1]) if match else None


def checked_slips(puzzle: EdgeMatchingPuzzle, slips: str | Iterable[int] | None) -> Slips:
    """A slip array for a puzzle, without entries beyond the number of inner joins, which have no effect.

    Raises SlipError if the text is not a slip array, a depth is not between 1 and the number of squares, or the depths
    descend.
    """
    return _checked(puzzle, slips, _INNER)[: inner_joins(puzzle)]


def checked_frame_slips(puzzle: EdgeMatchingPuzzle, slips: str | Iterable[int] | None) -> Slips:
    """A frame slip array for a puzzle, as `checked_slips` makes a slip array."""
    return _checked(puzzle, slips, _FRAME)[: frame_joins(puzzle)]


def _checked(puzzle: EdgeMatchingPuzzle, slips: str | Iterable[int] | None, name: str) -> Slips:
    try:
        array = (
            parse_slips(slips, name) if isinstance(slips, str) else () if slips is None else tuple(map(index, slips))
        )
    except TypeError:
        raise SlipError(f"{name}: {shortened(repr(slips))} is not a list of depths, which are whole numbers") from None
    squares = len(puzzle.board)
    for depth, following in pairwise(array):
        if depth > following:
            raise SlipError(f"{name}: {following} comes after {depth}; the depths must ascend")
    for depth in (*array[:1], *array[-1:]):
        if not 1 <= depth <= squares:
            raise SlipError(
                f"{name}: depth {depth} is not between 1 and {squares}, the squares of the {puzzle.board.text}"
            )
    return array


def anywhere(puzzle: EdgeMatchingPuzzle) -> Slips:
    """The slip array that allows every inner join to be invalid."""
    return (1,) * inner_joins(puzzle)


def inner_joins(puzzle: EdgeMatchingPuzzle) -> int:
    """The number of joins that do not run along the frame."""
    if not puzzle.is_framed:
        return puzzle.max_score
    if not puzzle.board.is_plain:
        return sum(not puzzle.is_frame_join(join) for join in puzzle.board.joins())
    rows, columns = puzzle.rows, puzzle.columns
    return max(rows - 2, 0) * (columns - 1) + max(columns - 2, 0) * (rows - 1)


def frame_joins(puzzle: EdgeMatchingPuzzle) -> int:
    """The number of joins along the frame."""
    return puzzle.max_score - inner_joins(puzzle)


def allowed(slips: Slips, placed: int) -> int:
    """The number of joins that may be invalid with `placed` pieces on the board."""
    return bisect_right(slips, placed)


def restrict_nothing(puzzle: EdgeMatchingPuzzle, slips: Slips, order: Iterable[int], frame_slips: Slips = ()) -> bool:
    """Whether only the numbers of invalid joins matter and not their positions, so that the board may be turned.

    This holds if at most i - 1 inner joins are made before depth d_i, for every i, and likewise along the frame.
    """
    if not (slips or frame_slips):
        return True
    board = puzzle.board
    placed: set[int] = set()
    inner, frame = [0], [0]
    for square in order:
        joins = [join for join in board.joins_of(square) if join.second in placed]
        along = sum(map(puzzle.is_frame_join, joins))
        inner.append(inner[-1] + len(joins) - along)
        frame.append(frame[-1] + along)
        placed.add(square)
    arrays = (inner, slips), (frame, frame_slips)
    return all(made[depth - 1] <= i for made, array in arrays for i, depth in enumerate(array))


def fixed_pieces_agree(puzzle: EdgeMatchingPuzzle) -> bool:
    """Whether all joins between fixed pieces are valid; otherwise nothing can be filled."""
    return permitted_prefix(puzzle, [fixed.square for fixed in puzzle.fixed], ())[0] == len(puzzle.fixed)


def between_fixed(puzzle: EdgeMatchingPuzzle, frame_slips: Slips) -> tuple[int, InvalidJoins]:
    """How many fixed pieces can be placed if inner joins may be invalid, and the invalid joins between these."""
    return permitted_prefix(puzzle, [fixed.square for fixed in puzzle.fixed], anywhere(puzzle), frame_slips)


def permitted_board(
    puzzle: EdgeMatchingPuzzle, squares: Sequence[int], slips: Slips = (), frame_slips: Slips = ()
) -> Arrangement:
    """The board with those of the fixed pieces on `squares` that a search can place, see `permitted_prefix`."""
    number, _ = permitted_prefix(puzzle, squares, slips, frame_slips)
    placed = {*squares[:number]}
    return tuple(piece if square in placed else None for square, piece in enumerate(puzzle.fixed_board))


def permitted_prefix(
    puzzle: EdgeMatchingPuzzle, squares: Sequence[int], slips: Slips, frame_slips: Slips = ()
) -> tuple[int, InvalidJoins]:
    """The number of fixed pieces on `squares` that a search can place, and the invalid joins between them."""
    shown = {fixed.square: puzzle.shown(Placement(fixed.piece, fixed.rotation)) for fixed in puzzle.fixed}
    placed: set[int] = set()
    before = NONE_INVALID
    for depth, square in enumerate(squares):
        inner, frame = before
        for join in puzzle.board.joins_of(square):
            if join.second in placed:
                matches = shown[square][join.side] == puzzle.mate(shown[join.second][opposite(join.side)])
                along = puzzle.is_frame_join(join)
                inner, frame = inner + (not matches and not along), frame + (not matches and along)
        if inner > allowed(slips, depth + 1) or frame > allowed(frame_slips, depth + 1):
            return depth, before
        before = InvalidJoins(inner, frame)
        placed.add(square)
    return len(squares), before
