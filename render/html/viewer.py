"""The page to step through solutions: boards of edge-matching puzzles and jigsaws, and tilings of dissections."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from ...csp.base.errors import InstanceError, grouped, plural, told_of
from ...csp.geometry.polygons import Polygon, counterclockwise
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.check_board import check
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..svg.board import empty_board, kinds_fact, order_caption, refuse_unknown
from ..svg.svg import CELL, OVER, first_problems, harmless
from ..svg.tiling import (
    Box,
    empty_target,
    piece_fills,
    piece_titles,
    pieces_fact,
    placements,
    scale_to,
    small_tiling,
    target_fact,
    tiling_problems,
)
from .page import resource, self_contained

_STYLES = ("base.css", "viewer.css")
_SCRIPTS = ("svg.js", "board.js", "tiling.js", "chart.js", "viewer.js")
# The longer side of a target in pixels, before the page sets the size of the picture.
_SIZE = 600
_ORDER = "by lowest corner, from bottom to top and left to right (the search first places what fits in the fewest ways)"


@dataclass(frozen=True)
class Nodes:
    """Nodes of a search by depth: the number of pieces placed, from 1 on."""

    #: For each depth the decimal logarithm of the expected nodes (minus infinity for 0), and their number as text.
    predicted: tuple[tuple[float, str], ...] = ()
    #: For each depth the nodes that a search has counted; depths may be missing at the end.
    actual: tuple[int, ...] = ()
    complete: bool = True  #: Whether those are all nodes; otherwise they are lower bounds
    note: str = ""  #: A note on the counts


NO_NODES = Nodes()


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

    `word` is that for a board; `total` is their number, if the page does not show all of them.  Raises InstanceError if
    there are no boards, or one has a piece or a rotation that does not exist.
    """
    for number, board in enumerate(boards, start=1):
        with told_of(f"{word} {number}", InstanceError):
            refuse_unknown(puzzle, board)
    # The script itself finds invalid joins.
    problems = [first_problems(check(puzzle, board).faults) for board in boards]
    data = {
        **puzzle_data(puzzle, CELL),
        "order": list(order),
        "solutions": [codes_of(puzzle, board) for board in boards],
        "problems": {number: lines for number, lines in enumerate(problems) if lines},
    }
    fixed = f", {len(puzzle.fixed)} fixed" if puzzle.fixed else ""
    facts = [
        ("Kind", f"{puzzle.kind} puzzle, {puzzle.rows}x{puzzle.columns} board"),
        *([("Form", puzzle.form)] if puzzle.form else []),
        ("Pieces", f"{len(puzzle.pieces)}, {kinds_fact(puzzle)}{fixed}"),
        ("Order", order_caption(puzzle, order, order_name)),
        ("Source", puzzle.source),
    ]
    return _page(puzzle.name, word, total, facts, empty_board(puzzle, order), data, nodes)


def puzzle_data(puzzle: EdgeMatchingPuzzle, cell: int) -> dict[str, Any]:
    """The data of a puzzle for scripts; `cell` is the length of a piece's side in their drawings.

    In these data a placed piece is the number 4 * piece + rotation, or 8 * piece + rotation if pieces may be turned
    over.
    """
    names = [puzzle.board.name(square) for square in range(len(puzzle.board))]
    sizes = {"rows": puzzle.rows, "columns": puzzle.columns, "cell": cell}
    base = 8 if puzzle.flip else 4
    fixed = [[square, base * piece + rotation] for square, piece, rotation in puzzle.fixed]
    data = {"kind": puzzle.kind, **sizes, "names": names, "pieces": puzzle.pieces, "fixed": fixed}
    return data if puzzle.is_classic else {**data, **_form_data(puzzle)}


def codes_of(puzzle: EdgeMatchingPuzzle, board: Arrangement) -> list[int | None]:
    """The number of the piece on each square, None for an empty one."""
    base = 8 if puzzle.flip else 4
    return [None if placed is None else base * placed.piece + placed.rotation for placed in board]


