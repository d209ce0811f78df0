"""The data of a cut jigsaw: the jigsaw, one of its assemblies, its curves and all measures."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from ....csp.puzzles.board import Arrangement
from ....csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from ..curves.family import Cut
from ..curves.outline import moved, outline, placed, side_path
from ..curves.tab import SIDE, Point, flatness, flattened
from ..paper.artwork import Artwork
from ..paper.digits import half_extents, label
from ..paper.paper import NUMBERS, Layer, Path, Spot
from ..paper.sizes import Measures
from .labels import label_height, label_spot
from .trimming import ACCURACY

if TYPE_CHECKING:
    from shapely.geometry import Polygon


@dataclass(frozen=True)
class CuttingJob:
    """The data of a cut jigsaw."""

    #: The jigsaw.
    puzzle: EdgeMatchingPuzzle
    #: The assembly in which the pieces are cut: full and valid.
    board: Arrangement
    #: The curves of the jigsaw.
    cut: Cut
    #: The sizes of pieces, pages, margins and the cut.
    measures: Measures
    #: Whether the pieces get numbers.
    numbered: bool = True
    #: The picture on the front, in that assembly.
    artwork: Artwork | None = None
    #: Whether a dot above a number marks the top of the piece.
    dotted: bool = True
    #: The title of the sheets, by default the jigsaw's name.
    name: str | None = None
    #: Whether the cut sheets have registration marks.
    marked: bool = False
    #: The board's own outline, in mm from its upper left corner; None for the rectangle.
    rim: "Polygon | None" = None

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
        """The centre of the number on each square, in mm from the board's upper left corner.

        It is the middle of the square if the number has room there within the board's outline, and otherwise as near to
        it as possible; None where there is no room, or pieces have no numbers.
        """
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
        from shapely.geometry import Polygon

        shapes: list[Any] = [Polygon(self._shape(square)) for square in range(len(self.board))]
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
