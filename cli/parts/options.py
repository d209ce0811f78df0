"""Options that commands share."""

import argparse
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import refuse_same_file
from ...csp.engines.installed import other_classes
from ...csp.engines.request import CLUSTER, OTHERS_ASKED, About, Options, about_options, is_proof_file, proof_files
from ...csp.files.instances import Puzzle, read_puzzle
from .parser import Parser

#: What accepts options: a group of a parser, or one of exclusive options in it.
Group = argparse._ArgumentGroup

INSTANCE_HELP = (
    "the puzzle: a file or the name of a bundled puzzle. The file is an instance (JSON), piece text or CSV; - is "
    "standard input.  A viewer link (e2.bucas.name, eternity2.dev) is also accepted"
)
_ABOUT = {**OTHERS_ASKED, **about_options(Options)}
ORDER_HELP, SLIPS_HELP = _ABOUT["order"].help, _ABOUT["slips"].help
FRAME_SLIPS_HELP = _ABOUT["frame_slips"].help
SQUARES_HELP, PIECES_ONLY_HELP = _ABOUT["squares"].help, _ABOUT["pieces_only"].help
MOTIONS_HELP, ENCODING_HELP = _ABOUT["motions"].help, _ABOUT["encoding"].help
CERTIFICATE_HELP = (
    "write the certificate to FILE. The proof is in FILE, its formula in FILE.cnf, and what it states in FILE.json"
)
SOLUTION_HELP = "a solution file (JSON), a table of boards (CSV), a viewer link, or - for standard input"

PLACES = "top, bottom, left, right, two of these such as 'top left', or parts such as 50%%,30%%"

# The group of an option of searches; all others are about how the search works.
_GROUPS = {
    "start": "what", "squares": "what", "pieces_only": "what", "motions": "what", "slips": "what",
    "frame_slips": "what",
    "time_limit": "limits", "node_limit": "limits", "depth_limit": "limits",
    "proof": "output", "ledger": "output",
}  # fmt: skip
#: The questions about a dissection that its file does not ask, by the names of the parameters of `variant`.
VARIANTS = ("pieces", "target", "hole", "scale", "stretch", "no_flip")
#: How the file of a puzzle is read, by the names of the parameters of `read`.
READING = ("sides", "border")
#: The options of searches that only the full help shows.
RARE_IN_SEARCHES = frozenset(
    (*VARIANTS, *READING, *CLUSTER, "motions", "frame_slips", "encoding", "width", "device", "no_symmetry",
     "depth_limit", "node_limit", "proof", "ledger", "part", "seed")
)  # fmt: skip
_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile("".join(rf"(?:(\d+(?:\.\d+)?){unit})?" for unit in _UNITS))


def add_instance(parser: Parser) -> None:
    """Add the puzzle that a command is about, and how its file is read."""
    parser.what.add_argument("instance", metavar="INSTANCE", help=INSTANCE_HELP)
    add_reading(parser)


def add_reading(parser: Parser) -> None:
    """Add how the file of a puzzle lists the sides, and what it calls the border."""
    parser.what.add_argument(
        "--sides",
        metavar="LIST",
        help="the order in which the file of the puzzle lists the sides of a piece, such as top,bottom,left,right, if "
        "it is not that of its format",
    )
    parser.what.add_argument(
        "--border", metavar="X", help="what the file of the puzzle calls the border, if it is not 0"
    )
    parser.rare |= frozenset(READING)


def read_instance(arguments: argparse.Namespace) -> Puzzle:
    """The puzzle of a command."""
    return read_puzzle(arguments.instance, **options_by_name(arguments, *READING))


def add_json(parser: Parser) -> None:
    """Add the output for scripts."""
    parser.output.add_argument("--json", action="store_true", help="print one JSON object instead of text")


def add_output(parser: Parser, about: str, *others: str, **how: Any) -> None:
    """Add the file that a command writes."""
    parser.output.add_argument("-o", "--output", *others, **{"metavar": "FILE", **how}, help=about)


def add_quiet(parser: Parser) -> None:
    """Add the option that hides the progress."""
    parser.output.add_argument("--quiet", action="store_true", help="show no progress")


