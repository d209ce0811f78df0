"""Find the convex forms that the pieces of a dissection can tile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .public import AnyPuzzle, opened, public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..csp.tilings.tileable_forms import TileableForms


@public
def forms(
    puzzle: AnyPuzzle,
    vertices: int | None = None,
    *,
    seams: bool = False,
    any_lengths: bool = False,
    decide: bool = False,
    threads: int | Literal["all"] = 1,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    time_limit: float | None = None,
    report: Report | None = None,
) -> TileableForms:
    """Find the convex polygons that the pieces of a dissection can tile, and count their tilings.

    The target of the puzzle is ignored; vertices are on the lattice, and pieces move by lattice motions.  Polygons that
    are equal up to a lattice motion are one form.  A seam is a pair of equally long edges of two pieces, along a
    direction that no other edge has: inside a form, only these edges can meet, so the two pieces lie together.  Forms
    with a seam on the boundary are omitted unless `seams` is given.

    Forms off the lattice are not searched for.  The last line says whether the edges of the pieces exclude them.

    Parameters
    ----------
    puzzle : DissectionPuzzle, str or Path
        The dissection, or where it is.
    vertices : int, optional
        The number of vertices of the polygons (default: any number).
    seams : bool, default False
        Include forms with a seam on the boundary.
    any_lengths : bool, default False
        Include candidates whose sides do not consist of edges of the pieces, to show that they cannot be tiled.
    decide : bool, default False
        Stop at the first tiling of each form.
    threads : int or 'all', default 1
        Number of threads, or all.
    output : str or Path, optional
        Draw a tiling of each form to this file (.svg, .png, .pdf), or write the record (.json).  While the search runs,
        its steps are in a file whose name ends in ``.part``.
    resume : bool, default False
        Continue a run that was stopped, from that file.
    overwrite : bool, default False
        Start over where such a file is left, and replace an earlier output even by an incomplete answer.
    time_limit : float, optional
        Stop after this many seconds; on the command line also 1m30s or 2h.

    Returns
    -------
    TileableForms
        The forms with their tilings; `picture` and `save` draw them.

    Raises
    ------
    UsageError
        If the puzzle is not a dissection on a lattice, or a stopped search has left a file and neither `resume` nor
        `overwrite` is given.

    Examples
    --------
    >>> import jigsat as js
    >>> len(js.forms("tangram").tileable)
    13
    """
    from ..csp.tilings.find_forms import forms as found
    from ..csp.tilings.tileable_forms import refuse_forms_file

    if output is not None:
        refuse_forms_file(str(output))
    return found(
        opened(puzzle), vertices, seams=seams, any_lengths=any_lengths, decide=decide, threads=threads, output=output,
        resume=resume, overwrite=overwrite, time_limit=time_limit, report=report,
    )  # fmt: skip
