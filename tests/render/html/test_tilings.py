"""The page for tilings: what is embedded, read back from the HTML."""

import json
import re
from fractions import Fraction

import pytest

from javascript import evaluated
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.geometry.exact_numbers import surd
from jigsat.csp.geometry.polygons import counterclockwise
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.render.html.viewer import laying_order, tilings_page
from jigsat.render.svg.tiling import piece_fills

SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
TRIANGLE = ((0, 0), (1, 0), (0, 1))
# An L of three squares.
L = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
PUZZLE = DissectionPuzzle(L, (TRIANGLE, SQUARE, TRIANGLE, TRIANGLE, TRIANGLE), name="</script><b>")
_LAID = (((1, 0), (2, 0), (1, 1)), SQUARE, ((2, 0), (2, 1), (1, 1)), ((0, 1), (1, 1), (0, 2)), ((1, 1), (1, 2), (0, 2)))
# As they come from files.
TILING = tuple(counterclockwise(piece) for piece in _LAID)
MIRRORED = tuple(counterclockwise(tuple((y, x) for x, y in piece)) for piece in _LAID)


def data_of(page):
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def polygons(data, solution):
    """The pieces of a tiling, in units of the puzzle, upwards."""
    found = []
    for placement in data["solutions"][solution]:
        points = [tuple(map(float, point.split(","))) for point in data["placements"][placement][0].split()]
        found.append({(x / 300, 2 - y / 300) for x, y in points})
    return found


def test_tilings_come_back():
    """Catches pieces in wrong places, and placements that are written once for each tiling."""
    data = data_of(tilings_page(PUZZLE, [TILING, MIRRORED, TILING]))
    for number, tiling in enumerate((TILING, MIRRORED, TILING)):
        assert polygons(data, number) == [set(piece) for piece in tiling]
    # The square lies in the same place in all of them.
    assert len(data["placements"]) == 9
    assert data["fills"] == list(piece_fills(PUZZLE))
    assert data["titles"][1] == "piece 2"
    assert data["name"] == "</script><b>"


def test_equal_tilings_are_equal():
    """Catches pieces that differ only in the vertex with which they begin, or in their direction."""
    begun_elsewhere = tuple((*piece[1:], piece[0])[::-1] for piece in TILING)
    data = data_of(tilings_page(PUZZLE, [TILING, begun_elsewhere]))
    assert data["solutions"][0] == data["solutions"][1]
    assert data["orders"][0] == data["orders"][1]


def test_the_order_is_that_of_lowest_corners():
    """Catches pieces that are laid from the top, or from the right."""
    assert laying_order(TILING) == [1, 0, 2, 3, 4]
    assert data_of(tilings_page(PUZZLE, [TILING, MIRRORED]))["orders"][0] == [1, 0, 2, 3, 4]
    third = surd({2: Fraction(1, 3)})
    row = [tuple((x + n * third, y) for x, y in SQUARE) for n in (2, 0, 1)]
    assert laying_order(tuple(row)) == [1, 2, 0]


def test_irrational_coordinates():
    """Catches exact numbers that are written as they are."""
    half = surd({2: Fraction(1, 2)})
    diamond = ((0, -half), (half, 0), (0, half), (-half, 0))
    puzzle = DissectionPuzzle(((-2, -1), (2, -1), (2, 1), (-2, 1)), (SQUARE, ((0, 0), (7, 0), (7, 1), (0, 1))))
    data = data_of(tilings_page(puzzle, [(diamond, puzzle.target)]))
    points = [tuple(map(float, point.split(","))) for point in data["placements"][0][0].split()]
    assert points == [pytest.approx(p, abs=0.01) for p in [(193.93, 150), (300, 256.07), (406.07, 150), (300, 43.93)]]


@pytest.mark.parametrize(
    "polygon",
    [((0, 0), (1, 0), (2, 0)), ((0, 0), (0, 0), (0, 0)), ((0, 0), (2, 2), (2, 0), (0, 2))],
    ids=["flat", "point", "crossing"],
)
def test_wrong_tilings_are_shown(polygon):
    """Catches divisions by an area of 0: files may claim anything."""
    data = data_of(tilings_page(PUZZLE, [(polygon, *TILING[1:])]))
    _, x, y, size = data["placements"][0]
    assert 0 <= x <= 600
    assert 0 <= y <= 630
    assert size > 0


# What the page says of each tiling, in a document that takes everything.
SAID = """(data) => {
    const element = { setAttribute() {}, appendChild: (child) => child };
    globalThis.document = { getElementById: () => element, createElementNS: () => element };
    return data.solutions.map((_, index) => tilingPicture(data).problems(index));
}"""


def test_problems_are_told():
    """Catches invalid tilings that are shown without a word, and pieces outside the picture."""
    wrong = tuple((x + 5, y - 3) for x, y in TILING[0]), *TILING[1:]
    page = tilings_page(PUZZLE, [TILING, wrong])
    data = data_of(page)
    assert evaluated(("svg.js", "board.js", "tiling.js"), SAID, data) == [
        [],
        ["piece 1 does not lie inside the target"],
    ]
    width, height = map(float, re.search(r'id="picture" [^>]*viewBox="0 0 (\S+) (\S+)"', page).groups())
    across, down = map(float, re.findall(r"<g transform=\"translate\((\S+) (\S+)\)", page)[0])
    for points, *_ in data["placements"]:
        for point in points.split():
            x, y = map(float, point.split(","))
            assert 0 < x + across < width
            assert 0 < y + down < height


def test_no_tilings_or_too_few_pieces():
    """Catches a page that could show nothing, and tilings of other puzzles."""
    with pytest.raises(InstanceError, match="there is no tiling to show"):
        tilings_page(PUZZLE, [])
    with pytest.raises(InstanceError, match="4 polygons for 5 pieces"):
        tilings_page(PUZZLE, [TILING[1:]])
