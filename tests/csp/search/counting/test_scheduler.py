"""Counts handed out to threads: every part once, in tasks that end when they should."""

import re
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import BookError, EngineError
from jigsat.csp.search.counting.ledger import open_ledger
from jigsat.csp.search.counting.methods import Pause
from jigsat.csp.search.counting.scheduler import Pace, Task, count_in, count_together, pause_after
from jigsat.csp.work.pools import Finished
from jigsat.csp.work.run import Portion
from pieceworks import Naps, share_of
from property_tests import examples

QUICK = Pace(first=0.02, least=0.02, most=0.1)
KEY = {"instance": "made up"}


def assert_whole(totals, parts, *, canonical=True):
    """All of the sum, and no part of it twice."""
    whole = share_of(0, parts, canonical=canonical)
    assert totals.complete
    assert totals.ended_by is None
    assert (totals.nodes, totals.count, totals.canonical_count) == (whole.nodes, whole.count, whole.canonical_count)
    assert totals.parts == parts


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_totals_do_not_depend_on_threads(threads):
    totals = count_together(Naps(150, 0.001), threads, pace=QUICK)
    assert_whole(totals, 150)
    assert totals.tasks > threads
    assert (totals.found_parts, totals.found_nodes) == (0, 0)


@pytest.mark.parametrize(("parts", "of"), [(150, 3), (5, 7), (1000, 2)])
def test_portions_are_all_of_it_together(tmp_path, parts, of):
    """Each with a ledger of its own, as the tasks of a SLURM array; joined, they are the whole count."""
    shares = []
    for number in range(1, of + 1):
        with open_ledger(tmp_path / f"{number}.ledger", KEY) as ledger:
            totals = count_together(Naps(parts), 2, ledger=ledger, portion=Portion(number, of), pace=QUICK)
            assert (totals.complete, totals.ended_by) == (False, "part")
            shares += [(share, 1.0) for share in ledger.shares]
    with open_ledger(tmp_path / "all.ledger", KEY) as ledger:
        for share in shares:
            ledger.record(*share)
        assert ledger.remaining(parts) == []
        assert_whole(count_together(Naps(parts, broken=frozenset(range(parts))), 1, ledger=ledger), parts)


def test_what_takes_too_long_is_cut():
    """The first task would be half of all parts; each of these lasts as long as the task was to."""
    slow = dict.fromkeys(range(10), 0.1)
    counted = []
    totals = count_together(Naps(40, 0.0, slow), 1, report=counted.append, pace=Pace(0.1, 0.1, 0.2))
    assert_whole(totals, 40)
    assert totals.tasks >= 4
    assert [standing.done for standing in counted] == sorted(standing.done for standing in counted)
    assert (counted[-1].done, counted[-1].count, counted[-1].nodes) == (1.0, totals.count, sum(totals.nodes))
    assert counted[0].workers == 1


class Machines:
    """A pool with simulated time: each of its workers does `rate` nodes in a simulated second.

    Parameters
    ----------
    piecework, workers, rate
        What is counted, by how many, and how many predicted nodes each of them does in a second.
    chance
        By which a task is lost now and then, and kills its worker; None for never.
    """

    def __init__(self, piecework, workers, rate, chance=None):
        self.workers, self.running, self.dropped = workers, 0, False
        self.tasks = []
        self._piecework, self._rate, self._chance = piecework, rate, chance
        self._busy = []
        self._now = 0.0

    def start(self, task):
        assert not self.dropped
        self.running += 1
        work = self._piecework.work
        last, seconds = task.first, 0.0
        while last < task.last and (last == task.first or seconds < task.seconds):
            seconds += work[last] / self._rate
            last += 1
        self.tasks.append((self._now, seconds, task))
        self._busy.append((self._now + seconds, seconds, task, last))

    def finished(self, seconds):
        if not self._busy:
            return
        self._busy.sort(key=lambda entry: entry[0])
        self._now, spent, task, last = self._busy.pop(0)
        self.running -= 1
        lost = self._chance is not None and self._chance.random() < 0.3
        killed = lost and self._chance.random() < 0.3
        yield Finished(task, None if lost else share_of(task.first, last), spent, 1.0, killed)

    def drop(self):
        self.dropped = True


