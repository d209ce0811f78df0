"""A way to a goal, and how long it takes on this machine: a median and a 90 % interval.

The nodes a second of each kernel are known; all other engines have regressions.  The bundled rates of kernels were
measured on one processor.  Searches that run long enough record their rate in a file in the user's cache folder, and
later predictions use the recorded rates.  They are discarded when the processor or the version of Numba changes.

The times of solvers and the scores of beams and dives are regressions on features of a puzzle, whose coefficients
`research/fit_times.py` fits.  The decimal logarithm of the seconds is a linear function of the features with normally
distributed errors.  Runs that were ended by a limit count as longer than the limit (a censored regression, Tobin 1958).
"""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain
from math import erfc, hypot, inf, log, log10, sqrt
from pathlib import Path
from statistics import NormalDist, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.base.arrays import quantiles
from ...csp.base.errors import InstanceError, JigsatError
from ...csp.base.installed import version_of
from ...csp.base.notebook import Brief, short
from ...csp.base.safe_files import replacing
from ...csp.base.words import log10_fraction
from ...csp.engines.portfolio_members import Member
from ...csp.engines.result import Result
from ...csp.puzzles.board import DOWN, LEFT
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import checked_frame_slips, checked_slips
from ...csp.puzzles.symmetry import color_indices
from ..effort.search_effort import Plan, SlipSpec
from ..owen.complexity import Complexity

#: The default solver of engines that offer a choice.
USUAL_SOLVERS = {"sat": "sat:cadical195", "maxsat": "maxsat:rc2"}

#: The coverage of an interval.
CONFIDENCE = 0.9
#: The distance of the interval's ends from the median of a normal distribution, in standard deviations.
ENDS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
# The numbers of quantiles that represent a distribution: alone, in pairs, and in triples.
_QUANTILES, _FEW, _EXPONENTIAL = 200, 40, 20
_ENDS_AND_MEDIAN = ((1 - CONFIDENCE) / 2, 0.5, (1 + CONFIDENCE) / 2)
# This many standard deviations beyond the median, probabilities are too small for a float.
_FAR = 30.0
_LEAST_DEVIATION = 1e-6
#: The standard deviation of the decimal logarithm of the time of the same work, due to other load on the machine.
_UNEVEN = 0.1


