"""Which pieces always lie together."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissections import box, tilings_of
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import StoppedError
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.geometry.exact_numbers import surd
from jigsat.csp.geometry.polygons import LATTICE_MOTIONS, counterclockwise
from jigsat.csp.puzzles.check_tiling import check_tiling
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.tilings.always_together import always_together, merged
from jigsat.csp.tilings.layouts import figure_key

LOWER, UPPER = ((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))


@pytest.fixture(scope="module")
def ostomachion():
    puzzle = read_puzzle("ostomachion")
    return puzzle, tilings_of(puzzle)


@pytest.mark.slow
def test_ostomachion(ostomachion):
    """Archimedes' puzzle has 11 pieces in truth; one of them is then congruent to another, which halves the tilings."""
    puzzle, tilings = ostomachion
    assert len(tilings) == 536
    found = merged(puzzle, tilings)
    assert found.groups == ((0, 1), (3, 4), (11, 13))
    assert found.parts == ((0, 1), (2,), (3, 4), (5,), (6,), (7,), (8,), (9,), (10,), (11, 13), (12,))
    assert len(found.tilings) == 268
    assert (0, 8) in found.puzzle.classes
    assert all(check_tiling(found.puzzle, tiling).is_solution for tiling in found.tilings)
    # The pieces lie as in the puzzle's file.
    assert found.puzzle.pieces[0] == ((0, 0), (3, 0), (3, 6))
    assert check_tiling(found.puzzle, found.puzzle.pieces).is_solution


def test_labels_and_symmetry_do_not_matter(ostomachion):
    """Would catch groups that hang on which of two congruent pieces lies where, or on how a tiling is turned."""
    puzzle, tilings = ostomachion
    changed = []
    for number, tiling in enumerate(tilings[::7]):
        pieces = list(tiling)
        for one, other in ((5, 6), (7, 8)):
            if number % 2:
                pieces[one], pieces[other] = pieces[other], pieces[one]
        motion = puzzle.symmetries[number % 8]
        changed.append(tuple(map(motion, pieces)))
    assert always_together(puzzle, changed) == ((0, 1), (3, 4), (11, 13))


@pytest.mark.parametrize("motions", list(Motions))
def test_halves_of_a_square(motions):
    """Two congruent pieces that make a pair of their own, in coordinates that are no integers."""
    third = Fraction(1, 3)

    def small(polygon, right=0, up=0):
        return tuple(((x + right) * third, (y + up) * third) for x, y in polygon)

    shape = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
    # The corner is cut, or the upper arm.
    made = [
        tuple(map(small, (box(0, 1), box(1, 0), LOWER, UPPER))),
        (small(box(0, 0)), small(box(1, 0)), small(LOWER, up=1), small(UPPER, up=1)),
    ]
    puzzle = DissectionPuzzle(small(shape), made[0], motions)
    assert all(check_tiling(puzzle, tiling).is_solution for tiling in made)
    assert always_together(puzzle, made) == ((2, 3),)
    found = merged(puzzle, made)
    assert [len(piece) for piece in found.puzzle.pieces] == [4, 4, 4]
    # Three squares have one arrangement.
    assert len(found.tilings) == 1


def test_pieces_that_are_not_convex():
    """A tromino and the square in its notch are one piece if they always lie together; alone, it keeps its notch."""
    tromino = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
    puzzle = DissectionPuzzle(box(0, 0, 4, 2), (tromino, box(0, 0), box(0, 0, 2, 2)), Motions.LATTICE)
    found = merged(puzzle, tilings_of(puzzle))
    assert found.parts in (((0, 1), (2,)), ((0, 1, 2),))
    choice = DissectionPuzzle(box(0, 0, 3, 2), (tromino, box(0, 0), box(0, 0, 2, 1)), Motions.LATTICE)
    found = merged(choice, tilings_of(choice))
    assert sorted(map(len, found.puzzle.pieces)) == [4, 4, 6]
    assert check_tiling(found.puzzle, found.tilings[0]).is_solution


def test_blocks_grow():
    """A rectangle beside two squares: no pair with one of them, but one with both."""
    puzzle = DissectionPuzzle(box(0, 0, 2, 2), (box(0, 0, 2, 1), box(0, 0), box(0, 0)), Motions.LATTICE)
    found = merged(puzzle, tilings_of(puzzle))
    assert (found.groups, found.parts) == (((0, 1, 2),), ((0, 1, 2),))
    assert found.tilings == ((counterclockwise(box(0, 0, 2, 2)),),)


def test_a_choice_is_no_group():
    """Four triangles around a point: each is beside two others, and there is no way to say which it belongs to."""
    puzzle = read_puzzle("four-triangles")
    assert always_together(puzzle, [puzzle.pieces]) == ()


