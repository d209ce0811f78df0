"""The page of a race: its statistics, figures and best boards, without external resources."""

from base64 import b64encode
from collections.abc import Mapping
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ...csp.base.safe_files import replacing
from ...csp.files.community.viewer_links import link_of
from ...csp.files.races.race_table import KeptBoard, RaceTable
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...render.html.page import resource, self_contained
from ...render.svg.board import draw_board
from ..experiments.report.chart_style import saved, style
from ..experiments.report.page import inline_figure
from ..experiments.report.wording import duration, shown
from .race_charts import CAPTIONS, CHARTS
from .race_result import better_words, number_words, result_of, trial_word
from .race_statistics import RaceStatistics

#: The page in the folder of a race.
PAGE = "race.html"
_FOLDER = Path(__file__).parent
_REPORT = _FOLDER.parent / "experiments" / "report"
# The largest number of boards that are drawn, and that are listed; larger boards are not drawn.
_DRAWN, _LISTED, _MOST_SQUARES = 4, 50, 1024
# A table of more scores or orders has the first ones only.
_MOST_ROWS = 40


def write_page(table: RaceTable, folder: Path) -> Path:
    """Write the page of a race into its folder, completely or not at all; return its path.

    Without matplotlib it has no figures, and a line that gives the reason.
    """
    result = result_of(table, folder)
    found, word = result.statistics, trial_word(table.head.engine)
    drawings = _figures(table, found)
    templates = Environment(
        loader=FileSystemLoader([_FOLDER, _REPORT]), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    templates.tests["finite"] = isfinite
    templates.filters |= {"shown": shown, "duration": duration, "number": number_words}
    captions = {name: caption.format(word=word) for name, caption in CAPTIONS.items()}
    best = list(table.kept(_LISTED))
    body = templates.get_template("race_body.html").render(
        name=table.puzzle.name,
        word=word,
        result=result,
        found=found,
        scores=found.scores[:_MOST_ROWS],
        ways=found.ways[:_MOST_ROWS],
        better=better_words(result),
        facts=_facts(table, found),
        figures=drawings,
        captions=captions,
        inline=inline_figure,
        without_figures=bool(table.trials) and not drawings,
        boards=[(kept, link_of(table.puzzle, kept.board)) for kept in best],
        pictures=[_picture(table.puzzle, kept) for kept in best[:_DRAWN]] if _is_small(table.puzzle) else [],
    )
    html = self_contained(
        resource("report.html", _REPORT),
        title=f"{table.puzzle.name}: race",
        styles=[resource("base.css"), resource("report.css", _REPORT), resource("race.css", _FOLDER)],
        scripts=[],
        data=result.record(),
        body=body,
    )
    with replacing(folder / PAGE) as file:
        file.write(html)
    return folder / PAGE


def _figures(table: RaceTable, found: RaceStatistics) -> dict[str, str]:
    """The figures as SVG texts."""
    if find_spec("matplotlib") is None:
        return {}
    drawings: dict[str, str] = {}
    for name, chart in CHARTS.items():
        with style():
            figure = chart(table, found)
        if figure is not None:
            drawings[name] = saved(figure, "svg").decode()
    return drawings


def _facts(table: RaceTable, found: RaceStatistics) -> Mapping[str, str]:
    """General facts about the race."""
    options = {name: value for name, value in table.head.options.items() if value is not None}
    told = ", ".join(f"{name} {value}" for name, value in {**options, "seed": table.head.seed}.items())
    threads = sorted({session.threads for session in table.sessions})
    word = trial_word(table.head.engine)
    return {
        "engine": f"{table.head.engine}, {told}",
        f"{word}s": f"{shown(found.trials.number)}, {number_words(found.trials.an_hour)} an hour",
        "time": f"{found.seconds / 3600:.3g} hours, {found.cpu_seconds / 3600:.3g} hours of processors",
        "threads": " and ".join(map(str, threads)),
        "begun": table.sessions[0].began.replace("T", " ")[:16] + " UTC" if table.sessions else "",
    }


def _is_small(puzzle: EdgeMatchingPuzzle) -> bool:
    return len(puzzle.board) <= _MOST_SQUARES


def _picture(puzzle: EdgeMatchingPuzzle, kept: KeptBoard) -> dict[str, Any]:
    """A board as a picture, with what is said about it."""
    svg = draw_board(puzzle, kept.board, numbers=False)
    uri = "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
    return {"uri": uri, "kept": kept, "link": link_of(puzzle, kept.board)}
