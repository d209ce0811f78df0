"""Pictures of dissections: which polygons are drawn where, in which colours, read back from the SVG."""

import re
from collections import Counter
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.geometry.exact_numbers import surd
from jigsat.csp.geometry.polygons import convex_hull, counterclockwise, double_area
from jigsat.csp.geometry.regions import convex_parts
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.render.picture import picture_of_dissection
from jigsat.render.svg.page import RED
from jigsat.render.svg.palette import plain_fill
from jigsat.render.svg.tiling import draw_dissection_pieces, draw_sheet, draw_tiling

SVG = "{http://www.w3.org/2000/svg}"
NAME = "a <b> & c"

SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
TRIANGLE = ((0, 0), (1, 0), (0, 1))
# An L of three squares: one of the pieces is a square, the others are triangles.
L = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
PUZZLE = DissectionPuzzle(L, (TRIANGLE, SQUARE, TRIANGLE, TRIANGLE, TRIANGLE), name=NAME)
TILING = (
    ((1, 0), (2, 0), (1, 1)),
    SQUARE,
    ((2, 0), (2, 1), (1, 1)),
    ((0, 1), (1, 1), (0, 2)),
    ((1, 1), (1, 2), (0, 2)),
)
MIRRORED = tuple(tuple((y, x) for x, y in piece) for piece in TILING)
BAR = DissectionPuzzle(((0, 0), (6, 0), (6, 1), (0, 1)), (((0, 0), (6, 0), (6, 1), (0, 1)),), name="bar")


def points(polygon):
    return [tuple(map(float, pair.split(","))) for pair in polygon.get("points").split()]


def polygons(element):
    """The polygons of an element, uses resolved, with their places after all translations."""
    root = ET.fromstring(element) if isinstance(element, str) else element
    defined = {polygon.get("id"): polygon for polygon in root.iter(f"{SVG}polygon") if polygon.get("id")}
    found = []

    def visit(node, x, y):
        move = re.match(r"translate\((\S+) (\S+)\)", node.get("transform", ""))
        x, y = (x + float(move[1]), y + float(move[2])) if move else (x, y)
        used = defined[node.get("href")[1:]] if node.tag == f"{SVG}use" else node
        if used.tag == f"{SVG}polygon":
            found.append(([(px + x, py + y) for px, py in points(used)], used.get("fill")))
        for child in node:
            if child.tag != f"{SVG}defs":
                visit(child, x, y)

    visit(root, 0, 0)
    return found


def view_box(picture):
    return tuple(map(float, ET.fromstring(picture).get("viewBox").split()))


def assert_inside(picture):
    left, top, width, height = view_box(picture)
    for polygon, _ in polygons(picture):
        assert all(left < x < left + width and top < y < top + height for x, y in polygon)


def texts(picture, name):
    layers = [element for element in ET.fromstring(picture).iter() if element.get("class") == name]
    return [text for layer in layers for text in layer.iter(f"{SVG}text")]


