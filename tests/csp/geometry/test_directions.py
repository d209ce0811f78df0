"""Exact directions against complex numbers, those at multiples of 3 degrees against floats, and their fields."""

from cmath import phase
from math import cos, gcd, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import PHI, regular, rhomb
from jigsat.csp.base.errors import EngineError
from jigsat.csp.geometry.directions import (
    FULL,
    GaussianDirections,
    RegularDirections,
    direction_of,
    primitive_norm,
    unit,
)
from jigsat.csp.geometry.exact_numbers import parse

EDGES = [(2, 4), (3, 2), (-4, 1), (10, 3)]
FIELD = GaussianDirections.of_edges(EDGES)
VECTORS = st.tuples(st.integers(0, 7), *(st.integers(-4, 4) for _ in FIELD.primes))


@given(VECTORS, VECTORS)
def test_rotations_add_up(one, other):
    total = ((one[0] + other[0]) % 8, *(a + b for a, b in zip(one[1:], other[1:], strict=True)))
    z, w = complex(*FIELD.gaussian(one)), complex(*FIELD.gaussian(other))
    assert abs(phase(z * w / complex(*FIELD.gaussian(total)))) < 1e-9
    assert FIELD.vector_of(FIELD.word(one) + FIELD.word(other)) == total
    turned_back = ((one[0] - other[0]) % 8, *(a - b for a, b in zip(one[1:], other[1:], strict=True)))
    assert FIELD.vector_of(FIELD.word(one) - FIELD.word(other)) == turned_back


@given(VECTORS, st.sampled_from(EDGES))
def test_edges_keep_their_length(vector, edge):
    """n/d sqrt(r) times the integer vector is as long as the edge, and points where it should."""
    norm = primitive_norm(*edge)
    grade, n, d = FIELD.edge(vector, norm)
    p, q = FIELD.gaussian(vector)
    assert n * n * FIELD.radicands[grade] * (p * p + q * q) == norm * d * d
    assert n > 0
    assert gcd(n, d) == 1


def test_too_many_primes_are_named():
    edges = [(2, 1), (3, 2), (4, 1), (5, 2), (6, 1), (5, 4), (7, 2)]
    with pytest.raises(EngineError, match="7 odd prime factors"):
        GaussianDirections.of_edges(edges)


def test_units_are_cosines_and_sines():
    for k in range(FULL):
        x, y = unit(k)
        assert x * x + y * y == 1
        assert (float(x), float(y)) == pytest.approx((cos(radians(3 * k)), sin(radians(3 * k))), abs=1e-15)
        assert direction_of((x * PHI, y * PHI)) == k


@pytest.mark.parametrize(
    ("polygon", "step", "radicands"),
    [
        (regular(4), 30, (1,)),
        (regular(3), 20, (1, 3)),
        (regular(8), 15, (1, 2)),
        (regular(5), 12, (1, 5, -1, -5)),
        (rhomb(3), 1, (1, 2, 3, 5, 6, 10, 15, 30, -1, -2, -3, -5, -6, -10, -15, -30)),
    ],
)
def test_fields(polygon, step, radicands):
    directions = RegularDirections.of([polygon])
    assert (directions.step, directions.radicands) == (step, radicands)
    for point in polygon:
        for c in point:
            assert directions.number(directions.coefficients(c)) == c


def test_too_many_roots_are_refused():
    shift = parse("sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)+sqrt(17)")
    with pytest.raises(EngineError, match="more than 64"):
        RegularDirections.of([tuple((x + shift, y) for x, y in regular(4))])
