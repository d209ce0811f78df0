"""Pictures: the function draws what the command draws."""

import pytest

from jigsat import draw, read
from jigsat.csp.base.errors import InstanceError, UsageError
from solved_clue import BOARD

CLUE, HINTS, JIGSAW, L_SHAPE = (read(name) for name in ("clue3", "eternity2-hints", "perfect-5x5", "l-shape"))
OTHER = (None, *BOARD[1:])


@pytest.mark.parametrize(
    ("puzzle", "solution", "options", "error", "message"),
    [
        (CLUE, [None], {}, UsageError, "solution: there is no board"),
        (CLUE, BOARD, {"pieces": True}, UsageError, "pieces: draws the pieces, not a board"),
        (CLUE, None, {"pieces": True, "order": "best"}, UsageError, "order: cannot be drawn with the pieces"),
        (CLUE, None, {"number": 1}, UsageError, "number: needs a SOLUTION"),
        (CLUE, BOARD, {"all": True}, UsageError, "all: it is for dissections"),
        (CLUE, BOARD, {"number": 2}, InstanceError, "there is no board 2"),
        (L_SHAPE, None, {"order": "best"}, UsageError, "order: it is for puzzles of squares"),
        (L_SHAPE, None, {"all": True}, UsageError, "all: needs a SOLUTION"),
    ],
)
def test_what_cannot_be_drawn(puzzle, solution, options, error, message):
    with pytest.raises(error, match=message):
        draw(puzzle, solution, **options)