def shared_out(pool, piecework, ledger=None, report=lambda standing: None):
    return count_in(pool, piecework.work, ledger, lambda: None, report, Pace())


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_tasks_are_as_long_as_they_should_be(workers):
    """A second until the rate is known; then half a minute, and less and less when little is left."""
    piecework = Naps(20_000)
    work = piecework.work
    pool = Machines(piecework, workers, rate=work.sum() / 3000)
    assert_whole(shared_out(pool, piecework), 20_000)
    left = 3000.0
    for number, (_, seconds, task) in enumerate(pool.tasks):
        most = 1 if number < workers else max(1, min(30, left / (2 * workers)))
        # The last part is ended; and the rate is that of the parts, not of the seconds, to a few per cent.
        assert seconds <= 1.1 * most + 0.2, (number, task)
        left -= seconds
    assert max(seconds for _, seconds, _ in pool.tasks) > min(25, 3000 / (2.5 * workers))
    ends = sorted(start + seconds for start, seconds, _ in pool.tasks)[-workers:]
    assert ends[-1] - ends[0] < 2.5


@examples(60)
@given(st.integers(1, 300), st.integers(1, 5), st.floats(1, 1e5), st.integers(0, 2**32))
def test_lost_tasks_are_counted_anew(parts, workers, rate, seed):
    """Whatever is lost, and by whichever worker: every part is counted once."""
    piecework = Naps(parts)
    assert_whole(shared_out(Machines(piecework, workers, rate, Random(seed)), piecework), parts)


class Losing(Machines):
    """Some parts lose a number of tasks, which kill their workers or are lost otherwise."""

    def __init__(self, piecework, workers, parts, times, *, kills):
        super().__init__(piecework, workers, 1e3)
        self.lost = 0
        self._parts, self._times, self._kills = parts, times, kills

    def finished(self, seconds):
        for finished in super().finished(seconds):
            if self.lost < self._times and not self._parts.isdisjoint(range(finished.part.first, finished.part.last)):
                self.lost += 1
                yield Finished(finished.part, None, killed=self._kills)
            else:
                yield finished


@pytest.mark.parametrize("workers", [1, 3])
def test_parts_that_kill_their_workers_are_given_up(workers, tmp_path):
    """They would be tried for ever, whatever they are cut into; what else was counted is kept."""
    piecework = Naps(60)
    pool = Losing(piecework, workers, {9}, 1000, kills=True)
    refusal = r"^parts (\d+) to (\d+) have killed their workers 10 times .*; the workers may lack memory$"
    with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
        with pytest.raises(EngineError, match=refusal) as refused:
            shared_out(pool, piecework, ledger)
        first, last = map(int, re.match(refusal, str(refused.value)).groups())
        assert first <= 9 < last
        assert ledger.remaining(60)[0][0] <= first
        assert bool(ledger.shares) == (workers > 1)
    assert 10 <= pool.lost < 10 + workers


@pytest.mark.parametrize(("times", "kills"), [(9, True), (200, False)])
def test_workers_that_die_now_and_then_do_not_end_a_count(times, kills):
    """Nor does what is lost on the way."""
    piecework = Naps(60)
    pool = Losing(piecework, 2, {9}, times, kills=kills)
    standings = []
    assert_whole(shared_out(pool, piecework, report=standings.append), 60)
    assert pool.lost == standings[-1].lost == times


@pytest.mark.parametrize("work", [[0.0] * 9, [0.0, 1e300] * 50, [1e308] * 9, [5.0] + [0.0] * 99])
def test_predictions_of_all_sizes(work):
    """Parts without any predicted work, and more of it than a float can hold."""
    piecework = Naps(len(work))
    pool = Machines(piecework, 2, 1.0)
    with np.errstate(over="ignore"):
        totals = count_in(pool, np.array(work), None, lambda: None, lambda standing: None, Pace())
    assert_whole(totals, len(work))


