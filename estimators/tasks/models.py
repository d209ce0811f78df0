"""Puzzles as models: formulas for SAT solvers, and models of CP-SAT."""

from typing import TYPE_CHECKING, overload

from ...csp.base.errors import UsageError
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ...csp.puzzles.slips import checked_slips
from ..effort.asked import OrderSpec, SlipSpec, named_order, refuse_of_others

if TYPE_CHECKING:
    from ...models.squares.cnf import EdgeMatchingCNF
    from ...models.squares.cp import EdgeMatchingCp
    from ...models.tilings.cnf import DissectionCNF
    from ...models.tilings.cp import DissectionCp


# A type checker does not know which kind a bundled name stands for: it takes a puzzle of any kind for one of squares.
# Whoever has a dissection reads it by `read_dissection`.
@overload
def cnf(  # pyright: ignore[reportOverlappingOverload]
    puzzle: DissectionPuzzle,
    encoding: str | None = None,
    *,
    order: None = None,
    slips: None = None,
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
    symmetry: bool = False,
    motions: str | None = None,
) -> "EdgeMatchingCNF": ...
def cnf(
    puzzle: Puzzle,
    encoding: str | None = None,
    *,
    order: OrderSpec = None,
    slips: SlipSpec = None,
    symmetry: bool = False,
    motions: str | None = None,
) -> "EdgeMatchingCNF | DissectionCNF":
    """A puzzle as a formula whose models are its solutions.

    Parameters
    ----------
    puzzle
        The puzzle; a dissection has models on the lattice only.
    encoding
        How the puzzle becomes a formula: ``pairs``, ``seams``, ``direct`` or ``diamond`` with options after a ``+``;
        for a dissection ``colors``, ``telling``, ``wedges`` or ``pairs``.  The first if left out.
    order, slips
        A slip array, and the search order by which its depths count (a name, ``best`` among them, a file, or all
        squares).
    symmetry
        Whether to leave out solutions that symmetries make of others.
    motions
        Of a dissection: ``any`` or ``lattice``, if not as its file says.

    Returns
    -------
    EdgeMatchingCNF or DissectionCNF
        The formula, for PySAT in `cnf`, to which clauses of one's own may be added; and what its variables mean.

    Raises
    ------
    UsageError
        If there is no such encoding, an option has no meaning for the puzzle, or a dissection is not on the lattice.
    OrderError, SlipError
        If there is no such order, or the slips are none.

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
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, order=order, slips=slips)
        from ...models.tilings.cnf import build_tiling_cnf

        return build_tiling_cnf(on_lattice(puzzle, motions), encoding, symmetry=symmetry)
    refuse_of_others(puzzle, motions=motions)
    from ...models.squares.cnf import build_cnf

    array = checked_slips(puzzle, slips)
    _, squares = named_order(puzzle, order, array)
    return build_cnf(puzzle, encoding, order=squares, slips=array, symmetry=symmetry)


@overload
def cp_model(  # pyright: ignore[reportOverlappingOverload]
    puzzle: DissectionPuzzle,
    encoding: str | None = None,
    *,
    order: None = None,
    slips: None = None,
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
    symmetry: bool = False,
    motions: str | None = None,
) -> "EdgeMatchingCp": ...
def cp_model(
    puzzle: Puzzle,
    encoding: str | None = None,
    *,
    order: OrderSpec = None,
    slips: SlipSpec = None,
    symmetry: bool = False,
    motions: str | None = None,
) -> "EdgeMatchingCp | DissectionCp":
    """A puzzle as a model of CP-SAT whose solutions are its own.

    Parameters and errors are those of `cnf`; encodings are ``pairs``, ``booleans``, ``table`` and ``element``, for a
    dissection ``wedges`` and ``telling``.

    Returns
    -------
    EdgeMatchingCp or DissectionCp
        The model, for OR-Tools in `model`, to which constraints and an objective of one's own may be added.

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
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, order=order, slips=slips)
        from ...models.tilings.cp import build_tiling_cp

        return build_tiling_cp(on_lattice(puzzle, motions), encoding, symmetry=symmetry)
    refuse_of_others(puzzle, motions=motions)
    from ...models.squares.cp import build_cp

    array = checked_slips(puzzle, slips)
    _, squares = named_order(puzzle, order, array)
    return build_cp(puzzle, encoding, order=squares, slips=array, symmetry=symmetry)


def on_lattice(puzzle: DissectionPuzzle, motions: str | None) -> DissectionPuzzle:
    """The dissection with those motions, which must be those of the lattice.

    Raises
    ------
    UsageError
        If they are not.
    """
    found = puzzle.with_motions(motions)
    if found.motions is not Motions.LATTICE:
        raise UsageError(f"{puzzle.name}: a dissection has a model on the lattice only; give lattice", "motions")
    return found
