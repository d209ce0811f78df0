"""Which orders the trials of a race follow: the same whatever the order in which results arrive, mostly the best."""

from collections import Counter
from random import Random
from types import SimpleNamespace

from jigsat.csp.search.best_score_race import Trial
from jigsat.csp.work.pools import Finished
from jigsat.csp.work.run import ALL, Portion
from jigsat.estimators.races.run_race import RaceWork

WAYS = tuple("abcdefgh")


class Race:
    """A race whose trials are made here, with a book in memory."""

    def __init__(self, ways=WAYS, portion=ALL):
        self.trials = {}
        record = lambda trial: self.trials.update({trial.number: trial})  # noqa: E731
        book = SimpleNamespace(trials=self.trials, best=None, exhausted=set(), wanted=None, record=record)
        self.work = RaceWork(book, ways, 1000, None, portion)

    def record(self, number, way, score, exhaustive=False):
        trial = Trial(number, way, score, 1, exhaustive)
        self.work.enter(Finished((number, None, 0), trial))

    def next(self):
        """The number and the way of the next trial; None if it has to wait."""
        assert self.work.ended_by is None
        part = self.work.next_part(1)
        return part and (part[0], WAYS[part[2]])


def score_of(number, way, better="f", seed=1):
    return 100 + Random(f"{seed} {number}").choice((-1, 0, 0, 1)) + (way == better)


def run(workers, trials, seed=None, scores=score_of, portion=ALL):
    """Trials of which some run at once; their ways, and how often a worker had to wait.

    They finish in any order, or without a seed one after the other.
    """
    random, race, running, chosen, waits = Random(seed), Race(portion=portion), {}, [], 0
    while len(race.trials) < trials:
        while len(running) < workers and len(chosen) < trials:
            part = race.next()
            if part is None:
                waits += 1
                break
            running.update([part])
            chosen.append(part[1])
        number = min(running) if seed is None else random.choice(sorted(running))
        way = running.pop(number)
        race.record(number, way, scores(number, way))
    return chosen, waits


def test_the_number_of_workers_changes_nothing():
    for portion in (ALL, Portion(3, 16)):
        expected, waits = run(1, 400, portion=portion)
        assert waits == 0
        for workers in (2, 7, 16, 40):
            assert run(workers, 400, seed=workers, portion=portion)[0] == expected


def test_an_interrupted_race_goes_on_in_the_same_way():
    expected, _ = run(1, 300)
    race, lost = Race(), (141, 148)  # they ran when the race was killed
    for number, way in enumerate(expected[:150]):
        if number not in lost:
            race.record(number, way, score_of(number, way))
    assert [race.next() for _ in range(3)] == [(number, expected[number]) for number in (*lost, 150)]


def test_the_best_way_is_followed_most():
    """One without full boards is the worst."""
    numbers = Counter(run(1, 600)[0])
    assert numbers["f"] > 300
    assert min(numbers[way] for way in WAYS) >= 4
    numbers = Counter(run(1, 300, scores=lambda number, way: None if way == "a" else 100)[0])
    assert numbers["a"] < min(numbers[way] for way in WAYS[1:])


def test_a_way_that_leaves_nothing_out_is_not_followed_again():
    race, chosen = Race(), []
    for _ in range(200):
        number, way = race.next()
        chosen.append(way)
        race.record(number, way, 100 + (way == "c"), exhaustive=way == "c")
    assert "c" not in chosen[32:]
