"""The pages for boards and tilings: what is embedded, read back from the HTML."""

import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from javascript import data_of, evaluated
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.geometry.polygons import counterclockwise
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.puzzles.orders import named_order
from jigsat.render.html.viewer import boards_page, laying_order, tilings_page
from jigsat.render.svg.palette import looks
from jigsat.render.svg.tiling import piece_fills

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</script><b>"&{{data}}'
MADE = deal_edge_matching(3, 4, 3, 2, clues=2, seed=1)
PUZZLE, BOARD = MADE.puzzle, MADE.solution
ORDER = named_order(PUZZLE, "spiral_in")


def page_of(boards, puzzle=PUZZLE, order=ORDER, **options):
    return boards_page(puzzle, boards, order, "spiral_in", **options)


def facts_of(page):
    return {unescape(word): unescape(fact) for word, fact in re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", page)}


def picture_of(page):
    return ET.fromstring(re.search(r"<svg [^>]*xmlns.*?</svg>", page, re.DOTALL)[0])


def test_boards_come_back():
    """Catches pieces, rotations or empty squares that are lost, and boards that are called wrong or right wrongly."""
    fixed = {square for square, *_ in PUZZLE.fixed}
    partial = tuple(placed if square % 3 or square in fixed else None for square, placed in enumerate(BOARD))
    mixed = tuple(Placement(placed.piece, (placed.rotation + 2) % 4) for placed in BOARD)
    boards = [BOARD, partial, mixed]
    data = data_of(page_of(boards))
    found = [
        tuple(None if code is None else Placement(*divmod(code, 4)) for code in codes) for codes in data["solutions"]
    ]
    assert found == boards
    assert (data["rows"], data["columns"], data["kind"]) == (3, 4, "edge-matching")
    assert data["pieces"] == [list(sides) for sides in PUZZLE.pieces]
    assert (data["order"], data["names"][:5]) == (list(ORDER), ["A1", "A2", "A3", "A4", "B1"])
    assert [tuple(entry) for entry in data["fixed"]] == [(square, 4 * p + r) for square, p, r in PUZZLE.fixed]
    # The list of faults has an end.
    assert list(data["problems"]) == ["2"]
    assert re.fullmatch(r"and \d+ more", data["problems"]["2"][5])


@pytest.mark.parametrize("puzzle", [PUZZLE, read_squares("perfect-3x3")], ids=["colours", "connectors"])
def test_pieces_are_drawn_as_in_pictures(puzzle):
    """Catches looks of wrong colours, mates of connectors mixed up, sides in wrong places."""
    board = tuple(Placement(piece, 0) for piece in range(len(puzzle.pieces)))
    groups = {
        group.get("id"): group
        for group in picture_of(page_of([board], puzzle, named_order(puzzle, "rowscan"))).iter(f"{SVG}g")
    }
    look_of = looks(puzzle)
    for number, sides in enumerate(puzzle.pieces):
        uses = groups[f"piece{number}"].findall(f"{SVG}use")
        assert [use.get("transform", "rotate(0)") for use in uses] == [f"rotate({turn})" for turn in (0, 90, 180, 270)]
        assert [use.get("href") for use in uses] == [f"#{look_of[side].name}" for side in sides]
        assert all(use.get("href")[1:] in groups for use in uses)


def test_names_are_text_and_the_page_loads_nothing():
    """Catches a name or a source that becomes part of the page, and an address that a browser would go to."""
    source = f"see https://example.org/?a=b, {HOSTILE}"
    page = page_of([BOARD], replace(PUZZLE, name=HOSTILE, source=source))
    assert "<b>" not in page
    assert page.count("</script>") == 2
    assert data_of(page)["name"] == HOSTILE
    assert unescape(re.search("<h1>(.*?)</h1>", page)[1]) == HOSTILE
    assert facts_of(page)["Source"] == source
    assert picture_of(page).find(f"{SVG}title").text == HOSTILE
    assert not re.search(r"""(src|href)=["'](?!#|data:)|url\(""", page)


def test_what_cannot_be_shown():
    """Catches a page that could show nothing, or whose script shows another piece."""
    with pytest.raises(InstanceError, match="there is no solution to show"):
        page_of([])
    with pytest.raises(InstanceError, match="solution 2: A1: there is no piece 13; pieces are numbered 1 to 12"):
        page_of([BOARD, (Placement(12, 0), *BOARD[1:])])
    with pytest.raises(InstanceError, match="there is no tiling to show"):
        tilings_page(DISSECTION, [])
    with pytest.raises(InstanceError, match="4 polygons for 5 pieces"):
        tilings_page(DISSECTION, [TILING[1:]])


SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
TRIANGLE = ((0, 0), (1, 0), (0, 1))
# An L of three squares.
L = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
DISSECTION = DissectionPuzzle(L, (TRIANGLE, SQUARE, TRIANGLE, TRIANGLE, TRIANGLE), name=HOSTILE)
_LAID = (((1, 0), (2, 0), (1, 1)), SQUARE, ((2, 0), (2, 1), (1, 1)), ((0, 1), (1, 1), (0, 2)), ((1, 1), (1, 2), (0, 2)))
# As they come from files.
TILING = tuple(counterclockwise(piece) for piece in _LAID)
MIRRORED = tuple(counterclockwise(tuple((y, x) for x, y in piece)) for piece in _LAID)


def points_of(placement):
    return [tuple(map(float, point.split(","))) for point in placement[0].split()]


def test_tilings_come_back():
    """Catches pieces in wrong places, and placements that are written again: for each tiling, or because they begin
    with another vertex."""
    begun_elsewhere = tuple((*piece[1:], piece[0])[::-1] for piece in TILING)
    tilings = (TILING, MIRRORED, begun_elsewhere)
    data = data_of(tilings_page(DISSECTION, tilings))
    for tiling, solution in zip(tilings, data["solutions"], strict=True):
        for piece, placement in zip(tiling, solution, strict=True):
            assert {(x / 300, 2 - y / 300) for x, y in points_of(data["placements"][placement])} == set(piece)
    # The square lies in the same place in all of them.
    assert len(data["placements"]) == 9
    assert data["fills"] == list(piece_fills(DISSECTION))
    assert (data["titles"][1], data["name"]) == ("piece 2", HOSTILE)
    assert data["orders"][0] == data["orders"][2] == laying_order(TILING) == [1, 0, 2, 3, 4]


# What the page says of each tiling, in a document that takes everything.
SAID = """(data) => {
    const element = { setAttribute() {}, appendChild: (child) => child };
    globalThis.document = { getElementById: () => element, createElementNS: () => element };
    return data.solutions.map((_, index) => tilingPicture(data).problems(index));
}"""


def test_problems_are_told():
    """Catches invalid tilings that are shown without a word, pieces outside the picture, divisions by an area of 0."""
    off = tuple((x + 5, y - 3) for x, y in TILING[0])
    flat, point, crossing = ((0, 0), (1, 0), (2, 0)), ((0, 0),) * 3, ((0, 0), (2, 2), (2, 0), (0, 2))
    page = tilings_page(DISSECTION, [TILING, *((wrong, *TILING[1:]) for wrong in (off, flat, point, crossing))])
    data = data_of(page)
    said = evaluated(("svg.js", "board.js", "tiling.js"), SAID, data)
    assert said[:2] == [[], ["piece 1 does not lie inside the target"]]
    assert all(said[2:])
    width, height = map(float, re.search(r'id="picture" [^>]*viewBox="0 0 (\S+) (\S+)"', page).groups())
    across, down = map(float, re.findall(r"<g transform=\"translate\((\S+) (\S+)\)", page)[0])
    for placement in data["placements"]:
        assert all(0 < x + across < width and 0 < y + down < height for x, y in points_of(placement))
        assert placement[3] > 0
