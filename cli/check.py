"""`jigsat check`: check the solutions in a file."""

import argparse

from ..csp.files.instances import read_puzzle
from ..estimators.effort.asked import refuse_given
from ..estimators.tasks.judge import check
from ..models.proofs.recognise_file import is_certificate
from .parts.certificates import judge_certificate
from .parts.options import SLIPS_HELP, add_instance, add_json, add_motions, options_by_name
from .parts.parser import Parser
from .parts.wording import print_json


def add_options(parser: Parser) -> None:
    parser.description = (
        "Check the boards or tilings of a solution file.  The exit status is 1 if one of them is not a solution.\n\n"
        "Only the puzzle is used, not the search that found them.  With --cnf, SOLUTION is the output of a SAT, MaxSAT "
        "or pseudo-Boolean solver (lines s, v and o); the slips of the exported file apply unless --slips is given.  "
        "If the solver found no solution, or claims that there is no solution (which only a proof can show), the exit "
        "status is 1.  A certificate (the file FILE.json beside a proof) is checked by building its formula again and "
        "checking the proof."
    )
    parser.examples = (
        "jigsat check puzzle-a solutions.json",
        "jigsat check eternity2 board.json --partial",
        "jigsat check puzzle-a answer.txt --cnf puzzle-a.cnf",
    )
    add_instance(parser)
    parser.what.add_argument(
        "solution",
        metavar="SOLUTION",
        help="a solution file, a table of boards (CSV), a viewer link, a certificate, or with --cnf the output of a "
        "solver; - for standard input",
    )
    parser.what.add_argument(
        "--cnf", metavar="FILE", help="the exported file (CNF, WCNF or OPB) that the solver's output is about"
    )
    parser.what.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    add_motions(parser)
    parser.how.add_argument("--partial", action="store_true", help="accept boards with empty squares")
    parser.how.add_argument(
        "--order", metavar="O", help="the search order along which slips are counted (default: that of `jigsat solve`)"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_puzzle(arguments.instance)
    if arguments.cnf is None and is_certificate(arguments.solution):
        about = options_by_name(arguments, "slips", "order", "partial", "motions")
        refuse_given("the certificate determines this; omit the option", **about)
        return judge_certificate(puzzle, arguments.solution, json=arguments.json)
    options = options_by_name(arguments, "slips", "order", "partial", "cnf", "motions")
    judgement = check(puzzle, arguments.solution, **options)
    if arguments.json:
        print_json(judgement.record())
    else:
        print(judgement.summary())
    return 0 if judgement.all_valid else 1
