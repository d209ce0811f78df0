"""Pictures of graphs of tilings, read back from the SVG."""

import random
import re
from itertools import combinations, pairwise
from math import dist, hypot
from xml.etree import ElementTree as ET

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.render.svg.graph import draw_tiling_graph

SVG = "{http://www.w3.org/2000/svg}"
SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
LEFT, RIGHT = ((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))
PUZZLE = DissectionPuzzle(SQUARE, (LEFT, RIGHT))


def random_graph(vertices, edges, seed=1):
    """A Hamiltonian cycle with random chords, and two more vertices with an edge."""
    generator = random.Random(seed)
    cycle = generator.sample(range(vertices), vertices)
    found = {tuple(sorted(pair)): "local" for pair in pairwise([*cycle, cycle[0]])}
    while len(found) < edges:
        a, b = sorted(generator.sample(range(vertices), 2))
        found.setdefault((a, b), "global")
    return found | {(vertices, vertices + 1): "local"}, cycle


def offset(group):
    return tuple(map(float, re.match(r"translate\((\S+) ([^)]+)\)", group.get("transform")).groups()))


def components(picture):
    return [element for element in ET.fromstring(picture).iter() if element.get("class") == "component"]


def vertex_of(element):
    return int(re.match(r"tiling (\d+),", element.find(f"{SVG}title").text)[1]) - 1


def dots(picture):
    """The place of each vertex."""
    places = {}
    for part in components(picture):
        dx, dy = offset(part)
        for circle in part.iter(f"{SVG}circle"):
            places[vertex_of(circle)] = (float(circle.get("cx")) + dx, float(circle.get("cy")) + dy)
    return places


def drawn_edges(picture):
    """Kind, start and end of every edge, and whether it is an arc."""
    found = []
    for part in components(picture):
        dx, dy = offset(part)
        for path in part.iter(f"{SVG}path"):
            lines = re.findall(r"M(\S+) ([^LA]+)(L|A\S+ \S+ 0 0 [01] )(\S+) ([^M]+)", path.get("d"))
            assert len(lines) == path.get("d").count("M")
            for x, y, way, u, v in lines:
                ends = (float(x) + dx, float(y) + dy), (float(u) + dx, float(v) + dy)
                found.append((path.find(f"{SVG}title").text, *ends, way != "L"))
    return found


def assert_edges_join_their_dots(picture, edges):
    places = dots(picture)
    at = {place: vertex for vertex, place in places.items()}
    found = {tuple(sorted((at[start], at[end]))): kind for kind, start, end, _ in drawn_edges(picture)}
    assert found == {tuple(sorted(edge)): kind for edge, kind in edges.items()}


def texts(picture, name):
    layers = [element for element in ET.fromstring(picture).iter() if element.get("class") == name]
    return [text.text for layer in layers for text in layer.iter(f"{SVG}text")]


def assert_inside(picture):
    _, _, width, height = map(float, ET.fromstring(picture).get("viewBox").split())
    assert all(0 < x < width and 0 < y < height for x, y in dots(picture).values())


def test_graph_of_the_size_of_the_ostomachion():
    """Catches lost edges and vertices, wrong counts, and components on top of each other."""
    edges, _ = random_graph(266, 936)
    picture = draw_tiling_graph(edges, 268, name="a <b> & c", highlighted=range(24))
    places = dots(picture)
    assert sorted(places) == list(range(268))
    assert_edges_join_their_dots(picture, edges)
    assert_inside(picture)
    assert max(places[vertex][0] for vertex in range(266)) < min(places[266][0], places[267][0])
    assert texts(picture, "legend") == ["670 global", "267 local", "24 cores"]
    assert texts(picture, "caption") == ["a <b> & c", "268 vertices, 937 edges, 2 components: 266 + 2 vertices"]
    layers = {element.get("class"): element for element in components(picture)[0]}
    assert {vertex_of(circle) for circle in layers["highlighted"]} == set(range(24))