def is_inside(point, polygon):
    """Whether a point is inside a convex polygon, by the signs of the triangles that it makes with the edges."""
    (x, y), turns = point, set()
    for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        turns.add((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0)
    return len(turns) == 1


def assert_numbers_inside(picture):
    """Every number's box (digits 0.5 em wide and 0.7 em high) lies in its piece."""
    root = ET.fromstring(picture)
    group = next(element for element in root.iter() if element.get("class") == "polygons")
    pieces = [points(polygon) for polygon in group.findall(f"{SVG}polygon") if polygon.get("class") is None]
    numbers = texts(picture, "numbers")
    assert [text.text for text in numbers] == [str(number) for number in range(1, len(pieces) + 1)]
    for text, piece in zip(numbers, pieces, strict=True):
        x, y, size = (float(text.get(name)) for name in ("x", "y", "font-size"))
        wide = 0.25 * size * len(text.text)
        assert all(is_inside(corner, piece) for corner in ((x - wide, y), (x + wide, y), (x - wide, y - 0.7 * size)))
        assert is_inside((x + wide, y - 0.7 * size), piece)


def test_each_piece_is_drawn_where_it_lies():
    """Catches pictures upside down, mirrored or shifted, and missing pieces."""
    picture = draw_tiling(PUZZLE, TILING)
    *pieces, (outline, _) = polygons(picture)
    assert len(pieces) == 5
    left, bottom = min(x for x, _ in outline), max(y for _, y in outline)
    scale = (max(x for x, _ in outline) - left) / 2
    for (drawn, _), polygon in zip(pieces, TILING, strict=True):
        back = [((x - left) / scale, (bottom - y) / scale) for x, y in drawn]
        assert back == [pytest.approx(point) for point in polygon]
    assert_inside(picture)
    assert_numbers_inside(picture)
    assert "numbers" not in draw_tiling(PUZZLE, TILING, numbers=False)


def test_colours_tell_classes_apart():
    """Catches colours by piece where they should be by class, and titles that name wrong pieces."""
    picture = draw_tiling(PUZZLE, TILING)
    fills = [fill for _, fill in polygons(picture)[:-1]]
    assert len(set(fills)) == 2
    assert fills[0] == fills[2] == fills[3] == fills[4] != fills[1]
    titles = [title.text for title in ET.fromstring(picture).iter(f"{SVG}title")]
    assert titles[:4] == [NAME, "piece 1, congruent with 3, 4, 5", "piece 2", "piece 3, congruent with 1, 4, 5"]


def test_fills_differ():
    """Catches a palette with fewer colours than a puzzle may have classes, and dark or similar ones among the first."""
    fills = [plain_fill(rank) for rank in range(72)]
    assert len(set(fills)) == 72
    first = [tuple(int(fill[i : i + 2], 16) for i in (1, 3, 5)) for fill in fills[:24]]
    distances = [sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for p in first for q in first if p != q]
    assert min(distances) > 12**2
    assert min(max(color) for color in first) > 100


def test_irrational_and_fractional_coordinates():
    """Catches coordinates that are truncated, or scaled by the wrong side."""
    half = surd({2: Fraction(1, 2)})
    diamond = ((0, -half), (half, 0), (0, half), (-half, 0))
    target = ((-2, -1), (2, -1), (2, 1), (-2, 1))
    puzzle = DissectionPuzzle(target, (SQUARE, SQUARE, ((0, 0), (6, 0), (6, 1), (0, 1))))
    shifted = tuple((x + Fraction(3, 2), y) for x, y in diamond)
    picture = draw_tiling(puzzle, (diamond, shifted, target))
    drawn = [polygon for polygon, _ in polygons(picture)]
    scale = (drawn[3][2][0] - drawn[3][0][0]) / 4
    width = max(x for x, _ in drawn[0]) - min(x for x, _ in drawn[0])
    assert width / scale == pytest.approx(2**0.5, abs=1e-4)
    assert (drawn[1][0][0] - drawn[0][0][0]) / scale == pytest.approx(1.5, abs=1e-4)


def test_tiling_with_other_number_of_pieces():
    """Catches tilings of another puzzle that are drawn in part."""
    with pytest.raises(InstanceError, match="4 polygons for 5 pieces"):
        draw_tiling(PUZZLE, TILING[:-1])


coordinates = st.integers(0, 30)


@given(st.lists(st.tuples(coordinates, coordinates), min_size=3, max_size=9), st.sampled_from([1, 12]))
def test_numbers_lie_inside_pieces(corners, count):
    """Catches numbers that stick out of thin pieces: any convex polygon, alone or as one of twelve."""
    piece = counterclockwise(convex_hull(corners))
    assume(double_area(piece) >= 60)
    height = Fraction(double_area(piece) * count, 2 * 60)
    puzzle = DissectionPuzzle(((0, 0), (60, 0), (60, height), (0, height)), (piece,) * count)
    assert_numbers_inside(draw_tiling(puzzle, (piece,) * count))


def test_set_of_pieces():
    """Catches pieces that overlap each other or the target, and numbers outside."""
    picture = draw_dissection_pieces(PUZZLE)
    drawn = [polygon for polygon, _ in polygons(picture)]
    assert len(drawn) == 6
    boxes = [tuple(pick(p[axis] for p in polygon) for pick in (min, max) for axis in (0, 1)) for polygon in drawn]
    for i, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:i]:
            assert right < other[0] or other[2] < left or bottom < other[1] or other[3] < top
    assert_inside(picture)
    assert_numbers_inside(picture)
    assert [text.text for text in texts(picture, "caption")] == [NAME, "5 pieces of 2 shapes, target of area 3"]


def test_holes_and_pieces_that_are_not_convex():
    """Catches holes that are not drawn, and numbers in the notch of their pieces."""
    board, hole = ((0, 0), (4, 0), (4, 4), (0, 4)), ((1, 1), (3, 1), (3, 3), (1, 3))
    laid = [L]
    while len(laid) < 4:
        laid.append(tuple((4 - y, x) for x, y in laid[-1]))
    puzzle = DissectionPuzzle(board, (L,) * 4, holes=(hole,), name="frame")
    picture = draw_tiling(puzzle, tuple(laid))
    *pieces, (rim, _), (inner, fill) = polygons(picture)
    middle = [sum(c) / 4 for c in zip(*rim, strict=True)]
    assert fill == "none"
    assert {(x - middle[0], y - middle[1]) for x, y in inner} == {(x, y) for x in (-150, 150) for y in (-150, 150)}
    for text, piece in zip(texts(picture, "numbers"), points_of_pieces(picture), strict=True):
        number = float(text.get("x")), float(text.get("y"))
        assert any(is_inside(number, part) for part in convex_parts(counterclockwise(piece)))
    assert len(pieces) == 4
    of_pieces = draw_dissection_pieces(puzzle)
    assert [fill for _, fill in polygons(of_pieces)][:2] == ["#f6f4ee", "#fff"]
    assert texts(of_pieces, "caption")[1].text == "4 pieces of 1 shape, target of area 12 around 1 hole"


