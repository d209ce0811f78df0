"""Curves of tabs and outlines of pieces: what is said about a family is true, by another geometry (shapely)."""

import random

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.make.closed_forms import draw_closed_form, draw_even_form
from jigsat.csp.make.hidden_solution import shuffled_jigsaw
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original
from jigsat.render.cut.family import MOST_TYPES, cut_of, tab_family
from jigsat.render.cut.tabs import LEAD, SIDE, flatness, flattened, moved, outline, placed, side_path
from property_tests import examples

STEPS = 16
# Millimetres.
PIECE, WANTED = 25, 0.6


def made_jigsaw(size, seed):
    """A jigsaw of that size with each connector on two joins, as `jigsat make jigsaw` makes them."""
    draw = draw_closed_form if size % 2 else draw_even_form
    board = Board(size, size)
    return jigsaw_from_assemblies(size, size, [original(board), draw(size, size, Chance(seed))])


def ways(curve):
    """A curve as it is, from behind, turned, and both."""
    mirrored = curve[::-1] * (-1, 1) + (SIDE, 0)
    return [shapely.LineString(way) for way in (curve, mirrored, curve * (1, -1), mirrored * (1, -1))]


def assert_differ(tabs, distance):
    """No two tabs, and no tab and another look of itself, are nearer than that by shapely's Hausdorff distance."""
    lines = [ways(flattened(tab.points, 32)) for tab in tabs]
    for number, (line, *looks) in enumerate(lines):
        assert min(shapely.hausdorff_distance(line, look) for look in looks) >= distance
        others = [way for other in lines[number + 1 :] for way in other]
        if others:
            assert shapely.hausdorff_distance(line, others).min() >= distance


def assert_mates_coincide(puzzle, tabs):
    """In each assembly the two curves of every join have the same control points."""
    for arrangement in puzzle.assemblies:
        shown = [puzzle.shown(lies) for lies in arrangement]
        for join in puzzle.board.joins():
            here, there = (
                moved(placed(side_path(shown[square][side], tabs), side), *divmod(square, puzzle.columns))
                for square, side in ((join.first, join.side), (join.second, (join.side + 2) % 4))
            )
            assert here == there[::-1]


def assert_outlines_are_simple(puzzle, tabs):
    """Outlines are simple polygons; what a tab adds its mate takes away, so that areas add up to the board's."""
    outlines = [flattened(outline(sides, tabs), STEPS) for sides in puzzle.pieces]
    polygons = [shapely.Polygon(points) for points in outlines]
    assert shapely.is_valid(polygons).all()
    assert shapely.is_simple([polygon.exterior for polygon in polygons]).all()
    assert shapely.area(polygons).sum() == pytest.approx(len(polygons) * SIDE**2, rel=1e-9)


def assert_keep_apart(puzzle, tabs, gap):
    """No side of a piece comes nearer to another one than that, but for the leads, which meet at the corners."""
    pairs = {
        (sides[first], sides[second], (second - first) % 4)
        for sides in puzzle.pieces
        for first in range(4)
        for second in range(4)
        if first != second and sides[first]
    }
    paths = {
        (connector, side): np.array(flattened(tuple(placed(side_path(connector, tabs), side)), STEPS))
        for connector in {side for sides in puzzle.pieces for side in sides}
        for side in range(4)
    }
    bodies = [shapely.LineString(paths[one, 0][STEPS:-STEPS]) for one, _, _ in pairs]
    others = [shapely.LineString(paths[other, side]) for _, other, side in pairs]
    assert shapely.distance(bodies, others).min() >= gap


def assert_can_be_cut(puzzle, seed):
    cut = cut_of(puzzle, seed)
    assert_mates_coincide(puzzle, cut.tabs)
    assert_outlines_are_simple(puzzle, cut.tabs)
    assert_keep_apart(puzzle, cut.tabs, cut.family.gap * SIDE)
    return cut.family


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("perfect-5x5", 0),
        *(pytest.param(*size, marks=pytest.mark.slow) for size in (("perfect-5x7", 3), ("perfect-12x12", 1))),
    ],
)
def test_bundled_jigsaws_can_be_cut(name, seed):
    """Catches tabs that collide, outlines that cross themselves, mates that differ, promises that are not kept."""
    family = assert_can_be_cut(read_puzzle(name), seed)
    # The last curves are the nearest ones.
    assert_differ(family.tabs[-16:], family.distance * SIDE)


