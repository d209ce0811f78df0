"""The process of one run of an experiment: it reads its job from standard input and answers with lines of JSON.

The answers are: how it is going to run, with the predictions; that it is ready, after all preparation that is not part
of the search; each better score, with its time; the result.  The process ends at the end of its standard input, so that
it does not outlive the program that started it.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from ...csp.base.compiled import load
from ...csp.base.errors import InstanceError, JigsatError
from ...csp.base.stop import Progress, Report
from ...csp.engines.engine import Engine, TilingEngine, follows_order
from ...csp.engines.portfolio_members import able_entries
from ...csp.engines.request import Earlier, Goal, Limits, in_parts
from ...csp.files.instances import Puzzle, fingerprint
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import anywhere, checked_frame_slips, checked_slips, shown_slips
from ...csp.work.run import code_version
from ..effort.search_effort import Prediction, found_slips, predict
from ..plan.job import Job, JobPlan
from ..ways.ways import ways_to
from .families import make_puzzle
from .files import DEFAULT
from .plan import options_of

# The time limit in seconds of a count that only loads the kernels of a method.
_WARM_UP = 0.2

_Answer = Callable[[Mapping[str, Any]], None]


def main() -> None:
    """Make the run that standard input describes."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is not an answer

    def answer(message: Mapping[str, Any]) -> None:
        print(json.dumps(message, allow_nan=False), file=answers, flush=True)

    job = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        _run(job, answer)
    except JigsatError as error:
        if str(error).startswith("the solver's process"):
            raise  # it died, so the run is not refused
        answer({"refused": str(error)})


def _end_with_input() -> None:
    """End this process and its children when the parent process has ended."""
    # Not with `sys.stdin`, because Python takes its lock when it exits.
    while os.read(0, 1024):
        pass
    this = psutil.Process()
    for process in (*this.children(recursive=True), this):
        with suppress(psutil.Error):
            process.kill()


def _run(message: Mapping[str, Any], answer: _Answer) -> None:
    puzzle = make_puzzle(message["recipe"], Path(message["folder"]))
    if fingerprint(puzzle) != message["sha256"]:
        raise InstanceError(f"{puzzle.name}: has changed since the run was planned")
    job, prediction = _job_of(puzzle, message)
    begun = message["begun"] or {}
    # Predicted and measured times are those of a search whose kernels are loaded.
    load()
    plan, planning = _plan_of(job)
    predicted = {"predicted": None, "predicted_by_depth": None}
    if prediction is not None:
        predicted = {"predicted": prediction.summary, "predicted_by_depth": prediction.nodes_by_depth}
    answer({"planned": {**predicted, **_chosen_way(plan), "depth": job.limits.depth}})
    _make_ready(plan)
    answer({"ready": True})
    report = _better_scores(answer) if job.goal is Goal.BEST else _places(answer) if message["keeps_place"] else None
    if begun.get("version") == code_version() and job.goal is not Goal.BEST:
        plan = plan.with_earlier(Earlier(place=begun["place"]))
    began = time.perf_counter()
    result = plan.run(report, _drop)
    seconds = planning + time.perf_counter() - began
    if result.nodes_now < result.nodes:
        # It has continued what was begun.
        before = begun["seconds"]
        seconds += before
        result = replace(result, seconds=result.seconds + before, cpu_seconds=result.cpu_seconds + before)
    spent = round(sum(os.times()[:4]), 3)
    answer({"spent_seconds": spent, "answer_seconds": round(seconds, 6), "record": result.record_of(puzzle)})


def _plan_of(job: Job) -> tuple[JobPlan, float]:
    """The plan of a job, and the seconds of planning."""
    # The time limit of a named engine is for the search, not for its preparation.
    asked = job if job.engine is None else replace(job, limits=replace(job.limits, seconds=None))
    # The first plan loads the modules that planning needs; this is not part of its time, as kernels are not.
    asked.plan()
    plan = asked.plan()
    return plan if job.engine is None else replace(plan, job=job, spent=0.0), plan.spent


def _chosen_way(plan: JobPlan) -> dict[str, Any]:
    """The chosen way and its predicted cost; empty if the time limit ended the planning."""
    if plan.engine is None:
        return {}
    job, way = plan.job, plan.ways[0]
    if way.races:
        # The predicted score depends on the time limit, which the plan of a named engine does not have.
        way = ways_to(plan.puzzle, job.goal, job.limits, job.options, job.engine)[0]
    return {"way": way.record(), "engine": plan.engine.name, "options": _shown(plan.engine, plan)}


