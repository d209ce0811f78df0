"""The page of a race: its statistics, figures and best boards, without external resources."""

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ...csp.base.safe_files import replacing
from ...csp.files.viewer_links import link_of
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...render.html.page import resource, self_contained
from ...render.svg.board import draw_board
from ..experiments.report.chart_style import BAD, COLORS, GOOD, NARROW, WIDE, saved, style
from ..experiments.report.page import inline_figure
from ..experiments.report.wording import duration, shown
from .race_book import KeptBoard, RaceBook
from .race_result import better_words, number_words, result_of, trial_word
from .race_statistics import RaceStatistics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The page in the folder of a race.
PAGE = "race.html"
_FOLDER = Path(__file__).parent
_REPORT = _FOLDER.parent / "experiments" / "report"
# The largest number of boards that are drawn, and that are listed; larger boards are not drawn.
_DRAWN, _LISTED, _MOST_SQUARES = 4, 50, 1024
# A table of more scores or orders has the first ones only.
_MOST_ROWS = 40
_HOUR = 3600
# More trials are drawn as a part of them, drawn at random but always the same.
_MOST_POINTS = 3000
# The caption of each figure.
_CAPTIONS: Mapping[str, str] = {
    "scores": (
        "The score of each {word} over the hours of the race, moved a little at random so that equal ones can be "
        "seen; the line is the best score so far."
    ),
    "distribution": "The number of {word}s with each score, on a logarithmic scale.",
    "rates": (
        "Boards and {word}s an hour at each score, with 95 % intervals (Poisson). Boards of one {word} are not "
        "independent, so the interval for boards is wider."
    ),
}


