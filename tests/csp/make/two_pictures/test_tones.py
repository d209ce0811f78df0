"""Costs of pairs of tiles, the least there is, and the best way to lay out two assemblies."""

from itertools import permutations, product

import numpy as np
import pytest

from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.two_pictures.tones import best_assignment, best_fits, tones
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.jigsaw_algebra import original
from jigsat.render.photo.pixels import artwork_of, blend, mean_squared_error, shown, transfer


def noise(rows, columns, seed, pixels=4, colors=3):
    return np.random.default_rng(seed).integers(0, 256, (rows * pixels, columns * pixels, colors), np.uint8)


def tile(picture, square, columns, pixels=4):
    row, column = divmod(square, columns)
    return picture[row * pixels : (row + 1) * pixels, column * pixels : (column + 1) * pixels].astype(int)


def cost(first, second, arrangement, columns):
    """Worked out here, tile by tile: piece p lies unturned on square p of the first picture."""
    return sum(
        ((tile(first, piece, columns) - np.rot90(tile(second, square, columns), rotation)) ** 2).sum()
        for square, (piece, rotation) in enumerate(arrangement)
    )


def arrangements(rows, columns):
    """All that have no straight side inside and no other side on the border."""

    def straight(square):
        row, column = divmod(square, columns)
        return [row == 0, column == columns - 1, row == rows - 1, column == 0]

    ways = {}
    for piece, square in product(range(rows * columns), repeat=2):
        own, needed = straight(piece), straight(square)
        ways[piece, square] = [r for r in range(4) if [own[(side - r) % 4] for side in range(4)] == needed]
    for pieces in permutations(range(rows * columns)):
        for rotations in product(*(ways[piece, square] for square, piece in enumerate(pieces))):
            yield tuple(map(Placement, pieces, rotations))


@pytest.mark.parametrize(("rows", "columns", "number"), [(2, 3, 48), (3, 2, 48), (2, 2, 24), (1, 3, 4)])
def test_the_least_is_what_trying_everything_finds(rows, columns, number):
    """On boards so small that every arrangement can be tried."""
    first, second = noise(rows, columns, 1), noise(rows, columns, 2)
    everything = list(arrangements(rows, columns))
    found = tones(first, second, Board(rows, columns))
    best, least = best_assignment(found)
    assert len(everything) == number
    assert least == min(cost(first, second, each, columns) for each in everything) == cost(first, second, best, columns)


def test_the_least_of_a_board_with_an_inner_square():
    """3x3, whose piece in the middle may be turned; the first few of all arrangements, and those of the middle."""
    first, second = noise(3, 3, 3), noise(3, 3, 4)
    found = tones(first, second, Board(3, 3))
    everything = [(*top[:4], Placement(4, turn), *top[4:]) for top in _rings(3) for turn in range(4)]
    assert len(everything) == 24 * 24 * 4
    start = original(found.board)
    costs = [found.cost(start, each) for each in everything]
    assert [costs[i] for i in range(0, 2304, 97)] == [cost(first, second, everything[i], 3) for i in range(0, 2304, 97)]
    assert best_assignment(found)[1] == min(costs)


def _rings(size):
    """All arrangements of the corners and edges of a 3x3 board, without the middle."""
    corners, edges = (0, 2, 8, 6), (1, 5, 7, 3)
    for which, others in product(permutations(range(4)), repeat=2):
        lies = {}
        for at in range(4):
            lies[corners[at]] = Placement(corners[which[at]], (at - which[at]) % 4)
            lies[edges[at]] = Placement(edges[others[at]], (at - others[at]) % 4)
        yield tuple(lies[square] for square in range(size * size) if square != 4)


