"""The page of `jigsat play` in a browser: dragging, turning, keys, touch, and what it recognises."""

import re

import pytest
from PIL import Image

from browser import opened, overflow
from jigsat.api.make import make_boards_jigsaw
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from play_table import badges, centre, drag, label, lay, lay_all, middle_of, on_board, press, rotation_of, text
from solution_files import save_solutions

SMALL, MIDDLE, OBLONG = (read_squares(name) for name in ("perfect-3x3", "perfect-5x5", "perfect-6x8"))


@pytest.fixture
def table_of(browser, written):
    """Opens the page of a puzzle on a desk, where pieces do not take time to fly."""

    def table(*arguments, **options):
        return opened(browser, written("play", *arguments), reduced_motion="reduce", **options)

    return table


def test_both_assemblies_are_laid_and_recognised(table_of):
    """Catches pieces that snap elsewhere, turns that are lost, and assemblies that are not distinguished."""
    first, second = MIDDLE.assemblies
    with table_of("perfect-5x5") as page:
        assert on_board(page, MIDDLE) == (None,) * 25
        assert text(page, "counter") == "0 of 25 on the board, 0 of 40 joins fit"
        assert page.evaluate("getComputedStyle(document.querySelector('.outline')).fill") != "rgba(0, 0, 0, 0)"
        lay_all(page, MIDDLE, first[:24])
        assert text(page, "counter") == "24 of 25 on the board, 38 of 40 joins fit"
        assert text(page, "message") == ""
        lay(page, MIDDLE, 24, first[24])
        assert text(page, "message") == "You found assembly 1!"
        assert badges(page) == ["Assembly 1: found", "Assembly 2: not yet"]
        lay_all(page, MIDDLE, second)
        assert on_board(page, MIDDLE) == second
        assert text(page, "message") == "You found assembly 2, and now both assemblies!"
        assert badges(page) == ["Assembly 1: found", "Assembly 2: found"]
        assert page.locator("#banner.all").is_visible()
        assert text(page, "counter") == "25 of 25 on the board, 40 of 40 joins fit"


def test_a_wrong_board_is_not_recognised(table_of):
    """Catches praise for full boards that do not fit, and misfits that are marked elsewhere or not at all."""
    board = list(SMALL.assemblies[0])
    board[1], board[3] = (Placement(board[square].piece, turn) for square, turn in ((3, 1), (1, 3)))
    verdict = check(SMALL, board)
    misfits = len(verdict.invalid_joins)
    assert misfits == SMALL.max_score - verdict.score > 0
    with table_of("perfect-3x3") as page:
        lay_all(page, SMALL, board)
        assert on_board(page, SMALL) == tuple(board)
        assert text(page, "counter") == f"9 of 9 on the board, {verdict.score} of 12 joins fit"
        assert text(page, "message") == ""
        assert page.locator(".misfit").count() == 0
        press(page, "Misfits")
        assert page.locator(".misfit").count() == misfits
        lay(page, SMALL, 1, SMALL.assemblies[0][1])
        lay(page, SMALL, 3, SMALL.assemblies[0][3])
        assert page.locator(".misfit").count() == 0
        assert text(page, "message") == "You found assembly 1!"


def test_further_solutions(table_of, tmp_path):
    """Catches boards of a solution file that are not taken for the known ones, and others that are not praised."""
    file = tmp_path / "solutions.json"
    save_solutions(SMALL, SMALL.assemblies[1:], file)
    with table_of("perfect-3x3", file) as page:
        lay_all(page, SMALL, SMALL.assemblies[0])
        assert text(page, "message") == "Another solution!"
        assert badges(page) == ["Solution 1: not yet", "Other solution 1: found"]
        lay_all(page, SMALL, SMALL.assemblies[1])
        assert text(page, "message") == "You found the solution!"
        assert badges(page) == ["Solution 1: found", "Other solution 1: found"]


def test_what_is_shown_is_not_found(table_of):
    """Catches praise for what the page did by itself, and praise that stays away after a shuffle."""
    with table_of("perfect-3x3") as page:
        press(page, "Show assembly 2")
        assert on_board(page, SMALL) == SMALL.assemblies[1]
        assert badges(page) == ["Assembly 1: not yet", "Assembly 2: shown"]
        assert text(page, "message").startswith("This is assembly 2, which was shown to you")
        lay(page, SMALL, 0, SMALL.assemblies[1][0])
        for square, placed in ((0, SMALL.assemblies[1][1]), (0, SMALL.assemblies[1][0])):
            drag(page, placed.piece, *middle_of(page, SMALL, square))
        assert badges(page)[1] == "Assembly 2: shown"
        lay_all(page, SMALL, SMALL.assemblies[0])
        assert badges(page) == ["Assembly 1: found", "Assembly 2: shown"]
        press(page, "Shuffle")
        assert on_board(page, SMALL) == (None,) * 9
        assert badges(page) == ["Assembly 1: found", "Assembly 2: not yet"]
        lay_all(page, SMALL, SMALL.assemblies[1])
        assert text(page, "message") == "You found assembly 2, and now both assemblies!"


