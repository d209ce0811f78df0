"""Lines of a board as far as they lie within its own outline."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..curves.tab import flatness, flattened
from ..paper.paper import Path, Spot

if TYPE_CHECKING:
    from shapely.geometry import Polygon

#: The largest distance in mm of an outline from the exact one, apart from the rounding of coordinates.
ACCURACY = 0.005
# The shortest line that is cut, in mm.
_SHORTEST = 0.01


def trimmed(lines: Iterable[Path], rim: "Polygon") -> Iterator[Path]:
    """Polylines for the parts of these lines within an outline; the last line, the border, becomes the outline itself.

    - `lines`: Paths of Bezier curves; the last one is closed.
    - `rim`: the outline of the board, in the coordinates of the lines.
    """
    from shapely import line_merge
    from shapely.geometry import LineString, Polygon

    for line in lines:
        spots = polyline(line.points)
        if line.closed:
            for ring in _rings(Polygon(spots).intersection(rim)):
                yield replace(line, points=ring, straight=True)
            continue
        inside = line_merge(LineString(spots).intersection(rim))
        for part in getattr(inside, "geoms", [inside]):
            if part.geom_type == "LineString" and part.length > _SHORTEST:
                yield replace(line, points=tuple((x, y) for x, y in part.coords), straight=True)


def polyline(points: tuple[Spot, ...]) -> list[Spot]:
    """A path of Bezier curves as a polyline."""
    steps = max(int((flatness(points, 1) / (ACCURACY / 2)) ** 0.5) + 1, 1)
    return [(x, y) for x, y in flattened(points, steps).tolist()]


def _rings(area) -> Iterator[tuple[Spot, ...]]:
    for part in getattr(area, "geoms", [area]):
        if part.geom_type == "Polygon" and not part.is_empty:
            yield tuple((x, y) for x, y in part.exterior.coords)
