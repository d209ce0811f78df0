"""The tally of full boards against a brute force: counts, the chosen one of each orbit, arrangements."""

import numpy as np
import pytest

from brute_force import all_solutions, as_brute_force, number_of_orbits, orbit, spin
from jigsat.csp.engines.tallies import Tally
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.symmetry import find_anchors, find_candidates, single_pieces, symmetries
from small_puzzles import JIGSAW, RECTANGLE, SMALL_PUZZLES, SYMMETRIC

#: Two pieces and twins of both, one of which is spare; solutions equal themselves turned by half.
SPARE = EdgeMatchingPuzzle(2, 2, ((0, 1, 2, 0), (1, 2, 0, 0), (0, 2, 1, 0), (0, 0, 2, 1), (0, 1, 2, 0)))
#: The strips look the same from both ends; one of the two ends is spare.
STRIP = EdgeMatchingPuzzle(1, 4, ((0, 1, 0, 0), (0, 1, 0, 1), (1, 0, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0), (1, 0, 1, 0)))
SPARE_JIGSAW = EdgeMatchingPuzzle(
    2, 2, ((0, 1, 1, 0), (0, 0, -1, -1), (-1, -1, 0, 0), (1, 0, 0, 1), (0, 1, 1, 0)), Rule.OPPOSITE
)
#: Identical pieces, of which one is fixed.
PINNED = EdgeMatchingPuzzle(1, 4, STRIP.pieces, fixed=(Fixed(1, 2, 1),))
#: Turned by half it shows the same on the centre only; two of its four turns precede those before and after them.
CENTRE = EdgeMatchingPuzzle(
    3, 3, tuple(tuple({1: 3, 2: 1, 3: 2}.get(side, side) for side in sides) for sides in SYMMETRIC.pieces)
)  # fmt: skip
PUZZLES = {
    "centre": CENTRE,
    "spare": SPARE, "strip": STRIP, "spare jigsaw": SPARE_JIGSAW, "pinned": PINNED, "jigsaw": JIGSAW,
    "symmetric": SYMMETRIC, "rectangle": RECTANGLE,
    **{name: SMALL_PUZZLES[name] for name in ("identical", "identical and spare", "half a board", "full board")},
    **{name: SMALL_PUZZLES[name] for name in ("1x1", "1x3")},
}  # fmt: skip


class Search:
    """A search's tally, and its rows for all solutions of the brute force; the squares come in a given order."""

    def __init__(self, puzzle, *, by_type, backwards=False, anchored=False):
        self.puzzle, self.by_type = puzzle, by_type
        self.solutions = all_solutions(puzzle)
        self.found = symmetries(puzzle)
        kinds = self.found.types if by_type else single_pieces(puzzle)
        self.candidates = find_candidates(puzzle, kinds)
        self.squares = puzzle.free_squares[:: -1 if backwards else 1]
        anchors = find_anchors(puzzle, self.found, self.squares) if anchored else ()
        self.anchor = anchors[0] if anchors else None
        self.tally = self.fresh()
        rows = {self.row(dict(solution)) for solution in self.solutions}
        wanted = [row for row in sorted(rows) if self.is_wanted(row)]
        self.rows = np.array(wanted, dtype=np.int64).reshape(len(wanted), len(self.squares))

    def fresh(self):
        return Tally(self.puzzle, self.found, self.candidates, self.squares, self.anchor, by_type=self.by_type)

    def row(self, board):
        """The candidates that show what the pieces show; of single pieces, those of the pieces themselves."""
        return tuple(self.candidate(*board[divmod(square, self.puzzle.columns)]) for square in self.squares)

    def candidate(self, piece, rotation):
        shown = spin(self.puzzle.pieces[piece], rotation)
        for index, (kind, turns) in enumerate(zip(self.candidates.of_type, self.candidates.turns, strict=True)):
            same = piece in self.candidates.kinds[kind].pieces
            if same and spin(self.candidates.kinds[kind].sides, turns) == shown and (self.by_type or turns == rotation):
                return index
        raise AssertionError("no candidate shows this")

    def is_wanted(self, row):
        if self.anchor is None:
            return True
        index = [kind.pieces for kind in self.candidates.kinds].index(self.anchor.piece_type.pieces)
        ((square, turns),) = (
            (square, self.candidates.turns[one])
            for square, one in zip(self.squares, row, strict=True)
            if self.candidates.of_type[one] == index
        )
        return any(square == there and turns in several for there, several in self.anchor.squares)

    def orbit_of(self, arrangement):
        return frozenset(orbit(self.puzzle, as_brute_force(arrangement, self.puzzle.columns)))


