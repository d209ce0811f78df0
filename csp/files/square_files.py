"""Puzzles of squares and their boards in files: reading and writing; pieces are numbered from 1 there.

`dissection_files` has the same functions for dissections; `instances.files_of` says which of the two a puzzle needs.
"""

import json
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from numbers import Number
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.errors import PuzzleError, plural, shortened, told_of
from ..base.strict_json import ItemNames, block, validated
from ..puzzles.board import BORDER, PIECE_CLASSES, SIDE_NAMES, Arrangement, Board, Placement, border_class
from ..puzzles.edge_matching import ANY, EdgeMatchingPuzzle, Fixed, PuzzleBoard, Rule, board_of, exact_board

if TYPE_CHECKING:
    # Files are read without NumPy, which takes a tenth of a second to load.
    import numpy as np
    from numpy.typing import NDArray

    from .schemas import InstanceFile

ITEM_NAMES: ItemNames = {
    "pieces": ("piece", tuple(f"{side} side" for side in SIDE_NAMES)),
    "solutions": ("solution",),
    "assemblies": ("assembly",),
}
#: The formats of puzzles and of boards.
FORMATS = ("json", "text", "csv", "url")
#: What errors call a solution.
SOLUTION = "a board"
# The largest numbers of characters: of a square with its indentation, and of blanks in an entry.
_MOST_SQUARE, _MOST_BLANKS = 256, 2**16


def item_names(data: Any) -> ItemNames:
    """What errors call the items of fields in these data."""
    return ITEM_NAMES


def plain(data: dict[str, Any]) -> Any:
    """The file that validation returns for data that are known to be right."""
    from .sides import with_plain_pieces

    usual = {
        "source": "", "squares": (), "wrap": "none", "rim": None, "turn": True, "flip": False, "mates": {},
        "fixed": (), "known": {}, "assemblies": (), "forms": {}, "words": {}, "doubts": (),
    }  # fmt: skip
    fields = {**usual, **with_plain_pieces(data)}
    return SimpleNamespace(**{**fields, "fixed": [SimpleNamespace(**entry) for entry in fields["fixed"]]})


def puzzle_from(file: "InstanceFile", known: dict[str, Any], label: str, told: Any) -> EdgeMatchingPuzzle:
    """The puzzle in a file that was validated; `told` is the `Reading` of its sides, None for the usual one."""
    board = Board(file.rows, file.columns, tuple(file.squares), file.wrap)
    assemblies = [arrangement_from_rows(rows, board, f"assembly {i}") for i, rows in enumerate(file.assemblies, 1)]
    flip = _for_each(file, "flip")
    for number, assembly in enumerate(assemblies, start=1):
        check_pieces(assembly, board, len(file.pieces), f"assembly {number}", flips=bool(flip), once=True, full=True)
    pieces: Any = map(tuple, file.pieces) if told is None else told.renumbered(file.pieces, label)
    puzzle = EdgeMatchingPuzzle(
        rows=file.rows,
        columns=file.columns,
        pieces=tuple(pieces),
        rule=Rule(file.kind),
        fixed=tuple(Fixed(board.parse(entry.square), entry.piece - 1, entry.rotation) for entry in file.fixed),
        name=file.name,
        source=file.source,
        known=known,
        assemblies=tuple(assemblies),
        rim=file.rim,
        turn=_for_each(file, "turn"),
        flip=flip,
        squares=tuple(file.squares),
        wrap=file.wrap,
        mates={int(one): other for one, other in file.mates.items() if isinstance(other, int)},
        color_names=file.words,
    )
    for doubt in file.doubts:
        warnings.warn(f"{label}: {doubt}", UserWarning, stacklevel=4)
    if file.rim is None:
        note_open_rim(puzzle, label)
    return puzzle


def note_open_rim(puzzle: EdgeMatchingPuzzle, label: str) -> None:
    """Note that the rim may show anything, for a file that does not mention its rim."""
    if puzzle.rim != ANY or all(puzzle.board.border_mask(square) == 0 for square in range(len(puzzle.board))):
        return
    note = "no side is 0, the border, so the outer sides may show anything"
    needed = Counter(map(puzzle.board.square_class, range(len(puzzle.board))))
    border = next(_borders(puzzle, needed), None) if puzzle.board.is_plain else None
    hint = "" if border is None else f"; with --border {border} the pieces would fill a frame"
    warnings.warn(f"{label}: {note}{hint}", UserWarning, stacklevel=4)


