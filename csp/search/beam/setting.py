"""What all beams along one order share, and the constants that rank their boards.

Let r unused sides fit onto a colour that f open sides show.  The open sides can be matched in r! / (r - f)! ways, and
the r - f sides that are left over with one another in (r - f - 1)!! ways.  Where the colour is not its own mate
(connectors, and colours along the frame), those left over are matched with those left over of the mate: (r - f)! ways,
half of which, as a logarithm, each of the two counts.  The sum over all colours ranks boards of as many pieces.

The sides left over get a somewhat larger weight than in the formula: on Eternity II this gains half a join.
"""

from collections.abc import Sequence
from functools import cache
from math import exp, inf, lgamma, log, pi

import numpy as np
from numpy.typing import NDArray

from ...base.seeded_random import mixed
from ...puzzles.board import Placement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.slips import NONE_INVALID, InvalidJoins, allowed
from .routes import find_route
from .tables import BeamTables

# The weight of the sides left over.
_LEFT_OVER = 1.4
# The cost of an open side without a matching unused side; marks the absence of a child.
_LACKING, _NEVER = 2.0, -1e9


class Rank:
    """The terms of the sum, in one array.

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


#: The cost of an invalid join up to half of the board, and at its end, for 17 equally frequent colours.
_PENALTY, _LAST_PENALTY, _COLORS = 5.0, 8.0, 17
#: The largest random part of a score.  With less, beams differ little where colours are few, and all may end on the
#: frame in the same way.
NOISE = 0.3
#: The cost of an empty square with two known sides that no unused piece fits, as a part of that of an invalid join: of
#: the next square, and of another one.
BLOCKED, BLOCKED_LATER = 0.7, 0.6
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
