"""The rendering of a jigsaw on a table: pieces are where they should be, and show what is printed on them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from PIL import Image

from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.board import Placement
from jigsat.render.cut.family import cut_of
from jigsat.render.photo.photo import photo

PUZZLE = read_puzzle("perfect-5x5")
PIXELS = 40


@cache
def cut():
    return cut_of(PUZZLE)


def picture(**options):
    found = photo(PUZZLE, cut(), options.pop("arrangement", PUZZLE.assemblies[0]), pixels=PIXELS, **options)
    return np.asarray(found).astype(int)


def squares_of_one_color():
    """Artwork with a colour of its own on each square of the first assembly."""
    colors = np.arange(75).reshape(5, 5, 3) * 3 % 200 + 20
    return colors, Image.fromarray(np.kron(colors, np.ones((PIXELS, PIXELS, 1))).astype(np.uint8))


def middle(shown, square):
    row, column = divmod(square, 5)
    y, x = PIXELS * (row + 1), PIXELS * (column + 1)
    return shown[y - 2 : y + 3, x - 2 : x + 3].mean((0, 1))


@pytest.mark.parametrize("number", [0, 1])
def test_each_piece_shows_its_artwork_where_it_lies(number):
    """Catches pieces that lie elsewhere, and artwork of the wrong piece or side."""
    colors, artwork = squares_of_one_color()
    arrangement = PUZZLE.assemblies[number]
    home = {lies.piece: square for square, lies in enumerate(PUZZLE.assemblies[0])}
    shown = picture(artwork=artwork, arrangement=arrangement)
    for square, lies in enumerate(arrangement):
        assert middle(shown, square) == pytest.approx(colors.reshape(25, 3)[home[lies.piece]], abs=4)


def test_artwork_of_pieces_that_are_turned_in_the_first_assembly():
    """Catches artwork that is turned the other way: with every piece numbered in another turn, nothing looks other."""
    turns = [7 * piece % 4 for piece in range(25)]
    pieces = tuple(
        tuple(sides[(side + turn) % 4] for side in range(4)) for sides, turn in zip(PUZZLE.pieces, turns, strict=True)
    )
    turned = [Placement(lies.piece, (lies.rotation + turns[lies.piece]) % 4) for lies in PUZZLE.assemblies[0]]
    puzzle = replace(PUZZLE, pieces=pieces, assemblies=(tuple(turned),))
    _, artwork = squares_of_one_color()
    ramp = Image.composite(artwork, Image.new("RGB", artwork.size), Image.linear_gradient("L").resize(artwork.size))
    found = photo(puzzle, cut(), tuple(turned), ramp, pixels=PIXELS)
    # Edges are drawn a little differently when they are turned.
    assert np.abs(np.asarray(found).astype(int) - picture(artwork=ramp)).mean() < 0.7


def test_loose_pieces_leave_their_squares_and_lie_beside():
    """Catches pieces that are missing, or lie on others."""
    colors, artwork = squares_of_one_color()
    whole, parted = picture(artwork=artwork), picture(artwork=artwork, loose=3)
    assert parted.shape[1] > whole.shape[1] + PIXELS
    for square in (24, 23, 19):
        color = colors.reshape(25, 3)[square]
        assert middle(whole, square) == pytest.approx(color, abs=4)
        assert np.abs(middle(parted, square) - color).max() > 8
        beside = parted[:, 6 * PIXELS :]
        # Nearly half a side squared, at least, is of the piece's own colour.
        assert (np.abs(beside - color).max(-1) < 6).sum() > PIXELS**2 * 0.45
    assert (picture(artwork=artwork, loose=3) == parted).all()
    assert not np.array_equal(picture(artwork=artwork, loose=3, seed=1), parted)
