"""The entry point: finds the command, and turns errors into one line and an exit status."""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from ..csp.base.errors import JigsatError, shortened
from ..csp.base.safe_files import escaped
from . import (
    certify,
    check,
    compare,
    convert,
    count,
    draw,
    estimate,
    export,
    forms,
    graph,
    info,
    list_,
    make,
    pictures,
    schema,
    solve,
    view,
)

COMMANDS = (
    solve, count, estimate, certify, compare, make, check, draw, view, pictures, convert, export, forms, graph, list_,
    info, schema,
)  # fmt: skip

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class _Version(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        from importlib.metadata import version

        print(f"jigsat {version('jigsat')}")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str):
        self.exit(BAD_INPUT, f"{self.prog}: {escaped(shortened(message, 300))} (see {self.prog} --help)\n")


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(
        prog="jigsat",
        description="Puzzles whose pieces must fit exactly: how many ways, how hard, and can you prove it?",
        epilog="jigsat COMMAND --help tells about a command.  "
        "Exit status: 0 done, 1 failed, 2 bad input or usage, 130 interrupted.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status."""
    parsed = build_parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What the terminal cannot show is shown by its number.
            stream.reconfigure(errors="backslashreplace")
    try:
        status = parsed.run(parsed)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("jigsat: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has gone, and does not care
        _discard_output()
        return FAILED
    except OSError as error:
        print(f"jigsat: {error.strerror or error}", file=sys.stderr)
        _discard_output()
        return FAILED
    except Exception as error:
        if not isinstance(error, JigsatError):
            raise
        print(f"jigsat: {escaped(str(error))}", file=sys.stderr)
        return BAD_INPUT


def _discard_output() -> None:
    """Let what is left to flush at exit go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    sys.exit(main())
