"""Scrambles in closed form make perfect jigsaws, the same for ever."""

import hashlib
import random
from itertools import product
from math import gcd

import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits
from jigsat.csp.make.closed_forms import closed_form, crystal, draw_closed_form, draw_even_form
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original
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
