"""Numbers for the pieces that are used, against the numbers of pieces themselves."""

from itertools import product

import numpy as np

from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.symmetry import PieceType, symmetries
from jigsat.csp.search.counting.macros_tables import Uses, in_pairs

SIZES = (1, 2, 2, 1, 2)
USES = Uses([PieceType((1, 2, 3, number), tuple(range(size)), (0,) * size, 1) for number, size in enumerate(SIZES)])
#: All numbers of pieces that can be used of each type.
USED = np.array(list(product(*(range(size + 1) for size in SIZES))))


def written(used):
    return (used.astype(np.uint64) * USES.of_kind).sum(axis=1, dtype=np.uint64)


def test_sets_are_apart_if_there_are_enough_pieces():
    for used, number in zip(USED, written(USED), strict=True):
        enough = ((used + USED) <= SIZES).all(axis=1)
        assert (USES.apart(np.full(len(USED), number), written(USED)) == enough).all()


def test_a_bit_excludes_the_sets_that_need_too_many_pieces():
    """What is excluded by the bits of a number, taken together, is all that does not go with it."""
    for used, number in zip(USED, written(USED), strict=True):
        excluded = np.zeros(len(USED), dtype=bool)
        for bit in range(64):
            if int(number) >> bit & 1:
                excluded |= USES.excluded(written(USED), bit)
        assert (excluded == ((used + USED) > SIZES).any(axis=1)).all()


def test_numbers_have_a_bit_for_each_piece():
    """So that as many pieces as a number has bits are supported, whatever their types."""
    assert int(written(np.array([SIZES]))[0] | USES.lower | USES.others) == (1 << sum(SIZES)) - 1
    assert USES.exchanges == 8


def test_three_pieces_are_a_pair_and_a_single_one():
    puzzle = deal_edge_matching(4, 4, 1, 1, seed=1).puzzle
    sizes = sorted(len(kind.pieces) for kind in symmetries(puzzle).types)
    paired = sorted(len(kind.pieces) for kind in in_pairs(symmetries(puzzle), paired=True))
    assert paired == sorted(part for size in sizes for part in [2] * (size // 2) + [1] * (size % 2))
    assert [len(kind.pieces) for kind in in_pairs(symmetries(puzzle), paired=False)] == [1] * 16
