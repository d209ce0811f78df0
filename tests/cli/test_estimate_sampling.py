"""`jigsat estimate --sample-solutions`."""

import json
import re
import signal
import threading
from contextlib import nullcontext
from itertools import count as count_up

import pytest

from command_line import interrupted, run
from jigsat.estimators.effort import probes as probing
from jigsat.estimators.effort.solution_samples import POPULATIONS, Sampler

QUICK = "--rate", "1e8", "--quiet"


@pytest.fixture
def clock(monkeypatch):
    """A clock that allows a width of 1000, however busy the machine is; the times that were asked for."""
    asked = []

    def sample_for(self, seconds, seed, stop):
        asked.append(seconds)
        return self.sample(1000, POPULATIONS, seed, stop)

    monkeypatch.setattr(Sampler, "sample_for", sample_for)
    return asked


def test_beside_what_the_model_expects(capsys, clock):
    status, out, err = run(capsys, "estimate", "clue1", "--sample-solutions", "0.5", "--seed", "3", "-v", *QUICK)
    assert (status, err) == (0, "")
    assert re.search(r"solutions +2\.6288101482469299890e\+11 expected\n", out)
    number = r"(\d\.\d+e\+11)"
    text = rf"  sampled +{number} solutions, between {number} and {number} with 95 % confidence\n +standard error \d"
    estimate, low, high = map(float, re.search(text, out).groups())
    # The estimate is rounded to fewer digits than the ends.
    assert low < high
    assert low / 1.05 < estimate < high * 1.05
    # Five times the error, which is 3 %.
    assert 0.85 < estimate / 115_071_633_408 < 1.15
    assert clock == [0.5]


def test_ctrl_c_keeps_what_was_found():
    """Fifty populations or more were asked for, and some before that to see how wide they may be; a few are shown."""
    command = "estimate", "clue1", "--sample-solutions", "0.5", "--order", "rowscan", "--json", *QUICK
    out, _ = interrupted("process", "jigsat.estimators.effort.solution_samples:Sampler._population:40", *command)
    sampled = json.loads(out)["sampled"]
    assert sampled["interrupted"]
    assert sampled["populations"] > 0
    assert float(sampled["estimate"]) > 0


@pytest.fixture
def pressed_at(monkeypatch):
    """A function that has Ctrl-C pressed at the start of that probe."""
    once = probing._probe_once

    def press_at(probe):
        calls = count_up(1)

        def counted(*given):
            if next(calls) == probe:
                signal.raise_signal(signal.SIGINT)
            return once(*given)

        monkeypatch.setattr(probing, "_probe_once", counted)

    return press_at


def test_ctrl_c_keeps_the_probes_so_far(pressed_at, capsys):
    pressed_at(11)
    status, out, _ = run(capsys, "estimate", "clue1", "--probes", "1e4", "--actual", "--json", *QUICK)
    record = json.loads(out)
    assert (status, record["probes"]["number"], record["probes"]["interrupted"]) == (130, 10, True)
    assert "actual" not in record
    assert record["ways"] == []


def test_ctrl_c_before_there_are_two_probes_is_said(pressed_at, capsys):
    pressed_at(2)
    status, out, _ = run(capsys, "estimate", "clue1", "--probes", "1e4", "--order", "rowscan", *QUICK)
    assert status == 130
    assert "interrupted before the second probe" in out
    pressed_at(2)
    assert run(capsys, "estimate", "ostomachion", "--probes", "64") == (130, "", "jigsat: interrupted\n")


def test_ctrl_c_before_the_first_population_is_said(monkeypatch, capsys):
    """No population is not the same as populations that all died out."""
    pressed = threading.Event()
    pressed.set()
    monkeypatch.setattr("jigsat.csp.base.stop.interrupts_noted", lambda: nullcontext(pressed))
    status, out, _ = run(capsys, "estimate", "clue1", "--sample-solutions", "600", *QUICK)
    assert status == 130
    assert "  sampled          interrupted before the first result\n" in out
    assert "no solution" not in out
    assert "populations" not in out
