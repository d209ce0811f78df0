"""How good the default search order is: on random framed puzzles, its nodes beside those of the best named order.

Run by hand:  python research/orders.py [--node-limit 30e6] [--puzzles 3]
              python research/orders.py --best [--moves 100000 400000 2000000]

For each size and number of colours some planted puzzles are counted with every named order.  A puzzle for which even
the best order reaches the node limit says nothing and is left out.

With `--best` it is about the best order: its predicted nodes after some moves and processor seconds, and the bound
over all orders, as decimal logarithms.
"""

import argparse
import math
import time
from collections.abc import Iterator

from fewest_nodes import fewest_nodes
from jigsat import count, read
from jigsat.csp.base.words import log10_fraction
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Board, Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import NAMED_ORDERS, default_order
from jigsat.estimators.owen.best_order import best_order

SIZES = [(4, 4), (5, 5), (6, 6), (4, 7), (5, 6)]
COLORS = [(2, 3), (3, 3), (3, 5), (5, 4), (2, 6), (4, 8)]


# Where the clues lie: anywhere, as the maker deals them, or on squares of this name.
DEALT = [(10, 1), (10, 3), (11, 2), (12, 0), *[(12, 5)] * 3, (13, 5), (14, 5), (14, 5), (16, 5)]
PLACED = {
    "near a corner": (12, "B2 C4 D3 E5"),
    "in a corner": (14, "A1 C4 E3"),
    "on a diagonal": (12, "B2 D4 F6 I9 K11"),
    "on the diagonal": (14, "B2 E5 H8 J10 M13"),
    "in two corners": (14, "C3 D4 K11 L12"),
}
BUNDLED = [
    *("eternity2", "eternity2-hints", "meta10", "meta14", "puzzle-c", "perfect-10x10", "perfect-12x12"),
    *(("eternity2", "192x10"), ("eternity2-hints", "192x10"), ("meta10", "80x6")),
]


def boards() -> Iterator[tuple[str, EdgeMatchingPuzzle, str | None]]:
    """Boards whose best order is looked for, with names and slips."""
    for seed, (size, clues) in enumerate(DEALT, start=1):
        colors = (5, 17) if size > 11 else (4, 10)
        yield f"{size}x{size}, {clues} clues, seed {seed}", _dealt(size, *colors, clues, seed).puzzle, None
    for name, (size, squares) in PLACED.items():
        dealt, board = _dealt(size, 5, 17, 0, 1), Board(size, size)
        clues: list[Placement | None] = [None] * len(board)
        for square in map(board.parse, squares.split()):
            clues[square] = dealt.solution[square]
        yield f"{size}x{size}, clues {name}", dealt.puzzle.with_fixed(tuple(clues)), None
    for entry in BUNDLED:
        name, slips = (entry, None) if isinstance(entry, str) else entry
        yield f"{name} {slips or ''}", read(name), slips


def _dealt(size: int, frame: int, inner: int, clues: int, seed: int):
    return deal_edge_matching(size, size, frame, inner, clues=clues, seed=seed)


def best_orders(moves: list[int]) -> None:
    """The table of `--best`."""
    best_order(read("perfect-6x6"), moves=1)
    for name, puzzle, slips in boards():
        shown, costs = [], None
        for number in moves:
            started = time.process_time()
            found = best_order(puzzle, slips, moves=number)
            costs = found.costs
            shown.append(f"{log10_fraction(found.estimate.nodes):9.4f} {time.process_time() - started:5.2f} s")
        started = time.process_time()
        bound = log10_fraction(fewest_nodes(costs))
        print(f"{name:28}{'  '.join(shown)}  bound {bound:9.4f} {time.process_time() - started:5.2f} s", flush=True)


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
    parser.add_argument("--best", action="store_true", help="look for the best orders instead")
    parser.add_argument("--moves", type=int, nargs="+", default=[100_000, 400_000, 2_000_000])
    arguments = parser.parse_args()
    if arguments.best:
        best_orders(arguments.moves)
        return
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
