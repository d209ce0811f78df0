"""Counting by rows of two halves, against the brute force and the search over single pieces."""

import random
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, reject

from brute_force import nodes_by_depth
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.orders import find_order
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.counting import macros as macros
from jigsat.csp.search.counting import macros_tables as macro_tables
from jigsat.csp.search.counting.macros import Macros
from jigsat.csp.search.counting.macros_kernel import MOST_PAIRS
from jigsat.csp.search.counting.macros_tables import Cells, build_macro_tables, check_size
from property_tests import examples
from strategies import mixed_jigsaw, puzzles, solutions_of
from whole_counts import count_all, never

SIZES = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (3, 4), (4, 3), (3, 5), (4, 4), (2, 6)]
QUICK = examples(60)


def applied(puzzle, options):
    """The method, or another example if it does not apply."""
    try:
        return Macros(puzzle, options)
    except EngineError:
        reject()


def boards_of(method, rows):
    return counted_boards(method._tables, method._rows, rows, 1 << 40)


def counted_boards(tables, rows, filled, sample):
    return macros.number_of_boards(tables, rows, filled, macros._first_rows(tables), sample)


def nodes_of(puzzle, share):
    """The nodes of a share where it has any, with the number of pieces on the board."""
    return {depth: nodes for depth, nodes in enumerate(share.nodes, start=1) if nodes}


@QUICK
@given(puzzles(sizes=SIZES))
def test_nodes_are_those_of_single_pieces(puzzle):
    """A lost or doubled macro would change them where the number of solutions may still be right."""
    method = applied(puzzle, Options(symmetry=False))
    share = count_all(method)
    upright = puzzle.upright()
    # Where pieces are symmetric, the brute force turns them in place; here that is done afterwards.
    if symmetries(puzzle).symmetric == 1 and len(solutions_of(puzzle)) < 200:
        expected = nodes_by_depth(upright, find_order(upright, "rowscan")[1])
        for depth, nodes in nodes_of(upright, share).items():
            assert expected[depth - 1] == nodes, depth


@pytest.mark.some_cases(3)
@pytest.mark.parametrize(
    ("rows", "columns", "colors", "seed"), [(5, 5, (3, 4), 1), (6, 6, (3, 5), 1), (6, 4, (3, 4), 3), (4, 7, (3, 4), 4)]
)
@pytest.mark.parametrize("rule", Rule)
def test_larger_boards_have_the_solutions_and_nodes_of_rowscan(rows, columns, colors, seed, rule):
    """Lost, doubled or foreign states of any row would show, and lists of the wrong words."""
    puzzle = deal_edge_matching(rows, columns, *colors, unique=True, asymmetric=True, seed=seed).puzzle
    if rule is Rule.OPPOSITE:
        puzzle = mixed_jigsaw(random.Random(seed), rows, columns, connectors(rows, columns, seed))
    method = Macros(puzzle, Options())
    share = count_all(method)
    assert share.count == Backtrack().run(puzzle, Goal.COUNT).count > 0
    upright = puzzle.upright()
    single = with_anchor(upright, method)
    found = nodes_of(upright, share)
    assert {*range(2 * upright.columns, rows * columns + 1, upright.columns)} & found.keys()
    for depth, nodes in found.items():
        if depth >= upright.columns:
            assert nodes == sum(result.nodes_by_depth[depth - 1] for result in single), depth


def connectors(rows, columns, seed):
    """Connectors for the joins of a jigsaw, some of which occur often."""
    chance = random.Random(seed)
    return [chance.randint(1, 4) * chance.choice((1, -1)) for _ in range(2 * rows * columns - rows - columns)]


