"""Pages to step through solutions, or to play a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log as natural
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..csp.base.errors import InstanceError, UsageError, ending, need_extra, plural
from ..csp.base.safe_files import replacing
from ..csp.base.stop import Report
from ..csp.base.words import significant
from ..csp.engines.engine import find_engine
from ..csp.engines.request import Goal, Limits, Options, refuse_given, refuse_of_others
from ..csp.engines.result import Result
from ..csp.files.file_format import format_for
from ..csp.files.instances import Puzzle
from ..csp.files.picture_files import read_image
from ..csp.files.solutions import Solutions, none_in, solutions_given
from ..csp.files.to_show import own_solutions, to_show
from ..csp.make.hidden_solution import shuffled_dissection, shuffled_jigsaw
from ..csp.puzzles.check_tiling import check_tiling
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ..csp.puzzles.orders import Order
from ..csp.puzzles.slips import checked_frame_slips, checked_slips
from ..estimators.effort.search_effort import named_order, with_slips
from ..render.html.page import FORMATS, WebPage
from ..render.html.viewer import NO_NODES, Nodes, boards_page, tilings_page
from .laying_out import crop_asked, second_board_of, solved
from .public import AnyOrder, AnyPuzzle, AnySlips, opened, public

if TYPE_CHECKING:
    from ..render.html.widget import PlayWidget

#: The largest number of solutions on a page by default.
LIMIT = 1000


@public
def view(
    puzzle: AnyPuzzle,
    solutions: Solutions | None = None,
    output: str | Path | None = None,
    *,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
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
    hide_solution: bool = False,
    name: str | None = None,
    motions: Literal["any", "lattice"] | None = None,
    second_board: AnyPuzzle | None = None,
    report: Report | None = None,
) -> WebPage:
    """Make a page to step through boards or tilings, which also plays the search order as an animation.

    Beside the board, the page shows the nodes at each depth.  It is a single file without external resources.  With
    `play`, it is a page to play the puzzle: the pieces lie on a table, and are dragged and turned, and turned over, as
    the puzzle allows; the page recognizes every solution, and the browser keeps the progress.  For a puzzle with
    square pieces without solutions, a search of about a second looks for some, from which the page gives hints.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is; without `solutions` also a solution file (JSON) of a bundled puzzle, or a viewer
        link of a full board.
    solutions : board, tiling, list of these, str or Path, optional
        One or several boards or tilings, or a solution file (JSON), a table of boards (CSV), a viewer link, or - for
        standard input; by default the assemblies of a jigsaw, the solutions that a search finds and, with `play`, the
        pieces of a dissection as they lie in its file, if they tile the target.
    output : str or Path, optional
        The file to write (.html), - for standard output; by default nothing is written.
    actual : bool, default False
        Also run the search, and count its nodes.
    time_limit : float, optional
        Stop the search for solutions (default: 60), or with `actual` the search for nodes, after this many seconds; on
        the command line also 1m30s or 2h.
    depth_limit : int, optional
        With `actual`: fill only the first N squares.
    symmetry : bool, default True
        Show the nodes of the search that breaks symmetry; otherwise show the nodes of the search that breaks no
        symmetry.
    limit : int, default 1000
        The largest number of solutions on the page.
    play : bool, default False
        Make a page to play the puzzle.
    image : str or Path, optional
        Artwork (PNG, JPEG, ...) on the pieces of a jigsaw, as it lies in the first assembly.  Its proportions must be
        those of the board.
    curves : int, optional
        Random seed of a jigsaw's curves (default: 0).
    seed : int, optional
        Random seed of the shuffle (default: 0).
    word : str, optional
        The word for a solution on the page.
    hide_solution : bool, default False
        Shuffle the numbers of the pieces, and hide the solutions: the page has only salted hashes of boards, no
        tilings, and gives no hints.
    name : str, optional
        Title of the page (default: the puzzle's name).
    second_board : EdgeMatchingPuzzle, str or Path, optional
        A jigsaw of the same pieces with another board, such as the second file of `make jigsaw` with two boards.  The
        page can switch between both boards.
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
    >>> page = view("perfect-5x5", output="page.html")
    >>> page.shown, page.total
    (2, 2)
    >>> view("perfect-5x5", play=True).save("play.html")
    """
    if limit < 1:
        raise UsageError(f"{limit}: must be at least 1", "limit")
    if not actual:
        why = "it limits the search for the actual numbers of nodes, so the option actual is needed, too"
        refuse_given(why, depth_limit=depth_limit, time_limit=time_limit if play else None)
    if play:
        why = "it is for the page to step through solutions; omit it, or omit play"
        refuse_given(why, order=order, slips=slips, frame_slips=frame_slips, actual=actual, symmetry=not symmetry)
    else:
        why = "it is for a page to play with; give play, too"
        refuse_given(
            why, image=image, crop=crop, crop_at=crop_at, curves=curves, seed=seed, hide_solution=hide_solution
        )
        refuse_given(why, name=name, motions=motions, second_board=second_board)
    if output is not None:
        format_for(output, FORMATS, "html")
    if isinstance(puzzle, str | Path) and (solutions is None or isinstance(solutions, str | Path)):
        found = to_show(puzzle, solutions, playing=play)
        puzzle, every, called = found.puzzle, found.solutions, word or found.word
    else:
        puzzle = opened(puzzle)
        every, called = _every(puzzle, solutions, word, playing=play)
    if every and not actual:
        why = "it limits a search for solutions or, with the option actual, for numbers of nodes; there is no search"
        refuse_given(why, time_limit=time_limit)
    if not every and not play:
        every, called = solved(puzzle, most=limit, seconds=time_limit, report=report), word or "solution"
        if not every:
            how = "give SOLUTIONS, such as a file from `jigsat solve INSTANCE -o FILE`"
            raise InstanceError(f"{puzzle.name}: there is no solution to show; {how}")
    some, ended_by = every[:limit], None
    # The file is opened before the search, so that a long search is not lost because its page cannot be written.
    with nullcontext() if output is None else replacing(output) as file:
        if play:
            asked = PlayOptions(called, image, crop, crop_at, curves, seed, hide_solution, name, motions, second_board)
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
    order: AnyOrder
    slips: AnySlips
    frame_slips: AnySlips
    actual: bool
    limits: Limits
    symmetry: bool
    report: Report | None


def _every(
    puzzle: Puzzle, solutions: Solutions | None, word: str | None, *, playing: bool
) -> tuple[Sequence[Any], str]:
    if solutions is None:
        found, called = own_solutions(puzzle) if playing else getattr(puzzle, "assemblies", ()), "assembly"
    else:
        found, called = solutions_given(puzzle, solutions), "solution"
    if not found and not playing and solutions is not None:
        source = solutions if isinstance(solutions, str | Path) else puzzle.name
        raise none_in(source, "solutions to show")
    return found, word or called


def _stepping(puzzle: Puzzle, solutions: Sequence[Any], word: str, total: int, asked: _Asked) -> tuple[str, str | None]:
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
    from ..estimators.effort.search_effort import MOST_PREDICTED, estimates, logarithms
    from ..estimators.owen.complexity import Complexity

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
    engine = find_engine("backtrack", kind=puzzle.kind)
    result = engine.run(puzzle, Goal.COUNT, asked.limits, options, report=asked.report)
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
    note = f"{plural(result.nodes, 'node')} in all"
    if result.ended_by == "depth":
        note = f"{note} down to depth {deepest}: {ending('depth')}"
    elif not complete:
        note = f"The counts are lower bounds: {ending(result.ended_by)} ({note})"
    return replace(nodes, actual=counted, complete=complete, note=f"{note}.")


@public
def play(
    puzzle: AnyPuzzle,
    solutions: Solutions | None = None,
    *,
    image: str | Path | None = None,
    curves: int | None = None,
    seed: int | None = None,
    motions: Literal["any", "lattice"] | None = None,
    height: int = 720,
) -> PlayWidget:
    """Play a puzzle in a notebook: the page of `view` with `play`, as a widget.

    What lies on the table is the attribute `board` of the widget, or `tiling` for a dissection; it changes with every
    move, and setting it lays the pieces.  Both are traits: ``widget.observe(function, "board")`` calls a function after
    every move.  Needs ``pip install 'jigsat[notebook]'``.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is.
    solutions : board, tiling, list of these, str or Path, optional
        Solutions that the page can show, as for `view`.
    image : str or Path, optional
        Artwork on the pieces of a jigsaw, as it lies in the first assembly.
    curves : int, optional
        Random seed of a jigsaw's curves (default: 0).
    seed : int, optional
        Random seed of the shuffle (default: 0).
    height : int, default 720
        Height of the page in pixels.

    Returns
    -------
    PlayWidget
        The widget, which a notebook displays.

    Raises
    ------
    JigsatError
        If anywidget is not installed.
    InstanceError, UsageError
        As for `view` with `play`.

    Examples
    --------
    >>> widget = play("scramble-squares")
    >>> check("scramble-squares", widget.board).accepted
    (False,)
    """
    need_extra("anywidget", extra="notebook", what="playing in a notebook needs")
    from ..render.html.widget import BoardWidget, TilingWidget

    puzzle = opened(puzzle)
    refuse_of_others(puzzle, motions=motions)
    puzzle = puzzle.with_motions(motions) if isinstance(puzzle, DissectionPuzzle) else puzzle
    page = view(puzzle, solutions, play=True, image=image, curves=curves, seed=seed)
    if isinstance(puzzle, DissectionPuzzle):
        return TilingWidget(puzzle, page, height)
    return BoardWidget(puzzle, page, height)


@dataclass(frozen=True)
class PlayOptions:
    """The options of a page to play: those of `view` with the same names."""

    word: str
    image: str | Path | None
    crop: bool
    crop_at: str | None
    curves: int | None
    seed: int | None
    hide_solution: bool
    name: str | None
    motions: str | None
    second_board: AnyPuzzle | None = None


def page_to_play(puzzle: Puzzle, solutions: Sequence[Any], asked: PlayOptions) -> str:
    """The HTML of a page to play a puzzle."""
    if isinstance(puzzle, DissectionPuzzle):
        return _dissection_page(puzzle, solutions, asked)
    from ..render.html.play import data_uri, play_page, refuse_large, scattered

    refuse_of_others(puzzle, motions=asked.motions)
    refuse_large(puzzle)
    if puzzle.rule is Rule.EQUAL:
        why = "it is for jigsaws; omit it for an edge-matching puzzle"
        refuse_given(why, image=asked.image, crop=asked.crop, crop_at=asked.crop_at, curves=asked.curves)
    boards, complete, word = solutions, False, asked.word
    if not solutions:
        (boards, complete), word = _solutions_to_hint(puzzle), "solution"
    crop = crop_asked(asked.image, asked.crop, asked.crop_at)
    curves, seed = asked.curves or 0, asked.seed or 0
    if asked.hide_solution:
        puzzle, boards = shuffled_jigsaw(puzzle, list(boards), seed)
    second = second_board_of(puzzle, asked.second_board, hidden=asked.hide_solution)
    picture = None
    if asked.image is not None and asked.hide_solution and boards:
        whole = read_image(asked.image, puzzle.rows, puzzle.columns, crop=crop)
        picture = scattered(puzzle, boards[0], whole, curves)
    elif asked.image is not None:
        picture = data_uri(asked.image, puzzle.rows, puzzle.columns, crop)
    named = puzzle if asked.name is None else replace(puzzle, name=asked.name)
    return play_page(
        named, boards, complete=complete, curves=curves, image=picture, seed=seed, word=word,
        give_away=asked.hide_solution, second=second,
    )  # fmt: skip


# The nodes of the search for solutions on a page to play, which take about a second, and the most solutions.
_HINT_NODES, _HINTS = 20_000_000, 1000


def _solutions_to_hint(puzzle: EdgeMatchingPuzzle) -> tuple[Sequence[Any], bool]:
    """The solutions that a short search finds, of each look one, and whether they are all."""
    from ..render.html.play import look_of
    from .solve import solve

    # One more shows that there are more.
    found = solve(puzzle, limit=_HINTS + 1, engine="backtrack", node_limit=_HINT_NODES)
    different = {look_of(puzzle, board): board for board in found.solutions}
    boards = list(different.values())[:_HINTS]
    return boards, found.complete and len(different) <= _HINTS


def _dissection_page(puzzle: DissectionPuzzle, tilings: Sequence[Any], asked: PlayOptions) -> str:
    from ..render.html.play_dissection import play_dissection_page

    why = "it is for jigsaws; omit it for a dissection"
    refuse_given(why, image=asked.image, crop=asked.crop, crop_at=asked.crop_at, curves=asked.curves)
    refuse_given(why, second_board=asked.second_board)
    puzzle = puzzle.with_motions(asked.motions)
    for number, tiling in enumerate(tilings, start=1):
        for problem in check_tiling(puzzle, tiling).problems:
            raise InstanceError(f"{puzzle.name}: solution {number} is no tiling: {problem}")
    seed = asked.seed or 0
    if asked.hide_solution:
        puzzle, tilings = shuffled_dissection(puzzle, puzzle.pieces, seed)[0], ()
    named = puzzle if asked.name is None else replace(puzzle, name=asked.name)
    return play_dissection_page(named, tilings, seed=seed)
