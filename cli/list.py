"""`jigsat list`: the bundled puzzles and experiments, and the engines."""

import argparse
from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from ..csp.base.errors import UsageError, grouped, misspelt, plural
from ..csp.files.file_format import KINDS
from ..csp.files.instances import list_puzzles
from .options import add_json
from .parser import Parser
from .terminal import bold, dim, width
from .wording import print_json

# The last column has at least this width, if necessary by longer lines.
_LEAST = 24


def add_options(parser: Parser) -> None:
    parser.description = "List the bundled puzzles, the bundled experiments or the engines."
    parser.examples = ("jigsat list", "jigsat list jigsaw two", "jigsat list 6x6", "jigsat list --engines sat")
    parser.what.add_argument(
        "words",
        metavar="WORD",
        nargs="*",
        help="list only what has this word in its name, kind, size or description; of several words, all",
    )
    parser.what.add_argument("--kind", choices=KINDS, help="list only puzzles of this kind, or their engines")
    what = parser.what.add_mutually_exclusive_group()
    what.add_argument("--experiments", action="store_true", help="list the experiments that `jigsat compare` can run")
    what.add_argument(
        "--engines",
        action="store_true",
        help="list the engines; with a WORD, also their options and solvers. Engines of other installed packages are "
        "included",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.engines:
        return _list_engines(arguments)
    return _list_experiments(arguments) if arguments.experiments else _list_puzzles(arguments)


def _with_words(records: list[dict[str, Any]], words: Sequence[str], what: str) -> list[dict[str, Any]]:
    """The records that have all words in their name or description."""
    texts = [f"{record['name']} {record['about']}".lower() for record in records]
    found = [one for one, text in zip(records, texts, strict=True) if all(word.lower() in text for word in words)]
    if not found:
        names = [record["name"] for record in records]
        raise UsageError(f"no {what} has {misspelt(' '.join(words), names)} in its name or description")
    return found


def _list_engines(arguments: argparse.Namespace) -> int:
    from ..csp.engines.engine import engines

    records = [engine.record() for engine in engines()]
    records = [record for record in records if arguments.kind is None or arguments.kind in record["kinds"]]
    found = _with_words(records, arguments.words, "engine")
    if arguments.json:
        print_json(found)
        return 0
    for kinds, group in groupby(found, key=lambda engine: engine["kinds"]):
        group = list(group)
        print(bold(f"engines for {' and '.join(kinds)} puzzles"))
        if not arguments.words:
            _print_table(("name", "goals"), ((one["name"], " ".join(one["goals"]), one["about"]) for one in group))
        for engine in group if arguments.words else ():
            print(bold(engine["name"]))
            _print_table((), _details(engine))
        print()
    if not arguments.words:
        print(dim("`jigsat list --engines NAME` shows the options and the solvers of an engine."))
    return 0


def _details(engine: dict[str, Any]) -> list[tuple[str, str]]:
    """What an engine takes and does, by name."""
    threads = (f"{goal} {most or 'any number'}" for goal, most in engine["threads"].items() if most != 1)
    lines = {
        "about": engine["about"],
        "goals": ", ".join(engine["goals"]),
        "options": ", ".join(engine["options"]),
        "threads": ", ".join(threads),
        "solvers": ", ".join(engine["solvers"]),
        "proves": "" if engine["proves"] else "nothing: it ends at a limit, or when it finds no improvement",
    }
    return [(f"  {what}", text) for what, text in lines.items() if text]


def _list_experiments(arguments: argparse.Namespace) -> int:
    from ..estimators.experiments.files import bundled_experiments, load_experiment

    experiments = [load_experiment(name) for name in bundled_experiments()]
    records = [{"name": experiment.name, "about": experiment.about} for experiment in experiments]
    found = _with_words(records, arguments.words, "experiment")
    if arguments.json:
        print_json(found)
        return 0
    _print_table(("name",), ((one["name"], one["about"]) for one in found))
    return 0


def _list_puzzles(arguments: argparse.Namespace) -> int:
    puzzles = list_puzzles(*arguments.words, kind=arguments.kind)
    if arguments.json:
        print_json(puzzles)
        return 0
    for kind, group in groupby(puzzles, key=lambda puzzle: puzzle["kind"]):
        group = list(group)
        print(bold(f"{kind}: {plural(len(group), 'puzzle')}"))
        _print_table(("name", "size", "solutions"), ((one["name"], *_size(one), one["about"]) for one in group))
        print()
    unknown = "? is unknown. " if any(one["solutions"] is None for one in puzzles) else ""
    print(dim(f"{unknown}`jigsat info NAME` describes a puzzle, and says where it comes from."))
    return 0


def _size(puzzle: dict[str, Any]) -> tuple[str, str]:
    """The size of a puzzle, and the number of its solutions."""
    is_dissection = puzzle["kind"] == "dissection"
    size = f"{puzzle['pieces']} pieces" if is_dissection else f"{puzzle['rows']}x{puzzle['columns']}"
    return size, "?" if puzzle["solutions"] is None else grouped(puzzle["solutions"])


def _print_table(names: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print rows of a table whose last column, which has no name of its own, is wrapped."""
    rows = list(rows)
    header = [(*names, "about")] if names else []
    widths = [max(map(len, column)) for column in zip(*header, *rows, strict=True)]
    start = sum(widths[:-1]) + 2 * len(widths[:-1])
    room = max(width() - start, _LEAST)
    for number, (*cells, last) in enumerate([*header, *rows]):
        begun = "".join(f"{cell:<{wide}}  " for cell, wide in zip(cells, widths, strict=False))
        for line in wrap(last, room):
            print(dim(f"{begun}{line}") if header and not number else f"{begun}{line}")
            begun = " " * start
