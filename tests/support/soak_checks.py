"""The judges of boards and tilings in the long agreement run: solutions that are changed here and there."""

import random

from brute_force_lattice import ordered
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.check_tiling import TilingChecker
from soak_judges import expect

#: How many boards or tilings are judged in a run.
NUMBER = 20


def check_run(puzzle, truth, run):
    """The judge accepts what is among all solutions, and nothing else."""
    chance = random.Random(run.others["seed"])
    if puzzle.kind == "dissection":
        judge = TilingChecker(puzzle)
        for _ in range(NUMBER):
            tiling = _changed_tiling(chance, puzzle, sorted(truth.orbit_of))
            expect(f"is_solution of {tiling}", judge(tiling).is_solution, tiling in truth.orbit_of)
        return
    slips, frame_slips = (tuple(run.options.get(name, ())) for name in ("slips", "frame_slips"))
    order = truth.order(tuple(run.options["order"])) if slips or frame_slips else ()
    solutions = truth.boards(order or None, slips or None, frame_slips or None).solutions
    every = set(solutions)
    for _ in range(NUMBER):
        board = _changed_board(chance, puzzle, solutions)
        placed = tuple(one and Placement(*one) for one in board)
        expect(f"is_solution of {board}", check(puzzle, placed, slips, order, frame_slips).is_solution, board in every)


def _changed_board(chance, puzzle, solutions):
    """A solution, or pieces as they come, with up to three changes."""
    squares, pieces = range(len(puzzle.board)), range(len(puzzle.pieces))
    board = [(piece, chance.randrange(4)) for piece in chance.sample(pieces, len(squares))]
    board = list(chance.choice(solutions)) if solutions and chance.random() < 0.95 else board
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        a, b = chance.choice(squares), chance.choice(squares)
        how = chance.choice(("turn", "turn", "exchange", "another", "turn board", "none"))
        if how == "turn" and board[a]:
            board[a] = (board[a][0], (board[a][1] + chance.randint(1, 3)) % 4)
        elif how == "exchange":
            board[a], board[b] = board[b], board[a]
        elif how == "another":
            board[a] = (chance.choice(pieces), chance.randrange(4))
        elif how == "turn board":
            board = [one and (one[0], (one[1] + 2) % 4) for one in reversed(board)]
        elif chance.random() < 0.2:
            board[a] = None
    return tuple(board)


def _changed_tiling(chance, puzzle, tilings):
    """A tiling, or the pieces as they are in the puzzle, with up to two changes."""
    tiling = list(chance.choice(tilings)) if tilings else [ordered(piece) for piece in puzzle.pieces]
    for _ in range(chance.choice((0, 1, 1, 2))):
        a, b = chance.randrange(len(tiling)), chance.randrange(len(tiling))
        how = chance.choice(("move", "turn over", "exchange", "mirror all"))
        if how == "move":
            dx, dy = chance.choice(((1, 0), (0, 1), (-1, 0), (0, -1)))
            tiling[a] = ordered([(x + dx, y + dy) for x, y in tiling[a]])
        elif how == "turn over":
            width = max(x for x, _ in tiling[a]) + min(x for x, _ in tiling[a])
            tiling[a] = ordered([(width - x, y) for x, y in tiling[a]])
        elif how == "exchange":
            tiling[a], tiling[b] = tiling[b], tiling[a]
        else:
            xs = [x for part in puzzle.parts for x, _ in part]
            width = max(xs) + min(xs)
            tiling = [ordered([(width - x, y) for x, y in polygon]) for polygon in tiling]
    return tuple(tiling)
