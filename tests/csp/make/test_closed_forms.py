"""Scrambles in closed form make perfect jigsaws, the same for ever; and all perfect scrambles of tiny boards."""

import hashlib
import random
from collections import Counter
from itertools import product
from math import gcd

import pytest
from pysat.solvers import Solver

from brute_force import spin
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits
from jigsat.csp.make.closed_forms import closed_form, crystal, draw_closed_form, draw_even_form
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.jigsaw_algebra import connector_classes, jigsaw_from_assemblies, original
from jigsaw_joins import are_plain, joins, unturned, uses


def is_perfect(rows, columns, scramble):
    """Every class has two joins in the first assembly and two others in the second."""
    both = unturned(rows, columns), scramble
    shared = set.intersection(*(joins(rows, columns, board) for board in both))
    return not shared and set(uses(rows, columns, *both)) == {2}


def jigsaw(rows, columns, scramble):
    return jigsaw_from_assemblies(rows, columns, [original(Board(rows, columns)), scramble])


def number_of_solutions(puzzle, most=1000):
    result = find_engine("most-constrained").run(puzzle, Goal.ALL, Limits(solutions=most))
    assert result.complete
    assert all(check(puzzle, board).is_solution for board in result.solutions)
    return len(result.solutions)


# ---- odd rows and columns


