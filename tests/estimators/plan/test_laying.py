"""What is said of a board or a tiling that somebody lays: ways left, hints, solutions, and the file that keeps it."""

import pytest

import jigsat as js
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.solutions import read_solutions
from jigsat.estimators.plan.laying import Table, WaysLeft, best_from, hint, solved_from, sound, ways_left
from jigsat.render.html.laid import PlacesOnPage

JIGSAW, TILING = js.read("perfect-5x5"), js.read("tangram")


def completed(puzzle):
    """The boards after each hint, up to a solution."""
    laid = sound(puzzle, [None] * len(puzzle.board if puzzle.kind != "dissection" else puzzle.pieces))
    while None in laid:
        found = hint(puzzle, laid)
        assert sum(one != other for one, other in zip(laid, found.laid, strict=True)) == 1
        laid = found.laid
        yield laid


def test_hints_lead_to_a_solution_and_the_ways_are_those_of_a_count(tmp_path):
    """Catches hints that contradict each other, and ways that are counted from another board."""
    table = Table(JIGSAW, tmp_path / "boards" / "one.json")
    for laid in completed(JIGSAW):
        table.lay(laid)
        table.keep()
        counted = js.count(JIGSAW, start=str(tmp_path / "boards" / "one.json"))
        assert ways_left(JIGSAW, laid) == WaysLeft(counted.count, exact=True, done=None not in laid)
        assert counted.count > 0
    assert js.check(JIGSAW, read_solutions(tmp_path / "boards" / "one.json", JIGSAW)).accepted == (True,)
    assert str(table) == "40 of 40 joins fit; 25 of 25 squares are filled"


def test_dead_ends():
    laid = [None] * 25
    laid[12] = 4 * next(piece for piece, sides in enumerate(JIGSAW.pieces) if 0 in sides)
    assert ways_left(JIGSAW, laid) == WaysLeft(0, exact=True)
    assert str(ways_left(JIGSAW, laid)) == "no way left: no solution has these pieces here"
    assert [found(JIGSAW, laid).is_none for found in (hint, solved_from, best_from)] == [True] * 3


def test_the_best_board_from_here_has_the_pieces():
    first = next(completed(JIGSAW))
    best = best_from(JIGSAW, first).laid
    assert None not in best
    assert all(code in (None, other) for code, other in zip(first, best, strict=True))


def test_ways_that_cannot_be_counted_are_estimated():
    """Catches an estimate of another board, and one that is called exact."""
    found = ways_left("puzzle-d", [None] * 64, seconds=0.05)
    assert not found.exact
    assert found.expected > 0
    assert "exactly" not in str(found)


def test_ways_in_words():
    low, high = 3 * 10**11, 5 * 10**11
    assert str(WaysLeft(1, exact=True)) == "exactly 1 way left"
    between = WaysLeft(0, False, 4 * 10**11, (low, high), 10**9)
    assert str(between) == "about 4.0e11 ways left (between 3.0e11 and 5.0e11, with 95 % confidence)"
    assert str(WaysLeft(7, exact=False)) == "at least 7 ways left; there was no time to find all"


def test_a_tiling_from_here():
    """Catches polygons that are taken for others, and ways that forget exchanges of equal pieces."""
    solutions = js.solve(TILING, all=True, symmetry=False).solutions
    assert ways_left(TILING, [None] * 7) == WaysLeft(len(solutions), exact=True)
    page = PlacesOnPage(TILING)
    places = page.of(solutions[0])
    for number in range(1, 8):
        laid = [*places[:number], *[None] * (7 - number)]
        same = [one for one in solutions if all({*one[k]} == {*solutions[0][k]} for k in range(number))]
        assert ways_left(TILING, laid).least == len(same)
    x, y, *rest = places[0]
    beside = [[x + 5, y, *rest], *[None] * 6]
    assert str(ways_left(TILING, beside)) == "no way left: piece 1 lies between the points of the lattice"
    # Pieces 1 and 2 of the tangram are equal.
    above = [places[0], places[0], *[None] * 5]
    assert str(ways_left(TILING, above)) == "no way left: pieces 1 and 2 overlap"
    assert solved_from(TILING, above).is_none
    *_, last = completed(TILING)
    assert js.check(TILING, page.tiling(last)).accepted == (True,)


