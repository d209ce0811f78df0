"""The costs of filling squares in Owen's model, as floats, for the searches for a good order.

Floats are used to choose an order; its cost is computed exactly afterwards.
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
    """The expected numbers of nodes of a puzzle under a slip array, in a common unit.

    Without slips, a set of filled squares with k free squares of each class, b frame joins and m inner joins has
    ``exp(sum of boards[class, k] + frame[b] + inner[0, m])`` units of boards.  With slips, the probabilities in the
    rows of `inner` are summed, each times the number of ways that the slip array allows.

    Attributes:
    - `unit`: the number of boards for a cost of 1.
    - `fixed_nodes`: the nodes of the fixed pieces, which are the same in all orders.
    - `square_class`: the class of each square as an index into `PIECE_CLASSES`; `FIXED` for squares with a fixed piece.
    - `boards`: the logarithm of the number of configurations with k pieces of a class, shape (classes, k).
    - `frame`: the logarithm of the probability that b frame joins are valid, in units.
    - `inner`: ``[i, m]`` is the logarithm of the probability that the first m - i of m inner joins are valid and the
      last i are not.  With `Complexity.rim` it is a lower bound, because it depends on how many joins are with the rim.
    - `exact_inner`, `inner_denominator`: the same probabilities, exact.
    - `joins`: the joins between the fixed pieces, which are the same in all orders.
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
        inner = model.rim or model.inner
        self.exact_inner, self.inner_denominator = inner.with_invalid(len(slips)), inner.denominator
        self.frame = np.array([log_of(number) for number in model.frame.numerators]) - log(model.frame.denominator)
        self.inner = np.array([[log_of(number) for number in row] for row in self.exact_inner])
        self.inner -= log(self.inner_denominator)
        self.frame -= log(most) - log(model.frame.denominator) - log(self.inner_denominator)
        self.joins = Joins(puzzle, estimate.order[: len(fixed)], slips)
        if self.joins.permitted_fixed < len(fixed):
            # No board follows fixed pieces that contradict each other.
            self.boards[:] = -inf


def log_of(number: int) -> float:
    """The natural logarithm; minus infinity for 0."""
    return log(number) if number > 0 else -inf
