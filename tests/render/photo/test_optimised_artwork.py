"""Artwork for the eye: derivatives are right, and the visible error becomes less."""

import numpy as np
import pytest

from jigsat.render.photo.artwork import WeightedPicture, seen_blend, similarity, weighted_mean
from jigsat.render.photo.eye import resized, seen_errors, to_lab, to_picture


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


def test_equal_pictures_are_quite_similar():
    """Every window has the similarity 1, and no other picture has more."""
    picture, weights = noise(1, 12, 9), np.ones((12, 9))
    total, slope = similarity(picture, picture, weights, 3)
    assert total == pytest.approx(108)
    assert abs(slope).max() < 1e-9


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
