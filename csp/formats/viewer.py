"""Links of the community's board viewers (e2.bucas.name, eternity2.dev).

A link holds a board: ``board_w`` and ``board_h``, or ``puzzle_size``; ``board_edges``, four letters a square, row by
row, up, right, down, left, ``a`` for the border (and four of them for an empty square), ``b`` to ``z`` for the colours
1 to 25; and, if it likes, ``board_pieces``, three digits a square, the piece's number from 1, 000 on an empty square.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from urllib.parse import parse_qsl

from ..board import BORDER, Arrangement, Board, Placement, turned
from ..edge_matching import EdgeMatchingPuzzle, Rule, Sides
from ..errors import InstanceError, PuzzleError, shortened
from .recolor import find_renaming

MAX_COLOR, MAX_PIECE = 25, 999


@dataclass(frozen=True)
class Link:
    """What a link shows: the sides of each square, row by row (None where it is empty), and piece numbers from 1."""

    board: Board
    name: str
    sides: tuple[Sides | None, ...]
    numbers: tuple[int | None, ...]


def is_link(text: str) -> bool:
    """Whether a text is meant as a viewer link."""
    return "board_edges=" in text or re.match(r"\s*https?://", text) is not None


def parse_link(text: str, label: str) -> Link:
    """What a link shows; `label` names it in errors.

    Raises
    ------
    InstanceError
        If the link is cut short or otherwise none.
    """
    fields = _fields(text, label)
    edges = fields.get("board_edges", "")
    if not edges:
        raise InstanceError(f"{label}: board_edges is missing; the link shows no board")
    wrong = re.search(r"[^a-z]", edges)
    if wrong:
        place = f"character {wrong.start() + 1}"
        raise InstanceError(f"{label}: board_edges: {place} is {wrong[0]!r}, which is not a letter from a to z")
    board = _board(fields, len(edges), label)
    if len(edges) != 4 * len(board):
        wanted = f"{4 * len(board)}, 4 for each square of a {board.rows}x{board.columns} board"
        raise InstanceError(f"{label}: board_edges: {len(edges)} letters instead of {wanted}; is the link cut short?")
    colors = [ord(letter) - ord("a") for letter in edges]
    sides = [(up, right, down, left) for up, right, down, left in zip(*[iter(colors)] * 4, strict=True)]
    shown = tuple(square if any(square) else None for square in sides)
    return Link(board, fields.get("puzzle", ""), shown, _numbers(fields, shown, board, label))


def _fields(text: str, label: str) -> dict[str, str]:
    """The fields of a link, which may stand behind a ``#`` or a ``?``."""
    text = text.strip()
    if len(text.split()) > 1:
        raise InstanceError(f"{label}: a link has no white space, this one has after {text.split()[0][-20:]!r}")
    for mark in ("#", "?"):
        _, found, rest = text.partition(mark)
        text = rest if found and "board_edges=" in rest else text
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=100))
    except ValueError as error:
        raise InstanceError(f"{label}: a link with more fields than a viewer has") from error


