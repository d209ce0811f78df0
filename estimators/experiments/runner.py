"""Run an experiment: each run in a process of its own, monitored, ended at its limits, and always recorded."""

import json
import os
import platform
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from typing import Any

import psutil

from ...csp.base.errors import UsageError, shortened
from ...csp.engines.request import Goal
from ...csp.engines.result import Result, Status
from .plan import PlannedRun, versions

# Seconds between two checks of a run's memory (each takes some milliseconds); seconds for making the puzzle, compiling
# and loading; extra seconds for an engine to end after its time limit, and the same as a part of the limit.
_TICK, _SET_UP, _GRACE, _GRACE_PART = 0.2, 300.0, 2.0, 0.05
_MIB = 2**20
# The signals with which others ask a process to end.
_TO_END = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name))


@dataclass
class _Heard:
    """The messages of the process of a run, and what was observed."""

    messages: dict[str, Any] = field(default_factory=dict)
    rest: bytes = b""
    peak_mib: float = 0.0
    ready_at: float | None = None
    #: If the process was ended: the outcome and the reason.
    ended: tuple[str, str] | None = None

    @property
    def planned(self) -> dict[str, Any]:
        """How the process was going to run, and the predictions."""
        return self.messages.get("planned", {})

    def take(self, data: bytes) -> None:
        """Read messages; each one is a line."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.messages.update(json.loads(line))
        if self.ready_at is None and "ready" in self.messages:
            self.ready_at = time.monotonic()


def execute(run: PlannedRun, stopped: threading.Event) -> dict[str, Any] | None:
    """The record of a run, made in a process of its own; None if `stopped`, or a signal from outside, ended the run.

    The process and its children are killed if they do not end soon after the time limit, or if together they use more
    memory than allowed.
    """
    started, timestamp = time.monotonic(), datetime.now(UTC)
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.run_process"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
        )  # fmt: skip
        try:
            heard = _watched(process, run, stopped)
            if heard is not None and heard.ended is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_GRACE)  # it has sent its result, and ends by itself
        finally:
            _end(process)
        if heard is None or _was_ended_from_outside(heard, process.returncode):
            return None
        errors.seek(max(errors.seek(0, os.SEEK_END) - 4096, 0))
        complaint = errors.read().decode(errors="replace")
    known = _known(run, heard, process.returncode, complaint)
    return {
        **_identity(run),
        **known,
        "limits": {**run.limits, "depth": heard.planned.get("depth", run.limits["depth"])},
        "wall_seconds": round(time.monotonic() - started, 3),
        "versions": versions(run.kind, run.engine),
        "machine": machine(),
        "timestamp": timestamp.isoformat(timespec="seconds"),
    }


def _was_ended_from_outside(heard: _Heard, status: int) -> bool:
    """Whether a signal to end has ended the process, as batch systems send it to all processes of a command."""
    has_answered = heard.ended is not None or not heard.messages.keys().isdisjoint(("record", "refused"))
    return not has_answered and -status in _TO_END


def _watched(process: "subprocess.Popen[bytes]", run: PlannedRun, stopped: threading.Event) -> _Heard | None:
    """The messages of a process until it ends or is ended; None if `stopped` is set."""
    job = {
        "recipe": dict(run.recipe), "folder": str(run.folder), "engine": run.engine, "options": dict(run.options),
        "goal": run.goal, "limits": dict(run.limits), "sha256": run.sha256,
    }  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    heard = _Heard()
    started = time.monotonic()
    with suppress(BrokenPipeError):  # it has already died; the loop below finds out
        process.stdin.write(json.dumps(job).encode() + b"\n")
        process.stdin.flush()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while heard.ended is None:
            if stopped.is_set():
                return None
            if selector.select(_TICK):
                data = os.read(process.stdout.fileno(), 2**16)
                if not data:
                    return heard
                heard.take(data)
            heard.ended = _reason_to_end(process.pid, run, heard, started)
    return heard


def _reason_to_end(pid: int, run: PlannedRun, heard: _Heard, started: float) -> tuple[str, str] | None:
    """The limit that a process exceeds, as an outcome and a reason; None if it exceeds none."""
    held, most = _memory_mib(pid), run.limits["memory_mib"]
    heard.peak_mib = max(heard.peak_mib, held)
    if most is not None and held > most:
        return "memory", f"ended at {held:.0f} MiB, the limit is {most:.0f} MiB"
    now, limit = time.monotonic(), run.limits["seconds"]
    if heard.ready_at is None:
        return ("time", f"ended: not ready after {_SET_UP:.0f} s") if now - started > _SET_UP else None
    grace = _GRACE + _GRACE_PART * limit
    if now - heard.ready_at > limit + grace:
        return "time", f"ended {grace:.1f} s after its time limit"
    return None


def _memory_mib(pid: int) -> float:
    """The memory of a process and its descendants."""
    total = 0
    with suppress(psutil.Error):
        parent = psutil.Process(pid)
        for process in [parent, *parent.children(recursive=True)]:
            with suppress(psutil.Error):
                total += process.memory_info().rss
    return total / _MIB


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process and its descendants, and wait until it has ended."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # its job did not reach it
                pipe.close()
    process.wait()


def _identity(run: PlannedRun) -> dict[str, Any]:
    """The keys of a record that identify the run."""
    return {
        "experiment": run.experiment, "part": run.part, "family": run.family, "source": dict(run.recipe),
        "sha256": run.sha256, "fingerprint": run.fingerprint, "repetition": run.repetition, "facts": dict(run.facts),
        "asked": {"engine": run.engine, **run.options},
    }  # fmt: skip


def _known(run: PlannedRun, heard: _Heard, status: int, complaint: str) -> dict[str, Any]:
    """The result of a run, and its outcome."""
    seen = {name: heard.planned.get(name) for name in ("predicted", "predicted_by_depth", "way")}
    seen |= {name: heard.messages.get(name) for name in ("best_after", "answer_seconds")}
    # The peak that a process reports of itself includes that of its parent, so the observed one is used.
    seen["peak_rss_mib"] = round(heard.peak_mib, 1)
    if "record" in heard.messages:
        result = heard.messages["record"]
        return {**result, **seen, "outcome": outcome_of(result), "message": None}
    if heard.ended is not None:
        outcome, message = heard.ended
    elif "refused" in heard.messages:
        outcome, message = "refused", heard.messages["refused"]
    else:
        lines = complaint.strip().splitlines()
        why = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        outcome, message = "crash", f"{why}{': ' + shortened(lines[-1], 300) if lines else ''}"
    nothing = _nothing(run, heard.planned)
    return {**nothing, **seen, "outcome": outcome, "message": message}


def _nothing(run: PlannedRun, answered: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of an unknown result; engine and options are those that the process answered, if it did."""
    unknown: dict[str, Any] = {field.name: None for field in fields(Result)}
    planned = {name: value for name, value in run.options.items() if name not in ("threads", "seed")}
    options, engine = answered.get("options", planned), answered.get("engine", run.engine)
    return unknown | {
        "instance": run.instance, "kind": run.kind, "engine": engine, "goal": run.goal, "status": Status.UNKNOWN,
        "complete": False, "nodes_by_depth": [], "solutions": [], "seed": run.options["seed"],
        "threads": run.options["threads"], "options": options,
    }  # fmt: skip


