"""An experiment as a list of runs, each identified by a fingerprint, and the predicted times of runs."""

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Any

from ...csp.base.errors import EngineError, JigsatError, OrderError, misspelt
from ...csp.base.notebook import Brief
from ...csp.engines.engine import able_engine, find_engine
from ...csp.engines.registry import engine_names
from ...csp.engines.request import SLIPS, Goal, Limits, Options, about_options
from ...csp.files.instances import Puzzle, fingerprint
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, named_order
from ...csp.puzzles.slips import checked_frame_slips, checked_slips, number_to_find
from ...csp.work.run import Portion
from ..effort.search_effort import MOST_PREDICTED
from ..owen.best_slips import first_slips
from ..ways.times import Way, rate
from ..ways.ways import ways_to
from .families import facts_of, make_puzzle, sources
from .files import DEFAULT, Experiment, Part

# Seconds for a process to start, load its kernels, and end.
_OVERHEAD = 1.5
# An engine without a prediction is assumed to need this part of its time limit.
_UNKNOWN = 0.5


@dataclass(frozen=True, repr=False)
class PlannedRun(Brief):
    """One run of an experiment."""

    #: Names of the experiment, its part, and the family of puzzles.
    experiment: str
    part: str
    family: str
    #: The source of the puzzle, and the folder at which relative paths start.
    recipe: Mapping[str, Any]
    folder: Path
    #: The puzzle's name, its kind, its fingerprint, and its size, colours and clues.
    instance: str
    kind: str
    sha256: str
    facts: Mapping[str, int]
    #: The engine and its options by name: ``order``, ``slips``, ``encoding``, ``symmetry``, ``motions``, ``threads``,
    #: ``seed``, and others that are given.
    engine: str
    options: Mapping[str, Any]
    #: The goal, and the limits: ``seconds``, ``memory_mib``, ``nodes``, ``depth``, ``predicted_nodes``.
    goal: str
    limits: Mapping[str, Any]
    #: The number of the repetition, from 1.
    repetition: int
    #: In a queue: the processor seconds after which the run is given up for now; otherwise None.
    patience: float | None = None
    #: What an earlier attempt has left, from which this one continues: ``seconds``, ``place``, ``version``.
    begun: Mapping[str, Any] | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all that determines the result: the puzzle, engine, options, goal, limits, and all versions."""
        essence = {
            "sha256": self.sha256,
            "engine": self.engine,
            "options": dict(self.options),
            "goal": self.goal,
            "limits": dict(self.limits),
            "repetition": self.repetition,
            "versions": versions(self.kind, self.engine),
        }
        return hashlib.sha256(json.dumps(essence, sort_keys=True).encode()).hexdigest()

    @property
    def threads(self) -> int:
        return self.options["threads"]


@cache
def versions(kind: str, engine: str) -> dict[str, str]:
    """The versions of the program and the libraries that the results of an engine depend on."""
    names = engine_names(kind) if engine == DEFAULT else [engine]
    libraries = sorted({library for name in names for library in find_engine(name, kind=kind).libraries})
    return {"jigsat": version("jigsat"), "python": platform.python_version(), **{n: version(n) for n in libraries}}


def plan(experiment: Experiment) -> list[PlannedRun]:
    """All runs of an experiment, ordered by repetition, then puzzle, then engine.  No run is planned twice.

    Raises JigsatError if a puzzle, an engine or an option is invalid; the message names the part and the entry.
    """
    runs: dict[str, PlannedRun] = {}
    for part in experiment.parts:
        for run in _runs_of(experiment, part):
            runs.setdefault(run.fingerprint, run)
    return list(runs.values())


def sampled(runs: Sequence[PlannedRun], puzzles: int) -> list[PlannedRun]:
    """All runs on that number of puzzles, the same share of each part; a larger sample contains the smaller ones."""
    parts: dict[str, dict[str, None]] = {}
    # The order by fingerprint is as good as random: neighbours in the plan are similar.
    for run in sorted(runs, key=lambda run: run.sha256):
        parts.setdefault(run.part, {})[run.sha256] = None
    places = {
        (part, sha256): ((rank + 0.5) / len(of_part), sha256)
        for part, of_part in parts.items()
        for rank, sha256 in enumerate(of_part)
    }
    drawn = set(sorted(places, key=lambda key: places[key])[:puzzles])
    return [run for run in runs if (run.part, run.sha256) in drawn]


def in_portion(runs: Sequence[PlannedRun], portion: Portion) -> list[PlannedRun]:
    """The runs of one process of several that share an experiment.

    All runs on a puzzle are in the same portion, so that the times of the engines come from the same machine.  The
    portions have the same number of puzzles, or differ by one.
    """
    puzzles = sorted({run.sha256 for run in runs})
    mine = {sha256 for number, sha256 in enumerate(puzzles) if number in portion}
    return [run for run in runs if run.sha256 in mine]


def _runs_of(experiment: Experiment, part: Part) -> Iterator[PlannedRun]:
    engines = [(i, e.engine, o) for i, e in enumerate(part.engines, start=1) for o in e.combinations()]
    limits = part.limits.model_dump()
    once: list[PlannedRun] = []
    for recipe, family, puzzle in _puzzles(experiment, part):
        sha256, facts = fingerprint(puzzle), facts_of(puzzle)
        for number, name, options in engines:
            engine = _engine_for(puzzle, name, options, part, number)
            run = PlannedRun(
                experiment.name, part.name, family, recipe, experiment.folder, puzzle.name, puzzle.kind,
                sha256, facts, engine, options, part.goal.value, limits, 1,
            )  # fmt: skip
            once.append(run)
    for repetition in range(1, part.repetitions + 1):
        yield from (replace(run, repetition=repetition) for run in once)


def _puzzles(experiment: Experiment, part: Part) -> Iterator[tuple[Mapping[str, Any], str, Puzzle]]:
    for number, entry in enumerate(part.instances, start=1):
        place = ""
        try:
            for source in sources(entry, experiment.folder):
                place = f"{source.place}: " if source.place else ""
                yield source.recipe, source.family, make_puzzle(source.recipe, experiment.folder)
        except JigsatError as error:
            raise type(error)(f"{part.place}, instance {number}: {place}{error}") from error


def options_of(run: Mapping[str, Any]) -> tuple[Options, dict[str, Any]]:
    """The options of a run in the form of engines, and those that only engines of other packages have.

    An order that has to be searched for is not found yet.
    """
    known = about_options(Options).keys()
    own = {name: value for name, value in run.items() if name not in known and name != "motions"}
    return Options(**{name: value for name, value in run.items() if name in known}), own


def _engine_for(puzzle: Puzzle, name: str, chosen: Mapping[str, Any], part: Part, number: int) -> str:
    """The full name of an engine; raises JigsatError if it cannot do the run, before any run is made."""
    bounds = part.limits
    try:
        _refuse_options_of_others(puzzle, {**chosen, **bounds.model_dump()})
        if isinstance(puzzle, EdgeMatchingPuzzle):
            _refuse_invalid_options(puzzle, chosen, part)
        if name == DEFAULT:
            # The plan chooses them, or not all engines have them.
            given = {**chosen, **bounds.model_dump(include={"nodes", "depth", "predicted_nodes"})}
            for option, value in given.items():
                if value is not None and option not in ("symmetry", "motions", "threads", "seed", *SLIPS):
                    raise EngineError(f"{option}: the engine {DEFAULT} runs without it; name an engine that has it")
            return name
        nodes = None if bounds.nodes is None else int(bounds.nodes)
        limits = Limits(nodes=nodes, depth=bounds.depth if bounds.predicted_nodes is None else 0)
        options, own = options_of(chosen)
        engine = able_engine(puzzle, name, part.goal, limits, options)
        if lacking := own.keys() - engine.options.keys():
            raise EngineError(f"{min(lacking)}: the engine {engine.name} has no such option")
        return engine.name
    except JigsatError as error:
        raise type(error)(f"{part.place}, engine {number}, on {puzzle.name}: {error}") from error


def _refuse_options_of_others(puzzle: Puzzle, given: Mapping[str, Any]) -> None:
    """Refuse options and limits that only puzzles of other kinds have."""
    if puzzle.kind == "dissection":
        names, why = ("order", *SLIPS, "depth", "predicted_nodes"), "it is for puzzles of squares, not for dissections"
    else:
        names, why = ("motions",), "they are for dissections, not for puzzles of squares"
    for name in names:
        if given.get(name) is not None:
            raise EngineError(f"{name}: {why}")


def _refuse_invalid_options(puzzle: EdgeMatchingPuzzle, chosen: Mapping[str, Any], part: Part) -> None:
    """Refuse options for squares that are invalid or exclude each other."""
    order, nodes = chosen["order"], part.limits.predicted_nodes
    if order not in (None, "best"):
        if order.partition(":")[0] not in NAMED_ORDERS:
            # The contents of an order file can change, and the record would not show it.
            names = f"{', '.join(NAMED_ORDERS)}, rowscan2:ROWS or best"
            raise OrderError(f"unknown search order {misspelt(order, NAMED_ORDERS)}, choose from {names}")
        named_order(puzzle, order)
    number = number_to_find(chosen["slips"])
    checked_slips(puzzle, chosen["slips"] if number is None else first_slips(puzzle, number))
    checked_frame_slips(puzzle, chosen.get("frame_slips"))
    if nodes is None:
        return
    unpredicted = {
        "a method of counting": chosen.get("method") is not None,
        "the goal best": part.goal is Goal.BEST,
        f"boards of more than {MOST_PREDICTED} squares": len(puzzle.board) > MOST_PREDICTED,
    }
    for what, is_so in unpredicted.items():
        if is_so:
            raise EngineError(f"limits predicted_nodes: there is no prediction for {what}")


def predicted_seconds(runs: Iterable[PlannedRun]) -> dict[str, float]:
    """The predicted seconds of each run, from the start of its process to its end, by its fingerprint."""
    ways: dict[str, Way] = {}
    return {run.fingerprint: _seconds(run, ways) for run in runs}


def _seconds(run: PlannedRun, ways: dict[str, Way]) -> float:
    """The predicted seconds of a run; `ways` keeps the predictions, as repetitions have the same."""
    limit = run.limits["seconds"]
    if run.engine != DEFAULT and not find_engine(run.engine, kind=run.kind).proves:
        # Engines that prove nothing use all of their time.
        return limit + _OVERHEAD
    key = replace(run, repetition=1).fingerprint
    if key not in ways:
        ways[key] = way_of(run)
    way = ways[key]
    if way.races:
        return limit + _OVERHEAD
    bounds = [run.limits[name] for name in ("nodes", "predicted_nodes") if run.limits[name] is not None]
    bound = min(bounds, default=inf) / rate("backtrack any order", bundled=True)
    # The preparation of the search is part of the overhead.
    usual = _UNKNOWN * limit if way.search is None else way.search.at_median
    return min(usual, bound, limit) + _OVERHEAD


def way_of(run: PlannedRun) -> Way:
    """The prediction for a run without limits."""
    puzzle, (options, _), goal = make_puzzle(run.recipe, run.folder), options_of(run.options), Goal(run.goal)
    if isinstance(puzzle, DissectionPuzzle):
        puzzle = puzzle.with_motions(run.options["motions"])
    else:
        # To find the best order or the best slips takes too long for hundreds of runs.
        order, number = options.order, number_to_find(options.slips)
        slips = options.slips if number is None else first_slips(puzzle, number)
        options = replace(options, order=None if order == "best" else order, slips=slips)
    return ways_to(puzzle, goal, Limits(), options, None if run.engine == DEFAULT else run.engine)[0]
