"""Search for the best score for hours or days."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..csp.base.errors import UsageError
from ..csp.engines.request import refuse_given
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .public import AnyOrder, AnyPuzzle, AnySlips, listed, opened, public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..estimators.races.race_result import RaceResult


@public
def race(
    puzzle: AnyPuzzle | None = None,
    output: str | Path | None = None,
    *,
    target: int | None = None,
    keep_from: int | None = None,
    engine: str | None = None,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    width: int | None = None,
    device: str | None = None,
    seed: int | None = None,
    threads: int | Literal["all"] = 1,
    part: str | None = None,
    cluster: str | None = None,
    cluster_security: str | None = None,
    cluster_dashboard: int | None = None,
    trials: int | None = None,
    time_limit: float | None = None,
    report_only: bool = False,
    report: Report | None = None,
    engine_options: Mapping[str, object] | None = None,
) -> RaceResult:
    """Search for the best score for hours or days, and keep every board of at least a score.

    A race runs beams (or dives) one after the other.  Each beam and its boards are recorded in FOLDER/race.book when it
    ends.  A race that was stopped, or killed at any moment, goes on with the same command; the puzzle and the options
    that decide which boards are found may then be omitted.  FOLDER/race.html shows how often each score was found, when
    the next one is to be expected, and the best boards; FOLDER/best.json holds the best boards.  The race ends at
    `target`, at a limit or by Ctrl-C.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, str or Path, optional
        The puzzle, or where it is; by default that of the race in the folder.
    output : str or Path
        The folder of the race, one for each race; it is made if it does not exist.
    target : int, optional
        End when a board has this score (default: the highest possible).
    keep_from : int, optional
        Keep all boards of at least this score (default: the best score minus 2).  The default rises with the best
        score; it is higher if there are more than 10 000 such boards.
    engine : str, optional
        What runs: beam or dive, or an engine of another package that searches for high scores (default: beam).
    seed : int, optional
        Random seed (default: 0).
    part : str, optional
        Run part K of N only, such as 3/16: every Nth beam or dive, from number K on, in a folder of its own; ``jigsat
        merge`` joins the folders.  For the tasks of a SLURM array.
    cluster : str, optional
        Run on a Dask cluster: tls://HOST:8786 (a scheduler), or local:N (N processes of this machine).
    trials : int, optional
        End after N beams or dives, of all runs of the race together.
    time_limit : float, optional
        End after this many seconds; on the command line also 1m30s or 2h.
    report_only : bool, default False
        Write the page of a race, and run nothing.
    report : callable, optional
        Called with a `Progress` about once a second.

    Returns
    -------
    RaceResult
        The statistics and the best board.

    Raises
    ------
    InstanceError
        If the folder has a race of another puzzle or with other options, is in use, is damaged or cannot be written.
    NotFoundError
        If it was stopped before it began.
    EngineError, UsageError, OrderError, SlipError
        If the engine cannot race, or an option does not fit the puzzle or the engine.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import jigsat as js
    >>> with TemporaryDirectory() as folder:
    ...     found = js.race("eternity2", folder, width=100, trials=2)
    ...     len(found.kept()) == sum(found.boards.values()), found.ended_by
    (True, 'trials')
    """
    from ..estimators.races.run_race import race as run

    if output is None:
        raise UsageError("give the folder of the race", "output")
    if report_only:
        ends = {"target": target, "trials": trials, "time_limit": time_limit, "cluster": cluster, "part": part}
        refuse_given("the first runs nothing; give one of them", "report_only", **ends)
    known = None if puzzle is None else opened(puzzle)
    if known is not None and not isinstance(known, EdgeMatchingPuzzle):
        raise UsageError(f"{known.name}: is a dissection; a race is for puzzles of squares, which have scores")
    return run(
        known, output, target=target, trials=trials, time_limit=time_limit, report_only=report_only, report=report,
        engine=engine, order=listed(order), slips=listed(slips), frame_slips=listed(frame_slips), width=width,
        device=device, seed=seed,
        keep_from=keep_from, threads=threads, part=part, cluster=cluster, cluster_security=cluster_security,
        cluster_dashboard=cluster_dashboard, **(engine_options or {}),
    )  # fmt: skip  # pyright: ignore[reportArgumentType]
