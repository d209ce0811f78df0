"""Links of the community's board viewers (e2.bucas.name, eternity2.dev).

A link holds a board: ``board_w`` and ``board_h``, or ``puzzle_size``; ``board_edges``, four letters per square, row by
row, up, right, down, left, ``a`` for the border (and four of them for an empty square), ``b`` to ``z`` for the colours
1 to 25; and optionally ``board_pieces``, three digits per square, the piece's number from 1, or 000 for an empty
square.
"""

import re
import warnings
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isqrt
from urllib.parse import parse_qsl

from ..base.errors import InstanceError, shortened, told_of
from ..puzzles.board import BORDER, Arrangement, Board, Placement
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule, Sides
from .file_format import EDGES, refuse_form
from .recolor import find_renamings, least_turn, renamed, turns
from .sides import Reading
from .square_files import check_pieces, note_open_rim

MAX_COLOR, MAX_PIECE = 25, 999
# What messages call a link, and the parameters of a puzzle that make no difference to a board in one.
_LINK, _HELD = "a viewer link", ("rim", "turn")

_Shown = Sequence[Sides | None]
_NOT_ITS_NUMBERS = "omit board_pieces if the numbers are not those of this puzzle"


@dataclass(frozen=True)
class Link:
    """The contents of a link: the sides of each square, row by row (None if empty), and piece numbers from 1."""

    board: Board
    name: str
    sides: tuple[Sides | None, ...]
    numbers: tuple[int | None, ...]


def parse_link(text: str, label: str, told: Reading | None = None) -> Link:
    """The contents of a link; `label` names it in errors, `told` says in which order it lists the sides.

    Raises InstanceError if the link is incomplete or otherwise invalid.
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
    told = told or Reading()
    if told.border is not None:
        letter = told.border if re.fullmatch("[a-z]", told.border) else "a"
        told = replace(told, border=str(ord(letter) - ord("a")))
    sides = told.renumbered(zip(*[iter(colors)] * 4, strict=True), label)
    shown = tuple(square if any(square) else None for square in sides)
    return Link(board, fields.get("puzzle", ""), shown, _numbers(fields, shown, board, label))


def _fields(text: str, label: str) -> dict[str, str]:
    """The fields of a link, which may follow a ``#`` or a ``?``."""
    text = text.strip("\ufeff \t\r\n")
    if len(text.split()) > 1:
        raise InstanceError(
            f"{label}: a link must not contain white space; there is some after {text.split()[0][-20:]!r}"
        )
    front, _, fragment = text.replace("&amp;", "&").partition("#")
    text = re.sub(r"^[^=&]*\?", "", fragment if EDGES.search(fragment) else front)
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=100))
    except ValueError as error:
        raise InstanceError(f"{label}: the link has more fields than any viewer uses") from error


