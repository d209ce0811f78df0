"""Signs that pieces were read otherwise than they were meant: classes that do not fill the board, doubtful colours."""

import warnings
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import PuzzleError
from ..base.words import plural
from ..puzzles.board import BORDER, PIECE_CLASSES, border_class
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule

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
    needed = Counter(map(board.square_class, range(len(board)) if squares is None else squares))
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
    sides = np.array(puzzle.pieces, dtype=np.int64)
    spare = len(puzzle.pieces) > len(puzzle.board)
    read = _uses(sides, puzzle.rule)
    odd = 0 if spare else read.odd
    if puzzle.assemblies or not (odd or read.shared):
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


def _uses(sides: NDArray[np.int64], rule: Rule, border: int = BORDER) -> _Uses:
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


def _fills(sides: NDArray[np.int64], needed: Counter[str], border: int = BORDER) -> bool:
    """Whether there are enough pieces of each class."""
    masks = ((sides == border) << np.arange(4)).sum(axis=1)
    there = Counter[str]()
    for mask, number in zip(*np.unique(masks, return_counts=True), strict=True):
        there[border_class(int(mask))] += int(number)
    return there >= needed


def _help(puzzle: EdgeMatchingPuzzle, needed: Counter[str]) -> str:
    """What would help if the pieces cannot fill the squares."""
    sides = np.array(puzzle.pieces, dtype=np.int64)
    # The colours that have enough sides for the border, those with the fewest first.
    in_class = {"edge": 1, "corner": 2, "strip": 2, "end": 3, "single": 4}
    least = sum(in_class.get(name, 0) * number for name, number in needed.items())
    colors = sorted(zip(*map(np.ndarray.tolist, np.unique(sides, return_counts=True)[::-1]), strict=True))
    perhaps = [color for number, color in colors if number >= least and color > BORDER]
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
    from .sides import board_size

    with suppress(PuzzleError):
        rows, columns = board_size(puzzle.pieces)
        return f"they fill a board of {plural(rows, 'row')} and {plural(columns, 'column')}"
    if not (sides == BORDER).any():
        return "no side is 0, the border; boards without a border are not supported yet"
    return "check the size of the board, that 0 is the border, and the order of the sides"
