"""Offsets of outlines: simple, apart from each other, and pieces that fit with the gap that was asked for."""

import io
from dataclasses import replace

import pytest
from PIL import Image
from shapely import STRtree, hausdorff_distance, union_all
from shapely.geometry import LineString, Polygon, box

from jigsat.api.make import make_jigsaw
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.files.instances import read_puzzle
from jigsat.render.cut.cut_sheets import cut_sheets, print_sheets
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.job import CuttingJob
from jigsat.render.cut.loose_pieces import (
    LoosePiece,
    apart_sheets,
    drawn,
    gaps,
    left_over,
    loose_pieces,
    offset_of,
    refuse_overlaps,
)
from jigsat.render.cut.paper import CUT, Artwork, Printed, Text
from jigsat.render.cut.sizes import PAGES, Measures
from jigsat.render.cut.tabs import flattened


def job_of(puzzle, **measures):
    return CuttingJob(puzzle, puzzle.assemblies[0], cut_of(puzzle), Measures(**measures))


def test_a_square_by_hand():
    """Catches offsets to the wrong side, and rounded corners."""
    square = box(0, 0, 10, 10)
    for kerf, fit, by in ((0.2, 0.0, 0.1), (0.2, None, 0.0), (0.2, 0.5, -0.15), (0.2, -0.1, 0.15)):
        measures = Measures(kerf=kerf, fit=fit)
        assert offset_of(measures) == pytest.approx(by)
        path = drawn(square, measures, "square")
        assert path.equals_exact(box(-by, -by, 10 + by, 10 + by), 1e-9, normalize=True)
        left, edge = left_over(path, measures), (kerf if fit is None else fit) / 2
        assert left.bounds == pytest.approx((edge, edge, 10 - edge, 10 - edge))


def test_gaps_between_two_squares():
    """Catches gaps of another sign, and joins that are not found."""
    pair = [box(0, 0, 10, 10), box(10, 0, 20, 10)]
    for fit in (-0.3, 0.0, 0.25):
        assert gaps(pair, Measures(kerf=0.2, fit=fit)) == pytest.approx((fit, fit), abs=1e-6)
    assert gaps([pair[0], box(30, 0, 40, 10)], Measures()) is None


def test_what_cannot_be_cut():
    """Catches outlines that fall apart in silence, and pieces that lie over each other."""
    dumb_bell = union_all([box(0, 0, 9, 9), box(9, 4, 20, 5), box(20, 0, 29, 9)])
    # What would help depends on the side of the path.
    with pytest.raises(JigsatError, match=r"piece 7: .* offset of -0\.500 mm; give a larger size, or a smaller fit$"):
        drawn(dumb_bell, Measures(kerf=0.0, fit=1.0), "piece 7")
    drawn(dumb_bell, Measures(kerf=0.0, fit=0.5), "piece 7")
    narrow = box(0, 0, 20, 20) - union_all([box(5, 0, 6, 4), box(3, 4, 8, 9)])
    with pytest.raises(JigsatError, match=r"1\.000 mm; give a larger size or fit, or a smaller kerf$"):
        drawn(narrow, Measures(kerf=2.0, fit=0.0), "piece 8")
    drawn(narrow, Measures(kerf=1.0, fit=0.5), "piece 8")
    with pytest.raises(JigsatError, match="one and two: their outlines overlap on the sheet"):
        refuse_overlaps([box(0, 0, 2, 2), box(1, 1, 3, 3), box(5, 5, 6, 6)], ["one", "two", "three"])


def check_pieces(job):
    """Every outline is simple and apart from the others; cut and put together, the pieces have the gap.

    Independent of `gaps`: what is left of a piece is compared with the wanted piece as a whole.
    """
    sheets = apart_sheets("jigsaw", loose_pieces(job), job.measures)
    lines = [item for sheet in sheets for item in sheet.items if getattr(item, "layer", None) is CUT]
    assert [line.closed for line in lines] == [True] * len(job.board)
    for sheet in sheets:
        paths = [Polygon(item.points) for item in sheet.items if getattr(item, "layer", None) is CUT]
        assert all(path.is_valid and path.exterior.is_simple for path in paths)
        assert len(STRtree(paths).query(paths, predicate="intersects").T) == len(paths)
        page = box(0, 0, sheet.width, sheet.height)
        assert all(path.within(page) for path in paths)
    shapes, gap = job.shapes, job.measures.gap
    for shape in shapes:
        left = left_over(drawn(shape, job.measures, "piece"), job.measures)
        wanted = shape.buffer(-gap / 2, join_style="mitre")
        assert left.geom_type == "Polygon"
        assert hausdorff_distance(left, wanted) < 0.4 * job.measures.kerf + 0.01
        assert left.symmetric_difference(wanted).area < 0.003 * shape.length
    found = gaps(shapes, job.measures)
    assert gap - 0.012 < found.narrowest <= found.widest < gap + 0.012


