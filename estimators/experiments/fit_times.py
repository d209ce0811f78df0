"""Fit what plans predict of solvers to the records of an experiment: a censored regression for each engine and goal."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from math import erf, exp, log10, pi, sqrt
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.base.safe_files import replacing
from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from ..ways.along import Along
from ..ways.expected_scores import ScoreFit, score_features
from ..ways.fitted_times import SolverFit, Times, features
from ..ways.square_ways import SquareWays
from .families import make_puzzle

#: Fewer runs of an engine say nothing: so many more than there are features.
FEWEST_MORE = 4
#: Fewer races say nothing of scores.
_FEWEST_RACES = 12
# Weights are drawn towards 0 by so much, in standard deviations of the features; rounds of the fit.
_RIDGE, _ROUNDS = 0.3, 300
# In so many parts the sizes of puzzles are left out by turns; so much larger errors may be said to be for that.
_PARTS, _WIDEST = 5, 1.6
# No run is said to be known better than so, in powers of ten.
_LEAST_DEVIATION = 0.05
# What is tried for either.
_DEVIATIONS, _CLUSTERING = (np.arange(0.05, 1.5, 0.05).tolist(), np.arange(0.0, 1.5, 0.02).tolist())


@dataclass(frozen=True)
class Timed:
    """A run, as far as the fit goes by it.

    Parameters
    ----------
    engine, kind, goal
        Who did what.
    size
        How many pieces the puzzle has.
    features
        What the regression goes by.
    log_seconds
        The decimal logarithm of the processor time; of a run that a limit ended, how long it certainly takes.
    ended
        Whether it reached its goal.
    memory
        Its peak memory in MiB.
    """

    engine: str
    kind: str
    goal: str
    size: int
    features: tuple[float, ...]
    log_seconds: float
    ended: bool
    memory: float


def save_times(records: Sequence[Mapping[str, Any]], experiment: str, folder: Path, path: str | Path) -> None:
    """Fit, and write the coefficients to a file.

    Parameters
    ----------
    records
        The records of the experiment's runs.
    experiment, folder
        The experiment's name, and where the paths of its puzzles start.
    path
        The file that `fitted_times.load_times` reads.
    """
    times = fit_times(records, experiment, folder)
    with replacing(path) as file:
        json.dump(times.record(), file, indent=1)


def fit_times(records: Sequence[Mapping[str, Any]], experiment: str, folder: Path) -> Times:
    """Fit all that the records tell of; parameters are those of `save_times`."""
    puzzle_of = cache(lambda text: make_puzzle(json.loads(text), folder))
    known = [(record, _moved(puzzle_of(json.dumps(record["source"])), record)) for record in records]
    runs = [run for record, puzzle in known if (run := _timed(record, puzzle)) is not None]
    runs.sort(key=_group)
    fits = [fit for _, several in groupby(runs, _group) if (fit := _fit(list(several))) is not None]
    processors = sorted({str(record["machine"]["processor"]) for record in records})
    return Times(
        f"jigsat compare {experiment} -o FOLDER --times FILE",
        ", ".join(processors),
        len(runs),
        *_about_nodes(known),
        tuple(fits),
        tuple(_score_fits(known)),
    )


def _moved(puzzle: Puzzle, record: Mapping[str, Any]) -> Puzzle:
    """The puzzle as it was searched: a dissection with the motions that the run allowed."""
    return puzzle.with_motions(record["asked"]["motions"]) if isinstance(puzzle, DissectionPuzzle) else puzzle


def _group(run: Timed) -> tuple[str, str, str]:
    return run.engine, run.kind, run.goal


def _timed(record: Mapping[str, Any], puzzle: Puzzle) -> Timed | None:
    """A run of an engine that proves; None if it says nothing of times."""
    if (
        record["outcome"] not in ("solved", "time")
        or record["best_bound"] == record["best_score"] != record["max_score"]
    ):
        return None
    if record["engine"] in ("beam", "dive") or record["asked"]["slips"] is not None:
        return None
    ended = record["outcome"] == "solved"
    # A process that was killed at its limit tells no time.
    seconds = record["cpu_seconds"] or record["seconds"] or record["limits"]["seconds"]
    return Timed(
        record["engine"],
        record["kind"],
        record["goal"],
        len(puzzle.pieces),
        features(puzzle, _expected(puzzle, Goal(record["goal"]))),
        log10(max(seconds, 1e-4)),
        ended,
        record["peak_rss_mib"] or 0.0,
    )


@cache
def _expected(puzzle: Puzzle, goal: Goal) -> Mapping[str, float] | None:
    if isinstance(puzzle, DissectionPuzzle):
        return None
    return SquareWays(puzzle, goal, Limits(), Options()).expected


def _fit(runs: Sequence[Timed]) -> SolverFit | None:
    """The regression for runs of one engine, its errors as large as on sizes that it has not seen; None if too few."""
    fit = _fitted(runs)
    return (
        None
        if fit is None
        else replace(fit, deviation=round(fit.deviation * min(max(_on_unseen(runs), 1.0), _WIDEST), 4))
    )


def _on_unseen(runs: Sequence[Timed]) -> float:
    """How large errors are on puzzles of other sizes than those that were fitted to, in standard deviations."""
    sizes = {size: number % _PARTS for number, size in enumerate(sorted({run.size for run in runs}))}
    errors: list[float] = []
    for part in range(_PARTS):
        fit = _fitted([run for run in runs if sizes[run.size] != part])
        if fit is None:
            continue
        for run in runs:
            told = fit.seconds(run.features) if sizes[run.size] == part and run.ended else None
            if told is not None:
                errors.append((run.log_seconds - told.median) / told.deviation)
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

    By expectation and maximisation: what a limit ended takes the place that the model expects of it beyond the limit.

    Parameters
    ----------
    scaled
        Features, centred and scaled; shape (runs, features).
    known
        The values; lower bounds where `ended` is false.
    ended
        Which values are known.
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
    """The mean of a standard normal variable beyond z."""
    beyond = (1 - erf(z / sqrt(2))) / 2
    return z + 1 / max(z, 1.0) if beyond < 1e-12 else exp(-z * z / 2) / sqrt(2 * pi) / beyond


def _about_nodes(known: Iterable[tuple[Mapping[str, Any], Puzzle]]) -> tuple[float, float]:
    """The least deviation of true from predicted nodes, and the least clustering, by which intervals hold nine of ten.

    The deviation is fitted to searches of trees in which one other solution is to be expected at most, and then the
    clustering to those of all others, of which no more than one in twenty may take longer.
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
    deviation = next((one for one in _DEVIATIONS if sum(_outside(few, one, 0.0)) <= 0.1), _DEVIATIONS[-1])
    clustering = next((one for one in _CLUSTERING if _outside(many, deviation, one)[1] <= 0.05), _CLUSTERING[-1])
    return round(deviation, 3), round(clustering, 3)


