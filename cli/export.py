"""`jigsat export`: write a puzzle's model for other solvers."""

import argparse

from ..csp.base.safe_files import refuse_same_file
from ..estimators.tasks.exporting import export
from .parts.options import (
    ENCODING_HELP,
    FRAME_SLIPS_HELP,
    ORDER_HELP,
    SLIPS_HELP,
    add_instance,
    add_json,
    add_motions,
    add_output,
    add_variant,
    options_by_name,
    read_variant,
    refuse_json_beside,
)
from .parts.parser import Parser
from .parts.wording import print_found


def add_options(parser: Parser) -> None:
    parser.description = (
        "Write a puzzle as a model for other solvers: CNF (SAT), WCNF (MaxSAT), OPB (pseudo-Boolean) or CP-SAT.\n\n"
        "Comments in the file describe how it was made and what its variables mean; `jigsat check INSTANCE ANSWER "
        "--cnf FILE` reads what a solver answers.  Like the other commands, this one breaks symmetry: for a file that "
        "has all arrangements, for instance to count them, give --no-symmetry.  Models that differ only in variables "
        "without a meaning are the same solution: a model counter must project onto the variables of the line `c ind`, "
        "or onto those of the lines `var`.  Dissections have models on the lattice only, and no scores, hence no WCNF; "
        "answers about them cannot be read."
    )
    parser.examples = (
        "jigsat export puzzle-a -o puzzle-a.cnf",
        "jigsat export puzzle-a --best --to opb -o -",
    )
    add_instance(parser)
    parser.what.add_argument("--best", action="store_true", help="maximize the score (opb, cpsat; wcnf always does)")
    parser.what.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    parser.what.add_argument("--frame-slips", metavar="S", help=FRAME_SLIPS_HELP)
    add_motions(parser)
    parser.what.add_argument(
        "--from", dest="start", metavar="BOARD", help="fix the pieces of the partial board in this solution file"
    )
    parser.how.add_argument("--encoding", metavar="NAME", help=ENCODING_HELP)
    parser.how.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.how.add_argument("--no-symmetry", action="store_true", help="keep every numbered piece in every rotation")
    add_output(parser, "the file to write; - for standard output", required=True)
    parser.output.add_argument(
        "--to",
        choices=("cnf", "wcnf", "opb", "cpsat"),
        help="the format (default: by the ending of FILE). Endings: .cnf, .wcnf, .opb, and .pb or .pbtxt for CP-SAT",
    )
    add_variant(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    output = arguments.output
    refuse_json_beside(output, arguments)
    refuse_same_file(output, arguments.instance, arguments.target, arguments.start, arguments.order)
    options = options_by_name(arguments, "to", "best", "encoding", "order", "slips", "frame_slips", "motions", "start")
    exported = export(read_variant(arguments), output, symmetry=not arguments.no_symmetry, **options)
    print_found(exported, arguments, output)
    return 0
