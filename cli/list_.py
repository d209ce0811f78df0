"""`jigsat list`: the bundled puzzles."""

import argparse

from .common import add_json, print_json


def add_parser(commands) -> None:
    parser = commands.add_parser("list", help="list the bundled puzzles", description="List the bundled puzzles.")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.instances import bundled_names, load

    puzzles = [(name, load(name)) for name in bundled_names()]
    if arguments.json:
        print_json(
            [
                {
                    "name": name,
                    "kind": puzzle.kind,
                    "rows": puzzle.rows,
                    "columns": puzzle.columns,
                    "source": puzzle.source,
                }
                for name, puzzle in puzzles
            ]
        )
        return 0
    width = max(len(name) for name, _ in puzzles)
    for name, puzzle in puzzles:
        size = f"{puzzle.rows}x{puzzle.columns}"
        print(f"{name:<{width}}  {puzzle.kind:<13}  {size:>5}  {puzzle.source}")
    return 0
