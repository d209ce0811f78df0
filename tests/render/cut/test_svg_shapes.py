"""Outlines from SVG files lie where a renderer shows them."""

import io
from xml.etree import ElementTree as ET

import cairosvg
import numpy as np
import pytest
from PIL import Image

from jigsat.render.cut.board_outline import UnreadableError, closed_contours

SIZE = 300
# A shape without symmetry, about 90 wide and 100 high.
ARCH = "M10 0H100V90A50 10 0 0 1 10 90Z"
SHAPE = f'<path d="{ARCH}"/>'
CIRCLE = '<circle cx="90" cy="99" r="50"/>'


def moved(transform, content=SHAPE):
    return f'<g transform="{transform}">{content}</g>'


def viewport(size, box):
    return f'<svg x="50" y="30" {size} viewBox="{box}">{SHAPE}</svg>'


DRAWINGS = {
    "plain": SHAPE,
    "matrix": moved("matrix(1 .2 -.3 1.4 60 20)"),
    "matrix of a path": f'<path transform="matrix(.5,0,0,-2 , 60,220)" d="{ARCH}"/>',
    "nested": moved("translate(150,150)", moved("rotate(30)", moved("scale(1,-1)"))),
    "listed": moved("translate(150 100) rotate(-20, 50, 50)skewX(20),scale(.8)"),
    "skewed": moved(
        "translate(20 20) skewX(40)", '<ellipse cx="60" cy="90" rx="60" ry="40" transform="rotate(9 6 9)"/>'
    ),
    "skewed down": '<g transform="skewY(25)"><circle cx="90" cy="90" r="60"/></g>',
    "upside down": f'<g transform="translate(0 250) scale(1 -1)"><path transform="rotate(10)" d="{ARCH}"/></g>',
    "turned about a point": f'<path transform-origin="50 60" transform="rotate(140)" d="{ARCH}"/>',
    "inches": '<rect x="0.25in" y="1cm" width="2in" height="45mm" rx="12pt"/>',
    "points": '<ellipse cx="90pt" cy="8pc" rx="4em" ry="2ex"/>',
    "parts": '<rect x="10%" y="20%" width="50%" height="60%" rx="10%" ry="5%"/>',
    "circle in parts": '<circle cx="50%" cy="40%" r="30%"/>',
    "rounded on one axis": '<rect x="20" y="20" width="200" height="90" ry="40"/>',
    "rounded too much": '<rect x="20" y="20" width="100" height="200" rx="90" ry="30"/>',
    "polygon": '<polygon points="20,20 200,40 150 250,-20-30"/>',
    "polyline": '<polyline points="20,20 200,40 150,250 20,20"/>',
    "relative": '<path d="m50 50c20-40 90-20 80 30s40 60-10 90q-40 20-60-20t-30-60z"/>',
    "arcs": '<path d="M60 90a70 40 30 1 1 90 80a30 30 0 01-50-20z"/>',
    "used": f'<use href="#a" x="80" y="1in" transform="skewX(9)"/><defs><g id="a">{moved("rotate(5)")}</g></defs>',
    "xlink": f'<defs><path id="a" d="{ARCH}"/></defs><use xlink:href="#a" transform="translate(40 60)"/>',
    "symbol": (
        f'<symbol id="a" preserveAspectRatio="xMidYMid" viewBox="0 0 200 100">{SHAPE}</symbol>'
        '<use href="#a" x="30" y="20" width="200" height="200"/>'
    ),
    "nested viewport": viewport('width="200" height="100" preserveAspectRatio="xMaxYMin"', "-10 -10 120 120"),
    "another": viewport('width="60%" height="5cm" preserveAspectRatio="xMinYMax meet"', "0 0 110 110"),
    "stretched": viewport('width="200" height="90" preserveAspectRatio="none"', "0 0 110 110"),
    "style": f'<style>.st0{{display:none}} /* .st0 */ #b{{fill:red}}</style><g class="st0">{SHAPE}</g>{CIRCLE}',
    "hidden": f'<g style="display:none">{SHAPE}</g><g visibility="hidden">{SHAPE}</g>{CIRCLE}',
    "not shown": f'<clipPath id="c">{SHAPE}</clipPath><marker id="m">{SHAPE}</marker>{CIRCLE}',
    "layer of Inkscape": (
        '<sodipodi:namedview xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"/>'
        '<g xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:groupmode="layer" '
        'transform="translate(-5.2,-9.1)"><path style="fill:none;stroke:#000" transform="matrix(0.26,0,0,2.4,90,9)" '
        f'd="{ARCH}"/></g>'
    ),
    "box of LibreOffice": f'<g><rect class="BoundingBox" stroke="none" fill="none" width="9" height="9"/>{SHAPE}</g>',
    "paint of Sketch": f'<g stroke="none" fill="none">{SHAPE}<g>{SHAPE}<path fill="#000" d="M9 9H200V99Z"/></g></g>',
    "nothing first": f'<g transform="scale(0)">{SHAPE}</g><path d=""/><rect width="0" height="9"/>{CIRCLE}',
}
ROOTS = {
    "pixels": f'width="{SIZE}" height="{SIZE}"',
    "viewBox": f'width="{SIZE}px" height="{SIZE}" viewBox="-20 -30 340 400"',
    "mm": f'width="{SIZE * 25.4 / 96}mm" height="3.125in" viewBox="0 -10 300 300" preserveAspectRatio="none"',
}  # fmt: skip


