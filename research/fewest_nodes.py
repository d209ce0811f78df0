"""A lower bound on the expected nodes of a search along any order: how much cheaper than the best one can an order be?

Run by hand:  python research/orders.py --best

Without slips, the expected number of boards on a set of squares depends only on the number of filled free squares of
each class and the number of joins.  It decreases with every join, so the maximal number of joins for these numbers of
squares (`most_frame_joins`, `most_inner_joins`) gives a lower bound.  An order adds one square at a time, so its
numbers follow a path from the empty to the full board, and the cheapest path is a lower bound on all orders.  The bound
ignores that the sets of an order are nested, and that the maxima for the frame and for the inside may not occur
together.

With slips, the number also decreases with the inner joins made before each slip depth; the bound uses the maximum for
these, too.

The maxima are found square by square.  The frame is a ring, along which the state is whether the last square is filled.
For the inside, the state is the set of filled squares in the last row and the total number of filled squares (a
transfer matrix).
"""

from fractions import Fraction
from itertools import islice
from math import isqrt, log

import numpy as np
from numpy.typing import NDArray

from jigsat.csp.base.compiled import kernel
from jigsat.csp.puzzles.board import PIECE_CLASSES
from jigsat.csp.puzzles.orders import spiral_in
from jigsat.csp.puzzles.slips import allowed
from jigsat.estimators.owen.best_order import FIXED, OrderCosts, log_of
from jigsat.estimators.owen.complexity import more_invalid

Integers = NDArray[np.int64]

#: The widest inside for which the joins are counted row by row; for width w the table has 2^w rows.
WIDEST = 14
_EDGE, _INNER = PIECE_CLASSES.index("edge"), PIECE_CLASSES.index("inner")
_NONE = -30_000
# The weights of a square that can be joined to an edge piece, relative to a join inside, as fractions.
_WEIGHTS = ((0, 1), (1, 3), (1, 2), (2, 3), (1, 1))


def class_numbers(costs: OrderCosts) -> tuple[int, ...]:
    """The number of free squares of each class."""
    return tuple(int((costs.square_class == number).sum()) for number in range(len(PIECE_CLASSES)))


def most_frame_joins(costs: OrderCosts) -> Integers:
    """The most frame joins of all fixed squares with given numbers of free squares of each class.

    The result has one axis for each of `PIECE_CLASSES`; that of the inner class has length 1.  Impossible numbers of
    squares have negative entries.
    """
    board = costs.board
    ring = [
        *islice(
            (board.square(*place) for place in spiral_in(board)),
            sum(board.border_mask(square) > 0 for square in range(len(board))),
        )
    ]
    shape = tuple(1 if i == _INNER else number + 1 for i, number in enumerate(class_numbers(costs)))
    most = np.full(shape, _NONE)
    kind = costs.square_class[ring[0]]
    for first in (False, True):
        # The first axis is whether the last square so far is filled.
        table = np.full((2, *shape), _NONE)
        table[int(first)].flat[0] = 0
        if first:
            table[1] = _one_more(table[1], kind)
        elif kind == FIXED:
            continue
        for square in ring[1:]:
            empty = np.full(shape, _NONE) if costs.square_class[square] == FIXED else table.max(axis=0)
            filled = _one_more(np.maximum(table[0], table[1] + 1), costs.square_class[square])
            table = np.stack((empty, filled))
        # On a board with one row the frame is not a ring.
        closing = first and min(board.rows, board.columns) > 1
        most = np.maximum(most, np.maximum(table[0], table[1] + closing))
    return most


def _one_more(table: Integers, kind: int) -> Integers:
    """The table after one more filled square of a class, which is counted if it is free."""
    if kind == FIXED:
        return table
    more = np.full_like(table, _NONE)
    onto, of = [slice(None)] * table.ndim, [slice(None)] * table.ndim
    onto[kind], of[kind] = slice(1, None), slice(None, -1)
    more[tuple(onto)] = table[tuple(of)]
    return more


