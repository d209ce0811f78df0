"""Renderings of jigsaws on a table."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ...csp.base.errors import UsageError, need_extra
from ...csp.base.safe_files import replacing_bytes
from ...csp.base.stop import Report
from ...csp.files.file_format import format_for
from ...csp.files.instances import Puzzle, require_jigsaw
from ...csp.files.solutions import Solutions
from .workshop.laying_out import board_to_lay, crop_asked, tell

if TYPE_CHECKING:
    from PIL.Image import Image

#: The formats of renderings, with the endings of their files.
PHOTO_FORMATS = {"PNG": (".png",), "JPEG": (".jpg", ".jpeg")}
_QUALITY, _PIXELS, _MOST_PIXELS = 90, 96, 100_000_000


@dataclass(frozen=True)
class Photo:
    """A rendering of a jigsaw; notebooks display it."""

    #: The picture.
    image: "Image"

    def save(self, path: str | Path) -> None:
        """Write the rendering to a file that ends in ``.png`` or ``.jpg``; ``-`` is standard output, a PNG file.

        Raises UsageError if the ending is another one. Raises InstanceError if the file cannot be written.
        """
        content = self._encoded(photo_kind(path))
        with replacing_bytes(path) as file:
            file.write(content)

    def _encoded(self, kind: str) -> bytes:
        content = BytesIO()
        self.image.save(content, kind, quality=_QUALITY)
        return content.getvalue()

    def _repr_png_(self) -> bytes:
        return self._encoded("PNG")


def draw_photo(
    puzzle: Puzzle,
    solution: Solutions | None = None,
    *,
    number: int | None = None,
    loose: int | None = None,
    pixels: int | None = None,
    seed: int | None = None,
    curves: int | None = None,
    image: str | Path | None = None,
    crop: bool = False,
    crop_at: str | None = None,
    report: Report | None = None,
) -> Photo:
    """Render a jigsaw as it lies on a table, as ``jigsat photo`` does.

    Parameters
    ----------
    puzzle, solution, number, curves
        As for `draw_print`.
    loose : int, optional
        The number of pieces that are not yet in place, by default 0.
    pixels : int, optional
        The side of a piece in pixels, by default 96.
    seed : int, optional
        The random seed of the positions of the loose pieces.
    image : str or Path, optional
        The artwork on the first assembly.
    crop : bool, default False
        Whether to crop the picture to the shape of the board, where most of what stands out remains.
    crop_at : str, optional
        Crop the picture, and keep this part: ``top``, ``bottom left``, ``50%,30%``.
    report : callable, optional
        Called with a `Progress` that names the current step.

    Returns
    -------
    Photo
        The rendering.  Notebooks display it; its method `save` writes it.

    Raises
    ------
    InstanceError
        If the puzzle is not a jigsaw, or there is no assembly to lay out.
    UsageError
        If an option is out of range, or there is artwork but the jigsaw has no assembly to place it on.
    JigsatError
        If a library that pictures need is not installed.

    Examples
    --------
    >>> from jigsat import read
    >>> draw_photo(read("perfect-3x3"), pixels=20, loose=2).save("photo.png")
    """
    need_extra("PIL", "scipy")
    from ...csp.files.picture_files import CROP_HINT, read_image
    from ...render.cut.family import cut_of
    from ...render.photo.photo import LEAST_PIXELS, MOST_PIXELS, area, photo

    jigsaw = require_jigsaw(puzzle, "tabs")
    length = _PIXELS if pixels is None else pixels
    if not LEAST_PIXELS <= length <= MOST_PIXELS:
        raise UsageError(f"{length}: must be from {LEAST_PIXELS} to {MOST_PIXELS}", "pixels")
    board = board_to_lay(jigsaw, solution, number)
    if loose is not None and not 0 <= loose <= len(board):
        raise UsageError(f"{loose}: the jigsaw has {len(board)} pieces; give from 0 to {len(board)}", "loose")
    if area(jigsaw, length, loose or 0, seed or 0) > _MOST_PIXELS:
        beside = f", {loose} of them loose" if loose else ""
        raise UsageError(f"{length}: is too much for {len(board)} pieces{beside}; give fewer pixels", "pixels")
    how = crop_asked(image, crop, crop_at)
    artwork = None
    if image is not None:
        if not jigsaw.assemblies:
            raise UsageError(f"{jigsaw.name} has no assembly to place the picture on", "image")
        artwork = read_image(image, jigsaw.rows, jigsaw.columns, crop=how, hint=CROP_HINT)
    tell(report, "curves")
    cut = cut_of(jigsaw, curves or 0)
    options = {"pixels": length, "loose": loose or 0, "seed": seed or 0}
    return Photo(photo(jigsaw, cut, board, artwork, report=lambda note: tell(report, note), **options))


def photo_kind(path: str | Path) -> str:
    """The format of a rendering, ``PNG`` or ``JPEG``, by the ending of its file; errors are those of `Photo.save`."""
    return format_for(path, PHOTO_FORMATS, "PNG")
