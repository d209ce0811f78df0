"""`jigsat list`: the bundled puzzles and experiments, and the engines."""

import argparse
from textwrap import wrap
from typing import Any

from ..csp.files.instances import list_puzzles
from ..estimators.experiments.files import bundled_experiments, load_experiment
from .parts.options import add_json
from .parts.wording import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "List the bundled puzzles or experiments, or the engines."
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--experiments", action="store_true", help="list the experiments that jigsat compare can run")
    what.add_argument(
        "--engines", action="store_true", help="list the engines, those of other packages, too: goals, options, solvers"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.engines:
        return _list_engines(arguments)
    return _list_experiments(arguments) if arguments.experiments else _list_puzzles(arguments)


def _list_engines(arguments: argparse.Namespace) -> int:
    from ..csp.engines.registry import engines

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
            "proves": "" if engine["proves"] else "nothing: it ends at a limit, or when nothing gets better",
        }
        for what, told in lines.items():
            if told:
                print("\n".join(wrap(told, 110, initial_indent=f"  {what:<8} ", subsequent_indent=" " * 11)))
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
    """How large a puzzle is, in a word or two."""
    is_dissection = puzzle["kind"] == "dissection"
    return f"{puzzle['pieces']} pieces" if is_dissection else f"{puzzle['rows']}x{puzzle['columns']}"
