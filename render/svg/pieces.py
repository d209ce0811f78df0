"""Pictures of the set of pieces."""

from math import ceil, sqrt

from ...csp.base.words import several
from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from .marks import add_frame
from .page import MARGIN, Frame, Line, completed
from .palette import looks
from .piece import CELL, add_piece, define_looks, listed, number_layer
from .svg import drawing, element, moved

#: The distance between the left sides of neighbouring pieces.
_PITCH = 1.25 * CELL


def draw_pieces(puzzle: EdgeMatchingPuzzle, *, numbers: bool = True, legend: bool = False) -> str:
    """Draw all pieces of a puzzle in rotation 0, in the order of their numbers, as an SVG.

    - `numbers`: whether to show the numbers of pieces.
    - `legend`: whether to show the colours of the puzzle with their numbers.
    """
    root = drawing(puzzle.name)
    look_of = looks(puzzle)
    define_looks(root, look_of.values())
    count = len(puzzle.pieces)
    columns = ceil(sqrt(count))
    sheet = element(root, "g", class_="pieces", transform=moved(MARGIN, MARGIN))
    places = [(CELL / 2 + number % columns * _PITCH, CELL / 2 + number // columns * _PITCH) for number in range(count)]
    for number, (sides, (x, y)) in enumerate(zip(puzzle.pieces, places, strict=True), start=1):
        add_piece(sheet, x, y, sides, look_of, f"piece {number}, sides {listed(sides)}")
    if numbers:
        layer, down = number_layer(sheet, count)
        for number, (x, y) in enumerate(places, start=1):
            element(layer, "text", str(number), x=x, y=y + down)
    for fixed in puzzle.fixed:
        title = f"piece {fixed.piece + 1} is fixed on {puzzle.board.name(fixed.square)}"
        add_frame(sheet, *places[fixed.piece], "fixed", title)
    fact = f"{several(count, 'piece', str)}, {kinds_fact(puzzle)}"
    frame = Frame(MARGIN, MARGIN, places[columns - 1][0] + CELL / 2, places[-1][1] + CELL / 2)
    return completed(root, puzzle, [Line(fact)], frame, legend=legend)


def kinds_fact(puzzle: EdgeMatchingPuzzle) -> str:
    """The number of colours, or of connectors of a jigsaw."""
    kinds = len({abs(side) for sides in puzzle.pieces for side in sides} - {BORDER})
    return several(kinds, "connector" if puzzle.rule is Rule.OPPOSITE else "colour", str)
