"""The words of the candidates, and what they cannot hold."""

from types import SimpleNamespace

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.symmetry import Candidates
from jigsat.csp.search.counting import gpu_walks as tables
from jigsat.csp.search.ordered.run import Run


def tables_of(puzzle, **options):
    run = Run(puzzle, Goal.COUNT, Limits(), Options(**options))
    choices = [run.tables(choice) for choice in range(run.walks)]
    return run, choices, tables.gpu_tables(run.candidates, choices)


@pytest.mark.parametrize(
    ("colors", "pieces", "message"),
    [(2049, 1, "device: a GPU counts with at most 2048 colours, not 2049; omit it"),
     (3, 9000, "device: the numbers of free pieces fill 429 words, and a GPU has room for 128; omit it")],
)  # fmt: skip
def test_too_many_colors_or_pieces_are_refused(colors, pieces, message):
    run, choices, _ = tables_of(deal_edge_matching(3, 3, 1, 2, seed=1).puzzle)
    known = run.candidates
    index = {color: color for color in range(colors)}
    many = Candidates(known.kinds[:1] * pieces, known.of_type, known.turns, known.sides, known.mates, index)
    with pytest.raises(EngineError) as error:
        tables.gpu_tables(many, choices)
    assert str(error.value) == message


def test_more_free_squares_than_depths_are_refused():
    """Catches depths that reach into the bits beside them."""
    run, *_ = tables_of(deal_edge_matching(3, 3, 1, 2, seed=1).puzzle)
    with pytest.raises(EngineError, match="device: a GPU counts with at most 65536 free squares, not 65537; omit it"):
        tables.gpu_tables(run.candidates, [SimpleNamespace(squares=range(65_537))])
