"""The scores that engines without proofs are expected to reach in a given time: a regression with stored weights."""

from dataclasses import dataclass
from math import log10

from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle


@dataclass(frozen=True)
class ScoreFit:
    """The regression for the scores of an engine.

    Parameters
    ----------
    engine
        The engine's name.
    weights
        The coefficients of `score_features` for the number of invalid joins.
    deviation
        The standard deviation of the errors.
    runs
        The number of runs in the fit.
    """

    engine: str
    weights: tuple[float, ...]
    deviation: float
    runs: int

    def score(self, puzzle: EdgeMatchingPuzzle, seconds: float) -> float:
        """The expected score after `seconds` seconds of one thread."""
        given = score_features(puzzle, seconds)
        invalid = sum(weight * x for weight, x in zip(self.weights, given, strict=True))
        return puzzle.max_score - max(invalid, 0.0)


def score_features(puzzle: EdgeMatchingPuzzle, seconds: float) -> tuple[float, ...]:
    """The features of the regression: board size, inner colours, whether pieces are fixed, and the time."""
    squares = len(puzzle.board)
    return 1.0, squares / 100, len(puzzle.inner_sides()) / 10, float(bool(puzzle.fixed)), log10(max(seconds, 0.1))
