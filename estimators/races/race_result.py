"""What a race has found so far: how often each score was found, when a better one is to be expected; as text, too.

The latter extrapolates the tail of the scores.  Of the trials with at least the score s, let a part p(s) reach s + 1.
The logarithm of p / (1 - p) is taken as linear in s for the best trials, and continued beyond the best score.  Such
a tail includes the geometric one and, in good approximation, that of the normal distribution.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, gammaincinv

from ...csp.base.errors import ending, escaped, grouped, plural
from ...csp.base.notebook import Brief, HasSummary
from ...csp.base.tables import data_frame
from ...csp.base.words import short_duration
from ...csp.engines.figures import HasFigure
from ...csp.engines.result import link_lines
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of
from ...csp.puzzles.slips import checked_frame_slips
from ...csp.search.best_score_race import Trial, highest_score
from .race_book import RaceBook, read_race

if TYPE_CHECKING:
    from pandas import DataFrame

# The number of scores in the summary.
_SHOWN = 6
_HOUR = 3600
# More trials are drawn as a part of them, drawn at random but always the same.
_MOST_POINTS = 3000
# The ends of all intervals.
_LOW, _HIGH = 0.025, 0.975
# Fewer trials say nothing about the tail.  It is that of the better half of the trials, but of no more than this number
# (and others with the same score).
_FEWEST_TRIALS, _TAIL = 20, 400
# The mean and standard deviation of the level and the slope before any trial.
_MEAN, _DEVIATION = np.array([0.0, -0.6]), np.array([2.0, 0.6])
_DRAWS = 4000


@dataclass(frozen=True)
class Rate:
    """A number of events, and how many there are an hour, with the ends of the 95 % interval."""

    number: int
    an_hour: float
    low: float
    high: float


@dataclass(frozen=True)
class AtScore:
    """How often a score was found."""

    #: The score.
    score: int
    #: The trials whose best boards have it.
    trials: Rate
    #: The kept boards that have it; None below the score from which boards are kept.
    boards: Rate | None


@dataclass(frozen=True)
class OfWay:
    """The trials along one order of squares: their number, their mean score, and how many have the best score of all.

    ``deviation`` is the standard error of the mean; None with fewer than two trials.
    """

    way: str
    trials: int
    mean: float | None
    deviation: float | None
    best: int | None
    at_best: int


@dataclass(frozen=True)
class BetterScore:
    """The seconds after which a better score is expected, on average, with the ends of the 95 % interval."""

    score: int
    seconds: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class RaceStatistics(Brief):
    """The statistics of a race; see `statistics_of`."""

    seconds: float
    trials: Rate
    cpu_seconds: float
    nodes: int
    scores: tuple[AtScore, ...]
    ways: tuple[OfWay, ...]
    better: BetterScore | None

    @property
    def best(self) -> int | None:
        """The best score; None without a full board."""
        return self.scores[0].score if self.scores else None


def statistics_of(
    trials: Sequence[Trial], seconds: float, boards: Mapping[int, Sequence[int]], max_score: int
) -> RaceStatistics:
    """The statistics of a race.

    - `seconds`: the time that the race has taken so far.
    - `boards`: for each score from which boards are kept, how many boards each trial has found that no other one had
      found.
    - `max_score`: the number of joins.
    """
    scores = Counter(trial.score for trial in trials if trial.score is not None)
    rows = tuple(
        AtScore(score, rate([1] * scores[score], seconds), rate(boards[score], seconds) if score in boards else None)
        for score in sorted(scores.keys() | boards.keys(), reverse=True)
    )
    return RaceStatistics(
        seconds,
        rate([1] * len(trials), seconds),
        sum(trial.cpu_seconds for trial in trials),
        sum(trial.nodes for trial in trials),
        rows,
        tuple(_of_ways(trials)),
        _better(scores, len(trials), seconds, max_score),
    )


def rate(sizes: Sequence[int], seconds: float) -> Rate:
    """The rate of things that come in groups of these sizes, with its exact Poisson interval.

    Things of a group are not independent.  The interval is that of as many independent things as have the same relative
    variance (Kish 1965): all of them if each group has one, fewer if groups are larger.
    """
    number, squares, hours = sum(sizes), sum(size * size for size in sizes), seconds / _HOUR
    if not hours:
        return Rate(number, 0.0, 0.0, np.inf)
    independent = number * number / squares if squares else 0.0
    weight = number / independent if independent else 1.0
    low = float(gammaincinv(independent, _LOW)) if independent else 0.0
    high = float(gammaincinv(independent + 1, _HIGH))
    return Rate(number, number / hours, weight * low / hours, weight * high / hours)


def _of_ways(trials: Iterable[Trial]) -> Iterable[OfWay]:
    by_way: dict[str, list[Trial]] = {}
    for trial in sorted(trials, key=lambda trial: trial.number):
        by_way.setdefault(trial.way, []).append(trial)
    best = max((trial.score or 0 for way in by_way.values() for trial in way), default=0)
    for way, those in by_way.items():
        scores = [trial.score for trial in those if trial.score is not None]
        deviation = stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else None
        yield OfWay(
            way, len(those), mean(scores) if scores else None, deviation, max(scores, default=None), scores.count(best)
        )


def _better(scores: Mapping[int, int], trials: int, seconds: float, max_score: int) -> BetterScore | None:
    """When the next better score is to be expected; None if it is too early to say, or no score is better."""
    if not scores or max(scores) >= max_score or not seconds:
        return None
    parts = tail_draws(scores, trials)
    if parts is None:
        return None
    low, middle, high = np.quantile(seconds / trials / parts, [_LOW, 0.5, _HIGH])
    return BetterScore(max(scores) + 1, float(middle), float(low), float(high))


def tail_draws(scores: Mapping[int, int], trials: int) -> NDArray[Any] | None:
    """Draws of the part of all trials that reach a better score than the best, given the trials by their scores.

    They are drawn from the approximate posterior distribution, always the same.  `trials` is the number of all trials,
    also of those without a score.

    Returns None if the trials say nothing about the tail.
    """
    best, number = max(scores, default=0), sum(scores.values())
    if number < _FEWEST_TRIALS:
        return None
    wanted, least, above = min(number / 2, _TAIL), best, scores[best]
    while above < wanted:
        least -= 1
        above += scores.get(least, 0)
    levels = np.arange(least, best + 1)
    reached = np.array([sum(number for score, number in scores.items() if score >= level) for level in levels])
    going_on = np.append(reached[1:], 0)
    center = float(best)
    mode, covariance = _posterior(levels - center, reached, going_on)
    chance = np.random.default_rng(0)
    drawn = chance.multivariate_normal(mode, covariance, _DRAWS)
    share = chance.beta(reached[0] + 0.5, trials - reached[0] + 0.5, _DRAWS)
    for level in levels - center:
        share = share * expit(drawn[:, 0] + drawn[:, 1] * level)
    return share


def _posterior(
    levels: NDArray[Any], reached: NDArray[Any], going_on: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The mode of level and slope, and their covariance there."""
    design = np.stack([np.ones_like(levels), levels], axis=1)

    def loss(both: NDArray[Any]) -> float:
        logits = design @ both
        unlikely = reached * np.logaddexp(0, logits) - going_on * logits
        return float(unlikely.sum() + (((both - _MEAN) / _DEVIATION) ** 2).sum() / 2)

    mode = np.asarray(minimize(loss, _MEAN).x)
    parts = expit(design @ mode)
    precision = design.T @ (design * (reached * parts * (1 - parts))[:, None]) + np.diag(_DEVIATION**-2)
    return mode, np.linalg.inv(precision)


