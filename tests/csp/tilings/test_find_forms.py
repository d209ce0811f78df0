"""Forms from Python: the same as from the shell, stopped in good order, drawn."""

import json
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from jigsat.csp.base.errors import InstanceError, PuzzleError, UsageError
from jigsat.csp.files.instances import fingerprint, read_puzzle
from jigsat.csp.files.variant import variant
from jigsat.csp.geometry.exact_numbers import parse
from jigsat.csp.geometry.polygons import area, counterclockwise
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.tilings.convex_forms import FormClass
from jigsat.csp.tilings.find_forms import forms
from jigsat.csp.tilings.quick_tests import QuickTests
from jigsat.csp.tilings.tile_forms import _Solver
from jigsat.csp.tilings.tileable_forms import free_edges
from jigsat.csp.work.steps import keep_steps


@pytest.mark.parametrize("decide", [False, True])
def test_a_killed_search_continues(tmp_path, monkeypatch, decide):
    """Would catch a form that is counted twice or lost, and one that is done again."""
    puzzle, whole = read_puzzle("tangram"), forms(read_puzzle("tangram"), 4, decide=decide)
    solved, left = _Solver.solved, random.Random(2).sample(range(2, 6), 3)

    def killed_later(*arguments, **options):
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError("killed")
        return solved(*arguments, **options)

    monkeypatch.setattr(_Solver, "solved", killed_later)
    output = tmp_path / "forms.json"
    done = list(left)
    while left:
        with pytest.raises(RuntimeError, match="killed"):
            forms(puzzle, 4, decide=decide, output=output, resume=True)
        assert not output.exists()
        left.pop(0)
    left.append(whole.candidates - sum(done))
    found = forms(puzzle, 4, decide=decide, output=output, resume=True)
    assert (found, left) == (whole, [0])
    assert json.loads(output.read_text()) == json.loads(json.dumps(whole.record()))
    assert [path.name for path in tmp_path.iterdir()] == ["forms.json"]


def test_journals_with_other_forms_are_refused(tmp_path):
    """With valid checksums, as if written by another program."""
    puzzle, output = read_puzzle("tangram"), tmp_path / "forms.json"
    head = {"work": "forms", "instance": "tangram", "sha256": fingerprint(puzzle)}
    head |= {"vertices": 3, "seams": False, "any_lengths": False, "decide": False}
    triangle = {"target": [[0, 0], [4, 0], [0, 4]], "count": 96, "canonical_count": 6, "complete": True, "tiling": None}
    for entry, message in (
        ({"outcomes": "t", "forms": [triangle | {"target": [[0, 0], [1, 0], [0, 1]]}]}, "its candidates are not those"),
        ({"outcomes": "ts", "forms": [triangle]}, "its candidates are not those"),
        ({"outcomes": "t", "forms": []}, "its candidates are not those"),
        ({"outcomes": "x", "forms": []}, "outcomes"),
        ({"outcomes": "t", "forms": [triangle | {"target": "x"}]}, "target"),
        ({"outcomes": "t", "forms": [triangle | {"count": "many"}]}, "count"),
        (
            {"outcomes": "t", "forms": [triangle | {"tiling": [{"piece": 1, "vertices": [[0, 0], [1, 0], [0, 1]]}]}]},
            "piece 2 is missing",
        ),
        ({}, "outcomes"),
    ):
        with keep_steps(output, head, overwrite=True) as journal:
            journal.add(entry)
        with pytest.raises(InstanceError, match=message):
            forms(puzzle, 3, output=output, resume=True)


def test_pieces_that_are_not_turned_over():
    """Exact numbers, which an earlier search on other tables found, too; mirror images are forms of their own."""
    found = forms(variant(read_puzzle("tangram"), no_flip=True), 4)
    assert found.puzzle.no_flip == tuple(range(7))
    assert "quarter turns and translations" in str(found.form_class)
    numbers = [(16, 1), (20, 5), (24, 3), (24, 3), (24, 6), (28, 7), (64, 16), (72, 9), (80, 20)]
    assert sorted((form.count, form.canonical_count) for form in found.forms) == numbers


