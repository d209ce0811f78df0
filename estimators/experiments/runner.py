"""Run an experiment: each run in a process of its own, monitored, ended at its limits, and always recorded."""

import json
import os
import platform
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import count
from typing import IO, Any

import psutil

from ...csp.base.errors import EngineError, JigsatError, shortened
from ...csp.engines.request import Goal
from ...csp.engines.result import Status, record_keys
from ...csp.files.instances import fingerprint
from ...csp.work.cluster import this_worker
from ...csp.work.pools import Do, Finished
from ..ways.times import processor
from .families import make_puzzle
from .plan import PlannedRun, versions

# Seconds between two checks of a run's memory (each takes some milliseconds); seconds for making the puzzle, compiling
# and loading; extra seconds for an engine to end after its time limit, and the same as a part of the limit.
_TICK, _SET_UP, _GRACE, _GRACE_PART = 0.2, 300.0, 2.0, 0.05
_MIB = 2**20
#: The outcome of a run that a queue has given up for now.
GIVEN_UP = "given up"
# The signals with which others ask a process to end.
_TO_END = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name))


class PendingRuns:
    """The runs of an experiment as work for a pool: the one of least cost first, and in their order if costs are equal.

    - `done`: is called with each run and its record as soon as it is known, and says whether it is to be made again.
    - `width`: the number of workers that a run takes.
    - `cost`: by which runs are ordered.
    - `begin`: is called with each run when it begins, and returns it as it is made.
    """

    def __init__(
        self,
        runs: Iterable[PlannedRun],
        done: Callable[[PlannedRun, dict[str, Any]], bool],
        width: Callable[[PlannedRun], int] = lambda run: run.threads,
        cost: Callable[[PlannedRun], float] = lambda run: 0.0,
        begin: Callable[[PlannedRun], PlannedRun] = lambda run: run,
    ) -> None:
        self._busy, self._done, self._width, self._cost, self._begin = 0, done, width, cost, begin
        self._numbers = count()
        self._waiting = [(cost(run), next(self._numbers), run) for run in runs]
        heapify(self._waiting)

    @property
    def over(self) -> bool:
        return not (self._waiting or self._busy)

    def next_part(self, workers: int) -> PlannedRun | None:
        """The next run; None if there are not enough workers for it at the moment."""
        if not self._waiting or self._busy + self._width(self._waiting[0][-1]) > workers:
            return None
        _, _, run = heappop(self._waiting)
        self._busy += self._width(run)
        return self._begin(run)

    def enter(self, finished: Finished[PlannedRun, dict[str, Any] | None]) -> None:
        """Record a run; one that was ended from outside is left for the next call."""
        run = finished.part
        self._busy -= self._width(run)
        if finished.killed:
            what = f"{run.engine} on {run.instance} has killed its workers, which may lack memory"
            raise EngineError(f"cluster: {what}")
        if finished.outcome is not None and self._done(run, finished.outcome):
            heappush(self._waiting, (self._cost(run), next(self._numbers), run))


def on_worker(fingerprints: Collection[str]) -> Do[PlannedRun, dict[str, Any] | None]:
    """What a worker of a cluster does with the runs that have these fingerprints: its versions must be the same."""

    def do(run: PlannedRun, stopped: Callable[[], bool]) -> dict[str, Any] | None:
        fault = None
        try:
            if run.fingerprint not in fingerprints:
                fault = "has other versions; install the same jigsat, Python and libraries on all machines"
            elif "instance" in run.recipe and fingerprint(make_puzzle(run.recipe, run.folder)) != run.sha256:
                fault = f"has another puzzle {run.instance}; give it the same files"
        except JigsatError as error:
            fault = f"cannot read a puzzle: {error}"
        if fault is not None:
            raise EngineError(f"cluster: worker {this_worker()} {fault}")
        return execute(run, stopped)

    return do


class _ProcessTree:
    """A process with its descendants, also those whose parents have ended since they were seen."""

    def __init__(self, pid: int) -> None:
        self._root, self._seen, self._seconds = None, set[psutil.Process](), dict[psutil.Process, float]()
        with suppress(psutil.NoSuchProcess):
            self._root = psutil.Process(pid)
        self._look(self._root)

    def memory_mib(self) -> float:
        self._look(self._root)
        total = 0
        for process in [*self._seen]:
            try:
                total += process.memory_info().rss
                self._seconds[process] = sum(process.cpu_times()[:2])
            except psutil.NoSuchProcess:
                self._seen.discard(process)
            except psutil.Error:
                continue
        return total / _MIB

    @property
    def seconds(self) -> float:
        """The processor time of all of them, as `memory_mib` has seen it last."""
        return sum(self._seconds.values())

    def kill(self) -> None:
        # Those that are suspended start no more.
        suspended: set[psutil.Process] = set()
        while active := self._seen - suspended:
            for process in active:
                with suppress(psutil.Error):
                    process.suspend()
                self._look(process)
            suspended |= active
        for process in self._seen:
            with suppress(psutil.Error):
                process.kill()

    def _look(self, process: psutil.Process | None) -> None:
        if process is None:
            return
        with suppress(psutil.Error):
            self._seen.update((process, *process.children(recursive=True)))


