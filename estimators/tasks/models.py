"""Puzzles as models: formulas for SAT solvers, and models of CP-SAT."""

from typing import TYPE_CHECKING, overload

from ...csp.base.errors import UsageError
from ...csp.engines.refusals import refuse_other_types
from ...csp.files.instances import Puzzle
from ...csp.files.readings import refuse_misread
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ...csp.puzzles.slips import checked_frame_slips, checked_slips
from ..effort.asked import OrderSpec, SlipSpec, named_order, refuse_of_others, with_slips

if TYPE_CHECKING:
    from ...models.squares.cnf import EdgeMatchingCNF
    from ...models.squares.cp import EdgeMatchingCp
    from ...models.tilings.cnf import DissectionCNF
    from ...models.tilings.cp import DissectionCp


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
    motions: str | None = None,
) -> "DissectionCNF": ...
@overload
def cnf(
    puzzle: Puzzle,
    encoding: str | None = None,
    *,
    order: OrderSpec = None,
    slips: SlipSpec = None,
    frame_slips: SlipSpec = None,
    symmetry: bool = False,
    motions: str | None = None,
) -> "EdgeMatchingCNF": ...
def cnf(
    puzzle: Puzzle,
    encoding: str | None = None,
    *,
    order: OrderSpec = None,
    slips: SlipSpec = None,
    frame_slips: SlipSpec = None,
    symmetry: bool = False,
    motions: str | None = None,
) -> "EdgeMatchingCNF | DissectionCNF":
    """Build a formula in conjunctive normal form whose models are the solutions of a puzzle.

    Models that differ only in variables other than those in its attribute `deciding` are the same solution.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.  A dissection must have lattice motions.
    encoding : str, optional
        ``pairs``, ``seams``, ``direct`` or ``diamond``, with options after a ``+``; for a dissection ``colors``,
        ``telling``, ``wedges`` or ``pairs``.  The default is the first.
    order : str, Path or iterable of int, optional
        The search order along which the depths of slips count: a name, ``best``, a file, or all squares.
    slips : str or iterable of int, optional
        A slip array.
    frame_slips : str or iterable of int, optional
        A slip array for the joins along the frame, which otherwise must all be valid.
    symmetry : bool, default False
        Whether to break symmetries, so that the formula has one or a few solutions for each symmetry class.
    motions : {'any', 'lattice'}, optional
        Of a dissection: the motions, if not those of its file.

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
    >>> model.cnf.append([-model.on(0, 0)])
    >>> from pysat.solvers import Solver
    >>> with Solver("cadical195", bootstrap_with=model.cnf) as solver:
    ...     found = solver.solve()
    ...     board = model.solution(solver.get_model())
    >>> found, board[0].piece != 0
    (True, True)
    """
    refuse_other_types(encoding=(encoding, "text"), symmetry=(symmetry, "flag"))
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, order=order, slips=slips, frame_slips=frame_slips)
        from ...models.tilings.cnf import build_tiling_cnf

        return build_tiling_cnf(on_lattice(puzzle, motions), encoding, symmetry=symmetry)
    refuse_of_others(puzzle, motions=motions)
    refuse_misread(puzzle)
    from ...models.squares.cnf import build_cnf

    order, slips = with_slips(puzzle, order, slips)
    array, along = checked_slips(puzzle, slips), checked_frame_slips(puzzle, frame_slips)
    _, squares = named_order(puzzle, order, array)
    return build_cnf(puzzle, encoding, order=squares, slips=array, frame_slips=along, symmetry=symmetry)


@overload
def cp_model(  # pyright: ignore[reportOverlappingOverload]
    puzzle: DissectionPuzzle,
    encoding: str | None = None,
    *,
    order: None = None,
    slips: None = None,
    frame_slips: None = None,
    symmetry: bool = False,
    motions: str | None = None,
) -> "DissectionCp": ...
@overload
def cp_model(
    puzzle: Puzzle,
    encoding: str | None = None,
    *,
    order: OrderSpec = None,
    slips: SlipSpec = None,
    frame_slips: SlipSpec = None,
    symmetry: bool = False,
    motions: str | None = None,
) -> "EdgeMatchingCp": ...
def cp_model(
    puzzle: Puzzle,
    encoding: str | None = None,
    *,
    order: OrderSpec = None,
    slips: SlipSpec = None,
    frame_slips: SlipSpec = None,
    symmetry: bool = False,
    motions: str | None = None,
) -> "EdgeMatchingCp | DissectionCp":
    """Build a CP-SAT model whose solutions are the solutions of a puzzle.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.  A dissection must have lattice motions.
    encoding : str, optional
        ``pairs``, ``booleans``, ``table`` or ``element``; for a dissection ``wedges`` or ``telling``.  The default is
        the first.
    order, slips, frame_slips, symmetry, motions
        As for `cnf`.

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
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, order=order, slips=slips, frame_slips=frame_slips)
        from ...models.tilings.cp import build_tiling_cp

        return build_tiling_cp(on_lattice(puzzle, motions), encoding, symmetry=symmetry)
    refuse_of_others(puzzle, motions=motions)
    refuse_misread(puzzle)
    from ...models.squares.cp import build_cp

    order, slips = with_slips(puzzle, order, slips)
    array, along = checked_slips(puzzle, slips), checked_frame_slips(puzzle, frame_slips)
    _, squares = named_order(puzzle, order, array)
    return build_cp(puzzle, encoding, order=squares, slips=array, frame_slips=along, symmetry=symmetry)


def on_lattice(puzzle: DissectionPuzzle, motions: str | None) -> DissectionPuzzle:
    """Return the dissection with these motions, or its own.

    Raises UsageError if the motions are not those of the lattice.
    """
    found = puzzle.with_motions(motions)
    if found.motions is not Motions.LATTICE:
        raise UsageError(f"{puzzle.name}: models of dissections need lattice motions; give lattice", "motions")
    return found
