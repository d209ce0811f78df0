"""The mean numbers of nodes over all redistributions of the colours of a puzzle, as rationals.

Which fixed pieces meet validly stays as it is.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.puzzles.board import Placement, opposite
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle


def deals(colors, length):
    """The different ways to put colours, each as often as given, on a number of places."""
    if not colors:
        yield ()
        return
    (color, number), *others = colors.items()
    for places in combinations(range(length), number):
        rest = [place for place in range(length) if place not in places]
        for deal in deals(dict(others), len(rest)):
            row = [color] * length
            for place, other in zip(rest, deal, strict=True):
                row[place] = other
            yield tuple(row)


def fixed_pattern(puzzle):
    shown = {fixed.square: puzzle.shown(Placement(fixed.piece, fixed.rotation)) for fixed in puzzle.fixed}
    return [
        shown[j.first][j.side] == puzzle.mate(shown[j.second][opposite(j.side)])
        for j in puzzle.board.joins()
        if j.first in shown and j.second in shown
    ]


class Case(NamedTuple):
    """A puzzle, and the lots of its sides."""

    puzzle: EdgeMatchingPuzzle
    lot: Callable[[Any, int], object]
    #: Whether the border of a frame stays where it is.
    framed: bool = False


def redistributions(case):
    """All puzzles that come of it when the sides of a lot change places, each lot for itself."""
    lots = {}
    for piece, sides in enumerate(case.puzzle.pieces):
        for side, color in enumerate(sides):
            if color or not case.framed:
                lots.setdefault(case.lot(sides, side), []).append((piece, side))
    pieces = [list(sides) for sides in case.puzzle.pieces]
    for deal in product(*(list(deals(Counter(pieces[p][s] for p, s in lot), len(lot))) for lot in lots.values())):
        dealt = [list(sides) for sides in pieces]
        for places, colors in zip(lots.values(), deal, strict=True):
            for (piece, side), color in zip(places, colors, strict=True):
                dealt[piece][side] = color
        try:
            other = replace(case.puzzle, pieces=tuple(map(tuple, dealt)))
        except PuzzleError:
            # A fixed piece does not fit the rim.
            continue
        if fixed_pattern(other) == fixed_pattern(case.puzzle):
            yield other


@cache
def _alike(case):
    """The redistributions in groups: those with the same pieces have the same boards, whatever their numbers."""
    alike = {}
    for other in redistributions(case):
        looks = [(min(other.looks(piece)), other.rotations(piece)) for piece in range(len(other.pieces))]
        alike.setdefault(tuple(other.pieces if other.fixed else sorted(looks)), []).append(other)
    return list(alike.values())


def mean_nodes(case, order, slips, frame_slips=()):
    """The mean numbers of boards along an order, by depth."""
    totals, number = [0] * len(order), 0
    for others in _alike(case):
        found = [0] * len(order)
        add_boards(others[0], order, (slips, frame_slips), {}, (0, 0), found)
        totals = [total + len(others) * nodes for total, nodes in zip(totals, found, strict=True)]
        number += len(others)
    return [Fraction(total, number) for total in totals]


def add_boards(puzzle, order, arrays, placed, invalid, totals):
    """Add the number of ways to go on from a board, by depth."""
    if len(placed) == len(order):
        return
    square = order[len(placed)]
    pinned = {fixed.square: (fixed.piece, fixed.rotation) for fixed in puzzle.fixed}
    used = {piece for piece, _ in placed.values()} | {piece for piece, _ in pinned.values()}
    free = [(piece, r) for piece in range(len(puzzle.pieces)) if piece not in used for r in puzzle.rotations(piece)]
    for piece, rotation in [pinned[square]] if square in pinned else free:
        shown = puzzle.shown(Placement(piece, rotation))
        borders = puzzle.board.border_mask(square)
        if not all(puzzle.side_fits(shown[side], on_border=bool(borders >> side & 1)) for side in range(4)):
            continue
        broken = [*invalid]
        for join in puzzle.board.joins_of(square):
            if join.second in placed:
                facing = puzzle.shown(Placement(*placed[join.second]))[opposite(join.side)]
                broken[puzzle.is_frame_join(join)] += shown[join.side] != puzzle.mate(facing)
        if all(n <= sum(depth <= len(placed) + 1 for depth in of) for n, of in zip(broken, arrays, strict=True)):
            totals[len(placed)] += 1
            add_boards(puzzle, order, arrays, {**placed, square: (piece, rotation)}, broken, totals)
