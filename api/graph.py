"""The graph of a dissection's tilings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .public import AnyPuzzle, opened, public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..models.tilings.graph_of_tilings import FoundGraph


@public
def graph(
    puzzle: AnyPuzzle,
    *,
    moves: Literal["convex", "primitive", "chung-graham", "exchanges"] = "chung-graham",
    merge: bool = True,
    motions: Literal["any", "lattice"] | None = None,
    hamiltonian: bool = False,
    output: str | Path | None = None,
    thumbnails: bool = False,
    resume: bool = False,
    overwrite: bool = False,
    time_limit: float | None = None,
    report: Report | None = None,
) -> FoundGraph:
    """Build the graph of a dissection's tilings, in which edges are moves that lead from one tiling to another.

    The vertices are all tilings up to symmetry.  Pieces that lie together in every tiling are first merged into one
    piece.

    Parameters
    ----------
    puzzle : DissectionPuzzle, str or Path
        The dissection, or where it is.
    moves : {'convex', 'primitive', 'chung-graham', 'exchanges'}, default 'chung-graham'
        What counts as a move (default: chung-graham).  convex: a symmetry of a convex region that some pieces fill.
        primitive: the same, unless some of these pieces, without the others, cover the same points before and after.
        chung-graham: the same with regions of at most four vertices that are not acute triangles of half the target's
        area; it gives the published figures for the Ostomachion (Chung and Graham).  exchanges: convex, or an exchange
        of the pieces of two congruent convex regions.
    merge : bool, default True
        Merge pieces that always lie together; otherwise do not merge pieces that always lie together.
    hamiltonian : bool, default False
        Find a Hamiltonian cycle of the largest component.  If there is no cycle, find a path, or prove that there is no
        path.
    output : str or Path, optional
        A file for the graph: .svg, .png, .pdf, .html (a page that plays moves), .dot, .graphml or .json; - for standard
        output (SVG).  While the search runs, its steps are in a file whose name ends in ``.part``.
    thumbnails : bool, default False
        Show the tilings in the picture.
    resume : bool, default False
        Continue a run that was stopped, from that file.
    overwrite : bool, default False
        Start over where such a file is left, and replace an earlier output even by an incomplete graph.
    time_limit : float, optional
        Give up after this many seconds; on the command line also 1m30s or 2h.
    report : callable, optional
        Called with a `Progress` that names the current step.

    Returns
    -------
    FoundGraph
        The graph.  If the time limit or Ctrl-C came first, there is no graph, but what was found of it, `so_far`, and
        `ended_by` has the reason.

    Raises
    ------
    UsageError
        If the puzzle is not a dissection, or a stopped search has left a file and neither `resume` nor `overwrite` is
        given.
    JigsatError
        If the puzzle has no tiling, or more than 5000.

    Examples
    --------
    A tangram makes its square in one way, so there is one vertex:

    >>> import jigsat as js
    >>> found = js.graph("tangram")
    >>> found.canonical_count, found.numbers.edges
    (1, 0)
    """
    from ..csp.base.errors import UsageError
    from ..models.tilings.graph_of_tilings import graph as found
    from ..models.tilings.graph_of_tilings import refuse_graph_file
    from ..render.picture import FORMATS

    kind = None if output is None else refuse_graph_file(str(output))
    if thumbnails and kind not in FORMATS:
        raise UsageError("applies to a picture; give an output that ends in .svg, .png or .pdf", "thumbnails")
    return found(
        opened(puzzle), moves=moves, merge=merge, motions=motions, hamiltonian=hamiltonian, output=output,
        thumbnails=thumbnails, resume=resume, overwrite=overwrite, time_limit=time_limit, report=report,
    )  # fmt: skip
