"""Matched tones: increasing functions towards a common histogram."""

import numpy as np

from jigsat.render.photo.eye import matched


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
