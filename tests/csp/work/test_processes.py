"""Processes that call functions: they are stopped at any time, and stay in order."""

import os
import time
from contextlib import suppress

import pytest

import jigsat as js
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.work.processes import Call, Helper, StoppedCallError


@pytest.fixture
def helper(tmp_path):
    found = Helper(tmp_path)
    yield found
    found.close(10)


def test_a_call_that_is_stopped_before_it_begins_does_not_begin(helper):
    """Also if the process is still starting, and the next call is done."""
    began = time.monotonic()
    with pytest.raises(StoppedCallError):
        helper.call(Call(time.sleep, (30,)), stopped=lambda: time.monotonic() > began + 0.01)
    assert helper.call(Call(abs, (-3,))) == 3
    assert time.monotonic() < began + 20


def test_stops_at_any_time_leave_the_process_in_order(helper):
    """A stop may arrive before, in and after a call, and while its answer is sent."""
    for number in range(150):
        ends = time.monotonic() + number % 10 / 1000
        with suppress(StoppedCallError):
            assert helper.call(Call(pow, (7, 20000)), stopped=lambda ends=ends: time.monotonic() > ends) == 7**20000
    assert helper.call(Call(abs, (-3,))) == 3


def test_what_cannot_be_sent_is_an_error(helper):
    with pytest.raises(JigsatError, match="fault of jigsat"):
        helper.call(Call(eval, ("lambda: 0",)))
    with pytest.raises(JigsatError, match="memory"):
        helper.call(Call(eval, ("[0] * 2**60",)))
    assert helper.call(Call(abs, (-3,))) == 3


def test_a_large_result_is_told_in_brief(helper):
    words, record = helper.call(Call(js.solve, ("clue3",), {"limit": 2_000}, brief=True))
    assert "2 000" in words.replace("\u202f", " ")
    assert len(record["solutions"]) == 1
    puzzle = js.make_dissection("AAB/AAB/CCD", no_flip=True)
    drawn = helper.call(Call(js.draw, (puzzle,), {"all": True}, brief=True))
    assert drawn[0] == f"{len(js.solve(puzzle, all=True).solutions)} tilings"


def test_a_call_is_stopped_without_posix(helper):
    helper.call(Call(eval, ("__import__('signal').__dict__.pop('pthread_kill', None) and None",)))
    began = time.monotonic()
    with pytest.raises(StoppedCallError):
        helper.call(Call(eval, ("sum(1 for _ in range(10**12))",)), stopped=lambda: time.monotonic() > began + 0.2)
    assert helper.call(Call(abs, (-3,))) == 3


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_ctrl_c_in_the_terminal_is_for_the_server(helper):
    helper.start()
    assert helper.call(Call(os.getsid, (0,))) != os.getsid(0)