@dataclass(frozen=True, repr=False)
class RaceResult(HasSummary, HasFigure):
    """A race, as far as it has come.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle
        The puzzle.
    folder : Path
        The folder of the race.
    engine : str
        The engine.
    options : dict
        Its options and the seed, by name.
    best_board : PuzzleBoard, optional
        The best board that is kept; None if none is.
    keep_from : int
        The least score of the boards that are kept.
    boards : dict
        The number of kept boards by score.
    statistics : RaceStatistics
        How often each score was found.
    sessions : int
        The number of calls that have gone on with the race.
    page : Path, optional
        The page, if this call has written it last.
    ended_by : str, optional
        What ended this call: ``target``, ``trials``, ``exhausted`` (further trials would find the same), ``time`` or
        ``interrupt``; None if it was to run nothing.
    """

    puzzle: EdgeMatchingPuzzle
    folder: Path
    engine: str
    options: Mapping[str, Any]
    best_board: PuzzleBoard | None
    keep_from: int
    boards: Mapping[int, int]
    statistics: RaceStatistics
    sessions: int
    page: Path | None = None
    ended_by: str | None = None

    @property
    def best_score(self) -> int | None:
        """The best score so far; None without a full board."""
        return self.statistics.best

    def kept(self, most: int | None = None) -> list[PuzzleBoard]:
        """The kept boards, those with the highest score first, at most `most` of them."""
        return [board_of(self.puzzle, board) for _, board in read_race(self.folder).kept(most)]

    def record(self) -> dict[str, Any]:
        """A summary for scripts."""
        found = self.statistics
        return {
            "instance": self.puzzle.name,
            "kind": self.puzzle.kind,
            "engine": self.engine,
            "options": dict(self.options),
            "folder": str(self.folder),
            "best_score": self.best_score,
            "max_score": self.puzzle.max_score,
            "keep_from": self.keep_from,
            "trials": _record(found.trials),
            "seconds": round(found.seconds, 3),
            "cpu_seconds": round(found.cpu_seconds, 3),
            "nodes": found.nodes,
            "sessions": self.sessions,
            "scores": [
                {
                    "score": row.score,
                    "trials": _record(row.trials),
                    "boards": _record(row.boards),
                }
                for row in found.scores
            ],
            "next_score": _record(found.better),
            "page": None if self.page is None else str(self.page),
            "ended_by": self.ended_by,
        }

    def to_pandas(self) -> "DataFrame":
        """The trials that are recorded in the folder, as a table of pandas: `trial`, `hours`, `way`, `score`, `nodes`.

        `hours` is the time of the race at which the trial ended.  Raises JigsatError if pandas is not installed.
        """
        book = read_race(self.folder)
        rows = (
            {
                "trial": trial.number, "hours": book.at[trial.number] / _HOUR, "way": trial.way, "score": trial.score,
                "nodes": trial.nodes, "cpu_seconds": trial.cpu_seconds,
            }
            for trial in sorted(book.trials.values(), key=lambda trial: trial.number)
        )  # fmt: skip
        return data_frame(rows, ("trial", "hours", "way", "score", "nodes", "cpu_seconds"))

    def _draw(self, axes: Any) -> None:
        draw_scores(axes, read_race(self.folder), self.statistics)
        axes.set_title(self.puzzle.name, fontsize="medium")

    def summary(self, *, verbose: bool = False) -> str:
        """The best score and where the boards are; with `verbose` how often each score was found."""
        found = self.statistics
        what = plural(found.trials.number, trial_word(self.engine))
        best = "no full board so far"
        if self.best_score is not None:
            best = f"best score {self.best_score} of {self.puzzle.max_score}"
        kept = plural(sum(self.boards.values()), "board")
        lines = [
            f"{escaped(self.puzzle.name)}: {best}, after {what} in {_time(found.seconds)}"
            f"{f'; {_ending(self.ended_by)}' if self.ended_by else ''}.",
            f"  Next score: {better_words(self)}",
            f"  {kept} with a score of at least {self.keep_from} kept in {escaped(str(self.folder))}"
            + ("" if self.page is None else f"; open {escaped(str(self.page))}"),
        ]
        if verbose:
            lines.append(f"  rate             {_an_hour(found.trials)}")
            for row in found.scores[:_SHOWN]:
                boards = "" if row.boards is None else f"; {plural(row.boards.number, 'board')}, {_an_hour(row.boards)}"
                trials = plural(row.trials.number, trial_word(self.engine))
                lines.append(f"  score {row.score:<10} {trials}, {_an_hour(row.trials)}{boards}")
        return "\n".join([*lines, *link_lines(self.puzzle, self.best_board)])


