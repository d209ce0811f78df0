"""What all pictures have in common: their size, and the caption and legend below what they show."""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .piece import CELL, DARK, add_legend
from .svg import CHARACTER, element, finished, fitting, harmless

RED = "#d4101c"
MARGIN = 15
# Pixels: pictures are about so wide, but pieces no smaller and no larger than this.
_WIDTH, _SMALLEST, _LARGEST = 960, 40, 72
_TEXT = 15
# Characters.
_CAPTION = 80


class Frame(NamedTuple):
    """What a picture shows above its caption, margins left out."""

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
    """The text of a picture, with the name of the puzzle and those lines below the frame, and the legend if wanted."""
    pixels = min(max(_WIDTH * CELL / frame.width, _SMALLEST), _LARGEST) / CELL
    size = _TEXT / pixels
    width = with_room_for(lines, frame.width, size)
    bottom = add_caption(root, (Line(puzzle.name, "name"), *lines), frame._replace(width=width), size)
    if legend:
        bottom = add_legend(root, puzzle, frame.left, bottom, width, size)
    return finished(root, frame.left + width + MARGIN, bottom, pixels)


def with_room_for(lines: Sequence[Line], width: float, size: float) -> float:
    """The width of a picture: small ones get room for a caption, but names may be longer than any room."""
    return max(width, min(max(len(line.text) for line in lines) + 1, _CAPTION) * CHARACTER * size)


def add_caption(root: ET.Element, lines: Sequence[Line], frame: Frame, size: float, *, classes: bool = True) -> float:
    """Lines of text below a frame, as long as it is wide at most; returns where they end."""
    caption = element(root, "g", class_="caption", font_size=size, fill=DARK)
    bottom = frame.top + frame.height + 0.4 * size
    for line in lines:
        bottom += 1.35 * size
        kind = {"class_": line.kind} if classes else {}
        place = {"x": frame.left, "y": bottom, **_STYLES[line.kind]}
        element(caption, "text", fitting(harmless(line.text), frame.width, size), **kind, **place)
    return bottom + 0.8 * size
