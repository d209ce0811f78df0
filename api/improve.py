"""Improve a board window by window."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from ..csp.base.errors import InstanceError, UsageError, ending, escaped, grouped, plural
from ..csp.base.notebook import HasSummary
from ..csp.base.safe_files import is_stream, label_of, refuse_unwritable
from ..csp.base.stop import Report, Stop, stoppable
from ..csp.base.words import short_duration
from ..csp.engines.request import Goal, number_of_threads, refuse_given
from ..csp.engines.result import link_lines
from ..csp.files.convert import SOLUTION_FORMATS, write
from ..csp.files.file_format import format_for
from ..csp.files.solutions import Solutions, none_in, solutions_given
from ..csp.files.square_files import board_rows, refuse_misread
from ..csp.puzzles.board import Arrangement, Placement, board_text
from ..csp.puzzles.check_board import check
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of
from ..csp.puzzles.slips import between_fixed, frame_joins
from ..csp.search.dive import complete
from ..csp.search.improvement import Solver, Windows, improve_board
from ..csp.search.windows import MOST_SQUARES, WindowTables
from .public import AnyPuzzle, opened, public
from .solve import job_for

#: The number of squares of the largest window, by default.
WINDOW = 20
# The time limit for CP-SAT on one window.
_SECONDS_A_WINDOW = 10.0


@dataclass(frozen=True, repr=False)
class Improved(HasSummary):
    """A board and how it was improved.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle
        The puzzle.
    best_board : PuzzleBoard
        The best board; the given one if none was better.
    score_before, best_score : int
        The number of valid joins before and after.
    windows : Windows
        How many windows were tried, proved optimal, gained a join, or were filled in another way.
    seconds : float
        The time that it took.
    options : dict
        The engine, the number of squares of the largest window, and whether joins along the frame could be invalid.
    seed, threads : int
        The random seed and the number of threads.
    written : str, optional
        Where the board was written.
    notes : tuple of str
        Lines about the board.
    ended_by : str, optional
        ``time``, ``nodes``, ``interrupt``, or ``restarts`` if nothing improved any more; None if all joins are valid.
    """

    puzzle: EdgeMatchingPuzzle
    best_board: PuzzleBoard
    score_before: int
    best_score: int
    windows: Windows
    seconds: float
    options: dict[str, Any]
    seed: int
    threads: int
    ended_by: str | None
    written: str | None = None
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """The record that ``jigsat improve --json`` prints."""
        windows = asdict(self.windows)
        return {
            "instance": self.puzzle.name,
            "kind": self.puzzle.kind,
            "score_before": self.score_before,
            "best_score": self.best_score,
            "max_score": self.puzzle.max_score,
            "best_board": board_rows(self.best_board, self.puzzle.board),
            "nodes": windows.pop("nodes"),
            "windows": windows,
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
            "threads": self.threads,
            "options": self.options,
            "ended_by": self.ended_by,
        }

    def summary(self, *, verbose: bool = False) -> str:
        """The score and the board, unless it was written to a file; with `verbose` also the effort."""
        gained, windows = self.best_score - self.score_before, self.windows
        found = f"{plural(gained, 'join')} gained" if gained else "nothing gained"
        why = "all joins are valid" if self.ended_by is None else ending(self.ended_by)
        written = "" if self.written is None else f" The board is in {escaped(self.written)}."
        lines = [
            f"{escaped(self.puzzle.name)}: score {self.best_score} of {self.puzzle.max_score}, {found} in "
            f"{short_duration(self.seconds)}; {why}.{written}",
            *([] if self.written is not None else [board_text(self.best_board, self.puzzle.board)]),
            *self.notes,
        ]
        if verbose:
            lines += [
                f"  windows          {grouped(windows.tried)} tried, {grouped(windows.proved)} proved optimal, "
                f"{grouped(windows.gained)} gained a join, {grouped(windows.moved - windows.gained)} filled in another "
                "way",
                f"  effort           {plural(windows.nodes, 'node')}, windows of up to {self.options['window']} "
                f"squares, engine {self.options['engine']}",
            ]
        return "\n".join(lines)


@public
def improve(
    puzzle: AnyPuzzle,
    board: Solutions,
    *,
    output: str | Path | None = None,
    window: int = WINDOW,
    engine: Literal["native", "cpsat"] = "native",
    loose_frame: bool = False,
    time_limit: float | None = None,
    node_limit: int | None = None,
    threads: int | Literal["all"] = 1,
    seed: int = 0,
    report: Report | None = None,
) -> Improved:
    """Improve a board: free some squares around its invalid joins, fill them again as well as possible, and repeat.

    Each window of squares is searched to the end, so that its best completion is proved, unless that takes too long.
    Then other squares are freed, until all joins are valid, a limit is reached, or many windows in a row have brought
    no improvement.  Fixed pieces stay, and the board never gets worse.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, str or Path
        The puzzle, or where it is.
    board : board, list of boards, str or Path
        A board, or a file of boards, a table (CSV), a viewer link, or - for standard input.  Of several boards, the one
        with the highest score is improved; empty squares are filled first, by a beam search.
    output : str or Path, optional
        A file for the best board, written at each improvement: .json, or .url for viewer links; - for standard output.
        If it already has a better board than the given one, that one is improved.
    window : int, default 20
        Number of squares of the largest window, 2 to 63.
    engine : {'native', 'cpsat'}, default 'native'
        What fills the windows: the native search, or CP-SAT.
    loose_frame : bool, default False
        Let joins along the frame be invalid, as all others may.
    time_limit : float, optional
        End after this many seconds; on the command line also 1m30s or 2h.
    node_limit : int, optional
        End after placing this number of pieces.  With one thread, the same seed then leads to the same board.
    threads : int or 'all', default 1
        Number of threads; all, or 0, for all processor cores.
    seed : int, default 0
        Random seed.
    report : callable, optional
        Called with a `Progress` a few times a second.

    Returns
    -------
    Improved
        The best board, with the record and the text that the command prints.

    Raises
    ------
    InstanceError
        If the board cannot be read, has other faults than invalid joins, or cannot be filled.
    UsageError
        If the puzzle is a dissection or no framed rectangle of pieces that turn, or an option has no such value.

    Examples
    --------
    >>> from jigsat import best, read
    >>> puzzle = read("meta10")
    >>> poor = best(puzzle, engine="beam", width=50, node_limit=20_000, seed=1)
    >>> improve(puzzle, poor.best_board, node_limit=1_000_000).best_score >= poor.best_score
    True
    """
    puzzle = opened(puzzle)
    if isinstance(puzzle, DissectionPuzzle):
        raise UsageError(f"{puzzle.name}: is a dissection; there is a score to improve for puzzles of squares only")
    if not puzzle.is_classic:
        raise UsageError(
            f"{puzzle.name}: boards are improved {puzzle.classic_only}; search for the best score (jigsat solve --best)"
        )
    if not (hasattr(window, "__index__") and 2 <= window <= MOST_SQUARES):
        raise UsageError(f"must be a whole number from 2 to {MOST_SQUARES}, not {window}", "window")
    if engine == "cpsat":
        refuse_given("the engine cpsat cannot do this; omit the option", node_limit=node_limit)
    limits = {"time_limit": time_limit, "node_limit": node_limit}
    job = job_for(puzzle, Goal.BEST, {**limits, "threads": threads, "seed": seed})
    refuse_misread(puzzle)
    given = _board(puzzle, board)
    if output is not None:
        given = _better_one(puzzle, given, output)
    with stoppable(job.limits.seconds, report=report) as stop:
        return _improved(
            puzzle, given, _label(board), stop, report, output,
            {"engine": engine, "window": window, "loose_frame": loose_frame},
            job.limits.nodes, number_of_threads(job.options.threads), job.options.seed or 0,
        )  # fmt: skip


def _improved(
    puzzle: EdgeMatchingPuzzle,
    given: Arrangement,
    label: str,
    stop: Stop,
    report: Report | None,
    output: str | Path | None,
    options: dict[str, Any],
    nodes: int | None,
    threads: int,
    seed: int,
) -> Improved:
    along_frame = frame_joins(puzzle) if options["loose_frame"] else 0
    board = given if None not in given else complete(puzzle, given, seed, must_stop=stop, along_frame=along_frame)
    windows, ended_by = Windows(), stop.ended_by

    def keep(better: Arrangement) -> None:
        if output is not None and not is_stream(output):
            write(puzzle, [better], output)

    if board is not None:
        keep(board)
        board, windows, ended_by = improve_board(
            WindowTables(puzzle), board, stop,
            largest=options["window"], seed=seed, threads=threads, nodes=nodes, loose_frame=options["loose_frame"],
            solver=_cp_sat(puzzle, stop, along_frame) if options["engine"] == "cpsat" else None,
            keep=keep, report=report,
        )  # fmt: skip
    elif ended_by is None:
        valid = "" if along_frame else " so that all joins along the frame are valid; --loose-frame permits others"
        raise InstanceError(f"{label}: found no way to fill its empty squares{valid}")
    found = board_of(puzzle, given if board is None else board)
    if output is not None and (is_stream(output) or board is None):
        write(puzzle, [found], output)
    where = None if output is None else "standard output" if is_stream(output) else str(output)
    return Improved(
        puzzle, found, puzzle.score(given), puzzle.score(found), windows, stop.seconds, options, seed, threads,
        ended_by, where, tuple(link_lines(puzzle, found)),
    )  # fmt: skip


def _board(puzzle: EdgeMatchingPuzzle, given: Solutions) -> Arrangement:
    """The best of the given boards, with the fixed pieces of the puzzle."""
    boards = solutions_given(puzzle, given, "board")
    if not boards:
        raise none_in(_label(given), "board to improve")
    # Unlike `puzzle.score`, it takes boards with pieces that do not exist.
    best = max(boards, key=lambda board: check(puzzle, board).score)
    both = zip(best, puzzle.fixed_board, strict=True)
    board = tuple(fixed if placed is None else Placement(*placed) for placed, fixed in both)
    faults = check(puzzle, board).faults
    if faults:
        raise InstanceError(f"{_label(given)}: {faults[0]}")
    return board


def _label(given: Solutions) -> str:
    return label_of(given) if isinstance(given, str | Path) else "board"


def _better_one(puzzle: EdgeMatchingPuzzle, board: Arrangement, output: str | Path) -> Arrangement:
    """The board that the output already has, if it is better."""
    refuse_unwritable(output)
    if is_stream(output):
        return board
    format_for(output, SOLUTION_FORMATS, "json", "output")
    if not Path(output).exists():
        return board
    there = len(solutions_given(puzzle, output))
    if there > 1:
        raise InstanceError(f"{output}: has {grouped(there)} boards, which one would replace; give another file")
    return max((board, _board(puzzle, output)), key=puzzle.score)


def _cp_sat(puzzle: EdgeMatchingPuzzle, stop: Stop, along_frame: int) -> Solver:
    """CP-SAT as what fills windows, with at most this number of invalid joins along the frame, or those of the rest."""

    def solve(board: Arrangement, squares: frozenset[int]) -> tuple[Arrangement | None, bool]:
        start = tuple(None if square in squares else placed for square, placed in enumerate(board))
        left = stop.seconds_left
        seconds = _SECONDS_A_WINDOW if left is None else min(left, _SECONDS_A_WINDOW)
        asked = {"engine": "cpsat", "start": start, "time_limit": seconds}
        outside = between_fixed(puzzle.with_fixed(start), (1,) * frame_joins(puzzle))[1].frame
        frame_slips = (1,) * (along_frame or outside)
        job = job_for(puzzle, Goal.BEST, asked | ({"frame_slips": frame_slips} if frame_slips else {}))
        result = job.run(must_stop=lambda: stop.interrupted)
        found = result.best_board
        if found is None or None in found or puzzle.score(found) < puzzle.score(board):
            return None, result.complete
        return tuple(found), result.complete

    return solve
