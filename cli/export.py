"""`jigsat export`: write a puzzle's model for other solvers."""

import argparse
import sys

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import refuse_same_file
from ..csp.files.instances import read_puzzle
from ..estimators.tasks.exporting import export
from .parts.options import ENCODING_HELP, ORDER_HELP, SLIPS_HELP, add_instance, add_json, add_motions, options_by_name
from .parts.wording import print_json


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
    output = arguments.output
    if arguments.json and output == "-":
        raise UsageError("-o - and this cannot both have standard output; give -o a file", "json")
    refuse_same_file(output, arguments.instance, arguments.start, arguments.order)
    options = options_by_name(arguments, "to", "best", "encoding", "order", "slips", "motions", "start")
    exported = export(read_puzzle(arguments.instance), output, symmetry=not arguments.no_symmetry, **options)
    if arguments.json:
        print_json(exported.record())
    else:
        print(exported.summary(), file=sys.stderr if output == "-" else sys.stdout)
    return 0
