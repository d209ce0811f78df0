"""Artwork for a jigsaw that shows two or three pictures, and all that belongs to a jigsaw for two photos."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..csp.base.errors import UsageError, escaped, need_extra, plural
from ..csp.base.notebook import HasSummary
from ..csp.base.safe_files import move_over, refuse_same_file, replacing_bytes
from ..csp.base.stop import Progress, Report, stoppable
from ..csp.engines.request import refuse_given
from ..csp.files.instances import beside, fingerprint, read_squares
from ..csp.puzzles.board import left_over
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .cut import FEWEST_DOTS, INCH, draw_print, few_dots, length
from .laying_out import second_board_of
from .public import AnyPuzzle, public
from .view import view

if TYPE_CHECKING:
    from ..csp.work.steps import KeptSteps
    from ..models.proofs.certify_exactly import Certification
    from ..render.photo.result import Foresight, TwoPictures
    from ..render.photo.two_pictures import PictureWishes, Selection

# What reads and draws pictures; said before anything is imported that needs it.
_MODULES = "PIL", "scipy", "skimage", "threadpoolctl"


@public
def pictures(
    first: str | Path,
    second: str | Path,
    output: str | Path,
    *,
    third: str | Path | None = None,
    jigsaw: EdgeMatchingPuzzle | str | Path | None = None,
    second_board: AnyPuzzle | None = None,
    rows: int | None = None,
    columns: int | None = None,
    boards: str | Iterable[str] | None = None,
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
    second_board : EdgeMatchingPuzzle, str or Path, optional
        The same pieces on another board, on which the second picture is shown; it needs `jigsaw`.
    rows : int, optional
        Choose a jigsaw with this number of rows.
    columns : int, optional
        Choose a jigsaw with this number of columns.
    boards : str or iterable of str, optional
        Choose a jigsaw of two boards, such as 10x10,9x11.
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
    need_extra(*_MODULES)
    from ..render.photo.two_pictures import PictureWishes, Selection, made_pictures

    sources = (first, second) if third is None else (first, second, third)
    if boards is not None:
        refuse_given("is for one board; omit it, or boards", third=third, method=method, max_use=max_use)
        refuse_given("a given jigsaw has its boards; omit it", boards=jigsaw and boards)
        rows, columns = _first_of(boards, rows=rows, columns=columns, no_stay=no_stay)
    other = None
    if second_board is not None:
        refuse_given("is for one board; omit it, or second_board", third=third)
        if jigsaw is None:
            raise UsageError("is of a given jigsaw; give this, too", "second_board", "jigsaw")
        given = jigsaw if isinstance(jigsaw, EdgeMatchingPuzzle) else read_squares(jigsaw)
        other = second_board_of(given, second_board, hidden=False)
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
        rows=rows, columns=columns, method=method, scrambles=scrambles, seed=seed, max_use=max_use, no_stay=no_stay,
        two_boards=boards is not None,
    )  # fmt: skip
    return made_pictures(wishes, selection, jigsaw, output, curves, time_limit, report, second_board=other)


@public
def preview_pictures(
    first: str | Path,
    second: str | Path,
    output: str | Path,
    *,
    rows: int | None = None,
    columns: int | None = None,
    boards: str | Iterable[str] | None = None,
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
    rows, columns : int, optional
        The size of the jigsaw.
    boards : str or iterable of str, optional
        The sizes of two boards instead, such as 10x10,9x11.
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
    need_extra(*_MODULES)
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
    if boards is not None:
        rows, columns = _first_of(boards, rows=rows, columns=columns)
    if rows is None or columns is None:
        raise UsageError("give both, or two boards", "rows", "columns")
    return preview(wishes, rows, columns, output, two_boards=boards is not None)


def _first_of(boards: str | Iterable[str], **others: Any) -> tuple[int, int]:
    """The rows and columns of the first of two boards; raises UsageError for others or other options."""
    from ..csp.make.two_boards import BoardsWishes, parsed_boards

    refuse_given("there are two boards; omit it, or boards", **others)
    first = BoardsWishes(*parsed_boards(boards)).first
    return first.rows, first.columns


#: The files that `make_photo_jigsaw` adds to those of `pictures`, in the order in which to open them, and what for.
_OPENED = {
    "assembly-1.png, assembly-2.png": "look at both pictures first",
    "play.html": "play it in a browser",
    "print.pdf": "print it at 100 %, and glue it on",
    "laser.svg": "the cut lines; only this goes to the laser",
    "two-solutions.pdf": "the page that says what is proved",
    "one-on-each-board.pdf": "the page that says what is proved",
}
_LASER = "laser.svg"
_PROOF, _STATEMENTS = "certificate.drat", ("two-solutions.pdf", "one-on-each-board.pdf")
_STATEMENT = _STATEMENTS[0]
_PROOFS = tuple(f"{_PROOF}{ending}" for ending in ("", ".cnf", ".json"))
# Where the files are until all of them are finished, in the folder.
_UNFINISHED = "unfinished"
# The dots an inch beyond which no eye sees more, and the pixels that artwork has for more than a good print needs.
_MOST_DOTS, _FINE_PIXELS = 300, 6_000_000
# About the squares of a board whose size is not given, and its shortest side.
_SQUARES, _SHORTEST = 100, 4
# The part of the work that the pictures are, the one that the proof is done after them, and then the sheets.
_PICTURES, _PROVED, _SHEETS = 0.85, 0.92, 0.97


@dataclass(frozen=True, repr=False)
class PhotoJigsaw(HasSummary):
    """A jigsaw for two photos, with all that belongs to it."""

    #: The jigsaw; its first assembly shows the first photo.
    jigsaw: EdgeMatchingPuzzle
    #: What `jigsat pictures --json` says of the pictures.
    pictures: Mapping[str, Any]
    #: What is proved about the number of solutions; None if the work was ended before.
    certificate: Certification | None
    #: The folder, and its files, those to open first.
    folder: str
    files: tuple[str, ...]
    #: ``interrupt`` if Ctrl-C ended the work; the same call continues it.
    ended_by: str | None = None
    #: The second board, if it is another one; the certificate is about both.
    second: EdgeMatchingPuzzle | None = None

    @property
    def holds(self) -> bool:
        """Whether it is proved that there are exactly two solutions, or one on each of two boards."""
        return self.certificate is not None and self.certificate.proved

    def record(self) -> dict[str, Any]:
        """The record that ``jigsat make photo-jigsaw --json`` prints."""
        proved = {"proved": self.holds, "certificate": self.certificate and self.certificate.record()}
        return {**self.pictures, **proved, "files": list(self.files), "ended_by": self.ended_by}

    def summary(self, *, verbose: bool = False) -> str:
        """How many solutions there are, and what to open; with `verbose` also the other files."""
        if self.certificate is None:
            return f"interrupted; {escaped(self.folder)} has the best pictures so far; repeat the command to go on"
        suit = self.pictures["suit"]
        option = "--rows, --columns" if self.second is None else "--boards"
        more = f"; more pieces help ({option})" if suit == "fairly" else ""
        lines = [f"{self._proved()}; the photos suit each other {suit}{more}"]
        rows, opened = self._opened()
        width = max((len(names) for names, _ in rows), default=0)
        lines += [f"{names:{width}}  {why}" for names, why in rows]
        others = [name for name in self.files if name not in opened]
        return "\n".join([*lines, *([f"other files: {', '.join(others)}"] if verbose else [])])

    def _proved(self) -> str:
        """The size of the jigsaw, and its solutions."""
        assert self.certificate is not None
        jigsaw, number = self.jigsaw, len(self.certificate.solutions)
        pieces, size = plural(len(jigsaw.pieces), "piece"), f"{jigsaw.rows}x{jigsaw.columns}"
        if self.second is not None:
            told = "proved" if self.holds else "NOT PROVED"
            (spare,) = left_over(self.second.assemblies[0], len(jigsaw.pieces))
            sizes = f"{size} and {self.second.rows}x{self.second.columns}"
            return f"{sizes}, {pieces}: exactly 1 solution on each board, {told}; piece {spare + 1} is left over"
        known = {"exactly": "exactly ", "fewer": "exactly "}.get(self.certificate.answer, "at least ")
        told = f"{known}{plural(number, 'solution')}, {'proved' if self.holds else 'NOT PROVED to be exactly two'}"
        return f"{size} jigsaw, {pieces}: {told}"

    def _opened(self) -> tuple[list[tuple[str, str]], set[str]]:
        """What to open and what for, a line each; and the names of all these files."""
        rows: list[tuple[str, str]] = []
        opened: set[str] = set()
        for names, why in _OPENED.items():
            there = [each for each in self.files if each in names.split(", ") or (names == _LASER and _is_laser(each))]
            opened.update(there)
            if there:
                some = ", ".join(there) if len(there) <= 2 else f"{there[0]} to {there[-1]}"
                rows.append((escaped(str(Path(self.folder, some))), why))
                if names == _LASER and len(there) > 1:
                    rows[-1] = rows[-1][0], why.replace("only this goes", "only these go")
        return rows, opened


@public
def make_photo_jigsaw(
    first: str | Path,
    second: str | Path,
    output: str | Path | None = None,
    *,
    rows: int | None = None,
    columns: int | None = None,
    boards: str | Iterable[str] | None = None,
    name: str | None = None,
    crop_a: str | None = None,
    crop_b: str | None = None,
    mask_a: str | Path | None = None,
    mask_b: str | Path | None = None,
    weight: float = 0.5,
    grey: bool = False,
    no_stay: bool = False,
    scrambles: int | None = None,
    seed: int = 0,
    size: float | str = 25,
    page: str | None = None,
    curves: int = 0,
    overwrite: bool = False,
    time_limit: float | None = 600,
    report: Report | None = None,
) -> PhotoJigsaw:
    """Make a jigsaw that shows two photos, prove that it has exactly two solutions, and write all that belongs to it.

    The folder gets the jigsaw and its artwork, both pictures, the certificate, the print, the lines for a laser, a page
    to play it, and a page that says in plain words what is proved.  Photos of another shape are cropped: faces remain,
    and otherwise what stands out.  After Ctrl-C the same call goes on where it was.

    Parameters
    ----------
    first : str or Path
        A photo, or a bundled picture: cup, ring.
    second : str or Path
        Another one.
    output : str or Path, optional
        Write the files into this folder (default: named after the photos).
    rows : int, optional
        Rows of the jigsaw (default: as the shapes of the photos suggest, for about 100 pieces).
    columns : int, optional
        Columns of the jigsaw (default: as the shapes of the photos suggest, for about 100 pieces).
    boards : str or iterable of str, optional
        Two boards instead of rows and columns, such as 10x10,9x11, one for each photo; on the second board one piece is
        left over.
    name : str, optional
        The title on all pages and sheets.
    crop_a : str, optional
        Keep this part of the first photo: top, bottom, left, right, two of these such as "top left", or parts such as
        50%,30%.
    crop_b : str, optional
        Keep this part of the second photo: top, bottom, left, right, two of these such as "top left", or parts such as
        50%,30%.
    mask_a : str or Path, optional
        A grey picture, white where the first photo matters (default: what stands out).
    mask_b : str or Path, optional
        A grey picture, white where the second photo matters (default: what stands out).
    weight : float, default 0.5
        Weight of the first photo, from 0 to 1.
    grey : bool, default False
        Use no colours.
    no_stay : bool, default False
        No piece has the same square in both solutions.
    scrambles : int, optional
        Number of jigsaws to choose among (default: from 40 on 5x5 to 3 on 20x20).
    seed : int, default 0
        Random seed of the jigsaws.
    size : float or str, default 25
        Side length of a piece in mm.
    page : str, optional
        Size of the pages to print and cut, such as a4 or 300x200 (default: as large as needed).
    curves : int, default 0
        Random seed of the curves.
    overwrite : bool, default False
        Replace the jigsaw that is in the folder, once the new one is finished.
    time_limit : float, default 600
        Choose among the jigsaws found in this many seconds, on the command line also 1m30s or 2h; None for no limit.
    report : callable, optional
        Called with a `Progress` now and then: a note, and the part of all the work that is done.

    Returns
    -------
    PhotoJigsaw
        The jigsaw, what is proved, and the files.

    Raises
    ------
    UsageError
        If options are invalid, no such jigsaw can exist, both photos are the same, or the folder holds a jigsaw.
    NotFoundError
        If no jigsaw was found.
    InstanceError
        If a photo cannot be read, or the folder cannot be written to.
    JigsatError
        If a library that pictures need is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import jigsat as js
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = js.make_photo_jigsaw("cup", "ring", folder, rows=4, columns=4, scrambles=1, size=13)
    >>> made.holds, made.files[:3]
    (True, ('assembly-1.png', 'assembly-2.png', 'play.html'))
    """
    need_extra(*_MODULES, "reportlab")
    from ..csp.work.steps import keep_steps, kept_head
    from ..render.photo.files import made_folder
    from ..render.photo.two_pictures import PIXELS, PictureWishes, Selection

    side = length("size", size) or 0.0
    # Sizes that do not suit are refused at once, as for any other jigsaw.
    draw_print(replace(read_squares("perfect-3x3"), name="the jigsaw"), size=side, page=page, sheets="cut")
    if boards is not None:
        rows, columns = _first_of(boards, rows=rows, columns=columns, no_stay=no_stay)
    folder = Path(f"{Path(first).stem}-and-{Path(second).stem}" if output is None else output)
    _refuse_finished(folder, overwrite, first, second, mask_a, mask_b)
    rows, columns, coarse, finest = _board_for(first, second, rows, columns, side, two_boards=boards is not None)
    # As many dots as a good print has at least; more if a photo has them.
    least, most = (2 * ceil(dots * side / INCH / 2) for dots in (FEWEST_DOTS, _MOST_DOTS))
    most = min(most, finest, int(sqrt(_FINE_PIXELS / max(rows * columns, 1))))
    pixels = min(max(least, most // 2 * 2, PIXELS[0]), PIXELS[1])
    wishes = PictureWishes(
        sources=(first, second), masks=(mask_a, mask_b, None), crops=(crop_a, crop_b, None), pixels=pixels,
        weight=weight, grey=grey, crop=True, match=0.0,
    )  # fmt: skip
    selection = Selection(
        rows=rows, columns=columns, method=None, scrambles=scrambles, seed=seed, max_use=None, no_stay=no_stay,
        two_boards=boards is not None,
    )  # fmt: skip
    with made_folder(folder), made_folder(folder / _UNFINISHED) as work:
        for warning in coarse:
            warnings.warn(warning, UserWarning, stacklevel=3)
        head = {"work": "photo jigsaw", **_everything(wishes, selection, curves)}
        # A stopped run with other photos or options is not continued.
        is_same = {**kept_head(folder / _STATEMENT), **head} == kept_head(folder / _STATEMENT)
        with keep_steps(folder / _STATEMENT, head, resume=is_same, overwrite=not is_same) as kept:
            told, puzzles = _shown(wishes, selection, work, curves, time_limit, report, kept)
            jigsaw, *others = puzzles
            other = others[0] if others else None
            found = None if told["ended_by"] == "interrupt" else _proved(puzzles, work, report)
            kept.complete = found is not None and found.ended_by is None
            if found is None or not kept.complete:
                files = tuple(name for name in told["files"] if (work / name).exists())
                return PhotoJigsaw(jigsaw, told, None, str(work), files, "interrupt", other)
            sheets = _write_sheets(puzzles, work, side, page, curves, name, report)
            statement = _write_statement(puzzles, found, work, name, report)
            proofs = [each for each in (*_PROOFS, *_second_proofs(other)) if (work / each).exists()]
            files = _in_order([*told["files"], *sheets, *statement, *proofs])
            _finish(work, folder, files)
    told = {**told, "folder": str(folder)}
    return PhotoJigsaw(jigsaw, told, found, str(folder), files, None, other)


def _is_laser(name: str) -> bool:
    """Whether a file has lines for a laser, of one page or several."""
    return name == _LASER or (name.startswith("laser-") and name.endswith(".svg"))


def files_left(folder: Path) -> list[str]:
    """The files in the folder that this work has written, or would replace."""
    from ..render.photo.files import ALL_FILES, of_second

    known = {*(each for names in _OPENED for each in names.split(", ")), *ALL_FILES, *_PROOFS, *of_second(folder)}
    there = [each.name for each in folder.iterdir()] if folder.is_dir() else []
    return sorted(name for name in there if name in known or _is_laser(name))


def _refuse_finished(folder: Path, overwrite: bool, *read: str | Path | None) -> None:
    """Raise UsageError if the folder holds a jigsaw that is not to be replaced, or InstanceError if it is read from."""
    left = files_left(folder)
    if left and not overwrite:
        name = "jigsaw.json" if "jigsaw.json" in left else left[0]
        why = f"{folder} holds a jigsaw ({name}); give another -o, or --overwrite to replace it"
        raise UsageError(why, "output")
    for name in left:
        refuse_same_file(folder / name, *read)


def _in_order(files: Sequence[str]) -> tuple[str, ...]:
    """The names of the files, those to open first."""
    opened = [each for names in _OPENED for each in names.split(", ")]
    places = {
        name: opened.index(_LASER if _is_laser(name) else name) for name in files if name in opened or _is_laser(name)
    }
    return tuple(sorted(files, key=lambda name: places.get(name, len(opened))))


def _finish(work: Path, folder: Path, files: Sequence[str]) -> None:
    """Move the finished files into the folder, in which none of an earlier jigsaw stays."""
    for name in files_left(folder):
        if name not in files:
            (folder / name).unlink(missing_ok=True)
    for name in files:
        move_over(work / name, folder / name)
    for name in files_left(work):
        (work / name).unlink(missing_ok=True)
    with suppress(OSError):  # of a file that is not ours
        work.rmdir()


def _board_for(
    first: str | Path,
    second: str | Path,
    rows: int | None,
    columns: int | None,
    size: float,
    *,
    two_boards: bool,
) -> tuple[int, int, list[str], int]:
    """The size of the board, as given or between the shapes of both photos, and warnings of coarse photos.

    The last number is that of the pixels that the finer photo has for the side of a piece.
    """
    from ..csp.files.picture_files import whole_image

    photos = [whole_image(str(source)) for source in (first, second)]
    small = [np.asarray(photo.convert("RGB").resize((16, 16))).astype(int) for photo in photos]
    if photos[0].size == photos[1].size and abs(small[0] - small[1]).max() <= 1:
        raise UsageError(f"{first} and {second}: are the same picture; give two different ones")
    shape = sqrt(photos[0].width * photos[1].width / (photos[0].height * photos[1].height))
    if rows is None:
        rows = max(round(sqrt(_SQUARES / shape) if columns is None else columns / shape), _SHORTEST)
    if columns is None:
        columns = max(round(rows * shape), _SHORTEST)
    if min(rows, columns) < 1 or size <= 0:
        return rows, columns, [], 0
    sizes = (rows, columns), (rows - two_boards, columns + two_boards)
    each = list(zip((first, second), photos, sizes, strict=True))
    found = [few_dots(str(source), photo.size, *board, size) for source, photo, board in each]
    finest = max(min(photo.width // board[1], photo.height // board[0]) for _, photo, board in each)
    return rows, columns, [warning for warning in found if warning is not None], finest


def _everything(wishes: PictureWishes, selection: Selection, curves: int) -> dict[str, Any]:
    """All that the pictures depend on, for the journal."""
    from dataclasses import asdict

    from ..csp.files.picture_files import path_of

    read = [each for each in (*wishes.sources, *wishes.masks) if each is not None]
    digests = [hashlib.sha256(path_of(str(each)).read_bytes()).hexdigest() for each in read]
    options = {**asdict(wishes), **asdict(selection), "curves": curves}
    plain = {key: value for key, value in options.items() if key not in ("sources", "masks", "crops")}
    return {**plain, "crops": list(wishes.crops), "sha256": hashlib.sha256("".join(digests).encode()).hexdigest()}


def _shown(
    wishes: PictureWishes,
    selection: Selection,
    folder: Path,
    curves: int,
    time_limit: float | None,
    report: Report | None,
    kept: KeptSteps,
) -> tuple[Mapping[str, Any], tuple[EdgeMatchingPuzzle, ...]]:
    """The record of the pictures, and the jigsaw with each of its boards, made now or in the run that is continued."""
    from ..render.photo.two_pictures import made_pictures

    for entry in kept.earlier:
        told = entry.get("pictures")
        if told is not None and all((folder / name).exists() for name in told["files"]):
            puzzles = tuple(read_squares(folder / each) for each in told["files"] if each.endswith(".json"))
            if fingerprint(puzzles[0]) == entry["sha256"]:
                return told, puzzles
    made = made_pictures(wishes, selection, None, folder, curves, time_limit, _part(report, 0, _PICTURES), kept)
    ended_by = "interrupt" if "interrupt" in (made.ended_by, made.counting_ended_by) else made.ended_by
    told = {**made.record(), "ended_by": ended_by}
    if ended_by != "interrupt":
        kept.add({"pictures": told, "sha256": fingerprint(made.jigsaw)}, now=True)
    return told, (made.jigsaw,) if made.second is None else (made.jigsaw, made.second)


def _proved(puzzles: Sequence[EdgeMatchingPuzzle], folder: Path, report: Report | None) -> Certification:
    """What is proved: that there are two solutions, or one on each of two boards."""
    from ..models.proofs.certify_exactly import certify_boards, certify_exactly

    with stoppable(report=_part(report, _PICTURES, _PROVED)) as stop:
        if len(puzzles) == 1:
            return certify_exactly(puzzles[0], 2, proof=folder / _PROOF, overwrite=True, stop=stop)
        return certify_boards(puzzles[0], puzzles[1], 1, proof=folder / _PROOF, stop=stop)


def _second_proofs(second: EdgeMatchingPuzzle | None) -> list[str]:
    """The names of the proof of a second board, and of its formula."""
    return [] if second is None else [f"{beside(_PROOF, second.board)}{ending}" for ending in ("", ".cnf")]


def _write_sheets(
    puzzles: Sequence[EdgeMatchingPuzzle],
    folder: Path,
    size: float,
    page: str | None,
    curves: int,
    name: str | None,
    report: Report | None,
) -> list[str]:
    """The lines for a laser, the print with its backs, and the page to play; returns the names of the files."""
    if report is not None:
        report(Progress(note="the print, the lines to cut and the page to play", done=_PROVED))
    artwork = folder / "artwork.png"
    second = puzzles[1] if len(puzzles) > 1 else None
    how: dict[str, Any] = {"size": size, "page": page, "curves": curves, "name": name, "image": artwork}
    sheets = draw_print(puzzles[0], **how, sheets="cut,print,back", second_board=second)
    written: list[str] = []
    for file, cut in ((_LASER, True), ("print.pdf", False)):
        some = replace(sheets, sheets=tuple(sheet for sheet in sheets.sheets if sheet.is_cut is cut))
        written += [Path(each.path).name for each in some.save(folder / file)]
    view(
        puzzles[0], None, folder / "play.html", play=True, image=artwork, curves=curves, name=name, second_board=second
    )
    return ["play.html", *written]


def _write_statement(
    puzzles: Sequence[EdgeMatchingPuzzle],
    certified: Certification,
    folder: Path,
    name: str | None,
    report: Report | None,
) -> list[str]:
    """The page about the two solutions, if they are proved; returns the name of the file, if it is written."""
    from PIL import Image

    from ..render.photo.statement import Statement, statement_pdf

    if not certified.proved:
        return []
    if report is not None:
        report(Progress(note="the page about the two solutions", done=_SHEETS))
    path, second = _STATEMENTS[len(puzzles) - 1], puzzles[1] if len(puzzles) > 1 else None
    files = ["jigsaw.json", *_PROOFS[:2]]
    files += [] if second is None else [beside("jigsaw.json", second.board).name, *_second_proofs(second)]
    pictures = [np.asarray(Image.open(folder / f"assembly-{number}.png").convert("RGB")) for number in (1, 2)]
    proofs = [each.proof for each in (certified, certified.second) if each is not None and each.proof is not None]
    page = statement_pdf(
        Statement(
            puzzles[0].name if name is None else name, [(each.rows, each.columns) for each in puzzles],
            None if second is None else left_over(second.assemblies[0], len(second.pieces))[0] + 1,
            (pictures[0], pictures[1]), sum(each["lemmas"] for each in proofs), proofs[0]["checkers"],
            f"jigsat certify jigsaw.json --verify {_PROOFS[2]}",
            {each: hashlib.sha256((folder / each).read_bytes()).hexdigest() for each in files},
        )
    )  # fmt: skip
    with replacing_bytes(folder / path) as file:
        file.write(page)
    return [path]


def _part(report: Report | None, begin: float, end: float) -> Report | None:
    """A report of a stage of the work, as one of all of it; what is done never shrinks."""
    if report is None:
        return None
    most = begin

    def tell(progress: Progress) -> None:
        nonlocal most
        most = max(most, begin + (end - begin) * progress.done)
        report(replace(progress, done=most))

    return tell
