"""The methods of counting other than the plain search: their predicted cost, and their tables."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from math import factorial, prod

from ...csp.base.errors import EngineError
from ...csp.base.stop import working_time
from ...csp.engines.request import Options, Prepared, given_slips
from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order, fixed_first
from ...csp.puzzles.symmetry import find_anchors, symmetries
from ...csp.search.counting.methods import refuse_blocks, refuse_macros
from ...csp.search.counting.scheduler import cut_into_parts
from ...csp.search.counting.two_by_two import block_sites, squares_of_block
from ..owen.complexity import Complexity
from .frames_cut import best_plan, with_cut


def prepared(puzzle: EdgeMatchingPuzzle, options: Options) -> Options:
    """Add the tables of the method to the options.

    Raises EngineError if the method does not apply; for some methods only this call can find out.
    """
    began = working_time()
    cut = with_cut(puzzle, options)
    piecework = cut_into_parts(puzzle, cut)
    return replace(cut, prepared=Prepared(piecework, working_time() - began))


def method_nodes(model: Complexity, options: Options) -> Iterator[tuple[str, Fraction]]:
    """Yield the applicable methods other than the plain search, and the expected nodes of each in its own unit."""
    puzzle = model.puzzle
    if not options.symmetry or given_slips(options) is not None:
        return
    upright = puzzle.upright()
    model = model if upright is puzzle else Complexity(upright)
    with suppress(EngineError):
        yield "frames", Fraction(best_plan(puzzle).cost)
    for method, refuse, expected in (("macros", refuse_macros, _half_rows), ("blocks", refuse_blocks, _blocks)):
        with suppress(EngineError):
            refuse(puzzle, options)
            yield method, expected(model)


def listed_half_rows(puzzle: EdgeMatchingPuzzle) -> float:
    """The expected number of half-rows with one edge piece, all of which the method macros lists before it counts."""
    columns = puzzle.upright().columns
    fixed = {fixed.piece for fixed in puzzle.fixed}
    free = [sides for number, sides in enumerate(puzzle.pieces) if number not in fixed]
    inner = [sides for sides in free if BORDER not in sides]
    edges = sum(sides.count(BORDER) == 1 for sides in free)
    followers = 4 * len(inner) / max(len({color for sides in inner for color in sides}), 1)
    return sum(edges * followers ** (half - 1) for half in (columns // 2, (columns + 1) // 2))


def _half_rows(model: Complexity) -> Fraction:
    """The expected number of half-rows placed, or more if there are three or more identical pieces."""
    puzzle = model.puzzle
    order, half = find_order(replace(puzzle, fixed=()), "rowscan")[1], (puzzle.columns + 1) // 2
    rows = [order[at : at + puzzle.columns] for at in range(0, len(order), puzzle.columns)]
    groups = [part for row in rows for part in (row[:half], row[half:])]
    found = symmetries(puzzle)
    # Of identical pieces only pairs are exchanged for nothing.
    different = prod(factorial(number) // 2 ** (number // 2) for number in (len(kind.pieces) for kind in found.types))
    turns = found.board if find_anchors(puzzle, found, order) else 1
    return min(_laid(model, groups, symmetry=True) * different, _laid(model, groups, symmetry=False) / turns)


def _blocks(model: Complexity) -> Fraction:
    """The expected number of 2x2 blocks placed."""
    puzzle = model.puzzle
    return _laid(model, [squares_of_block(puzzle.board, site) for site in block_sites(puzzle)], symmetry=True)


def _laid(model: Complexity, groups: list[tuple[int, ...]], *, symmetry: bool) -> Fraction:
    """The sum of the expected nodes at the depths at which a group of squares is complete."""
    fixed = {fixed.square for fixed in model.puzzle.fixed}
    order = fixed_first(model.puzzle, [square for group in groups for square in group])
    nodes = model.estimate(order, symmetry=symmetry).nodes_by_depth
    depths = accumulate((sum(square not in fixed for square in group) for group in groups), initial=len(fixed))
    return sum((nodes[depth - 1] for before, depth in pairwise(depths) if depth > before), Fraction(0))
