"""How long `most-constrained` takes on boards without a frame, by the nodes that Owen's model expects along an order.

    python research/least_choice.py

Counts puzzles with the engine, and fits the decimal logarithm of its nodes as a linear function of that of the nodes
expected along the cheapest named order, with the standard deviation of the errors.  The last line has what
`estimators/ways/times.py` has as `LEAST_CHOICE`: the constant, the slope, the deviation, and nodes a second.
"""

import time
from math import log10

import numpy as np

import jigsat as js
from jigsat.csp.base.words import log10_fraction
from jigsat.csp.puzzles.orders import NAMED_ORDERS
from jigsat.estimators.owen.complexity import Complexity

SECONDS = 4.0
#: Rows and columns, the most colours, whether pieces turn.
BOARDS = [(3, 3, 6, True), (3, 4, 7, True), (4, 4, 10, True), (4, 5, 10, True), (5, 5, 12, True)]
BOARDS += [(4, 4, 6, False), (5, 5, 9, False), (6, 6, 10, False), (7, 7, 12, False), (8, 8, 13, False)]


def puzzles():
    """Puzzles of several sizes and numbers of colours, with a free rim or one of a colour, planted."""
    for rows, columns, most, turn in BOARDS:
        for colors in range(max(most - 4, 2), most + 1):
            for rim in ("any", 1):
                yield js.make_edge_matching(rows, columns, colors=colors, rim=rim, turn=turn, seed=colors)


def main():
    found = []
    for puzzle in puzzles():
        model = Complexity(puzzle)
        nodes = min(model.estimate(name, symmetry=True).nodes for name in NAMED_ORDERS)
        began = time.process_time()
        result = js.count(puzzle, engine="most-constrained", time_limit=SECONDS)
        seconds = time.process_time() - began
        if result.complete and result.nodes > len(puzzle.pieces):
            found.append((log10_fraction(nodes + len(puzzle.pieces)), log10(result.nodes), result.nodes / seconds))
            print(
                f"{puzzle.name:55} {found[-1][0]:6.2f} expected {found[-1][1]:6.2f} nodes {found[-1][2]:.2g} a second"
            )
    expected, nodes, rates = np.array(found).T
    slope, constant = np.polyfit(expected, nodes, 1)
    deviation = float(np.std(nodes - constant - slope * expected))
    print(f"LEAST_CHOICE = {constant:.2f}, {slope:.2f}, {deviation:.2f}, {np.median(rates[nodes > 6]):.2g}")


if __name__ == "__main__":
    main()
