"""Sampled numbers of solutions against true ones: exact where there is room, else unbiased, honest about errors."""

from dataclasses import replace
from fractions import Fraction
from itertools import count as count_up
from math import exp, inf, log
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jigsat import count, read
from jigsat.csp.base.stop import Stop
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.estimators.effort import solution_samples
from jigsat.estimators.effort.populations import _chosen, _least_kept
from jigsat.estimators.effort.solution_samples import POPULATIONS, Sample, Sampler, confidence
from property_tests import examples
from strategies import puzzles


def means(puzzle, width, number, seed=0):
    found = np.exp(np.array(Sampler(puzzle).sample(width, number, seed).populations))
    return found.mean(), found.std(ddof=1) / len(found) ** 0.5


@examples(40)
@given(puzzles(), st.sampled_from(["rowscan", "spiral_in", "zig_zag"]))
def test_where_there_is_room_for_every_board_the_number_is_exact(puzzle, order):
    """Both rules, fixed, identical, symmetric and spare pieces: a wrong list, weight or exclusion shows here."""
    true = count(puzzle, order=order, node_limit=20_000)
    assume(true.complete)
    found = Sampler(puzzle, order).sample(200_000, 3)
    assert found.exact == true.count
    assert found.interval == (true.count, true.count)
    assert found.error == 0
    assert len(found.populations) == 1
    assert exp(found.populations[0]) == pytest.approx(true.count, rel=1e-9)


# Four pieces of the inside may be put in for the one that is needed, so that orbits are of different sizes.
SPARE = deal_edge_matching(4, 4, 2, 2, seed=5).puzzle
SPARE = replace(SPARE, pieces=(*SPARE.pieces, *[sides for sides in SPARE.pieces if 0 not in sides], (3, 3, 3, 3)))


@pytest.mark.some_cases(3)
@pytest.mark.parametrize("width", [3, 12])
@pytest.mark.parametrize(
    "puzzle",
    [
        pytest.param(deal_edge_matching(4, 4, 2, 3, seed=1).puzzle, id="square"),
        pytest.param(deal_edge_matching(3, 5, 2, 2, seed=2).puzzle, id="rectangle"),
        pytest.param(deal_edge_matching(4, 4, 2, 3, clues=2, seed=4).puzzle, id="fixed pieces"),
        pytest.param(SPARE, id="spare pieces"),
    ],
)
def test_populations_are_unbiased(puzzle, width):
    """Far more boards than room: a wrong chance of being chosen, or weight, would shift the mean by many errors."""
    true = count(puzzle)
    assert true.complete
    mean, error = means(puzzle, width, 300)
    assert 0 < error < true.count / 3
    assert abs(mean - true.count) < 4.5 * error


def test_clue1_has_the_known_number_of_solutions():
    """115 071 633 408 of them, by exhaustive searches; a seed fixed beforehand, and an error of a few percent."""
    found = Sampler(read("clue1"), "spiral_in").sample(2000, 40, seed=1)
    low, high = found.interval
    assert low < 115_071_633_408 < high
    assert found.error < 0.04


def test_populations_that_all_die_out_say_nothing():
    """A zero of all populations is no zero: neither an estimate nor an interval nor an error."""
    found = Sampler(read("puzzle-c")).sample(2, number=12)
    assert found.died_out == len(found.populations) == 12
    assert (found.exact, found.estimate, found.error, found.interval) == (None, None, None, None)


def test_an_estimate_that_rests_on_few_populations_has_no_interval():
    """Two that survived among sixty: the size of the next one is unknown."""
    found = Sample((log(1000), log(2000), *[-inf] * 58), None, 1)
    assert float(found.estimate) == pytest.approx(50)
    assert found.interval is None
    assert confidence(np.ones(9)) is None
    assert confidence(np.ones(10)) is not None


def test_numbers_beyond_any_float():
    found = Sample(tuple(2000 + log(part) for part in (0.9, 1, 1.1)) * 10, None, 1)
    assert isinstance(found.estimate, Fraction)
    assert float(found.estimate / Fraction(10) ** 868) == pytest.approx(exp(2000 - 868 * log(10)), rel=1e-9)
    low, high = found.interval
    assert low < found.estimate < high < 2 * low


def test_the_interval_of_skewed_estimates_is_honest():
    """Log-normal estimates, as populations make them: the truth in 92 to 98 of 100 intervals, missed on both sides."""
    chance = np.random.default_rng(7)
    misses = [0, 0]
    trials = 2000
    for _ in range(trials):
        low, high = confidence(np.exp(chance.normal(-0.125, 0.5, 50)))
        misses[0] += low > 1
        misses[1] += high < 1
    assert 0.02 * trials < sum(misses) < 0.08 * trials
    assert min(misses) > 0.2 * sum(misses)


@pytest.mark.parametrize("keep", [1, 7, 60, 199])
def test_values_are_chosen_with_the_right_chances(keep):
    """Large values surely, the others in proportion to their size, never one twice, as many as there is room for."""
    values = np.random.default_rng(0).pareto(1.0, 200) + 0.01
    least = _least_kept(values, keep)
    chances = np.minimum(1, values / least)
    assert chances.sum() == pytest.approx(keep)
    times = np.zeros(len(values))
    turns = 4000
    for turn in range(turns):
        chosen = _chosen(values, least, (turn + 0.5) / turns)
        assert abs(len(chosen) - keep) <= 1
        assert len(set(chosen.tolist())) == len(chosen)
        times[chosen] += 1
    # Starts at even distances meet each value as often as its chance says, up to one or two.
    assert np.abs(times / turns - chances).max() < 3 / turns
    assert (times[chances == 1] == turns).all()


def test_it_stops_when_asked_to_and_keeps_what_it_has():
    puzzle = deal_edge_matching(5, 5, 2, 3, seed=0).puzzle
    done = []
    stop = Stop(None, lambda: len(done) == 3, report=lambda progress: done.append(progress.note))
    found = Sampler(puzzle).sample(width=50, stop=stop)
    assert done == [f"{number} of {POPULATIONS} populations" for number in (1, 2, 3)]
    assert len(found.populations) == 3
    assert found.estimate > 0
    assert found.interval is None
    assert Sampler(puzzle).sample(width=50, stop=Stop(None, lambda: True)).populations == ()


def test_a_time_is_kept_by_the_width(monkeypatch):
    """More seconds, wider populations; what the clock chose can be made again."""
    sampler = Sampler(deal_edge_matching(6, 6, 2, 3, seed=0).puzzle)
    # On this clock, a trial takes four times as long as the one before, whatever the load of the machine.
    clock = SimpleNamespace(perf_counter=(1e-3 * 2**n for n in count_up()).__next__)
    monkeypatch.setattr(solution_samples, "time", clock)
    little, more = (sampler.sample_for(seconds, seed=3) for seconds in (0, 0.3))
    assert len(little.populations) == POPULATIONS <= len(more.populations)
    assert little.width < more.width
    assert sampler.sample(little.width, POPULATIONS, 3).populations == little.populations
    assert sampler.sample_for(5, stop=Stop(None, lambda: True)).populations == ()