def test_pieces_that_are_not_convex():
    """Three pentominoes: L, P and V make 3x5 in one way."""
    found = forms(variant(read_puzzle("pentominoes-8x8"), pieces="3,5,8", target="3x5"))
    assert "consists of whole edges, so that" in str(found.form_class)
    assert [(form.target[2], form.count, form.canonical_count) for form in found.forms] == [((3, 5), 4, 1)]


@pytest.mark.slow
def test_all_rectangles_of_the_pentominoes():
    """Haselgrove and Haselgrove 1960: 3x20, 4x15, 5x12, 6x10; by the theorem about forms off the lattice, no others."""
    found = forms(read_puzzle("pentominoes-8x8"))
    numbers = {form.target[2]: form.canonical_count for form in found.forms}
    assert numbers == {(3, 20): 2, (4, 15): 368, (5, 12): 1010, (6, 10): 2339}
    assert found.off_lattice.free is None


THIN = DissectionPuzzle(((0, 0), (5000, 5000), (5000, 5001), (0, 1)), (((0, 0), (5000, 5000), (5000, 5001), (0, 1)),))
LONG = DissectionPuzzle(((0, 0), (5000, 0), (5000, 1), (0, 1)), (((0, 0), (5000, 0), (5000, 1), (0, 1)),), name="long")


def finer(name, scale):
    """A larger puzzle with one piece aside, so that the step of the lattice stays 1."""
    puzzle = variant(read_puzzle(name), scale=scale)
    first, *others = puzzle.pieces
    return replace(puzzle, pieces=(tuple((x + 1, y) for x, y in first), *others))


@pytest.mark.parametrize(
    ("puzzle", "options", "error", "message"),
    [
        (
            finer("tangram", 400),
            {},
            PuzzleError,
            r"the pieces cover 1 280 000 cells; forms are searched for with up to 500 000 cells",
        ),
        (
            THIN,
            {},
            PuzzleError,
            "puzzle: .*, the box around a piece has 25 015 002 points; .* with up to 10 000 000 points",
        ),
        (LONG, {}, PuzzleError, "the tables of the largest form have .* entries, and the limit is 20 000 000"),
        (
            finer("ostomachion", 50),
            {"any_lengths": True},
            UsageError,
            "any_lengths: sides of ostomachion.* could have .* lengths, and the limit is 2 000 000; omit it",
        ),
    ],
)
def test_too_many_lattice_points(puzzle, options, error, message):
    """Catches memory that runs out."""
    with pytest.raises(error, match=message) as caught:
        forms(puzzle, **options)
    assert "\n" not in str(caught.value)


def test_quick_tests_can_be_stopped():
    """Catches a time limit that long edges of fine lattices do not keep."""
    puzzle = finer("tangram", 250)
    form_class = FormClass(puzzle)
    tests, square = QuickTests(form_class), form_class.lattice.units(puzzle.target)
    asked = []
    assert tests.reason(square, lambda: asked.append(1) or True) is None
    assert len(asked) == 1


HALF, THREE_HALVES = Fraction(1, 2), Fraction(3, 2)
RIGHT, IN_MIRROR = ((0, 0), (1, 0), (0, 2)), ((0, 0), (2, 0), (0, 1))
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
        ((RIGHT, SQUARE), {}, None, None),
        ((RIGHT, RIGHT), {}, (0, 1), True),
        ((RIGHT, RIGHT), {"no_flip": (0,)}, (0, 1), True),
        ((RIGHT, RIGHT), {"no_flip": (0, 1)}, None, None),
        ((RIGHT, SQUARE, IN_MIRROR), {"no_flip": (0, 2)}, (0, 2), False),
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


def test_the_ostomachion_has_edges_that_leave_the_lattice():
    assert str(free_edges(read_puzzle("ostomachion"))).startswith(
        "edges of pieces 1 and 2, one of them turned over, can"
    )
