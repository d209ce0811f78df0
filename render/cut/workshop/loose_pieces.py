"""The pieces of a jigsaw as closed shapes, each on its own and in its place."""

from typing import TYPE_CHECKING, NamedTuple

from ..paper.paper import ENGRAVE, Path
from ..sheets.cutting_job import CuttingJob

if TYPE_CHECKING:
    from shapely.geometry import Polygon


class LoosePiece(NamedTuple):
    """A piece to cut on its own, in mm."""

    #: Its number, from 1.
    number: int
    #: Its shape, before any offset.
    shape: "Polygon"
    #: Its number as paths, in the coordinates of the shape.
    label: tuple[Path, ...]


def loose_pieces(job: CuttingJob) -> list[LoosePiece]:
    """The pieces on the board, in the order of their numbers, in rotation 0, each with its middle at (0, 0)."""
    from shapely.affinity import rotate, translate

    found = []
    for square, shape in enumerate(job.shapes):
        placed = job.board[square]
        assert placed is not None
        x, y = job.middle(square)
        # Shapely's angles are anticlockwise where y points up, as on no sheet; there they are clockwise.
        turned = rotate(translate(shape, -x, -y), -90 * placed.rotation, origin=(0, 0))
        spot = job.label_spots[square]
        label: tuple[Path, ...] = ()
        if spot is not None:
            across, down = spot[0] - x, spot[1] - y
            for _ in range(placed.rotation):
                across, down = down, -across
            label = tuple(job.label_at(placed.piece, 0, (across, down), layer=ENGRAVE))
        found.append(LoosePiece(placed.piece + 1, turned, label))
    return sorted(found, key=lambda piece: piece.number)