def parameters(rows, columns, chance):
    """Permitted ones at random, drawn in another way than by the code."""
    k, half = columns // 2, rows // 2
    shift = chance.choice([s for s in range(-k, 3 * k) if gcd(s, k) == 1])
    front = [chance.randrange(k) for _ in range((half + 2) // 2)]
    reflections = front + front[::-1][(half + 1) % 2 :]
    exchange = list(range(half))
    left = chance.sample(exchange, half)
    for _ in range(chance.randint(0, half // 2)):
        one, other = left.pop(), left.pop()
        exchange[one], exchange[other] = other, one
    return shift, tuple(reflections), tuple(exchange)


@pytest.mark.parametrize("rows", [5, 7, 9, 11, 13])
@pytest.mark.parametrize("columns", [5, 7, 9, 11, 13])
def test_closed_forms_are_perfect(rows, columns):
    """For many parameters: pieces on one square each, straight sides outward, two joins to a connector, none shared."""
    chance = random.Random(100 * rows + columns)
    for _ in range(6 if rows == columns else 2):
        scramble = closed_form(rows, columns, *parameters(rows, columns, chance))
        assert is_perfect(rows, columns, scramble)
    assert is_perfect(rows, columns, draw_closed_form(rows, columns, Chance(rows + columns)))


# ---- crystals


@pytest.mark.parametrize("size", [5, 7, 9, 11, 13])
def test_crystals(size):
    """Perfect; up to 11 rows twice as many solutions with every size."""
    puzzle = jigsaw(size, size, crystal(size))
    assert is_perfect(size, size, crystal(size))
    if size <= 11:
        assert are_plain(puzzle.pieces)
        assert number_of_solutions(puzzle) == 2 ** (size // 2)


# ---- even rows and columns

EVEN = [(size, size) for size in range(4, 22, 2)]
EVEN += [(rows, columns) for rows, columns in product(range(4, 18, 2), repeat=2) if (rows - columns) % 4 == 0]


@pytest.mark.parametrize("size", sorted(set(EVEN)))
def test_even_forms_are_perfect(size):
    """Pieces on one square each, straight sides outward, two joins to a connector, none shared, whatever is drawn."""
    chance = Chance(sum(size))
    drawn = {draw_even_form(*size, chance) for _ in range(6 if size[0] == size[1] else 2)}
    for scramble in drawn:
        assert is_perfect(*size, scramble)
    assert len(drawn) > 1 or min(size) == 4


# ---- what is refused


@pytest.mark.parametrize(
    "call",
    [
        lambda: closed_form(6, 6, 1, (0, 0, 0, 0), (0, 1, 2)),
        lambda: closed_form(3, 5, 1, (0, 0), (0,)),
        lambda: closed_form(9, 9, 2, (0, 0, 0, 0, 0), (0, 1, 2, 3)),
        lambda: closed_form(5, 5, 1, (0, 0), (0, 1)),
        lambda: closed_form(5, 5, 1, (0, 0, 1), (0, 1)),
        lambda: closed_form(5, 5, 1, (0, 0, 2), (0, 1)),
        lambda: closed_form(7, 7, 1, (0, 0, 0, 0), (1, 2, 0)),
        lambda: closed_form(5, 5, 1, (0, 0, 0), (0, 1, 2)),
        lambda: draw_closed_form(5, 6, Chance(1)),
        lambda: crystal(3),
        lambda: draw_even_form(2, 2, Chance(1)),
        lambda: draw_even_form(6, 8, Chance(1)),
        lambda: draw_even_form(6, 7, Chance(1)),
    ],
)
def test_sizes_and_parameters_that_make_no_jigsaw_are_refused(call):
    """In one line; an invalid scramble, or an IndexError, would be worse."""
    with pytest.raises(PuzzleError) as caught:
        call()
    assert "\n" not in str(caught.value)


# ---- the same for ever


def digest(scramble):
    return hashlib.sha256(str([tuple(placed) for placed in scramble]).encode()).hexdigest()[:16]


def test_the_same_seed_makes_the_same_scramble():
    """In every later version: jigsaws are identified by the command that makes them."""
    for draw, size in ((draw_closed_form, 9), (draw_even_form, 12)):
        assert draw(size, size, Chance(5)) == draw(size, size, Chance(5))
        assert len({draw(size, size, Chance(seed)) for seed in range(6)}) > 3
    assert {
        "closed form": digest(draw_closed_form(13, 13, Chance(7))),
        "closed form of a rectangle": digest(draw_closed_form(7, 11, Chance(7))),
        "even form": digest(draw_even_form(12, 12, Chance(7))),
        "even form of a rectangle": digest(draw_even_form(10, 14, Chance(7))),
        "crystal": digest(crystal(7)),
    } == {
        "closed form": "56410bef01997e40",
        "closed form of a rectangle": "618bd3f58457252a",
        "even form": "202b706cf0815c0c",
        "even form of a rectangle": "1e404eb1e129e9f7",
        "crystal": "bbe7d70b0af51932",
    }


# ---- every perfect scramble of the smallest boards


def borders(board, square):
    return [board.neighbour(square, side) is None for side in range(4)]


def perfect_scrambles_by_models(size):
    """All that are perfect, with the first piece in its place, from a formula of its own.

    x[piece, square, turns]: the piece lies there; y[a, b]: the darts a and b (4 piece + side) face each other.
    """
    board = Board(size, size)
    squares = range(len(board))
    fitting = [
        (piece, square, turns)
        for piece, square, turns in product(squares, squares, range(4))
        if spin(borders(board, piece), turns) == borders(board, square) and (piece == 0) == (square == 0)
    ]
    x = {placed: number for number, placed in enumerate(fitting, start=1)}
    mate = {}
    for square, side in product(squares, range(4)):
        other = board.neighbour(square, side)
        if other is not None:
            mate[4 * square + side] = 4 * other + (side + 2) % 4
    pairs = [(a, b) for a, b in product(mate, repeat=2) if a < b]
    y = {pair: number for number, pair in enumerate(pairs, start=len(x) + 1)}
    y |= {(b, a): number for (a, b), number in y.items()}
    clauses = []
    for which in (0, 1):
        for each in squares:
            several = [number for placed, number in x.items() if placed[which] == each]
            clauses.append(several)
            clauses += [[-one, -other] for one in several for other in several if one < other]
    by_square = {square: [placed for placed in fitting if placed[1] == square] for square in squares}
    for first, side, second in board.joins():
        for here, there in product(by_square[first], by_square[second]):
            if here[0] != there[0]:
                a, b = 4 * here[0] + (side - here[2]) % 4, 4 * there[0] + (side + 2 - there[2]) % 4
                clauses.append([-x[here], -x[there], y[a, b]])
    for a, b in pairs:
        # Two joins to a connector: what a and b were joined to meets as well; and no join is in both.
        clauses.append([-y[a, b]] if mate[a] == b else [-y[a, b], y[mate[a], mate[b]]])
    for a in mate:  # each meets one
        several = [y[a, b] for b in mate if b != a]
        clauses += [[-one, -other] for one in several for other in several if one < other]
    found = []
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            placed = [what for what, number in x.items() if number in true]
            found.append(tuple(Placement(piece, turns) for piece, _, turns in sorted(placed, key=lambda one: one[1])))
            solver.add_clause([-x[what] for what in placed])
    return found


@pytest.mark.parametrize(("size", "perfect", "solutions"), [(2, 1, {}), (3, 7, {2: 2}), (4, 63, {4: 2, 8: 6})])
def test_all_perfect_scrambles_of_the_smallest_boards(size, perfect, solutions):
    """As another complete search has found: 1, 7 and 63.  Without equal or symmetric pieces none, 2 and 8 are left, and
    no 4x4 has exactly two solutions."""
    found = perfect_scrambles_by_models(size)
    assert len(set(found)) == len(found) == perfect
    for scramble in found:
        assert is_perfect(size, size, scramble)
        assert set(connector_classes(Board(size, size), [original(Board(size, size)), scramble]).uses) == {2}
    plain = [puzzle for puzzle in (jigsaw(size, size, one) for one in found) if are_plain(puzzle.pieces)]
    assert Counter(map(number_of_solutions, plain)) == solutions
