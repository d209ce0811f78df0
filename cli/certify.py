"""`jigsat certify`: prove that a puzzle has exactly so many solutions."""

import argparse

from ..csp.base.errors import UsageError, told_of
from ..csp.base.safe_files import label_of, refuse_same_file
from ..csp.files.instances import read_puzzle
from ..estimators.plan.explain_certificate import explain_certificate
from ..models.proofs.certify_and_verify import certify
from .parts.certificates import certificate_status, judge_certificate
from .parts.jobs import print_explanation
from .parts.options import CERTIFICATE_HELP, add_instance, add_json, add_time_limit, proof_files, whole
from .parts.progress import note_bar
from .parts.wording import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find out whether a puzzle has exactly K solutions (turning the whole board, exchanging identical "
        "pieces and turning symmetric ones make no other), and prove it: a formula that has a model if there is "
        "another one, and a DRAT proof that it has none, checked by a checker that knows nothing of how it was found.  "
        "The assemblies in the puzzle's file are taken as known once they are checked; others are searched for.  Exit "
        "status 1 if there are not exactly K."
    )
    add_instance(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--solutions", type=whole, metavar="K", help="how many solutions there should be")
    what.add_argument(
        "--verify",
        metavar="CERTIFICATE",
        help="judge a certificate (the page FILE.json beside a proof, or the bundled one of that name): build its "
        "formula from the puzzle again, compare it, check what it lists and the proof",
    )
    parser.add_argument("--proof", metavar="FILE", help=CERTIFICATE_HELP)
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        help="how the puzzle becomes a formula: bits (jigsaws with each connector on one or two joins; the default "
        "there unless it does not decide), direct (the default elsewhere), or another one of `jigsat solve --encoding`",
    )
    parser.add_argument("--solver", metavar="NAME", help="a solver of PySAT that writes proofs (default: cadical195)")
    add_time_limit(parser, "give up after")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="search nothing, write nothing: show the encodings, the one that would be taken first, why others do not "
        "apply, and what is predicted",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_puzzle(arguments.instance)
    if arguments.verify is not None:
        for option in ("proof", "encoding", "solver", "time_limit", "explain"):
            if getattr(arguments, option) not in (None, False):
                raise UsageError("a certificate says itself how it is made", "verify", option)
        return judge_certificate(puzzle, arguments.verify, json=arguments.json)
    for file in proof_files(arguments.proof):
        refuse_same_file(file, arguments.instance)
    if arguments.explain:
        return print_explanation(arguments, explain_certificate(puzzle, arguments.encoding, arguments.solver))
    with note_bar(arguments) as report, told_of(label_of(arguments.instance)):
        found = certify(
            puzzle,
            arguments.solutions,
            proof=arguments.proof,
            encoding=arguments.encoding,
            solver="cadical195" if arguments.solver is None else arguments.solver,
            time_limit=arguments.time_limit,
            report=report,
        )
    print_json(found.record()) if arguments.json else print(found.summary())
    return certificate_status(found)