def write_page(book: RaceBook, folder: Path) -> Path:
    """Write the page of a race into its folder, completely or not at all; return its path.

    Without matplotlib it has no figures, and a line that gives the reason.
    """
    result = result_of(book, folder)
    found, word = result.statistics, trial_word(book.head.engine)
    drawings = _figures(book, found)
    templates = Environment(
        loader=FileSystemLoader([_FOLDER, _REPORT]), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    templates.tests["finite"] = isfinite
    templates.filters |= {"shown": shown, "duration": duration, "number": number_words}
    captions = {name: caption.format(word=word) for name, caption in _CAPTIONS.items()}
    best = list(book.kept(_LISTED))
    body = templates.get_template("race_body.html").render(
        name=book.puzzle.name,
        word=word,
        result=result,
        found=found,
        scores=found.scores[:_MOST_ROWS],
        ways=found.ways[:_MOST_ROWS],
        better=better_words(result),
        facts=_facts(book, found),
        figures=drawings,
        captions=captions,
        inline=inline_figure,
        without_figures=bool(book.trials) and not drawings,
        boards=[(kept, link_of(book.puzzle, board)) for kept, board in best],
        pictures=[_picture(book.puzzle, *one) for one in best[:_DRAWN]] if _is_small(book.puzzle) else [],
    )
    html = self_contained(
        resource("report.html", _REPORT),
        title=f"{book.puzzle.name}: race",
        styles=[resource("base.css"), resource("report.css", _REPORT), resource("race.css", _FOLDER)],
        scripts=[],
        data=result.record(),
        body=body,
    )
    with replacing(folder / PAGE) as file:
        file.write(html)
    return folder / PAGE


def _figures(book: RaceBook, found: RaceStatistics) -> dict[str, str]:
    """The figures as SVG texts."""
    if find_spec("matplotlib") is None:
        return {}
    drawings: dict[str, str] = {}
    for name, chart in _CHARTS.items():
        with style():
            figure = chart(book, found)
        if figure is not None:
            drawings[name] = saved(figure, "svg").decode()
    return drawings


def _facts(book: RaceBook, found: RaceStatistics) -> Mapping[str, str]:
    """General facts about the race."""
    options = {name: value for name, value in book.head.options.items() if value is not None}
    told = ", ".join(f"{name} {value}" for name, value in {**options, "seed": book.head.seed}.items())
    threads = sorted({session.threads for session in book.sessions.values()})
    word = trial_word(book.head.engine)
    return {
        "engine": f"{book.head.engine}, {told}",
        f"{word}s": f"{shown(found.trials.number)}, {number_words(found.trials.an_hour)} an hour",
        "time": f"{found.seconds / 3600:.3g} hours, {found.cpu_seconds / 3600:.3g} hours of processors",
        "threads": " and ".join(map(str, threads)),
        "begun": min((f"{one.began.replace('T', ' ')[:16]} UTC" for one in book.sessions.values()), default=""),
    }


def _is_small(puzzle: EdgeMatchingPuzzle) -> bool:
    return len(puzzle.board) <= _MOST_SQUARES


def _picture(puzzle: EdgeMatchingPuzzle, kept: KeptBoard, board: Arrangement) -> dict[str, Any]:
    """A board as a picture, with what is said about it."""
    svg = draw_board(puzzle, board, numbers=False)
    uri = "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
    return {"uri": uri, "kept": kept, "link": link_of(puzzle, board)}


def _scores(book: RaceBook, found: RaceStatistics) -> "Figure | None":
    """The scores of trials over time."""
    known = [(book.at[one.number] / _HOUR, one.score) for one in book.trials.values() if one.score is not None]
    if not known:
        return None
    known.sort()
    hours, values = (np.array(column, dtype=float) for column in zip(*known, strict=True))
    chance = np.random.default_rng(0)
    shown = np.sort(chance.permutation(len(hours))[:_MOST_POINTS])
    figure, axes = _figure(WIDE)
    moved = values[shown] + chance.uniform(-0.3, 0.3, len(shown))
    axes.plot(hours[shown], moved, ".", color=COLORS[5], markersize=3, alpha=0.6)
    axes.step([*hours, found.seconds / _HOUR], [*np.maximum.accumulate(values), values.max()], color=BAD, where="post")
    axes.set(xlabel="hours of the race", ylabel="score")
    axes.yaxis.get_major_locator().set_params(integer=True)
    return figure


def _distribution(book: RaceBook, found: RaceStatistics) -> "Figure | None":
    """The number of trials with each score."""
    numbers = Counter(one.score for one in book.trials.values() if one.score is not None)
    if not numbers:
        return None
    figure, axes = _figure(NARROW)
    axes.bar(list(numbers), list(numbers.values()), color=GOOD, width=0.8)
    axes.set(xlabel="score", ylabel="number")
    _count_of_powers(axes)
    axes.xaxis.get_major_locator().set_params(integer=True)
    return figure


def _count_of_powers(axes: Any) -> None:
    """Make the vertical axis logarithmic, with plain numbers."""
    from matplotlib.ticker import FuncFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(float(value)).replace("\u202f", " ")))
    axes.yaxis.set_minor_formatter(lambda value, _: "")


def _rates(book: RaceBook, found: RaceStatistics) -> "Figure | None":
    """Boards and trials an hour at each score."""
    rows = [row for row in found.scores if row.trials.number or row.boards is not None]
    if not rows or not found.seconds:
        return None
    figure, axes = _figure(NARROW)
    of_trials = [(row.score, row.trials) for row in rows]
    of_boards = [(row.score, row.boards) for row in rows if row.boards is not None]
    for label, pairs, move, color, mark in (
        (f"{trial_word(book.head.engine)}s", of_trials, -0.1, GOOD, "o"),
        ("boards", of_boards, 0.1, BAD, "s"),
    ):
        pairs = [(score, rate) for score, rate in pairs if rate.number]
        heights = [rate.an_hour for _, rate in pairs]
        ends = [[rate.an_hour - rate.low for _, rate in pairs], [rate.high - rate.an_hour for _, rate in pairs]]
        places = [score + move for score, _ in pairs]
        axes.errorbar(places, heights, yerr=ends, fmt=mark, color=color, capsize=3, label=label)
    axes.set(xlabel="score", ylabel="an hour")
    _count_of_powers(axes)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend()
    return figure


# The function that makes each figure; it returns None without data.
_CHARTS: "Mapping[str, Callable[[RaceBook, RaceStatistics], Figure | None]]" = {
    "scores": _scores,
    "distribution": _distribution,
    "rates": _rates,
}


def _figure(width: float) -> Any:
    """An empty figure of this width in inches, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, 3.4), layout="constrained")
    return figure, figure.subplots()
