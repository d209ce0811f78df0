"""`jigsat export`: write a puzzle's model for other solvers."""

import argparse
import sys
import time

from .common import (
    ENCODING_HELP,
    ORDER_HELP,
    SLIPS_HELP,
    add_instance,
    add_json,
    grouped,
    load_start,
    order_of,
    print_json,
)


def add_parser(commands) -> None:
    parser = commands.add_parser(
        "export",
        help="write a model for other solvers",
        description="Write a puzzle as a CNF, as a WCNF (MaxSAT) or OPB (pseudo-Boolean) model, or as a model of "
        "CP-SAT.  Comments in the file tell how it was made and what its variables mean; `jigsat check INSTANCE ANSWER "
        "--cnf FILE` reads what a solver answers.  Like the other commands this one breaks symmetry: for a file whose "
        "models are all the arrangements, to count them for instance, give --no-symmetry.",
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
    parser.add_argument(
        "--from", dest="start", metavar="BOARD", help="fix the pieces of the partial board in this solution file"
    )
    parser.add_argument("--no-symmetry", action="store_true", help="keep every numbered piece in every rotation")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.errors import EngineError
    from ..csp.files import escaped, refuse_same_file
    from ..csp.slips import anywhere, checked_slips
    from ..models.export import export_cnf, export_cpsat, export_opb, export_wcnf, format_for, size_of

    output = arguments.output
    kind = arguments.to or format_for(output)
    if arguments.json and output == "-":
        raise EngineError("--json and -o - cannot both have standard output; give -o a file")
    if arguments.best and kind == "cnf":
        raise EngineError("--best: a CNF cannot ask for the highest score; write a wcnf, opb or cpsat model")
    refuse_same_file(output, arguments.instance, arguments.start, arguments.order)
    puzzle, start = load_start(arguments)
    best = arguments.best or kind == "wcnf"
    slips = anywhere(start) if best and arguments.slips is None else checked_slips(start, arguments.slips)
    _, order = order_of(start, arguments.order, arguments.slips)
    how = {"order": order, "slips": slips, "symmetry": not arguments.no_symmetry}
    began = time.perf_counter()
    if kind == "cpsat":
        from ..models.edge_matching_cp import build_cp

        model = build_cp(start, arguments.encoding, **how)
        built = time.perf_counter()
        export_cpsat(model, output, best=best, puzzle=puzzle)
        size, what = (len(model.model.proto.variables), len(model.model.proto.constraints)), "constraints"
    else:
        from ..models.edge_matching import build_cnf

        model = build_cnf(start, arguments.encoding, **how)
        built = time.perf_counter()
        if kind == "cnf":
            export_cnf(model, output, puzzle=puzzle)
        elif kind == "wcnf":
            export_wcnf(model, output, puzzle=puzzle)
        else:
            export_opb(model, output, best=best, puzzle=puzzle)
        size, what = size_of(model), "clauses"
    ended = time.perf_counter()
    if arguments.json:
        print_json(
            {
                "instance": puzzle.name,
                "file": output,
                "format": kind,
                "encoding": str(model.encoding),
                "symmetry": how["symmetry"],
                "variables": size[0],
                what: size[1],
                "build_seconds": round(built - began, 6),
                "seconds": round(ended - began, 6),
            }
        )
    else:
        symmetry = "kept" if arguments.no_symmetry else "broken"
        print(
            f"{escaped(puzzle.name)}: {kind} with {grouped(size[0])} variables and {grouped(size[1])} {what}, encoding "
            f"{model.encoding}, symmetry {symmetry}, in {ended - began:.2f} s",
            file=sys.stderr if output == "-" else sys.stdout,
        )
    return 0
