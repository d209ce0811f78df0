"""Tabs and the outlines of pieces: closed paths of cubic Bezier curves with integer coordinates.

A side runs from (0, 0) to (`SIDE`, 0), and the second coordinate points out of the piece that has the tab.  The
matching piece has the same curve, rotated by 180 degrees.  Integers make this exact: for all rotations and positions of
pieces, the curves of two matching sides coincide point for point.

A piece lies in the square from (0, 0), its upper left corner, to (`SIDE`, `SIDE`); the second coordinate points down,
as in pictures.  An outline has 3 k + 1 control points for k curves; the last point equals the first.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...csp.base.seeded_random import Chance
from ...csp.puzzles.board import BORDER, DOWN, LEFT, RIGHT, UP
from ..svg.svg import short

Point = tuple[int, int]
Spot = tuple[float, float]
Integers = NDArray[np.int64]

#: The length of a side.
SIDE = 10_000
#: The length of the straight lead at either end of a side.
LEAD = SIDE // 10
# The random numbers of a curve.
_DRAWN = 22


@dataclass(frozen=True)
class Tab:
    """A tab by the control points of its cubic Bezier curves."""

    #: The end of the first lead at (`LEAD`, 0), and three further points for each curve; the last point is the
    #: beginning of the second lead at (`SIDE` - `LEAD`, 0).
    points: tuple[Point, ...]

    @cached_property
    def whole(self) -> tuple[Point, ...]:
        """The control points of the whole side, including both leads as Bezier curves."""
        return (*_straight((0, 0), self.points[0]), *self.points[1:], *_straight(self.points[-1], (SIDE, 0))[1:])

    @property
    def neck(self) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """The control points from the shoulder to the widest place, on the left and on the right."""
        return self.points[3:10], self.points[15:22]

    @cached_property
    def mate(self) -> tuple[Point, ...]:
        """The control points of the matching side, in the coordinates of its own piece."""
        return tuple((SIDE - x, -y) for x, y in reversed(self.whole))


def _straight(start: Point, end: Point) -> tuple[Point, Point, Point, Point]:
    (x, y), (to_x, to_y) = start, end
    return start, ((2 * x + to_x) // 3, (2 * y + to_y) // 3), ((x + 2 * to_x) // 3, (y + 2 * to_y) // 3), end


def flattened(points: ArrayLike, steps: int) -> NDArray[np.float64]:
    """Points on a path of Bezier curves, `steps` for each curve, and the last point; shape (n, 2), or for each of many.

    Consecutive curves share their end points, so k curves have 3 k + 1 control points.
    """
    control = np.asarray(points, np.float64)
    last = control.shape[-2] - 3
    a, b, c, d = (weight * control[..., i : i + last : 3, None, :] for i, weight in enumerate(_weights(steps)))
    curve = a + b + c + d
    return np.concatenate([curve.reshape(*control.shape[:-2], -1, 2), control[..., -1:, :]], axis=-2)


@cache
def _weights(steps: int) -> tuple[NDArray[np.float64], ...]:
    """The Bernstein weights of the control points at `steps` places of a Bezier curve."""
    t = np.arange(steps)[:, None] / steps
    return (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3


def flatness(points: Sequence[Spot], steps: int) -> float:
    """An upper bound on the distance of a flattened path from its curves, in the units of a side.

    The distance of a curve from its chord is at most 1/8 of its greatest second derivative times the square of the
    parameter's step; the second derivative of a cubic curve is at most six times the second difference of its control
    points.
    """
    control = np.array(points, np.float64)
    starts = np.arange(0, len(points) - 1, 3)
    a, b, c, d = (control[starts + i] for i in range(4))
    bend = max(np.hypot(*(first - 2 * second + third).T).max() for first, second, third in ((a, b, c), (b, c, d)))
    return float(6 * bend / 8 / steps**2)


def drawn(chance: Chance, number: int) -> NDArray[np.int64]:
    """The control points of random curves with the shape of a tab; some leave their square or touch themselves."""
    numbers = iter(chance.numbers(number * _DRAWN).reshape(number, _DRAWN).T)

    def between(least: int, most: int) -> Integers:
        return least + next(numbers) % (most - least + 1)

    neck, top = between(3500, 6500), between(1500, 3300)
    crest = neck + between(-500, 500), top
    slope = between(-250, 250)
    left, right = (_half(between, neck, crest, side, slope) for side in (-1, 1))
    points = (LEAD, 0), *left, crest, *reversed(right), (SIDE - LEAD, 0)
    return np.array([[np.broadcast_to(one, number) for one in point] for point in points]).transpose(2, 0, 1)


def _half(
    between: Callable[[int, int], Integers],
    neck: Integers,
    crest: tuple[Integers, Integers],
    side: int,
    slope: Integers,
) -> list[tuple[Integers, Integers | int]]:
    """The control points on one side (-1: left, 1: right) of the crest: shoulder, foot of the neck, widest place.

    The two handles of each inner point are collinear with it, so the curve has no corners; at the crest their line has
    a slope of `slope` thousandths.
    """
    x, foot = neck + side * between(450, 850), between(450, 900)
    shoulder_x, shoulder = x + side * between(450, 1000), between(-250, 250)
    head, waist = x + side * between(100, 650), foot + between(550, 1100)
    lean, bow, swell = between(0, 250), between(50, 65), between(45, 70)
    plain = abs(shoulder_x - (LEAD if side < 0 else SIDE - LEAD))
    rise, reach = (foot - shoulder) * bow // 100, waist - foot
    handle = (head - crest[0]) * swell // 100
    return [
        (shoulder_x + side * plain * 6 // 10, 0),
        (shoulder_x + side * plain * 4 // 10, shoulder),
        (shoulder_x, shoulder),
        (shoulder_x - (shoulder_x - x) * bow // 100, shoulder),
        (x - side * lean * rise // reach, foot - rise),
        (x, foot),
        (x + side * lean * 4 // 10, foot + reach * 4 // 10),
        (head, waist - reach * 4 // 10),
        (head, waist),
        (head, waist + (crest[1] - waist) * swell // 100),
        (crest[0] + handle, crest[1] + handle * slope // 1000),
    ]


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


def path_data(
    points: Sequence[Spot], unit: float = 1.0, decimals: int = 3, *, closed: bool = False, straight: bool = False
) -> str:
    """A path as SVG path data, such as ``M0 0C8.3 0 16.7 0 25 0``; `unit` is the length of its unit."""
    first, *others = (" ".join(short(value * unit, decimals) for value in point) for point in points)
    return f"M{first}{'L' if straight else 'C'}{' '.join(others)}{'z' if closed else ''}"


#: The distance of the handles from the ends of a Bezier curve that approximates a quarter circle, in radii.
QUARTER = 0.5523


@cache
def curves_of(data: str) -> tuple[tuple[Spot, ...], ...]:
    """The outlines of path data as Bezier curves; it may have curves, lines, parabolas and half circles."""
    found: list[list[Spot]] = []
    for command, text in re.findall("([A-Za-z])([^A-Za-z]*)", data):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", text)]
        if command == "M":
            found.append([(numbers[0], numbers[1])])
            continue
        outline = found[-1]
        for one in _split(command, numbers):
            outline += _curve(command, outline[-1], one)
        if command == "z" and outline[-1] != outline[0]:
            outline += [outline[-1], outline[0], outline[0]]
    return tuple(map(tuple, found))


def _split(command: str, numbers: list[float]) -> Iterator[list[float]]:
    length = {"L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "A": 7, "Z": 1}[command.upper()]
    for first in range(0, len(numbers), length):
        yield numbers[first : first + length]


def _curve(command: str, start: Spot, numbers: list[float]) -> list[Spot]:
    (x, y), kind = start, command.upper()
    right, down = (x, y) if command.islower() else (0.0, 0.0)
    if kind in "HV":
        end = (right + numbers[0], y) if kind == "H" else (x, down + numbers[0])
    else:
        end = right + numbers[-2], down + numbers[-1]
    if kind == "Q":
        middle = right + numbers[0], down + numbers[1]
        return [*(tuple((a + 2 * b) / 3 for a, b in zip(one, middle, strict=True)) for one in (start, end)), end]  # pyright: ignore
    if kind == "C":
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    if kind != "A":
        return [start, end, end]
    # Half a circle: u points from the start to the end, n to the middle of the arc; both are radii long.
    u = (end[0] - x) / 2, (end[1] - y) / 2
    n = (-u[1], u[0]) if numbers[4] == 0 else (u[1], -u[0])
    top = x + u[0] + n[0], y + u[1] + n[1]
    lift, along = (QUARTER * n[0], QUARTER * n[1]), (QUARTER * u[0], QUARTER * u[1])
    return [
        (x + lift[0], y + lift[1]), (top[0] - along[0], top[1] - along[1]), top,
        (top[0] + along[0], top[1] + along[1]), (end[0] + lift[0], end[1] + lift[1]), end,
    ]  # fmt: skip