def raster(svg):
    """How dark cairosvg paints each pixel, all that is drawn in black."""
    picture = Image.open(io.BytesIO(cairosvg.svg2png(svg.encode(), output_width=SIZE, output_height=SIZE)))
    return np.asarray(picture.convert("RGBA").getchannel("A")) / 255


def document(content, root=ROOTS["pixels"]):
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {spaces} {root}>{content}</svg>"


# cairosvg takes parts of the size of the file, not of its viewBox.
@pytest.mark.parametrize(
    ("name", "root"), [(name, root) for name in DRAWINGS for root in ROOTS if "parts" not in name or root == "pixels"]
)
def test_contours_lie_where_they_are_shown(name, root):
    """Catches transforms in a wrong order, units, viewports, and shapes that no viewer shows."""
    text = document(DRAWINGS[name], ROOTS[root])
    points = next(points for points in closed_contours(ET.fromstring(text)) if np.ptp(points, axis=0).min() > 0)
    found = raster(document(f'<polygon points="{" ".join(f"{x},{y}" for x, y in points)}"/>'))
    shown = raster(text.replace("fill:none;stroke:#000", ""))
    assert shown.sum() > 1000
    assert abs(found - shown).sum() < 0.006 * shown.sum()


def test_parts_are_of_the_viewbox_and_lengths_have_known_units():
    """The first as in browsers; a unit of type has no size here."""
    text = document('<rect width="50%" height="25%"/>', 'width="9" height="9" viewBox="0 0 90 360"')
    (points,) = closed_contours(ET.fromstring(text))
    assert np.ptp(points, axis=0) == pytest.approx([9 / 8, 9 / 4])
    bomb = '<g id="g0"/>' + "".join(f'<g id="g{i + 1}">' + f'<use href="#g{i}"/>' * 9 + "</g>" for i in range(9))
    for content, message in (
        ('<circle r="9vw"/>', "r: '9vw' is no length; convert it to mm or px"),
        ('<g transform="flip(1)"/>', "transform: flip is not known"),
        ('<use href="other.svg#a"/>', "use: 'other.svg#a' is not in this file"),
        ('<g id="a"><use href="#a"/></g>', "use: an element uses itself"),
        (bomb, "has more than 200000 elements"),
    ):
        with pytest.raises(UnreadableError, match=message):
            list(closed_contours(ET.fromstring(document(content))))
