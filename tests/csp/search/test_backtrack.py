"""The engine `backtrack`: its tree is that of a brute force that shares no code with it."""

from hypothesis import given
from hypothesis import strategies as st

from brute_force import nodes_by_depth
from jigsat.csp.base.stop import Stop
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.ordered.run import BestScore
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


def test_what_one_search_concludes_while_the_other_records_is_not_lost(monkeypatch):
    """Otherwise the search for the best score ended with a bound above it."""
    note = BestScore._note

    def noted(self, run, made):
        note(self, run, made)
        self._concluded = True  # by the other thread
        return False

    monkeypatch.setattr(BestScore, "_note", noted)
    search = ENGINE.prepared(read_puzzle("puzzle-a"), Goal.BEST, Limits(), Options(symmetry=True), Stop())
    next(search._from_below(1))
    assert search._concluded
