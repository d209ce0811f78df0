"""The process of one run of an experiment: it is told what to do on its standard input and answers line by line.

First it answers what it is going to do and what is predicted of it; then that it is ready, when everything is made,
compiled and loaded that is no part of the search; each better score that is found, and when; then the result.  It ends
when its standard input does, so that nothing outlives the program that started it.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...csp.base.compiled import load
from ...csp.base.errors import InstanceError, JigsatError
from ...csp.base.stopping import Progress, Report
from ...csp.engines.engine import Engine, TilingEngine
from ...csp.engines.portfolio.members import able_entries
from ...csp.engines.registry import follows_order
from ...csp.engines.request import Goal, Limits, in_parts
from ...csp.files.instances import Puzzle, fingerprint
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import anywhere, checked_slips, format_slips
from ..effort.prediction import Prediction, predict
from ..plan.job import Job, JobPlan
from ..ways.ways import ways_to
from .families import make_puzzle
from .files import DEFAULT
from .plan import options_of

# Seconds of a count by a method in which its kernels are loaded.
_WARM_UP = 0.2

_Answer = Callable[[Mapping[str, Any]], None]


def main() -> None:
    """Do what standard input says."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints is no answer

    def answer(message: Mapping[str, Any]) -> None:
        print(json.dumps(message, allow_nan=False), file=answers, flush=True)

    job = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        _run(job, answer)
    except JigsatError as error:
        if str(error).startswith("the solver's process"):
            raise  # it died, which is no refusal
        answer({"refused": str(error)})


def _end_with_input() -> None:
    """End this process and all that it has started when the one that asks is gone."""
    # Not by way of `sys.stdin`, whose lock Python asks for when it ends.
    while os.read(0, 1024):
        pass
    os.killpg(os.getpgid(0), signal.SIGKILL)


def _run(message: Mapping[str, Any], answer: _Answer) -> None:
    puzzle = make_puzzle(message["recipe"], Path(message["folder"]))
    if fingerprint(puzzle) != message["sha256"]:
        raise InstanceError(f"{puzzle.name}: is not as it was when the run was planned")
    job, prediction = _job_of(puzzle, message)
    # What is predicted is the time of a search whose kernels are loaded, as that is measured.
    load()
    plan, planning = _plan_of(job)
    answer({"told": {**_predicted(prediction), **_told(plan), "depth": job.limits.depth}})
    _make_ready(plan)
    answer({"ready": True})
    report = _better_scores(answer) if job.goal is Goal.BEST else None
    began = time.perf_counter()
    result = plan.run(report, _drop)
    seconds = planning + time.perf_counter() - began
    answer({"answer_seconds": round(seconds, 6), "record": result.record_of(puzzle)})


def _plan_of(job: Job) -> tuple[JobPlan, float]:
    """How a job will be run, and the seconds of planning."""
    # The time limit of an engine that is named is one of the search, not of what is made ready for it.
    asked = job if job.engine is None else replace(job, limits=replace(job.limits, seconds=None))
    # The first plan loads all that planning needs, which is no more part of it than kernels are of a search.
    asked.plan()
    plan = asked.plan()
    return plan if job.engine is None else replace(plan, job=job, spent=0.0), plan.spent


def _predicted(prediction: Prediction | None) -> dict[str, Any]:
    """What is predicted of the search along an order."""
    if prediction is None:
        return {"predicted": None, "predicted_by_depth": None}
    return {"predicted": prediction.summary, "predicted_by_depth": prediction.nodes_by_depth}


def _told(plan: JobPlan) -> dict[str, Any]:
    """Which way is taken, and what it is predicted to cost; nothing if the time was over before that was known."""
    if plan.engine is None:
        return {}
    job, way = plan.job, plan.ways[0]
    if way.races:
        # The score that is reached depends on the time limit, which the plan of an engine that is named has not.
        way = ways_to(plan.puzzle, job.goal, job.limits, job.options, job.engine)[0]
    return {"way": way.record(), "engine": plan.engine.name, "options": _shown(plan.engine, plan)}