def most_inner_joins(costs: OrderCosts) -> Integers:
    """An upper bound ``[e, i]`` on the inner joins of e free edge and i free inner squares with all fixed squares.

    Of the t free edge squares next to a filled inner square at most e are filled, so J joins inside the frame become at
    most J + min(e, t), which is at most J + w t + (1 - w) e for any weight w from 0 to 1.
    """
    board = costs.board
    numbers = class_numbers(costs)
    e, i = np.ogrid[: numbers[_EDGE] + 1, : numbers[_INNER] + 1]
    inner = [square for square in range(len(board)) if board.square_class(square) == "inner"]
    if not inner or min(board.rows, board.columns) > WIDEST + 2:
        return _most_of_any_shape(costs, e, i)
    shape = board.rows - 2, board.columns - 2
    fixed = np.zeros(shape, dtype=np.bool_)
    sure, edges = np.zeros((2, *shape), dtype=np.int16)
    for number, square in enumerate(inner):
        beside = [join.second for join in board.joins_of(square) if board.square_class(join.second) == "edge"]
        sure.flat[number] = sum(costs.square_class[other] == FIXED for other in beside)
        edges.flat[number] = len(beside) - sure.flat[number]
        fixed.flat[number] = costs.square_class[square] == FIXED
    if shape[0] < shape[1]:
        fixed, sure, edges = fixed.T, sure.T, edges.T
    table = np.empty((1 << min(shape), numbers[_INNER] + 1), dtype=np.int16)
    most = np.full((numbers[_EDGE] + 1, numbers[_INNER] + 1), np.iinfo(np.int64).max)
    for part, whole in _WEIGHTS:
        _count(fixed, whole * sure + part * edges, np.int16(whole), table)
        most = np.minimum(most, (table.max(axis=0) + (whole - part) * e) // whole)
    return most


def _most_of_any_shape(costs: OrderCosts, e: Integers, i: Integers) -> Integers:
    """A weaker bound that treats fixed squares as free: i squares have at most 2i - 2 sqrt(i) joins.

    (Harary and Harborth, 1976.)
    """
    board = costs.board
    kinds = [board.square_class(square) for square, _, _ in costs.puzzle.fixed]
    e, i = e + kinds.count("edge"), i + kinds.count("inner")
    if min(board.rows, board.columns) < 3:
        # Edge squares opposite each other are joined.
        return e // 2 + 0 * i
    roots = np.array([isqrt(4 * number - 1) + 1 if number else 0 for number in i.flat])
    return 2 * i - roots + np.minimum(e, 4 * i)


# Data layout: ``fixed[row, column]`` is whether a square has a fixed piece, and ``bonus[row, column]`` the value of
# filling it, in addition to `weight` for each join with a square above or to the left.  ``table[mask, i]`` is the
# greatest value of i free squares if the mask gives the filled ones among the last squares of all columns so far.
# Invariant: impossible values stay below 0.
@kernel
def _count(fixed, bonus, weight, table):
    """Fill the table for the whole inside."""
    for mask in range(len(table)):
        for i in range(table.shape[1]):
            table[mask, i] = _NONE
    table[0, 0] = 0
    free = 0
    for row in range(fixed.shape[0]):
        for column in range(fixed.shape[1]):
            bit = 1 << column
            more = not fixed[row, column]
            free += more
            for mask in range(len(table)):
                if mask & bit:
                    continue
                beside = bonus[row, column]
                if column > 0 and mask >> (column - 1) & 1:
                    beside += weight
                above = beside + weight
                with_it = mask | bit
                for i in range(free, -1, -1):
                    # The bit of the new square replaces that of the square above, which may be filled or empty.
                    empty = max(table[mask, i], table[with_it, i]) if more else np.int16(_NONE)
                    if i >= more:
                        table[with_it, i] = max(table[mask, i - more] + beside, table[with_it, i - more] + above)
                    else:
                        table[with_it, i] = _NONE
                    table[mask, i] = empty


#: The relative error of all sums of floats in this module is below this.
ROUNDING = 1e-9
# Further slips only increase the numbers; they are ignored to save time.
_MOST_SLIPS = 16


def fewest_nodes(costs: OrderCosts) -> Fraction:
    """A lower bound on the expected nodes of any order, including fixed pieces."""
    boards = _fewest_boards(costs)
    numbers = np.indices(boards.shape).reshape(boards.ndim, -1)
    steps = np.array(boards.strides) // boards.itemsize
    by_depth = np.split(np.argsort(numbers.sum(axis=0), kind="stable"), np.bincount(numbers.sum(axis=0)).cumsum()[:-1])
    total = np.zeros(boards.size)
    for at in by_depth[1:]:
        before = np.where(numbers[:, at] > 0, total[at - steps[:, None]], np.inf)
        total[at] = boards.flat[at] + before.min(axis=0)
    return costs.fixed_nodes + Fraction(total[-1] * (1 - ROUNDING)) * costs.unit


def _fewest_boards(costs: OrderCosts) -> NDArray[np.float64]:
    """The fewest boards, in units, by the number of filled free squares of each class; one axis for each class."""
    frame, inner = most_frame_joins(costs), most_inner_joins(costs)
    # The inner joins have the axes of the inner and the edge class, which are the first two.
    inner = inner.T.reshape(inner.shape[::-1] + (1,) * (frame.ndim - 2))
    inner = np.minimum(inner, costs.inner.shape[1] - 1)
    shape = np.broadcast_shapes(frame.shape, inner.shape)
    depth = np.indices(shape).sum(axis=0)
    logs = costs.frame[frame] + _inner_logs(costs, np.broadcast_to(inner, shape), depth)
    for kind, number in enumerate(np.ogrid[tuple(map(slice, shape))]):
        logs = logs + costs.boards[kind, number]
    return np.ascontiguousarray(np.exp(logs))


def _inner_logs(costs: OrderCosts, joins: NDArray[np.int64], depth: NDArray[np.int64]) -> NDArray[np.float64]:
    """The logarithm of the least probability that `joins` inner joins satisfy the slips at `depth` free squares."""
    if not costs.slips:
        return costs.inner[0, joins]
    slips, fixed = costs.slips[:_MOST_SLIPS], len(costs.puzzle.fixed)
    depths = sorted({at for at in slips if at > fixed + 1})
    most = [allowed(slips, fixed + 1), *(allowed(slips, at) for at in depths)]
    before = [int(joins[depth == at - 1 - fixed].max()) for at in depths]
    passed = np.searchsorted(depths, depth + fixed, side="right")
    pairs, which = np.unique(np.stack((passed, joins)).reshape(2, -1), axis=1, return_inverse=True)
    logs = []
    for number, at in pairs.T.tolist():
        ways = {costs.joins.fixed_invalid.inner: 1}
        bounds = [costs.joins.inner[fixed], *(min(noted, at) for noted in before[:number]), at]
        for invalid, first, last in zip(most, bounds[:-1], bounds[1:], strict=False):
            ways = more_invalid(ways, last - first, invalid)
        logs.append(log_of(sum(number * costs.exact_inner[i][at] for i, number in ways.items() if i <= at)))
    return np.array(logs)[which].reshape(joins.shape) - log(costs.inner_denominator)
