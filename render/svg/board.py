"""Pictures of boards, of search orders as paths over them, and of sets of pieces."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from math import ceil, sqrt
from xml.etree import ElementTree as ET

from ...csp.base.errors import InstanceError, plural
from ...csp.puzzles.board import BORDER, TURNED_OVER, Board, Placement, left_over, letters, opposite
from ...csp.puzzles.check_board import Verdict, check
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule, Sides, filled_fact
from .palette import hex_color, looks
from .svg import (
    CELL,
    CHARACTER,
    DARK,
    DIGIT_HEIGHT,
    MARGIN,
    OVER,
    RED,
    Frame,
    Line,
    add_piece,
    centre,
    completed,
    define_looks,
    define_pieces,
    drawing,
    element,
    finished,
    listed,
    moved,
    number_layer,
    over_layer,
    short,
)

_LETTER_SIZE = 30
#: The sides that each square shows, None for an empty one.
Shown = Sequence[Sides | None]


def draw_board(
    puzzle: EdgeMatchingPuzzle,
    arrangement: Sequence[Placement | None],
    *,
    numbers: bool = True,
    order: Sequence[int] | None = None,
    order_name: str = "as given",
    legend: bool = False,
) -> str:
    """Draw a board, full, partial or invalid, as an SVG; raises the errors of `refuse_unknown`.

    Numbers are those of pieces, names of empty squares, or depths of a search order, which is drawn over the paled
    board.  The legend has the colours of the puzzle with their numbers.
    """
    refuse_unknown(puzzle, arrangement)
    shown = [None if placement is None else puzzle.shown(placement) for placement in arrangement]
    is_full = order is None and None not in arrangement
    spare = left_over(arrangement, len(puzzle.pieces)) if is_full else ()
    if len(spare) > puzzle.rows:
        spare = ()
    root = drawing(puzzle.name)
    look_of = looks(puzzle)
    drawn = [*shown, *(puzzle.pieces[piece] for piece in spare)]
    define_looks(root, look_of.values() if legend else (look_of[side] for sides in drawn if sides for side in sides))
    frame = board_frame(puzzle)
    board = element(root, "g", class_="board", transform=moved(frame.left, frame.top))
    add_grid(board, puzzle)
    squares = board if order is None else element(board, "g", opacity="0.45")
    _add_squares(squares, puzzle, arrangement, shown, numbers=numbers and order is None)
    lines: list[Line] = []
    if any(arrangement) or order is None:
        verdict = check(puzzle, arrangement)
        lines += _facts(puzzle, verdict)
        add_marks(board, puzzle, arrangement, shown, verdict)
    if order is not None:
        add_order(board, puzzle, order, numbers=numbers)
        lines.append(Line(order_caption(puzzle, order, order_name)))
    if spare:
        _add_spare(board, puzzle, spare, frame.width, numbers=numbers)
        frame = frame._replace(width=frame.width + 1.5 * CELL)
        some = ", ".join(str(piece + 1) for piece in spare)
        lines.append(Line(f"left over, beside the board: {'piece' if len(spare) == 1 else 'pieces'} {some}"))
    return completed(root, puzzle, lines, frame, legend=legend)


def _add_spare(
    board: ET.Element, puzzle: EdgeMatchingPuzzle, spare: Sequence[int], width: float, *, numbers: bool
) -> None:
    """Add the pieces that are left over, in rotation 0 below each other, at the right of the board."""
    layer = element(board, "g", class_="spare")
    labels, down = number_layer(board, len(puzzle.pieces))
    for number, piece in enumerate(spare):
        x, y = width + CELL, CELL * (0.5 + number)
        sides = puzzle.pieces[piece]
        add_piece(layer, x, y, sides, looks(puzzle), f"piece {piece + 1}, left over, sides {listed(puzzle, sides)}")
        if numbers:
            element(labels, "text", str(piece + 1), x=x, y=y + down)


def draw_boards(
    puzzle: EdgeMatchingPuzzle, arrangements: Sequence[Sequence[Placement | None]], *, numbers: bool = True
) -> str:
    """Draw several boards beside and below each other, with numbers from 1; raises the errors of `refuse_unknown`."""
    for arrangement in arrangements:
        refuse_unknown(puzzle, arrangement)
    root, frame, many = drawing(puzzle.name), board_frame(puzzle), len(arrangements)
    define_looks(root, looks(puzzle).values())
    step_x, step_y = frame.left + frame.width + CELL / 2, frame.top + frame.height + CELL
    columns = min(max(ceil(sqrt(many * step_y / step_x)), 1), many)
    captions = element(root, "g", class_="captions", font_size=_LETTER_SIZE, fill=DARK, text_anchor="middle")
    for number, arrangement in enumerate(arrangements):
        x, y = frame.left + number % columns * step_x, frame.top + number // columns * step_y
        board = element(root, "g", class_="board", transform=moved(x, y))
        add_grid(board, puzzle)
        shown = [None if placement is None else puzzle.shown(placement) for placement in arrangement]
        _add_squares(board, puzzle, arrangement, shown, numbers=numbers)
        add_marks(board, puzzle, arrangement, shown, check(puzzle, arrangement))
        below = y + frame.height + 1.5 * _LETTER_SIZE
        element(captions, "text", str(number + 1), x=x + frame.width / 2, y=below)
    rows = ceil(many / columns)
    area = Frame(frame.left, frame.top, columns * step_x - frame.left - CELL / 2, rows * step_y - frame.top)
    return completed(root, puzzle, [Line(plural(many, "board", str)), *form_facts(puzzle)], area, legend=False)


def refuse_unknown(puzzle: EdgeMatchingPuzzle, arrangement: Sequence[Placement | None]) -> None:
    """Raise InstanceError if a board has a wrong number of squares, or a piece or a rotation that does not exist."""
    board, last = puzzle.board, len(puzzle.pieces)
    if len(arrangement) != len(board):
        raise InstanceError(f"{len(arrangement)} squares given for a {board.rows}x{board.columns} board")
    for square, placement in enumerate(arrangement):
        if placement is None:
            continue
        if not 0 <= placement.piece < last:
            why = f"there is no piece {placement.piece + 1}; pieces are numbered 1 to {last}"
            raise InstanceError(f"{board.name(square)}: {why}")
        if placement.rotation not in range(8 if puzzle.flip else 4):
            several = "from 0 to 7" if puzzle.flip else "0, 1, 2 or 3"
            raise InstanceError(f"{board.name(square)}: rotation {placement.rotation}; must be {several}")


def board_frame(puzzle: EdgeMatchingPuzzle) -> Frame:
    """The frame of a board's picture, with room for the names of rows and columns."""
    left = _LETTER_SIZE * (1 + 0.75 * len(letters(puzzle.rows - 1)))
    return Frame(left, 1.7 * _LETTER_SIZE, CELL * puzzle.columns, CELL * puzzle.rows)


