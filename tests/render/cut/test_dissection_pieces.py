"""Dissections to cut along the lines of a tiling: no line is missing, and none is cut twice."""

from math import cos, radians, sin

import pytest
from shapely.geometry import LineString, Polygon

import jigsat as js
from jigsat.api.cut import draw_print
from jigsat.csp.files.instances import list_puzzles, read_dissection
from jigsat.csp.files.variant import variant
from jigsat.render.cut.loose_pieces import flat_pieces, loose_polygons, tiling_sheet
from jigsat.render.cut.paper import CUT
from jigsat.render.cut.sizes import Measures

NAMES = [puzzle["name"] for puzzle in list_puzzles() if puzzle["kind"] == "dissection"]
#: Their files show no tiling.
APART = {"calendar", "calissons", "decagon", "partridge-8", "pentominoes-6x10", "perigal"}


def inner_length(pieces, outlines):
    """The length of the lines between pieces, all but the outlines of the target and its holes."""
    sheet = tiling_sheet("dissection", loose_polygons(pieces, numbered=False), outlines, Measures(size=120.0))
    lines = [item for item in sheet.items if getattr(item, "layer", None) is CUT]
    assert [line.closed for line in lines[-len(outlines) :]] == [True] * len(outlines)
    return sum(LineString(line.points).length for line in lines[: -len(outlines)])


def check_lines(pieces, outlines):
    """Every line between two pieces is on the rims of both."""
    rims = [sum(Polygon(flat).length for flat in flats) for flats in (pieces, outlines)]
    assert inner_length(pieces, outlines) == pytest.approx((rims[0] - rims[1]) / 2, abs=0.1)


@pytest.mark.parametrize("stretch", [None, "3:2"])
@pytest.mark.parametrize("name", sorted({*NAMES} - APART))
def test_all_lines_of_dissections(name, stretch):
    """Catches a tangram that is a mere square on the sheet."""
    puzzle = variant(read_dissection(name), stretch=stretch)
    check_lines(*flat_pieces(puzzle, puzzle.pieces, 120.0))


@pytest.mark.parametrize("degrees", [*range(0, 90, 7), 45, 0.1, 89.9])
def test_all_lines_of_turned_squares(degrees):
    """Catches lines that are lost because of how the coordinates of corners are rounded."""
    turn = radians(degrees)
    square = [(60 + 80 * cos(turn + at), 60 + 80 * sin(turn + at)) for at in map(radians, (0, 90, 180, 270))]
    check_lines([(*square[:3],), (square[0], *square[2:])], [tuple(square)])


def test_handouts():
    """Catches sheets on which a piece is missing, another size, and a solution that is given away."""
    sheets = draw_print("tangram", sets=3, page="a4", size=100).sheets
    assert [sheet.name for sheet in sheets] == ["target", "cut-1", "cut-2", "cut-3", "solution"]
    lines = [[Polygon(item.points) for item in sheet.items if getattr(item, "closed", False)] for sheet in sheets]
    pieces = [piece for sheet in lines[1:4] for piece in sheet]
    assert sum(piece.area for piece in pieces) == pytest.approx(3 * lines[0][0].area, rel=0.01)
    assert lines[0][0].bounds[2] - lines[0][0].bounds[0] == pytest.approx(100)
    assert (len(pieces), len(lines[4])) == (21, 7)
    hidden = draw_print("tangram", sets=1, hide_solution=True).sheets
    assert [sheet.name for sheet in hidden] == ["target", "cut"]
    twice = draw_print("tangram-cat", js.solve("tangram-cat", all=True).solutions, sheets="solution").sheets
    assert twice[0].about == "2 solutions"
