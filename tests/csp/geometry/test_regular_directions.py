"""Directions at multiples of 3 degrees against floats, and the fields that they need."""

from math import cos, radians, sin

import pytest

from golden import PHI, regular, rhomb, towards
from jigsat.csp.base.errors import EngineError
from jigsat.csp.geometry.exact_numbers import parse
from jigsat.csp.geometry.regular_directions import FULL, RegularDirections, direction_of, unit


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


def test_lengths():
    directions = RegularDirections.of([rhomb(36)])
    assert directions.length(*towards(PHI, 108)) == (1, PHI)
    with pytest.raises(EngineError, match="not at a multiple of 3 degrees"):
        directions.length(1, parse("sqrt(2)"))


def test_too_many_roots_are_refused():
    shift = parse("sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)+sqrt(17)")
    with pytest.raises(EngineError, match="more than 64"):
        RegularDirections.of([tuple((x + shift, y) for x, y in regular(4))])
