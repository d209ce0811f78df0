"""Values of runs that the tables and figures of a report share."""

from collections.abc import Iterable
from math import inf, isfinite, log10

from ..analysis.calibration import Calibration
from ..analysis.outcomes import Outcome, grouped_by, log10_of


def logarithm(number: float | None) -> float | None:
    """The decimal logarithm of a number of any size; None for 0 and None."""
    return log10(number) if number else None


def done(run: Outcome) -> bool:
    """Whether a run reached its goal or its depth limit."""
    return run.solved or run.outcome == "depth"


def log_predicted(run: Outcome, quantity: str) -> float | None:
    """The logarithm of the expected nodes or solutions; None if there is no prediction."""
    log = _log_predicted_nodes(run) if quantity == "nodes" else run.log_expected_solutions
    return log if log is not None and isfinite(log) else None


def _log_predicted_nodes(run: Outcome) -> float | None:
    """The predicted nodes down to the depth limit of the run; None for engines without a search order."""
    limit, expected = run.depth_limit, run.record.get("predicted_by_depth")
    if run.order is None or limit is None or expected is None:
        return None if run.order is None else run.log_predicted_nodes
    logs = [log for log in map(log10_of, expected[:limit]) if isfinite(log)]
    # The largest one is factored out, for numbers too large for a float.
    most = max(logs, default=-inf)
    return most + log10(sum(10 ** (log - most) for log in logs)) if logs else None


def log_actual(run: Outcome, quantity: str) -> float | None:
    """The logarithm of the actual nodes or solutions; None for 0 and None."""
    return logarithm(run.measure("nodes") if quantity == "nodes" else run.record.get("count"))


def log_ratio(run: Outcome, quantity: str) -> float | None:
    """The logarithm of actual / predicted; None if the run did not count everything, or a number is 0 or unknown."""
    if not run.counted or not (run.solved or (done(run) and quantity == "nodes")):
        return None
    actual, expected = log_actual(run, quantity), log_predicted(run, quantity)
    return None if actual is None or expected is None else actual - expected


def merged(rows: Iterable[Calibration]) -> list[tuple[Calibration, str]]:
    """Rows with the labels of their engines; equal rows, as all engines have for solutions, are joined in one."""
    found = grouped_by(rows, lambda row: (row.quantity, row.family, row.number, row.geometric_mean, row.left_out))
    return [(same[0], same[0].label if len(same) == 1 else f"each of {len(same)} engines") for same in found.values()]
