"""How good the default search order is: on random framed puzzles, its nodes beside those of the best named order.

Run by hand:  python tests/benchmarks/orders.py [--node-limit 30e6] [--puzzles 3]

For each size and number of colours some planted puzzles are counted with every named order.  A puzzle for which even
the best order reaches the node limit says nothing and is left out.
"""

import argparse
import math
from collections.abc import Iterator

from jigsat import count, read
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import NAMED_ORDERS, default_order

SIZES = [(4, 4), (5, 5), (6, 6), (4, 7), (5, 6)]
COLORS = [(2, 3), (3, 3), (3, 5), (5, 4), (2, 6), (4, 8)]


def puzzles(seeds: int) -> Iterator[EdgeMatchingPuzzle]:
    yield read("puzzle-a")
    for size in SIZES:
        for colors in COLORS:
            for seed in range(seeds):
                yield deal_edge_matching(*size, *colors, seed=seed).puzzle


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--node-limit", type=float, default=30e6)
    parser.add_argument("--puzzles", type=int, default=3, help="puzzles of each size and number of colours")
    arguments = parser.parse_args()
    limit = int(arguments.node_limit)
    losses: dict[str, list[float]] = {name: [] for name in ("default order", *NAMED_ORDERS)}
    for puzzle in puzzles(arguments.puzzles):
        nodes = {order: count(puzzle, order=order, node_limit=limit).nodes for order in NAMED_ORDERS}
        best = min(nodes, key=nodes.__getitem__)
        if nodes[best] == limit:
            continue
        chosen, _ = default_order(puzzle)
        for name, number in {"default order": nodes[chosen], **nodes}.items():
            losses[name].append(math.log(number / nodes[best]))
        loss = nodes[chosen] / nodes[best]
        print(f"{puzzle.name}: best {best} {nodes[best]:,}; default {chosen}, {loss:.2f} times that")
    print("\nnodes beside those of the best order (cut off at the limit): geometric mean, worst")
    for name, logs in losses.items():
        print(f"  {name:<14} {math.exp(sum(logs) / len(logs)):8.2f} {math.exp(max(logs)):12.1f}")


if __name__ == "__main__":
    main()
