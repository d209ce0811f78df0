"""Counting with 2x2 blocks beside the search piece by piece (backtrack, rowscan): nodes, and user seconds.

Run by hand:  python tests/benchmarks/blocks.py [--runs 3] [--sizes 6x6 8x8]

Both count the same planted puzzles, alternately; seconds are the medians, everything that is prepared included.  The
nodes of the one are blocks, those of the other pieces.
"""

import argparse
import resource
import statistics
from collections.abc import Callable

from jigsat import count
from jigsat.csp.engines.request import Options
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.counting.blocks.method import Blocks
from jigsat.csp.search.counting.parts import Pause

# Frame and inner colours that leave either search some seconds of work.
MADE = [
    *((6, 6, 5, 3), (6, 6, 3, 4), (6, 10, 4, 8), (10, 6, 4, 8)),
    *((8, 8, 4, 9), (8, 8, 5, 9), (8, 8, 4, 10), (10, 10, 5, 14), (12, 12, 8, 19)),
]


def puzzles(sizes: list[str] | None) -> list[EdgeMatchingPuzzle]:
    bundled = read_puzzle("puzzle-a")
    assert isinstance(bundled, EdgeMatchingPuzzle)
    made = [deal_edge_matching(*parameters, seed=seed).puzzle for parameters in MADE for seed in (1, 2)]
    return [puzzle for puzzle in (bundled, *made) if sizes is None or f"{puzzle.rows}x{puzzle.columns}" in sizes]


def with_blocks(puzzle: EdgeMatchingPuzzle) -> tuple[int, int]:
    method = Blocks(puzzle, Options())
    share = method.count(0, len(method.work), lambda: Pause.NO)
    return share.count, sum(share.nodes)


def piece_by_piece(puzzle: EdgeMatchingPuzzle) -> tuple[int, int]:
    result = count(puzzle, engine="backtrack", order="rowscan" if puzzle.rows >= puzzle.columns else "colscan")
    assert result.count is not None
    return result.count, result.nodes


def measured(counting: Callable[[EdgeMatchingPuzzle], tuple[int, int]], puzzle: EdgeMatchingPuzzle):
    """Count, nodes, and user seconds."""
    started = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    found, nodes = counting(puzzle)
    return found, nodes, resource.getrusage(resource.RUSAGE_SELF).ru_utime - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--sizes", nargs="+")
    arguments = parser.parse_args()
    print(f"{'puzzle':<32}{'count':>14}{'blocks':>14}{'pieces':>14}{'s blocks':>10}{'s pieces':>10}{'gain':>7}")
    for puzzle in puzzles(arguments.sizes):
        # The first run of either is for compiling and loading.
        runs = [(measured(with_blocks, puzzle), measured(piece_by_piece, puzzle)) for _ in range(arguments.runs + 1)]
        (found, blocks, _), (expected, pieces, _) = runs[0]
        assert found == expected
        one, other = (statistics.median(run[side][2] for run in runs[1:]) for side in range(2))
        print(
            f"{puzzle.name:<32}{found:>14}{blocks:>14}{pieces:>14}{one:>10.2f}{other:>10.2f}{other / one:>7.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
