"""Figures that were published for these puzzles, or follow from their symmetries."""

from dataclasses import replace
from pathlib import Path

import pytest

from jigsat import count, read

TREES = Path(__file__).parent / "search_tree_8x8.txt"


def published(column):
    lines = [line.split() for line in TREES.read_text().splitlines() if not line.startswith("#")]
    return [int(line[column]) for line in lines]


def test_puzzle_a_by_rowscan_without_symmetry_breaking():
    result = count(read("puzzle-a"), order="rowscan", symmetry=False)
    assert (result.count, result.canonical_count) == (160, 40)
    assert len(result.nodes_by_depth) == 36
    assert sum(result.nodes_by_depth) == result.nodes == 44_227_854


def test_eternity2_without_its_starter():
    puzzle = replace(read("eternity2"), fixed=())
    result = count(puzzle, order="rowscan", symmetry=False, depth_limit=8)
    assert result.nodes_by_depth[:9] == (4, 45, 492, 5300, 56197, 585136, 5981169, 60010343, 0)
    assert (result.count, result.complete, result.ended_by) == (0, False, "depth")


@pytest.mark.slow
@pytest.mark.parametrize("order", ["frame_first", "spiral_in"])
def test_clue3_by_two_orders(order):
    result = count(read("clue3"), order=order)
    assert (result.count, result.canonical_count, result.symmetry_factor) == (2_195_647_488, 476_486, 4608)


@pytest.mark.parametrize("depths", [12, pytest.param(17, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "column"), [("puzzle-c", 1), ("puzzle-d", 2)])
def test_first_depths_of_the_8x8_puzzles(name, column, depths):
    """Seventeen take about a minute."""
    result = count(read(name), order="rowscan", symmetry=False, depth_limit=depths)
    assert list(result.nodes_by_depth[:depths]) == published(column)[:depths]


@pytest.mark.slow
def test_clue1():
    """About a minute."""
    result = count(read("clue1"))
    assert (result.count, result.canonical_count, result.symmetry_factor) == (115_071_633_408, 18_729_107, 6144)
    assert result.complete


@pytest.mark.parametrize(
    ("name", "pictures", "orbits"), [("pentominoes-6x10", 9356, 2339), ("pentominoes-8x8", 520, 65)]
)
def test_pentominoes(name, pictures, orbits):
    """Haselgrove 1960 and Scott 1958."""
    result = count(read(name), engine="backtrack")
    assert (result.picture_count, result.canonical_count, result.complete) == (pictures, orbits, True)
