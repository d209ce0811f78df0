"""Which pieces fit on a square, against the rules of fixed pieces and the score."""

import random

import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.fitting import Fitting

MIXED = EdgeMatchingPuzzle(
    3, 3, tuple((a, b, c, d) for a, b, c, d in ((1, 2, 3, 4), (2, 1, 4, 3), (1, 1, 2, 2)) for _ in range(3)),
    rim="any", turn=(True, False) * 4 + (True,), flip=True, mates={1: 2}, wrap="columns",
)  # fmt: skip
PUZZLES = {name: read_squares(name) for name in ("perfect-3x3", "puzzle-a", "scramble-squares")} | {"mixed": MIXED}


def possible(puzzle, board, square, placed):
    """Whether all joins of a piece are valid, and its border sides lie on the border and nowhere else."""
    further = [*board[:square], placed, *board[square + 1 :]]
    around = [puzzle.board.neighbour(square, side) for side in range(4)]
    joins = sum(other is not None and board[other] is not None for other in around)
    try:
        puzzle.with_fixed(further)
    except PuzzleError:
        return False
    return puzzle.score(further) == puzzle.score(board) + joins


@pytest.mark.parametrize("name", PUZZLES)
def test_pieces_that_fit(name):
    """Catches sides that are compared with the wrong neighbour, and pieces that lie elsewhere or look the same."""
    puzzle, chance = PUZZLES[name], random.Random(name)
    fitting = Fitting(puzzle)
    for _ in range(3 if len(puzzle.board) == 36 else 20):
        board, filled = [None] * len(puzzle.board), chance.randrange(len(puzzle.board))
        for square in chance.sample(range(len(board)), filled):
            fits = fitting.on(board, square)
            if fits:
                board[square] = chance.choice(fits)
        loose = {*range(len(puzzle.pieces))} - {placed.piece for placed in board if placed}
        empty = [square for square, placed in enumerate(board) if placed is None]
        for square in empty:
            every = {Placement(piece, turn) for piece in loose for turn in puzzle.looks(piece).values()}
            expected = {placed for placed in every if possible(puzzle, board, square, placed)}
            assert {*fitting.on(board, square)} == expected
        assert fitting.is_dead_end(board) == any(not fitting.on(board, square) for square in empty)


def test_wrong_joins_and_border_sides_are_dead_ends():
    puzzle = PUZZLES["perfect-3x3"]
    solution = puzzle.assemblies[0]
    fitting = Fitting(puzzle)
    assert not fitting.is_dead_end(solution)
    assert fitting.is_dead_end([None, *solution[:8]])
    assert fitting.is_dead_end([*[None] * 4, solution[0], *[None] * 4])
