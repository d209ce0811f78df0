"""`jigsat export`: write a puzzle's model for other solvers."""

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

from ..csp.base.errors import EngineError
from ..csp.base.quantities import grouped
from ..csp.base.safe_files import escaped, refuse_same_file
from ..csp.files.file_format import format_for
from ..csp.files.instances import read_puzzle
from ..csp.puzzles.dissection import DissectionPuzzle, Motions
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..csp.puzzles.slips import anywhere, checked_slips
from .parts.dissections.commands import refuse_motions, refuse_options, with_motions
from .parts.options import ENCODING_HELP, ORDER_HELP, SLIPS_HELP, add_instance, add_json, add_motions
from .parts.planning import order_of, start_of
from .parts.wording import print_json

#: What builds a model: a formula, or a model of CP-SAT.
Build = Callable[[], Any]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a puzzle as a CNF, as a WCNF (MaxSAT) or OPB (pseudo-Boolean) model, or as a model of "
        "CP-SAT.  Comments in the file tell how it was made and what its variables mean; `jigsat check INSTANCE ANSWER "
        "--cnf FILE` reads what a solver answers.  Like the other commands this one breaks symmetry: for a file whose "
        "models are all the arrangements, to count them for instance, give --no-symmetry.  Dissections have models on "
        "the lattice only, and no scores, so that there is no WCNF; answers about them are not read."
    )
    add_instance(parser)
    parser.add_argument(
        "--to",
        choices=("cnf", "wcnf", "opb", "cpsat"),
        help="the format (default: by the ending of FILE: .cnf, .wcnf, .opb, and .pb or .pbtxt for CP-SAT)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the file to write; - for standard output"
    )
    parser.add_argument(
        "--best", action="store_true", help="ask for the highest score (opb and cpsat; wcnf always does)"
    )
    parser.add_argument("--encoding", metavar="NAME", help=ENCODING_HELP)
    parser.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    add_motions(parser)
    parser.add_argument(
        "--from", dest="start", metavar="BOARD", help="fix the pieces of the partial board in this solution file"
    )
    parser.add_argument("--no-symmetry", action="store_true", help="keep every numbered piece in every rotation")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..models.squares.export import FORMATS

    output = arguments.output
    kind = arguments.to or format_for(output, FORMATS)
    if arguments.json and output == "-":
        raise EngineError("--json and -o - cannot both have standard output; give -o a file")
    if arguments.best and kind == "cnf":
        raise EngineError("--best: a CNF cannot ask for the highest score; write a wcnf, opb or cpsat model")
    refuse_same_file(output, arguments.instance, arguments.start, arguments.order)
    puzzle = read_puzzle(arguments.instance)
    tilings = isinstance(puzzle, DissectionPuzzle)
    build = tiling_model(puzzle, kind, arguments) if tilings else board_model(puzzle, kind, arguments)
    began = time.perf_counter()
    model = build()
    built = time.perf_counter()
    variables, constraints = write(model, kind, output, best=arguments.best, puzzle=puzzle)
    record = {
        "instance": puzzle.name,
        "file": output,
        "format": kind,
        "encoding": str(model.encoding),
        "symmetry": not arguments.no_symmetry,
        "variables": variables,
        "constraints" if kind == "cpsat" else "clauses": constraints,
        "build_seconds": round(built - began, 6),
        "seconds": round(time.perf_counter() - began, 6),
    }
    if arguments.json:
        print_json(record)
    else:
        print(describe(record), file=sys.stderr if output == "-" else sys.stdout)
    return 0


def board_model(puzzle: EdgeMatchingPuzzle, kind: str, arguments: argparse.Namespace) -> Build:
    """What builds the model of a puzzle of squares; errors are those of its order and its slips."""
    refuse_motions(puzzle, arguments)
    start = start_of(puzzle, arguments)
    best = arguments.best or kind == "wcnf"
    slips = anywhere(start) if best and arguments.slips is None else checked_slips(start, arguments.slips)
    _, order = order_of(start, arguments.order, arguments.slips)
    how = {"order": order, "slips": slips, "symmetry": not arguments.no_symmetry}
    if kind == "cpsat":
        from ..models.squares.cp import build_cp

        return lambda: build_cp(start, arguments.encoding, **how)
    from ..models.squares.cnf import build_cnf

    return lambda: build_cnf(start, arguments.encoding, **how)


def tiling_model(puzzle: DissectionPuzzle, kind: str, arguments: argparse.Namespace) -> Build:
    """What builds the model of a dissection.

    Raises
    ------
    EngineError
        If an option or the format is for squares alone.
    """
    refuse_options(puzzle, arguments, "order", "slips", "start", "best")
    if kind == "wcnf":
        raise EngineError(f"wcnf: it asks for the highest score, and {puzzle.name} is a dissection, which has none")
    moved = with_motions(puzzle, arguments.motions)
    if moved.motions is not Motions.LATTICE:
        raise EngineError(f"{puzzle.name}: a dissection has a model on the lattice only; give --motions lattice")
    symmetry = not arguments.no_symmetry
    if kind == "cpsat":
        from ..models.tilings.cp import build_tiling_cp

        return lambda: build_tiling_cp(moved, arguments.encoding, symmetry=symmetry)
    from ..models.tilings.cnf import build_tiling_cnf

    return lambda: build_tiling_cnf(moved, arguments.encoding, symmetry=symmetry)


def write(model: Any, kind: str, output: str, *, best: bool, puzzle: Any) -> tuple[int, int]:
    """Write a model that can have the format; the numbers of its variables and of its clauses or constraints."""
    from ..models.squares import export

    if kind == "cpsat":
        export.export_cpsat(model, output, best=best, puzzle=puzzle)
        return len(model.model.proto.variables), len(model.model.proto.constraints)
    if kind == "cnf":
        export.export_cnf(model, output, puzzle=puzzle)
    elif kind == "wcnf":
        export.export_wcnf(model, output, puzzle=puzzle)
    else:
        export.export_opb(model, output, best=best, puzzle=puzzle)
    return export.size_of(model)


def describe(record: dict[str, Any]) -> str:
    """What was written, in a line."""
    what = "constraints" if "constraints" in record else "clauses"
    return (
        f"{escaped(record['instance'])}: {record['format']} with {grouped(record['variables'])} variables and "
        f"{grouped(record[what])} {what}, encoding {record['encoding']}, "
        f"symmetry {'broken' if record['symmetry'] else 'kept'}, in {record['seconds']:.2f} s"
    )
