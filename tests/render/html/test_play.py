"""The page to play a jigsaw: what is embedded, read back from the HTML."""

import re
from dataclasses import replace

import pytest

from javascript import data_of
from jigsat.api.make import make_boards_jigsaw
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import read_squares
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.tabs import SIDE, outline
from jigsat.render.html.play import play_page

JIGSAW = read_squares("perfect-3x3")
OBLONG = read_squares("perfect-5x7")
DOT = "data:image/png;base64,AAAA"


def page_of(puzzle=JIGSAW, boards=None, **options):
    return play_page(puzzle, puzzle.assemblies if boards is None else boards, **options)


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


def test_refusals():
    """Catches pages that could never be played, and boards that would be praised although they are wrong."""
    first = JIGSAW.assemblies[0]
    partial, mixed = (None, *first[1:]), (first[1], first[0], *first[2:])
    for boards, why in (([first, partial], "assembly 2 .*1 of 9 squares are empty"), ([mixed], "assembly 1 is not")):
        with pytest.raises(InstanceError, match=why):
            page_of(boards=boards)
    with pytest.raises(InstanceError, match="no assembly to place the picture on"):
        page_of(boards=[], image=DOT)
    over = replace(JIGSAW, flip=True)
    with pytest.raises(InstanceError, match="may be turned over, so a picture has no place"):
        page_of(over, [JIGSAW.assemblies[0]], image=DOT)


def test_a_page_with_two_boards_has_the_data_of_both():
    """Catches squares, turns or solutions of the first board on the second one, and one place for both progresses."""
    jigsaw = make_boards_jigsaw("4x4,3x5", seed=1)
    data = data_of(page_of(jigsaw.first, second=jigsaw.second))
    second = data["second"]
    assert (data["rows"], data["columns"], second["rows"], second["columns"]) == (4, 4, 3, 5)
    assert (len(data["pieces"]), len(data["names"]), len(second["names"])) == (16, 16, 15)
    assert [len(each["moves"]) for each in (data, second)] == [4, 2]
    assert second["boards"] == [[4 * placed.piece + placed.rotation for placed in jigsaw.second.assemblies[0]]]
    assert jigsaw.spare not in {code // 4 for code in second["boards"][0]}
    assert data["key"] != second["key"]
