"""The tab Board: moves in the frame, what is said of them at once, searches from there, and what is kept."""

import re

import pytest

import jigsat as js
from browser import overflow
from play_table import CENTRE
from studio_pages import PHONE, served, visited

SMALL = js.read("perfect-3x3")
FIRST = SMALL.assemblies[0]


class Seat:
    """The board in an open page, for a player."""

    def __init__(self, page, puzzle):
        self.page, self.puzzle = page, puzzle
        self.inner = page.frame_locator(".board-frame iframe")
        self.inner.locator(".piece").first.wait_for()
        self.says("ways", "left|solved")
        self.frame = page.frames[1]

    def says(self, what, text):
        """Wait until the panel says it."""
        self.page.locator(f".board .{what}").filter(has_text=re.compile(text, re.IGNORECASE)).wait_for()

    def ways(self, number):
        self.says("ways", f"exactly {number} ways? left" if number else "no way left")

    def at(self, piece):
        box = self.page.locator(".board-frame iframe").bounding_box()
        x, y = self.frame.evaluate(CENTRE, piece)
        return box["x"] + x, box["y"] + y

    def middle(self, square):
        box = self.inner.locator("#board .frame").bounding_box()
        row, column = divmod(square, self.puzzle.columns)
        x = box["x"] + (column + 0.5) * box["width"] / self.puzzle.columns
        return x, box["y"] + (row + 0.5) * box["height"] / self.puzzle.rows

    def turn(self, piece, rotation):
        """Turn a piece by keys."""
        label = self.inner.locator(f'[data-piece="{piece}"]').get_attribute("aria-label")
        for _ in range((rotation - int(re.search(r"turned (\d+)", label)[1]) // 90) % 4):
            self.inner.locator(f'[data-piece="{piece}"]').press("r")

    def drag(self, piece, square):
        self.page.mouse.move(*self.at(piece))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(square), steps=3)
        self.page.mouse.up()

    def touch(self, piece, square):
        devtools = self.page.context.new_cdp_session(self.page)

        def send(kind, *points):
            told = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
            devtools.send("Input.dispatchTouchEvent", told)

        (x, y), (to_x, to_y) = self.at(piece), self.middle(square)
        send("touchStart", (x, y))
        for step in (1, 2, 3):
            send("touchMove", (x + (to_x - x) * step / 3, y + (to_y - y) * step / 3))
        send("touchEnd")

    def click(self, name):
        button = self.page.get_by_role("button", name=name, exact=True)
        button.scroll_into_view_if_needed()
        # Chromium gives a frame of its own process clicks for where it was until the next pictures are drawn.
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        button.click()

    def press(self, name):
        self.inner.get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def shown(browser, studio, window):
    def show(puzzle):
        return visited(browser, studio, f"?puzzle={puzzle.name}", reduced_motion="reduce", **window)

    return show


def ways_with(puzzle, board):
    return js.count(puzzle, start=[*board, *[None] * (len(puzzle.board) - len(board))]).count


@pytest.mark.some_cases(1)
def test_pieces_are_laid(shown, window):
    """Catches moves of which the studio learns nothing, and ways that are not those of the board."""
    with shown(SMALL) as page:
        seat = Seat(page, SMALL)
        assert overflow(page) <= 0
        seat.press("Shuffle")
        seat.ways(ways_with(SMALL, []))
        seat.says("ways", "count apart; different ones: 2")
        seat.turn(FIRST[0].piece, FIRST[0].rotation)
        (seat.touch if "has_touch" in window else seat.drag)(FIRST[0].piece, 0)
        seat.says("score", "1 of 9 squares")
        seat.ways(ways_with(SMALL, FIRST[:1]))
        seat.turn(FIRST[1].piece, FIRST[1].rotation)
        # A loose piece goes to the first free square.
        seat.inner.locator(f'[data-piece="{FIRST[1].piece}"]').press("ArrowRight")
        seat.says("score", "1 of 12 joins fit; 2 of 9 squares")
        seat.ways(ways_with(SMALL, FIRST[:2]))
        seat.press("Undo")
        seat.says("score", "1 of 9 squares")
        seat.press("Redo")
        seat.says("score", "2 of 9 squares")
        page.locator(".command").filter(has_text="jigsat count perfect-3x3 --from boards/perfect-3x3.json").wait_for()
        seat.turn(FIRST[1].piece, FIRST[1].rotation + 1)
        seat.ways(0)
        seat.click("Hint")
        page.get_by_text("dead end").wait_for()


@pytest.mark.some_cases(1)
def test_pieces_that_fit_a_square(shown):
    """Catches lists for another square, and pieces that are laid elsewhere."""
    with shown(SMALL) as page:
        seat = Seat(page, SMALL)
        seat.press("Shuffle")
        page.mouse.click(*seat.middle(4))
        page.get_by_text("Pieces that fit on B2: 1").wait_for()
        centre = next(piece for piece, sides in enumerate(SMALL.pieces) if 0 not in sides)
        seat.inner.locator(f'.piece.fits[data-piece="{centre}"]').wait_for()
        page.get_by_label("Which pieces fit on square").fill("a1")
        page.get_by_text("Pieces that fit on A1: 4").wait_for()
        seat.click(f"Lay piece {FIRST[0].number}, turned {90 * FIRST[0].rotation} degrees")
        page.get_by_text("A1 is filled").wait_for()
        seat.ways(ways_with(SMALL, FIRST[:1]))
        label = seat.inner.locator(f'[data-piece="{FIRST[0].piece}"]').get_attribute("aria-label")
        assert "on A1" in label


@pytest.mark.slow
def test_searches_from_here_and_a_link(browser, studio):
    """Catches results that are not laid, or cannot be undone, and links to another board."""
    puzzle = js.read("puzzle-a")
    with visited(browser, studio, "?puzzle=puzzle-a") as page:
        seat = Seat(page, puzzle)
        seat.press("Shuffle")
        seat.click("Hint")
        seat.says("score", "1 of 36 squares")
        seat.click("Share")
        link = page.get_by_label("Link to this board").input_value()
        (label,) = (piece.get_attribute("aria-label") for piece in seat.inner.locator('[aria-label*=", on "]').all())
        seat.click("Solve from here")
        seat.says("score", "60 of 60 joins fit; 36 of 36")
        seat.says("ways", "solved")
        assert seat.inner.locator("#banner").is_hidden()
        seat.press("Undo")
        seat.says("score", "1 of 36 squares")
        seat.click("Best from here")
        seat.says("score", "60 of 60 joins fit; 36 of 36")
    (board,) = js.read_solutions(link, puzzle)
    ((square, placed),) = ((square, placed) for square, placed in enumerate(board) if placed is not None)
    where = f"on {puzzle.board.name(square)}, turned {90 * placed.rotation} degrees"
    assert label == f"piece {placed.number}, {where}"


def test_a_dissection(browser, studio):
    """Catches pieces whose places the studio reads otherwise than the page means them, or forgets."""
    puzzle = js.read("tangram")
    with visited(browser, studio, "?puzzle=tangram", **PHONE) as page:
        seat = Seat(page, puzzle)
        seat.press("Shuffle")
        seat.ways(32)
        seat.says("ways", "count apart")
        hint, foot = (page.locator(one).bounding_box() for one in ('.board button:has-text("Hint")', ".foot"))
        assert hint["y"] + hint["height"] <= foot["y"]
        seat.click("Hint")
        seat.says("score", "1 of 7 pieces lie")
        page.locator(".command").filter(has_text="No command has the laid pieces").wait_for()
        # Pieces 1 and 2 are equal.
        seat.frame.evaluate("""() => {
            const { x, y, turn, flip } = state.places[0], place = [x, y, turn, Number(flip)];
            parent.postMessage({ laid: [place, place, ...Array(5).fill(null)] }, "*");
        }""")
        seat.says("ways", "pieces 1 and 2 overlap")
        seat.frame.evaluate("keep()")
        seat.says("score", "1 of 7 pieces lie")
        seat.click("Solve from here")
        seat.says("score", "7 of 7 pieces lie")
        seat.says("ways", "solved")
        # Only the player is praised.
        assert seat.inner.locator("#banner").is_hidden()
        seat.press("Undo")
        seat.says("score", "1 of 7 pieces lie")
        page.reload()
        Seat(page, puzzle).says("score", "1 of 7 pieces lie")


@pytest.mark.slow
def test_a_board_is_shared_with_who_lacks_its_puzzle(browser, studio, tmp_path):
    """Catches links that no one else can open without a word, and commands of another tab."""
    mine = js.make_edge_matching(rows=3, columns=3, frame_colors=2, inner_colors=2, seed=3)
    js.save(mine, tmp_path / "mine.json")
    with served(tmp_path) as own, visited(browser, own, "?puzzle=mine.json") as page:
        seat = Seat(page, mine)
        seat.click("Hint")
        seat.says("score", "1 of 9 squares")
        seat.says("ways", "exactly")
        assert (tmp_path / "boards" / "mine.json").is_file()
        seat.click("Share")
        page.get_by_text("shows the laid pieces: 1. Who does not have the puzzle needs its file first").wait_for()
        assert page.get_by_text("Download mine.json").get_attribute("href") == "file/mine.json"
        link = page.get_by_label("Link to this board").input_value()
        command = page.locator(".command")
        command.filter(has_text="jigsat convert boards/mine.json").wait_for()
        page.get_by_role("tab", name="Workshop").click()
        command.filter(has_not_text="convert").wait_for()
        page.get_by_role("tab", name="Board").click()
        command.filter(has_text="jigsat convert boards/mine.json").wait_for()
    with visited(browser, studio) as page:
        page.get_by_role("button", name="Paste a link").click()
        page.get_by_label("Link of a viewer").fill(link)
        page.get_by_role("button", name="Open", exact=True).click()
        page.get_by_text("some pieces of a puzzle that is not here; add the puzzle's file first").wait_for()


@pytest.mark.slow
def test_windows_share_a_board_that_survives_a_kill(browser, tmp_path):
    """Catches a second window that shows something else, and moves that a killed server has lost."""
    puzzle = js.read("scramble-squares")
    where = f"?puzzle={puzzle.name}"
    with served(tmp_path) as studio:
        with visited(browser, studio, where) as page, visited(browser, studio, where) as other:
            one, two = Seat(page, puzzle), Seat(other, puzzle)
            for seen in (page, other):
                seen.get_by_text("open in another window, too").wait_for()
            one.inner.locator(".piece").first.press("h")
            for seat in (one, two):
                seat.says("score", "1 of 9 squares")
                seat.inner.locator('.piece[aria-label*="on B2"], .piece[aria-label*="on A1"]').first.wait_for()
            two.press("Undo")
            one.says("score", "0 of 9 squares")
            two.click("Solve from here")
            one.says("score", "12 of 12 joins fit")
            one.says("ways", "solved")
            page.reload()
            Seat(page, puzzle).says("score", "12 of 12 joins fit")
        studio.process.kill()
    assert js.check(puzzle, str(tmp_path / "boards" / "scramble-squares.json")).accepted == (True,)
    with served(tmp_path) as studio, visited(browser, studio, where) as page:
        Seat(page, puzzle).says("score", "12 of 12 joins fit")


HOSTILE = [
    {"laid": None}, {"laid": {}}, {"laid": "x"}, {"laid": [0] * 9}, {"laid": [None] * 8}, {"laid": [99, *[None] * 8]},
    {"laid": [-1, *[None] * 8]}, {"laid": [1.5, *[None] * 8]}, {"laid": [[0], *[None] * 8]}, {"laid": ["0"] * 9},
    {"laid": [None] * 9, "answer": "x"}, {"square": 99}, {"square": -1}, {"square": 1.5}, {"hint": "yes"}, None, 5,
]  # fmt: skip


def test_wrong_messages_of_the_frame_are_refused(browser, studio):
    """Catches boards that no player can lay, and a page that stops or complains because of one."""
    with visited(browser, studio, "?puzzle=perfect-3x3") as page:
        seat = Seat(page, SMALL)
        seat.press("Shuffle")
        seat.says("score", "0 of 9 squares")
        for message in HOSTILE:
            seat.frame.evaluate("(message) => parent.postMessage(message, '*')", message)
        for kind in ("laid", "square", "put"):
            for detail in (None, 5, {}, {"laid": [0] * 9, "number": 0}, {"laid": None}, "x", [0], -1, 10**9):
                event = [kind, {"detail": detail}]
                page.evaluate("(event) => boardTab.holder.dispatchEvent(new CustomEvent(...event))", event)
        seat.frame.evaluate("() => parent.postMessage({ laid: [1, ...Array(8).fill(null)] }, '*')")
        seat.says("score", "1 of 9 squares")
        assert page.locator(".q-notification").count() == 0