def with_anchor(puzzle, method):
    """What the search over single pieces finds where the corner piece that the method fixes is a fixed piece."""
    piece = method.options["anchor"] - 1
    corners = [(len(puzzle.board) - puzzle.columns, 0), (len(puzzle.board) - 1, 3)]
    results = []
    for square, turns in corners[: 4 // method.found.board]:
        # A corner piece lies in the bottom left with its borders below and on the left.
        least = next(r for r in range(4) if puzzle.shown(Placement(piece, r))[2:] == (0, 0))
        pinned = replace(puzzle, fixed=(Fixed(square, piece, (least + turns) % 4),))
        results.append(Backtrack().run(pinned, Goal.COUNT, options=Options(order="rowscan")))
    return results


@pytest.mark.parametrize(("rows", "columns", "seed"), [(6, 4, 2), (5, 4, 9), (5, 5, 1), (5, 4, 4)])
def test_identical_pieces_are_taken_in_pairs(rows, columns, seed):
    """Of three or more, pairs are exchanged for nothing and the others count as different."""
    puzzle = deal_edge_matching(rows, columns, 2, 3, seed=seed).puzzle
    copies = [len(kind.pieces) for kind in symmetries(puzzle).types]
    method = Macros(puzzle, Options())
    share, every = count_all(method), count_all(Macros(puzzle, Options(symmetry=False)))
    assert share.count == every.count == Backtrack().run(puzzle, Goal.COUNT).count > 0
    assert sum(every.nodes) > 4 * sum(share.nodes)
    assert (max(copies) > 2) == (seed in (1, 4))
    if method.options["anchor"] and max(copies) == 2:
        single = with_anchor(puzzle, method)
        for depth, nodes in nodes_of(puzzle, share).items():
            if depth >= columns:
                assert nodes == sum(result.nodes_by_depth[depth - 1] for result in single), depth


def bottom_fixed(rows, columns, colors, seed):
    """A puzzle with a solution, whose bottom row is fixed."""
    made = deal_edge_matching(rows, columns, *colors, unique=True, asymmetric=True, seed=seed)
    bottom = range((rows - 1) * columns, rows * columns)
    fixed = tuple(Fixed(square, made.solution[square].piece, made.solution[square].rotation) for square in bottom)
    return replace(made.puzzle, fixed=fixed)


def test_few_first_rows_still_make_many_parts():
    """A single way to fill the first row must not be the only part; nodes above the cut must not be lost."""
    puzzle = bottom_fixed(6, 5, (3, 4), 2)
    method = Macros(puzzle, Options())
    assert len(method._tables[0].first_pieces) == 1
    assert len(method.work) >= 1000
    share = count_all(method)
    single = Backtrack().run(puzzle, Goal.COUNT, options=Options(order="rowscan"))
    assert share.count == single.count > 0
    assert nodes_of(puzzle, share) == {depth: single.nodes_by_depth[depth - 1] for depth in nodes_of(puzzle, share)}
    assert {8, 10, 13, 15, 18, 20, 23, 25, 28, 30} == nodes_of(puzzle, share).keys()
    parts = len(method.work)
    ends = [method.count(first, last, never) for first, last in ((0, 1), (1, parts - 1), (parts - 1, parts))]
    assert sum(end.count for end in ends) == share.count
    assert tuple(map(sum, zip(*(end.nodes for end in ends), strict=True))) == share.nodes


def test_wherever_the_cut_is_the_counts_are_the_same(monkeypatch):
    """Boards that are too many are not listed; what is above the cut and what is below must not depend on it."""
    puzzle = deal_edge_matching(5, 4, 2, 3, seed=3).puzzle
    monkeypatch.setattr(macros, "_ENOUGH_PARTS", 0)
    at_first_row = Macros(puzzle, Options())
    monkeypatch.setattr(macros, "_ENOUGH_PARTS", 1 << 40)
    deepest = Macros(puzzle, Options())
    monkeypatch.setattr(macros, "_MOST_PARTS", len(at_first_row.work))
    bounded = Macros(puzzle, Options())
    assert (at_first_row._filled, deepest._filled, bounded._filled) == (1, 4, 1)
    assert count_all(deepest).nodes == count_all(at_first_row).nodes == count_all(bounded).nodes
    assert count_all(deepest).count == count_all(at_first_row).count == count_all(bounded).count


def test_batches_that_do_not_fit_are_continued(monkeypatch):
    """A batch stops when its room is full; what it has left must be taken up where it stopped."""
    puzzle = read("puzzle-a")
    whole = count_all(Macros(puzzle, Options()))
    long_lists = Macros(deal_edge_matching(6, 6, 3, 3, seed=1).puzzle, Options(symmetry=False))._tables
    assert np.diff(long_lists[0].right.chunks.astype(int)).max() > 1
    boards = counted_boards(long_lists, 6, 3, 20)
    monkeypatch.setattr(macros, "_STATES", 0)
    monkeypatch.setattr(macros, "_FEWEST_STATES", MOST_PAIRS + 1)
    assert max(whole.nodes) > 40 * MOST_PAIRS
    assert count_all(Macros(puzzle, Options())) == whole
    assert counted_boards(long_lists, 6, 3, 20) == boards


def test_long_lists_and_many_cuts():
    """Lists of several chunks, cuts in more than one of them, and more cuts than a record has bits for."""
    few = deal_edge_matching(5, 5, 2, 2, asymmetric=True, seed=1).puzzle
    method = Macros(few, Options(symmetry=False))
    assert np.diff(method._tables[0].left.chunks.astype(int)).max() > 4
    single = Backtrack().run(few, Goal.COUNT, Limits(depth=10), Options(order="rowscan", symmetry=False))
    assert boards_of(method, 2) == single.nodes_by_depth[9]
    chance = random.Random(5)
    many = mixed_jigsaw(chance, 5, 6, [chance.randint(1, 20) * chance.choice((1, -1)) for _ in range(49)])
    method = Macros(many, Options())
    assert method._tables[0].words[2] > 16
    assert count_all(method).count == Backtrack().run(many, Goal.COUNT).count > 0


def test_fixed_pieces_that_contradict_leave_nothing():
    """No node may be counted above pieces that cannot lie as they do."""
    puzzle = deal_edge_matching(4, 4, 2, 4, seed=1).puzzle
    inner = [piece for piece, sides in enumerate(puzzle.pieces) if 0 not in sides]
    turns = next(t for t in range(4) if puzzle.pieces[inner[0]][1] != turned_side(puzzle.pieces[inner[1]], t, 3))
    method = Macros(replace(puzzle, fixed=(Fixed(5, inner[0], 0), Fixed(6, inner[1], turns))), Options())
    share = count_all(method)
    assert share.count == sum(share.nodes) == 0


def turned_side(sides, turns, side):
    return sides[(side - turns) % 4]


@pytest.mark.slow
def test_first_rows_of_puzzle_c():
    """All ways to fill the first row, for all corners: known from searches over single pieces."""
    puzzle = read("puzzle-c")
    method = Macros(puzzle, Options(symmetry=False))
    assert len(method.work) == 530376
    share = method.count(0, 40, never)
    assert share.nodes[7] == 40


@pytest.mark.slow
def test_second_rows_of_puzzle_c():
    """Two rows of an 8x8 board, for all corners: known from searches over single pieces."""
    method = Macros(read("puzzle-c"), Options(symmetry=False))
    assert boards_of(method, 2) == 87200383


def test_refusals_are_one_line():
    """What the method cannot count it must not begin."""
    plain = deal_edge_matching(4, 4, 2, 3, seed=1).puzzle
    many = deal_edge_matching(9, 8, 3, 9, seed=1).puzzle
    strip = deal_edge_matching(1, 6, 2, 0, seed=1).puzzle
    uneven = replace(plain, pieces=(*plain.pieces, plain.pieces[5], plain.pieces[5]))
    for puzzle, options, message in (
        (plain, Options(order="rowscan"), "order 'rowscan'.*the method plain"),
        (plain, Options(order="A1," * 1000), "order 'A1,A1,"),
        (plain, Options(slips="9"), "slips '9'.*the method plain"),
        (plain, Options(slips="9," * 1000), "slips '9,9,"),
        (many, Options(), "72 free pieces; at most 64 are supported"),
        (strip, Options(), "1x6"),
        (uneven, Options(), "orbits.*the method plain"),
    ):
        with pytest.raises(EngineError, match=message) as error:
            Macros(puzzle, options)
        assert "\n" not in str(error.value)
        assert str(error.value).startswith("method macros: ")
        assert len(str(error.value)) < 160


def test_too_many_lists_are_refused_before_they_are_made(monkeypatch):
    """Many short lists take far more than their macros: that must be found out before there is memory for them."""
    puzzle = deal_edge_matching(8, 8, 5, 17, seed=1).puzzle
    cells = Cells(puzzle, symmetries(puzzle))
    tables = build_macro_tables([cells])[0]
    assert tables.bytes > 10 << 20
    monkeypatch.setattr(macro_tables, "MOST_BYTES", 10 << 20)
    check_size([cells])
    tracemalloc.start()
    try:
        with pytest.raises(EngineError, match=r"lists, \d+ MiB of tables; the limit is 10 MiB"):
            build_macro_tables([cells])
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


def test_fixed_pieces_that_cannot_be_completed():
    """The left half of a row above the first cannot be filled at all."""
    pieces = (
        *((0, 0, 1, 2), (0, 3, 3, 0), (0, 1, 1, 2), (0, 2, 3, 0), (0, 0, 1, 1), (0, 3, 2, 2)),
        *((1, 3, 1, 1), (1, 2, 2, 0), (3, 0, 1, 2)),
    )
    puzzle = EdgeMatchingPuzzle(3, 3, pieces, fixed=(Fixed(4, 6, 1), Fixed(5, 2, 1)))
    for symmetry in (True, False):
        method = Macros(puzzle, Options(symmetry=symmetry))
        share = count_all(method)
        assert (len(method.work), share.count, share.last) == (1, 0, 1)
