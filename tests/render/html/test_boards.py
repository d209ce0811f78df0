"""The page for boards: what is embedded, read back from the HTML."""

import json
import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from javascript import evaluated
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import named_order
from jigsat.render.html.viewer import Nodes, boards_page
from jigsat.render.svg.palette import looks

SVG = "{http://www.w3.org/2000/svg}"
MADE = deal_edge_matching(3, 4, 3, 2, clues=2, seed=1)
PUZZLE, BOARD = MADE.puzzle, MADE.solution
ORDER = named_order(PUZZLE, "spiral_in")


def page_of(boards, puzzle=PUZZLE, order=ORDER, **options):
    return boards_page(puzzle, boards, order, "spiral_in", **options)


def data_of(page):
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def facts_of(page):
    return {unescape(word): unescape(fact) for word, fact in re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", page)}


def picture_of(page):
    return ET.fromstring(re.search(r"<svg [^>]*xmlns.*?</svg>", page, re.DOTALL)[0])


def test_boards_come_back():
    """Catches pieces, rotations or empty squares that are lost on the way into the page."""
    partial = tuple(placed if square % 3 else None for square, placed in enumerate(BOARD))
    empty = (None,) * 12
    data = data_of(page_of([BOARD, partial, empty]))
    found = [
        tuple(None if code is None else Placement(*divmod(code, 4)) for code in codes) for codes in data["solutions"]
    ]
    assert found == [BOARD, partial, empty]
    assert (data["rows"], data["columns"], data["kind"]) == (3, 4, "edge-matching")
    assert data["pieces"] == [list(sides) for sides in PUZZLE.pieces]
    assert data["order"] == list(ORDER)
    assert data["names"][:5] == ["A1", "A2", "A3", "A4", "B1"]
    assert [tuple(entry) for entry in data["fixed"]] == [(square, 4 * p + r) for square, p, r in PUZZLE.fixed]


def test_only_faults_are_problems():
    """Catches boards that are called wrong for their empty squares, and wrong ones that are not."""
    partial = (None, *BOARD[1:])
    twice = (BOARD[5], *BOARD[1:])
    problems = data_of(page_of([BOARD, partial, twice]))["problems"]
    assert list(problems) == ["2"]
    number = BOARD[5].piece + 1
    assert any(f"piece {number} " in line for line in problems["2"])


def test_faults_are_not_told_without_end():
    """Catches a page that lists every square of a shuffled board."""
    mixed = tuple(Placement(placed.piece, (placed.rotation + 2) % 4) for placed in BOARD)
    (lines,) = data_of(page_of([mixed]))["problems"].values()
    assert len(lines) == 6
    assert re.fullmatch(r"and \d+ more", lines[-1])


@pytest.mark.parametrize("puzzle", [PUZZLE, read_squares("perfect-3x3")], ids=["colours", "connectors"])
def test_pieces_are_drawn_as_in_pictures(puzzle):
    """Catches looks of wrong colours, mates of connectors mixed up, sides in wrong places."""
    order = named_order(puzzle, "rowscan")
    board = tuple(Placement(piece, 0) for piece in range(len(puzzle.pieces)))
    root = picture_of(page_of([board], puzzle, order))
    groups = {group.get("id"): group for group in root.iter(f"{SVG}g")}
    look_of = looks(puzzle)
    for number, sides in enumerate(puzzle.pieces):
        uses = groups[f"piece{number}"].findall(f"{SVG}use")
        turns = [use.get("transform", "rotate(0)") for use in uses]
        assert turns == ["rotate(0)", "rotate(90)", "rotate(180)", "rotate(270)"]
        assert [use.get("href") for use in uses] == [f"#{look_of[side].name}" for side in sides]
        assert all(use.get("href")[1:] in groups for use in uses)


def test_names_are_text():
    """Catches a name or a source that becomes part of the page."""
    hostile = '</script><b>"&{{data}}'
    page = page_of([BOARD], replace(PUZZLE, name=hostile, source=f"from {hostile}"))
    assert "<b>" not in page
    assert page.count("</script>") == 2
    assert data_of(page)["name"] == hostile
    assert unescape(re.search("<h1>(.*?)</h1>", page)[1]) == hostile
    assert facts_of(page)["Source"] == f"from {hostile}"
    assert picture_of(page).find(f"{SVG}title").text == hostile


def test_facts():
    """Catches wrong numbers, wrong plurals, and a page that does not say that there are more solutions."""
    facts = facts_of(page_of([BOARD]))
    colors = len({side for sides in PUZZLE.pieces for side in sides} - {0})
    assert facts["Shown"] == "1 solution"
    assert facts["Kind"] == "edge-matching puzzle, 3x4 board"
    assert facts["Pieces"] == f"12, {colors} colours, 2 fixed"
    assert facts["Order"].startswith("search order spiral_in: from ")
    assert facts_of(page_of([BOARD] * 2, total=12345))["Shown"] == "the first 2 of 12 345 solutions"
    assert facts_of(page_of([BOARD] * 2, word="assembly"))["Shown"] == "2 assemblies"
    assert "Source" not in facts_of(page_of([BOARD], replace(PUZZLE, source="")))


def test_nodes():
    """Catches counts that a script's numbers could not hold, and logarithms that JSON could not."""
    nodes = Nodes(((5.83, "6.81e5"), (float("-inf"), "0")), (2**62, 0), complete=False, note="so far")
    found = data_of(page_of([BOARD], nodes=nodes))["nodes"]
    assert found["predicted"] == [[5.83, "6.81e5"], [None, "0"]]
    assert found["actual"] == ["4611686018427387904", "0"]
    assert (found["complete"], found["note"]) == (False, "so far")


def test_the_page_loads_nothing():
    """Catches an address that a browser would go to."""
    page = page_of([BOARD], replace(PUZZLE, source="see https://example.org/?a=b"))
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) == {"http://www.w3.org/2000/svg", "https://example.org/?a=b"}
    assert not re.search(r"""(src|href)=["'](?!#|data:)|url\(""", page)


