"""How many half-boards the ways to count a framed board by halves would list, and what colour balance would save.

    python research/half_boards.py --rows 7 --columns 7 --frame-colors 3 --inner-colors 6

Prints, from Owen's model, for a random set of different pieces: half-rows of the method `macros`; boards that are half
filled; the cheapest plan of the method `frames`; insides without a frame; and the plan of the method `middle`.  Then it
samples boards of 2, 3, ... rows, and prints how many of them cannot be completed because
of their colours: some colour has more open sides than unused pieces have on sides that may lie there, or the unused
edge pieces have it more often towards the inside than the open sides and the unused inner pieces.
"""

import argparse
from itertools import islice

import numpy as np

import jigsat as js
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import DEFAULTS
from jigsat.csp.puzzles.orders import find_order
from jigsat.csp.puzzles.symmetry import find_anchors, symmetries
from jigsat.csp.search.counting.frames_ring import halves_of, inside_of
from jigsat.csp.search.counting.macros import Boards, Buffers
from jigsat.csp.search.counting.macros_tables import Cells, build_macro_tables, in_pairs, sides_of
from jigsat.estimators.effort.count_methods import _Expected, method_nodes, middle_plan
from jigsat.estimators.owen.complexity import Complexity

FIRST_ROWS, BATCHES, OF_BATCH = 30, 20, 20_000


def predicted(puzzle):
    """What Owen's model expects."""
    model, found = Complexity(puzzle), symmetries(puzzle)
    nodes = model.estimate("rowscan", symmetry=True).nodes_by_depth
    print(f"macros: {float(dict(method_nodes(model, DEFAULTS))['macros']):.2e} half-rows")
    squares = len(puzzle.board)
    for depth in range(squares // 2 - 3, squares // 2 + 5):
        print(f"half a board of {depth} squares with the anchor: {float(nodes[depth - 1]):.2e}")
    expected, (rows, columns) = _Expected(puzzle, found), inside_of(puzzle)
    plans = [expected.plan(halves_of(puzzle, columns, size)) for size in range(-(-rows * columns // 2), rows * columns)]
    plan = min(plans, key=lambda plan: plan.cost)
    print(f"frames: cost {plan.cost:.2e}, tables {plan.tables_bytes / 2**30:.2g} GiB")
    inside = [square for square in range(squares) if not puzzle.board.border_mask(square)]
    order = (*inside, *(square for square in range(squares) if square not in inside))
    alone = model.estimate(order).nodes_by_depth
    for depth in (len(inside) // 2, len(inside)):
        print(f"{depth} squares of the inside without a frame: {float(alone[depth - 1]):.2e}")
    try:
        middle = middle_plan(puzzle)
        print(f"middle: cost {float(middle.cost):.2e}, {middle.bytes / 2**30:.2g} GiB a round")
    except EngineError as error:
        print(error)


def balance(puzzle):
    """The part of sampled boards that colours rule out, by rows."""
    found = symmetries(puzzle)
    kinds = [*in_pairs(found, paired=False)]
    anchor = find_anchors(puzzle, found, find_order(puzzle, "rowscan")[1])[0]
    cells = Cells(puzzle, found, anchor, 0)
    left, right = sides_of(cells)
    tables = build_macro_tables([cells])
    # The digit of a colour is its place among all of them, from 1.
    digits = 1 + np.searchsorted(sorted({*puzzle.inner_sides(), *puzzle.frame_sides()}), sorted(puzzle.inner_sides()))
    of_left, of_right = cells.digits(left.words, cells.middle), cells.digits(right.words, puzzle.columns - cells.middle)
    has = np.array([[kind.sides.count(color) for color in sorted(puzzle.inner_sides())] for kind in kinds])
    is_inner = np.array([kind.piece_class == "inner" for kind in kinds])[:, None]
    first = Boards.of(tables[0].first_pieces, tables[0].first_words)
    chosen = np.random.default_rng(1).permutation(len(first.pieces))[:FIRST_ROWS]
    for rows in range(2, puzzle.rows - 1):
        buffers = Buffers(rows + 1, tables)
        buffers.begin(1, first.taken(chosen))
        states = np.concatenate([
            some[:OF_BATCH].copy() for some in islice(buffers.filled_up_to(tables[0], rows), BATCHES)
        ])  # fmt: skip
        pieces, words = states[0::2], states[1::2].astype(np.int64)
        unused = 1 - (pieces[:, None] >> np.arange(len(kinds), dtype=np.uint64) & np.uint64(1)).astype(np.int64)
        inner, rim = unused @ (has * is_inner), unused @ (has * ~is_inner)
        above = np.concatenate((of_left[words & 0xFFFFFFFF], of_right[words >> 32]), axis=1)[:, 1:-1]
        open_sides = (above[:, :, None] == digits).sum(axis=1)
        # What is left fits together in pairs.
        assert not ((inner + rim - open_sides) % 2).any()
        ruled_out = ((open_sides > inner) | (rim > inner + open_sides)).any(axis=1)
        print(f"{rows} rows: colours rule out {100 * ruled_out.mean():.2g} % of {len(pieces)} boards")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("rows", "columns", "frame-colors", "inner-colors"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    made = js.make_edge_matching(**vars(parser.parse_args()), random=True, unique=True, asymmetric=True).upright()
    predicted(made)
    balance(made)


if __name__ == "__main__":
    main()
