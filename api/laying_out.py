"""Which board or tiling is laid out, and what is reported on the way."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..csp.base.errors import InstanceError, need_extra
from ..csp.base.safe_files import label_of
from ..csp.base.stop import Progress, Report
from ..csp.files.solutions import Solutions, numbered_one, solutions_given
from ..csp.puzzles.board import Arrangement
from ..csp.puzzles.check_board import check
from ..csp.puzzles.check_tiling import check_tiling
from ..csp.puzzles.dissection import DissectionPuzzle, Tiling
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..estimators.effort.search_effort import refuse_given

if TYPE_CHECKING:
    from ..csp.files.picture_files import Crop


def tell(report: Report | None, note: str) -> None:
    """Report the current step, if anybody listens."""
    if report is not None:
        report(Progress(note=note))


def crop_asked(image: str | Path | None, crop: bool, crop_at: str | None) -> "Crop | None":
    """How to crop a picture to the shape of the board, if that is asked for.

    Raises UsageError if there is no picture, or the place is not known.
    """
    if image is None:
        refuse_given("it is for a picture; give an image, too", crop=crop, crop_at=crop_at)
    if not crop and crop_at is None:
        return None
    need_extra("PIL", "scipy")
    from ..render.photo.files import crop_for

    return crop_for(crop, crop_at, label=image)


def board_to_lay(puzzle: EdgeMatchingPuzzle, solution: Solutions | None, number: int | None) -> Arrangement:
    """The assembly in which the pieces lie: the one given, or one of the jigsaw itself.

    Raises InstanceError if it does not exist, or is not full and valid.
    """
    boards: Sequence[Arrangement] = puzzle.assemblies
    source = puzzle.name
    if solution is not None:
        boards = solutions_given(puzzle, solution)
        source = label_of(solution) if isinstance(solution, str | Path) else source
    if not boards:
        how = "solve the jigsaw first (jigsat solve JIGSAW -o SOLUTION), and add SOLUTION to the command"
        raise InstanceError(f"{source}: there is no assembly to lay out; {how}")
    board = numbered_one(boards, number, source)
    for problem in check(puzzle, board).problems:
        raise InstanceError(f"{source}: board {number or 1} cannot be cut: {problem}")
    return board


def tiling_to_lay(puzzle: DissectionPuzzle, solution: Solutions | None, number: int | None) -> Tiling | None:
    """The tiling in which the pieces lie: the one given, or that of the instance; None if its pieces do not tile.

    Raises InstanceError if the tiling given is not one of the puzzle.
    """
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
