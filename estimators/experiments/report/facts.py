"""Small facts about runs that tables and figures of a report share."""

from collections.abc import Iterable
from math import inf, isfinite, log10

from ..analysis.calibration import Calibration
from ..analysis.outcomes import Outcome, grouped_by, log10_of


def logarithm(number: float | None) -> float | None:
    """The decimal logarithm of a number, however large; None for 0 and for none."""
    return log10(number) if number else None


def done(run: Outcome) -> bool:
    """Whether a run did what it was asked for, be that a search down to some depth."""
    return run.solved or run.outcome == "depth"


def log_predicted(run: Outcome, quantity: str) -> float | None:
    """The logarithm of the expected nodes or solutions; None where nothing is expected."""
    log = _log_predicted_nodes(run) if quantity == "nodes" else run.log_expected_solutions
    return log if log is not None and isfinite(log) else None


def _log_predicted_nodes(run: Outcome) -> float | None:
    """Of the search as it runs, down to its depth limit; None for engines that have no order to predict nodes for."""
    limit, expected = run.depth_limit, run.record.get("predicted_by_depth")
    if run.order is None or limit is None or expected is None:
        return None if run.order is None else run.log_predicted_nodes
    logs = [log for log in map(log10_of, expected[:limit]) if isfinite(log)]
    # The largest one is taken out, for numbers beyond any float.
    most = max(logs, default=-inf)
    return most + log10(sum(10 ** (log - most) for log in logs)) if logs else None


def log_actual(run: Outcome, quantity: str) -> float | None:
    """The same of those that there were; None for none."""
    return logarithm(run.measure("nodes") if quantity == "nodes" else run.record.get("count"))


def log_ratio(run: Outcome, quantity: str) -> float | None:
    """The logarithm of actual / predicted of a run that counted all that it was asked to; None where there is none."""
    if not run.counted or not (run.solved or (done(run) and quantity == "nodes")):
        return None
    actual, expected = log_actual(run, quantity), log_predicted(run, quantity)
    return None if actual is None or expected is None else actual - expected


def merged(rows: Iterable[Calibration]) -> list[tuple[Calibration, str]]:
    """Rows with what their engines are called; those that say the same, as all engines do of solutions, as one."""
    found = grouped_by(rows, lambda row: (row.quantity, row.family, row.number, row.geometric_mean, row.left_out))
    return [(same[0], same[0].label if len(same) == 1 else f"each of {len(same)} engines") for same in found.values()]
