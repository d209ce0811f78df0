"""What is drawn where, read back from the SVG: pieces with their colours, marks, orders, numbers, vertices."""

import random
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations, islice, pairwise
from math import dist
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import jigsat as js
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import read_dissection, read_squares
from jigsat.csp.geometry.polygons import convex_hull, counterclockwise, double_area
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import NAMED_ORDERS, named_order
from jigsat.render.svg.board import draw_board, draw_pieces
from jigsat.render.svg.graph import draw_tiling_graph
from jigsat.render.svg.palette import BORDER_LOOK, DISTINCT, look, looks, plain_fill
from jigsat.render.svg.svg import CELL, RED
from jigsat.render.svg.tiling import Fills, draw_tiling, place_number, small_tiling

SVG = "{http://www.w3.org/2000/svg}"
JIGSAW, HINTS = read_squares("perfect-5x5"), read_squares("eternity2-hints")
SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
HALVES = ((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))
PUZZLE = DissectionPuzzle(SQUARE, HALVES)


def layers(picture, name):
    return [element for element in ET.fromstring(picture).iter() if element.get("class") == name]


def texts(picture, name):
    return [text.text for layer in layers(picture, name) for text in layer.iter(f"{SVG}text")]


def centre(square, columns):
    return CELL * (square % columns) + CELL / 2, CELL * (square // columns) + CELL / 2


def drawn_pieces(picture):
    """For each piece its centre, its tooltip, and the names of the looks of its sides: up, right, down, left."""
    for piece in layers(picture, "pieces")[0].findall(f"{SVG}g"):
        sides = {int(use.get("transform", "rotate(0)")[7:-1]): use.get("href")[1:] for use in piece.iter(f"{SVG}use")}
        if sides:
            x, y = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", piece.get("transform")).groups())
            yield (x, y), piece.find(f"{SVG}title").text, tuple(sides[turn] for turn in (0, 90, 180, 270))


def test_every_piece_is_drawn_once_and_every_side_has_the_look_of_its_colour():
    """Catches pieces that are turned the wrong way, lie on the wrong square or show another colour or sign."""
    made = deal_edge_matching(4, 6, 3, 2, seed=1)
    for puzzle, board in ((made.puzzle, made.solution), (JIGSAW, JIGSAW.assemblies[1])):
        look_of = looks(puzzle)
        drawn = list(drawn_pieces(draw_board(puzzle, board)))
        for square, (placed, (place, title, sides)) in enumerate(zip(board, drawn, strict=True)):
            shown = puzzle.shown(placed)
            assert place == centre(square, puzzle.columns)
            assert sides == tuple(look_of[side].name for side in shown)
            where = f"{puzzle.board.name(square)}: piece {placed.piece + 1}, rotation {placed.rotation}"
            assert title == f"{where}, sides {' '.join(map(str, shown))}"
        in_order = [sides for _, _, sides in drawn_pieces(draw_pieces(puzzle))]
        assert in_order == [tuple(look_of[side].name for side in sides) for sides in puzzle.pieces]


def test_looks_differ():
    """Catches a palette that runs out too early, motifs that fade, and signs of jigsaws that look alike."""
    assert DISTINCT == 432
    every = [look(rank, negative=negative) for rank in range(DISTINCT) for negative in (False, True)]
    assert len({(found.background, found.ink, found.motif) for found in every}) == 2 * DISTINCT
    assert len({found.name for found in (*every, BORDER_LOOK)}) == 2 * DISTINCT + 1
    assert len({(found.background, found.motif) for found in map(look, range(144))}) == 144
    assert min(contrast(found.background, found.ink) for found in every) > 3
    for first, second in combinations(map(look, range(24)), 2):
        assert first.motif != second.motif or contrast(first.background, second.background) > 2
    fills = [plain_fill(rank) for rank in range(72)]
    assert len(set(fills)) == 72
    first = [tuple(int(fill[i : i + 2], 16) for i in (1, 3, 5)) for fill in fills[:24]]
    assert min(dist(one, other) for one, other in combinations(first, 2)) > 12


def contrast(first, second):
    def luminance(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("seed", range(4))
def test_marks_are_the_invalid_joins_of_the_checker(seed):
    """Catches marks that are missing, misplaced or too many, on boards that are partial and wrong in every way."""
    chance = random.Random(seed)
    made = deal_edge_matching(4, 5, 2, 2, clues=3, seed=seed)
    for puzzle, board in ((made.puzzle, made.solution), (JIGSAW, JIGSAW.assemblies[0])):
        squares = list(board)
        for _ in range(2):
            first, second = chance.sample(range(20), 2)
            squares[first], squares[second] = squares[second], squares[first]
        squares[chance.randrange(20)] = None
        squares[chance.randrange(20)] = Placement(0, chance.randrange(4))
        picture, verdict = draw_board(puzzle, squares), check(puzzle, squares)
        expected = set()
        for fault in verdict.invalid_joins:
            ends = fault.square, re.search(r" on ([A-Z]+\d+):", fault.what)[1]
            places = [centre(puzzle.board.parse(name), puzzle.columns) for name in ends]
            expected.add(tuple(sum(values) / 2 for values in zip(*places, strict=True)))
        found = [bar_middle(bar.get("d")) for bar in layers(picture, "mismatch")]
        assert (set(found), len(found)) == (expected, len(expected))
        titles = Counter(fault.find(f"{SVG}title").text for fault in layers(picture, "fault"))
        assert titles == Counter(map(str, verdict.faults))
        assert f"score {verdict.score} of {puzzle.max_score}" in texts(picture, "caption")[1]
        right = [f for f in puzzle.fixed if squares[f.square] == (f.piece, f.rotation)]
        assert len(layers(picture, "fixed")) == len(right)


def test_pieces_that_are_left_over_lie_beside_a_full_board():
    """Catches pieces that are nowhere, and pieces of a partial board, all of which are loose."""
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 1, 0, 0), (0, 0, 0, 1), (0, 2, 0, 0)), name="spare")
    full = (Placement(0, 0), Placement(1, 0))
    picture = draw_board(puzzle, full)
    (spare,) = layers(picture, "spare")[0].findall(f"{SVG}g")
    assert spare.find(f"{SVG}title").text.startswith("piece 3, left over")
    x = float(re.match(r"translate\((\S+) ", spare.get("transform"))[1])
    assert 2.5 * CELL < x < float(ET.fromstring(picture).get("viewBox").split()[2]) - CELL / 2
    assert texts(picture, "caption")[-1] == "left over, beside the board: piece 3"
    assert not layers(draw_board(puzzle, (full[0], None)), "spare")


