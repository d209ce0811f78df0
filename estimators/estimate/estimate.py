"""Predict the number of solutions of a puzzle, and what a search will cost: the public function."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Literal

from ...csp.base.errors import UsageError
from ...csp.base.stopping import Report
from ...csp.engines.request import NO_LIMITS, Goal, Options
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from ..effort.asked import refuse_of_others
from ..ways.way import Way
from ..ways.ways import ways_to
from .square_estimates import SquaresEstimate, estimate_squares
from .tiling_estimates import TilingsEstimate, estimate_tilings


def estimate(
    puzzle: Puzzle,
    *,
    order: str | tuple[int, ...] | None = None,
    slips: str | tuple[int, ...] | None = None,
    symmetry: bool = True,
    motions: Literal["any", "lattice"] | None = None,
    compare_orders: bool = False,
    probes: int | None = None,
    sample_solutions: float | None = None,
    seed: int = 0,
    actual: bool = False,
    depth_limit: int | None = None,
    rate: float | None = None,
    report: Report | None = None,
) -> SquaresEstimate | TilingsEstimate:
    """Predict the number of solutions and what a search will cost, before it runs.

    For squares the numbers are exact in Owen's model, and with `probes` there are estimates from random parts of the
    real search tree.  For a dissection there is no model, so there are always probes.

    Parameters
    ----------
    puzzle
        What the search is to solve.
    order
        Search order: a name, ``"best"``, a file, or the squares themselves; the default order if left out.
    slips
        Slip array, as text (``"220,230,240"``, ``"192x10"``) or depths.
    symmetry
        Whether the search breaks symmetries.
    motions
        How the pieces of a dissection may be moved; None as the puzzle says.
    compare_orders
        Whether to compare all named orders, and the best one.
    probes
        Follow about so many random nodes down the real tree (4 million take a minute); for a dissection 16384 if left
        out.
    sample_solutions
        Seconds for an estimate of the number of solutions from random boards, with a 95 % interval.
    seed
        Seed of the probes and the random boards.
    actual
        Whether to run the search, too, and set what it found beside the prediction.
    depth_limit
        With `actual`: fill only the first so many squares.
    rate
        Nodes a second; measured if left out.
    report
        Is told now and then how far the work is.

    Returns
    -------
    SquaresEstimate or TilingsEstimate
        The prediction.  Ctrl-C ends the actual search and the random boards, and what there is so far is kept.

    Raises
    ------
    UsageError
        If an option has no meaning for the puzzle or beside the others, or its value is none.
    OrderError, SlipError
        If there is no such order or slip array.
    JigsatError
        If the board has more than 4096 squares.

    Examples
    --------
    >>> import jigsat as js
    >>> found = js.estimate(js.read("puzzle-a"), order="rowscan", rate=1e7)
    >>> found.record()["nodes"]
    '4.5765882317094475894e+7'
    """
    _refuse_no_numbers({"probes": probes, "sample_solutions": sample_solutions, "seed": seed, "rate": rate})
    if isinstance(puzzle, DissectionPuzzle):
        of_squares = {"order": order, "slips": slips, "depth_limit": depth_limit, "compare_orders": compare_orders}
        refuse_of_others(puzzle, **of_squares, rate=rate, sample_solutions=sample_solutions)
        moved = puzzle.with_motions(motions)
        tilings = estimate_tilings(moved, symmetry=symmetry, probes=probes, seed=seed, actual=actual, report=report)
        return tilings if tilings.ended_by else replace(tilings, ways=_ways_to_count(moved, Options(symmetry=symmetry)))
    refuse_of_others(puzzle, motions=motions)
    if rate == 0:
        raise UsageError("no search has a speed of 0 nodes a second", "rate")
    if depth_limit is not None and not actual:
        raise UsageError("it bounds the actual search, which is not asked for", "depth_limit")
    if sample_solutions is not None and slips is not None:
        raise UsageError("random boards have no invalid joins; leave one of them out", "sample_solutions", "slips")
    options = Options(order=order, symmetry=symmetry, slips=slips)
    squares = estimate_squares(
        puzzle,
        options,
        compare_orders=compare_orders,
        probes=probes,
        sample_solutions=sample_solutions,
        seed=seed,
        actual=actual,
        depth_limit=depth_limit,
        rate=rate,
        report=report,
    )
    return squares if squares.ended_by else replace(squares, ways=_ways_to_count(puzzle, options))


def _ways_to_count(puzzle: Puzzle, options: Options) -> tuple[Way, ...]:
    """What `count` with those options may do, and what that is predicted to cost."""
    return ways_to(puzzle, Goal.COUNT, NO_LIMITS, options, every=True)


def _refuse_no_numbers(given: Mapping[str, float | None]) -> None:
    """Refuse what is negative or endless."""
    for option, number in given.items():
        if number is not None and not (isfinite(number) and number >= 0):
            raise UsageError(f"{number} is not a number from 0 on", option)