@pytest.mark.parametrize("fit", [0.1, -0.05])
def test_pieces_of_a_small_jigsaw(fit):
    check_pieces(job_of(read_puzzle("perfect-3x3"), kerf=0.2, fit=fit))


@pytest.mark.parametrize("fit", [0.0, 1.0])
@pytest.mark.parametrize("number", [0, 1])
def test_numbers_lie_on_their_pieces_within_an_outline(number, fit):
    """Catches numbers beside a piece that is trimmed, or that are shifted as if it were not rotated."""
    rim = Polygon([(34, 0), (91, 0), (125, 34), (125, 91), (91, 125), (34, 125), (0, 91), (0, 34)])
    job = replace(job_of(read_puzzle("perfect-5x5"), fit=fit), rim=rim)
    pieces = loose_pieces(replace(job, board=job.puzzle.assemblies[number]))
    assert [piece.number for piece in pieces] == list(range(1, 26))
    for piece in pieces:
        assert piece.label
        # The path of the cut is inside the shape of a loose piece.
        room = piece.shape.buffer(min(offset_of(job.measures), 0) - 0.499)
        assert all(room.covers(LineString(flattened(path.points, 8))) for path in piece.label)


def test_pages():
    """Catches pieces that are on no page or on two, and a page that is said to suffice and does not."""
    job = job_of(read_puzzle("perfect-5x5"), page=(150.0, 150.0), fit=0.0)
    sheets = apart_sheets("jigsaw", loose_pieces(job), job.measures)
    assert sum(getattr(item, "layer", None) is CUT for sheet in sheets for item in sheet.items) == 25
    # The feet of full pages end above the margin, too.
    assert max(item.spot[1] for sheet in sheets for item in sheet.items if isinstance(item, Text)) <= 140
    shapes = [box(0, 0, 30, 30), box(0, 0, 103, 5), box(0, 0, 5, 45)]
    pieces = [LoosePiece(number, shape, ()) for number, shape in enumerate(shapes, start=1)]
    what = "too small for piece 3 of 5 x 45 mm, the margins of 10 mm and the ruler; give 123 x 89 mm or more"
    with pytest.raises(JigsatError, match=f"page of 122 x 85 mm: {what}"):
        apart_sheets("shapes", pieces, Measures(page=(122.0, 85.0), fit=0.0, kerf=0.0))
    assert len(apart_sheets("shapes", pieces, Measures(page=(123.0, 89.0), fit=0.0, kerf=0.0))) > 1


@pytest.mark.parametrize("bleed", [0.0, 3.0])
def test_prints_reach_beyond_every_line(bleed):
    """Catches tabs that reach to the end of the picture, so that a cut beside its place shows white paper."""
    file = io.BytesIO()
    Image.new("RGB", (100, 100)).save(file, "PNG")
    job = job_of(read_puzzle("perfect-10x10"), page=PAGES["a4"], bleed=bleed)
    job = replace(job, artwork=Artwork(file.getvalue(), "png", 100, 100))
    for printed, cut in zip(print_sheets(job), cut_sheets(job), strict=True):
        (clip,) = (item.clip for item in printed.items if isinstance(item, Printed))
        for line in (item for item in cut.items if getattr(item, "layer", None) is CUT):
            spots = flattened(line.points, 16)
            for axis in (0, 1):
                assert min(spot[axis] for spot in clip) <= spots[:, axis].min() - bleed + 1e-6
                assert max(spot[axis] for spot in clip) >= spots[:, axis].max() + bleed - 1e-6


SIZES = [
    (5, 5), (5, 7), (6, 6), (6, 8), (7, 7), (8, 8), (8, 10), (9, 9), (9, 11), (10, 10), (11, 11), (11, 13), (12, 12),
    (13, 13), (14, 14), (15, 15), (16, 16), (17, 17), (18, 18), (20, 20),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_pieces_of_jigsaws_of_every_size(rows, columns):
    """The 20 jigsaws from 5x5 to 20x20, with another kerf and fit each time."""
    number = SIZES.index((rows, columns))
    puzzle = make_jigsaw(rows=rows, columns=columns, seed=1)
    check_pieces(job_of(puzzle, kerf=(0.1, 0.2, 0.3)[number % 3], fit=(-0.1, 0.0, 0.1, 0.2)[number % 4]))
