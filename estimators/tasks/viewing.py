"""Pages to step through solutions, or to play a puzzle."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log as natural
from pathlib import Path
from typing import Any

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import replacing
from ...csp.base.stop import Report
from ...csp.base.words import ending, several
from ...csp.engines.registry import find_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.files.file_format import format_for
from ...csp.files.instances import Puzzle
from ...csp.files.solutions import Solutions, none_in, solutions_given
from ...csp.files.to_show import own_solutions
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import checked_frame_slips, checked_slips
from ...render.html.boards import boards_page
from ...render.html.page import FORMATS, WebPage
from ...render.html.tilings import tilings_page
from ...render.html.viewer import NO_NODES, Nodes
from ..effort.asked import OrderSpec, SlipSpec, named_order, refuse_given, refuse_of_others, with_slips
from ..owen.rounding import significant
from .workshop.playing import PlayOptions, page_to_play

#: The largest number of solutions on a page by default.
LIMIT = 1000


def view(
    puzzle: Puzzle,
    solutions: Solutions | None = None,
    path: str | Path | None = None,
    *,
    order: OrderSpec = None,
    slips: SlipSpec = None,
    frame_slips: SlipSpec = None,
    actual: bool = False,
    time_limit: float | None = None,
    depth_limit: int | None = None,
    symmetry: bool = True,
    limit: int = LIMIT,
    play: bool = False,
    image: str | Path | None = None,
    crop: bool = False,
    crop_at: str | None = None,
    curves: int | None = None,
    seed: int | None = None,
    word: str | None = None,
    give_away: bool = False,
    name: str | None = None,
    motions: str | None = None,
    report: Report | None = None,
) -> WebPage:
    """Make an HTML page to step through solutions or to play a puzzle, as ``jigsat view`` and ``jigsat play`` do.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.
    solutions : board, tiling, list of these, str or Path, optional
        One or several boards or tilings, or a file or a link that holds some; by default the assemblies of a jigsaw
        and, with `play`, the pieces of a dissection as they lie in its file, if they tile the target.
    path : str or Path, optional
        The file to write, ``-`` for standard output; by default nothing is written.
    order : str, Path or iterable of int, optional
        The search order in which the boards are filled: a name, ``best``, a file, or all squares.
    slips : str or iterable of int, optional
        A slip array, for the expected numbers of nodes.
    frame_slips : str or iterable of int, optional
        A slip array for the joins along the frame, likewise.
    actual : bool, default False
        Whether to run the search and count its nodes at each depth as well.
    time_limit : float, optional
        With `actual`: seconds after which the search stops.
    depth_limit : int, optional
        With `actual`: the number of squares of the order that the search fills.
    symmetry : bool, default True
        Whether the search breaks symmetries.
    limit : int, default 1000
        The largest number of solutions on the page.
    play : bool, default False
        Whether to make a page to play a jigsaw or a dissection instead, which recognises every solution.
    image : str or Path, optional
        With `play`, for a jigsaw: a picture that covers the first assembly.
    crop : bool, default False
        With `play`: whether to crop the picture to the shape of the board, where most of what stands out remains.
    crop_at : str, optional
        With `play`: crop the picture, and keep this part: ``top``, ``bottom left``, ``50%,30%``.
    curves : int, optional
        With `play`, for a jigsaw: the random seed of the curves.
    seed : int, optional
        With `play`: the random seed of the shuffle.
    word : str, optional
        The word for a solution on the page.
    give_away : bool, default False
        With `play`: whether to shuffle the numbers of the pieces and to hide the solutions: the page has only salted
        hashes of those of a jigsaw, and none of a dissection.
    name : str, optional
        With `play`: the title of the page, by default the name of the puzzle.
    motions : {'any', 'lattice'}, optional
        With `play`, for a dissection: the motions, if not those of its file.
    report : callable, optional
        Called with a `Progress` now and then while the search runs.

    Returns
    -------
    WebPage
        The page.  Notebooks display it; its method `save` writes it.

    Raises
    ------
    InstanceError
        If there is nothing to show, a file cannot be read, or the page cannot be written.
    UsageError
        If an option does not apply to the page or the puzzle.
    OrderError, SlipError
        If the order does not exist, or the slip array is invalid.

    Examples
    --------
    >>> from jigsat import read
    >>> page = view(read("perfect-5x5"), path="page.html")
    >>> page.shown, page.total
    (2, 2)
    >>> view(read("perfect-5x5"), play=True).save("play.html")
    """
    if limit < 1:
        raise UsageError(f"{limit}: must be at least 1", "limit")
    if not actual:
        why = "it limits the search for the actual numbers of nodes, so the option actual is needed, too"
        refuse_given(why, time_limit=time_limit, depth_limit=depth_limit)
    if play:
        why = "it is for the page to step through solutions; omit it, or omit play"
        refuse_given(why, order=order, slips=slips, frame_slips=frame_slips, actual=actual, symmetry=not symmetry)
    else:
        why = "it is for a page to play with; give play, too"
        refuse_given(why, image=image, crop=crop, crop_at=crop_at, curves=curves, seed=seed, give_away=give_away)
        refuse_given(why, name=name, motions=motions)
    if path is not None:
        format_for(path, FORMATS, "html")
    every, called = _every(puzzle, solutions, word, playing=play)
    some, ended_by = every[:limit], None
    # The file is opened before the search, so that a long search is not lost because its page cannot be written.
    with nullcontext() if path is None else replacing(path) as file:
        if play:
            asked = PlayOptions(called, image, crop, crop_at, curves, seed, give_away, name, motions)
            html = page_to_play(puzzle, some, asked)
        else:
            nodes_asked = _Asked(
                order, slips, frame_slips, actual, Limits(seconds=time_limit, depth=depth_limit), symmetry, report
            )
            html, ended_by = _stepping(puzzle, some, called, len(every), nodes_asked)
        if file is not None:
            file.write(html)
    return WebPage(html, len(some), len(every), ended_by)


@dataclass(frozen=True)
class _Asked:
    """The options for the search order and the nodes on a page."""

    order: OrderSpec
    slips: SlipSpec
    frame_slips: SlipSpec
    actual: bool
    limits: Limits
    symmetry: bool
    report: Report | None


def _every(
    puzzle: Puzzle, solutions: Solutions | None, word: str | None, *, playing: bool
) -> tuple[Sequence[Any], str]:
    """The solutions to show, and the word for one of them."""
    if solutions is None:
        found, called = own_solutions(puzzle) if playing else getattr(puzzle, "assemblies", ()), "assembly"
    else:
        found, called = solutions_given(puzzle, solutions), "solution"
    if not found and not playing:
        source = solutions if isinstance(solutions, str | Path) else puzzle.name
        raise none_in(source, "solutions to show")
    return found, word or called


def _stepping(puzzle: Puzzle, solutions: Sequence[Any], word: str, total: int, asked: _Asked) -> tuple[str, str | None]:
    """The page to step through solutions, and what ended the search for it."""
    if isinstance(puzzle, DissectionPuzzle):
        given = {"order": asked.order, "slips": asked.slips, "frame_slips": asked.frame_slips}
        refuse_of_others(puzzle, **given, depth_limit=asked.limits.depth)
        nodes, ended_by = _with_actual(NO_NODES, puzzle, asked, Options(symmetry=asked.symmetry))
        return tilings_page(puzzle, solutions, total=total, nodes=nodes), ended_by
    along, slips = with_slips(puzzle, asked.order, asked.slips)
    asked = replace(asked, slips=slips)
    name, order = named_order(puzzle, along, slips)
    nodes, ended_by = _board_nodes(puzzle, order, asked)
    return boards_page(puzzle, solutions, order, name, word=word, total=total, nodes=nodes), ended_by


def _board_nodes(puzzle: EdgeMatchingPuzzle, order: Order, asked: _Asked) -> tuple[Nodes, str | None]:
    """The expected numbers of nodes at each depth, and those that a search counts; what ended the search."""
    from ..effort.search_effort import MOST_PREDICTED, estimates, logarithms
    from ..owen.complexity import Complexity

    arrays = checked_slips(puzzle, asked.slips), checked_frame_slips(puzzle, asked.frame_slips)
    options = Options(order=order, symmetry=asked.symmetry, slips=arrays[0], frame_slips=arrays[1] or None, bound=False)
    nodes = NO_NODES
    if len(puzzle.board) <= MOST_PREDICTED:
        expected = estimates(Complexity(puzzle), order, *arrays, symmetry=asked.symmetry).searched
        logs = logarithms(expected)
        options = replace(options, predicted=logs)
        nodes = Nodes(tuple(map(_predicted, logs, expected.nodes_by_depth)))
    return _with_actual(nodes, puzzle, asked, options)


def _with_actual(nodes: Nodes, puzzle: Puzzle, asked: _Asked, options: Options) -> tuple[Nodes, str | None]:
    """Add the numbers of nodes that a search counts at each depth, if requested; and what ended the search."""
    if not asked.actual:
        return nodes, None
    if isinstance(puzzle, DissectionPuzzle):
        result = find_engine("backtrack", kind="dissection").run(
            puzzle, Goal.COUNT, asked.limits, options, report=asked.report
        )
    else:
        result = find_engine("backtrack").run(puzzle, Goal.COUNT, asked.limits, options, report=asked.report)
    return _counted(nodes, result), result.ended_by


def _predicted(log: float, expected: Fraction) -> tuple[float, str]:
    """Expected nodes in the form that the page needs: a decimal logarithm and a text."""
    plain = 1 <= expected < 1000 or expected == 0
    return log / natural(10), f"{float(expected):.3g}" if plain else significant(expected, 3).replace("e+", "e")


def _counted(nodes: Nodes, result: Result) -> Nodes:
    """Add the numbers of nodes that a search has counted, down to its deepest node."""
    complete = result.ended_by in (None, "depth")
    deepest = max((depth for depth, number in enumerate(result.nodes_by_depth, 1) if number), default=0)
    # A complete search proves that depths without nodes are empty; another search does not.
    counted = result.nodes_by_depth if result.complete else result.nodes_by_depth[:deepest]
    note = f"{several(result.nodes, 'node')} in all"
    if result.ended_by == "depth":
        note = f"{note} down to depth {deepest}: {ending('depth')}"
    elif not complete:
        note = f"The counts are lower bounds: {ending(result.ended_by)} ({note})"
    return replace(nodes, actual=counted, complete=complete, note=f"{note}.")
