"""What all beams along one order share: the order, and the constants that rank boards."""

from collections.abc import Container, Iterator, Sequence
from functools import cache
from itertools import product
from math import exp, inf, lgamma, log, pi

import numpy as np
from numpy.typing import NDArray

from ...base.seeded_random import mixed
from ...puzzles.board import Board, Placement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import Order
from ...puzzles.slips import NONE_INVALID, InvalidJoins, allowed
from .routes import BeamTables, find_route

# Most of the board is filled by rowscan, the rest column by column, with its frame before the last columns.  Then the
# frame, whose joins must all match, is closed while there is still a choice, and the last squares, where most invalid
# joins are, lie inside.  A board can be turned and reflected; in each of these ways a beam finds other boards.
#
# A fixed piece costs joins, the more the later its neighbours are placed: on Eternity II, one piece fixed in row 3, 7,
# 11 or 15 of the 16 rows from the first one on costs 0.1, 0.5, 1.1 or 1.6 joins.  So fixed pieces in the columns that
# would be last are met before the other columns, and the orders that meet the fixed pieces late are left out.

# The part of the lines that is not filled by rowscan, and the part that remains when its frame is closed.
_REST, _LAST = 5 / 16, 3 / 16
# Of the columns, the last ones of this part are filled first if a fixed piece lies there.
_FAR = 1 / 4
# An order is late if it meets the fixed pieces later than the earliest one by more than this part of a line, all pieces
# together.  Late orders are left out if there are at least this number of free squares, since beams on small boards are
# often exhaustive, and only if at least the last number of orders remain.
_LATE, _LARGE, _FEWEST = 1 / 2, 100, 4


def beam_orders(puzzle: EdgeMatchingPuzzle) -> tuple[Order, ...]:
    """The orders along which a puzzle is searched, those first that meet its fixed pieces first, without late ones."""
    orders, board = all_beam_orders(puzzle), puzzle.board
    if len(board) - len(puzzle.fixed) < _LARGE:
        return orders
    latest = depths_of_fixed(puzzle, orders[0]) + _LATE * min(board.rows, board.columns)
    return *orders[:_FEWEST], *(order for order in orders[_FEWEST:] if depths_of_fixed(puzzle, order) <= latest)


def all_beam_orders(puzzle: EdgeMatchingPuzzle) -> tuple[Order, ...]:
    """The same with late ones; lines run along the shorter sides of the board, so that few sides are open."""
    board, fixed = puzzle.board, {fixed.square for fixed in puzzle.fixed}
    turns = [turn for turn in range(4) if _lengths(board, turn)[0] >= _lengths(board, turn)[1]]
    orders = dict.fromkeys(_order(board, fixed, turn, mirrored) for turn, mirrored in product(turns, (False, True)))
    return tuple(sorted(orders, key=lambda order: depths_of_fixed(puzzle, order)))


def depths_of_fixed(puzzle: EdgeMatchingPuzzle, order: Order) -> int:
    """The sum of the depths at which an order meets the fixed pieces."""
    depth_of = {square: depth for depth, square in enumerate(order)}
    return sum(depth_of[fixed.square] for fixed in puzzle.fixed)


def _lengths(board: Board, turn: int) -> tuple[int, int]:
    """The rows and columns of the board that becomes `board` by the given number of clockwise quarter turns."""
    return (board.rows, board.columns) if turn % 2 == 0 else (board.columns, board.rows)


@cache
def _turned(board: Board, turn: int, mirrored: bool) -> dict[tuple[int, int], int]:
    """The squares by row and column before the board is reflected and turned."""
    before = Board(*_lengths(board, turn))
    places = product(range(before.rows), range(before.columns))
    last = before.columns - 1
    return {(y, x): before.turned_square(before.square(y, last - x if mirrored else x), turn) for y, x in places}


def _order(board: Board, fixed: Container[int], turn: int, mirrored: bool) -> Order:
    (rows, columns), squares = _lengths(board, turn), _turned(board, turn, mirrored)
    rest, last = round(_REST * rows), max(round(_LAST * columns), 1)
    far = product(range(rest), range(columns - round(_FAR * columns), columns))
    block = min((column for row, column in far if squares[row, column] in fixed), default=columns)
    return tuple(squares[place] for place in _squares(rows, columns, rest, last, block))