@pytest.mark.parametrize("colors", [1, 3])
def test_costs_are_the_errors_of_blends(colors):
    """A blend that gives both the same share has a quarter of the cost as its error, up to rounding."""
    puzzle = read_squares("perfect-5x7")
    first, second = (noise(5, 7, seed, 8, colors) for seed in (5, 6))
    total = tones(first, second, puzzle.board).cost(*puzzle.assemblies)
    drawn = artwork_of(puzzle, (first, second), (0.5, 0.5), None)
    assert drawn.errors == pytest.approx((total / first.size / 4,) * 2, rel=0.01)


def test_costs_do_not_depend_on_how_much_is_multiplied_at_a_time(monkeypatch):
    first, second = noise(3, 4, 7), noise(3, 4, 8)
    at_once = tones(first, second, Board(3, 4)).costs
    monkeypatch.setattr("jigsat.csp.make.two_pictures.tones._CHUNK", 1)
    assert np.array_equal(tones(first, second, Board(3, 4)).costs, at_once)


@pytest.mark.parametrize("name", ["perfect-5x5", "perfect-5x7"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_picture_that_the_jigsaw_makes_of_another_one_is_found(name, swapped):
    """The jigsaw's own scramble of a picture, turned as a whole, costs nothing in one way, and that one is taken."""
    puzzle = read_squares(name)
    picture = noise(puzzle.rows, puzzle.columns, 9)
    there = transfer(puzzle, *puzzle.assemblies[:2], 4, None)
    for turns in puzzle.board.quarter_turns():
        pair = picture, np.rot90(shown(picture, there), -turns)
        first, second = pair[::-1] if swapped else pair
        fit, *_ = best_fits(puzzle, tones(first, second, puzzle.board))
        drawn = artwork_of(fit.puzzle, (first, second), (0.5, 0.5), None)
        assert (fit.cost, drawn.errors) == (0, (0.0, 0.0))
        assert np.array_equal(drawn.shown[0], first)
        assert np.array_equal(drawn.shown[1], second)


def test_with_tabs_the_jigsaws_own_picture_is_found_all_but_exactly():
    """Tiles approximate well what pieces with tabs show."""
    from jigsat.render.cut.family import cut_of

    puzzle = read_squares("two-solution-5x5")
    tabs = cut_of(puzzle).tabs
    picture = noise(5, 5, 10, 16)
    second = shown(picture, transfer(puzzle, *puzzle.assemblies[:2], 16, tabs))
    fit, *_ = best_fits(puzzle, tones(picture, second, puzzle.board))
    assert artwork_of(fit.puzzle, (picture, second), (0.5, 0.5), tabs).errors == (0.0, 0.0)


@pytest.mark.parametrize("name", ["perfect-5x5", "perfect-5x7", "three-solutions-6x6"])
def test_the_best_fit_is_the_least_of_all_ways(name):
    """Each way is laid out by hand; would catch a turn or an exchange that is left out or priced wrongly."""
    puzzle = read_squares(name)
    board = puzzle.board
    first, second = (noise(board.rows, board.columns, seed) for seed in (11, 12))
    found = tones(first, second, board)
    fit, *_ = best_fits(puzzle, found)
    ways = []
    for one, other in (puzzle.assemblies[:2], puzzle.assemblies[1::-1]):
        for turns in product(board.quarter_turns(), repeat=2):
            both = (board.turned_arrangement(one, turns[0]), board.turned_arrangement(other, turns[1]))
            there = transfer(puzzle, *both, 4, None)
            ways.append(((first.reshape(-1, 3).astype(int) - second.reshape(-1, 3)[there]) ** 2).sum())
    assert fit.cost == min(ways) == found.cost(*fit.puzzle.assemblies[:2])
    assert fit.puzzle.assemblies[2:] == puzzle.assemblies[2:]
    assert fit.cost >= best_assignment(found)[1]


def test_blend_of_equal_pictures_is_that_picture():
    picture = noise(2, 2, 13)
    there = np.arange(64)
    assert mean_squared_error(blend((picture, picture), (there,), (0.5, 0.5)), picture) == 0
