"""What experiments taught: how long each engine took on puzzles of many kinds, and which to take for another one.

A *lesson* is a puzzle that several engines were given, with what they took.  A new puzzle is compared with those that
are nearest in kind, goal, size and predicted effort, and the engine that did best on these is taken (the portfolio
approach of algorithm selection: Rice 1976; by nearest neighbours, as in ISAC and 3S).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import log10
from pathlib import Path
from statistics import fmean

from ...csp.base.errors import EngineError, InstanceError
from ...csp.base.safe_files import replacing
from ...csp.engines.installed import engine_names
from ...csp.engines.registry import able_engine, default_engine, follows_order
from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.bundled import BUNDLED
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.symmetry import symmetries
from ..owen.rounding import log10_of
from .prediction import Prediction, log_effort, predict

#: How many of the nearest puzzles are looked at.
NEIGHBOURS = 9
PATH = BUNDLED / "experiments" / "lessons.jsonl"


@dataclass(frozen=True)
class Lesson:
    """A puzzle, and the seconds that each engine took for it.

    Parameters
    ----------
    kind, goal
        What was asked of which kind of puzzle.
    pieces
        How many pieces it has.
    log_effort
        The decimal logarithm of the predicted effort; None where there is no prediction.
    limit
        The time limit in seconds.
    seconds
        By engine; None for one that did not do it within the limits.
    """

    kind: str
    goal: str
    pieces: int
    log_effort: float | None
    limit: float
    seconds: Mapping[str, float | None]


@dataclass(frozen=True)
class Record:
    """How an engine did on some puzzles: how many it was given and did, and PAR-2 in seconds."""

    engine: str
    given: int
    done: int
    par2: float


@dataclass(frozen=True)
class Advice:
    """An engine to take, the order for it if it has one, and why, in a line."""

    engine: str
    order: str | None
    why: str


def save_lessons(lessons: Iterable[Lesson], path: str | Path) -> None:
    """Write lessons, one a line."""
    with replacing(path) as file:
        for lesson in lessons:
            print(json.dumps(asdict(lesson)), file=file)


@cache
def load_lessons(path: Path = PATH) -> tuple[Lesson, ...]:
    """The lessons of a file, the bundled ones if it is left out; none if there is no file.

    Raises
    ------
    InstanceError
        If it cannot be read or holds something else.
    """
    try:
        return tuple(Lesson(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError) as error:
        raise InstanceError(f"{path}: holds no lessons: {error}") from error


def nearest(lessons: Iterable[Lesson], kind: str, goal: str, pieces: int, log_effort: float | None) -> list[Lesson]:
    """The puzzles that are nearest in predicted effort (in powers of ten) and size (in doublings)."""

    def distance(lesson: Lesson) -> float:
        apart = abs(log10(lesson.pieces / pieces)) / log10(2)
        if log_effort is not None and lesson.log_effort is not None:
            apart += abs(lesson.log_effort - log_effort)
        return apart

    of_kind = [lesson for lesson in lessons if lesson.kind == kind]
    # Who is quick at one goal is likely to be so at another.
    alike = [lesson for lesson in of_kind if lesson.goal == goal] or of_kind
    return sorted(alike, key=distance)[:NEIGHBOURS]


def standings(lessons: Sequence[Lesson]) -> list[Record]:
    """How the engines did on those puzzles, the least PAR-2 (twice the limit for what was not done) first."""
    engines = dict.fromkeys(engine for lesson in lessons for engine in lesson.seconds)
    found = []
    for engine in engines:
        given = [lesson for lesson in lessons if engine in lesson.seconds]
        took = [(lesson.seconds[engine], lesson.limit) for lesson in given]
        done = [seconds for seconds, _ in took if seconds is not None]
        found.append(Record(engine, len(given), len(done), fmean(2 * limit if s is None else s for s, limit in took)))
    return sorted(found, key=lambda record: record.par2)


def advice(puzzle: Puzzle, goal: Goal, limits: Limits, options: Options) -> Advice:
    """The engine to take for a puzzle, of those that can do what is asked, with a search order if none is given.

    Raises
    ------
    EngineError
        If an order or a slip array is given that is none.
    """
    prediction, effort = None, None
    if not isinstance(puzzle, DissectionPuzzle) and goal is not Goal.BEST:
        prediction = predict(puzzle, options, follows=False)
        effort = None if prediction is None else predicted_effort(puzzle, goal, prediction, symmetry=options.symmetry)
    near = nearest(load_lessons(), puzzle.kind, goal.value, len(puzzle.pieces), effort)
    records = standings(near)
    able = [record for record in records if _can(puzzle, record.engine, goal, limits, options)]
    tried = [record for record in able if record.done]
    if not tried:
        return _untaught(puzzle, goal, limits, options, prediction)
    engine = tried[0].engine
    only = "" if len(able) == len(records) else "of the engines that can do what is asked, "
    return Advice(engine, _order_for(engine, options, prediction), only + _why(tried, near, prediction))


def predicted_effort(
    puzzle: EdgeMatchingPuzzle, goal: Goal, prediction: Prediction, *, symmetry: bool = True
) -> float | None:
    """The decimal logarithm of the effort that the prediction says the goal takes, as lessons have it.

    A puzzle that somebody wants solved is taken to have a solution, as those of the lessons do.
    """
    nodes, solutions = prediction.summary["nodes"], prediction.summary["solutions"]
    orbit = symmetries(puzzle).product
    factor, planted = (orbit, 1) if symmetry else (1, orbit)
    return log_effort(goal.value, log10_of(nodes), log10_of(solutions), factor, planted)


def _can(puzzle: Puzzle, name: str, goal: Goal, limits: Limits, options: Options) -> bool:
    """Whether an engine can do what is asked."""
    try:
        able_engine(puzzle.kind, name, goal, limits, options)
    except EngineError:
        return False
    if isinstance(puzzle, DissectionPuzzle):
        return name == "backtrack" or puzzle.motions is Motions.LATTICE
    # Who gives an order means the search along it, if that can do the rest.
    return name == "backtrack" or options.order is None or not _can(puzzle, "backtrack", goal, limits, options)


def _order_for(engine: str, options: Options, prediction: Prediction | None) -> str | None:
    """The search order for an engine that has one, unless one is given."""
    if not follows_order(engine) or prediction is None or options.order is not None:
        return None
    return prediction.order_name


def _untaught(puzzle: Puzzle, goal: Goal, limits: Limits, options: Options, prediction: Prediction | None) -> Advice:
    """What to take where no engine did anything alike: the default, if it can, or the first one that can."""
    default = "backtrack"
    if not isinstance(puzzle, DissectionPuzzle):
        default = default_engine(puzzle, goal, limits, options)
    names = [default, "sat:cadical195", "cpsat", *engine_names(tilings=isinstance(puzzle, DissectionPuzzle))]
    engine = next((name for name in names if _can(puzzle, name, goal, limits, options)), default)
    why = f"no engine did anything like it in the experiments{_expected(prediction)}"
    return Advice(engine, _order_for(engine, options, prediction), why)


def _expected(prediction: Prediction | None) -> str:
    if prediction is None:
        return ""
    digits, _, exponent = prediction.summary["nodes"].partition("e")
    return f"; {digits[:4]}e{exponent} nodes are expected in the whole tree"


def _why(tried: Sequence[Record], near: Sequence[Lesson], prediction: Prediction | None) -> str:
    """The reason, in a line: how the engines did on the puzzles that are nearest."""

    def told(record: Record) -> str:
        did = f"{record.done} of {record.given}"
        return f"{record.engine} did {did}, PAR-2 {record.par2:.2g} s"

    others = f" ({'; '.join(told(record) for record in tried[1:3])})" if len(tried) > 1 else ""
    return f"on the {len(near)} nearest puzzles of the experiments {told(tried[0])}{others}{_expected(prediction)}"
