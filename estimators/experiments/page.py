"""The report of an experiment: one page without external resources, its figures and tables as separate files."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple, get_args

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from ...csp.base.errors import JigsatError, plural
from ...csp.base.safe_files import replacing, replacing_bytes
from ...render.html.page import resource, self_contained
from .analysis import agreements, disagreements
from .answers import agreement_line, answer, outcome_words
from .figures import CAPTIONS, FIGURES, FORMATS, NARROW, WIDE, drawn, shown
from .outcomes import Outcome, outcomes_of
from .records import FIGURE_FOLDER, PAGE, TABLE_FOLDER
from .tables import FORMS, By, Table, table_of

_FOLDER = Path(__file__).parent
# In points: a figure of this width or more has two panels side by side.
_WIDE_FROM = 72 * (NARROW + WIDE) / 2


class Report(NamedTuple):
    """The files of a report: the page, the SVG files of figures, the tables; and why other figures are missing."""

    page: Path
    figures: tuple[Path, ...]
    tables: tuple[Path, ...]
    missing: Mapping[str, str]


def write_report(
    records: Sequence[Mapping[str, Any]], folder: Path, *, source: str, name: str, about: str, planned: int | None
) -> Report:
    """Write the page, the figures and the tables of an experiment into a folder; each file is replaced as a whole.

    Of each figure there are ``figures/NAME.svg``, ``.pdf`` and ``.png``, and its caption as ``figures/NAME.txt``; the
    tables ``engines``, ``puzzles``, ``predictions`` and ``runs`` are in the folder ``tables``, as ``.csv``, ``.md`` and
    ``.tex``.

    Raises JigsatError if a file cannot be written.
    """
    runs = outcomes_of(records)
    drawings = {figure: _drawing(figure, runs) for figure in FIGURES}
    figures = {figure: files for figure, files in drawings.items() if not isinstance(files, str)}
    try:
        for part in (*[FIGURE_FOLDER] * bool(figures), TABLE_FOLDER):
            (folder / part).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JigsatError(f"{error.filename}: cannot be made: {error.strerror}") from error
    for figure in FIGURES:
        _write_figure(folder / FIGURE_FOLDER / figure, figures.get(figure), CAPTIONS[figure])
    tables = {f"{by}s": table_of(runs, by) for by in get_args(By)}
    written = _write_tables(tables, folder / TABLE_FOLDER)
    missing = {figure: why for figure, why in drawings.items() if isinstance(why, str)}
    head = {"name": name, "about": about, "planned": planned, "missing": missing if runs else {}}
    head["command"] = f"jigsat compare {source} -o {quote(folder.name or str(folder))}" if source else None
    page = folder / PAGE
    with replacing(page) as file:
        file.write(_page(runs, {figure: files["svg"].decode() for figure, files in figures.items()}, tables, head))
    return Report(page, tuple(folder / FIGURE_FOLDER / f"{figure}.svg" for figure in figures), written, missing)


def _drawing(figure: str, runs: Sequence[Outcome]) -> dict[str, bytes] | str:
    """The files of a figure, or why it is missing."""
    if not runs:
        return "nothing has run yet"
    if find_spec("matplotlib") is None:
        return "matplotlib is not installed: pip install 'jigsat[plots]'"
    return drawn(figure, runs)


def _write_figure(path: Path, files: Mapping[str, bytes] | None, caption: str) -> None:
    """Write a figure and its caption; where there is no figure, remove those of an earlier report."""
    texts = {} if files is None else {**files, "txt": f"{caption}\n".encode()}
    for ending in (*FORMATS, "txt"):
        if ending in texts:
            with replacing_bytes(path.with_suffix(f".{ending}")) as file:
                file.write(texts[ending])
        else:
            path.with_suffix(f".{ending}").unlink(missing_ok=True)


def _write_tables(tables: Mapping[str, Table], folder: Path) -> tuple[Path, ...]:
    written: list[Path] = []
    for name, table in tables.items():
        for ending, text in FORMS.values():
            written.append(folder / f"{name}.{ending}")
            with replacing(written[-1]) as file:
                file.write(text(table))
    return tuple(written)


def _page(
    runs: Sequence[Outcome], figures: Mapping[str, str], tables: Mapping[str, Table], head: Mapping[str, Any]
) -> str:
    faults = disagreements(runs)
    values: dict[str, Any] = {
        "facts": _facts(runs, head["planned"]),
        "answer": answer(runs),
        "agreement": agreement_line(runs, faults),
        "agreed": not faults and agreements(runs)[0] > 0,
        "disagreements": faults,
        "tables": tables,
    }
    sections = (
        ("engines", "Engines", runs),
        ("predictions", "Predicted and actual", tables["predictions"].rows or "predicted-actual" in figures),
        ("puzzles", "Puzzles", runs),
        ("all-runs", "All runs", runs),
    )
    body = template("body.html").render(
        head,
        titles={name: title for name, title, there in sections if there},
        figures=figures,
        captions=CAPTIONS,
        inline=inline_figure,
        several=partial(plural, digits=shown),
        **values,
    )
    return self_contained(
        resource("report.html", _FOLDER),
        title=f"{head['name']}: solver comparison",
        styles=[resource("base.css"), resource("report.css", _FOLDER)],
        scripts=[resource("report.js", _FOLDER)],
        data=None,
        body=Markup(body),
    )


def template(name: str, folder: Path = _FOLDER) -> Template:
    """A template of this folder, or of another one that uses the elements of this one."""
    templates = Environment(
        loader=FileSystemLoader([folder, _FOLDER]), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    templates.filters["shown"] = shown
    return templates.get_template(name)


def _facts(runs: Sequence[Outcome], planned: int | None) -> dict[str, str]:
    if not runs:
        return {}
    records, number = [run.record for run in runs], plural(len(runs), "run", shown)
    moments = sorted(record["timestamp"][:16].replace("T", " ") for record in records)
    machines = Counter(_machine(record["machine"]) for record in records).most_common(6)
    versions: dict[str, dict[str, None]] = {}
    for record in records:
        for name, version in record["versions"].items():
            versions.setdefault(name, {})[str(version)] = None
    return {
        "runs": number if planned is None else f"{number} recorded of {shown(planned)} planned",
        "outcomes": outcome_words(runs),
        "dates": " to ".join(dict.fromkeys((moments[0], moments[-1]))) + " UTC",
        "machine": "; ".join(
            text if len(machines) == 1 else f"{text} ({plural(number, 'run', shown)})" for text, number in machines
        ),
        "versions": ", ".join(f"{name} {' and '.join(those)}" for name, those in versions.items()),
    }


def _machine(machine: Mapping[str, Any]) -> str:
    cores = machine.get("cores")
    words = machine.get("processor"), None if cores is None else plural(cores, "core", shown), machine.get("system")
    return ", ".join(str(word) for word in words if word)


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
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)
