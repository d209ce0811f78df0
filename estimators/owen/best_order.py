"""The search order of least predicted cost.

Without slips, the expected number of partial boards depends only on the *set* of filled squares (Owen's model), so the
cheapest order is a shortest path from the empty board to the full one through sets of squares.  On small boards all
sets are examined.  On larger ones squares change places if that saves nodes, which does not prove optimality: the
search descends from several orders, then repeatedly anneals the best few (simulated annealing; Kirkpatrick, Gelatt and
Vecchi, 1983).  A change is judged by the *factor* by which it changes the cost of the affected depths, because even
depths with a million times fewer nodes than others should be optimised in the end.

With a slip array, the number of partial boards also depends on the path: on the number of inner joins before each slip
depth.  The local search takes that into account.

The costs are floats: they are used to choose an order, whose cost is computed exactly afterwards.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import cycle, product
from math import inf, log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...csp.base.compiled import inlined_kernel, kernel
from ...csp.base.errors import OrderError
from ...csp.base.seeded_random import below
from ...csp.files.instances import fingerprint
from ...csp.puzzles.board import PIECE_CLASSES
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, fixed_first, named_order
from ...csp.puzzles.slips import Slips, allowed, checked_slips
from ...csp.puzzles.symmetry import single_pieces
from .complexity import Complexity, Estimate, Joins

#: The class of a square with a fixed piece.
FIXED = -1


class OrderCosts:
    """The expected numbers of nodes of a puzzle under a slip array, in a common unit.

    Without slips, a set of filled squares with k free squares of each class, b frame joins and m inner joins has
    ``exp(sum of boards[class, k] + frame[b] + inner[0, m])`` units of boards.  With slips, the probabilities in the
    rows of `inner` are summed, each times the number of ways that the slip array allows.  Without a frame, pieces that
    do not turn have two kinds of inner joins; one of them is taken for the frame's.

    Raises OrderError if the puzzle has more kinds of joins, or a rim that the sides have to fit by themselves.

    Attributes:
    - `unit`: the number of boards for a cost of 1.
    - `fixed_nodes`: the nodes of the fixed pieces, which are the same in all orders.
    - `square_class`: the class of each square as an index into `PIECE_CLASSES`, or further classes; `FIXED` for squares
      with a fixed piece.
    - `is_frame_join`: whether a join counts for the frame.
    - `boards`: the logarithm of the number of configurations with k pieces of a class, shape (classes, k).
    - `frame`: the logarithm of the probability that b frame joins are valid, in units.
    - `inner`: ``[i, m]`` is the logarithm of the probability that the first m - i of m inner joins are valid and the
      last i are not.  With `Complexity.rim` it is a lower bound, because it depends on how many joins are with the rim.
    - `solutions`: the boards that are there for sure, in units: `Estimate.sure_boards`.  With slips, 0.
    - `exact_inner`, `inner_denominator`: the same probabilities, exact.
    - `kinds`: the kinds of joins of the model.
    - `joins`: the joins between the fixed pieces, which are the same in all orders.
    - `fixed_joins`: the numbers of these that count for the frame, and of the others.
    """

    def __init__(self, model: Complexity, slips: Slips) -> None:
        puzzle = model.puzzle
        self.puzzle, self.board, self.slips, self.kinds = puzzle, puzzle.board, slips, model.kinds
        frame, inner, self.is_frame_join = model.two_kinds(slips)
        fixed = {fixed.square for fixed in puzzle.fixed}
        classes = [*dict.fromkeys((*PIECE_CLASSES, *model.classes))]
        free = Counter(name for square, name in enumerate(model.classes) if square not in fixed)
        self.square_class = np.array(
            [FIXED if square in fixed else classes.index(name) for square, name in enumerate(model.classes)]
        )
        self.boards = np.zeros((len(classes), len(self.board) + 1))
        for name, ways in model.class_fillings(single_pieces(puzzle), free).items():
            self.boards[classes.index(name), : len(ways)] = [log_of(number) for number in ways]
        estimate = model.estimate("rowscan", slips)
        most = max(estimate.numerators) or 1
        self.unit = Fraction(most, estimate.denominator)
        self.fixed_nodes = sum(estimate.nodes_by_depth[: len(fixed)])
        self.exact_inner, self.inner_denominator = inner.with_invalid(len(slips)), inner.denominator
        self.frame = np.array([log_of(number) for number in frame.numerators]) - log(frame.denominator)
        self.inner = np.array([[log_of(number) for number in row] for row in self.exact_inner])
        self.inner -= log(self.inner_denominator)
        self.frame -= log(most) - log(frame.denominator) - log(self.inner_denominator)
        self.solutions = 0.0 if slips else estimate.sure_boards * float(1 / self.unit)
        self.joins = Joins(puzzle, estimate.order[: len(fixed)], slips, kinds=self.kinds)
        between = [join for join in self.board.joins() if {join.first, join.second} <= fixed] if fixed else []
        along = sum(map(self.is_frame_join, between))
        self.fixed_joins = along, len(between) - along
        if self.joins.permitted_fixed < len(fixed):
            # No board follows fixed pieces that contradict each other.
            self.boards[:] = -inf


def log_of(number: int) -> float:
    """The natural logarithm; minus infinity for 0."""
    return log(number) if number > 0 else -inf


# The number of changes tried from each of the first orders; the number in the first round of annealing; the growth of
# that number with every round; and the fraction of changes that follows at temperature 0.
_FIRST, _WARM, _LONGER, _COLD = 8_000, 20_000, 1.3, 0.25
# The largest number of changes between two evaluations of the order.
_LOOKED_AT = 4_000
# The number of orders that are annealed.
_KEPT = 3
# The first temperatures, as natural logarithms of the factor that a change may cost, and the last one.
_HEATS, _COLDEST = (0.5, 1.0, 2.0), 1e-3


class LocalSearch:
    """A search for a cheap order that can be interrupted and continued.

    The result depends only on the total number of changes tried, not on how the calls divide it: `moves` so far.
    `order` is the cheapest order so far, and `cost` its cost in units of `costs`, without the fixed pieces.
    """

    def __init__(self, costs: OrderCosts, seed: int = 0) -> None:
        self._costs, self._fixed = costs, len(costs.puzzle.fixed)
        self._tables = _tables(costs)
        # Any odd factor works; the state must not be zero.
        self._tables.random[0] = np.uint64((seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) % 2**64 or 1)
        self.order: Order = named_order(costs.puzzle, "rowscan")
        self._head, self._squares = self.order[: self._fixed], np.array(self.order[self._fixed :], dtype=np.int64)
        self.moves, self.cost = 0, float(_improve(self._squares, self._tables, 0))
        self._now = self.cost
        self._left = self._until_looked_at = 0
        self._course = self._stretches()

    def advance(self, moves: int) -> None:
        """Try `moves` changes."""
        while moves > 0:
            if not self._left:
                self._left = next(self._course)
            if not self._until_looked_at:
                self._until_looked_at = min(_LOOKED_AT, self._left)
            portion = min(moves, self._until_looked_at)
            self._now = _improve(self._squares, self._tables, portion)
            self._left -= portion
            self._until_looked_at -= portion
            self.moves += portion
            moves -= portion
            # An order is kept if it is cheaper, or if the difference may be too small to change the sum.
            cheaper = self._now < self.cost or (self._now == self.cost and not self._tables.heat[0])
            if not self._until_looked_at and cheaper:
                self.cost, self.order = self._now, (*self._head, *self._squares.tolist())

    def _stretches(self) -> Iterator[int]:
        """Set the order to continue from, and yield the number of changes to try, in turn."""
        ends = []
        for order in first_orders(self._costs.puzzle):
            self._squares[:] = order[self._fixed :]
            yield _FIRST
            ends.append((self._now, self._squares.copy()))
        ends = sorted(ends, key=lambda end: end[0])[:_KEPT]
        warm = _WARM
        for heat in cycle(_HEATS):
            for i, (cost, squares) in enumerate(ends):
                self._squares[:] = squares
                self._tables.heat[:] = heat, (_COLDEST / heat) ** (1 / warm)
                yield warm
                self._tables.heat[:] = 0
                yield int(warm * _COLD)
                if self._now < cost:
                    ends[i] = self._now, self._squares.copy()
            warm = int(warm * _LONGER)
            # Depths that cost almost nothing are optimised last.
            best = min(range(len(ends)), key=lambda i: ends[i][0])
            self._squares[:] = ends[best][1]
            yield _FIRST
            ends[best] = self._now, self._squares.copy()


def first_orders(puzzle: EdgeMatchingPuzzle) -> list[Order]:
    """The first orders: by rows, by columns and by growing squares, each from several corners, and all named orders."""
    board = puzzle.board
    every = [*product(range(board.rows), range(board.columns))]
    orders = [named_order(puzzle, name) for name in NAMED_ORDERS]
    for squares in (every, sorted(every, key=lambda at: at[::-1]), sorted(every, key=lambda at: (max(at), at))):
        for bottom, right in product((True, False), repeat=2) if puzzle.fixed else ((True, False),):
            turned = (
                board.square_at(
                    board.rows - 1 - row if bottom else row, board.columns - 1 - column if right else column
                )
                for row, column in squares
            )
            orders.append(fixed_first(puzzle, (square for square in turned if square is not None)))
    return [*dict.fromkeys(orders)]


class _Tables(NamedTuple):
    """What the kernel knows of a puzzle and of an order of its n free squares.

    Invariant: between two moves `place`, `counts`, `ways` and `cost` are those of the order.
    """

    #: The place of each square in the order; that of fixed squares is below all, that of the square beyond the border
    #: above all.
    place: np.ndarray
    row: np.ndarray
    column: np.ndarray
    square_class: np.ndarray
    #: ``[s, side]``: the square across that side, and whether the join with it is on the frame.
    neighbours: np.ndarray
    on_frame: np.ndarray
    #: ``boards[class, k]``, ``frame[b]`` and ``greatest[m]`` are logarithms; ``chances[i, m]`` is relative to the last.
    boards: np.ndarray
    frame: np.ndarray
    chances: np.ndarray
    greatest: np.ndarray
    #: The number of invalid joins that are allowed after placing the square at place d.
    most: np.ndarray
    #: Whether later depths depend on the number of inner joins with d squares.
    noted: np.ndarray
    #: For d filled free squares: their number by class, and the numbers of frame and inner joins.
    counts: np.ndarray
    #: ``[d, i]``: the number of ways to have i invalid joins.
    ways: np.ndarray
    #: For d filled free squares: the logarithms of the expected boards, and of the probability of their joins.
    logs: np.ndarray
    #: What placing the square at place d does to the boards beside those that are expected without a solution: they
    #: grow by a factor, and some leave the solution.
    growth: np.ndarray
    #: For d filled free squares: the boards beside those that are expected without a solution.
    beside: np.ndarray
    #: The cost of placing the square at place d.
    cost: np.ndarray
    #: The boards that are there for sure.
    solutions: np.ndarray
    #: The same for the order that is tried.
    tried: np.ndarray
    counts_tried: np.ndarray
    ways_tried: np.ndarray
    logs_tried: np.ndarray
    growth_tried: np.ndarray
    beside_tried: np.ndarray
    cost_tried: np.ndarray
    random: np.ndarray
    #: The temperature, and the factor by which it falls with every move.
    heat: np.ndarray


def _tables(costs: OrderCosts) -> _Tables:
    """The kernel's tables for a puzzle, in their initial state."""
    board, fixed = costs.board, len(costs.puzzle.fixed)
    n = len(board) - fixed
    # An additional square, which is never filled, represents everything beyond the border.
    place = np.full(len(board) + 1, -1)
    place[len(board)] = n + 1
    row, column = np.array([board.place(square) for square in range(len(board))]).T
    neighbours = np.full((len(board), 4), len(board))
    on_frame = np.zeros((len(board), 4), dtype=np.bool_)
    for square in range(len(board)):
        for join in board.joins_of(square):
            neighbours[square, join.side] = join.second
            on_frame[square, join.side] = costs.is_frame_join(join)
    # Classes without free squares are omitted.
    classes = [*np.unique(costs.square_class[costs.square_class >= 0])]
    square_class = np.array([classes.index(number) if number in classes else -1 for number in costs.square_class])
    greatest = costs.inner.max(axis=0)
    with np.errstate(invalid="ignore"):
        chances = np.nan_to_num(np.exp(costs.inner - greatest))
    most = np.array([allowed(costs.slips, fixed + d) for d in range(1, n + 1)], dtype=np.int64)
    noted = np.zeros(n + 1, dtype=np.bool_)
    noted[[depth - 1 - fixed for depth in costs.slips if depth > fixed]] = True
    counts = np.zeros((n + 1, len(classes) + 2), dtype=np.int64)
    counts[0, -2:] = costs.fixed_joins
    ways = np.zeros((n + 1, len(costs.slips) + 1))
    ways[0, costs.joins.fixed_invalid.inner] = 1
    logs = np.zeros((n + 1, 2))
    logs[0] = costs.frame[costs.fixed_joins[0]] + greatest[costs.fixed_joins[1]]
    growth, beside, cost, tried = np.zeros((n, 2)), np.zeros(n + 1), np.zeros(n), np.zeros(n, dtype=np.int64)
    return _Tables(
        place, row, column, square_class, neighbours, on_frame, costs.boards[classes], costs.frame, chances, greatest,
        most, noted, counts, ways, logs, growth, beside, cost, np.array([costs.solutions]), tried, counts.copy(),
        ways.copy(), logs.copy(), growth.copy(), beside.copy(), cost.copy(), np.ones(1, dtype=np.uint64), np.zeros(2),
    )  # fmt: skip