@dataclass(frozen=True, repr=False)
class Spread:
    """A positive quantity as decimal logarithms; `float` makes a number of it, the median.

    Examples
    --------
    >>> half_a_minute = lognormal(1.5, 0.2)
    >>> round(half_a_minute.at_median), round(half_a_minute.plus(30).at_median)
    (32, 62)
    """

    #: The decimal logarithms of the ends of the 90 % interval and of the median.
    low: float
    median: float
    high: float

    def __float__(self) -> float:
        return self.at_median

    def __repr__(self) -> str:
        low, high = self.interval
        return short(f"Spread {self.at_median:.3g}, in 9 of 10 cases {low:.3g} to {high:.3g}")

    @property
    def at_median(self) -> float:
        """The median as a number, at most 1e300."""
        return _power(self.median)

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval as numbers, each at most 1e300."""
        return _power(self.low), _power(self.high)

    @property
    def deviation(self) -> float:
        """The standard deviation of the decimal logarithm, as for a lognormal quantity."""
        return (self.high - self.low) / (2 * ENDS)

    @property
    def quantiles(self) -> NDArray[np.float64]:
        """Equally likely values; each tail is that of a lognormal quantity."""
        normal = _normal(_FEW)
        ends = np.where(normal > 0, self.high - self.median, self.median - self.low)
        return 10.0 ** np.minimum(self.median + normal / ENDS * ends, 300.0)

    @property
    def mean(self) -> float:
        """The mean; wide intervals have a larger mean than narrow ones with the same median."""
        return float(self.quantiles.mean())

    def median_beyond(self, passed: float) -> float:
        """The median if the quantity is known to be greater than a positive number.

        On each side of its median the decimal logarithm is assumed to be normally distributed.
        """
        distance = log10(passed) - self.median

        def deviation(side: float) -> float:
            return max((self.high - self.median if side > 0 else self.median - self.low) / ENDS, _LEAST_DEVIATION)

        at = distance / deviation(distance)
        # The tail falls off like exp(-at * excess).
        beyond = at + log(2) / at if at > _FAR else -NormalDist().inv_cdf(erfc(at / sqrt(2)) / 4)
        exponent = self.median + beyond * deviation(beyond)
        return 10.0**exponent if exponent < 300 else inf

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Spread":
        """The spread of equally likely values."""
        low, median, high = quantiles(np.log10(values), _ENDS_AND_MEDIAN)
        return cls(low, median, high)

    def widened(self, deviation: float) -> "Spread":
        """The product with a quantity of median 1 whose decimal logarithm has the standard deviation `deviation`."""
        more = ENDS * deviation
        low, high = hypot(self.median - self.low, more), hypot(self.high - self.median, more)
        return Spread(self.median - low, self.median, self.median + high)

    def plus(self, known: float) -> "Spread":
        """The sum with a known non-negative number."""
        if not known:
            return self
        return Spread(*(float(np.log10(_power(end) + known)) for end in (self.low, self.median, self.high)))

    def at_least(self, least: float) -> "Spread":
        """The same, with all values raised to at least `least`."""
        bound = float(np.log10(least)) if least else -np.inf
        return Spread(*(max(end, bound) for end in (self.low, self.median, self.high)))

    def times(self, log: float) -> "Spread":
        """The product with a known number, given as its decimal logarithm."""
        return Spread(self.low + log, self.median + log, self.high + log)


def lognormal(median: float, deviation: float) -> Spread:
    """A quantity whose decimal logarithm is normally distributed."""
    return Spread(median - ENDS * deviation, median, median + ENDS * deviation)


def until_found(nodes: float, planted: int, others: float, deviation: float, clustering: float = 0.0) -> Spread:
    """The nodes of a search until its first solution.

    The solutions are assumed to be uniform in the tree: `planted` ones, and a random number of others (Poisson).  If
    there are many solutions, they lie in clusters with large gaps (heavy tails: Gomes, Selman, Crato and Kautz 2000).
    So the decimal logarithm of the nodes until the first one gets an exponentially distributed addend, whose mean is
    `clustering` times the square root of `others`.

    `nodes` of the whole tree and `others` are decimal logarithms; `deviation` is the standard deviation of that of the
    true number of nodes around the predicted one.
    """
    return _until_found(planted, others, deviation, clustering).times(nodes)


# Many orders share the same arguments.
@lru_cache(maxsize=64)
def _until_found(planted: int, others: float, deviation: float, clustering: float) -> Spread:
    """The fraction of the tree that is searched until its first solution."""
    parts = _parts_searched(planted, others)
    more = clustering * sqrt(max(others, 0.0))
    if more:
        # At most the whole tree.
        parts = np.minimum(parts[:, None] - more * np.log(1 - _levels(_EXPONENTIAL))[None, :], 0.0).ravel()
    sums = (parts[:, None] + deviation * _normal(_FEW if more else _QUANTILES)[None, :]).ravel()
    return Spread(*quantiles(sums, _ENDS_AND_MEDIAN))


def _parts_searched(planted: int, others: float) -> NDArray[np.float64]:
    """Quantiles of the fraction of the tree searched until the first solution, as decimal logarithms.

    Without a solution, that is the whole tree.
    """
    chances = _levels(_QUANTILES)
    # The probability that the first fraction x holds no solution is (1 - x)^planted exp(-expected x).
    low, high = np.full(_QUANTILES, (0.0 if others < 0 else -others) - 10), np.zeros(_QUANTILES)
    for _ in range(60):
        middle = (low + high) / 2
        expected = 10.0 ** np.minimum(middle + others, 300.0)
        none = (1 - 10.0**middle) ** planted * np.exp(-expected)
        low, high = np.where(none > 1 - chances, middle, low), np.where(none > 1 - chances, high, middle)
    return high


@cache
def _levels(number: int) -> NDArray[np.float64]:
    """The midpoints of `number` equal parts of the interval from 0 to 1."""
    return (np.arange(number) + 0.5) / number


@cache
def _normal(number: int) -> NDArray[np.float64]:
    """The quantiles of the normal distribution at `number` levels."""
    return np.array([NormalDist().inv_cdf(level) for level in _levels(number).tolist()])


def _power(exponent: float) -> float:
    return 10.0 ** min(exponent, 300.0)


@dataclass(frozen=True, repr=False)
class Way(Brief):
    """A way to a goal, with its predicted cost."""

    #: The engine's name.
    engine: str
    #: The options of the engine, and the prediction for the record.
    plan: Plan = field(repr=False)
    #: What distinguishes this way from others of the engine, as in ``order best`` or ``encoding pairs``; empty if the
    #: engine has only one.
    how: str = ""
    #: The predicted nodes until the goal is reached; None if not known, or if the engine does not count nodes.
    nodes: Spread | None = None
    #: The predicted seconds of search until the goal is reached; None if not known.
    search: Spread | None = None
    #: The seconds before the search: computing an order, tables or a model, compiling.
    setup: float = 0.0
    #: The predicted memory in MiB; None if not known.
    memory: float | None = None
    #: Why this way cannot reach the goal; None if it can.
    refusal: str | None = None
    #: Whether the engine maximises the score without proving that the result is optimal.
    races: bool = False
    #: The expected score of such an engine; None if not known.
    score: float | None = None
    #: The engines of a portfolio, each with its options.
    members: tuple[Member, ...] = ()

    @property
    def name(self) -> str:
        """The engine's name and `how`."""
        return f"{self.engine}, {self.how}" if self.how else self.engine

    @property
    def choices(self) -> dict[str, str]:
        """The options that choose this way, beside the engine: its method, order or encoding.

        Examples
        --------
        >>> Way("backtrack", None, "order rowscan").choices
        {'order': 'rowscan'}
        """
        parts = (part.partition(" ") for part in self.how.split(", "))
        return {name: value for name, _, value in parts if name in ("method", "order", "encoding")}

    @property
    def time(self) -> Spread | None:
        """The predicted seconds including set-up; None if not known."""
        return None if self.search is None else self.search.plus(self.setup).widened(_UNEVEN)

    @property
    def expected(self) -> float:
        """The mean of the predicted seconds, by which ways are sorted; infinite without a prediction."""
        return inf if self.time is None else self.time.mean

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts; larger numbers than 1e300 become 1e300."""
        return {
            "engine": self.engine,
            "how": self.how or None,
            "nodes": _record(self.nodes),
            "seconds": _record(self.time),
            "setup_seconds": round(self.setup, 4),
            "memory_mib": None if self.memory is None else round(self.memory),
            "score": self.score,
            "refused": self.refusal,
        }


def _record(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    low, high = spread.interval
    return {name: float(f"{value:.4g}") for name, value in (("median", spread.at_median), ("low", low), ("high", high))}


#: Nodes a second by engine and method, on one core of an Intel Xeon (family 6, model 167, 2.6 GHz);
#: `tests/benchmarks/rates.py` measures them.  Most puzzles are within a factor of 1.5 of these rates, a few within 1.8.
RATES = {
    "backtrack staircase": 110e6,
    "backtrack any order": 105e6,
    "backtrack slips": 58e6,
    "backtrack frames": 165e6,
    "backtrack macros": 83e6,
    "backtrack middle": 73e6,
    "backtrack blocks": 43e6,
    "backtrack halves": 1e9,
    "most-constrained most constrained square": 2.2e6,
    "beam beam search": 5.3e6,
    "dive dives with restarts": 35e6,
}
#: The decimal logarithm of the nodes of `most-constrained` on a board without a frame, as a linear function of that of
#: the nodes expected along the cheapest order: constant, slope, deviation; and nodes a second.  From 75 puzzles
#: on an AMD EPYC: `research/least_choice.py`.
LEAST_CHOICE = (-0.10, 0.75, 0.54, 4e6)
#: Nodes a second for each multiprocessor of a GPU, an NVIDIA H200; `tests/benchmarks/gpu_counting.py` and `gpu_beam.py`
#: measure them.
GPU_RATES = {"backtrack": 57e6, "beam": 2e6}
#: Seconds to compile the kernels for a GPU, which every process does.
FOR_GPU = 7.0
#: Kernels whose rates count units of predicted cost instead of nodes, so that no search can measure them.
BY_COST = frozenset({"backtrack frames", "backtrack halves", "backtrack middle"})
#: The kernel that lists the children of a node at once, so that many children take less time each; the part of nodes
#: with children at which its rate is the recorded one; the power with which the rate falls; the most it rises to.
_LISTING, _USUAL_PARENTS, _POWER, _MOST_SPEED = "backtrack staircase", 0.57, 4, 3.0
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


def relative_speed(kernel: str, nodes: Sequence[float]) -> float:
    """The nodes a second of a kernel in a tree with these nodes by depth, in any unit, relative to its recorded rate.

    It depends on the part of the nodes that have children; the number of children is assumed to be Poisson distributed.
    From `research/board_suite/intervals.py`.
    """
    if kernel != _LISTING or len(nodes) < 2:
        return 1.0
    by_depth = np.array(nodes, dtype=np.float64)
    above, below = by_depth[:-1], by_depth[1:]
    children = np.divide(below, above, out=np.zeros_like(below), where=above > 0)
    parents = float((above * -np.expm1(-children)).sum() / by_depth.sum())
    return min((_USUAL_PARENTS / max(parents, 1e-3)) ** _POWER, _MOST_SPEED)


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
    searching = min(result.seconds - result.build_seconds, result.cpu_seconds - result.build_cpu_seconds)
    if (
        kernel not in _NOTED
        or result.threads != 1
        or "device" in result.options
        or searching < _LONG_ENOUGH
        or result.nodes_now < _ENOUGH_NODES
    ):
        return
    now, known = result.nodes_now / searching / relative_speed(kernel, result.nodes_by_depth), dict(noted())
    known[kernel] = known[kernel] ** (1 - _WEIGHT) * now**_WEIGHT if kernel in known else now
    # If the file cannot be written, the next search measures again.
    with suppress(OSError, JigsatError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        with replacing(_file(), noted=False) as file:
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
    return f"{processor()}, Numba {version_of('numba')}"


def processor() -> str:
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
    one, and the time.  Beyond a minute, when beams have their largest width, the time counts half.
    """
    searched = model.estimate("rowscan", symmetry=True)
    nodes, solutions = log10_fraction(searched.nodes + 1), log10_fraction(searched.solutions)
    time = log10(max(seconds, 0.1))
    return 1.0, nodes - max(solutions, 0.0), min(solutions, 0.0), min(time, (time + log10(60)) / 2)


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
