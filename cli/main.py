"""The entry point: finds the command, and turns errors into one line and an exit status."""

import argparse
import io
import os
import sys
import time
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from ..csp.base.errors import JigsatError, NotFoundError, UsageError, shortened
from ..csp.base.safe_files import escaped

#: The commands, each a module of this package, and what the help says of them.
COMMANDS = {
    "solve": "find one solution, several, or all",
    "count": "count all solutions",
    "plan": "compare all ways to a goal by predicted time",
    "estimate": "predict solutions, nodes and time",
    "certify": "prove that a puzzle has exactly so many solutions",
    "compare": "run engines on puzzles, and compare what was predicted with what came",
    "make": "make a puzzle",
    "check": "judge claimed solutions",
    "draw": "draw a board, the pieces or a search order",
    "view": "make a page to step through solutions, or to play a jigsaw",
    "pictures": "artwork for a jigsaw that shows two pictures",
    "convert": "convert puzzles and boards between formats",
    "export": "write a model for other solvers",
    "forms": "which convex forms the pieces of a dissection can tile",
    "graph": "the graph of a dissection's tilings",
    "list": "list the bundled puzzles or experiments, or the engines",
    "info": "describe a puzzle",
    "schema": "print the JSON Schema of the files",
}

#: When this module was loaded, which for the script `jigsat` is when the process began.
_LOADED = time.perf_counter()
DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class _Version(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        from importlib.metadata import version

        print(f"jigsat {version('jigsat')}")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; has the options of the command `loads` once that is given, and not before."""

    loads: str | None = None

    def parse_known_args(self, *given: Any, **named: Any) -> Any:
        if self.loads is not None:
            module, self.loads = import_module(f".{self.loads}", __package__), None
            module.add_options(self)
        return super().parse_known_args(*given, **named)

    def error(self, message: str):
        self.exit(BAD_INPUT, f"{self.prog}: {escaped(shortened(message, 300))} (see {self.prog} --help)\n")


@cache
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
    for command, about in COMMANDS.items():
        commands.add_parser(command, help=about).loads = command
    return parser


def entry() -> None:
    """Run the command line of this process, whose time limits count from its start, and end it."""
    status = main(started=_LOADED - _age())
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    # To tear down the interpreter with all that the search has built can take a second.
    os._exit(status)


def _age() -> float:
    """How many seconds this process was old when this module was loaded; 0 where that cannot be told."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as stat, open("/proc/uptime") as uptime:
            born = int(stat.read().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
            return max(float(uptime.read().split()[0]) - born - (time.perf_counter() - _LOADED), 0.0)
    except (OSError, ValueError, IndexError):
        return 0.0


def main(arguments: Sequence[str] | None = None, *, started: float | None = None) -> int:
    """Run a command line and return its exit status; time limits count from `started` on, by `time.perf_counter`."""
    began = time.perf_counter() if started is None else started
    try:
        parsed = build_parser().parse_args(arguments, argparse.Namespace(started=began))
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # What the terminal cannot show is shown by its number.
                stream.reconfigure(errors="backslashreplace")
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
        print(f"jigsat: {escaped(_told(error))}", file=sys.stderr)
        return FAILED if isinstance(error, NotFoundError) else BAD_INPUT


def _told(error: JigsatError) -> str:
    """The message of an error, with options named as the command line names them."""
    if not isinstance(error, UsageError) or not error.options:
        return str(error)
    from .parts.options import option_of

    return f"{' and '.join(map(option_of, error.options))}: {error.why}"


def _discard_output() -> None:
    """Let what is left to flush at exit go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    entry()
