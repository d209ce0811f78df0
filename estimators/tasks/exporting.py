"""Write a puzzle as a model for other solvers."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Any

from ...csp.base.errors import UsageError
from ...csp.base.safe_files import escaped
from ...csp.base.words import grouped
from ...csp.files.file_format import format_for
from ...csp.files.instances import Puzzle
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import anywhere, checked_frame_slips, checked_slips, format_slips
from ..effort.asked import OrderSpec, SlipSpec, named_order, refuse_of_others, start_board, started, with_slips
from .models import cnf, cp_model, on_lattice


@dataclass(frozen=True)
class Exported:
    """A model that was written."""

    #: The name of the puzzle.
    instance: str
    #: The file of the model; ``-`` for standard output.
    file: str
    #: The file format.
    format: str
    #: The encoding of the puzzle.
    encoding: str
    #: Whether symmetry is broken.
    symmetry: bool
    #: The size of the model.  In formats other than ``cpsat``, constraints are clauses.
    variables: int
    constraints: int
    #: The time to build the model, and the time to build and write it.
    build_seconds: float
    seconds: float
    #: All other options given: the order, the slips, the partial board that the model starts from, the score.
    options: Mapping[str, object]

    @property
    def _word(self) -> str:
        return "constraints" if self.format == "cpsat" else "clauses"

    def record(self) -> dict[str, Any]:
        """The record that ``jigsat export --json`` prints."""
        record = dict(vars(self))
        return {self._word if name == "constraints" else name: value for name, value in record.items()}

    def summary(self) -> str:
        """The line that ``jigsat export`` prints."""
        start = ""
        if "from" in self.options:
            start = f" from {escaped(str(self.options['from']))} ({self.options['placed']} pieces placed)"
        return (
            f"{escaped(self.instance)}{start}: {self.format} with {grouped(self.variables)} variables and "
            f"{grouped(self.constraints)} {self._word}, encoding {self.encoding}, "
            f"symmetry {'broken' if self.symmetry else 'kept'}, in {self.seconds:.2f} s"
        )


def export(
    puzzle: Puzzle,
    path: str | Path,
    *,
    to: str | None = None,
    best: bool = False,
    encoding: str | None = None,
    order: OrderSpec = None,
    slips: SlipSpec = None,
    frame_slips: SlipSpec = None,
    motions: str | None = None,
    start: Arrangement | str | Path | None = None,
    symmetry: bool = True,
) -> Exported:
    """Write a puzzle as a model for other solvers, as ``jigsat export`` does.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.  A dissection must have lattice motions, and has no scores.
    path : str or Path
        The file to write; ``-`` for standard output.
    to : {'cnf', 'wcnf', 'opb', 'cpsat'}, optional
        The file format; by default the ending of `path` determines it: ``.cnf``, ``.wcnf``, ``.opb``, and ``.pb`` or
        ``.pbtxt`` for CP-SAT.
    best : bool, default False
        Whether to maximise the score (opb and cpsat; wcnf always does).
    encoding, order, slips, frame_slips, motions
        As for `cnf`; for ``cpsat``, `encoding` is as for `cp_model`.
    start : board, str or Path, optional
        A partial board whose pieces are fixed, or the file that holds it.
    symmetry : bool, default True
        Whether to break symmetries.

    Returns
    -------
    Exported
        The size of the model, with the record and the line that the command prints.

    Raises
    ------
    UsageError
        If the format is unknown, or an option does not apply to the format or the puzzle.
    InstanceError
        If the partial board does not fit, or the file cannot be written.
    OrderError, SlipError
        If the order does not exist, or the slip array is invalid.
    PuzzleError
        If there are too few pieces of a class for the squares of the board.

    Examples
    --------
    >>> from jigsat import read
    >>> exported = export(read("clue3"), "clue3.cnf")
    >>> exported.format, exported.encoding, exported.symmetry
    ('cnf', 'pairs', True)
    """
    from ...models.squares.export import FORMATS

    kind = to or format_for(path, FORMATS, None, "to")
    if kind not in FORMATS:
        raise UsageError(f"unknown format {kind}, choose from {', '.join(FORMATS)}", "to")
    if best and kind == "cnf":
        raise UsageError("a CNF has no objective; write a wcnf, opb or cpsat model", "best")
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, order=order, slips=slips, frame_slips=frame_slips, start=start, best=best)
        if kind == "wcnf":
            what = f"wcnf maximises the score, and {puzzle.name} is a dissection, which has no score"
            raise UsageError(what, *(["to"] if to else []))
        ready, options = on_lattice(puzzle, motions), {}
    else:
        refuse_of_others(puzzle, motions=motions)
        order, slips, frame_slips = _listed(puzzle, *with_slips(puzzle, order, slips), frame_slips)
        ready, options = _ready(puzzle, start, order, (slips, frame_slips), best=best or kind == "wcnf")
    began = time.perf_counter()
    build = cp_model if kind == "cpsat" else cnf
    model = build(ready, encoding, symmetry=symmetry, **options)
    build_seconds = time.perf_counter() - began
    given = {
        "order": str(order) if isinstance(order, Path) else order,
        "slips": slips if isinstance(slips, str | None) else format_slips(slips),
        "frame_slips": frame_slips if isinstance(frame_slips, str | None) else format_slips(frame_slips),
        "motions": motions,
        "best": best or None,
    }
    asked: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    if start is not None and not isinstance(ready, DissectionPuzzle):
        asked["from"] = str(start) if isinstance(start, str | Path) else "a board in memory"
        asked["placed"] = len(ready.fixed)
    variables, constraints = _write(model, kind, path, best=best, puzzle=puzzle)
    return Exported(
        puzzle.name,
        str(path),
        kind,
        str(model.encoding),
        symmetry,
        variables,
        constraints,
        round(build_seconds, 6),
        round(time.perf_counter() - began, 6),
        asked,
    )


def _listed(
    puzzle: EdgeMatchingPuzzle, order: OrderSpec, slips: SlipSpec, frame_slips: SlipSpec
) -> tuple[OrderSpec, SlipSpec, SlipSpec]:
    """The order and the slip arrays, as tuples if they are neither texts nor paths: iterators can be read only once."""
    return (
        order if isinstance(order, str | Path | None) else tuple(map(index, order)),
        slips if isinstance(slips, str | None) else checked_slips(puzzle, slips),
        frame_slips if isinstance(frame_slips, str | None) else checked_frame_slips(puzzle, frame_slips),
    )


def _ready(
    puzzle: EdgeMatchingPuzzle,
    start: Arrangement | str | Path | None,
    order: OrderSpec,
    arrays: tuple[SlipSpec, SlipSpec],
    *,
    best: bool,
) -> tuple[EdgeMatchingPuzzle, dict[str, Any]]:
    """Fix the pieces of the partial board; return the puzzle, and the order and slips of its model."""
    slips, frame_slips = arrays
    board = None if start is None else start_board(puzzle, start)
    begun, _, meant = started(puzzle, board, order, slips, frame_slips)
    array = anywhere(begun) if best and slips is None else checked_slips(begun, slips)
    _, squares = named_order(begun, meant, slips)
    return begun, {"order": squares, "slips": array, "frame_slips": checked_frame_slips(begun, frame_slips)}


def _write(model: Any, kind: str, path: str | Path, *, best: bool, puzzle: Any) -> tuple[int, int]:
    """Write a model; return the numbers of its variables and of its clauses or constraints."""
    from ...models.squares import export as files

    if kind == "cpsat":
        files.export_cpsat(model, path, best=best, puzzle=puzzle)
        return len(model.model.proto.variables), len(model.model.proto.constraints)
    if kind == "cnf":
        files.export_cnf(model, path, puzzle=puzzle)
    elif kind == "wcnf":
        files.export_wcnf(model, path, puzzle=puzzle)
    else:
        files.export_opb(model, path, best=best, puzzle=puzzle)
    return files.size_of(model)