# A number of boards that changes by a smaller part is the same.
_SAME = 1e-9
# A block of up to four squares moves by up to 24 places.
_LONGEST_BLOCK, _FARTHEST = 4, 24
# In a stretch of up to 65 places, the squares near one of them move to the front or the back.  The last constant is the
# number of moves of this kind in eight.
_LONGEST_STRETCH, _FARTHEST_NEAR, _GATHERED = 64, 3, 5


@inlined_kernel
def _below(number, random):
    return np.int64(below(number, random))


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
def _evaluate(squares, t, low, high, limit):
    """Recompute the depths from `low` to `high`, and further as long as they change.

    Return the end, and by how much the cost is below the limit.  The end is 0 if the cost exceeds the limit.  The limit
    is for the depths up to `high`; beyond, it grows by the old cost of each depth.
    """
    frames = len(t.boards)
    for i in range(frames + 2):
        t.counts_tried[low, i] = t.counts[low, i]
    for i in range(t.ways.shape[1]):
        t.ways_tried[low, i] = t.ways[low, i]
    for i in range(2):
        t.logs_tried[low, i] = t.logs[low, i]
    t.beside_tried[low] = beside = t.beside[low]
    solutions = t.solutions[0]
    changed = False
    total = 0.0
    d = low
    while d < high or (changed and d < len(squares)):
        square = squares[d]
        on_border, inside = 0, 0
        for side in range(4):
            if t.place[t.neighbours[square, side]] < d:
                if t.on_frame[square, side]:
                    on_border += 1
                else:
                    inside += 1
        logs = 0.0
        for i in range(frames):
            number = t.counts_tried[d, i] + (t.square_class[square] == i)
            t.counts_tried[d + 1, i] = number
            logs += t.boards[i, number]
        b = t.counts_tried[d, frames] + on_border
        m = t.counts_tried[d, frames + 1] + inside
        t.counts_tried[d + 1, frames] = b
        t.counts_tried[d + 1, frames + 1] = m
        changed = changed or (t.noted[d + 1] and m != t.counts[d + 1, frames + 1])
        chance = 0.0
        for i in range(t.most[d] + 1):
            factor = 1.0
            found = t.ways_tried[d, i]
            for more in range(1, min(inside, i) + 1):
                factor = factor * (inside - more + 1) / more
                found += t.ways_tried[d, i - more] * factor
            t.ways_tried[d + 1, i] = found
            if i <= m:
                chance += found * t.chances[i, m]
        joined = t.frame[b] + t.greatest[m]
        t.cost_tried[d] = np.exp(logs + joined) * chance
        if solutions > 0:
            t.logs_tried[d + 1, 0], t.logs_tried[d + 1, 1] = logs + joined, joined
            _grow(t, d, solutions)
            beside = beside * t.growth_tried[d, 0] + t.growth_tried[d, 1]
            t.beside_tried[d + 1] = beside
            t.cost_tried[d] += beside
        total += t.cost_tried[d]
        if d >= high:
            limit += t.cost[d]
        elif total > limit and not changed:
            return 0, 0.0
        d += 1
    return d if total <= limit else 0, limit - total


