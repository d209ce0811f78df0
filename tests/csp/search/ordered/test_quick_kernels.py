"""The quick kernels, for rows and for any order: wherever one stops, the search stands where the plain kernel would."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jigsat import read
from jigsat.api.make import make_edge_matching
from jigsat.csp.puzzles.orders import named_order
from jigsat.csp.puzzles.symmetry import find_anchors, find_candidates, single_pieces, symmetries
from jigsat.csp.search.ordered import walk as walk_module
from jigsat.csp.search.ordered.kernels import build_tables
from jigsat.csp.search.ordered.walk import Walk
from jigsat.csp.search.shared_tree import BUDGET_SPENT, EXHAUSTED
from property_tests import examples
from strategies import puzzles, with_any_fixed

ROWS, ANY = "sprinter", "quick_tables"
# The budgets of slices: a quick kernel begins where all that it counts ahead fits in.
BUDGETS = st.sampled_from((0, 1, 2, 3, 17, 50, 100, 257, 300, 1000, 5000))


@st.composite
def searches(draw):
    """A kernel; a small puzzle, perhaps with random fixed pieces; an order; whether equal pieces are distinguished."""
    puzzle = draw(puzzles())
    if draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, draw)
    fixed = tuple(one.square for one in puzzle.fixed)
    free = [square for square in range(len(puzzle.board)) if square not in fixed]
    assume(free)
    order = draw(st.sampled_from(("rowscan", "rowscan", "any", "grown", "colscan", "spiral_in", "zig_zag")))
    kernel = ROWS if order == "rowscan" else ANY
    if order == "any":
        return kernel, puzzle, (*fixed, *draw(st.permutations(free))), draw(st.booleans())
    if order != "grown":
        return kernel, puzzle, named_order(puzzle, order), draw(st.booleans())
    # Beside what is there, so that few squares have no neighbour.
    chance, grown = random.Random(draw(st.integers(0, 2**32))), list(fixed)
    while free:
        beside = [s for s in free if any(join.second in grown for join in puzzle.board.joins_of(s))] or free
        grown.append(chance.choice(beside))
        free.remove(grown[-1])
    return kernel, puzzle, tuple(grown), draw(st.booleans())


def both(kernel, puzzle, order, single, anchored=False):
    """A walk with a quick kernel and one without it."""
    kinds = single_pieces(puzzle) if single else symmetries(puzzle).types
    candidates = find_candidates(puzzle, kinds)
    anchors = find_anchors(puzzle, symmetries(puzzle), order) if anchored and not single else ()
    tables = build_tables(puzzle, candidates, order, anchors[0] if anchors else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk_module, ANY if kernel == ROWS else ROWS, lambda *_: None)
        quick = Walk(candidates, tables)
        patch.setattr(walk_module, kernel, lambda *_: None)
        return quick, Walk(candidates, tables)


def advanced(walk, budget):
    """What a slice reports."""
    code = walk.advance(budget)
    return code, walk.nodes.tolist(), walk.solutions().tolist(), walk.deepest().tolist()


def agree(quick, plain, budgets):
    """Advance both by the same slices, the quick kernel and the plain one taking turns all the time, to the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk_module, "_SPRINTLESS", np.uint64(3))
        for budget in (*budgets, *[20_000] * 50):
            found = advanced(quick, budget)
            assert found == advanced(plain, budget)
            if found[0] == EXHAUSTED:
                return
            assert quick.done() == plain.done()


@examples(600)
@given(searches(), st.booleans(), st.sampled_from((0, 1, 7)), st.lists(BUDGETS, max_size=8))
def test_slices_agree(search, anchored, room, budgets):
    """Small puzzles of every sort, to the end: any order, budgets, room for solutions, pieces alike."""
    quick, plain = both(*search, anchored)
    for walk in (quick, plain):
        walk.make_room(room)
    agree(quick, plain, budgets)


@examples(200)
@given(searches(), st.integers(1, 6), st.integers(0, 2**32))
def test_places_agree(search, depth, seed):
    """Cut at a depth and searched from its places, in any order, with a floor."""
    kernel, puzzle, *_ = search
    assume(depth < len(puzzle.board) - len(puzzle.fixed))
    quick, plain = both(*search)
    found, expected = quick.places(depth), plain.places(depth)
    assert len(found) == len(expected)
    if kernel == ROWS:
        assert np.array_equal(found, expected)
    # Of the rest of the state each kernel has its own use.
    assert np.array_equal(found[:, 3::4], expected[:, 3::4])
    assert np.array_equal(found[:, -1], expected[:, -1])
    for number in np.random.default_rng(seed).permutation(len(found))[:10]:
        for walk, places in ((quick, found), (plain, expected)):
            walk.begin_at(places[number])
        agree(quick, plain, ())


def large_search(name, seed):
    """A board of a hundred pieces, with clues or without, and an order of it."""
    puzzle = make_edge_matching(10, 10, 5, 14, clues=4, seed=seed)
    if name == "grown":
        chance, grown = random.Random(seed), [one.square for one in puzzle.fixed]
        while len(grown) < len(puzzle.board):
            free = [s for s in range(len(puzzle.board)) if s not in grown]
            grown.append(chance.choice([s for s in free if any(j.second in grown for j in puzzle.board.joins_of(s))]))
        return ANY, puzzle, tuple(grown)
    puzzle = replace(puzzle, fixed=())
    return ANY, puzzle, named_order(puzzle, name)


ANY_LARGE = [(*search, single) for search in
             (("grown", 1), ("grown", 2), ("grown", 3), ("spiral_in", 4), ("frame_first", 5), ("colscan", 6))
             for single in (True, False)]  # fmt: skip
ROWS_LARGE = [("puzzle-a", True), ("puzzle-c", True), ("clue1", False), ("meta16", True), ("meta10", False)]


@pytest.mark.parametrize("given", [*ANY_LARGE, *ROWS_LARGE])
def test_large_puzzles_agree(given, monkeypatch):
    """In uneven slices: more than 64 types, lists of every length, up to four known neighbours, clues."""
    monkeypatch.setattr(walk_module, "_SPRINTLESS", np.uint64(50))
    *named, single = given
    if given in ROWS_LARGE:
        puzzle = read(*named)
        search = ROWS, puzzle, named_order(puzzle, "rowscan")
    else:
        search = large_search(*named)
    quick, plain = both(*search, single)
    for budget in (100_000, 1, 300_000, 5_003, 777_777):
        found = advanced(quick, budget)
        assert found == advanced(plain, budget)
        assert quick.done() == plain.done()
        if found[0] == EXHAUSTED and search[0] == ANY:
            return
        assert found[0] == BUDGET_SPENT


@pytest.mark.parametrize("name", ["grown", "spiral_in"])
def test_the_quick_kernel_does_most_of_the_work(name, monkeypatch):
    """The plain kernel deals with few nodes."""
    quick, _ = both(*large_search(name, 1), single=True)
    plain_nodes = []
    search = walk_module.kernels.search_any_order

    def counted(*arguments):
        nodes = quick.nodes.sum()
        code = search(*arguments)
        plain_nodes.append(int(quick.nodes.sum() - nodes))
        return code

    monkeypatch.setattr(walk_module.kernels, "search_any_order", counted)
    quick.advance(2_000_000)
    assert quick.nodes.sum() > 100_000
    assert sum(plain_nodes) < quick.nodes.sum() / 10


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
