"""The page of `jigsat view` in a browser: keys, clicks, the animation, differences, and a phone."""

import pytest

from browser import opened, wait_for_text
from jigsat.csp.files.instances import read_puzzle, read_squares, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.orders import named_order
from play_table import text
from solution_files import save_solutions

JIGSAW = read_squares("three-solutions-6x6")
MADE = deal_edge_matching(4, 4, 3, 3, clues=1, seed=3)
OSTOMACHION = read_puzzle("ostomachion")
# The second is the first one turned by 180 degrees.
TILINGS = [OSTOMACHION.pieces, tuple(tuple((12 - x, 12 - y) for x, y in piece) for piece in OSTOMACHION.pieces)]

# What lies on each square: the piece and its quarter turns, or null.
SHOWN = """[...document.querySelectorAll("#pieces use")].map((use) => {
    const turn = /rotate\\((\\d+)\\)/.exec(use.getAttribute("transform"));
    const piece = Number((use.getAttribute("href") ?? "").slice("#piece".length));
    return use.getAttribute("visibility") === "hidden" ? null : [piece, turn[1] / 90];
})"""
RECORD_DEPTHS = """() => {
    const text = document.getElementById("depth-text");
    window.seen = [];
    new MutationObserver(() => window.seen.push(text.textContent)).observe(text, { childList: true });
}"""
VISIBLE = '(layer) => document.querySelectorAll(`${layer}[visibility="visible"]`).length'


@pytest.fixture
def page_of(tmp_path, written):
    """Writes the page of some solutions of a puzzle."""

    def write(puzzle, solutions, *options):
        puzzle_file, file = tmp_path / "puzzle.json", tmp_path / "solutions.json"
        save(puzzle, puzzle_file)
        save_solutions(puzzle, solutions, file)
        return written("view", puzzle_file, file, *options)

    return write


def shown(page):
    return tuple(None if square is None else Placement(*square) for square in page.evaluate(SHOWN))


def test_solutions_by_keys_and_clicks(browser, written):
    """Catches steps that go astray, beyond the ends, or show other pieces than the file has."""
    with opened(browser, written("view", "three-solutions-6x6")) as page:
        field = page.locator("#solution")
        steps = [
            (lambda: None, 0),
            (lambda: page.keyboard.press("ArrowRight"), 1),
            (lambda: page.get_by_role("button", name="Next solution").click(), 2),
            (lambda: page.keyboard.press("ArrowRight"), 2),
            (lambda: page.get_by_role("button", name="Previous solution").click(), 1),
            (lambda: page.keyboard.press("Home"), 0),
            (lambda: page.keyboard.press("ArrowLeft"), 0),
            (lambda: page.keyboard.press("End"), 2),
            (lambda: (field.fill("2"), field.press("Enter")), 1),
            (lambda: (field.fill("77"), field.press("Enter")), 2),
            (lambda: (field.fill(""), field.press("Enter")), 2),
            (lambda: page.locator("#solution-slider").fill("1"), 0),
        ]
        for number, (step, expected) in enumerate(steps):
            step()
            assert shown(page) == JIGSAW.assemblies[expected], number
            assert field.input_value() == str(expected + 1)
            assert f"assembly {expected + 1} of 3" in page.locator("#picture").get_attribute("aria-label")
        assert text(page, "score") == "36 of 36 pieces, score 60 of 60, no invalid joins"
        assert page.get_by_role("button", name="Previous solution").is_disabled()


def test_the_search_order_is_played_to_its_end(browser, page_of):
    """Catches an animation that stops early, fills other squares than the order says, or goes on when it is done."""
    order = named_order(MADE.puzzle, "spiral_in")
    with opened(browser, page_of(MADE.puzzle, [MADE.solution], "--order", "spiral_in")) as page:
        page.evaluate(RECORD_DEPTHS)
        page.keyboard.press("+")
        page.keyboard.press("Space")
        wait_for_text(page, "#play-word", "^Play$")
        assert shown(page) == MADE.solution
        depths = [int(text.split(" of ")[0]) for text in page.evaluate("window.seen")]
        assert (depths[0], depths[-1]) == (0, 16)
        assert depths == sorted(depths)
        assert len(set(depths)) > 2
        for _ in range(13):
            page.keyboard.press("ArrowDown")
        for depth, key in ((4, "."), (5, "ArrowUp"), (6, "."), (5, ",")):
            page.keyboard.press(key)
            assert text(page, "depth-text") == f"{depth} of 16"
            filled = {square for square, placed in enumerate(shown(page)) if placed}
            assert filled == set(order[:depth])
            assert text(page, "at-depth").startswith(
                f"depth {depth}, square {MADE.puzzle.board.name(order[depth - 1])}"
            )


