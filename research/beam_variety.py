"""Scores of many beams along one order, and how many different boards are best: with and without a random part.

Run by hand:  python research/beam_variety.py [--puzzle meta12] [--width 30000] [--beams 250] [--first-seed 0]

A beam goes on with a random part of its first boards (`ONE_IN` in `csp/search/beam/setting.py`).  This compares such
beams with beams that keep their best boards throughout.
"""

import argparse
import statistics
import time
from collections import Counter

from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.orders import fixed_first
from jigsat.csp.search.beam.beam_search import Beam
from jigsat.csp.search.beam.routes import BeamTables
from jigsat.csp.search.beam.setting import Setting, beam_orders


def measure(what: str, setting: Setting, most: int, width: int, seeds: range) -> None:
    """Print the scores of beams with these random seeds, and how often each board was best."""
    found: Counter[tuple[int, bytes]] = Counter()
    began = time.process_time()
    for seed in seeds:
        beam = Beam(setting, width, seed)
        while beam.number and not beam.is_full:
            beam.extend()
        if beam.number:
            found[most - beam.fewest_invalid, beam.best_row().tobytes()] += 1
    seconds = (time.process_time() - began) / len(seeds)
    scores = sorted(score for score, _ in found.elements())
    mean = statistics.mean(scores) if scores else float("nan")
    spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
    print(f"  {what:<12} mean {mean:.2f}, standard deviation {spread:.2f}, {seconds:.2f} s a beam")
    for score, beams in sorted(Counter(scores).items(), reverse=True):
        boards = [number for (of, _), number in found.items() if of == score]
        print(
            f"    {score}: {beams} beams, {len(boards)} different boards, one of them {max(boards)} times", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzle", default="meta12", help="bundled instance or file")
    parser.add_argument("--width", type=int, default=30_000)
    parser.add_argument("--beams", type=int, default=250)
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    puzzle = read_squares(arguments.puzzle)
    setting = Setting(puzzle, BeamTables(puzzle), fixed_first(puzzle, beam_orders(puzzle)[0]))
    Beam.warm_up(setting)
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.beams)
    print(f"{puzzle.name}, {arguments.beams} beams of {arguments.width} boards, best of {puzzle.max_score}")
    for what, depth in (("best ones", len(puzzle.board)), ("random part", setting.varied_at)):
        setting.varied_at = depth
        measure(what, setting, puzzle.max_score, arguments.width, seeds)


if __name__ == "__main__":
    main()
