"""Boards of mixed pieces, windows in them, and the fewest invalid joins of a window by brute force."""

from brute_force import TooMuch, fits, spin
from jigsat.csp.puzzles.board import Placement


def mixed_board(puzzle, chance):
    """A full board: pieces at random, with border sides on the border; None if there are too few of a kind."""
    board = [*puzzle.fixed_board]
    left = {*range(len(puzzle.pieces))} - {fixed.piece for fixed in puzzle.fixed}
    for square in chance.sample(range(len(board)), len(board)):
        if board[square] is None:
            outside = _outside(puzzle, square)
            fitting = [
                Placement(piece, turns)
                for piece in sorted(left)
                for turns in range(4)
                if [side == 0 for side in spin(puzzle.pieces[piece], turns)] == outside
            ]
            if not fitting:
                return None
            board[square] = chance.choice(fitting)
            left.remove(board[square].piece)
    return tuple(board)


def invalid_joins(puzzle, board, squares):
    """How many invalid joins squares have, and how many of them run along the frame."""
    invalid, on_frame = 0, 0
    for square in range(len(board)):
        for side, beside in _around(puzzle, square):
            if side in (1, 2) and {square, beside} & {*squares} and board[square] and board[beside]:
                here, there = (spin(puzzle.pieces[board[q].piece], board[q].rotation) for q in (square, beside))
                wrong = not fits(puzzle, here[side], there[side - 2])
                invalid += wrong
                on_frame += wrong and _is_on_frame(puzzle, square, side)
    return invalid, on_frame


def fewest_invalid(puzzle, board, squares, loose_frame=False, most_steps=100_000):
    """The fewest invalid joins that any filling of the squares has; None if nothing fits the border and the frame."""
    board, best, steps = [None if q in squares else placed for q, placed in enumerate(board)], None, 0
    looks = {(p, turns): spin(sides, turns) for p, sides in enumerate(puzzle.pieces) for turns in range(4)}
    used = {placed.piece for placed in board if placed} | {fixed.piece for fixed in puzzle.fixed}

    def fill(left, cost):
        nonlocal best, steps
        steps += 1
        if steps > most_steps:
            raise TooMuch
        if best is not None and cost >= best:
            return
        if not left:
            best = cost
            return
        square, outside = left[0], _outside(puzzle, left[0])
        known = [(side, looks[board[q]]) for side, q in _around(puzzle, square) if board[q]]
        for (piece, turns), sides in looks.items():
            if piece not in used and [side == 0 for side in sides] == outside:
                # Joins with squares that are filled later are not counted yet.
                wrong = [side for side, there in known if not fits(puzzle, sides[side], there[side - 2])]
                if loose_frame or not any(_is_on_frame(puzzle, square, side) for side in wrong):
                    board[square] = Placement(piece, turns)
                    used.add(piece)
                    fill(left[1:], cost + len(wrong))
                    used.remove(piece)
                    board[square] = None

    fill(sorted(squares), 0)
    return best


def _outside(puzzle, square):
    inside = {side for side, _ in _around(puzzle, square)}
    return [side not in inside for side in range(4)]


def _around(puzzle, square):
    r, c = divmod(square, puzzle.columns)
    for side, (y, x) in enumerate([(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]):
        if 0 <= y < puzzle.rows and 0 <= x < puzzle.columns:
            yield side, y * puzzle.columns + x


def _is_on_frame(puzzle, square, side):
    r, c = divmod(square, puzzle.columns)
    return r in (0, puzzle.rows - 1) if side % 2 else c in (0, puzzle.columns - 1)
