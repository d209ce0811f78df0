"""How long engines take on this machine: the nodes a second of each kernel, and regressions for all other engines.

The bundled rates of kernels were measured on one processor.  Searches that run long enough record their rate in a file
in the user's cache folder, and later predictions use the recorded rates.  They are discarded when the processor or the
version of Numba changes.

The times of solvers and the scores of beams and dives are regressions on features of a puzzle, whose coefficients
`research/fit_times.py` fits.  The decimal logarithm of the seconds is a linear function of the features with normally
distributed errors.  Runs that were ended by a limit count as longer than the limit (a censored regression, Tobin 1958).
"""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import chain
from math import hypot, log10, sqrt
from pathlib import Path
from statistics import median
from typing import Any

from ...csp.base.errors import InstanceError, JigsatError
from ...csp.base.safe_files import replacing
from ...csp.engines.result import Result
from ...csp.puzzles.board import DOWN, LEFT
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import checked_frame_slips, checked_slips
from ...csp.puzzles.symmetry import color_indices
from ..effort.asked import SlipSpec
from ..owen.complexity import Complexity
from ..owen.rounding import log10_fraction
from .way import Spread, lognormal

#: Nodes a second by engine and method, on one core of an Intel Xeon (family 6, model 167, 2.6 GHz);
#: `tests/benchmarks/rates.py` measures them.  Most puzzles are within a factor of 1.5 of these rates, a few within 1.8.
RATES = {
    "backtrack staircase": 110e6,
    "backtrack any order": 105e6,
    "backtrack slips": 58e6,
    "backtrack frames": 165e6,
    "backtrack macros": 83e6,
    "backtrack blocks": 43e6,
    "backtrack halves": 1e9,
    "most-constrained most constrained square": 2.2e6,
    "beam beam search": 5.3e6,
    "dive dives with restarts": 35e6,
}
#: Nodes a second for each multiprocessor of a GPU, an NVIDIA H200; `tests/benchmarks/gpu_counting.py` and `gpu_beam.py`
#: measure them.
GPU_RATES = {"backtrack": 57e6, "beam": 2e6}
#: Seconds to compile the kernels for a GPU, which every process does.
FOR_GPU = 7.0
#: Kernels whose rates count units of predicted cost instead of nodes, so that no search can measure them.
BY_COST = frozenset({"backtrack frames", "backtrack halves"})
# The speedup for each thread of a search.
_A_THREAD = 0.95
# The rates that are recorded.
_NOTED = RATES.keys() - BY_COST
# With more colours, tables indexed by two colours are too large for the few pieces that fit.
_MOST_COLORS = 64
# Shorter searches are too short to measure their speed.
_LONG_ENOUGH, _ENOUGH_NODES = 0.25, 5_000_000
# The weight of a new measurement against the earlier ones.
_WEIGHT = 0.5
#: The bundled coefficients.
PATH = Path(__file__).parent / "times.json"
# The largest distance of a feature from the mean of the runs, in standard deviations, and of a time beyond the longest
# run, in powers of ten.
_FARTHEST, _FARTHEST_BEYOND = 2.5, 3.0
# The deviation added for each power of ten beyond the longest run; the decimal logarithm of the shortest time.
_GROWTH, _SHORTEST = 0.25, -3.0


def kernel_of(puzzle: EdgeMatchingPuzzle, order: Order, *, slips: SlipSpec, frame_slips: SlipSpec = None) -> str:
    """The name in `RATES` of the kernel that searches along an order; for very many colours it is approximate."""
    if checked_slips(puzzle, slips) or checked_frame_slips(puzzle, frame_slips):
        return "backtrack slips"
    if len(color_indices(puzzle, chain.from_iterable(puzzle.pieces))) > _MOST_COLORS:
        return "backtrack any order"
    fixed = {fixed.square for fixed in puzzle.fixed}
    seen: set[int] = set()
    for square in order:
        if square in fixed:
            continue
        known = {join.side for join in puzzle.board.joins_of(square) if join.second in seen}
        if not known <= {DOWN, LEFT}:
            return "backtrack any order"
        seen.add(square)
    return "backtrack staircase"