def _outside(
    found: Sequence[tuple[Mapping[str, Any], Along]], deviation: float, clustering: float
) -> tuple[float, float]:
    """Which parts of the runs lie below and above their intervals; of those that were ended, certainly."""
    below = above = 0
    for record, along in found:
        low, high = along.until_found(deviation, clustering).interval
        nodes = record["nodes"] or 0
        below += nodes < low and record["outcome"] != "time"
        above += nodes > high
    return (below / len(found), above / len(found)) if found else (1.0, 1.0)


@cache
def _along(puzzle: Any, order: str) -> Along:
    (along,) = SquareWays(puzzle, Goal.SOLVE, Limits(), Options(order=order)).named
    return along


def _score_fits(known: Iterable[tuple[Mapping[str, Any], Puzzle]]) -> Iterator[ScoreFit]:
    """For each engine that races for high scores, how many joins it leaves invalid."""
    runs = [
        (record, score_features(puzzle, record["limits"]["seconds"]))
        for record, puzzle in known
        if record["engine"] in ("beam", "dive") and not isinstance(puzzle, DissectionPuzzle)
    ]
    for engine in sorted({record["engine"] for record, _ in runs}):
        mine = [(record, given) for record, given in runs if record["engine"] == engine and record["outcome"] == "time"]
        if len(mine) >= _FEWEST_RACES:
            invalid = np.array([record["max_score"] - record["best_score"] for record, _ in mine])
            design = np.array([given for _, given in mine])
            weights = np.linalg.solve(design.T @ design + 1e-6 * np.eye(design.shape[1]), design.T @ invalid)
            error = float(np.sqrt(np.mean((design @ weights - invalid) ** 2)))
            yield ScoreFit(engine, _rounded(weights), round(error, 3), len(mine))
