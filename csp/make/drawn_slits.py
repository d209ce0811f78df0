"""Warnings of narrow gaps in a drawing, where pieces were most likely meant to meet."""

from collections.abc import Sequence
from itertools import combinations
from math import dist
from typing import NamedTuple

Place = tuple[float, float]


class Side(NamedTuple):
    """An edge in the coordinates of the drawing, y upwards; what is covered is to its left."""

    start: Place
    end: Place

    def off(self, point: Place) -> float:
        """How far a point is to the left of the line through the edge."""
        (a, b), (c, d) = self
        return ((c - a) * (point[1] - b) - (d - b) * (point[0] - a)) / dist(*self)

    def along(self, point: Place) -> float:
        """How far along the edge a point is."""
        (a, b), (c, d) = self
        return ((point[0] - a) * (c - a) + (point[1] - b) * (d - b)) / dist(*self)


def slits(outline: Sequence[Side], pieces: Sequence[Sequence[Side]], names: Sequence[str]) -> list[str]:
    """Warnings of slits between edges of the target's outline, and of short edges of it that no piece has.

    They are narrower than a tenth of any piece.  `names`: those of the pieces, or none.
    """
    narrow = min(map(_width, pieces), default=0.0) / 10
    found = []
    for one, other in combinations(outline, 2):
        wide = _gap(one, other)
        if wide is not None and wide < narrow:
            near = sorted({_nearest(pieces, side) for side in (one, other)})
            two = " and ".join(names[piece] for piece in near) if names else "pieces"
            found.append(f"slit between {two}, about {wide:.2g} wide")
    own = {side for piece in pieces for side in piece}
    for side in outline if not found else ():
        if dist(*side) < narrow and side not in own:
            at = f"({side.start[0]:.4g}, {0.0 - side.start[1]:.4g})"
            found.append(f"step of about {dist(*side):.2g} in the outline at {at}")
    return [f"Warning: {what}: draw them together, or give --lattice STEP." for what in dict.fromkeys(found)]


def _width(sides: Sequence[Side]) -> float:
    """The least width of a polygon across one of its edges."""
    across = ([side.off(point) for point, _ in sides] for side in sides)
    return min(max(offs) - min(offs) for offs in across)


def _gap(one: Side, other: Side) -> float | None:
    """The largest distance of two edges with a gap between them that is longer than wide; None without one."""
    offs = [one.off(point) for point in other]
    wide = -min(offs)
    shared = min(dist(*one), one.along(other.start)) - max(0.0, one.along(other.end))
    return wide if max(offs) < wide / 100 and shared > 2 * wide > 0 else None


def _nearest(pieces: Sequence[Sequence[Side]], side: Side) -> int:
    """The piece that has the middle of an edge of the outline on its rim."""
    middle = (side.start[0] + side.end[0]) / 2, (side.start[1] + side.end[1]) / 2
    away = ([dist(edge.start, middle) + dist(middle, edge.end) - dist(*edge) for edge in piece] for piece in pieces)
    nearest = [min(some) for some in away]
    return nearest.index(min(nearest))
