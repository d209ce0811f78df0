"""A picture cut into pieces that lie in the order of their numbers, so that the page does not hold it in one piece."""

from base64 import b64encode
from collections.abc import Sequence
from io import BytesIO
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ...csp.puzzles.board import Arrangement
from ..cut.tabs import SIDE, Point, flattened, turned

if TYPE_CHECKING:
    from PIL.Image import Image

# The largest side of a piece in pixels, of all pieces in a row, and the room around a square for tabs, in sides.
_LARGEST, _LONGEST, _ROOM = 160, 1600, 0.36
_STEPS, _EDGE = 8, 5


class Scattered(NamedTuple):
    """A picture with a square tile for each piece in rotation 0, row by row.

    Parameters
    ----------
    uri
        The picture as a data URI.
    columns, rows
        The numbers of tiles across and down.
    side
        The side of a tile, as a multiple of the side of a piece.
    """

    uri: str
    columns: int
    rows: int
    side: float


def scattered(picture: "Image", board: Arrangement, columns: int, outlines: Sequence[Sequence[Point]]) -> Scattered:
    """Cut a picture along the outlines of the pieces.

    Parameters
    ----------
    picture
        The picture as it lies on the board.
    board
        The board that it covers.
    columns
        The number of columns of the board.
    outlines
        The outline of each piece in rotation 0; those that are not on the board get a plain colour.
    """
    from PIL import Image, ImageDraw, ImageFilter

    rows = len(board) // columns
    cell = min(_LARGEST, _LONGEST // max(rows, columns))
    room = ceil(_ROOM * cell)
    tile, across = cell + 2 * room, ceil(sqrt(len(outlines)))
    down = ceil(len(outlines) / across)
    spread = _with_room(picture.resize((cell * columns, cell * rows)), room)
    plain = spread.resize((1, 1)).getpixel((0, 0))
    atlas = Image.new("RGB", (across * tile, down * tile), plain)
    for square, placed in enumerate(board):
        assert placed is not None
        row, column = divmod(square, columns)
        part = spread.crop((column * cell, row * cell, column * cell + tile, row * cell + tile))
        mask = Image.new("L", part.size)
        path = flattened(turned(outlines[placed.piece], placed.rotation), _STEPS) * (cell / SIDE) + room
        ImageDraw.Draw(mask).polygon([(x, y) for x, y in path.tolist()], fill=255)
        own = Image.new("RGB", part.size, plain)
        own.paste(part, mask=mask.filter(ImageFilter.MaxFilter(_EDGE)))
        # Pillow turns anticlockwise, which takes the clockwise rotation of the piece back.
        place = placed.piece % across * tile, placed.piece // across * tile
        atlas.paste(own.rotate(90 * placed.rotation), place)
    file = BytesIO()
    atlas.save(file, "JPEG", quality=88)
    uri = f"data:image/jpeg;base64,{b64encode(file.getvalue()).decode()}"
    return Scattered(uri, across, down, tile / cell)


def _with_room(picture: "Image", room: int) -> "Image":
    """The picture with plain edges of that width, which no piece shows."""
    from PIL import ImageOps

    return ImageOps.expand(picture, room)