def add_grid(board: ET.Element, puzzle: EdgeMatchingPuzzle) -> None:
    """Add the pale background of the squares, their lines, the letters of the rows and the numbers of the columns."""
    left, _, width, height = board_frame(puzzle)
    if puzzle.board.shape:
        d = "".join(f"M{CELL * column} {CELL * row}h{CELL}v{CELL}h-{CELL}z" for row, column in puzzle.board.places)
        element(board, "path", class_="empty", d=d, fill="#f6f4ee", stroke="#c9c6bd", stroke_width=2)
    else:
        lines = [f"M{CELL * column} 0V{height}" for column in range(puzzle.columns + 1)]
        lines += [f"M0 {CELL * row}H{width}" for row in range(puzzle.rows + 1)]
        element(board, "rect", class_="empty", width=width, height=height, fill="#f6f4ee")
        element(board, "path", class_="grid", d="".join(lines), stroke="#c9c6bd", stroke_width=2)
    _add_rim(board, puzzle)
    names = element(board, "g", class_="names", font_size=_LETTER_SIZE, fill=DARK, text_anchor="middle")
    for column in range(puzzle.columns):
        element(names, "text", str(column + 1), x=CELL * (column + 0.5), y=-_LETTER_SIZE / 2)
    for row in range(puzzle.rows):
        down = _LETTER_SIZE * DIGIT_HEIGHT / 2
        element(names, "text", letters(row), x=-left / 2, y=CELL * (row + 0.5) + down)


# The distance of what is drawn along the border of the board from the sides there, and how wide it is.
_RIM_AWAY, _RIM_WIDTH = 7, 7
# From the centre of a square to the middle of a side, and along the side.
_OUT, _ALONG = ((0, -1), (1, 0), (0, 1), (-1, 0)), ((1, 0), (0, 1), (1, 0), (0, 1))


