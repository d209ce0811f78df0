"""The slip array of least predicted cost, alone or together with the search order.

A search for one board under N slips visits about as many nodes as Owen's model expects *for each expected board*: all
nodes of the tree, divided by the boards at its end.  An array that begins early has more of both.  Coordinate descent
moves one depth of the array at a time to where the quotient is least.  The order matters less than the array, and free
orders gain little over the named ones (a tenth on Eternity II with ten slips), so only those are tried.
"""

from dataclasses import dataclass
from math import comb, inf, log

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import SlipError
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, named_order
from ...csp.puzzles.slips import Slips, between_fixed, inner_joins
from .best_order import MOST_SQUARES, OrderCosts
from .complexity import Complexity, Estimate, Joins

#: The largest number of slips whose depths are searched for: the time grows with its square.
MOST_SLIPS = 64
# The slip array that has led to 470 valid joins on Eternity II, as parts of the board: where the descent begins.
_FIRST = np.array([197, 203, 210, 216, 221, 225, 229, 233, 236, 238]) / 256
# An order with more nodes for each board by this factor, under an array that is good for another order, is left out.
_HOPELESS = log(30)
# Smaller gains are rounding errors.
_GAIN = 1e-9


@dataclass(frozen=True)
class BestSlips:
    """The best slip array that was found, and its order."""

    #: The search order.
    order_name: str
    order: Order
    #: The slip array.
    slips: Slips
    #: The exact expected numbers of nodes.
    estimate: Estimate


def best_slips(
    puzzle: EdgeMatchingPuzzle, number: int, orders: tuple[str, ...] | Order = tuple(NAMED_ORDERS)
) -> BestSlips:
    """Find the array of `number` slips, and the order, with the fewest expected nodes for each expected board.

    `orders` has the names of the orders to try, or the squares of one order.

    Raises SlipError if there are no slips or too many, or the board is too large.
    """
    slips, model = first_slips(puzzle, number), Complexity(puzzle)
    named = _orders(puzzle, orders)
    costs = OrderCosts(model, slips)
    trees = {name: _Tree(costs, order) for name, order in named.items()}
    least, best = inf, next(iter(trees))
    # The best array of one order is nearly that of another; so the first one shows which orders are worth a descent.
    slips = trees[best].descended(slips)
    # Rounded, so that the first of several orders comes first that differ by rounding errors only.
    known = {name: round(tree.nodes(slips), 6) for name, tree in trees.items()}
    for name in sorted(known, key=lambda name: known[name]):
        if known[name] > least + _HOPELESS:
            break
        found = trees[name].descended(slips)
        if trees[name].nodes(found) < least - _GAIN:
            least, best, slips = trees[name].nodes(found), name, found
    return BestSlips(best, named[best], slips, model.estimate(named[best], slips))


def _orders(puzzle: EdgeMatchingPuzzle, given: tuple[str, ...] | Order) -> dict[str, Order]:
    """The orders by name, equal ones once; of `rowscan2` with all numbers of rows."""
    names = [name for name in given if isinstance(name, str)]
    if not names:
        return {"given": tuple(square for square in given if isinstance(square, int))}
    if "rowscan2" in names:
        names += [f"rowscan2:{rows}" for rows in range(1, puzzle.rows)]
    orders: dict[Order, str] = {}
    for name in names:
        orders.setdefault(named_order(puzzle, name), name)
    return {name: order for order, name in orders.items()}


def first_slips(puzzle: EdgeMatchingPuzzle, number: int) -> Slips:
    """The array where the descent begins; invalid joins between fixed pieces come first.

    Raises SlipError if there are no slips or too many, or the board is too large for a search.
    """
    if not 1 <= number <= MOST_SLIPS:
        raise SlipError(f"slips: best:{number} is not between best:1 and best:{MOST_SLIPS}; give the depths instead")
    if len(puzzle.board) > MOST_SQUARES:
        board = puzzle.board.text
        raise SlipError(
            f"slips: best:{number} is for boards of up to {MOST_SQUARES} squares; give depths for this {board}"
        )
    squares, given = len(puzzle.board), between_fixed(puzzle, ())[1].inner
    parts = np.interp(np.arange(number), np.arange(len(_FIRST)), _FIRST)
    depths = np.clip(np.rint(parts * squares).astype(int), len(puzzle.fixed) + 1, squares)
    return (*[1] * given, *depths.tolist())[: min(number, inner_joins(puzzle))]


class _Tree:
    """The expected nodes along one order, as floats, for any slip array."""

    def __init__(self, costs: OrderCosts, order: Order) -> None:
        puzzle, joins = costs.puzzle, Joins(costs.puzzle, order, (), kinds=costs.kinds)
        self._fixed, self._before = len(puzzle.fixed), between_fixed(puzzle, ())[1].inner
        free = np.array(order[self._fixed :], dtype=np.int64)
        frame, inner = (np.array(made[self._fixed + 1 :]) for made in (joins.frame, joins.inner))
        placed = np.cumsum(costs.square_class[free, None] == np.arange(len(costs.boards)), axis=0)
        boards = costs.boards[np.arange(len(costs.boards)), placed].sum(axis=1) + costs.frame[frame]
        # Row d, column i: the logarithm of the boards with d + 1 free pieces of which i given joins are invalid.
        self._logs = boards[:, None] + costs.inner[:, inner].T
        self._most = self._logs.max(axis=1)
        with np.errstate(invalid="ignore"):
            self._chances = np.nan_to_num(np.exp(self._logs - self._most[:, None]))
        self._new = np.diff(joins.inner[self._fixed :])

    def nodes(self, slips: Slips) -> float:
        """The logarithm of the expected nodes for each expected board."""
        return float(self._nodes(np.array([slips]))[0])

    def descended(self, slips: Slips) -> Slips:
        """The array that no change of a single depth improves."""
        array, least, last = np.array(slips), inf, self._fixed + len(self._new)
        while (now := self.nodes(tuple(array.tolist()))) < least - _GAIN:
            least = now
            for i in range(self._before, len(array)):
                tried = np.tile(array, (last - self._fixed, 1))
                tried[:, i] = np.arange(self._fixed + 1, last + 1)
                tried.sort(axis=1)
                nodes = self._nodes(tried)
                if nodes.min() < now - _GAIN:
                    now, array = nodes.min(), tried[nodes.argmin()]
        return tuple(array.tolist())

    def _nodes(self, arrays: NDArray[np.int64]) -> NDArray[np.float64]:
        """`nodes` for several arrays, each in a row."""
        rows = np.arange(arrays.shape[1] + 1)[:, None]
        ways = np.zeros((len(rows), len(arrays)))
        ways[self._before] = 1
        boards = total = np.full(len(arrays), -inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            for d, new in enumerate(self._new.tolist()):
                after = ways.copy()
                for more in range(1, min(new, len(rows) - 1) + 1):
                    after[more:] += comb(new, more) * ways[:-more]
                ways = np.where(rows <= (arrays <= self._fixed + d + 1).sum(axis=1), after, 0)
                boards = self._most[d] + np.log((self._chances[d, :, None] * ways).sum(axis=0))
                total = np.logaddexp(total, boards)
            return np.nan_to_num(total - boards, nan=inf)
