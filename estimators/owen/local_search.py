"""A local search for a cheaper search order: squares change places where that saves nodes."""

import numpy as np

from ...csp.base.compiled import copy_numbers, kernel
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import allowed
from .order_costs import OrderCosts

_LONGEST_BLOCK = 4
_FARTHEST = 24


def improved(costs: OrderCosts, order: Order, moves: int, seed: int) -> Order:
    """An order that costs at most as much as the one given.

    Tries so many random changes: a block of up to four squares moves up to 24 places.  One too small to be seen in the
    sum of all depths still has to save nodes at the depths that it concerns.
    """
    fixed = len(costs.puzzle.fixed)
    squares = np.array(order[fixed:], dtype=np.int64)
    if len(squares) < 2:
        return order
    neighbours = np.full((len(costs.board), 4), -1, dtype=np.int64)
    on_frame = np.zeros((len(costs.board), 4), dtype=np.bool_)
    for square in range(len(costs.board)):
        for join in costs.board.joins_of(square):
            neighbours[square, join.side] = join.second
            on_frame[square, join.side] = costs.board.is_frame_join(join)
    is_fixed = np.zeros(len(costs.board), dtype=np.bool_)
    is_fixed[list(order[:fixed])] = True
    most = np.array([allowed(costs.slips, fixed + d) for d in range(1, len(squares) + 1)], dtype=np.int64)
    start = np.array([costs.joins.frame[fixed], costs.joins.inner[fixed], costs.joins.fixed_invalid], dtype=np.int64)
    greatest = costs.inner.max(axis=0)
    with np.errstate(invalid="ignore"):
        chances = np.nan_to_num(np.exp(costs.inner - greatest))
    _improve(
        squares, neighbours, on_frame, is_fixed, costs.square_class, costs.boards, costs.frame, chances, greatest,
        most, start, costs.scale, moves, seed,
    )  # fmt: skip
    return (*order[:fixed], *squares.tolist())


# Data layout: ``squares`` is the order of the free squares; ``neighbours[s, side]`` the square across that side or -1;
# ``boards[class, k]``, ``frame[b]`` and ``greatest[m]`` are logarithms, ``chances[i, m]`` is relative to the last of
# these.  Arrays are copied number by number, because to compile assignments of arrays takes as long as all the rest.
# Invariant: between two moves `squares` is the cheapest order so far, and costs ``at[d]`` at depth d.
@kernel
def _improve(
    squares, neighbours, on_frame, is_fixed, square_class, boards, frame, chances, greatest, most, start, scale,
    moves, seed,
):  # fmt: skip
    np.random.seed(seed)
    n = len(squares)
    filled = np.zeros(len(neighbours), dtype=np.bool_)
    ways = np.zeros(len(chances))
    arrays = (neighbours, on_frame, is_fixed, square_class, boards, frame, chances, greatest, most, start)
    at, at_tried = np.zeros(n), np.zeros(n)
    least = _cost(squares, *arrays, scale, np.inf, filled, ways, at)
    tried = np.empty_like(squares)
    for _ in range(moves):
        length = np.random.randint(1, min(_LONGEST_BLOCK, n - 1) + 1)
        first = np.random.randint(0, n - length + 1)
        to = min(max(first + np.random.randint(-_FARTHEST, _FARTHEST + 1), 0), n - length)
        if to == first:
            continue
        copy_numbers(tried, squares)
        if to > first:
            copy_numbers(tried[first:], squares[first + length : to + length])
        else:
            copy_numbers(tried[to + length :], squares[to:first])
        copy_numbers(tried[to:], squares[first : first + length])
        cost = _cost(tried, *arrays, scale, least, filled, ways, at_tried)
        low, high = min(first, to), max(first, to) + length
        if cost < least or (cost == least and at_tried[low:high].sum() < at[low:high].sum()):
            least = cost
            copy_numbers(squares, tried)
            copy_numbers(at, at_tried)


@kernel
def _cost(
    squares, neighbours, on_frame, is_fixed, square_class, boards, frame, chances, greatest, most, start, scale,
    limit, filled, ways, at,
):  # fmt: skip
    """The scaled cost of an order, also depth by depth; more than the limit as soon as it is that."""
    copy_numbers(filled, is_fixed)
    placed = np.zeros(len(boards), dtype=np.int64)
    b, m = start[0], start[1]
    ways[:] = 0
    ways[start[2]] = 1
    logs = 0.0
    total = 0.0
    for d in range(len(squares)):
        square = squares[d]
        new = 0
        for side in range(4):
            other = neighbours[square, side]
            if other >= 0 and filled[other]:
                if on_frame[square, side]:
                    b += 1
                else:
                    new += 1
        filled[square] = True
        kind = square_class[square]
        logs += boards[kind, placed[kind] + 1] - boards[kind, placed[kind]]
        placed[kind] += 1
        m += new
        # In place from the top: what i invalid joins become is no longer needed below.
        for i in range(most[d], -1, -1):
            factor = 1.0
            found = ways[i]
            for more in range(1, min(new, i) + 1):
                factor = factor * (new - more + 1) / more
                found += ways[i - more] * factor
            ways[i] = found
        chance = 0.0
        for i in range(min(most[d], m) + 1):
            chance += ways[i] * chances[i, m]
        at[d] = np.exp(logs + frame[b] + greatest[m] - scale) * chance
        total += at[d]
        if total > limit:
            return total
    return total
