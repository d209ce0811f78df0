"""Random puzzles of all kinds for the long agreement run, most of them edge cases, each with few nodes."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

from dissections import L_SHAPE, TRAPEZIUM, boundary, cut, pierced, straightened
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from strategies import paired_jigsaw, turned

#: Sizes of boards, and how often each is drawn.
SIZES = {
    (1, 1): 1, (1, 2): 2, (2, 1): 1, (1, 3): 2, (1, 5): 2, (4, 1): 2, (7, 1): 1, (1, 8): 1, (2, 2): 8, (2, 3): 5,
    (3, 2): 5, (2, 4): 4, (4, 2): 4, (2, 6): 2, (5, 2): 2, (3, 3): 14, (3, 4): 6, (4, 3): 6, (3, 5): 2, (5, 3): 2,
    (4, 4): 7, (4, 5): 1, (5, 4): 1, (5, 5): 1, (2, 8): 1,
}  # fmt: skip

#: Targets that are not convex, and convex polygons that they consist of.
NOT_CONVEX = (
    (L_SHAPE, (((0, 0), (2, 0), (2, 1), (0, 1)), ((0, 1), (1, 1), (1, 2), (0, 2)))),
    (
        ((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)),
        (((0, 0), (3, 0), (3, 1), (0, 1)), ((0, 1), (1, 1), (1, 2), (0, 2)), ((2, 1), (3, 1), (3, 2), (2, 2))),
    ),
    (((0, 0), (4, 0), (2, 1), (2, 3)), (((0, 0), (4, 0), (2, 1)), ((0, 0), (2, 1), (2, 3)))),
)
CONVEX = (
    *(((0, 0), (w, 0), (w, h), (0, h)) for w in (1, 2, 3) for h in (1, 2, 3)),
    TRAPEZIUM,
    ((0, 0), (4, 0), (0, 4)),
    ((1, 0), (3, 0), (4, 1), (3, 2), (1, 2), (0, 1)),
)


def squares_puzzle(chance: random.Random) -> EdgeMatchingPuzzle:
    """An edge-matching puzzle or a jigsaw, as a rule with a solution."""
    rows, columns = chance.choices(list(SIZES), list(SIZES.values()))[0]
    if rows * columns > 1 and chance.random() < 0.12:
        return _fixed_somehow(chance, paired_jigsaw(chance, rows, columns, chance.choice((0, 0, 1, 2, 5))))
    rule = chance.choice(list(Rule))
    puzzle = _cut(chance, rows, columns, rule)
    if chance.random() < 0.15:
        puzzle = _spoiled(chance, puzzle)
    return _fixed_somehow(chance, puzzle)


def _cut(chance, rows, columns, rule):
    """A puzzle cut from a board with random joins; its solution is among the fixed pieces, which come off later."""
    squares = rows * columns
    most = 3 if squares <= 9 else 6 if squares <= 16 else 9
    colors = chance.randint(1 if squares <= 9 else 2 if squares <= 12 else 3, most)
    shared = chance.random() < 0.4  # whether frame and inner colours are the same
    joins = {}
    for r, c in product(range(rows), range(columns)):
        for side, (y, x) in ((1, (r, c + 1)), (2, (r + 1, c))):
            if y < rows and x < columns:
                framed = r in (0, rows - 1) if side == 1 else c in (0, columns - 1)
                color = chance.randint(1, colors) + (0 if framed or shared else colors)
                joins[r, c, side] = color * (chance.choice((1, -1)) if rule is Rule.OPPOSITE else 1)
    if chance.random() < 0.25:
        _repeat(joins, rows, columns, rule)
    mate = rule.mate
    board = []
    for r, c in product(range(rows), range(columns)):
        up, left = joins.get((r - 1, c, 2), 0), joins.get((r, c - 1, 1), 0)
        board.append((up and mate(up), joins.get((r, c, 1), 0), joins.get((r, c, 2), 0), left and mate(left)))
    numbers = chance.sample(range(squares), squares)
    turns = [chance.randrange(4) for _ in board]
    pieces = [(0, 0, 0, 0)] * squares
    for square, number in enumerate(numbers):
        pieces[number] = turned(board[square], -turns[square])
    for _ in range(chance.choice((0, 0, 0, 1, 2) if squares <= 9 else (0, 0, 0, 1))):
        twin = turned(chance.choice(pieces), chance.randrange(4))
        pieces.append(twin if chance.random() < 0.7 else tuple(side and chance.choice((side, 1)) for side in twin))
    fixed = tuple(Fixed(*one) for one in zip(range(squares), numbers, turns, strict=True))
    return EdgeMatchingPuzzle(rows, columns, tuple(pieces), rule, fixed)


def _repeat(joins, rows, columns, rule):
    """Make the joins those of a board that looks the same turned by a half: pieces come in pairs, or are symmetric."""
    for (r, c, side), color in list(joins.items()):
        there = (rows - 1 - r, columns - 2 - c, 1) if side == 1 else (rows - 2 - r, columns - 1 - c, 2)
        joins[there] = rule.mate(color)


def _spoiled(chance, puzzle):
    pieces = [list(sides) for sides in puzzle.pieces]
    sides = chance.choice(pieces)
    side = chance.randrange(4)
    if sides[side]:
        sides[side] = (abs(sides[side]) % 3 + 1) * (1 if sides[side] > 0 else -1)
    return replace(puzzle, pieces=tuple(map(tuple, pieces)))


def _fixed_somehow(chance, puzzle):
    """No piece fixed, some of those that are, all, or any that fit the border, whether or not they fit together."""
    how = chance.choices(("none", "some", "most", "any"), (60, 22, 4, 14))[0]
    if how in ("some", "most") and puzzle.fixed:
        number = chance.choice((1, 1, 2, 3)) if how == "some" else len(puzzle.fixed) - chance.randrange(3)
        return replace(puzzle, fixed=tuple(chance.sample(puzzle.fixed, max(0, min(number, len(puzzle.fixed))))))
    fixed = []
    for square in chance.sample(range(len(puzzle.board)), min(len(puzzle.board), chance.randint(1, 3))):
        outside = [bool(puzzle.board.border_mask(square) >> side & 1) for side in range(4)]
        fitting = [
            Fixed(square, piece, rotation)
            for piece, rotation in product(range(len(puzzle.pieces)), range(4))
            if [side == 0 for side in turned(puzzle.pieces[piece], rotation)] == outside
            and all(piece != one.piece for one in fixed)
        ]
        fixed += [chance.choice(fitting)] if fitting and how == "any" else []
    return replace(puzzle, fixed=tuple(fixed))


def dissection_puzzle(chance: random.Random) -> DissectionPuzzle:
    """A target cut into a few pieces along lattice points, now and then with pieces of another cut.

    Pieces are convex, or in one of three puzzles not, around a hole or two.
    """
    if chance.random() < 0.35:
        puzzle = pierced(chance.choice, chance.choice((1, 2, 3, 4, 5)))
        if puzzle is not None:
            return puzzle
    if chance.random() < 0.3:
        target, pieces = chance.choice(NOT_CONVEX)
    else:
        target = chance.choice(CONVEX)
        pieces = (target,)
    cut_up = _cut_up(chance, pieces, chance.choice((1, 2, 3, 3, 4, 4, 5)))
    if chance.random() < 0.15 and len(target) == 4 and target[1][1] == 0:
        # Pieces of the same area that need not have a tiling.
        double = tuple((2 * x, y) for x, y in target)
        return _checked(double, (*cut_up, *_cut_up(chance, pieces, 2)))
    return _checked(target, cut_up)


def _cut_up(chance, pieces, wanted):
    pieces = [list(piece) for piece in pieces]
    for _ in range(12):
        if len(pieces) >= wanted:
            break
        piece = pieces.pop(chance.randrange(len(pieces)))
        parts = [straightened(part) for part in cut(piece, *chance.sample(boundary(piece), 2)) if len(part) > 2]
        pieces += parts if len(parts) == 2 and all(len(part) > 2 for part in parts) else [piece]
    return tuple(tuple(piece) for piece in pieces)


def _checked(target, pieces):
    try:
        return DissectionPuzzle(target, pieces, Motions.LATTICE)
    except PuzzleError:
        return DissectionPuzzle(((0, 0), (1, 0), (1, 1), (0, 1)), (((0, 0), (1, 0), (1, 1), (0, 1)),), Motions.LATTICE)


def any_angle(chance: random.Random, puzzle: DissectionPuzzle) -> DissectionPuzzle:
    """The same pieces, which may lie at any angle; now and then the target is tilted or smaller."""
    how = chance.choice(("as it is", "as it is", "tilted", "smaller"))
    outlines, pieces, parts = puzzle.outlines, puzzle.pieces, len(puzzle.parts)
    if how == "tilted":  # by the angle of the triangle 3-4-5
        outlines = tuple(tuple((3 * x - 4 * y, 4 * x + 3 * y) for x, y in outline) for outline in outlines)
        pieces = tuple(tuple((5 * x, 5 * y) for x, y in piece) for piece in pieces)
    if how == "smaller":
        outlines, pieces = (
            tuple(tuple((x * Fraction(1, 3), y * Fraction(1, 3)) for x, y in polygon) for polygon in polygons)
            for polygons in (outlines, pieces)
        )
    return DissectionPuzzle(tuple(outlines[:parts]), tuple(pieces), Motions.ANY, holes=tuple(outlines[parts:]))
