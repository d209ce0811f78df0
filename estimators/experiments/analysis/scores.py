"""How much each engine solves, how fast, and whether all engines agree."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isinf
from statistics import median

from .outcomes import NO_ANSWER, Outcome, grouped, grouped_by


@dataclass(frozen=True)
class EngineScore:
    """The results of one engine with its options."""

    #: The engine with its options.
    label: str
    #: Numbers of runs.
    runs: int
    solved: int
    timed_out: int
    out_of_memory: int
    #: The numbers of runs that ended otherwise, by outcome.
    other: Mapping[str, int]
    #: The mean of the seconds, where a run that is not solved counts as twice its time limit; None if such a run has
    #: no time limit, or was ended by a limit other than time and memory.
    par2: float | None
    #: The median of the seconds; None if beyond the limit.
    median: float | None
    #: The total seconds of all runs.
    seconds: float


@dataclass(frozen=True)
class Winner:
    """The best engine for one goal on puzzles of one size, number of colours and number of clues.

    - `goal`, `rows`, `columns`, `inner_colors`, `clues`, `kind`: the goal and the puzzles.
    - `label`: the engine with the lowest PAR-2; None if no engine solved more than half.
    - `seconds`: its median; None without a winner.
    - `second`, `factor`: the next engine by PAR-2, and its PAR-2 as a multiple of the winner's.
    - `solved`, `runs`: the numbers of the winner; without a winner, of all engines.
    """

    goal: str
    rows: int | None
    columns: int | None
    inner_colors: int | None
    clues: int | None
    label: str | None
    seconds: float | None
    second: str | None
    factor: float | None
    solved: int
    runs: int
    kind: str


@dataclass(frozen=True)
class BestScore:
    """The highest score that one engine with its options found on one puzzle."""

    #: The puzzle, with the slips that boards must obey.
    sha256: str
    instance: str
    #: The engine with its options.
    label: str
    #: The valid joins of its best full board, None without a full board; and all joins of the board.
    score: int | None
    joins: int | None
    #: The effort until it was found; nodes are None for engines without nodes.
    seconds: float
    nodes: float | None
    #: Whether the time of the find is known; if not, `seconds` and `nodes` are those of the whole run.
    noticed: bool
    #: Whether the engine proved that no score is higher.
    optimal: bool


def engine_scores(outcomes: Sequence[Outcome]) -> list[EngineScore]:
    """The results of each engine, best PAR-2 first.

    PAR-2 (of the SAT competitions) is the mean of the seconds, where a run that is not solved counts as twice its time
    limit.  It omits runs that were refused or interrupted, as the median does.  It is None if a limit of depth or nodes
    ended runs, because their seconds measure nothing.
    """
    scores = [_score(label, runs) for (label,), runs in grouped(outcomes, "label").items()]
    return sorted(scores, key=lambda score: (_rank(score.par2), -score.solved, score.label))


def scores_by_part(outcomes: Sequence[Outcome]) -> dict[str, list[EngineScore]]:
    """The results of each engine in each part of the experiment, in which all engines run on the same puzzles."""
    return {part: engine_scores(runs) for (part,), runs in grouped(outcomes, "part").items()}


def cactus(outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """The seconds of the solved runs of each engine, in ascending order."""
    return {
        label: sorted(run.seconds for run in runs if run.solved)
        for (label,), runs in grouped(outcomes, "label").items()
    }


def winners(outcomes: Sequence[Outcome]) -> list[Winner]:
    """The engine with the lowest PAR-2 for each goal, kind and size of board, number of colours and number of clues.

    Only engines that ran on all puzzles of the cell without a depth limit are compared.  Runs with slips are other
    problems and are omitted, except for the goal best.
    """
    plain = [run for run in outcomes if run.goal == "best" or not run.slips]
    boards = [run for run in plain if run.rows is not None and run.outcome not in NO_ANSWER]
    cells = grouped(boards, "goal", "rows", "columns", "inner_colors", "clues", "kind")
    cells = {cell: alike for cell, runs in cells.items() if (alike := _given_alike(runs))}
    return [
        _winner(cells[cell]) for cell in sorted(cells, key=lambda cell: [cell[-1], cell[0], *map(_rank, cell[1:-1])])
    ]


def best_scores(outcomes: Sequence[Outcome]) -> list[BestScore]:
    """The best run of each engine on each puzzle with the goal best, ordered by puzzle."""
    asked = [run for run in outcomes if run.goal == "best" and run.outcome != "refused"]
    found = grouped(asked, "sha256", "slips", "label").values()
    best = [max((_best_score(run) for run in runs), key=_how_good) for runs in found]
    order = list(dict.fromkeys((run.sha256, _instance(run)) for run in asked))
    return sorted(best, key=lambda row: order.index((row.sha256, row.instance)))


def highest(rows: Sequence[BestScore]) -> list[tuple[str, int]]:
    """The number of puzzles on which each engine has the highest score, if it is not 0; largest first."""
    scores: dict[tuple[str, str], int] = {}
    for row in rows:
        key = row.sha256, row.instance
        scores[key] = max(scores.get(key, -1), -1 if row.score is None else row.score)
    found = Counter(row.label for row in rows if row.score == scores[row.sha256, row.instance])
    return found.most_common()


def disagreements(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each puzzle on which two runs cannot both be right.

    For one puzzle with the same slips, complete counts must be equal, and no run may find more solutions; no run may
    find a solution if another proves that there is no solution; proved best scores must be equal, and no run may find
    a higher score.
    """
    lines: list[str] = []
    for runs in _problems(outcomes).values():
        faults = [*_different_counts(runs), *_doubtful_existence(runs), *_different_scores(runs)]
        lines += [f"{_instance(runs[0])}: {fault}" for fault in faults]
    return lines


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


