"""What exchanges of pieces on the best full boards of a beam gain, by the number of boards and of tries.

Run by hand:  python research/beam_exchanges.py [--puzzle eternity2] [--width 20000] [--beams 24] [--first-seed 0]
"""

import argparse
import statistics
import time

import numpy as np

from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.orders import fixed_first
from jigsat.csp.search.beam.beam_search import Beam
from jigsat.csp.search.beam.exchanges import Exchanges
from jigsat.csp.search.beam.routes import BeamTables
from jigsat.csp.search.beam.setting import Setting, beam_orders

# Boards and tries on each.
_ASKED = ((300, 2_000), (1_000, 500), (1_000, 2_000), (3_000, 500), (3_000, 2_000))


def full_beam(setting: Setting, width: int, seed: int) -> Beam:
    """A beam to its end, with all boards of its last layer."""
    beam = Beam(setting, width, seed)
    while beam.number and not beam.is_full:
        if beam.depth == len(setting.free) - 1:
            beam.tell_apart()
        beam.extend()
    return beam


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzle", default="eternity2", help="bundled instance or file")
    parser.add_argument("--width", type=int, default=20_000)
    parser.add_argument("--beams", type=int, default=24)
    parser.add_argument("--first-seed", type=int, default=0)
    asked = parser.parse_args()
    puzzle = read_squares(asked.puzzle)
    tables = BeamTables(puzzle)
    settings = [Setting(puzzle, tables, fixed_first(puzzle, order)) for order in beam_orders(puzzle)]
    exchanges = Exchanges(puzzle, tables)
    before: list[int] = []
    gained: dict[tuple[int, int], list[int]] = {each: [] for each in _ASKED}
    seconds = dict.fromkeys(_ASKED, 0.0)
    for number in range(asked.beams):
        setting = settings[number % len(settings)]
        beam = full_beam(setting, asked.width, asked.first_seed + number)
        if not beam.number:
            continue
        before.append(beam.fewest_invalid)
        invalid = beam.invalid.astype(np.int64)
        best = np.argsort(invalid, kind="stable")
        for boards, tries in _ASKED:
            rows, began = beam.rows(best[:boards]), time.process_time()
            left = exchanges.improve(setting.free, rows, invalid[best[:boards]], number, tries=tries)[1]
            seconds[boards, tries] += time.process_time() - began
            gained[boards, tries].append(beam.fewest_invalid - int(left.min()))
    mean = puzzle.max_score - statistics.mean(before)
    print(f"{puzzle.name}, {len(before)} beams of {asked.width} boards: {mean:.2f} of {puzzle.max_score} on average")
    for (boards, tries), joins in gained.items():
        took = seconds[boards, tries] / len(joins)
        print(f"  {boards} boards, {tries} tries: {statistics.mean(joins):.2f} joins more, {took:.2f} s a beam")


if __name__ == "__main__":
    main()