def _for_each(file: "InstanceFile", name: str) -> bool | tuple[bool, ...]:
    """Whether pieces may be turned, or turned over: one value for all, or one for each."""
    usual: bool = getattr(file, name)
    special = {number: value for number, form in file.forms.items() if (value := getattr(form, name)) is not None}
    if not special:
        return usual
    return tuple(special.get(number, usual) for number in range(len(file.pieces)))


# What the parameters of a puzzle's form usually are.
_USUAL = {"squares": (), "wrap": "none", "rim": BORDER, "turn": True, "flip": False, "mates": ()}


def essence(puzzle: EdgeMatchingPuzzle) -> dict[str, Any]:
    """What defines the puzzle."""
    return {
        "kind": puzzle.kind,
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "pieces": puzzle.pieces,
        "fixed": sorted((puzzle.board.name(square), piece + 1, rotation) for square, piece, rotation in puzzle.fixed),
        **{name: getattr(puzzle, name) for name, usual in _USUAL.items() if getattr(puzzle, name) != usual},
    }


def lines(puzzle: EdgeMatchingPuzzle) -> list[str]:
    """The lines of an instance file after those of name and source."""
    found = [f'  "rows": {puzzle.rows}, "columns": {puzzle.columns},']
    name = puzzle.color_name
    if puzzle.squares:
        found.append(block("squares", list(map(json.dumps, puzzle.squares))) + ",")
    if puzzle.wrap != "none":
        found.append(f'  "wrap": "{puzzle.wrap}",')
    # Without a side 0, the rim is not 0 by itself.
    if puzzle.rim != BORDER or not any(BORDER in sides for sides in puzzle.pieces):
        rim = _written(puzzle, puzzle.rim) if isinstance(puzzle.rim, int) else puzzle.rim
        found.append(f'  "rim": {json.dumps(rim, ensure_ascii=False)},')
    if puzzle.turn is False:
        found.append('  "turn": false,')
    if puzzle.flip is True:
        found.append('  "flip": true,')
    if puzzle.mates:
        mates = {name(one): _written(puzzle, other) for one, other in dict(puzzle.mates).items() if one != other}
        found.append(f'  "mates": {json.dumps(mates, ensure_ascii=False)},')
    if puzzle.fixed:
        entries = [
            {"square": puzzle.board.name(square), "piece": piece + 1, "rotation": rotation}
            for square, piece, rotation in puzzle.fixed
        ]
        found.append(block("fixed", list(map(json.dumps, entries))) + ",")
    if puzzle.known:
        found.append(f'  "known": {json.dumps(dict(puzzle.known), ensure_ascii=False)},')
    if puzzle.assemblies:
        boards = [json.dumps(board_rows(board, puzzle.board)) for board in puzzle.assemblies]
        found.append(block("assemblies", boards) + ",")
    return [*found, block("pieces", [_piece_text(puzzle, piece) for piece in range(len(puzzle.pieces))])]


def _written(puzzle: EdgeMatchingPuzzle, side: int) -> int | str:
    """A colour as files have it: its word, or its number."""
    word = puzzle.color_names.get(side, side)
    return BORDER if word == str(BORDER) else word


def _piece_text(puzzle: EdgeMatchingPuzzle, piece: int) -> str:
    sides = [_written(puzzle, side) for side in puzzle.pieces[piece]] if puzzle.color_names else puzzle.pieces[piece]
    special = {
        name: value[piece]
        for name, value, usual in (("turn", puzzle.turn, True), ("flip", puzzle.flip, False))
        if isinstance(value, tuple) and value[piece] != usual
    }
    return json.dumps({"sides": sides, **special} if special else sides, ensure_ascii=False)


def board_rows(arrangement: Arrangement, board: Board) -> list[list[list[int] | None]]:
    """A board in the form of files and records: rows of [piece, rotation] or null, pieces from 1."""
    squares = [None if placed is None else [placed.piece + 1, placed.rotation] for placed in arrangement]
    if board.shape:
        at = dict(zip(board.places, squares, strict=True))
        squares = [at.get((row, column)) for row in range(board.rows) for column in range(board.columns)]
    return [squares[start : start + board.columns] for start in range(0, len(squares), board.columns)]