def _record(found: Rate | BetterScore | None) -> dict[str, float | None] | None:
    """Numbers for scripts: None where they are infinite."""
    if found is None:
        return None
    return {name: value if isfinite(value) else None for name, value in asdict(found).items()}


def result_of(book: RaceBook, folder: Path, *, page: Path | None = None, ended_by: str | None = None) -> RaceResult:
    best = next((board for _, board in book.kept(1)), None)
    return RaceResult(
        book.puzzle,
        folder,
        book.head.engine,
        {name: value for name, value in book.head.options.items() if value is not None} | {"seed": book.head.seed},
        None if best is None else board_of(book.puzzle, best),
        book.wanted.least,
        dict(sorted(book.boards.items(), reverse=True)),
        statistics_in(book),
        len(book.sessions),
        page,
        ended_by,
    )


def statistics_in(book: RaceBook) -> RaceStatistics:
    return statistics_of(
        [*book.trials.values()], book.seconds, book.boards_by_trial(), _highest(book.puzzle, book.head.options)
    )


def _highest(puzzle: EdgeMatchingPuzzle, options: Mapping[str, Any]) -> int:
    """The highest score that is possible in a race with these options."""
    return highest_score(puzzle, checked_frame_slips(puzzle, options.get("frame_slips")))


def trial_word(engine: str) -> str:
    """The word for a trial of an engine."""
    return engine if engine in ("beam", "dive") else "trial"


