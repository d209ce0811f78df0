"""Pages to give away, progress across reloads, and the solved board on screens of all sizes, in a browser."""

import re
from hashlib import sha256

import numpy as np
import pytest
from PIL import Image

from browser import opened, overflow
from javascript import data_of
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.hidden_solution import shuffled_jigsaw
from jigsat.render.html.play import look_of
from play_table import box_of, centre, covers, lay, lay_all, on_board, text, turned_board

SMALL = read_squares("perfect-3x3")
SCREENS = [(390, 844), (844, 390), pytest.param(1280, 800, marks=pytest.mark.slow)]


@pytest.fixture
def gift(written):
    """A page to give away, its jigsaw, and the solutions that it hides."""
    return written("play", "perfect-3x3", "--hide-solution", "--seed", "5"), *shuffled_jigsaw(
        SMALL, list(SMALL.assemblies), 5
    )


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_a_gift_is_solved_by_dragging(browser, gift, width, height):
    """Catches progress that a reload loses, solutions that are not recognised, and a covered or small board."""
    path, jigsaw, (first, second) = gift
    options = {"has_touch": True, "is_mobile": True} if width < 1000 else {}
    with opened(browser, path, width, height, reduced_motion="reduce", **options) as page:
        assert overflow(page) == 0
        assert page.get_by_role("button", name=re.compile("^Show")).count() == 0
        assert page.locator(".dot").count() == 0
        stage = box_of(page, "#stage")
        assert stage[3] <= height
        assert (stage[2] - stage[0]) * (stage[3] - stage[1]) > 0.55 * width * height
        for square, placed in enumerate(first[:5]):
            lay(page, jigsaw, square, placed)
        loose = [centre(page, placed.piece) for placed in first[5:]]
        page.reload()
        assert on_board(page, jigsaw) == (*first[:5], *(None,) * 4)
        assert [centre(page, placed.piece) for placed in first[5:]] == [pytest.approx(at, abs=0.6) for at in loose]
        for square, placed in enumerate(first[5:], start=5):
            lay(page, jigsaw, square, placed)
        page.locator("#banner").filter(has_text="You found assembly 1!").wait_for()
        board, banner = box_of(page, "#board .frame"), box_of(page, "#banner")
        assert not covers(board, banner)
        assert not covers(board, box_of(page, "#bar"))
        assert board[0] >= 0
        assert board[2] <= width
        assert board[3] <= height
        assert board[3] - board[1] > 0.84 * min(stage[2] - stage[0], stage[3] - stage[1])
        page.reload()
        page.locator("#banner").filter(has_text="You found assembly 1 again!").wait_for()
        lay_all(page, jigsaw, turned_board(second))
        page.locator("#banner").filter(has_text="now both assemblies!").wait_for()
        assert not covers(box_of(page, "#board .frame"), box_of(page, "#banner"))
        page.get_by_role("button", name="Shuffle").click()
        assert text(page, "counter") == "0 of 9 on the board, 0 of 12 joins fit"


def test_the_source_of_a_gift(gift):
    """Catches boards, or their order, in the source; the hashes are those of the solutions."""
    path, jigsaw, boards = gift
    html = path.read_text()
    data = data_of(html)
    assert data["boards"] == []
    assert (data["pieces"], data["names"][0]) == ([list(sides) for sides in jigsaw.pieces], "A1")
    salted = [sha256((data["hidden"]["salt"] + look_of(jigsaw, board)).encode()).hexdigest() for board in boards]
    assert data["hidden"]["hashes"] == salted
    for board in (*boards, *SMALL.assemblies):
        codes = [4 * placed.piece + placed.rotation for placed in board]
        assert not any(str(codes)[1:-1].replace(" ", gap) in html for gap in ("", " "))
        assert look_of(jigsaw, boards[0]) not in html
    assert "perfect" not in html
    # The pieces in their order do not lie beside each other as in a solution.
    order = [placed.piece for placed in boards[0]]
    assert order != sorted(order)


def test_looks_and_hashes_of_the_page(browser, gift):
    """Python and the page agree, with the browser's SHA-256 and with the plain one."""
    path, jigsaw, boards = gift
    texts = ["", "abc", "é" * 60, "x" * 55, "y" * 56, "z" * 1000]
    with opened(browser, path, reduced_motion="reduce") as page:
        codes = [[4 * placed.piece + placed.rotation for placed in board] for board in boards]
        looks = page.evaluate("(boards) => boards.map((codes) => lookOf(data, codes))", codes)
        native = page.evaluate("(texts) => Promise.all(texts.map(sha256))", texts)
        plain = page.evaluate("(texts) => texts.map((text) => plainSha256(new TextEncoder().encode(text)))", texts)
    assert looks == [look_of(jigsaw, board) for board in boards]
    assert native == plain == [sha256(text.encode()).hexdigest() for text in texts]


def test_without_storage_and_without_subtle_crypto(browser, gift):
    """Catches pages that break where a browser keeps nothing, or has no hashes of its own."""
    path, jigsaw, (first, _) = gift
    with opened(browser, path, reduced_motion="reduce", locale="en-GB") as page:
        page.add_init_script("""
            Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied"); } });
            Object.defineProperty(window, "crypto", { value: undefined });
        """)
        page.reload()
        lay_all(page, jigsaw, first)
        page.locator("#banner").filter(has_text="You found assembly 1!").wait_for()
        page.reload()
        assert on_board(page, jigsaw) == (None,) * 9


def test_the_picture_of_a_gift_is_cut(browser, tmp_path, written):
    """Catches a picture that the source holds in one piece, and parts on the wrong pieces."""
    jigsaw = read_squares("perfect-5x5")
    picture = Image.fromarray(np.indices((500, 500)).transpose(1, 2, 0).repeat(2, axis=2)[..., :3].astype("uint8") // 2)
    picture.save(tmp_path / "art.png")
    path = written("play", "perfect-5x5", "--image", tmp_path / "art.png", "--hide-solution")
    _, (first, _) = shuffled_jigsaw(jigsaw, list(jigsaw.assemblies), 0)
    with opened(browser, path, width=900, height=800, reduced_motion="reduce") as page:
        codes = [4 * placed.piece + placed.rotation for placed in first]
        page.evaluate("(codes) => change(assembled(data, state.layout, state.places, codes))", codes)
        page.locator("#banner").filter(has_text="You found assembly 1!").wait_for()
        left, top, right, _ = box_of(page, "#board .frame")
        page.screenshot(path=tmp_path / "shot.png")
    side, differ = (right - left) / 5, 0
    with Image.open(tmp_path / "shot.png") as shot:
        for row in range(5):
            for column in range(5):
                at = round(left + (column + 0.3) * side), round(top + (row + 0.6) * side)
                meant = picture.getpixel((int((column + 0.3) * 100), int((row + 0.6) * 100)))
                differ += max(abs(a - b) for a, b in zip(shot.getpixel(at)[:3], meant, strict=True)) > 12
    assert differ <= 1