def arrangement_from_rows(rows: Sequence[Sequence[tuple[int, int] | None]], board: Board, what: str) -> Arrangement:
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        lengths = sorted({len(row) for row in rows})
        shape = f"{len(rows)} rows of {' or '.join(map(str, lengths)) or 'no'} squares"
        raise PuzzleError(f"{what}: {shape} instead of a {board.text}")
    found = tuple(None if placed is None else Placement(placed[0] - 1, placed[1]) for row in rows for placed in row)
    return _without_gaps(found, board, what) if board.shape else found


def _without_gaps(every: Arrangement, board: Board, what: str) -> Arrangement:
    """The squares of a rectangle that exist on a board; raises PuzzleError if there is a piece on a gap."""
    wrong = next(
        (n for n, placed in enumerate(every) if placed and board.square_at(*divmod(n, board.columns)) is None), None
    )
    if wrong is not None:
        name = Board(board.rows, board.columns).name(wrong)
        raise PuzzleError(f"{what}: there is a piece on {name}, but no square")
    return tuple(every[row * board.columns + column] for row, column in board.places)


def check_pieces(
    arrangement: Arrangement,
    board: Board,
    pieces: int,
    what: str,
    *,
    flips: bool = False,
    once: bool = False,
    full: bool = False,
) -> None:
    """Raise PuzzleError if a board has a piece or a rotation that does not exist.

    - `pieces`: the number of pieces.
    - `flips`: whether some piece may be turned over.
    - `once`, `full`: whether to refuse a piece that is used twice, and a square without a piece.
    """
    seen: dict[int, int] = {}
    for square, placed in enumerate(arrangement):
        if placed is None:
            if full:
                raise PuzzleError(f"{what}: {board.name(square)} is empty; an assembly must be a full board")
            continue
        if not 0 <= placed.piece < pieces:
            none = f"there is no piece {shortened(str(placed.piece + 1))}; pieces are numbered 1 to {pieces}"
            raise PuzzleError(f"{what}, {board.name(square)}: {none}")
        most = 7 if flips else 3
        if not 0 <= placed.rotation <= most:
            raise PuzzleError(f"{what}, {board.name(square)}: rotation {placed.rotation}; rotations are 0 to {most}")
        if once and seen.setdefault(placed.piece, square) != square:
            places = f"{board.name(seen[placed.piece])} and on {board.name(square)}"
            raise PuzzleError(f"{what}: piece {placed.piece + 1} is used twice, on {places}")


def solution_data(puzzle: EdgeMatchingPuzzle) -> Callable[[Any], list[Any]]:
    """The function that converts a board to the data of files and records."""
    return partial(board_rows, board=puzzle.board)


def most_of_entry(puzzle: EdgeMatchingPuzzle) -> int:
    """The largest number of characters of a board in a file."""
    return _MOST_BLANKS + _MOST_SQUARE * len(puzzle.board)


def solution_reader(puzzle: EdgeMatchingPuzzle, label: str) -> Callable[[Any, int, bool], PuzzleBoard]:
    """A function that reads an entry of a solution file.

    Its parameters are the data, the number of the entry, and whether its text is known to be plain (`is_plain`).  It
    raises InstanceError if the entry is not a board of this size, or has unknown pieces.
    """
    placements, shape = _Placements(len(puzzle.pieces), flips=bool(puzzle.flip)), [puzzle.columns] * puzzle.rows

    def read_board(rows: Any, number: int, plain: bool) -> PuzzleBoard:
        try:
            if plain and not puzzle.squares and list(map(len, rows)) == shape:
                return PuzzleBoard(
                    [None if square is None else placements[tuple(square)] for row in rows for square in row], puzzle
                )
        except (TypeError, ValueError, KeyError):
            pass
        from .schemas import SolutionFile

        what, head = f"solution {number}", {"format": "jigsat-solution/1", "instance": "", "sha256": "0" * 64}
        names: ItemNames = {**ITEM_NAMES, "solutions": ((what,),)}
        (rows,) = validated(SolutionFile, {**head, "solutions": [rows]}, label, names).solutions
        with told_of(label):
            board = arrangement_from_rows(rows, puzzle.board, what)
            check_pieces(board, puzzle.board, len(puzzle.pieces), what, flips=bool(puzzle.flip))
        return board_of(puzzle, board)

    return read_board


