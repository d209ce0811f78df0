"""Small square pictures without words, for lists of puzzles."""

from math import ceil, sqrt
from typing import Any
from xml.etree import ElementTree as ET

from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .palette import looks
from .svg import CELL, MARGIN, add_piece, define_looks, drawing, element, finished, moved
from .tiling import Box, Fills, Shape, laid_in_rows, polygon_group, scale_to, small_tiling

# The most squares of a board in a row, and the most pieces: more would be too small to recognize.
_MOST_ACROSS = 6
_MOST_PIECES = _MOST_ACROSS**2
# The size of the picture in pixels, and of the longer side of a target.
_PIXELS, _TARGET = 200, 400


def draw_thumbnail(puzzle: EdgeMatchingPuzzle | DissectionPuzzle, solution: Any = None) -> str:
    """Draw a board, a tiling or the pieces, as an SVG; of large ones a part."""
    root = drawing(puzzle.name)
    group = element(root, "g")
    if isinstance(puzzle, DissectionPuzzle):
        across, down = _add_polygons(group, puzzle, solution)
    else:
        across, down = _add_squares(group, puzzle, solution)
    size = max(across, down)
    margin = size * MARGIN / _TARGET
    group.set("transform", moved(margin + (size - across) / 2, margin + (size - down) / 2))
    size += 2 * margin
    return finished(root, size, size, _PIXELS / size)


def _add_squares(group: ET.Element, puzzle: EdgeMatchingPuzzle, board: Any) -> tuple[float, float]:
    """Add the upper left part of a board, or pieces from all over the list side by side; returns the size."""
    if board is None:
        number = min(len(puzzle.pieces), _MOST_PIECES)
        columns = ceil(sqrt(number))
        pieces = [puzzle.pieces[place * len(puzzle.pieces) // number] for place in range(number)]
        shown = [(*divmod(place, columns), sides) for place, sides in enumerate(pieces)]
    else:
        placed = zip(puzzle.board.places, board, strict=True)
        shown = [
            (row, column, puzzle.shown(one)) for (row, column), one in placed if one and max(row, column) < _MOST_ACROSS
        ]
    look_of = looks(puzzle)
    define_looks(group, (look_of[side] for _, _, sides in shown for side in sides))
    for row, column, sides in shown:
        add_piece(group, CELL * (column + 0.5), CELL * (row + 0.5), sides, look_of, "")
    across = max((column for _, column, _ in shown), default=0) + 1
    return CELL * across, CELL * (max((row for row, _, _ in shown), default=0) + 1)


def _add_polygons(group: ET.Element, puzzle: DissectionPuzzle, tiling: Tiling | None) -> tuple[float, float]:
    """Add a tiling, or the pieces in rows; returns the size."""
    drawn = small_tiling(puzzle, tiling or puzzle.pieces, scale_to([(puzzle, ())], _TARGET), Fills("shape"))
    boxes = [Box.around([piece]) for piece in drawn.pieces]
    box, moves = Box.around(drawn.parts), [(0.0, 0.0)] * len(boxes)
    across, down = box.width, box.height
    if tiling is None:
        gap = max(one.width for one in boxes) / 8
        width = sqrt(sum((one.width + gap) * (one.height + gap) for one in boxes)) * 1.1
        (rows,) = laid_in_rows(
            [(one.width, one.height) for one in boxes], max(width, *(one.width for one in boxes)), gap=gap
        )
        moves = [(x - one.left, y - one.top) for one, (x, y) in zip(boxes, rows.corners.values(), strict=True)]
        across, down = rows.width, rows.height
    polygons = polygon_group(group, max(across, down) / 150)
    for shape, (x, y) in zip(drawn.shapes, moves, strict=True):
        element(polygons, "polygon", **Shape(*shape)._asdict(), transform=moved(x, y))
    return across, down
