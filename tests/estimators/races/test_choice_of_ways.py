"""Which orders the trials of a race follow: the same whatever the order in which results arrive, mostly the best."""

from collections import Counter
from random import Random
from types import SimpleNamespace

import pytest

from jigsat.csp.search.trials import Trial
from jigsat.estimators.races.choice_of_ways import ChoiceOfWays

WAYS = tuple("abcdefgh")


def table():
    return SimpleNamespace(trials={}, complete=0)


def record(there, number, way, score, *, exhaustive=False):
    there.trials[number] = SimpleNamespace(trial=Trial(number, way, 1, "0", score, 1, 1.0, 1.0, exhaustive))
    while there.complete in there.trials:
        there.complete += 1


def score_of(number, way, better="f", seed=1):
    return 100 + Random(f"{seed} {number}").choice((-1, 0, 0, 1)) + (way == better)


def run(workers, trials, seed=None, scores=score_of):
    """Trials of which some run at once; their ways, and how often a worker had to wait.

    They finish in any order, or without a seed one after the other.
    """
    random, there, ways, running, chosen, waits = Random(seed), table(), ChoiceOfWays(WAYS), {}, [], 0
    while there.complete < trials:
        while len(running) < workers and len(chosen) < trials:
            way = ways.way_of(len(chosen), there)
            if way is None:
                waits += 1
                break
            running[len(chosen)] = WAYS[way]
            chosen.append(WAYS[way])
        number = min(running) if seed is None else random.choice(sorted(running))
        way = running.pop(number)
        record(there, number, way, scores(number, way))
    return chosen, waits


def test_the_number_of_workers_changes_nothing():
    expected, waits = run(1, 400)
    assert waits == 0
    for workers in (2, 7, 16, 40):
        assert run(workers, 400, seed=workers)[0] == expected


def test_few_workers_need_not_wait_for_one_another():
    assert run(16, 400)[1] == 0
    assert run(40, 400)[1] > 0


def test_an_interrupted_race_goes_on_in_the_same_way():
    expected, _ = run(1, 300)
    there = table()
    lost = {141, 148}  # they ran when the race was killed
    for number, way in enumerate(expected[:150]):
        if number not in lost:
            record(there, number, way, score_of(number, way))
    ways = ChoiceOfWays(WAYS)
    assert [WAYS[ways.way_of(number, there)] for number in (*lost, 150)] == [
        expected[number] for number in (*lost, 150)
    ]


def test_all_ways_are_followed_in_turn_at_first():
    chosen, _ = run(1, 32)
    assert chosen == list(WAYS) * 4


def test_the_best_way_is_followed_most():
    numbers = Counter(run(1, 600)[0])
    assert numbers["f"] > 300
    assert min(numbers[way] for way in WAYS) >= 4


def test_a_way_without_full_boards_is_the_worst():
    numbers = Counter(run(1, 300, scores=lambda number, way: None if way == "a" else 100)[0])
    assert numbers["a"] < min(numbers[way] for way in WAYS[1:])


def test_without_any_full_board_all_ways_go_on():
    numbers = Counter(run(1, 320, scores=lambda number, way: None)[0])
    assert set(numbers.values()) == {40}


def test_a_way_that_leaves_nothing_out_is_not_followed_again():
    there, ways = table(), ChoiceOfWays(WAYS)
    chosen = []
    for number in range(200):
        chosen.append(WAYS[ways.way_of(number, there)])
        record(there, number, chosen[-1], 100 + (chosen[-1] == "c"), exhaustive=chosen[-1] == "c")
    assert "c" not in chosen[32:]


@pytest.mark.parametrize("name", ["of another version", ""])
def test_ways_that_nobody_knows_do_not_count(name):
    there = table()
    for number in range(100):
        record(there, number, name, 100)
    ways = ChoiceOfWays(WAYS)
    assert [ways.way_of(number, there) for number in range(96)] == [number % 8 for number in range(96)]


def test_one_way_needs_no_results():
    assert ChoiceOfWays(("rowscan",)).way_of(49, table()) == 0


def test_a_way_without_results_is_not_preferred():
    """In a race of an earlier version, whose ways had the same name."""
    there = table()
    for number in range(400):
        record(there, number, WAYS[max(number % 8, 1)], score_of(number, WAYS[number % 8]))
    ways = ChoiceOfWays(WAYS)
    numbers = Counter(WAYS[ways.way_of(number, there)] for number in range(400))
    assert numbers["f"] > numbers["a"]
