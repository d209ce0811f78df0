"""Runs commands, in the process of the test or in one of their own."""

import os
import signal
import subprocess
import sys
import time

from jigsat.cli.main import main

COMMAND = [sys.executable, "-m", "jigsat.cli.main"]

# Says that everything is loaded, and runs a command.
_READY = """
import sys
import jigsat.csp.make.jigsaw, jigsat.models.exactly
from jigsat.cli.main import main
print("ready", file=sys.stderr, flush=True)
sys.exit(main(sys.argv[1:]))
"""


def run(capsys, *arguments):
    """Status, standard output, standard error."""
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def interrupted(whom, seconds, *arguments):
    """Standard output and standard error of a command that Ctrl-C has ended after so many seconds.

    In a terminal Ctrl-C reaches the whole group (`whom` is "group"): processes of its own, too.  None of them may be
    left, and the status must be 130.
    """
    with subprocess.Popen(
        [sys.executable, "-c", _READY, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr.readline() == "ready\n"
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT) if whom == "group" else process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert process.returncode == 130, err
    assert "Traceback" not in err
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return out, err
    raise AssertionError("a process is left")
