"""Work that is paused waits: its threads when they ask, its processes at once."""

import sys
import threading
from contextlib import contextmanager, suppress

import psutil
import pytest

from jigsat.csp.work.pools import Pauses, own_pauses, paused_by, takes_turns

pytestmark = pytest.mark.usefixtures("nothing_is_left")


@contextmanager
def child():
    process = psutil.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        yield process
    finally:
        with suppress(psutil.NoSuchProcess):
            process.kill()
        process.wait()


def is_stopped(process):
    return process.status() == psutil.STATUS_STOPPED


def wait_until(condition):
    """The system takes a moment to deliver a signal."""
    while not condition():
        pass


def test_processes_are_stopped_and_go_on():
    pauses = Pauses()
    with child() as one, child() as another:
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


def test_a_process_that_has_ended_is_left_alone():
    pauses = Pauses()
    with child() as process:
        pauses.add(process)
        process.kill()
        process.wait()
        pauses.pause()
        pauses.go_on()


def test_threads_wait_where_they_ask():
    pauses, done = Pauses(), []
    pauses.pause()

    def work():
        with paused_by(pauses):
            assert own_pauses() is pauses
            assert takes_turns()
            own_pauses().wait()
            done.append(pauses.paused)
        assert not takes_turns()

    thread = threading.Thread(target=work)
    thread.start()
    assert done == []
    pauses.go_on()
    thread.join()
    assert done == [False]


def test_where_nobody_makes_pauses_none_come():
    own_pauses().pause()
    own_pauses().wait()
    assert not takes_turns()
