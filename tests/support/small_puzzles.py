"""A handful of small puzzles with a bit of everything, and what the brute force says of them."""

from dataclasses import replace
from typing import NamedTuple

from brute_force import (
    TooMuch,
    all_solutions,
    as_brute_force,
    fillings_with_slips,
    invalid_joins,
    is_bound_by_order,
    number_of_orbits,
    placements,
)
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.slips import inner_joins

#: The colours do not come out even.
UNSOLVABLE = EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0), (0, 1, 1, 0), (0, 1, 1, 0), (0, 1, 2, 0)))
MADE = deal_edge_matching(4, 4, 3, 4, seed=1)
RECTANGLE = deal_edge_matching(3, 4, 4, 3, seed=3).puzzle

#: The inner piece may lie in any rotation, and looks the same in each other one.
SYMMETRIC = EdgeMatchingPuzzle(
    3, 3, ((5, 6, 5, 6), (0, 1, 2, 0), (0, 3, 1, 0), (0, 4, 3, 0), (0, 2, 4, 0),
           (0, 1, 5, 1), (0, 3, 6, 3), (0, 4, 5, 4), (0, 2, 6, 2)),
)  # fmt: skip

#: A jigsaw with a fixed piece and two spare ones, one of which is the twin of another.
JIGSAW = EdgeMatchingPuzzle(
    2, 3, ((0, 1, 2, 0), (0, -1, -2, -1), (0, 0, -2, 1), (-2, 1, 0, 0), (2, 1, 0, -1), (2, 0, 0, -1),
           (0, 1, 2, 0), (0, -1, 2, 1)),
    Rule.OPPOSITE, (Fixed(4, 4, 0),),
)  # fmt: skip

#: Puzzles that have no full board, as can be seen without a search.
WITHOUT_A_CHANCE = {
    "fixed pieces that contradict": EdgeMatchingPuzzle(
        1, 2, ((0, 1, 0, 0), (0, 0, 0, 2)), fixed=(Fixed(0, 0, 0), Fixed(1, 1, 0))
    ),
    "no end for a square": EdgeMatchingPuzzle(1, 2, ((0, 1, 0, 0), (0, 0, 1, 2))),
    "no frame": EdgeMatchingPuzzle(3, 3, ((1, 1, 1, 1),) * 9, rim=0),
    "no inside": EdgeMatchingPuzzle(3, 3, ((0, 1, 1, 0),) * 9),
}

SMALL_PUZZLES = {
    # Four pieces that look alike: a single orbit.
    "identical": EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4),
    # One of them is not used.
    "identical and spare": EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 5),
    # Eight edge pieces and 16 placements on the inner squares.
    "4x4": MADE.puzzle,
    "half a board": MADE.puzzle.with_fixed([placed if i % 2 else None for i, placed in enumerate(MADE.solution)]),
    "full board": MADE.puzzle.with_fixed(MADE.solution),
    "rectangle": RECTANGLE,
    "symmetric": SYMMETRIC,
    "jigsaw": JIGSAW,
    "unsolvable": UNSOLVABLE,
    # The same for the inner piece alone: there are full boards.
    "spoiled": EdgeMatchingPuzzle(3, 3, ((5, 6, 5, 7), *SYMMETRIC.pieces[1:])),
    "1x1": EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0), (0, 0, 0, 0))),
    "1x3": EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 1, 0, 1), (0, 1, 0, 1), (0, 0, 0, 1))),
    "no piece fits": EdgeMatchingPuzzle(1, 3, ((1, 1, 1, 1),) * 3, rim=0),
    **WITHOUT_A_CHANCE,
}


class Case(NamedTuple):
    """A puzzle, how it is searched, and what the brute force says; `best` is None where there is no full board."""

    puzzle: EdgeMatchingPuzzle
    order: str | tuple[int, ...] | None
    slips: tuple[int, ...] | None
    solutions: set
    orbits: int
    best: int | None
    frame_slips: tuple[int, ...] | None = None

    @property
    def turns(self):
        """Whether the board may be turned, which slips that depend on the order do not allow."""
        if not (self.slips or self.frame_slips):
            return True
        return not is_bound_by_order(self.puzzle, self.order, self.slips or (), self.frame_slips or ())


def solved(puzzle, order=None, slips=None, frame_slips=None, *, most=300, scored=True):
    """The case of a puzzle along an order (squares, if there are slips); TooMuch if it has more than `most` solutions.

    Without slips the best score is that with as many inner ones as may be.  Unless `scored`, it is looked for with
    slips only.
    """
    along = frame_slips or ()
    if slips or frame_slips:
        boards = fillings_with_slips(puzzle, order, slips or (), most=5 * most, frame_slips=along)[-1]
        found = {placements(board) for board in boards}
        if not slips and scored:
            everywhere = (1,) * inner_joins(puzzle)
            boards = fillings_with_slips(puzzle, order, everywhere, most=5_000, frame_slips=along)[-1]
    else:
        found = all_solutions(puzzle, most, 100_000)
        boards = []
        if scored and not found:
            squares = tuple(fixed.square for fixed in puzzle.fixed)
            squares += tuple(square for square in range(len(puzzle.board)) if square not in squares)
            boards = fillings_with_slips(puzzle, squares, (1,) * inner_joins(puzzle), most=5_000)[-1]
    if len(found) > most:
        raise TooMuch
    least = min((invalid_joins(puzzle, board, along=1) for board in boards), default=None)
    all_valid = found and not (slips or frame_slips)
    best = puzzle.max_score if all_valid else None if least is None else puzzle.max_score - int(least)
    case = Case(puzzle, order, slips, found, 0, best, frame_slips)
    return case._replace(orbits=number_of_orbits(puzzle, found, case.turns))


def boards_of(case, solutions):
    """Boards of the library as arrangements of the brute force."""
    return [as_brute_force(board, case.puzzle.columns) for board in solutions]


def spoiled(size, frame, inner, seed=1):
    """A planted puzzle with one side of an inner piece recoloured: no solution, since its colours are odd in number."""
    puzzle = deal_edge_matching(size, size, frame, inner, seed=seed).puzzle
    pieces = [list(sides) for sides in puzzle.pieces]
    changed = next(sides for sides in pieces if 0 not in sides)
    changed[0] = next(color for sides in pieces if 0 not in sides for color in sides if color != changed[0])
    return replace(puzzle, pieces=tuple(map(tuple, pieces)))
