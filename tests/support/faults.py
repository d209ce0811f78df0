"""Commands whose writes fail, each at the n-th operation on the disk: how they end, and how the next run ends."""

import contextlib
import ctypes
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("faults.c")
#: The kinds of `faults.c`, by their numbers there; of the last the files may have only n times 200 bytes.
FAULTS = {"EIO": 1, "ENOSPC": 2, "full": 3, "short": 4, "killed": 5, "killed-half": 6, "limit": 0}
VERDICTS = ("refused", "unharmed", "killed", "TRACEBACK", "LOST", "LEFT OVER", "NOT RESUMED")
_LIMIT = 200


def library(folder: Path) -> Path | None:
    """The compiled library, to be preloaded; None without a compiler for this system."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not os.path.exists("/proc/self/fd"):
        return None
    path = folder / "faults.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", path, SOURCE, "-ldl"], check=True)
    return path


@dataclass(frozen=True)
class Scenario:
    """A command that writes."""

    #: Its name.
    name: str
    #: The command, in which ``{}`` stands for the folder of its files.
    words: tuple[str, ...]
    #: The files that it writes and may leave behind.
    files: tuple[str, ...]
    #: Makes the earlier files, in the folder.
    before: Callable[[Path], object]
    #: What the command has found, from the folder.
    answer: Callable[[Path], Any]
    #: The files that grow while it runs; the others are written completely or not at all.
    grows: tuple[str, ...] = ()
    #: More words of the command when it is given again.
    again: tuple[str, ...] = ()


def undisturbed(scenario: Scenario) -> Any:
    """What the command finds without faults, in this process, so that those after it have all they need in memory."""
    from jigsat.cli.main import main

    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        folder = Path(name).resolve()
        scenario.before(folder)
        main([word.replace("{}", str(folder)) for word in scenario.words])
        return scenario.answer(folder)


def operations(scenario: Scenario) -> int:
    """The number of operations on the disk of a whole run, in which no operation fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        scenario.before(folder)
        status, _, _, seen = run(scenario, folder, "EIO", 0)
        assert status == 0, scenario.name
        return seen


def verdict_on(scenario: Scenario, fault: str, number: int, expected: Any) -> tuple[str, str]:
    """How the command ends, and its message; the next run, without a fault, must find what is `expected`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        scenario.before(folder)
        earlier = _contents(folder)
        status, out, err, _ = run(scenario, folder, fault, number)
        verdict = _verdict(status, out, err)
        now = _contents(folder)
        spare = {file for file in now if file not in earlier and file not in scenario.files}
        if verdict != "killed" and spare:
            return "LEFT OVER", f"{sorted(spare)} after: {err}"
        spoilt = scenario.answer(folder) != expected if status == 0 else _lost(scenario, earlier, now)
        if verdict != "TRACEBACK" and spoilt:
            return "LOST", err
        next_run = replace(scenario, words=scenario.words + scenario.again)
        again, _, complaint, _ = run(next_run, folder, "EIO", 0)
        if again != 0 or scenario.answer(folder) != expected:
            return "NOT RESUMED", f"{err} then: {complaint}"
        return verdict, err


def _verdict(status: int, out: str, err: str) -> str:
    if status == -signal.SIGKILL:
        return "killed"
    if status == 0:
        return "unharmed"
    lines = [line for line in err.splitlines() if not line.startswith(" ")]
    told = len(lines) == 1 and lines[0].startswith("jigsat") and err.count("\n") == 1
    # A count is not lost with its proof: the summary says that the proof cannot be written.
    told = told or (status == 1 and not err and "NOT CHECKED: " in out and ": cannot be written: " in out)
    return "refused" if status in (1, 2) and told else "TRACEBACK"


def _lost(scenario: Scenario, earlier: dict[str, bytes], now: dict[str, bytes]) -> bool:
    """Whether an earlier file is gone or spoilt."""
    kept = {file: text for file, text in earlier.items() if file not in scenario.grows}
    return any(now.get(file) != text and not _is_complete(now.get(file)) for file, text in kept.items())


def _is_complete(text: bytes | None) -> bool:
    """Whether a file that has replaced another is complete: JSON, or a picture with its end."""
    if not text:
        return False
    with contextlib.suppress(ValueError):
        json.loads(text)
        return True
    return text.rstrip().endswith((b"</svg>", b"</html>", b"%%EOF", b"IEND\xaeB`\x82")) or text.startswith(b"p cnf")


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def run(scenario: Scenario, folder: Path, fault: str, number: int) -> tuple[int, str, str, int]:
    """Run the command in a child; return its status (or minus the signal), output, errors and operations."""
    with tempfile.TemporaryFile("w+b") as told:
        child = os.fork()
        if child == 0:
            _child(scenario, folder, fault, number, told.fileno())
        _, ended = os.waitpid(child, 0)
        told.seek(0)
        text = told.read()
    if os.WIFSIGNALED(ended):
        return -os.WTERMSIG(ended), "", "", 0
    status, out, err, seen = json.loads(text) if text else (3, "", "Traceback: the child said nothing", 0)
    return status, out, err, seen


def _child(scenario: Scenario, folder: Path, fault: str, number: int, told: int) -> None:
    from jigsat.cli.main import main

    shim, out, err = ctypes.CDLL(None), io.StringIO(), io.StringIO()
    status = 3
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            if fault == "limit":
                resource.setrlimit(resource.RLIMIT_FSIZE, (_LIMIT * number, resource.RLIM_INFINITY))
            shim.fault_arm(f"{folder}/".encode(), ctypes.c_long(number), FAULTS[fault], -1)
            status = main([word.replace("{}", str(folder)) for word in scenario.words])
    except BaseException as error:
        err.write(f"Traceback: {type(error).__name__}: {error}\n")
    finally:
        seen = shim.fault_seen()
        shim.fault_arm(b"", ctypes.c_long(0), 0, -1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        os.pwrite(told, json.dumps([status, out.getvalue(), err.getvalue(), seen]).encode(), 0)
        os._exit(0)