def _form_data(puzzle: EdgeMatchingPuzzle) -> dict[str, Any]:
    """What scripts need to know of a puzzle that is no framed rectangle of pieces that turn."""
    data: dict[str, Any] = {"rim": puzzle.rim}
    if puzzle.squares:
        data["places"] = puzzle.board.places
    if puzzle.wrap != "none":
        data["wrap"] = puzzle.wrap
    if puzzle.flip:
        data |= {"flip": True, "over": OVER}
    if puzzle.mates:
        data["mates"] = {str(color): puzzle.mate(color) for pair in dict(puzzle.mates).items() for color in pair}
    if puzzle.color_names:
        data["words"] = {str(color): name for color, name in puzzle.color_names.items()}
    return data


def tilings_page(
    puzzle: DissectionPuzzle, tilings: Sequence[Tiling], *, total: int | None = None, nodes: Nodes = NO_NODES
) -> str:
    """The HTML of a page to step through tilings, valid or not, piece by piece from the bottom up.

    `total` is their number, if the page does not show all of them.  Raises InstanceError if there are no tilings, or
    one has another number of polygons than the puzzle has pieces.
    """
    if any(None in tiling for tiling in tilings):
        raise InstanceError(f"{puzzle.name}: a page cannot show tilings with pieces left over; draw them instead")
    scale = scale_to([(puzzle, tiling) for tiling in tilings], _SIZE)
    # Equal polygons are equal placements, whatever vertex they begin with.
    tilings = [tuple(map(counterclockwise, tiling)) for tiling in tilings]
    drawn = [small_tiling(puzzle, tiling, scale) for tiling in tilings]
    facts = [
        ("Kind", f"dissection puzzle, motions {puzzle.motions}"),
        ("Pieces", f"{pieces_fact(puzzle)}, {target_fact(puzzle)}"),
        ("Order", _ORDER),
        ("Source", puzzle.source),
    ]
    empty = small_tiling(puzzle, puzzle.pieces, scale)
    box = Box.around((*empty.parts, *(piece for tiling in drawn for piece in tiling.pieces)))
    data = {
        "kind": puzzle.kind,
        "fills": piece_fills(puzzle),
        "titles": piece_titles(puzzle),
        **placements(drawn),
        "orders": [laying_order(tiling) for tiling in tilings],
        "problems": tiling_problems(puzzle, tilings),
    }
    return _page(puzzle.name, "tiling", total, facts, empty_target(puzzle, empty, box), data, nodes)


def _page(
    name: str,
    word: str,
    total: int | None,
    facts: Sequence[tuple[str, str]],
    picture: str,
    data: dict[str, Any],
    nodes: Nodes,
) -> str:
    """The HTML of a page; the facts are pairs of a label and a text, and the script completes the picture."""
    number = len(data["solutions"])
    if not number:
        raise InstanceError(f"{name}: there is no {word} to show")
    total = number if total is None else total
    counted = plural(total, word)
    shown = counted if number == total else f"the first {grouped(number)} of {counted}"
    # Counts are texts, because they may exceed the exact range of the script's numbers.
    by_depth = {
        "predicted": [[round(log, 4) if log > float("-inf") else None, text] for log, text in nodes.predicted],
        "actual": list(map(str, nodes.actual)),
        "complete": nodes.complete,
        "note": harmless(nodes.note),
    }
    return self_contained(
        resource("viewer.html"),
        title=name,
        styles=map(resource, _STYLES),
        scripts=map(resource, _SCRIPTS),
        data={**data, "name": name, "word": word, "nodes": by_depth},
        picture=Markup(picture),
        facts=[(word, harmless(fact)) for word, fact in (("Shown", shown), *facts)],
    )


def laying_order(tiling: Tiling) -> list[int]:
    """The pieces by their lowest corners, then from left to right; one may come before another that lies below it."""

    def place(piece: int) -> tuple[float, float, float]:
        # Rounded, so that rounding errors do not order corners at the same height.
        polygon: Polygon = tiling[piece]
        low, left = min((round(float(y), 6), round(float(x), 6)) for x, y in polygon)
        return low, left, round(sum(float(x) for x, _ in polygon) / len(polygon), 6)

    return sorted(range(len(tiling)), key=place)
