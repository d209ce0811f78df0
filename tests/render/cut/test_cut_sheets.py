"""Sheets: which lines are on them, where, and what they say; all read from the drawing, whatever file it becomes."""

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from math import hypot

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from reportlab.pdfbase.pdfmetrics import stringWidth
from shapely import union_all
from shapely.geometry import LineString, Polygon

from jigsat.api.make import make_boards_jigsaw
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.board import SIDE_NAMES, Board
from jigsat.render.cut.cut_sheets import cut_sheets
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.job import CuttingJob
from jigsat.render.cut.legend import assembly_sheets, legend_sheets, statement
from jigsat.render.cut.paper import (
    CUT,
    ENGRAVE,
    NUMBERS,
    OUTLINES,
    RULE,
    Artwork,
    Path,
    Printed,
    half_extents,
    label,
    placed_at,
)
from jigsat.render.cut.sizes import PAGES, Measures, laid_out
from jigsat.render.cut.tabs import flattened, moved, outline

A4 = PAGES["a4"]
ARTWORK = Artwork(b"", "png", 500, 500)
# The curves of a tab and of the leads at its ends.
CURVES_OF_A_SIDE = 10


def job_of(name="perfect-5x5", number=0, *, numbered=True, artwork=None, **measures):
    puzzle = read_puzzle(name)
    return CuttingJob(puzzle, puzzle.assemblies[number], cut_of(puzzle), Measures(**measures), numbered, artwork)


def paths(sheet, layer):
    return [item for item in sheet.items if isinstance(item, Path) and item.layer is layer]


def bezier_curves(path):
    """The curves of a path, each the same in both directions, to a millionth of a mm."""
    points = [(round(x, 6), round(y, 6)) for x, y in path.points]
    curves = [tuple(points[i : i + 4]) for i in range(0, len(points) - 1, 3)]
    return [min(curve, curve[::-1]) for curve in curves]


def blocks_of(job):
    return laid_out(job.puzzle.board, job.measures, job.reach).blocks


def squares_of(block, board):
    rows, columns = range(block.row, block.row + block.rows), range(block.column, block.column + block.columns)
    return [board.square(row, column) for row in rows for column in columns]


