import re
from xml.etree import ElementTree as ET

import pytest

import jigsat as js
from jigsat.csp.files.file_format import bundled_names
from jigsat.render.svg.thumbnail import draw_thumbnail

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", bundled_names())
def test_it_is_square_without_words(name):
    root = ET.fromstring(draw_thumbnail(js.read(name)))
    assert root.get("width") == root.get("height") == "200"
    assert not [*root.iter(f"{SVG}text")]
    # Something is drawn, and nothing outside the picture.
    size = float(root.get("viewBox").split()[2])
    x, y = map(float, re.match(r"translate\((\S+) (\S+)\)", root.find(f"{SVG}g").get("transform")).groups())
    for polygon in root.iter(f"{SVG}polygon"):
        dx, dy = map(float, re.match(r"translate\((\S+) (\S+)\)", polygon.get("transform")).groups())
        for point in polygon.get("points").split():
            px, py = map(float, point.split(","))
            assert 0 <= px + x + dx <= size
            assert 0 <= py + y + dy <= size
    assert len([*root.iter(f"{SVG}polygon")]) == len(js.read(name).pieces) or len([*root.iter(f"{SVG}use")]) >= 16


def test_a_large_board_shows_its_upper_left_corner():
    puzzle = js.read("perfect-12x12")
    board = puzzle.assemblies[0]
    uses = [use.get("href") for use in ET.fromstring(draw_thumbnail(puzzle, board)).iter(f"{SVG}use")]
    assert len(uses) == 4 * 36
    assert len({*uses[:4]}) == len({*puzzle.shown(board[0])})