class _Placements(dict[Any, Placement]):
    """The placements of the pieces by what stands in files; boards share them."""

    def __init__(self, pieces: int, *, flips: bool) -> None:
        self._pieces, self._most = pieces, 7 if flips else 3

    def __missing__(self, entry: Any) -> Placement:
        piece, rotation = entry
        if not (1 <= piece <= self._pieces and 0 <= rotation <= self._most):
            raise KeyError(entry)
        self[entry] = Placement(piece - 1, rotation)
        return self[entry]


#: A board from any sequence.
exact_solution = exact_board


def is_one(puzzle: EdgeMatchingPuzzle, items: list[Any]) -> bool:
    """Whether these are the squares of a board, and not several boards.

    Raises LookupError or TypeError if they are something else, such as texts or empty lists.
    """
    firsts = [item[0] for item in items if item is not None]
    if any(isinstance(first, str) for first in firsts):
        raise TypeError
    return isinstance(firsts[0], Number) if firsts else len(items) == len(puzzle.board)


def own_solutions(puzzle: EdgeMatchingPuzzle) -> Sequence[Arrangement]:
    """The assemblies of a jigsaw."""
    return puzzle.assemblies


def numbering(other: EdgeMatchingPuzzle, puzzle: EdgeMatchingPuzzle) -> list[Placement] | None:
    """The pieces of a puzzle that those of another one are, in their order; None if they are not the same."""
    from .recolor import find_numbering

    same = other.board == puzzle.board and other.is_classic and puzzle.is_classic and other.rule is puzzle.rule
    return find_numbering(other.pieces, puzzle.pieces) if same else None


#: Up to turns and reflections of the whole board, the 24 orders of four sides are three, by the sides that are
#: opposite.  These are the two others, and the sides that are up, right, down and left then.
_OTHER_ORDERS = {"top,bottom,left,right": (0, 3, 1, 2), "top,left,right,bottom": (0, 2, 3, 1)}
#: With this number of colours, another order has all of them in pairs by chance once in 128 times.
_ENOUGH_COLORS = 8
#: The number of colours that are tried as the border.
_MOST_BORDERS = 8


def refuse_misread(puzzle: EdgeMatchingPuzzle, squares: Iterable[int] | None = None) -> None:
    """Refuse a puzzle whose pieces cannot fill the classes of squares; warn if the order of sides seems to be another.

    - `squares`: the squares to fill; None for the whole board.

    Raises PuzzleError if there are too few pieces of a class.
    """
    why = misfit(puzzle, squares)
    if why is not None:
        raise PuzzleError(f"{puzzle.name}: {why}")
    doubt = doubt_of(puzzle)
    if doubt is not None:
        warnings.warn(f"{puzzle.name}: {doubt}", UserWarning, stacklevel=3)


def misfit(puzzle: EdgeMatchingPuzzle, squares: Iterable[int] | None = None) -> str | None:
    """Why the pieces cannot fill some squares, whatever their colours, and what would help; None if they may."""
    board = puzzle.board
    needed = Counter(map(puzzle.square_class, range(len(board)) if squares is None else squares))
    there = Counter(puzzle.piece_classes)
    few = [name for name in PIECE_CLASSES if there[name] < needed[name]]
    if not few:
        return None
    lacking = ", ".join(
        f"{plural(there[name], f'{name} piece')} for {plural(needed[name], 'such square')}" for name in few
    )
    what = "the board" if squares is None else "these squares"
    return f"the pieces cannot fill {what}, so nothing is searched: {lacking}; {_help(puzzle, needed)}"


def doubt_of(puzzle: EdgeMatchingPuzzle) -> str | None:
    """Why the sides seem to be in another order than they were read, and what would help; None if they do not.

    The colours of the other order must be free of what is unusual here, so that puzzles that are just unusual, or
    have no solution, are not doubted.
    """
    import numpy as np

    sides = np.array(puzzle.pieces, dtype=np.int64)
    spare = len(puzzle.pieces) > len(puzzle.board)
    read = _uses(sides, puzzle.rule)
    odd = 0 if spare else read.odd
    if puzzle.assemblies or not puzzle.is_classic or not (odd or read.shared):
        return None
    needed = Counter(map(puzzle.board.square_class, range(len(puzzle.board))))
    for name, places in _OTHER_ORDERS.items():
        other = _uses(sides[:, places], puzzle.rule)
        sound = _fills(sides[:, places], needed) and (spare or not other.odd)
        if sound and ((read.shared and not other.shared) or (odd and read.colors >= _ENOUGH_COLORS)):
            seen = [f"{read.shared} both on the frame and inside"] * bool(read.shared)
            seen += [f"{odd} in numbers that do not pair up"] * bool(odd)
            return (
                f"of {plural(read.colors, 'colour')}, {' and '.join(seen)}; this would not be so if the file had the "
                f"sides in the order {name} (--sides {name})"
            )
    return None


