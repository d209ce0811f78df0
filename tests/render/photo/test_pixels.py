"""Which piece owns which pixel: one and only one, and the one whose outline is round its centre."""

from functools import cache

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.files.instances import read_squares
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.tabs import SIDE, flattened, moved, outline, turned
from jigsat.render.photo.pixels import owners, transfer
from property_tests import examples

NAMES = ("perfect-5x5", "two-solution-5x5", "perfect-5x7", "three-solutions-6x6")
jigsaws = st.sampled_from(NAMES)
lengths = st.integers(4, 12).map(lambda half: 2 * half)


@cache
def jigsaw(name, seed=0):
    puzzle = read_squares(name)
    return puzzle, cut_of(puzzle, seed).tabs


@examples(20)
@given(jigsaws, lengths, st.sampled_from([0, 1]))
def test_pixels_go_from_assembly_to_assembly_one_to_one(name, pixels, seed):
    """Would catch a pixel that no piece owns, or two; and one that changes its piece on the way."""
    puzzle, tabs = jigsaw(name, seed)
    first, second = puzzle.assemblies[:2]
    there = transfer(puzzle, first, second, pixels, tabs)
    assert np.array_equal(np.sort(there), np.arange(len(puzzle.board) * pixels**2))
    one, other = (owners(puzzle, assembly, pixels, tabs) for assembly in (first, second))
    assert set(np.unique(one)) == set(range(len(puzzle.pieces)))
    assert np.array_equal(one.ravel(), other.ravel()[there])


@examples(15)
@given(jigsaws, lengths, st.integers(0, 1))
def test_owners_are_those_whose_outlines_are_round_the_pixels(name, pixels, number):
    """By another library, from the outlines that are cut; centres that are a hundredth of a pixel from one apart."""
    puzzle, tabs = jigsaw(name)
    assembly = puzzle.assemblies[number]
    owner = owners(puzzle, assembly, pixels, tabs)
    centers = (np.arange(max(owner.shape)) + 0.5) * SIDE / pixels
    points = shapely.points(*np.meshgrid(centers[: owner.shape[1]], centers[: owner.shape[0]]))
    for square, (piece, rotation) in enumerate(assembly):
        path = turned(outline(puzzle.pieces[piece], tabs), rotation)
        area = shapely.Polygon(flattened(moved(path, *divmod(square, puzzle.columns)), 32))
        shapely.prepare(area)
        wrong = shapely.contains(area, points) != (owner == piece)
        assert (shapely.distance(points[wrong], area.exterior) < SIDE / pixels / 100).all()


def test_plain_pieces_are_squares():
    """And in the second assembly a turned piece has its first row where its rotation says."""
    puzzle, _ = jigsaw("perfect-5x7")
    first, second = puzzle.assemblies[:2]
    pieces = np.array([placed.piece for placed in second]).reshape(5, 7)
    assert np.array_equal(owners(puzzle, second, 8, None), pieces.repeat(8, axis=0).repeat(8, axis=1))
    picture = np.arange(5 * 7 * 64)
    moved_picture = np.empty_like(picture)
    moved_picture[transfer(puzzle, first, second, 8, None)] = picture
    tiles, moved_tiles = (
        p.reshape(5, 8, 7, 8).transpose(0, 2, 1, 3).reshape(35, 8, 8) for p in (picture, moved_picture)
    )
    for square, placed in enumerate(second):
        (home,) = (q for q, lies in enumerate(first) if lies.piece == placed.piece)
        assert np.array_equal(moved_tiles[square], np.rot90(tiles[home], first[home].rotation - placed.rotation))
