"""Signs that the kernel decides against the exact numbers, near zero above all."""

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.geometry.directions import GaussianDirections
from jigsat.csp.geometry.exact_numbers import sign, surd
from jigsat.csp.search.tilings import exact_kernel
from jigsat.csp.search.tilings.exact_kernel import BY_INTEGERS, EXACTLY, SIGN, SIGNS, UNDECIDED
from jigsat.csp.search.tilings.planes import ExactPlane
from property_tests import examples

DIRECTIONS = GaussianDirections((5, 13, 17))
RADICANDS = DIRECTIONS.radicands
LARGEST = 10**12


def convergents(radicand):
    """Fractions a/b near the root of a number that is no square, so that b sqrt(r) - a is smaller than 1/b."""
    root = isqrt(radicand)
    m, d, a = 0, 1, root
    before, now = (1, 0), (root, 1)
    while now[1] < LARGEST:
        yield now
        m = d * a - m
        d = (radicand - m * m) // d
        a = (root + m) // d
        before, now = now, (a * now[0] + before[0], a * now[1] + before[1])


@st.composite
def numbers(draw):
    """Coefficients by radicand: random ones, and sums of differences that nearly vanish."""
    if draw(st.booleans()):
        size = draw(st.sampled_from([2, 100, LARGEST]))
        return draw(st.lists(st.integers(-size, size), min_size=len(RADICANDS), max_size=len(RADICANDS)))
    coefficients = [0] * len(RADICANDS)
    for index in draw(st.lists(st.integers(1, len(RADICANDS) - 1), min_size=1, max_size=3)):
        a, b = draw(st.sampled_from(list(convergents(RADICANDS[index]))))
        factor = draw(st.sampled_from([-1, 1]))
        coefficients[0] -= factor * a
        coefficients[index] += factor * b
    return coefficients


@pytest.fixture(scope="module")
def plane():
    """Vertices whose coordinates are below ten LARGEST."""
    return ExactPlane(DIRECTIONS, (1,), 10**4 * LARGEST, np.zeros((0, 7), dtype=np.int64))


def asked(exact, kernel, *arguments):
    """What a kernel says, its questions answered."""
    while True:
        found = int(kernel(exact.plane, *arguments))
        if exact.plane.asked[0] == 0:
            return found
        assert exact.plane.asked[0] == SIGN
        assert exact.answer() == 0


@examples(400)
@given(numbers(), numbers(), st.sampled_from([(1, 0), (0, 1), (1, 1), (2, 1), (-3, 2), (4, -1)]))
def test_sides_are_those_of_exact_numbers(plane, x, y, along):
    """Wrong in the filter's bound, in integers, or in the table of signs that were worked out."""
    exact = plane
    d = exact.direction(DIRECTIONS.word(DIRECTIONS.vector(*along)))
    for v, (xs, ys) in enumerate(((x, y), ([0] * len(x), [0] * len(y)))):
        exact.plane.xs[v], exact.plane.ys[v] = xs, ys
        exact_kernel.locate(exact.plane, np.uint64(v))
    to_left, far = (
        surd({r: Fraction(p * b - q * a) for r, a, b in zip(RADICANDS, x, y, strict=True)})
        for p, q in (along, (along[1], -along[0]))
    )
    assert asked(exact, exact_kernel.side, np.uint64(0), np.uint64(1), np.uint64(d)) == sign(to_left)
    assert asked(exact, exact_kernel.ahead, np.uint64(0), np.uint64(1), np.uint64(d)) == sign(far)
    counts = exact.plane.counts
    assert counts[SIGNS] >= counts[UNDECIDED] == counts[BY_INTEGERS] + counts[EXACTLY]


def test_near_zero_is_not_zero(plane):
    """b sqrt(2) - a for a good fraction a/b, which floats cannot distinguish from 0."""
    a, b = list(convergents(2))[-1]
    exact = plane
    d = exact.direction(DIRECTIONS.word(DIRECTIONS.vector(1, 0)))
    exact.plane.xs[:2], exact.plane.ys[:2] = 0, 0
    exact.plane.ys[0, 0], exact.plane.ys[0, RADICANDS.index(2)] = -a, b
    exact_kernel.locate(exact.plane, np.uint64(0))
    exact_kernel.locate(exact.plane, np.uint64(1))
    before = exact.plane.counts[EXACTLY]
    found = asked(exact, exact_kernel.side, np.uint64(0), np.uint64(1), np.uint64(d))
    assert found == (1 if 2 * b * b > a * a else -1)
    assert exact.plane.counts[EXACTLY] > before
