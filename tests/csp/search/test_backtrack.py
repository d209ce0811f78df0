"""The engine `backtrack`: its tree is that of a brute force that shares no code with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force import nodes_by_depth
from jigsat import read
from jigsat.csp.base.errors import EngineError, UsageError
from jigsat.csp.engines.request import Goal, Limits, Options
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


@pytest.mark.parametrize(
    ("goal", "limits", "options", "message"),
    [
        (Goal.SOLVE, {}, {}, "the engine backtrack uses a GPU for the goal count only, not for solve; omit it"),
        (Goal.BEST, {}, {}, "the engine backtrack uses a GPU for the goal count only, not for best; omit it"),
        (Goal.COUNT, {}, {"method": "blocks"}, "a GPU counts by the method plain only, not by 'blocks'; omit one"),
        (Goal.COUNT, {}, {"threads": 2}, "a GPU has its own threads; omit threads"),
        (Goal.COUNT, {}, {"slips": "12"}, "a GPU counts boards without invalid joins; omit slips"),
        (Goal.COUNT, {}, {"frame_slips": "12"}, "a GPU counts boards without invalid joins; omit frame_slips"),
        (Goal.COUNT, {"nodes": 5}, {}, "a count on a GPU has no node limit; use a time limit"),
        (Goal.COUNT, {"depth": 5}, {}, "a count on a GPU has no depth limit; use a time limit"),
    ],
)
def test_what_a_gpu_cannot_do_is_refused(goal, limits, options, message):
    with pytest.raises(EngineError) as error:
        ENGINE.run(read("puzzle-a"), goal, Limits(**limits), Options(device="cuda", **options))
    assert str(error.value) == f"device 'cuda': {message}"


def test_a_gpu_is_not_part_of_a_cluster():
    with pytest.raises(UsageError, match="a cluster counts on processors; give only one of them"):
        ENGINE.run(read("puzzle-a"), Goal.COUNT, options=Options(device="cuda", cluster="local:1"))
