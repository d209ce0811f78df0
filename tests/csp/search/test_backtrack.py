"""The engine `backtrack`: its tree is that of a brute force that shares no code with it."""

from hypothesis import given
from hypothesis import strategies as st

from brute_force import nodes_by_depth
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order
from jigsat.csp.search.backtrack import Backtrack
from property_tests import examples
from strategies import puzzles

ENGINE = Backtrack()


@examples(40)
@given(puzzles(sizes=[(1, 4), (2, 2), (2, 3), (3, 2), (1, 1)]), st.data())
def test_nodes_by_depth_equal_brute_force(puzzle, data):
    """Without symmetry breaking the nodes at a depth are the valid fillings of the squares up to it, for any order."""
    names = [*NAMED_ORDERS, tuple(data.draw(st.permutations(range(len(puzzle.board)))))]
    for spec in names:
        if not isinstance(spec, str):
            fixed = [f.square for f in puzzle.fixed]
            spec = (*fixed, *(square for square in spec if square not in fixed))
        _, order = find_order(puzzle, spec)
        result = ENGINE.run(puzzle, Goal.COUNT, options=Options(order=spec, symmetry=False))
        assert list(result.nodes_by_depth) == nodes_by_depth(puzzle, order)
        assert result.nodes == sum(result.nodes_by_depth)
