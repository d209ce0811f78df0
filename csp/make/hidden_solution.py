"""Puzzles to give away: numbers and positions of pieces, and numbers of connectors, say nothing about a solution."""

from collections.abc import Sequence
from dataclasses import replace
from math import atan2, cos, dist, pi, sin

from ..base.errors import plural
from ..base.seeded_random import Chance
from ..puzzles.board import BORDER, Arrangement, Placement, after
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule, Sides

_Flat = tuple[tuple[float, float], ...]
# The difference, as a part of their length, of edges that are equally long.
_ROUNDING = 1e-6


def shuffled_jigsaw(
    puzzle: EdgeMatchingPuzzle, boards: list[Arrangement], seed: int
) -> tuple[EdgeMatchingPuzzle, list[Arrangement]]:
    """The same puzzle, and boards of it, with other numbers and rotations of its pieces, and other connectors.

    Its name and source, which may say how to make it again, are left out.
    """
    chance = Chance(seed)
    order = chance.shuffled(range(len(puzzle.pieces)))
    turns = [chance.below(4) * (1 in puzzle.rotations(old)) for old in order]
    types = sorted({abs(side) for sides in puzzle.pieces for side in sides} - {BORDER})
    if puzzle.rule is Rule.EQUAL:
        types = []  # colours have names, and say nothing
    signed = {old: (1 - 2 * chance.below(2)) * new for old, new in zip(types, chance.shuffled(types), strict=True)}
    named = signed | {-old: -new for old, new in signed.items()}
    number = {old: new for new, old in enumerate(order)}

    def renamed(old: int, turn: int) -> Sides:
        up, right, down, left = (puzzle.pieces[old][(side + turn) % 4] for side in range(4))
        return named.get(up, up), named.get(right, right), named.get(down, down), named.get(left, left)

    def renumbered(board: Arrangement) -> Arrangement:
        return tuple(None if placed is None else moved(*placed) for placed in board)

    def moved(piece: int, rotation: int) -> Placement:
        return Placement(number[piece], after(rotation, turns[number[piece]]))

    pieces = tuple(renamed(old, turn) for old, turn in zip(order, turns, strict=True))
    fixed = tuple(one._replace(**moved(one.piece, one.rotation)._asdict()) for one in puzzle.fixed)
    assemblies = tuple(renumbered(board) for board in puzzle.assemblies)
    plain = f"{puzzle.rows}x{puzzle.columns} {'jigsaw' if puzzle.rule is Rule.OPPOSITE else 'puzzle'}"
    form = {
        "rim": named.get(puzzle.rim, puzzle.rim) if isinstance(puzzle.rim, int) else puzzle.rim,
        "turn": puzzle.turn if isinstance(puzzle.turn, bool) else tuple(puzzle.turn[old] for old in order),
        "flip": puzzle.flip if isinstance(puzzle.flip, bool) else tuple(puzzle.flip[old] for old in order),
    }
    shuffled = replace(
        puzzle, pieces=pieces, fixed=fixed, assemblies=assemblies, name=plain, source="", known={}, **form
    )
    return shuffled, [renumbered(board) for board in boards]


def shuffled_dissection(puzzle: DissectionPuzzle, tiling: Tiling, seed: int) -> tuple[DissectionPuzzle, Tiling]:
    """The same dissection and tiling with other numbers of the pieces; its name is left out."""
    order = Chance(seed).shuffled(range(len(puzzle.pieces)))
    pieces = tuple(puzzle.pieces[old] for old in order)
    no_flip = tuple(new for new, old in enumerate(order) if old in puzzle.no_flip)
    plain = f"dissection of {plural(len(pieces), 'piece')}"
    shuffled = replace(puzzle, pieces=pieces, no_flip=no_flip, name=plain, source="", known={})
    return shuffled, tuple(tiling[old] for old in order)


def turned_polygons(puzzle: DissectionPuzzle, polygons: Sequence[_Flat], seed: int) -> list[_Flat]:
    """The polygons of all pieces, turned and where allowed turned over, so that they do not lie as in a tiling.

    One of the longest edges of a piece lies along an axis, whatever the tiling.
    """
    # Its own stream: in that of `shuffled_dissection`, the turns would give the old numbers away.
    chance = Chance(seed, "turns")
    found = []
    for piece, polygon in enumerate(polygons):
        if piece not in puzzle.no_flip and chance.below(2):
            polygon = tuple((-x, y) for x, y in reversed(polygon))
        found.append(_along_an_axis(polygon, chance))
    return found


def _along_an_axis(polygon: _Flat, chance: Chance) -> _Flat:
    edges = [(point, polygon[(i + 1) % len(polygon)]) for i, point in enumerate(polygon)]
    longest = max(dist(*edge) for edge in edges)
    (x, y), (to_x, to_y) = chance.sample([edge for edge in edges if dist(*edge) > (1 - _ROUNDING) * longest], 1)[0]
    by = chance.below(4) * pi / 2 - atan2(to_y - y, to_x - x)
    return tuple((px * cos(by) - py * sin(by), px * sin(by) + py * cos(by)) for px, py in polygon)
