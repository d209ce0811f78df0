"""Tables of a comparison as text, CSV, Markdown and LaTeX: of engines, puzzles, predictions and all runs."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from statistics import median
from typing import Any, Literal

from .analysis import best_scores, calibrations, highest, instance_of, scores_by_part
from .answers import ending_words, for_terminal, problem_of
from .figures import duration, power, shown
from .outcomes import Outcome, grouped_by

#: What the rows of a table are.
By = Literal["engine", "puzzle", "run", "prediction"]
#: A cell: its text for readers, and its value for programs.
Cell = tuple[str, Any]
_LATEX = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$",
    "≥": r"$\geq$", "–": "--", "\u202f": r"\,",
}  # fmt: skip


@dataclass(frozen=True)
class Table:
    """A table: the heads of its columns, of which the first `texts` hold texts and the others numbers, and its rows."""

    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    texts: int = 1

    def lines(self, most: int | None = None) -> list[str]:
        """The table for a terminal; of more rows than `most` the first ones, and how many more there are."""
        cut = most is not None and len(self.rows) > most + 1
        rows = [list(self.heads), *([text for text, _ in row] for row in self.rows[: most if cut else None])]
        plain = [[for_terminal(text) for text in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
        adjusted = [
            [f"{text:<{width}}" if place < self.texts else f"{text:>{width}}"
             for place, (text, width) in enumerate(zip(row, widths, strict=True))] for row in plain
        ]  # fmt: skip
        more = [f"  ... and {len(self.rows) - len(rows) + 1} more"] if cut else []
        return [f"  {'  '.join(row)}".rstrip() for row in adjusted] + more

    def csv(self) -> str:
        """The values as CSV; a cell without a value is empty."""
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            [self.heads, *([value for _, value in row] for row in self.rows)]
        )
        return text.getvalue()

    def markdown(self) -> str:
        marks = ["---" if place < self.texts else "---:" for place in range(len(self.heads))]
        rows = [self.heads, marks, *([text.replace("|", r"\|") for text, _ in row] for row in self.rows)]
        return "".join(f"| {' | '.join(row)} |\n" for row in rows)

    def latex(self) -> str:
        """The texts as a LaTeX table, with the rules of the package booktabs."""
        head, *rows = [
            " & ".join("".join(_LATEX.get(mark, mark) for mark in text) for text in row) + r" \\"
            for row in (self.heads, *([text for text, _ in row] for row in self.rows))
        ]
        columns = "l" * self.texts + "r" * (len(self.heads) - self.texts)
        first = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
        return "\n".join([*first, *rows, r"\bottomrule", r"\end{tabular}", ""])


#: The forms of tables: the ending of a file, and the text.
FORMS: Mapping[str, tuple[str, Callable[[Table], str]]] = {
    "csv": ("csv", Table.csv),
    "md": ("md", Table.markdown),
    "latex": ("tex", Table.latex),
}


def table_of(runs: Sequence[Outcome], by: By) -> Table:
    """The table of runs by engine, by puzzle, with a row for each, or by what was predicted."""
    tables = {"engine": engine_table, "puzzle": puzzle_table, "run": run_table, "prediction": prediction_table}
    return tables[by](runs)


def prediction_table(runs: Sequence[Outcome]) -> Table:
    """Actual over predicted nodes and solutions by family and engine: geometric means, intervals and spreads."""
    heads = (
        "of", "family", "engine", "runs", "actual / predicted", "95 % from", "95 % to", "spread (factor)", "omitted"
    )  # fmt: skip
    rows: list[list[Cell]] = []
    for row in (*calibrations(runs, "nodes"), *calibrations(runs, "solutions")):
        numbers = (row.number, row.geometric_mean, row.low, row.high, row.spread, row.left_out)
        cells = [(shown(number), number if isfinite(number) else None) for number in numbers]
        rows.append([*((text, text) for text in (row.quantity, row.family, row.label)), *cells])
    return Table(heads, rows, texts=3)


def engine_table(runs: Sequence[Outcome]) -> Table:
    """How many runs each engine solved and how fast, best first; in several parts if the experiment has several."""
    parts = scores_by_part(runs)
    named, scored = len(parts) > 1, dict(highest(best_scores(runs)))
    failed = any(score.other for scores in parts.values() for score in scores)
    heads = [
        *["part"] * named, "engine", "runs", "solved", *["not solved"] * failed, "median time", "PAR-2",
        *["highest score"] * bool(scored),
    ]  # fmt: skip
    rows: list[list[Cell]] = []
    for part, scores in parts.items():
        for score in scores:
            other = ending_words(score.other)
            cells = [
                *[(part, part)] * named, (score.label, score.label), (shown(score.runs), score.runs),
                (shown(score.solved), score.solved), *[(other, other)] * failed,
                (duration(score.median), score.median), (duration(score.par2), score.par2),
            ]  # fmt: skip
            number = scored.get(score.label, 0)
            rows.append([*cells, *[(f"on {number}", number)] * bool(scored)])
    return Table(heads, rows, texts=1 + named)


def puzzle_table(runs: Sequence[Outcome]) -> Table:
    """The answer for each puzzle, and the time of each engine, or its score; the median of repetitions."""
    labels = list(dict.fromkeys(run.label for run in runs))
    problems = grouped_by(runs, problem_of)
    named, planted = len({part for part, *_ in problems}) > 1, any(run.planted for run in runs)
    rows: list[list[Cell]] = []
    for (part, *_), those in problems.items():
        cells = [_cell([run for run in those if run.label == label]) for label in labels]
        name = instance_of(those[0])
        head = [*[(part, part)] * named, (name, name), *[(str(those[0].planted), those[0].planted)] * planted]
        rows.append([*head, _answer(those), *cells])
    heads = [*["part"] * named, "puzzle", *["planted"] * planted, "answer", *labels]
    return Table(heads, rows, texts=1 + named)


def _answer(runs: Sequence[Outcome]) -> Cell:
    """The number of solutions, whether there is one, or the highest score; only what is proved or found."""
    records = [run.record for run in runs]
    if runs[0].goal == "best":
        best = max((record["best_score"] or 0 for record in records), default=0)
        return f"{best}{' (optimal)' * any(record['status'] == 'optimal' for record in records)}", best
    counts = [record["count"] for record in records if record.get("complete") and record.get("count") is not None]
    if runs[0].counted:
        least = max((record["count"] or 0 for record in records), default=0)
        return (shown(counts[0]), counts[0]) if counts else (f"≥ {shown(least)}" if least else "–", None)
    known = [record["status"] for record in records if record["status"] in ("satisfiable", "unsatisfiable")]
    text = {"satisfiable": "a solution", "unsatisfiable": "none"}[known[0]] if known else "–"
    return text, text if known else None


def _cell(runs: Sequence[Outcome]) -> Cell:
    """The time of one engine on one puzzle; for the goal best its score; otherwise what ended it."""
    if not runs:
        return "–", None
    if runs[0].goal == "best":
        best = max((row.score for row in best_scores(runs) if row.score is not None), default=None)
        return ("–" if best is None else str(best)), best
    bad = next((run for run in runs if not run.solved), None)
    if bad is None:
        seconds = median(run.seconds for run in runs)
        return duration(seconds), seconds
    return (f"> {duration(bad.limit)}" if bad.outcome == "time" else bad.outcome), None


def run_table(runs: Sequence[Outcome]) -> Table:
    """All runs, without the columns in which no run has a value."""
    rows = [_words(run) | _numbers(run) for run in runs]
    heads = [name for name in (rows[0] if rows else ()) if any(row[name][0] for row in rows)]
    texts = sum(name in _words(runs[0]) for name in heads)
    return Table(heads, [[row[name] for name in heads] for row in rows], texts)


def _words(run: Outcome) -> dict[str, Cell]:
    # The name of the puzzle may follow from family and seed; a puzzle alone is no family.
    puzzle = "" if run.instance == f"{run.family}, seed {run.seed}" else run.instance
    family = "" if run.instance == run.family else run.family
    ended = f"depth {run.depth_limit}" if run.outcome == "depth" and run.depth_limit is not None else run.outcome
    words = {"family": family, "puzzle": puzzle, "engine": run.label, "goal": run.goal, "outcome": ended}
    words |= {"part": run.part, "note": run.record.get("message") or ""}
    return {name: (text, text) for name, text in words.items()}


def _numbers(run: Outcome) -> dict[str, Cell]:
    record, score = run.record, run.record.get("best_score") if run.goal == "best" else None
    repetition = record.get("repetition") or 1
    found: dict[str, Cell] = {"seed": _number(run.seed), "time": _time(run), "nodes": _number(run.measure("nodes"))}
    for name, log in (
        ("predicted nodes", run.log_predicted("nodes")),
        ("actual / predicted", run.log_ratio("nodes")),
        ("expected count", run.log_predicted("solutions")),
    ):
        found[name] = ("", None) if log is None else (power(log), power(log))
    text, count = _number(record.get("count") if run.counted else None)
    found["count"] = (f"≥ {text}", None) if text and not record.get("complete") else (text, count)
    after = (record.get("best_after") or {}).get("seconds")
    others = {"score": score, "score found after, s": after, "planted": run.planted or None}
    others |= {name: run.measure(name) for name in ("conflicts", "branches", "decisions")}
    others |= {"memory, MiB": record.get("peak_rss_mib"), "repetition": repetition if repetition > 1 else None}
    return found | {name: _number(value) for name, value in others.items()}


def _number(value: float | None) -> Cell:
    return ("", None) if value is None else (shown(value), value)


def _time(run: Outcome) -> Cell:
    """The time of a run; "> 60 s (time)" if a limit ended it."""
    if run.done:
        return duration(run.seconds), run.seconds
    if run.outcome == "refused":
        return "refused", None
    least = run.limit if run.outcome == "time" and run.limit is not None else run.seconds
    return f"> {duration(least)} ({run.outcome})", None
