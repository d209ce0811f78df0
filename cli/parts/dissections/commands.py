"""What the commands do with dissections, whose solutions are tilings, and what they do not do with them."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ....csp.base.errors import EngineError, InstanceError
from ....csp.base.progress import Report
from ....csp.base.safe_files import escaped
from ....csp.engines.registry import find_tiling_engine
from ....csp.engines.request import Goal
from ....csp.engines.result import Result
from ....csp.files.instances import Puzzle
from ....csp.files.solutions import load_tilings
from ....csp.geometry.exact_numbers import format_number
from ....csp.geometry.polygons import Polygon
from ....csp.puzzles.check_tiling import TilingChecker
from ....csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ....csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..options import refuse_given
from ..planning import limits_of, numbered_one, options_of, take_advice
from ..wording import print_json

#: What is done with a solution when it is found.
Consume = Callable[[Any], None]
#: A search that is ready to run.
Search = Callable[["Report | None", "Consume | None"], "Result"]
#: The options of a search that are for squares, as the parsed arguments have them.
OF_SQUARES = ("order", "slips", "start", "depth_limit")


def refuse_dissection(puzzle: Puzzle, command: str) -> EdgeMatchingPuzzle:
    """The puzzle, for a command that is for squares.

    Raises
    ------
    EngineError
        If it is a dissection.
    """
    if isinstance(puzzle, DissectionPuzzle):
        instead = f"jigsat count {puzzle.name} --motions lattice --engine sat:cadical195 --proof FILE proves its count"
        what = f"jigsat {command} is for edge-matching puzzles and jigsaws; {instead}"
        raise EngineError(f"{puzzle.name}: is a dissection; {what}")
    return puzzle


def refuse_options(puzzle: Puzzle, arguments: argparse.Namespace, *attributes: str) -> None:
    """Refuse options that have no meaning for the puzzle's kind, as `refuse_given` does."""
    others = "puzzles of squares" if puzzle.kind == "dissection" else "dissections"
    refuse_given(arguments, attributes, f"it is for {others}; {puzzle.name} is of the kind {puzzle.kind}")


def refuse_motions(puzzle: EdgeMatchingPuzzle, arguments: argparse.Namespace) -> None:
    """Squares have their motions; errors are those of `refuse_options`."""
    refuse_options(puzzle, arguments, "motions")


def with_motions(puzzle: DissectionPuzzle, motions: str | None) -> DissectionPuzzle:
    """The puzzle with the motions that the command line names, or with its own."""
    return puzzle if motions is None else replace(puzzle, motions=Motions(motions))


def tiling_search(puzzle: DissectionPuzzle, goal: Goal, arguments: argparse.Namespace) -> Search:
    """A search as the command line says, ready to run; `arguments` get the engine's name.

    Raises
    ------
    EngineError
        If an option is for squares alone, or there is no such engine.
    """
    refuse_options(puzzle, arguments, *OF_SQUARES)
    arguments.engine = "backtrack" if arguments.engine is None else arguments.engine
    moved = with_motions(puzzle, arguments.motions)
    take_advice(arguments, moved, goal)
    engine = find_tiling_engine(arguments.engine, goal)
    options = options_of(arguments, None)
    limits = limits_of(arguments, getattr(arguments, "limit", None))

    def search(report: Report | None, consume: Consume | None) -> Result:
        return engine.run(moved, goal, limits, options, report=report, consume=consume)

    return search


def tiling_text(tiling: Tiling) -> str:
    """A tiling as text: the vertices of each piece."""
    width = len(str(len(tiling)))
    return "\n".join(f"  piece {piece:>{width}}  {points_text(polygon)}" for piece, polygon in enumerate(tiling, 1))


def points_text(polygon: Polygon) -> str:
    """The vertices of a polygon as people read them."""
    return " ".join(f"({format_number(x)}, {format_number(y)})" for x, y in polygon)


def check_tilings(puzzle: DissectionPuzzle, arguments: argparse.Namespace) -> int:
    """Judge the tilings of a solution file; the exit status."""
    refuse_options(puzzle, arguments, "cnf", "partial", "order", "slips")
    tilings = load_tilings(arguments.solution, puzzle)
    if not tilings:
        raise InstanceError(f"{arguments.solution}: holds no tiling to check")
    judge = TilingChecker(with_motions(puzzle, arguments.motions))
    verdicts = [judge(tiling) for tiling in tilings]
    valid = sum(verdict.is_solution for verdict in verdicts)
    if arguments.json:
        reports = [{"valid": verdict.is_solution, "problems": list(verdict.problems)} for verdict in verdicts]
        print_json({"instance": puzzle.name, "valid": valid, "tilings": reports})
        return 0 if valid == len(tilings) else 1
    for number, verdict in enumerate(verdicts, start=1):
        if not verdict.is_solution:
            print(f"solution {number}: NOT valid")
            print("\n".join(f"  {problem}" for problem in verdict.problems))
    said = f"{valid} of {len(tilings)} {'tiling is' if len(tilings) == 1 else 'tilings are'} valid"
    print(f"{escaped(puzzle.name)}: {said}")
    return 0 if valid == len(tilings) else 1


def draw_dissection(puzzle: DissectionPuzzle, arguments: argparse.Namespace) -> str:
    """The picture that is asked for: the pieces, one tiling, or all of them; an SVG."""
    from ....render.svg.tiling import draw_dissection_pieces, draw_sheet, draw_tiling

    refuse_options(puzzle, arguments, "order", "legend")
    numbers = not arguments.no_numbers
    if arguments.solution is None:
        refuse_given(arguments, ("number", "all"), "there is no SOLUTION to take tilings from")
        return draw_dissection_pieces(puzzle, numbers=numbers)
    refuse_given(arguments, ("pieces",), "leave SOLUTION out")
    if arguments.number is not None:
        refuse_given(arguments, ("all",), "leave --number out")
    tilings = load_tilings(arguments.solution, puzzle)
    if arguments.all and tilings:
        drawn = [(puzzle, tiling) for tiling in tilings]
        return draw_sheet(drawn, puzzle.name, "tiling", numbers=numbers and len(tilings) == 1)
    tiling = numbered_one(tilings, arguments.number, arguments.solution, "tiling")
    return draw_tiling(puzzle, tiling, numbers=numbers)
