"""The times of solvers and the scores of beams and dives: regressions on features of a puzzle.

`research/fit_times.py` fits the coefficients.  The decimal logarithm of the seconds is a linear function of the
features below with normally distributed errors.  Runs that were ended by a limit count as longer than the limit (a
censored regression, Tobin 1958).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import hypot, log10, sqrt
from pathlib import Path
from typing import Any

from ...csp.base.errors import InstanceError
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from ..owen.complexity import Complexity
from ..owen.rounding import log10_fraction
from .spread import Spread, lognormal


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


#: The bundled coefficients.
PATH = Path(__file__).parent / "times.json"
# The largest distance of a feature from the mean of the runs, in standard deviations, and of a time beyond the longest
# run, in powers of ten.
_FARTHEST, _FARTHEST_BEYOND = 2.5, 3.0
# The deviation added for each power of ten beyond the longest run; the decimal logarithm of the shortest time.
_GROWTH, _SHORTEST = 0.25, -3.0


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

    def record(self) -> dict[str, Any]:
        """The content of a file."""
        return asdict(self)


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


def features(puzzle: Puzzle, expected: Mapping[str, float] | None) -> tuple[float, ...]:
    """The features of the regression.

    - `puzzle`: the puzzle to solve.
    - `expected`: decimal logarithms: the ``nodes`` of the whole tree along the cheapest named order, and the ``effort``
      until the goal is reached; None without a prediction.
    """
    if isinstance(puzzle, DissectionPuzzle):
        return (log10(len(puzzle.pieces)), float(puzzle.motions == "any"))
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
