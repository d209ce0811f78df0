"""The sections of a report: HTML of what the runs tell, each only where there is something to tell."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

from ..analysis.analysis import Analysis
from ..analysis.calibration import Calibration, CounterExample, DepthRatio
from ..analysis.fitting import Line
from ..analysis.outcomes import grouped_by
from ..analysis.peak import Peak, Point
from ..analysis.scores import BestScore, EngineScore, Winner, highest, scores_by_part
from .facts import merged
from .markup import Content, Markup, number_cell, table, tag
from .wording import duration, power, several, shown

#: The figures that belong to a section, as HTML, by the names of the charts.
Figures = Mapping[str, Markup]


def sections(analysis: Analysis, figures: Figures) -> list[Markup]:
    """All sections that the runs have something for."""
    found = (
        _engines(analysis, figures),
        _best_scores(analysis.best_scores),
        _winners(analysis.winners, figures),
        _predictions(analysis, figures),
        _depths(analysis.depths, figures),
        _rankings(analysis, figures),
        _peaks(analysis.peaks, figures),
        _transfers(analysis, figures),
    )
    return [section for section in found if section]


def _section(name: str, title: str, *content: Content) -> Markup:
    return tag("section", tag("h2", title), *content, id=name)


def agreement_line(agreements: tuple[int, int], disagreements: Sequence[str]) -> str:
    """Whether runs that can be compared say the same."""
    puzzles, runs = agreements
    if disagreements:
        return f"Engines disagree: {several(len(disagreements), 'contradiction')}."
    if not puzzles:
        return "No two runs can be compared: nothing was counted or decided twice."
    return f"All agree: {several(runs, 'run')} on {several(puzzles, 'puzzle')} could be compared."


def _engines(analysis: Analysis, figures: Figures) -> Markup:
    heads = ("engine", "runs", "solved", "time-outs", "out of memory", "other", "PAR-2", "median", "total time")
    note = (
        "PAR-2 is the mean time, a run that is not solved taken as twice its time limit; there is none where other "
        "limits than time and memory ended runs. A median of “beyond the limit” belongs to an engine that solved less "
        "than half of its runs."
    )
    line = agreement_line(analysis.agreements, analysis.disagreements)
    agreement = tag("p", line, class_="good" if analysis.agreements[0] else None)
    if analysis.disagreements:
        listed = tag("ul", [tag("li", fault) for fault in analysis.disagreements])
        agreement = tag("div", tag("p", line), listed, class_="bad", role="alert")
    tables = [
        table(f"{part}, best PAR-2 first", heads, [_engine_row(row) for row in scores])
        for part, scores in scores_by_part(analysis.outcomes).items()
    ]
    return _section("engines", "Engines", agreement, tables, tag("p", note, class_="note"), figures.get("cactus"))


def _engine_row(row: EngineScore) -> list[Content]:
    other = ", ".join(f"{number} {what}" for what, number in row.other.items() if number)
    median = "beyond the limit" if row.median is None and row.timed_out else duration(row.median)
    return [
        row.label, shown(row.runs), shown(row.solved), _marked(row.timed_out), _marked(row.out_of_memory), other or "0",
        _seconds(row.par2), number_cell(median, row.median), _seconds(row.seconds),
    ]  # fmt: skip


def _marked(number: int) -> Markup:
    """A number of runs that failed."""
    return number_cell(shown(number), class_="bad" if number else "")


def _seconds(seconds: float | None) -> Markup:
    return number_cell(duration(seconds), seconds)


def _winners(cells: Sequence[Winner], figures: Figures) -> Markup:
    if len(cells) < 2 or not any(cell.label for cell in cells):
        return Markup("")
    heads = ("goal", "size", "engine", "inner colours", "clues", "solved", "median", "next", "its PAR-2")
    rows = [
        [
            cell.goal, "–" if cell.rows is None else f"{cell.rows}x{cell.columns}", cell.label or "none",
            shown(cell.inner_colors), shown(cell.clues), f"{cell.solved} of {cell.runs}", _seconds(cell.seconds),
            cell.second or "–", "–" if cell.factor is None else f"{shown(cell.factor)} times",
        ]
        for cell in cells
    ]  # fmt: skip
    whole = table("The engine of least PAR-2 on each kind of puzzle", heads, rows, texts=(0, 1, 2, 7))
    return _section(
        "winners", "Which engine wins where", figures.get("winners"), _folded("All cells", whole, len(rows))
    )


def _folded(title: str, content: Markup, rows: int, most: int = 15) -> Markup:
    """Long tables are opened on demand."""
    return content if rows <= most else tag("details", tag("summary", f"{title} ({rows} rows)"), content)


def _best_scores(rows: Sequence[BestScore]) -> Markup:
    """Puzzles beside engines; what is highest on a puzzle stands out."""
    if not rows:
        return Markup("")
    labels = list(dict.fromkeys(row.label for row in rows))
    cells = [
        [
            name,
            shown(next((row.joins for row in row_of if row.joins), None)),
            *(_score_cells(row_of, label) for label in labels),
        ]
        for (_, name), row_of in grouped_by(rows, lambda row: (row.sha256, row.instance)).items()
    ]
    note = (
        "Valid joins of the best full board, and when the search had it: seconds of the search and, for engines that "
        "place pieces one by one, nodes (“≤” where that was not noticed before the end). “optimal” is proved to be the "
        "highest; all else may be beaten by longer runs. The highest on each puzzle is marked ★."
    )
    whole = table("Best score of each engine on each puzzle", ("puzzle", "joins", *labels), cells)
    line = tag("p", f"Highest score: {highest_words(rows)}.", class_="finding")
    return _section("best-scores", "Best scores", line, whole, tag("p", note, class_="note"))


def highest_words(rows: Sequence[BestScore]) -> str:
    """Who has the highest scores, in words: beam on 7 of 8 puzzles, dive on 2."""
    of = f" of {several(len({(row.sha256, row.instance) for row in rows}), 'puzzle')}"
    found = [f"{label} on {shown(number)}{'' if place else of}" for place, (label, number) in enumerate(highest(rows))]
    return ", ".join(found) if found else "no full board was found"


def _score_cells(rows: Sequence[BestScore], label: str) -> Markup:
    """What one engine did on a puzzle, beside the best of all."""
    row = next((row for row in rows if row.label == label), None)
    if row is None or row.score is None:
        return number_cell("–" if row is None else "no full board")
    star = " ★" if row.score == max(other.score or 0 for other in rows) else ""
    optimal = ", optimal" if row.optimal else ""
    least = "" if row.noticed else "≤ "
    took = [f"{least}{duration(row.seconds)}", *([] if row.nodes is None else [f"{least}{shown(row.nodes)} nodes"])]
    return number_cell(f"{row.score}{star}{optimal} ({', '.join(took)})", row.score, "good" if star else "")


def _predictions(analysis: Analysis, figures: Figures) -> Markup:
    rows = [*analysis.nodes, *analysis.solutions]
    if not rows and "predicted-actual" not in figures:
        return Markup("")
    families = merged(row for row in rows if row.family != "all")
    total = merged(row for row in rows if row.family == "all")
    note = (
        "Geometric means of actual / predicted over complete runs, with 95 % intervals; the spread is a typical factor "
        "between two runs of one family. The correction is a line through the decimal logarithms p of the predictions, "
        "with standard errors. A planted puzzle is expected to have one solution more, in all its arrangements, than "
        "Owen’s model says. Left out are runs that a limit ended, and those that found 0."
    )
    content: list[Content] = [figures.get("predicted-actual")]
    if len(families) > len(total):
        content.append(table("All families together", _CALIBRATION_HEADS, _calibration_rows(total), _CALIBRATION_TEXTS))
    if rows:
        whole = table("Each family", _CALIBRATION_HEADS, _calibration_rows(families), _CALIBRATION_TEXTS)
        content += [_folded("Each family", whole, len(families)), tag("p", note, class_="note")]
    return _section("predictions", "Predicted and actual", *content, figures.get("calibration"))


_CALIBRATION_HEADS = (
    "of", "family", "engine", "runs", "actual / predicted", "95 % interval", "spread (factor)",
    "correction: log actual =", "left out",
)  # fmt: skip
_CALIBRATION_TEXTS = range(3)


def _calibration_rows(rows: Iterable[tuple[Calibration, str]]) -> list[list[Content]]:
    return [
        [
            row.quantity, "all" if row.family == "all" else row.family, label, shown(row.number),
            _ratio(row.geometric_mean), _interval(row.low, row.high), power(row.spread), _line(row.correction, "p"),
            shown(row.left_out),
        ]
        for row, label in rows
    ]  # fmt: skip


def _ratio(value: float) -> Markup:
    return number_cell(shown(value), value, "" if not isfinite(value) or 1 / 1.5 <= value <= 1.5 else "far")


def _number(value: float) -> Markup:
    return number_cell(shown(value), value)


def _interval(low: float | None, high: float | None) -> str:
    ends = [value for value in (low, high) if value is not None and isfinite(value)]
    return f"{shown(low)} .. {shown(high)}" if len(ends) == 2 else "–"


def _line(line: Line | None, variable: str) -> str:
    if line is None:
        return "–"
    slope = f"({line.slope:.3f} ± {line.slope_error:.3f}) {variable}"
    return f"({line.intercept:.2f} ± {line.intercept_error:.2f}) + {slope}".replace("-", "−")


def _depths(rows: Sequence[DepthRatio], figures: Figures) -> Markup:
    if not rows:
        return Markup("")
    beyond = [row for row in rows if row.beyond]
    sure = sum(row.low > 1.5 or row.high < 1 / 1.5 for row in beyond)
    said = f"At {len(beyond)} of {several(len(rows), 'depth')} the geometric mean leaves 1/1.5 .. 1.5"
    said += f", at {sure} of them with the whole of its interval" if beyond else ""
    content: list[Content] = [tag("p", said + (":" if beyond else "."), class_="finding" if beyond else "good")]
    if beyond:
        findings = [_depth_row(row) for row in beyond]
        content.append(table("Beyond 1/1.5 .. 1.5", _DEPTH_HEADS, findings, texts=range(2)))
    groups = [_depth_summary(*key, mine) for key, mine in grouped_by(rows, lambda row: (row.family, row.label)).items()]
    heads = ("family", "engine", "depths", "beyond 1/1.5 .. 1.5", "runs", "least mean ratio", "largest mean ratio")
    content.append(table("By family", heads, groups, texts=range(2)))
    note = (
        "Actual / predicted nodes at each depth where more than 1000 are predicted for every puzzle, over the runs "
        "that counted that depth completely: geometric mean with its 95 % interval (Student’s t on logarithms), the "
        "mean of the actual over the mean of the predicted nodes, and the ratios of the two extreme puzzles. Zeros are "
        "puzzles without a node there, which the geometric mean leaves out; missing are runs that ended before, which "
        "are less than half."
    )
    content += [figures.get("depths"), figures.get("depth-curves")]
    whole = table("All depths", _DEPTH_HEADS, [_depth_row(row) for row in rows], texts=range(2))
    content += [_folded("All depths", whole, len(rows)), tag("p", note, class_="note")]
    return _section("depths", "Depth by depth", *content)


_DEPTH_HEADS = (
    "family", "engine", "depth", "runs", "predicted", "actual", "actual / predicted", "95 % interval", "of the means",
    "least", "most", "zeros", "missing",
)  # fmt: skip


def _depth_row(row: DepthRatio) -> list[Content]:
    return [
        row.family, row.label, shown(row.depth), shown(row.runs), _number(row.predicted), _number(row.actual),
        _ratio(row.ratio), _interval(row.low, row.high), _number(row.mean_ratio), _number(row.least),
        _number(row.most), _marked(row.zeros), _marked(row.missing),
    ]  # fmt: skip


def _depth_summary(family: str, label: str, rows: Sequence[DepthRatio]) -> list[Content]:
    ratios = [row.ratio for row in rows if isfinite(row.ratio)]
    runs = sorted({row.runs for row in rows})
    depths = f"{rows[0].depth} .. {rows[-1].depth}"
    ends: list[Content] = [_ratio(min(ratios)), _ratio(max(ratios))] if ratios else ["–", "–"]
    beyond = sum(row.beyond for row in rows)
    return [family, label, depths, f"{beyond} of {len(rows)}", " .. ".join(map(str, runs[:1] + runs[1:][-1:])), *ends]


def _rankings(analysis: Analysis, figures: Figures) -> Markup:
    rows = [row for row in analysis.rankings if row.pairs]
    if not rows:
        return Markup("")
    heads = ("family", "pairs of orders", "in the predicted order", "counter-examples", "undecided", "Kendall’s tau")
    cells = [
        [
            row.family, shown(row.pairs), shown(row.right), _marked(len(row.wrong)), _marked(row.undecided),
            _tau(row.kendall),
        ]
        for row in rows
    ]  # fmt: skip
    wrong = [example for row in rows for example in row.wrong]
    note = (
        "Pairs of orders on one puzzle whose predicted nodes differ by more than a factor of 2. Undecided are those "
        "that cost the same, and those where a limit ended a run before it had more nodes than the other: of runs that "
        "were cut, counter-examples can hardly be seen. Kendall’s tau is 1 where all orders, however close, come as "
        "predicted; it is the mean over the puzzles, where all runs were complete."
    )
    content: list[Content] = [table("Orders that cost as predicted", heads, cells), tag("p", note, class_="note")]
    if wrong:
        listed = table(
            "Counter-examples: the order that was predicted to be dearer was cheaper",
            (
                "family",
                "puzzle",
                "predicted to be cheaper",
                "predicted to be dearer",
                "predicted ratio",
                "actual ratio",
            ),
            [_counter_example(example) for example in wrong],
            texts=range(4),
        )
        content.append(listed)
    elif not any(row.undecided for row in rows):
        content.append(
            tag("p", "Wherever predictions differ by more than a factor of 2, the order is right.", class_="good")
        )
    return _section("ranking", "Do search orders cost in the predicted order?", *content, figures.get("ranking"))


def _tau(value: float) -> str:
    return f"{value:.3f}".replace("-", "−") if isfinite(value) else "–"


def _counter_example(example: CounterExample) -> list[Content]:
    ratios = (_number(value) for value in (example.predicted_ratio, example.actual_ratio))
    return [example.family, example.instance, example.cheaper, example.dearer, *ratios]


def _peaks(peaks: Sequence[Peak], figures: Figures) -> Markup:
    if not peaks:
        return Markup("")
    heads = (
        "size",
        "engine",
        "effort",
        "peak at",
        "95 % interval",
        "parabola",
        "of the prediction",
        "Owen’s number",
        "method",
    )
    rows = [
        [
            peak.family, peak.label, peak.measure, _colors(peak.at), _interval(peak.low, peak.high),
            _colors(peak.parabola), _colors(peak.predicted), _colors(peak.owen), peak.method,
        ]
        for peak in peaks
    ]  # fmt: skip
    note = (
        "The number of inner colours at which the median effort to the first solution is highest: where the lines "
        "through the logarithms of the medians on both sides cross; the interval comes from drawing the puzzles anew."
    )
    content = [table("Where puzzles are hardest", heads, rows, texts=(0, 1, 2, 8)), tag("p", note, class_="note")]
    points = [(peak, point) for peak in peaks for point in peak.points]
    heads = (
        "size",
        "engine",
        "effort",
        "inner colours",
        "runs",
        "not solved",
        "median",
        "its 95 % interval",
        "quartiles",
    )
    listed = table("Effort by inner colours", heads, [_point_row(*pair) for pair in points], texts=range(3))
    folded = _folded("Effort by inner colours", listed, len(points), 30)
    return _section("peak", "Where puzzles are hardest", *content, figures.get("peak"), folded)


def _colors(number: float | None) -> Markup:
    return number_cell("–" if number is None else f"{number:.2f}", number)


def _point_row(peak: Peak, point: Point) -> list[Content]:
    return [
        peak.family, peak.label, peak.measure, shown(point.inner_colors), shown(point.runs), _marked(point.unsolved),
        number_cell(_bounded(point.median), point.median), _bounds(point.median_low, point.median_high),
        _bounds(point.low, point.high),
    ]  # fmt: skip


def _bounds(low: float | None, high: float | None) -> str:
    return f"{_bounded(low)} .. {_bounded(high)}"


def _bounded(value: float | None) -> str:
    return "limit" if value is None else shown(value)


def _transfers(analysis: Analysis, figures: Figures) -> Markup:
    if not analysis.transfers:
        return Markup("")
    heads = ("goal", "engine", "measure", "runs", "at least", "left out", "log measure =", "typical factor", "R²")
    rows = [
        [
            row.goal, row.engine, row.measure, shown(row.number), _marked(row.censored), shown(row.left_out),
            _line(row.line, "e"), _number(row.factor), f"{row.line.r_squared:.2f}",
        ]
        for row in analysis.transfers
    ]  # fmt: skip
    note = (
        "Lines through decimal logarithms, e that of the predicted effort (all nodes for a count; for a first solution "
        "nodes / (solutions + 1)), with standard errors. Runs that a limit ended count as “at least” (a censored "
        "normal model), or are left out where nothing is known of them. The typical factor lies between line and fact."
    )
    whole = table("Predicted effort and what engines did", heads, rows, texts=range(3))
    return _section(
        "transfer", "Does the prediction hold for other engines?", whole, tag("p", note, class_="note"),
        figures.get("transfer"),
    )  # fmt: skip


_ENDINGS = {
    "time": "timed out",
    "memory": "out of memory",
    "nodes": "at the node limit",
    "depth": "to the depth limit",
    "solutions": "at the limit of solutions",
    "restarts": "given up after many attempts",
    "interrupt": "interrupted",
    "crash": "crashed",
}


def outcome_words(outcomes: Iterable[str]) -> str:
    """How runs ended, in words: 12 solved, 3 timed out."""
    numbers = Counter(outcomes)
    listed = sorted(numbers.items(), key=lambda pair: (pair[0] != "solved", -pair[1], pair[0]))
    return ", ".join(f"{shown(number)} {_ENDINGS.get(name, name)}" for name, number in listed)
