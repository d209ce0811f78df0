"""Progress on standard error."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..csp.base.errors import grouped
from ..csp.base.stop import COMPILING, Progress, Report
from ..csp.engines.engine import Engine, TilingEngine

if TYPE_CHECKING:
    from tqdm import tqdm

# From this number of seconds on, the time left is shown with a unit.
_DAY = 86400


@contextmanager
def bar_on_stderr(arguments: argparse.Namespace, **look: Any) -> "Iterator[tqdm | None]":
    """A progress bar, removed at the end; None if standard error is not a terminal.

    While kernels are compiled, the bar shows only that.
    """
    if arguments.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(leave=False, file=sys.stderr, **look) as bar:

        def show_compiling() -> None:
            bar.bar_format = "{elapsed} compiling the search" if COMPILING.runs else look["bar_format"]
            bar.refresh()

        with COMPILING.watched(show_compiling):
            yield bar


@contextmanager
def progress_bar(
    arguments: argparse.Namespace, engine: "Engine | TilingEngine | None", *, ends: bool = True
) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on standard error that shows the progress of a search; None if standard error is not a terminal.

    - `ends`: whether the part that is done is known.  Otherwise there is no bar, only the results so far.
    """
    proves = engine is None or engine.proves
    layout = "{percentage:5.1f}% |{bar}| {elapsed}<{desc}{postfix}" if ends else "{elapsed}{postfix}"
    with bar_on_stderr(arguments, total=1.0, bar_format=layout) as bar:
        if bar is None:
            yield None
            return

        def show(progress: Progress) -> None:
            if progress.note is not None and not progress.nodes and not progress.solutions and not progress.done:
                bar.set_postfix_str(progress.note)
                return
            # The time left is computed from the time of the search alone.
            bar.start_t = time.time() - progress.seconds
            bar.set_description_str(_left(progress), refresh=False)
            bar.set_postfix_str(_found(progress, proves=proves), refresh=False)
            bar.n = progress.done
            bar.refresh()

        yield show


def _left(progress: Progress) -> str:
    """The time left, at the speed of this search; parts that an earlier search has done do not count."""
    from tqdm import tqdm

    from ..csp.base.words import short_duration

    done_now = progress.done - progress.found
    if done_now <= 0 or not progress.seconds:
        return "?"
    left = min(progress.seconds * (1 - progress.done) / done_now, 1e300)
    return tqdm.format_interval(left) if left < _DAY else short_duration(Fraction(left))


def _found(progress: Progress, *, proves: bool) -> str:
    """What a search has done and found so far."""
    found = f"count {grouped(progress.solutions)}"
    if progress.scores is not None:
        best, most = progress.scores
        found = f"score {'none yet' if best is None else best}{', at most' if proves else ' of'} {most}"
    nodes = ""
    if progress.nodes:
        # The rate is that of this search, without the nodes of an earlier one.
        nodes_now = max(progress.nodes - progress.found_nodes, 0)
        rate = nodes_now / progress.seconds / 1e6 if progress.seconds else 0
        about = f" of about {progress.expected:.2g}" if proves and progress.expected is not None else ""
        nodes = f"{progress.nodes:.3g}{about} nodes, {rate:.0f} M/s, "
    return f"{nodes}{found}{'' if progress.note is None else f', {progress.note}'}"


def announce_compiling(kernel: str, *, limited: bool) -> None:
    """Print, before the first kernel is compiled, that this is done once, and have the others compiled aside.

    `limited` is whether there is a time limit, which does not include compiling.
    """
    from tqdm import tqdm

    # A bar that is shown is moved below the line.
    then = "; the time limit counts from then on" if limited else ""
    tqdm.write(f"jigsat: compiling the search, once on this computer{then}", file=sys.stderr)
    _compile_aside(kernel)


def _compile_aside(kernel: str) -> None:
    """Start a process that compiles what else puzzles need that need this kernel, while this one goes on."""
    if (os.cpu_count() or 1) == 1 or {"CI", "JIGSAT_NO_WARM_UP"} & os.environ.keys():
        return
    import subprocess

    only = "dissections" if "tilings" in kernel else "making" if ".make." in kernel else "squares"
    command = [sys.executable, "-m", "jigsat", "warm-up", "--aside", "--only", only]
    with suppress(OSError):
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def note_bar(arguments: argparse.Namespace) -> Iterator[Report | None]:
    """A line on standard error that shows the current step of other work; None if that is not a terminal."""
    with bar_on_stderr(arguments, bar_format="{elapsed} {desc}") as bar:
        yield None if bar is None else lambda progress: bar.set_description_str(progress.note or "")


@contextmanager
def part_bar(arguments: argparse.Namespace) -> Iterator[Report | None]:
    """A bar on standard error that shows the part of the work that is done; each piece of work starts it again."""
    with bar_on_stderr(
        arguments, total=1.0, bar_format="{percentage:5.1f}% |{bar}| {elapsed}<{remaining}{postfix}"
    ) as bar:
        if bar is None:
            yield None
            return

        def show(progress: Progress) -> None:
            if progress.done < bar.n:
                bar.reset(total=1.0)
            bar.set_postfix_str(progress.note or "", refresh=False)
            bar.n = progress.done
            bar.refresh()

        yield show


def bar_of(kind: str, arguments: argparse.Namespace) -> AbstractContextManager[Report | None]:
    """The progress of a kind: ``note``, ``part``, ``search``, or ``endless`` for a search without a foreseen end."""
    if kind in ("search", "endless"):
        return progress_bar(arguments, None, ends=kind == "search")
    return part_bar(arguments) if kind == "part" else note_bar(arguments)