def test_kinds_have_their_own_colours():
    """Catches colours that depend on which other kinds there are."""
    edges = {(0, 1): "local", (1, 2): "global", (2, 3): "<odd>", (0, 3): "even"}
    strokes = {}
    for chosen in (edges, {(0, 1): "local"}, {(1, 2): "global"}):
        for path in ET.fromstring(draw_tiling_graph(chosen, 4)).iter(f"{SVG}path"):
            if path.get("class") == "edges":
                strokes.setdefault(path.find(f"{SVG}title").text, set()).add(path.get("stroke"))
    assert {len(found) for found in strokes.values()} == {1}
    assert len(set.union(*strokes.values())) == 4


def test_the_legend_counts_moves_and_cores():
    """Catches the singular after a number, and "local" for what is no thing."""
    assert texts(draw_tiling_graph({(0, 1): "move"}, 3, highlighted=[0]), "legend") == ["1 move", "1 core"]
    edges = {(0, 1): "move", (1, 2): "move"}
    assert texts(draw_tiling_graph(edges, 3, highlighted=[0, 1]), "legend") == ["2 moves", "2 cores"]


def test_same_graph_same_picture():
    """Catches layouts that depend on chance or on the order in which edges come."""
    edges, _ = random_graph(30, 60)
    backwards = dict(reversed(edges.items()))
    assert draw_tiling_graph(edges, 32) == draw_tiling_graph(backwards, 32)


def test_cycle_is_the_circle():
    """Catches vertices out of order, cycle edges that are bent, and chords that leave the disc."""
    edges, cycle = random_graph(40, 90)
    picture = draw_tiling_graph(edges, 42, cycle=cycle)
    assert_edges_join_their_dots(picture, edges)
    assert_inside(picture)
    places = dots(picture)
    ring = [places[vertex] for vertex in cycle]
    x, y = (sum(place[axis] for place in ring) / 40 for axis in (0, 1))
    radii = [hypot(u - x, v - y) for u, v in ring]
    assert radii == [pytest.approx(radii[0], abs=0.1)] * 40
    steps = [dist(p, q) for p, q in pairwise([*ring, ring[0]])]
    assert steps == [pytest.approx(steps[0], abs=0.1)] * 40
    bent = [is_arc for _, start, end, is_arc in drawn_edges(picture) if dist(start, end) > 1.5 * steps[0]]
    assert bent.count(True) > 40
    for _, start, end, is_arc in drawn_edges(picture):
        assert not (is_arc and dist(start, end) < 1.5 * steps[0])
    assert_arcs_bend_inwards(picture, (x, y))


def assert_arcs_bend_inwards(picture, middle):
    """An arc goes clockwise (sweep 1) just if the disc's centre lies to the right of its chord, y downwards."""
    dx, dy = offset(components(picture)[0])
    x, y = middle[0] - dx, middle[1] - dy
    for path in components(picture)[0].iter(f"{SVG}path"):
        for match in re.findall(r"M(\S+) ([^LA]+)A\S+ \S+ 0 0 ([01]) (\S+) ([^M]+)", path.get("d")):
            px, py, sweep, qx, qy = map(float, match)
            assert ((qx - px) * (y - py) - (qy - py) * (x - px) < 0) == (sweep == 1)


def test_thumbnails_around_a_circle_and_in_place():
    """Catches tilings at wrong vertices, dots hidden behind them, and thumbnails outside the picture."""
    edges, cycle = random_graph(20, 40)
    tilings = [(PUZZLE, (LEFT, RIGHT))] * 22
    for picture, with_dots in (
        (draw_tiling_graph(edges, 22, cycle=cycle, thumbnails=tilings, highlighted=[3]), cycle),
        (draw_tiling_graph(edges, 22, thumbnails=tilings, highlighted=[3]), []),
    ):
        cells = [element for element in ET.fromstring(picture).iter() if element.get("class") == "tiling"]
        assert sorted(map(vertex_of, cells)) == list(range(22))
        assert sorted(dots(picture)) == sorted(with_dots)
        framed = [vertex_of(cell) for cell in cells if cell.find(f"{SVG}rect") is not None]
        assert framed == [3]
        _, _, width, height = map(float, ET.fromstring(picture).get("viewBox").split())
        for part in components(picture):
            for cell in (cell for cell in part.iter(f"{SVG}g") if cell.get("class") == "tiling"):
                x, y = (a + b for a, b in zip(offset(part), offset(cell), strict=True))
                side = 120 * float(re.search(r"scale\((.*)\)", cell.get("transform"))[1])
                assert 0 < x < x + side < width
                assert 0 < y < y + side < height


