"""What a report reads from records."""

from math import inf, isclose, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.estimators.experiments.analysis.outcomes import distinct, log10_of, log_effort, outcomes_of, power_of_ten
from jigsat.estimators.owen.rounding import significant
from records import killed, outcomes, record


@given(st.fractions(min_value=0).filter(bool), st.integers(-400, 400))
def test_logarithms_of_what_records_say(value, exponent):
    """Numbers beyond any float, great and small."""
    text = significant(value * 10**exponent if exponent >= 0 else value / 10**-exponent)
    expected = log10(value.numerator) - log10(value.denominator) + exponent
    assert isclose(log10_of(text), expected, abs_tol=1e-9)


def test_logarithms_of_nothing_and_powers_of_too_much():
    assert log10_of(significant(0)) == -inf
    assert log10_of("1.5E2") == log10_of("150") == log10(150)
    assert power_of_ten(2) == 100
    assert power_of_ten(400) == inf
    assert power_of_ten(-inf) == 0


def test_labels_name_the_options_in_which_an_engine_differs():
    """An option that all runs of an engine share is not in their labels, whatever other engines have."""
    runs = outcomes(
        record(), record(options={"slips": "12x4"}), record(options={"order": "zig_zag", "symmetry": False}),
        record(threads=2), record(engine="cpsat"), record(engine="sat:cadical195", options={"encoding": "pairs"}),
        record(engine="sat:cadical195", options={"encoding": "bits"}),
    )  # fmt: skip
    assert [run.label for run in runs] == [
        "backtrack, rowscan", "backtrack, rowscan, slips 12x4", "backtrack, zig_zag, no symmetry",
        "backtrack, rowscan, 2 threads", "cpsat", "sat:cadical195, pairs", "sat:cadical195, bits",
    ]  # fmt: skip


def test_runs_on_a_gpu_have_a_label_of_their_own():
    """Runs without one have no option of that name."""
    here, there = outcomes(record(), record(options={"device": "cuda:0 NVIDIA H200"}))
    assert (here.label, there.label) == ("backtrack", "backtrack, device cuda:0 NVIDIA H200")


def test_an_option_that_a_run_does_not_have_is_no_difference():
    """A tiling search has motions and no order, and both are runs of one engine."""
    tiling = record(facts={"pieces": 5}, options=None) | {"options": {"motions": "any", "symmetry": True}}
    squares, tiles = outcomes(record(), tiling)
    assert squares.label == tiles.label == "backtrack"
    assert (tiles.rows, tiles.inner_colors, tiles.order, tiles.slips) == (None, None, None, "")


def test_seconds_of_a_killed_run_are_those_of_its_process():
    done, ended = outcomes(record(seconds=3.0), killed())
    assert (done.seconds, ended.seconds) == (3.0, 10.5)


def test_measures():
    """An engine that places no pieces says 0 nodes, which is no measure of it."""
    native, solver, ended = outcomes(record(), record(engine="cpsat", nodes=0, statistics={"branches": 7}), killed())
    assert [native.measure(name) for name in ("nodes", "branches", "seconds")] == [4321, None, 1.5]
    assert [solver.measure(name) for name in ("nodes", "branches", "seconds")] == [None, 7, 1.5]
    assert [ended.measure(name) for name in ("nodes", "branches", "seconds")] == [None, None, 10.5]


@pytest.mark.parametrize(
    ("parts", "solutions"),
    [
        ({"random": True}, 100 / 4),
        ({}, 100 / 4 + 1),
        ({"clues": 2}, 100 + 1),
        ({"options": {"symmetry": False}}, 100 + 4),
        ({"source": {"instance": "puzzle-a"}}, 100 / 4),
        ({"source": {"family": "jigsaw"}}, 100 / 4 + 1),
        ({"source": {"family": "jigsaw", "solutions": 2}}, 100 / 4 + 2),
    ],
    ids=["random", "planted", "clues", "no symmetry", "bundled", "jigsaw", "jigsaw with two"],
)
def test_effort_to_the_first_of_the_solutions(parts, solutions):
    """The tree by the number of solutions that the search can meet, and one."""
    (run,) = outcomes(record(goal="solve", predicted_by_depth=(10**6,), predicted_solutions=100, **parts))
    assert run.log_effort == pytest.approx(6 - log10(solutions + 1))


def test_effort_of_other_goals():
    counted, best, unknown = outcomes(record(), record(goal="best"), record(goal="solve", predicted_by_depth=None))
    assert counted.log_effort == pytest.approx(log10(4321))
    assert best.log_effort is None
    assert unknown.log_effort is unknown.log_expected_solutions is None


def test_effort_beyond_any_float():
    assert log_effort("solve", 900.0, 500.0) == 400.0
    assert log_effort("solve", 900.0, -inf) == 900.0


def test_a_killed_run_is_measured_by_the_factor_that_others_found():
    """Without it the prediction would differ between runs of one puzzle, and only for those that were killed."""
    parts = {"goal": "solve", "predicted_solutions": 1000}
    done, ended, alone = outcomes(
        record(**parts, symmetry_factor=32), killed(**parts, engine="cpsat"), killed(**parts, seed=2)
    )
    assert done.log_effort == ended.log_effort
    assert alone.log_effort == pytest.approx(log10(4321) - log10(1000 / 4 + 2))


def test_a_planted_puzzle_has_its_solution_in_all_arrangements():
    planted, drawn = outcomes(record(predicted_solutions=2), record(predicted_solutions=2, random=True))
    assert planted.log_expected_solutions == pytest.approx(log10(6))
    assert drawn.log_expected_solutions == pytest.approx(log10(2))


def test_repetitions_count_once_and_the_solved_one_is_taken():
    runs = outcomes(record(outcome="time"), record(repetition=2), record(repetition=3), record(seed=2, outcome="time"))
    assert distinct(runs) == [runs[1], runs[3]]


def test_no_records():
    assert outcomes_of([]) == []


def test_labels_leave_out_what_has_no_effect():
    """A solver's order determines only where slips may lie; without slips given, goal best permits them anywhere."""
    orders = [record(engine=engine, seed=seed, options={"order": order}) for engine in ("backtrack", "cpsat")
              for seed, order in enumerate(("rowscan", "spiral_in"))]  # fmt: skip
    assert [run.label for run in outcomes(*orders)] == ["backtrack, rowscan", "backtrack, spiral_in", "cpsat", "cpsat"]
    best = [
        record(goal="best", rows=rows, columns=rows, options={"slips": slips})
        for rows, slips in ((3, "1x4"), (4, "1x12"), (4, "5,7"))
    ]
    assert [run.slips for run in outcomes(*best)] == ["", "", "5,7"]
