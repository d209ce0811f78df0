"""`jigsat view`: a page to step through solutions."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log as natural
from typing import Any

from ..csp.base.errors import EngineError, InstanceError, shortened
from ..csp.base.quantities import grouped
from ..csp.base.safe_files import label_of, read_text, refuse_same_file, replacing
from ..csp.base.strict_json import parsed
from ..csp.engines.request import Limits, Options
from ..csp.engines.result import Result
from ..csp.files.bundled import bundled_names
from ..csp.files.community.viewer_links import arrangement_of, parse_link
from ..csp.files.dissection_files import tilings_of
from ..csp.files.file_format import format_of
from ..csp.files.instances import Puzzle, fingerprint, parse_puzzle, puzzle_source, read_puzzle
from ..csp.files.solutions import MAX_SOLUTION_BYTES, load_solutions, load_tilings, parse_solutions
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..csp.puzzles.orders import Order
from ..csp.puzzles.slips import checked_slips
from ..estimators.owen.complexity import Complexity
from ..estimators.owen.rounding import significant
from ..render.html.boards import boards_page
from ..render.html.tilings import tilings_page
from ..render.html.viewer import Nodes
from .parts.dissections.commands import refuse_options
from .parts.options import ORDER_HELP, SLIPS_HELP, SOLUTION_HELP, add_time_limit, option_of, whole
from .parts.planning import order_of
from .parts.progress import counted
from .parts.view_play import add_play, playing_page, refuse_with_play
from .parts.wording import ending

_LIMIT = 1000
_INTERRUPTED = 130


@dataclass(frozen=True)
class _Found:
    """A puzzle, what there is to show of it, and what one of those is called."""

    puzzle: Puzzle
    solutions: Sequence[Any]
    word: str = "solution"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "jigsat view [INSTANCE] SOLUTIONS -o PAGE.html [options]\n"
        "       jigsat view JIGSAW [SOLUTIONS] --play -o PAGE.html [options]"
    )
    parser.description = (
        "Make a page to step through boards or tilings, with the search order played as an animation and "
        "the nodes at each depth beside it.  It is one file that loads nothing from anywhere."
    )
    parser.add_argument(
        "instance",
        metavar="INSTANCE",
        help="the puzzle, as for jigsat solve; it may be left out where SOLUTIONS is a solution file (JSON) for a "
        "bundled puzzle, a jigsaw's file or name (its assemblies are shown), or a viewer link that shows a full board",
    )
    parser.add_argument("solutions", metavar="SOLUTIONS", nargs="?", help=SOLUTION_HELP)
    parser.add_argument(
        "-o", "--output", metavar="PAGE", required=True, help="write the page to this file (- for standard output)"
    )
    parser.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.add_argument("--slips", metavar="S", help=f"for the nodes: {SLIPS_HELP}")
    parser.add_argument("--actual", action="store_true", help="run the search, too, and count its nodes at each depth")
    add_time_limit(parser, "with --actual: stop after")
    parser.add_argument("--depth-limit", type=whole, metavar="N", help="with --actual: fill only the first N squares")
    parser.add_argument("--no-symmetry", action="store_true", help="nodes of the search that breaks no symmetry")
    parser.add_argument(
        "--limit", type=whole, default=_LIMIT, metavar="N", help=f"show N solutions at most (default: {_LIMIT})"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_play(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    _refuse_what_is_wrong(arguments)
    refuse_same_file(arguments.output, arguments.instance, arguments.solutions, arguments.order, arguments.image)
    found = _found(arguments)
    shown = replace(found, solutions=found.solutions[: arguments.limit])
    # Opened first: a long search that could not be written would be lost.
    with replacing(arguments.output) as file:
        page, status = _page(shown, len(found.solutions), arguments)
        file.write(page)
    if len(shown.solutions) < len(found.solutions):
        numbers = f"the first {grouped(len(shown.solutions))} of {grouped(len(found.solutions))} are in the page"
        print(f"jigsat: {numbers}; --limit N sets how many may be", file=sys.stderr)
    return status


def _refuse_what_is_wrong(arguments: argparse.Namespace) -> None:
    if arguments.limit == 0:
        raise EngineError("--limit 0: a page of no solutions shows nothing; give at least 1")
    for option in ("time_limit", "depth_limit"):
        if getattr(arguments, option) is not None and not arguments.actual:
            raise EngineError(f"{option_of(option)} bounds the search of --actual, which is not asked for")
    refuse_with_play(arguments)


def _found(arguments: argparse.Namespace) -> _Found:
    """What is to be shown.

    Raises
    ------
    InstanceError
        If there is nothing, and it is not to be played, which is possible without.
    """
    if arguments.solutions is None:
        found = _found_alone(arguments.instance, playing=arguments.play)
    else:
        puzzle, source = read_puzzle(arguments.instance), arguments.solutions
        is_dissection = isinstance(puzzle, DissectionPuzzle)
        found = _Found(puzzle, load_tilings(source, puzzle) if is_dissection else load_solutions(source, puzzle))
    if not found.solutions and not arguments.play:
        raise InstanceError(f"{arguments.solutions or arguments.instance}: holds no solutions to show")
    return found


def _found_alone(source: str, *, playing: bool) -> _Found:
    """What a source shows without a puzzle beside it: solutions, assemblies, or the board of a link."""
    if source == "-" or os.path.isfile(source):
        label = label_of(source)
        text = read_text(source, MAX_SOLUTION_BYTES, lambda start: format_of(start, label))
    else:
        text, label = puzzle_source(source)
    kind = format_of(text, label)
    if kind == "json":
        data = parsed(text, label)
        if isinstance(data, dict) and data.get("format") == "jigsat-solution/1":
            return _solutions_of_bundled(data, text, label)
    puzzle = parse_puzzle(text, label)
    if playing:
        return _Found(puzzle, getattr(puzzle, "assemblies", ()), "assembly")
    if isinstance(puzzle, DissectionPuzzle) or (kind != "url" and not puzzle.assemblies):
        where = "a file that `jigsat solve INSTANCE -o FILE` writes"
        raise InstanceError(f"{label}: is a puzzle without assemblies; give SOLUTIONS behind it, {where}")
    if kind == "url":
        return _Found(puzzle, [arrangement_of(parse_link(text, label), puzzle, label)], "board")
    return _Found(puzzle, puzzle.assemblies, "assembly")


def _solutions_of_bundled(data: dict[str, Any], text: str, label: str) -> _Found:
    """The solutions in a file, whose puzzle is looked for among those that are bundled."""
    wanted, name = data.get("sha256"), data.get("instance")
    # The one of that name comes first: most often it is the one.
    for bundled in sorted(bundled_names(), key=lambda bundled: bundled != name):
        puzzle = read_puzzle(bundled)
        if fingerprint(puzzle) == wanted:
            if isinstance(puzzle, DissectionPuzzle):
                return _Found(puzzle, tilings_of(data, label, puzzle))
            return _Found(puzzle, parse_solutions(text, label, puzzle))
    of = f" of {shortened(name)}" if isinstance(name, str) else ""
    raise InstanceError(f"{label}: solutions{of}, whose sha256 is that of no bundled puzzle; give INSTANCE before it")


def _page(shown: _Found, total: int, arguments: argparse.Namespace) -> tuple[str, int]:
    """The page and the exit status."""
    puzzle = shown.puzzle
    if arguments.play:
        return playing_page(puzzle, shown.solutions, shown.word, arguments), 0
    if isinstance(puzzle, DissectionPuzzle):
        refuse_options(puzzle, arguments, "order", "slips", "depth_limit")
        nodes, status = _with_actual(Nodes(), arguments, puzzle, Options(symmetry=not arguments.no_symmetry))
        return tilings_page(puzzle, shown.solutions, total=total, nodes=nodes), status
    name, order = order_of(puzzle, arguments.order, arguments.slips)
    nodes, status = _board_nodes(arguments, puzzle, order)
    return boards_page(puzzle, shown.solutions, order, name, word=shown.word, total=total, nodes=nodes), status


def _board_nodes(arguments: argparse.Namespace, puzzle: EdgeMatchingPuzzle, order: Order) -> tuple[Nodes, int]:
    """What is to be expected at each depth, and what a search counts; the exit status."""
    from ..estimators.plan.effort import MOST_PREDICTED, estimates, logarithms

    slips, symmetry = checked_slips(puzzle, arguments.slips), not arguments.no_symmetry
    options, nodes = Options(order, symmetry, slips=slips), Nodes()
    if len(puzzle.board) <= MOST_PREDICTED:
        expected = estimates(Complexity(puzzle), order, slips, symmetry=symmetry).searched
        logs = logarithms(expected)
        options = replace(options, predicted=logs)
        nodes = Nodes(tuple(map(_predicted, logs, expected.nodes_by_depth)))
    return _with_actual(nodes, arguments, puzzle, options)


def _with_actual(nodes: Nodes, arguments: argparse.Namespace, puzzle: Puzzle, options: Options) -> tuple[Nodes, int]:
    """With what a search counts at each depth, if it is asked for; the exit status."""
    if not arguments.actual:
        return nodes, 0
    limits = Limits(seconds=arguments.time_limit, depth=arguments.depth_limit)
    result = counted(arguments, puzzle, limits, options)
    return _shown(nodes, result), _INTERRUPTED if result.ended_by == "interrupt" else 0


def _predicted(log: float, expected: Fraction) -> tuple[float, str]:
    """Expected nodes as the page has them: a decimal logarithm and a text."""
    plain = 1 <= expected < 1000 or expected == 0
    return log / natural(10), f"{float(expected):.3g}" if plain else significant(expected, 3).replace("e+", "e")


def _shown(nodes: Nodes, result: Result) -> Nodes:
    """With what a search has counted, as deep as it came."""
    complete = result.ended_by in (None, "depth")
    deepest = max((depth for depth, number in enumerate(result.nodes_by_depth, 1) if number), default=0)
    # What a search to the end has not met is not there; what another one has not met may be.
    counted = result.nodes_by_depth if result.complete else result.nodes_by_depth[:deepest]
    note = f"{grouped(result.nodes)} nodes in all"
    if result.ended_by == "depth":
        note = f"{note} down to depth {deepest}: {ending(result.ended_by)}"
    elif not complete:
        note = f"The counts are lower bounds: {ending(result.ended_by)} ({note})"
    return replace(nodes, actual=counted, complete=complete, note=f"{note}.")
