"""Registration marks, at the same places on the print of a picture and on the sheet that is cut."""

from collections.abc import Iterator

from ....csp.base.errors import JigsatError
from ..paper.paper import MARKS, Path, circle
from ..paper.sizes import Measures

# The radius of a mark, of the dot in the first one, and the least distance from the bleed and from the page's edge.
_RADIUS, _DOT, _GAP = 3.0, 1.0, 0.5


def registration_marks(width: float, top: float, bottom: float, measures: Measures) -> Iterator[Path]:
    """Crosses in circles beside the corners of a picture; the one at the upper left has a dot.

    Parameters
    ----------
    width
        The width of the page.
    top, bottom
        The edges of the picture, without its bleed.
    measures
        The margin, in which the marks lie, and the bleed.

    Raises JigsatError if the margin is too narrow.
    """
    needed = measures.bleed + 2 * (_RADIUS + _GAP)
    if measures.margin < needed:
        what = f"registration marks beside a bleed of {measures.bleed:g} mm"
        raise JigsatError(f"margin {measures.margin:g}: too narrow for {what}; give {needed:g} or more")
    off = measures.bleed + _GAP + _RADIUS
    for y in (top - off, bottom + off):
        for x in (measures.margin - off, width - measures.margin + off):
            yield Path(MARKS, circle((x, y), _RADIUS))
            yield Path(MARKS, ((x - _RADIUS, y), (x + _RADIUS, y)), straight=True)
            yield Path(MARKS, ((x, y - _RADIUS), (x, y + _RADIUS)), straight=True)
    yield Path(MARKS, circle((measures.margin - off, top - off), _DOT), closed=True, fill=MARKS.color)