def bar_middle(line):
    x, y, way, length = re.fullmatch(r"M(\S+) (\S+)([hv])(\S+)", line).groups()
    return (float(x) + float(length) / 2, float(y)) if way == "h" else (float(x), float(y) + float(length) / 2)


@pytest.mark.parametrize("name", NAMED_ORDERS)
def test_an_order_is_a_path_through_its_squares(name):
    """Catches steps that are missing or run to other squares, and jumps that are drawn as steps to neighbours."""
    order = named_order(HINTS, name)
    picture = draw_board(HINTS, (None,) * 256, order=order, order_name=name)
    steps = {}
    for near, layer in ((True, "steps"), (False, "jumps")):
        for line in (path for group in layers(picture, layer) for path in group.iter(f"{SVG}path")):
            points = [tuple(map(float, point.split())) for point in line.get("d")[1:].split("L")]
            steps |= dict.fromkeys(pairwise(points), near)
    expected = [(centre(first, 16), centre(second, 16)) for first, second in pairwise(order[5:])]
    assert sorted(steps) == sorted(expected)
    assert all((max(abs(x - u), abs(y - v)) <= CELL) == near for ((x, y), (u, v)), near in steps.items())
    assert texts(picture, "depths") == [str(depth) for depth in range(1, 257)]


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (3, 16), (40, 2)])
def test_everything_lies_inside_the_picture(shape):
    """Catches pictures that cut off a board, its caption or its legend, whatever the shape."""
    rows, columns = shape
    puzzle = EdgeMatchingPuzzle(rows, columns, tuple((0, n % 30, 0, 0) for n in range(rows * columns)), name="x" * 200)
    picture = draw_board(puzzle, (None,) * (rows * columns), order=range(rows * columns), legend=True)
    root = ET.fromstring(picture)
    width, height = map(float, root.get("viewBox").split()[2:])
    (frame,) = layers(picture, "board")
    left, top = map(float, re.findall(r"[\d.]+", frame.get("transform")))
    assert left + CELL * columns < width
    for text in (text for name in ("caption", "legend") for group in layers(picture, name) for text in group):
        if text.tag == f"{SVG}text":
            assert 0 < float(text.get("x")) < width
            assert top + CELL * rows < float(text.get("y")) < height
    assert texts(picture, "caption")[0].endswith("…")
    assert abs(float(root.get("width")) / float(root.get("height")) - width / height) < 0.02


