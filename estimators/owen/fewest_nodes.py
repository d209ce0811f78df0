"""A lower bound on the expected nodes of a search along any order.

Without slips, the expected number of boards on a set of squares depends only on the number of filled free squares of
each class and the number of joins.  It decreases with every join, so the maximal number of joins for these numbers of
squares (`most_joins`) gives a lower bound.  An order adds one square at a time, so its numbers follow a path from the
empty to the full board, and the cheapest path is a lower bound on all orders.  The bound ignores that the sets of an
order are nested, and that the maxima for the frame and for the inside may not occur together.

With slips, the number also decreases with the inner joins made before each slip depth; the bound uses the maximum for
these, too.
"""

from fractions import Fraction
from math import log

import numpy as np
from numpy.typing import NDArray

from ...csp.puzzles.slips import allowed
from .complexity import more_invalid
from .most_joins import most_frame_joins, most_inner_joins
from .order_costs import OrderCosts, log_of

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
