"""Moves the pieces on the pages to play jigsaws and dissections, and reads what lies where."""

import re

from jigsat.csp.puzzles.board import Placement

CENTRE = """(piece) => {
    const { e, f } = document.querySelector(`[data-piece="${piece}"] .turn`).getScreenCTM();
    return [e, f];
}"""
LABELS = """[...document.querySelectorAll(".piece")].sort((a, b) => a.dataset.piece - b.dataset.piece)
    .map((piece) => piece.getAttribute("aria-label"))"""


def centre(page, piece):
    return page.evaluate(CENTRE, piece)


def middle_of(page, puzzle, square):
    box = page.locator("#board .frame").bounding_box()
    row, column = divmod(square, puzzle.columns)
    x = box["x"] + (column + 0.5) * box["width"] / puzzle.columns
    return x, box["y"] + (row + 0.5) * box["height"] / puzzle.rows


def drag(page, piece, x, y):
    page.mouse.move(*centre(page, piece))
    page.mouse.down()
    page.mouse.move(x, y, steps=3)
    page.mouse.up()


def label(page, piece):
    return page.locator(f'[data-piece="{piece}"]').get_attribute("aria-label")


def rotation_of(page, piece):
    return int(re.search(r"turned (\d+) degrees", label(page, piece))[1]) // 90


def lay(page, puzzle, square, placed):
    """Drags a piece onto a square, near its middle, and turns it there by clicks."""
    x, y = middle_of(page, puzzle, square)
    drag(page, placed.piece, x + 9, y - 7)
    for _ in range((placed.rotation - rotation_of(page, placed.piece)) % 4):
        page.mouse.click(*centre(page, placed.piece))


def lay_all(page, puzzle, board):
    for square, placed in enumerate(board):
        lay(page, puzzle, square, placed)


def on_board(page, puzzle):
    """What lies on each square, as the page says to screen readers."""
    board = [None] * len(puzzle.board)
    for piece, text in enumerate(page.evaluate(LABELS)):
        number, where, degrees = re.fullmatch(r"piece (\d+), (.+), turned (\d+) degrees", text).groups()
        assert int(number) == piece + 1
        if where != "next to the board":
            board[puzzle.board.parse(where.removeprefix("on "))] = Placement(piece, int(degrees) // 90)
    return tuple(board)


def text(page, name):
    return page.locator(f"#{name}").text_content().replace("\u00a0", " ")


def badges(page):
    return page.locator("#badges li > span").all_text_contents()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def turned_board(board):
    """A square board after a quarter turn clockwise."""
    side = round(len(board) ** 0.5)
    squares = ((side - 1 - column) * side + row for row in range(side) for column in range(side))
    return tuple(Placement(board[square].piece, (board[square].rotation + 1) % 4) for square in squares)


def box_of(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def covers(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# The point on the screen under the number of a piece of a dissection, that of its origin, and that of another place.
POINTS = """([piece, place]) => {
    const own = state.places[piece];
    const [number] = pointsAt([data.numbers[piece].slice(0, 2)], own);
    return [number, [own.x, own.y], [place.x, place.y]].map(([x, y]) => {
        const at = new DOMPoint(x, y).matrixTransform(byId("pieces").getScreenCTM());
        return [at.x, at.y];
    });
}"""
# Whether a piece must be turned over for a place, and how many steps to the right it must be turned then.
_MOVES = """([piece, place]) => {
    const [own, steps] = [state.places[piece], 360 / data.step];
    const isOver = own.flip !== place.flip;
    const by = Math.round((place.turn - (isOver ? -own.turn : own.turn)) / data.step);
    return [isOver, ((by % steps) + steps) % steps];
}"""


def drag_to(page, piece, place, off=(0, 0)):
    """Drags a piece of a dissection near a place, and turns it by keys on the way."""
    (x, y), (own_x, own_y), (to_x, to_y) = page.evaluate(POINTS, [piece, place])
    is_over, steps = page.evaluate(_MOVES, [piece, place])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + to_x - own_x + off[0], y + to_y - own_y + off[1], steps=2)
    for key in ["f"] * is_over + ["r"] * steps:
        page.keyboard.press(key)
    page.mouse.up()