def test_large_pages_are_compact():
    """Catches solutions that are written at length: a thousand of a 16x16 board are a few megabytes at most."""
    puzzle = EdgeMatchingPuzzle(16, 16, ((0, 0, 0, 0),) * 256)
    board = tuple(Placement(piece, 3) for piece in range(256))
    order = named_order(puzzle, "rowscan")
    one, two = (len(page_of([board] * number, puzzle, order)) for number in (1, 2))
    assert two - one < 1700


def test_no_boards():
    """Catches a page that could show nothing."""
    with pytest.raises(InstanceError, match="there is no solution to show"):
        page_of([])


@pytest.mark.parametrize(
    ("placed", "message"),
    [
        (Placement(12, 0), "solution 2: A1: there is no piece 13; pieces are numbered 1 to 12"),
        (Placement(0, 5), "solution 2: A1: rotation 5; must be 0, 1, 2 or 3"),
    ],
)
def test_boards_that_cannot_be_shown(placed, message):
    """Catches a page whose script fails, or shows another piece: it has one number for a piece and its rotation."""
    with pytest.raises(InstanceError, match=re.escape(message)):
        page_of([BOARD, (placed, *BOARD[1:])])


@pytest.mark.parametrize(("spare", "text"), [(0, "3 of 12 pieces"), (1, "3 of 12 squares filled")])
def test_what_is_filled(spare, text):
    """Catches squares that are called pieces where there are spare pieces."""
    data = data_of(page_of([BOARD], replace(PUZZLE, pieces=(*PUZZLE.pieces, *[(1, 1, 1, 1)] * spare))))
    assert evaluated(("svg.js", "board.js"), "filledFact", data, 3) == text
