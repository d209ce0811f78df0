"""What filling squares costs in Owen's model, in floats, for the searches that look for a good order.

Floats choose an order here; what it costs is worked out exactly afterwards.
"""

from collections import Counter
from fractions import Fraction
from math import inf, log

import numpy as np

from ...csp.puzzles.board import PIECE_CLASSES
from ...csp.puzzles.slips import Slips
from ...csp.puzzles.symmetry import single_pieces
from .complexity import Complexity, Joins, class_fillings

#: The class of a square with a fixed piece.
FIXED = -1


class OrderCosts:
    """The expected numbers of nodes of a puzzle under a slip array, as parts of one unit.

    A set of filled squares has ``exp(sum of boards[class, k] + frame[b] + inner[0, m])`` units of boards, if it has k
    free squares of each class, b frame and m inner joins, and no slips; with slips, the chances of the rows of `inner`
    add up as often as the slip array allows.

    Attributes
    ----------
    unit
        The number of boards that a cost of 1 stands for.
    fixed_nodes
        The nodes of the fixed pieces, which no order changes.
    square_class
        The class of each square as an index into `PIECE_CLASSES`, `FIXED` where a fixed piece lies.
    boards
        The logarithm of the number of configurations with k pieces of a class, shape (classes, k).
    frame
        The logarithm of the chance that b frame joins are valid, in units.
    inner
        The logarithm of the chance that the first m - i of m inner joins are valid and the last i are not: ``[i, m]``.
    exact_inner, inner_denominator
        The same chances, exactly.
    joins
        The joins between the fixed pieces, which all orders share.
    """

    def __init__(self, model: Complexity, slips: Slips) -> None:
        puzzle = model.puzzle
        self.puzzle, self.board, self.slips = puzzle, puzzle.board, slips
        fixed = {fixed.square for fixed in puzzle.fixed}
        classes = [puzzle.board.square_class(square) for square in range(len(self.board))]
        free = Counter(name for square, name in enumerate(classes) if square not in fixed)
        self.square_class = np.array(
            [FIXED if square in fixed else PIECE_CLASSES.index(name) for square, name in enumerate(classes)]
        )
        self.boards = np.zeros((len(PIECE_CLASSES), len(self.board) + 1))
        for name, ways in class_fillings(single_pieces(puzzle), free).items():
            self.boards[PIECE_CLASSES.index(name), : len(ways)] = [log_of(number) for number in ways]
        estimate = model.estimate("rowscan", slips)
        most = max(estimate.numerators) or 1
        self.unit = Fraction(most, estimate.denominator)
        self.fixed_nodes = sum(estimate.nodes_by_depth[: len(fixed)])
        self.exact_inner, self.inner_denominator = model.inner.with_invalid(len(slips)), model.inner.denominator
        self.frame = np.array([log_of(number) for number in model.frame.numerators]) - log(model.frame.denominator)
        self.inner = np.array([[log_of(number) for number in row] for row in self.exact_inner])
        self.inner -= log(self.inner_denominator)
        self.frame -= log(most) - log(model.frame.denominator) - log(self.inner_denominator)
        self.joins = Joins(puzzle, estimate.order[: len(fixed)], slips)
        if self.joins.permitted_fixed < len(fixed):
            # Nothing follows fixed pieces that contradict each other.
            self.boards[:] = -inf


def log_of(number: int) -> float:
    """The natural logarithm; minus infinity of 0."""
    return log(number) if number > 0 else -inf
