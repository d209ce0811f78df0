"""Fit the running times of solvers to the records of an experiment: a censored regression by engine and goal.

    python research/fit_times.py calibration FOLDER estimators/ways/times.json

The folder is that of `jigsat compare calibration -o FOLDER`.  The file is the one that plans read.
"""

import argparse
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import groupby
from math import erf, exp, floor, isfinite, log10, pi, sqrt
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jigsat import compare
from jigsat.csp.base.errors import plural
from jigsat.csp.base.safe_files import replacing
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import Puzzle
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.estimators.experiments.families import make_puzzle
from jigsat.estimators.experiments.files import load_experiment
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways.square_ways import Along, SquareWays
from jigsat.estimators.ways.times import (
    ScoreFit,
    SolverFit,
    Times,
    dissection_features,
    load_times,
    score_features,
    square_features,
)

#: A fit needs that many more runs than features.
FEWEST_MORE = 4
#: A fit of scores needs that many races.
_FEWEST_RACES = 12
# The penalty of the ridge regression, in standard deviations of the features; the number of rounds of the fit.
_RIDGE, _ROUNDS = 0.3, 300
# The number of folds of the cross-validation by size; the largest factor by which it widens the errors.
_PARTS, _WIDEST = 5, 1.6
# The smallest standard deviation of a fit, in powers of ten.
_LEAST_DEVIATION = 0.05
# The values that are tried.
_DEVIATIONS, _CLUSTERING = (np.arange(0.05, 1.5, 0.05).tolist(), np.arange(0.0, 1.5, 0.02).tolist())


@dataclass(frozen=True)
class Timed:
    """A run, with the values that the fit uses."""

    #: The engine, the kind of puzzle, and the goal.
    engine: str
    kind: str
    goal: str
    #: The number of pieces of the puzzle.
    size: int
    #: The features of the regression.
    features: tuple[float, ...]
    #: The decimal logarithm of the processor time; for a run that a limit ended, a lower bound.
    log_seconds: float
    #: Whether it reached its goal.
    ended: bool
    #: Its peak memory in MiB.
    memory: float


def fit_times(records: Sequence[Mapping[str, Any]], experiment: str, folder: Path) -> Times:
    """Fit all engines and goals of the records; relative paths of puzzles start at the folder."""
    puzzle_of = cache(lambda text: make_puzzle(json.loads(text), folder))
    known = [(record, _moved(puzzle_of(json.dumps(record["source"])), record)) for record in records]
    runs = [run for record, puzzle in known if (run := _timed(record, puzzle)) is not None]
    runs.sort(key=_group)
    fits = [fit for _, several in groupby(runs, _group) if (fit := _fit(list(several))) is not None]
    processors = sorted({str(record["machine"]["processor"]) for record in records})
    return Times(
        f"python research/fit_times.py {shlex.quote(experiment)} FOLDER FILE",
        ", ".join(processors),
        len(runs),
        *_about_nodes(known),
        tuple(fits),
        tuple(_score_fits(known)),
    )


def _moved(puzzle: Puzzle, record: Mapping[str, Any]) -> Puzzle:
    """The puzzle of a run: a dissection with the motions that the run allowed."""
    return puzzle.with_motions(record["asked"]["motions"]) if isinstance(puzzle, DissectionPuzzle) else puzzle


def _group(run: Timed) -> tuple[str, str, str]:
    return run.engine, run.kind, run.goal


def _timed(record: Mapping[str, Any], puzzle: Puzzle) -> Timed | None:
    """A run of an engine that proves; None if its time cannot be used."""
    if (
        record["outcome"] not in ("solved", "time")
        or record["best_bound"] == record["best_score"] != record["max_score"]
    ):
        return None
    if record["engine"] in ("beam", "dive") or record["asked"]["slips"] is not None:
        return None
    ended = record["outcome"] == "solved"
    # A process that was killed at its limit reports no time.
    seconds = record["cpu_seconds"] or record["seconds"] or record["limits"]["seconds"]
    return Timed(
        record["engine"],
        record["kind"],
        record["goal"],
        len(puzzle.pieces),
        _features(puzzle, Goal(record["goal"])),
        log10(max(seconds, 1e-4)),
        ended,
        record["peak_rss_mib"] or 0.0,
    )


