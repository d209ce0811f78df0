"""`jigsat check`: check the solutions in a file."""

import argparse

from ..csp.base.errors import UsageError
from ..csp.files.books import read_about
from ..csp.files.file_format import is_book
from ..csp.files.instances import Puzzle
from ..csp.files.solutions import SEARCH
from ..csp.puzzles.dissection import DissectionPuzzle
from ..estimators.effort.asked import refuse_given
from ..estimators.tasks.judge import check
from ..models.proofs.certify_and_verify import is_certificate
from .parts.certificates import judge_certificate
from .parts.options import (
    FRAME_SLIPS_HELP,
    SLIPS_HELP,
    add_instance,
    add_json,
    add_motions,
    add_variant,
    options_by_name,
    read_variant,
    whole,
)
from .parts.parser import Parser
from .parts.wording import print_found


def add_options(parser: Parser) -> None:
    parser.description = (
        "Check the boards or tilings of a solution file.  The exit status is 1 if one of them is not a solution.\n\n"
        "Only the puzzle is used, not the search that found them.  With --cnf, SOLUTION is the output of a SAT, MaxSAT "
        "or pseudo-Boolean solver (lines s, v and o, or SAT and literals); of --slips, --frame-slips and --order, what "
        "is not given is as in the exported file.  If the solver found no solution, or claims that none exists (only "
        "a proof can show that: --proof), the exit status is 1.  A certificate (the file FILE.json beside a proof) is "
        "checked by building its formula again and checking the proof.  Of a ledger of `jigsat count`, shares chosen "
        "at random are counted again."
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
        help="a solution file, a table of boards (CSV), a grid of piece/rotation, a viewer link, a certificate, a "
        "ledger, or with --cnf the output of a solver, each perhaps packed by gzip; - for standard input",
    )
    parser.what.add_argument(
        "--cnf", metavar="FILE", help="the exported file (CNF, WCNF or OPB) that the solver's output is about"
    )
    parser.what.add_argument(
        "--proof",
        metavar="FILE",
        help="with --cnf: the solver's proof that there is no solution, in the format DRAT, as text or binary",
    )
    parser.what.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    parser.what.add_argument("--frame-slips", metavar="S", help=FRAME_SLIPS_HELP)
    add_motions(parser)
    parser.how.add_argument(
        "--sample",
        type=whole,
        metavar="N",
        help="of a ledger: count N of its shares again, chosen at random (default: 10)",
    )
    parser.how.add_argument(
        "--seed", type=whole, metavar="N", help="of a ledger: the random seed by which shares are chosen (default: 1)"
    )
    parser.how.add_argument("--partial", action="store_true", help="accept boards with empty squares")
    parser.how.add_argument(
        "--order", metavar="O", help="the search order along which slips are counted (default: that of `jigsat solve`)"
    )
    add_variant(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_variant(arguments)
    if arguments.cnf is None and is_book(arguments.solution) and read_about(arguments.solution).get("work") != SEARCH:
        return _check_ledger(arguments, puzzle)
    refuse_given("are for ledgers; omit the option", **options_by_name(arguments, "sample", "seed"))
    if arguments.cnf is None and is_certificate(arguments.solution):
        about = options_by_name(arguments, "slips", "frame_slips", "order", "partial", "motions")
        refuse_given("the certificate determines this; omit the option", **about)
        return judge_certificate(puzzle, arguments.solution, json=arguments.json)
    options = options_by_name(arguments, "slips", "frame_slips", "order", "partial", "cnf", "proof", "motions")
    judgement = check(puzzle, arguments.solution, **options)
    print_found(judgement, arguments)
    return 0 if judgement.all_valid else 1


def _check_ledger(arguments: argparse.Namespace, puzzle: Puzzle) -> int:
    """Count shares of a ledger again; returns the exit status."""
    from ..estimators.tasks.check_ledger import check_ledger

    about = options_by_name(arguments, "slips", "frame_slips", "order", "partial", "motions")
    refuse_given("the ledger determines this; omit the option", **about)
    if isinstance(puzzle, DissectionPuzzle):
        raise UsageError(f"{puzzle.name}: is a dissection; ledgers are of counts of boards", "solution")
    sample = 10 if arguments.sample is None else arguments.sample
    found = check_ledger(
        puzzle, arguments.solution, sample=sample, seed=1 if arguments.seed is None else arguments.seed
    )
    print_found(found, arguments)
    return 0 if found.holds else 1
