"""Progress on stderr."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...csp.base.stopping import Progress, Report
from ...csp.base.words import grouped
from ...csp.engines.engine import Engine, TilingEngine

if TYPE_CHECKING:
    from tqdm import tqdm


@contextmanager
def bar_on_stderr(arguments: argparse.Namespace, **look: Any) -> "Iterator[tqdm | None]":
    """A bar of that look, gone at the end; None where nobody would see it."""
    if arguments.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(leave=False, file=sys.stderr, **look) as bar:
        yield bar


@contextmanager
def progress_bar(
    arguments: argparse.Namespace, engine: "Engine | TilingEngine | None"
) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on stderr that shows the part of the search tree that is done; None where nobody would see it."""
    solver, proves = engine is not None and not engine.counts_nodes, engine is None or engine.proves
    # A solver does not tell how far it is, and a search that proves nothing has no end but its limits.
    endless = not proves and arguments.time_limit is None and arguments.node_limit is None
    layout = "{percentage:5.1f}% |{bar}| {elapsed}<{remaining}{postfix}"
    layout = "{elapsed} {desc}" if solver else "{elapsed}{postfix}" if endless else layout
    with bar_on_stderr(arguments, total=1.0, bar_format=layout) as bar:
        if bar is None:
            yield None
            return

        def show(progress: Progress) -> None:
            if progress.note is not None and not progress.nodes and not progress.solutions:
                bar.set_description_str(progress.note) if solver else bar.set_postfix_str(progress.note)
                return
            # What an earlier search has done tells nothing of how quick this one is.
            nodes_now = max(progress.nodes - progress.found_nodes, 0)
            rate = nodes_now / progress.seconds / 1e6 if progress.seconds else 0
            found = f"count {grouped(progress.solutions)}"
            if progress.scores is not None:
                best, most = progress.scores
                found = f"score {'none yet' if best is None else best}{', at most' if proves else ' of'} {most}"
            note = "" if progress.note is None else f", {progress.note}"
            if solver:
                bar.set_description_str(f"{found}{note}")
                return
            about = f" of about {progress.nodes / progress.done:.2g}" if proves and 0 < progress.done < 1 else ""
            bar.set_postfix_str(f"{progress.nodes:.3g}{about} nodes, {rate:.0f} M/s, {found}{note}", refresh=False)
            bar.initial = progress.found
            bar.n = max(progress.done, bar.n)
            bar.refresh()

        yield show


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
