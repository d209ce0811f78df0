"""`jigsat list`: the bundled puzzles and experiments, and the engines."""

import argparse
from textwrap import wrap
from typing import Any

from ..csp.files.instances import list_puzzles
from ..estimators.experiments.files import bundled_experiments, load_experiment
from .options import add_json
from .parser import Parser
from .wording import print_json


def add_options(parser: Parser) -> None:
    parser.description = "List the bundled puzzles, the bundled experiments or the engines."
    parser.examples = ("jigsat list", "jigsat list --engines")
    what = parser.what.add_mutually_exclusive_group()
    what.add_argument("--experiments", action="store_true", help="list the experiments that `jigsat compare` can run")
    what.add_argument(
        "--engines",
        action="store_true",
        help="list the engines with their goals, options and solvers. Engines of other installed packages are included",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.engines:
        return _list_engines(arguments)
    return _list_experiments(arguments) if arguments.experiments else _list_puzzles(arguments)


def _list_engines(arguments: argparse.Namespace) -> int:
    from ..csp.engines.engine import engines

    found = [engine.record() for engine in engines()]
    if arguments.json:
        print_json(found)
        return 0
    for engine in found:
        print(engine["name"])
        lines = {
            "kinds": ", ".join(engine["kinds"]),
            "goals": ", ".join(engine["goals"]),
            "options": ", ".join(engine["options"]),
            "threads": ", ".join(
                f"{goal} {most or 'any number'}" for goal, most in engine["threads"].items() if most != 1
            ),
            "solvers": ", ".join(engine["solvers"]),
            "proves": "" if engine["proves"] else "nothing: it ends at a limit, or when it finds no improvement",
        }
        for what, text in lines.items():
            if text:
                print("\n".join(wrap(text, 110, initial_indent=f"  {what:<8} ", subsequent_indent=" " * 11)))
    return 0


def _list_experiments(arguments: argparse.Namespace) -> int:
    experiments = [load_experiment(name) for name in bundled_experiments()]
    if arguments.json:
        print_json([{"name": experiment.name, "about": experiment.about} for experiment in experiments])
        return 0
    width = max(len(experiment.name) for experiment in experiments)
    for experiment in experiments:
        print(f"{experiment.name:<{width}}  {experiment.about}")
    return 0


def _list_puzzles(arguments: argparse.Namespace) -> int:
    puzzles = list_puzzles()
    if arguments.json:
        print_json(puzzles)
        return 0
    width = max(len(puzzle["name"]) for puzzle in puzzles)
    longest = max(len(_size(puzzle)) for puzzle in puzzles)
    for puzzle in puzzles:
        print(f"{puzzle['name']:<{width}}  {puzzle['kind']:<13}  {_size(puzzle):>{longest}}  {puzzle['source']}")
    return 0


def _size(puzzle: dict[str, Any]) -> str:
    """The size of a puzzle."""
    is_dissection = puzzle["kind"] == "dissection"
    return f"{puzzle['pieces']} pieces" if is_dissection else f"{puzzle['rows']}x{puzzle['columns']}"