def rate(kernel: str, *, bundled: bool = False) -> float:
    """Nodes a second: the recorded rate of this machine, or the bundled rate times the relative speed of this machine.

    With `bundled`, only the bundled rates are used, which never change.
    """
    known = {} if bundled else noted()
    return known[kernel] if kernel in known else RATES[kernel] * machine(bundled=bundled)


def on_gpu(engine: str, device: str) -> float:
    """Nodes a second of an engine on a GPU of this machine; raises JigsatError if it is not there."""
    from ...csp.search.gpu import find_gpu

    return GPU_RATES[engine] * find_gpu(device).multiprocessors


def of_threads(threads: int) -> float:
    """The speed of a search on several threads, relative to that on one."""
    return 1.0 if threads == 1 else _A_THREAD * threads


def machine(*, bundled: bool = False) -> float:
    """The speed of this machine relative to that of the bundled rates; 1 without recorded rates."""
    known = {} if bundled else noted()
    return median([known[name] / RATES[name] for name in known if name in RATES] or [1.0])


def on_this_machine(seconds: Spread | None, *, bundled: bool = False) -> Spread | None:
    """Convert a time on the machine of the bundled rates to this machine."""
    return None if seconds is None else seconds.times(-log10(machine(bundled=bundled)))


def note(result: Result[Any]) -> None:
    """Record the rate of a finished search if it measures the speed of one thread of its kernel."""
    kernel = f"{result.engine} {result.method}"
    # Processor time, so that other processes on the machine do not count.
    searching = min(result.seconds, result.cpu_seconds) - result.build_seconds
    if (
        kernel not in _NOTED
        or result.threads != 1
        or "device" in result.options
        or searching < _LONG_ENOUGH
        or result.nodes_now < _ENOUGH_NODES
    ):
        return
    now, known = result.nodes_now / searching, dict(noted())
    known[kernel] = known[kernel] ** (1 - _WEIGHT) * now**_WEIGHT if kernel in known else now
    # If the file cannot be written, the next search measures again.
    with suppress(OSError, JigsatError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        with replacing(_file()) as file:
            json.dump({"machine": _machine(), "rates": {name: round(value) for name, value in known.items()}}, file)
        noted.cache_clear()


@cache
def noted() -> Mapping[str, float]:
    """The recorded rates of this machine."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads(_file().read_text(encoding="utf-8"))
        if kept["machine"] == _machine():
            rates = {str(name): float(value) for name, value in kept["rates"].items() if float(value) > 0}
            return {name: value for name, value in rates.items() if name in _NOTED}
    return {}


def _file() -> Path:
    """The file of recorded rates."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(folder) / "jigsat" / "rates.json"


@cache
def _machine() -> str:
    """The processor and the version of Numba, on which the speed of kernels depends."""
    return f"{_processor()}, Numba {version('numba')}"


def _processor() -> str:
    """The name of the processor, as far as the system reports it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


@dataclass(frozen=True)
class ScoreFit:
    """The regression for the scores of an engine."""

    #: The engine's name.
    engine: str
    #: The coefficients of `score_features` for the number of invalid joins.
    weights: tuple[float, ...]
    #: The decimal logarithm of the fewest expected solutions of a puzzle in the fit.
    fewest_solutions: float
    #: The standard deviation of the errors.
    deviation: float
    #: The number of runs in the fit.
    runs: int

    def score(self, model: Complexity, seconds: float) -> float | None:
        """The expected score after `seconds` seconds of one thread.

        None for a puzzle with fewer expected solutions than all those of the fit: it has colours that are too rare.
        """
        given = score_features(model, seconds)
        if given[2] < self.fewest_solutions:
            return None
        invalid = sum(weight * x for weight, x in zip(self.weights, given, strict=True))
        return model.puzzle.max_score - max(invalid, 0.0)


def score_features(model: Complexity, seconds: float) -> tuple[float, ...]:
    """The features of the regression, all but the first as decimal logarithms.

    They are the nodes of a search row by row for each expected solution, the expected solutions if they are fewer than
    one, and the time.
    """
    searched = model.estimate("rowscan", symmetry=True)
    nodes, solutions = log10_fraction(searched.nodes + 1), log10_fraction(searched.solutions)
    return 1.0, nodes - max(solutions, 0.0), min(solutions, 0.0), log10(max(seconds, 0.1))


@dataclass(frozen=True)
class SolverFit:
    """The regression for an engine, a kind of puzzle and a goal."""

    #: The engine, the kind of puzzle, and the goal.
    engine: str
    kind: str
    goal: str
    #: The mean and the standard deviation of each feature over the runs; a constant feature has scale 0.
    center: tuple[float, ...]
    scale: tuple[float, ...]
    #: The intercept and the coefficients of the standardised features for the decimal logarithm of the seconds.
    weights: tuple[float, ...]
    #: The standard deviation of the errors.
    deviation: float
    #: The number of runs in the fit, and the number of those that reached their goal.
    runs: int
    ended: int
    #: The seconds of the longest run.
    longest: float
    #: The median of the runs' peak memory in MiB.
    memory: float

    def seconds(self, features: Sequence[float]) -> Spread | None:
        """The predicted seconds; None if the puzzle is too different from those of the runs.

        The interval widens with that difference.  There is no prediction either for times a thousand times as long as
        the longest run.
        """
        at = [(x - c) / s if s else 0.0 for x, c, s in zip(features, self.center, self.scale, strict=True)]
        median = self.weights[0] + sum(weight * x for weight, x in zip(self.weights[1:], at, strict=True))
        beyond = max(median - log10(self.longest), 0.0)
        if max(map(abs, at)) > _FARTHEST or beyond > _FARTHEST_BEYOND:
            return None
        # Errors in the weights count more for puzzles far from the mean.
        distance = sum(x * x for x in at) / max(self.ended, 1)
        return lognormal(max(median, _SHORTEST), hypot(self.deviation * sqrt(1 + distance), _GROWTH * beyond))


@dataclass(frozen=True)
class Times:
    """All fitted coefficients."""

    #: The command that makes the file, and the processor on which it ran.
    command: str
    processor: str
    #: The number of runs in all fits.
    runs: int
    #: The standard deviation of the decimal logarithm of a search's nodes around the model's prediction.
    nodes_deviation: float
    #: How much solutions cluster, see `spread.until_found`.
    clustering: float
    #: A fit for each engine, kind and goal; a fit for each engine that maximises scores without proofs.
    fits: tuple[SolverFit, ...]
    scores: tuple[ScoreFit, ...]

    def fit(self, engine: str, kind: str, goal: str) -> SolverFit | None:
        """The fit for an engine, or for one of its family with another solver; None if there is no fit."""
        goal = "count" if goal == "all" else goal
        family = engine.partition(":")[0]
        alike = [fit for fit in self.fits if (fit.kind, fit.goal) == (kind, goal)]
        exact = [fit for fit in alike if fit.engine == engine]
        of_family = [fit for fit in alike if fit.engine.partition(":")[0] == family]
        return next(iter(exact or of_family), None)


@cache
def load_times(path: Path = PATH) -> Times:
    """Read the coefficients of a file, by default the bundled ones.

    Raises InstanceError if the file cannot be read or has other content.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        fits = tuple(SolverFit(**_tuples(fit)) for fit in content.pop("fits"))
        scores = tuple(ScoreFit(**_tuples(fit)) for fit in content.pop("scores"))
        return Times(**content, fits=fits, scores=scores)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InstanceError(f"{path}: is not a file of fitted times: {error}") from error


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def dissection_features(puzzle: DissectionPuzzle) -> tuple[float, ...]:
    """The features of the regression for a dissection."""
    return log10(len(puzzle.pieces)), float(puzzle.motions == "any")


def square_features(puzzle: EdgeMatchingPuzzle, expected: Mapping[str, float] | None) -> tuple[float, ...]:
    """The features of the regression for a puzzle of squares.

    `expected` has decimal logarithms: the ``nodes`` of the whole tree along the cheapest named order, and the
    ``effort`` until the goal is reached; None without a prediction.
    """
    nodes, effort = (0.0, 0.0) if expected is None else (expected["nodes"], expected["effort"])
    squares = log10(len(puzzle.board))
    return (
        nodes,
        nodes**2 / 10,
        effort,
        squares,
        squares**2,
        log10(1 + len(puzzle.inner_sides())),
        len(puzzle.fixed) / len(puzzle.board),
        log10(max(puzzle.rows, puzzle.columns) / min(puzzle.rows, puzzle.columns)),
    )
