"""Pictures of graphs whose vertices are tilings."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import atan2, cos, inf, pi, sin, sqrt, tan
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import InstanceError, plural
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from .svg import CHARACTER, DARK, DIGIT_HEIGHT, MARGIN, RED, Line, drawing, element, harmless, moved, short
from .tiling import SmallTiling, Stock, captioned, polygon_group, scale_to, small_tiling

#: Two different vertices (0-based).
Edge = tuple[int, int]
Point = tuple[float, float]

# For larger graphs networkx needs scipy.
LARGEST_SPRING = 499
_SEED, _ROUNDS = 1, 200
# The width of a cluster's disc beyond its vertices, and the gap between discs, in distances of vertices.
_RIM, _DISC_GAP = 0.7, 0.6
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
    at = _pushed(places, size, 1e-6 * size, inf)
    at -= at.min(axis=0, initial=np.inf) if len(at) else 0
    return {vertex: (float(x), float(y)) for vertex, (x, y) in zip(places, at, strict=True)}


def _pushed(places: Mapping[int, Point], needed: Any, slack: float, norm: float) -> NDArray[np.float64]:
    """The places, pushed apart until their distances in the norm (2 or infinity) are those needed, but for `slack`."""
    at = np.array(list(places.values()), dtype=float)
    # Places on one point need a direction.
    at += np.arange(len(at))[:, None] * [1e-6, 2e-6]
    for _ in range(_MOST_PUSHES):
        away = at[:, None] - at[None]
        far = np.sqrt((away * away).sum(axis=2)) if norm == 2 else np.abs(away).max(axis=2)
        overlap = needed - far
        np.fill_diagonal(overlap, 0)
        if overlap.max(initial=0) < slack:
            break
        # Squares are pushed along one axis, discs from middle to middle.
        along = away / np.maximum(far, 1e-9)[:, :, None]
        if norm != 2:
            along = np.sign(away) * (np.abs(away) == far[:, :, None])
        at += 0.5 * (np.maximum(overlap, 0)[:, :, None] * along).sum(axis=1)
    return at


def clustered(
    edges: Collection[Edge], vertices: Sequence[int], clusters: Sequence[int], distance: float
) -> tuple[dict[int, Point], list[Disc]]:
    """Places in which each cluster has a disc of its own, discs with many edges between them near each other.

    `distance` is the least distance of two vertices, in either coordinate.
    """
    members: dict[int, list[int]] = defaultdict(list)
    for vertex in vertices:
        members[clusters[vertex]].append(vertex)
    inside = {cluster: _inside(edges, some, distance) for cluster, some in members.items()}
    radii = {
        cluster: max(sqrt(x * x + y * y) for x, y in places.values()) + _RIM * distance
        for cluster, places in inside.items()
    }
    size = np.array([radii[cluster] for cluster in sorted(radii)])
    needed = size[:, None] + size[None] + _DISC_GAP * distance
    pushed = _pushed(_middles(edges, clusters, radii), needed, 1e-6 * _DISC_GAP * distance, 2)
    middles = {cluster: (float(x), float(y)) for cluster, (x, y) in zip(sorted(radii), pushed, strict=True)}
    left = min(x - radii[cluster] for cluster, (x, _) in middles.items())
    top = min(y - radii[cluster] for cluster, (_, y) in middles.items())
    discs = [Disc(cluster, x - left, y - top, radii[cluster]) for cluster, (x, y) in sorted(middles.items())]
    places = {vertex: (disc.x + x, disc.y + y) for disc in discs for vertex, (x, y) in inside[disc.cluster].items()}
    return places, discs


def _inside(edges: Collection[Edge], vertices: Sequence[int], distance: float) -> dict[int, Point]:
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


_Kinds = dict[Edge, str]

# The colours of kinds of edges: for these two, and for others in the order of their names.
_KNOWN_COLORS = {"local": "#2b62b8", "global": "#e07a1f"}
_COLORS = ("#1e6e4c", "#6b3fa0", "#7a4a22", "#8f1f33")
# Pixels: the side of the largest component, of others per square root of the number of vertices; gaps, dots, texts.
_SIDE, _PER_ROOT, _GAP = 1000, 60, 24
_DOT, _LARGE_DOT, _TEXT, _SAMPLE = 3.2, 6.0, 15, 28
# Thumbnails: the detail of their drawing, their largest size in a picture, the gap between them, the number of rings
# around a circle, and the distance of rings by their size: squares on a diagonal may touch at their corners only.
_FINE, _THUMBNAIL, _BETWEEN, _RINGS, _DIAGONAL = 120, 56, 8, 3, 1.42
# The distance of dots, and the largest circle on which thumbnails lie at the places of their vertices.
_APART, _FEW = 22, 12
_DISC = "#f1eee4"


@dataclass(frozen=True)
class _Part:
    """A component, laid out in a square box whose upper left corner is the origin."""

    places: Mapping[int, Point]  #: The place of each vertex
    edges: Mapping[Edge, str]  #: The kind of each edge
    side: float  #: The side of the box
    #: The vertices in the order of their places on a circle with visible edges; empty if they are not on a circle.
    ring: Sequence[int]
    discs: Sequence[Disc] = ()  #: The discs of clusters


class _Style(NamedTuple):
    colors: Mapping[str, str]
    highlighted: Collection[int]
    thumbnails: Sequence[SmallTiling]
    stock: Stock


def draw_tiling_graph(
    edges: Mapping[Edge, str],
    vertices: int,
    *,
    name: str = "graph of tilings",
    highlighted: Collection[int] = (),
    cycle: Sequence[int] = (),
    clusters: Sequence[int] = (),
    thumbnails: Sequence[tuple[DissectionPuzzle, Tiling]] = (),
) -> str:
    """Draw a graph as an SVG, its components next to each other, the largest one first.

    A component is laid out by a spring embedder with a fixed seed, each cluster in a disc of its own.  It lies on a
    circle if the cycle, a Hamiltonian one, runs through it, or if it has fewer than 4 or more than 499 vertices; chords
    of circles are arcs that meet the circle at right angles.  Highlighted vertices have larger dots; the legend calls
    them cores.  `thumbnails` has for each vertex a tiling to show.
    """
    distance = _THUMBNAIL + _BETWEEN if thumbnails else _APART
    parts = [_laid_out(component, cycle, clusters, distance) for component in _components(edges, vertices, cycle)]
    kinds = Counter(edges.values())
    others = sorted(kinds.keys() - _KNOWN_COLORS)
    colors = _KNOWN_COLORS | {kind: _COLORS[number % len(_COLORS)] for number, kind in enumerate(others)}
    scale = scale_to(((puzzle, ()) for puzzle, _ in thumbnails), _FINE)
    small = [small_tiling(puzzle, tiling, scale) for puzzle, tiling in thumbnails]
    root = drawing(name)
    style = _Style(colors, frozenset(highlighted), small, Stock(root, small))
    width, height = _add_parts(root, parts, style)
    # Moves that are of no kind are called `move`.
    told = {kind: plural(count, kind, str) if kind == "move" else f"{count} {kind}" for kind, count in kinds.items()}
    height = _add_legend(root, {text: colors[kind] for kind, text in sorted(told.items())}, style, width, height)
    return captioned(root, [Line(name, "name"), Line(_fact(vertices, len(edges), parts))], width, height)


def place_components(
    edges: Mapping[Edge, str], vertices: int, clusters: Sequence[int]
) -> tuple[dict[int, Point], list[Disc], Point]:
    """The places of all vertices as dots, the discs of clusters, and the width and height.

    Components are next to each other, the largest one first.
    """
    parts = [_laid_out(component, (), clusters, _APART) for component in _components(edges, vertices, ())]
    places: dict[int, Point] = {}
    discs: list[Disc] = []
    corners, size = _boxes([part.side + 2 * _GAP for part in parts])
    for part, (left, top) in zip(parts, corners, strict=True):
        dx, dy = left + _GAP, top + _GAP
        places |= {vertex: (x + dx, y + dy) for vertex, (x, y) in part.places.items()}
        discs += [disc._replace(x=disc.x + dx, y=disc.y + dy) for disc in part.discs]
    return places, discs, size


def _components(edges: Mapping[Edge, str], vertices: int, cycle: Sequence[int]) -> list[tuple[list[int], _Kinds]]:
    """The vertices and edges of each component, the largest first; those of equal size by their smallest vertex."""
    graph = nx.Graph()
    graph.add_nodes_from(range(vertices))
    for a, b in edges:
        if not (0 <= a < vertices and 0 <= b < vertices) or a == b or graph.has_edge(a, b):
            raise InstanceError(f"({a + 1}, {b + 1}): edges must join two of the vertices 1 to {vertices}, once")
        graph.add_edge(a, b)
    found = [sorted(component) for component in nx.connected_components(graph)]
    if cycle and sorted(cycle) not in found:
        raise InstanceError(f"a cycle of {len(cycle)} vertices: must visit all vertices of one component once")
    at = {vertex: number for number, component in enumerate(found) for vertex in component}
    parts: list[_Kinds] = [{} for _ in found]
    # In the order of their vertices, so that the layout depends only on the graph.
    for edge in sorted(edges):
        parts[at[edge[0]]][edge] = edges[edge]
    return sorted(zip(found, parts, strict=True), key=lambda part: (-len(part[0]), part[0][0]))


def _laid_out(
    component: tuple[list[int], _Kinds], cycle: Sequence[int], clusters: Sequence[int], distance: float
) -> _Part:
    vertices, edges = component
    side = min(_SIDE, _PER_ROOT * sqrt(len(vertices)))
    if 3 < len(vertices) <= LARGEST_SPRING and set(cycle) != set(vertices):
        if clusters:
            places, discs = clustered(list(edges), vertices, clusters, distance)
            width = max(disc.x + disc.radius for disc in discs)
            height = max(disc.y + disc.radius for disc in discs)
            return _Part(places, edges, max(width, height), (), discs)
        places = filling(spring_places(list(edges), vertices), side)
        if distance > _APART:
            places = apart(places, distance)
            side = max(max(place) for place in places.values())
        return _Part(places, edges, side, ())
    graph = nx.Graph()
    graph.add_nodes_from(vertices)
    graph.add_edges_from(edges)
    ring = cycle if set(cycle) == set(vertices) else list(nx.dfs_preorder_nodes(graph, vertices[0]))
    if len(ring) <= _FEW:
        points = [_on_circle(number / len(ring), 1, 1) for number in range(len(ring))]
        least = min((max(abs(x - u), abs(y - v)) for (x, y), (u, v) in combinations(points, 2)), default=inf)
        side = max(side, 2 * distance / least)
    radius = side / 2 if len(ring) > 1 else 0
    places = {vertex: _on_circle(number / len(ring), radius, side / 2) for number, vertex in enumerate(ring)}
    return _Part(places, edges, side, ring if len(ring) > 3 or ring is cycle else ())


def _on_circle(part: float, radius: float, middle: float) -> Point:
    """The point at a fraction of the way clockwise around a circle, from its top."""
    return middle + radius * sin(2 * pi * part), middle - radius * cos(2 * pi * part)


def _add_parts(root: ET.Element, parts: Sequence[_Part], style: _Style) -> tuple[float, float]:
    """Add the largest component, then the others in columns next to it; return the total width and height."""
    # Dots and thumbnails reach beyond the boxes.
    airs = [_thumbnail_places(part)[2] if style.thumbnails else _LARGE_DOT + 1 for part in parts]
    sizes = [part.side + 2 * air for part, air in zip(parts, airs, strict=True)]
    corners, total = _boxes(sizes)
    for part, air, (left, top) in zip(parts, airs, corners, strict=True):
        place = moved(MARGIN + left + air, MARGIN + top + air)
        _add_part(element(root, "g", class_="component", transform=place), part, style)
    return total


def _boxes(sizes: Sequence[float]) -> tuple[list[Point], Point]:
    """The corners of square boxes, the first one, then the others in columns next to it; the width and height."""
    most = max(sizes[0], sqrt(sum(size * size for size in sizes))) if sizes else 0
    left = top = column = height = 0.0
    corners: list[Point] = []
    for number, size in enumerate(sizes):
        if number == 1 or top + size > most:
            left, top, column = left + column, 0.0, 0.0
        corners.append((left, top))
        column, height, top = max(column, size + _GAP), max(height, top + size), top + size + _GAP
    return corners, (max(left + column - _GAP, 0), height)


def _add_part(group: ET.Element, part: _Part, style: _Style) -> None:
    """Add the edges of a component, below its vertices and above the discs of clusters."""
    for disc in part.discs:
        # No circle: these are the vertices.
        ellipse = element(
            group, "ellipse", class_="cluster", cx=disc.x, cy=disc.y, rx=disc.radius, ry=disc.radius, fill=_DISC
        )
        number = sum((x - disc.x) ** 2 + (y - disc.y) ** 2 < disc.radius**2 for x, y in part.places.values())
        element(ellipse, "title", f"cluster {disc.cluster + 1}, {plural(number, 'tiling', str)}")
    rim = {frozenset(pair) for pair in zip(part.ring, (*part.ring[1:], *part.ring[:1]), strict=True)}
    for on_rim, kind in product((False, True), style.colors):
        chosen = [edge for edge, its in part.edges.items() if its == kind and (frozenset(edge) in rim) is on_rim]
        if chosen:
            lines = "".join(_line(part, edge, straight=on_rim or not part.ring) for edge in chosen)
            width, opacity = (2.4, 1) if on_rim else (1, 0.5)
            path = element(
                group, "path", class_="edges", d=lines, fill="none", stroke=style.colors[kind], stroke_width=width,
                stroke_opacity=opacity,
            )  # fmt: skip
            element(path, "title", harmless(kind))
    degrees = Counter(vertex for edge in part.edges for vertex in edge)
    titles = {vertex: f"tiling {vertex + 1}, {plural(degrees[vertex], 'move', str)}" for vertex in part.places}
    if style.thumbnails:
        _add_thumbnails(group, part, style, titles)
    if not style.thumbnails or len(part.ring) > _FEW:
        _add_dots(group, part, style, titles)


def _line(part: _Part, edge: Edge, *, straight: bool) -> str:
    """An edge as path data: straight, or on a circle an arc that meets the circle at right angles."""
    (x, y), (u, v) = part.places[edge[0]], part.places[edge[1]]
    start, end = f"M{short(x)} {short(y)}", f"{short(u)} {short(v)}"
    half = part.side / 2
    x, y, u, v = x - half, y - half, u - half, v - half
    turn = atan2(x * v - y * u, x * u + y * v)
    # Diameters are arcs of infinite radius.
    if straight or abs(turn) > 0.99 * pi:
        return f"{start}L{end}"
    radius = short(half * tan(abs(turn) / 2))
    return f"{start}A{radius} {radius} 0 0 {int(turn < 0)} {end}"


def _add_dots(group: ET.Element, part: _Part, style: _Style, titles: Mapping[int, str]) -> None:
    for chosen, radius, color in ((False, _DOT, DARK), (True, _LARGE_DOT, RED)):
        layer = element(group, "g", class_="highlighted" if chosen else "vertices", fill=color, stroke="#fff")
        for vertex, (x, y) in part.places.items():
            if (vertex in style.highlighted) is chosen:
                element(element(layer, "circle", cx=x, cy=y, r=radius), "title", titles[vertex])


def _add_thumbnails(group: ET.Element, part: _Part, style: _Style, titles: Mapping[int, str]) -> None:
    """Add the vertices as small tilings, the highlighted ones on top."""
    layer = polygon_group(group, 1)
    places, size, _ = _thumbnail_places(part)
    for vertex in sorted(places, key=lambda vertex: vertex in style.highlighted):
        (x, y), tiling = places[vertex], style.thumbnails[vertex]
        width, height = tiling.size
        scale = size / max(width, height)
        place = f"{moved(x - width * scale / 2, y - height * scale / 2)}scale({scale:.4f})"
        cell = element(layer, "g", class_="tiling", transform=place)
        element(cell, "title", titles[vertex])
        if vertex in style.highlighted:
            frame = 3 / scale
            element(
                cell, "rect", x=-frame, y=-frame, width=width + 2 * frame, height=height + 2 * frame, fill=RED,
                stroke="none",
            )  # fmt: skip
        style.stock.add(cell, tiling)


def _thumbnail_places(part: _Part) -> tuple[Mapping[int, Point], float, float]:
    """The centres of thumbnails, in rings around a large circle; their size, and how far they reach beyond the box."""
    number, half = len(part.ring), part.side / 2
    if number <= _FEW:
        return part.places, _THUMBNAIL, _THUMBNAIL / 2 + 4
    size = min(_RINGS * pi * part.side / number / _DIAGONAL, _THUMBNAIL)
    step = _DIAGONAL * size + 4
    # Vertices take turns on the rings; the last ones are further outside.
    in_turn = number - number % _RINGS
    places = {}
    for place, vertex in enumerate(part.ring):
        ring = place % _RINGS if place < in_turn else _RINGS + place - in_turn
        places[vertex] = _on_circle(place / number, half + 8 + size * _DIAGONAL / 2 + ring * step, half)
    return places, size, (_RINGS + number % _RINGS) * step + 8


def _add_legend(root: ET.Element, kinds: Mapping[str, str], style: _Style, width: float, top: float) -> float:
    """Add the kinds of edges with their colours, and the number of cores, in rows; return the position of their end."""
    legend = element(root, "g", class_="legend", font_size=_TEXT, fill=DARK)
    entries = list(kinds.items())
    if style.highlighted:
        entries.append((plural(len(style.highlighted), "core", str), ""))
    x, y = 0.0, top + 1.5 * _TEXT
    for text, color in entries:
        text = harmless(text)
        room = _SAMPLE + 8 + len(text) * _TEXT * CHARACTER
        if x and x + room > width:
            x, y = 0.0, y + 1.5 * _TEXT
        left, middle = MARGIN + x, MARGIN + y
        if color:
            line = f"M{short(left)} {short(middle)}h{_SAMPLE}"
            element(legend, "path", d=line, stroke=color, stroke_width=3)
        else:
            element(legend, "circle", cx=left + _SAMPLE / 2, cy=middle, r=_LARGE_DOT, fill=RED)
        element(legend, "text", text, x=left + _SAMPLE + 8, y=middle + _TEXT * DIGIT_HEIGHT / 2)
        x += room + _TEXT
    return y + _TEXT / 2


def _fact(vertices: int, edges: int, parts: Sequence[_Part]) -> str:
    fact = f"{plural(vertices, 'vertex', str)}, {plural(edges, 'edge', str)}"
    if len(parts) < 2:
        return fact
    sizes = Counter(len(part.places) for part in parts)
    listed = " + ".join(f"{count} x {size}" if count > 1 else f"{size}" for size, count in sizes.items())
    return f"{fact}, {len(parts)} components: {listed} vertices"
