"""Runs commands, in the process of the test or in one of their own."""

import json
import os
import signal
import subprocess
import sys
import threading

from jigsat.cli.main import main

COMMAND = [sys.executable, "-m", "jigsat.cli.main"]

# Runs commands one after the other; says when the function is called that Ctrl-C is to be pressed at, and how each
# command has ended.  Its exit status is that of the last one.
_IN_TURN = """
import contextlib, importlib, io, itertools, json, operator, sys
from jigsat.cli.main import main

def watch(module, path, call):
    *outer, name = path.split(".")
    owner = operator.attrgetter(".".join(outer))(module) if outer else module
    watched, calls = getattr(owner, name), itertools.count(1)
    def counted(*arguments, **options):
        if next(calls) == call:
            print(json.dumps("there"), file=sys.__stdout__, flush=True)
        return watched(*arguments, **options)
    setattr(owner, name, counted)
    return owner, name, watched

for line in sys.stdin:
    module, path, call, arguments = json.loads(line)
    before = watch(importlib.import_module(module), path, call)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    setattr(*before)
    print(json.dumps([status, out.getvalue(), err.getvalue()]), flush=True)
sys.exit(status)
"""


def run(capsys, *arguments):
    """Status, standard output, standard error."""
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def interrupted(whom, moment, *arguments):
    """Standard output and standard error of a command that Ctrl-C has ended at that moment."""
    (outcome,) = interrupted_in_turn((whom, moment, *arguments))
    return outcome


def interrupted_in_turn(*commands):
    """The same of several commands that share a process, which takes a second to start.

    A moment is a function of jigsat, as in ``jigsat.cli.progress:Patience.tell``, and which call of it, as in
    ``...:2``; without a number the first.  In a terminal Ctrl-C reaches the whole group (`whom` is "group"):
    processes of its own, too.  None of them may be left, and the status must be 130.
    """
    with subprocess.Popen(
        [sys.executable, "-c", _IN_TURN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        end = threading.Timer(300, os.killpg, (process.pid, signal.SIGKILL))
        end.start()
        try:
            outcomes = [_pressed(process, *command) for command in commands]
            _, err = process.communicate()
        finally:
            end.cancel()
            process.kill()
    assert (process.returncode, err) == (130, "")
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return outcomes
    raise AssertionError("a process is left")


def _pressed(process, whom, moment, *arguments):
    module, path, *call = moment.split(":")
    print(json.dumps([module, path, int(*call) if call else 1, arguments]), file=process.stdin, flush=True)
    assert _said(process) == "there"
    os.killpg(process.pid, signal.SIGINT) if whom == "group" else process.send_signal(signal.SIGINT)
    status, out, err = _said(process)
    assert status == 130, err
    assert "Traceback" not in err
    return out, err


def _said(process):
    """What the process says next; if it ends or hangs instead, its standard error is shown."""
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return json.loads(line)
