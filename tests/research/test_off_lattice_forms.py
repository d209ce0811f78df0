"""The convex forms that any motions make: of two pieces by gluing them together, and those of the Ostomachion."""

import random
from fractions import Fraction

import pytest

import jigsat as js
from jigsat.csp.geometry.polygons import area, convex_hull, counterclockwise
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from off_lattice_forms import AnyMotions, key_of
from test_off_lattice import glued


def test_two_pieces():
    """Two pieces make a convex polygon only with a whole edge in common, in one of few ways."""
    draws, numbers = random.Random(1), []
    for _ in range(12):
        pieces = []
        while len(pieces) < 2:
            points = convex_hull([(draws.randrange(4), draws.randrange(4)) for _ in range(3)])
            if len(points) > 2:
                pieces.append(counterclockwise(points))
        width = sum(map(area, pieces))
        target = (0, 0), (2 * width, 0), (2 * width, Fraction(1, 2)), (0, Fraction(1, 2))
        search = AnyMotions(DissectionPuzzle(target, tuple(pieces)), seams=True)
        # Of two triangles, at most one vertex of each edge in common is no corner.
        outlines = {**search.outlines(3), **search.outlines(4)}
        found = {key for key, outline in outlines.items() if search.can_be_tiled(outline)}
        assert found == {key_of(polygon) for polygon in glued(*pieces)}
        numbers.append(len(found))
    assert sum(numbers) > 12


@pytest.mark.slow
def test_quadrilaterals_of_the_ostomachion():
    """63: the 58 on the lattice, and five others, whose tilings two searches count."""
    puzzle = js.read("ostomachion")
    search = AnyMotions(puzzle)
    forms = {key: outline for key, outline in search.outlines(4).items() if search.can_be_tiled(outline)}
    on_lattice = {key_of(counterclockwise(form.target)) for form in js.forms(puzzle, 4, decide=True).forms}
    assert on_lattice <= forms.keys()
    assert (len(forms), len(on_lattice)) == (63, 58)
    counts = set()
    for key in forms.keys() - on_lattice:
        result = js.count(search.target(forms[key]))
        assert search.count_on_finer_lattice(forms[key].sides) == result.count
        counts.add((result.count, result.canonical_count))
    assert counts == {(1088, 272), (960, 120), (72, 18), (32, 8), (16, 4)}