@inlined_kernel
def _grow(t, d, solutions):
    """Write what the square at place d does to the boards beside the expected ones; see `nodes_with_solution`."""
    boards, joined = t.logs_tried[d + 1, 0], t.logs_tried[d + 1, 1]
    t.growth_tried[d, 0] = t.growth_tried[d, 1] = 0.0
    if boards > -np.inf:
        t.growth_tried[d, 0] = np.exp(boards - t.logs_tried[d, 0])
        t.growth_tried[d, 1] = solutions * max(1 - np.exp(joined - t.logs_tried[d, 1]), 0.0)


@inlined_kernel
def _follow(squares, t, end):
    """Recompute the boards beside the expected ones from depth `end` on, until they are the same again.

    Return the depth, and by how much the cost grows.
    """
    beside, more, d = t.beside_tried[end], 0.0, end
    while d < len(squares) and abs(beside - t.beside[d]) > _SAME * t.beside[d]:
        beside = beside * t.growth[d, 0] + t.growth[d, 1]
        t.beside_tried[d + 1] = beside
        more += beside - t.beside[d + 1]
        d += 1
    return d, more


@kernel
def _improve(squares, t, moves):
    """Try moves of the squares and keep those that cost no more, or little more while it is hot; return the cost."""
    n = len(squares)
    for d in range(n):
        t.place[squares[d]] = d
    # Move 0 evaluates the given order.
    low, high, limit = 0, n, np.inf
    for move in range(moves + 1 if n > 1 else 1):
        if move > 0:
            if _below(8, t.random) < _GATHERED:
                low, high = _gather(squares, t.tried, t.row, t.column, t.random)
            else:
                low, high = _move_block(squares, t.tried, t.random)
            while low < high and t.tried[low] == squares[low]:
                low += 1
            limit = 0.0
            for d in range(low, high):
                limit += t.cost[d]
                t.tried[d], squares[d] = squares[d], t.tried[d]
                t.place[squares[d]] = d
            if t.heat[0] > 0:
                limit *= 1 - t.heat[0] * np.log((1 + _below(1 << 30, t.random)) / (1 << 30))
                t.heat[0] *= t.heat[1]
        end, spare = _evaluate(squares, t, low, high, limit)
        last, more = _follow(squares, t, end) if end and t.solutions[0] > 0 else (end, 0.0)
        if end and more <= spare:
            for d in range(low, end):
                t.cost[d] = t.cost_tried[d]
                for i in range(2):
                    t.logs[d + 1, i] = t.logs_tried[d + 1, i]
                    t.growth[d, i] = t.growth_tried[d, i]
                t.beside[d + 1] = t.beside_tried[d + 1]
                for i in range(t.counts.shape[1]):
                    t.counts[d + 1, i] = t.counts_tried[d + 1, i]
                for i in range(t.ways.shape[1]):
                    t.ways[d + 1, i] = t.ways_tried[d + 1, i]
            for d in range(end, last):
                t.cost[d] += t.beside_tried[d + 1] - t.beside[d + 1]
                t.beside[d + 1] = t.beside_tried[d + 1]
        else:
            for d in range(low, high):
                squares[d] = t.tried[d]
                t.place[squares[d]] = d
    total = 0.0
    for d in range(n):
        total += t.cost[d]
    return total


