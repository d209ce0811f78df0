"""How often the 95 % interval of `sample` holds the true number: 200 puzzles that can be counted.

Run by hand:  python research/sampling.py [--puzzles 200] [--seed 0]

The puzzles are planted ones of few colours, 4x4 to 6x6 and rectangular ones, many with identical pieces, with 200 to
10^13 solutions; of a seed the first that are counted within 20 million nodes, a third of them for each width.  Widths
are small, so that no population has room for every board.  Seed 100000 is the one that the interval was chosen by.
"""

import argparse
from itertools import count as naturals
from itertools import cycle
from math import log
from time import process_time

import numpy as np

from jigsat import count
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.estimators.effort.solution_samples import Sampler

SHAPES = (
    *((4, 4, 2, 2), (4, 4, 3, 3), (4, 5, 2, 3), (3, 6, 2, 2), (5, 5, 2, 3), (5, 5, 3, 3)),
    *((4, 6, 3, 3), (5, 6, 3, 4), (6, 6, 4, 4), (3, 8, 3, 3), (6, 6, 5, 5), (4, 7, 3, 3)),
)
WIDTHS = (32, 128, 512)


def counted_puzzles(seed):
    """Puzzles and their numbers of solutions, without end."""
    for number in naturals(seed):
        for shape in SHAPES:
            for distribution in ("flat", "skewed"):
                puzzle = deal_edge_matching(*shape, distribution=distribution, seed=number).puzzle
                found = count(puzzle, node_limit=20_000_000)
                if found.complete and 200 <= found.count <= 10**13:
                    yield puzzle, found.count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzles", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    held, above, below, without, exact = 0, 0, 0, 0, 0
    errors, off, started = [], [], process_time()
    widths = cycle(WIDTHS)
    width = next(widths)
    for puzzle, true in counted_puzzles(arguments.seed):
        found = Sampler(puzzle).sample(width, seed=1)
        if found.exact is not None:
            assert found.exact == true, f"{puzzle.name}: {found.exact} instead of {true}"
            exact += 1
            continue
        if found.interval is None:
            without += 1
            continue
        width = next(widths)
        low, high = found.interval
        held += low <= true <= high
        above, below = above + (low > true), below + (high < true)
        errors.append(found.error)
        off.append((log(found.estimate) - log(true)) / found.error)
        if len(errors) == arguments.puzzles:
            break
    print(
        f"the truth is in {held} of {len(errors)} intervals, below {above} and above {below} of them; in addition, "
        f"{exact} numbers were exact (all true) and {without} estimates without an interval; standard errors "
        f"{min(errors):.2%} to {max(errors):.2%}, half of them below {np.median(errors):.2%}; the estimates were off "
        f"by {np.sqrt(np.mean(np.square(off))):.2f} of these in the root mean square; {process_time() - started:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
