"""The page for boards: solutions of edge-matching puzzles, assemblies of jigsaws, partial boards."""

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from ...csp.base.errors import InstanceError, told_of
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.check_board import check
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..svg.board import add_grid, board_frame, kinds_fact, refuse_unknown
from ..svg.order import add_order, order_caption
from ..svg.page import CELL, MARGIN, add_sides, define_looks, first_problems, number_layer
from ..svg.palette import looks
from ..svg.svg import drawing, element, finished, moved
from .viewer import NO_NODES, Nodes, Shown, viewer_page

# The size of a square in pixels, before the page sets the size of the picture.
_SQUARE = 60


def boards_page(
    puzzle: EdgeMatchingPuzzle,
    boards: Sequence[Arrangement],
    order: Sequence[int],
    order_name: str = "as given",
    *,
    word: str = "solution",
    total: int | None = None,
    nodes: Nodes = NO_NODES,
) -> str:
    """The HTML of a page to step through boards, full, partial or invalid, piece by piece along a search order.

    - `boards`: for each board the placement on each square, row by row from the top left.
    - `order`, `order_name`: all squares in the order in which a search fills them; the name of the order.
    - `word`: the word for a board.
    - `total`: the number of boards, if the page does not show all of them.
    - `nodes`: nodes of the search by depth.

    Raises InstanceError if there are no boards, or one has a piece or a rotation that does not exist.
    """
    for number, board in enumerate(boards, start=1):
        with told_of(f"{word} {number}", InstanceError):
            refuse_unknown(puzzle, board)
    total = len(boards) if total is None else total
    data = _data(puzzle, boards, order)
    facts = _facts(puzzle, order, order_name)
    return viewer_page(Shown(puzzle.name, word, total, facts, _picture(puzzle, order), data), nodes)


def _data(puzzle: EdgeMatchingPuzzle, boards: Sequence[Arrangement], order: Sequence[int]) -> dict[str, Any]:
    """The data of the script; a placed piece is the number 4 * piece + rotation."""
    # The script itself finds invalid joins.
    problems = [first_problems(check(puzzle, arrangement).faults) for arrangement in boards]
    return {
        **puzzle_data(puzzle, CELL),
        "fixed": [[square, 4 * piece + rotation] for square, piece, rotation in puzzle.fixed],
        "order": list(order),
        "solutions": [
            [None if placed is None else 4 * placed.piece + placed.rotation for placed in arrangement]
            for arrangement in boards
        ],
        "problems": {number: lines for number, lines in enumerate(problems) if lines},
    }


def puzzle_data(puzzle: EdgeMatchingPuzzle, cell: int) -> dict[str, Any]:
    """The data of a puzzle for scripts; `cell` is the length of a piece's side in their drawings."""
    names = [puzzle.board.name(square) for square in range(len(puzzle.board))]
    sizes = {"rows": puzzle.rows, "columns": puzzle.columns, "cell": cell}
    return {"kind": puzzle.kind, **sizes, "names": names, "pieces": puzzle.pieces}


def _facts(puzzle: EdgeMatchingPuzzle, order: Sequence[int], order_name: str) -> list[tuple[str, str]]:
    fixed = f", {len(puzzle.fixed)} fixed" if puzzle.fixed else ""
    return [
        ("Kind", f"{puzzle.kind} puzzle, {puzzle.rows}x{puzzle.columns} board"),
        ("Pieces", f"{len(puzzle.pieces)}, {kinds_fact(puzzle)}{fixed}"),
        ("Order", order_caption(puzzle, order, order_name)),
        ("Source", puzzle.source),
    ]


def _picture(puzzle: EdgeMatchingPuzzle, order: Sequence[int]) -> str:
    """The empty board with its order, and definitions of all pieces in rotation 0."""
    root = drawing(puzzle.name)
    root.set("id", "picture")
    look_of = looks(puzzle)
    define_looks(root, look_of.values())
    pieces = element(root, "defs")
    for number, sides in enumerate(puzzle.pieces):
        add_sides(element(pieces, "g", id=f"piece{number}"), sides, look_of)
    frame = board_frame(puzzle)
    board = element(root, "g", transform=moved(frame.left, frame.top))
    add_grid(board, puzzle)
    _add_layers(board, puzzle, order)
    return finished(root, frame.left + frame.width + MARGIN, frame.top + frame.height + MARGIN, _SQUARE / CELL)


def _add_layers(board: ET.Element, puzzle: EdgeMatchingPuzzle, order: Sequence[int]) -> None:
    """Add the layers that the script fills, from bottom to top, and the order, which it shows or hides."""
    element(board, "g", id="pieces")
    numbers, down = number_layer(board, len(puzzle.pieces))
    numbers.set("id", "numbers")
    numbers.set("data-down", f"{down:.2f}")
    names = element(board, "g", id="names", font_size=20, fill="#8a877e", text_anchor="middle")
    names.set("data-down", "7.2")
    for layer in ("marks", "veils"):
        element(board, "g", id=layer)
    add_order(element(board, "g", id="order"), puzzle, order)
    for layer in ("frames", "targets"):
        element(board, "g", id=layer)
