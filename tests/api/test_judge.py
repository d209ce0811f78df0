"""Judging: the function says what the command says."""

from pathlib import Path

import pytest

from jigsat import EdgeMatchingPuzzle, check, draw, export, make_edge_matching, read, view
from jigsat.csp.base.errors import InstanceError, UsageError
from jigsat.csp.files.convert import write
from solved_clue import BOARD, CLUE

L_SHAPE = read("l-shape")
WRONG = (BOARD[1], BOARD[0], *BOARD[2:])
PARTIAL = (None, *BOARD[1:])


@pytest.mark.parametrize("puzzle", [CLUE, L_SHAPE])
def test_solutions_in_memory_and_in_a_file_are_the_same(tmp_path, puzzle):
    """Of one that is judged, drawn or viewed, and of several; also by the path as an object."""
    several = [BOARD, WRONG, PARTIAL] if puzzle is CLUE else [L_SHAPE.pieces] * 2
    write(puzzle, several, tmp_path / "some.json")
    write(puzzle, several[:1], tmp_path / "one.json")
    options = {"symmetry": False} if puzzle is CLUE else {}
    for given in (several, tmp_path / "some.json", str(tmp_path / "some.json")):
        assert check(puzzle, given).record() == check(puzzle, several).record()
        assert str(draw(puzzle, given, number=2)) == str(draw(puzzle, several[1]))
        shown = view(puzzle, given, limit=2, **options)
        assert (shown, shown.total, shown.shown) == (view(puzzle, several, limit=2, **options), len(several), 2)
    for one in (several[0], several[:1], tmp_path / "one.json"):
        assert check(puzzle, one).accepted == (True,)
        assert str(draw(puzzle, one)) == str(draw(puzzle, several[0]))
    found = check(puzzle, several)
    assert (found.valid, found.total, found.holds) == (sum(found.accepted), len(several), puzzle is L_SHAPE)


def test_of_slips_and_order_the_exported_file_decides_what_is_not_given(tmp_path):
    """Along rowscan, the default order, the invalid join of this board comes before depth 11."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    made = make_edge_matching(4, 4, frame_colors=3, inner_colors=3, seed=3)
    first = next(number for number, sides in enumerate(made.pieces) if 0 not in sides)
    pieces = [(9, *sides[1:]) if number == first else sides for number, sides in enumerate(made.pieces)]
    puzzle, file, answer = EdgeMatchingPuzzle(4, 4, pieces), tmp_path / "model.cnf", tmp_path / "answer.txt"
    export(puzzle, file, slips="11", order="spiral_in")
    with Solver("cadical195", bootstrap_with=CNF(from_file=str(file))) as solver:
        assert solver.solve()
        answer.write_text(f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n")
    for given, valid in (
        ({}, True),
        ({"slips": "11"}, True),
        ({"frame_slips": "1"}, True),
        ({"slips": "11", "order": "rowscan"}, False),
        ({"order": "rowscan"}, False),
    ):
        assert check(puzzle, answer, cnf=file, **given).holds == valid, given


@pytest.mark.parametrize(
    ("puzzle", "solution", "options", "error", "message"),
    [
        (CLUE, [None], {}, UsageError, "solution: there is no board"),
        (CLUE, [], {}, InstanceError, "solution: holds no board to check"),
        (CLUE, "answers.json.part", {}, InstanceError, "answers.json.part: no solution was found yet; the search that"),
        (CLUE, 5, {}, UsageError, "solution: 5 is neither a board nor a list of several"),
        (CLUE, [1, 2], {}, UsageError, r"solution: \[1, 2\] is neither a board nor a list of several"),
        (L_SHAPE, [1], {}, UsageError, r"solution: \[1\] is neither a tiling nor a list of several"),
        (CLUE, BOARD[:-1], {}, InstanceError, "a board has 36 squares, not 35"),
        (CLUE, BOARD, {"cnf": "x.cnf"}, UsageError, "cnf: needs the name of the file with the solver's output"),
        (L_SHAPE, L_SHAPE.pieces, {"motions": "up"}, UsageError, "motions: unknown 'up', choose from any"),
        (L_SHAPE, L_SHAPE.pieces[1:], {}, InstanceError, "a tiling must have 4 polygons, not 3"),
    ],
)
def test_what_cannot_be_judged(here, puzzle, solution, options, error, message):
    write(CLUE, [], "answers.json")
    Path("answers.json").rename("answers.json.part")
    with pytest.raises(error, match=message):
        check(puzzle, solution, **options)
