"""Models for other solvers: as files, as formulas, as CP-SAT models."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from ..csp.base.errors import UsageError, escaped, grouped
from ..csp.base.notebook import HasSummary
from ..csp.engines.request import refuse_of_others, refuse_other_types
from ..csp.files.file_format import format_for
from ..csp.files.square_files import refuse_misread
from ..csp.puzzles.dissection import DissectionPuzzle, Motions
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..csp.puzzles.slips import anywhere, checked_frame_slips, checked_slips, format_slips
from ..estimators.effort.search_effort import OrderSpec, SlipSpec, named_order, start_board, started, with_slips
from .public import AnyBoard, AnyOrder, AnyPuzzle, AnySlips, opened, public

if TYPE_CHECKING:
    from ..csp.files.instances import Puzzle
    from ..models.base.texts import TextModel
    from ..models.squares.cnf import EdgeMatchingCNF
    from ..models.squares.cp import EdgeMatchingCp
    from ..models.tilings.cnf import DissectionCNF
    from ..models.tilings.cp import DissectionCp


# A type checker does not know the kind of a bundled puzzle: it takes a puzzle of any kind for one of squares.
# Dissections are read with `read_dissection`.
@overload
def cnf(  # pyright: ignore[reportOverlappingOverload]
    puzzle: DissectionPuzzle,
    encoding: str | None = None,
    *,
    order: None = None,
    slips: None = None,
    frame_slips: None = None,
    symmetry: bool = False,
    motions: Literal["any", "lattice"] | None = None,
) -> DissectionCNF: ...
@overload
def cnf(
    puzzle: AnyPuzzle,
    encoding: str | None = None,
    *,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    symmetry: bool = False,
    motions: Literal["any", "lattice"] | None = None,
) -> EdgeMatchingCNF: ...
@public
def cnf(
    puzzle: AnyPuzzle,
    encoding: str | None = None,
    *,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    symmetry: bool = False,
    motions: Literal["any", "lattice"] | None = None,
) -> EdgeMatchingCNF | DissectionCNF:
    """Build a formula in conjunctive normal form whose models are the solutions of a puzzle.

    Models that differ only in variables other than those in its attribute `deciding` are the same solution.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is.  A dissection must have lattice motions.
    encoding : str, optional
        ``pairs``, ``seams``, ``direct`` or ``diamond``, with options after a ``+``; for a dissection ``colors``,
        ``telling``, ``wedges`` or ``pairs``.  The default is the first.
    symmetry : bool, default False
        Whether to break symmetries, so that the formula has one or a few solutions for each symmetry class.

    Returns
    -------
    EdgeMatchingCNF or DissectionCNF
        The formula, a PySAT formula in its attribute `cnf` to which you can add clauses, and the meaning of its
        variables.

    Raises
    ------
    UsageError
        If the encoding does not exist, an option does not apply to the puzzle, or a dissection is not on the lattice.
    OrderError, SlipError
        If the order does not exist, or the slip array is invalid.
    PuzzleError
        If there are too few pieces of a class for the squares of the board.

    Examples
    --------
    >>> from jigsat import read
    >>> model = cnf(read("clue3"))
    >>> model.cnf.append([-model.on("A1", 1)])
    >>> from pysat.solvers import Solver
    >>> with Solver("cadical195", bootstrap_with=model.cnf) as solver:
    ...     found = solver.solve()
    ...     board = model.solution(solver.get_model())
    >>> found, board[0].piece != 0
    (True, True)
    """
    refuse_other_types(encoding=(encoding, "text"), symmetry=(symmetry, "flag"))
    puzzle = opened(puzzle)
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, order=order, slips=slips, frame_slips=frame_slips)
        from ..models.tilings.cnf import build_tiling_cnf

        return build_tiling_cnf(on_lattice(puzzle, motions), encoding, symmetry=symmetry)
    arrays = _arrays(puzzle, order, slips, frame_slips, motions)
    from ..models.squares.cnf import build_cnf

    return build_cnf(puzzle, encoding, **arrays, symmetry=symmetry)


@overload
def cp_model(  # pyright: ignore[reportOverlappingOverload]
    puzzle: DissectionPuzzle,
    encoding: str | None = None,
    *,
    order: None = None,
    slips: None = None,
    frame_slips: None = None,
    symmetry: bool = False,
    motions: Literal["any", "lattice"] | None = None,
) -> DissectionCp: ...
@overload
def cp_model(
    puzzle: AnyPuzzle,
    encoding: str | None = None,
    *,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    symmetry: bool = False,
    motions: Literal["any", "lattice"] | None = None,
) -> EdgeMatchingCp: ...
@public
def cp_model(
    puzzle: AnyPuzzle,
    encoding: str | None = None,
    *,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    symmetry: bool = False,
    motions: Literal["any", "lattice"] | None = None,
) -> EdgeMatchingCp | DissectionCp:
    """Build a CP-SAT model whose solutions are the solutions of a puzzle.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is.  A dissection must have lattice motions.
    encoding : str, optional
        ``pairs``, ``booleans``, ``table`` or ``element``; for a dissection ``wedges`` or ``telling``.  The default is
        the first.
    symmetry : bool, default False
        Whether to break symmetries, as for `cnf`.

    Returns
    -------
    EdgeMatchingCp or DissectionCp
        The model, an OR-Tools model in its attribute `model` to which you can add constraints and an objective.

    Raises
    ------
    UsageError, OrderError, SlipError, PuzzleError
        As for `cnf`.

    Examples
    --------
    >>> from jigsat import read
    >>> from ortools.sat.python.cp_model import CpSolver
    >>> model, solver = cp_model(read("clue3")), CpSolver()
    >>> solver.status_name(solver.solve(model.model))
    'OPTIMAL'
    >>> len(model.solution(solver))
    36
    """
    refuse_other_types(encoding=(encoding, "text"), symmetry=(symmetry, "flag"))
    puzzle = opened(puzzle)
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, order=order, slips=slips, frame_slips=frame_slips)
        from ..models.tilings.cp import build_tiling_cp

        return build_tiling_cp(on_lattice(puzzle, motions), encoding, symmetry=symmetry)
    arrays = _arrays(puzzle, order, slips, frame_slips, motions)
    from ..models.squares.cp import build_cp

    return build_cp(puzzle, encoding, **arrays, symmetry=symmetry)


def _arrays(
    puzzle: EdgeMatchingPuzzle, order: AnyOrder, slips: AnySlips, frame_slips: AnySlips, motions: str | None
) -> dict[str, Any]:
    """The order and the slip arrays of a model; refuses motions, and puzzles that seem to be misread."""
    refuse_of_others(puzzle, motions=motions)
    refuse_misread(puzzle)
    order, slips = with_slips(puzzle, order, slips)
    array, along = checked_slips(puzzle, slips), checked_frame_slips(puzzle, frame_slips)
    return {"order": named_order(puzzle, order, array)[1], "slips": array, "frame_slips": along}


def on_lattice(puzzle: DissectionPuzzle, motions: str | None) -> DissectionPuzzle:
    """Return the dissection with these motions, or its own."""
    found = puzzle.with_motions(motions)
    if found.motions is not Motions.LATTICE:
        raise UsageError(f"{puzzle.name}: models of dissections need lattice motions; give lattice", "motions")
    return found


# The formats of texts that are not formulas.
_TEXTS = ("mzn", "dlx", "xcsp3")


def _text(puzzle: Puzzle, kind: str, *, symmetry: bool, best: bool = False, **arrays: Any) -> TextModel:
    if isinstance(puzzle, DissectionPuzzle):
        from ..models.tilings.domains import TilingDomains
        from ..models.tilings.texts import TEXTS as OF_TILINGS

        return OF_TILINGS[kind](TilingDomains(puzzle, symmetry=symmetry))
    from ..models.squares.domains import Domains
    from ..models.squares.texts import TEXTS as OF_BOARDS

    refuse_misread(puzzle)
    squares = named_order(puzzle, arrays["order"], arrays["slips"])[1]
    domains = Domains(puzzle, squares, arrays["slips"], arrays["frame_slips"], symmetry=symmetry)
    return OF_BOARDS[kind](domains, best=best)


@dataclass(frozen=True, repr=False)
class Exported(HasSummary):
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
    #: The size of the model.  In ``cnf``, ``wcnf`` and ``opb`` constraints are clauses; in ``dlx`` they are items, and
    #: variables are options.
    variables: int
    constraints: int
    #: The time to build the model, and the time to build and write it.
    build_seconds: float
    seconds: float
    #: All other options given: the order, the slips, the partial board that the model starts from, the score.
    options: Mapping[str, object]

    @property
    def _has_clauses(self) -> bool:
        return self.format in ("cnf", "wcnf", "opb")

    def record(self) -> dict[str, Any]:
        """The record that ``jigsat export --json`` prints."""
        record = dict(vars(self))
        word = "clauses" if self._has_clauses else "constraints"
        return {word if name == "constraints" else name: value for name, value in record.items()}

    def summary(self, *, verbose: bool = False) -> str:
        """The size of the model; with `verbose` also its encoding."""
        start = ""
        if "from" in self.options:
            start = f" from {escaped(str(self.options['from']))} ({self.options['placed']} pieces placed)"
        kept = "broken" if self.symmetry else "kept"
        detail = f", encoding {self.encoding}, symmetry {kept}, in {self.seconds:.2f} s" if verbose else ""
        of, things = "variables", "clauses" if self._has_clauses else "constraints"
        if self.format == "dlx":
            of, things = "options", "items"
        return (
            f"{escaped(self.instance)}{start}: {self.format} with {grouped(self.variables)} {of} and "
            f"{grouped(self.constraints)} {things}{detail}"
        )


@public
def export(
    puzzle: AnyPuzzle,
    output: str | Path,
    *,
    to: Literal["cnf", "wcnf", "opb", "cpsat", "mzn", "dlx", "xcsp3"] | None = None,
    best: bool = False,
    encoding: str | None = None,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    motions: Literal["any", "lattice"] | None = None,
    start: AnyBoard | None = None,
    symmetry: bool = True,
) -> Exported:
    """Write a puzzle as a model for other solvers of CNF, WCNF, OPB, CP-SAT, MiniZinc, exact cover or XCSP3.

    CNF is for SAT solvers, WCNF for MaxSAT, OPB for pseudo-Boolean solvers, DLX for programs of exact cover with
    colours, which have no slips and no scores.
    Comments in the file describe how it was made and what its variables mean; `check` reads what a solver answers.
    Like the other commands, this one breaks symmetry: for a file that has all arrangements, for instance to count
    them, give `symmetry=False`.
    Models that differ only in variables without a meaning are the same solution: a model counter must project onto the
    variables of the line ``c ind``, or onto those of the lines ``var``.  Dissections have models on the lattice only,
    and no scores, hence no WCNF; answers about them cannot be read.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is.  A dissection must have lattice motions, and has no scores.
    output : str or Path
        The file to write; - for standard output.
    to : {'cnf', 'wcnf', 'opb', 'cpsat', 'mzn', 'dlx', 'xcsp3'}, optional
        The format (default: by the ending of the file).  Endings: .cnf, .wcnf, .opb, .mzn, .dlx, .xml for XCSP3, and
        .pb or .pbtxt for CP-SAT.
    best : bool, default False
        Maximize the score (opb, cpsat, mzn, xcsp3; wcnf always does).
    start : board, str or Path, optional
        Fix the pieces of the partial board in this solution file.
    symmetry : bool, default True
        Break symmetries; otherwise keep every numbered piece in every rotation.

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
    >>> exported = export("clue3", "clue3.cnf")
    >>> exported.format, exported.encoding, exported.symmetry
    ('cnf', 'pairs', True)
    """
    from ..models.squares.export import FORMATS

    puzzle, kind = opened(puzzle), to or format_for(output, FORMATS, None, "to")
    if best and kind in ("cnf", "dlx"):
        what = "a CNF" if kind == "cnf" else "an exact cover problem"
        raise UsageError(f"{what} has no objective; write a wcnf, opb, cpsat, mzn or xcsp3 model", "best")
    if kind == "dlx" and (slips is not None or frame_slips is not None):
        given = ["slips"] * (slips is not None) + ["frame_slips"] * (frame_slips is not None)
        raise UsageError("in an exact cover problem every join is valid; write another model", *given)
    if encoding is not None and kind in _TEXTS:
        raise UsageError(f"{kind} has one encoding; omit the option", "encoding")
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
    if kind in _TEXTS:
        model = _text(ready, kind, symmetry=symmetry, best=best, **options)
    else:
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
    variables, constraints = _write(model, kind, output, best=best, puzzle=puzzle)
    return Exported(
        puzzle.name,
        str(output),
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
    start: AnyBoard | None,
    order: OrderSpec,
    arrays: tuple[SlipSpec, SlipSpec],
    *,
    best: bool,
) -> tuple[EdgeMatchingPuzzle, dict[str, Any]]:
    """Fix the pieces of the partial board; return the puzzle, and the order and slips of its model."""
    slips, frame_slips = arrays
    board = None if start is None else start_board(puzzle, start if isinstance(start, str | Path) else tuple(start))
    begun, _, meant = started(puzzle, board, order, slips, frame_slips)
    array = anywhere(begun) if best and slips is None else checked_slips(begun, slips)
    _, squares = named_order(begun, meant, slips)
    return begun, {"order": squares, "slips": array, "frame_slips": checked_frame_slips(begun, frame_slips)}


def _write(model: Any, kind: str, path: str | Path, *, best: bool, puzzle: Any) -> tuple[int, int]:
    from ..models.squares import export as files

    if kind in _TEXTS:
        files.export_text(model, kind, path, puzzle=puzzle)
    elif kind == "cpsat":
        files.export_cpsat(model, path, best=best, puzzle=puzzle)
    elif kind == "cnf":
        files.export_cnf(model, path, puzzle=puzzle)
    elif kind == "wcnf":
        files.export_wcnf(model, path, puzzle=puzzle)
    else:
        files.export_opb(model, path, best=best, puzzle=puzzle)
    return model.size