def _make_ready(plan: JobPlan) -> None:
    job = plan.job
    if plan.engine is None or not plan.engine.native or (job.goal is Goal.COUNT and in_parts(job.options)):
        _make_members_ready(plan)
        return
    # A count by a method has no limit of nodes.
    short = Limits(nodes=1, depth=job.limits.depth) if plan.options.prepared is None else Limits(_WARM_UP)
    replace(plan, job=replace(job, limits=short), spent=0.0).run(consume=_drop)


def _job_of(puzzle: Puzzle, message: Mapping[str, Any]) -> tuple[Job, Prediction | None]:
    goal, bounds, asked = Goal(message["goal"]), message["limits"], message["options"]
    nodes = None if bounds["nodes"] is None else int(bounds["nodes"])
    limits, (options, own) = Limits(bounds["seconds"], nodes, depth=bounds["depth"]), options_of(asked)
    if not isinstance(puzzle, DissectionPuzzle):
        options = found_slips(puzzle, options, None if message["engine"] == DEFAULT else message["engine"])
    # Numbers of nodes are compared with predictions, which do not know the bound; not so for the goal best.
    options = replace(options, bound=goal is Goal.BEST)
    prediction = None
    if message["engine"] == DEFAULT:
        return Job(puzzle, goal, None, limits, options, motions=asked["motions"]), None
    if not isinstance(puzzle, DissectionPuzzle) and options.method is None:
        follows = follows_order(message["engine"])
        prediction = None if goal is Goal.BEST else predict(puzzle, options, follows=follows)
        if prediction is not None:
            limits = _within(limits, prediction, bounds["predicted_nodes"])
        if follows and options.order is None:
            # Experiments measure the search along an order, even if another method would be quicker.
            options = replace(options, order=find_order(puzzle, None)[0])
    return Job(puzzle, goal, message["engine"], limits, options, own, motions=asked["motions"]), prediction


def _better_scores(answer: _Answer) -> Report:
    """A report function that answers each better score with its nodes and seconds."""
    best = -1

    def report(progress: Progress) -> None:
        nonlocal best
        score = -1 if progress.scores is None or progress.scores[0] is None else progress.scores[0]
        if score > best:
            best = score
            answer({"best_after": {"score": score, "nodes": progress.nodes, "seconds": round(progress.seconds, 3)}})

    return report


def _places(answer: _Answer) -> Report:
    """A report function that answers each place of a search from which it can be continued, at most one a second."""
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if progress.place is not None and time.monotonic() - last >= 1:
            last = time.monotonic()
            answer({"place": progress.place, "version": code_version()})

    return report


def _make_members_ready(plan: JobPlan) -> None:
    """Compile and load the kernels of the members of a portfolio."""
    job, members = plan.job, plan.ways[0].members if plan.ways else ()
    for entry in able_entries(plan.puzzle.kind, members, job.goal, Limits(), plan.options)[0]:
        if entry.engine.native:
            entry.engine.run(plan.puzzle, job.goal, Limits(nodes=1), entry.options, consume=_drop)


def _shown(engine: Engine | TilingEngine, plan: JobPlan) -> dict[str, object]:
    """The options in the form of the engine's result, for runs that end without a result."""
    puzzle, options = plan.puzzle, plan.options
    shown: dict[str, object] = {"symmetry": options.symmetry, **plan.job.own}
    if isinstance(puzzle, DissectionPuzzle):
        encoding = {} if options.encoding is None else {"encoding": options.encoding}
        return {"motions": str(puzzle.motions), **shown, **encoding}
    if options.prepared is not None:
        return shown
    if "order" in engine.options:
        shown["order"] = plan.plan.order_name or engine.order_of(puzzle, options)[0]
    if "slips" in engine.options:
        every = plan.job.goal is Goal.BEST and options.slips is None
        slips = anywhere(puzzle) if every else checked_slips(puzzle, options.slips)
        shown |= shown_slips(slips, checked_frame_slips(puzzle, options.frame_slips))
    if (encoding := getattr(engine, "encoding", None)) is not None:
        shown["encoding"] = str(encoding(options.encoding))
    return shown


def _within(limits: Limits, prediction: Prediction, nodes: float | None) -> Limits:
    """The limits, with the largest depth at which the expected nodes are at most `nodes`."""
    if nodes is None:
        return limits
    depth = prediction.depth_within(nodes)
    if depth == len(prediction.order):
        return limits
    return replace(limits, depth=depth if limits.depth is None else min(depth, limits.depth))


def _drop(solution: object) -> None:
    """Discard a solution: solutions are counted, not kept."""


if __name__ == "__main__":
    main()
