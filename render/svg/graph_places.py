"""The places of a graph's vertices: spring layouts, with clusters as discs, and without overlaps."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

import networkx as nx
import numpy as np

#: Two different vertices (0-based).
Edge = tuple[int, int]
Point = tuple[float, float]

# For larger graphs networkx needs scipy.
LARGEST_SPRING = 499
_SEED, _ROUNDS = 1, 200
# The width of a cluster's disc beyond its vertices, and the gap between discs, in distances of vertices.
_RIM, _GAP = 0.7, 0.6
# How much room the layout has at first, as a multiple of the room that vertices or discs take.
_ROOM = 1.6
_MOST_PUSHES = 2000


class Disc(NamedTuple):
    """The disc of a cluster."""

    cluster: int
    x: float
    y: float
    radius: float


def spring_places(edges: Collection[Edge], vertices: Sequence[int]) -> dict[int, Point]:
    """The places of vertices by a spring embedder (Fruchterman and Reingold 1991) with a fixed seed."""
    graph = nx.Graph()
    graph.add_nodes_from(vertices)
    graph.add_edges_from(edges)
    found = nx.spring_layout(graph, seed=_SEED, iterations=_ROUNDS)
    return {vertex: (float(x), float(y)) for vertex, (x, y) in found.items()}


def filling(places: Mapping[int, Point], side: float) -> dict[int, Point]:
    """Stretch the places to fill a square."""
    lows, highs = ([pick(place[axis] for place in places.values()) for axis in (0, 1)] for pick in (min, max))
    x_scale, y_scale = (side / ((high - low) or 1) for low, high in zip(lows, highs, strict=True))
    return {vertex: ((x - lows[0]) * x_scale, (y - lows[1]) * y_scale) for vertex, (x, y) in places.items()}


def apart(places: Mapping[int, Point], size: float) -> dict[int, Point]:
    """Push places apart until squares of that size around them do not overlap; the least coordinates become 0."""
    at = np.array(list(places.values()), dtype=float)
    # Places on one point need a direction.
    at += np.arange(len(at))[:, None] * [1e-6, 2e-6]
    for _ in range(_MOST_PUSHES):
        away = at[:, None] - at[None]
        far = np.abs(away)
        overlap = size - far.max(axis=2)
        np.fill_diagonal(overlap, 0)
        if overlap.max(initial=0) < 1e-6 * size:
            break
        push = np.maximum(overlap, 0)[:, :, None] * np.sign(away) * (far == far.max(axis=2)[:, :, None])
        at += 0.5 * push.sum(axis=1)
    at -= at.min(axis=0, initial=np.inf) if len(at) else 0
    return {vertex: (float(x), float(y)) for vertex, (x, y) in zip(places, at, strict=True)}


def clustered(
    edges: Collection[Edge], vertices: Sequence[int], clusters: Sequence[int], distance: float
) -> tuple[dict[int, Point], list[Disc]]:
    """Places in which each cluster has a disc of its own, discs with many edges between them near each other.

    - `edges`, `vertices`: the edges and vertices of a component.
    - `clusters`: the cluster of each vertex of the graph.
    - `distance`: the least distance of two vertices, in either coordinate.

    Returns the places, with least coordinates 0 or more, and the discs.
    """
    members: dict[int, list[int]] = defaultdict(list)
    for vertex in vertices:
        members[clusters[vertex]].append(vertex)
    inside = {cluster: _inside(edges, some, distance) for cluster, some in members.items()}
    radii = {
        cluster: max(sqrt(x * x + y * y) for x, y in places.values()) + _RIM * distance
        for cluster, places in inside.items()
    }
    middles = _discs_apart(_middles(edges, clusters, radii), radii, _GAP * distance)
    left = min(x - radii[cluster] for cluster, (x, _) in middles.items())
    top = min(y - radii[cluster] for cluster, (_, y) in middles.items())
    discs = [Disc(cluster, x - left, y - top, radii[cluster]) for cluster, (x, y) in sorted(middles.items())]
    places = {vertex: (disc.x + x, disc.y + y) for disc in discs for vertex, (x, y) in inside[disc.cluster].items()}
    return places, discs


def _inside(edges: Collection[Edge], vertices: Sequence[int], distance: float) -> dict[int, Point]:
    """The places of a cluster's vertices around the origin."""
    own = set(vertices)
    places = spring_places([edge for edge in edges if own.issuperset(edge)], vertices)
    places = apart(filling(places, distance * (sqrt(len(vertices)) - 1)), distance)
    x, y = (max(place[axis] for place in places.values()) / 2 for axis in (0, 1))
    return {vertex: (u - x, v - y) for vertex, (u, v) in places.items()}


def _middles(edges: Collection[Edge], clusters: Sequence[int], radii: Mapping[int, float]) -> dict[int, Point]:
    """The middles of discs by a spring embedder of the graph of clusters."""
    between = Counter(tuple(sorted((clusters[a], clusters[b]))) for a, b in edges if clusters[a] != clusters[b])
    graph = nx.Graph()
    graph.add_nodes_from(sorted(radii))
    graph.add_weighted_edges_from((one, other, sqrt(number)) for (one, other), number in sorted(between.items()))
    side = _ROOM * sqrt(sum(4 * radius * radius for radius in radii.values()))
    found = nx.spring_layout(graph, seed=_SEED, iterations=_ROUNDS)
    return filling({cluster: (float(x), float(y)) for cluster, (x, y) in found.items()}, side)


def _discs_apart(middles: Mapping[int, Point], radii: Mapping[int, float], gap: float) -> dict[int, Point]:
    """Push discs apart until they do not overlap."""
    at = np.array(list(middles.values()), dtype=float)
    at += np.arange(len(at))[:, None] * [1e-6, 2e-6]
    size = np.array([radii[cluster] for cluster in middles])
    needed = size[:, None] + size[None] + gap
    for _ in range(_MOST_PUSHES):
        away = at[:, None] - at[None]
        far = np.sqrt((away * away).sum(axis=2))
        np.fill_diagonal(far, np.inf)
        overlap = needed - far
        if overlap.max(initial=0) < 1e-6 * gap:
            break
        push = np.maximum(overlap, 0) / np.maximum(far, 1e-9)
        at += 0.5 * (push[:, :, None] * away).sum(axis=1)
    return {cluster: (float(x), float(y)) for cluster, (x, y) in zip(middles, at, strict=True)}