def _squares(rows: int, columns: int, rest: int, last: int, block: int) -> Iterator[tuple[int, int]]:
    """Rows and columns of the squares.

    `rest` rows are not filled by rowscan; of their columns those from `block` on are filled first, row by row, and of
    the others `last` columns only inside at the end.
    """
    for row in reversed(range(rest, rows)):
        for column in range(columns):
            yield row, column
    for row in reversed(range(rest)):
        for column in reversed(range(block, columns)):
            yield row, column
    inside = block - last
    for column in range(inside):
        for row in reversed(range(rest)):
            yield row, column
    frame = [(0, column) for column in range(inside, block)]
    if block == columns:
        frame += [(row, columns - 1) for row in range(1, rest)]
    yield from frame if rest else ()
    for column in range(inside, block):
        for row in reversed(range(rest)):
            if (row, column) not in frame:
                yield row, column


# The weight of the sides left over.
_LEFT_OVER = 1.4
# The cost of an open side without a matching unused side; marks the absence of a child.
_LACKING, _NEVER = 2.0, -1e9


class Rank:
    """The rank of boards of as many pieces: a sum over all colours, whose terms are in one array.

    Let r unused sides fit onto a colour that f open sides show.  The open sides can be matched in r! / (r - f)! ways,
    and the r - f sides that are left over with one another in (r - f - 1)!! ways.  Where the colour is not its own mate
    (connectors, and colours along the frame), those left over are matched with those left over of the mate: (r - f)!
    ways, half of which, as a logarithm, each of the two counts.  The sides left over get a somewhat larger weight than
    in the formula: on Eternity II this gains half a join.

    Attributes:
    - `terms`: the term of a colour c with r unused and f open sides is ``terms[start[c] + r * row + f]``.
    - `row`, `start`: as this says.
    """

    def __init__(self, tables: BeamTables, slots: int) -> None:
        self.row = slots + 2
        most = int(tables.unused.max(initial=0))
        own_mate = tables.mate_of == np.arange(tables.colors)
        blocks = [_block(most, self.row, _LEFT_OVER, own_mate=own) for own in (True, False)]
        self.terms = np.concatenate(blocks)
        # There is an extra row before the first one, for negative numbers, which occur in sums that are not used.
        self.start = np.where(own_mate, 0, len(blocks[0])) + self.row

    def places(self, unused: NDArray[np.int64], opened: NDArray[np.int64]) -> NDArray[np.int64]:
        """The indices of the terms of colours with these numbers of unused and open sides."""
        return self.start + unused * self.row + opened


@cache
def _block(most: int, row: int, weight: float, *, own_mate: bool) -> NDArray[np.float32]:
    terms = np.full((most + 2, row), _NEVER, dtype=np.float32)
    for unused in range(most + 1):
        for opened in range(row):
            matched = lgamma(unused + 1)
            if opened > unused:
                terms[unused + 1, opened] = matched - _LACKING * (opened - unused)
                continue
            left = unused - opened
            others = _log_double_factorial(left) if own_mate else lgamma(left + 1) / 2
            terms[unused + 1, opened] = matched - lgamma(left + 1) + weight * others
    return terms.ravel()


def _log_double_factorial(number: int) -> float:
    """The logarithm of (number - 1)!!, interpolated for odd numbers."""
    return 0.0 if number == 0 else number / 2 * log(2) + lgamma((number + 1) / 2) - log(pi) / 2


# These constants come from quadratic models of the scores of narrow beams with random ones.
#: The cost of an invalid join up to half of the board, and at its end, for 17 equally frequent colours.
_PENALTY, _LAST_PENALTY, _COLORS = 6.0, 7.25, 17
#: The largest random part of a score.  With less, beams differ little where colours are few, and all may end on the
#: frame in the same way.
NOISE = 0.35
#: The cost of an empty square with two known sides that no unused piece fits, as a part of that of an invalid join: of
#: the next square, and of another one.
BLOCKED, BLOCKED_LATER = 0.55, 0.45
# Up to the first part of the board a join may be invalid only if there are too few children without invalid joins; the
#: beam has half its width there, and full width from the second part on.
_VALID_PART, _WIDE_PART = 0.55, 0.7
# Fewer children than this part of the width are too few.
_FEW, _VERY_FEW = 0.05, 0.02
#: After a line and a half, a beam that has dropped boards goes on with one in ONE_IN of its boards, chosen at random,
#: but with LEAST_VARIED at least.  Otherwise beams along the same order often end on the same board.
ONE_IN, LEAST_VARIED = 64, 1_000
_VARIED_LINES = 1.5
#: An odd number that gives the candidates of the last square different marks.
APART = np.uint64(0xD6E8FEB86659FD93)
#: The best child may be better than the best parent by at most this.
MARGIN = 12.0
# More invalid joins than any board has.
_ANYTHING = 1 << 30


