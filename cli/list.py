"""`jigsat list`: the bundled puzzles and experiments."""

import argparse

from ..csp.files.bundled import bundled_names
from ..csp.files.instances import Puzzle, read_puzzle
from ..csp.puzzles.dissection import DissectionPuzzle
from ..estimators.experiments.files import bundled_experiments, load_experiment
from .parts.options import add_json
from .parts.wording import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "List the bundled puzzles or experiments."
    parser.add_argument("--experiments", action="store_true", help="list the experiments that jigsat compare can run")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    return _list_experiments(arguments) if arguments.experiments else _list_puzzles(arguments)


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
    puzzles = [(name, read_puzzle(name)) for name in bundled_names()]
    if arguments.json:
        print_json(
            [
                {
                    "name": name,
                    "kind": puzzle.kind,
                    "rows": getattr(puzzle, "rows", None),
                    "columns": getattr(puzzle, "columns", None),
                    "pieces": len(puzzle.pieces),
                    "source": puzzle.source,
                }
                for name, puzzle in puzzles
            ]
        )
        return 0
    width = max(len(name) for name, _ in puzzles)
    sizes = [_size(puzzle) for _, puzzle in puzzles]
    longest = max(map(len, sizes))
    for (name, puzzle), size in zip(puzzles, sizes, strict=True):
        print(f"{name:<{width}}  {puzzle.kind:<13}  {size:>{longest}}  {puzzle.source}")
    return 0


def _size(puzzle: Puzzle) -> str:
    """How large a puzzle is, in a word or two."""
    return f"{len(puzzle.pieces)} pieces" if isinstance(puzzle, DissectionPuzzle) else f"{puzzle.rows}x{puzzle.columns}"