def _add_rim(board: ET.Element, puzzle: EdgeMatchingPuzzle) -> None:
    """Add the colour of the rim along the border, and dashed lines at the ends that meet."""
    if puzzle.is_classic:
        return
    rim, ends = [], []
    for square in range(len(puzzle.board)):
        for side in range(4):
            neighbour = puzzle.board.neighbour(square, side)
            if neighbour is None:
                rim.append(_side_path(puzzle.board, square, side, _RIM_AWAY))
            elif not _is_beside(puzzle.board, square, side, neighbour):
                ends.append(_side_path(puzzle.board, square, side, _RIM_AWAY))
    style: dict[str, str | float] = {"fill": "none", "stroke_width": _RIM_WIDTH}
    if rim and isinstance(puzzle.rim, int) and not puzzle.is_framed:
        line = element(
            board, "path", class_="rim", d="".join(rim), stroke=looks(puzzle)[puzzle.rim].background, **style
        )
        element(line, "title", f"the outer sides show {puzzle.color_name(puzzle.rim)}")
    if ends:
        line = element(board, "path", class_="ends", d="".join(ends), stroke=DARK, stroke_dasharray="3 7", **style)
        element(line, "title", "these ends meet")


def _side_path(board: Board, square: int, side: int, away: float = 0, half: float = CELL / 2) -> str:
    """A line along a side of a square, at a distance from it; `half` is half its length."""
    x, y = centre(square, board)
    (out_x, out_y), (along_x, along_y) = _OUT[side], _ALONG[side]
    x, y = x + out_x * (CELL / 2 + away), y + out_y * (CELL / 2 + away)
    return f"M{short(x - along_x * half)} {short(y - along_y * half)}{'h' if along_x else 'v'}{short(2 * half)}"


def _is_beside(board: Board, square: int, side: int, neighbour: int) -> bool:
    """Whether the square across a side lies beside the square in the picture, not at the other end of the board."""
    (row, column), (x, y) = board.place(square), _OUT[side]
    return board.place(neighbour) == (row + y, column + x)


def _add_squares(
    board: ET.Element,
    puzzle: EdgeMatchingPuzzle,
    arrangement: Sequence[Placement | None],
    shown: Shown,
    *,
    numbers: bool,
) -> None:
    look_of = looks(puzzle)
    pieces = element(board, "g", class_="pieces")
    labels, down = number_layer(board, len(puzzle.pieces))
    over = over_layer(board) if puzzle.flip else board
    names = element(board, "g", class_="squares", font_size=20, fill="#8a877e", text_anchor="middle")
    for square, (placement, sides) in enumerate(zip(arrangement, shown, strict=True)):
        x, y = centre(square, puzzle.board)
        name = puzzle.board.name(square)
        if placement is not None and sides is not None:
            turned_over = ", turned over" * (placement.rotation >= TURNED_OVER)
            rotation = f"rotation {placement.rotation}{turned_over}"
            title = f"{name}: piece {placement.piece + 1}, {rotation}, sides {listed(puzzle, sides)}"
            add_piece(pieces, x, y, sides, look_of, title)
            if placement.rotation >= TURNED_OVER:
                element(over, "path", d=OVER, transform=moved(x, y))
            if numbers:
                element(labels, "text", str(placement.piece + 1), x=x, y=y + down)
        elif numbers:
            element(names, "text", name, x=x, y=y + 20 * DIGIT_HEIGHT / 2)


def _facts(puzzle: EdgeMatchingPuzzle, verdict: Verdict) -> list[Line]:
    """The lines of the caption of a board; problems are on a separate line."""
    fact = f"{filled_fact(puzzle, verdict.placed)}, score {verdict.score} of {verdict.max_score}"
    problems = [
        plural(len(found), word, str)
        for found, word in ((verdict.invalid_joins, "invalid join"), (verdict.faults, "fault"))
        if found
    ]
    lines = [Line(fact if verdict.invalid_joins else f"{fact}, no invalid joins")]
    lines += form_facts(puzzle)
    return [*lines, Line(", ".join(problems), "problem")] if problems else lines


def form_facts(puzzle: EdgeMatchingPuzzle) -> list[Line]:
    """What makes the puzzle other than classic, if anything does."""
    return [Line(puzzle.form)] if puzzle.form else []


_FAULTY = {"stroke": RED, "stroke_dasharray": "14 8"}