@cache
def _features(puzzle: Puzzle, goal: Goal) -> tuple[float, ...]:
    if isinstance(puzzle, DissectionPuzzle):
        return dissection_features(puzzle)
    return square_features(puzzle, SquareWays(puzzle, goal, Limits(), Options()).expected)


def _fit(runs: Sequence[Timed]) -> SolverFit | None:
    """The regression for the runs of one engine, with errors for unseen sizes; None if the runs are too few."""
    fit = _fitted(runs)
    if fit is None:
        return None
    return replace(fit, deviation=round(fit.deviation * min(max(_on_unseen(runs), 1.0), _WIDEST), 4))


def _on_unseen(runs: Sequence[Timed]) -> float:
    """The error on puzzles of sizes that were not fitted to, in standard deviations (cross-validation)."""
    sizes = {size: number % _PARTS for number, size in enumerate(sorted({run.size for run in runs}))}
    errors: list[float] = []
    for part in range(_PARTS):
        fit = _fitted([run for run in runs if sizes[run.size] != part])
        if fit is None:
            continue
        for run in runs:
            predicted = fit.seconds(run.features) if sizes[run.size] == part and run.ended else None
            if predicted is not None:
                errors.append((run.log_seconds - predicted.median) / predicted.deviation)
    return sqrt(sum(error**2 for error in errors) / len(errors)) if errors else 1.0


def _fitted(runs: Sequence[Timed]) -> SolverFit | None:
    """The regression alone; None if the runs are too few."""
    if not runs:
        return None
    ended = np.array([run.ended for run in runs])
    fewest = len(runs[0].features) + FEWEST_MORE
    if len(runs) < fewest or ended.sum() < fewest // 2:
        return None
    plain = np.array([run.features for run in runs])
    center, scale = plain.mean(axis=0), plain.std(axis=0)
    scale[scale < 1e-9] = 0.0
    scaled = np.divide(plain - center, scale, out=np.zeros_like(plain), where=scale > 0)
    weights, deviation = censored_regression(scaled, np.array([run.log_seconds for run in runs]), ended)
    first = runs[0]
    return SolverFit(
        engine=first.engine,
        kind=first.kind,
        goal=first.goal,
        center=_rounded(center),
        scale=_rounded(scale),
        weights=_rounded(weights),
        deviation=round(deviation, 4),
        runs=len(runs),
        ended=int(ended.sum()),
        longest=round(10 ** max(run.log_seconds for run in runs), 4),
        memory=median(run.memory for run in runs),
    )


def _rounded(numbers: NDArray[np.floating[Any]]) -> tuple[float, ...]:
    return tuple(np.round(numbers, 5).tolist())


def censored_regression(
    scaled: NDArray[np.float64], known: NDArray[np.float64], ended: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], float]:
    """The weights of a linear model, the constant first, and the standard deviation of its errors.

    The algorithm is expectation-maximisation: a lower bound is replaced by its expected value under the model.
    `scaled` has the features, centred and scaled, shape (runs, features); `known` the values, which are lower bounds
    where `ended` is false.
    """
    design = np.column_stack([np.ones(len(known)), scaled])
    penalty = np.diag([0.0, *[_RIDGE] * scaled.shape[1]])
    values, spare = known.copy(), np.zeros(len(known))
    weights: NDArray[np.float64] = np.zeros(design.shape[1])
    deviation = 1.0
    for _ in range(_ROUNDS):
        weights = np.asarray(np.linalg.solve(design.T @ design + penalty, design.T @ values), dtype=np.float64)
        mean = design @ weights
        degrees = max(len(known) - design.shape[1], 1)
        deviation = max(sqrt((((values - mean) ** 2).sum() + spare.sum()) / degrees), _LEAST_DEVIATION)
        for i in np.flatnonzero(~ended):
            z = (known[i] - mean[i]) / deviation
            hazard = _hazard(float(z))
            values[i] = mean[i] + deviation * hazard
            spare[i] = deviation**2 * max(1 + z * hazard - hazard**2, 0.0)
    return weights, deviation


def _hazard(z: float) -> float:
    """The mean of a standard normal variable, given that it is above z."""
    beyond = (1 - erf(z / sqrt(2))) / 2
    return z + 1 / max(z, 1.0) if beyond < 1e-12 else exp(-z * z / 2) / sqrt(2 * pi) / beyond