def test_each_piece_of_a_tiling_is_drawn_where_it_lies():
    """Catches pictures upside down, mirrored or shifted, and colours by piece where they should be by class."""
    puzzle = read_dissection("ostomachion")
    drawn = small_tiling(puzzle, puzzle.pieces, 10)
    for flat, polygon in zip(drawn.pieces, puzzle.pieces, strict=True):
        assert [(x / 10, 12 - y / 10) for x, y in flat] == [pytest.approx((x, y)) for x, y in polygon]
    fills = dict(zip(puzzle.class_of, drawn.fills, strict=True))
    assert [fills[number] for number in puzzle.class_of] == list(drawn.fills)
    assert len(set(fills.values())) == len(puzzle.classes)
    with pytest.raises(InstanceError, match="13 polygons for 14 pieces"):
        small_tiling(puzzle, puzzle.pieces[1:], 1)


def test_colours_of_pieces_and_of_ways_to_lie():
    """Catches lozenges that do not look like cubes, and ways that change their colours from tiling to tiling."""
    puzzle = read_dissection("calissons")
    tilings = list(islice(js.solutions(puzzle), 2))
    fills = Fills("orientation")
    drawn = [small_tiling(puzzle, tiling, 10, fills).fills for tiling in tilings]
    assert [sorted(Counter(some).values()) for some in drawn] == [[4, 4, 4]] * 2
    assert len({*drawn[0], *drawn[1]}) == 3
    assert len(set(small_tiling(puzzle, tilings[0], 10, Fills("piece")).fills)) == 12


coordinates = st.integers(0, 30)


@given(st.lists(st.tuples(coordinates, coordinates), min_size=3, max_size=9), st.integers(1, 3))
def test_numbers_lie_inside_pieces(corners, digits):
    """Catches numbers that stick out of thin pieces: any convex polygon."""
    piece = counterclockwise(convex_hull(corners))
    assume(double_area(piece) >= 60)
    flat = tuple((float(x), float(y)) for x, y in piece)
    x, y, size = place_number(flat, digits, 20)
    wide, high = 0.25 * size * digits, 0.35 * size
    for corner in ((x + i * wide, y + j * high) for i in (-1, 1) for j in (-1, 1)):
        assert is_inside(corner, flat)


