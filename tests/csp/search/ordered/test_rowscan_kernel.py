"""The quick kernel for rowscan: wherever it stops, the search stands where the plain kernel would stand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.puzzles.orders import named_order
from jigsat.csp.puzzles.symmetry import find_candidates, single_pieces, symmetries
from jigsat.csp.search.ordered import walk as walk_module
from jigsat.csp.search.ordered.kernels import build_tables
from jigsat.csp.search.ordered.walk import Walk
from jigsat.csp.search.shared_tree import BUDGET_SPENT
from property_tests import examples
from strategies import puzzles
from walks_side_by_side import advanced, agree

# The budgets of slices: 16 nodes a depth and more let the quick kernel begin.
BUDGETS = st.sampled_from((0, 1, 17, 100, 257, 300, 1000, 5000))


def both(puzzle, single):
    """A walk with the quick kernel and one without it."""
    kinds = single_pieces(puzzle) if single else symmetries(puzzle).types
    candidates = find_candidates(puzzle, kinds)
    tables = build_tables(puzzle, candidates, named_order(puzzle, "rowscan"))
    quick = Walk(candidates, tables)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk_module, "sprinter", lambda *_: None)
        patch.setattr(walk_module, "quick_tables", lambda *_: None)
        return quick, Walk(candidates, tables)


@examples(300)
@given(puzzles(), st.booleans(), st.sampled_from((0, 1, 7)), st.lists(BUDGETS, max_size=8))
def test_slices_agree(puzzle, single, room, budgets):
    """Small puzzles of every sort, to the end: budgets, room for solutions, the deepest filling, repeated pieces."""
    if len(puzzle.fixed) == len(puzzle.board):
        return
    quick, plain = both(puzzle, single)
    for walk in (quick, plain):
        walk.make_room(room)
    agree(quick, plain, budgets)


@examples(100)
@given(puzzles(), st.booleans(), st.integers(1, 6), st.integers(0, 2**32))
def test_places_agree(puzzle, single, depth, seed):
    """Cut at a depth and searched from its places, in any order, with a floor."""
    if depth >= len(puzzle.board) - len(puzzle.fixed):
        return
    quick, plain = both(puzzle, single)
    found, expected = quick.places(depth), plain.places(depth)
    assert np.array_equal(found, expected)
    for place in np.random.default_rng(seed).permutation(found)[:10]:
        for walk in (quick, plain):
            walk.begin_at(place)
        agree(quick, plain, ())


@pytest.mark.parametrize(
    ("name", "single"), [("puzzle-a", True), ("puzzle-c", True), ("clue1", False), ("meta16", True), ("meta10", False)]
)
def test_large_puzzles_agree(name, single, monkeypatch):
    """In uneven slices: lists and colours of every length, pieces that could follow themselves."""
    monkeypatch.setattr(walk_module, "_SPRINTLESS", np.uint64(50))
    quick, plain = both(read(name), single)
    for budget in (100_000, 1, 300_000, 5_003, 777_777):
        found = advanced(quick, budget)
        assert found == advanced(plain, budget)
        assert found[0] == BUDGET_SPENT
        assert quick.done() == plain.done()


def test_what_it_cannot_do_is_left_to_the_plain_kernel(monkeypatch):
    """By columns the lower neighbour comes right before; by rows puzzle-a's search is quick."""
    puzzle = read("puzzle-a")
    made = []
    prepare = walk_module.sprinter
    monkeypatch.setattr(walk_module, "sprinter", lambda *given: made.append(prepare(*given)) or made[-1])
    for order in ("rowscan", "colscan"):
        candidates = find_candidates(puzzle, single_pieces(puzzle))
        Walk(candidates, build_tables(puzzle, candidates, named_order(puzzle, order)))
    assert made[0] is not None
    assert made[1] is None
