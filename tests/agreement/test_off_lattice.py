"""Convex forms off the lattice: the theorem of `off_lattice`, against searches that do not know it."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

import jigsat as js
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.geometry.exact_numbers import Surd, quotient
from jigsat.csp.geometry.polygons import Isometry, area, convex_hull, counterclockwise, double_area, edges
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.tilings.find_forms import forms
from jigsat.csp.tilings.tileable_forms import free_edges


@pytest.mark.parametrize(
    "name", ["tangram", *(pytest.param(name, marks=pytest.mark.slow) for name in ("sei-shonagon", "nineteen-forms-1"))]
)
def test_any_motions_find_no_other_tilings(name):
    """All 20 candidates, those without tilings, too; only a search with any motions would find one off the lattice."""
    puzzle = read_puzzle(name)
    assert free_edges(puzzle) is None
    found = forms(puzzle, any_lengths=True)
    candidates = (*found.forms, *found.refuted)
    assert len(candidates) == 20
    for form in candidates:
        result = js.count(replace(puzzle, target=form.target, motions=Motions.ANY))
        assert (result.count, result.canonical_count) == (form.count, form.canonical_count)


def glued(one, other):
    """The convex polygons that two pieces make with a whole edge in common: `other` as it is, and turned over."""
    mirror = Isometry(-1, 0, 0, 1, 0, 0)
    for piece in (other, mirror(other)):
        for (a, b), (c, d) in edges(one):
            for (p, q), (r, s) in edges(piece):
                dx, dy, du, dv = r - p, s - q, a - c, b - d
                square = dx * dx + dy * dy
                if square == du * du + dv * dv:
                    cosine, sine = quotient(du * dx + dv * dy, square), quotient(dv * dx - du * dy, square)
                    motion = Isometry(cosine, -sine, sine, cosine, c - cosine * p + sine * q, d - sine * p - cosine * q)
                    union = convex_hull((*one, *motion(piece)))
                    if double_area(union) == double_area(one) + double_area(other):
                        yield counterclockwise(union)


def on_whole_numbers(polygon):
    """Whether a motion carries all vertices to points with whole coordinates."""
    (a, b), (c, d) = polygon[:2]
    dx, dy = c - a, d - b
    square = dx * dx + dy * dy
    if isinstance(square, Surd) or Fraction(square).denominator > 1:
        return False
    for u in range(-20, 21):
        for v in range(-20, 21):
            if u * u + v * v == square:
                turned = [
                    quotient(part, square)
                    for x, y in polygon
                    for along, aside in [((x - a) * dx + (y - b) * dy, (y - b) * dx - (x - a) * dy)]
                    for part in (along * u - aside * v, along * v + aside * u)
                ]
                if all(not isinstance(part, Surd) and Fraction(part).denominator == 1 for part in turned):
                    return True
    return False


def test_pairs_of_pieces_off_the_lattice():
    """Pieces on whole numbers.  Where the theorem applies, what they make is there, too; where not, not always."""
    draws, off = random.Random(5), 0
    excluded = 0
    for _ in range(300):
        pieces = []
        while len(pieces) < 2:
            points = convex_hull([(draws.randrange(4), draws.randrange(4)) for _ in range(draws.choice((3, 3, 4)))])
            if len(points) > 2:
                pieces.append(counterclockwise(points))
        width = sum(map(area, pieces))
        puzzle = DissectionPuzzle(
            ((0, 0), (2 * width, 0), (2 * width, Fraction(1, 2)), (0, Fraction(1, 2))), tuple(pieces)
        )
        # A target with half numbers makes the lattice finer, but no other pairs of edges free.
        are_on = [on_whole_numbers(polygon) for polygon in glued(*pieces)]
        if free_edges(puzzle) is None:
            excluded += len(are_on)
            assert all(are_on)
        else:
            off += are_on.count(False)
    assert excluded > 50
    assert off > 20
