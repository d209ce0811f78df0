"""Forms off the lattice: which sets of pieces have none, and examples of sets that have some."""

from fractions import Fraction

import pytest

from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.geometry.exact_numbers import parse
from jigsat.csp.geometry.polygons import area, counterclockwise
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.tilings.find_forms import forms
from jigsat.csp.tilings.tileable_forms import free_edges

HALF, THREE_HALVES = Fraction(1, 2), Fraction(3, 2)
LONG, IN_MIRROR = ((0, 0), (1, 0), (0, 2)), ((0, 0), (2, 0), (0, 1))
SQUARE, ANGLE = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
PYTHAGORAS = ((0, 0), (4, 0), (0, 3))
ROOT_2, ROOT_3 = parse("sqrt(2)"), parse("sqrt(3)")
PAPER, DRAWING_TRIANGLE = ((0, 0), (1, 0), (1, ROOT_2), (0, ROOT_2)), ((0, 0), (1, 0), (0, ROOT_3))
RHOMBUS = ((0, 0), (1, 0), (THREE_HALVES, HALF * ROOT_3), (HALF, HALF * ROOT_3))


def puzzle_of(*pieces, **options):
    """A puzzle with these pieces; its target, which makes no difference, is a rectangle on the same lattice."""
    height = (
        1 if all(isinstance(y, int) for piece in pieces for _, y in piece) else ROOT_2 if PAPER in pieces else ROOT_3
    )
    total = sum(map(area, map(counterclockwise, pieces)))
    width = total if height == 1 else total * height * (HALF if height == ROOT_2 else Fraction(1, 3))
    target = ((0, 0), (width, 0), (width, height), (0, height))
    return DissectionPuzzle(target, pieces, **options)


@pytest.mark.parametrize(
    ("pieces", "options", "number", "over"),
    [
        ((SQUARE, SQUARE), {}, None, None),
        ((SQUARE, ANGLE), {}, None, None),
        # All other edges are opposite to their mirror images, or incommensurable.
        ((LONG, SQUARE), {}, None, None),
        ((LONG, LONG), {}, (0, 1), True),
        ((LONG, LONG), {"no_flip": (0,)}, (0, 1), True),
        ((LONG, LONG), {"no_flip": (0, 1)}, None, None),
        ((LONG, SQUARE, IN_MIRROR), {"no_flip": (0, 2)}, (0, 2), False),
        ((PYTHAGORAS, SQUARE), {}, (0, 1), False),
        ((PAPER, PAPER), {}, None, None),
        ((DRAWING_TRIANGLE, DRAWING_TRIANGLE), {}, None, None),
        ((DRAWING_TRIANGLE, RHOMBUS), {}, None, None),
    ],
)
def test_edges_that_lie_along_each_other(pieces, options, number, over):
    found = free_edges(puzzle_of(*pieces, **options))
    if number is None:
        assert found is None
    else:
        assert (found.piece, found.other, found.turned_over) == (*number, over)


def test_the_answer_says_so():
    found = forms(read_puzzle("tangram"), 3)
    assert "  off the lattice  no forms: the edges of the pieces keep them on the lattice" in found.summary().split(
        "\n"
    )
    assert found.record()["off_lattice"] == {"excluded": True, "reason": None}


def test_the_ostomachion_has_edges_that_leave_the_lattice():
    assert str(free_edges(read_puzzle("ostomachion"))).startswith(
        "edges of pieces 1 and 2, one of them turned over, can"
    )
