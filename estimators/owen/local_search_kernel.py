"""The kernel of the local search for a cheaper search order."""

import numpy as np

from ...csp.base.compiled import inlined_kernel, lean_kernel

# A block of up to four squares moves by up to 24 places.
_LONGEST_BLOCK, _FARTHEST = 4, 24
# In a stretch of up to 65 places, the squares near one of them move to the front or the back.  The last constant is the
# number of moves of this kind in eight.
_LONGEST_STRETCH, _FARTHEST_NEAR, _GATHERED = 64, 3, 5


@lean_kernel
def _below(number, random):
    """A pseudo-random number below `number` (Marsaglia 2003, xorshift)."""
    state = random[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    random[0] = state
    return np.int64(((state >> np.uint64(34)) * np.uint64(number)) >> np.uint64(30))


@inlined_kernel
def _move_block(squares, tried, random):
    """Write a stretch in which a block has moved; return its begin and end."""
    n = len(squares)
    length = 1 + _below(min(_LONGEST_BLOCK, n - 1), random)
    first = _below(n - length + 1, random)
    to = min(max(first + _below(2 * _FARTHEST + 1, random) - _FARTHEST, 0), n - length)
    low, high = min(first, to), max(first, to) + length
    for d in range(low, high):
        if to <= d < to + length:
            tried[d] = squares[first + d - to]
        else:
            tried[d] = squares[d + length if to > first else d - length]
    return low, high


@inlined_kernel
def _gather(squares, tried, row, column, random):
    """Write a stretch in which some of its squares come first, or last; return its begin and end.

    These are the squares near one of them, or those of its row or column, with or without the squares on one side.
    """
    n = len(squares)
    kind = _below(8, random)
    longest = n - 1 if kind < 4 and _below(4, random) == 0 else min(_LONGEST_STRETCH, n - 1)
    length = 2 + _below(longest, random)
    low = _below(n - length + 1, random)
    middle = squares[low + _below(length, random)]
    near = 1 + _below(_FARTHEST_NEAR, random)
    first = _below(2, random)
    to = low
    for turn in range(2):
        for d in range(low, low + length):
            square = squares[d]
            down, right = row[square] - row[middle], column[square] - column[middle]
            if kind == 0:
                chosen = down == 0
            elif kind == 1:
                chosen = right == 0
            elif kind == 2:
                chosen = down <= 0
            elif kind == 3:
                chosen = right <= 0
            else:
                chosen = abs(down) + abs(right) <= near
            if chosen == (turn == first):
                tried[to] = square
                to += 1
    return low, low + length


@inlined_kernel
def _evaluate(
    squares, place, square_class, neighbours, on_frame, boards, frame, chances, greatest, most, noted,
    counts, ways, cost, counts_tried, ways_tried, cost_tried, low, high, limit,
):  # fmt: skip
    """Recompute the depths from `low` to `high`, and further as long as they change; return the end.

    Return 0 if the cost exceeds the limit.  The limit is for the depths up to `high`; beyond, it grows by the old cost
    of each depth.
    """
    frames = len(boards)
    for i in range(frames + 2):
        counts_tried[low, i] = counts[low, i]
    for i in range(ways.shape[1]):
        ways_tried[low, i] = ways[low, i]
    changed = False
    total = 0.0
    d = low
    while d < high or (changed and d < len(squares)):
        square = squares[d]
        on_border, inside = 0, 0
        for side in range(4):
            if place[neighbours[square, side]] < d:
                if on_frame[square, side]:
                    on_border += 1
                else:
                    inside += 1
        logs = 0.0
        for i in range(frames):
            number = counts_tried[d, i] + (square_class[square] == i)
            counts_tried[d + 1, i] = number
            logs += boards[i, number]
        b = counts_tried[d, frames] + on_border
        m = counts_tried[d, frames + 1] + inside
        counts_tried[d + 1, frames] = b
        counts_tried[d + 1, frames + 1] = m
        changed = changed or (noted[d + 1] and m != counts[d + 1, frames + 1])
        chance = 0.0
        for i in range(most[d] + 1):
            factor = 1.0
            found = ways_tried[d, i]
            for more in range(1, min(inside, i) + 1):
                factor = factor * (inside - more + 1) / more
                found += ways_tried[d, i - more] * factor
            ways_tried[d + 1, i] = found
            if i <= m:
                chance += found * chances[i, m]
        cost_tried[d] = np.exp(logs + frame[b] + greatest[m]) * chance
        total += cost_tried[d]
        if d >= high:
            limit += cost[d]
        elif total > limit and not changed:
            return 0
        d += 1
    return d if total <= limit else 0


@inlined_kernel
def _keep(counts, ways, cost, counts_tried, ways_tried, cost_tried, low, end):
    """Accept the tried values from `low` up to `end`."""
    for d in range(low, end):
        cost[d] = cost_tried[d]
        for i in range(counts.shape[1]):
            counts[d + 1, i] = counts_tried[d + 1, i]
        for i in range(ways.shape[1]):
            ways[d + 1, i] = ways_tried[d + 1, i]


# Data layout: ``squares`` is the order of the n free squares and ``place[s]`` the place of a square in it; for squares
# with fixed pieces it is below, for the square beyond the border above all places.  ``neighbours[s, side]`` is the
# square across that side.  ``counts[d]`` holds, for d filled free squares, their number by class, and the numbers of
# frame and inner joins; ``ways[d, i]`` the number of ways to have i invalid joins; ``cost[d]`` the cost of placing the
# square at place d.  ``boards[class, k]``, ``frame[b]`` and ``greatest[m]`` are logarithms; ``chances[i, m]`` is
# relative to the last of these.  ``most[d]`` invalid joins are allowed after placing the square at place d;
# ``noted[d]`` is true if later depths depend on the number of inner joins with d squares.  ``heat`` is the temperature
# and the factor by which it falls with every move.
# Invariant: between two moves `place`, `counts`, `ways` and `cost` are those of `squares`; arrays ending in ``_tried``
# are scratch.
@lean_kernel
def improve(
    squares, place, tried, row, column, square_class, neighbours, on_frame, boards, frame, chances, greatest, most,
    noted, counts, ways, cost, counts_tried, ways_tried, cost_tried, random, heat, moves,
):  # fmt: skip
    """Try moves and keep those that cost no more, or little more while the temperature is high; return the cost."""
    n = len(squares)
    for d in range(n):
        place[squares[d]] = d
    # Move 0 evaluates the given order.
    low, high, limit = 0, n, np.inf
    for move in range(moves + 1 if n > 1 else 1):
        if move > 0:
            if _below(8, random) < _GATHERED:
                low, high = _gather(squares, tried, row, column, random)
            else:
                low, high = _move_block(squares, tried, random)
            while low < high and tried[low] == squares[low]:
                low += 1
            limit = 0.0
            for d in range(low, high):
                limit += cost[d]
                tried[d], squares[d] = squares[d], tried[d]
                place[squares[d]] = d
            if heat[0] > 0:
                limit *= 1 - heat[0] * np.log((1 + _below(1 << 30, random)) / (1 << 30))
                heat[0] *= heat[1]
        end = _evaluate(
            squares, place, square_class, neighbours, on_frame, boards, frame, chances, greatest, most, noted,
            counts, ways, cost, counts_tried, ways_tried, cost_tried, low, high, limit,
        )  # fmt: skip
        if end:
            _keep(counts, ways, cost, counts_tried, ways_tried, cost_tried, low, end)
        else:
            for d in range(low, high):
                squares[d] = tried[d]
                place[squares[d]] = d
    total = 0.0
    for d in range(n):
        total += cost[d]
    return total
