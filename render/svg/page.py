"""The common parts of all pictures: their size, and the caption and legend at the bottom."""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .piece import CELL, DARK, add_legend
from .svg import CHARACTER, element, finished, fitting, harmless

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
