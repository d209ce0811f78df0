"""The runs of the long agreement run: which there are for a puzzle, and one of them made and judged.

A run is plain data, so that a file can hold it: what is done, by which engine, with which options and limits.
"""

import atexit
import contextlib
import random
import tempfile
import time
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import jigsat
from forgeries import Files, accepted, forge, is_true
from jigsat.api.public import Act
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.base.folder import Folder
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import Fixed
from jigsat.csp.work.book import read_book
from jigsat.csp.work.kept_runs import Runs
from jigsat.csp.work.processes import Call, Helper
from jigsat.studio.pictures import ways_to_goal
from list_forgeries import ListFiles, accepted_list
from soak_checks import check_run
from soak_judges import expect, expect_true, judge_squares, judge_tilings
from soak_truth import SquaresTruth
from solver_in_process import solvers_here

#: A run that takes longer is stopped, and left out.
SECONDS = 60


class TooLongError(Exception):
    """A run that had to be stopped says nothing."""


@dataclass(frozen=True)
class Run:
    """A run of an engine, or of something else that has an answer.

    Parameters
    ----------
    what
        A key of `WHATS`.
    engine, goal, options, limits
        As for an engine; options by their names.
    others
        What else the run depends on.
    """

    what: str
    engine: str = ""
    goal: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    limits: dict[str, Any] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)

    @property
    def kind(self):
        method = self.options.get("method")
        parts = [self.what if self.what != "engine" else "", self.engine, method or "", self.goal]
        return " ".join(filter(None, parts))


def make(puzzle, truth, run):
    """Make a run and judge it; raises DifferenceError, or JigsatError if it is refused.

    Returns further figures of the run, if it has any.
    """
    solves = run.what in ("public", "certificate", "book") or run.engine.startswith(("sat", "maxsat", "portfolio"))
    with solvers_here() if solves and not run.others.get("own process") else contextlib.nullcontext():
        return WHATS[run.what](puzzle, truth, run) or {}


def _ended(result):
    """The result, unless Ctrl-C ended its run, and is to end all, or it took too long."""
    if result.ended_by == "interrupt":
        raise KeyboardInterrupt
    if result.ended_by == "time":
        raise TooLongError
    return result


def engine_run(puzzle, truth, run):
    options = _typed(run.options)
    goal, limits = Goal(run.goal), Limits(**{"seconds": SECONDS, **run.limits})
    if puzzle.kind == "dissection":
        result = _ended(find_engine(run.engine, goal, kind="dissection").run(puzzle, goal, limits, Options(**options)))
        judge_tilings(truth, result, symmetry=options.get("symmetry", True), limits=run.limits)
        return
    _leave_out_what_takes_long(truth, goal, options)
    result = _ended(find_engine(run.engine, goal).run(puzzle, goal, limits, Options(**options)))
    _judge(truth, result, options, run.limits)
    if run.engine == "backtrack" and not options.get("symmetry", True) and result.complete:
        _judge_nodes(truth, result, options)


def _leave_out_what_takes_long(truth, goal, options):
    """Raise TooMuch if a search along the order has many nodes, so that no engine has to."""
    order, arrays = truth.order(options.get("order")), _arrays(options)
    if goal is Goal.BEST:
        truth.best_score(order if any(arrays) else None, *arrays)
    else:
        truth.counts(order, *arrays)


def _arrays(options):
    return options.get("slips"), options.get("frame_slips")


