"""Convex parts of polygons, what the hull has besides them, and overlaps, against their definitions."""

import random
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from brute_force_lattice import overlap as common_area
from jigsat.csp.geometry.polygons import convex_hull, double_area, edges, first_reflex
from jigsat.csp.geometry.regions import convex_parts, overlap, parts_as_indices, rest_of_hull
from simple_polygons import apart, contains, first_straight, grown, simple_polygons


def are_convex_and_apart(parts, polygon):
    """Convex polygons of the polygon's vertices that overlap neither each other nor its boundary."""
    for i, part in enumerate(parts):
        assert double_area(part) > 0
        assert first_reflex(part) is first_straight(part) is None
        assert set(part) <= set(polygon)
        assert all(apart(part, other) for other in parts[:i])
        assert all(apart(part, edge) for edge in edges(polygon))


def middle(polygon):
    return tuple(Fraction(sum(c), len(polygon)) for c in zip(*polygon, strict=True))


@given(simple_polygons())
def test_convex_parts_make_up_the_polygon(polygon):
    parts = convex_parts(polygon)
    are_convex_and_apart(parts, polygon)
    assert double_area(polygon) == sum(map(double_area, parts))
    assert all(contains(polygon, middle(part)) for part in parts)
    assert parts == tuple(tuple(polygon[vertex] for vertex in part) for part in parts_as_indices(polygon))


@given(simple_polygons(), simple_polygons(), st.integers(-3, 3), st.integers(-3, 3))
def test_overlaps_are_common_areas(one, other, dx, dy):
    """The oracle cuts the one along the edges of triangles that make up the other."""
    other = tuple((x + dx, y + dy) for x, y in other)
    assert overlap(one, other) == (common_area(one, other) > 0)
    assert overlap(one, one)


@given(simple_polygons())
def test_pockets_are_what_the_hull_has_and_the_polygon_has_not(polygon):
    """They overlap neither each other nor the polygon, so that the areas adding up leaves no gap."""
    found = rest_of_hull([polygon], [])
    hull = convex_hull(polygon)
    are_convex_and_apart(found, polygon)
    assert double_area(hull) == double_area(polygon) + sum(map(double_area, found))
    assert not any(contains(polygon, middle(pocket)) for pocket in found)


def test_random_polygons_have_pockets():
    """The test above would say little if all polygons of its strategy were nearly convex."""
    assert max(len(rest_of_hull([grown(random.Random(seed), 12)], [])) for seed in range(40)) >= 4
