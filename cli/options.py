"""Options that commands share, and the puzzle that a command is about."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..api.files import read
from ..csp.base.errors import UsageError
from ..csp.base.safe_files import refuse_same_file
from ..csp.engines.registry import own_options
from ..csp.engines.request import is_proof_file, proof_files
from .from_functions import option_of, seconds, take, whole
from .parser import Parser

if TYPE_CHECKING:
    from ..csp.files.instances import Puzzle

INSTANCE_HELP = (
    "the puzzle: a file or the name of a bundled puzzle. The file is an instance (JSON), piece text or CSV; - is "
    "standard input.  A viewer link (e2.bucas.name, eternity2.dev) is also accepted"
)
#: The questions about a dissection that its file does not ask: the parameters of `variant`.
VARIANTS = ("leave", "pieces", "target", "hole", "scale", "stretch", "no_flip")
#: How the file of a puzzle is read: the parameters of `read`.
READING = ("sides", "border")
#: The options that only the full help shows.
RARE = frozenset(
    (*VARIANTS, *READING, "motions", "frame_slips", "encoding", "width", "device", "symmetry", "depth_limit",
     "node_limit", "proof", "ledger", "part", "seed", "cluster", "cluster_security", "cluster_dashboard", "overwrite",
     "second_board")
)  # fmt: skip
#: The files that commands write, by the names of their parameters.
WRITTEN = ("output", "proof", "lrat", "plot", "preview")


def add_instance(parser: Parser, *, variants: bool = True, without: Iterable[str] = ()) -> None:
    """Add the puzzle that a command is about, how its file is read, and how a dissection differs from its file."""
    parser.what.add_argument("instance", metavar="INSTANCE", help=INSTANCE_HELP)
    add_reading(parser, variants=variants, without=without)


def add_reading(parser: Parser, *, variants: bool = True, without: Iterable[str] = ()) -> None:
    """Add how the file of a puzzle is read, and how a dissection differs from its file, except for some options."""
    take(parser, read, READING)
    parser.set_defaults(variants=[name for name in VARIANTS if variants and name not in without])
    if not variants:
        return
    from ..csp.files.variant import variant

    take(parser, variant, [name for name in VARIANTS if name not in ("leave", "no_flip", *without)])
    flat = "turn no piece of a dissection over, or none of these, such as 3,7. The instance comes before this option"
    parser.what.add_argument("--no-flip", nargs="?", const=True, metavar="LIST", help=flat)
    free = 'these cells of a dissection stay free, such as "Jan 1" or A1,B7, or any cells. The instance comes before'
    parser.what.add_argument("--leave", nargs="?", const=True, metavar="CELLS", help=f"{free} this option")


def add_own_options(parser: Parser) -> None:
    """Add the options that only engines of other packages have."""
    own = own_options()
    if own:
        group = parser.add_argument_group("options of engines of other packages")
        for name, (engine, about) in own.items():
            kind = {"whole": whole, "seconds": seconds, "number": float}.get(about.kind, str)
            how: dict[str, Any] = {"type": kind, "metavar": about.metavar}
            how = {"action": "store_true", "default": None} if about.kind == "switch" else how
            group.add_argument(option_of(name), dest=name, help=f"{about.help} ({engine})".replace("%", "%%"), **how)


def given_own_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of engines of other packages that are given."""
    given = {name: getattr(arguments, name, None) for name in own_options()}
    return {name: value for name, value in given.items() if value is not None}


def read_variant(arguments: argparse.Namespace) -> Puzzle:
    """The puzzle of a command, read and changed as its options ask for."""
    puzzle = read(arguments.instance, **options_by_name(arguments, *READING))
    asked = _given(arguments, arguments.variants)
    if not asked:
        return puzzle
    from ..csp.files.variant import variant

    return variant(puzzle, **asked)


def puzzle_or_name(arguments: argparse.Namespace) -> Puzzle | str:
    """The puzzle, as a function takes it: where it is, or the puzzle itself if options change how it is read."""
    return read_variant(arguments) if _given(arguments, (*READING, *arguments.variants)) else arguments.instance


def _given(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(arguments, name, None)) is not None}


def add_json(parser: Parser, *, record: bool = True) -> None:
    """Add the text with all details, and the output for scripts if there is a `record`."""
    if record:
        parser.output.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.output.add_argument("--verbose", "-v", action="store_true", help="say also how the answer was found")


def add_quiet(parser: Parser) -> None:
    """Add the option that hides the progress, and the lines about files."""
    parser.output.add_argument("--quiet", action="store_true", help="show no progress, and name no files")


def refuse_files(given: Mapping[str, Any], instance: str | None = None) -> None:
    """Refuse to replace what a command reads by what it writes, or one of its files by another."""
    read = [instance, *(value for name, value in given.items() if name not in WRITTEN and isinstance(value, str))]
    proof = proof_files(given.get("proof"))
    written = [value for name in WRITTEN if name != "proof" and isinstance(value := given.get(name), str)]
    for file in (*written, *proof):
        refuse_same_file(file, *read)
    output = given.get("output")
    if isinstance(output, str) and is_proof_file(output, given.get("proof")):
        raise UsageError(f"{output}: --proof also writes this file; give -o another one")


def refuse_json_beside(output: str | None, arguments: argparse.Namespace) -> None:
    """Refuse to write both the record and what goes to an output to standard output."""
    if output == "-" and getattr(arguments, "json", False):
        raise UsageError("only one of them can use standard output; give -o a file", "json", "output")


def options_by_name(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The values of these options; None for those that the command does not have."""
    return {name: getattr(arguments, name, None) for name in names}
