"""Artwork: the best blends for the squared error and for the eye, tones that are matched, and measured errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.files.instances import read_squares
from jigsat.render.cut.family import cut_of
from jigsat.render.photo.artwork import WeightedPicture, seen_blend, similarity, weighted_mean
from jigsat.render.photo.eye import matched
from jigsat.render.photo.pixels import artwork_of, blend, mean_squared_error

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
    shares = (1 - weight) ** 2 * difference, weight**2 * difference
    assert drawn.errors == pytest.approx(shares, rel=0.01, abs=0.2)
    if weight == 1:
        assert np.array_equal(drawn.shown[0], first)
    if weight == 0:
        assert np.array_equal(drawn.shown[0], shown_first)
        assert np.array_equal(drawn.shown[1], second)
    assert drawn.errors == (mean_squared_error(drawn.shown[0], first), mean_squared_error(drawn.shown[1], second))


def noise(seed, *shape):
    return np.random.default_rng(seed).uniform(20, 80, shape)


def test_the_derivative_is_that_of_differences():
    """Also at the edges of a picture."""
    shown, wanted, weights = noise(1, 12, 9), noise(2, 12, 9), noise(3, 12, 9)
    similar = similarity(wanted, weights, 5)
    _, slope = similar(shown)
    for y, x in ((0, 0), (11, 4), (6, 8), (5, 5)):
        step = np.zeros_like(shown)
        step[y, x] = 1e-4
        change = similar(shown + step)[0] - similar(shown - step)[0]
        assert slope[y, x] == pytest.approx(change / 2e-4, rel=1e-5)


def test_the_blend_is_better_than_the_mean():
    """Catches steps in the wrong direction, and pixels that are mixed up between the assemblies."""
    there = np.random.default_rng(0).permutation(24 * 24)
    first, second = (
        WeightedPicture(noise(i, 24, 24, 1).astype(np.float32), np.ones((24, 24), np.float32)) for i in (1, 2)
    )

    def total(artwork):
        moved = np.empty(24 * 24, np.float32)
        moved[there] = artwork[..., 0].ravel()
        pairs = ((artwork[..., 0], first), (moved.reshape(24, 24), second))
        return sum(similarity(t.picture[..., 0], t.weights, n)(a)[0] for a, t in pairs for n in (3, 5, 11))

    assert total(seen_blend((first, second), (there,), 8)) > total(weighted_mean((first, second), (there,))) + 10


def layers(seed, low, high):
    """Squares of one tone each, 16 pixels wide, in CIELAB."""
    values = np.random.default_rng(seed).uniform(low, high, (12, 12, 3)).astype(np.float32)
    return values.repeat(16, axis=0).repeat(16, axis=1)


def test_tones_keep_their_order_and_become_alike():
    """Catches maps that are not increasing, and histograms that stay apart."""
    first, second = layers(1, 5, 40), layers(2, 50, 95)
    one, other = matched((first, second), 16, (0.5, 0.5))
    for before, after in ((first, one), (second, other)):
        order = before[..., 0].ravel().argsort(kind="stable")
        assert (np.diff(after[..., 0].ravel()[order]) >= -1e-4).all()
    parts = np.linspace(0.1, 0.9, 9)
    assert abs(np.quantile(one[..., 0], parts) - np.quantile(other[..., 0], parts)).max() < 8
    assert abs(np.quantile(first[..., 0], parts) - np.quantile(second[..., 0], parts)).min() > 40