@pytest.mark.parametrize("anchored", [False, True], ids=["", "anchored"])
@pytest.mark.parametrize("backwards", [False, True], ids=["", "backwards"])
@pytest.mark.parametrize("by_type", [True, False], ids=["types", "pieces"])
@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_counts_and_canonical_rows_are_those_of_the_brute_force(puzzle, by_type, backwards, anchored):
    search = Search(puzzle, by_type=by_type, backwards=backwards, anchored=anchored and by_type)
    tally, rows = search.tally, search.rows
    assert len(rows)
    canonical = tally.is_canonical(rows)
    shown = list(tally.arrangements(rows))
    assert {as_brute_force(board, puzzle.columns) for board in shown} <= search.solutions
    assert len(set(shown)) == len(rows)
    assert all(type(number) is int for board in shown for placed in board for number in placed)
    # Exactly one row of each orbit is canonical.
    orbits = [search.orbit_of(board) for board, one in zip(shown, canonical, strict=True) if one]
    assert len(set(orbits)) == len(orbits) == number_of_orbits(puzzle, search.solutions)
    # The rows may come in any portions.
    for row, one in zip(rows, canonical, strict=True):
        tally.add(row[None], np.array([one]))
    assert (tally.count, tally.canonical_count) == (len(search.solutions), len(orbits))
    whole = search.fresh()
    whole.add(rows, canonical)
    assert (whole.count, whole.canonical_count) == (tally.count, tally.canonical_count)
    if search.found.regular:
        assert tally.regular(len(rows)) == (tally.count, tally.canonical_count)
    if not by_type:
        assert {as_brute_force(board, puzzle.columns) for board in shown} == search.solutions


def test_an_orbit_that_was_searched_in_part_counts_as_one():
    """Two of the four turns of a board, without an anchor; then with one, by which a row stands for all four."""
    square = EdgeMatchingPuzzle(2, 2, ((0, 1, 2, 0), (0, 3, 1, 0), (0, 2, 4, 0), (0, 4, 3, 0)))
    assert [Search(square, by_type=by_type).tally.regular(n) for by_type, n in ((True, 2), (True, 5), (False, 3))] == [
        (2, 1),
        (5, 2),
        (3, 1),
    ]
    assert Search(square, by_type=True, anchored=True).tally.regular(2) == (8, 2)


def test_pieces_of_a_type_are_numbered_along_the_board_and_turned_as_little_as_possible():
    """Whatever the order of the squares; the second and fourth pieces have to be turned to look like the others."""
    for backwards in (False, True):
        search = Search(STRIP, by_type=True, backwards=backwards)
        boards = set(search.tally.arrangements(search.rows))
        assert boards == {(Placement(0, 0), Placement(1, 0), Placement(2, 1), Placement(3, 3))}


def test_partial_boards_have_the_fixed_pieces_that_were_placed():
    search = Search(PINNED, by_type=True)
    (row, *_) = search.rows
    (board, *_) = search.tally.arrangements(search.rows)
    assert search.tally.partial_board(row[:2], (1,)) == (*board[:3], None)
    assert search.tally.partial_board(row[:1], (1,)) == (*board[:2], None, None)
    assert search.tally.partial_board(row[:2], ()) == (board[0], None, board[2], None)
    assert all(isinstance(one, Placement) for one in search.tally.partial_board(row[:1], (1,))[:2])
