"""What can be said of a board in a model, CNF or CP-SAT: literals or expressions, and whether they hold."""

from functools import cache

from hypothesis import reject

from brute_force import TooMuch, all_solutions, fits, spin
from jigsat.csp.make.edge_matching import deal_edge_matching
from small_puzzles import solved

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def solutions_of(puzzle, slips=(), order=None):
    """All solutions; an example that has more than a hundred is left for another one."""
    try:
        return solved(puzzle, order, slips, most=100, scored=False).solutions
    except TooMuch:
        reject()


def statements(model):
    """All there is to say about a board: the literal, and a function of the sides shown that says whether it holds."""
    puzzle = model.puzzle
    pinned = {f.piece for f in puzzle.fixed}
    alike = model.domains.symmetry

    def is_there(piece, at, rotation):
        """The piece itself or, where identical pieces share their variables, one that looks the same there."""
        sides = spin(puzzle.pieces[piece], rotation)
        if not alike or piece in pinned:
            return lambda board: board[at] == (piece, rotation)
        return lambda board: board[at][0] not in pinned and shown(puzzle, board, at) == sides

    for square in range(len(puzzle.board)):
        at = divmod(square, puzzle.columns)
        for piece in range(len(puzzle.pieces)):
            turns = [is_there(piece, at, rotation) for rotation in range(4)]
            for rotation in range(4):
                yield model.place(square, piece, rotation), turns[rotation]
            yield model.on(square, piece), lambda board, turns=turns: any(turn(board) for turn in turns)
        for side in range(4):
            # No square shows a colour that no piece has, or the border's.
            for color in {side for sides in puzzle.pieces for side in sides} | {77, -77, 0}:
                yield (
                    model.color(square, side, color),
                    lambda board, at=at, side=side, color=color: color != 0 and shown(puzzle, board, at)[side] == color,
                )
            yield model.invalid(square, side), lambda board, at=at, side=side: mismatch(puzzle, board, at, side)


def shown(puzzle, board, at):
    piece, rotation = board[at]
    return spin(puzzle.pieces[piece], rotation)


def mismatch(puzzle, board, at, side):
    """Whether the join on that side is invalid; on the border there is no join."""
    there = (at[0] + STEPS[side][0], at[1] + STEPS[side][1])
    if there not in board:
        return False
    return not fits(puzzle, shown(puzzle, board, at)[side], shown(puzzle, board, there)[(side + 2) % 4])


def adjacent(solution, one, other):
    place = {piece: at for at, (piece, _) in solution}
    return abs(place[one][0] - place[other][0]) + abs(place[one][1] - place[other][1]) == 1


@cache
def load_4x4():
    """A puzzle with several solutions, and these."""
    puzzle = deal_edge_matching(4, 4, 2, 3, seed=2).puzzle
    return puzzle, frozenset(all_solutions(puzzle))
