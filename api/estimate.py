"""Predict the number of solutions and the cost of a search, before it runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from ..csp.base.errors import UsageError, shortened
from ..csp.engines.request import NO_LIMITS, Goal, Options, checked_value, given_slips, refuse_given, refuse_of_others
from ..csp.files.square_files import refuse_misread
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.search.counting.region import find_part
from ..estimators.effort.search_effort import found_slips
from .public import AnyOrder, AnyPuzzle, AnySlips, listed, opened, public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..csp.files.instances import Puzzle
    from ..estimators.plan.square_estimates import SquaresEstimate
    from ..estimators.plan.tiling_estimates import TilingsEstimate


@public
def estimate(
    puzzle: AnyPuzzle,
    *,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    symmetry: bool = True,
    motions: Literal["any", "lattice"] | None = None,
    squares: str | Iterable[str | int] | None = None,
    pieces_only: bool = False,
    compare_orders: bool = False,
    probes: int | None = None,
    sample_solutions: float | None = None,
    seed: int = 0,
    actual: bool = False,
    depth_limit: int | None = None,
    rate: float | None = None,
    plot: str | Path | None = None,
    report: Report | None = None,
) -> SquaresEstimate | TilingsEstimate:
    """Predict the number of solutions and the cost of a search, before it runs.

    The prediction is the exact expectation in Owen's model; `probes` adds estimates from random parts of the actual
    search tree.  There is no such model for dissections, so they are always probed (16384 probes unless `probes` is
    given).  The last lines show the ways to count the solutions that are predicted to be fastest on this machine;
    `plan` shows all of them.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is.
    symmetry : bool, default True
        Predict the search that breaks symmetry; otherwise predict the search that breaks no symmetry.
    squares : str or iterable, optional
        Predict the ways to fill these squares only, with any pieces that match.  Squares (B2), ranges (A1:D4), row:N,
        column:N, frame and inside, separated by commas, or a file of these.
    compare_orders : bool, default False
        Compare all named orders and the best one.
    probes : int, optional
        Visit about N random nodes at each depth of the search tree (4e6: one minute).
    sample_solutions : float, optional
        Estimate the number of solutions from random boards in this many seconds, with a 95 % interval.
    seed : int, default 0
        Random seed of the probes and the random boards.
    actual : bool, default False
        Also run the search, and compare.
    depth_limit : int, optional
        With `actual`: fill only the first N squares.
    rate : float, optional
        Speed of the search in nodes per second (default: measured).
    plot : str or Path, optional
        Plot the nodes by depth to this file: .svg, .png or .pdf.  The curves are those of the orders compared, or, with
        `actual` or `probes`, the predicted and the observed nodes.
    report : callable, optional
        Called with a `Progress` now and then.

    Returns
    -------
    SquaresEstimate or TilingsEstimate
        The prediction.  Ctrl-C ends the probes, the actual search and the random boards; the results so far are kept.

    Raises
    ------
    UsageError
        If an option does not apply to the puzzle, conflicts with another one, or is out of range.
    OrderError, SlipError
        If the order does not exist, or the slip array is invalid.
    PuzzleError
        If there are too few pieces of a class for the squares of the board.
    JigsatError
        If the board has more than 4096 squares.

    Examples
    --------
    >>> import jigsat as js
    >>> found = js.estimate("puzzle-a", order="rowscan", rate=1e7)
    >>> round(found.solutions), round(found.nodes_along_order), round(found.nodes_without_symmetry)
    (146, 11441471, 45765882)
    """
    from ..csp.engines.figures import refuse_unless_drawable

    puzzle = opened(puzzle)
    if plot is not None:
        refuse_unless_drawable(plot)
    seed = checked_value("seed", seed, "whole")
    probes, depth_limit = (
        None if value is None else checked_value(name, value, "whole")
        for name, value in (("probes", probes), ("depth_limit", depth_limit))
    )
    for option, number in {"probes": probes, "sample_solutions": sample_solutions, "seed": seed, "rate": rate}.items():
        if number is not None and (isinstance(number, bool) or not hasattr(number, "__float__")):
            raise UsageError(f"{shortened(repr(number))} is not a number", option)
        if number is not None and not (isfinite(number) and number >= 0):
            raise UsageError(f"{number}: must be a finite number of at least 0", option)
    if isinstance(puzzle, DissectionPuzzle):
        from ..estimators.plan.tiling_estimates import estimate_tilings

        refuse_of_others(
            puzzle, order=order, slips=slips, frame_slips=frame_slips, depth_limit=depth_limit, squares=squares,
            compare_orders=compare_orders, pieces_only=pieces_only, rate=rate, sample_solutions=sample_solutions,
        )  # fmt: skip
        puzzle, options = puzzle.with_motions(motions), Options(symmetry=symmetry)
        found = estimate_tilings(puzzle, symmetry=symmetry, probes=probes, seed=seed, actual=actual, report=report)
        return _planned(found, puzzle, options, plot)
    from ..estimators.plan.square_estimates import estimate_squares

    refuse_of_others(puzzle, motions=motions)
    if rate == 0:
        raise UsageError("must be greater than 0 nodes a second", "rate")
    if depth_limit is not None and not actual:
        raise UsageError("it limits the actual search, so the option actual is needed, too", "depth_limit")
    options = Options(order=listed(order), symmetry=symmetry, slips=listed(slips), frame_slips=listed(frame_slips))
    array = given_slips(options)
    if sample_solutions is not None and array is not None:
        raise UsageError("random boards have no invalid joins; give only one of them", "sample_solutions", array)
    wanted = tuple(squares) if isinstance(squares, Iterable) and not isinstance(squares, str) else squares
    region = None if wanted is None else find_part(puzzle.board, wanted)
    if region is not None:
        refuse_given(
            "whole boards are compared, and these are some squares only; give only one of them",
            compare_orders=compare_orders, sample_solutions=sample_solutions, slips=slips, frame_slips=frame_slips,
        )  # fmt: skip
    refuse_misread(puzzle, region)
    puzzle = puzzle.pieces_only() if pieces_only else puzzle
    options = replace(found_slips(puzzle, options), squares=region)
    found = estimate_squares(
        puzzle, options, compare_orders=compare_orders, probes=probes, sample_solutions=sample_solutions, seed=seed,
        actual=actual, depth_limit=depth_limit, rate=rate, report=report,
    )  # fmt: skip
    return _planned(found, puzzle, options, plot)


_Estimate = TypeVar("_Estimate", "SquaresEstimate", "TilingsEstimate")


def _planned(found: _Estimate, puzzle: Puzzle, options: Options, plot: str | Path | None) -> _Estimate:
    """The estimate with the ways to count, unless Ctrl-C has ended it; plotted to a file if there is one."""
    from ..estimators.ways.ways import ways_to

    if not found.ended_by:
        found = replace(found, ways=ways_to(puzzle, Goal.COUNT, NO_LIMITS, options, every=True, loaded=True))
    if plot is not None:
        found.plot(plot)
    return found