@pytest.mark.some_cases(1)
@pytest.mark.parametrize(("number", "seed", "look"), [(10, 6, 1), (12, 6, 0)])
def test_the_least_distance_is_that_of_some_pair(number, seed, look):
    """Catches looks that are forgotten (a mirror image comes nearest, or a tab itself), and promises of too little."""
    family = tab_family(number, seed)
    lines = [ways(flattened(tab.points, 32)) for tab in family.tabs]
    least = [
        min(
            shapely.hausdorff_distance(line, [other[way] for other in lines[number + (way == 0) :]]).min(initial=SIDE)
            for number, (line, *_) in enumerate(lines)
        )
        for way in range(4)
    ]
    assert min(least) == pytest.approx(family.distance * SIDE, abs=1)
    assert int(np.argmin(least)) == look


@pytest.mark.slow
@pytest.mark.parametrize("size", range(5, 21))
def test_jigsaws_of_all_sizes_can_be_cut(size):
    """5x5 to 20x20, 20 seeds each: the same, with all pairs of curves for the first seed."""
    for seed in range(20):
        family = assert_can_be_cut(made_jigsaw(size, seed), seed)
        tabs = family.tabs if seed == 0 or len(family.tabs) <= 42 else family.tabs[:: len(family.tabs) // 20]
        assert_differ(tabs, family.distance * SIDE)
        if len(family.tabs) <= 20:
            assert family.distance * PIECE >= WANTED


def test_necks_are_as_wide_as_is_said():
    """Catches a neck that is measured at the wrong place: below the crest the two halves of a tab come no nearer."""
    family = tab_family(30)
    for tab in family.tabs:
        left, right = (shapely.LineString(flattened(half, 64)) for half in tab.neck)
        assert left.distance(right) >= family.neck * SIDE
        # The neck is a neck: the head is wider, on both sides.
        assert tab.points[9][0] < tab.points[6][0] < tab.points[18][0] < tab.points[15][0]


@pytest.mark.parametrize("number", range(0, 60, 3))
def test_curves_are_smooth_and_flattened_closely(number):
    """Catches corners (handles that are not in one line), and a flatness that promises too much."""
    tab = tab_family(60).tabs[number]
    for before, at, after in zip(tab.whole[2:-2:3], tab.whole[3:-1:3], tab.whole[4::3], strict=True):
        (x, y), (to_x, to_y) = ((one[0] - other[0], one[1] - other[1]) for one, other in ((at, before), (after, at)))
        sine = abs(x * to_y - y * to_x) / (np.hypot(x, y) * np.hypot(to_x, to_y))
        # Whole numbers round the handles by a unit each.
        assert sine < 2.5 / min(np.hypot(x, y), np.hypot(to_x, to_y))
        assert x * to_x + y * to_y > 0
    coarse, fine = flattened(tab.points, 8), flattened(tab.points, 80)
    assert shapely.hausdorff_distance(*map(shapely.LineString, (fine, coarse))) <= flatness(tab.points, 8)
    assert tab.whole[0] == (0, 0)
    assert tab.whole[3] == tab.points[0] == (LEAD, 0)
    assert tab.whole[-1] == (SIDE, 0)


def test_what_cannot_be_cut():
    """Catches puzzles of another kind, and more types than there are curves."""
    with pytest.raises(PuzzleError, match=r"clue1: is an edge-matching puzzle, and only jigsaws have tabs"):
        cut_of(read_puzzle("clue1"))
    number = MOST_TYPES + 1
    pieces = [(0, 1, 0, 0), *((0, n + 1, 0, -n) for n in range(1, number)), (0, 0, 0, -number)]
    with pytest.raises(PuzzleError, match=r"long: has 1025 types of connectors, and there are 1024 curves"):
        cut_of(EdgeMatchingPuzzle(2, len(pieces) // 2, tuple(pieces), Rule.OPPOSITE, name="long"))


def scrambled(rows, columns, types, seed):
    """A jigsaw cut from a random board, its pieces mixed and turned."""
    chance, board = random.Random(seed), Board(rows, columns)
    pieces = [[0] * 4 for _ in range(len(board))]
    for first, side, second in board.joins():
        connector = chance.choice((-1, 1)) * chance.randint(1, types)
        pieces[first][side], pieces[second][(side + 2) % 4] = connector, -connector
    laid = tuple(Placement(piece, 0) for piece in range(len(board)))
    puzzle = EdgeMatchingPuzzle(rows, columns, tuple(map(tuple, pieces)), Rule.OPPOSITE, assemblies=(laid,))
    puzzle, (mixed,) = shuffled_jigsaw(puzzle, [laid], seed)
    assert check(puzzle, mixed).is_solution
    return puzzle


@examples(25)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**32))
def test_facing_sides_coincide_in_any_jigsaw(rows, columns, types, seed):
    """Catches what happens in small boards and with few types only: one row, one piece, connectors used often."""
    assert_mates_coincide(scrambled(rows, columns, types, seed), dict(enumerate(tab_family(6).tabs, 1)))
