"""Sheets to print before they are cut: the picture alone, with its bleed and registration marks."""

import io
from dataclasses import replace

from ....csp.base.errors import JigsatError
from ..paper.artwork import Artwork
from ..paper.paper import Printed, Sheet, rectangle
from ..sheets.cut_sheets import block_origin
from ..sheets.cutting_job import CuttingJob
from ..sheets.layout import Block, Layout, laid_out
from ..sheets.registration import registration_marks


def print_sheets(job: CuttingJob) -> list[Sheet]:
    """A sheet for each cut sheet, of the same size; beyond the board's edge the picture goes on as its mirror image."""
    layout = laid_out(job.puzzle.board, job.measures, job.reach)
    bled, parts = _with_bleed(job)
    return [_sheet(job, layout, index, bled, parts) for index in range(len(layout.blocks))]


def _with_bleed(job: CuttingJob) -> tuple[Artwork, tuple[float, float]]:
    """The picture with its mirrored edges, and how wide they are in mm."""
    import numpy as np
    from PIL import Image

    assert job.artwork is not None
    with Image.open(io.BytesIO(job.artwork.data)) as opened:
        picture = np.asarray(opened.convert("RGB"))
    width, height = job.puzzle.columns * job.measures.size, job.puzzle.rows * job.measures.size
    down, across = (
        int(-(-job.measures.bleed * pixels // length))
        for pixels, length in zip(picture.shape, (height, width), strict=False)
    )
    if down > picture.shape[0] or across > picture.shape[1]:
        raise JigsatError(f"bleed {job.measures.bleed:g}: larger than the board; give less")
    file = io.BytesIO()
    padded = np.pad(picture, ((down, down), (across, across), (0, 0)), mode="symmetric")
    Image.fromarray(padded).save(file, "PNG")
    artwork = Artwork(file.getvalue(), "png", padded.shape[1], padded.shape[0])
    return artwork, (across * width / picture.shape[1], down * height / picture.shape[0])


def _sheet(job: CuttingJob, layout: Layout, index: int, bled: Artwork, edges: tuple[float, float]) -> Sheet:
    block, size, bleed = layout.blocks[index], job.measures.size, job.measures.bleed
    (x, y), bottom = block_origin(job, layout, block)
    width, height = job.puzzle.columns * size, job.puzzle.rows * size
    matrix = (width + 2 * edges[0], 0.0, 0.0, height + 2 * edges[1], x - edges[0], y - edges[1])
    left, top, right, down = _edges(job, block)
    clip = rectangle(x + left, y + top, x + right, y + down)
    marks = registration_marks(layout.width, job.measures.margin, bottom, job.measures)
    name = "print" if len(layout.blocks) == 1 else f"print-{index + 1}"
    about = f"print, {block.squares(job.puzzle.board)}, bleed of {bleed:g} mm"
    return Sheet(name, about, layout.width, layout.height, (Printed(bled, matrix, clip), *marks))


def _edges(job: CuttingJob, block: Block) -> tuple[float, float, float, float]:
    """The part of the board that a sheet shows: a block with the tabs that reach out of it, and the bleed."""
    size, bleed = job.measures.size, job.measures.bleed
    width, height, reach = job.puzzle.columns * size, job.puzzle.rows * size, job.reach + bleed
    left, right = block.column * size - reach, (block.column + block.columns) * size + reach
    top, bottom = block.row * size - reach, (block.row + block.rows) * size + reach
    return max(left, -bleed), max(top, -bleed), min(right, width + bleed), min(bottom, height + bleed)


def for_printed_sheets(job: CuttingJob) -> CuttingJob:
    """The job of the cut sheets: without the picture, which is printed by itself, but with the same marks."""
    return replace(job, artwork=None, numbered=False, marked=True)
