"""Colours of another numbering as colours of a puzzle, found from the pieces alone.

Viewers number the colours of the same puzzle in several ways.  A search finds one-to-one renamings for which every
square of a board shows a piece; it starts with the square that the known colours restrict most.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from ..puzzles.board import BORDER, Placement
from ..puzzles.edge_matching import Sides

# The number of squares and looks that a search may examine: about a second.
_MOST_STEPS = 4_000_000


class _Square(NamedTuple):
    """The sides of a square, the looks they may represent with the least turn of each, and how often they occur."""

    sides: Sides
    looks: Mapping[Sides, Sides]
    times: int


@dataclass
class _Steps:
    left: int


class Renamings(NamedTuple):
    """Some renamings of colours, and whether there are no others."""

    found: list[dict[int, int]]
    complete: bool


def turns(sides: Sides) -> tuple[Sides, Sides, Sides, Sides]:
    """What a piece looks like in the rotations 0, 1, 2, 3."""
    up, right, down, left = sides
    return sides, (left, up, right, down), (down, left, up, right), (right, down, left, up)


def least_turn(sides: Sides) -> Sides:
    """The least of the four turns; it is the same for all pieces that look alike in some rotation."""
    return min(turns(sides))


def renamed(sides: Sides, renaming: Mapping[int, int]) -> Sides:
    """The sides in other colours."""
    up, right, down, left = sides
    return renaming[up], renaming[right], renaming[down], renaming[left]


def find_renamings(
    shown: Sequence[Sides], pieces: Sequence[Sides], looks: Sequence[Sequence[Sides]] | None = None
) -> Renamings:
    """At most two renamings for which all squares show distinct pieces, as far as a bounded search finds them.

    - `shown`: the sides of squares, in their own colours; 0 is the border in both numberings.
    - `pieces`: the sides of the pieces on the squares, in any rotation.
    - `looks`: for each square the sides that it may represent, empty for any turn of any piece; by default, any for all
      squares.
    """
    stock: Counter[Sides] = Counter()
    for sides, number in Counter(pieces).items():
        stock[least_turn(sides)] += number
    by_border: dict[tuple[bool, ...], dict[Sides, Sides]] = {}
    for look in sorted({look for sides in stock for look in turns(sides)}):
        by_border.setdefault(_border(look), {})[look] = least_turn(look)
    told = Counter(zip(shown, map(tuple, looks or [()] * len(shown)), strict=True))
    squares = [
        _Square(sides, {look: least_turn(look) for look in only} or by_border.get(_border(sides), {}), count)
        for (sides, only), count in told.items()
    ]
    squares.sort(key=lambda square: -square.sides.count(BORDER))
    steps = _Steps(_MOST_STEPS)
    found = list(islice(_extensions({BORDER: BORDER}, squares, stock, steps), 2))
    return Renamings(found, len(found) < 2 and steps.left >= 0)


def find_numbering(others: Sequence[Sides], pieces: Sequence[Sides]) -> list[Placement] | None:
    """For each of the others, the piece that it is, and the rotation in which that looks like it; None if they differ.

    The colours of the others may be named in another way, if there is one way only.
    """
    if len(others) != len(pieces):
        return None
    if Counter(map(least_turn, others)) != Counter(map(least_turn, pieces)):
        renamings = find_renamings(others, pieces)
        if len(renamings.found) != 1 or not renamings.complete:
            return None
        others = [renamed(sides, renamings.found[0]) for sides in others]
    left: dict[Sides, list[int]] = {}
    for piece in reversed(range(len(pieces))):
        left.setdefault(least_turn(pieces[piece]), []).append(piece)
    found = [(left[least_turn(sides)].pop(), sides) for sides in others]
    return [Placement(piece, turns(pieces[piece]).index(sides)) for piece, sides in found]


def _border(sides: Sides) -> tuple[bool, ...]:
    return tuple(color == BORDER for color in sides)


def _extensions(
    known: dict[int, int], squares: list[_Square], stock: Counter[Sides], steps: _Steps
) -> Iterator[dict[int, int]]:
    """Every extension of the known colours for which each square shows a piece, within the remaining steps."""
    steps.left -= len(squares) + len(stock)
    left, unknown = stock.copy(), []
    for square in squares:
        if any(color not in known for color in square.sides):
            unknown.append(square)
            continue
        piece = square.looks.get(renamed(square.sides, known))
        if piece is None or left[piece] < square.times:
            return
        left[piece] -= square.times
    if not unknown:
        yield known
        return
    # Few unknown colours, many borders: a stable sort keeps the frame in front.
    chosen = min(unknown, key=lambda square: len(set(square.sides) - known.keys()) if len(square.looks) > 1 else 0)
    for look in chosen.looks:
        steps.left -= 1
        if steps.left < 0:
            return
        extended = dict(known)
        fits = all(
            extended.setdefault(color, wanted) == wanted for color, wanted in zip(chosen.sides, look, strict=True)
        )
        if fits and len(set(extended.values())) == len(extended):
            yield from _extensions(extended, unknown, left, steps)
