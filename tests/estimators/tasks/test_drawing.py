"""Pictures: the function draws what the command draws."""

import pytest

from command_line import run
from jigsat import draw, read
from jigsat.csp.base.errors import InstanceError, UsageError
from jigsat.csp.files.convert import write
from solved_clue import BOARD

CLUE, HINTS, JIGSAW, L_SHAPE = (read(name) for name in ("clue3", "eternity2-hints", "perfect-5x5", "l-shape"))
OTHER = (None, *BOARD[1:])


@pytest.mark.parametrize(
    ("puzzle", "solutions", "options"),
    [
        (CLUE, None, {}),
        (CLUE, None, {"legend": True, "numbers": False}),
        (CLUE, None, {"order": "best"}),
        (CLUE, [BOARD], {"order": "spiral_in"}),
        (CLUE, [BOARD, OTHER], {"number": 2}),
        (HINTS, None, {}),
        (HINTS, None, {"pieces": True}),
        (JIGSAW, None, {"number": 2}),
        (L_SHAPE, None, {"numbers": False}),
        (L_SHAPE, [L_SHAPE.pieces], {}),
        (L_SHAPE, [L_SHAPE.pieces] * 3, {"all": True}),
        (L_SHAPE, [L_SHAPE.pieces] * 3, {"number": 3}),
    ],
)
def test_the_command_and_the_function_draw_the_same(tmp_path, capsys, puzzle, solutions, options):
    file, picture = tmp_path / "claimed.json", tmp_path / "picture.svg"
    if solutions is not None:
        write(puzzle, solutions, file)
    words = ["--no-numbers" if value is False else f"--{name}" if value is True else f"--{name}={value}"
             for name, value in options.items()]  # fmt: skip
    sources = [puzzle.name, *([] if solutions is None else [str(file)])]
    assert run(capsys, "draw", *sources, *words, "-o", str(picture)) == (0, "", "")
    for given in (solutions, None if solutions is None else file):
        assert str(draw(puzzle, given, **options)) == picture.read_text()
    if solutions is not None and len(solutions) == 1:
        assert str(draw(puzzle, solutions[0], **options)) == picture.read_text()


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
