"""Two results of the theory: balanced rotations, and the number of colours of the hardest puzzles."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, lgamma, log

from ...csp.base.errors import PuzzleError
from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule


@dataclass(frozen=True)
class BalancedRotations:
    """The numbers of rotations of all pieces, and of those that balance every colour.

    A set of rotations is balanced if every colour faces left as often as right, and up as often as down.  The rotations
    of every solution are balanced.
    """

    #: The number of sets of rotations in which the frame pieces fit around the board.
    rotations: int
    #: For each number of sides of a colour, the probability that such a colour is balanced.
    chances: dict[int, Fraction]
    #: The number of colours with that number of sides.
    colors: dict[int, int]

    @property
    def balanced(self) -> Fraction:
        """The expected number of balanced sets if the colours were independent."""
        number = Fraction(self.rotations)
        for sides, colors in self.colors.items():
            number *= self.chances[sides] ** colors
        return number


def chance_of_balance(sides: int) -> Fraction:
    """The probability that `sides` sides, each turned at random, face left as often as right, and up as often as down.

    For 2n sides it is the probability that a random walk on a grid returns after 2n steps: (C(2n, n) / 4^n)^2.

    Examples
    --------
    >>> round(float(chance_of_balance(50)), 7)
    0.0126057
    """
    return Fraction(comb(sides, sides // 2), 2**sides) ** 2 if sides % 2 == 0 else Fraction(0)


def balanced_rotations(puzzle: EdgeMatchingPuzzle) -> BalancedRotations:
    """The expected number of balanced sets of rotations; a fixed piece has only its own rotation.

    Raises
    ------
    PuzzleError
        If the puzzle has connectors, spare pieces, or a board with a single row or column.
    """
    if puzzle.rule is not Rule.EQUAL:
        raise PuzzleError("balanced rotations: are defined for colours only, and this puzzle has connectors")
    sizes = puzzle.class_sizes()
    if min(puzzle.rows, puzzle.columns) < 2 or any(pieces != squares for pieces, squares in sizes.values()):
        raise PuzzleError("balanced rotations: need at least two rows and columns, and no spare pieces")
    # The number of free squares of a class along each side of the border.
    free: dict[str, Counter[int]] = {}
    fixed = {fixed.square for fixed in puzzle.fixed}
    for square in set(range(len(puzzle.board))) - fixed:
        free.setdefault(puzzle.board.square_class(square), Counter())[puzzle.board.border_mask(square)] += 1
    rotations = 4 ** free.get("inner", Counter()).total()
    for name in ("corner", "edge"):
        left = free.get(name, Counter()).total()
        for number in free.get(name, Counter()).values():
            rotations *= comb(left, number)
            left -= number
    colors = Counter(Counter(color for sides in puzzle.pieces for color in sides if color != BORDER).values())
    return BalancedRotations(rotations, {sides: chance_of_balance(sides) for sides in sorted(colors)}, dict(colors))


def hardest_inner_colors(rows: int, columns: int) -> float:
    """Owen's number of inner colours for the hardest puzzles: (P! 4^P)^(1 / 2P) for P inner pieces.

    With fewer colours there are many solutions; with more colours the search is short.  Returns 0 without inner pieces.

    Examples
    --------
    >>> round(hardest_inner_colors(16, 16), 2), round(hardest_inner_colors(8, 8), 2)
    (17.14, 7.56)
    """
    pieces = max(rows - 2, 0) * max(columns - 2, 0)
    return exp((lgamma(pieces + 1) + pieces * log(4)) / (2 * pieces)) if pieces else 0.0
