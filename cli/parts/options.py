"""Options that commands share."""

import argparse
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import refuse_same_file
from ...csp.engines.installed import other_classes
from ...csp.engines.request import OTHERS_ASKED, About, Options, about_options

INSTANCE_HELP = (
    "a file (instance, piece text, CSV or viewer link), - for standard input, a viewer link, or the name of a bundled "
    "puzzle"
)
_ABOUT = {**OTHERS_ASKED, **about_options(Options)}
ORDER_HELP, SLIPS_HELP = _ABOUT["order"].help, _ABOUT["slips"].help
MOTIONS_HELP, ENCODING_HELP = _ABOUT["motions"].help, _ABOUT["encoding"].help
CERTIFICATE_HELP = "write the certificate: the proof to FILE, its formula to FILE.cnf, what it states to FILE.json"
SOLUTION_HELP = "a solution file, a table of boards (CSV) or a viewer link; - for standard input"


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


def add_search(parser: argparse.ArgumentParser, *, without: Iterable[str] = ()) -> None:
    """How a search runs, and what bounds it: all that may be asked, but for the options named."""
    add_instance(parser)
    for name, about in _ABOUT.items():
        if name not in without:
            _add_option(parser, name, about)
    own = own_options()
    if own:
        group = parser.add_argument_group("options of engines of other packages")
        for name, (engine, about) in own.items():
            _add_option(group, name, replace(about, help=f"{about.help} ({engine})"))
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_json(parser)


def own_options() -> dict[str, tuple[str, About]]:
    """The options that engines of other packages alone have, each with the name of an engine that takes it."""
    return {
        name: (made.name, about)
        for made in other_classes().values()
        for name, about in about_options(made.takes).items()
        if name not in _ABOUT
    }


def _add_option(parser: "argparse.ArgumentParser | argparse._ArgumentGroup", name: str, about: About) -> None:
    """An option as the parser has it."""
    flag = option_of(name)
    if about.kind == "flag":
        parser.add_argument(f"--no-{name}", action="store_true", help=about.help)
    elif name == "motions":
        parser.add_argument(flag, choices=("any", "lattice"), help=about.help)
    else:
        kinds: dict[str, Callable[[str], object]] = {
            "whole": whole, "seconds": seconds, "number": float, "threads": threads,
        }  # fmt: skip
        default = 1 if name == "threads" else None
        parser.add_argument(
            flag, dest=name, type=kinds.get(about.kind, str), default=default, metavar=about.metavar, help=about.help
        )


def asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the command line asks of a search, by the names that Python has for it; what is not given is left out."""
    given = {name: getattr(arguments, name, None) for name in (*_ABOUT, *own_options()) if name != "symmetry"}
    return {name: value for name, value in given.items() if value is not None} | {"symmetry": not arguments.no_symmetry}


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


def threads(text: str) -> int:
    """A number of threads; 0 stands for all processor cores."""
    return 0 if text == "all" else whole(text)


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
    special = {"start": "--from", "format": "--format dimacs", "report_only": "--report"}
    return special.get(attribute, f"--{attribute.replace('_', '-')}")