def centre_of(points):
    xs, ys = zip(*points, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def is_dot(points):
    """Dots are circles: of four curves, closed, and as wide as high."""
    xs, ys = zip(*points, strict=True)
    return len(points) == 13 and points[0] == points[-1] and max(xs) - min(xs) == pytest.approx(
        max(ys) - min(ys)
    )  # fmt: skip


def spots(item):
    if isinstance(item, Path):
        return item.points
    if isinstance(item, Printed):
        return item.clip
    font = "Helvetica-Bold" if item.bold else "Helvetica"
    width = stringWidth(item.text, font, item.size) * {"start": 1, "end": -1}[item.anchor]
    x, y = item.spot
    return [(x, y - 0.8 * item.size), (x + width, y + 0.25 * item.size)]


WAYS = [
    ("perfect-5x5", {}),
    ("perfect-5x7", {"size": 40.0, "page": PAGES["k40"]}),
    ("perfect-10x10", {"page": A4}),
    ("perfect-10x10", {"page": PAGES["a6"], "size": 20.0, "margin": 5.0}),
    ("three-solutions-6x6", {"page": (400.0, 120.0)}),
    # Hardly larger than a piece and the tabs at either end.
    ("three-solutions-6x6", {"page": (126.0, 150.5), "size": 62.0}),
]


@pytest.mark.parametrize(("name", "measures"), WAYS)
def test_every_line_is_cut_once_on_its_page(name, measures):
    """Catches lines that are missing, that are cut twice, or that are not those of the pieces that lie there."""
    job = job_of(name, **measures)
    sheets, blocks = cut_sheets(job), blocks_of(job)
    assert len(sheets) == len(blocks)
    for sheet, block in zip(sheets, blocks, strict=True):
        lines = paths(sheet, CUT)
        assert len(lines) == block.rows - 1 + block.columns - 1 + 1
        assert [line.closed for line in lines] == [False] * (len(lines) - 1) + [True]
        assert lines[-1].points[0] == pytest.approx(lines[-1].points[-1])
        cut = Counter(curve for line in lines for curve in bezier_curves(line))
        assert set(cut.values()) == {1}
        # The first corner of the block determines where the board would begin.
        x, y = lines[-1].points[0]
        origin = x - block.column * job.measures.size, y - block.row * job.measures.size
        wanted = set()
        for square in squares_of(block, job.puzzle.board):
            shape = moved(outline(job.sides(square), job.cut.tabs), *divmod(square, job.puzzle.columns))
            wanted |= set(bezier_curves(Path(CUT, placed_at(shape, origin, job.measures.size))))
        assert set(cut) == wanted
        straight = _straight(job, block)
        joins = 2 * block.rows * block.columns + block.rows + block.columns - straight
        assert len(cut) == straight + CURVES_OF_A_SIDE * joins


def _straight(job, block):
    """How many sides of a block lie on the border of the board."""
    rows, columns = job.puzzle.rows, job.puzzle.columns
    across = (block.row == 0) + (block.row + block.rows == rows)
    down = (block.column == 0) + (block.column + block.columns == columns)
    return across * block.columns + down * block.rows


@pytest.mark.parametrize(("name", "measures"), WAYS)
def test_pages_hold_every_piece_once_and_nothing_leaves_them(name, measures):
    """Catches pieces that are forgotten, split or printed twice, and whatever would be printed beyond the margin."""
    job = job_of(name, artwork=ARTWORK, **measures)
    squares = Counter(square for block in blocks_of(job) for square in squares_of(block, job.puzzle.board))
    assert squares == Counter(range(len(job.puzzle.board)))
    plain = replace(job, artwork=None)
    blocks = (*cut_sheets(job, "scissors"), *cut_sheets(plain), *cut_sheets(job, "back"))
    for sheet in (*blocks, *legend_sheets(job), *assembly_sheets(job, [("assembly 1", job.board)])):
        margin = job.measures.margin - 1e-6
        for item in sheet.items:
            for x, y in spots(item):
                assert margin <= x <= sheet.width - margin, item
                assert margin <= y <= sheet.height - margin, item
        if job.measures.page is not None:
            assert sorted((sheet.width, sheet.height)) == sorted(job.measures.page)


@given(
    st.integers(1, 12), st.integers(1, 12), st.integers(100, 900), st.integers(0, 35),
    st.integers(1000, 6000), st.integers(300, 6000),
)  # fmt: skip
def test_layouts_fit_and_are_even(rows, columns, size, reach, width, height):
    """Catches blocks that are larger than a page with what reaches out of them, lengths in tenths of a mm."""
    side, margin = size / 10, 5.0
    measures = Measures(side, (width / 10, height / 10), margin)
    try:
        layout = laid_out(Board(rows, columns), measures, side * reach / 100)
    except JigsatError:
        reject()
    assert sum(block.rows * block.columns for block in layout.blocks) == rows * columns
    covered = Counter(square for block in layout.blocks for square in squares_of(block, Board(rows, columns)))
    assert set(covered.values()) == {1}
    for lengths in ({block.rows for block in layout.blocks}, {block.columns for block in layout.blocks}):
        assert max(lengths) - min(lengths) <= 1
    for block in layout.blocks:
        left_right = (block.column > 0) + (block.column + block.columns < columns)
        up_down = (block.row > 0) + (block.row + block.rows < rows)
        assert block.columns * side + left_right * side * reach / 100 <= layout.width - 2 * margin + 1e-6
        assert block.rows * side + up_down * side * reach / 100 <= layout.height - 2 * margin + 1e-6
    assert layout.width >= RULE + 2 * margin


@given(st.integers(1, 14), st.integers(1, 7), st.integers(0, 3), st.integers(101, 200))
def test_no_other_division_into_pages_needs_fewer(columns, size, reach, width):
    """All ways to divide a row; the page has no room for the ruler if it is turned."""
    side, out = 10.0 * size, 2.0 * size * reach
    try:
        layout = laid_out(Board(1, columns), Measures(side, (width + 20.0, 115.0), 10.0), out)
    except JigsatError:
        reject()

    def fits(parts):
        return all(
            part * side + ((at > 0) + (at < len(parts) - 1)) * out <= width + 1e-9 for at, part in enumerate(parts)
        )

    for number in range(1, len(layout.blocks)):
        for ends in combinations(range(1, columns), number - 1):
            assert not fits([b - a for a, b in pairwise((0, *ends, columns))])


@pytest.mark.parametrize(("name", "size"), [("perfect-10x10", 25.0), ("perfect-5x5", 12.5), ("perfect-10x10", 12.5)])
@pytest.mark.parametrize("number", [0, 1])
def test_numbers_stay_away_from_cuts(name, size, number):
    """Catches digits that are too large for the room between the tabs, in any rotation."""
    job = job_of(name, number, size=size)
    (sheet,) = cut_sheets(job)
    cuts = union_all([LineString(flattened(line.points, 16)) for line in paths(sheet, CUT)])
    engraved = [LineString(flattened(line.points, 8)) for line in paths(sheet, ENGRAVE)]
    # A dot and one or more digits on each piece.
    digits = sum(len(str(piece)) for piece in range(1, len(job.board) + 1))
    assert len(engraved) == digits + len(job.board)
    assert cuts.distance(union_all(engraved)) >= 0.499
    assert job.label_height >= 1


def octagon(job, cut_off):
    """The job with a board whose corners are cut off, in parts of its width."""
    width = job.puzzle.columns * job.measures.size
    near, far = cut_off * width, (1 - cut_off) * width
    corners = [(near, 0), (far, 0), (width, near), (width, far), (far, width), (near, width), (0, far), (0, near)]
    return replace(job, rim=Polygon(corners))


def test_numbers_without_dots_differ_upside_down():
    """Catches a 66 that is taken for a 99 (a line below distinguishes them), and digits that leave their box."""

    def strokes(number, rotation):
        paths = label(number, rotation, dotted=False)
        return frozenset(tuple((round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in path) for path in paths)

    assert len({strokes(number, rotation) for number in range(10) for rotation in range(4)}) == 40
    upright = {strokes(number, 0): number for number in range(1, 1100)}
    assert len(upright) == 1099
    for number in range(1, 1100):
        assert upright.get(strokes(number, 2), number) == number
        across, down = half_extents(len(str(number)))
        for path in (*label(number), *label(number, dotted=False)):
            assert all(abs(x) <= across + 1e-9 and abs(y) <= down + 1e-9 for x, y in path)
    lined = [number for number in range(1, 100) if len(label(number, dotted=False)) > len(str(number))]
    assert lined == [6, 9, 16, 18, 19, 61, 66, 68, 81, 86, 89, 91, 98, 99]
    line, *digits = label(68, dotted=False)
    assert {y for _, y in line} == {0.75}
    assert max(y for path in digits for _, y in path) == pytest.approx(0.5)


@pytest.mark.parametrize("number", [0, 1])
def test_dots_point_to_the_tops_of_pieces(number):
    """Catches labels on other pieces, or that turn the wrong way: seen from behind, clockwise is anticlockwise."""
    job = job_of("perfect-6x6", number)
    assert {laid.rotation for laid in read_puzzle("perfect-6x6").assemblies[1]} == {0, 1, 2, 3}
    ((front,), (back,)) = cut_sheets(job), cut_sheets(job, "back")
    mirrored = [tuple((front.width - x, y) for x, y in line.points) for line in paths(front, CUT)]
    for line, wanted in zip(paths(back, OUTLINES), mirrored, strict=True):
        assert np.array(line.points) == pytest.approx(np.array(wanted))
    left, top = (min(spot[i] for line in paths(front, CUT) for spot in line.points) for i in (0, 1))
    for sheet, layer, behind in ((front, ENGRAVE, False), (back, NUMBERS, True)):
        drawn = [path.points for path in paths(sheet, layer)]
        for square, laid in enumerate(job.board):
            row, column = divmod(square, job.puzzle.columns)
            x, y = left + (column + 0.5) * 25, top + (row + 0.5) * 25
            x = sheet.width - x if behind else x
            here = [path for path in drawn if hypot(path[0][0] - x, path[0][1] - y) < 6]
            assert len(here) == 1 + len(str(laid.piece + 1))
            # The curves of the digits show that it is this piece's number.
            assert list(map(len, here)) == list(map(len, label(laid.piece + 1)))
            (dot,) = [centre_of(path) for path in here if is_dot(path)]
            up = [(0, -1), (1, 0), (0, 1), (-1, 0)][laid.rotation]
            length = hypot(dot[0] - x, dot[1] - y)
            wanted = (-up[0] if behind else up[0], up[1])
            assert ((dot[0] - x) / length, (dot[1] - y) / length) == pytest.approx(wanted), SIDE_NAMES[laid.rotation]


def test_the_statement_is_true_and_owns_up():
    """Catches a kerf or a gap that is as wide as curves differ, numbers and necks that are lost without a word."""
    job = job_of(size=40.0, kerf=2.1)
    (sentence, said) = statement(job)
    least = float(re.search("wrong pieces may fit together; sides of (.*) mm or more prevent this", sentence)[1])
    for size, words in ((least, "times the kerf"), (least - 0.1, "wrong pieces")):
        assert words in statement(replace(job, measures=Measures(size=size, kerf=2.1)))[0]
    for fit, end in ((0.0, "rotated"), (-0.1, "rotated"), (0.5, " times the gap of 0.5 mm")):
        assert statement(job_of(kerf=0.2, fit=fit))[0].endswith(end)
    assert statement(octagon(job, 0.27))[1].startswith(f"away from the outline {said}; along it, cuts may come closer")
    narrow = octagon(job_of(), 0.32)
    bare = sorted(narrow.board[square].piece + 1 for square, spot in enumerate(narrow.label_spots) if spot is None)
    assert statement(narrow)[-1].endswith(f"within the outline: {', '.join(map(str, bare))}")
    crowded = job_of(size=6.0)
    assert paths(cut_sheets(crowded)[0], ENGRAVE) == []
    assert "numbers: omitted" in statement(crowded)[-1]


def test_a_second_board_is_shown_with_the_picture_on_its_pieces():
    """Catches parts of the picture on other squares or turned the other way, and a left-over piece without a name."""
    jigsaw = make_boards_jigsaw("4x4,3x5", seed=1)
    first, second = jigsaw.puzzles
    job = CuttingJob(first, first.assemblies[0], cut_of(first, 0), Measures(size=20), artwork=ARTWORK, second=second)
    *_, sheet = assembly_sheets(job, [])
    assert sheet.about.startswith(f"second board of 3x5, left over: piece {jigsaw.spare + 1},")
    assert f"second board of 3x5, left over: piece {jigsaw.spare + 1}" in statement(job)
    printed = [item for item in sheet.items if isinstance(item, Printed)]
    assert len(printed) == 15
    for square, (placed, item) in enumerate(zip(second.assemblies[0], printed, strict=True)):
        row, column = divmod(placed.piece, 4)
        a, b, c, d, left, top = item.matrix
        for off_x, off_y, turned in ((0.5, 0.5, (0.5, 0.5)), (0.5, 0.2, TOPS[placed.rotation])):
            u, v = (column + off_x) / 4, (row + off_y) / 4
            x, y = left + a * u + c * v, top + b * u + d * v
            across, down = square % 5 + turned[0], square // 5 + turned[1]
            assert (x, y) == pytest.approx((10 + 20 * across, 10 + 20 * down))


# Where a point above the middle of a piece is after quarter turns.
TOPS = ((0.5, 0.2), (0.8, 0.5), (0.5, 0.8), (0.2, 0.5))