def add_resume(parser: Parser, file: str = "FILE") -> None:
    """Add what to do with what an earlier run has left; `file` is what the help calls the file of the answer."""
    parser.output.add_argument(
        "--resume",
        action="store_true",
        help=f"continue a run that was stopped. While a run lasts, what it has found is in {file}.part",
    )
    parser.output.add_argument(
        "--overwrite",
        action="store_true",
        help=f"start over if there is {file}.part, and replace {file} even by an incomplete answer",
    )


def add_motions(parser: Parser) -> None:
    """Add how the pieces of a dissection may be moved."""
    parser.what.add_argument("--motions", choices=("any", "lattice"), help=MOTIONS_HELP)


def add_variant(parser: Parser, *, without: Iterable[str] = ()) -> None:
    """Add how a dissection differs from its file, except the options named."""
    given: dict[str, dict[str, Any]] = {
        "pieces": {
            "metavar": "LIST",
            "help": "use only these pieces of a dissection, such as 1-5,7. They get new numbers from 1",
        },
        "target": {
            "metavar": "POLYGON",
            "help": "another target of a dissection: a rectangle such as 24x6, vertices such as '0,0 2,0 0,2', or a "
            "file or bundled dissection that has it. It is neither scaled nor stretched",
        },
        "hole": {
            "metavar": "POLYGON",
            "action": "append",
            "help": "a hole in the target of a dissection that no piece may cover: a rectangle with its least corner, "
            "such as 2x2@3,3, or vertices such as '3,3 5,3 4,5'. Give the option once for each hole",
        },
        "scale": {
            "metavar": "F",
            "help": "multiply all coordinates of a dissection by F, such as 2 or 3/2. With whole numbers, 2 makes the "
            "lattice twice as fine",
        },
        "stretch": {"metavar": "W:H", "help": "multiply widths of a dissection by W, heights by H"},
        "no_flip": {
            "nargs": "?",
            "const": True,
            "metavar": "LIST",
            "help": "turn no piece of a dissection over, or none of these, such as 3,7. The instance comes before this "
            "option",
        },
    }
    for name, about in given.items():
        if name not in without:
            parser.what.add_argument(option_of(name), dest=name, **about)
    parser.rare |= frozenset(VARIANTS)


def read_variant(arguments: argparse.Namespace) -> Puzzle:
    """The puzzle of a command, in the variant that its options ask for."""
    return variant_of(read_instance(arguments), arguments)


def variant_of(puzzle: Puzzle, arguments: argparse.Namespace, *, without: Iterable[str] = ()) -> Puzzle:
    """The variant of a puzzle that the options of `add_variant` ask for; the puzzle itself if none is given."""
    asked = {name: value for name in VARIANTS if name not in without if (value := getattr(arguments, name)) is not None}
    if not asked:
        return puzzle
    from ...csp.files.variant import variant

    return variant(puzzle, **asked)


def add_time_limit(parser: Parser, what: str, default: float | None = None) -> None:
    """Add the time limit; `what` is what happens at its end."""
    shown = "" if default is None else f" (default: {default:g})"
    help_text = f"{what} this time, such as 90, 1m30s or 2h{shown}"
    parser.limits.add_argument("--time-limit", type=seconds, default=default, metavar="TIME", help=help_text)


def add_search(parser: Parser, *, without: Iterable[str] = ()) -> None:
    """Add how a search works and what ends it: everything that may be asked, except the options named."""
    add_instance(parser)
    for name, about in _ABOUT.items():
        if name not in without:
            _add_option(getattr(parser, _GROUPS.get(name, "how")), name, about)
    own = own_options()
    if own:
        group = parser.add_argument_group("options of engines of other packages")
        for name, (engine, about) in own.items():
            _add_option(group, name, replace(about, help=f"{about.help} ({engine})"))
    add_variant(parser)
    add_quiet(parser)
    add_json(parser)
    parser.rare = RARE_IN_SEARCHES


