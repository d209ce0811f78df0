"""The search against a brute force that shares no code with it."""

from hypothesis import given
from hypothesis import strategies as st

from brute_force import as_brute_force, nodes_by_depth, number_of_orbits
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order
from jigsat.csp.search.backtrack import Backtrack
from property_tests import examples
from strategies import puzzles, solutions_of

ENGINE = Backtrack()


@examples(80, quick=20)
@given(puzzles(), st.data())
def test_counts_and_solutions_equal_brute_force(puzzle, data):
    """Wrong candidates, symmetry factors, orbits, multiplicities or orders would show as another number or set."""
    expected = solutions_of(puzzle)
    orbits = number_of_orbits(puzzle, expected)
    free = [square for square in range(len(puzzle.board)) if square not in {f.square for f in puzzle.fixed}]
    for order in (*NAMED_ORDERS, tuple(data.draw(st.permutations(free))), None):
        for symmetry in (True, False):
            options = Options(order, symmetry)
            result = ENGINE.run(puzzle, Goal.COUNT, options=options)
            assert (result.count, result.canonical_count) == (len(expected), orbits), (order, symmetry)
            assert result.complete
            assert result.status == ("satisfiable" if expected else "unsatisfiable")
            if result.symmetry_factor is not None:
                assert result.count == result.canonical_count * result.symmetry_factor
    everything = ENGINE.run(puzzle, Goal.ALL, options=Options(symmetry=False))
    assert len(everything.solutions) == len(expected)
    assert {as_brute_force(board, puzzle.columns) for board in everything.solutions} == expected
    one_of_each = ENGINE.run(puzzle, Goal.ALL)
    assert len(one_of_each.solutions) == orbits
    assert {as_brute_force(board, puzzle.columns) for board in one_of_each.solutions} <= expected
    first = ENGINE.run(puzzle, Goal.SOLVE)
    assert len(first.solutions) == (1 if expected else 0)


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
        result = ENGINE.run(puzzle, Goal.COUNT, options=Options(spec, symmetry=False))
        assert list(result.nodes_by_depth) == nodes_by_depth(puzzle, order)
        assert result.nodes == sum(result.nodes_by_depth)
