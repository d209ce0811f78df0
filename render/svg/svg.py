"""Build an SVG: elements, safe texts, pieces, the caption and the size."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from ...csp.puzzles.board import Board
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from .palette import Look, looks

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
# Average width of a character and height of a digit, as fractions of the font size.
CHARACTER, DIGIT_HEIGHT = 0.55, 0.72


def drawing(title: str) -> ET.Element:
    """Start an SVG without a size, with its title and a white background, also on dark pages."""
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "font-family": FONT})
    element(root, "title", harmless(title))
    element(root, "rect", class_="ground", width="100%", height="100%", fill="#fff")
    return root


def finished(root: ET.Element, width: float, height: float, pixels: float) -> str:
    """The text of an SVG of that size, with `pixels` pixels per unit, in ASCII, which is safe everywhere."""
    root.set("viewBox", f"0 0 {short(width)} {short(height)}")
    root.set("width", short(round(width * pixels)))
    root.set("height", short(round(height * pixels)))
    ET.indent(root, space="")
    return ET.tostring(root, encoding="us-ascii").decode("ascii") + "\n"


def element(parent: ET.Element, tag: str, text: str | None = None, /, **attributes: str | float) -> ET.Element:
    """Append a child; ``class_`` and ``font_size`` become the attributes ``class`` and ``font-size``."""
    named = {
        name.rstrip("_").replace("_", "-"): value if isinstance(value, str) else short(value)
        for name, value in attributes.items()
    }
    child = ET.SubElement(parent, tag, named)
    child.text = text
    return child


def moved(x: float, y: float, turn: int = 0) -> str:
    """A transform that rotates by `turn` degrees and then moves to (x, y)."""
    return f"translate({short(x)} {short(y)})" + (f"rotate({turn})" if turn else "")


def short(number: float, decimals: int = 2) -> str:
    """Format a number with at most `decimals` decimals, which must be at least 1; whole numbers have none."""
    return f"{round(number, decimals) + 0.0:.{decimals}f}".rstrip("0").rstrip(".")


def harmless(text: str) -> str:
    """Put text on one line, without characters that XML forbids or that disturb a line of text."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text.split()))


def fitting(text: str, width: float, size: float) -> str:
    """Cut text to a width, for a font of that size."""
    most = max(int(width / (size * CHARACTER)), 1)
    return text if len(text) <= most else text[: most - 1] + "…"


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


def define_pieces(root: ET.Element, puzzle: EdgeMatchingPuzzle) -> None:
    """Define all pieces in rotation 0, each about its centre."""
    look_of = looks(puzzle)
    define_looks(root, look_of.values())
    pieces = element(root, "defs")
    for number, sides in enumerate(puzzle.pieces):
        add_sides(element(pieces, "g", id=f"piece{number}"), sides, look_of)


def centre(square: int, board: Board) -> tuple[float, float]:
    """The centre of a square on a board whose upper left corner is the origin."""
    row, column = board.place(square)
    return CELL * (column + 0.5), CELL * (row + 0.5)


def listed(puzzle: EdgeMatchingPuzzle, sides: Sequence[int]) -> str:
    """The sides of a piece, for a tooltip."""
    return (", " if puzzle.color_names else " ").join(map(puzzle.color_name, sides))


#: Two triangles on both sides of a mirror's line, the mark of a piece that is turned over, below its number.
OVER = "M0 14V30M-4 16V28L-15 22zM4 16V28L15 22z"


def over_layer(parent: ET.Element) -> ET.Element:
    """A group for the marks of pieces that are turned over."""
    style = {"stroke": "#fff", "stroke_width": 5, "stroke_linejoin": "round", "paint_order": "stroke"}
    return element(parent, "g", class_="over", fill="#000", **style)


