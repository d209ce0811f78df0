"""Symmetries: their factors, which puzzles are regular, and the pieces that break the turns of the board."""

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force import is_within, spin
from jigsat.api.solve import count
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed
from jigsat.csp.puzzles.symmetry import PieceType, find_anchors, single_pieces, symmetries
from property_tests import examples

#: The rotations of a piece that may be turned.
TURNS = (0, 1, 2, 3)


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


def test_a_type_has_the_least_turn_of_its_sides_and_how_its_pieces_are_turned():
    pieces = ((2, 1, 0, 0), (0, 1, 2, 0), (1, 0, 0, 2), (0, 0, 2, 1), (3, 4, 3, 4), (4, 3, 4, 3), (7, 7, 7, 7))
    found = symmetries(EdgeMatchingPuzzle(2, 2, pieces))
    assert found.types == (
        PieceType((0, 0, 2, 1), (0, 2, 3), (2, 1, 0), 1, TURNS, TURNS, "corner"),
        PieceType((0, 0, 1, 2), (1,), (3,), 1, TURNS, TURNS, "corner"),
        PieceType((3, 4, 3, 4), (4, 5), (0, 1), 2, TURNS[:2], TURNS, "inner"),
        PieceType((7, 7, 7, 7), (6,), (0,), 4, TURNS[:1], TURNS, "inner"),
    )
    assert found.type_of_piece == {0: 0, 2: 0, 3: 0, 1: 1, 4: 2, 5: 2, 6: 3}
    assert (found.board, found.identical, found.symmetric) == (4, 6 * 2, 2 * 2 * 4)
    assert symmetries(EdgeMatchingPuzzle(2, 2, pieces), turnable=False).board == 1
    assert symmetries(EdgeMatchingPuzzle(2, 3, pieces)).board == 2


def test_single_pieces_are_all_that_are_not_fixed():
    pieces = ((0, 1, 2, 0), (0, 1, 2, 0), (7, 7, 7, 7), (0, 3, 2, 0), (0, 2, 1, 0))
    puzzle = EdgeMatchingPuzzle(2, 2, pieces, fixed=(Fixed(2, 1, 3),))
    assert single_pieces(puzzle) == tuple(
        PieceType(pieces[p], (p,), (0,), 1, TURNS, TURNS, puzzle.piece_classes[p]) for p in (0, 2, 3, 4)
    )


#: Pieces of each class: two that look different, and one that equals itself turned, where there is one.
LOOKS = {
    "corner": [(0, 1, 2, 0), (0, 2, 1, 0)],
    "edge": [(0, 1, 3, 1), (0, 2, 3, 1)],
    "inner": [(3, 4, 5, 6), (3, 4, 3, 4), (5, 5, 5, 5), (3, 3, 4, 4)],
    "end": [(0, 1, 0, 0), (0, 2, 0, 0)],
    "strip": [(0, 1, 0, 1), (0, 2, 0, 1), (0, 2, 0, 2)],
    "single": [(0, 0, 0, 0)],
}


@st.composite
def with_spare_pieces(draw):
    """Boards of up to nine squares with few different pieces, some of them spare; some have two fixed corners."""
    rows, columns = draw(st.sampled_from([(1, 1), (1, 2), (1, 3), (3, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3)]))
    board = EdgeMatchingPuzzle(rows, columns, ((0, 0, 0, 0),) * rows * columns).board
    needed = Counter(board.square_class(square) for square in range(rows * columns))
    pieces = []
    for name, number in needed.items():
        spare = draw(st.sampled_from((0, 0, 1, 2)))
        pieces += draw(st.lists(st.sampled_from(LOOKS[name]), min_size=number + spare, max_size=number + spare))
    # Further looks, so that some have no twin.
    pieces = [tuple(side and side + 10 * draw(st.sampled_from((0, 0, 1, 2))) for side in sides) for sides in pieces]
    return EdgeMatchingPuzzle(rows, columns, tuple(draw(st.permutations(pieces))))


def look(sides):
    return min(tuple(spin(sides, turns)) for turns in range(4))


def order(sides):
    return sum(spin(sides, turns) == list(sides) for turns in range(4))


def is_even(puzzle, needed, classes):
    """Whether each piece that looks like another one, or like itself turned, is in every solution."""
    looks = Counter(look(sides) for sides in puzzle.pieces)
    return all(
        classes[name] <= needed[name] or (looks[look(sides)] == 1 and order(sides) == 1)
        for name, sides in zip(puzzle.piece_classes, puzzle.pieces, strict=True)
    )