def is_inside(point, polygon):
    """Whether a point is inside a convex polygon, by the signs of the triangles that it makes with the edges."""
    (x, y), ends = point, zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return len({(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0 for (x0, y0), (x1, y1) in ends}) == 1


def test_problems_of_tilings_are_told():
    """Catches a checker that is stricter than the puzzle (tilings found with other motions), and endless captions."""
    square = ((0, 0), (5, 0), (5, 5), (0, 5))
    turned = ((0, 0), (4, 3), (1, 7), (-3, 4))
    for target in (square, turned):
        assert RED not in draw_tiling(DissectionPuzzle(target, (square,), motions="lattice"), (target,))
    assert "pieces 1 and 2 overlap" in draw_tiling(PUZZLE, (HALVES[0], HALVES[0]))
    many = DissectionPuzzle(((0, 0), (8, 0), (8, 1), (0, 1)), (SQUARE,) * 8)
    off = tuple(tuple((x + Fraction(1, 2), y + 1) for x, y in SQUARE) for _ in range(8))
    lines = texts(draw_tiling(many, off), "caption")
    assert (len(lines), lines[-1].startswith("and ")) == (2 + 5 + 1, True)


def random_graph(vertices, edges, seed=1):
    """A Hamiltonian cycle with random chords, and two more vertices with an edge."""
    chance = random.Random(seed)
    cycle = chance.sample(range(vertices), vertices)
    found = {tuple(sorted(pair)): "local" for pair in pairwise([*cycle, cycle[0]])}
    while len(found) < edges:
        found.setdefault(tuple(sorted(chance.sample(range(vertices), 2))), "global")
    return found | {(vertices, vertices + 1): "local"}, cycle


def offset(group):
    return tuple(map(float, re.match(r"translate\((\S+) ([^)]+)\)", group.get("transform")).groups()))


def vertex_of(element):
    return int(re.match(r"tiling (\d+),", element.find(f"{SVG}title").text)[1]) - 1


@pytest.mark.parametrize("vertices", [40, 266, 520])
def test_edges_join_their_vertices(vertices):
    """Catches lost edges and vertices, components on top of each other, arcs that bend outwards, and layouts that
    depend on the order of the edges; 520 vertices lie on a circle."""
    edges, cycle = random_graph(vertices, 3 * vertices)
    for options in ({"cycle": cycle}, {}):
        picture = draw_tiling_graph(edges, vertices + 2, **options)
        assert picture == draw_tiling_graph(dict(reversed(edges.items())), vertices + 2, **options)
        places, found = {}, {}
        _, _, width, height = map(float, ET.fromstring(picture).get("viewBox").split())
        for part in layers(picture, "component"):
            dx, dy = offset(part)
            own = {(float(c.get("cx")), float(c.get("cy"))): vertex_of(c) for c in part.iter(f"{SVG}circle")}
            places |= {vertex: (x + dx, y + dy) for (x, y), vertex in own.items()}
            middle = [sum(axis) / len(own) for axis in zip(*own, strict=True)]
            for path in part.iter(f"{SVG}path"):
                for x, y, way, u, v in re.findall(r"M(\S+) ([^LA]+)(L|A\S+ \S+ 0 0 [01] )(\S+) ([^M]+)", path.get("d")):
                    (x, y), (u, v) = start, end = (float(x), float(y)), (float(u), float(v))
                    found[tuple(sorted((own[start], own[end])))] = path.find(f"{SVG}title").text
                    turn = (u - x) * (middle[1] - y) - (v - y) * (middle[0] - x)
                    # The sweep of an arc is 1 if the middle lies to the right of its chord, y downwards.
                    assert way == "L" or (turn < 0) == (way.split()[-1] == "1") or abs(turn) < 1
        assert found == edges
        assert sorted(places) == list(range(vertices + 2))
        assert all(0 < x < width and 0 < y < height for x, y in places.values())
        assert max(places[vertex][0] for vertex in range(vertices)) < min(places[vertices][0], places[vertices + 1][0])


@pytest.mark.parametrize("options", [{"cycle": True}, {"clusters": True}, {}])
@pytest.mark.parametrize("vertices", [1, 2, 3, 5, 12, 56])
def test_thumbnails_do_not_overlap(vertices, options):
    """Catches thumbnails on top of each other or outside: on circles, in clusters and in place."""
    edges, cycle = random_graph(56, 120) if vertices == 56 else ({}, range(vertices))
    if vertices < 56 and vertices > 1:
        edges = {tuple(sorted((v, (v + 1) % vertices))): "local" for v in range(vertices)}
        edges |= {(vertices, vertices + 1): "local"}
    total = vertices + 2
    chosen = {"cycle": cycle} if "cycle" in options else {}
    chosen |= {"clusters": [vertex % 5 for vertex in range(total)]} if "clusters" in options else {}
    picture = draw_tiling_graph(edges, total, thumbnails=[(PUZZLE, HALVES)] * total, highlighted=[0], **chosen)
    _, _, width, height = map(float, ET.fromstring(picture).get("viewBox").split())
    cells = {}
    for part in layers(picture, "component"):
        for cell in (cell for cell in part.iter(f"{SVG}g") if cell.get("class") == "tiling"):
            x, y = (a + b for a, b in zip(offset(part), offset(cell), strict=True))
            cells[vertex_of(cell)] = x, y, 120 * float(re.search(r"scale\((.*)\)", cell.get("transform"))[1])
    assert sorted(cells) == list(range(total))
    assert all(0 < x < x + size < width and 0 < y < y + size < height for x, y, size in cells.values())
    for (x, y, size), (u, v, other) in combinations(cells.values(), 2):
        assert x + size < u or u + other < x or y + size < v or v + other < y
