"""Counts a second time, in a way that shares neither method nor kernel with the first, and compares.

A way is a witness of another if they have no method in common: neither kernel, nor solver, nor model.  Both may use the
same aids, such as the tables of pieces in their rotations; a record names those.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...csp.base.errors import EngineError, UsageError, ending, grouped
from ...csp.base.stop import Report, Stop, StoppedError, enforced, stoppable
from ...csp.engines.request import CLUSTER, Goal, Options, given_slips, in_parts
from ...csp.engines.result import Result, counted_by
from ...csp.files.instances import Puzzle
from ..ways.times import Way
from ..ways.ways import ways_to
from .job import Job, JobPlan

_ROTATIONS, _SYMMETRIES, _JOINS = "pieces in their rotations", "symmetries of the board", "which sides match"
_TALLY, _RUN = "numbers of arrangements of a picture", "the run along an order"
_PARTS, _PLACEMENTS, _TILINGS = "the sum of parts", "placements on the lattice", "numbers of tilings of a class"
_ALONG, _DOMAINS, _CNF = "search along an order", "domains of models", "formulas"


@dataclass(frozen=True)
class Code:
    """What a way to a count is made of."""

    #: Its methods, kernels, solvers and models.
    methods: set[str]
    #: What else of jigsat it uses, apart from reading the puzzle.
    aids: set[str]
    #: Whether a program of others does the counting.
    outside: bool = False


_NATIVE, _MODEL = {_ROTATIONS, _SYMMETRIES, _PARTS}, {_ROTATIONS, _SYMMETRIES}

#: The ways for puzzles of squares, by engine or, for the backtracker, by method.
OF_SQUARES = {
    # Parts are added up only on several threads, with a ledger, or on a cluster.
    "plain": Code({_ALONG}, {*_MODEL, _TALLY, _RUN}),
    "frames": Code({"frames and insides"}, _NATIVE),
    "macros": Code({"half-rows"}, {*_NATIVE, _JOINS}),
    "middle": Code({"half-rows", "middle rows"}, {*_NATIVE, _JOINS}),
    "blocks": Code({"2x2 blocks"}, {*_NATIVE, _JOINS}),
    "halves": Code({"halves of regions"}, _NATIVE),
    "most-constrained": Code({"search by fewest candidates"}, {_ROTATIONS, _SYMMETRIES, _TALLY, _RUN}),
    "balanced": Code({"CP-SAT", "balanced rotations", _ALONG}, {*_MODEL, _TALLY, _RUN}),
    "cpsat": Code({"CP-SAT", _DOMAINS}, {*_MODEL, _TALLY}, outside=True),
    "sat": Code({"SAT solvers", _DOMAINS, _CNF}, {*_MODEL, _TALLY}, outside=True),
    "ganak": Code({"Ganak", _DOMAINS, _CNF}, _MODEL, outside=True),
}

#: The same for dissections; for the backtracker by motions.
OF_DISSECTIONS = {
    "any": Code({"search with any motions"}, {_TILINGS}),
    "lattice": Code({"search on the lattice"}, {_PLACEMENTS, _TILINGS}),
    "cpsat": Code({"CP-SAT", _DOMAINS}, {_PLACEMENTS, _TILINGS}, outside=True),
    "sat": Code({"SAT solvers", _DOMAINS, _CNF}, {_PLACEMENTS, _TILINGS}, outside=True),
    "ganak": Code({"Ganak", _DOMAINS, _CNF}, {_PLACEMENTS}, outside=True),
}


def code_of(puzzle: Puzzle, way: Way) -> Code | None:
    """The code of a way to a count; None if it is not known, as for engines of other packages."""
    table = {"dissection": OF_DISSECTIONS}.get(puzzle.kind, OF_SQUARES)

    def key(engine: str, method: str | None) -> str:
        family = engine.partition(":")[0]
        return family if family != "backtrack" else str(getattr(puzzle, "motions", method or "plain"))

    several = [(member.engine, member.options.get("method")) for member in way.members]
    if way.engine.partition(":")[0] == "portfolio" and not several:
        return None
    found = [table.get(key(*one)) for one in several or [(way.engine, way.plan.options.method)]]
    known = [code for code in found if code is not None]
    if len(known) < len(found):
        return None
    added_up = table is OF_SQUARES and way.engine == "backtrack" and in_parts(way.plan.options)
    methods, aids = set[str](), {_PARTS} if added_up else set[str]()
    for code in known:
        methods, aids = methods | code.methods, aids | code.aids
    return Code(methods, aids, all(code.outside for code in known))


#: Options that belong to the first count only.
_OF_THE_FIRST = ("encoding", "proof", "method", "ledger", "part", *CLUSTER, "device", "width", "seed", "predicted",
                 "cut", "halves", "prepared")  # fmt: skip
#: A program of others is preferred if it is predicted to take at most this number of seconds, or this many times as
#: long as the shortest way.  To the prediction this number of seconds is added for each solution, which it has to find.
_AFFORDABLE, _TIMES, _A_SOLUTION = 60.0, 10.0, 0.001
#: Without a prediction, it is tried if another way takes less than this number of seconds, and there are at most this
#: number of solutions.
_SHORT, _FEW = 1.0, 10_000
#: What the record says of the second count.
_KEYS = (
    "same", "reason", "engine", "method", "complete", "count", "canonical_count", "ended_by", "seconds", "cpu_seconds",
    "options", "shares",
)  # fmt: skip


def difference(result: Result[Any]) -> str:
    """Two counts that are not the same, in a line."""
    second = result.verified or {}
    first = _numbers(result.engine, result.method, result.count, result.canonical_count)
    other = _numbers(second["engine"], second["method"], second["count"], second["canonical_count"])
    return f"DIFFERENT COUNTS: {first}, but {other}; one of them is wrong, please report it"


def _numbers(engine: str, method: str, count: int | None, canonical: int | None) -> str:
    orbits = "" if canonical is None else f", {grouped(canonical)} up to symmetry"
    return f"{counted_by(engine, method)} counts {grouped(count or 0)}{orbits}"


def refuse_unverifiable(nodes: int | None, depth: int | None) -> None:
    """Raise UsageError if limits of nodes or depth are given: such counts cannot be verified."""
    if nodes is not None:
        raise UsageError("only a complete count can be verified; use a time limit", "verify", "node_limit")
    if depth is not None:
        raise UsageError("only a count of full boards can be verified", "verify", "depth_limit")


def count_twice(plan: JobPlan, report: Report | None = None) -> Result[Any]:
    """Count as planned, count a second time, and add the comparison to the result as `verified`.

    The time limit is for both counts together.  The second count uses no ledger and no cluster.

    Raises UsageError if the plan has a limit of nodes or depth.
    """
    refuse_unverifiable(plan.job.limits.nodes, plan.job.limits.depth)
    clock = Stop()
    first = plan.run(report)
    if not first.complete:
        return replace(first, verified=_unverified("the first count is not complete"))
    started = time.perf_counter() - plan.spent - clock.used
    with stoppable(plan.job.limits.seconds, report=report, started=started) as stop:
        try:
            with enforced(stop, "planning the second count"):
                witnesses = _witnesses(plan, first, stop.seconds_left)
        except StoppedError:
            return replace(first, verified=_unverified(ending(stop.ended_by), stop.ended_by))
        for witness in witnesses:
            job = _job(plan, witness.way)
            try:
                second = job.run(report, must_stop=lambda: stop.interrupted, started=started)
            except EngineError:  # some ways turn out not to apply only when their tables are made
                continue
            return replace(first, verified=_compared(first, second, witness.shares))
    why = "there is no way that shares neither method nor kernel with the first"
    return replace(first, verified=_unverified(why))


def _unverified(why: str, ended_by: str | None = None) -> Mapping[str, Any]:
    return dict.fromkeys(_KEYS) | {"reason": why, "ended_by": ended_by}


def _compared(first: Result[Any], second: Result[Any], shares: Sequence[str]) -> Mapping[str, Any]:
    """The second count for the record: whether it is the same, None if it is not complete."""
    pairs = [(first.count, second.count), (first.canonical_count, second.canonical_count)]
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    if second.complete:
        same = all(one == other for one, other in known)
    else:
        # Of an incomplete count it is known that there are at least as many.
        same = None if all(one >= other for one, other in known) else False
    told = {"same": same, "reason": None, "shares": list(shares)}
    return {name: told[name] if name in told else getattr(second, name) for name in _KEYS}


def _job(plan: JobPlan, way: Way) -> Job:
    """The second count as a job of its own."""
    chosen = way.plan.options
    options = replace(_options(plan), order=chosen.order, method=chosen.method, threads=chosen.threads)
    return Job(plan.puzzle, Goal.COUNT, way.engine, plan.job.limits, options)


def _options(plan: JobPlan) -> Options:
    """The options of both counts."""
    given = plan.options
    # Slips count along an order; otherwise the order is that of the first count only.
    order = given.order if given_slips(given) is not None else None
    defaults = Options()
    return replace(given, order=order, **{name: getattr(defaults, name) for name in _OF_THE_FIRST})


@dataclass(frozen=True)
class _Witness:
    """A way to the second count."""

    way: Way
    #: Whether a program of others does the counting.
    outside: bool
    #: The aids that it shares with the first count.
    shares: tuple[str, ...]

    def seconds(self, solutions: int) -> float:
        """The predicted seconds for this number of solutions; infinite without a prediction."""
        return self.way.expected + (_A_SOLUTION * solutions if self.outside else 0.0)


def _witnesses(plan: JobPlan, first: Result[Any], left: float | None) -> list[_Witness]:
    """The ways that can verify a count, the best one first: affordable programs of others, then by predicted time."""
    own = code_of(plan.puzzle, plan.ways[0])
    found = [] if own is None else list(_apart_from(own, plan))
    solutions = first.canonical_count or first.count or 0
    shortest = min((one.seconds(solutions) for one in found), default=0.0)
    most = max(_AFFORDABLE, _TIMES * shortest)
    most = most if left is None else min(most, left)

    def place(one: _Witness) -> tuple[bool, float]:
        unknown_but_short = one.way.time is None and shortest <= _SHORT and solutions <= _FEW
        affordable = one.seconds(solutions) <= most or unknown_but_short
        return not (one.outside and affordable), one.seconds(solutions)

    return sorted(found, key=place)


def _apart_from(own: Code, plan: JobPlan) -> Iterator[_Witness]:
    """The ways to the count that have no method in common with the first one."""
    options = _options(plan)
    for outside in (False, True):
        # Programs of others count on one thread.
        given = replace(options, threads=1) if outside else options
        for way in ways_to(plan.puzzle, Goal.COUNT, plan.job.limits, given, every=True):
            code = code_of(plan.puzzle, way) if way.refusal is None and not way.members else None
            if code is not None and code.outside is outside and not code.methods & own.methods:
                yield _Witness(way, outside, tuple(sorted(code.aids & own.aids)))
