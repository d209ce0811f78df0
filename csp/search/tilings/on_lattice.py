"""The quickest search for a puzzle's tilings on the lattice."""

from ...puzzles.dissection import DissectionPuzzle
from .lattice import LatticeProblem, LatticeTree, LatticeWalk, exact_cover
from .lattice_placements import Rows, find_placements
from .rectangles import RectangleProblem, RectangleTree, RectangleWalk, are_rectangles, rectangle_problem

# The overlaps of two placements are not needed.
_MOST_PLACEMENTS = 2_000_000

TilingProblem = LatticeProblem | RectangleProblem


def tiling_problem(puzzle: DissectionPuzzle, *, symmetry: bool) -> TilingProblem:
    """What is to be searched; without `symmetry`, congruent pieces are distinguished, and symmetries are not broken.

    Raises EngineError if the lattice is too fine, or the placements are too many.
    """
    if are_rectangles(puzzle, by_class=symmetry):
        return rectangle_problem(
            find_placements(puzzle, by_class=symmetry, most=_MOST_PLACEMENTS), break_symmetry=symmetry
        )
    return exact_cover(find_placements(puzzle, by_class=symmetry), break_symmetry=symmetry)


def tree_of(problem: TilingProblem, among: Rows | None = None) -> LatticeTree | RectangleTree:
    """The tree of a search, level by level; see `LatticeTree`."""
    return RectangleTree(problem, among) if isinstance(problem, RectangleProblem) else LatticeTree(problem, among)


def walk_on_lattice(puzzle: DissectionPuzzle, *, symmetry: bool) -> LatticeWalk | RectangleWalk:
    """The search for a puzzle's tilings; parameters and errors are those of `tiling_problem`."""
    problem = tiling_problem(puzzle, symmetry=symmetry)
    return RectangleWalk(problem) if isinstance(problem, RectangleProblem) else LatticeWalk(problem)