def _board(fields: dict[str, str], letters: int, label: str) -> Board:
    """The board of the given sizes; one that is missing follows from the number of letters, and so does a square."""
    sizes = []
    for names in (("board_h", "puzzle_size"), ("board_w", "puzzle_size")):
        name = next((name for name in names if name in fields), None)
        if name is not None and not re.fullmatch(r"[0-9]{1,6}", fields[name]):
            raise InstanceError(f"{label}: {name}: {shortened(fields[name])!r} is not a number of squares")
        sizes.append(None if name is None else int(fields[name]))
    rows, columns = sizes
    if rows is None and columns is None:
        rows = columns = isqrt(letters // 4)
    with told_of(label):
        if rows is None:
            return Board(letters // max(4 * (columns or 0), 1), columns or 0)
        return Board(rows, letters // max(4 * rows, 1) if columns is None else columns)


def _numbers(fields: dict[str, str], shown: Sequence[Sides | None], board: Board, label: str) -> tuple[int | None, ...]:
    digits = fields.get("board_pieces", "")
    if not digits:
        return (None,) * len(board)
    wrong = re.search(r"[^0-9]", digits)
    if wrong:
        raise InstanceError(
            f"{label}: board_pieces: character {wrong.start() + 1} is {wrong[0]!r}, which is not a digit"
        )
    if len(digits) != 3 * len(board):
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
            raise InstanceError(f"{label}: board_pieces: piece {number} is used twice, on {places}")
    return tuple(numbers)


class UnknownPiecesError(InstanceError):
    """A link to a board that is not full, without its puzzle."""


def puzzle_of(link: Link, label: str) -> EdgeMatchingPuzzle:
    """The puzzle whose pieces lie on a full board, numbered as in the link or else row by row.

    Raises UnknownPiecesError if squares are empty, so that some pieces are unknown, and InstanceError if the pieces are
    not numbered from 1 without gaps.
    """
    sides = [square for square in link.sides if square is not None]
    if len(sides) < len(link.sides):
        lacking = f"{len(link.sides) - len(sides)} of {len(link.sides)} squares are empty"
        raise UnknownPiecesError(
            f"{label}: {lacking}, so the puzzle's pieces are unknown; give the puzzle, and this link as its solution"
        )
    for square, number in enumerate(link.numbers):
        if number is not None and number > len(sides):
            what = f"{link.board.name(square)} has piece {number}, but the pieces must be numbered 1 to {len(sides)}"
            raise InstanceError(f"{label}: board_pieces: {what}; omit board_pieces to number them row by row")
    by_number = sorted(range(len(sides)), key=lambda square: link.numbers[square] or square)
    pieces = tuple(sides[square] for square in by_number)
    puzzle = EdgeMatchingPuzzle(link.board.rows, link.board.columns, pieces, name=link.name[:200] or "board")
    note_open_rim(puzzle, label)
    return puzzle


def arrangement_of(link: Link, puzzle: EdgeMatchingPuzzle, label: str) -> Arrangement:
    """The board that a link shows, as pieces and rotations of a puzzle.

    Letters may mean colours of another numbering: viewers number them in several ways.  The puzzle's own numbering is
    tried first; others are found from the pieces, their numbers, and the fixed pieces.  If most numbers are not those
    of the pieces shown, the pieces are found by their sides, with a warning.

    Raises InstanceError if the board has another size, no remaining piece looks like a square, the numbers are not
    those of the pieces shown, or the letters could mean several boards.
    """
    refuse_form(puzzle, _LINK, label, but=_HELD)
    if link.board != puzzle.board:
        sizes = f"a {link.board.rows}x{link.board.columns} board instead of a {puzzle.rows}x{puzzle.columns} board"
        raise InstanceError(f"{label}: {sizes}")
    try:
        return _placed(link, _in_its_colors(link, puzzle, label), puzzle)
    except InstanceError:
        if not any(link.numbers):
            raise
        with suppress(InstanceError):
            unnumbered = replace(link, numbers=(None,) * len(link.board))
            found = _placed(unnumbered, _in_its_colors(unnumbered, puzzle, label), puzzle)
            if _mostly_wrong(link.numbers, found, puzzle):
                what = (
                    f"board_pieces has other numbers than {shortened(puzzle.name)}; its pieces are found by their sides"
                )
                warnings.warn(f"{label}: {what}", UserWarning, stacklevel=2)
                return found
        raise


def _mostly_wrong(numbers: Sequence[int | None], board: Arrangement, puzzle: EdgeMatchingPuzzle) -> bool:
    """Whether most numbers are those of pieces that look otherwise than the pieces on their squares."""
    least = dict(enumerate(map(least_turn, puzzle.pieces), start=1))
    right = [
        placed is not None and least.get(number) == least[placed.piece + 1]
        for number, placed in zip(numbers, board, strict=True)
        if number is not None
    ]
    return 2 * sum(right) < len(right)


def _in_its_colors(link: Link, puzzle: EdgeMatchingPuzzle, label: str) -> _Shown:
    """The sides of the squares in the puzzle's colours."""
    high = next((square for square, number in enumerate(link.numbers) if (number or 0) > len(puzzle.pieces)), None)
    if high is not None:
        what = f"{link.board.name(high)} has piece {link.numbers[high]}, but the pieces are numbered 1 to"
        raise InstanceError(f"{label}: board_pieces: {what} {len(puzzle.pieces)}; {_NOT_ITS_NUMBERS}")
    misfit = _misfit(link.sides, puzzle)
    # The squares that do not show the pieces of their numbers.
    wrong = [
        square
        for square, (sides, number) in enumerate(zip(link.sides, link.numbers, strict=True))
        if sides is not None and number is not None and least_turn(sides) != least_turn(puzzle.pieces[number - 1])
    ]
    if misfit is None and not wrong:
        return link.sides
    boards, complete = _renamed_boards(link, puzzle)
    if len(boards) == 1 and complete:
        return boards[0]
    if boards or not complete:
        what = "the letters may mean this puzzle's colours in more than one way"
        numbered = "number the colours as the puzzle does: b is 1, c is 2, ..."
        raise InstanceError(f"{label}: board_edges: {what}; {numbered if any(link.numbers) else 'add board_pieces'}")
    if misfit is None:
        what = f"piece {link.numbers[wrong[0]]} does not have the sides of {link.board.name(wrong[0])} in board_edges"
        raise InstanceError(f"{label}: board_pieces: {what}; {_NOT_ITS_NUMBERS}")
    letters = "".join(chr(ord("a") + color) for color in link.sides[misfit] or ())
    what = (
        f"square {link.board.name(misfit)} ({letters}): no remaining piece of {shortened(puzzle.name)} has these sides"
    )
    renaming = "no renaming of the colours turns all squares into pieces"
    raise InstanceError(f"{label}: board_edges: {renaming}; without renaming, {what}")


def _misfit(shown: _Shown, puzzle: EdgeMatchingPuzzle) -> int | None:
    """The first square that shows none of the remaining pieces."""
    left = Counter(map(least_turn, puzzle.pieces))
    for square, sides in enumerate(shown):
        if sides is None:
            continue
        piece = least_turn(sides)
        if not left[piece]:
            return square
        left[piece] -= 1
    return None


def _renamed_boards(link: Link, puzzle: EdgeMatchingPuzzle) -> tuple[list[_Shown], bool]:
    """The sides of the squares under renamings that agree with the numbers, at most two; whether there are no others.

    Renamings for which the puzzle's fixed pieces are in place are preferred.
    """
    filled = {square: sides for square, sides in enumerate(link.sides) if sides is not None}
    numbers = link.numbers
    numbered = {square: turns(puzzle.pieces[number - 1]) for square, number in enumerate(numbers) if number is not None}
    fixed = {
        square: (puzzle.shown(Placement(piece, rotation)),)
        for square, piece, rotation in puzzle.fixed
        if square in filled and numbers[square] in (None, piece + 1)
    }
    boards: list[_Shown] = []
    complete = True
    for told in ({**numbered, **fixed}, numbered) if fixed else (numbered,):
        looks = [told.get(square, ()) for square in filled]
        found, complete = find_renamings(list(filled.values()), puzzle.pieces, looks)
        boards = [[sides and renamed(sides, renaming) for sides in link.sides] for renaming in found]
        if boards:
            break
    return boards, complete


def _placed(link: Link, shown: _Shown, puzzle: EdgeMatchingPuzzle) -> Arrangement:
    """Pieces for the squares: fixed ones in their places, numbered ones, then any that remain."""
    pieces = {square: number - 1 for square, number in enumerate(link.numbers) if number is not None}
    placed: dict[int, Placement] = {}
    for square, piece, rotation in puzzle.fixed:
        placement = Placement(piece, rotation)
        if shown[square] == puzzle.shown(placement) and pieces.get(square, piece) == piece:
            pieces[square], placed[square] = piece, placement
    left: dict[Sides, list[int]] = {}
    # Taken from the end: low numbers first, and the fixed pieces, which belong elsewhere, last.
    elsewhere = {fixed.piece for fixed in puzzle.fixed}
    for piece in sorted(set(range(len(puzzle.pieces))) - set(pieces.values()), key=lambda p: (p not in elsewhere, -p)):
        left.setdefault(least_turn(puzzle.pieces[piece]), []).append(piece)
    for square, sides in enumerate(shown):
        if sides is not None and square not in placed:
            piece = pieces[square] if square in pieces else left[least_turn(sides)].pop()
            placed[square] = Placement(piece, turns(puzzle.pieces[piece]).index(sides))
    return tuple(placed.get(square) for square in range(len(shown)))


def link_of(puzzle: EdgeMatchingPuzzle, board: Arrangement) -> str | None:
    """The link to a board; None if a link cannot represent it."""
    try:
        return format_link(puzzle, board, puzzle.name)
    except InstanceError:
        return None


def format_link(puzzle: EdgeMatchingPuzzle, arrangement: Arrangement | None, label: str) -> str:
    """The link to a board; without an arrangement, to the pieces laid out by number, not turned.

    Raises InstanceError if a link cannot represent the puzzle (connectors, more than 25 colours or 999 pieces, a piece
    with four border sides, gaps, ends that meet, mates, pieces that may be turned over); if the arrangement has a piece
    twice, or an unknown one; or, without an arrangement, if the puzzle has fixed or spare pieces, a coloured rim, or
    pieces that do not turn.
    """
    refuse_form(puzzle, _LINK, label, but=_HELD if arrangement is not None else ())
    if arrangement is None:
        if puzzle.fixed:
            raise InstanceError(
                f"{label}: a viewer link cannot represent fixed pieces; write the pieces only, or a solution"
            )
        if len(puzzle.pieces) > len(puzzle.board):
            spare = f"{len(puzzle.pieces)} pieces for {len(puzzle.board)} squares"
            raise InstanceError(f"{label}: a viewer link needs a piece for each square, but there are {spare}")
        arrangement = tuple(Placement(piece, 0) for piece in range(len(puzzle.board)))
    if puzzle.rule is not Rule.EQUAL:
        raise InstanceError(f"{label}: a viewer link cannot represent connectors")
    largest = max(color for sides in puzzle.pieces for color in sides)
    if largest > MAX_COLOR:
        raise InstanceError(f"{label}: colour {largest}: a viewer link can represent the colours 1 to {MAX_COLOR} only")
    if len(puzzle.pieces) > MAX_PIECE:
        raise InstanceError(f"{label}: {len(puzzle.pieces)} pieces: a viewer link can represent at most {MAX_PIECE}")
    if (BORDER,) * 4 in puzzle.pieces:
        number = puzzle.pieces.index((BORDER,) * 4) + 1
        raise InstanceError(f"{label}: piece {number}: in a viewer link, four border sides mean an empty square")
    with told_of(label):
        check_pieces(arrangement, puzzle.board, len(puzzle.pieces), "the board", once=True)
    sides = [(BORDER,) * 4 if placed is None else puzzle.shown(placed) for placed in arrangement]
    numbers = [0 if placed is None else placed.piece + 1 for placed in arrangement]
    edges = "".join(chr(ord("a") + color) for square in sides for color in square)
    pieces = "".join(f"{number:03}" for number in numbers)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", puzzle.name)
    size = f"board_w={puzzle.columns}&board_h={puzzle.rows}"
    return f"https://e2.bucas.name/#puzzle={name}&{size}&board_edges={edges}&board_pieces={pieces}"
