"""The quick kernel for any order: wherever it stops, the search stands where the plain kernel would stand."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jigsat.api.make import make_edge_matching
from jigsat.csp.puzzles.board import Placement, opposite
from jigsat.csp.puzzles.orders import named_order
from jigsat.csp.puzzles.symmetry import find_anchors, find_candidates, single_pieces, symmetries
from jigsat.csp.search.ordered import walk as walk_module
from jigsat.csp.search.ordered.kernels import build_tables
from jigsat.csp.search.ordered.walk import Walk
from jigsat.csp.search.shared_tree import BUDGET_SPENT, EXHAUSTED
from property_tests import examples
from strategies import puzzles, with_any_fixed
from walks_side_by_side import advanced, agree

# The budgets of slices: the quick kernel begins where all that it counts ahead fits in.
BUDGETS = st.sampled_from((0, 1, 2, 3, 17, 50, 100, 257, 300, 1000, 5000))


@st.composite
def searches(draw):
    """A small puzzle, perhaps with random fixed pieces; an order; and whether identical pieces are distinguished."""
    puzzle = draw(puzzles())
    if draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, draw)
    fixed = tuple(one.square for one in puzzle.fixed)
    free = [square for square in range(len(puzzle.board)) if square not in fixed]
    assume(free)
    order = draw(st.sampled_from(("any", "grown", "colscan", "spiral_in", "zig_zag")))
    if order == "any":
        return puzzle, (*fixed, *draw(st.permutations(free))), draw(st.booleans())
    if order != "grown":
        return puzzle, named_order(puzzle, order), draw(st.booleans())
    # Beside what is there, so that few squares have no neighbour.
    chance, grown = random.Random(draw(st.integers(0, 2**32))), list(fixed)
    while free:
        beside = [s for s in free if any(join.second in grown for join in puzzle.board.joins_of(s))] or free
        grown.append(chance.choice(beside))
        free.remove(grown[-1])
    return puzzle, tuple(grown), draw(st.booleans())


def both(puzzle, order, single, anchored=False):
    """A walk with the quick kernel and one without it."""
    kinds = single_pieces(puzzle) if single else symmetries(puzzle).types
    candidates = find_candidates(puzzle, kinds)
    anchors = find_anchors(puzzle, symmetries(puzzle), order) if anchored and not single else ()
    tables = build_tables(puzzle, candidates, order, anchors[0] if anchors else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk_module, "sprinter", lambda *_: None)
        quick = Walk(candidates, tables)
        patch.setattr(walk_module, "quick_tables", lambda *_: None)
        return quick, Walk(candidates, tables)


@examples(300)
@given(searches(), st.booleans(), st.sampled_from((0, 1, 7)), st.lists(BUDGETS, max_size=8))
def test_slices_agree(search, anchored, room, budgets):
    """Small puzzles of every sort, to the end: any order, budgets, room for solutions, pieces alike."""
    quick, plain = both(*search, anchored)
    for walk in (quick, plain):
        walk.make_room(room)
    agree(quick, plain, budgets)


@examples(100)
@given(searches(), st.integers(1, 6), st.integers(0, 2**32))
def test_places_agree(search, depth, seed):
    """Cut at a depth and searched from its places, in any order, with a floor."""
    puzzle, order, single = search
    assume(depth < len(puzzle.board) - len(puzzle.fixed))
    quick, plain = both(puzzle, order, single)
    found, expected = quick.places(depth), plain.places(depth)
    assert len(found) == len(expected)
    # Of the rest of the state each kernel has its own use.
    assert np.array_equal(found[:, 3::4], expected[:, 3::4])
    assert np.array_equal(found[:, -1], expected[:, -1])
    for number in np.random.default_rng(seed).permutation(len(found))[:10]:
        for walk, places in ((quick, found), (plain, expected)):
            walk.begin_at(places[number])
        agree(quick, plain, ())


def count_by_depth(puzzle, order, most=20_000):
    """Pieces placed at each depth behind the fixed ones, by trying everything; nothing if that takes too long."""
    board, board_of = puzzle.board, {one.square: Placement(one.piece, one.rotation) for one in puzzle.fixed}
    free = order[len(puzzle.fixed) :]
    numbers = [0] * len(free)

    def fits(square, shown):
        outside = board.border_mask(square)
        if any((shown[side] == 0) != bool(outside >> side & 1) for side in range(4)):
            return False
        facing = [(side, board_of[other]) for _, side, other in board.joins_of(square) if other in board_of]
        return all(puzzle.mate(shown[side]) == puzzle.shown(placed)[opposite(side)] for side, placed in facing)

    def fill(depth):
        if depth == len(free) or sum(numbers) > most:
            return
        laid = {placed.piece for placed in board_of.values()}
        for piece in set(range(len(puzzle.pieces))) - laid:
            for rotation in range(4):
                if fits(free[depth], puzzle.shown(Placement(piece, rotation))):
                    numbers[depth] += 1
                    board_of[free[depth]] = Placement(piece, rotation)
                    fill(depth + 1)
                    del board_of[free[depth]]

    fill(0)
    return numbers if sum(numbers) <= most else None


@examples(60)
@given(searches())
def test_nodes_are_those_of_trying_everything(search):
    puzzle, order, _ = search
    expected = count_by_depth(puzzle, order)
    assume(expected is not None)
    walk, _ = both(puzzle, order, single=True)
    assert walk.advance(1_000_000) == EXHAUSTED
    assert walk.nodes.tolist() == expected


def clue_board(seed, size=10, inner=14, clues=4):
    return make_edge_matching(size, size, 5, inner, clues=clues, seed=seed)


def large_search(name, seed):
    """A board of a hundred pieces, with clues or without, and an order of it."""
    puzzle = clue_board(seed)
    if name == "grown":
        chance, grown = random.Random(seed), [one.square for one in puzzle.fixed]
        while len(grown) < len(puzzle.board):
            free = [s for s in range(len(puzzle.board)) if s not in grown]
            grown.append(chance.choice([s for s in free if any(j.second in grown for j in puzzle.board.joins_of(s))]))
        return puzzle, tuple(grown)
    puzzle = replace(puzzle, fixed=())
    return puzzle, named_order(puzzle, name)


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize(
    ("name", "seed"), [("grown", 1), ("grown", 2), ("grown", 3), ("spiral_in", 4), ("frame_first", 5), ("colscan", 6)]
)
def test_large_puzzles_agree(name, seed, single, monkeypatch):
    """In uneven slices: more than 64 types, lists of every length, up to four known neighbours, clues."""
    monkeypatch.setattr(walk_module, "_SPRINTLESS", np.uint64(50))
    quick, plain = both(*large_search(name, seed), single)
    for budget in (100_000, 1, 200_000, 5_003, 377_777):
        found = advanced(quick, budget)
        assert found == advanced(plain, budget)
        assert quick.done() == plain.done()
        if found[0] == EXHAUSTED:
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