def add_some(parser: Parser, names: Iterable[str]) -> None:
    """Add some options of searches."""
    for name in names:
        _add_option(getattr(parser, _GROUPS.get(name, "how")), name, _ABOUT[name])


def add_cluster(parser: Parser) -> None:
    """Add the Dask cluster of a command that does not search itself."""
    for name in CLUSTER:
        about = _ABOUT[name]
        _add_option(parser.how, name, replace(about, help=about.help.replace("count on", "run on")))


def own_options() -> dict[str, tuple[str, About]]:
    """The options that only engines of other packages have, each with the name of an engine that takes it."""
    return {
        name: (made.name, about)
        for made in other_classes().values()
        for name, about in about_options(made.takes).items()
        if name not in _ABOUT
    }


def _add_option(group: Group, name: str, about: About) -> None:
    """Add an option of searches."""
    flag = option_of(name)
    if about.kind == "flag":
        group.add_argument(f"--no-{name}", action="store_true", help=about.help)
    elif about.kind == "switch":
        group.add_argument(flag, action="store_true", default=None, help=about.help)
    elif name == "motions":
        group.add_argument(flag, choices=("any", "lattice"), help=about.help)
    else:
        kinds: dict[str, Callable[[str], object]] = {
            "whole": whole, "seconds": seconds, "number": float, "threads": threads,
        }  # fmt: skip
        default = 1 if name == "threads" else None
        group.add_argument(
            flag, dest=name, type=kinds.get(about.kind, str), default=default, metavar=about.metavar, help=about.help
        )


def asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the command line asks of a search, by the names of the Python functions; only what is given."""
    given = {name: getattr(arguments, name, None) for name in (*_ABOUT, *own_options()) if name != "symmetry"}
    return {name: value for name, value in given.items() if value is not None} | {"symmetry": not arguments.no_symmetry}


def whole(text: str) -> int:
    """A whole number that is not negative; 1e9 is accepted."""
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


def threads(text: str) -> int:
    """A number of threads; 0 stands for all processor cores."""
    return 0 if text == "all" else whole(text)


def seconds(text: str) -> float:
    """A duration in seconds, given as seconds or with units.

    Examples
    --------
    >>> seconds("90"), seconds("1m30s"), seconds("2h"), seconds("1.5d")
    (90.0, 90.0, 7200.0, 129600.0)
    """
    found = _DURATION.fullmatch(text.strip().lower()) if text.strip() else None
    try:
        if found is not None:
            return float(sum(float(part) * unit for part, unit in zip(found.groups("0"), _UNITS.values(), strict=True)))
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time; give seconds, or a time such as 1m30s or 2h")
    return number


def refuse_overwriting(arguments: argparse.Namespace, *outputs: str | None) -> None:
    """Refuse to replace what a search reads by what it writes."""
    proof = proof_files(arguments.proof)
    others = [output for output in outputs if output is not None]
    for output in (*others, *proof):
        refuse_same_file(output, arguments.instance, arguments.target, arguments.start, arguments.order)
    for output in others:
        if is_proof_file(output, arguments.proof):
            raise UsageError(f"{output}: --proof also writes this file; give -o another one")


def refuse_json_beside(output: str | None, arguments: argparse.Namespace) -> None:
    """Refuse to write both the record and what goes to an output to standard output."""
    if output == "-" and arguments.json:
        raise UsageError("only one of them can use standard output; give -o a file", "json", "output")


def add_crop(parser: Parser) -> None:
    """Add --crop and --crop-at, for the picture of --image."""
    parser.how.add_argument(
        "--crop", action="store_true", help="crop the picture to the shape of the board, keeping what stands out"
    )
    parser.how.add_argument("--crop-at", metavar="PLACE", help=f"crop the picture, and keep this part: {PLACES}")


def options_by_name(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The values of these options; None for those that the command does not have."""
    return {name: getattr(arguments, name, None) for name in names}


def option_of(attribute: str) -> str:
    """The option whose value the parsed arguments have in an attribute, as users write it."""
    special = {"start": "--from", "format": "--format dimacs", "report_only": "--report"}
    return special.get(attribute, f"--{attribute.replace('_', '-')}")
