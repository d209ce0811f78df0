"""The page of `jigsat view` in a browser: keys, clicks, the animation, differences, and a phone."""

import pytest

from browser import opened, overflow, wait_for_text
from command_line import run
from javascript import evaluated
from jigsat import count
from jigsat.csp.files.instances import read_puzzle, read_squares, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.orders import default_order, named_order
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
def written(tmp_path, capsys):
    """Writes a page by the command line."""

    def write(*arguments):
        path = tmp_path / "page.html"
        assert run(capsys, "view", *map(str, arguments), "-o", str(path), "--quiet")[::2] == (0, "")
        return path

    return write


@pytest.fixture
def page_of(tmp_path, written):
    """Writes the page of some solutions of a puzzle."""

    def write(puzzle, solutions, *options):
        puzzle_file, file = tmp_path / "puzzle.json", tmp_path / "solutions.json"
        save(puzzle, puzzle_file)
        save_solutions(puzzle, solutions, file)
        return written(puzzle_file, file, *options)

    return write


def shown(page):
    return tuple(None if square is None else Placement(*square) for square in page.evaluate(SHOWN))


def text(page, name):
    return page.locator(f"#{name}").text_content().replace("\u00a0", " ")


def test_solutions_by_keys_and_clicks(chromium, written):
    """Catches steps that go astray, beyond the ends, or show other pieces than the file has."""
    with opened(chromium, written("three-solutions-6x6")) as page:
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


def test_the_search_order_is_played_to_its_end(chromium, page_of):
    """Catches an animation that stops early, fills other squares than the order says, or goes on when it is done."""
    order = named_order(MADE.puzzle, "spiral_in")
    with opened(chromium, page_of(MADE.puzzle, [MADE.solution], "--order", "spiral_in")) as page:
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


def test_nodes_beside_the_board(chromium, page_of):
    """Catches numbers of another depth, in the line, in the table and in the chart."""
    path = page_of(MADE.puzzle, [MADE.solution], "--actual")
    nodes = count(MADE.puzzle, order=default_order(MADE.puzzle)[0]).nodes_by_depth
    with opened(chromium, path) as page:
        page.locator("summary").click()
        rows = [row.split() for row in page.locator("#scroll tbody tr").all_inner_texts()]
        assert [int("".join(row[3:])) for row in rows] == list(nodes)
        assert page.locator("#chart .bar").count() == page.locator("#chart .dot").count() == 16
        box = page.locator("#chart .bar").nth(6).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 2)
        assert text(page, "depth-text") == "7 of 16"
        assert text(page, "at-depth").endswith(f" predicted, {nodes[6]} actual")
        assert page.locator("tr.now td").first.inner_text() == "7"
        assert rows[6][1] in text(page, "at-depth")


def test_differences(chromium, written):
    """Catches highlights of what is the same, and comparisons with another solution than the one shown before."""
    with opened(chromium, written("three-solutions-6x6")) as page:
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


def test_a_click_tells_about_a_piece(chromium, written):
    """Catches clicks that reach another square, and sides as the piece has them before it is turned."""
    second = JIGSAW.assemblies[1]
    square = next(square for square, placed in enumerate(second) if placed.rotation == 1)
    with opened(chromium, written("three-solutions-6x6")) as page:
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


def test_which_piece_an_arrow_key_chooses():
    """Catches keys that leave the board, and pieces that are left out."""
    walk = "(data, keys) => keys.reduce((seen, key) => [...seen, {}(data, seen.at(-1), key) ?? seen.at(-1)], [0])"
    board, tiling = {"rows": 2, "columns": 3}, {"fills": ["red", "green", "blue"]}
    scripts = ("svg.js", "board.js", "tiling.js")
    up, right, down, left = range(4)
    keys = [right, right, right, down, down, left, up, left, left]
    found = evaluated(scripts, walk.replace("{}", "neighbour", 1), board, keys)
    assert found == [0, 1, 2, 2, 5, 5, 4, 1, 0, 0]
    keys = [left, right, down, down, up, left]
    assert evaluated(scripts, walk.replace("{}", "nextNumber", 1), tiling, keys) == [0, 0, 1, 2, 2, 1, 0]


def test_wrong_and_partial_boards(chromium, page_of):
    """Catches invalid joins without bars, bars on valid ones, and steps to squares that stay empty."""
    placed = list(MADE.solution)
    placed[5], placed[10] = placed[10], placed[5]
    placed[6] = Placement(placed[6].piece, (placed[6].rotation + 1) % 4)
    partial = tuple(square if number > 7 else None for number, square in enumerate(MADE.solution))
    verdict = check(MADE.puzzle, placed)
    assert verdict.invalid_joins
    twice = (placed[5], *placed[1:])
    with opened(chromium, page_of(MADE.puzzle, [tuple(placed), partial, twice], "--order", "rowscan")) as page:
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


def test_numbers_order_and_help(chromium, page_of):
    """Catches buttons and keys that show nothing, and fixed pieces without a frame."""
    with opened(chromium, page_of(MADE.puzzle, [MADE.solution])) as page:
        numbers, order = page.locator("#numbers"), page.locator("#order")
        assert page.locator("#numbers text").all_text_contents() == [str(p.piece + 1) for p in MADE.solution]
        assert (numbers.is_visible(), order.is_visible()) == (True, False)
        page.keyboard.press("n")
        assert not numbers.is_visible()
        page.get_by_role("button", name="Numbers").click()
        assert numbers.is_visible()
        page.keyboard.press("o")
        assert order.is_visible()
        assert page.locator("#order circle.fixed").count() == len(MADE.puzzle.fixed)
        assert page.locator("#marks .fixed").count() == 2 * len(MADE.puzzle.fixed)
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        assert not page.locator("#help").is_visible()


def test_tilings(chromium, page_of):
    """Catches pieces of one tiling in places of another, and orders of boards where there is no board."""
    with opened(chromium, page_of(OSTOMACHION, TILINGS)) as page:
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


SWIPE = """(across) => {
    const stage = document.getElementById("stage");
    const at = (x, type) => stage.dispatchEvent(new PointerEvent(type, {
        pointerType: "touch", isPrimary: true, clientX: x, clientY: 200, bubbles: true }));
    at(200, "pointerdown");
    at(200 + across, "pointerup");
}"""


def test_a_phone(chromium, written):
    """Catches pages that are wider than a phone, boards that are cut off, buttons too small to tap, and swipes."""
    path = written("three-solutions-6x6")
    with opened(chromium, path, 390, 844, has_touch=True, is_mobile=True) as page:
        assert overflow(page) == 0
        picture = page.locator("#picture").bounding_box()
        assert picture["x"] >= 0
        assert 330 < picture["width"] <= 390
        assert picture["y"] + picture["height"] < 844
        buttons = [button for button in page.get_by_role("button").all() if button.is_visible()]
        assert len(buttons) > 6
        for button in buttons:
            assert min(button.bounding_box()["width"], button.bounding_box()["height"]) >= 40
            assert button.get_attribute("aria-label") or button.inner_text().strip()
        page.evaluate(SWIPE, -80)
        assert shown(page) == JIGSAW.assemblies[1]
        page.evaluate(SWIPE, 80)
        assert shown(page) == JIGSAW.assemblies[0]
        page.evaluate(SWIPE, 20)
        assert shown(page) == JIGSAW.assemblies[0]
        page.locator("#targets rect").nth(7).tap()
        assert text(page, "message").startswith("B2: piece ")
        page.keyboard.press("?")
        assert overflow(page) == 0