def add_marks(
    board: ET.Element,
    puzzle: EdgeMatchingPuzzle,
    arrangement: Sequence[Placement | None],
    shown: Shown,
    verdict: Verdict,
) -> None:
    """Add frames around fixed pieces and on squares with faults, and bars on joins whose sides do not match."""
    marks = element(board, "g", class_="marks", fill="none")
    for square, *placement in puzzle.fixed:
        if arrangement[square] == tuple(placement):
            add_frame(marks, *centre(square, puzzle.board), "fixed", f"{puzzle.board.name(square)}: fixed")
    for fault in verdict.faults:
        add_frame(marks, *centre(puzzle.board.parse(fault.square), puzzle.board), "fault", str(fault))
    # All casings lie below all bars, so that adjacent bars do not cut each other.
    bars = []
    half = 38 * CELL // 100
    for join in puzzle.board.joins():
        first, second = shown[join.first], shown[join.second]
        if first is None or second is None:
            continue
        here, there = first[join.side], second[opposite(join.side)]
        if here == BORDER or here != puzzle.mate(there):
            bars.append(_side_path(puzzle.board, join.first, join.side, half=half))
            if not _is_beside(puzzle.board, join.first, join.side, join.second):
                bars.append(_side_path(puzzle.board, join.second, opposite(join.side), half=half))
    for name, color, width in (("casing", "#fff", 25), ("mismatch", RED, 13)):
        group = element(marks, "g", stroke=color, stroke_width=width, stroke_linecap="round")
        for bar in bars:
            element(group, "path", class_=name, d=bar)


def add_frame(parent: ET.Element, x: float, y: float, kind: str, title: str) -> None:
    """Add a frame: black on white around fixed pieces, dashed red on white inside squares with faults."""
    frame = element(parent, "g", class_=kind, fill="none")
    element(frame, "title", title)
    reach, style = (CELL / 2, {"stroke": DARK}) if kind == "fixed" else (0.41 * CELL, _FAULTY)
    place = {"x": x - reach, "y": y - reach, "width": 2 * reach, "height": 2 * reach}
    element(frame, "rect", **place, stroke="#fff", stroke_width=13)
    element(frame, "rect", **place, stroke_width=6, **style)


#: The distance between the left sides of neighbouring pieces.
_PITCH = 1.25 * CELL


