"""A search order as a path over the board."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from xml.etree import ElementTree as ET

from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .page import CELL, DARK, centre
from .svg import CHARACTER, DIGIT_HEIGHT, element, short

# From early to late: hues from dark blue to light orange, whose order is visible without colour vision, too.
_STOPS = ((23, 28, 120), (110, 20, 160), (190, 50, 120), (236, 100, 70), (250, 165, 40))
_SHADES = 60


def order_caption(puzzle: EdgeMatchingPuzzle, order: Sequence[int], name: str) -> str:
    """The caption of a search order."""
    fixed, path = _split(puzzle, order)
    ends = [f"{puzzle.board.name(path[end])} ({mark})" for end, mark in ((0, "circle"), (-1, "square")) if path]
    after = f"after {len(fixed)} fixed {'square (dot)' if len(fixed) == 1 else 'squares (dots)'}" if fixed else ""
    return " ".join(filter(None, (f"search order {name}:", "from " * bool(path) + " to ".join(ends), after)))


def _split(puzzle: EdgeMatchingPuzzle, order: Sequence[int]) -> tuple[list[int], list[int]]:
    """The fixed squares of an order, and the other ones, through which its path runs."""
    fixed = {fixed.square for fixed in puzzle.fixed}
    return [square for square in order if square in fixed], [square for square in order if square not in fixed]


def add_order(parent: ET.Element, puzzle: EdgeMatchingPuzzle, order: Sequence[int], *, numbers: bool = True) -> None:
    """Add the path of a search order: dots for fixed squares, and a line from a circle to a square through the others.

    Steps to one of the eight adjacent squares are solid, longer ones thin and dashed.
    """
    fixed, path = _split(puzzle, order)
    layer = element(parent, "g", class_="order", fill="none", stroke_linecap="round", stroke_linejoin="round")
    _add_lines(layer, path, puzzle.columns)
    for square in fixed:
        x, y = centre(square, puzzle.columns)
        element(layer, "circle", class_="fixed", cx=x, cy=y, r=17, fill=DARK, stroke="#fff", stroke_width=5)
    if path:
        _add_ends(layer, path, puzzle.columns)
    if numbers:
        _add_depths(parent, order, puzzle.columns)


def _add_lines(layer: ET.Element, path: Sequence[int], columns: int) -> None:
    """Add the steps, coloured by depth, the thin ones below the solid ones."""
    steps = [
        (_is_near(first, second, columns), number * _SHADES // len(path), first, second)
        for number, (first, second) in enumerate(pairwise(path))
    ]
    for near in (False, True):
        style = {"stroke_width": "11"} if near else {"stroke_width": "4", "stroke_dasharray": "3 11"}
        group = element(layer, "g", class_="steps" if near else "jumps", **style)
        for (is_near, shade), run in groupby(steps, key=lambda step: step[:2]):
            if is_near == near:
                points = [(first, second) for _, _, first, second in run]
                squares = points[0][0], *(second for _, second in points)
                line = "M" + "L".join(" ".join(map(short, centre(square, columns))) for square in squares)
                element(group, "path", d=line, stroke=_shade(shade / _SHADES))


def _is_near(first: int, second: int, columns: int) -> bool:
    (row, column), (next_row, next_column) = divmod(first, columns), divmod(second, columns)
    return max(abs(row - next_row), abs(column - next_column)) <= 1


def _shade(part: float) -> str:
    """The colour at a fraction of the path, 0 to 1."""
    place = part * (len(_STOPS) - 1)
    stop = min(int(place), len(_STOPS) - 2)
    weight = place - stop
    mixed = (round(a + (b - a) * weight) for a, b in zip(_STOPS[stop], _STOPS[stop + 1], strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _add_ends(layer: ET.Element, path: Sequence[int], columns: int) -> None:
    """Add a circle at the start of the path and a square at its end."""
    x, y = centre(path[0], columns)
    element(layer, "circle", class_="start", cx=x, cy=y, r=20, fill="#fff", stroke=_shade(0), stroke_width=10)
    x, y = centre(path[-1], columns)
    element(
        layer, "rect", class_="end", x=x - 18, y=y - 18, width=36, height=36, fill="#fff", stroke=_shade(1),
        stroke_width=10,
    )  # fmt: skip


def _add_depths(parent: ET.Element, order: Sequence[int], columns: int) -> None:
    """Add the depth of each square in its upper right corner.

    Diagonals of a named order pass there only where it steps around a fixed piece.
    """
    size = min(24, (CELL / 2 - 10) / (len(str(len(order))) * CHARACTER))
    layer = element(
        parent, "g", class_="depths", font_size=size, text_anchor="end", fill="#333", stroke="#fff",
        stroke_width=size / 5, paint_order="stroke",
    )  # fmt: skip
    for depth, square in enumerate(order, start=1):
        x, y = centre(square, columns)
        element(layer, "text", str(depth), x=x + CELL / 2 - 5, y=y - CELL / 2 + 6 + size * DIGIT_HEIGHT)
