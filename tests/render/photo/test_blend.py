"""Artwork is the best there is, and its errors are what they are said to be."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.files.instances import read_squares
from jigsat.render.cut.family import cut_of
from jigsat.render.photo.pixels import (
    artwork_of,
    blend,
    least_errors,
    mean_squared_error,
    outlined,
    shown,
    signal_to_noise,
)

tones = st.integers(0, 255)


@given(tones, tones, st.fractions(0, 1, max_denominator=100))
def test_no_other_tone_does_better(one, other, weight):
    """Every tone from 0 to 255 is tried, with exact numbers."""
    first, second = (np.full((1, 1, 1), tone, np.uint8) for tone in (one, other))
    found = int(blend((first, second), (np.arange(1),), (float(weight), 1 - float(weight)))[0, 0, 0])
    errors = [weight * (tone - one) ** 2 + (1 - weight) * (tone - other) ** 2 for tone in range(256)]
    assert errors[found] == pytest.approx(float(min(errors)), abs=1e-9)


@pytest.mark.parametrize("colors", [1, 3])
@pytest.mark.parametrize("weight", [0, 0.25, 0.5, 1])
def test_errors_are_shared_as_the_weight_says(colors, weight):
    """A picture whose weight is 1 is shown without error; in between the errors are those of the shares."""
    puzzle = read_squares("perfect-5x5")
    first, second = np.random.default_rng(1).integers(0, 256, (2, 80, 80, colors), np.uint8)
    drawn = artwork_of(puzzle, (first, second), (weight, 1 - weight), cut_of(puzzle).tabs)
    difference = mean_squared_error(first, shown_first := second.reshape(6400, -1)[drawn.there[0]].reshape(first.shape))
    assert drawn.errors == pytest.approx(least_errors(difference, weight), rel=0.01, abs=0.2)
    if weight == 1:
        assert np.array_equal(drawn.shown[0], first)
    if weight == 0:
        assert np.array_equal(drawn.shown[0], shown_first)
        assert np.array_equal(drawn.shown[1], second)
    assert drawn.errors == (mean_squared_error(drawn.shown[0], first), mean_squared_error(drawn.shown[1], second))


def test_shown_undoes_a_transfer():
    there = np.random.default_rng(2).permutation(12)
    artwork = np.arange(36, dtype=np.uint8).reshape(3, 4, 3)
    assert np.array_equal(shown(artwork, there).reshape(12, 3)[there], artwork.reshape(12, 3))


def test_mean_squared_error_of_bytes_does_not_overflow():
    black, white = (np.full((2, 3, 1), tone, np.uint8) for tone in (0, 255))
    assert mean_squared_error(black, white) == mean_squared_error(white, black) == 65025
    assert (signal_to_noise(65025), signal_to_noise(0)) == (0, inf)
    assert signal_to_noise(650.25) == pytest.approx(20)


def test_lines_run_between_owners_and_nowhere_else():
    owner = np.array([[0, 0, 1], [0, 0, 1], [2, 2, 1]], np.int32)
    line = outlined(np.full((3, 3, 3), 200, np.uint8), owner)[..., 0] < 200
    assert np.array_equal(line, [[0, 0, 1], [0, 0, 1], [1, 1, 1]])
