"""Progress on stderr."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...csp.base.stopping import COMPILING, Progress, Report
from ...csp.base.words import grouped
from ...csp.engines.engine import Engine, TilingEngine

if TYPE_CHECKING:
    from tqdm import tqdm

# Seconds from which on the time left is told in units.
_DAY = 86400


@contextmanager
def bar_on_stderr(arguments: argparse.Namespace, **look: Any) -> "Iterator[tqdm | None]":
    """A bar of that look, gone at the end; None where nobody would see it.

    As long as kernels are compiled, it says so and nothing else.
    """
    if arguments.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(leave=False, file=sys.stderr, **look) as bar:

        def tell() -> None:
            bar.bar_format = "{elapsed} compiling (once)" if COMPILING.runs else look["bar_format"]
            bar.refresh()

        with COMPILING.watched(tell):
            yield bar


@contextmanager
def progress_bar(
    arguments: argparse.Namespace, engine: "Engine | TilingEngine | None", *, ends: bool = True
) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on stderr that shows how far a search is; None where nobody would see it.

    Parameters
    ----------
    ends
        Whether that can be told at all; otherwise there is no bar, only what is found.
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
            # The time of the search alone, by which the time left is told.
            bar.start_t = time.time() - progress.seconds
            bar.set_description_str(_left(progress), refresh=False)
            bar.set_postfix_str(_found(progress, proves=proves), refresh=False)
            bar.n = progress.done
            bar.refresh()

        yield show


def _left(progress: Progress) -> str:
    """The time left: at the pace of this search, whatever an earlier one has found."""
    from tqdm import tqdm

    from ...estimators.effort.durations import short_duration

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
        # What an earlier search has done tells nothing of how quick this one is.
        nodes_now = max(progress.nodes - progress.found_nodes, 0)
        rate = nodes_now / progress.seconds / 1e6 if progress.seconds else 0
        about = f" of about {progress.expected:.2g}" if proves and progress.expected is not None else ""
        nodes = f"{progress.nodes:.3g}{about} nodes, {rate:.0f} M/s, "
    return f"{nodes}{found}{'' if progress.note is None else f', {progress.note}'}"


@contextmanager
def note_bar(arguments: argparse.Namespace) -> Iterator[Report | None]:
    """A line on stderr that shows what is being done, for work that is no search; None where nobody would see it."""
    with bar_on_stderr(arguments, bar_format="{elapsed} {desc}") as bar:
        yield None if bar is None else lambda progress: bar.set_description_str(progress.note or "")


@contextmanager
def part_bar(arguments: argparse.Namespace) -> Iterator[Report | None]:
    """A bar on stderr that shows the part of the work that is done; it begins anew with each piece of work."""
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
