"""How long solvers take, as a regression on what is known of a puzzle; its coefficients are data.

The decimal logarithm of the seconds is a linear function of the features below with normally distributed errors, fitted
by `jigsat compare calibration -o FOLDER --times FILE` (`experiments/fit_times.py`), where runs that a limit ended count
as longer than their limit (a censored regression, Tobin 1958).
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
from .expected_scores import ScoreFit
from .spread import Spread, lognormal

#: The bundled coefficients.
PATH = Path(__file__).parent / "times.json"
# How many standard deviations from the middle of the runs a feature may lie, and how many powers of ten beyond the
# longest run a time.
_FARTHEST, _FARTHEST_BEYOND = 2.5, 3.0
# What a power of ten beyond the longest run adds to the deviation; the decimal logarithm of the shortest time.
_GROWTH, _SHORTEST = 0.25, -3.0


@dataclass(frozen=True)
class SolverFit:
    """What is fitted for an engine, a kind of puzzle and a goal.

    Parameters
    ----------
    engine, kind, goal
        Whose seconds they are, for what.
    center, scale
        Of each feature the mean over the runs, and the standard deviation; a feature that never changes has scale 0.
    weights
        What each feature adds to the decimal logarithm of the seconds, centred and scaled; the first one is constant.
    deviation
        The standard deviation of the errors.
    runs, ended
        To how many runs it was fitted, and how many of them reached their goal.
    longest
        The seconds of the longest run.
    memory
        The median of the runs' peak memory in MiB.
    """

    engine: str
    kind: str
    goal: str
    center: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    deviation: float
    runs: int
    ended: int
    longest: float
    memory: float

    def seconds(self, features: Sequence[float]) -> Spread | None:
        """The seconds to be expected; wider where the puzzle is unlike those of the runs, None where it is too unlike.

        Nothing is said of times a thousand times as long as the longest run, either.
        """
        at = [(x - c) / s if s else 0.0 for x, c, s in zip(features, self.center, self.scale, strict=True)]
        median = self.weights[0] + sum(weight * x for weight, x in zip(self.weights[1:], at, strict=True))
        beyond = max(median - log10(self.longest), 0.0)
        if max(map(abs, at)) > _FARTHEST or beyond > _FARTHEST_BEYOND:
            return None
        # An error in a weight counts the more, the farther the puzzle lies from the middle.
        distance = sum(x * x for x in at) / max(self.ended, 1)
        return lognormal(max(median, _SHORTEST), hypot(self.deviation * sqrt(1 + distance), _GROWTH * beyond))


@dataclass(frozen=True)
class Times:
    """All that is fitted.

    Parameters
    ----------
    command, processor
        How the file is made, and on what it was.
    runs
        To how many runs all is fitted.
    nodes_deviation
        The standard deviation of the decimal logarithm of the nodes of a search about the model's prediction.
    clustering
        How much solutions cluster, see `spread.until_found`.
    fits, scores
        One for each engine, kind and goal; one for each engine that races for high scores.
    """

    command: str
    processor: str
    runs: int
    nodes_deviation: float
    clustering: float
    fits: tuple[SolverFit, ...]
    scores: tuple[ScoreFit, ...]

    def fit(self, engine: str, kind: str, goal: str) -> SolverFit | None:
        """What is fitted for an engine; for one with another solver, what is for its family; None if nothing is."""
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
    """The coefficients of a file, the bundled ones if it is left out.

    Raises
    ------
    InstanceError
        If it cannot be read or holds something else.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        fits = tuple(SolverFit(**_tuples(fit)) for fit in content.pop("fits"))
        scores = tuple(ScoreFit(**_tuples(fit)) for fit in content.pop("scores"))
        return Times(**content, fits=fits, scores=scores)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InstanceError(f"{path}: holds no fitted times: {error}") from error


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def features(puzzle: Puzzle, expected: Mapping[str, float] | None) -> tuple[float, ...]:
    """What the regression goes by.

    Parameters
    ----------
    puzzle
        What is to be solved.
    expected
        Decimal logarithms: the ``nodes`` of the whole tree along the cheapest named order, and the ``effort`` until the
        goal is reached; None where nothing is predicted.
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
