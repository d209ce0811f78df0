"""One clock, one set of stop rules: limits and Ctrl-C hold inside work that does not ask."""

import gc
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from jigsat.csp.base.stop import (
    COMPILING,
    Stop,
    StoppedError,
    aside,
    enforced,
    stoppable,
    working_cpu_time,
    working_time,
)


def busy(seconds):
    """Work that does not ask whether it must stop."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        sum(range(1000))


def test_a_limit_ends_work_that_does_not_ask():
    # Some solvers of PySAT leave an alarm behind in the process in which they ran.
    signal.setitimer(signal.ITIMER_REAL, 0)
    stop, started = Stop(0.2), time.perf_counter()
    with pytest.raises(StoppedError), enforced(stop):
        busy(60)
    assert stop.ended_by == "time"
    assert 0.2 <= time.perf_counter() - started < 30
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_limit_leaves_some_processor_time():
    began = time.process_time()
    with pytest.raises(StoppedError), enforced(Stop(1e-6), least=0.2):
        busy(60)
    assert time.process_time() - began >= 0.2
    began = time.process_time()
    with pytest.raises(StoppedError), enforced(Stop(0), least=60.0):
        busy(120)
    assert time.process_time() - began < 60


def test_an_error_that_a_library_made_of_it_is_still_the_end():
    """As numpy, which raises TypeError if a comparison was ended."""

    def compare():
        try:
            busy(60)
        except StoppedError:
            raise TypeError("cannot compare") from None

    with pytest.raises(StoppedError), enforced(Stop(0.0)):
        compare()


def test_ctrl_c_ends_it_too_and_is_noted_once():
    before = signal.getsignal(signal.SIGINT)
    with stoppable() as stop:
        threading.Timer(0.1, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(StoppedError), enforced(stop):
            busy(60)
        assert stop.ended_by == "interrupt"
    assert signal.getsignal(signal.SIGINT) is before


def test_work_within_the_limit_is_left_alone_and_an_outer_timer_goes_on():
    outer = Stop(60)
    with enforced(outer):
        with enforced(Stop(30)):
            busy(0.2)
        assert signal.getitimer(signal.ITIMER_REAL)[1] > 0
    assert outer.ended_by is None


def test_a_thread_is_started_to_the_end(monkeypatch):
    """Stopped in the middle of its start, it would run on, and nothing would wait for it."""
    started = []

    class Late(threading.Thread):
        def start(self):
            busy(0.4)
            super().start()
            started.append(self)

    monkeypatch.setattr(threading, "Thread", Late)
    stop = Stop(0.1)
    with pytest.raises(StoppedError), enforced(stop):
        aside(busy, 0.5)
    assert [thread.is_alive() for thread in started] == [False]


@pytest.fixture
def slow_callback():
    """Is called before and after garbage is collected; counts how often it came to its end."""
    ends = []

    def callback(phase, info):
        busy(0.2)
        ends.append(phase)

    gc.callbacks.append(callback)
    yield ends
    gc.callbacks.remove(callback)


def test_work_is_not_ended_while_garbage_is_collected(slow_callback):
    """What is raised there is lost."""

    def work():
        gc.collect()
        busy(60)

    with pytest.raises(StoppedError), enforced(Stop(0.1)):
        work()
    assert slow_callback[:2] == ["start", "stop"]


def in_a_thread(work):
    """What a thread of its own returns or raises."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(work).result()


def test_in_another_thread_a_limit_ends_work_that_does_not_ask():
    stop = Stop(0.1)

    def work():
        with pytest.raises(StoppedError), enforced(stop):
            busy(60)
        # What comes after is left alone.
        busy(0.2)
        return stop.ended_by

    assert in_a_thread(work) == "time"
    assert not [thread for thread in threading.enumerate() if thread.name == "watcher"]


def test_in_another_thread_nothing_is_ended_when_its_work_is_over():
    """Wherever the end falls, the error comes within or not at all."""

    def work():
        for number in range(30):
            with suppress(StoppedError), enforced(Stop(0.0)):
                # The watcher asks after 0.05 seconds.
                busy(0.045 + number / 3000)
            for _ in range(1000):
                sum(range(20))
        return "no error"

    assert in_a_thread(work) == "no error"


def test_notes_are_reported_while_they_hold():
    told = []
    stop = Stop(60, report=told.append)
    with enforced(stop, "building"):
        busy(0.5)
    assert {progress.note for progress in told} == {"building"}
    assert len(told) > 1
    number = len(told)
    time.sleep(0.15)
    stop()
    assert len(told) == number


def test_clocks_that_stand_while_kernels_are_compiled(monkeypatch):
    """Of time and of processor time, kernels within kernels included; each watcher is called each time."""
    now, watched = [100.0], []
    for name, quicker in (("perf_counter", 1), ("thread_time", 2), ("process_time", 3)):
        monkeypatch.setattr(f"jigsat.csp.base.stop.time.{name}", lambda quicker=quicker: quicker * now[0])
    began, began_cpu = working_time(), working_cpu_time()
    with COMPILING.watched(lambda: watched.append(COMPILING.runs)):
        COMPILING.start()
        COMPILING.start()
        now[0] += 7
        assert working_time() == pytest.approx(began)
        COMPILING.end()
        COMPILING.end()
    now[0] += 2
    assert working_time() - began == pytest.approx(2)
    assert working_cpu_time() - began_cpu == pytest.approx(3 * 9 - 2 * 7)
    assert watched == [True, True, True, False]


def test_compiling_does_not_count(monkeypatch):
    """Neither as time nor as a moment to end the work."""
    stop = Stop(0.1)
    with enforced(stop):
        COMPILING.start()
        busy(0.4)
        COMPILING.end()
    assert stop.seconds_left > 0


TRACED = """
import sys, threading, time
from jigsat.csp.base.stop import enforced
from jigsat.csp.base.stop import Stop, StoppedError

def work(seconds):
    try:
        with enforced(Stop(seconds)):
            while seconds < 1:
                pass
    except StoppedError:
        pass

for seconds in (60, 0.02):
    thread = threading.Thread(target=work, args=(seconds,))
    thread.start()
    thread.join()

def traced():
    print("ended")

sys.settrace(lambda *_: None)
traced()
"""


def test_a_tracer_does_not_hang_afterwards():
    """Debuggers and hypothesis trace; Python 3.11 hangs at a call that is traced if an error was taken back."""
    told = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=60, check=True)
    assert told.stdout == "ended\n"