def may_equal_itself_turned(puzzle, needed):
    """Whether pieces can be chosen for all squares that lie in pairs opposite each other, and on the centre if any."""
    centre = puzzle.board.square_class(len(puzzle.board) // 2) if puzzle.rows % 2 and puzzle.columns % 2 else None
    for name, number in needed.items():
        of_class = [sides for sides, own in zip(puzzle.pieces, puzzle.piece_classes, strict=True) if own == name]
        odd = [
            {sides for sides, times in Counter(map(look, chosen)).items() if times % 2}
            for chosen in combinations(of_class, number)
        ]
        wanted = 1 if name == centre else 0
        if not any(len(some) == wanted and all(order(sides) > 1 for sides in some) for some in odd):
            return False
    return True


@examples(1500, quick=150)
@given(with_spare_pieces())
def test_a_puzzle_is_regular_if_every_orbit_must_be_full(puzzle):
    needed = Counter(puzzle.board.square_class(square) for square in range(len(puzzle.board)))
    classes = Counter(puzzle.piece_classes)
    found = symmetries(puzzle)
    assert found.used_up == {name for name in needed if classes[name] <= needed[name]}
    even = is_even(puzzle, needed, classes)
    assert found.regular == (even and not may_equal_itself_turned(puzzle, needed))
    assert symmetries(puzzle, turnable=False).regular == even


CORNERS, EDGES, ENDS = [(0, 1, 2, 0), (0, 2, 1, 0)] * 2, [(0, 1, 3, 1), (0, 2, 3, 1)], [(0, 1, 0, 0)] * 2
#: Strips: one that equals itself turned, and some that do not.
SAME, *OTHER = ((0, 1, 0, number) for number in range(1, 7))


@pytest.mark.parametrize(
    ("rows", "columns", "pieces", "regular"),
    [
        (3, 3, [*CORNERS, *EDGES * 2, (3, 4, 3, 4)], False),
        (3, 3, [*CORNERS, *EDGES * 2, (3, 4, 5, 6)], True),
        (4, 3, [*CORNERS, *EDGES * 2, *EDGES[:1] * 2, *[(3, 4, 5, 6)] * 2], False),
        (3, 4, [*CORNERS, *EDGES * 2, *EDGES[:1] * 2, *[(3, 4, 5, 6)] * 2], False),
        # Of eight edge pieces, three pairs.
        (4, 4, [*CORNERS, *EDGES * 2, *EDGES[:1] * 2, (0, 3, 3, 1), (0, 3, 3, 2), *[(3, 4, 5, 6)] * 4], True),
        # To take one of two from its pair for the centre leaves no pair; of three, it leaves one.
        (1, 5, [*ENDS, SAME, SAME, OTHER[0]], True),
        (1, 5, [*ENDS, SAME, SAME, SAME], False),
        (1, 5, [*ENDS, SAME, OTHER[0], OTHER[1]], True),
        (1, 5, [*ENDS, SAME, OTHER[0], OTHER[0]], False),
        (1, 9, [*ENDS, SAME, *OTHER[:2] * 2, *OTHER[2:4]], True),
        (1, 9, [*ENDS, SAME, *OTHER[:3] * 2], False),
    ],
)
def test_a_board_may_equal_itself_turned_if_its_pieces_come_in_pairs(rows, columns, pieces, regular):
    puzzle = EdgeMatchingPuzzle(rows, columns, tuple(pieces))
    needed = Counter(puzzle.board.square_class(square) for square in range(rows * columns))
    assert may_equal_itself_turned(puzzle, needed) != regular
    assert symmetries(puzzle).regular == regular


def placements_of(puzzle, sides):
    """All squares and turns in which a piece is border exactly on the frame."""
    squares = product(range(len(puzzle.board)), range(4))
    return {(s, t) for s, t in squares if is_within(puzzle, divmod(s, puzzle.columns), spin(sides, t))}


def turned_boards(puzzle, placement):
    """Where a placement goes when the board is turned."""
    (square, turns), last = placement, len(puzzle.board) - 1
    yield placement
    yield last - square, (turns + 2) % 4
    if puzzle.rows == puzzle.columns:
        row, column = divmod(square, puzzle.columns)
        quarter = column * puzzle.columns + puzzle.rows - 1 - row
        yield quarter, (turns + 1) % 4
        yield last - quarter, (turns + 3) % 4


@st.composite
def puzzles_with_orders(draw):
    puzzle = draw(with_spare_pieces())
    return puzzle, tuple(draw(st.permutations(range(len(puzzle.board)))))


def check_anchors(puzzle, squares):
    """The anchors are the right pieces; each has exactly one placement of each orbit, on the first squares."""
    needed = Counter(puzzle.board.square_class(square) for square in range(len(puzzle.board)))
    classes, looks = Counter(puzzle.piece_classes), Counter(map(look, puzzle.pieces))
    unique = [
        [
            piece
            for piece, sides in enumerate(puzzle.pieces)
            if puzzle.piece_classes[piece] == name and looks[look(sides)] == 1 and order(sides) == 1
        ]
        for name in ("corner", "edge", "end", "strip", "inner")
        if 0 < classes[name] <= needed[name]
    ]
    anchors = find_anchors(puzzle, symmetries(puzzle), squares)
    assert [anchor.piece_type.pieces for anchor in anchors] == [(p,) for p in next(filter(None, unique), [])]
    for anchor in anchors:
        assert all(several for _, several in anchor.squares)
        sides = anchor.piece_type.sides
        domain = [(square, turns) for square, several in anchor.squares for turns in several]
        orbits = {frozenset(turned_boards(puzzle, one)) for one in placements_of(puzzle, sides)}
        assert sorted(map(len, (orbit & {*domain} for orbit in orbits))) == [1] * len(orbits)
        assert len(domain) == len(orbits)
        for square, _ in domain:
            alike = {there for orbit in orbits for there, _ in orbit if any(square == one for one, _ in orbit)}
            assert square == min(alike, key=squares.index)
        assert [square for square, _ in anchor.squares] == sorted((s for s, _ in anchor.squares), key=squares.index)
    return len(anchors)


@examples(1500, quick=150)
@given(puzzles_with_orders())
def test_an_anchor_has_one_placement_of_each_orbit(case):
    check_anchors(*case)


@pytest.mark.parametrize(
    ("rows", "columns", "pieces", "anchors"),
    [
        # Of corners, then of edges, then the inner piece on the centre.
        (3, 3, [(0, 1, 2, 0)] * 3 + [(0, 2, 2, 0)] + [(0, 1, 3, 1), (0, 2, 3, 1)] * 2 + [(3, 4, 5, 6)], 1),
        (3, 3, [(0, 1, 2, 0)] * 4 + [(0, 1, 3, 1)] + [(0, 2, 3, 1)] * 2 + [(0, 2, 4, 1)] + [(3, 4, 5, 6)], 2),
        (3, 3, [(0, 1, 2, 0)] * 4 + [(0, 2, 3, 1)] * 4 + [(3, 4, 5, 6)], 1),
        (3, 3, [(0, 1, 2, 0)] * 4 + [(0, 2, 3, 1)] * 4 + [(3, 4, 3, 4)], 0),
        (3, 4, [(0, 1, 2, 0)] * 4 + [(0, 2, 3, 1)] * 6 + [(3, 4, 5, 6), (3, 4, 5, 7)], 2),
        (4, 4, [(0, 1, 2, 0)] * 4 + [(0, 2, 3, 1)] * 7 + [(0, 3, 3, 1)] + [(3, 4, 5, 6)] * 4, 1),
        (5, 5, [(0, 1, 2, 0)] * 4 + [(0, 2, 3, 1)] * 12 + [(3, 4, 5, 6)] * 8 + [(3, 4, 5, 7)], 1),
        (1, 3, [(0, 1, 0, 0), (0, 2, 0, 0), (0, 1, 0, 2)], 2),
        (1, 3, [(0, 1, 0, 0), (0, 1, 0, 0), (0, 1, 0, 2)], 1),
        (1, 3, [(0, 1, 0, 0), (0, 1, 0, 0), (0, 1, 0, 2), (0, 1, 0, 3)], 0),
        (5, 1, [(0, 1, 0, 0)] * 2 + [(0, 1, 0, 2)] * 2 + [(0, 1, 0, 3)], 1),
    ],
)
def test_the_anchors_of_boards(rows, columns, pieces, anchors):
    puzzle = EdgeMatchingPuzzle(rows, columns, tuple(pieces))
    for squares in (range(rows * columns), range(rows * columns - 1, -1, -1)):
        assert check_anchors(puzzle, tuple(squares)) == anchors


def test_nothing_is_an_anchor_where_the_board_is_not_turned():
    pieces = ((0, 1, 2, 0), (0, 2, 3, 0), (0, 3, 4, 0), (0, 4, 1, 0))
    puzzle = EdgeMatchingPuzzle(2, 2, pieces)
    assert len(find_anchors(puzzle, symmetries(puzzle), (0, 1, 2, 3))) == 4
    assert find_anchors(puzzle, symmetries(puzzle, turnable=False), (0, 1, 2, 3)) == ()


def test_two_fixed_pieces_leave_a_regular_puzzle():
    """The two others could change places only if the board could be turned."""
    fixed = (Fixed(0, 0, 0), Fixed(1, 1, 1))
    assert symmetries(EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4, fixed=fixed)).regular
    assert not symmetries(EdgeMatchingPuzzle(1, 2, ((0, 1, 0, 0),) * 2)).regular