def outcome_of(result: Mapping[str, Any]) -> str:
    """The outcome of a run that has a result: ``solved``, or what ended it."""
    found = result["goal"] == Goal.SOLVE and result["status"] == Status.SATISFIABLE
    return "solved" if result["complete"] or found else result["ended_by"] or "unknown"


@cache
def machine() -> dict[str, Any]:
    """The machine of this process."""
    return {"processor": _processor(), "cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}"}


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def execute_all(
    runs: Sequence[PlannedRun],
    jobs: int,
    must_stop: Callable[[], bool],
    done: Callable[[PlannedRun, dict[str, Any]], None],
) -> None:
    """Make runs in their order, with at most `jobs` threads at once, and call `done` with each run and its record.

    `must_stop` is asked several times a second; if it returns True, the runs that are not done end without a record.

    Raises
    ------
    UsageError
        If a run uses more threads than there are jobs.
    """
    for run in runs:
        if run.threads > jobs:
            what = f"{run.part}, {run.engine}: a run has {run.threads} threads; give as many jobs or more"
            raise UsageError(f"{jobs} is too few: {what}", "jobs")
    waiting, running = list(runs)[::-1], dict[Future[Any], PlannedRun]()
    stopped = threading.Event()
    with ThreadPoolExecutor(jobs) as threads:
        try:
            while (waiting and not stopped.is_set()) or running:
                free = jobs - sum(run.threads for run in running.values())
                while waiting and waiting[-1].threads <= free and not stopped.is_set():
                    run = waiting.pop()
                    running[threads.submit(execute, run, stopped)] = run
                    free -= run.threads
                finished, _ = wait(running, timeout=_TICK, return_when=FIRST_COMPLETED)
                for future in finished:
                    record = future.result()
                    run = running.pop(future)
                    if record is not None:
                        done(run, record)
                if must_stop():
                    stopped.set()
        finally:
            stopped.set()
