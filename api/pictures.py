"""Artwork for a jigsaw that shows two or three pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .public import public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..render.photo.result import Foresight, TwoPictures


@public
def pictures(
    first: str | Path,
    second: str | Path,
    output: str | Path,
    *,
    third: str | Path | None = None,
    jigsaw: EdgeMatchingPuzzle | str | Path | None = None,
    rows: int | None = None,
    columns: int | None = None,
    method: Literal["annealing", "scrambles", "assignment"] | None = None,
    scrambles: int | None = None,
    seed: int | None = None,
    max_use: int | None = None,
    no_stay: bool = False,
    pixels: int = 64,
    weight: float | None = None,
    grey: bool = False,
    crop: bool = False,
    crop_a: str | None = None,
    crop_b: str | None = None,
    crop_c: str | None = None,
    mask_a: str | Path | None = None,
    mask_b: str | Path | None = None,
    mask_c: str | Path | None = None,
    match: float = 0.0,
    blend: Literal["seen", "mean"] = "seen",
    curves: int = 0,
    time_limit: float | None = 600,
    report: Report | None = None,
) -> TwoPictures:
    """Make artwork for a jigsaw with two assemblies: one assembly shows picture A and the other picture B.

    The jigsaw is given, or chosen so that what matters in one picture lies on what matters little in the other, and
    tones differ little.  The artwork is optimised for the eye.  Look at a preview first.

    Parameters
    ----------
    first : str or Path
        A picture, or a bundled one: cup, ring.
    second : str or Path
        A picture, or a bundled one: cup, ring.
    output : str or Path
        Write the files into this folder; it is made if it does not exist.  Such files of an earlier run are replaced or
        removed.
    third : str or Path, optional
        A third picture.  It needs `jigsaw`, and a jigsaw with three assemblies.
    jigsaw : EdgeMatchingPuzzle, str or Path, optional
        The jigsaw: a file, or the name of a bundled one.
    rows : int, optional
        Choose a jigsaw with this number of rows.
    columns : int, optional
        Choose a jigsaw with this number of columns.
    method : {'annealing', 'scrambles', 'assignment'}, optional
        How the jigsaw is chosen (default: annealing).  annealing: arrangements are annealed until tones fit and exactly
        two solutions are left.  scrambles: the best of many jigsaws with exactly two solutions, made without the
        pictures.  assignment: the best assignment of pieces to squares, whose jigsaw may have many solutions.
    scrambles : int, optional
        Number of jigsaws to choose among (default: 200; with annealing from 40 on 5x5 to 3 on 20x20).
    seed : int, optional
        Random seed of the jigsaws (default: 0).
    max_use : int, optional
        Number of joins on which a connector may be.  The default is 2; with annealing, any number at a price.
    no_stay : bool, default False
        No piece has the same square in both assemblies.
    pixels : int, default 64
        Side length of a piece in pixels.  An even number from 8 to 512.
    weight : float, optional
        Weight of A, from 0 to 1 (default: the same for all pictures).
    grey : bool, default False
        Use no colours.
    crop : bool, default False
        Crop pictures of other shapes, keeping what matters.
    crop_a : str, optional
        Crop the first picture, and keep this part: top, bottom, left, right, two of these such as "top left", or parts
        such as 50%,30%.
    crop_b : str, optional
        Crop the second picture, and keep this part: top, bottom, left, right, two of these such as "top left", or parts
        such as 50%,30%.
    crop_c : str, optional
        Crop the third picture, and keep this part: top, bottom, left, right, two of these such as "top left", or parts
        such as 50%,30%.
    mask_a : str or Path, optional
        A grey picture, white where the first picture matters (default: what stands out).
    mask_b : str or Path, optional
        A grey picture, white where the second picture matters (default: what stands out).
    mask_c : str or Path, optional
        A grey picture, white where the third picture matters (default: what stands out).
    match : float, default 0.0
        How far the tones of the pictures are matched first, from 0, not at all, to 1.
    blend : {'seen', 'mean'}, default 'seen'
        seen (the default): choose the jigsaw and optimise the artwork for the eye.  mean: for the squared error, which
        the mean of the two tones makes least.
    curves : int, default 0
        Random seed of the curves.
    time_limit : float, default 600
        Choose among the jigsaws found in this many seconds, on the command line also 1m30s or 2h; None for no limit.
    report : callable, optional
        Called with a `Progress` now and then.

    Returns
    -------
    TwoPictures
        The jigsaw, its files, and the errors of the pictures.

    Raises
    ------
    UsageError
        If options are invalid, or no such jigsaw can exist.
    NotFoundError
        If no jigsaw was found.
    PuzzleError
        If the jigsaw, which is given or made from the best assignment, cannot show two pictures.
    InstanceError
        If a picture or the jigsaw cannot be read, or the folder cannot be written to.
    JigsatError
        If pillow, scipy or scikit-image is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import jigsat as js
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = js.pictures("cup", "ring", folder, jigsaw="perfect-5x5", pixels=8)
    >>> made.method, made.solutions, made.files[:2]
    ('given', 2, ('jigsaw.json', 'artwork.png'))
    """
    from ..render.photo.two_pictures import PictureWishes, Selection, made_pictures

    sources = (first, second) if third is None else (first, second, third)
    wishes = PictureWishes(
        sources=sources,
        masks=(mask_a, mask_b, mask_c),
        crops=(crop_a, crop_b, crop_c),
        pixels=pixels,
        weight=1 / len(sources) if weight is None else weight,
        grey=grey,
        crop=crop,
        match=match,
        blend=blend,
    )
    selection = Selection(
        rows=rows,
        columns=columns,
        method=method,
        scrambles=scrambles,
        seed=seed,
        max_use=max_use,
        no_stay=no_stay,
    )
    return made_pictures(wishes, selection, jigsaw, output, curves, time_limit, report)


@public
def preview_pictures(
    first: str | Path,
    second: str | Path,
    output: str | Path,
    *,
    rows: int,
    columns: int,
    pixels: int = 64,
    weight: float | None = None,
    grey: bool = False,
    crop: bool = False,
    crop_a: str | None = None,
    crop_b: str | None = None,
    mask_a: str | Path | None = None,
    mask_b: str | Path | None = None,
    match: float = 0.0,
) -> Foresight:
    """Foresee in seconds how well a jigsaw can show two pictures, and draw a preview.

    The preview has both assemblies side by side, with the best
    assignment of pieces to plain squares, which no jigsaw is expected to beat by much.

    Parameters
    ----------
    first, second : str or Path
        The pictures, as for `pictures`.
    output : str or Path
        The file for the preview (.png), or ``-`` for standard output.
    rows, columns : int
        The size of the jigsaw.
    pixels, weight, grey, crop, crop_a, crop_b, mask_a, mask_b, match
        As for `pictures`.

    Returns
    -------
    Foresight
        The errors to expect, a verdict, and what else would be better.

    Raises
    ------
    UsageError
        If options are invalid, or the file has another ending.
    InstanceError
        If a picture cannot be read, or the preview cannot be written.
    JigsatError
        If pillow, scipy or scikit-image is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import jigsat as js
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     seen = js.preview_pictures("cup", "ring", f"{folder}/seen.png", rows=6, columns=6, pixels=16)
    >>> seen.verdict
    'well'
    """
    from ..render.photo.two_pictures import PictureWishes, preview

    wishes = PictureWishes(
        sources=(first, second),
        masks=(mask_a, mask_b),
        crops=(crop_a, crop_b),
        pixels=pixels,
        weight=0.5 if weight is None else weight,
        grey=grey,
        crop=crop,
        match=match,
    )
    return preview(wishes, rows, columns, output)
