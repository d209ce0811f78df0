"""Outlines from SVG files: which shape is taken, and where it lies; lengths in pixels of a file of 300 by 300."""

import pytest
from shapely.affinity import affine_transform, scale
from shapely.geometry import Point, Polygon, box

from jigsat.csp.files.drawn_paths import UnreadableError, shown_paths
from jigsat.render.cut.board_outline import FirstContour

FLAG = "M10 0H100V90L55 60L10 90Z"
PATH, CIRCLE = f'<path d="{FLAG}"/>', '<circle cx="90" cy="99" r="50"/>'
FOUND = Polygon([(10, 0), (100, 0), (100, 90), (55, 60), (10, 90)])
DISC = Point(90, 99).buffer(50, quad_segs=64)


def moved(*matrix):
    return affine_transform(FOUND, matrix)


def svg(content, size='width="300" height="300"'):
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {spaces} {size}>{content}</svg>"


def first_contour(text):
    first = FirstContour()
    shown_paths(text, first)
    return first.shape


def contour(content, **options):
    found = first_contour(svg(content, **options))
    # Files are read 100 000 pixels wide.
    return None if found is None else scale(found, 0.003, 0.003, origin=(0, 0))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (PATH, FOUND),
        (f'<g transform="translate(20 30) scale(2 -1)">{PATH}</g>', moved(2, 0, 0, -1, 20, 30)),
        (f'<g transform="matrix(1 .2 -.3 1 60 20)">{PATH}</g>', moved(1, -0.3, 0.2, 1, 60, 20)),
        ('<rect x="0.25in" y="1cm" width="2in" height="45mm"/>', box(24, 37.795, 216, 207.874)),
        (f'<svg x="50" y="30" width="200" height="100" viewBox="0 0 100 100">{PATH}</svg>', moved(1, 0, 0, 1, 100, 30)),
        (f'<defs><path id="a" d="{FLAG}"/></defs><use xlink:href="#a" x="40" y="60"/>', moved(1, 0, 0, 1, 40, 60)),
        (CIRCLE, DISC),
        (f"<style>.st0{{display:none}} #b{{fill:red}}</style><g class='st0'>{PATH}</g>{CIRCLE}", DISC),
        (f'<g visibility="hidden">{PATH}</g><clipPath id="c">{PATH}</clipPath>{CIRCLE}', DISC),
        (f'<marker id="m">{PATH}</marker><path d="M0 0H9" stroke="red" marker-end="url(#m)"/>{CIRCLE}', DISC),
        (f'<g stroke="none" fill="none">{PATH}</g><text y="30">O</text><path d="M0 0H9M1 1h1z"/>{CIRCLE}', DISC),
        (f'<g transform="scale(0)">{PATH}</g><rect width="0" height="9"/><image href="photo.jpg"/>{CIRCLE}', DISC),
        ('<path d="M0 0H100V100L9 90"/>', None),
    ],
)  # fmt: skip
def test_the_first_closed_shape_lies_where_it_is_shown(content, expected):
    """Catches transforms in a wrong order, units, viewports, and shapes that no viewer shows."""
    found = contour(content)
    assert (found is None) == (expected is None)
    assert expected is None or found.symmetric_difference(expected).area < 0.001 * expected.area


def test_small_files_are_as_exact_as_large_ones():
    """Catches coordinates that are rounded to pixels: an icon may become a board of a metre."""
    found = first_contour(svg('<circle cx="12" cy="12" r="11"/>', size='viewBox="0 0 24 24"'))
    assert scale(found, 24 / 1e5, 24 / 1e5, origin=(0, 0)).hausdorff_distance(Point(12, 12).buffer(11, 999)) < 24e-6


def test_what_is_refused():
    """Catches files that reach for others, endless ones, and parts of a size that browsers take of another one."""
    bomb = '<g id="g0"/>' + "".join(f'<g id="g{i + 1}">' + f'<use href="#g{i}"/>' * 9 + "</g>" for i in range(6))
    for content, message in (
        ('<use href="other.svg#a"/>', "'other.svg' is not in this file; unlink or embed what the file uses"),
        ('<style>@import "http://x.y/z.css";</style>', "'z.css' is not in this file"),
        ('<rect width="50%" height="9"/>', "rect: has a length in percent; convert it to mm or px"),
        (bomb, "has more than 10000 elements"),
    ):
        with pytest.raises(UnreadableError, match=message):
            contour(content)
