"""Counts of regions against a brute force, method against method."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jigsat as js
from brute_force import TooMuch, fillings_with_slips
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.counting import halves as module
from jigsat.csp.search.counting.halves import HalvesOfRegion
from jigsat.csp.search.counting.plain import Prefixes
from jigsat.csp.search.counting.region import find_region
from property_tests import examples
from strategies import puzzles
from whole_counts import count_all

SIZES = [(1, 4), (2, 3), (3, 3), (3, 4), (4, 3), (4, 4)]


def by_brute_force(puzzle, region):
    """The ways to fill a region, and how many of them look different; None if there are very many."""
    fixed = [one.square for one in puzzle.fixed]
    try:
        found = fillings_with_slips(puzzle, [*fixed, *(q for q in region if q not in fixed)], (), most=3_000)[-1]
    except TooMuch:
        return None
    places = [divmod(square, puzzle.columns) for square in region]
    return len(found), len({tuple(tuple(filling[place][2]) for place in places) for filling in found})


@st.composite
def regions(draw):
    """A puzzle and some of its squares, connected or not."""
    puzzle = draw(puzzles(SIZES))
    squares = draw(st.sets(st.integers(0, len(puzzle.board) - 1), min_size=1, max_size=7))
    return puzzle, tuple(sorted(squares))


def by_plain(puzzle, region, **options):
    return Backtrack().run(puzzle, Goal.COUNT, Limits(), Options(squares=region, **options))


@given(regions(), st.data())
@examples(200)
def test_every_method_agrees_with_brute_force(case, data):
    puzzle, region = case
    expected = by_brute_force(puzzle, region)
    if expected is None:
        return
    count, pictures = expected
    plain = by_plain(puzzle, region, order=data.draw(st.sampled_from(("rowscan", "colscan", "spiral_in"))))
    assert (plain.count, plain.canonical_count, plain.complete) == (count, pictures, True)
    single = by_plain(puzzle, region, symmetry=False)
    assert (single.count, single.canonical_count) == (count, pictures)
    assert count_all(Prefixes(puzzle, Options(squares=region))).count == count
    free = [square for square in region if puzzle.fixed_board[square] is None]
    if len(free) < 2:
        with pytest.raises(EngineError, match="fewer than two free squares"):
            HalvesOfRegion(puzzle, Options(squares=region))
        return
    assert by_plain(puzzle, region, method="halves").count == count
    listed = data.draw(st.sets(st.sampled_from(free), min_size=1, max_size=len(free) - 1))
    cut = tuple(sorted(listed)), tuple(square for square in free if square not in listed)
    assert count_all(HalvesOfRegion(puzzle, Options(squares=region, halves=cut))).count == count


# Eternity II without fixed pieces (True), or with the starter piece kept for its square; published by others.
PUBLISHED = {("A1:B2", True): 1_312, ("A2:B3", True): 73_003, ("B2:C3", True): 4_059_952, ("B2:C3", False): 3_980_912}
LARGER = {
    ("A2:C4", True): 595_003_203,
    ("A2:C4", False): 578_812_387,
    ("B2:D4", True): 126_907_480_216,
    ("B2:D4", False): 121_499_303_928,
    ("A1:D4", True): 29_775_113_571,
    ("A1:D4", False): 28_535_440_805,
}


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("method", ["plain", "halves"])
@pytest.mark.parametrize(("squares", "pieces_only"), PUBLISHED)
def test_published_numbers(squares, pieces_only, method):
    result = js.count(read("eternity2"), squares=squares, pieces_only=pieces_only, method=method)
    assert (result.count, result.canonical_count) == (PUBLISHED[squares, pieces_only],) * 2


@pytest.mark.slow
@pytest.mark.parametrize(("squares", "pieces_only"), LARGER)
def test_larger_published_numbers(squares, pieces_only):
    assert js.count(read("eternity2"), squares=squares, pieces_only=pieces_only).count == LARGER[squares, pieces_only]


@pytest.mark.slow
def test_many_rows_are_joined_in_tiles(monkeypatch):
    puzzle = read("eternity2")
    region = find_region(puzzle.board, "A2:B4")
    expected = by_plain(puzzle, region).count
    monkeypatch.setattr(module, "TILE", 512)
    square = puzzle.board.parse
    cut = tuple(map(square, ("A3", "A4", "B3", "B4", "B2"))), (square("A2"),)
    assert count_all(HalvesOfRegion(puzzle, Options(squares=region, halves=cut))).count == expected


def test_a_region_of_two_squares_at_least():
    """What else is refused is in tests/cli/messages.md."""
    with pytest.raises(EngineError, match="fewer than two free squares"):
        HalvesOfRegion(read("clue1"), Options(squares=(0,)))
