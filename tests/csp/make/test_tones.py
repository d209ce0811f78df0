"""Costs of pairs of tiles, the least there is, and the best way to lay out two assemblies."""

from itertools import permutations, product

import numpy as np
import pytest

from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.tones import best_assignment, best_fits, tones
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.render.photo.blend import artwork_of, shown
from jigsat.render.photo.raster import transfer


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
