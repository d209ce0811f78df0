"""Draw a piece as four triangles, and the legend of the colours."""

from collections.abc import Iterable, Mapping, Sequence
from xml.etree import ElementTree as ET

from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from .palette import Look, looks
from .svg import CHARACTER, DIGIT_HEIGHT, element, moved

#: The length of a side.
CELL = 100
DARK = "#1c1c1c"


def define_looks(root: ET.Element, used: Iterable[Look]) -> None:
    """Define the triangles of those looks, each as the upper side of a piece whose centre is the origin."""
    definitions = element(root, "defs")
    for look in sorted(set(used), key=lambda look: look.name):
        triangle = element(definitions, "g", id=look.name, transform=moved(0, -CELL / 2))
        side = f"M{-CELL // 2} 0H{CELL // 2}"
        shape = f"{side}L0 {CELL // 2}z"
        element(triangle, "path", d=shape, fill=look.background, stroke=DARK, stroke_linejoin="round")
        if look.motif:
            element(triangle, "path", d=look.motif, fill=look.ink)
        element(triangle, "path", d=side, stroke=DARK, stroke_width=3.5)


def add_piece(
    parent: ET.Element, x: float, y: float, sides: Sequence[int], look_of: Mapping[int, Look], title: str
) -> None:
    """Add a piece with its centre at a place; `title` is its tooltip."""
    piece = element(parent, "g", transform=moved(x, y))
    element(piece, "title", title)
    add_sides(piece, sides, look_of)


def add_sides(piece: ET.Element, sides: Sequence[int], look_of: Mapping[int, Look]) -> None:
    """Add the four triangles of a piece whose centre is the origin."""
    for side, color in enumerate(sides):
        turn = {"transform": f"rotate({90 * side})"} if side else {}
        element(piece, "use", href=f"#{look_of[color].name}", **turn)


def centre(square: int, columns: int) -> tuple[float, float]:
    """The centre of a square on a board with `columns` columns whose upper left corner is the origin."""
    row, column = divmod(square, columns)
    return CELL * (column + 0.5), CELL * (row + 0.5)


def listed(sides: Sequence[int]) -> str:
    """The sides of a piece, for a tooltip."""
    return " ".join(map(str, sides))


def number_layer(parent: ET.Element, most: int) -> tuple[ET.Element, float]:
    """A group for numbers up to `most` at the centres of pieces, and the offset of the baseline below the centre."""
    size = min(25, 48 / (len(str(most)) * CHARACTER))
    layer = element(
        parent, "g", class_="numbers", font_size=size, font_weight="bold", text_anchor="middle", fill="#000",
        stroke="#fff", stroke_width=size / 4, stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip
    return layer, size * DIGIT_HEIGHT / 2


def add_legend(
    root: ET.Element, puzzle: EdgeMatchingPuzzle, left: float, top: float, width: float, size: float
) -> float:
    """Add every colour with its complete motif and its number, in rows of that width; return the end of the legend."""
    look_of = looks(puzzle)
    colors = [color for color in look_of if color > 0]
    digits = len(str(max(colors, default=0))) + (puzzle.rule is Rule.OPPOSITE)
    height = 2.4 * size
    step = height + (digits + 2) * size * CHARACTER
    columns = max(int(width / step), 1)
    legend = element(root, "g", class_="legend", font_size=size, fill=DARK)
    for number, color in enumerate(colors):
        row, column = divmod(number, columns)
        x, y = left + column * step, top + (row + 0.5) * 1.2 * height
        whole = element(legend, "g", transform=f"{moved(x + height / 2, y)}scale({height / CELL:.3f})")
        for turn, side in ((0, color), (180, puzzle.mate(color))):
            place = f"rotate({turn})translate(0 {CELL // 2})"
            element(whole, "use", href=f"#{look_of[side].name}", transform=place)
        label = f"±{color}" if puzzle.rule is Rule.OPPOSITE else str(color)
        element(legend, "text", label, x=x + height + size / 3, y=y + size * DIGIT_HEIGHT / 2)
    return top + -(-len(colors) // columns) * 1.2 * height
