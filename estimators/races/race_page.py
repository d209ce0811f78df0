"""The page of a race: its statistics, figures and best boards, without external resources."""

from base64 import b64encode
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ...csp.base.safe_files import replacing
from ...csp.files.viewer_links import link_of
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...render.html.page import resource, self_contained
from ...render.svg.board import draw_board
from ..experiments.figures import BAD, GOOD, panelled, saved, shown, style
from ..experiments.page import inline_figure, template
from .race_book import KeptBoard, RaceBook
from .race_result import RaceStatistics, better_words, draw_scores, number_words, result_of, trial_word

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The page in the folder of a race.
PAGE = "race.html"
_FOLDER = Path(__file__).parent
_REPORT = _FOLDER.parent / "experiments"
# The largest number of boards that are drawn, and that are listed; larger boards are not drawn.
_DRAWN, _LISTED, _MOST_SQUARES = 4, 50, 1024
# A table of more scores or orders has the first ones only.
_MOST_ROWS = 40
# The caption of each figure.
_CAPTIONS: Mapping[str, str] = {
    "scores": (
        "The score of each {word} over the hours of the race, moved a little at random so that equal ones can be "
        "seen; the line is the best score so far."
    ),
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
    captions = {name: caption.format(word=word) for name, caption in _CAPTIONS.items()}
    best = list(book.kept(_LISTED))
    body = template("race_body.html", _FOLDER).render(
        hourly=number_words,
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
        pictures=[_picture(book.puzzle, *one) for one in best[:_DRAWN] if len(book.puzzle.board) <= _MOST_SQUARES],
    )
    html = self_contained(
        resource("report.html", _REPORT),
        title=f"{book.puzzle.name}: race",
        styles=[resource("base.css"), resource("report.css", _REPORT), resource("race.css", _FOLDER)],
        scripts=[],
        data=result.record(),
        body=Markup(body),
    )
    with replacing(folder / PAGE) as file:
        file.write(html)
    return folder / PAGE


def _figures(book: RaceBook, found: RaceStatistics) -> dict[str, str]:
    if find_spec("matplotlib") is None:
        return {}
    scored = any(trial.score is not None for trial in book.trials.values())
    with style():
        scores = panelled([book] if scored else [], 3.4, lambda axes, book: draw_scores(axes, book, found))
        figures = {"scores": scores, "rates": _rates(book, found)}
    return {name: saved(figure, "svg").decode() for name, figure in figures.items() if figure is not None}


def _facts(book: RaceBook, found: RaceStatistics) -> Mapping[str, str]:
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


def _picture(puzzle: EdgeMatchingPuzzle, kept: KeptBoard, board: Arrangement) -> dict[str, Any]:
    """A board as a picture, with what is said about it."""
    svg = draw_board(puzzle, board, numbers=False)
    uri = "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
    return {"uri": uri, "kept": kept, "link": link_of(puzzle, board)}


def _rates(book: RaceBook, found: RaceStatistics) -> "Figure | None":
    of_trials = [(row.score, row.trials) for row in found.scores]
    of_boards = [(row.score, row.boards) for row in found.scores if row.boards is not None]
    kinds = (
        (f"{trial_word(book.head.engine)}s", of_trials, -0.1, GOOD, "o"), ("boards", of_boards, 0.1, BAD, "s"),
    )  # fmt: skip

    def draw(axes: Any, _: object) -> None:
        from matplotlib.ticker import FuncFormatter

        for label, pairs, move, color, mark in kinds:
            rates = [(score + move, rate) for score, rate in pairs if rate.number]
            heights = [rate.an_hour for _, rate in rates]
            ends = [[rate.an_hour - rate.low for _, rate in rates], [rate.high - rate.an_hour for _, rate in rates]]
            places = [place for place, _ in rates]
            axes.errorbar(places, heights, yerr=ends, fmt=mark, color=color, capsize=3, label=label)
        axes.set(xlabel="score", ylabel="an hour", yscale="log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(float(value)).replace("\u202f", " ")))
        axes.yaxis.set_minor_formatter(lambda value, _: "")
        axes.xaxis.get_major_locator().set_params(integer=True)

    return panelled([found] if found.scores and found.seconds else [], 3.4, draw)
