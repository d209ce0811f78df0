"""Signals end a command in order: with one line, the right status, and what it has found."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

# Runs a command whose work is replaced; `send` sends a signal to this process.
WORK = """
import os, signal, sys, time
from jigsat.cli import list as command
from jigsat.cli.start import entry
from jigsat.csp.base.stop import enforced
from jigsat.csp.base.safe_files import replacing
from jigsat.csp.base.stop import COMPILING, INTERRUPTS, stoppable

def send(name):
    os.kill(os.getpid(), getattr(signal, name))

def run(arguments):
{work}

command.run = run
sys.argv = ["jigsat", "list"]
entry()
"""
# Sends a signal as soon as a module is about to be imported.
STARTING = """
import os, signal, sys

class Sender:
    def find_spec(self, name, *others):
        if name == "{module}":
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.{signal})

sys.meta_path.insert(0, Sender())
sys.argv = ["jigsat", {arguments}]
from jigsat.cli.start import entry
entry()
"""
LINE = "jigsat: interrupted\n"


def outcome(code, folder, **options):
    """Exit status, standard output and standard error of a program."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, timeout=60, **options
    )
    return done.returncode, done.stdout, done.stderr


def program(work):
    return WORK.format(work="\n".join(f"    {line}" for line in work.strip("\n").splitlines()))


def of_work(work, folder, before=""):
    return outcome(before + program(work), folder)


@pytest.mark.parametrize(
    ("module", "name", "status"),
    [
        ("jigsat.cli.signals", "SIGINT", 130),
        ("jigsat.cli.parser", "SIGTERM", 143),
        ("jigsat.api.info", "SIGHUP", 129),
    ],
)
def test_a_signal_while_modules_are_imported(module, name, status, tmp_path):
    code = STARTING.format(module=module, signal=name, arguments='"info", "clue1"')
    assert outcome(code, tmp_path) == (status, "", LINE)


def test_what_is_ignored_when_the_process_begins_stays_ignored(tmp_path):
    code = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + STARTING
    status, out, err = outcome(
        code.format(module="jigsat.cli.parser", signal="SIGHUP", arguments='"--version"'), tmp_path
    )
    assert (status, err) == (0, "")
    assert out.startswith("jigsat ")


def test_ctrl_c_of_a_program_in_the_background_of_a_script_stays_ignored(tmp_path):
    work = """
with stoppable() as stop, stoppable() as within:
    send("SIGINT")
    time.sleep(0.5)
    print(stop(), within())
    send("SIGTERM")
    print(stop(), within())
return 130
"""
    ignored = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    assert of_work(work, tmp_path, ignored) == (143, "False False\nFalse True\n", "")


def test_work_that_notes_a_signal_ends_in_order_and_a_second_sigterm_changes_nothing(tmp_path):
    work = """
with stoppable() as stop:
    send("SIGTERM"), send("SIGTERM")
    while not stop():
        time.sleep(0.01)
print("found")
return 130
"""
    assert of_work(work, tmp_path) == (143, "found\n", "")


def test_a_library_may_turn_the_interrupt_into_another_error(tmp_path):
    work = """
try:
    send("SIGINT")
    time.sleep(60)
except KeyboardInterrupt:
    raise TypeError("cannot compare") from None
"""
    assert of_work(work, tmp_path) == (130, "", LINE)


def test_an_error_after_a_signal_is_reported(tmp_path):
    """The signal may have ended a process that the command needs."""
    work = """
from jigsat.csp.base.errors import EngineError
with stoppable() as stop:
    send("SIGTERM")
    stop()
raise EngineError("the solver is gone")
"""
    assert of_work(work, tmp_path) == (143, "", "jigsat: the solver is gone\n")


def test_work_that_swallows_the_interrupt_is_ended_without_its_temporary_files(tmp_path):
    work = """
with replacing("answer.json") as file:
    try:
        send("SIGHUP")
        time.sleep(60)
    except KeyboardInterrupt:
        time.sleep(60)
"""
    assert of_work(work, tmp_path) == (129, "", LINE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("begin", ["pass", "stop(), COMPILING.start()", "stop(), (held := enforced(stop)).__enter__()"])
def test_work_that_does_not_ask_is_ended_as_long_as_nothing_is_found(begin, tmp_path):
    """Imports and preparation, compiling, and a library that calls no Python."""
    work = f"""
with stoppable() as stop:
    {begin}
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    send("SIGINT")
    time.sleep(60)
"""
    assert of_work(work, tmp_path) == (130, "", LINE)


def test_what_was_found_is_shown_after_compiling(tmp_path):
    work = """
with stoppable() as stop:
    INTERRUPTS.keep()
    COMPILING.start()
    send("SIGTERM")
    time.sleep(0.6)
    COMPILING.end()
print("found")
return 130
"""
    assert of_work(work, tmp_path) == (143, "found\n", "")


def test_ctrl_c_again_ends_work_that_does_not_end(tmp_path):
    work = """
with stoppable() as stop:
    INTERRUPTS.keep()
    try:
        send("SIGINT"), send("SIGINT")
        time.sleep(60)
    except KeyboardInterrupt:
        time.sleep(60)
"""
    assert of_work(work, tmp_path) == (130, "", LINE)


def test_a_closed_terminal_ends_the_work_in_order(tmp_path):
    work = """
with stoppable() as stop:
    print("ready", flush=True)
    while not stop():
        time.sleep(0.01)
print("found", flush=True)
with replacing("answer.json") as file:
    file.write("found")
return 130
"""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(tmp_path)
        os.execv(sys.executable, [sys.executable, "-c", program(work)])
    assert os.read(terminal, 5) == b"ready"
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 129
    assert Path(tmp_path, "answer.json").read_text() == "found"