class _Uses(NamedTuple):
    """Numbers of colours: all, those that do not pair up, and those both on the frame and inside."""

    colors: int
    odd: int
    shared: int


def _uses(sides: "NDArray[np.int64]", rule: Rule, border: int = BORDER) -> _Uses:
    import numpy as np

    straight = sides == border
    beside = (np.roll(straight, 1, axis=1) | np.roll(straight, -1, axis=1)) & ~straight
    odd, of_place = set[int](), list[set[int]]()
    for place in (beside, ~beside & ~straight):
        number = Counter(dict(zip(*map(np.ndarray.tolist, np.unique(sides[place], return_counts=True)), strict=True)))
        paired = rule is Rule.OPPOSITE
        odd |= {abs(color) for color in number if (number[color] != number[-color] if paired else number[color] % 2)}
        of_place.append(set(map(abs, number)))
    frame, inner = of_place
    return _Uses(len(frame | inner), len(odd), len(frame & inner))


def _fills(sides: "NDArray[np.int64]", needed: Counter[str], border: int = BORDER) -> bool:
    """Whether there are enough pieces of each class."""
    import numpy as np

    masks = ((sides == border) << np.arange(4)).sum(axis=1)
    there = Counter[str]()
    for mask, number in zip(*np.unique(masks, return_counts=True), strict=True):
        there[border_class(int(mask))] += int(number)
    return there >= needed


def _perhaps_borders(sides: "NDArray[np.int64]", needed: Counter[str]) -> list[int]:
    """The colours that have enough sides for the border, those with the fewest first."""
    import numpy as np

    in_class = {"edge": 1, "corner": 2, "strip": 2, "end": 3, "single": 4}
    least = sum(in_class.get(name, 0) * number for name, number in needed.items())
    colors = sorted(zip(*map(np.ndarray.tolist, np.unique(sides, return_counts=True)[::-1]), strict=True))
    return [color for number, color in colors if number >= least and color > BORDER]


def _borders(puzzle: EdgeMatchingPuzzle, needed: Counter[str]) -> Iterator[int]:
    """The colours that would fill the border of the board if they were its border."""
    import numpy as np

    sides = np.array(puzzle.pieces, dtype=np.int64)
    perhaps = _perhaps_borders(sides, needed)[:_MOST_BORDERS]
    return (border for border in perhaps if _fills(sides, needed, border))


def _help(puzzle: EdgeMatchingPuzzle, needed: Counter[str]) -> str:
    """What would help if the pieces cannot fill the squares."""
    import numpy as np

    sides = np.array(puzzle.pieces, dtype=np.int64)
    perhaps = _perhaps_borders(sides, needed)
    for border in (BORDER, *perhaps[:_MOST_BORDERS]):
        orders = {"": (0, 1, 2, 3), **_OTHER_ORDERS}
        filling = [name for name, places in orders.items() if _fills(sides[:, places], needed, border)]
        if filling:
            # Of two orders, the one with less unusual colours.
            unusual = {name: _uses(sides[:, orders[name]], puzzle.rule, border)[1:] for name in filling}
            name = min(filling, key=lambda name: sum(unusual[name]))
            ends = [f"{border} as the border (--border {border})"] * (border != BORDER)
            ends += [f"the sides in the order {name} (--sides {name})"] * (name != "")
            return f"they would with {' and '.join(ends)}"
    if not (sides == BORDER).any():
        return 'no side is 0, the border; say "rim": "any" in the file if the outer sides may show anything'
    from .sides import board_size

    with suppress(PuzzleError):
        if puzzle.is_classic:
            rows, columns = board_size(puzzle.pieces)
            return f"they fill a board of {plural(rows, 'row')} and {plural(columns, 'column')}"
    return "check the size of the board, that 0 is the border, and the order of the sides"