def status_line(book: RaceBook, under_way: Mapping[int, float]) -> str:
    """The state of a race in one line; `under_way` has how far trials are that run, by number."""
    found, word = statistics_in(book), trial_word(book.head.engine)
    told = f"{plural(found.trials.number, word)}, {number_words(found.trials.an_hour)} an hour"
    parts = [part for _, part in sorted(dict(under_way).items())]
    if parts:
        told += f", under way {' '.join(f'{part:.0%}' for part in parts[:_SHOWN])}"
    if found.best is None:
        return told
    row = found.scores[0]
    told += f", best {row.score} of {book.puzzle.max_score}: {plural(row.trials.number, word)}, {_an_hour(row.trials)}"
    if found.better is None:
        return told
    return f"{told}, {found.better.score} expected in {_time(found.better.seconds)} ({_interval(found.better)})"


def better_words(result: RaceResult) -> str:
    """When the next score is to be expected, in words."""
    found = result.statistics
    what = plural(found.trials.number, trial_word(result.engine))
    if result.best_score == _highest(result.puzzle, result.options):
        return "none: this is the highest possible score"
    if result.ended_by == "exhausted":
        return "none: further trials would find the same"
    if result.best_score is None and found.trials.number:
        return f"unknown: no full board after {what}"
    if found.better is None:
        return f"too early to say, after {what}"
    told = f"{found.better.score}, expected every {_time(found.better.seconds)} (95 %: {_interval(found.better)})"
    return f"{told}, extrapolated from the scores so far"


def number_words(number: float) -> str:
    """A number with three digits."""
    if not isfinite(number):
        return "any number"
    return grouped(round(number)) if number >= 100 else f"{number:.3g}"


def _an_hour(rate: Rate) -> str:
    return f"{number_words(rate.an_hour)} an hour ({number_words(rate.low)} to {number_words(rate.high)})"


def _interval(better: BetterScore) -> str:
    return f"{_time(better.low)} to {_time(better.high)}"


def _time(seconds: float) -> str:
    return short_duration(Fraction(min(seconds, 1e300)))


def _ending(ended_by: str) -> str:
    own = {
        "target": "the target was reached",
        "trials": "the number of trials asked for was reached",
        "exhausted": "further trials would find the same",
    }
    return own.get(ended_by) or ending(ended_by)


def draw_scores(axes: Any, book: RaceBook, found: RaceStatistics) -> None:
    """Draw the scores of trials over time, and the best so far, into axes."""
    from ..experiments.figures import BAD, COLORS

    known = sorted((book.at[one.number] / _HOUR, one.score) for one in book.trials.values() if one.score is not None)
    axes.set(xlabel="hours of the race", ylabel="score")
    if not known:
        return
    hours, values = np.array(known, dtype=float).T
    chance = np.random.default_rng(0)
    some = np.sort(chance.permutation(len(hours))[:_MOST_POINTS])
    moved = values[some] + chance.uniform(-0.3, 0.3, len(some))
    best = [*np.maximum.accumulate(values), values.max()]
    axes.plot(hours[some], moved, ".", color=COLORS[5], markersize=3, alpha=0.6)
    axes.step([*hours, found.seconds / _HOUR], best, color=BAD, where="post")
    axes.yaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
