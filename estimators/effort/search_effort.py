"""What a search will find and cost: the model's prediction, the speed of this machine, probes, and the fact."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isinf, log

from ...csp.base.errors import JigsatError, UsageError
from ...csp.engines.registry import find_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..owen.complexity import Complexity, Estimate
from ..owen.rounding import significant
from ..random_probes.tree_probes import Probes, probe

#: Squares of the largest board whose expected nodes are worked out before every search: a tenth of a second.
MOST_PREDICTED = 400
#: Nodes that are enough to measure the speed of a search.
RATE_NODES = 5_000_000
#: How many probes `probed` makes.
PROBES = 64
_FEWEST_NODES = 20_000
_MOST_SQUARES = 4096
# Entries of the largest set of nodes: half a gigabyte.
_MOST_WORDS = 2**27


@dataclass(frozen=True)
class Effort:
    """What is known of a search before it runs, or after.

    Parameters
    ----------
    plain
        The estimate as the literature has it: numbered pieces in all rotations.
    searched
        The same for the search as it runs, symmetries broken.
    rate
        Nodes a second on this machine; None if that was not measured.
    probes
        What random probes of the search's tree say; their depths leave out the fixed pieces.
    actual
        What the search itself found.
    """

    plain: Estimate
    searched: Estimate
    rate: float | None = None
    probes: Probes | None = None
    actual: Result | None = None

    @property
    def counted_depths(self) -> int:
        """Down to which depth the search itself has counted all nodes."""
        if self.actual is None or self.actual.ended_by not in (None, "depth"):
            return 0
        nodes = self.actual.nodes_by_depth
        # Where a limit ended it, the depths beyond are empty.
        return len(nodes) if self.actual.complete else max(d for d, n in enumerate((1, *nodes)) if n)

    @property
    def seconds(self) -> Fraction | None:
        """How long the search is going to take."""
        return None if self.rate is None else self.searched.nodes / Fraction(self.rate)


def refuse_too_large(puzzle: EdgeMatchingPuzzle) -> None:
    """Say so where the exact numbers would take hours.

    Raises
    ------
    JigsatError
        If the board has more than 4096 squares.
    """
    if len(puzzle.board) > _MOST_SQUARES:
        board = f"{puzzle.rows}x{puzzle.columns}"
        raise JigsatError(f"a {board} board is too large to estimate: {_MOST_SQUARES} squares take minutes already")


def estimates(
    model: Complexity, order: str | tuple[int, ...] | None, slips: str | tuple[int, ...] | None, *, symmetry: bool
) -> Effort:
    """The predictions alone."""
    plain = model.estimate(order, slips)
    return Effort(plain, model.estimate(order, slips, symmetry=True) if symmetry else plain)


def measured_rate(puzzle: EdgeMatchingPuzzle, options: Options) -> float | None:
    """Nodes a second of the backtracker on this puzzle; None where the search is too short to tell."""
    result = find_engine("backtrack").run(puzzle, Goal.COUNT, Limits(nodes=RATE_NODES), options)
    searching = result.seconds - result.build_seconds
    return result.nodes / searching if result.nodes >= _FEWEST_NODES and searching > 0 else None


def probed(
    puzzle: EdgeMatchingPuzzle, options: Options, nodes: int, seed: int = 0, report: Callable[[int], None] | None = None
) -> Probes | None:
    """Probes of the backtracker's own tree, about so many nodes a depth in all; None if there is nothing to search.

    Raises
    ------
    UsageError
        If that are too few nodes for the probes, or too many for the memory.
    """
    from ...csp.search.ordered.run import Run

    run = Run(puzzle, Goal.COUNT, Limits(), options)
    if not run.starts or run.free == 0:
        return None
    width = nodes // (PROBES * run.walks)
    most = _MOST_WORDS // (run.free + 1)
    if not 1 <= width <= most:
        least, largest = PROBES * run.walks, PROBES * run.walks * most
        raise UsageError(f"{nodes} probes: on this board at least {least} are needed and at most {largest} possible")
    trees = [run.tree(choice) for choice in range(run.walks)]
    return probe(trees, width, PROBES, seed, report)


def logarithms(estimate: Estimate) -> tuple[float, ...]:
    """The logarithms of the expected nodes at each depth, which may be beyond any float."""
    return tuple(log(n) - log(estimate.denominator) if n else -inf for n in estimate.numerators)


def told(solutions: Fraction, nodes: Fraction) -> dict[str, str]:
    """What a record says was predicted: solutions as they are counted, nodes as they are searched."""
    return {"solutions": significant(solutions), "nodes": significant(nodes)}


def predicted(effort: Effort) -> dict[str, str]:
    """The same of a prediction."""
    return told(effort.plain.solutions, effort.searched.nodes)


@dataclass(frozen=True)
class Plan:
    """How a search runs, and what is to be expected of it.

    Parameters
    ----------
    order_name
        What the order is called; None if the engine has none.
    options
        The order, and all else.
    predicted
        What the record says was predicted, if anything was.
    """

    order_name: str | None
    options: Options
    predicted: dict[str, str] | None = None

    def told(self, result: Result) -> Result:
        """A result with what the engine does not know."""
        order = {} if self.order_name is None else {"order": self.order_name}
        return replace(result, predicted=self.predicted, options={**result.options, **order})


def plan_by(effort: Effort, order_name: str, options: Options) -> Plan:
    """A search whose progress goes by a prediction that there is already."""
    return plan_along(effort.searched, effort.plain.solutions, order_name, options)


def plan_along(searched: Estimate, solutions: Fraction, order_name: str, options: Options) -> Plan:
    """The same by what is expected of the search itself, and by the number of solutions as they are counted."""
    return Plan(order_name, replace(options, predicted=logarithms(searched)), told(solutions, searched.nodes))


def by_depth(effort: Effort, puzzle: EdgeMatchingPuzzle) -> list[dict[str, object]]:
    """One row a depth: square, expected nodes, and what else is known."""
    fixed = len(puzzle.fixed)
    rows: list[dict[str, object]] = []
    for index, square in enumerate(effort.plain.order):
        row: dict[str, object] = {
            "depth": index + 1,
            "square": puzzle.board.name(square),
            "nodes": significant(effort.plain.nodes_by_depth[index]),
            "to_search": significant(effort.searched.nodes_by_depth[index]),
        }
        if effort.probes is not None and index >= fixed:
            at = index - fixed
            row["probed"] = float(effort.probes.nodes[at])
            row["probed_error"] = float(effort.probes.errors[at])
            row["probed_trusted"] = bool(effort.probes.trusted[at])
            row["probed_samples"] = None if isinf(effort.probes.samples[at]) else float(effort.probes.samples[at])
        if effort.actual is not None and index < effort.counted_depths:
            row["actual"] = effort.actual.nodes_by_depth[index]
        rows.append(row)
    return rows
