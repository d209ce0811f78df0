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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...csp.base.errors import InstanceError, JigsatError
from ...csp.base.progress import Progress, Report
from ...csp.engines.engine import Engine
from ...csp.engines.record import to_record
from ...csp.engines.registry import find_engine, find_tiling_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.files.instances import fingerprint
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import anywhere, checked_slips, format_slips
from ..plan.effort import Plan
from ..plan.prediction import FOLLOW_ORDERS, Prediction, chosen_order, predict
from .families import make_puzzle
from .plan import is_native, options_of

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


@dataclass(frozen=True)
class _Search:
    """A search that is ready to run within limits, its options as records show them, and what is predicted of it."""

    run: Callable[[Limits, Report | None], Result]
    limits: Limits
    native: bool
    options: Mapping[str, object]
    prediction: Prediction | None = None


def _run(job: Mapping[str, Any], answer: _Answer) -> None:
    puzzle = make_puzzle(job["recipe"], Path(job["folder"]))
    if fingerprint(puzzle) != job["sha256"]:
        raise InstanceError(f"{puzzle.name}: is not as it was when the run was planned")
    goal, bounds = Goal(job["goal"]), job["limits"]
    nodes = None if bounds["nodes"] is None else int(bounds["nodes"])
    limits = Limits(bounds["seconds"], nodes, depth=bounds["depth"])
    if isinstance(puzzle, DissectionPuzzle):
        search = _tiling_search(puzzle, job, goal, limits)
    else:
        search = _board_search(puzzle, job, goal, limits)
    told: dict[str, Any] = {"predicted": None, "predicted_by_depth": None}
    if search.prediction is not None:
        told = {"predicted": search.prediction.summary, "predicted_by_depth": search.prediction.nodes_by_depth}
    answer({"told": {**told, "depth": search.limits.depth, "options": dict(search.options)}})
    if search.native:
        # Compiles and loads the kernels, which is no part of the search.
        search.run(replace(search.limits, nodes=1), None)
    answer({"ready": True})
    report = _better_scores(answer) if goal is Goal.BEST else None
    answer({"record": to_record(search.run(search.limits, report), puzzle)})


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


def _board_search(puzzle: EdgeMatchingPuzzle, job: Mapping[str, Any], goal: Goal, limits: Limits) -> _Search:
    engine = find_engine(job["engine"], goal)
    options = options_of(job["options"])
    follows = job["engine"] in FOLLOW_ORDERS
    prediction = None if goal is Goal.BEST else predict(puzzle, options, follows=follows)
    if prediction is not None:
        limits = _within(limits, prediction, job["limits"]["predicted_nodes"])
    plan = _planned(puzzle, options, prediction) if follows or options.order is not None else Plan(None, options)

    def run(bounds: Limits, report: Report | None) -> Result:
        return plan.told(engine.run(puzzle, goal, bounds, plan.options, report=report, consume=_drop))

    return _Search(run, limits, is_native(job["engine"]), _shown(engine, puzzle, goal, plan), prediction)


def _planned(puzzle: EdgeMatchingPuzzle, options: Options, prediction: Prediction | None) -> Plan:
    """The search along an order."""
    if prediction is not None:
        return prediction.plan(options)
    name, order = chosen_order(puzzle, options)
    return Plan(name, replace(options, order=order))


def _shown(engine: Engine, puzzle: EdgeMatchingPuzzle, goal: Goal, plan: Plan) -> dict[str, object]:
    """The options as the engine's result will show them, should there be none."""
    options = plan.options
    shown: dict[str, object] = {"symmetry": options.symmetry}
    if "order" not in engine.lacks:
        shown["order"] = plan.order_name or find_order(puzzle, options.order)[0]
    if "slips" not in engine.lacks:
        every = goal is Goal.BEST and options.slips is None
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


def _tiling_search(puzzle: DissectionPuzzle, job: Mapping[str, Any], goal: Goal, limits: Limits) -> _Search:
    engine = find_tiling_engine(job["engine"], goal)
    options = options_of(job["options"])
    motions = job["options"]["motions"]
    moved = puzzle if motions is None else replace(puzzle, motions=Motions(motions))

    def run(bounds: Limits, report: Report | None) -> Result:
        return engine.run(moved, goal, bounds, options, report=report, consume=_drop)

    encoding = {} if options.encoding is None else {"encoding": options.encoding}
    shown = {"motions": str(moved.motions), "symmetry": options.symmetry, **encoding}
    return _Search(run, limits, job["engine"] == "backtrack", shown)


def _drop(solution: object) -> None:
    """Solutions are counted, not kept."""


if __name__ == "__main__":
    main()