def _typed(options):
    """Options from a file: lists are tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


def _judge(truth, result, options, limits):
    slips, frame_slips = _arrays(options)
    asked = {"order": truth.order(options.get("order")) if slips or frame_slips else None, "slips": slips}
    symmetry = options.get("symmetry", True)
    judge_squares(truth, result, symmetry=symmetry, **asked, frame_slips=frame_slips, limits=limits)


def _judge_nodes(truth, result, options):
    """A search of everything along an order visits each filling of its first squares once, or with a bound some."""
    if result.goal in (Goal.SOLVE, Goal.BEST) or options.get("method", "plain") != "plain":
        return
    order = truth.order(options.get("order"))
    nodes = truth.nodes(order, *_arrays(options))
    if nodes is None:
        return
    if any(_arrays(options)) and options.get("bound", True):
        fewer = all(found <= visited for found, visited in zip(result.nodes_by_depth, nodes, strict=True))
        expect_true(f"nodes_by_depth is {result.nodes_by_depth}, but at most {nodes} are possible", fewer)
    else:
        expect("nodes_by_depth", result.nodes_by_depth, nodes)


def ledger_run(puzzle, truth, run):
    """A count that is stopped again and again, and goes on from its ledger each time, at last to its end."""
    options, before = _typed(run.options), (0, 0)
    with tempfile.TemporaryDirectory() as folder:
        given = {**options, "ledger": str(Path(folder) / "ledger")}
        for asked in [*run.others["stops"], None]:
            left = iter(range(asked or 0))
            must_stop = (lambda: False) if asked is None else (lambda left=left: next(left, None) is None)
            engine = find_engine("backtrack", Goal.COUNT)
            limits = Limits(seconds=SECONDS)
            result = engine.run(puzzle, Goal.COUNT, limits, Options(**given), must_stop=must_stop)
            if asked is None:
                _ended(result)
            _judge(truth, result, options, {} if asked is None else {"interrupt": asked})
            counted = result.count, result.statistics["parts"]
            if counted != (0, 0):  # unless it was stopped before the ledger was read
                expect_true(f"count and parts {counted} after {before}", all(map(int.__ge__, counted, before)))
                before = counted


def region_run(puzzle, truth, run):
    """The ways to fill some squares: the nodes of a search that fills them first."""
    options = _typed(run.options)
    fixed = [one.square for one in puzzle.fixed]
    first = [*fixed, *(square for square in options["squares"] if square not in fixed)]
    order = (*first, *(square for square in range(len(puzzle.board)) if square not in first))
    nodes = truth.boards(order).nodes
    engine = find_engine("backtrack", Goal.COUNT)
    result = _ended(engine.run(puzzle, Goal.COUNT, Limits(seconds=SECONDS), Options(**options)))
    expect_true(f"complete is {result.complete}", result.complete)
    expect("count", result.count, nodes[len(first) - 1])


def order_file(puzzle, squares, folder):
    path = Path(folder) / "order.txt"
    path.write_text(" ".join(puzzle.board.name(square) for square in squares))
    return str(path)


def public_run(puzzle, truth, run):
    """The public way, by a plan that chooses the engine, with a board to start from and an order from a file."""
    options, given = _typed(run.options), {}
    with tempfile.TemporaryDirectory() as folder:
        if "order" in run.others:
            given["order"] = order_file(puzzle, run.others["order"], folder)
        if "start" in run.others:
            given["start"] = tuple(None if one is None else Placement(*one) for one in run.others["start"])
            there = {one.square for one in puzzle.fixed}
            added = [Fixed(i, *one) for i, one in enumerate(given["start"]) if one is not None and i not in there]
            truth = SquaresTruth(replace(puzzle, fixed=(*puzzle.fixed, *added)))
        result = _ended(jigsat.plan(puzzle, run.goal, time_limit=SECONDS, **options, **given).run())
    if puzzle.kind == "dissection":
        judge_tilings(truth, result, symmetry=options.get("symmetry", True))
    else:
        _judge(truth, result, options, {})


def estimate_run(puzzle, truth, run):
    """A puzzle that has a solution is not predicted to be without."""
    predicted = jigsat.estimate(puzzle, **_typed(run.options)).record()
    if puzzle.kind != "dissection":
        expect_true(f"{predicted['solutions']} solutions", float(predicted["solutions"]) >= 0)
        if truth.boards().solutions and set(run.options) == {"rate"}:
            expect_true("none of its solutions is predicted", float(predicted["solutions"]) > 0)


def files_run(puzzle, truth, run):
    """A puzzle and some of its solutions, written in a format, are read as they were and found right."""
    with tempfile.TemporaryDirectory() as folder:
        path, ending = Path(folder) / "puzzle.json", run.others["format"]
        jigsat.save(puzzle, path)
        expect("the puzzle from its file", jigsat.read(path), puzzle)
        other = path.with_name(f"other{ending}")
        jigsat.convert(path, other, pieces_only=run.others.get("pieces only", False))
        _judge_converted(puzzle, jigsat.read(other), ending, run)
        known = _solutions(puzzle, truth)[: run.others["number"]]
        if known:
            file = path.with_name("solutions.json")
            jigsat.write(puzzle, known, file)
            expect("the solutions from their file", [tuple(one) for one in jigsat.read_solutions(file, puzzle)], known)
            verdict = jigsat.check(puzzle, file)
            expect("valid solutions", (verdict.valid, verdict.total), (len(known), len(known)))


def _solutions(puzzle, truth):
    if puzzle.kind == "dissection":
        return sorted(truth.orbit_of)
    return [tuple(Placement(*one) for one in board) for board in truth.boards().solutions]


def _judge_converted(puzzle, read, ending, run):
    if puzzle.kind == "dissection" or ending == ".json":
        same = ("target", "holes", "pieces", "motions") if puzzle.kind == "dissection" else ("pieces", "rule")
    else:
        same = ("rows", "columns", "pieces") if ending == ".csv" else ("pieces",)
    for name in same:
        expect(f"{name} from the file {ending}", getattr(read, name), getattr(puzzle, name))
    if ending == ".csv" and not run.others.get("pieces only", False):
        expect("fixed pieces from the file .csv", set(read.fixed), set(puzzle.fixed))


def certificate_run(puzzle, truth, run):
    """A claim about the number of solutions is proved if it is true, and its false forgeries are not accepted.

    Returns, as figures, how many were forged, and how many of these were true all the same, and accepted.
    """
    orbits = len(set(truth.orbit_of.values() if puzzle.kind == "dissection" else truth.boards().orbits))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        if puzzle.kind == "dissection":
            _prove_tilings(puzzle, path, run)
        elif not _prove_boards(puzzle, orbits, path, run):
            return {}
        page = path.with_name("proof.json")
        verdict = jigsat.verify(puzzle, page)
        expect_true(f"the certificate is not accepted: {verdict.reason}", verdict.holds)
        files = Files.read(page)
        expect("the claim of an honest certificate is true", is_true(puzzle, files, verdict.states), True)
        chance = random.Random(run.others["seed"])
        right = 0
        for number in range(run.others["forgeries"]):
            forged = forge(chance, files, puzzle)
            states = accepted(puzzle, forged, folder)
            if states is not None:
                right += 1
                expect(f"the claim of the accepted forgery {number} is true", is_true(puzzle, forged, states), True)
    return {
        "forged certificates": run.others["forgeries"],
        "forged certificates that were true, and accepted": right,
    }


def _prove_boards(puzzle, orbits, path, run):
    """Have a number of boards certified; whether there is a certificate."""
    wanted = max(orbits + run.others["more"], 0)
    made = jigsat.certify(puzzle, wanted, proof=path, **run.options)
    right = {-1: "more", 0: "exactly", 1: "fewer"}[(wanted > orbits) - (wanted < orbits)]
    expect("the answer", str(made.answer), right)
    expect("proved", made.proved, right == "exactly")
    return made.proved


def _prove_tilings(puzzle, path, run):
    """Have all tilings counted, with a proof that there are no others."""
    encoding, engine = run.options.get("encoding"), f"sat:{run.options.get('solver', 'cadical195')}"
    found = jigsat.count(puzzle, engine=engine, encoding=encoding, proof=str(path))
    expect("a checked proof", bool(found.proof and found.proof["checked"]), True)


def list_run(puzzle, truth, run):
    """A list of all solutions with a proof that it is complete, which another program checks."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.pbp"
        made = jigsat.certify(puzzle, proof=path)
        orbits = {*(truth.orbit_of.values() if puzzle.kind == "dissection" else truth.boards().orbits)}
        expect("the number of solutions", len(made.solutions), len(orbits))
        expect("the number of models that are proved", accepted_list(ListFiles.read(path)), made.proof["models"])
        expect_true(f"{made.proof['models']} models are too few", made.proof["models"] >= min(1, len(orbits)))


