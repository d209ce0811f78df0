"""Sets of polygons up to motions."""

from collections import defaultdict
from functools import lru_cache

from ..geometry.exact_numbers import rational
from ..geometry.lattices import Matrix
from ..geometry.polygons import Isometry, Point, Polygon, counterclockwise, edges

#: Polygons with integer coordinates, each in counter-clockwise order from its least vertex on.
Figure = frozenset[Polygon]


def squared_length(a: Point, b: Point) -> int:
    """The square of the distance of two points with integer coordinates."""
    x, y = rational(b[0] - a[0]), rational(b[1] - a[1])
    return int(x * x + y * y)


@lru_cache(maxsize=1 << 16)
def figure_key(figure: Figure, turns: tuple[Matrix, ...] | None) -> tuple:
    """A key that is equal for congruent sets of polygons: those that a motion, or a lattice motion, makes the same.

    - `figure`: the polygons.
    - `turns`: the turns and reflections that are motions; None if every one is.
    """
    if turns is None:
        return min(_seen_from(figure, base, turned) for base in _shortest_edges(figure) for turned in (1, -1))
    images = []
    for a, b, c, d in turns:
        image = [Isometry(a, b, c, d, 0, 0)(polygon) for polygon in figure]
        x, y = (min(point[axis] for polygon in image for point in polygon) for axis in (0, 1))
        images.append(tuple(sorted(tuple((u - x, v - y) for u, v in polygon) for polygon in image)))
    return min(images)


def _shortest_edges(figure: Figure) -> list[tuple[Point, Point]]:
    """The shortest edges of the polygons, both ways."""
    found: dict[int, list[tuple[Point, Point]]] = defaultdict(list)
    for polygon in figure:
        for a, b in edges(polygon):
            found[squared_length(a, b)] += [(a, b), (b, a)]
    return found[min(found)]


def _seen_from(figure: Figure, base: tuple[Point, Point], turned: int) -> tuple:
    """The figure in coordinates along an edge and across it, times its length; turned over or not."""
    (x, y), (u, v) = base
    dx, dy = u - x, v - y
    # Orthogonal, but not of length 1, which does not matter to `counterclockwise`.
    image = [
        counterclockwise(
            tuple((dx * (p - x) + dy * (q - y), turned * (dx * (q - y) - dy * (p - x))) for p, q in polygon)
        )
        for polygon in figure
    ]
    return tuple(sorted(image))
