"""Scores of single beams by the order that they follow, or by the row of a fixed piece.

Run by hand:  python research/beam_orders.py [--puzzle eternity2-hints] [--width 8000] [--beams 24]
              python research/beam_orders.py --puzzle eternity2 --width 4000 --beams 144 --rows 3,9,11,15

The first command follows all orders of the puzzle, also those that `beam` leaves out because they meet the fixed pieces
late.  With `--rows`, the fixed pieces of the puzzle are replaced by one in the middle of a row: one of twelve pieces,
drawn at random but the same for all rows.  Rows are counted from the one that is filled first.
"""

import argparse
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed
from jigsat.csp.puzzles.orders import Order, fixed_first
from jigsat.csp.search.beam.beam_search import Beam
from jigsat.csp.search.beam.routes import BeamTables
from jigsat.csp.search.beam.setting import Setting, all_beam_orders, beam_orders, depths_of_fixed

PIECES = 12


def scores(puzzle: EdgeMatchingPuzzle, order: Order, width: int, seeds: range) -> Iterator[int]:
    """The scores of beams that come to a full board."""
    setting = Setting(puzzle, BeamTables(puzzle), fixed_first(puzzle, order))
    for seed in seeds:
        beam = Beam(setting, width, seed)
        while beam.number and not beam.is_full:
            beam.extend()
        if beam.number:
            yield puzzle.max_score - beam.fewest_invalid


def row_of(what: str, found: Sequence[int], beams: int) -> str:
    if not found:
        return f"  {what:<36} no board"
    error = statistics.stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0
    none = f", {beams - len(found)} without a board" if len(found) < beams else ""
    return f"  {what:<36} {statistics.mean(found):7.2f}, standard error {error:.2f}, best {max(found)}{none}"


def by_order(puzzle: EdgeMatchingPuzzle, width: int, beams: int) -> None:
    kept = beam_orders(puzzle)
    for order in all_beam_orders(puzzle):
        first = ", ".join(map(puzzle.board.name, order[:2]))
        what = f"from {first}, depths of fixed {depths_of_fixed(puzzle, order)}{'' if order in kept else ' (late)'}"
        print(row_of(what, list(scores(puzzle, order, width, range(beams))), beams), flush=True)


def by_row(puzzle: EdgeMatchingPuzzle, width: int, beams: int, rows: Sequence[int]) -> None:
    chance, board = Random(1), puzzle.board
    inner = [piece for piece, sides in enumerate(puzzle.pieces) if 0 not in sides]
    placed = [(chance.choice(inner), chance.randrange(4)) for _ in range(PIECES)]
    free = replace(puzzle, fixed=())
    order = beam_orders(free)[0]
    for row in (0, *rows):
        found: list[int] = []
        for number, (piece, rotation) in enumerate(placed):
            square = board.square(board.rows - row, board.columns // 2 - 1) if row else None
            fixed = () if square is None else (Fixed(square, piece, rotation),)
            seeds = range(number * beams // PIECES, (number + 1) * beams // PIECES)
            found += scores(replace(free, fixed=fixed), order, width, seeds)
        print(row_of(f"a fixed piece in row {row}" if row else "no fixed piece", found, beams), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzle", default="eternity2-hints", help="bundled instance or file")
    parser.add_argument("--width", type=int, default=8000)
    parser.add_argument("--beams", type=int, default=24, help="for each order or row")
    parser.add_argument("--rows", help="rows of a fixed piece, such as 3,9,15")
    arguments = parser.parse_args()
    puzzle = read_squares(arguments.puzzle)
    print(f"{puzzle.name}, beams of {arguments.width} boards, best of {puzzle.max_score}")
    if arguments.rows is None:
        by_order(puzzle, arguments.width, arguments.beams)
    else:
        by_row(puzzle, arguments.width, arguments.beams, [int(row) for row in arguments.rows.split(",")])


if __name__ == "__main__":
    main()
