"""Two small tables of the theory: balanced rotations, and how many colours make a puzzle hard."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, lgamma, log

from ...csp.base.errors import PuzzleError
from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule


@dataclass(frozen=True)
class BalancedRotations:
    """In how many ways all pieces can be turned so that every colour is balanced.

    A set of rotations is balanced if every colour looks left as often as right, and up as often as down, which those
    of every solution are.

    Parameters
    ----------
    rotations
        All sets of rotations that let the frame pieces lie around the board.
    chances
        For each number of sides that a colour has, the chance that such a colour is balanced.
    colors
        How many colours have that number of sides.
    """

    rotations: int
    chances: dict[int, Fraction]
    colors: dict[int, int]

    @property
    def balanced(self) -> Fraction:
        """The expected number of balanced sets, the colours taken as independent."""
        number = Fraction(self.rotations)
        for sides, colors in self.colors.items():
            number *= self.chances[sides] ** colors
        return number


def chance_of_balance(sides: int) -> Fraction:
    """The chance that 2n sides, each turned at random, look as often to the left as to the right and up as down.

    That of a walk on a grid to be back after 2n random steps: (C(2n, n) / 4^n)^2.

    Examples
    --------
    >>> round(float(chance_of_balance(50)), 7)
    0.0126057
    """
    return Fraction(comb(sides, sides // 2), 2**sides) ** 2 if sides % 2 == 0 else Fraction(0)


def balanced_rotations(puzzle: EdgeMatchingPuzzle) -> BalancedRotations:
    """The expected number of balanced sets of rotations; a fixed piece has its one rotation.

    Raises
    ------
    PuzzleError
        If the puzzle has connectors, spare pieces, or a board with one row or column.
    """
    if puzzle.rule is not Rule.EQUAL:
        raise PuzzleError("balanced rotations: only for puzzles with colours, this one has connectors")
    sizes = puzzle.class_sizes()
    if min(puzzle.rows, puzzle.columns) < 2 or any(pieces != squares for pieces, squares in sizes.values()):
        raise PuzzleError("balanced rotations: only for boards of two rows and columns or more, without spare pieces")
    # How many free squares of a class lie along each side of the border.
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
    """Owen's number of inner colours for the hardest puzzles: (P! 4^P)^(1 / 2P), P being the number of inner pieces.

    With fewer colours there are many solutions, with more colours the search is soon over.  0 without inner pieces.

    Examples
    --------
    >>> round(hardest_inner_colors(16, 16), 2), round(hardest_inner_colors(8, 8), 2)
    (17.14, 7.56)
    """
    pieces = max(rows - 2, 0) * max(columns - 2, 0)
    return exp((lgamma(pieces + 1) + pieces * log(4)) / (2 * pieces)) if pieces else 0.0
