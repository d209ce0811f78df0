"""Hypothesis strategies for small puzzles of every sort that the search has to cope with."""

import random
from itertools import product

from hypothesis import reject
from hypothesis import strategies as st

from brute_force import TooMuch, all_solutions
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule

SIZES = [(1, 1), (1, 2), (1, 3), (1, 5), (4, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 3), (3, 5), (4, 4)]


def _cut(rows, columns, right, down, rule):
    """The pieces of a board whose joins have the given colours (to the right of and below each square)."""
    mate = rule.mate
    return [
        (
            mate(down[r - 1][c]) if r else 0,
            right[r][c] if c < columns - 1 else 0,
            down[r][c] if r < rows - 1 else 0,
            mate(right[r][c - 1]) if c else 0,
        )
        for r in range(rows)
        for c in range(columns)
    ]


def turned(sides, turns):
    return tuple(sides[(side - turns) % 4] for side in range(4))


@st.composite
def puzzles(draw, sizes=SIZES):
    """A puzzle cut from a random board (so mostly solvable), with few colours, duplicates, spare and fixed pieces."""
    rows, columns = draw(st.sampled_from(sizes))
    rule = draw(st.sampled_from(Rule))
    squares = rows * columns
    # On larger boards few colours make too many solutions for a brute force.
    colors = draw(st.integers(1 if squares <= 9 else 2, 3 if squares <= 9 else 4))
    shared = draw(st.booleans())  # whether frame and inner colours are the same
    spare = draw(st.integers(0, 2 if squares <= 9 else 1))
    pinned = draw(st.sampled_from((0, 0, 0, 1, 2)))
    spoiled = draw(st.sampled_from((False, False, False, False, True)))
    chance = random.Random(draw(st.integers(0, 2**32)))

    def color(on_frame):
        value = chance.randint(1, colors) + (0 if on_frame or shared else colors)
        return value * (chance.choice((1, -1)) if rule is Rule.OPPOSITE else 1)

    right = [[color(r in (0, rows - 1)) for c in range(columns)] for r in range(rows)]
    down = [[color(c in (0, columns - 1)) for c in range(columns)] for r in range(rows)]
    board = _cut(rows, columns, right, down, rule)
    numbers = chance.sample(range(squares), squares)  # piece numbers[i] lies on square i
    turns = [chance.randrange(4) for _ in board]
    pieces = [(0, 0, 0, 0)] * squares
    for square, number in enumerate(numbers):
        pieces[number] = turned(board[square], -turns[square])
    pieces += [turned(chance.choice(pieces), chance.randrange(4)) for _ in range(spare)]
    if spoiled:
        # Another colour on one side, so that some puzzles have no solution.
        index, side = chance.randrange(len(pieces)), chance.randrange(4)
        sides = list(pieces[index])
        sides[side] = sides[side] and 1 + sides[side] % colors
        pieces[index] = tuple(sides)
        pinned = 0
    fixed = tuple(Fixed(s, numbers[s], turns[s]) for s in chance.sample(range(squares), min(pinned, squares)))
    return EdgeMatchingPuzzle(rows, columns, tuple(pieces), rule, fixed, rim=0)


def with_any_fixed(puzzle, draw):
    """Pieces that fit the border are fixed, whether or not they match one another."""
    fixed = []
    for square in draw(st.lists(st.integers(0, len(puzzle.board) - 1), unique=True, max_size=3)):
        outside = [bool(puzzle.board.border_mask(square) >> side & 1) for side in range(4)]
        fitting = [
            Fixed(square, piece, rotation)
            for piece, rotation in product(range(len(puzzle.pieces)), range(4))
            if [side == 0 for side in puzzle.shown(Placement(piece, rotation))] == outside
            and piece not in {one.piece for one in fixed}
        ]
        if fitting:
            fixed.append(draw(st.sampled_from(fitting)))
    return EdgeMatchingPuzzle(puzzle.rows, puzzle.columns, puzzle.pieces, puzzle.rule, tuple(fixed), rim=0)


def mixed_jigsaw(chance, rows, columns, connectors):
    """A jigsaw cut with these connectors on its joins, one after the other; the pieces are mixed and turned."""
    left = iter(connectors)
    right = [[next(left) if c < columns - 1 else 0 for c in range(columns)] for _ in range(rows)]
    down = [[next(left) if r < rows - 1 else 0 for _ in range(columns)] for r in range(rows)]
    board = _cut(rows, columns, right, down, Rule.OPPOSITE)
    pieces = [turned(sides, chance.randrange(4)) for sides in chance.sample(board, len(board))]
    return EdgeMatchingPuzzle(rows, columns, tuple(pieces), Rule.OPPOSITE, rim=0)


def paired_jigsaw(chance, rows, columns, singles=0):
    """A jigsaw with every connector on two joins, some on one, with signs at random."""
    joins = 2 * rows * columns - rows - columns
    alone = min(joins, singles + (joins - singles) % 2)
    numbers = [*range(1, alone + 1), *(2 * list(range(alone + 1, alone + 1 + (joins - alone) // 2)))]
    return mixed_jigsaw(chance, rows, columns, [n * chance.choice((1, -1)) for n in chance.sample(numbers, joins)])


@st.composite
def paired_jigsaws(draw, sizes=SIZES[1:]):
    """Jigsaws with every connector on one or two joins."""
    rows, columns = draw(st.sampled_from(sizes))
    singles = draw(st.sampled_from((0, 0, 1, 2, 5)))
    return paired_jigsaw(random.Random(draw(st.integers(0, 2**32))), rows, columns, singles)


def solutions_of(puzzle):
    """All solutions by brute force; an example that takes too long is left for another one."""
    try:
        return all_solutions(puzzle)
    except TooMuch:
        reject()
