"""The page to play a jigsaw: what is embedded, read back from the HTML."""

import json
import re
from dataclasses import replace

import pytest

from javascript import evaluated
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import read_puzzle, read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import Fixed
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.tabs import SIDE, outline
from jigsat.render.html import play
from jigsat.render.html.page import resource
from jigsat.render.html.play import checked_jigsaw, play_page

JIGSAW = read_squares("perfect-3x3")
OBLONG = read_squares("perfect-5x7")
DOT = "data:image/png;base64,AAAA"


def page_of(puzzle=JIGSAW, boards=None, **options):
    return play_page(puzzle, puzzle.assemblies if boards is None else boards, **options)


def data_of(page):
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def test_pieces_and_assemblies_come_back():
    """Catches pieces, rotations or names that are lost on the way into the page."""
    data = data_of(page_of(OBLONG))
    assert (data["rows"], data["columns"], data["kind"], data["word"]) == (5, 7, "jigsaw", "assembly")
    assert data["pieces"] == [list(sides) for sides in OBLONG.pieces]
    boards = [tuple(Placement(*divmod(code, 4)) for code in codes) for codes in data["boards"]]
    assert boards == list(OBLONG.assemblies)
    assert (data["names"][7], len(data["names"])) == ("B1", 35)
    assert data_of(page_of(boards=[]))["boards"] == []
    placed = JIGSAW.assemblies[0][4]
    puzzle = replace(JIGSAW, fixed=(Fixed(4, *placed),), assemblies=())
    assert data_of(page_of(puzzle))["fixed"] == [[4, 4 * placed.piece + placed.rotation]]


@pytest.mark.parametrize("curves", [0, 3])
def test_outlines_are_those_that_are_cut(curves):
    """Catches outlines of another family, of other pieces, or off their centres."""
    data = data_of(page_of(curves=curves))
    tabs = cut_of(JIGSAW, curves).tabs
    for path, sides in zip(data["outlines"], JIGSAW.pieces, strict=True):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
        found = list(zip(numbers[::2], numbers[1::2], strict=True))
        expected = [((x - SIDE / 2) * 100 / SIDE, (y - SIDE / 2) * 100 / SIDE) for x, y in outline(sides, tabs)]
        assert found == [pytest.approx(point, abs=0.006) for point in expected]
        assert path.startswith("M-50 -50C")
        assert path.endswith("z")


def test_a_table_without_room():
    """Catches a page in a hidden frame, whose stage has no width, that looks for the size of its table for ever."""
    find_room = """(source, width) => {
        const stage = { clientWidth: width, getBoundingClientRect: () => ({ top: 0 }) };
        const window = { innerHeight: 0, scrollY: 0 };
        const given = [() => ({ matches: false }), () => stage, window];
        return new Function("matchMedia", "byId", "window", `${source}; return room();`)(...given);
    }"""
    for width, found in ((0, 240), (239, 240), (900, 900)):
        room = evaluated((), find_room, resource("controls.js"), width)
        assert room == {"width": found, "height": 240, "pitch": 108}


def test_a_seed_is_a_shuffle():
    """Catches pieces that are dealt twice or never, and seeds that mean nothing."""
    deals = [data_of(page_of(OBLONG, seed=seed))["deal"] for seed in (0, 0, 1)]
    assert deals[0] == deals[1] != deals[2]
    for deal in deals:
        assert sorted(piece for piece, *_ in deal) == list(range(35))
        assert {turn for _, turn, *_ in deal} == {0, 1, 2, 3}
        # Beyond that a tab could hide the centre of its neighbour.
        assert all(abs(off) <= 8 for _, _, *offs in deal for off in offs)
    assert [piece for piece, *_ in deals[0]] != list(range(35))


def test_the_artwork_is_in_the_page_once():
    """Catches pages that grow with their pieces, and pictures that are squeezed to a square."""
    page = page_of(OBLONG, image=DOT)
    assert page.count(DOT) == 1
    assert f'<image id="artwork" width="700" height="500" preserveAspectRatio="none" href="{DOT}"/>' in page
    assert "<image" not in page_of(OBLONG)


def test_refusals():
    """Catches pages that could never be played, and boards that would be praised although they are wrong."""
    first = JIGSAW.assemblies[0]
    partial, mixed = (None, *first[1:]), (first[1], first[0], *first[2:])
    for boards, why in (([first, partial], "assembly 2 .*1 of 9 squares are empty"), ([mixed], "assembly 1 is not")):
        with pytest.raises(InstanceError, match=why):
            page_of(boards=boards)
    with pytest.raises(InstanceError, match="no assembly to place the picture on"):
        page_of(boards=[], image=DOT)
    for name, kind in (("puzzle-a", "edge-matching"), ("tangram", "dissection")):
        with pytest.raises(InstanceError, match=f"is of the kind {kind}, but only jigsaws"):
            checked_jigsaw(read_puzzle(name))


def test_too_many_pieces(monkeypatch):
    monkeypatch.setattr(play, "MOST_PIECES", 8)
    with pytest.raises(InstanceError, match="has 9 pieces; a page to play with can have 8"):
        page_of()