@pytest.mark.parametrize("options", [{"cycle": True}, {"clusters": True}, {}])
def test_thumbnails_do_not_overlap(options):
    """Catches thumbnails on top of each other: in rings, where a circle begins, in clusters and in place."""
    edges, cycle = random_graph(56, 120)
    chosen = {"cycle": cycle} if "cycle" in options else {}
    chosen |= {"clusters": [vertex % 5 for vertex in range(58)]} if "clusters" in options else {}
    assert_thumbnails_apart(edges, 58, **chosen)


@pytest.mark.parametrize("number", range(1, 15))
def test_thumbnails_on_small_circles_do_not_overlap(number):
    """Catches circles that are too small for the thumbnails of their vertices."""
    edges = {tuple(sorted((vertex, (vertex + 1) % number))): "local" for vertex in range(number if number > 1 else 0)}
    assert_thumbnails_apart(edges, number, cycle=range(number))


def assert_thumbnails_apart(edges, vertices, **options):
    picture = draw_tiling_graph(edges, vertices, thumbnails=[(PUZZLE, (LEFT, RIGHT))] * vertices, **options)
    cells = []
    for part in components(picture):
        for cell in (cell for cell in part.iter(f"{SVG}g") if cell.get("class") == "tiling"):
            x, y = (a + b for a, b in zip(offset(part), offset(cell), strict=True))
            cells.append((x, y, 120 * float(re.search(r"scale\((.*)\)", cell.get("transform"))[1])))
    assert len(cells) == vertices
    for (x, y, size), (u, v, other) in combinations(cells, 2):
        assert x + size < u or u + other < x or y + size < v or v + other < y


def test_many_small_components_fill_a_square():
    """Catches small components in one long row."""
    picture = draw_tiling_graph({(0, 1): "local"}, 100)
    _, _, width, height = map(float, ET.fromstring(picture).get("viewBox").split())
    assert 0.5 < width / height < 2
    assert len(set(dots(picture).values())) == 100
    assert_inside(picture)


def test_large_component_without_scipy():
    """Catches layouts that networkx leaves to scipy, which need not be there."""
    edges, _ = random_graph(520, 600)
    assert_edges_join_their_dots(draw_tiling_graph(edges, 522), edges)


def test_no_vertices():
    """Catches divisions by the number of vertices."""
    assert texts(draw_tiling_graph({}, 0), "caption") == ["graph of tilings", "0 vertices, 0 edges"]


@pytest.mark.parametrize(
    ("edges", "arguments", "message"),
    [
        ({(0, 3): "local"}, {}, r"\(1, 4\): edges must join two of the vertices 1 to 3"),
        ({(1, 1): "local"}, {}, r"\(2, 2\): edges must"),
        ({(0, 1): "local", (1, 0): "global"}, {}, r"\(2, 1\): edges must"),
        ({(0, 1): "local"}, {"cycle": [0, 1, 2]}, "a cycle of 3 vertices: must visit all vertices of one component"),
        ({(0, 1): "local"}, {"cycle": [0, 1, 1]}, "a cycle of 3 vertices"),
        ({}, {"thumbnails": [(PUZZLE, (LEFT, RIGHT))]}, "1 thumbnails for 3 vertices"),
    ],
)
def test_what_is_refused(edges, arguments, message):
    """Catches pictures of invalid graphs."""
    with pytest.raises(InstanceError, match=message):
        draw_tiling_graph(edges, 3, **arguments)