def test_turns(table_of):
    """Catches turns the wrong way round, by each of the ways to turn."""
    with table_of("perfect-3x3") as page:
        before = rotation_of(page, 3)
        page.mouse.click(*centre(page, 3))
        page.keyboard.press("r")
        page.keyboard.press("r")
        page.keyboard.press("Shift+R")
        assert (rotation_of(page, 3) - before) % 4 == 2
        press(page, "Turn right")
        press(page, "Turn left")
        press(page, "Turn left")
        assert (rotation_of(page, 3) - before) % 4 == 1
        page.mouse.move(*centre(page, 3))
        page.mouse.down()
        page.mouse.move(*middle_of(page, SMALL, 4), steps=3)
        page.keyboard.press("r")
        page.mouse.wheel(0, 100)
        page.mouse.up()
        page.wait_for_timeout(50)
        assert label(page, 3) == f"piece 4, on B2, turned {90 * ((before + 3) % 4)} degrees"


def test_keys_alone(table_of):
    """Catches pieces that only a mouse can move."""
    with table_of("perfect-3x3") as page:
        page.locator("#help-open").focus()
        page.locator('[data-piece="0"]').focus()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.piece") == "1"
        assert page.locator(".piece.selected").get_attribute("data-piece") == "1"
        where = []
        for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"):
            page.keyboard.press(key)
            where.append(re.search(r"on (\w+)", label(page, 1))[1])
        assert where == ["A1", "A1", "A2", "B2", "C2", "C2", "B2"]
        before = rotation_of(page, 1)
        page.keyboard.press("Enter")
        page.keyboard.press("Space")
        assert (rotation_of(page, 1) - before) % 4 == 2
        page.keyboard.press("Tab")
        for key in ("ArrowUp", "ArrowDown", "ArrowRight"):
            page.keyboard.press(key)
        # They have changed places.
        assert [label(page, piece).split(", ")[1] for piece in (1, 2)] == ["on B1", "on B2"]
        page.keyboard.press("Delete")
        assert label(page, 2).split(", ")[1] == "next to the board"
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("r")
        page.keyboard.press("Escape")
        assert not page.locator("#help").is_visible()


def test_redo(table_of):
    """Catches moves that are redone after a new one, and keys that do something else."""
    with table_of("perfect-3x3") as page:
        press(page, "Tidy")
        boards = [on_board(page, SMALL)]
        for square in (0, 1):
            lay(page, SMALL, square, Placement(square, rotation_of(page, square)))
            boards.append(on_board(page, SMALL))
        assert page.get_by_role("button", name="Redo").is_disabled()
        for undo, redo in (("Control+z", "Control+y"), ("Control+Z", "Control+Shift+Z")):
            for board in (boards[1], boards[0]):
                page.keyboard.press(undo)
                assert on_board(page, SMALL) == board
            for board in boards[1:]:
                page.keyboard.press(redo)
                assert on_board(page, SMALL) == board
        press(page, "Undo")
        press(page, "Redo")
        assert on_board(page, SMALL) == boards[2]
        press(page, "Undo")
        lay(page, SMALL, 2, Placement(2, rotation_of(page, 2)))
        assert page.get_by_role("button", name="Redo").is_disabled()


def test_joins_that_fit_glow(table_of):
    with table_of("perfect-3x3") as page:
        lay_all(page, SMALL, SMALL.assemblies[0][:4])
        assert page.locator("#glow").get_attribute("d") == ""
        press(page, "Glow")
        assert page.locator("#glow").get_attribute("d").count("M") == SMALL.score(
            (*SMALL.assemblies[0][:4], *[None] * 5)
        )


