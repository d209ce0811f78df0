"""Outlines of pieces: closed paths of Bezier curves with integer coordinates.

A piece lies in the square from (0, 0), its upper left corner, to (`SIDE`, `SIDE`); the second coordinate points down,
as in pictures.  An outline has 3 k + 1 control points for k curves; the last point equals the first.
"""

from collections.abc import Iterable, Mapping, Sequence

from ....csp.puzzles.board import BORDER, DOWN, LEFT, RIGHT, UP
from ...svg.svg import short
from .tab import SIDE, Point, Tab

_STRAIGHT = ((0, 0), (SIDE // 3, 0), (SIDE - SIDE // 3, 0), (SIDE, 0))


def side_path(connector: int, tabs: Mapping[int, Tab]) -> tuple[Point, ...]:
    """The path of a side, clockwise around the piece; the second coordinate points outwards."""
    if connector == BORDER:
        return _STRAIGHT
    return tabs[connector].whole if connector > 0 else tabs[-connector].mate


def outline(sides: Sequence[int], tabs: Mapping[int, Tab]) -> tuple[Point, ...]:
    """The outline of a piece that shows these sides (up, right, down, left), clockwise from its upper left corner."""
    points: list[Point] = [(0, 0)]
    for side, connector in zip((UP, RIGHT, DOWN, LEFT), sides, strict=True):
        points += placed(side_path(connector, tabs), side)[1:]
    return tuple(points)


def placed(path: Iterable[Point], side: int) -> list[Point]:
    """Transform the path of a side to that side of a square."""
    if side == UP:
        return [(along, -out) for along, out in path]
    if side == RIGHT:
        return [(SIDE + out, along) for along, out in path]
    if side == DOWN:
        return [(SIDE - along, SIDE + out) for along, out in path]
    return [(-out, SIDE - along) for along, out in path]


def moved(points: Iterable[Point], row: int, column: int) -> tuple[Point, ...]:
    """Move a path to the square of a board in that row and column."""
    return tuple((x + SIDE * column, y + SIDE * row) for x, y in points)


def turned(points: Iterable[Point], rotation: int) -> tuple[Point, ...]:
    """Rotate a path about the middle of its square by `rotation` clockwise quarter turns."""
    found = tuple(points)
    for _ in range(rotation % 4):
        found = tuple((SIDE - y, x) for x, y in found)
    return found


def path_data(points: Sequence[Point], unit: float = 1.0, decimals: int = 3, *, closed: bool = False) -> str:
    """A path as SVG path data; `unit` is the length of a unit of the path.

    Examples
    --------
    >>> path_data(((0, 0), (3333, 0), (6667, 0), (10000, 0)), 25 / SIDE)
    'M0 0C8.332 0 16.668 0 25 0'
    """
    first, *others = (" ".join(short(value * unit, decimals) for value in point) for point in points)
    return f"M{first}C{' '.join(others)}{'z' if closed else ''}"
