"""Dissections from drawings: what Inkscape and GeoGebra write, what is moved, and all that is wrong at once."""

from itertools import pairwise
from random import Random

import pytest

import jigsat as js
from jigsat.api.make import dissection_drawn
from jigsat.csp.files.dissection_files import vertices
from jigsat.csp.files.instances import read_dissection
from jigsat.csp.geometry.exact_numbers import quotient
from jigsat.csp.geometry.polygons import area
from jigsat.csp.puzzles.check_tiling import check_tiling

# A tangram in mm in a moved layer, with corners up to 0.02 mm from where they belong; the y axis points down.
INKSCAPE = """<svg width="210mm" height="297mm" viewBox="0 0 210 297" xmlns="http://www.w3.org/2000/svg"
xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"><g inkscape:label="Layer 1" transform="translate(3.1 2)">
<path style="fill:none;stroke:#000" d="m 20.01,20 40,0.01 -20,19.99 z"/><path d="M 20,20 V 60 L 40.02,40 Z"/>
<path d="M60,20V40L50,30Z"/>
<rect x="0" y="0" width="14.142136" height="14.142136" transform="translate(50 30)rotate(45)"/>
<polygon points="60,40 60,60 40,60"/><path d="M 40,40 50,50 H 30 Z"/><path d="M 30,50 h20 l-10,10 H20z"/>
</g>{}</svg>"""
OUTLINE = '<g id="target"><rect x="23.1" y="22" width="40" height="40"/></g><circle r="1" cx="23.1" cy="22"/>'
SQUARE = "M0 0H300V300H0Z"
# Sides of 2 across; sqrt(3) is 1.7320508.
LOZENGES = '<path d="M0 0h20l10 17.32h-20z"/><path d="M30 17.32l10-17.32h-20z"/>'


def made(tmp_path, content, **options):
    file = tmp_path / "drawing.svg"
    if not content.startswith("<svg"):
        content = f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400">{content}</svg>'
    file.write_text(content)
    how = dict.fromkeys(("lattice", "motions", "name", "output", "solution")) | {"no_flip": False} | options
    return dissection_drawn(file, **how)


def shapes(puzzle):
    return [[list(point) for point in vertices(piece)] for piece in puzzle.pieces]


@pytest.mark.parametrize("more", ["", OUTLINE])
def test_what_inkscape_writes(tmp_path, more):
    """Catches transforms, units, a y axis upside down, an outline taken for a piece, and corners that stay apart."""
    found = made(tmp_path, INKSCAPE.format(more))
    assert shapes(found.puzzle)[:2] == [[[0, 4], [2, 2], [4, 4]], [[0, 0], [2, 2], [0, 4]]]
    assert vertices(found.puzzle.target) == ((0, 0), (4, 0), (4, 4), (0, 4))
    assert (found.puzzle.name, len(found.puzzle.classes)) == ("drawing", 5)
    assert js.count(found.puzzle).canonical_count == 1
    assert "moved by at most 0.018" in found.summary()
    assert ("1 small curved shape ignored" in found.summary()) == bool(more)


@pytest.mark.parametrize(
    ("content", "pieces", "area", "holes"),
    [
        (f'<path d="{SQUARE}"/><line x1="0" y1="0" x2="300" y2="300"/><path d="M300 0L0 300M150 0V300"/>', 6, 4, 0),
        ('<path d="M0 0H300M300 0V300H0M0 300V0M100 0V300M0 100H100"/>'.replace("d=", 'stroke="red" d='), 3, 9, 0),
        ('<path d="M0 0H30V10H0zM0 20H30V30H0zM0 10H10V20H0z"/><path d="M20 10H30V20H20z"/>', 4, 8, 1),
        (f'<path d="{SQUARE}" fill="none" stroke="red"/><path d="{SQUARE}"/>', 1, 1, 0),
        (f"{LOZENGES}<path d='M0 0L10-17.33L20 0z'/>", 3, "4*sqrt(3)", 0),
    ],
)  # fmt: skip
def test_lines_holes_and_triangles(tmp_path, content, pieces, area, holes):
    """Catches areas that lines do not cut, outlines drawn twice, holes taken for gaps, and lattices of triangles."""
    content = content.replace("<line ", '<line stroke="red" ').replace('d="M300', 'stroke="red" d="M300')
    puzzle = made(tmp_path, content).puzzle
    assert (len(puzzle.pieces), str(puzzle.area), len(puzzle.holes)) == (pieces, str(area), holes)
    assert check_tiling(puzzle, puzzle.pieces).is_solution


