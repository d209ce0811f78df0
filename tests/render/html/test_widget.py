"""The widget for notebooks: what Python reads and sets, without and with a browser."""

import json

import pytest

import jigsat as js
from browser import opened
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.instances import read_dissection, read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.render.html.page import resource

SQUARES = read_squares("scramble-squares")
pytest.importorskip("anywidget", reason="anywidget is not installed")


def test_the_board_is_what_the_page_says():
    """Catches boards that Python reads otherwise than the page means them, and sets without telling the page."""
    widget, seen = js.play(SQUARES), []
    assert (widget.board, widget.laid) == ((None,) * 9, None)
    widget.observe(lambda change: seen.append(change.new), "board")
    widget.laid = [4 * 5 + 3, *[None] * 8]
    assert seen == [(Placement(5, 3), *[None] * 8)]
    solution = js.solve(SQUARES).solutions[0]
    widget.board = solution
    assert js.check(SQUARES, widget.board).accepted == (True,)
    assert widget.laid == [4 * placed.piece + placed.rotation for placed in solution]
    for wrong in ([(0, 0)] * 9, [(0, 4), *[None] * 8], [None] * 8):
        with pytest.raises(PuzzleError):
            widget.board = wrong
    assert widget.board == solution


def test_fixed_pieces_lie_on_the_board():
    puzzle = read_squares("eternity2")
    widget = js.play(puzzle)
    widget.board = [None] * 256
    assert widget.board == puzzle.fixed_board


@pytest.mark.parametrize("name", ["calissons", "ostomachion", "perigal", "tangram"])
def test_tilings_are_exact(name):
    """Catches corners that are rounded to others, on every lattice and on none, and pieces turned over or not."""
    puzzle = read_dissection(name)
    tiling = js.solve(puzzle).solutions[0]
    widget = js.play(puzzle)
    widget.tiling = tiling
    laid = widget.laid
    widget.laid = [None, *laid[1:]]
    assert widget.tiling[0] is None
    widget.laid = laid
    assert js.check(puzzle, widget.tiling).accepted == (True,)
    assert [{*polygon} for polygon in widget.tiling] == [{*polygon} for polygon in tiling]


HOST = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="cell"></div><script>
const values = VALUES, listeners = [];
window.model = {
  get: (name) => values[name], on: (_, listener) => listeners.push(listener), off() {}, save_changes() {},
  set(name, value) { values[name] = value; listeners.forEach((listener) => listener()); },
};
SCRIPT
render({ model: window.model, el: document.getElementById("cell") });
</script>"""


@pytest.mark.parametrize("name", ["scramble-squares", "ostomachion"])
def test_the_page_in_a_cell(browser, tmp_path, name):
    """Catches moves of which the notebook learns nothing, and what it lays that the page does not show."""
    widget = js.play(name)
    values = {"page": widget.page, "title": widget.title, "height": 600, "laid": None}
    script = resource("widget.js").replace("export default { render };", "")
    text = json.dumps(values).replace("<", "\\u003c")
    path = tmp_path / "cell.html"
    path.write_text(HOST.replace("SCRIPT", script).replace("VALUES", text), encoding="utf-8")
    if isinstance(widget.puzzle, js.EdgeMatchingPuzzle):
        widget.board = js.solve(name).solutions[0]
    else:
        widget.tiling = js.solve(name).solutions[0]
    with opened(browser, path) as page:
        page.frame_locator("iframe").locator("#counter").wait_for()
        page.evaluate("(laid) => window.model.set('laid', laid)", widget.laid)
        message = page.frame_locator("iframe").locator("#message")
        message.get_by_text("solution").wait_for(state="attached")
        page.frame_locator("iframe").get_by_role("button", name="Shuffle").click()
        page.wait_for_function("() => window.model.get('laid').every((place) => place === null)")