def _board(fields: dict[str, str], letters: int, label: str) -> Board:
    sizes = []
    for names in (("board_h", "puzzle_size"), ("board_w", "puzzle_size")):
        name, text = next(((name, fields[name]) for name in names if name in fields), ("", ""))
        if name and not re.fullmatch(r"[0-9]{1,6}", text):
            raise InstanceError(f"{label}: {name}: {shortened(text)!r} is not a number of squares")
        sizes.append(int(text) if name else isqrt(letters // 4))
    try:
        return Board(*sizes)
    except PuzzleError as error:
        raise InstanceError(f"{label}: {error}") from error


def _numbers(fields: dict[str, str], shown: Sequence[Sides | None], board: Board, label: str) -> tuple[int | None, ...]:
    digits = fields.get("board_pieces", "")
    if not digits:
        return (None,) * len(board)
    if not re.fullmatch(r"[0-9]*", digits) or len(digits) != 3 * len(board):
        wanted = f"{3 * len(board)} digits, 3 for each square"
        raise InstanceError(f"{label}: board_pieces: {len(digits)} characters instead of {wanted}")
    numbers = [int(digits[start : start + 3]) or None for start in range(0, len(digits), 3)]
    seen: dict[int, int] = {}
    for square, number in enumerate(numbers):
        if (number is None) != (shown[square] is None):
            what = f"no letters there, but piece {number}" if number else "letters there, but no piece"
            raise InstanceError(f"{label}: board_pieces: {board.name(square)} has {what}")
        if number is not None and seen.setdefault(number, square) != square:
            places = f"{board.name(seen[number])} and on {board.name(square)}"
            raise InstanceError(f"{label}: board_pieces: piece {number} lies on {places}")
    return tuple(numbers)


def puzzle_of(link: Link, label: str) -> EdgeMatchingPuzzle:
    """The puzzle whose pieces lie on a full board, numbered as the link says or else row by row.

    Raises
    ------
    InstanceError
        If squares are empty: which pieces belong there is not to be known.
    """
    sides = [square for square in link.sides if square is not None]
    if len(sides) < len(link.sides):
        lacking = f"{len(link.sides) - len(sides)} of {len(link.sides)} squares are empty"
        raise InstanceError(
            f"{label}: {lacking}, so that the puzzle's pieces are not known; give the puzzle, and this as its solution"
        )
    by_number = sorted(range(len(sides)), key=lambda square: link.numbers[square] or square)
    pieces = tuple(sides[square] for square in by_number)
    return EdgeMatchingPuzzle(link.board.rows, link.board.columns, pieces, name=link.name[:200] or "board")


def arrangement_of(link: Link, puzzle: EdgeMatchingPuzzle, label: str) -> Arrangement:
    """The board that a link shows, as pieces and rotations of a puzzle.

    Letters may stand for other colours than the puzzle's: viewers number them in several ways.

    Raises
    ------
    InstanceError
        If the board has another size, or a square shows what no piece that is left looks like.
    """
    if link.board != puzzle.board:
        sizes = f"a {link.board.rows}x{link.board.columns} board for a {puzzle.rows}x{puzzle.columns} puzzle"
        raise InstanceError(f"{label}: {sizes}")
    shown = list(link.sides)
    known = {turned(sides, turn) for sides in puzzle.pieces for turn in range(4)}
    if any(sides is not None and sides not in known for sides in shown):
        renaming = find_renaming([sides for sides in shown if sides is not None], puzzle.pieces)
        if renaming is not None:
            shown = [None if sides is None else _renamed(sides, renaming) for sides in shown]
    return _placed(link, shown, puzzle, label)


def _renamed(sides: Sides, renaming: dict[int, int]) -> Sides:
    up, right, down, left = (renaming[color] for color in sides)
    return up, right, down, left


def _placed(link: Link, shown: list[Sides | None], puzzle: EdgeMatchingPuzzle, label: str) -> Arrangement:
    left: dict[Sides, list[Placement]] = {}
    for piece in range(len(puzzle.pieces)):
        for turn in range(4):
            placement = Placement(piece, turn)
            left.setdefault(puzzle.shown(placement), []).append(placement)
    used: set[int] = set()
    arrangement: list[Placement | None] = []
    for square, sides in enumerate(shown):
        fitting = [placement for placement in left.get(sides, ()) if placement.piece not in used] if sides else []
        if sides is not None and not fitting:
            letters = "".join(chr(ord("a") + color) for color in link.sides[square] or ())
            reason = "no piece that is left looks like that" if sides in left else "no piece looks like that"
            raise InstanceError(f"{label}: square {link.board.name(square)} ({letters}): {reason} in {puzzle.name}")
        wanted = [placement for placement in fitting if placement.piece + 1 == link.numbers[square]]
        chosen = (wanted or fitting or [None])[0]
        arrangement.append(chosen)
        if chosen is not None:
            used.add(chosen.piece)
    return tuple(arrangement)


def format_link(puzzle: EdgeMatchingPuzzle, arrangement: Arrangement | None, label: str) -> str:
    """The link to a board; without an arrangement, to the pieces laid out by number, not turned.

    Raises
    ------
    InstanceError
        If the puzzle has what a link cannot hold: connectors, more than 25 colours or 999 pieces, a piece with four
        border sides; or, without an arrangement, fixed or spare pieces.
    """
    if arrangement is None:
        if puzzle.fixed:
            raise InstanceError(
                f"{label}: a viewer link cannot hold fixed pieces; write the pieces only, or a solution"
            )
        if len(puzzle.pieces) > len(puzzle.board):
            spare = f"{len(puzzle.pieces)} pieces for {len(puzzle.board)} squares"
            raise InstanceError(f"{label}: a viewer link holds a board, and there are {spare}")
        arrangement = tuple(Placement(piece, 0) for piece in range(len(puzzle.board)))
    sides = [(BORDER,) * 4 if placed is None else puzzle.shown(placed) for placed in arrangement]
    numbers = [0 if placed is None else placed.piece + 1 for placed in arrangement]
    _check_fits(puzzle, label)
    edges = "".join(chr(ord("a") + color) for square in sides for color in square)
    pieces = "".join(f"{number:03}" for number in numbers)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", puzzle.name)
    size = f"board_w={puzzle.columns}&board_h={puzzle.rows}"
    return f"https://e2.bucas.name/#puzzle={name}&{size}&board_edges={edges}&board_pieces={pieces}"


def _check_fits(puzzle: EdgeMatchingPuzzle, label: str) -> None:
    if puzzle.rule is not Rule.EQUAL:
        raise InstanceError(f"{label}: a viewer link holds colours and no connectors")
    largest = max(color for sides in puzzle.pieces for color in sides)
    if largest > MAX_COLOR:
        raise InstanceError(f"{label}: colour {largest}: a viewer link holds the colours 1 to {MAX_COLOR} only")
    if len(puzzle.pieces) > MAX_PIECE:
        raise InstanceError(f"{label}: {len(puzzle.pieces)} pieces: a viewer link holds {MAX_PIECE} at most")
    if (BORDER,) * 4 in puzzle.pieces:
        number = puzzle.pieces.index((BORDER,) * 4) + 1
        raise InstanceError(f"{label}: piece {number}: a viewer link takes four border sides for an empty square")