def book_run(puzzle, truth, run):
    """A list of solutions that is stopped again and again, and goes on from its file each time, at last to its end."""
    with tempfile.TemporaryDirectory() as folder:
        path, known = Path(folder) / "found.json", 0
        for nodes in [*run.others["stops"], None]:
            kept = path.with_name("found.json.part").exists()
            given = {"output": path, "resume": kept, "overwrite": not kept, "time_limit": SECONDS, "node_limit": nodes}
            result = _ended(jigsat.solve(puzzle, all=True, symmetry=run.options["symmetry"], **given))
            found = _read(puzzle, truth, path)
            expect("the number of solutions in the file", len({*found}), len(result.solutions))
            expect_true(f"{len(found)} solutions after {known}", len(found) >= known or not kept)
            known = len(found)
            if result.complete:
                break
        _judge_listed(truth, found, run.options["symmetry"])
        expect_true("the search has not ended", result.complete and not path.with_name("found.json.part").exists())


def _read(puzzle, truth, path):
    """The solutions in a file as the brute force names them."""
    found = jigsat.read_solutions(path, puzzle)
    if puzzle.kind == "dissection":
        return [truth.key(one) for one in found]
    return [tuple(map(tuple, one)) for one in found]


def _judge_listed(truth, found, symmetry):
    """All solutions, or one of each orbit."""
    counts = truth.counts()
    orbit_of = counts.orbit_of
    expect("the number of solutions", len(found), counts.canonical_count if symmetry else counts.count)
    if orbit_of is not None:
        expect_true("a solution is no solution", {*found} <= orbit_of.keys())
        expect("the number of different ones", len({orbit_of[one] if symmetry else one for one in found}), len(found))


