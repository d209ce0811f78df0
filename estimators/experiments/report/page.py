"""The report of an experiment: one page that needs nothing else, and its figures as files of their own."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Any

from ....csp.base.errors import JigsatError
from ....csp.base.safe_files import escaped, replacing
from ....render.html.page import resource, self_contained
from ..analysis.analysis import Analysis, analysed
from ..analysis.outcomes import outcomes_of
from ..analysis.scores import agreements, best_scores, disagreements, scores_by_part
from .chart_style import NARROW, WIDE
from .charts import CHARTS, Chart, drawn
from .markup import Content, Markup, joined, tag
from .runs import run_data
from .sections import agreement_line, highest_words, outcome_words, sections
from .wording import duration, several, shown

# Points: from here on a figure has two panels beside each other.
_WIDE_FROM = 72 * (NARROW + WIDE) / 2


def write_report(
    records: Sequence[Mapping[str, Any]], folder: Path, *, name: str, about: str, planned: int | None
) -> list[Path]:
    """Write ``report.html`` and ``figures/*.svg`` into a folder; each file is replaced as a whole.

    Without matplotlib the page has no figures, and says so.

    Parameters
    ----------
    records
        The runs.
    folder
        Where it is written; it is made if it does not exist.
    name, about
        The experiment, and what it asks.
    planned
        How many runs the experiment has, if that is known.

    Returns
    -------
    list of Path
        The files, the page first.

    Raises
    ------
    JigsatError
        If a file cannot be written.
    """
    analysis = analysed(records)
    pictures = _pictures(analysis) if find_spec("matplotlib") else {}
    page = folder / "report.html"
    files = {chart: folder / "figures" / f"{chart.name}.svg" for chart in CHARTS}
    _make_folder(folder / "figures" if pictures else folder)
    for chart, file in files.items():
        if chart in pictures:
            _write(file, pictures[chart])
        else:
            # That of an earlier report would tell of other runs.
            file.unlink(missing_ok=True)
    figures = {chart.name: _figure(chart, text) for chart, text in pictures.items()}
    head = _head(analysis, name, about, planned, f"jigsat compare {quote(name)} -o {quote(folder.name or str(folder))}")
    _write(page, _page(analysis, head, figures, name))
    return [page, *(files[chart] for chart in pictures)]


def _pictures(analysis: Analysis) -> dict[Chart, str]:
    """The figures that the runs have something for."""
    texts = {chart: drawn(chart, analysis) for chart in CHARTS} if analysis.outcomes else {}
    return {chart: text for chart, text in texts.items() if text is not None}


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JigsatError(f"{folder}: cannot be made: {error.strerror}") from error


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text)


def _page(analysis: Analysis, head: Sequence[Content], figures: Mapping[str, Markup], name: str) -> str:
    """The whole page."""
    data = run_data(analysis)
    found = sections(analysis, figures) if analysis.outcomes else []
    body = joined([*head, _contents(found), found, _runs(data) if analysis.outcomes else None])
    return self_contained(
        _beside("report.html"),
        title=f"{name}: solver comparison",
        styles=[resource("base.css"), _beside("report.css")],
        scripts=[_beside("report.js")],
        data=data,
        body=body,
    )


def _beside(name: str) -> str:
    """The text of a file that lies beside this module."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _head(analysis: Analysis, name: str, about: str, planned: int | None, command: str) -> list[Content]:
    """What was asked, and which runs there are to tell."""
    records = [run.record for run in analysis.outcomes]
    content: list[Content] = [tag("h1", name), tag("p", about, class_="lead") if about else None]
    if not records:
        of = "" if planned is None else f" {several(planned, 'run')} planned."
        return [
            *content,
            tag("p", f"Nothing has run yet.{of}", class_="finding"),
            _facts({"command": tag("code", command)}),
        ]
    number = several(len(records), "run")
    facts: dict[str, Content] = {
        "runs": number if planned is None else f"{number} recorded of {shown(planned)} planned",
        "outcomes": outcome_words(run.outcome for run in analysis.outcomes),
        "dates": _dates(records),
        "machine": _distinct(_machine(record.get("machine") or {}) for record in records),
        "versions": _versions(records),
        "command": tag("code", command),
    }
    if find_spec("matplotlib") is None:
        facts["figures"] = "left out: they need matplotlib, which the extra plots installs"
    return [*content, _facts(facts)]


def _facts(facts: Mapping[str, Content]) -> Markup:
    return tag("dl", [[tag("dt", name), tag("dd", content)] for name, content in facts.items() if content])


def _dates(records: Sequence[Mapping[str, Any]]) -> str:
    """The first and the last day and minute, in UTC."""
    moments = sorted(str(record["timestamp"]) for record in records if record.get("timestamp"))
    ends = [moment[:16].replace("T", " ") for moment in moments[:1] + moments[-1:]]
    return f"{' to '.join(dict.fromkeys(ends))} UTC" if ends else ""


def _machine(machine: Mapping[str, Any]) -> str:
    cores = machine.get("cores")
    words = (machine.get("processor"), None if cores is None else several(cores, "core"), machine.get("system"))
    return ", ".join(str(word) for word in words if word)


def _versions(records: Iterable[Mapping[str, Any]]) -> str:
    """Every version of every library that took part."""
    found: dict[str, dict[str, None]] = {}
    for record in records:
        for name, version in (record.get("versions") or {}).items():
            found.setdefault(name, {})[str(version)] = None
    return ", ".join(f"{name} {' and '.join(versions)}" for name, versions in found.items())


def _distinct(texts: Iterable[str]) -> str:
    """What the runs say, the most frequent first, with numbers where they differ."""
    found = Counter(text for text in texts if text)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{text} ({several(number, 'run')})" for text, number in found.most_common(6))


def _contents(found: Sequence[Markup]) -> Markup | None:
    """Links to the sections."""
    links = [re.match(r'<section id="([\w-]+)"><h2>(.*?)</h2>', section) for section in found]
    named = [(link[1], Markup(link[2])) for link in links if link]
    if not named:
        return None
    return tag("nav", [tag("a", title, href=f"#{name}") for name, title in (*named, ("all-runs", "All runs"))],
               aria_label="sections")  # fmt: skip


def _figure(chart: Chart, svg: str) -> Markup:
    """A figure inside the page, as wide as the column, and on narrow screens in a box that scrolls."""
    box = tag(
        "div", _inline(chart, svg), class_="scroll", tabindex="0", role="region", aria_label=f"figure {chart.name}"
    )
    return tag("figure", box, tag("figcaption", chart.caption), id=f"figure-{chart.name}")


def _inline(chart: Chart, svg: str) -> Markup:
    """An SVG of matplotlib's as an element of a page whose policy allows no styles within elements."""
    inside = svg[svg.index("<svg") :]
    inside = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", inside, flags=re.DOTALL)
    inside = re.sub(r' style="([^"]*)"', lambda style: _attributes(style[1]), inside)
    # What several figures call the same must have names of its own in each.
    inside = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{chart.name}-", inside)
    width = re.search(r'width="([\d.]+)pt" height="[\d.]+pt"', inside)
    if width:
        size = "narrow" if float(width[1]) < _WIDE_FROM else "wide"
        named = f'role="img" aria-label="{joined(chart.caption)}" class="{size}" stroke-linejoin="round"'
        inside = inside.replace(width[0], named, 1)
    return Markup(inside)


def _attributes(style: str) -> str:
    """What a style says of a shape, said by attributes."""
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)


def _runs(data: Mapping[str, Any]) -> Markup:
    """The frame of the table of all runs, which the script of the page fills."""
    columns = data["columns"]
    label = tag(
        "label", "every word to be found", tag("input", type="search", id="words", name="words"), class_="words"
    )
    filters = [label]
    for index, column in enumerate(columns):
        if column["choice"]:
            filters.append(_choice(column["name"], index, data["rows"]))
    filters.append(tag("button", "Show all", type="button", id="reset"))
    heads = [
        tag("th", tag("button", column["name"], type="button"), scope="col", aria_sort="none",
            class_="number" if column["numeric"] else None)
        for column in columns
    ]  # fmt: skip
    whole = tag("table", tag("thead", tag("tr", heads)), tag("tbody"), id="runs", aria_label="all runs")
    return tag(
        "section",
        tag("h2", "All runs"),
        tag("div", filters, id="filters", role="search", aria_label="filters"),
        tag("p", id="number", role="status"),
        tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label="table of all runs"),
        tag("button", "Show more", type="button", id="more", hidden=True),
        tag("noscript", "This table needs JavaScript, which this browser does not run."),
        id="all-runs",
    )


def _choice(name: str, column: int, rows: Sequence[Sequence[Any]]) -> Markup:
    """A list of the values of a column, of which one can be chosen."""
    values = {cell[0] if isinstance(cell, list) else cell for row in rows if (cell := row[column]) is not None}
    options = [tag("option", "all", value=""), *(tag("option", value, value=value) for value in sorted(values))]
    return tag("label", name, tag("select", options, name=name, data_column=str(column)))


def summary_lines(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the command says at its end: how runs ended, whether they agree, which engine is best."""
    runs = outcomes_of(records)
    if not runs:
        return ["nothing has run yet"]
    faults = disagreements(runs)
    lines = [f"{several(len(runs), 'run')}: {outcome_words(run.outcome for run in runs)}"]
    lines += [agreement_line(agreements(runs), faults), *faults]
    if scored := best_scores(runs):
        lines.append(f"highest score: {highest_words(scored)}")
    for part, scores in scores_by_part(runs).items():
        best = next((row for row in scores if row.par2 is not None), None)
        if best is not None and best.solved and len(scores) > 1:
            solved = f"{best.solved} of {several(best.runs, 'run')} solved"
            lines.append(f"{part}: best PAR-2 {duration(best.par2)}, {best.label}, {solved}")
    # Terminals show them with plain spaces.
    return [escaped(line.replace("\u202f", " ")) for line in lines]
