"""Options that commands share."""

import argparse
import math
import os
from collections.abc import Iterable
from typing import Any

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import refuse_same_file

INSTANCE_HELP = (
    "a file (instance, piece text, CSV or viewer link), - for standard input, a viewer link, or the name of a bundled "
    "puzzle"
)
ORDER_HELP = (
    "search order: rowscan, colscan, rowscan2[:ROWS], spiral_in, spiral_out, frame_first, zig_zag, best (the fewest "
    "nodes to be expected, worked out), or a file of square names (default: a named one, by a rule of thumb)"
)
SLIPS_HELP = (
    "slip array: depths (pieces placed, fixed ones included) from which on one more inner join may be invalid, as in "
    "220,230,240 or 192x10"
)
ENGINE_HELP = (
    "the engine that searches: backtrack (the default for edge matching), most-constrained (the default for jigsaws), "
    "cpsat, sat:NAME (a solver of PySAT: sat:cadical195, sat:glucose4, ...), for --best maxsat:rc2, beam (beam "
    "searches) or dive (depth-first searches with restarts; both find high scores and prove nothing), balanced or "
    "balanced:checkerboard (for study); for dissections backtrack (the default), cpsat or sat:NAME; auto takes the one "
    "that did best on the nearest puzzles of the bundled experiments, and says why"
)
MOTIONS_HELP = (
    "of a dissection: how its pieces may be moved, any (every rotation and translation) or lattice (quarter turns, "
    "vertices on the lattice of the puzzle's coordinates); default: as its file says"
)
CERTIFICATE_HELP = "write the certificate: the proof to FILE, its formula to FILE.cnf, what it states to FILE.json"
SOLUTION_HELP = "a solution file, a table of boards (CSV) or a viewer link; - for standard input"
ENCODING_HELP = (
    "how the puzzle becomes a model: pairs (the default), seams, direct or diamond for SAT, pairs, booleans, table or "
    "element for CP-SAT, and options after a +, as in seams+sequential+color-counts (pairwise, product, sequential, "
    "bitwise, ladder, totalizer; pieces, absent-colors, color-counts, checkerboard, parity; unpruned); for "
    "a dissection colors (the default), telling, wedges or pairs for SAT, wedges (the default) or telling for CP-SAT"
)


def add_instance(parser: argparse.ArgumentParser) -> None:
    """The puzzle that a command is about."""
    parser.add_argument("instance", metavar="INSTANCE", help=INSTANCE_HELP)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Output for scripts."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")


def add_motions(parser: argparse.ArgumentParser) -> None:
    """How the pieces of a dissection may be moved."""
    parser.add_argument("--motions", choices=("any", "lattice"), help=MOTIONS_HELP)


def add_time_limit(parser: argparse.ArgumentParser, what: str, default: float | None = None) -> None:
    """When to stop."""
    told = "" if default is None else f" (default: {default})"
    help_text = f"{what} so many seconds{told}"
    parser.add_argument("--time-limit", type=seconds, default=default, metavar="SECONDS", help=help_text)


def add_search(parser: argparse.ArgumentParser) -> None:
    """How a search runs, and what bounds it."""
    add_instance(parser)
    parser.add_argument("--engine", metavar="E", help=ENGINE_HELP)
    parser.add_argument("--encoding", metavar="NAME", help=ENCODING_HELP)
    parser.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    add_motions(parser)
    parser.add_argument(
        "--from",
        dest="start",
        metavar="BOARD",
        help="start from the partial board in this solution file; its pieces are placed first, and slips count them so",
    )
    parser.add_argument("--no-symmetry", action="store_true", help="look at every numbered piece in every rotation")
    add_time_limit(parser, "stop after")
    parser.add_argument("--node-limit", type=whole, metavar="N", help="stop after so many nodes (pieces placed)")
    parser.add_argument("--depth-limit", type=whole, metavar="N", help="fill only the first N squares of the order")
    parser.add_argument(
        "--proof",
        metavar="FILE",
        help="prove that there is no solution, none besides those found, or none better: a DRAT proof in FILE, its "
        "formula and what it states beside it (engines sat:NAME)",
    )
    parser.add_argument("--seed", type=whole, metavar="N", help="what an engine makes random choices by")
    parser.add_argument("--threads", type=whole, default=1, metavar="N", help="number of threads (default: 1)")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_json(parser)


def whole(text: str) -> int:
    """A whole number that is not negative; 1e9 will do."""
    try:
        number = int(text)
    except ValueError:
        try:
            number = float(text)
        except ValueError:
            number = -1
    if not (0 <= number < 2**62 and number == int(number)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2^62")
    return int(number)


def seconds(text: str) -> float:
    """A number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return number


def proof_files(proof: str | None) -> list[str]:
    """The files that are written for a proof: the proof itself, its formula, its page; none if there is no proof."""
    return [] if proof is None else [f"{proof}{end}" for end in ("", ".cnf", ".json")]


def refuse_overwriting(arguments: argparse.Namespace, *outputs: str | None) -> None:
    """Keep what a search reads from being replaced by what it writes."""
    proof = proof_files(arguments.proof)
    others = [output for output in outputs if output is not None]
    for output in (*others, *proof):
        refuse_same_file(output, arguments.instance, arguments.start, arguments.order)
    for output in others:
        if os.path.realpath(output) in map(os.path.realpath, proof):
            raise UsageError(f"{output}: --proof writes this file, too; give -o another one")


def options_by_name(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """What the command line says of these options; None for those that the command does not have."""
    return {name: getattr(arguments, name, None) for name in names}


def option_of(attribute: str) -> str:
    """What the user calls the option whose value the parsed arguments have in an attribute."""
    return {"start": "--from", "format": "--format dimacs"}.get(attribute, f"--{attribute.replace('_', '-')}")


def refuse_given(arguments: argparse.Namespace, attributes: Iterable[str], why: str) -> None:
    """Keep options from being ignored in silence.

    Raises
    ------
    UsageError
        If one of them is given.
    """
    for attribute in attributes:
        if is_given(arguments, attribute):
            raise UsageError(why, attribute)


def is_given(arguments: argparse.Namespace, attribute: str) -> bool:
    """Whether the user has given an option; a number that is 0 is given, too."""
    value = getattr(arguments, attribute)
    return value is not None and value is not False
