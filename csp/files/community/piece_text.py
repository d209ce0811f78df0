"""The community's piece text: four numbers per line, the sides of a piece in the order bottom, left, top, right.

A first line of two numbers, rows and columns, precedes them; 0 is the border.  `piece_lists` reads it.
"""

from ...base.errors import InstanceError
from ...puzzles.edge_matching import EdgeMatchingPuzzle, Rule


def format_piece_text(puzzle: EdgeMatchingPuzzle, label: str) -> str:
    """The piece text of a puzzle, with header.

    Raises InstanceError if the puzzle is a jigsaw or has fixed pieces, which this format cannot hold.
    """
    if puzzle.rule is not Rule.EQUAL:
        raise InstanceError(f"{label}: piece text cannot represent connectors; write JSON or CSV")
    if puzzle.fixed:
        raise InstanceError(f"{label}: piece text cannot represent fixed pieces; write JSON or CSV, or the pieces only")
    lines = [f"{down} {left} {up} {right}" for up, right, down, left in puzzle.pieces]
    return "\n".join([f"{puzzle.rows} {puzzle.columns}", *lines, ""])
