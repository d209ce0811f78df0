"""Prints that are cut later: the picture reaches beyond every line."""

import io

import pytest
from PIL import Image

from jigsat.csp.files.instances import read_puzzle
from jigsat.render.cut.cut_sheets import cut_sheets, for_printed_sheets, print_sheets
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.job import CuttingJob
from jigsat.render.cut.paper import CUT, Artwork, Path, Printed
from jigsat.render.cut.sizes import PAGES, Measures
from jigsat.render.cut.tabs import flattened


@pytest.mark.parametrize("bleed", [0.0, 3.0])
def test_the_bleed_is_as_wide_between_pages_as_at_the_edge(bleed):
    """Catches tabs that reach to the end of the picture, so that a cut beside its place shows white paper."""
    puzzle = read_puzzle("perfect-10x10")
    file = io.BytesIO()
    Image.new("RGB", (100, 100)).save(file, "PNG")
    measures = Measures(page=PAGES["a4"], bleed=bleed)
    artwork = Artwork(file.getvalue(), "png", 100, 100)
    job = CuttingJob(puzzle, puzzle.assemblies[0], cut_of(puzzle), measures, artwork=artwork)
    prints, cuts = print_sheets(job), cut_sheets(for_printed_sheets(job))
    assert len(prints) == len(cuts) == 2
    for printed, cut in zip(prints, cuts, strict=True):
        (clip,) = (item.clip for item in printed.items if isinstance(item, Printed))
        lines = [item for item in cut.items if isinstance(item, Path) and item.layer is CUT]
        for line in lines:
            spots = flattened(line.points, 16)
            for axis in (0, 1):
                assert min(spot[axis] for spot in clip) <= spots[:, axis].min() - bleed + 1e-6
                assert max(spot[axis] for spot in clip) >= spots[:, axis].max() + bleed - 1e-6
