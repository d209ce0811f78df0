"""The effort of a search: the model's prediction, the speed of this machine, probes, and the actual result."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isinf, log

from ...csp.base.errors import JigsatError, UsageError
from ...csp.base.stop import never
from ...csp.engines.registry import find_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..owen.complexity import Complexity, Estimate
from ..owen.rounding import significant
from ..random_probes.tree_probes import Probes, probe

#: Squares of the largest board whose expected nodes are computed before every search, in a tenth of a second.
MOST_PREDICTED = 400
#: Nodes that are enough to measure the speed of a search.
RATE_NODES = 5_000_000
#: The number of probes of `probed`.
PROBES = 64
_FEWEST_NODES = 20_000
_MOST_SQUARES = 4096
# Entries of the largest set of nodes: half a gigabyte.
_MOST_WORDS = 2**27


@dataclass(frozen=True)
class Effort:
    """Predictions and measurements of a search."""

    #: The estimate as defined in the literature: numbered pieces in all rotations.
    plain: Estimate
    #: The estimate for the search as it runs, with symmetries broken.
    searched: Estimate
    #: Nodes a second on this machine; None if not measured.
    rate: float | None = None
    #: The results of random probes of the search tree; their depths do not count the fixed pieces.
    probes: Probes | None = None
    #: The result of the search.
    actual: Result | None = None
    #: Whether Ctrl-C ended the probes.
    interrupted: bool = False

    @property
    def counted_depths(self) -> int:
        """The greatest depth down to which the search has counted all nodes."""
        if self.actual is None or self.actual.ended_by not in (None, "depth"):
            return 0
        nodes = self.actual.nodes_by_depth
        # If a limit ended the search, the depths beyond it are empty.
        return len(nodes) if self.actual.complete else max(d for d, n in enumerate((1, *nodes)) if n)

    @property
    def seconds(self) -> Fraction | None:
        """The predicted seconds of the search; None if the rate is not known."""
        return None if self.rate is None else self.searched.nodes / Fraction(self.rate)


def refuse_too_large(puzzle: EdgeMatchingPuzzle) -> None:
    """Refuse boards whose exact expected numbers would take hours.

    Raises JigsatError if the board has more than 4096 squares.
    """
    if len(puzzle.board) > _MOST_SQUARES:
        board = f"{puzzle.rows}x{puzzle.columns}"
        raise JigsatError(f"a {board} board is too large to estimate; the limit is {_MOST_SQUARES} squares")


def estimates(
    model: Complexity,
    order: str | tuple[int, ...] | None,
    slips: str | tuple[int, ...] | None,
    frame_slips: str | tuple[int, ...] | None = None,
    *,
    symmetry: bool,
) -> Effort:
    """The predictions, without measurements."""
    plain = model.estimate(order, slips, frame_slips=frame_slips)
    searched = model.estimate(order, slips, frame_slips=frame_slips, symmetry=True) if symmetry else plain
    return Effort(plain, searched)


def region_estimates(model: Complexity, order: tuple[int, ...], squares: int, *, symmetry: bool) -> Effort:
    """The predictions for a search that fills only the first squares of an order, without measurements."""

    def until_filled(estimate: Estimate) -> Estimate:
        return replace(estimate, order=order[:squares], numerators=estimate.numerators[:squares])

    plain = until_filled(model.estimate(order))
    return Effort(plain, until_filled(model.estimate(order, symmetry=True, whole=False)) if symmetry else plain)


def measured_rate(puzzle: EdgeMatchingPuzzle, options: Options) -> float | None:
    """Measure the nodes a second of the backtracker on this puzzle; None if the search is too short."""
    result = find_engine("backtrack").run(puzzle, Goal.COUNT, Limits(nodes=RATE_NODES), options)
    searching = result.seconds - result.build_seconds
    return result.nodes / searching if result.nodes >= _FEWEST_NODES and searching > 0 else None


def probed(
    puzzle: EdgeMatchingPuzzle,
    options: Options,
    nodes: int,
    seed: int = 0,
    report: Callable[[int], None] | None = None,
    must_stop: Callable[[], bool] = never,
) -> Probes | None:
    """Probe the backtracker's search tree with about `nodes` nodes a depth in total; None if there is no tree.

    If `must_stop` asks to stop, the result is that of the probes so far.

    Raises StoppedError if there are fewer than two probes then. Raises UsageError if there are too few nodes for the
    probes, or too many for the memory.
    """
    from ...csp.search.ordered.run import Run

    run = Run(puzzle, Goal.COUNT, Limits(), options)
    if not run.starts or run.free == 0:
        return None
    width = nodes // (PROBES * run.walks)
    most = _MOST_WORDS // (run.free + 1)
    if not 1 <= width <= most:
        least, largest = PROBES * run.walks, PROBES * run.walks * most
        raise UsageError(f"{nodes} probes: must be from {least} to {largest} on this board")
    trees = [run.tree(choice) for choice in range(run.walks)]
    return probe(trees, width, PROBES, seed, report, must_stop)


def logarithms(estimate: Estimate) -> tuple[float, ...]:
    """The logarithms of the expected nodes at each depth, which may be too large for a float."""
    return tuple(log(n) - log(estimate.denominator) if n else -inf for n in estimate.numerators)


def prediction_record(solutions: Fraction, nodes: Fraction) -> dict[str, str]:
    """The prediction in the form of records: solutions as they are counted, nodes as they are searched."""
    return {"solutions": significant(solutions), "nodes": significant(nodes)}


def predicted(effort: Effort) -> dict[str, str]:
    """The `prediction_record` of an effort."""
    return prediction_record(effort.plain.solutions, effort.searched.nodes)


@dataclass(frozen=True)
class Plan:
    """The options of a search, and its prediction."""

    #: The name of the order; None if the engine does not use one.
    order_name: str | None
    #: The order, and all other options.
    options: Options
    #: The prediction in the form of records, if there is one.
    predicted: dict[str, str] | None = None

    def told(self, result: Result) -> Result:
        """Add the prediction and the order's name to a result."""
        order = {} if self.order_name is None else {"order": self.order_name}
        return replace(result, predicted=self.predicted, options={**result.options, **order})


def plan_by(effort: Effort, order_name: str, options: Options) -> Plan:
    """The plan of a search whose prediction is known already."""
    return plan_along(effort.searched, effort.plain.solutions, order_name, options)


def plan_along(searched: Estimate, solutions: Fraction, order_name: str, options: Options) -> Plan:
    """The plan of a search, from its own estimate and the expected number of solutions as they are counted."""
    return Plan(
        order_name, replace(options, predicted=logarithms(searched)), prediction_record(solutions, searched.nodes)
    )


def by_depth(effort: Effort, puzzle: EdgeMatchingPuzzle) -> list[dict[str, object]]:
    """One row for each depth: square, expected nodes, and further known numbers."""
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
