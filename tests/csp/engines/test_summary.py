"""Results in words: what is said of a best score holds for the boards that were searched."""

from dataclasses import replace

import pytest

from jigsat import best
from jigsat.api.make import make_edge_matching

FRAME, SLIPS = " with a valid frame", " that the slips permit"
EVERYWHERE = "1x12"


@pytest.fixture(scope="module")
def puzzle():
    """A puzzle of 24 joins of which at most 22 can be valid."""
    return make_edge_matching(4, 4, 2, 3, random=True, seed=2)


@pytest.mark.parametrize(
    ("slips", "frame_slips", "boards"),
    [
        (None, None, FRAME),
        (EVERYWHERE, None, FRAME),
        ("12x2", None, SLIPS),
        (None, "15x2", SLIPS),
        ("12x2", EVERYWHERE, SLIPS),
        (None, EVERYWHERE, ""),
    ],
)
def test_which_boards_have_no_higher_score(puzzle, slips, frame_slips, boards):
    """Others may have more valid joins: the search was not among them, and neither is a proof about them."""
    result = best(puzzle, engine="backtrack", slips=slips, frame_slips=frame_slips)
    assert f": score 22 of 24, no other board{boards} has more; found in " in result.summary().splitlines()[0]
    stopped = replace(result, complete=False, best_bound=23, ended_by="time")
    among = boards and f" for a board{boards}"
    assert f", at most 23 is possible{among}; the time limit was reached" in stopped.summary()
    # This is true of every board.
    assert ", at most 24 is possible; " in replace(stopped, best_bound=24).summary()
