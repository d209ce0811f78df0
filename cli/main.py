"""The entry point: finds the command, and turns errors into one line and an exit status."""

import argparse
import io
import os
import stat
import sys
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

from ..csp.base.errors import JigsatError, NotFoundError, Notice, UsageError, escaped
from .commands import COMMANDS, GROUPS, fill
from .parser import BAD_INPUT, FAILED, Parser
from .signals import INTERRUPTED, SIGNALS

#: When this module was loaded, which for the script `jigsat` is when the process began.
_LOADED = time.perf_counter()
DONE = 0


class _Version(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        from importlib.metadata import version

        print(f"jigsat {version('jigsat')}")
        parser.exit()


class _Completion(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        from .completion import completion

        print(completion(complete_parser(), str(values)))
        parser.exit()


@cache
def build_parser() -> Parser:
    """The parser of the whole command line; a command gets its options when it is used."""
    parser = Parser(
        prog="jigsat",
        usage="%(prog)s COMMAND [options]",
        description="Puzzles whose pieces must fit exactly: how many ways, how hard, and can you prove it?\n\n"
        "Exit status: 0 done, 1 failed, 2 bad input or usage, 130 interrupted (143 by SIGTERM, 129 by SIGHUP). A "
        "reader that closes the pipe, such as `head`, does not change it.",
        epilog="`jigsat COMMAND --help` describes a command, and has examples.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, prog="jigsat")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.line).fill = partial(fill, name)
    parser.sections = {
        title: [action for name in names.split() for action in commands._choices_actions if action.dest == name]
        for title, names in GROUPS.items()
    }
    parser.output.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    parser.output.add_argument(
        "--print-completion",
        action=_Completion,
        choices=("bash", "zsh", "tcsh"),
        help="print a script that completes commands and options in a shell",
    )
    return parser


def complete_parser() -> Parser:
    """The parser of the whole command line, with the options of all commands."""
    parser = build_parser()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                command.load()
    return parser


def entry() -> None:
    """Run the command line of this process, whose time limits count from its start, and end it."""
    SIGNALS.guard()
    sys.stdout, sys.stderr = _kept_open(sys.stdout), _kept_open(sys.stderr)
    try:
        status = main(started=_LOADED - _age())
    except SystemExit as end:  # of the parser, after a help
        status = end.code if isinstance(end.code, int) else DONE
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    # To tear down the interpreter with all that the search has built can take a second.
    os._exit(SIGNALS.status(status))


class _ReaderGoneError(BrokenPipeError):
    """The reader of standard output needs no more solutions."""


class _Pipe(io.FileIO):
    """A pipe whose reader may close it, as `head` does; what is written after that is discarded.

    So the exit status does not depend on when the reader closed it.  A search that prints solutions as it finds them is
    ended; everything else is about to end by itself.
    """

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            from ..csp.base.stop import INTERRUPTS

            if INTERRUPTS.working and self.fileno() == 1:
                raise _ReaderGoneError from None
            return len(data)


def _kept_open(stream: Any) -> Any:
    """The stream, or one that writes to the same pipe also when that is closed by its reader."""
    if not isinstance(stream, io.TextIOWrapper) or not stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode):
        return stream
    pipe = io.BufferedWriter(_Pipe(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(pipe, stream.encoding, stream.errors, line_buffering=stream.line_buffering)


def _age() -> float:
    """Seconds from the start of this process to the loading of this module; 0 if the system does not show it."""
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
        given = list(sys.argv[1:] if arguments is None else arguments) or ["help"]
        if given[0] == "help":
            given = [*given[1:], "--help"]
        parsed = build_parser().parse_args(given, argparse.Namespace(started=began))
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # Characters that the terminal cannot show are shown by their numbers.
                stream.reconfigure(errors="backslashreplace")
        _announce_compiling(parsed)
        from ..csp.base.safe_files import remove_unfinished
        from ..csp.base.stop import INTERRUPTS

        # From now on, signals end the process only where nothing is lost and no temporary file is left.
        SIGNALS.work(INTERRUPTS.may_end, remove_unfinished)
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            warnings.simplefilter("ignore" if getattr(parsed, "quiet", False) else "always", Notice)
            from .files import announcing

            with announcing(parsed) as ended:
                status = ended["status"] = parsed.run(parsed)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except BaseException as error:
        return _status_after(error)


def _status_after(error: BaseException) -> int:
    """The exit status after an error, which is reported in a line or a few; one that no user can correct is raised."""
    # What a library makes of Ctrl-C is no error of its own.
    if isinstance(error, KeyboardInterrupt) or (SIGNALS.raised and not isinstance(error, SystemExit)):
        _report("interrupted")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        _discard_output()
        return DONE if isinstance(error, _ReaderGoneError) else FAILED
    # A signal to the whole group may have ended another process that the command needs.
    asked = SIGNALS.received is not None
    if isinstance(error, OSError):
        _report(error.strerror or str(error))
        _discard_output()
        return INTERRUPTED if asked else FAILED
    if not isinstance(error, JigsatError):
        raise error
    _report("\n  ".join(map(escaped, (_message(error), *getattr(error, "__notes__", ())))))
    return INTERRUPTED if asked else FAILED if isinstance(error, NotFoundError) else BAD_INPUT


def _report(message: str) -> None:
    with suppress(OSError):  # standard error may be closed, too
        print(f"jigsat: {message}", file=sys.stderr)


def _show_warning(message: Warning | str, *others: object) -> None:
    """Print a warning as a line, without the place in the code."""
    if sys.stderr is not None:
        kind = "" if isinstance(message, Notice) else "warning: "
        print(f"jigsat: {kind}{escaped(str(message))}", file=sys.stderr)


def _announce_compiling(parsed: argparse.Namespace) -> None:
    """On a terminal, print a line when the first kernel is compiled."""
    from ..csp.base.stop import COMPILING

    COMPILING.announce = None
    if sys.stderr is not None and sys.stderr.isatty() and not getattr(parsed, "quiet", False):
        from .progress import announce_compiling

        limited = getattr(parsed, "time_limit", None) is not None
        COMPILING.announce = partial(announce_compiling, limited=limited)


def _message(error: JigsatError) -> str:
    """The message of an error, with the options as users write them."""
    if not isinstance(error, UsageError) or not error.options:
        return str(error)
    from .from_functions import option_of

    return f"{' and '.join(map(option_of, error.options))}: {error.why}"


def _discard_output() -> None:
    """Discard what is left to flush at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    entry()
