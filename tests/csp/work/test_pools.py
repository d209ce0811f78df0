"""Threads that are given parts: each comes back once, whatever goes wrong, none is left; and all work can pause."""

import subprocess
import sys
import threading
import time
from contextlib import suppress

import psutil
import pytest

from jigsat.csp.work.pools import Pauses, Threads, own_pauses, paused_by
from jigsat.csp.work.run import in_order, run

pytestmark = pytest.mark.usefixtures("nothing_is_left")


def until_dropped(part, dropped):
    while not dropped():
        time.sleep(0.001)
    return part


def came_back(pool):
    while pool.running:
        yield from pool.finished(10)


def test_dropped_parts_come_back_and_those_that_have_not_begun_are_lost():
    pool = Threads(until_dropped, 2)
    for part in range(1, 5):
        pool.start(part)
    assert not [*pool.finished(0)]
    pool.drop()
    assert {one.part: one.outcome for one in came_back(pool)} == {1: 1, 2: 2, 3: None, 4: None}


def test_what_is_raised_comes_out_once_and_the_others_come_back():
    pool = Threads(lambda part, dropped: 1 // part, 1)
    for part in (1, 0, 1):
        pool.start(part)
    found = []
    with pytest.raises(ZeroDivisionError):
        found.extend(came_back(pool))
    found.extend(came_back(pool))
    pool.drop()
    assert pool.running == 0


def test_a_fault_at_the_end_of_work_loses_no_other_outcome():
    class TwoParts:
        over = False

        def __init__(self):
            self.left, self.entered = [1, 0], []

        def next_part(self, workers):
            return self.left.pop() if self.left else None

        def enter(self, finished):
            self.entered.append(finished.outcome)

    work = TwoParts()
    pool = Threads(lambda part, dropped: 1 // until_dropped(part, dropped), 2)
    with pytest.raises(ZeroDivisionError):
        run(work, pool, stop=lambda: None if work.left else "time")
    assert work.entered == [1]


def test_threads_end_with_the_context_and_waiting_for_them_can_be_cut_short():
    def leave():
        with Threads(until_dropped, 2) as pool:
            pool.start(1)
            pool.wake()
            assert not [*pool.finished(60)]
            raise ZeroDivisionError

    before = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        leave()
    assert time.monotonic() - before < 30


def test_threads_share_the_pauses_of_their_maker():
    pauses, asked = Pauses(), threading.Event()

    def ask(part, dropped):
        asked.set()
        dropped()
        return own_pauses() is pauses

    with paused_by(pauses):
        pool = Threads(ask, 1)
        pauses.pause()
        pool.start(1)
    assert asked.wait(10)
    assert not [*pool.finished(0.05)]
    pauses.go_on()
    assert [one.outcome for one in came_back(pool)] == [True]
    pool.drop()


def test_a_pool_at_work_does_not_keep_the_interpreter_from_ending():
    program = "import time; from jigsat.csp.work.pools import Threads\n"
    program += "pool = Threads(lambda part, dropped: time.sleep(600), 1); pool.start(1)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize("workers", [1, 3])
def test_in_order_a_few_ahead(workers):
    begun = []

    def slow(part, dropped):
        begun.append(part)
        time.sleep(0.002 * (part[0] % 3))
        return part[0]

    with Threads(slow, workers) as pool:
        found = in_order(([number] for number in range(60)), pool)
        assert next(found) == 0
        time.sleep(0.1)
        assert len(begun) <= 4 * workers
        assert [*found] == [*range(1, 60)]


@pytest.fixture
def children():
    """Two processes that do nothing."""
    both = [psutil.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) for _ in range(2)]
    yield both
    for process in both:
        with suppress(psutil.NoSuchProcess):
            process.kill()
        process.wait()


def is_stopped(process):
    return process.status() == psutil.STATUS_STOPPED


def wait_until(condition):
    """The system takes a moment to deliver a signal."""
    while not condition():
        pass


def test_processes_are_stopped_and_go_on(children):
    pauses, (one, another) = Pauses(), children
    pauses.add(one)
    pauses.pause()
    wait_until(lambda: is_stopped(one))
    assert not is_stopped(another)
    pauses.add(another)
    wait_until(lambda: is_stopped(another))
    pauses.remove(one)
    pauses.go_on()
    wait_until(lambda: not is_stopped(another))
    assert is_stopped(one)
    another.kill()
    another.wait()
    pauses.pause()
    pauses.go_on()
