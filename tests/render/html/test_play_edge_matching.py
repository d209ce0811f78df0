"""The page to play edge-matching puzzles in a browser: locked pieces, pieces turned over, hints, solutions."""

import pytest

import jigsat as js
from browser import opened, overflow
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from play_table import badges, centre, drag, label, lay, lay_all, on_board, press, text

SQUARES = read_squares("scramble-squares")
OVER = EdgeMatchingPuzzle(1, 3, ((1, 2, 3, 4), (5, 6, 7, 2), (8, 6, 9, 10)), turn=False, flip=True, rim="any")
FIXED = EdgeMatchingPuzzle(
    2, 2, ((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (3, 0, 0, 4)), fixed=[(0, 0, 0)], name="four"
)


@pytest.fixture
def table_of(browser, tmp_path):
    """Opens the page of a puzzle on a desk."""

    def table(puzzle, **options):
        path = tmp_path / "page.html"
        js.view(puzzle, play=True).save(path)
        return opened(browser, path, reduced_motion="reduce", **options)

    return table


def test_a_solution_is_laid_and_recognised(table_of):
    (solution,) = js.solve(SQUARES).solutions
    with table_of(SQUARES) as page:
        assert badges(page) == ["Solution 1: not yet"]
        assert text(page, "assemblies-title") == "All solutions"
        lay_all(page, SQUARES, solution)
        assert on_board(page, SQUARES) == solution
        assert text(page, "message") == "You found the solution!"
        assert text(page, "counter") == "9 of 9 on the board, 12 of 12 joins fit"
        # The words of the colours stand along the sides.
        assert page.locator(".word").count() == 36


def test_hints_lead_to_a_solution_and_tell_wrong_pieces(table_of):
    """Catches hints that no solution has, and positions that cannot be completed but get one."""
    with table_of(SQUARES) as page:
        for _ in range(9):
            press(page, "Hint")
        assert js.check(SQUARES, on_board(page, SQUARES)).accepted == (True,)
        assert text(page, "message").startswith("This is solution 1, which was shown to you")
        page.mouse.click(*centre(page, on_board(page, SQUARES)[4].piece))
        assert page.locator(".misfit").count() == 4
        press(page, "Hint")
        assert text(page, "message").startswith(
            "No solution has these pieces on these squares: take the 1 marked piece"
        )
        assert page.locator(".wrong").count() == 1


def test_a_fixed_piece_stays(table_of):
    """Catches fixed pieces that are dragged, turned, taken off, or swapped with another one."""
    with table_of(FIXED) as page:
        assert on_board(page, FIXED)[0] == Placement(0, 0)
        drag(page, 0, *centre(page, 1))
        page.mouse.click(*centre(page, 0))
        page.locator('[data-piece="0"]').focus()
        for key in ("r", "Delete", "ArrowRight"):
            page.keyboard.press(key)
        drag(page, 1, *centre(page, 0))
        assert on_board(page, FIXED) == (Placement(0, 0), None, None, None)
        for _ in range(3):
            press(page, "Hint")
        assert js.check(FIXED, on_board(page, FIXED)).accepted == (True,)


def test_sides_that_may_not_lie_there_are_marked(table_of):
    """Catches a border side inside, and an inner side on the border, of a piece that has no neighbour."""
    with table_of(FIXED) as page:
        assert page.locator(".misfit").count() == 0
        # Piece 2 shows 0, 0, 3, 1 (up, right, down, left): on B2, its upper side lies inside, and 3 on the border.
        lay(page, FIXED, 3, Placement(1, 0))
        assert page.locator(".misfit").count() == 2


def test_pieces_are_turned_over(table_of):
    """Catches sides that are mirrored otherwise than the package does, and pieces that turn although they may not."""
    (solution,) = js.solutions(OVER)
    assert [placed.rotation for placed in solution] == [0, 0, 4]
    with table_of(OVER) as page:
        for placed in solution:
            page.locator(f'[data-piece="{placed.piece}"]').focus()
            # These pieces do not turn.
            page.keyboard.press("r")
            if ("turned over" in label(page, placed.piece)) != (placed.rotation == 4):
                page.keyboard.press("f")
            # Onto the first free square.
            page.keyboard.press("ArrowRight")
        assert [label(page, piece) for piece in range(3)] == [
            "piece 1, on A1, turned 0 degrees",
            "piece 2, on A2, turned 0 degrees",
            "piece 3, on A3, turned 0 degrees, turned over",
        ]
        assert text(page, "message") == "You found the solution!"


@pytest.mark.parametrize("name", ["macmahon-24", "eternity2"])
def test_pages_fit_a_phone(table_of, name):
    with table_of(name, width=390, height=780) as page:
        assert overflow(page) <= 0
        press(page, "Shuffle")
        assert page.locator(".piece").count() == len(read_squares(name).pieces)


def test_pages_to_give_away_have_no_hints():
    html = js.view(SQUARES, play=True, hide_solution=True, seed=3).html
    assert '"boards":[],"' in html
    assert '"complete"' not in html
    assert "scramble" not in html
