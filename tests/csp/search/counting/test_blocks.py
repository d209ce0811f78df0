"""Counting with 2x2 blocks, against a brute force and against the search piece by piece."""

from dataclasses import replace
from itertools import accumulate, pairwise

import pytest
from hypothesis import given

from brute_force import nodes_by_depth
from jigsat import count, read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.csp.search.counting.blocks import Blocks
from jigsat.csp.search.counting.methods import Pause
from property_tests import examples
from strategies import paired_jigsaws, puzzles, solutions_of
from whole_counts import count_all


def all_parts(puzzle, options=Options()):  # noqa: B008 - frozen
    return count_all(Blocks(puzzle, options))


def regular(puzzle):
    return symmetries(puzzle).regular


@examples(12)
@given(paired_jigsaws(sizes=[(2, 4), (4, 4), (4, 6), (6, 4)]).filter(regular))
def test_jigsaws_with_many_connectors(puzzle):
    """Many connectors make sparse lists: a join numbered wrongly would show as a missing solution."""
    assert all_parts(puzzle).count == count(puzzle).count


@examples(15)
@given(puzzles(sizes=[(2, 2), (4, 2), (6, 2), (4, 4)]).filter(regular))
def test_nodes_are_the_fillings_of_the_first_blocks(puzzle):
    """Without symmetry breaking a node is a valid filling of the first blocks; parts must hold each of them once."""
    solutions_of(puzzle)  # leaves out examples that would take too long
    fixed = [f.square for f in puzzle.fixed]
    columns, blocks = puzzle.columns, []
    for bottom in range(puzzle.rows - 1, 0, -2):
        for left in range(0, columns, 2):
            corner = bottom * columns + left
            block = (corner, corner + 1, corner - columns, corner - columns + 1)
            blocks.append([square for square in block if square not in fixed])
    valid = nodes_by_depth(puzzle, [*fixed, *(square for block in blocks for square in block)])
    ends = accumulate(map(len, blocks), initial=len(fixed))
    expected = [0] * len(puzzle.board)
    for before, after in pairwise(ends):
        if after > before:
            expected[after - 1] = valid[after - 1]
    assert list(all_parts(puzzle, Options(symmetry=False)).nodes) == expected


def test_published_count():
    """On the way the plain search has as many nodes wherever both have filled the same rows with the same anchor."""
    share = all_parts(read("puzzle-a"))
    assert (share.count, share.canonical_count) == (160, None)
    plain = count(read("puzzle-a"), order="rowscan").nodes_by_depth
    assert [share.nodes[row * 6 - 1] for row in (2, 4, 6)] == [plain[row * 6 - 1] for row in (2, 4, 6)]


MADE = [
    (6, 6, 4, 5),
    (6, 6, 6, 4),  # with many identical pieces
    pytest.param((8, 8, 4, 10), marks=pytest.mark.slow),  # all bits of one word
    pytest.param((8, 6, 4, 8), marks=pytest.mark.slow),
    (6, 8, 4, 8),
    (4, 12, 5, 7),
    (10, 10, 6, 17),  # two words, all bits of the first
    pytest.param((12, 14, 9, 26), marks=pytest.mark.slow),  # three words, with identical pieces on the frame
    pytest.param((14, 14, 14, 36), marks=pytest.mark.slow),  # four words
]


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("made", MADE)
def test_equals_the_plain_search(made):
    """Masks of several words, long lists and identical pieces in any word do not occur on boards for brute force."""
    puzzle = deal_edge_matching(*made, seed=1).puzzle
    plain = count(puzzle, time_limit=600)
    assert plain.complete
    assert plain.count > 0
    assert all_parts(puzzle).count == plain.count


@pytest.mark.parametrize("spare", [0, 3])
def test_spare_pieces_and_clues(spare):
    """Pieces that need not be used, and pieces that have their squares, on a board of several block rows."""
    made = deal_edge_matching(8, 8, 5, 10, clues=5, unique=True, asymmetric=True, seed=2).puzzle
    more = tuple((20 + i, 5 + i, 6, 7) for i in range(spare))
    puzzle = replace(made, pieces=(*made.pieces, *more))
    assert regular(puzzle)
    assert all_parts(puzzle).count == count(puzzle).count > 0


@pytest.mark.parametrize(("seed", "parts"), [(0, 12_009), (1, 3331)])
def test_narrow_trees_are_cut_where_they_are_wide(seed, parts):
    """With two rows fixed the tree is narrower in places before it is wide, and the smaller one ends in one filling."""
    made = deal_edge_matching(8, 8, 4, 8, seed=seed)
    fixed = tuple(Fixed(square, *made.solution[square]) for square in range(48, 64))
    puzzle = replace(made.puzzle, fixed=fixed)
    assert len(Blocks(puzzle, Options()).work) == parts
    assert all_parts(puzzle).count == count(puzzle).count > 0


REFUSED = [
    (deal_edge_matching(4, 5, 2, 2).puzzle, {}, "a 4x5 board cannot be divided into 2x2 blocks"),
    (EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4), {}, "orbits of solutions have different sizes"),
    (deal_edge_matching(16, 18, 5, 17).puzzle, {}, "288 free pieces; at most 256 are supported"),
    (deal_edge_matching(14, 14, 5, 7).puzzle, {}, "blocks would take [0-9]+ MiB; the limit is 1024"),
    (read("puzzle-a"), {"order": "rowscan"}, "order 'rowscan': only the method plain has orders"),
    (read("puzzle-a"), {"slips": "4"}, "slips .4.: not supported; the method plain supports slips"),
]


@pytest.mark.parametrize(("puzzle", "options", "message"), REFUSED)
def test_refuses_what_it_cannot_count(puzzle, options, message):
    """A wrong number or a full memory would be the alternative."""
    with pytest.raises(EngineError, match=f"^method blocks: .*{message}") as refused:
        Blocks(puzzle, Options(**options))
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_eternity_ii_fits_into_memory():
    """Millions of blocks in masks of four words; the first parts are begun and dropped."""
    method = Blocks(read("eternity2"), Options())
    assert method.count(0, len(method.work), lambda: Pause.NOW).last == 0
    assert method.predicted.sum() > 1e30