class Setting:
    """The data that all beams along one order share.

    - `puzzle`, `tables`: the puzzle, and the tables that are the same for all orders.
    - `order`: all squares, fixed ones first.
    - `slips`: a slip array, or None for invalid joins anywhere.
    - `invalid`: the invalid joins between fixed pieces.
    - `frame_slips`: a slip array for the joins along the frame, which otherwise must all be valid.
    """

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        tables: BeamTables,
        order: Sequence[int],
        slips: Sequence[int] | None = None,
        invalid: InvalidJoins = NONE_INVALID,
        frame_slips: Sequence[int] = (),
    ) -> None:
        self.tables, self.squares, self.fixed, self.invalid = tables, len(order), len(puzzle.fixed), invalid
        self.order, self.free = tuple(order), tuple(order[self.fixed :])
        self.route = find_route(puzzle, tables, self.free, frame_slips=bool(frame_slips))
        self.rank = Rank(tables, self.route.slots)
        depths = range(self.fixed + 1, len(order) + 1)
        self.quota, self.frame_quota = (
            None if array is None else [allowed(tuple(array), depth) for depth in depths]
            for array in (slips, frame_slips or None)
        )
        shown = {f.square: puzzle.shown(Placement(f.piece, f.rotation)) for f in puzzle.fixed}
        self.open_at_first = [
            (slot, tables.color(puzzle.board, square, side, shown[square][side]))
            for slot, square, side in self.route.open_at_first
        ]
        self.varied_at = int(_VARIED_LINES * min(puzzle.board.rows, puzzle.board.columns)) - self.fixed
        marks = mixed(1, tables.bits + self.route.slots * tables.colors)
        self.mark_of_bit = marks[: tables.bits]
        self.mark_of_slot = marks[tables.bits :].reshape(self.route.slots, tables.colors)
        self.penalty_factor = log(_effective_colors(puzzle)) / log(_COLORS)

    def part(self, depth: int) -> float:
        """The part of the board that is filled at this depth."""
        return (self.fixed + depth) / max(self.squares - 1, 1)

    def penalty(self, part: float) -> float:
        """The cost of an invalid join when this part of the board is filled."""
        late = max(0.0, (part - 0.5) / 0.5)
        return (_PENALTY + (_LAST_PENALTY - _PENALTY) * late) * self.penalty_factor

    def width_at(self, part: float, width: int) -> int:
        """The width where this part of the board is filled, of a beam of the given width."""
        late = min(max((part - _VALID_PART) / (_WIDE_PART - _VALID_PART), 0.0), 1.0)
        return max(int(width * (0.5 + 0.5 * late)), 1)

    def is_early(self, depth: int) -> bool:
        """Whether a beam has half its width at this depth."""
        return self.part(depth) < _VALID_PART

    def is_valid_only(self, depth: int) -> bool:
        """Whether joins at this depth are valid as long as there are enough children of that kind."""
        return self.quota is None and self.is_early(depth)

    def most_invalid(self, depth: int) -> int:
        """The most invalid joins of a board at this depth."""
        return _ANYTHING if self.quota is None else self.quota[depth]

    def most_in_pass(self, depth: int, wrong: int) -> int:
        """The same for children that do not match on `wrong` of the first known sides; a third side may not match."""
        is_first = wrong == 0 and len(self.route.steps[depth].passes) > 1
        return 0 if is_first and self.is_valid_only(depth) else self.most_invalid(depth)

    def are_enough(self, children: int, depth: int, wrong: int, width: int) -> bool:
        """Whether there are enough children without those that do not match on `wrong` of the first known sides."""
        few = _FEW if wrong == 2 else inf
        return children > width * (_VERY_FEW if wrong == 1 and self.is_valid_only(depth) else few)


def _effective_colors(puzzle: EdgeMatchingPuzzle) -> float:
    """The number of equally frequent colours with the same entropy as those inside the board; at least 2."""
    counts = np.array(list(puzzle.inner_sides().values()), dtype=np.float64)
    parts = counts / max(counts.sum(), 1)
    return max(exp(-float((parts * np.log(parts)).sum())), 2.0)
