"""The censored regression finds what made the data, and the records of runs become a file of fitted times."""

import json
from dataclasses import asdict
from math import erf, exp, floor, log10, pi, sqrt

import numpy as np
import pytest

from fit_times import FEWEST_MORE, censored_regression, fit_times, main
from jigsat.estimators.experiments.families import make_puzzle
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways.times import load_times, score_features, square_features
from records import record

# A puzzle of squares has eight features; races for high scores are fitted from twelve on.
FEWEST, RACES = 8 + FEWEST_MORE, 12


def synthetic(seed, runs, weights, deviation, limit=np.inf):
    """Runs whose log seconds are linear in random features with normal errors; those beyond the limit are ended."""
    chance = np.random.default_rng(seed)
    given = chance.normal(size=(runs, len(weights) - 1))
    seconds = weights[0] + given @ weights[1:] + chance.normal(0, deviation, runs)
    ended = seconds <= limit
    return given, np.minimum(seconds, limit), ended


def test_known_weights_are_found_though_runs_were_ended():
    """Up to three quarters of the runs; their limit taken for their time, they would seem quicker than they are."""
    weights, deviation = np.array([1.0, 0.8, -0.5, 0.0]), 0.4
    given, seconds, ended = synthetic(2, 2000, weights, deviation, 0.5)
    found, spread = censored_regression(given, seconds, ended)
    assert found == pytest.approx(weights, abs=0.08)
    assert spread == pytest.approx(deviation, rel=0.1)
    plain, _ = censored_regression(given, seconds, np.ones_like(ended))
    assert plain[0] < 0.5


def test_the_weights_are_the_likeliest_ones():
    """No weights or deviation nearby make the data likelier (Tobin's likelihood, worked out apart)."""
    given, seconds, ended = synthetic(3, 1500, np.array([1.0, 0.8, -0.5]), 0.4, 1.0)
    weights, deviation = censored_regression(given, seconds, ended)

    def likelihood(weights, deviation):
        z = (seconds - weights[0] - given @ weights[1:]) / deviation
        at = np.log([exp(-x * x / 2) / (deviation * sqrt(2 * pi)) for x in z[ended]]).sum()
        return at + np.log([(1 - erf(x / sqrt(2))) / 2 for x in z[~ended]]).sum()

    best = likelihood(weights, deviation)
    for i in range(3):
        for step in (-0.03, 0.03):
            moved = weights.copy()
            moved[i] += step
            assert likelihood(moved, deviation) < best
    assert likelihood(weights, 1.1 * deviation) < best
    assert likelihood(weights, 0.9 * deviation) < best


def solver_runs(engine, seconds_of, limit, number=24):
    """Runs of an engine on puzzles of several sizes, with the seconds that a function gives."""
    for seed in range(number):
        size, colors = 4 + seed % 3, 4 + seed % 5
        seconds = seconds_of(size, seed)
        yield record(
            engine=engine,
            rows=size,
            columns=size,
            inner_colors=colors,
            seed=seed,
            outcome="solved" if seconds < limit else "time",
            seconds=min(seconds, limit),
            cpu_seconds=min(seconds, limit),
            limits={"seconds": limit},
            asked={"slips": None},
            # An engine that was ended has no board, and so no score.
            **({} if seconds < limit else {"max_score": None}),
        )


def test_records_become_a_file(tmp_path):
    chance = np.random.default_rng(4)
    noise = 10 ** chance.normal(0, 0.1, 24)
    runs = [
        *solver_runs("cpsat", lambda size, seed: 0.001 * 10 ** (size - 3) * noise[seed], 0.5),
        *solver_runs("sat:one", lambda size, seed: 2.0 * noise[seed], 100.0),
        # Too few runs, and too few that ended.
        *solver_runs("maxsat", lambda size, seed: 1.0, 100.0, FEWEST - 1),
        *solver_runs("sat:two", lambda size, seed: 1.0, 0.5),
    ]
    times = fit_times(runs, "synthetic", tmp_path)
    (tmp_path / "times.json").write_text(json.dumps(asdict(times)))
    assert times == load_times(tmp_path / "times.json")
    assert (times.processor, times.runs) == ("A processor", 3 * 24 + FEWEST - 1)
    assert [(fit.engine, fit.goal) for fit in times.fits] == [("cpsat", "count"), ("sat:one", "count")]
    cpsat, sat = times.fits
    assert (sat.runs, sat.ended, cpsat.runs, cpsat.ended) == (
        24,
        24,
        24,
        sum(run["outcome"] == "solved" for run in runs[:24]),
    )
    assert sat.weights[0] == pytest.approx(log10(2), abs=0.1)
    assert cpsat.longest == 0.5
    # Tenfold with each size, though the largest ones were ended.
    middles = []
    for size in (4, 5, 6):
        puzzle = make_puzzle(next(run["source"] for run in runs[:24] if run["source"]["rows"] == size), tmp_path)
        nodes = {"nodes": cpsat.center[0], "effort": cpsat.center[2]}
        given = (*cpsat.center[:3], *square_features(puzzle, nodes)[3:5], *cpsat.center[5:])
        middles.append(cpsat.seconds(given).median)
    assert middles[0] < middles[1] < middles[2]


def test_scores_are_fitted_to_races(tmp_path):
    """A law that made the scores is found again."""
    runs, fewest = [], []
    for seed in range(RACES + 4):
        size, limit = 6 + seed % 4, 10.0 ** (seed % 3)
        run = record(
            engine="beam", goal="best", outcome="time", rows=size, columns=size, inner_colors=4 + seed % 5, seed=seed,
            clues=seed % 2, limits={"seconds": limit},
        )  # fmt: skip
        one, nodes, solutions, time = score_features(Complexity(make_puzzle(run["source"], tmp_path)), limit)
        fewest.append(solutions)
        invalid = 30 * one + 0.5 * nodes - 0.25 * solutions - 1.5 * time
        runs.append({**run, "max_score": 100, "best_score": 100 - invalid})
    (fit,) = fit_times(runs, "synthetic", tmp_path).scores
    assert (fit.engine, fit.runs) == ("beam", RACES + 4)
    assert fit.weights == pytest.approx((30, 0.5, -0.25, -1.5), abs=1e-3)
    assert fit.fewest_solutions == floor(min(fewest))
    assert fit.deviation == pytest.approx(0, abs=1e-3)
    assert fit_times(runs[: RACES - 1], "synthetic", tmp_path).scores == ()
    # A run that had to be killed has no score.
    assert fit_times([*runs, {**runs[0], "best_score": None, "max_score": None}], "x", tmp_path).scores == (fit,)


def test_the_program_writes_what_plans_read(tmp_path, monkeypatch):
    """An experiment of which nothing was run has nothing to fit, and leaves the file as it is."""
    file = tmp_path / "times.json"
    monkeypatch.setattr("sys.argv", ["fit_times.py", "smoke", str(tmp_path), str(file)])
    with pytest.raises(SystemExit):
        main()
    assert not file.exists()
    times = fit_times([], "nothing", tmp_path)
    assert (times.nodes_deviation, times.clustering) == (load_times().nodes_deviation, load_times().clustering)
