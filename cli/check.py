"""`jigsat check`: judge the solutions in a file."""

import argparse

from ..csp.files.instances import read_puzzle
from ..estimators.effort.asked import refuse_given
from ..estimators.tasks.judge import check
from ..models.proofs.recognise_file import is_certificate
from .parts.certificates import judge_certificate
from .parts.options import SLIPS_HELP, add_instance, add_json, add_motions, options_by_name
from .parts.wording import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Judge the boards or tilings of a solution file from the puzzle alone.  Exit status 1 if one is no "
        "solution.  With --cnf, SOLUTION is what a SAT, MaxSAT or pseudo-Boolean solver printed (s, v and o lines); "
        "the slips of the exported file hold unless others are given.  If the solver found no solution, or says that "
        "there is none (which it takes a proof to check), there is nothing to judge, and the exit status is 1.  A "
        "certificate, the page beside a proof, is judged by building its formula again and checking the proof."
    )
    add_instance(parser)
    parser.add_argument(
        "solution",
        metavar="SOLUTION",
        help="a solution file, a table of boards (CSV), a viewer link, a certificate or, with --cnf, a solver's "
        "output; - for standard input",
    )
    parser.add_argument(
        "--cnf", metavar="FILE", help="the file of `jigsat export` (CNF, WCNF or OPB) that the solver's output is about"
    )
    parser.add_argument("--partial", action="store_true", help="accept boards with empty squares")
    parser.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    parser.add_argument(
        "--order", metavar="O", help="the search order by which the slips count (default: that of `jigsat solve`)"
    )
    add_motions(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_puzzle(arguments.instance)
    if arguments.cnf is None and is_certificate(arguments.solution):
        about = options_by_name(arguments, "slips", "order", "partial", "motions")
        refuse_given("a certificate says itself what it is about", **about)
        return judge_certificate(puzzle, arguments.solution, json=arguments.json)
    options = options_by_name(arguments, "slips", "order", "partial", "cnf", "motions")
    judgement = check(puzzle, arguments.solution, **options)
    if arguments.json:
        print_json(judgement.record())
    else:
        print(judgement.summary())
    return 0 if judgement.all_valid else 1