#: The most free squares for which all sets are examined; n free squares have 2^n sets.
MOST_FREE = 18
#: The largest board, in squares, whose best order is searched for; for larger ones the model itself takes too long.
MOST_SQUARES = 1024
#: The default number of changes that the local search tries; they take a fifth of a second or less.
MOVES = 400_000


@dataclass(frozen=True)
class BestOrder:
    """The cheapest order that was found."""

    #: The squares, fixed ones first.
    order: Order
    #: The exact expected numbers of nodes.
    estimate: Estimate
    #: Whether all sets of squares were examined.
    exhaustive: bool
    #: The model of the puzzle.
    model: Complexity = field(repr=False, compare=False)

    @cached_property
    def costs(self) -> OrderCosts:
        """The costs of filling squares."""
        return OrderCosts(self.model, self.estimate.slips)


def has_best_order(model: Complexity, slips: Slips) -> bool:
    """Whether the best order can be searched for: the board is not too large, and `OrderCosts` has its form."""
    try:
        return len(model.puzzle.board) <= MOST_SQUARES and bool(model.two_kinds(slips))
    except OrderError:
        return False


def best_order(
    puzzle: EdgeMatchingPuzzle,
    slips: str | Sequence[int] | None = None,
    *,
    moves: int = MOVES,
    model: Complexity | None = None,
) -> BestOrder:
    """Find the order with the fewest expected nodes; it is the same on every machine.

    The local search tries `moves` changes.

    Raises OrderError if the board has more than `MOST_SQUARES` squares or `OrderCosts` lacks its form, and SlipError if
    the slip array is invalid.
    """
    if len(puzzle.board) > MOST_SQUARES:
        raise OrderError(f"best order: a {puzzle.board.text} is too large; choose a named order")
    model, array = model or Complexity(puzzle), checked_slips(puzzle, slips)
    few = len(puzzle.board) - len(puzzle.fixed) <= MOST_FREE and not model.rim
    exhaustive, known = few and not array, None
    if moves == MOVES and not array and not few:
        known = stored_orders().get(fingerprint(puzzle))
    if exhaustive:
        order = cheapest_order(OrderCosts(model, array))
    elif known is not None:
        order = known
    else:
        search = LocalSearch(OrderCosts(model, array))
        search.advance(moves)
        order = search.order
    return BestOrder(order, model.estimate(order, array), exhaustive, model)