def _make_ready(plan: JobPlan) -> None:
    """Compile and load the kernels, which is no part of the search."""
    job = plan.job
    if plan.engine is None or not plan.engine.native or (job.goal is Goal.COUNT and in_parts(job.options)):
        _make_members_ready(plan)
        return
    # A count by a method has no limit of nodes.
    short = Limits(nodes=1, depth=job.limits.depth) if plan.options.prepared is None else Limits(_WARM_UP)
    replace(plan, job=replace(job, limits=short), spent=0.0).run(consume=_drop)


def _job_of(puzzle: Puzzle, message: Mapping[str, Any]) -> tuple[Job, Prediction | None]:
    """The job of a run, and what is predicted of it."""
    goal, bounds, asked = Goal(message["goal"]), message["limits"], message["options"]
    nodes = None if bounds["nodes"] is None else int(bounds["nodes"])
    limits, options = Limits(bounds["seconds"], nodes, depth=bounds["depth"]), options_of(asked)
    prediction = None
    if message["engine"] == DEFAULT:
        return Job(puzzle, goal, None, limits, options, motions=asked["motions"]), None
    if not isinstance(puzzle, DissectionPuzzle) and options.method is None:
        follows = follows_order(message["engine"])
        prediction = None if goal is Goal.BEST else predict(puzzle, options, follows=follows)
        if prediction is not None:
            limits = _within(limits, prediction, bounds["predicted_nodes"])
        if follows and options.order is None:
            # Experiments are about the search along an order, also where another method would count sooner.
            options = replace(options, order=find_order(puzzle, None)[0])
    return Job(puzzle, goal, message["engine"], limits, options, motions=asked["motions"]), prediction


def _better_scores(answer: _Answer) -> Report:
    """Answers each better score with the nodes and seconds that it took, as far as progress is reported."""
    best = -1

    def report(progress: Progress) -> None:
        nonlocal best
        score = -1 if progress.scores is None or progress.scores[0] is None else progress.scores[0]
        if score > best:
            best = score
            answer({"best_after": {"score": score, "nodes": progress.nodes, "seconds": round(progress.seconds, 3)}})

    return report


def _make_members_ready(plan: JobPlan) -> None:
    """The same for those members of a portfolio that have kernels."""
    job, members = plan.job, plan.ways[0].members if plan.ways else ()
    for entry in able_entries(plan.puzzle.kind, members, job.goal, Limits(), plan.options)[0]:
        if entry.engine.native:
            entry.engine.run(plan.puzzle, job.goal, Limits(nodes=1), entry.options, consume=_drop)


def _shown(engine: Engine | TilingEngine, plan: JobPlan) -> dict[str, object]:
    """The options as the engine's result will show them, should there be none."""
    puzzle, options = plan.puzzle, plan.options
    shown: dict[str, object] = {"symmetry": options.symmetry}
    if isinstance(puzzle, DissectionPuzzle):
        encoding = {} if options.encoding is None else {"encoding": options.encoding}
        return {"motions": str(puzzle.motions), **shown, **encoding}
    if options.prepared is not None:
        return shown
    if "order" in engine.options:
        shown["order"] = plan.plan.order_name or find_order(puzzle, options.order)[0]
    if "slips" in engine.options:
        every = plan.job.goal is Goal.BEST and options.slips is None
        shown["slips"] = format_slips(anywhere(puzzle) if every else checked_slips(puzzle, options.slips))
    if (encoding := getattr(engine, "encoding", None)) is not None:
        shown["encoding"] = str(encoding(options.encoding))
    return shown


def _within(limits: Limits, prediction: Prediction, nodes: float | None) -> Limits:
    """The limits, with that depth down to which no more than so many nodes are expected."""
    if nodes is None:
        return limits
    depth = prediction.depth_within(nodes)
    if depth == len(prediction.order):
        return limits
    return replace(limits, depth=depth if limits.depth is None else min(depth, limits.depth))


def _drop(solution: object) -> None:
    """Solutions are counted, not kept."""


if __name__ == "__main__":
    main()
