"""Which colour of a puzzle another numbering means, told from the pieces alone.

Viewers number the colours of the same puzzle in several ways.  A one-to-one renaming that makes a piece of every square
on a board is found by search: the square that the colours known so far restrict the most comes first.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..board import BORDER, turned
from ..edge_matching import Sides

_MOST_STEPS = 20_000


def find_renaming(shown: Sequence[Sides], pieces: Sequence[Sides]) -> dict[int, int] | None:
    """A renaming of colours that makes distinct pieces of all the squares shown, or None if none was found.

    Parameters
    ----------
    shown
        The sides of squares, in colours of their own; 0 is the border in both.
    pieces
        The sides of the pieces that the squares are taken from, turned or not.

    Examples
    --------
    >>> find_renaming([(0, 7, 4, 0)], [(2, 0, 0, 3)])
    {0: 0, 7: 3, 4: 2}
    """
    looks = {turned(sides, turn) for sides in pieces for turn in range(4)}
    steps = iter(range(_MOST_STEPS))
    squares = sorted(set(shown), key=lambda sides: -sides.count(BORDER))
    stock = Counter(_least(sides) for sides in pieces)
    for renaming in _renamings({BORDER: BORDER}, squares, looks, steps):
        used = Counter(_least(tuple(renaming[color] for color in sides)) for sides in shown)
        if used <= stock:
            return renaming
    return None


def _least(sides: Sequence[int]) -> tuple[int, ...]:
    return min(turned(sides, turn) for turn in range(4))


def _renamings(
    known: dict[int, int], squares: list[Sides], looks: set[tuple[int, ...]], steps: Iterator[int]
) -> Iterator[dict[int, int]]:
    """Every extension of the colours known so far that makes a piece of each square, as long as there are steps."""
    open_squares = []
    for sides in squares:
        if all(color in known for color in sides):
            if tuple(known[color] for color in sides) not in looks:
                return
        else:
            open_squares.append(sides)
    if not open_squares:
        yield known
        return
    # Few unknown colours on it, many borders: a stable sort keeps the frame in front.
    next_square = min(open_squares, key=lambda sides: len(set(sides) - known.keys()))
    for look in sorted(looks):
        extended = _extended(known, next_square, look)
        if extended is None:
            continue
        if next(steps, None) is None:
            return
        yield from _renamings(extended, open_squares, looks, steps)


def _extended(known: dict[int, int], sides: Sides, look: tuple[int, ...]) -> dict[int, int] | None:
    """The renaming that makes `look` of `sides`, if the colours known so far leave it possible."""
    extended = dict(known)
    for color, wanted in zip(sides, look, strict=True):
        if extended.setdefault(color, wanted) != wanted:
            return None
    return extended if len(set(extended.values())) == len(extended) else None
