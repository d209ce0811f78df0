"""Exact polygons against their definitions, on random ones."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jigsat as js
from jigsat.csp.geometry.exact_numbers import symbol
from jigsat.csp.geometry.polygons import (
    Isometry,
    area,
    convex_hull,
    counterclockwise,
    cross,
    double_area,
    edges,
    first_crossing,
    first_reflex,
    isometries,
)
from property_tests import examples
from simple_polygons import crossings, first_straight, simple_polygons

RATIONALS = st.builds(Fraction, st.integers(-30, 30), st.integers(1, 6))
POINTS = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
SQUARE = ((0, 0), (2, 0), (2, 2), (0, 2))
L_SHAPE = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))


@st.composite
def motions(draw):
    """Any rational rotation (its angle's half has the tangent t), turned over or not, and a translation."""
    t, turned_over = draw(RATIONALS), draw(st.sampled_from((1, -1)))
    cosine, sine = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return Isometry(cosine, -sine * turned_over, sine, cosine * turned_over, draw(RATIONALS), draw(RATIONALS))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=7))
def test_the_first_crossing_is_that_of_a_brute_force(polygon):
    found = crossings(polygon)
    assert first_crossing(tuple(polygon)) == (found[0] if found else None)


@given(st.lists(POINTS, min_size=3, max_size=12))
def test_the_hull_is_convex_and_holds_all_points(points):
    hull = convex_hull(points)
    assert set(hull) <= set(points)
    if len(hull) < 3:
        assert all(cross(hull[0], hull[-1], point) == 0 for point in points)
        return
    assert double_area(hull) > 0
    assert first_reflex(hull) is first_straight(hull) is None
    assert all(cross(p, q, point) >= 0 for p, q in edges(hull) for point in points)


@given(simple_polygons(), st.integers(0, 20), st.booleans())
def test_counterclockwise_order_is_one_for_all_ways_to_write_a_polygon(polygon, turns, backwards):
    written = polygon[turns % len(polygon) :] + polygon[: turns % len(polygon)]
    assert counterclockwise(written[::-1] if backwards else written) == polygon
    assert double_area(polygon) > 0
    assert polygon[0] == min(polygon)


@given(simple_polygons(), motions())
def test_a_moved_polygon_is_congruent_by_that_motion(polygon, motion):
    image = motion(polygon)
    found = list(isometries(polygon, image))
    assert motion in found
    assert len(found) == len(set(found)) == len(list(isometries(polygon, polygon)))
    assert all(candidate(polygon) == image for candidate in found)
    assert double_area(image) == double_area(polygon)


@pytest.mark.parametrize(
    ("polygon", "symmetries"),
    [
        (SQUARE, 8),
        (((0, 0), (3, 0), (3, 2), (0, 2)), 4),
        (((0, 0), (2, 1), (4, 0), (2, -1)), 4),
        (((0, 0), (3, 0), (4, 2), (1, 2)), 2),
        (((0, 0), (4, 0), (2, 3)), 2),
        (((0, 0), (4, 0), (3, 1), (1, 1)), 2),
        (((0, 0), (4, 0), (0, 3)), 1),
        (((0, 0), (5, 0), (4, 2), (1, 3)), 1),
        (L_SHAPE, 2),
        (((0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)), 1),
        (((1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)), 8),
    ],
)
@examples(20)
@given(motion=motions())
def test_symmetries_stay_under_any_motion(polygon, symmetries, motion):
    found = list(isometries(polygon, polygon))
    assert len(found) == symmetries
    assert found[0] == (1, 0, 0, 1, 0, 0)
    moved = motion(polygon)
    assert len(list(isometries(moved, moved))) == symmetries


@pytest.mark.parametrize("name", ["calissons", "perigal"])
def test_areas_are_the_same(name):
    puzzle = js.read(name)
    assert js.to_sympy(puzzle.target).area == symbol(area(puzzle.target))
    assert sum(polygon.area for polygon in js.to_sympy(puzzle.pieces)) == symbol(area(puzzle.target))
    outlines = js.to_shapely(puzzle.pieces)
    assert len(outlines) == len(puzzle.pieces)
    assert sum(outline.area for outline in outlines) == pytest.approx(float(area(puzzle.target)))
