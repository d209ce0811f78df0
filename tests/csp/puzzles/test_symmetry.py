import pytest

from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.estimators.tasks.questions import count


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("clue1", 6144),
        ("clue2", 1_902_536_294_400),
        ("clue3", 4608),
        ("clue4", 226_492_416),
        ("eternity2", 1),
        ("eternity2-hints", 1),
        ("puzzle-a", 4),
        ("puzzle-c", 4),
        ("meta16", 4),
    ],
)
def test_published_symmetry_factors(name, factor):
    found = symmetries(read_squares(name))
    assert found.regular
    assert found.product == factor


def test_eternity2_without_its_starter_has_factor_4():
    puzzle = read_squares("eternity2")
    free = EdgeMatchingPuzzle(16, 16, puzzle.pieces)
    assert symmetries(free).product == 4


def test_clue1_factor_is_made_of_its_three_parts():
    found = symmetries(read_squares("clue1"))
    assert (found.board, found.identical, found.symmetric) == (4, 384, 4)


def test_fixed_pieces_belong_to_no_product():
    """Four identical symmetric pieces in a row of six: fixing one leaves 3! exchanges and 2^3 turns."""
    end, strip = (0, 1, 0, 0), (0, 1, 0, 1)
    pieces = (end, strip, strip, strip, strip, end)
    free, fixed = (EdgeMatchingPuzzle(1, 6, pieces, fixed=f) for f in ((), (Fixed(2, 1, 0),)))
    assert symmetries(free).product == 2 * (2 * 24) * 16
    assert symmetries(fixed).product == 1 * (2 * 6) * 8


def test_four_identical_corners_have_no_factor():
    """One orbit of 24 arrangements, though the product of the three symmetries is 96: turning is exchanging here."""
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4)
    assert not symmetries(puzzle).regular
    result = count(puzzle)
    assert (result.count, result.canonical_count, result.symmetry_factor) == (24, 1, None)


def test_an_irregular_puzzle_may_turn_out_to_have_a_factor():
    """Two pairs of identical corners could make a board that equals itself turned, but these do not."""
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 2, 0), (0, 1, 2, 0), (0, 2, 1, 0), (0, 2, 1, 0)))
    assert not symmetries(puzzle).regular
    result = count(puzzle)
    assert result.count == result.canonical_count * 4 * 4 or result.symmetry_factor is None


def test_one_square():
    """Four rotations of a piece with four borders are one solution in four arrangements."""
    result = count(EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),)))
    assert (result.count, result.canonical_count, result.symmetry_factor) == (4, 1, None)
