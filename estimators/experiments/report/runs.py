"""The table of all runs, in the form that the script of the page reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ..analysis.analysis import Analysis
from ..analysis.outcomes import Outcome
from .facts import done, log_predicted, log_ratio, logarithm
from .wording import duration, power, shown

# More seconds than any run has: runs that are not solved are sorted after all others.
_UNSOLVED, _REFUSED = 1e12, 2e12

#: A cell for the script: a text, which is also the sort key, or [key, text, exact text]; null if it is empty.
Cell = str | list[Any] | None


@dataclass(frozen=True)
class Column:
    """A column of the table."""

    #: Its heading.
    name: str
    #: The function that makes the cell of a run.
    cell: Callable[[Outcome], Cell]
    #: Whether it is sorted as numbers.
    numeric: bool = True
    #: Whether it has a filter.
    choice: bool = False
    #: Whether its texts can be long.
    wraps: bool = False


def run_data(analysis: Analysis) -> dict[str, Any]:
    """The columns and rows of the table; empty columns are omitted."""
    rows = [[column.cell(run) for column in _COLUMNS] for run in analysis.outcomes]
    kept = [index for index in range(len(_COLUMNS)) if any(row[index] not in (None, "") for row in rows)]
    heads = [{name: getattr(_COLUMNS[i], name) for name in ("name", "numeric", "choice", "wraps")} for i in kept]
    return {"columns": heads, "rows": [[row[i] for i in kept] for row in rows]}


def time_text(run: Outcome) -> str:
    """The time of a run; "> 60 s (time)" if a limit ended it."""
    if run.outcome == "refused":
        return "refused"
    if done(run):
        return duration(run.seconds)
    if run.outcome == "time" and run.limit is not None:
        return f"> {duration(run.limit)} (time)"
    return f"> {duration(run.seconds)} ({run.outcome})"


def _time(run: Outcome) -> Cell:
    key = run.seconds if done(run) else _REFUSED if run.outcome == "refused" else _UNSOLVED + run.seconds
    return [round(key, 6), time_text(run), f"{run.seconds} s" if run.record.get("seconds") is not None else None]


def _outcome(run: Outcome) -> Cell:
    text = f"depth {run.depth_limit}" if run.outcome == "depth" and run.depth_limit is not None else run.outcome
    return [run.outcome, text, run.record.get("message")]


def _number(value: float | None) -> Cell:
    """A number, sorted by its logarithm, which is a float for numbers of any size."""
    if value is None:
        return None
    if value == 0:
        return [-1e9, "0", None]
    text = shown(value)
    exact = str(value)
    return [_key(logarithm(value)), text, exact if exact != text else None]


def _predicted(value: float | None, exact: object = None) -> Cell:
    return None if value is None or not isfinite(value) else [_key(value), power(value), exact]


def _key(logarithm: float | None) -> float:
    return round(logarithm or 0.0, 9)


def _predicted_nodes(run: Outcome) -> Cell:
    exact = (run.record.get("predicted") or {}).get("nodes") if run.depth_limit is None else None
    return _predicted(log_predicted(run, "nodes"), exact)


def _predicted_solutions(run: Outcome) -> Cell:
    return _predicted(log_predicted(run, "solutions"))


def _measure(name: str) -> Callable[[Outcome], Cell]:
    return lambda run: _number(run.measure(name))


def _recorded(name: str) -> Callable[[Outcome], Cell]:
    return lambda run: _number(run.record.get(name))


def _count(run: Outcome) -> Cell:
    """The count; one that is not complete is shown as a lower bound."""
    cell = _number(run.record.get("count")) if run.counted else None
    if isinstance(cell, list) and not run.record.get("complete"):
        cell[1] = f"≥ {cell[1]}"
    return cell


def _score(run: Outcome) -> Cell:
    return _number(run.record.get("best_score")) if run.goal == "best" else None


def _puzzle(run: Outcome) -> Cell:
    """The name of the puzzle, unless it follows from family and seed."""
    return None if run.instance in (run.family, f"{run.family}, seed {run.seed}") else run.instance


def _repetition(run: Outcome) -> Cell:
    number = run.record.get("repetition") or 1
    return [number, str(number), None] if number > 1 else None


_COLUMNS: Sequence[Column] = (
    Column("family", lambda run: run.family, numeric=False, choice=True),
    Column("puzzle", _puzzle, numeric=False, wraps=True),
    Column("seed", lambda run: None if run.seed is None else [run.seed, str(run.seed), None]),
    Column("engine", lambda run: run.label, numeric=False, choice=True),
    Column("goal", lambda run: run.goal, numeric=False, choice=True),
    Column("outcome", _outcome, numeric=False, choice=True),
    Column("time", _time),
    Column("nodes", _measure("nodes")),
    Column("predicted nodes", _predicted_nodes),
    Column("actual / predicted", lambda run: _predicted(log_ratio(run, "nodes"))),
    Column("count", _count),
    Column("expected count", _predicted_solutions),
    Column("score", _score),
    Column("conflicts", _measure("conflicts")),
    Column("branches", _measure("branches")),
    Column("decisions", _measure("decisions")),
    Column("memory, MiB", _recorded("peak_rss_mib")),
    Column("repetition", _repetition),
    Column("part", lambda run: run.part, numeric=False, wraps=True),
    Column("note", lambda run: run.record.get("message"), numeric=False, wraps=True),
)