def _instance(run: Outcome) -> str:
    """A puzzle, with its slips, which make it another problem."""
    return f"{run.instance}, slips {run.slips}" if run.slips else run.instance


def _best_score(run: Outcome) -> BestScore:
    score, nodes, seconds = _full_score(run), run.measure("nodes"), run.seconds
    after = run.record.get("best_after") or {}
    # A run whose process was killed has reported its scores before.
    score = after.get("score") if run.record.get("seconds") is None else score
    noticed = score is not None and after.get("score") == score
    if noticed:
        seconds, nodes = after["seconds"], after["nodes"] or None
    optimal = run.record.get("status") == "optimal"
    joins = run.record.get("max_score")
    return BestScore(run.sha256, _instance(run), run.label, score, joins, seconds, nodes, noticed, optimal)


def _how_good(row: BestScore) -> tuple[int, bool, float]:
    return -1 if row.score is None else row.score, row.optimal, -row.seconds


def _score(label: str, runs: Sequence[Outcome]) -> EngineScore:
    ended = Counter(run.outcome for run in runs)
    judged = [run for run in runs if run.outcome not in NO_ANSWER]
    return EngineScore(
        label=label,
        runs=len(runs),
        solved=ended.pop("solved", 0),
        timed_out=ended.pop("time", 0),
        out_of_memory=ended.pop("memory", 0),
        other=dict(sorted(ended.items())),
        par2=_par2(judged),
        median=_median(judged),
        seconds=sum(run.seconds for run in runs),
    )


def _par2(runs: Sequence[Outcome]) -> float | None:
    total = 0.0
    for run in runs:
        if not run.solved and (run.limit is None or run.outcome in ("depth", "nodes", "solutions", "restarts")):
            return None
        total += run.seconds if run.solved else 2 * (run.limit or 0.0)
    return total / len(runs) if runs else None


def _median(runs: Sequence[Outcome]) -> float | None:
    """The median of the seconds, where a run that is not solved counts as larger than all others."""
    middle = median(run.seconds if run.solved else inf for run in runs) if runs else inf
    return None if isinf(middle) else middle


def _rank(number: float | None) -> float:
    """The number for sorting; None is last."""
    return inf if number is None else number


def _winner(runs: Sequence[Outcome]) -> Winner:
    one = runs[0]
    scores = engine_scores(runs)
    first = next((score for score in scores if 2 * score.solved > score.runs), None)
    cell = one.goal, one.rows, one.columns, one.inner_colors, one.clues
    if first is None:
        return Winner(*cell, None, None, None, None, sum(score.solved for score in scores), len(runs), one.kind)
    others = [score for score in scores if score is not first]
    second = others[0] if others else None
    factor = second.par2 / first.par2 if second and second.par2 and first.par2 else None
    return Winner(*cell, first.label, first.median, second and second.label, factor, first.solved, first.runs, one.kind)


def _given_alike(runs: Sequence[Outcome]) -> list[Outcome]:
    """The runs of the engines that ran on every puzzle without a depth limit."""
    every = {run.sha256 for run in runs}
    found: list[Outcome] = []
    for alike in grouped(runs, "label").values():
        if every == {run.sha256 for run in alike} and all(run.depth_limit is None for run in alike):
            found += alike
    return found


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


def _different_counts(runs: Sequence[Outcome]) -> Iterator[str]:
    counts = _said(runs, _complete_count)
    if len(counts) > 1:
        yield "counts differ: " + _listed(counts)
    orbits = _said([run for run in runs if run.solved and run.counted], lambda run: run.record.get("canonical_count"))
    if len(orbits) > 1:
        yield "canonical counts differ: " + _listed(orbits)
    found = max(((run.record.get("count") or 0, run.label) for run in runs if not run.solved), default=(0, ""))
    if counts and found[0] > max(counts):
        yield f"{found[1]} found {found[0]}, more than there are: " + _listed(counts)


def _doubtful_existence(runs: Sequence[Outcome]) -> Iterator[str]:
    said = _said(runs, _exists)
    if len(said) > 1:
        yield f"a solution by {', '.join(said[True])}; none by {', '.join(said[False])}"


def _different_scores(runs: Sequence[Outcome]) -> Iterator[str]:
    scores = _said(runs, _best)
    if len(scores) > 1:
        yield "best scores differ: " + _listed(scores)
    found = _said([run for run in runs if _best(run) is None], _full_score)
    highest = max(found, default=0)
    if scores and highest > max(scores):
        yield f"a score of {highest} by {', '.join(found[highest])}, more than the best: " + _listed(scores)
    none = [run.label for run in runs if run.goal == "best" and run.record.get("status") == "unsatisfiable"]
    if none and (boards := {**found, **scores}):
        by = ", ".join(label for labels in boards.values() for label in labels)
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