@dataclass
class _Heard:
    """The messages of the process of a run, and what was observed."""

    messages: dict[str, Any] = field(default_factory=dict)
    peak_mib: float = 0.0
    ready_at: float | None = None
    #: The processor time of the process and its descendants so far, and before the search began.
    spent: float = 0.0
    spent_before: float = 0.0
    #: If the process was ended: the outcome and the reason.
    ended: tuple[str, str] | None = None

    @property
    def planned(self) -> dict[str, Any]:
        """How the process was going to run, and the predictions."""
        return self.messages.get("planned", {})


def execute(run: PlannedRun, stopped: Callable[[], bool]) -> dict[str, Any] | None:
    """The record of a run, made in a process of its own; None if `stopped`, or a signal from outside, ended the run.

    The process and its descendants are killed if they do not end soon after the time limit, or if together they use
    more memory than allowed.
    """
    started, timestamp = time.monotonic(), datetime.now(UTC)
    with tempfile.TemporaryFile() as errors:
        # Ctrl-C in a terminal reaches this process only, on all systems.
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.run_process"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )  # fmt: skip
        tree = _ProcessTree(process.pid)
        try:
            heard = _watched(process, tree, run, stopped)
            if heard is not None and heard.ended is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_GRACE)  # it has sent its result, and ends by itself
        finally:
            tree.kill()
            process.kill()
            assert process.stdin is not None
            with suppress(OSError):  # its job did not reach it
                process.stdin.close()
            process.wait()
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
        "spent_seconds": round(max(heard.spent, heard.messages.get("spent_seconds", 0.0)), 3),
        "versions": versions(run.kind, run.engine),
        "machine": machine(),
        "timestamp": timestamp.isoformat(timespec="seconds"),
    }


def _was_ended_from_outside(heard: _Heard, status: int) -> bool:
    """Whether a signal to end has ended the process, as batch systems send it to all processes of a command."""
    has_answered = heard.ended is not None or not heard.messages.keys().isdisjoint(("record", "refused"))
    return not has_answered and -status in _TO_END


def _watched(
    process: "subprocess.Popen[bytes]", tree: _ProcessTree, run: PlannedRun, stopped: Callable[[], bool]
) -> _Heard | None:
    """The messages of a process until it ends or is ended; None if it was stopped."""
    job = {
        "recipe": dict(run.recipe), "folder": str(run.folder), "engine": run.engine, "options": dict(run.options),
        "goal": run.goal, "limits": dict(run.limits), "sha256": run.sha256, "keeps_place": run.patience is not None,
        "begun": run.begun,
    }  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    heard, messages = _Heard(), queue.SimpleQueue[dict[str, Any] | None]()
    started = time.monotonic()
    with suppress(OSError):  # it has already died; the loop below finds out
        process.stdin.write(json.dumps(job).encode() + b"\n")
        process.stdin.flush()
    # Windows cannot wait for a pipe and a time at once.
    threading.Thread(target=_listen, args=(process.stdout, messages.put), daemon=True).start()
    while heard.ended is None:
        if stopped():
            # What a queue has begun is not lost if it can be continued.
            heard.ended = (GIVEN_UP, "stopped") if run.patience is not None and "place" in heard.messages else None
            return heard if heard.ended else None
        with suppress(queue.Empty):
            message = messages.get(timeout=_TICK)
            if message is None:
                return heard
            heard.messages.update(message)
            if "ready" in message:
                heard.ready_at, heard.spent_before = time.monotonic(), heard.spent
        heard.ended = _reason_to_end(tree, run, heard, started)
    return heard


def _listen(pipe: IO[bytes], put: Callable[[dict[str, Any] | None], None]) -> None:
    """Read the messages of a process, each of which is a line; None follows the last one."""
    try:
        with pipe:
            for line in pipe:
                # What it was writing when it died is no message.
                if line.endswith(b"\n"):
                    put(json.loads(line))
    finally:
        put(None)


def _reason_to_end(tree: _ProcessTree, run: PlannedRun, heard: _Heard, started: float) -> tuple[str, str] | None:
    """The limit that a process exceeds, as an outcome and a reason; None if it exceeds none."""
    held, most = tree.memory_mib(), run.limits["memory_mib"]
    heard.peak_mib, heard.spent = max(heard.peak_mib, held), tree.seconds
    if most is not None and held > most:
        return "memory", f"ended at {held:.0f} MiB, the limit is {most:.0f} MiB"
    now, limit = time.monotonic(), run.limits["seconds"]
    if heard.ready_at is None:
        return ("time", f"ended: not ready after {_SET_UP:.0f} s") if now - started > _SET_UP else None
    grace = _GRACE + _GRACE_PART * limit
    if now - heard.ready_at > limit + grace:
        return "time", f"ended {grace:.1f} s after its time limit"
    if run.patience is not None and heard.spent - heard.spent_before > run.patience:
        return GIVEN_UP, f"given up after {run.patience:.1f} s of processor time"
    return None


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
    if outcome == GIVEN_UP:
        at = heard.messages if "place" in heard.messages else run.begun or {}
        left = {"seconds": round(heard.spent - heard.spent_before, 3)}
        seen["left"] = left | {name: at.get(name) for name in ("place", "version")}
    return {**nothing, **seen, "outcome": outcome, "message": message}


def _nothing(run: PlannedRun, answered: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of an unknown result; engine and options are those that the process answered, if it did."""
    unknown: dict[str, Any] = dict.fromkeys(record_keys())
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
    return {"processor": processor(), "cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}"}