class _Studio:
    """A studio without its pages: the folder, and the processes that answer."""

    def __init__(self):
        self._place = tempfile.TemporaryDirectory()
        self.folder = Folder(Path(self._place.name))
        self.helper, self.runs = Helper(self.folder.path), Runs(self.folder, Act)
        self.runs.start()
        atexit.register(self.close)

    def close(self):
        self.helper.close()
        self.runs.close()
        self._place.cleanup()


_studio = cache(_Studio)


def studio_run(puzzle, truth, run):
    """What the studio does for a goal: its process predicts the ways, and takes one of them, or a run does."""
    studio, goal = _studio(), run.goal
    jigsat.save(puzzle, studio.folder.path / "puzzle.json")
    known = studio.helper.call(Call(ways_to_goal, ("puzzle.json", goal, {"time_limit": SECONDS})))["ways"]
    ways = [way for way in known if way["refused"] is None and not way["races"]]
    if not ways:
        expect_true(f"no way to {goal}", all(way["refused"] or way["races"] for way in known))
        return
    given = {"time_limit": SECONDS, **ways[run.others["way"] % len(ways)]["given"]}
    if goal != "count":
        given["output"] = "found.json"
        (studio.folder.path / "found.json").write_bytes(b"")
    act = Act(
        "solve" if goal == "all" else goal, ("puzzle.json",), {**given, **({"all": True} if goal == "all" else {})}
    )
    if run.others["kept"]:
        record = _kept_run(studio, act)
    else:
        record = studio.helper.call(Call(act.function, act.given, act.options, brief=True))[1]
    if record["ended_by"] == "time":
        raise TooLongError
    expect_true(f"{given['engine']} is not complete: {record}", record["complete"])
    _judge_record(puzzle, truth, record, goal, studio.folder.path / "found.json")


def _kept_run(studio, act):
    """The record of a run that the studio lists."""
    made = studio.runs.add(act, "puzzle", [])
    while not made.over:
        time.sleep(0.02)
    studio.runs.remove(made)
    if made.state == "failed":
        raise JigsatError(made.words)
    return made.record


def _judge_record(puzzle, truth, record, goal, path):
    if goal == "best":
        expect("the best score", record["best_score"] if record["solutions"] else None, truth.best_score())
        return
    counts = truth.counts()
    if goal == "solve":
        expect("the number of solutions", len(record["solutions"]), min(1, counts.count))
        return
    for name in ("count", "canonical_count"):
        if record.get(name) is not None:
            expect(name, int(record[name]), getattr(counts, name))
    if goal == "all":
        _judge_listed(truth, _read(puzzle, truth, path), symmetry=True)


def jobs_run(puzzle, truth, run):
    """The same question for several engines in an experiment, two processes at a time."""
    with tempfile.TemporaryDirectory() as folder:
        path, records = Path(folder) / "puzzle.json", Path(folder) / "records"
        jigsat.save(puzzle, path)
        jigsat.compare([path], records, engines=run.others["engines"], goal="count", time_limit=20, jobs=2)
        told = read_book(records / "records.book")[1]
        expect("the number of runs", len(told), len(run.others["engines"]))
        for record in told:
            if record["outcome"] == "complete":
                expect(f"the count of {record['engine']}", int(record["count"]), truth.counts().count)


def cluster_run(puzzle, truth, run):
    """A count by two processes of a cluster."""
    result = _ended(jigsat.count(puzzle, cluster="local:2", time_limit=SECONDS, **_typed(run.options)))
    _judge(truth, result, _typed(run.options), {})


WHATS = {
    "engine": engine_run,
    "ledger": ledger_run,
    "public": public_run,
    "region": region_run,
    "estimate": estimate_run,
    "check": check_run,
    "files": files_run,
    "certificate": certificate_run,
    "list": list_run,
    "book": book_run,
    "studio": studio_run,
    "jobs": jobs_run,
    "cluster": cluster_run,
}