def test_what_geogebra_writes(tmp_path):
    """Catches a white background taken for the target, sides drawn again as lines, and points taken for pieces."""
    places = (80.5, 420.25), (380.5, 420.25), (380.5, 120.25), (80.5, 120.25), (230.5, 270.25)
    corners = dict(zip("ABCDE", places, strict=True))
    parts = ['<rect fill="white" x="0" y="0" width="400" height="500"/>']
    for names in ("ABE", "BCE", "CDE", "DAE"):
        ways = [
            " L ".join(f"{corners[name][0]} {corners[name][1]}" for name in one) for one in (names, *pairwise(names))
        ]
        parts += [
            f'<path fill="red" fill-opacity=".1" d="M {ways[0]} Z"/>',
            f'<path fill="none" stroke="red" d="M {ways[0]} Z"/>',
        ]
        parts += [f'<path fill="none" stroke="red" d="M {way}"/>' for way in ways[1:]]
    parts += [f'<circle r="5" cx="{x}" cy="{y}"/><text x="{x}" y="{y}">A</text>' for x, y in corners.values()]
    found = made(tmp_path, "".join(parts))
    assert shapes(found.puzzle)[0] == [[0, 0], [2, 0], [1, 1]]
    assert len(found.puzzle.pieces) == 4
    assert found.facts == (
        "A step of the lattice is 150 in the drawing; no corner was moved.",
        "5 small curved shapes ignored, such as dots and labels.",
        "rect 1 is ignored as a background.",
    )


@pytest.mark.parametrize("name", ["ostomachion", "tangram-swan", "sei-shonagon", "pentominoes-8x8", "longram"])
def test_drawings_of_bundled_dissections_are_these(name, tmp_path):
    """Catches lattices that are too coarse or too fine, when every corner is a little beside its place."""
    puzzle, chance = read_dissection(name), Random(name)
    paths = (
        " ".join(
            f"{40 + 20.5 * float(x) + chance.gauss(0, 0.1)},{390 - 20.5 * float(y) + chance.gauss(0, 0.1)}"
            for x, y in piece
        )
        for piece in puzzle.pieces
    )
    found = made(tmp_path, "".join(f'<path d="M{path}z"/>' for path in paths), motions=puzzle.motions).puzzle
    assert [len(members) for members in found.classes] == [len(members) for members in puzzle.classes]
    assert quotient(found.area, area(found.pieces[0])) == quotient(puzzle.area, area(puzzle.pieces[0]))
    assert (len(found.holes), len(found.hull)) == (len(puzzle.holes), len(puzzle.hull))


def test_a_lattice_that_is_given(tmp_path):
    content = '<path d="M0 0H104V100H0z"/><path d="M104 0H151V100H99z"/>'
    assert shapes(made(tmp_path, content, lattice=50).puzzle) == [
        [[0, 0], [2, 0], [2, 2], [0, 2]],
        [[2, 0], [3, 0], [3, 2], [2, 2]],
    ]


@pytest.mark.parametrize(
    ("rest", "warning"),
    [
        ("M50 8.5H90V48.5H50z", "slit between path 2 and path 3"),
        ("M51.5 10H90V50H51.5z", "slit between path 1 and path 2"),
        ("M50 10H91.5V50H50z", "step of about"),
        ("M50 10H90V50H50z", None),
    ],
)
def test_narrow_gaps_are_told(tmp_path, rest, warning):
    """Catches slits without a warning, lattices of triangles that fit them, and unsearchable puzzles."""
    content = f'<path d="M10 10H50V50H10z"/><path d="{rest}"/><path d="M10 50H90V90H10z"/>'
    found = made(tmp_path, content)
    warned = [fact for fact in found.facts if fact.startswith("Warning")]
    assert [fact.startswith(f"Warning: {warning}") for fact in warned] == [True] * (warning is not None)
    assert (found.puzzle.motions, found.puzzle.is_rational) == ("lattice", True)
    assert js.count(found.puzzle).complete


