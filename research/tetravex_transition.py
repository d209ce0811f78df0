"""The phase transition of TetraVex: the number of colours with one expected solution, and where search is hardest.

    python research/tetravex_transition.py transition.json transition.svg

Pieces do not turn, and the rim may show anything.  For each size and number of colours the program makes planted
puzzles: a filled board, each join with a random colour, is cut and shuffled.  It computes, by Owen's model, the exact
expected number of solutions besides the planted one and of nodes of each puzzle along an order, and searches for the
first solution with two engines until a number of nodes.  For random puzzles, each of whose sides has a random colour,
the expected numbers have a closed form.  Prints a line for each size, and for each size and number of colours.

The results are kept in the first file, so that a run that was ended continues, and again draws only the figure.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from math import inf, isfinite, lgamma, log, log10
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from jigsat import solve
from jigsat.csp.base.words import log10_fraction, log_sum
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import named_order
from jigsat.estimators.experiments.figures import BAD, COLORS, DARK, GOOD, decades, panelled, saved, style
from jigsat.estimators.owen.complexity import Complexity

#: For each size the number of puzzles for each number of colours.
PUZZLES = {4: 20, 5: 20, 6: 20, 7: 5, 8: 3}
#: For each engine the nodes at which a search ends, a few seconds.
LIMITS = {"backtrack": 3 * 10**8, "most-constrained": 10**7}
#: The order of the first engine: from the centre in a spiral, the cheapest named order without a frame.
ORDER = "spiral_out"


def planted(size: int, colors: int, seed: int) -> EdgeMatchingPuzzle:
    """A puzzle that is cut from a filled board."""
    random = Random(f"{size} {colors} {seed}")
    across = [[random.randint(1, colors) for _ in range(size + 1)] for _ in range(size)]
    down = [[random.randint(1, colors) for _ in range(size)] for _ in range(size + 1)]
    pieces = [
        (down[row][column], across[row][column + 1], down[row + 1][column], across[row][column])
        for row in range(size)
        for column in range(size)
    ]
    random.shuffle(pieces)
    name = f"TetraVex {size}x{size}, {colors} colours, seed {seed}"
    return EdgeMatchingPuzzle(size, size, tuple(pieces), rim="any", turn=False, name=name)


def colors_of(size: int) -> range:
    """The numbers of colours that are examined: around the crossing of random puzzles."""
    crossing = round(random_crossing(size))
    return range(max(crossing - 2, 2), crossing + 5)


def random_crossing(size: int) -> float:
    """The number of colours for which a random puzzle has one expected solution: N! = c^m for N pieces and m joins."""
    return float(np.exp(lgamma(size**2 + 1) / (2 * size * (size - 1))))


def random_logs(size: int, colors: int) -> tuple[float, float]:
    """The decimal logarithms of the expected solutions and nodes of random puzzles, along the order."""
    pieces = size**2
    logs: list[float] = []
    puzzle, joins, filled = planted(size, colors, 0), 0, set[int]()
    for depth, square in enumerate(named_order(puzzle, ORDER)):
        joins += sum(join.second in filled for join in puzzle.board.joins_of(square))
        filled.add(square)
        ways = (lgamma(pieces + 1) - lgamma(pieces - depth)) / log(10)
        logs.append(ways - joins * log10(colors))
    return logs[-1], log10(sum(10 ** (one - max(logs)) for one in logs)) + max(logs)


class Point(NamedTuple):
    """The puzzles of one size and number of colours."""

    size: int
    colors: int
    #: Decimal logarithms for each puzzle: expected solutions besides the planted one, and nodes of the whole tree.
    solutions: list[float]
    nodes: list[float]
    #: By engine, for each puzzle: nodes and seconds of processor time until the first solution; None beyond the limit.
    found: dict[str, list[tuple[int, float] | None]]

    @property
    def log_effort(self) -> float:
        """The median of the predicted nodes until the first of all solutions: N / (S + 1) for S solutions."""
        return _median([n - log_sum(s, log10(2)) for s, n in zip(self.solutions, self.nodes, strict=True)])

    def measured(self, engine: str, seconds: bool = False) -> float:
        """The median of the measured nodes or seconds; infinite if beyond the limit."""
        return _median([inf if one is None else one[seconds] for one in self.found[engine]])


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else (low + high) / 2


def examined(size: int, colors: int) -> Point:
    """Predict and search all puzzles of one size and number of colours."""
    point = Point(size, colors, [], [], {engine: [] for engine in LIMITS})
    for seed in range(PUZZLES[size]):
        puzzle = planted(size, colors, seed)
        estimate = Complexity(puzzle).estimate(ORDER)
        point.solutions.append(log10_fraction(estimate.solutions))
        point.nodes.append(log10_fraction(estimate.nodes))
        for engine, nodes in LIMITS.items():
            order = named_order(puzzle, ORDER) if engine == "backtrack" else None
            began = process_time()
            result = solve(puzzle, engine=engine, order=order, node_limit=nodes)
            spent = process_time() - began
            point.found[engine].append((result.nodes, spent) if result.solutions else None)
    return point


def points(file: Path) -> Iterator[Point]:
    """All points; those in the file are not computed again."""
    known: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    # The first searches load the kernels.
    for engine in LIMITS:
        solve(planted(3, 3, 0), engine=engine)
    for size in PUZZLES:
        for colors in colors_of(size):
            if (name := f"{size} {colors}") not in known:
                known[name] = examined(size, colors)._asdict()
                file.write_text(json.dumps(known))
            yield Point(**known[name])


def crossing(of_size: Sequence[Point]) -> float | None:
    """The number of colours where the median of the expected solutions is 1, by interpolation of the logarithms."""
    logs = [_median(point.solutions) for point in of_size]
    for point, here, there in zip(of_size, logs, logs[1:], strict=False):
        if here >= 0 > there:
            return point.colors + here / (here - there)
    return None


def hardest(of_size: Sequence[Point], efforts: Sequence[float]) -> str:
    """The number of colours with the highest effort, or those beyond the limit."""
    beyond = [str(point.colors) for point, effort in zip(of_size, efforts, strict=True) if not isfinite(effort)]
    if beyond:
        return "among " + ", ".join(beyond)
    return str(max(zip(efforts, of_size, strict=True), key=lambda pair: pair[0])[1].colors)


def _shown(number: float) -> str:
    return f"{number:.3g}" if isfinite(number) else "-"


def print_table(every: Sequence[Point]) -> None:
    """Print a line for each size, then one for each point."""
    print("size  1 expected: random  planted  hardest: predicted random  planted  measured backtrack  most-constrained")
    for size in PUZZLES:
        of_size = [point for point in every if point.size == size]
        logs = [random_logs(size, point.colors) for point in of_size]
        random = hardest(of_size, [nodes - log_sum(solutions, 0.0) for solutions, nodes in logs])
        at = crossing(of_size)
        cells = [f"{random_crossing(size):.2f}", "-" if at is None else f"{at:.2f}", random]
        cells += [hardest(of_size, [point.log_effort for point in of_size])]
        cells += [hardest(of_size, [point.measured(engine) for point in of_size]) for engine in LIMITS]
        print(f"{size}x{size}", *cells, sep=" | ")
    print("\nsize  colours  expected random  planted  nodes predicted", *(f"{e}: nodes, s, solved" for e in LIMITS))
    for point in every:
        cells = [f"{random_logs(point.size, point.colors)[0]:.2f}", f"{_median(point.solutions):.2f}"]
        cells += [_shown(10**point.log_effort)]
        for engine in LIMITS:
            solved = sum(one is not None for one in point.found[engine])
            cells += [_shown(point.measured(engine)), _shown(point.measured(engine, seconds=True))]
            cells += [f"{solved}/{len(point.found[engine])}"]
        print(f"{point.size}x{point.size}", point.colors, *cells, sep=" | ")


def _panel(axes: Any, of_size: Sequence[Point]) -> None:
    size, colors = of_size[0].size, [point.colors for point in of_size]
    axes.axvline(random_crossing(size), color=DARK, linestyle="--", linewidth=1.2, label="one expected, random")
    at = crossing(of_size)
    if at is not None:
        axes.axvline(at, color=BAD, linestyle=":", linewidth=1.5, label="one expected, planted")
    axes.plot(colors, [point.log_effort for point in of_size], color=COLORS[2], linewidth=1.2, label="predicted nodes")
    for engine, color in zip(LIMITS, (GOOD, COLORS[3]), strict=True):
        medians = [point.measured(engine) for point in of_size]
        heights = [log10(median) if isfinite(median) else np.nan for median in medians]
        axes.plot(colors, heights, "o-", color=color, label=engine)
        beyond = [point.colors for point, median in zip(of_size, medians, strict=True) if not isfinite(median)]
        axes.plot(beyond, [log10(LIMITS[engine])] * len(beyond), "^", color=color, fillstyle="none", markersize=8)
    axes.set_xticks(colors)
    decades(axes.yaxis)
    axes.set(title=f"TetraVex {size}x{size}", xlabel="colours", ylabel="nodes to the first solution, median")


def main() -> None:
    """Compute or read the points, print and draw them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("results", type=Path, help="a JSON file")
    parser.add_argument("figure", type=Path, nargs="?", help="an SVG file")
    arguments = parser.parse_args()
    every = [*points(arguments.results)]
    print_table(every)
    if arguments.figure is not None:
        with style():
            figure = panelled([[point for point in every if point.size == size] for size in PUZZLES], 3.4, _panel)
        if figure is not None:
            arguments.figure.write_bytes(saved(figure, "svg"))


if __name__ == "__main__":
    main()
