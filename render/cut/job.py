"""The data of a cut jigsaw: the jigsaw, one of its assemblies, its curves, all measures, and the places of numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from .family import Cut
from .paper import NUMBERS, Artwork, Layer, Path, Spot, half_extents, label
from .sizes import ACCURACY, Measures
from .tabs import SIDE, Point, flatness, flattened, moved, outline, placed, side_path

if TYPE_CHECKING:
    from shapely.geometry import Polygon

#: The least distance of the lines of numbers from the middle of a cut, in mm.
CLEARANCE = 0.5
# Heights of digits: as a fraction of a side, and in mm.
_PART, _HIGHEST, _LEAST = 0.12, 5.0, 1.0
_STEPS, _HALVINGS = 16, 12


def label_height(pieces: int, cut: Cut, size: float) -> float | None:
    """The height of digits in mm that has room in any piece of this jigsaw; None without room."""
    wanted = max(min(_PART * size, _HIGHEST), _LEAST)
    across, down = half_extents(len(str(pieces)))
    # The distances, in both directions, of points of all sides (tabs and blanks) from the centre of a piece.  Labels
    # are symmetric about the centre, so directions are not needed; for straight sides the middle is enough.
    flat = [flattened(tab.whole, _STEPS) for tab in cut.tabs.values()]
    along, out = np.concatenate([[(SIDE / 2, 0)], *flat]).T
    parts = [np.column_stack([abs(along - SIDE / 2), SIDE / 2 + sign * out]) for sign in (-1, 1)]
    curves = np.concatenate(parts) * (size / SIDE)
    error = max((flatness(tab.points, _STEPS) for tab in cut.tabs.values()), default=0.0) * size / SIDE

    def has_room(height: float) -> bool:
        beyond = [np.maximum(curves - (height * a, height * b), 0) for a, b in ((across, down), (down, across))]
        return all(np.hypot(*off.T).min() >= CLEARANCE + error for off in beyond)

    if has_room(wanted):
        return wanted
    low, high = _LEAST, wanted
    if not has_room(low):
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if has_room(middle) else (low, middle)
    return low


def label_spot(shape: "Polygon", middle: Spot, half: tuple[float, float]) -> Spot | None:
    """The centre of a number on a piece of any shape, as near to `middle` as its distance from the cuts allows.

    `half` is half the width and half the height of the number.  Returns None if there is no room.
    """
    from shapely import MultiPoint, Point, box, union_all
    from shapely.ops import nearest_points

    (x, y), (across, down) = middle, half
    inside = shape.buffer(-CLEARANCE - ACCURACY)
    if inside.contains(box(x - across, y - down, x + across, y + down)):
        return middle
    rings = [ring.coords for part in getattr(inside, "geoms", [inside]) for ring in (part.exterior, *part.interiors)]
    corners = list(product((-across, across), (-down, down)))
    # With its centre there, the number would lie over this edge.
    over = [
        MultiPoint([(x + dx, y + dy) for x, y in edge for dx, dy in corners]).convex_hull
        for ring in rings
        for edge in pairwise(ring)
    ]
    room = inside.difference(union_all(over))
    if room.is_empty:
        return None
    found = nearest_points(room, Point(middle))[0]
    return found.x, found.y


@dataclass(frozen=True)
class CuttingJob:
    """The data of a cut jigsaw."""

    puzzle: EdgeMatchingPuzzle
    board: Arrangement  #: The assembly in which the pieces are cut: full and valid
    cut: Cut  #: The curves of the jigsaw
    measures: Measures  #: The sizes of pieces, pages, margins and the cut
    numbered: bool = True  #: Whether the pieces get numbers
    artwork: Artwork | None = None  #: The picture on the front, in that assembly
    dotted: bool = True  #: Whether a dot above a number marks the top of the piece
    name: str | None = None  #: The title of the sheets, by default the jigsaw's name
    marked: bool = False  #: Whether the cut sheets have registration marks
    second: EdgeMatchingPuzzle | None = None  #: Another board for the same pieces, with its assembly
    rim: "Polygon | None" = None  #: The board's own outline, in mm from its upper left corner; None for the rectangle

    @property
    def title(self) -> str:
        """The title of the sheets."""
        return self.puzzle.name if self.name is None else self.name

    @cached_property
    def reach(self) -> float:
        """How far tabs reach out of their squares, in mm; an upper bound from the control points of the curves."""
        most = max((abs(y) for tab in self.cut.tabs.values() for _, y in tab.points), default=0)
        return most * self.measures.size / SIDE

    @cached_property
    def label_height(self) -> float | None:
        """The height of digits in mm; None if pieces have no numbers, or there is no room for them."""
        return label_height(len(self.puzzle.pieces), self.cut, self.measures.size) if self.numbered else None

    @cached_property
    def label_spots(self) -> list[Spot | None]:
        """The centre of the number on each square, in mm from the board's upper left corner; None without room."""
        return [self._label_spot(square) for square in range(len(self.board))]

    def _label_spot(self, square: int) -> Spot | None:
        if self.label_height is None:
            return None
        middle = self.middle(square)
        if self.rim is None:
            return middle
        placement = self.board[square]
        assert placement is not None
        across, down = (half * self.label_height for half in half_extents(len(str(placement.piece + 1))))
        half = (down, across) if placement.rotation % 2 else (across, down)
        # Paths of pieces that are looser than the kerf lie within their edges.
        shape = self.shapes[square].buffer(-max(self.measures.gap - self.measures.kerf, 0) / 2)
        return label_spot(shape, middle, half)

    @cached_property
    def shapes(self) -> list["Polygon"]:
        """The shape of the piece on each square, in its place on the board and within its outline, in mm."""
        # Shapely reads an array faster than pairs.
        from shapely.geometry import Polygon

        shapes: list[Any] = [Polygon(np.array([*self._shape(square)])) for square in range(len(self.board))]
        return shapes if self.rim is None else [shape.intersection(self.rim) for shape in shapes]

    def _shape(self, square: int) -> Iterator[Spot]:
        """The outline of the piece on a square as a polyline.

        It is flattened in the coordinates of its square, whose points are the same for both pieces at a join.
        """
        path = outline(self.sides(square), self.cut.tabs)
        unit = self.measures.size / SIDE
        steps = max(ceil(sqrt(flatness(path, 1) * unit / (ACCURACY / 2))), 1)
        row, column = divmod(square, self.puzzle.columns)
        for x, y in flattened(path, steps).tolist():
            yield (x + column * SIDE) * unit, (y + row * SIDE) * unit

    def middle(self, square: int) -> Spot:
        """The middle of a square, in mm from the board's upper left corner."""
        row, column = divmod(square, self.puzzle.columns)
        return (column + 0.5) * self.measures.size, (row + 0.5) * self.measures.size

    def sides(self, square: int) -> Sides:
        """The sides that a square shows."""
        placement = self.board[square]
        assert placement is not None
        return self.puzzle.shown(placement)

    def side(self, square: int, side: int) -> list[Point]:
        """A side of the piece on a square, clockwise around it, in the coordinates of the board."""
        path = placed(side_path(self.sides(square)[side], self.cut.tabs), side)
        return list(moved(path, *divmod(square, self.puzzle.columns)))

    def label_at(
        self, piece: int, rotation: int, middle: Spot, scale: float = 1.0, layer: Layer = NUMBERS
    ) -> Iterator[Path]:
        """The number of a piece, centred at a spot; empty if pieces have no numbers."""
        if self.label_height is not None:
            height = self.label_height * scale
            for path in label(piece + 1, rotation, dotted=self.dotted):
                yield Path(layer, tuple((middle[0] + x * height, middle[1] + y * height) for x, y in path))
