"""Sides of boards by the classes of their pieces, against the plain search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jigsat as js
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.edge_matching import Fixed
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.counting.parts import Pause
from jigsat.csp.search.counting.regions import frame_classes, frame_halves
from jigsat.csp.search.counting.regions.region import find_region
from jigsat.csp.search.counting.regions.side_classes import SideClasses, classes_of_region
from property_tests import examples
from strategies import puzzles


def sides_of(puzzle):
    return ("row:1", f"column:{puzzle.columns}", f"row:{puzzle.rows}", "column:1")


def by_classes(puzzle, squares):
    method = classes_of_region(puzzle, Options(squares=squares))
    assert isinstance(method, SideClasses)
    return method.count(0, len(method.work), lambda: Pause.NO).count


@given(puzzles([(3, 3), (3, 4), (4, 3), (4, 4)]), st.integers(0, 3))
@examples(150)
def test_sides_agree_with_the_plain_search(puzzle, side):
    squares = find_region(puzzle.board, sides_of(puzzle)[side])
    plain = Backtrack().run(puzzle, Goal.COUNT, Limits(), Options(squares=squares))
    try:
        assert by_classes(puzzle, squares) == plain.count
    except EngineError as error:
        assert "fixed pieces on other sides, or too few pieces" in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", ["clue1", "puzzle-a", pytest.param("clue2", marks=pytest.mark.slow)])
def test_bundled_puzzles(name):
    puzzle = read(name)
    for side in sides_of(puzzle):
        squares = find_region(puzzle.board, side)
        assert by_classes(puzzle, squares) == js.count(puzzle, squares=side, method="halves").count


def test_contradicting_fixed_pieces_leave_no_way():
    puzzle = read("puzzle-a")
    inner = [piece for piece, sides in enumerate(puzzle.pieces) if 0 not in sides]
    shown = [puzzle.pieces[piece] for piece in inner]
    first, second = next(
        (a, b) for a in range(len(inner)) for b in range(len(inner)) if a != b and shown[a][1] != shown[b][3]
    )
    fixed = (Fixed(puzzle.board.parse("C3"), inner[first], 0), Fixed(puzzle.board.parse("C4"), inner[second], 0))
    puzzle = js.EdgeMatchingPuzzle(puzzle.rows, puzzle.columns, puzzle.pieces, puzzle.rule, fixed)
    assert by_classes(puzzle, find_region(puzzle.board, "row:1")) == 0
    for method in ("plain", "halves", "frame_classes"):
        assert js.count(puzzle, squares="frame", method=method).count == 0


def test_numbers_and_tables_that_are_too_large_are_refused(monkeypatch):
    puzzle = read("meta10")
    squares = find_region(puzzle.board, "row:1")
    assert by_classes(puzzle, squares) > 0
    monkeypatch.setattr(frame_halves, "MOST_BYTES", 1 << 20)
    with pytest.raises(EngineError, match="at most 1 MiB"):
        by_classes(puzzle, squares)
    monkeypatch.setattr(frame_classes, "largest_number", lambda frame, pieces: 2**64 if pieces == 8 else 0)
    with pytest.raises(EngineError, match="do not fit into 64 bits"):
        by_classes(puzzle, squares)


@pytest.mark.slow
def test_the_top_row_of_eternity_ii():
    """The number that others have published."""
    result = js.count(read("eternity2"), squares="row:1")
    assert (result.count, result.method) == (215_828_878_068_560, "frame_classes")
