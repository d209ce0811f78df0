"""Owen's model by trying everything: the mean number of boards when the sides of each lot change places.

A *lot* is given by a function of the sides of a piece and the number of one of them.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

from sympy.utilities.iterables import multiset_permutations

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.puzzles.board import Placement, opposite


def mean_nodes(puzzle, lot, order, slips=(), frame_slips=(), *, framed=True):
    """The mean number of boards at each depth, over all redistributions."""
    found = alike_redistributions(puzzle, lot, framed)
    totals = [0] * len(order)
    for other, number in found:
        nodes = [0] * len(order)
        _add_boards(other, order, (slips, frame_slips), {}, (0, 0), nodes)
        totals = [total + number * here for total, here in zip(totals, nodes, strict=True)]
    return [Fraction(total, sum(number for _, number in found)) for total in totals]


@cache
def alike_redistributions(puzzle, lot, framed):
    """Those in which the fixed pieces meet as they do in the puzzle: one of those with equal pieces, and their number.

    With the same pieces there are the same boards, whatever their numbers and rotations.
    """
    first, numbers = {}, Counter()
    for other in _redistributions(puzzle, lot, framed):
        if _fixed_pattern(other) == _fixed_pattern(puzzle):
            looks = [(min(other.looks(piece)), other.rotations(piece)) for piece in range(len(other.pieces))]
            key = tuple(other.pieces if other.fixed else sorted(looks))
            first.setdefault(key, other)
            numbers[key] += 1
    return [(first[key], number) for key, number in numbers.items()]


def _redistributions(puzzle, lot, framed):
    """All puzzles that come of it when the sides of a lot change places, but for the border of a frame."""
    lots = {}
    for piece, sides in enumerate(puzzle.pieces):
        for side, color in enumerate(sides):
            if color or not framed:
                lots.setdefault(lot(sides, side), []).append((piece, side))
    ways = [list(multiset_permutations(sorted(puzzle.pieces[p][s] for p, s in places))) for places in lots.values()]
    for deal in product(*ways):
        pieces = [list(sides) for sides in puzzle.pieces]
        for places, colors in zip(lots.values(), deal, strict=True):
            for (piece, side), color in zip(places, colors, strict=True):
                pieces[piece][side] = color
        try:
            yield replace(puzzle, pieces=tuple(map(tuple, pieces)))
        except PuzzleError:
            # A fixed piece does not fit the rim.
            continue


def _fixed_pattern(puzzle):
    """Which joins between fixed pieces are valid."""
    shown = {square: puzzle.shown(Placement(piece, rotation)) for square, piece, rotation in puzzle.fixed}
    return [
        shown[join.first][join.side] == puzzle.mate(shown[join.second][opposite(join.side)])
        for join in puzzle.board.joins()
        if join.first in shown and join.second in shown
    ]


def _add_boards(puzzle, order, arrays, placed, invalid, totals):
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
            _add_boards(puzzle, order, arrays, {**placed, square: (piece, rotation)}, broken, totals)
