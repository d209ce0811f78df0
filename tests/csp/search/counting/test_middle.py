"""Counting by a middle row, against the search over single pieces and the count by frames."""

import random
from dataclasses import replace

import numpy as np
import pytest

from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import Fixed, Rule
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.counting import middle
from jigsat.csp.search.counting.frames import Frames
from jigsat.csp.search.counting.middle import Middle
from jigsat.csp.search.counting.middle_kernel import ROOM
from strategies import mixed_jigsaw
from whole_counts import count_all, never


@pytest.mark.some_cases(3)
@pytest.mark.parametrize(
    ("rows", "columns", "colors", "seed"),
    [(5, 5, (3, 4), 1), (6, 6, (3, 5), 1), (6, 4, (3, 4), 3), (4, 7, (3, 4), 4), (7, 3, (2, 3), 1), (5, 3, (2, 3), 2)],
)
@pytest.mark.parametrize("rule", Rule)
def test_larger_boards_have_the_solutions_of_single_pieces(rows, columns, colors, seed, rule):
    """With rows of even and odd length: a middle row's halves are exchanged by the turn of the rows above."""
    puzzle = deal_edge_matching(rows, columns, *colors, unique=True, asymmetric=True, seed=seed).puzzle
    if rule is Rule.OPPOSITE:
        chance = random.Random(seed)
        connectors = [chance.randint(1, 4) * chance.choice((1, -1)) for _ in range(2 * rows * columns - rows - columns)]
        puzzle = mixed_jigsaw(chance, rows, columns, connectors)
    assert count_all(Middle(puzzle, Options())).count == Backtrack().run(puzzle, Goal.COUNT).count > 0


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (5, 4)])
def test_boards_of_some_rows_are_those_of_single_pieces(rows, columns):
    """A lost or doubled board would change their number where the number of solutions may still be right."""
    puzzle = deal_edge_matching(rows, columns, 3, 4, unique=True, asymmetric=True, seed=1).puzzle
    method = Middle(puzzle, Options())
    nodes = count_all(method).nodes

    def boards(square=None, turns=0):
        """The boards by depth, with the anchor on a corner of the bottom row."""
        fixed = ()
        if square is not None:
            piece = method.options["anchor"] - 1
            least = next(r for r in range(4) if puzzle.shown(Placement(piece, r))[2:] == (0, 0))
            fixed = (Fixed(square, piece, (least + turns) % 4),)
        options = Options(order="rowscan", symmetry=False)
        pinned = replace(puzzle, fixed=fixed)
        return np.array(Backtrack().run(pinned, Goal.COUNT, options=options).nodes_by_depth)

    left, right = boards(len(puzzle.board) - columns), boards(len(puzzle.board) - 1, 3)
    bottom, top = left if rows == columns else left + right, boards() - left - right
    assert nodes[2 * columns - 1] == (bottom + top)[2 * columns - 1]
    assert nodes[3 * columns - 1] == bottom[3 * columns - 1]


@pytest.mark.parametrize(("rows", "columns", "seed"), [(6, 4, 2), (5, 4, 9), (5, 5, 1), (5, 4, 4)])
def test_identical_pieces_are_taken_in_pairs(rows, columns, seed):
    """Both halves of a middle row may have one piece of a pair; of three, one counts as different."""
    puzzle = deal_edge_matching(rows, columns, 2, 3, seed=seed).puzzle
    assert max(len(kind.pieces) for kind in symmetries(puzzle).types) > 1
    assert count_all(Middle(puzzle, Options())).count == Backtrack().run(puzzle, Goal.COUNT).count > 0


@pytest.mark.parametrize(
    ("rows", "columns", "colors"), [(7, 4, (2, 3)), (7, 3, (1, 2)), (4, 5, (1, 2)), (5, 5, (2, 2))]
)
def test_many_boards_with_the_same_colours(rows, columns, colors):
    """More than are compared at once; with one frame colour, corner pieces are identical, and no anchor is there."""
    puzzle = deal_edge_matching(rows, columns, *colors, seed=1).puzzle
    method = Middle(puzzle, Options())
    assert count_all(method).count == count_all(Frames(puzzle, Options())).count > 0
    if rows == 7:
        assert np.diff(method._held.below.start.astype(int)).max() > 64 * ROOM
    assert (method.options["anchor"] is None) == (colors[0] == 1)


def test_what_it_cannot_count_is_refused(monkeypatch):
    """In a line, and before there is no memory left."""
    plain = deal_edge_matching(4, 4, 2, 3, seed=1).puzzle
    uneven = replace(plain, pieces=(*plain.pieces, plain.pieces[5]))
    fixed = deal_edge_matching(4, 4, 2, 3, clues=1, seed=1).puzzle
    for puzzle, options, message in (
        (plain, Options(symmetry=False), "symmetries are always broken"),
        (fixed, Options(), "fixed pieces"),
        (uneven, Options(), "9 edge pieces for 8 squares"),
        (deal_edge_matching(2, 6, 2, 3, seed=1).puzzle, Options(), "3x3 or larger"),
        (deal_edge_matching(9, 8, 3, 9, seed=1).puzzle, Options(), "72 free pieces; at most 64"),
    ):
        with pytest.raises(EngineError, match=f"^method middle: .*{message}"):
            Middle(puzzle, options)
    too_large = r"^method middle: the boards of a round take about [0-9.]+ GiB"
    with pytest.raises(EngineError, match=too_large):
        Middle(read("puzzle-c"), Options())
    method = Middle(read("puzzle-a"), Options())
    monkeypatch.setattr(middle, "MOST_BYTES", 1 << 18)
    with pytest.raises(EngineError, match=too_large):
        method.count(0, 1, never)


def test_rounds_by_corner_pieces_have_the_solutions_of_one_round(monkeypatch):
    """A board that is in no round, or in two, would show."""
    puzzle = read("puzzle-a")
    whole = Middle(puzzle, Options())
    monkeypatch.setattr(middle, "ONE_ROUND_BYTES", 0)
    rounds = Middle(puzzle, Options())
    assert (len(whole.work), len(rounds.work)) == (64, 192)
    assert count_all(rounds).count == count_all(whole).count == 160
    assert count_all(rounds).nodes == count_all(whole).nodes
