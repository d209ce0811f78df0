"""`jigsat certify`: prove that a puzzle has exactly K solutions."""

import argparse
import sys

from ..csp.base.errors import UsageError, told_of
from ..csp.base.safe_files import label_of, refuse_same_file
from ..csp.base.stop import Progress, Report
from ..csp.engines.request import proof_files
from ..estimators.plan.explain import explain_certificate
from ..models.proofs.certification import LONG_PROOF
from ..models.proofs.certify_and_verify import certify
from .parts.certificates import certificate_status, judge_certificate, print_certification
from .parts.jobs import print_explanation
from .parts.options import (
    CERTIFICATE_HELP,
    add_instance,
    add_json,
    add_quiet,
    add_resume,
    add_time_limit,
    add_variant,
    options_by_name,
    read_variant,
    whole,
)
from .parts.parser import Parser
from .parts.progress import note_bar


def add_options(parser: Parser) -> None:
    parser.usage = "%(prog)s INSTANCE (--solutions K | --verify CERTIFICATE) [options]"
    parser.description = (
        "Prove that a puzzle has exactly K solutions, or check such a proof.\n\n"
        "Solutions are counted up to symmetry: turning the whole board, exchanging identical pieces and turning "
        "symmetric pieces make no new solution.  The certificate consists of a formula that is satisfiable if there is "
        "another solution, and a DRAT proof that it is not satisfiable, checked by an independent checker.  "
        "The assemblies in the puzzle's file are checked and taken as known; further solutions are searched for.  The "
        "exit status is 1 if there are not exactly K solutions."
    )
    parser.examples = (
        "jigsat certify perfect-6x6 --solutions 2 --proof perfect.drat",
        "jigsat certify perfect-6x6 --verify perfect.drat.json",
    )
    add_instance(parser)
    what = parser.what.add_mutually_exclusive_group(required=True)
    what.add_argument("--solutions", type=whole, metavar="K", help="the number of solutions to prove")
    what.add_argument(
        "--verify",
        metavar="CERTIFICATE",
        help="check a certificate: the file FILE.json beside a proof, or the name of a bundled one. The formula is "
        "built from the puzzle again and compared, also with that of a second encoder, and the listed solutions and "
        "the proof are checked",
    )
    parser.how.add_argument(
        "--encoding",
        metavar="NAME",
        help="how the puzzle becomes a formula: bits, direct, or one of `jigsat solve --encoding`. bits is the "
        "default for jigsaws with each connector on one or two joins, unless it is inconclusive; direct is the default "
        "otherwise",
    )
    parser.how.add_argument(
        "--solver", metavar="NAME", help="a solver of PySAT that writes proofs (default: cadical195)"
    )
    parser.how.add_argument(
        "--by-search",
        action="store_true",
        help="count the solutions by a search instead, without a proof, for puzzles whose proof would take too long",
    )
    parser.how.add_argument(
        "--explain",
        action="store_true",
        help="show the encodings and what each is predicted to cost, and run no solver",
    )
    add_time_limit(parser, "give up after")
    parser.output.add_argument("--proof", metavar="FILE", help=CERTIFICATE_HELP)
    parser.output.add_argument(
        "--lrat",
        metavar="FILE",
        help="also write the proof in the format LRAT, which verified checkers such as cake_lpr read together with the "
        "formula of the certificate; with --proof or --verify",
    )
    add_resume(parser)
    add_quiet(parser)
    add_variant(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_variant(arguments)
    if arguments.verify is not None:
        for option in ("proof", "encoding", "solver", "time_limit", "explain", "by_search", "resume", "overwrite"):
            value = getattr(arguments, option)
            if value is not None and value is not False:
                raise UsageError("the certificate determines this; omit the option", "verify", option)
        if arguments.lrat is not None:
            refuse_same_file(arguments.lrat, arguments.instance, arguments.verify)
        return judge_certificate(puzzle, arguments.verify, json=arguments.json, lrat=arguments.lrat)
    for file in filter(None, (*proof_files(arguments.proof), arguments.lrat)):
        refuse_same_file(file, arguments.instance)
    if arguments.explain and arguments.by_search:
        raise UsageError("only one of them can be chosen", "explain", "by_search")
    if arguments.explain:
        return print_explanation(arguments, explain_certificate(puzzle, arguments.encoding, arguments.solver))
    with note_bar(arguments) as report, told_of(label_of(arguments.instance)):
        names = ("proof", "lrat", "encoding", "solver", "by_search", "resume", "overwrite", "time_limit")
        warned = None if arguments.quiet else _warning_first(report)
        found = certify(puzzle, arguments.solutions, report=warned, **options_by_name(arguments, *names))
    print_certification(found, json=arguments.json)
    return certificate_status(found)


def _warning_first(report: Report | None) -> Report:
    """A report that prints the warning of a long proof once, also where there is no progress line."""
    told: set[str] = set()

    def tell(progress: Progress) -> None:
        note = progress.note or ""
        if not note.startswith(LONG_PROOF):
            if report is not None:
                report(progress)
        elif note not in told:
            told.add(note)
            print(f"jigsat: {note}", file=sys.stderr)

    return tell