@pytest.mark.parametrize("answer", [(0, 5), (1, 2), (0, 0)])
def test_an_answer_of_other_parts_is_refused(answer):
    """A worker that counts what it was not asked for would spoil the sum."""

    class Confused(Machines):
        def finished(self, seconds):
            for finished in super().finished(seconds):
                task = Task(finished.part.first + 1, finished.part.last, 1.0)
                yield Finished(task, share_of(*answer), 1.0)

    with pytest.raises(RuntimeError, match="returned the parts"):
        shared_out(Confused(Naps(1), 1, 1.0), Naps(1))


def test_stopped_and_resumed(tmp_path):
    """What was counted before the stop, down to the part, is recorded; the rest is counted, and nothing else."""
    parts = 60
    with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
        standings = []
        # The tasks would last until all is counted: what there is was counted by tasks that were dropped.
        totals = count_together(
            Naps(parts, 0.03),
            2,
            ledger=ledger,
            stop=lambda: "enough" if len(standings) > 3 else None,
            report=standings.append,
            pace=Pace(60, 60, 60),
        )
        assert (totals.complete, totals.ended_by) == (False, "enough")
        assert 0 < totals.parts < parts
        assert totals.parts == sum(share.last - share.first for share in ledger.shares)
        assert totals.count == sum(share.count for share in ledger.shares)
        counted = {part for share in ledger.shares for part in range(share.first, share.last)}
    with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
        standings = []
        resumed = count_together(
            Naps(parts, broken=frozenset(counted)), 2, ledger=ledger, report=standings.append, pace=QUICK
        )
        assert_whole(resumed, parts)
        assert (resumed.found_parts, resumed.found_nodes) == (len(counted), sum(totals.nodes))
        assert standings[0].found_nodes == sum(totals.nodes) <= standings[0].nodes
        assert standings[0].found == pytest.approx(sum(part + 1 for part in counted) / (parts * (parts + 1) / 2))
    with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
        again = count_together(Naps(parts, broken=frozenset(range(parts))), 2, ledger=ledger)
        assert_whole(again, parts)
        assert (again.tasks, again.found_parts) == (0, parts)


@pytest.mark.usefixtures("no_thread_is_left")
def test_an_exception_of_a_worker_ends_the_count_and_is_raised(tmp_path):
    """What the others have counted is recorded all the same."""
    with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
        with pytest.raises(ArithmeticError, match="part 0 is broken"):
            count_together(Naps(40, 0.02, {0: 0.2}, frozenset({0})), 2, ledger=ledger, pace=Pace(60, 60, 60))
        assert ledger.shares
        assert all(share == share_of(share.first, share.last) for share in ledger.shares)
        assert ledger.remaining(40)[0][0] == 0


def test_a_ledger_that_cannot_be_written_ends_the_count(tmp_path):
    def count():
        with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
            ledger._book._connection.execute(f"PRAGMA max_page_count={(tmp_path / 'a.ledger').stat().st_size // 512}")
            count_together(Naps(40, 0.01), 2, ledger=ledger, pace=QUICK)

    with pytest.raises(BookError, match="full"):
        count()
    with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
        assert ledger.shares == []


@pytest.mark.usefixtures("no_thread_is_left")
def test_ctrl_c_that_nobody_notes_ends_the_threads():
    """As the second Ctrl-C does: it comes out of whatever the calling thread is at."""

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_together(Naps(40, 60.0), 2, stop=interrupt)
    calls = iter([None, None])
    with pytest.raises(KeyboardInterrupt):
        count_together(Naps(40, 60.0), 2, stop=lambda: next(calls, None) or None, report=lambda s: interrupt())


def test_a_task_without_time_counts_one_part():
    """A count that is slow to begin, as when it is compiled first, would else never get anywhere."""
    pause = pause_after(0.0, lambda: False)
    assert [pause(), pause(), pause()] == [Pause.NO, Pause.AFTER_PART, Pause.AFTER_PART]
    assert pause_after(0.0, lambda: True)() is Pause.NOW
    assert pause_after(60.0, lambda: False)() is Pause.NO
    assert_whole(count_together(Naps(20), 2, pace=Pace(0.0, 0.0, 0.0)), 20)
