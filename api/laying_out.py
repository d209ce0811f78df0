"""Which board or tiling is laid out, and what is reported on the way."""

import warnings
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..csp.base.errors import InstanceError, Notice, UsageError, need_extra
from ..csp.base.safe_files import label_of
from ..csp.base.stop import Progress, Report
from ..csp.engines.request import Goal, Limits, refuse_given
from ..csp.files.instances import Puzzle
from ..csp.files.solutions import Solutions, numbered_one, solutions_given
from ..csp.puzzles.board import Arrangement
from ..csp.puzzles.check_board import check
from ..csp.puzzles.check_tiling import check_tiling
from ..csp.puzzles.dissection import DissectionPuzzle, Tiling
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .public import AnyPuzzle, opened_second

if TYPE_CHECKING:
    from ..csp.files.picture_files import Crop


def tell(report: Report | None, note: str) -> None:
    """Report the current step, if anybody listens."""
    if report is not None:
        report(Progress(note=note))


def crop_asked(image: str | Path | None, crop: bool, crop_at: str | None) -> "Crop | None":
    """How to crop a picture to the shape of the board, if that is asked for."""
    if image is None:
        refuse_given("it is for a picture; give an image, too", crop=crop, crop_at=crop_at)
    if not crop and crop_at is None:
        return None
    need_extra("PIL", "scipy")
    from ..render.photo.files import crop_for

    return crop_for(crop, crop_at, label=image)


#: The seconds of a search for what is to be shown.
SOLVE_SECONDS = 60.0


def solved(
    puzzle: Puzzle, instead: str = "", *, most: int = 1, seconds: float | None = None, report: Report | None = None
) -> list[Any]:
    """Some solutions of a puzzle whose file has no solution; notices announce the search and how it ended.

    - `instead`: what is shown without a solution, for the notice.
    - `most`: the largest number of solutions.
    - `seconds`: the time limit; 0 for no search.  A search that is predicted to take longer is not begun.
    """
    limit = SOLVE_SECONDS if seconds is None else seconds
    if not limit:
        return []
    from ..csp.base.words import short_duration
    from ..estimators.plan.job import Job

    others = f"; {instead}" if instead else ""
    plan = Job(puzzle, Goal.SOLVE, limits=Limits(seconds=limit)).plan(report)
    times = [way.time.at_median for way in plan.ways[:1] if way.time is not None]
    if times and times[0] > limit:
        long = short_duration(Fraction(times[0]))
        _notice(f"{puzzle.name}: no solution in the file, and to find one would take about {long}{others}")
        return []
    _notice(f"{puzzle.name}: no solution in the file; solving it (time limit {limit:g} s)")
    if most > 1:
        plan = Job(puzzle, Goal.ALL, limits=Limits(seconds=limit, solutions=most)).plan(report)
    result = plan.run(report)
    if not result.solutions:
        why = (
            "there is no solution" if result.complete and not result.ended_by else "no solution was found in this time"
        )
        _notice(f"{puzzle.name}: {why}{others}")
    elif most > 1 and (result.ended_by or not result.complete):
        _notice(f"{puzzle.name}: shown are the first {len(result.solutions)} solutions; there may be more")
    return list(result.solutions)


def _notice(text: str) -> None:
    warnings.warn(text, Notice, stacklevel=4)


def board_to_lay(puzzle: EdgeMatchingPuzzle, solution: Solutions | None, number: int | None) -> Arrangement:
    """The assembly in which the pieces lie: the one given, or one of the jigsaw itself."""
    boards: Sequence[Arrangement] = puzzle.assemblies or (solved(puzzle) if solution is None else ())
    source = puzzle.name
    if solution is not None:
        boards = solutions_given(puzzle, solution)
        source = label_of(solution) if isinstance(solution, str | Path) else source
    if not boards:
        raise InstanceError(f"{source}: there is no assembly to lay out")
    board = numbered_one(boards, number, source)
    for problem in check(puzzle, board).problems:
        raise InstanceError(f"{source}: board {number or 1} cannot be cut: {problem}")
    return board


def tiling_to_lay(puzzle: DissectionPuzzle, solution: Solutions | None, number: int | None) -> Tiling | None:
    """The tiling in which the pieces lie: the one given, or that of the instance; None if its pieces do not tile."""
    if solution is None:
        if number is not None:
            raise InstanceError(f"{puzzle.name}: --number chooses a tiling of SOLUTION; add SOLUTION to the command")
        return puzzle.pieces if check_tiling(puzzle, puzzle.pieces).is_solution else None
    source = label_of(solution) if isinstance(solution, str | Path) else puzzle.name
    tiling = numbered_one(solutions_given(puzzle, solution), number, source, "tiling")
    for problem in check_tiling(puzzle, tiling).problems:
        raise InstanceError(f"{source}: tiling {number or 1} cannot be cut: {problem}")
    if None in tiling:
        raise InstanceError(f"{source}: tiling {number or 1} cannot be cut: pieces are left over")
    return tiling


def second_board_of(puzzle: EdgeMatchingPuzzle, given: AnyPuzzle | None, *, hidden: bool) -> EdgeMatchingPuzzle | None:
    """The jigsaw of the same pieces with another board, if it is given, to show with this one."""
    if given is None:
        return None
    if hidden:
        raise UsageError("its solution would be shown; omit one of them", "second_board", "hide_solution")
    second = opened_second(puzzle, given)
    if not second.assemblies:
        raise UsageError(f"{second.name}: has no assembly", "second_board")
    return second
