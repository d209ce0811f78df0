"""What a report reads from records."""

from math import isclose, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.words import significant
from jigsat.estimators.experiments.outcomes import distinct, log10_of
from records import killed, outcomes, record


@given(st.fractions(min_value=0).filter(bool), st.integers(-400, 400))
def test_logarithms_of_what_records_say(value, exponent):
    """Numbers beyond any float, great and small."""
    text = significant(value * 10**exponent if exponent >= 0 else value / 10**-exponent)
    expected = log10(value.numerator) - log10(value.denominator) + exponent
    assert isclose(log10_of(text), expected, abs_tol=1e-9)


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


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"options": {"device": "cuda:0 NVIDIA H200"}}, "backtrack, device cuda:0 NVIDIA H200"),
        ({"asked": {"method": "frames"}}, "backtrack, method frames"),
        ({"asked": {"tries": 5}, "options": {"tries": 5}}, "backtrack, tries 5"),
    ],
)
def test_runs_with_a_rare_option_have_a_label_of_their_own(changes, label):
    """Runs without one have no option of that name."""
    assert [run.label for run in outcomes(record(), record(**changes))] == ["backtrack", label]


def test_a_killed_run_is_measured_by_the_factor_that_others_found():
    """Without it the prediction would differ between runs of one puzzle, and only for those that were killed."""
    done, ended, alone = outcomes(record(symmetry_factor=32), killed(engine="cpsat"), killed(seed=2))
    assert (done.orbit, ended.orbit, alone.orbit) == (32, 32, 4)


@pytest.mark.parametrize(
    ("parts", "solutions"),
    [
        ({"random": True}, 100),
        ({}, 100 + 4),
        ({"clues": 2}, 100 + 1),
        ({"facts": {"rows": 6, "columns": 6, "planted": 2}}, 100 + 8),
    ],
    ids=["random", "planted", "clues", "two"],
)
def test_a_planted_puzzle_has_its_solutions_in_all_arrangements(parts, solutions):
    (run,) = outcomes(record(predicted_solutions=100, **parts))
    assert run.log_predicted("solutions") == pytest.approx(log10(solutions))


def test_repetitions_count_once_and_the_solved_one_is_taken():
    runs = outcomes(record(outcome="time"), record(repetition=2), record(repetition=3), record(seed=2, outcome="time"))
    assert distinct(runs) == [runs[1], runs[3]]


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
