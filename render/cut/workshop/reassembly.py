"""What offsets mean for the assembled pieces, in a sentence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..paper.sizes import Measures
from .offsets import gaps, offset_of

if TYPE_CHECKING:
    from shapely.geometry import Polygon


def reassembly_fact(shapes: Sequence["Polygon"], measures: Measures, *, assembled: bool = True) -> str:
    """The offset of the paths, and the gaps that were measured between the pieces after cutting.

    - `shapes`: the pieces in their places.
    - `measures`: the kerf and the gap.
    - `assembled`: whether the places are those of an assembly; the gaps are measured only then.
    """
    by = offset_of(measures)
    side = "on" if by == 0 else f"{abs(by):.3f} mm {'outside' if by > 0 else 'inside'}"
    start = f"{len(shapes)} closed lines, {side} the edges of their pieces, none over another"
    found = gaps(shapes, measures) if assembled else None
    if found is None:
        return start
    wanted = f"after a cut of {measures.kerf:g} mm the gaps between pieces are to be {measures.gap:g} mm"
    return f"{start}; {wanted} and measure {_signed(found.narrowest)} to {_signed(found.widest)} mm"


def _signed(gap: float) -> str:
    return f"{round(gap, 3) + 0.0:.3f}"
