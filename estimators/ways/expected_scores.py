"""The scores that engines without proofs are expected to reach in a given time: a regression with stored weights."""

from dataclasses import dataclass
from math import log10

from ..owen.complexity import Complexity
from ..owen.rounding import log10_fraction


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
