"""How much each engine solves and how fast, whether all engines agree, and how accurate predictions are."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import inf, isinf, nan, sqrt
from statistics import fmean, median, stdev
from typing import NamedTuple

from .outcomes import NO_ANSWER, Outcome, distinct, grouped_by


class EngineScore(NamedTuple):
    """The results of one engine with its options, which are its label."""

    label: str
    #: The numbers of runs: all, those that reached the goal, and others by outcome.
    runs: int
    solved: int
    other: Mapping[str, int]
    #: PAR-2, as `engine_scores` defines it, and the median of the seconds; None if beyond the limit.
    par2: float | None
    median: float | None


class BestScore(NamedTuple):
    """The highest score that one engine with its options found on one puzzle, with the slips that boards must obey."""

    sha256: str
    instance: str
    label: str
    #: The valid joins of its best full board, None without a full board; and all joins of the board.
    score: int | None
    joins: int | None
    #: Whether the engine proved that no score is higher.
    optimal: bool


class Calibration(NamedTuple):
    """Actual over predicted numbers of nodes or solutions (`quantity`) in the complete runs of a family.

    The family "all" stands for all families together, the label "all" for all engines.
    """

    quantity: str
    family: str
    label: str
    #: The number of runs, and of those that are omitted: they ended early, or found 0, which has no logarithm.
    number: int
    left_out: int
    #: The geometric mean of actual / predicted, with its 95 % interval; and the typical factor between two runs, 10 to
    #: the standard deviation of the decimal logarithm.  Interval and factor are nan for one run.
    geometric_mean: float
    low: float
    high: float
    spread: float


def scores_by_part(outcomes: Sequence[Outcome]) -> dict[str, list[EngineScore]]:
    """The results of each engine in each part of the experiment, in which all engines run on the same puzzles."""
    return {part: engine_scores(runs) for part, runs in grouped_by(outcomes, lambda run: run.part).items()}


def engine_scores(outcomes: Sequence[Outcome]) -> list[EngineScore]:
    """The results of each engine, best PAR-2 first.

    PAR-2 (of the SAT competitions) is the mean of the seconds, where a run that is not solved counts as twice its time
    limit.  It omits runs that were refused or interrupted, as the median does.  It is None if a limit of depth or nodes
    ended runs, because their seconds measure nothing.
    """
    scores = [_score(label, runs) for label, runs in grouped_by(outcomes, lambda run: run.label).items()]
    return sorted(scores, key=lambda score: (inf if score.par2 is None else score.par2, -score.solved, score.label))


def _score(label: str, runs: Sequence[Outcome]) -> EngineScore:
    ended = Counter(run.outcome for run in runs)
    judged = [run for run in runs if run.outcome not in NO_ANSWER]
    # A run that is not solved counts as larger than all others.
    middle = median(run.seconds if run.solved else inf for run in judged) if judged else inf
    return EngineScore(
        label=label,
        runs=len(runs),
        solved=ended.pop("solved", 0),
        other=dict(ended.most_common()),
        par2=_par2(judged),
        median=None if isinf(middle) else middle,
    )


def _par2(runs: Sequence[Outcome]) -> float | None:
    total = 0.0
    for run in runs:
        if not run.solved and (run.limit is None or run.outcome in ("depth", "nodes", "solutions", "restarts")):
            return None
        total += run.seconds if run.solved else 2 * (run.limit or 0.0)
    return total / len(runs) if runs else None


def best_scores(outcomes: Sequence[Outcome]) -> list[BestScore]:
    """The best run of each engine on each puzzle with the goal best, ordered by puzzle."""
    asked = [run for run in outcomes if run.goal == "best" and run.outcome != "refused"]
    found = grouped_by(asked, lambda run: (run.sha256, run.slips, run.label)).values()
    how_good = lambda row: (-1 if row.score is None else row.score, row.optimal)  # noqa: E731
    best = [max(map(_best_score, runs), key=how_good) for runs in found]
    order = list(dict.fromkeys((run.sha256, instance_of(run)) for run in asked))
    return sorted(best, key=lambda row: order.index((row.sha256, row.instance)))


def _best_score(run: Outcome) -> BestScore:
    # A run whose process was killed has reported its scores before.
    killed = run.record.get("seconds") is None
    score = (run.record.get("best_after") or {}).get("score") if killed else _full_score(run)
    optimal = run.record.get("status") == "optimal"
    return BestScore(run.sha256, instance_of(run), run.label, score, run.record.get("max_score"), optimal)


def highest(rows: Sequence[BestScore]) -> list[tuple[str, int]]:
    """The number of puzzles on which each engine has the highest score, if it is not 0; largest first."""
    scores: dict[tuple[str, str], int] = {}
    for row in rows:
        key = row.sha256, row.instance
        scores[key] = max(scores.get(key, -1), -1 if row.score is None else row.score)
    return Counter(row.label for row in rows if row.score == scores[row.sha256, row.instance]).most_common()


def instance_of(run: Outcome) -> str:
    """A puzzle, with its slips, which make it another problem."""
    return f"{run.instance}, slips {run.slips}" if run.slips else run.instance


def disagreements(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each puzzle on which two runs cannot both be right.

    For one puzzle with the same slips, complete counts must be equal, and no run may find more solutions; no run may
    find a solution if another proves that there is no solution; proved best scores must be equal, and no run may find
    a higher score.
    """
    problems = _problems(outcomes).values()
    return [f"{instance_of(runs[0])}: {fault}" for runs in problems for fault in _contradictions(runs)]


