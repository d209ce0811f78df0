"""Places of vertices: nothing overlaps, clusters have discs of their own."""

import random
from itertools import combinations
from math import dist

from jigsat.render.svg.graph import apart, clustered


def test_squares_are_pushed_apart():
    """Would catch places that stay where they overlap, on one point among them."""
    chance = random.Random(1)
    places = {number: (chance.random(), chance.random()) for number in range(60)} | {60: (0.5, 0.5), 61: (0.5, 0.5)}
    found = apart(places, 1.0)
    assert list(found) == list(places)
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 0.999 for a, b in combinations(found.values(), 2))
    assert min(x for x, _ in found.values()) == min(y for _, y in found.values()) == 0


def test_clusters_have_discs():
    """Would catch discs that overlap, and vertices outside their disc."""
    chance = random.Random(2)
    clusters = [chance.randrange(7) for _ in range(80)]
    edges = [tuple(sorted(chance.sample(range(80), 2))) for _ in range(200)]
    places, discs = clustered(set(edges), range(80), clusters, 10.0)
    assert sorted(places) == list(range(80))
    assert [disc.cluster for disc in discs] == sorted(set(clusters))
    assert all(dist(a[1:3], b[1:3]) > a.radius + b.radius for a, b in combinations(discs, 2))
    at = {disc.cluster: disc for disc in discs}
    assert all(dist(place, at[clusters[v]][1:3]) < at[clusters[v]].radius for v, place in places.items())
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 9.99 for a, b in combinations(places.values(), 2))