def _about_nodes(known: Iterable[tuple[Mapping[str, Any], Puzzle]]) -> tuple[float, float]:
    """The smallest deviation and clustering for which the intervals of nodes contain nine of ten runs.

    The deviation is fitted to puzzles with at most one expected other solution.  The clustering is then fitted to the
    other puzzles, such that at most one in twenty takes more nodes than its interval.  Without such puzzles they are
    those that plans use now.
    """
    found = [
        (record, _along(puzzle, record["options"]["order"]))
        for record, puzzle in known
        if (record["engine"], record["goal"]) == ("backtrack", "solve")
        and not isinstance(puzzle, DissectionPuzzle)
        and record["outcome"] in ("solved", "time")
    ]
    few = [(record, along) for record, along in found if along.searched.solutions <= 1]
    many = [(record, along) for record, along in found if along.searched.solutions > 1]
    deviation, clustering = load_times().nodes_deviation, load_times().clustering
    if few:
        deviation = next((one for one in _DEVIATIONS if sum(_outside(few, one, 0.0)) <= 0.1), _DEVIATIONS[-1])
    if many:
        clustering = next((one for one in _CLUSTERING if _outside(many, deviation, one)[1] <= 0.05), _CLUSTERING[-1])
    return round(deviation, 3), round(clustering, 3)


def _outside(
    found: Sequence[tuple[Mapping[str, Any], Along]], deviation: float, clustering: float
) -> tuple[float, float]:
    """The shares of runs below and above their intervals; runs that a limit ended count only if they are certain."""
    below = above = 0
    for record, along in found:
        low, high = along.until_found(deviation, clustering).interval
        nodes = record["nodes"] or 0
        below += nodes < low and record["outcome"] != "time"
        above += nodes > high
    return below / len(found), above / len(found)


@cache
def _along(puzzle: Any, order: str) -> Along:
    (along,) = SquareWays(puzzle, Goal.SOLVE, Limits(), Options(order=order)).named
    return along


def _score_fits(known: Iterable[tuple[Mapping[str, Any], Puzzle]]) -> Iterator[ScoreFit]:
    """For each engine that races for high scores, the fit of its number of invalid joins."""
    model_of = cache(Complexity)
    runs = [
        (record, score_features(model_of(puzzle), record["limits"]["seconds"]))
        for record, puzzle in known
        # Runs that had to be killed have no score.
        if record["engine"] in ("beam", "dive") and not isinstance(puzzle, DissectionPuzzle)
        if record["outcome"] == "time" and record["best_score"] is not None
    ]
    for engine in sorted({record["engine"] for record, _ in runs}):
        # Where no solution is possible, features are infinite.
        mine = [(record, given) for record, given in runs if record["engine"] == engine and isfinite(given[2])]
        if len(mine) >= _FEWEST_RACES:
            invalid = np.array([record["max_score"] - record["best_score"] for record, _ in mine])
            design = np.array([given for _, given in mine])
            weights = np.linalg.solve(design.T @ design + 1e-6 * np.eye(design.shape[1]), design.T @ invalid)
            error = float(np.sqrt(np.mean((design @ weights - invalid) ** 2)))
            fewest = floor(min(given[2] for _, given in mine))
            yield ScoreFit(engine, _rounded(weights), fewest, round(error, 3), len(mine))


def main() -> None:
    """Fit, and write the coefficients to a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("experiment")
    parser.add_argument("folder")
    parser.add_argument("file")
    asked = parser.parse_args()
    found = compare(asked.experiment, asked.folder, dry_run=True)
    # A record can have been made elsewhere, with other paths.
    recipes = {run.fingerprint: run.recipe for run in found.runs}
    records = [{**record, "source": recipes[record["fingerprint"]]} for record in found.records]
    times = fit_times(records, asked.experiment, load_experiment(asked.experiment).folder)
    if not times.runs and not times.scores:
        parser.error(f"none of {plural(len(records), 'recorded run')} can be used for a fit")
    with replacing(asked.file) as file:
        json.dump(asdict(times), file, indent=1)


if __name__ == "__main__":
    main()
