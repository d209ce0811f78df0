"""The definition of a dissection has as models its tilings; a brute force finds the same."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from all_models import all_models
from brute_force_lattice import lattice_tilings, ordered
from dissections import L_SHAPE, dissections, dissections_with_holes
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.models.proofs.define_tilings import TilingDefinition, TilingsClaim
from property_tests import examples

SQUARE, TRIANGLE = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
CORNER = DissectionPuzzle(L_SHAPE, (SQUARE, SQUARE, TRIANGLE, TRIANGLE), motions=Motions.LATTICE)


def tilings_of(definition):
    """For each model the kinds and polygons of the tiles."""
    names = {known: tile for tile in definition.tiles if (known := definition.known("tile", *tile)) is not None}
    for there in all_models(definition.clauses, names):
        yield frozenset(names[variable] for variable in there)


def in_units(puzzle):
    """The same puzzle in the coordinates of its lattice, which the definition has, too."""
    target, holes, pieces = (
        tuple(map(puzzle.lattice.units, each)) for each in (puzzle.parts, puzzle.holes, puzzle.pieces)
    )
    return replace(puzzle, target=target, holes=holes, pieces=pieces)


def check(puzzle):
    puzzle = in_units(puzzle)
    every = lattice_tilings(puzzle)
    numbered = set(tilings_of(TilingDefinition(TilingsClaim(puzzle, symmetry=False))))
    assert numbered == {frozenset(enumerate(tiling)) for tiling in every}
    pictures = {frozenset(polygon for _, polygon in t) for t in tilings_of(TilingDefinition(TilingsClaim(puzzle)))}
    assert pictures == {frozenset(tiling) for tiling in every}
    # What the anchor leaves out is an image of what it leaves.
    for piece in range(len(puzzle.pieces)):
        some = tilings_of(TilingDefinition(TilingsClaim(puzzle, anchor=piece)))
        images = {
            frozenset(ordered([tuple(map(int, point)) for point in motion(polygon)]) for _, polygon in tiling)
            for tiling in some
            for motion in replace(puzzle, motions=Motions.LATTICE).symmetries
        }
        assert images == pictures
    if every:
        known = min(every)
        left = set(tilings_of(TilingDefinition(TilingsClaim(puzzle, (known,), symmetry=False))))
        assert left == numbered - {frozenset(enumerate(known))}
        assert not list(tilings_of(TilingDefinition(TilingsClaim(puzzle, tuple(every)))))


HALVES = DissectionPuzzle(SQUARE, (TRIANGLE, TRIANGLE), motions=Motions.LATTICE)
OBLONG = DissectionPuzzle(((0, 0), (2, 0), (2, 1), (0, 1)), (SQUARE, TRIANGLE, TRIANGLE), motions=Motions.LATTICE)
FRAME = DissectionPuzzle(
    ((0, 0), (4, 0), (4, 4), (0, 4)), (L_SHAPE,) * 4, Motions.LATTICE, holes=(((1, 1), (3, 1), (3, 3), (1, 3)),)
)


@pytest.mark.parametrize("puzzle", [CORNER, HALVES, OBLONG, FRAME])
def test_the_models_are_the_tilings(puzzle):
    check(puzzle)


@examples(60, quick=8)
@given(st.one_of(dissections(most=4), dissections_with_holes(most=3)))
def test_the_models_are_the_tilings_of_many(puzzle):
    check(puzzle)
