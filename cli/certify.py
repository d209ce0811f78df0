"""`jigsat certify`: prove that a puzzle has exactly K solutions, or check such a proof."""

import argparse
import sys

from ..api.certify import certify, verify
from ..csp.base.errors import UsageError, told_of
from ..csp.base.safe_files import label_of
from ..csp.base.stop import Progress, Report
from ..csp.engines.request import refuse_given
from .from_functions import describe, take
from .options import RARE, add_instance, add_json, add_quiet, options_by_name, read_variant, refuse_files
from .parser import Parser
from .progress import note_bar
from .wording import certificate_status, print_found, status_of


def add_options(parser: Parser) -> None:
    describe(parser, certify)
    parser.examples = (
        "jigsat certify perfect-6x6",
        "jigsat certify jigsaw.json --solutions 2 --proof perfect.drat",
        "jigsat certify perfect-6x6 --verify perfect.drat.json",
        "jigsat certify jigsaw.json --second-board jigsaw-9x11.json --proof both.drat",
        "jigsat certify pentominoes-6x10 --proof pentominoes.pbp",
    )
    add_instance(parser)
    what = parser.what.add_mutually_exclusive_group()
    take(parser, certify, ("solutions",), group=what)
    what.add_argument(
        "--verify",
        metavar="CERTIFICATE",
        help="check a certificate: the file FILE.json beside a proof, or the name of a bundled one. The formula is "
        "built from the puzzle again and compared, also with that of a second encoder, and the listed solutions and "
        "the proof are checked",
    )
    take(parser, certify, without=("solutions",))
    about = "show the encodings and what each is predicted to cost, and run no solver"
    parser.how.add_argument("--explain", action="store_true", help=about)
    add_quiet(parser)
    add_json(parser)
    parser.rare = RARE - {"proof", "encoding"}
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_variant(arguments)
    names = ("proof", "lrat", "encoding", "solver", "by_search", "second_board", "resume", "overwrite", "time_limit")
    given = options_by_name(arguments, *names)
    refuse_files({**given, "verify": arguments.verify}, arguments.instance)
    if arguments.verify is not None:
        others = {**given, "lrat": None, "explain": arguments.explain}
        refuse_given("the certificate determines this; omit the option", "verify", **others)
        verdict = verify(puzzle, arguments.verify, lrat=arguments.lrat)
        print_found(verdict, arguments)
        return status_of(verdict)
    if arguments.explain and arguments.by_search:
        raise UsageError("only one of them can be chosen", "explain", "by_search")
    if arguments.explain:
        from ..estimators.plan.explain import explain_certificate

        print_found(explain_certificate(puzzle, arguments.encoding, arguments.solver), arguments)
        return 0
    with note_bar(arguments) as report, told_of(label_of(arguments.instance)):
        warned = None if arguments.quiet else _warning_first(report)
        found = certify(puzzle, arguments.solutions, report=warned, **given)
    print_found(found, arguments)
    return certificate_status(found)


def _warning_first(report: Report | None) -> Report:
    """A report that prints the warning of a long proof once, also where there is no progress line."""
    told: set[str] = set()

    def tell(progress: Progress) -> None:
        # Loading the libraries of solvers is part of the work, which has begun by the first report.
        from ..models.proofs.certify_exactly import LONG_PROOF

        note = progress.note or ""
        if not note.startswith(LONG_PROOF):
            if report is not None:
                report(progress)
        elif note not in told:
            told.add(note)
            print(f"jigsat: {note}", file=sys.stderr)

    return tell