def points_of_pieces(picture):
    """The pieces as tuples, in the coordinates of their numbers."""
    found = [polygon for polygon in ET.fromstring(picture).iter(f"{SVG}polygon") if polygon.get("class") is None]
    return [tuple((int(x), int(y)) for x, y in points(polygon)) for polygon in found]


def test_many_pieces_lie_in_rows():
    """Catches a set of pieces in one long row."""
    puzzle = DissectionPuzzle(((0, 0), (6, 0), (6, 6), (0, 6)), (SQUARE,) * 36)
    _, _, width, height = view_box(draw_dissection_pieces(puzzle))
    assert width < 4 * height


def cells(picture):
    """Fills and polygons of each tiling of a sheet, the polygons relative to the outline's upper left corner."""
    root = ET.fromstring(picture)
    drawn = polygons(root)
    count = sum(element.get("class") == "tiling" for element in root.iter())
    size = len(drawn) // count
    found = []
    for start in range(0, len(drawn), size):
        *pieces, (outline, _) = drawn[start : start + size]
        left, top = min(x for x, _ in outline), min(y for _, y in outline)
        found.append([([(x - left, y - top) for x, y in polygon], fill) for polygon, fill in pieces])
    return found


def contact_sheet(tilings, **options):
    return draw_sheet([(PUZZLE, tiling) for tiling in tilings], NAME, "tiling", **options)


def test_contact_sheet():
    """Catches tilings in wrong cells, uses of wrong polygons, and colours that change from tiling to tiling."""
    picture = contact_sheet([TILING, MIRRORED, TILING, MIRRORED, TILING])
    drawn = cells(picture)
    assert len(drawn) == 5
    for cell, tiling in zip(drawn, (TILING, MIRRORED) * 2 + (TILING,), strict=True):
        assert [fill for _, fill in cell] == [fill for _, fill in drawn[0]]
        for (polygon, _), piece in zip(cell, tiling, strict=True):
            assert polygon == [pytest.approx((60 * x, 60 * (2 - y))) for x, y in piece]
    assert_inside(picture)
    assert [text.text for text in texts(picture, "captions")] == ["1", "2", "3", "4", "5"]
    assert Counter(element.tag for element in ET.fromstring(picture).iter())[f"{SVG}use"] == 30


def test_names_are_those_of_shapes():
    """Catches a polygon in a page with two pictures that is the one of that name in the other picture."""
    sheets = [contact_sheet([TILING, TILING]), draw_sheet([(BAR, BAR.pieces)] * 2, NAME, "tiling")]
    named = [{shape.get("id"): shape for shape in ET.fromstring(sheet).iter() if shape.get("id")} for sheet in sheets]
    assert all(named)
    assert not named[0].keys() & named[1].keys()


@pytest.mark.parametrize(
    "polygon",
    [((0, 0), (1, 0), (2, 0)), ((0, 0), (0, 0), (0, 0)), ((0, 0), (2, 2), (2, 0), (0, 2))],
    ids=["flat", "point", "crossing"],
)
def test_wrong_tilings_are_drawn(polygon):
    """Catches divisions by an area or an edge of 0: files may claim anything."""
    picture = draw_tiling(PUZZLE, (polygon, *TILING[1:]))
    assert [text.text for text in texts(picture, "numbers")] == ["1", "2", "3", "4", "5"]
    assert all(float(text.get("font-size")) > 0 for text in texts(picture, "numbers"))
    assert_inside(picture)


