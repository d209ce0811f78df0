"""What shows that pieces were read otherwise than they were meant."""

from dataclasses import replace

import pytest

import jigsat as js
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.file_format import bundled_paths
from jigsat.csp.files.square_files import doubt_of, misfit
from jigsat.csp.puzzles.board import turned

MADE = js.make_edge_matching(5, 5, 4, 6, seed=3)
LARGE = js.make_edge_matching(16, 16, 2, 12, seed=1)
LONG = js.make_edge_matching(3, 8, 3, 4, seed=1)
JIGSAW = replace(js.make_jigsaw(5, 5, seed=1), assemblies=())
TBLR, TLRB = (f"in the order {order} (--sides {order})" for order in ("top,bottom,left,right", "top,left,right,bottom"))
ALIKE, NO_EDGE = js.EdgeMatchingPuzzle(3, 3, ((1, 2, 1, 2),) * 9, rim=0), (*MADE.pieces[1:], (1, 2, 3, 4))


def colored(puzzle, color):
    return replace(puzzle, pieces=tuple(tuple(map(color, sides)) for sides in puzzle.pieces))


def listed(puzzle, order):
    """The puzzle as it is read from a file with another order of sides (trbl is right), border sides last."""

    def upright(sides):
        return max((turned(sides, turns) for turns in range(4)), key=lambda turn: [side != 0 for side in turn])

    pieces = map(upright, puzzle.pieces)
    return replace(puzzle, pieces=tuple(tuple(sides["trbl".index(side)] for side in order) for sides in pieces))


def in_place_of_border(color):
    return {0: 99, 1: 0}.get(color, color)


@pytest.mark.parametrize(
    ("puzzle", "lacking", "remedy"),
    [
        (ALIKE, "0 edge pieces for 4 such squares, 0 corner pieces for 4 such squares", '"rim": "any"'),
        (colored(MADE, lambda color: color or 99), "0 corner pieces", "they would with 99 as the border (--border 99)"),
        (colored(LARGE, lambda color: color or 99), "0 corner pieces", "with 99 as the border (--border 99)"),
        (colored(MADE, in_place_of_border), "corner piece", "they would with 99 as the border (--border 99)"),
        (colored(JIGSAW, lambda color: color or 99), "0 corner pieces", "with 99 as the border (--border 99)"),
        (replace(LONG, rows=4, columns=6), "6 inner pieces for 8 such squares", "they fill a board of 3 rows"),
        (replace(MADE, pieces=NO_EDGE), "pieces for", "check the size of the board"),
        (listed(MADE, "tlrb"), "0 corner pieces for 4 such squares", TLRB),
        (listed(MADE, "lrbt"), "0 corner pieces for 4 such squares", TBLR),
        (listed(JIGSAW, "lrbt"), "0 corner pieces for 4 such squares", TBLR),
        (colored(listed(MADE, "lrbt"), lambda color: color or 99), "", "99 as the border (--border 99) and "),
    ],
)  # fmt: skip
def test_pieces_that_cannot_fill_the_board(puzzle, lacking, remedy):
    why = misfit(puzzle)
    assert lacking in why
    assert remedy in why
    asked = [js.solve, js.count, js.best, js.plan, js.explain, js.estimate, js.cnf, js.cp_model, js.solutions]
    asked += [lambda puzzle: js.certify(puzzle, 1), lambda puzzle: js.race(puzzle, "race")]
    for ask in asked:
        with pytest.raises(PuzzleError, match="the pieces cannot fill the board, so nothing is searched"):
            ask(puzzle)
    with pytest.warns(UserWarning, match="nothing is searched"):
        js.info(puzzle)


@pytest.mark.parametrize(
    ("order", "remedy"), [("trbl", None), ("ltrb", None), ("tlbr", None), ("tbrl", TBLR), ("tlrb", TLRB)]
)
@pytest.mark.parametrize("spare", [(), ((1, 5, 6, 5),)])
def test_another_order_of_sides(order, remedy, spare):
    """Clockwise or not, and from any side on, the puzzle is the same; otherwise its colours are unusual."""
    puzzle = listed(MADE, order)
    puzzle = replace(puzzle, pieces=puzzle.pieces + spare)
    if misfit(puzzle) is None:
        doubt = doubt_of(puzzle)
        assert (doubt is None) if remedy is None else (remedy in doubt)
    else:
        assert remedy in misfit(puzzle)


def test_no_false_alarms():
    """Neither for bundled puzzles, nor for random sets, few colours, or colours both on the frame and inside."""
    for path in bundled_paths():
        puzzle = js.read(path)
        assert puzzle.kind == "dissection" or (misfit(puzzle), doubt_of(puzzle)) == (None, None)
    for seed in range(60):
        most = 3 + seed % 5
        made = js.make_edge_matching(3 + seed % 5, 3 + seed % 3, 1 + seed % 3, most, random=seed % 2 == 1, seed=seed)
        shared = colored(made, [0, *range(1, most + 1), 1, 2, 3].__getitem__)
        for puzzle in (made, shared):
            puzzle = listed(puzzle, "trbl")
            assert (misfit(puzzle), doubt_of(puzzle)) == (None, None)
