"""The tables of counting methods, and how long they take to make."""

from dataclasses import replace
from itertools import permutations, product

import pytest

import jigsat as js
from jigsat.csp.engines.request import DEFAULTS, Goal
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.estimators.effort.count_methods import listed_half_rows, method_nodes
from jigsat.estimators.owen.complexity import Complexity


def half_rows(puzzle, length):
    """The number of half-rows of an edge piece on the left and inner pieces beside it, by trying all."""
    edges = [sides for sides in puzzle.pieces if sides.count(0) == 1]
    inner = [sides for sides in puzzle.pieces if 0 not in sides]
    found = 0
    for edge in edges:
        at = edge.index(0)
        for chosen in permutations(inner, length - 1):
            for turns in product(range(4), repeat=length - 1):
                facing, fits = edge[(at + 2) % 4], True
                for sides, turn in zip(chosen, turns, strict=True):
                    fits = fits and sides[turn] == facing
                    facing = sides[(turn + 2) % 4]
                found += fits
    return found


def test_half_rows_are_about_as_many_as_expected():
    """Pieces are used once, which the expectation ignores; colours are not equally frequent."""
    puzzle = js.make_edge_matching(rows=6, columns=6, frame_colors=3, inner_colors=5, seed=1)
    assert listed_half_rows(puzzle) == pytest.approx(half_rows(puzzle, 3) * 2, rel=0.25)


def test_a_wide_board_has_the_half_rows_of_the_upright_one():
    """The method lays it on its side."""
    upright = js.make_edge_matching(rows=9, columns=4, frame_colors=3, inner_colors=5, seed=1)
    wide = replace(upright, rows=4, columns=9)
    assert wide.upright().columns == 4
    assert listed_half_rows(wide) == listed_half_rows(upright)


def test_the_time_of_half_rows_is_part_of_the_plan():
    """Making the tables takes longer than counting along an order, so macros are not the way taken."""
    puzzle = js.make_edge_matching(rows=8, columns=8, frame_colors=5, inner_colors=9, seed=204)
    ways = {way.how: way for way in js.plan(puzzle, goal=str(Goal.COUNT)).ways}
    macros, plain = ways["method macros"], ways["order rowscan"]
    assert macros.setup > 0.3 > plain.setup


@pytest.mark.parametrize(("seed", "copies"), [(3, 2), (7, 2), (8, 3)])
def test_identical_pieces_make_half_rows_fewer(seed, copies):
    """Pairs are taken once; of three pieces, one counts as different."""
    puzzle = deal_edge_matching(6, 5, 3, 4, seed=seed).puzzle
    assert max(len(kind.pieces) for kind in symmetries(puzzle).types) == copies
    nodes = [
        result.nodes for result in (js.count(puzzle, method="macros", symmetry=symmetry) for symmetry in (True, False))
    ]
    expected = dict(method_nodes(Complexity(puzzle), DEFAULTS))["macros"]
    assert nodes[0] / 2 < expected < 2 * nodes[0] < nodes[1] / 2