def number_layer(parent: ET.Element, most: int) -> tuple[ET.Element, float]:
    """A group for numbers up to `most` at the centres of pieces, and the offset of the baseline below the centre."""
    size = min(25, 48 / (len(str(most)) * CHARACTER))
    layer = element(
        parent, "g", class_="numbers", font_size=size, font_weight="bold", text_anchor="middle", fill="#000",
        stroke="#fff", stroke_width=size / 4, stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip
    return layer, size * DIGIT_HEIGHT / 2


# The longest name of a colour in a legend: 24 characters.
_LABEL = 24 * CHARACTER


def add_legend(
    root: ET.Element, puzzle: EdgeMatchingPuzzle, left: float, top: float, width: float, size: float
) -> float:
    """Add every colour with its complete motif and its number, in rows of that width; return the end of the legend."""
    look_of = looks(puzzle)
    # Of two colours that fit onto each other, one entry shows both.
    colors = [color for color in look_of if color > 0 and not 0 < puzzle.mate(color) < color]
    labels = {color: _label(puzzle, color) for color in colors}
    height = 2.4 * size
    step = height + (max(map(len, labels.values()), default=1) + 2) * size * CHARACTER
    columns = max(int(width / step), 1)
    legend = element(root, "g", class_="legend", font_size=size, fill=DARK)
    for number, color in enumerate(colors):
        row, column = divmod(number, columns)
        x, y = left + column * step, top + (row + 0.5) * 1.2 * height
        whole = element(legend, "g", transform=f"{moved(x + height / 2, y)}scale({height / CELL:.3f})")
        for turn, side in ((0, color), (180, puzzle.mate(color))):
            place = f"rotate({turn})translate(0 {CELL // 2})"
            element(whole, "use", href=f"#{look_of[side].name}", transform=place)
        element(legend, "text", labels[color], x=x + height + size / 3, y=y + size * DIGIT_HEIGHT / 2)
    return top + -(-len(colors) // columns) * 1.2 * height


def _label(puzzle: EdgeMatchingPuzzle, color: int) -> str:
    """What the legend calls a colour and its mate; what their names begin with is said once."""
    if puzzle.rule is Rule.OPPOSITE:
        return f"±{color}"
    one, other = (harmless(puzzle.color_name(each)) for each in (color, puzzle.mate(color)))
    if one == other:
        return fitting(one, _LABEL, 1)
    common = one[: one.rfind(" ") + 1]
    common = common if other.startswith(common) else ""
    return f"{fitting(one, _LABEL, 1)}/{fitting(other.removeprefix(common), _LABEL, 1)}"


RED = "#d4101c"
MARGIN = 15
# Pixels: the approximate width of pictures, and the smallest and largest size of pieces.
_WIDTH, _SMALLEST, _LARGEST = 960, 40, 72
_TEXT = 15
# Characters.
_CAPTION = 80
# The largest number of problems that are listed.
_MOST_PROBLEMS = 5


class Frame(NamedTuple):
    """The area of a picture above its caption, without margins."""

    left: float
    top: float
    width: float
    height: float


class Line(NamedTuple):
    """A line of a caption; `kind` is ``fact``, ``name`` (bold) or ``problem`` (red)."""

    text: str
    kind: str = "fact"


_STYLES = {"fact": {}, "name": {"font_weight": "bold"}, "problem": {"font_weight": "bold", "fill": RED}}


def completed(
    root: ET.Element, puzzle: EdgeMatchingPuzzle, lines: Sequence[Line], frame: Frame, *, legend: bool
) -> str:
    """The text of a picture, with the name of the puzzle, lines and an optional legend below the frame."""
    pixels = min(max(_WIDTH * CELL / frame.width, _SMALLEST), _LARGEST) / CELL
    size = _TEXT / pixels
    width = with_room_for(lines, frame.width, size)
    bottom = add_caption(root, (Line(puzzle.name, "name"), *lines), frame._replace(width=width), size)
    if legend:
        bottom = add_legend(root, puzzle, frame.left, bottom, width, size)
    return finished(root, frame.left + width + MARGIN, bottom, pixels)


def first_problems(problems: Sequence[object]) -> list[str]:
    """The first few problems, a line each, and how many more there are."""
    more = [f"and {len(problems) - _MOST_PROBLEMS} more"] if len(problems) > _MOST_PROBLEMS else []
    return [*map(str, problems[:_MOST_PROBLEMS]), *more]


def with_room_for(lines: Sequence[Line], width: float, size: float) -> float:
    """The width of a picture: small ones get room for a caption; very long names are cut."""
    return max(width, min(max(len(line.text) for line in lines) + 1, _CAPTION) * CHARACTER * size)


def add_caption(root: ET.Element, lines: Sequence[Line], frame: Frame, size: float, *, classes: bool = True) -> float:
    """Add lines of text below a frame, cut to its width; return the position of their end."""
    caption = element(root, "g", class_="caption", font_size=size, fill=DARK)
    bottom = frame.top + frame.height + 0.4 * size
    for line in lines:
        bottom += 1.35 * size
        kind = {"class_": line.kind} if classes else {}
        place = {"x": frame.left, "y": bottom, **_STYLES[line.kind]}
        element(caption, "text", fitting(harmless(line.text), frame.width, size), **kind, **place)
    return bottom + 0.8 * size
