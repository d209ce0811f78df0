"""Which score a race for high scores is expected to reach in a time: a regression whose coefficients are data."""

from dataclasses import dataclass
from math import log10

from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle


@dataclass(frozen=True)
class ScoreFit:
    """What is fitted for an engine.

    Parameters
    ----------
    engine
        Whose scores they are.
    weights
        What each of `score_features` adds to the number of invalid joins.
    deviation
        The standard deviation of the errors.
    runs
        To how many runs it was fitted.
    """

    engine: str
    weights: tuple[float, ...]
    deviation: float
    runs: int

    def score(self, puzzle: EdgeMatchingPuzzle, seconds: float) -> float:
        """The score to be expected after so many seconds of one thread."""
        given = score_features(puzzle, seconds)
        invalid = sum(weight * x for weight, x in zip(self.weights, given, strict=True))
        return puzzle.max_score - max(invalid, 0.0)


def score_features(puzzle: EdgeMatchingPuzzle, seconds: float) -> tuple[float, ...]:
    """What the regression goes by: the size of the inside, its colours, whether pieces are fixed, and the time."""
    squares = len(puzzle.board)
    return 1.0, squares / 100, len(puzzle.inner_sides()) / 10, float(bool(puzzle.fixed)), log10(max(seconds, 0.1))