def draw_pieces(puzzle: EdgeMatchingPuzzle, *, numbers: bool = True, legend: bool = False) -> str:
    """Draw all pieces of a puzzle in rotation 0, in the order of their numbers, as an SVG."""
    root = drawing(puzzle.name)
    look_of = looks(puzzle)
    define_looks(root, look_of.values())
    count = len(puzzle.pieces)
    columns = ceil(sqrt(count))
    sheet = element(root, "g", class_="pieces", transform=moved(MARGIN, MARGIN))
    places = [(CELL / 2 + number % columns * _PITCH, CELL / 2 + number // columns * _PITCH) for number in range(count)]
    for number, (sides, (x, y)) in enumerate(zip(puzzle.pieces, places, strict=True), start=1):
        add_piece(sheet, x, y, sides, look_of, f"piece {number}, sides {listed(puzzle, sides)}")
    if numbers:
        layer, down = number_layer(sheet, count)
        for number, (x, y) in enumerate(places, start=1):
            element(layer, "text", str(number), x=x, y=y + down)
    for fixed in puzzle.fixed:
        title = f"piece {fixed.piece + 1} is fixed on {puzzle.board.name(fixed.square)}"
        add_frame(sheet, *places[fixed.piece], "fixed", title)
    fact = f"{plural(count, 'piece', str)}, {kinds_fact(puzzle)}"
    frame = Frame(MARGIN, MARGIN, places[columns - 1][0] + CELL / 2, places[-1][1] + CELL / 2)
    return completed(root, puzzle, [Line(fact), *form_facts(puzzle)], frame, legend=legend)


def kinds_fact(puzzle: EdgeMatchingPuzzle) -> str:
    """The number of colours, or of connectors of a jigsaw."""
    kinds = len({abs(side) for sides in puzzle.pieces for side in sides} - {BORDER})
    return plural(kinds, "connector" if puzzle.rule is Rule.OPPOSITE else "colour", str)


# From early to late: hues from dark blue to light orange, whose order is visible without colour vision, too.
_STOPS = ((23, 28, 120), (110, 20, 160), (190, 50, 120), (236, 100, 70), (250, 165, 40))
_SHADES = 60


def order_caption(puzzle: EdgeMatchingPuzzle, order: Sequence[int], name: str) -> str:
    """The caption of a search order."""
    fixed, path = _split(puzzle, order)
    ends = [f"{puzzle.board.name(path[end])} ({mark})" for end, mark in ((0, "circle"), (-1, "square")) if path]
    after = f"after {len(fixed)} fixed {'square (dot)' if len(fixed) == 1 else 'squares (dots)'}" if fixed else ""
    return " ".join(filter(None, (f"search order {name}:", "from " * bool(path) + " to ".join(ends), after)))


def _split(puzzle: EdgeMatchingPuzzle, order: Sequence[int]) -> tuple[list[int], list[int]]:
    """The fixed squares of an order, and the other ones, through which its path runs."""
    fixed = {fixed.square for fixed in puzzle.fixed}
    return [square for square in order if square in fixed], [square for square in order if square not in fixed]


def add_order(parent: ET.Element, puzzle: EdgeMatchingPuzzle, order: Sequence[int], *, numbers: bool = True) -> None:
    """Add the path of a search order: dots for fixed squares, and a line from a circle to a square through others."""
    fixed, path = _split(puzzle, order)
    layer = element(parent, "g", class_="order", fill="none", stroke_linecap="round", stroke_linejoin="round")
    _add_lines(layer, path, puzzle.board)
    for square in fixed:
        x, y = centre(square, puzzle.board)
        element(layer, "circle", class_="fixed", cx=x, cy=y, r=17, fill=DARK, stroke="#fff", stroke_width=5)
    if path:
        style = {"fill": "#fff", "stroke_width": 10}
        x, y = centre(path[0], puzzle.board)
        element(layer, "circle", class_="start", cx=x, cy=y, r=20, stroke=_shade(0), **style)
        x, y = centre(path[-1], puzzle.board)
        element(layer, "rect", class_="end", x=x - 18, y=y - 18, width=36, height=36, stroke=_shade(1), **style)
    if numbers:
        _add_depths(parent, order, puzzle.board)


def _add_lines(layer: ET.Element, path: Sequence[int], board: Board) -> None:
    """Add the steps, coloured by depth: solid to adjacent squares, thin and dashed to others, which lie below."""
    steps = []
    for number, (first, second) in enumerate(pairwise(path)):
        far = max(abs(a - b) for a, b in zip(board.place(first), board.place(second), strict=True))
        steps.append((far <= 1, number * _SHADES // len(path), first, second))
    for near in (False, True):
        style = {"stroke_width": "11"} if near else {"stroke_width": "4", "stroke_dasharray": "3 11"}
        group = element(layer, "g", class_="steps" if near else "jumps", **style)
        for (is_near, shade), run in groupby(steps, key=lambda step: step[:2]):
            if is_near == near:
                points = [(first, second) for _, _, first, second in run]
                squares = points[0][0], *(second for _, second in points)
                line = "M" + "L".join(" ".join(map(short, centre(square, board))) for square in squares)
                element(group, "path", d=line, stroke=_shade(shade / _SHADES))


def _shade(part: float) -> str:
    place = part * (len(_STOPS) - 1)
    stop = min(int(place), len(_STOPS) - 2)
    weight = place - stop
    return hex_color(a + (b - a) * weight for a, b in zip(_STOPS[stop], _STOPS[stop + 1], strict=True))


def _add_depths(parent: ET.Element, order: Sequence[int], board: Board) -> None:
    """Add the depth of each square in its upper right corner.

    Diagonals of a named order pass there only where it steps around a fixed piece.
    """
    size = min(24, (CELL / 2 - 10) / (len(str(len(order))) * CHARACTER))
    layer = element(
        parent, "g", class_="depths", font_size=size, text_anchor="end", fill="#333", stroke="#fff",
        stroke_width=size / 5, paint_order="stroke",
    )  # fmt: skip
    for depth, square in enumerate(order, start=1):
        x, y = centre(square, board)
        element(layer, "text", str(depth), x=x + CELL / 2 - 5, y=y - CELL / 2 + 6 + size * DIGIT_HEIGHT)


# The size of a square in pixels, before a page sets the size of the picture.
_PAGE_SQUARE = 60


def empty_board(puzzle: EdgeMatchingPuzzle, order: Sequence[int]) -> str:
    """The empty board with its order, and definitions of all pieces in rotation 0."""
    root = drawing(puzzle.name)
    root.set("id", "picture")
    define_pieces(root, puzzle)
    frame = board_frame(puzzle)
    board = element(root, "g", transform=moved(frame.left, frame.top))
    add_grid(board, puzzle)
    # The layers that the script fills, from bottom to top, and the order, which it shows or hides.
    element(board, "g", id="pieces")
    numbers, down = number_layer(board, len(puzzle.pieces))
    numbers.set("id", "numbers")
    numbers.set("data-down", f"{down:.2f}")
    if puzzle.flip:
        over_layer(board).set("id", "over")
    names = element(board, "g", id="names", font_size=20, fill="#8a877e", text_anchor="middle")
    names.set("data-down", "7.2")
    for layer in ("marks", "veils"):
        element(board, "g", id=layer)
    add_order(element(board, "g", id="order"), puzzle, order)
    for layer in ("frames", "targets"):
        element(board, "g", id=layer)
    return finished(root, frame.left + frame.width + MARGIN, frame.top + frame.height + MARGIN, _PAGE_SQUARE / CELL)
