"""What is to be cut: a jigsaw as it lies in one of its assemblies, its curves, and the sizes of all."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ....csp.puzzles.board import Arrangement
from ....csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from ..curves.family import Cut
from ..curves.outline import moved, placed, side_path
from ..curves.tab import SIDE, Point
from ..paper.artwork import Artwork
from ..paper.digits import label
from ..paper.paper import NUMBERS, Layer, Path, Spot
from ..paper.sizes import Measures
from .labels import label_height


@dataclass(frozen=True)
class CuttingJob:
    """What is to be cut.

    Parameters
    ----------
    puzzle
        The jigsaw.
    board
        The assembly in which the pieces lie when they are cut: full, and valid.
    cut
        The curves of the jigsaw.
    measures
        What it is cut to.
    numbered
        Whether the pieces get numbers.
    artwork
        What is printed on the front, as it lies in that assembly.
    """

    puzzle: EdgeMatchingPuzzle
    board: Arrangement
    cut: Cut
    measures: Measures
    numbered: bool = True
    artwork: Artwork | None = None

    @cached_property
    def reach(self) -> float:
        """How far tabs reach out of their squares, in mm; by their control points, between which curves stay."""
        most = max((abs(y) for tab in self.cut.tabs.values() for _, y in tab.points), default=0)
        return most * self.measures.size / SIDE

    @cached_property
    def label_height(self) -> float | None:
        """How high digits are, in mm; None where there are none, or where there is no room for them."""
        return label_height(len(self.puzzle.pieces), self.cut, self.measures.size) if self.numbered else None

    def sides(self, square: int) -> Sides:
        """The sides that a square shows."""
        placement = self.board[square]
        assert placement is not None
        return self.puzzle.shown(placement)

    def side(self, square: int, side: int) -> list[Point]:
        """A side of what lies on a square, clockwise round it, from the upper left corner of the board."""
        path = placed(side_path(self.sides(square)[side], self.cut.tabs), side)
        return list(moved(path, *divmod(square, self.puzzle.columns)))

    def label_at(
        self, piece: int, rotation: int, middle: Spot, scale: float = 1.0, layer: Layer = NUMBERS
    ) -> Iterator[Path]:
        """The number of a piece about a spot; nothing where pieces have none."""
        if self.label_height is not None:
            height = self.label_height * scale
            for path in label(piece + 1, rotation):
                yield Path(layer, tuple((middle[0] + x * height, middle[1] + y * height) for x, y in path))
