"""Exact polygons against their definitions, on random ones."""

import random
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jigsat.csp.geometry.polygons import (
    LATTICE_MOTIONS,
    Isometry,
    convex_hull,
    counterclockwise,
    cross,
    double_area,
    edges,
    first_crossing,
    first_reflex,
    first_straight,
    isometries,
    pockets,
)
from property_tests import examples

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


@st.composite
def convex_polygons(draw):
    hull = convex_hull(draw(st.lists(POINTS, min_size=3, max_size=9)))
    assume(len(hull) > 2)
    return hull


def grown(chance, steps):
    """A triangle that grows: a random point is put between two neighbours wherever the polygon stays simple."""
    polygon = [(0, 0), (6, 0), (0, 6)]
    for _ in range(steps):
        at, point = chance.randrange(len(polygon)), (chance.randint(-6, 6), chance.randint(-6, 6))
        larger = [*polygon[: at + 1], point, *polygon[at + 1 :]]
        if point not in polygon and not crossings(larger) and first_straight(tuple(larger)) is None:
            polygon = larger
    return counterclockwise(tuple(polygon))


@st.composite
def simple_polygons(draw):
    return grown(random.Random(draw(st.integers(0, 2**32))), draw(st.integers(0, 12)))


def crossings(polygon):
    """The pairs of sides, no neighbours, that no line separates."""
    sides = list(edges(polygon))
    n = len(sides)
    return [
        (i, j)
        for i in range(n)
        for j in range(i + 1, n)
        if j > i + 1 and (i, j) != (0, n - 1) and not apart(sides[i], sides[j], touching=False)
    ]


def apart(one, other, *, touching=True):
    """Whether two convex figures have no inner point in common, or, unless they may touch, no point at all.

    Their projections along some edge, across it, or along an axis, are then disjoint.
    """
    directions = [(1, 0), (0, 1)]
    for (ax, ay), (bx, by) in (*edges(one), *edges(other)):
        directions += [(bx - ax, by - ay), (ay - by, bx - ax)]
    for dx, dy in directions:
        left, right = ([x * dx + y * dy for x, y in figure] for figure in (one, other))
        for low, high in ((left, right), (right, left)):
            if (dx, dy) != (0, 0) and (max(low) < min(high) or (touching and max(low) <= min(high))):
                return True
    return False


def contains(polygon, point):
    """Whether a point that is not on the edge lies inside: whether a ray to the right leaves an odd number of times."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in edges(polygon):
        if (ay > y) != (by > y) and x < ax + Fraction((y - ay) * (bx - ax)) / (by - ay):
            inside = not inside
    return inside


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


@given(simple_polygons())
def test_pockets_are_what_the_hull_has_and_the_polygon_has_not(polygon):
    """They overlap neither each other nor the polygon, so that the areas adding up leaves no gap."""
    triangles = pockets(polygon)
    hull = convex_hull(polygon)
    assert all(len(triangle) == 3 and double_area(triangle) > 0 for triangle in triangles)
    assert double_area(hull) == double_area(polygon) + sum(map(double_area, triangles))
    for i, triangle in enumerate(triangles):
        assert set(triangle) <= set(polygon)
        assert all(apart(triangle, other) for other in triangles[:i])
        assert all(apart(triangle, edge) for edge in edges(polygon))
        assert not contains(polygon, tuple(Fraction(sum(c), 3) for c in zip(*triangle, strict=True)))


def test_random_polygons_have_pockets():
    """The test above would say little if all polygons of its strategy were nearly convex."""
    assert max(len(pockets(grown(random.Random(seed), 12))) for seed in range(40)) >= 4


def test_a_pocket_may_end_on_an_edge_of_the_hull():
    """Here (2, 4) lies on the hull's edge from (6, 0) to (0, 6), and is no vertex of the hull."""
    assert sum(map(double_area, pockets(((0, 0), (6, 0), (1, 1), (2, 4), (0, 6))))) == 16


def test_a_convex_polygon_has_no_pockets():
    assert pockets(SQUARE) == ()
    assert pockets(L_SHAPE) == (((1, 2), (1, 1), (2, 1)),)


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


@given(convex_polygons(), st.sampled_from((2, Fraction(1, 2), Fraction(6, 5))))
def test_a_polygon_of_another_size_is_not_congruent(polygon, factor):
    assert list(isometries(polygon, tuple((x * factor, y * factor) for x, y in polygon))) == []


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


def test_equal_sides_do_not_make_polygons_congruent():
    square, rhombus = ((0, 0), (5, 0), (5, 5), (0, 5)), ((0, 0), (5, 0), (8, 4), (3, 4))
    assert list(isometries(square, rhombus)) == []
    assert list(isometries(square, square[:3])) == []


def test_the_lattice_motions_are_eight():
    images = {Isometry(*motion, 0, 0)(((0, 0), (4, 0), (1, 2))) for motion in LATTICE_MOTIONS}
    assert len(images) == 8
    assert all(Isometry(*motion, 0, 0).is_lattice_motion for motion in LATTICE_MOTIONS)
    assert not Isometry(Fraction(3, 5), Fraction(-4, 5), Fraction(4, 5), Fraction(3, 5), 0, 0).is_lattice_motion
