"""Pieces on their own: their numbers lie on them."""

import pytest
from shapely.geometry import LineString, Polygon

from jigsat.csp.files.instances import read_puzzle
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.job import CuttingJob
from jigsat.render.cut.loose_pieces import loose_pieces, offset_of
from jigsat.render.cut.sizes import Measures
from jigsat.render.cut.tabs import flattened


@pytest.mark.parametrize("fit", [0.0, 1.0])
@pytest.mark.parametrize("number", [0, 1])
def test_numbers_lie_on_their_pieces_within_an_outline(number, fit):
    """Catches numbers beside a piece that is trimmed, or that are shifted as if it were not rotated."""
    puzzle = read_puzzle("perfect-5x5")
    rim = Polygon([(34, 0), (91, 0), (125, 34), (125, 91), (91, 125), (34, 125), (0, 91), (0, 34)])
    job = CuttingJob(puzzle, puzzle.assemblies[number], cut_of(puzzle), Measures(fit=fit), rim=rim)
    pieces = loose_pieces(job)
    assert [piece.number for piece in pieces] == list(range(1, 26))
    for piece in pieces:
        assert piece.label
        # The path of the cut is inside the shape of a loose piece.
        room = piece.shape.buffer(min(offset_of(job.measures), 0) - 0.499)
        assert all(room.covers(LineString(flattened(path.points, 8))) for path in piece.label)
