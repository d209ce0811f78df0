"""Annealed scrambles are scrambles, have their symmetries, and are what was wished for, the same for ever."""

from collections import Counter
from itertools import islice, product
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force import spin
from jigsat.api.solve import count
from jigsat.csp.base.errors import PuzzleError, UsageError
from jigsat.csp.make import annealing_kernel as kernels
from jigsat.csp.make.annealing import STAGES, SYMMETRIES, Annealing, Wish, anneal, scrambles, symmetries
from jigsat.csp.make.scramble_symmetry import group
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from property_tests import examples

STEPS = {"U": (0, -1), "R": (1, 0), "D": (0, 1), "L": (-1, 0)}
SIDES = "URDL"


def half_sides(rows, columns):
    """Darts are a square's column and row and a side's direction."""
    return product(range(columns), range(rows), SIDES)


def joined(rows, columns):
    """What each dart meets when every piece lies on its own square; nothing if it is straight."""
    meets = {}
    for x, y, side in half_sides(rows, columns):
        dx, dy = STEPS[side]
        if 0 <= x + dx < columns and 0 <= y + dy < rows:
            meets[x, y, side] = x + dx, y + dy, SIDES[SIDES.index(side) - 2]
    return meets


def slots_of(wish, arrangement):
    """Where each dart lies in the second assembly."""
    lies = {}
    for square, (piece, rotation) in enumerate(arrangement):
        for side in range(4):
            at = divmod(square, wish.columns)[::-1]
            lies[(*divmod(piece, wish.columns)[::-1], SIDES[side])] = (*at, SIDES[(side + rotation) % 4])
    return lies


def connector_classes(wish, arrangement):
    """The cycles of darts that meet alternately in the two assemblies; each begins with a meeting in the first."""
    first = joined(wish.rows, wish.columns)
    lies = slots_of(wish, arrangement)
    assert len(set(lies.values())) == len(lies) == 4 * wish.rows * wish.columns
    at = {slot: half for half, slot in lies.items()}
    second = {half: at[first[slot]] for half, slot in lies.items() if slot in first}
    assert first.keys() == second.keys(), "a straight side lies inside, or another one on the border"
    classes, left = [], set(first)
    while left:
        half = min(left)
        cycle = []
        while half in left:
            cycle += [half, first[half]]
            left -= {half, first[half]}
            half = second[first[half]]
        classes.append(cycle)
    return classes


def pieces_of(wish, classes):
    """The sides of the pieces: a connector for each class, its sign for every other dart."""
    connector = {half: (n, -n)[i % 2] for n, cycle in enumerate(classes, 1) for i, half in enumerate(cycle)}
    squares = product(range(wish.rows), range(wish.columns))
    return tuple(tuple(connector.get((x, y, side), 0) for side in SIDES) for y, x in squares)


def energy_of(wish, arrangement):
    """What is wrong with a scramble, counted in the plainest way."""
    classes = connector_classes(wish, arrangement)
    uses = [len(cycle) // 2 for cycle in classes]
    pieces = pieces_of(wish, classes)
    kinds = Counter(min(tuple(spin(sides, turn)) for turn in range(4)) for sides in pieces)
    faults = len(pieces) - len(kinds) + sum(sides[:2] == sides[2:] for sides in pieces)
    wrong = kernels.SHARED_WEIGHT * uses.count(1) + kernels.UNWANTED_WEIGHT * len(staying(wish, arrangement))
    if wish.types is not None:
        return faults + wrong + abs(len(classes) - wish.types)
    return faults + wrong + sum(max(0, use - wish.max_use) for use in uses if use > 1)


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


def puzzle_of(wish, arrangement):
    pieces = pieces_of(wish, connector_classes(wish, arrangement))
    return EdgeMatchingPuzzle(wish.rows, wish.columns, pieces, Rule.OPPOSITE)


def uses(wish, arrangement):
    return sorted(Counter(len(cycle) // 2 for cycle in connector_classes(wish, arrangement)).items())


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
    for thresholds in run.stages[:: STAGES - 1]:
        run.go_on(thresholds, steps // 2)
    best = run.best()
    assert best.energy == energy_of(wish, best.arrangement)
    if not wish.no_stay:
        assert_symmetric(wish, best.arrangement, symmetry)
    mate, _, _, unwanted, limits = run.board
    lies, at, marks, rows, counts = run.scramble
    incremental = counts[: kernels.WALKS].tolist()
    kernels.tally_all(mate, lies, at, unwanted, limits, marks, rows, counts)
    assert counts[: kernels.WALKS].tolist() == incremental


def test_generators_make_the_groups_they_should():
    for (square, rows, columns), groups in SYMMETRIES.items():
        board = Board(6 + rows, 6 + columns if square else 8 + columns)
        for generators in groups:
            assert len(group(board, generators)) in (2, 4, 8, 16)
            turned_and_mirrored = {code for text in generators for code in text[1:]}
            assert square or turned_and_mirrored <= set("0246"), "a quarter turn of a rectangle"


@pytest.mark.parametrize("size", [(5, 5), (6, 6), (7, 7), (8, 8), (5, 7), (6, 8), (9, 7)])
def test_perfect(size):
    wish = Wish(*size)
    for found in islice(found_by(wish, 3), 2):
        assert energy_of(wish, found.arrangement) == found.energy == 0
        assert uses(wish, found.arrangement) == [(2, wish.joins // 2)]


@pytest.mark.parametrize("size", [(5, 6), (7, 6)])
def test_an_odd_number_of_joins_needs_a_use_of_three(size):
    wish = Wish(*size, max_use=3)
    found = next(found_by(wish, 1))
    assert energy_of(wish, found.arrangement) == 0
    assert [use for use, _ in uses(wish, found.arrangement)] in ([2, 3], [3])
    with pytest.raises(UsageError, match=r"max_use: must be 3 or more, not 2: .* joins, an odd number; at most"):
        Wish(*size)


@pytest.mark.parametrize("size", [(6, 6), (5, 6), (4, 6)])
def test_no_piece_stays(size):
    wish = Wish(*size, max_use=2 + sum(size) % 2, no_stay=True)
    found = next(found_by(wish, 1))
    assert energy_of(wish, found.arrangement) == 0
    assert not staying(wish, found.arrangement)
    assert all(placement.piece != square for square, placement in enumerate(found.arrangement))


@pytest.mark.parametrize("types", [30, 27, 20, 10])
def test_a_number_of_types(types):
    wish = Wish(6, 6, types=types)
    found = next(found_by(wish, 1))
    classes = connector_classes(wish, found.arrangement)
    assert energy_of(wish, found.arrangement) == 0
    assert len(classes) == types
    assert min(len(cycle) for cycle in classes) >= 4


@pytest.mark.parametrize("size", [(5, 5), (6, 6), (5, 7)])
def test_most_have_exactly_two_solutions(size):
    wish = Wish(*size)
    counts = [count(puzzle_of(wish, found.arrangement)).canonical_count for found in islice(found_by(wish, 2), 4)]
    assert min(counts) >= 2
    assert counts.count(2) >= 2


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
