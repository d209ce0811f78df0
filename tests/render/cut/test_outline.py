"""Outlines of pieces: whatever fits coincides point for point, and nothing overlaps."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import STRtree
from shapely.geometry import LineString, Polygon

from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.board import BORDER, DOWN, LEFT, RIGHT, UP, Placement, opposite
from jigsat.csp.puzzles.board import turned as turned_sides
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.render.cut.family import cut_of, tab_family
from jigsat.render.cut.tabs import LEAD, SIDE, flatness, flattened, moved, outline, path_data, placed, side_path, turned
from property_tests import examples

BUNDLED = ("perfect-3x3", "perfect-5x5", "perfect-5x7", "three-solutions-6x6", "two-solution-5x5", "perfect-10x10")
STEPS = 16


def scrambled(rows, columns, types, seed):
    """A jigsaw cut from a random board, its pieces mixed and turned."""
    chance = random.Random(seed)

    def side():
        return chance.choice((-1, 1)) * chance.randint(1, types)

    across = [[0, *(side() for _ in range(columns - 1)), 0] for _ in range(rows)]
    down = [[0, *(side() for _ in range(rows - 1)), 0] for _ in range(columns)]
    squares = [
        (-down[column][row], across[row][column + 1], down[column][row + 1], -across[row][column])
        for row in range(rows)
        for column in range(columns)
    ]
    board = [Placement(piece, chance.randrange(4)) for piece in chance.sample(range(len(squares)), len(squares))]
    pieces = {placed.piece: turned_sides(sides, -placed.rotation) for placed, sides in zip(board, squares, strict=True)}
    ordered = tuple(pieces[piece] for piece in range(len(squares)))
    puzzle = EdgeMatchingPuzzle(rows, columns, ordered, Rule.OPPOSITE, assemblies=(tuple(board),))
    assert check(puzzle, board).is_solution
    return puzzle


def side_on_board(puzzle, tabs, board, square, side):
    """The points of a side of what lies on a square."""
    path = placed(side_path(puzzle.shown(board[square])[side], tabs), side)
    return moved(path, *divmod(square, puzzle.columns))


def assert_coincide(puzzle, tabs):
    for board in puzzle.assemblies:
        for first, side, second in puzzle.board.joins():
            here = side_on_board(puzzle, tabs, board, first, side)
            there = side_on_board(puzzle, tabs, board, second, opposite(side))
            assert here == there[::-1], (first, second)


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("name", BUNDLED)
def test_facing_sides_coincide_in_every_assembly(name):
    """Catches a curve that is off by as much as a unit where its piece is turned."""
    puzzle = read_puzzle(name)
    assert_coincide(puzzle, cut_of(puzzle).tabs)


@examples(25)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**32))
def test_facing_sides_coincide_in_any_jigsaw(rows, columns, types, seed):
    """Catches what happens in small boards and with few types only: one row, one piece, connectors used often."""
    assert_coincide(scrambled(rows, columns, types, seed), dict(enumerate(tab_family(6).tabs, 1)))


@pytest.mark.parametrize("name", ["perfect-5x5", "perfect-5x7"])
def test_outlines_are_closed_and_turn(name):
    """Catches an outline that goes another way round, or begins elsewhere, than the sides that a placement shows."""
    puzzle = read_puzzle(name)
    tabs = cut_of(puzzle).tabs
    for sides in puzzle.pieces:
        path = outline(sides, tabs)
        assert path[0] == path[-1] == (0, 0)
        assert turned(path, 4) == path != turned(path, 1)
        assert turned(turned(path, 1), 3) == path
        for rotation in range(4):
            cycle, own = turned(path, rotation)[:-1], outline(turned_sides(sides, rotation), tabs)[:-1]
            start = cycle.index((0, 0))
            assert cycle[start:] + cycle[:start] == own


def test_sides_of_a_square_lie_where_they_belong():
    """Catches sides that are exchanged, or tabs that point inwards."""
    path = ((0, 0), (3000, 500), (6000, 500), (SIDE, 0))
    assert placed(path, UP)[1] == (3000, -500)
    assert placed(path, RIGHT)[1] == (SIDE + 500, 3000)
    assert placed(path, DOWN)[1] == (SIDE - 3000, SIDE + 500)
    assert placed(path, LEFT)[1] == (-500, SIDE - 3000)
    assert {y for _, y in side_path(BORDER, {})} == {0}


def test_path_data_is_read_back():
    """Catches rounding: half a unit of a side of 25 mm is more than a thousandth of a mm."""
    path = outline(read_puzzle("perfect-3x3").pieces[0], cut_of(read_puzzle("perfect-3x3")).tabs)
    text = path_data(path, 25 / SIDE, closed=True)
    assert text[0] == "M"
    assert text[-1] == "z"
    numbers = list(map(float, text.strip("Mz").replace("C", " ").split()))
    assert numbers == pytest.approx([value * 25 / SIDE for point in path for value in point], abs=0.000501)


@pytest.mark.parametrize("name", ["perfect-3x3", "perfect-5x5", "perfect-5x7", "three-solutions-6x6"])
def test_pieces_fill_the_board_and_do_not_overlap(name):
    """Catches curves that cross each other: the pieces would overlap, or not be simple."""
    puzzle = read_puzzle(name)
    tabs = cut_of(puzzle).tabs
    for board in puzzle.assemblies:
        shapes = []
        for square, placement in enumerate(board):
            path = moved(outline(puzzle.shown(placement), tabs), *divmod(square, puzzle.columns))
            shape = Polygon(flattened(path, STEPS))
            assert shape.is_valid
            shapes.append(shape)
        # Both pieces of a join are flattened at the same points, so that nothing is lost between them.
        assert sum(shape.area for shape in shapes) == pytest.approx(len(board) * SIDE**2, rel=1e-9)
        for i, j in zip(*STRtree(shapes).query(shapes, predicate="intersects"), strict=True):
            assert i == j or shapes[i].intersection(shapes[j]).area < 1


@pytest.mark.parametrize("name", ["perfect-5x5", "perfect-10x10"])
def test_sides_of_a_piece_keep_the_gap_that_is_stated(name):
    """Catches a gap that is stated too large: what is flattened is off by as much as its flatness."""
    puzzle = read_puzzle(name)
    cut = cut_of(puzzle)
    error = max(flatness(tab.points, STEPS) for tab in cut.tabs.values())
    nearest = SIDE
    for sides in puzzle.pieces:
        lines = []
        for side, connector in enumerate(sides):
            path = placed(side_path(connector, cut.tabs), side)
            # Without its straight leads; a border is one straight line.
            lines.append(LineString(flattened(tuple(path[3:-3]), STEPS)) if connector != BORDER else _border(side))
        nearest = min(nearest, *(a.distance(b) for i, a in enumerate(lines) for b in lines[:i]))
    assert nearest + 2 * error >= cut.family.gap * SIDE
    # It is no idle bound, either.
    assert nearest < 3 * cut.family.gap * SIDE


def _border(side):
    return LineString(placed([(LEAD, 0), (SIDE - LEAD, 0)], side))
