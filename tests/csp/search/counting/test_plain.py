"""The plain search in parts: any split of them finds what the search finds in one piece, nodes included."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.counting import plain
from jigsat.csp.search.counting.plain import Prefixes
from property_tests import examples
from strategies import puzzles
from whole_counts import never


def total(shares):
    """Nodes by depth, count and canonical count of some shares."""
    canonical = [share.canonical_count for share in shares]
    nodes = np.sum([share.nodes for share in shares], axis=0).tolist()
    return nodes, sum(share.count for share in shares), None if None in canonical else sum(canonical)


def searched(puzzle, options):
    """The same by the search in one piece."""
    result = find_engine("backtrack").run(puzzle, Goal.COUNT, options=options)
    nodes = list(result.nodes_by_depth)
    nodes[: len(puzzle.fixed)] = [0] * len(puzzle.fixed)
    return nodes, result.count, result.canonical_count


@examples(150)
@given(
    puzzles(), st.sampled_from(("rowscan", "spiral_in", "zig_zag", "frame_first")), st.booleans(),
    st.sampled_from((1, 3, 20)), st.sampled_from((4, 1000)), st.booleans(), st.data(),
)  # fmt: skip
def test_parts_add_up(puzzle, order, symmetry, enough, most, whole, data):
    """Wherever the tree is cut, and however its parts are shared out."""
    options = Options(order=order, symmetry=symmetry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "_ENOUGH_PARTS", enough)
        patch.setattr(plain, data.draw(st.sampled_from(("_MOST_PARTS", "_MOST_LISTED"))), most)
        if not whole:
            patch.setattr(plain, "_FEW_NODES", 0)
        patch.setattr(plain, "_FIRST_SLICE", 7)
        patch.setattr(plain, "_ROOM", 2)
        work = Prefixes(puzzle, options)
        parts = len(work.work)
        cuts = sorted(data.draw(st.sets(st.integers(0, parts))) | {0, parts})
        shares = [work.count(first, last, never) for first, last in pairwise(cuts)]
    expected = searched(puzzle, options)
    if parts == 0:
        assert expected == ([0] * len(puzzle.board), 0, 0)
        return
    assert [(share.first, share.last) for share in shares] == list(pairwise(cuts))
    nodes, count, canonical = total(shares)
    assert (nodes, count) == expected[:2]
    assert canonical == (None if work.found.regular else expected[2])


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("few", [0, plain._FEW_NODES])
@pytest.mark.parametrize(
    "puzzle",
    [
        deal_edge_matching(4, 4, 3, 6, random=True, seed=3).puzzle,
        deal_edge_matching(6, 6, 3, 8, random=True, seed=1).puzzle,
        deal_edge_matching(12, 12, 16, 20, seed=1).puzzle,
    ],
)
def test_narrow_trees_lose_no_nodes(puzzle, few, monkeypatch):
    """Trees that end before they are wide have nodes, too, even where no part would be left at the end."""
    monkeypatch.setattr(plain, "_FEW_NODES", few)
    backtrack = find_engine("backtrack")
    one = backtrack.run(puzzle, Goal.COUNT, options=Options())
    two = backtrack.run(puzzle, Goal.COUNT, options=Options(threads=2))
    assert (two.nodes_by_depth, two.count) == (one.nodes_by_depth, one.count)
    assert two.nodes > 0


def test_no_level_is_too_wide(monkeypatch):
    """A level with many places after one with few would take all memory: the one with few will do."""
    monkeypatch.setattr(plain, "_ENOUGH_PARTS", 500)
    assert len(Prefixes(read("puzzle-a"), Options(order="rowscan")).work) > 1000
    monkeypatch.setattr(plain, "_MOST_PARTS", 1000)
    assert 300 < len(Prefixes(read("puzzle-a"), Options(order="rowscan")).work) < 500
