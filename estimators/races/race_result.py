"""What a race has found so far, as an object, a record and text."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

from ...csp.base.safe_files import escaped
from ...csp.base.words import ending, grouped, several
from ...csp.engines.result import link_lines
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of
from ...csp.puzzles.slips import checked_frame_slips
from ...csp.search.best_score_race import highest_score
from ..effort.durations import short_duration
from .race_book import RaceBook, read_race
from .race_statistics import BetterScore, RaceStatistics, Rate, statistics_of

# The number of scores in the summary.
_SHOWN = 6


@dataclass(frozen=True)
class RaceResult:
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

    def summary(self) -> str:
        """The summary as text."""
        found = self.statistics
        what = several(found.trials.number, trial_word(self.engine))
        lines = [f"{escaped(self.puzzle.name)}: {what} in {_time(found.seconds)}, {_an_hour(found.trials)}"]
        if self.best_score is None:
            lines.append("  best score       none: no full board so far")
        else:
            lines.append(f"  best score       {self.best_score} of {self.puzzle.max_score}")
        kept = several(sum(self.boards.values()), "board")
        lines.append(f"  kept             {kept} with a score of at least {self.keep_from}")
        for row in found.scores[:_SHOWN]:
            boards = "" if row.boards is None else f"; {several(row.boards.number, 'board')}, {_an_hour(row.boards)}"
            trials = several(row.trials.number, trial_word(self.engine))
            lines.append(f"  score {row.score:<10} {trials}, {_an_hour(row.trials)}{boards}")
        lines.append(f"  next score       {better_words(self)}")
        lines.append(f"  ended            {_ending(self.ended_by)}" if self.ended_by else "")
        lines.append(f"  folder           {escaped(str(self.folder))}" + ("" if self.page is None else ", with a page"))
        lines += link_lines(self.puzzle, self.best_board)
        return "\n".join(filter(None, lines))

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self.summary())}</pre>"


def _record(found: Rate | BetterScore | None) -> dict[str, float | None] | None:
    """Numbers for scripts: None where they are infinite."""
    if found is None:
        return None
    return {name: value if isfinite(value) else None for name, value in asdict(found).items()}


def result_of(book: RaceBook, folder: Path, *, page: Path | None = None, ended_by: str | None = None) -> RaceResult:
    """The result so far."""
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
    """The statistics of the race in a book."""
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
    told = f"{several(found.trials.number, word)}, {number_words(found.trials.an_hour)} an hour"
    parts = [part for _, part in sorted(dict(under_way).items())]
    if parts:
        told += f", under way {' '.join(f'{part:.0%}' for part in parts[:_SHOWN])}"
    if found.best is None:
        return told
    row = found.scores[0]
    told += f", best {row.score} of {book.puzzle.max_score}: {several(row.trials.number, word)}, {_an_hour(row.trials)}"
    if found.better is None:
        return told
    return f"{told}, {found.better.score} expected in {_time(found.better.seconds)} ({_interval(found.better)})"


def better_words(result: RaceResult) -> str:
    """When the next score is to be expected, in words."""
    found = result.statistics
    what = several(found.trials.number, trial_word(result.engine))
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
