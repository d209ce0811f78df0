"""The pieces of a jigsaw as closed shapes, each on its own and in its place."""

from collections.abc import Iterator
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ..curves.outline import outline
from ..curves.tab import SIDE, flatness, flattened
from ..paper.paper import ENGRAVE, Path, Spot
from ..sheets.cutting_job import CuttingJob
from .offsets import ACCURACY

if TYPE_CHECKING:
    from shapely.geometry import Polygon


class LoosePiece(NamedTuple):
    """A piece to cut on its own, in mm.

    Parameters
    ----------
    number
        Its number, from 1.
    shape
        Its shape, before any offset.
    label
        Its number as paths, in the coordinates of the shape.
    """

    number: int
    shape: "Polygon"
    label: tuple[Path, ...]


def loose_pieces(job: CuttingJob) -> list[LoosePiece]:
    """The pieces on the board, in the order of their numbers, in rotation 0, each with its middle at (0, 0)."""
    from shapely.affinity import rotate, translate

    found = []
    for square, shape in enumerate(placed_shapes(job)):
        placed = job.board[square]
        assert placed is not None
        x, y = _middle(job, square)
        # Shapely's angles are anticlockwise where y points up, as on no sheet; there they are clockwise.
        turned = rotate(translate(shape, -x, -y), -90 * placed.rotation, origin=(0, 0))
        label = tuple(job.label_at(placed.piece, 0, (0.0, 0.0), layer=ENGRAVE))
        found.append(LoosePiece(placed.piece + 1, turned, label))
    return sorted(found, key=lambda piece: piece.number)


def placed_shapes(job: CuttingJob) -> list["Polygon"]:
    """The shape of the piece on each square, in its place on the board and within its outline."""
    from shapely.geometry import Polygon

    shapes: list[Any] = [Polygon(_shape(job, square)) for square in range(len(job.board))]
    return shapes if job.rim is None else [shape.intersection(job.rim) for shape in shapes]


def _middle(job: CuttingJob, square: int) -> Spot:
    row, column = divmod(square, job.puzzle.columns)
    return (column + 0.5) * job.measures.size, (row + 0.5) * job.measures.size


def _shape(job: CuttingJob, square: int) -> Iterator[Spot]:
    """The outline of the piece on a square as a polyline.

    It is flattened in the coordinates of its square, whose points are the same for both pieces at a join.
    """
    path = outline(job.sides(square), job.cut.tabs)
    unit = job.measures.size / SIDE
    steps = max(ceil(sqrt(flatness(path, 1) * unit / (ACCURACY / 2))), 1)
    row, column = divmod(square, job.puzzle.columns)
    for x, y in flattened(path, steps).tolist():
        yield (x + column * SIDE) * unit, (y + row * SIDE) * unit
