"""The words of the candidates, and what they cannot hold."""

from types import SimpleNamespace

import numpy as np
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


@pytest.mark.parametrize("pieces", [[1], [1, 2, 3, 4, 5], [70, 1, 8], [1] * 200, [3] * 64, [9, 1] * 30])
def test_the_highest_bit_of_a_number_is_set_as_long_as_a_piece_is_free(pieces):
    places, full = tables._numbers_of_free(pieces)
    words = [int(word) for word in full]
    assert 0 not in places
    for place, number in zip(places.tolist(), pieces, strict=True):
        top, unit, field = place & 63, place >> 6 & 63, place >> 12
        for _ in range(number):
            assert words[field] >> top & 1 == 1
            words[field] -= 1 << unit
        assert words[field] >> top & 1 == 0
        words[field] += number << unit
    assert words == [int(word) for word in full]


def test_lists_of_several_choices_are_found_by_their_keys():
    """Each candidate of each list, with its colours."""
    run, choices, made = tables_of(deal_edge_matching(5, 4, 2, 3, seed=1).puzzle)
    assert len(choices) == 2
    depths, width = run.free, int(made.mask).bit_length()
    for choice, old in enumerate(choices):
        for depth in range(depths):
            base = int(made.plan[5 * (choice * depths + depth)]) & 0xFFFFFFFF
            start = int(old.base[depth])
            position, before = int(made.index[base]), int(old.index[start])
            assert (position == 0) == (before == 0)
            while before and old.entries[before] >= 0:
                candidate = old.entries[before]
                assert made.entries[position] == candidate
                sides = [int(made.words[position]) >> 19 + width * side & int(made.mask) for side in range(4)]
                assert sides == np.maximum(run.candidates.sides[candidate], 0).tolist()
                position, before = position + 1, before + 1
            assert made.words[position] == 0


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
