"""The page for tilings of dissections."""

from collections.abc import Sequence
from typing import Any

from ...csp.geometry.polygons import Polygon, counterclockwise
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ..svg.page import MARGIN
from ..svg.svg import DIGIT_HEIGHT, drawing, element, finished, moved
from ..svg.tiling import (
    LARGEST_NUMBER,
    Box,
    SmallTiling,
    add_target,
    piece_fills,
    piece_titles,
    pieces_fact,
    place_number,
    polygon_group,
    scale_to,
    small_tiling,
    target_fact,
    tiling_problems,
)
from .viewer import NO_NODES, Nodes, Shown, viewer_page

# The longer side of the target in pixels, before the page sets the size of the picture.
_SIZE = 600
_ORDER = "by lowest corner, from bottom to top and left to right (the search first places what fits in the fewest ways)"


def tilings_page(
    puzzle: DissectionPuzzle, tilings: Sequence[Tiling], *, total: int | None = None, nodes: Nodes = NO_NODES
) -> str:
    """The HTML of a page to step through tilings, valid or not, piece by piece from the bottom up.

    - `tilings`: for each tiling the polygon of each piece.
    - `total`: the number of tilings, if the page does not show all of them.
    - `nodes`: nodes of the search by the number of pieces placed.

    Raises InstanceError if there are no tilings, or one has another number of polygons than the puzzle has pieces.
    """
    total = len(tilings) if total is None else total
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
    picture = _picture(puzzle, empty, box)
    data = {
        "kind": puzzle.kind,
        "fills": piece_fills(puzzle),
        "titles": piece_titles(puzzle),
        **_placements(drawn),
        "orders": [laying_order(tiling) for tiling in tilings],
        "problems": tiling_problems(puzzle, tilings),
    }
    return viewer_page(Shown(puzzle.name, "tiling", total, facts, picture, data), nodes)


def laying_order(tiling: Tiling) -> list[int]:
    """The pieces by their lowest corners, then from left to right; one may come before another that lies below it."""

    def place(piece: int) -> tuple[float, float, float]:
        # Rounded, so that rounding errors do not order corners at the same height.
        polygon: Polygon = tiling[piece]
        low, left = min((round(float(y), 6), round(float(x), 6)) for x, y in polygon)
        return low, left, round(sum(float(x) for x, _ in polygon) / len(polygon), 6)

    return sorted(range(len(tiling)), key=place)


def _placements(drawn: Sequence[SmallTiling]) -> dict[str, Any]:
    """Every placement of a piece once, and the tilings as numbers of placements, one for each piece.

    A placement consists of its points, and the place and the size of its number.
    """
    numbers: dict[tuple[int, str], int] = {}
    placements: list[list[str | float]] = []
    solutions: list[list[int]] = []
    for tiling in drawn:
        most = LARGEST_NUMBER * max(tiling.size)
        solution = []
        for piece, (flat, shape) in enumerate(zip(tiling.pieces, tiling.shapes, strict=True)):
            key = piece, shape.points
            if key not in numbers:
                numbers[key] = len(placements)
                x, y, size = place_number(flat, len(str(piece + 1)), most)
                placements.append([shape.points, round(x, 2), round(y + size * DIGIT_HEIGHT / 2, 2), round(size, 2)])
            solution.append(numbers[key])
        solutions.append(solution)
    return {"placements": placements, "solutions": solutions}


def _picture(puzzle: DissectionPuzzle, drawn: SmallTiling, box: Box) -> str:
    """The empty target, and the layers that the script fills, in that box."""
    root = drawing(puzzle.name)
    root.set("id", "picture")
    board = element(root, "g", transform=moved(MARGIN - box.left, MARGIN - box.top))
    add_target(board, drawn.parts, drawn.holes)
    polygon_group(board, 1.5).set("id", "pieces")
    for outline in drawn.outlines:
        element(board, "polygon", stroke="#1c1c1c", stroke_width=3, **outline._asdict())
    style = {"font_weight": "bold", "text_anchor": "middle", "fill": "#000", "stroke": "#fff"}
    element(board, "g", id="veils")
    element(board, "g", id="numbers", stroke_linejoin="round", paint_order="stroke", **style)
    element(board, "g", id="frames")
    return finished(root, box.width + 2 * MARGIN, box.height + 2 * MARGIN, 1)
