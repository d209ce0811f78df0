"""The pages judge boards of every form as the package's own judge does."""

import json
import random

import pytest

from form_puzzles import squares_document
from javascript import evaluated
from jigsat.csp.files.instances import parse_puzzle
from jigsat.csp.puzzles.board import Placement, moved
from jigsat.csp.puzzles.check_board import appearance, check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.render.html.play import look_of
from jigsat.render.html.viewer import puzzle_data

JUDGE = """(cases) => cases.map(([data, shown]) => {
  const joins = judgedJoins(data, shown);
  return [joins.valid, joins.all, isSolved(data, shown), joins.invalid.length, lookOf(data, shown)];
})"""
SCRIPTS = ("svg.js", "board.js", "judge.js")


def drawn(number):
    """A puzzle, and one of its boards with a piece on every square, in rotations that are allowed."""
    chance = random.Random(number)
    puzzle = parse_puzzle(json.dumps(squares_document(chance)), "drawn.json").pieces_only()
    pieces = chance.sample(range(len(puzzle.pieces)), len(puzzle.board))
    return puzzle, tuple(Placement(piece, chance.choice(puzzle.rotations(piece))) for piece in pieces)


def case(puzzle, board):
    base = 8 if puzzle.flip else 4
    data = {**puzzle_data(puzzle, 100), "moves": [list(move) for move in puzzle.moves]}
    return data, [base * placed.piece + placed.rotation for placed in board]


@pytest.mark.filterwarnings("ignore:drawn.json")
def test_boards_are_judged_as_by_the_package():
    """Catches a rim, a gap, ends that meet, mates or a piece turned over that a page takes for something else."""
    boards = [drawn(number) for number in range(300)]
    solved = 0
    said = evaluated(SCRIPTS, JUDGE, [case(*each) for each in boards])
    for (puzzle, board), (valid, joins, is_solved, invalid, _) in zip(boards, said, strict=True):
        verdict = check(puzzle, board)
        assert (valid, joins, is_solved) == (verdict.score, verdict.max_score, verdict.is_solution), puzzle
        assert valid + invalid == joins
        solved += is_solved
    assert solved > 5


JIGSAWS = [
    EdgeMatchingPuzzle(2, 2, ((1, 2, -1, 3), (-2, 1, 3, -2)) * 2, Rule.OPPOSITE, rim="any"),
    EdgeMatchingPuzzle(2, 2, ((1, 2, -1, 3), (-2, 1, 3, -2)) * 2, Rule.OPPOSITE, rim="any", turn=False),
    EdgeMatchingPuzzle(2, 3, ((1, 2, -1, 3), (-2, 1, 3, -2)) * 2, Rule.OPPOSITE, rim=3, squares=("##.", ".##")),
    EdgeMatchingPuzzle(3, 3, ((1, 2, 4, 3), (2, 1, 3, 2), (5, 1, 1, 2)) * 3, rim="any", flip=True, wrap="both"),
]


@pytest.mark.parametrize("puzzle", JIGSAWS)
def test_boards_that_turning_makes_look_the_same(puzzle):
    board = tuple(Placement(piece, piece % 4 * bool(puzzle.turn)) for piece in range(len(puzzle.board)))
    images = [moved(move, board) for move in puzzle.moves]
    said = evaluated(SCRIPTS, JUDGE, [case(puzzle, image) for image in images])
    assert {look_of(puzzle, image) for image in images} == {look for *_, look in said} == {look_of(puzzle, board)}


@pytest.mark.parametrize("puzzle", JIGSAWS)
def test_boards_are_the_same_exactly_if_they_look_the_same(puzzle):
    """Catches solutions that differ only in the numbers of equal pieces, and different solutions taken as equal."""
    chance, pieces = random.Random(1), range(len(puzzle.board))
    boards = [
        tuple(Placement(piece, chance.choice(puzzle.rotations(piece))) for piece in chance.sample(pieces, len(pieces)))
        for _ in range(150)
    ]
    boards += [moved(move, boards[0]) for move in puzzle.moves]
    looks = [look for *_, look in evaluated(SCRIPTS, JUDGE, [case(puzzle, board) for board in boards])]
    expected = [appearance(puzzle, board) for board in boards]
    assert len({*zip(looks, expected, strict=True)}) == len({*looks}) == len({*expected}) < len(boards)
