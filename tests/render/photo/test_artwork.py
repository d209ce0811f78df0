"""Artwork: the best blends for the squared error and for the eye, tones that are matched, and measured errors."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.files.instances import read_squares
from jigsat.render.cut.family import cut_of
from jigsat.render.photo.artwork import WeightedPicture, seen_blend, similarity, weighted_mean
from jigsat.render.photo.eye import matched, resized, seen_errors, to_lab, to_picture
from jigsat.render.photo.pixels import artwork_of, blend, mean_squared_error, outlined, signal_to_noise

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


def test_mean_squared_error_of_bytes_does_not_overflow():
    black, white = (np.full((2, 3, 1), tone, np.uint8) for tone in (0, 255))
    assert mean_squared_error(black, white) == mean_squared_error(white, black) == 65025
    assert (signal_to_noise(65025), signal_to_noise(0)) == (0, inf)
    assert signal_to_noise(650.25) == pytest.approx(20)


def test_lines_run_between_owners_and_nowhere_else():
    owner = np.array([[0, 0, 1], [0, 0, 1], [2, 2, 1]], np.int32)
    line = outlined(np.full((3, 3, 3), 200, np.uint8), owner)[..., 0] < 200
    assert np.array_equal(line, [[0, 0, 1], [0, 0, 1], [1, 1, 1]])


def noise(seed, *shape):
    return np.random.default_rng(seed).uniform(20, 80, shape)


def test_the_derivative_is_that_of_differences():
    """Also at the edges of a picture."""
    shown, wanted, weights = noise(1, 12, 9), noise(2, 12, 9), noise(3, 12, 9)
    _, slope = similarity(shown, wanted, weights, 5)
    for y, x in ((0, 0), (11, 4), (6, 8), (5, 5)):
        step = np.zeros_like(shown)
        step[y, x] = 1e-4
        change = similarity(shown + step, wanted, weights, 5)[0] - similarity(shown - step, wanted, weights, 5)[0]
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
        return sum(similarity(a, t.picture[..., 0], t.weights, n)[0] for a, t in pairs for n in (3, 5, 11))

    assert total(seen_blend((first, second), (there,), 8)) > total(weighted_mean((first, second), (there,))) + 10


def test_lab_and_back():
    """Colours and greys come back, in any size of strips; what is equal has no error."""
    for channels in (1, 3):
        picture = np.random.default_rng(channels).integers(0, 256, (300, 7, channels), np.uint8)
        lab = to_lab(picture)
        assert abs(to_picture(lab).astype(int) - picture).max() <= 1
        assert resized(lab, 150, 7).mean() == pytest.approx(lab.mean(), rel=1e-4)
        large = picture.repeat(3, axis=1)
        assert seen_errors(large, large, 100, 21) == (0, pytest.approx(1))
        assert seen_errors(large, 255 - large, 100, 21)[1] < 0.5


@pytest.mark.parametrize("shape", [(8, 40), (40, 8), (10, 10), (8, 8), (11, 11)])
def test_errors_of_pictures_that_are_smaller_than_a_window(shape):
    picture = np.random.default_rng(5).integers(0, 256, (*shape, 3), dtype=np.uint8)
    weights = np.ones(shape, np.float32)
    assert seen_errors(picture, picture, 32, 160, weights) == (0, pytest.approx(1))
    difference, similar = seen_errors(picture, 255 - picture, 32, 160, weights)
    assert difference > 5
    assert similar < 0.5


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


def test_weights_and_strengths():
    """With all weight the first picture keeps its colours; with no strength both stay what they are."""
    first, second = layers(1, 10, 90), layers(2, 40, 60)
    one, _ = matched((first, second), 16, (1, 0))
    assert abs(one - first)[..., 1:].mean() < 0.5
    for before, after in zip((first, second), matched((first, second), 16, (0.5, 0.5), strength=0), strict=True):
        assert (before == after).all()
