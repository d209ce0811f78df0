"""Counting methods: their predicted cost, and the cut of counts by frames, which is passed to every count."""

from itertools import permutations, product

import pytest

import jigsat as js
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import DEFAULTS, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.csp.search.counting.frames import Frames
from jigsat.csp.search.counting.methods import Pause
from jigsat.estimators.effort.count_methods import best_plan, listed_half_rows, method_nodes, with_cut
from jigsat.estimators.owen.complexity import Complexity


def half_rows(puzzle, length):
    """The number of half-rows of an edge piece on the left and inner pieces beside it, by trying all."""
    edges = [sides for sides in puzzle.pieces if sides.count(0) == 1]
    inner = [sides for sides in puzzle.pieces if 0 not in sides]
    found = 0
    for edge in edges:
        at = edge.index(0)
        for chosen in permutations(inner, length - 1):
            for turns in product(range(4), repeat=length - 1):
                facing, fits = edge[(at + 2) % 4], True
                for sides, turn in zip(chosen, turns, strict=True):
                    fits = fits and sides[turn] == facing
                    facing = sides[(turn + 2) % 4]
                found += fits
    return found


def test_half_rows_are_about_as_many_as_expected():
    """Pieces are used once, which the expectation ignores; colours are not equally frequent."""
    puzzle = js.make_edge_matching(rows=6, columns=6, frame_colors=3, inner_colors=5, seed=1)
    assert listed_half_rows(puzzle) == pytest.approx(half_rows(puzzle, 3) * 2, rel=0.25)


@pytest.mark.parametrize(("seed", "copies"), [(3, 2), (7, 2), (8, 3)])
def test_identical_pieces_make_half_rows_fewer(seed, copies):
    """Pairs are taken once; of three pieces, one counts as different."""
    puzzle = deal_edge_matching(6, 5, 3, 4, seed=seed).puzzle
    assert max(len(kind.pieces) for kind in symmetries(puzzle).types) == copies
    nodes = [js.count(puzzle, method="macros", symmetry=symmetry).nodes for symmetry in (True, False)]
    expected = dict(method_nodes(Complexity(puzzle), DEFAULTS))["macros"]
    assert nodes[0] / 2 < expected < 2 * nodes[0] < nodes[1] / 2


FRAMES = Options(method="frames")


@pytest.mark.parametrize("puzzle", [read("puzzle-a"), deal_edge_matching(5, 5, 2, 3, seed=1).puzzle], ids=["a", "5x5"])
def test_predicted_cost_is_of_the_right_size(puzzle):
    """A prediction that is off by orders of magnitude would choose the wrong method."""
    frames = Frames(puzzle, with_cut(puzzle, FRAMES))
    nodes = sum(frames.count(0, len(frames.work), lambda: Pause.NO).nodes)
    assert nodes / 10 < best_plan(puzzle).cost < nodes * 30


def test_tables_that_are_expected_to_outgrow_the_memory_are_refused():
    """They would be filled for hours before that is noticed."""
    with pytest.raises(EngineError, match=r"^method frames: the tables would take about 2\.62e\+05 GiB"):
        with_cut(read("puzzle-c"), FRAMES)


def test_connectors_that_never_match_on_a_long_board():
    """Powers of a number of connectors that is a guess may be more than any float."""
    corners = ((0, 0, 2, 3), (0, 0, 3, 2), (0, 0, 2, -3), (0, 0, -3, 2))
    pieces = (*corners, *[(0, 2, 1, -2)] * 78, *[(1, 1, 1, 1)] * 38)
    assert best_plan(EdgeMatchingPuzzle(3, 40, pieces, Rule.OPPOSITE)).cost > 0
