"""Predict the number of solutions of a puzzle and the cost of a search, for any puzzle."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Literal

from ...csp.base.errors import UsageError, shortened
from ...csp.base.stop import Report
from ...csp.engines.refusals import checked_value
from ...csp.engines.request import NO_LIMITS, Goal, Options, given_slips
from ...csp.files.instances import Puzzle
from ...csp.files.readings import refuse_misread
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.search.counting.region import find_part
from ..effort.search_effort import found_slips, refuse_given, refuse_of_others
from ..ways.times import Way
from ..ways.ways import ways_to
from .square_estimates import SquaresEstimate, estimate_squares
from .tiling_estimates import TilingsEstimate, estimate_tilings


def estimate(
    puzzle: Puzzle,
    *,
    order: str | tuple[int, ...] | None = None,
    slips: str | tuple[int, ...] | None = None,
    frame_slips: str | tuple[int, ...] | None = None,
    symmetry: bool = True,
    motions: Literal["any", "lattice"] | None = None,
    squares: str | Sequence[str | int] | None = None,
    pieces_only: bool = False,
    compare_orders: bool = False,
    probes: int | None = None,
    sample_solutions: float | None = None,
    seed: int = 0,
    actual: bool = False,
    depth_limit: int | None = None,
    rate: float | None = None,
    report: Report | None = None,
) -> SquaresEstimate | TilingsEstimate:
    """Predict the number of solutions and the cost of a search; the options and errors are those of `api.estimate`."""
    probes, depth_limit = (
        None if value is None else checked_value(name, value, "whole")
        for name, value in (("probes", probes), ("depth_limit", depth_limit))
    )
    seed = checked_value("seed", seed, "whole")
    _refuse_no_numbers({"probes": probes, "sample_solutions": sample_solutions, "seed": seed, "rate": rate})
    if isinstance(puzzle, DissectionPuzzle):
        of_squares = {
            "order": order, "slips": slips, "frame_slips": frame_slips, "depth_limit": depth_limit,
            "compare_orders": compare_orders, "squares": squares, "pieces_only": pieces_only,
        }  # fmt: skip
        refuse_of_others(puzzle, **of_squares, rate=rate, sample_solutions=sample_solutions)
        moved = puzzle.with_motions(motions)
        tilings = estimate_tilings(moved, symmetry=symmetry, probes=probes, seed=seed, actual=actual, report=report)
        return tilings if tilings.ended_by else replace(tilings, ways=_ways_to_count(moved, Options(symmetry=symmetry)))
    refuse_of_others(puzzle, motions=motions)
    if rate == 0:
        raise UsageError("must be greater than 0 nodes a second", "rate")
    if depth_limit is not None and not actual:
        raise UsageError("it limits the actual search, so the option actual is needed, too", "depth_limit")
    options = Options(order=order, symmetry=symmetry, slips=slips, frame_slips=frame_slips)
    array = given_slips(options)
    if sample_solutions is not None and array is not None:
        raise UsageError("random boards have no invalid joins; give only one of them", "sample_solutions", array)
    region = None if squares is None else find_part(puzzle.board, squares)
    if region is not None:
        why = "whole boards are compared, and these are some squares only; give only one of them"
        refuse_given(
            why, compare_orders=compare_orders, sample_solutions=sample_solutions, slips=slips, frame_slips=frame_slips
        )
    refuse_misread(puzzle, region)
    puzzle = puzzle.pieces_only() if pieces_only else puzzle
    options = replace(found_slips(puzzle, options), squares=region)
    found = estimate_squares(
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
    return found if found.ended_by else replace(found, ways=_ways_to_count(puzzle, options))


def _ways_to_count(puzzle: Puzzle, options: Options) -> tuple[Way, ...]:
    """The ways to count with these options, and their predicted cost."""
    return ways_to(puzzle, Goal.COUNT, NO_LIMITS, options, every=True)


def _refuse_no_numbers(given: Mapping[str, float | None]) -> None:
    """Refuse negative and infinite numbers."""
    for option, number in given.items():
        if number is not None and (isinstance(number, bool) or not hasattr(number, "__float__")):
            raise UsageError(f"{shortened(repr(number))} is not a number", option)
        if number is not None and not (isfinite(number) and number >= 0):
            raise UsageError(f"{number}: must be a finite number of at least 0", option)