def agreements(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    """The number of puzzles on which runs could be compared, and the number of these runs.

    Two runs can be compared if both have a complete count, or both decided whether there is a solution, or both proved
    the best score; and if their engines or options differ.
    """
    puzzles: set[str] = set()
    compared: set[int] = set()
    for runs in _problems(outcomes).values():
        for claim in (_complete_count, _exists, _best):
            claiming = [run for run in runs if claim(run) is not None]
            if len({run.label for run in claiming}) > 1:
                puzzles.add(runs[0].sha256)
                compared.update(map(id, claiming))
    return len(puzzles), len(compared)


def _problems(outcomes: Sequence[Outcome]) -> dict[tuple[Hashable, ...], list[Outcome]]:
    """The runs that must have the same answer: one puzzle, the same slips along the same order, the same motions."""
    return grouped_by(
        outcomes, lambda run: (run.sha256, run.slips, run.order if run.slips else None, run.options.get("motions"))
    )


def _complete_count(run: Outcome) -> int | None:
    return run.record.get("count") if run.solved and run.counted else None


def _exists(run: Outcome) -> bool | None:
    """Whether there is a solution; None if the run did not decide it."""
    return {"satisfiable": True, "unsatisfiable": False}.get(run.record.get("status") or "")


def _best(run: Outcome) -> int | None:
    return run.record.get("best_score") if run.record.get("status") == "optimal" else None


def _full_score(run: Outcome) -> int | None:
    """The score of the best full board of a run, proved or not; None without a full board."""
    return run.record.get("best_score") if run.record.get("status") in ("optimal", "feasible") else None


def _contradictions(runs: Sequence[Outcome]) -> Iterator[str]:
    whole = [run for run in runs if run.solved and run.counted]
    counts, scores = _said(runs, _complete_count), _said(runs, _best)
    orbits = _said(whole, lambda run: run.record.get("canonical_count"))
    for what, said in (("counts", counts), ("canonical counts", orbits), ("best scores", scores)):
        if len(said) > 1:
            yield f"{what} differ: {_listed(said)}"
    found = max(((run.record.get("count") or 0, run.label) for run in runs if not run.solved), default=(0, ""))
    if counts and found[0] > max(counts):
        yield f"{found[1]} found {found[0]}, more than there are: {_listed(counts)}"
    exist = _said(runs, _exists)
    if len(exist) > 1:
        yield f"a solution by {', '.join(exist[True])}; none by {', '.join(exist[False])}"
    boards = _said([run for run in runs if _best(run) is None], _full_score)
    most = max(boards, default=0)
    if scores and most > max(scores):
        yield f"a score of {most} by {', '.join(boards[most])}, more than the best: {_listed(scores)}"
    none = [run.label for run in runs if run.goal == "best" and run.record.get("status") == "unsatisfiable"]
    if none and (boards | scores):
        by = ", ".join(label for labels in (boards | scores).values() for label in labels)
        yield f"a full board by {by}; none by {', '.join(dict.fromkeys(none))}"


def _said(runs: Sequence[Outcome], claim: Callable[[Outcome], int | None]) -> dict[int, list[str]]:
    """The values that runs claim, with the labels of these runs."""
    said: dict[int, list[str]] = {}
    for run in runs:
        value = claim(run)
        if value is not None and run.label not in said.setdefault(value, []):
            said[value].append(run.label)
    return said


def _listed(said: Mapping[int, Sequence[str]]) -> str:
    return "; ".join(f"{value} by {', '.join(labels)}" for value, labels in said.items())


def calibrations(outcomes: Sequence[Outcome], quantity: str) -> list[Calibration]:
    """The accuracy of predicted nodes or solutions for each family, and for all families together if there are several.

    The runs are searches of the whole tree (goals count and all), one for each puzzle.  Nodes are those of one engine
    with its options; for solutions one run for each puzzle suffices.  A family without a complete run has no row, but
    its runs are in `left_out` of the row "all".
    """
    asked = [run for run in distinct(outcomes) if run.counted and run.outcome != "refused"]
    predicted = [run for run in asked if run.log_predicted(quantity) is not None]
    groups = {"all": one_each(predicted)} if quantity == "solutions" else grouped_by(predicted, lambda run: run.label)
    rows: list[Calibration] = []
    for label, of_label in groups.items():
        families = grouped_by(of_label, lambda run: run.family)
        for family, runs in [*families.items(), *([("all", of_label)] if len(families) > 1 else [])]:
            logs = [run.log_ratio(quantity) for run in runs if run.solved]
            known = [log for log in logs if log is not None]
            if known:
                rows.append(Calibration(quantity, family, label, len(known), len(runs) - len(known), *_spread(known)))
    return rows


def one_each(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """One run for each puzzle, solved if possible."""
    found = grouped_by(outcomes, lambda run: (run.sha256, run.slips, run.order if run.slips else None))
    return [max(runs, key=lambda run: run.solved) for runs in found.values()]


def _spread(logs: Sequence[float]) -> tuple[float, float, float, float]:
    """From decimal logarithms: the geometric mean, its 95 % interval by Student's t, and the spread."""
    from scipy.special import stdtrit

    mean = fmean(logs)
    if len(logs) == 1:
        return power_of_ten(mean), nan, nan, nan
    half = float(stdtrit(len(logs) - 1, 0.975)) * stdev(logs) / sqrt(len(logs))
    return power_of_ten(mean), power_of_ten(mean - half), power_of_ten(mean + half), power_of_ten(stdev(logs))


def power_of_ten(exponent: float) -> float:
    """10 to a power; infinity if it is too large for a float."""
    return 10.0**exponent if exponent < 308 else inf