def test_ways_that_count_apart():
    """Catches numbers that surprise without a word, and words about ways that are counted once."""
    found = [ways_left(one, [None] * len(one.pieces)) for one in (js.read("four-triangles"), js.read("perfect-3x3"))]
    assert [(one.least, one.apart, one.different) for one in found] == [(24, True, 1), (8, True, 2)]
    once = js.DissectionPuzzle(["##"], [["##"]], cells="squares", no_turn=(0,), no_flip=(0,))
    assert not ways_left(once, [None]).apart


def test_a_tiling_of_many_from_here():
    """Catches answers from the first tilings found, among which none has the piece where it lies."""
    puzzle = js.read("ostomachion")
    last = js.solve(puzzle).solutions[0]
    # The same tiling turned by half, which a search from the whole target meets late.
    laid = [PlacesOnPage(puzzle).of(tuple(map(puzzle.symmetries[-1], last)))[0], *[None] * 13]
    found = solved_from(puzzle, laid, seconds=60)
    assert found.laid[0] == laid[0]
    assert js.check(puzzle, PlacesOnPage(puzzle).tiling(found.laid)).accepted == (True,)
    assert ways_left(puzzle, laid, seconds=60) == WaysLeft(440, exact=True)


def test_places_with_irrational_coordinates():
    """Catches polygons that are only near those of a tiling, so that no way is left."""
    puzzle = js.read("decagon")
    tiling = js.solve(puzzle).solutions[0]
    page = PlacesOnPage(puzzle)
    places = page.of(tiling)
    assert [{*polygon} for polygon in page.anchored(places)] == [{*polygon} for polygon in tiling]
    assert ways_left(puzzle, places) == WaysLeft(1, exact=True, done=True)
    assert ways_left(puzzle, [*places[:9], None]) == WaysLeft(1, exact=True)
    x, y, turn, flip = places[0]
    assert page.anchored([[x + 7, y, turn, flip], *[None] * 9]) is None


@pytest.mark.parametrize("puzzle", [JIGSAW, TILING], ids=["jigsaw", "tiling"])
def test_what_is_laid_is_kept(tmp_path, puzzle):
    """Catches files that are not read again, and damaged ones or those of other puzzles that stop the page."""
    path = tmp_path / "kept.json"
    table = Table(puzzle, path)
    assert set(table.laid) == {None}
    table.lay(next(completed(puzzle)))
    table.keep()
    assert Table(puzzle, path).laid == table.laid
    for other in ("{}", "[", '{"laid": [1]}', '{"laid": {}}', ""):
        path.write_text(other)
        assert set(Table(puzzle, path).laid) == {None}
    Table(js.read("perfect-3x3"), path).keep()
    assert set(Table(puzzle, path).laid) == {None}


BOARDS = [None, 5, "x" * 25, {}, [None] * 24, [0, 0, *[None] * 23], [4 * 25, *[None] * 24], [-1, *[None] * 24],
          [0.5, *[None] * 24], [True, *[None] * 24], ["0", *[None] * 24], [[0], *[None] * 24]]  # fmt: skip
PLACES = [None, [None] * 6, [5, *[None] * 6], [[0, 0, 0], *[None] * 6], [[0, 0, 0, 2], *[None] * 6],
          [["0", 0, 0, 0], *[None] * 6], [[float("nan"), 0, 0, 0], *[None] * 6], [[1e300, 0, 0, 0], *[None] * 6],
          [{}, *[None] * 6]]  # fmt: skip


@pytest.mark.parametrize(("puzzle", "laid"), [*((JIGSAW, one) for one in BOARDS), *((TILING, one) for one in PLACES)])
def test_what_no_page_says_is_refused(puzzle, laid):
    with pytest.raises(PuzzleError):
        sound(puzzle, laid)
