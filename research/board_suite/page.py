"""Write the page on the board suite: its text with the numbers of the tables.

python research/board_suite/page.py docs/reference/board_suite.md
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from math import log10
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from boards import boards, name_of
from prices import SUITE
from results import HERE, NOTHING, SHORT, Cell, Mean, Pair, cells, known_pairs, mean_of, table, whole

from jigsat.estimators.experiments.figures import shown
from jigsat.estimators.owen.complexity import hardest_inner_colors

#: The tables, and what a row has.
DATA = {
    "prices.csv": "what is predicted for a board: solutions, and nodes and seconds of a count",
    "counts.csv": "a count of an unfinished board, with what was predicted",
    "intervals.csv": "a count of a board on which the intervals were judged",
    "relatives.csv": "a further solution of a finished board, and where it differs from the nearest one",
    "engines.csv": "a run of an engine",
}
_UNITS = ((31_557_600, "y"), (86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))
_STEPS = 10
# The fewest boards whose mean is shown.
_FEW = 20
# From how many expected solutions on some are likely, and the size of small boards.
_LIKELY, _SMALL = 0.01, 8


def time_of(seconds: float) -> str:
    """A time in the unit that suits it, with two digits."""
    one, unit = next(((one, unit) for one, unit in _UNITS if seconds >= one), _UNITS[-1])
    digits, _, exponent = f"{seconds / one:.1e}".partition("e")
    number = f"{digits}e{int(exponent)}" if int(exponent) > 3 else f"{float(f'{digits}e{exponent}'):g}"
    return f"{number} {unit}"


def solutions() -> dict[str, str]:
    """The numbers of solutions."""
    everything = mean_of(whole())
    relatives = table("relatives.csv")
    likely = [cell for cell in whole() if cell.expected >= _LIKELY]
    inside = [row for row in relatives if row["squares"] != row["on_frame"]]
    on_frame = [row for row in relatives if row["squares"] == row["on_frame"]]
    published = {name_of(board): board["published_solutions"] for board in boards(SUITE)}
    related = {row["board"]: int(row["solutions"]) for row in relatives}
    by_size = ((4, 5), (6, 8), (9, 12), (13, 16))
    lines = [_mean_line(f"{low}x{low} to {high}x{high}", low, high) for low, high in by_size]
    return {
        "expected_all": shown(everything.expected * everything.boards),
        "expected_most": f"{max(cell.expected for cell in whole()):.2f}",
        "whole": shown(everything.boards),
        "excess": _excess(everything),
        "error": f"{everything.error:.3f}",
        "counted": _counted(),
        "likely": str(len(likely)),
        "kinds": str(len(whole())),
        "likely_excess": f"{float(_excess(mean_of(likely))):.1f}",
        "likely_error": f"{mean_of(likely).error:.1f}",
        "relatives": shown(len(relatives)),
        "related": shown(len(related)),
        "agree": shown(sum(published[board] + 1 == found for board, found in related.items())),
        "inside": shown(len(inside)),
        "inside_small": shown(sum(int(row["board"].partition("-")[0]) <= _SMALL for row in inside)),
        "frame_only": shown(len(on_frame)),
        "four": shown(sum(row["squares"] == "4" for row in on_frame)),
        "solutions_table": "\n".join([*lines, _mean_line("all", 4, 16)]),
    }


def _counted() -> str:
    """How many solutions more than expected the unfinished boards have that were counted."""
    expected = {row["board"]: 10 ** float(row["log10_solutions"]) for row in table("prices.csv")}
    found = {row["board"]: int(row["canonical_count"]) for row in table("counts.csv") if row["board"] in expected}
    more = [number - expected[board] for board, number in found.items()]
    if len(more) < _FEW:
        return ""
    error = stdev(more) / len(more) ** 0.5
    return f" {shown(len(more))} unfinished boards that were counted have {fmean(more):.2f} ± {error:.2f} more."


def _excess(mean: Mean) -> str:
    """How many solutions more than expected there are, the planted one included."""
    return f"{1 + mean.mean - mean.expected:.3f}"


def _mean_line(name: str, low: int, high: int) -> str:
    mean: Mean = mean_of([cell for cell in whole() if low <= cell.size <= high])
    return f"| {name} | {shown(mean.boards)} | {mean.mean:.3f} ± {mean.error:.3f} | {mean.exchanges:.3f} |"


def hardest() -> dict[str, str]:
    """Where the hardest boards lie."""
    sizes = {size: [*those] for size, those in groupby(cells(), key=lambda cell: cell.size)}
    largest = sizes[max(sizes)]
    finished = [cell.seconds for cell in whole() if cell.size >= _SMALL]
    return {
        "ridge": str(sum(max(those, key=lambda cell: cell.seconds) is those[0] for those in sizes.values())),
        "owen_8": f"{hardest_inner_colors(8, 8):.1f}",
        "owen_16": f"{hardest_inner_colors(16, 16):.1f}",
        "factor": shown(round((largest[0].seconds / largest[_STEPS].seconds) ** (1 / _STEPS), -1)),
        "limit": time_of(max(finished)),
        "hardest_table": "\n".join(_size_line(size, those) for size, those in sizes.items()),
    }


def _all_from(those: list[Cell]) -> Cell:
    """The cell from which on all boards are finished."""
    unfinished = [place for place, cell in enumerate(those) if len(cell.more) < cell.boards]
    return those[max(unfinished, default=-1) + 1]


def _size_line(size: int, those: list[Cell]) -> str:
    start = _all_from(those)
    finished = f"{sum(len(cell.more) for cell in those)} of {sum(cell.boards for cell in those)}"
    times = f"{time_of(start.seconds)} | {time_of(those[0].seconds)} | {shown(those[0].expected)}"
    return f"| {size}x{size} | {finished} | {start.inner_colors} colours | {times} |"


def predicted() -> dict[str, str]:
    """How often the intervals hold."""
    pairs = {what: known_pairs(what) for what in ("nodes", "seconds")}
    sources = sorted({pair.source for pair in pairs["nodes"]})
    counted = Counter(row["board"] for row in table("counts.csv"))
    nodes = [pair.actual for pair in pairs["nodes"]]
    compared = (
        f"{shown(len(counted))} of the unfinished boards were counted. " * bool(counted)
        + f"The searches have {shown(min(nodes))} to {shown(max(nodes))} nodes, "
        + f"{int(log10(max(nodes) / min(nodes)))} decades. "
        + f"The intervals of 90 % hold {_share(pairs['nodes'])} of the true nodes "
        + f"and {_share(pairs['seconds'])} of the true times:"
    )
    lines = [_source_line(source, *(_of(pairs[what], source) for what in pairs)) for source in sources]
    twice = shown(sum(number > 1 for number in counted.values()))
    return {
        "compared": compared,
        "counted_twice": twice,
        "predicted_table": "\n".join(lines),
        "nothing": f"{NOTHING:g}",
        "short": f"{SHORT:g}",
    }


def _of(pairs: list[Pair], source: str) -> list[Pair]:
    return [pair for pair in pairs if pair.source == source]


def _source_line(source: str, nodes: list[Pair], seconds: list[Pair]) -> str:
    actual = [pair.actual for pair in nodes]
    cells_ = [source, shown(len(nodes)), shown(min(actual)), shown(max(actual)), _share(nodes), _beside(nodes)]
    return "| " + " | ".join([*cells_, shown(len(seconds)), _share(seconds), _beside(seconds)]) + " |"


def _share(pairs: list[Pair]) -> str:
    return f"{100 * sum(not pair.place for pair in pairs) / len(pairs):.1f} %" if pairs else "–"


def _beside(pairs: list[Pair]) -> str:
    return f"{sum(pair.place < 0 for pair in pairs)}, {sum(pair.place > 0 for pair in pairs)}"


def engines() -> dict[str, str]:
    """How many boards each engine counts."""
    rows = table("engines.csv")
    names = [*dict.fromkeys(row["engine"] for row in rows)]
    sizes = groupby(rows, key=lambda row: row["board"].partition("-")[0])
    stopped = {row["engine"] for row in rows if row["outcome"] != "solved"}
    counted = [f"`{name}`" for name in names if name not in stopped]
    return {
        "engines_done": f"{' and '.join(counted)} counted all of them. " * bool(counted),
        "engine_boards": str(len({row["board"] for row in rows})),
        "engine_limit": rows[0]["limit"],
        "engine_names": " | ".join(f"`{name}`" for name in names),
        "engine_rules": "---:|" * len(names),
        "engines_table": "\n".join(_engines_line(size, [*those], names) for size, those in sizes),
    }


def _engines_line(size: str, rows: list[dict[str, str]], names: list[str]) -> str:
    found = list[str]()
    for name in names:
        those = [row for row in rows if row["engine"] == name]
        times = [float(row["seconds"]) for row in those if row["outcome"] == "solved"]
        number = f"all {len(those)}" if len(times) == len(those) else f"{len(times)} of {len(those)}"
        # With the unsolved runs behind the others, the median may be one of them.
        middle = sorted([*times, *[float("inf")] * (len(those) - len(times))])[len(those) // 2]
        found.append(f"{number}, {middle:.2g} s" if middle < float("inf") else number)
    return f"| {size}x{size} | {' | '.join(found)} |"


def data() -> Iterator[str]:
    """A line for each table that there is."""
    for name, about in DATA.items():
        if table(name):
            yield f"| [{name}](../../research/board_suite/{name}) | {shown(len(table(name)))} | {about} |"


def page() -> str:
    """The text of the page."""
    frame = {colors for cell in cells() for colors in cell.frame_colors}
    values: dict[str, Any] = {
        "boards": shown(sum(cell.boards for cell in cells())),
        "finished": shown(sum(len(cell.more) for cell in cells())),
        "frame": f"{min(frame)} to {max(frame)}",
        "priced": shown(len(table("prices.csv"))),
        "each": str(sum(row["board"].startswith("16-57-") for row in table("prices.csv"))),
        "data_table": "\n".join(data()),
    }
    text = (HERE / "page.md").read_text(encoding="utf-8")
    return text.format_map(values | solutions() | hardest() | predicted() | engines())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("page", type=Path, help="where the page is written")
    parser.parse_args().page.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