def test_not_with_either_of_two():
    """A strip whose long piece lies beside one square in one tiling and beside two in the other."""
    puzzle = DissectionPuzzle(box(0, 0, 4, 1), (box(0, 0, 2, 1), box(0, 0), box(0, 0)), Motions.LATTICE)
    assert len(tilings_of(puzzle)) == 2
    assert always_together(puzzle, tilings_of(puzzle)) == ()
    beside = (box(0, 0, 2, 1), box(2, 0), box(3, 0))
    # If only the first one were there, in whatever labels, all would lie together.
    assert always_together(puzzle, [beside, (beside[0], beside[2], beside[1])]) == ((0, 1, 2),)


def test_refusals():
    """Would catch a traceback, or an answer, where nothing is known."""
    puzzle = DissectionPuzzle(box(0, 0), (LOWER, UPPER))
    with pytest.raises(ValueError, match="no tilings"):
        always_together(puzzle, [])
    half = surd({2: Fraction(1, 2)})
    with pytest.raises(EngineError, match="irrational"):
        always_together(puzzle, [(((0, 0), (half, half), (0, 1)), UPPER)])
    with pytest.raises(StoppedError):
        merged(puzzle, [(LOWER, UPPER)], must_stop=lambda: True)


_points = st.tuples(st.integers(-5, 5), st.integers(-5, 5))
_triangles = (
    st.tuples(_points, _points, _points)
    .filter(lambda t: (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) != (t[1][1] - t[0][1]) * (t[2][0] - t[0][0]))
    .map(counterclockwise)
)


def test_a_merged_piece_that_is_congruent_to_a_rigid_one():
    """Tilings with either of them in a place differ by the pieces, not by their polygons."""
    large, small = ((0, 0), (4, 0), (0, 2)), [((0, 0), (1, 0), (0, 2)), ((1, 0), (4, 0), (0, 2))]
    others = [((0, 0), (5, 0), (1, 2), (0, 2)), ((0, 0), (6, 0), (2, 2), (0, 2))]
    puzzle = DissectionPuzzle(box(0, 0, 11, 2), (large, *others, *small), Motions.LATTICE, no_flip=(0,))
    with pytest.raises(EngineError, match=r"pieces 1 and 4\+5 are congruent; .*, or none; do not merge pieces"):
        merged(puzzle, tilings_of(puzzle))


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 1, 3, 2), (1, 0, 2, 3)])
def test_mirror_images_of_which_there_are_several(order):
    """A part has each of its pieces with a mirror image, whichever of equal pieces these are."""
    a, b, notched = (
        ((2, 0), (3, 0), (3, 3)),
        ((3, 0), (4, 0), (3, 3)),
        ((0, 0), (2, 0), (3, 3), (4, 0), (12, 0), (0, 6)),
    )

    def moved(polygon):
        return tuple((x + 15, y) for x, y in polygon)

    rigid = (a, moved(a), b, moved(b))
    pieces = (
        *(rigid[at] for at in order), notched, moved(notched),
        ((0, 6), (15, 6), (15, 0), (12, 0)), ((33, 6), (33, 0), (27, 0), (15, 6)),
    )  # fmt: skip
    puzzle = DissectionPuzzle(box(0, 0, 33, 6), pieces, Motions.LATTICE, no_flip=(0, 1, 2, 3))
    found = merged(puzzle, tilings_of(puzzle))
    assert (len(found.puzzle.symmetries), found.puzzle.no_flip) == (4, ())
    assert all(check_tiling(found.puzzle, tiling).is_solution for tiling in found.tilings)


def _moved(figure, a, b, c, d, e, f):
    return frozenset(counterclockwise(tuple((a * x + b * y + e, c * x + d * y + f) for x, y in p)) for p in figure)


@given(st.frozensets(_triangles, min_size=1, max_size=3), _points, st.booleans())
def test_figure_keys_of_congruent_figures(figure, by, turned):
    """Equal after a motion; after one by an angle of the 3-4-5 triangle only where every rotation is allowed."""
    mirror = -1 if turned else 1
    quarter = _moved(figure, 0, -mirror, 1, 0, *by)
    for turns in (LATTICE_MOTIONS, None):
        assert figure_key(quarter, turns) == figure_key(figure, turns)
    large = _moved(figure, 5, 0, 0, 5, 0, 0)
    tilted = _moved(figure, 3, -4 * mirror, 4, 3 * mirror, *by)
    assert figure_key(tilted, None) == figure_key(large, None)
    assert figure_key(large, None) != figure_key(figure, None)


def test_figure_keys_tell_arrangements_apart():
    """Two triangles with a common edge make figures that the key must distinguish, though their parts are congruent."""
    one = ((0, 0), (2, 0), (0, 1))
    others = [((0, 0), (0, 1), (-2, 0)), ((0, 0), (0, 1), (-2, 1)), ((0, 1), (2, 0), (2, 1))]
    for turns in (LATTICE_MOTIONS, None):
        keys = [figure_key(frozenset([one, counterclockwise(other)]), turns) for other in others]
        assert len(set(keys)) == 3
        assert all(a != b for a, b in permutations(keys, 2))
