"""The report of an experiment: one page without external resources, and its figures as separate files."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from shlex import quote
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ....csp.base.errors import JigsatError
from ....csp.base.safe_files import escaped, replacing, replacing_bytes
from ....csp.base.words import several
from ....render.html.page import resource, self_contained
from ..analysis.analysis import Analysis, analysed
from ..analysis.choices import choices, score_choices, summaries
from ..analysis.outcomes import outcomes_of
from ..analysis.scores import agreements, best_scores, disagreements, scores_by_part
from .chart_style import FORMATS, NARROW, WIDE
from .charts import CAPTIONS, CHARTS, drawn
from .runs import run_data
from .sections import (
    agreement_line,
    choice_words,
    highest_words,
    interval_text,
    line_text,
    outcome_words,
    section_data,
    section_titles,
)
from .wording import duration, power, shown

_FOLDER = Path(__file__).parent
# In points: a figure of this width or more has two panels side by side.
_WIDE_FROM = 72 * (NARROW + WIDE) / 2


def write_report(
    records: Sequence[Mapping[str, Any]], folder: Path, *, source: str, name: str, about: str, planned: int | None
) -> list[Path]:
    """Write ``report.html`` and the files of its figures into a folder; each file is replaced as a whole.

    Of each figure there are ``figures/NAME.svg``, ``.pdf`` and ``.png``, and its caption as ``figures/NAME.txt``.
    Without matplotlib the page has no figures, and a line that gives the reason.

    - `records`: the records of the runs.
    - `folder`: the folder; it is made if it does not exist.
    - `source`: the file of the experiment, or its name if it is a bundled one.
    - `name`, `about`: the name of the experiment, and its question.
    - `planned`: the number of runs of the experiment, if it is known.

    Raises JigsatError if a file cannot be written.

    Returns the page, then the SVG file of each figure.
    """
    analysis = analysed(records)
    can_draw = find_spec("matplotlib") is not None
    drawings = {chart: drawn(chart, analysis) for chart in CHARTS} if can_draw and analysis.outcomes else {}
    _make_folder(folder / "figures" if any(drawings.values()) else folder)
    for chart in CHARTS:
        _write_figure(folder / "figures" / chart, drawings.get(chart), CAPTIONS[chart])
    figures = {chart: files["svg"].decode() for chart, files in drawings.items() if files is not None}
    head = {"name": name, "about": about, "planned": planned, "without_figures": bool(records) and not can_draw}
    head["command"] = f"jigsat compare {quote(source)} -o {quote(folder.name or str(folder))}"
    page = folder / "report.html"
    with replacing(page) as file:
        file.write(_page(analysis, figures, head))
    return [page, *(folder / "figures" / f"{chart}.svg" for chart in figures)]


def _write_figure(path: Path, files: Mapping[str, bytes] | None, caption: str) -> None:
    """Write a figure and its caption; where there is no figure, remove those of an earlier report."""
    texts = {} if files is None else {**files, "txt": f"{caption}\n".encode()}
    for ending in (*FORMATS, "txt"):
        if ending in texts:
            with replacing_bytes(path.with_suffix(f".{ending}")) as file:
                file.write(texts[ending])
        else:
            path.with_suffix(f".{ending}").unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JigsatError(f"{folder}: cannot be made: {error.strerror}") from error


def _page(analysis: Analysis, figures: Mapping[str, str], head: Mapping[str, Any]) -> str:
    """The whole page."""
    data = run_data(analysis)
    templates = Environment(
        loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    templates.filters |= {"shown": shown, "power": power, "duration": duration, "bounded": _bounded}
    templates.tests["finite"] = isfinite
    body = templates.get_template("body.html").render(
        head,
        facts=_facts([run.record for run in analysis.outcomes], head["planned"]),
        titles=section_titles(analysis, figures),
        figures=figures,
        captions=CAPTIONS,
        columns=data["columns"],
        choices=_choices(data),
        inline=inline_figure,
        interval=interval_text,
        line=line_text,
        several=partial(several, told=shown),
        **section_data(analysis),
    )
    return self_contained(
        resource("report.html", _FOLDER),
        title=f"{head['name']}: solver comparison",
        styles=[resource("base.css"), resource("report.css", _FOLDER)],
        scripts=[resource("report.js", _FOLDER)],
        data=data,
        body=Markup(body),
    )


def _bounded(value: float | None) -> str:
    return "limit" if value is None else shown(value)


def _facts(records: Sequence[Mapping[str, Any]], planned: int | None) -> dict[str, str]:
    """General facts about the runs."""
    if not records:
        return {}
    number = several(len(records), "run", shown)
    return {
        "runs": number if planned is None else f"{number} recorded of {shown(planned)} planned",
        "outcomes": outcome_words(record["outcome"] for record in records),
        "dates": _dates(records),
        "machine": _distinct(_machine(record.get("machine") or {}) for record in records),
        "versions": _versions(records),
    }


def _dates(records: Sequence[Mapping[str, Any]]) -> str:
    """The first and the last day and minute, in UTC."""
    moments = sorted(str(record["timestamp"]) for record in records if record.get("timestamp"))
    ends = [moment[:16].replace("T", " ") for moment in moments[:1] + moments[-1:]]
    return f"{' to '.join(dict.fromkeys(ends))} UTC" if ends else ""


def _machine(machine: Mapping[str, Any]) -> str:
    cores = machine.get("cores")
    words = machine.get("processor"), None if cores is None else several(cores, "core", shown), machine.get("system")
    return ", ".join(str(word) for word in words if word)


def _versions(records: Iterable[Mapping[str, Any]]) -> str:
    """All versions of all libraries that the runs used."""
    found: dict[str, dict[str, None]] = {}
    for record in records:
        for name, version in (record.get("versions") or {}).items():
            found.setdefault(name, {})[str(version)] = None
    return ", ".join(f"{name} {' and '.join(versions)}" for name, versions in found.items())


def _distinct(texts: Iterable[str]) -> str:
    """The different texts, the most frequent first, with the numbers of runs if there are several."""
    found = Counter(text for text in texts if text)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{text} ({several(number, 'run', shown)})" for text, number in found.most_common(6))


def inline_figure(svg: str, name: str, caption: str) -> Markup:
    """An SVG of matplotlib as an element of a page whose policy forbids styles in elements."""
    inside = svg[svg.index("<svg") :]
    inside = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", inside, flags=re.DOTALL)
    inside = re.sub(r' style="([^"]*)"', lambda style: _attributes(style[1]), inside)
    # Names must be unique in the page, but several figures use the same.
    inside = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", inside)
    width = re.search(r'width="([\d.]+)pt" height="[\d.]+pt"', inside)
    if width:
        size = "narrow" if float(width[1]) < _WIDE_FROM else "wide"
        named = f'role="img" aria-label="{escape(caption)}" class="{size}" stroke-linejoin="round"'
        inside = inside.replace(width[0], named, 1)
    return Markup(inside)


def _attributes(style: str) -> str:
    """The properties of a style as attributes."""
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)


def _choices(data: Mapping[str, Any]) -> list[tuple[int, str, list[str]]]:
    """The columns that have a filter, with their values."""
    found = []
    for place, column in enumerate(data["columns"]):
        if column["choice"]:
            cells = (row[place] for row in data["rows"])
            values = {cell[0] if isinstance(cell, list) else cell for cell in cells if cell is not None}
            found.append((place, column["name"], sorted(values)))
    return found


def summary_lines(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """The summary that the command prints: how runs ended, whether they agree, which engine is best."""
    runs = outcomes_of(records)
    if not runs:
        return ["nothing has run yet"]
    faults = disagreements(runs)
    lines = [f"{several(len(runs), 'run', shown)}: {outcome_words(run.outcome for run in runs)}"]
    lines += [agreement_line(agreements(runs), faults), *faults]
    if scored := best_scores(runs):
        lines.append(f"highest score: {highest_words(scored)}")
    if words := choice_words(summaries(choices(runs)), score_choices(runs)):
        lines.append(f"default: {'; '.join(words)}")
    for part, scores in scores_by_part(runs).items():
        best = next((row for row in scores if row.par2 is not None), None)
        if best is not None and best.solved and len(scores) > 1:
            solved = f"{best.solved} of {several(best.runs, 'run', shown)} solved"
            lines.append(f"{part}: best PAR-2 {duration(best.par2)}, {best.label}, {solved}")
    # Terminals get plain spaces between groups of digits.
    return [escaped(line.replace("\u202f", " ")) for line in lines]