def test_all_faults_are_told_at_once(tmp_path):
    """Catches a list that ends with its first fault; ids are those of the drawing."""
    content = (
        '<path id="a" d="M0 0H100V100H0z"/><path id="b" d="M50 0H150V100H50z"/><circle id="e" r="50" cx="300" cy="50"/>'
        '<polygon id="d" points="200,200 300,300 300,200 200,300"/>'
    )
    assert faults(tmp_path, content) == [
        "e: is curved; pieces have straight sides, so convert it to lines",
        "d: crosses or touches itself near (200, 200); draw a simple polygon",
        "a and b: overlap at (75, 50)",
    ]
    content = (
        '<path id="target" d="M0 0H200V100H0z"/><path id="a" d="M0 0H100V100H0z"/><path id="z" d="M0 100H100V150H0z"/>'
    )
    assert faults(tmp_path, content) == [
        "z: lies outside the target at (50, 125)",
        "target: no piece covers the target at (150, 50)",
        "the area of the pieces is 15000, but that of the target is 20000",
    ]
    lines = f'<path d="{SQUARE}"/><path id="l" stroke="red" d="M0 0L200 200"/>'
    assert faults(tmp_path, lines) == ["l: ends at (200, 200), where no other line is"]
    strip = '<path d="M0 0H300V300H0z"/><path id="s" d="M300 0H301V300H300z"/><path d="M301 0H400V300H301z"/>'
    with pytest.raises(js.InstanceError, match="s: is narrower than a step of the lattice"):
        made(tmp_path, strip, lattice=100)
    inside = f'<path d="{SQUARE}"/><path d="M0 100H300M50 200H60V210H50V200" fill="none" stroke="red"/>'
    assert faults(tmp_path, inside)[0].endswith("lies inside a piece without touching its rim; a piece has no hole")


def test_pieces_beside_their_target(tmp_path):
    """Catches drawings that must be tilings: three dominoes, one over another, and a rectangle with three tilings."""
    content = (
        '<path id="target" d="M0 0H20V30H0z"/><path d="M50 0H70V10H50z"/><path d="M60 0V20H70V0z"/>'
        '<path d="M10 10H30V20H10z"/>'
    )
    found = made(tmp_path, content)
    assert (found.solution, js.count(found.puzzle).count) == (None, 18)
    assert "not known whether they tile it" in found.summary()
    with pytest.raises(js.UsageError, match="no tiling"):
        made(tmp_path, content, solution=tmp_path / "tiling.json")
    # Two T tetrominoes tile no rectangle of area 8, and a target keeps its hole.
    tees = '<path d="M50 0H80V10H70V20H60V10H50z"/><path d="M50 40H80V50H70V60H60V50H50z"/>'
    assert js.count(made(tmp_path, f'<path id="target" d="M0 0H40V20H0z"/>{tees}').puzzle).count == 0
    ring = '<g id="target"><path d="M0 0H30V30H0z"/><path d="M10 10H20V20H10z"/></g>'
    found = made(tmp_path, f'{ring}<path d="M0 0H30V10H10V20H0z"/><path d="M50 0V30H60V10H70V0z"/>').puzzle
    assert (found.area, len(found.holes), len(found.pieces)) == (8, 1, 2)
    assert faults(tmp_path, f'<path id="target" d="M0 0H40V30H0z"/>{tees}') == [
        "the area of the pieces is 800, but that of the target is 1200"
    ]


def test_slanted_pieces_on_a_lattice_of_triangles(tmp_path):
    """Catches exact points of that lattice that are refused as no edge has a multiple of 30 degrees."""
    places = [[(0, 0), (2, 1), (1, 3)], [(5, 0), (7, 1), (6, 3)]]
    paths = ("".join(f"{10 * (i + j / 2):.6f},{10 * j * 0.75**0.5:.6f} " for i, j in piece) for piece in places)
    found = made(tmp_path, "".join(f'<polygon points="{path}"/>' for path in paths), motions="lattice").puzzle
    # Twice the area in triangles, each of which has sqrt(3) / 4 of the square of a side.
    assert (len(found.classes), found.lattice.angle) == (1, 60)
    assert quotient(area(found.pieces[0]), found.lattice.cell) == 5 / 2


def faults(tmp_path, content):
    with pytest.raises(js.InstanceError) as caught:
        made(tmp_path, content)
    return [str(caught.value).split(".svg: ")[1], *getattr(caught.value, "__notes__", ())]


def test_squared_paper(tmp_path):
    """Catches pieces that lie elsewhere than drawn, and equal pieces that are not written as copies."""
    file, solution = tmp_path / "L.json", tmp_path / "solution.json"
    puzzle = js.make_dissection("AAB./.ABB/C.DD/CCD.", output=file, solution=solution)
    assert '{"cells": ["##", ".#"], "copies": 4}' in file.read_text()
    assert puzzle.rows == ("###.", ".###", "#.##", "###.")
    assert js.check(puzzle, solution).accepted == (True,)
    with pytest.raises(js.InstanceError, match="the picture: letter A: is in several parts") as caught:
        js.make_dissection("AB/BA")
    assert caught.value.__notes__ == ["letter B: is in several parts, or holds together in a corner only"]