def test_differences(browser, written):
    """Catches highlights of what is the same, and comparisons with another solution than the one shown before."""
    with opened(browser, written("view", "three-solutions-6x6")) as page:
        page.keyboard.press("d")
        assert text(page, "difference").startswith("Go to another assembly")
        assert page.evaluate(VISIBLE, "#veils rect") == 0
        before = 0
        for number in (1, 2, 1):
            page.locator("#solution-slider").fill(str(number + 1))
            pairs = zip(JIGSAW.assemblies[before], JIGSAW.assemblies[number], strict=True)
            same = [one == other for one, other in pairs]
            veils = page.locator("#veils rect").evaluate_all(
                '(veils) => veils.map((veil) => veil.getAttribute("visibility") === "visible")'
            )
            assert veils == same
            assert text(page, "difference").startswith(
                f"{36 - sum(same)} of 36 squares differ from assembly {before + 1}"
            )
            before = number
        page.get_by_role("button", name="Differences").click()
        assert page.evaluate(VISIBLE, "#veils rect") == 0
        assert text(page, "difference") == ""


def test_a_click_tells_about_a_piece(browser, written):
    """Catches clicks that reach another square, and sides as the piece has them before it is turned."""
    second = JIGSAW.assemblies[1]
    square = next(square for square, placed in enumerate(second) if placed.rotation == 1)
    with opened(browser, written("view", "three-solutions-6x6")) as page:
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        page.locator("#targets rect").nth(square).click()
        sides = " ".join(map(str, JIGSAW.shown(second[square])))
        name, number = JIGSAW.board.name(square), second[square].piece + 1
        there = [placed.piece for placed in JIGSAW.assemblies[2]].index(second[square].piece)
        told = text(page, "message")
        assert told.startswith(f"{name}: piece {number}, rotation 1, sides {sides} (up, right, down, left); depth ")
        assert "In assembly 3 it" in told
        assert there == square or f"on {JIGSAW.board.name(there)}, rotation" in told
        page.keyboard.press("Escape")
        assert text(page, "message") == ""


def test_wrong_and_partial_boards(browser, page_of):
    """Catches invalid joins without bars, bars on valid ones, and steps to squares that stay empty."""
    placed = list(MADE.solution)
    placed[5], placed[10] = placed[10], placed[5]
    placed[6] = Placement(placed[6].piece, (placed[6].rotation + 1) % 4)
    partial = tuple(square if number > 7 else None for number, square in enumerate(MADE.solution))
    verdict = check(MADE.puzzle, placed)
    assert verdict.invalid_joins
    twice = (placed[5], *placed[1:])
    with opened(browser, page_of(MADE.puzzle, [tuple(placed), partial, twice], "--order", "rowscan")) as page:
        bars = len(verdict.invalid_joins)
        assert page.locator("#marks .mismatch").count() == bars
        assert text(page, "score") == f"16 of 16 pieces, score {verdict.score} of 24, {bars} invalid joins"
        assert not page.locator("#problems").is_visible()
        page.keyboard.press("ArrowRight")
        assert shown(page) == partial
        assert page.locator("#marks .mismatch").count() == 0
        assert page.evaluate(VISIBLE, "#names text") == 8
        page.keyboard.press("ArrowRight")
        assert page.locator("#problems").is_visible()
        assert f"piece {placed[5].piece + 1} " in text(page, "problems")


def test_tilings(browser, page_of):
    """Catches pieces of one tiling in places of another, and orders of boards where there is no board."""
    with opened(browser, page_of(OSTOMACHION, TILINGS)) as page:
        points = '(pieces) => pieces.map((piece) => piece.getAttribute("points"))'
        first = page.locator("#pieces polygon").evaluate_all(points)
        assert page.evaluate(VISIBLE, "#pieces polygon") == 14
        page.keyboard.press("ArrowRight")
        assert all(a != b for a, b in zip(first, page.locator("#pieces polygon").evaluate_all(points), strict=True))
        page.locator("#depth-slider").fill("3")
        assert page.evaluate(VISIBLE, "#pieces polygon") == page.evaluate(VISIBLE, "#numbers text") == 3
        assert text(page, "score") == "3 of 14 pieces"
        page.keyboard.press("d")
        assert text(page, "difference") == "14 of 14 pieces differ from tiling 1"
        assert not page.locator("#order-toggle").is_visible()
        assert not page.locator("#effort").is_visible()
        page.locator("#depth-slider").fill("14")
        page.locator("#pieces polygon").nth(4).click()
        assert text(page, "message").startswith("Piece 5; placed as number ")