def shifted(polygon, across, up):
    return tuple((x + across, y + up) for x, y in polygon)


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        (shifted(TILING[0], 5, 0), "piece 1 does not lie inside the target"),
        (shifted(TILING[0], -Fraction(7, 2), -9), "piece 1 does not lie inside the target"),
        (TILING[2], "pieces 1 and 3 overlap"),
    ],
    ids=["right", "below left", "overlap"],
)
def test_problems_of_tilings_are_told(first, problem):
    """Catches invalid tilings that are drawn without a word, and pieces that are cut off, alone or on a sheet."""
    wrong = (first, *TILING[1:])
    picture = draw_tiling(PUZZLE, wrong)
    assert_inside(picture)
    *_, red = texts(picture, "caption")
    assert (red.text, red.get("fill")) == (problem, RED)
    assert max(view_box(picture)[2:]) < 700
    sheet = str(picture_of_dissection(PUZZLE, [TILING, wrong, MIRRORED], sheet=True))
    assert_inside(sheet)
    assert [text.get("fill") for text in texts(sheet, "captions")] == [None, RED, None]
    assert [title.text for title in ET.fromstring(sheet).iter(f"{SVG}title")][1:] == ["1", f"2; {problem}", "3"]
    assert [text.text for text in texts(sheet, "caption")][1:] == ["3 tilings", "1 invalid tiling"]
    cells = polygons(sheet)[:6], polygons(sheet)[6:12]
    left, right = ([x for polygon, _ in cell for x, _ in polygon] for cell in cells)
    assert max(left) < min(right)


def test_valid_tilings_have_no_problems():
    """Catches a checker that is stricter than the puzzle."""
    assert [text.text for text in texts(draw_tiling(PUZZLE, MIRRORED), "caption")] == [NAME, "5 pieces of 2 shapes"]


def test_tilings_off_the_lattice_have_no_problems():
    """They were found with other motions than those of the puzzle."""
    square = ((0, 0), (5, 0), (5, 5), (0, 5))
    puzzle = DissectionPuzzle(square, (square,), motions="lattice")
    turned = ((0, 0), (4, 3), (1, 7), (-3, 4))
    there = DissectionPuzzle(turned, (square,), motions="lattice")
    assert RED not in draw_tiling(puzzle, (square,))
    assert RED not in draw_tiling(there, (turned,))


def test_problems_are_not_told_without_end():
    """Catches a caption of many more lines than the picture is high."""
    lines = [text.text for text in texts(draw_tiling(PUZZLE, ((*L, (0, 1)),) * 5), "caption")]
    assert lines[2:] == [f"piece {n} has a different shape in the puzzle" for n in range(1, 6)] + ["and 1 more"]


def test_contact_sheet_is_about_square_and_small():
    """Catches a sheet in one row, and one that repeats all polygons: 268 tilings of the same few placements."""
    picture = contact_sheet([TILING, MIRRORED] * 134)
    _, _, width, height = view_box(picture)
    assert 0.8 < width / height < 1.25
    assert len(picture) < 268 * (5 + 1) * 25 + 268 * 150


def test_captions_are_escaped_cut_and_counted():
    """Catches captions that break the XML or run into each other, and lost ones."""
    captions = ["<&>", "a caption that is far too long for the cell below which it stands"]
    picture = contact_sheet([TILING, MIRRORED], captions=captions, numbers=True)
    short, cut = (text.text for text in texts(picture, "captions"))
    assert short == "<&>"
    assert cut.startswith("a caption")
    assert cut.endswith("…")
    titles = [title.text for title in ET.fromstring(picture).iter(f"{SVG}title")]
    assert titles == [NAME, *captions]
    assert len(texts(picture, "numbers")) == 10
    with pytest.raises(InstanceError, match="1 captions for 2 tilings"):
        contact_sheet([TILING, MIRRORED], captions=["one"])


def test_forms_have_one_scale():
    """Catches forms that are scaled one by one, and forms that overlap the next cell or their captions."""
    drawn = [(PUZZLE, TILING), (BAR, BAR.pieces), (PUZZLE, MIRRORED)]
    picture = draw_sheet(drawn, "forms", "form", captions=["L", "bar", "M"])
    outlines = [polygon for polygon, fill in polygons(picture) if fill == "none"]
    assert [len(outline) for outline in outlines] == [6, 4, 6]
    widths = [max(x for x, _ in outline) - min(x for x, _ in outline) for outline in outlines]
    assert widths == [pytest.approx(40), pytest.approx(120), pytest.approx(40)]
    assert max(x for x, _ in outlines[0]) < min(x for x, _ in outlines[1])
    assert max(y for _, y in outlines[0]) < min(y for _, y in outlines[2])
    for outline, caption in zip(outlines, texts(picture, "captions"), strict=True):
        middle = (max(x for x, _ in outline) + min(x for x, _ in outline)) / 2
        assert middle == pytest.approx(float(caption.get("x")))
        assert max(y for _, y in outline) < float(caption.get("y")) - 8
    assert_inside(picture)


def test_sheet_without_tilings():
    """Catches divisions by the number of tilings."""
    assert [text.text for text in texts(contact_sheet([]), "caption")] == [NAME, "0 tilings"]
    assert [text.text for text in texts(draw_sheet([], "forms", "form"), "caption")] == ["forms", "0 forms"]
