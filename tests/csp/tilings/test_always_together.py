"""Which pieces always lie together."""

from fractions import Fraction

import pytest

from dissections import box, tilings_of
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import StoppedError
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.geometry.exact_numbers import surd
from jigsat.csp.puzzles.check_tiling import check_tiling
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.csp.tilings.always_together import always_together, merged

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