#: The orders that the local search finds for bundled puzzles, by fingerprint; `research/stored_orders.py` writes it.
STORED = "best_orders.json"


@cache
def stored_orders() -> Mapping[str, Order]:
    """The best orders of bundled puzzles without slips, found by `MOVES` changes."""
    found = json.loads((Path(__file__).parent / STORED).read_text(encoding="utf-8"))
    return {puzzle: tuple(order) for puzzle, order in found.items()}


def cheapest_order(costs: OrderCosts) -> Order:
    """The order with the fewest expected nodes, up to the rounding of floats."""
    fixed = [square for square, _, _ in costs.puzzle.fixed]
    free = np.flatnonzero(costs.square_class != FIXED).tolist()
    sets = np.arange(1 << len(free))
    boards = _boards(costs, free, sets)
    sizes = np.bitwise_count(sets)
    least = np.zeros(len(sets))
    for size in range(1, len(free) + 1):
        of_size = sets[sizes == size]
        before = np.full(len(of_size), np.inf)
        for bit in range(len(free)):
            with_it = of_size >> bit & 1 > 0
            before[with_it] = np.minimum(before[with_it], least[of_size[with_it] ^ (1 << bit)])
        least[of_size] = boards[of_size] + before
    order: list[int] = []
    left = len(sets) - 1
    while left:
        last = min((bit for bit in range(len(free)) if left >> bit & 1), key=lambda bit: least[left ^ (1 << bit)])
        order.append(free[last])
        left ^= 1 << last
    return (*dict.fromkeys(fixed), *order[::-1])


def _boards(costs: OrderCosts, free: list[int], sets: np.ndarray) -> np.ndarray:
    """The expected number of boards for each set, in units."""
    bits = {square: 1 << bit for bit, square in enumerate(free)}
    logs = np.zeros(len(sets))
    for kind in range(len(costs.boards)):
        mask = sum(bit for square, bit in bits.items() if costs.square_class[square] == kind)
        logs += costs.boards[kind, np.bitwise_count(sets & mask)]
    joins = np.zeros((2, len(sets)), dtype=np.int64)
    for join in costs.board.joins():
        # Fixed squares are filled in every set.
        both = bits.get(join.first, 0) | bits.get(join.second, 0)
        joins[int(costs.is_frame_join(join))] += (sets & both) == both
    return np.exp(logs + costs.frame[joins[1]] + costs.inner[0, joins[0]])
