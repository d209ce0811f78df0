"""Annealed scrambles are scrambles, have their symmetries, and are what was wished for, the same for ever."""

from collections import Counter
from itertools import islice
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force import spin
from jigsat.csp.base.errors import PuzzleError, UsageError
from jigsat.csp.make import annealing_kernel as kernels
from jigsat.csp.make.annealing import STAGES, Annealing, Wish, anneal, scrambles, symmetries
from jigsat.csp.puzzles.board import Board
from jigsaw_joins import pieces, unturned, uses
from property_tests import examples

STEPS = {"U": (0, -1), "R": (1, 0), "D": (0, 1), "L": (-1, 0)}
SIDES = "URDL"


def both(wish, arrangement):
    return wish.rows, wish.columns, unturned(wish.rows, wish.columns), arrangement


def slots_of(wish, arrangement):
    """Where each dart lies in the second assembly; darts are a square's column and row and a side's direction."""
    place = {square: divmod(square, wish.columns)[::-1] for square in range(len(arrangement))}
    return {
        (*place[piece], SIDES[side]): (*place[square], SIDES[(side + rotation) % 4])
        for square, (piece, rotation) in enumerate(arrangement)
        for side in range(4)
    }


def energy_of(wish, arrangement):
    """What is wrong with a scramble, counted in the plainest way."""
    on_joins, sides_of = uses(*both(wish, arrangement)), pieces(*both(wish, arrangement))
    kinds = Counter(min(tuple(spin(sides, turn)) for turn in range(4)) for sides in sides_of)
    faults = len(sides_of) - len(kinds) + sum(sides[:2] == sides[2:] for sides in sides_of)
    wrong = kernels.SHARED_WEIGHT * on_joins.count(1) + kernels.UNWANTED_WEIGHT * len(staying(wish, arrangement))
    if wish.types is not None:
        return faults + wrong + abs(len(on_joins) - wish.types)
    return faults + wrong + sum(max(0, use - wish.max_use) for use in on_joins if use > 1)


def staying(wish, arrangement):
    """The pieces that stay under some turn, if none should; corners of square boards are excused."""
    board = Board(wish.rows, wish.columns)
    found = set()
    for square, (piece, _) in enumerate(arrangement):
        for turn in (0, 1, 2, 3) if wish.rows == wish.columns else (0, 2):
            excused = wish.rows == wish.columns and board.square_class(piece) == "corner"
            if wish.no_stay and not excused and board.turned_square(square, turn) == piece:
                found.add(piece)
    return found


def moved(wish, half, code):
    """A dart after a symmetry of the board, by linear maps of the plane about the board's middle."""
    x, y, side = half
    vectors = [(2 * x - wish.columns + 1, 2 * y - wish.rows + 1), STEPS[side]]
    for _ in range(code // 4):
        vectors = [(-a, b) for a, b in vectors]
    for _ in range(code % 4):
        vectors = [(-b, a) for a, b in vectors]
    (a, b), step = vectors
    side = next(name for name, each in STEPS.items() if each == step)
    return (a + wish.columns - 1) // 2, (b + wish.rows - 1) // 2, side


def assert_symmetric(wish, arrangement, generators):
    lies = slots_of(wish, arrangement)
    for kind, *codes in generators:
        g, h = map(int, codes)
        for half, slot in lies.items():
            if kind == "d":
                assert lies[moved(wish, half, g)] == moved(wish, slot, h)
            else:
                assert lies[moved(wish, slot, g)] == moved(wish, half, h)


def found_by(wish, seed):
    """Scrambles within half a minute; any of these tests takes a fraction of a second."""
    end = monotonic() + 30
    return scrambles(wish, seed, must_stop=lambda: monotonic() > end)


WISHES = [
    Wish(4, 4),
    Wish(5, 5),
    Wish(6, 6, no_stay=True),
    Wish(5, 6, max_use=3),
    Wish(6, 5, max_use=3),
    Wish(6, 8, no_stay=True),
    Wish(5, 7, max_use=4),
    Wish(5, 5, types=17),
]


@examples(60)
@given(data=st.data(), wish=st.sampled_from(WISHES), seed=st.integers(0, 10**9), steps=st.sampled_from([0, 300, 9000]))
def test_runs_keep_symmetries_and_count_right(data, wish, seed, steps):
    symmetry = data.draw(st.sampled_from([(), ("i00",), *symmetries(wish)]))
    run = Annealing(wish, seed, symmetry)
    for stage in (0, STAGES - 1):
        run.go_on_at(stage, steps // 2)
    best = run.best()
    assert best.energy == energy_of(wish, best.arrangement)
    if not wish.no_stay:
        assert_symmetric(wish, best.arrangement, symmetry)
    mate, facing, _, _, unwanted, limits = run.board
    lies, at, marks, rows, counts = run.scramble
    incremental = counts[: kernels.WALKS].tolist()
    kernels.tally_all(mate, facing, lies, at, unwanted, limits, marks, rows, counts)
    assert counts[: kernels.WALKS].tolist() == incremental


def test_an_odd_number_of_joins_needs_a_use_of_three():
    with pytest.raises(UsageError, match=r"max_use: must be 3 or more, not 2: .* joins, an odd number; at most"):
        Wish(5, 6)


def test_the_same_seed_makes_the_same_scramble():
    wish = Wish(6, 6)
    assert [*islice(found_by(wish, 5), 3)] == [*islice(found_by(wish, 5), 3)]
    assert next(found_by(wish, 5)) != next(found_by(wish, 6))
    found = anneal(Wish(4, 6), 1, symmetry=("d22", "i44"), steps=50_000)
    # fmt: off
    assert [4 * piece + rotation for piece, rotation in found.arrangement] == [
        23, 16, 82, 49, 4, 1, 85, 54, 37, 60, 67, 26, 70, 31, 32, 57, 42, 9, 93, 88, 45, 14, 76, 75,
    ]
    # fmt: on


def test_stopping_leaves_the_best_so_far():
    wish = Wish(12, 12)
    asked, told = [], []

    def must_stop():
        asked.append(None)
        return len(asked) > 3

    found = anneal(wish, 1, must_stop=must_stop, report=told.append)
    assert len(asked) == 4
    assert told[-1] == found
    assert 0 < found.energy == energy_of(wish, found.arrangement) == min(each.energy for each in told)
    asked.clear()
    told.clear()
    assert not list(scrambles(wish, 1, must_stop=must_stop, report=told.append))
    assert told[-1].energy == energy_of(wish, told[-1].arrangement)


@pytest.mark.parametrize(
    ("wish", "symmetry", "reason"),
    [
        (Wish(6, 6), "i01", "no scramble of 6x6 with the symmetry i01 was found"),
        (Wish(6, 6), "i04", "i04 is not a symmetry of scrambles of a 6x6 board"),
        (Wish(6, 8), "d77", "d77 is not a symmetry of scrambles of a 6x8 board"),
        (Wish(6, 6), "half-turn", "half-turn is not a symmetry"),
    ],
)
def test_symmetries_that_no_scramble_has(wish, symmetry, reason):
    with pytest.raises(PuzzleError, match=reason):
        anneal(wish, 1, symmetry=(symmetry,))