def touch(devtools, kind, *points):
    devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def test_a_phone(table_of):
    """Catches tables wider than a phone, pieces too small for fingers, and a page that scrolls instead of playing."""
    size = {"width": 390, "height": 844}
    with table_of("perfect-5x5", **size, has_touch=True, is_mobile=True) as page:
        assert overflow(page) == 0
        frame = page.locator("#board .frame").bounding_box()
        assert frame["width"] / 5 > 44
        assert frame["y"] + frame["height"] < centre(page, 0)[1]
        for button in page.get_by_role("button").all():
            if button.get_attribute("data-piece") is None and button.is_visible():
                assert min(button.bounding_box()["width"], button.bounding_box()["height"]) >= 40
        piece = min(range(25), key=lambda number: centre(page, number)[1])
        before = rotation_of(page, piece)
        page.touchscreen.tap(*centre(page, piece))
        assert rotation_of(page, piece) == (before + 1) % 4
        devtools = page.context.new_cdp_session(page)
        (x, y), (to_x, to_y) = centre(page, piece), middle_of(page, MIDDLE, 11)
        touch(devtools, "touchStart", (x, y))
        for step in range(1, 6):
            touch(devtools, "touchMove", (x + (to_x - x) * step / 5, y + (to_y - y) * step / 5))
        touch(devtools, "touchEnd")
        assert label(page, piece) == f"piece {piece + 1}, on C2, turned {90 * ((before + 1) % 4)} degrees"
        assert page.evaluate("window.scrollY") == 0
        assert overflow(page) == 0


@pytest.fixture
def artwork(tmp_path):
    """A picture whose colours determine the place on the board."""
    picture = Image.new("RGB", (800, 600))
    picture.putdata([(x * 255 // 800, y * 255 // 600, 90) for y in range(600) for x in range(800)])
    picture.save(tmp_path / "artwork.png")
    return tmp_path / "artwork.png"


@pytest.mark.parametrize(("first", "shown"), [(0, "Show assembly 1"), (1, "Show solution 1")])
def test_artwork(table_of, artwork, tmp_path, first, shown):
    """Catches pictures that are embedded for each piece, cut wrongly, or not where the first board has them."""
    save_solutions(OBLONG, OBLONG.assemblies[first:], tmp_path / "solutions.json")
    assert first == 0 or {placed.rotation for placed in OBLONG.assemblies[first]} == {0, 1, 2, 3}
    solutions = [tmp_path / "solutions.json"] if first else []
    with table_of("perfect-6x8", *solutions, "--image", artwork) as page:
        html = (tmp_path / "page.html").read_text()
        assert html.count("data:image/") == 1
        assert len(html) < 1_000_000
        assert page.locator("clipPath").count() == page.locator("#pieces use").count() == 48
        assert not page.locator(".number").first.is_visible()
        press(page, shown)
        page.locator("#message").evaluate("() => say('')")
        box = page.locator("#board .frame").bounding_box()
        page.screenshot(path=tmp_path / "shot.png")
    with Image.open(tmp_path / "shot.png") as shot, Image.open(artwork) as picture:
        differ = 0
        # Well off the centres, about which pieces are turned; a few of the points are under lines.
        for at in ((100 * column + 25, 100 * row + 65) for row in range(6) for column in range(8)):
            x, y = (box[key] + place * box["width"] / 800 for key, place in zip("xy", at, strict=True))
            there, meant = shot.getpixel((round(x), round(y)))[:3], picture.getpixel(at)
            differ += max(abs(a - b) for a, b in zip(there, meant, strict=True)) > 5
        assert differ <= 5


def test_two_boards_for_the_same_pieces(table_of, tmp_path):
    """Catches a board that is not the other one's size, solutions of the other board, and progress that is lost."""
    jigsaw = make_boards_jigsaw("4x4,3x5", seed=1, output=tmp_path / "jigsaw.json")
    with table_of(tmp_path / "jigsaw.json", "--second-board", tmp_path / "jigsaw-3x5.json") as page:
        lay(page, jigsaw.first, 0, jigsaw.first.assemblies[0][0])
        page.locator("#board-2").click()
        assert text(page, "counter") == "0 of 15 on the board, 0 of 22 joins fit"
        press(page, "Show assembly 1")
        assert on_board(page, jigsaw.second) == jigsaw.second.assemblies[0]
        assert label(page, jigsaw.spare).startswith(f"piece {jigsaw.spare + 1}, next to the board")
        spare, table = (page.locator(name).bounding_box() for name in (f"#pieces g >> nth={jigsaw.spare}", "#table"))
        assert table["x"] <= spare["x"]
        assert spare["y"] + spare["height"] <= table["y"] + table["height"]
        assert badges(page) == ["Assembly 1: shown"]
        page.keyboard.press("b")
        assert text(page, "counter") == "1 of 16 on the board, 0 of 24 joins fit"
        assert badges(page) == ["Assembly 1: not yet"]
