"""The size and the places of the numbers on pieces, so that they stay away from the cuts."""

from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..curves.family import Cut
from ..curves.tab import SIDE, flatness, flattened
from ..paper.digits import half_extents
from ..paper.paper import Spot
from .trimming import ACCURACY

if TYPE_CHECKING:
    from shapely.geometry import Polygon

#: The least distance of the lines of numbers from the middle of a cut, in mm.
CLEARANCE = 0.5
# Heights of digits: as a fraction of a side, and in mm.
_PART, _HIGHEST, _LEAST = 0.12, 5.0, 1.0
_STEPS, _HALVINGS = 16, 12


def label_height(pieces: int, cut: Cut, size: float) -> float | None:
    """The height of digits in mm, for numbers up to that of the last piece; None if there is no room for them.

    The numbers have room with any curves of this jigsaw around a piece, so all of them have the same size.
    """
    wanted = max(min(_PART * size, _HIGHEST), _LEAST)
    extents = half_extents(len(str(pieces)))
    curves = _about_the_middle(cut) * (size / SIDE)
    error = max((flatness(tab.points, _STEPS) for tab in cut.tabs.values()), default=0.0) * size / SIDE
    room = CLEARANCE + error
    if _distance(curves, wanted, extents) >= room:
        return wanted
    low, high = _LEAST, wanted
    if _distance(curves, low, extents) < room:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _distance(curves, middle, extents) >= room else (low, middle)
    return low


def _about_the_middle(cut: Cut) -> NDArray[np.float64]:
    """The distances, in both directions, of points of all sides (tabs and blanks) from the centre of a piece.

    Labels are symmetric about the centre, so directions are not needed; for straight sides the middle is enough.
    """
    curves = [flattened(tab.whole, _STEPS) for tab in cut.tabs.values()]
    along, out = np.concatenate([[(SIDE / 2, 0)], *curves]).T
    return np.concatenate([np.column_stack([abs(along - SIDE / 2), SIDE / 2 + sign * out]) for sign in (-1, 1)])


def _distance(curves: NDArray[np.float64], height: float, extents: tuple[float, float]) -> float:
    """The distance of a label from those points, on any of the four sides of the piece."""
    across, down = extents
    beyond = [
        np.hypot(*np.maximum(curves - (height * half, height * other), 0).T).min()
        for half, other in ((across, down), (down, across))
    ]
    return float(min(beyond))


def label_spot(shape: "Polygon", middle: Spot, half: tuple[float, float]) -> Spot | None:
    """The centre of a number on a piece of any shape, as near to `middle` as its distance from the cuts allows.

    - `shape`: the piece.
    - `middle`: the place that is preferred.
    - `half`: Half the width and half the height of the number, all in mm.

    Returns
    -------
    Spot or None
        None if there is no room.
    """
    from shapely import MultiPoint, Point, box, union_all
    from shapely.ops import nearest_points

    (x, y), (across, down) = middle, half
    inside = shape.buffer(-CLEARANCE - ACCURACY)
    if inside.contains(box(x - across, y - down, x + across, y + down)):
        return middle
    rings = [ring.coords for part in getattr(inside, "geoms", [inside]) for ring in (part.exterior, *part.interiors)]
    corners = list(product((-across, across), (-down, down)))
    # With its centre there, the number would lie over this edge.
    over = [
        MultiPoint([(x + dx, y + dy) for x, y in edge for dx, dy in corners]).convex_hull
        for ring in rings
        for edge in pairwise(ring)
    ]
    room = inside.difference(union_all(over))
    if room.is_empty:
        return None
    found = nearest_points(room, Point(middle))[0]
    return found.x, found.y
