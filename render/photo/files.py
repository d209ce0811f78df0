"""The files for pictures: reading and cropping them, and writing the jigsaw, its artwork and the moves of its pieces.

Pictures are cropped to places in words or parts, such as `top`, `bottom left`, `50%,30%`, or by what matters.  A third
part, such as in `50%,30%,80%`, is that of the width and height that could be used.
"""

import io
import re
import struct
import warnings
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ...csp.base.errors import InstanceError, UsageError
from ...csp.base.safe_files import replacing, replacing_bytes, writing
from ...csp.files.instances import beside, save
from ...csp.files.picture_files import Picture, read_image, whole_image
from ...csp.puzzles.board import Board, left_over
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .pixels import Artwork, Integers, Tabs, outlined, owners, side_by_side

if TYPE_CHECKING:
    from ...csp.files.picture_files import Crop


def read_picture(
    source: str | Path, rows: int, columns: int, pixels: int, *, grey: bool = False, crop: "Crop | None" = None
) -> Picture:
    """Read a picture for a board whose pieces have sides of `pixels` pixels, as `read_image` does."""
    picture = read_image(source, rows, columns, crop=crop)
    sized = picture.convert("L" if grey else "RGB").resize((columns * pixels, rows * pixels), Image.Resampling.LANCZOS)
    return np.array(sized).reshape(rows * pixels, columns * pixels, -1)


def write_picture(picture: Picture, path: str | Path) -> None:
    """Write a picture as a PNG file."""
    with replacing_bytes(path) as file:
        Image.fromarray(picture[..., 0] if picture.shape[2] == 1 else picture).save(file, "PNG")


_PLACES = {"left": (0, None), "right": (1, None), "top": (None, 0), "bottom": (None, 1), "middle": (None, None)}
# The parts in which what matters is measured across and down, and sums that count as equal.
_CELLS, _NEARLY = 256, 0.002
# How much more what is high up in a portrait matters than what is low down.
_UPPER = np.linspace(1.3, 0.7, _CELLS, dtype=np.float32)[:, None]


# The least part of the width and height that could be used.
_LEAST_PART = 0.05


def crop_position(text: str, option: str) -> tuple[float, float, float]:
    """What remains of a cropped picture: from 0, its left and its upper end, to 1; ``top`` is (0.5, 0, 1).

    The last number is the part of the width and height that could be used.
    """
    number = r"\s*(\d{1,3}(?:\.\d+)?)%\s*"
    if parts := re.fullmatch(f"{number},{number}(?:,{number})?", text, re.ASCII):
        across, down, part = (float(one) / 100 for one in parts.groups("100"))
        if max(across, down, part) <= 1 and part >= _LEAST_PART:
            return across, down, part
    words = text.split()
    if 0 < len(words) <= 2 and all(word in _PLACES for word in words):
        across, down = ([_PLACES[word][i] for word in words if _PLACES[word][i] is not None] for i in range(2))
        if len(across) < 2 and len(down) < 2:
            return float(across[0] if across else 0.5), float(down[0] if down else 0.5), 1.0
    known = "top, bottom, left, right, middle, two of these such as 'top left', or parts such as 50%,30%"
    raise UsageError(f"{text!r} is no position; choose {known}", option)


def crop_for(
    crop: bool, place: str | None, option: str = "crop_at", mask: str | Path | None = None, label: object | None = None
) -> "Crop | None":
    """How to crop a picture: to the place, or by what is bright in a mask (a file), or else stands out.

    With a `label` a warning says how much is cut off.
    """
    if place is None and not crop:
        return None
    fixed = None if place is None else crop_position(place, option)

    def cropped(picture: Image.Image, used: tuple[int, int]) -> tuple[float, float, float]:
        across, down, part = (*_by_what_matters(picture, used, mask), 1.0) if fixed is None else fixed
        if label is not None:
            kept = round(used[0] * part), round(used[1] * part)
            _warn_of_rim(str(label), picture.size, kept, (across, down))
        return across, down, part

    return cropped


def _warn_of_rim(label: str, size: tuple[int, int], used: tuple[int, int], at: tuple[float, float]) -> None:
    """Warn of what is cut off of a picture, in percent of its width or height."""
    for length, kept, begin, what, ends in zip(size, used, at, ("width", "height"), (_ACROSS, _DOWN), strict=True):
        lost = 100 * (length - kept) / length
        if lost >= 1:
            first = lost * begin
            where = f"{first:.0f} % at the {ends[0]} and {lost - first:.0f} % at the {ends[1]}"
            warnings.warn(f"{label}: {lost:.0f} % of its {what} is cut off, {where}", UserWarning, stacklevel=2)


def small_photo(source: str) -> tuple[str, str]:
    """A photograph of at most 900 pixels each way, as an address, and the place that matters most in it."""
    picture, content = whole_image(source), io.BytesIO()
    picture.thumbnail((900, 900))
    picture.save(content, "JPEG", quality=85)
    across, down = _by_what_matters(picture, (min(picture.size), min(picture.size)), None)
    address = f"data:image/jpeg;base64,{b64encode(content.getvalue()).decode()}"
    return address, f"{100 * across:.1f}%,{100 * down:.1f}%"


# The ends of a picture, across and down.
_ACROSS, _DOWN = ("left", "right"), ("top", "bottom")


def _by_what_matters(picture: Image.Image, used: tuple[int, int], mask: str | Path | None) -> tuple[float, float]:
    """Where the part that holds most of what matters lies, the nearer to its middle the better: faces above all."""
    from .eye import found_importance

    # A mask of another shape than the picture is stretched to it.
    judged = picture if mask is None else whole_image(str(mask))
    tones = np.asarray(judged.convert("L").resize((_CELLS, _CELLS), Image.Resampling.BOX), np.float32)
    weights = tones if mask is not None else found_importance(tones[..., None]) + _faces(picture)
    if mask is None and picture.height > picture.width:
        # Where people stand, their heads are above the middle.
        weights *= _UPPER
    across = _best_start(weights.sum(axis=0), used[0] / picture.width)
    return across, _best_start(weights.sum(axis=1), used[1] / picture.height)


# The longer side in pixels of a picture in which faces are looked for, their least side there, and how much more
# they matter than all the rest together.
_FACES_IN, _LEAST_FACE, _FACES_MATTER = 320, 24, 4


def _faces(picture: Image.Image) -> NDArray[np.float32]:
    """The weights of faces in the cells of a picture, found by scikit-image's detector of frontal faces."""
    from skimage.data import lbp_frontal_face_cascade_filename
    from skimage.feature import Cascade

    small = picture.convert("L")
    small.thumbnail((_FACES_IN, _FACES_IN))
    weights = np.zeros((_CELLS, _CELLS), np.float32)
    if min(small.size) <= _LEAST_FACE:
        return weights
    least, most = (_LEAST_FACE, _LEAST_FACE), (min(small.size), min(small.size))
    for face in Cascade(lbp_frontal_face_cascade_filename()).detect_multi_scale(np.asarray(small), 1.2, 1, least, most):
        top, bottom = (_CELLS * end // small.height for end in (face["r"], face["r"] + face["height"]))
        left, right = (_CELLS * end // small.width for end in (face["c"], face["c"] + face["width"]))
        weights[top:bottom, left:right] = 1
    return weights * (_FACES_MATTER * _CELLS**2 / max(weights.sum(), 1))


def _best_start(weights: NDArray[np.float32], part: float) -> float:
    """Where the best part of a line of cells begins, from 0 to 1; in doubt, as near to the middle as can be."""
    length = min(max(1, round(part * _CELLS)), _CELLS)
    most = _CELLS - length
    if most == 0:
        return 0.5
    sums = np.convolve(weights, 1 - np.linspace(-1, 1, length) ** 2 / 2, "valid")
    best = np.flatnonzero(sums >= sums.max() * (1 - _NEARLY))
    return float(best[np.argmin(abs(best - most / 2))] / most)


#: The largest side of a picture, so that the numbers of a map distinguish neighbouring pixels.
MOST_LENGTH = 2**15


def write_table(puzzle: EdgeMatchingPuzzle, path: str | Path, number: int = 2) -> None:
    """Write the position of each piece in the first assemblies of a jigsaw: a CSV file with a line for each piece.

    Pieces, rows and columns are numbered from 1; rotations are clockwise quarter turns of the piece, and a turn is the
    difference of its rotations in the first assembly and another one.
    """
    lies = _lies(puzzle, number)
    columns = [f"{name}_{each + 1}" for each in range(number) for name in ("square", "row", "column", "rotation")]
    turns = ["turn", *(f"turn_{each + 1}" for each in range(2, number))]
    with replacing(path) as file:
        file.write(",".join(["piece", *columns, *turns]) + "\n")
        for piece in range(len(puzzle.pieces)):
            cells: list[object] = [piece + 1]
            for square, rotation in (where[piece] for where in lies):
                row, column = divmod(square, puzzle.columns)
                cells += [puzzle.board.name(square), row + 1, column + 1, rotation]
            cells += [_turn(lies, piece, other) for other in range(1, number)]
            file.write(",".join(map(str, cells)) + "\n")


def _lies(puzzle: EdgeMatchingPuzzle, number: int) -> list[dict[int, tuple[int, int]]]:
    return [
        {placed.piece: (square, placed.rotation) for square, placed in enumerate(assembly) if placed is not None}
        for assembly in puzzle.assemblies[:number]
    ]


def _turn(lies: list[dict[int, tuple[int, int]]], piece: int, other: int) -> int:
    return (lies[other][piece][1] - lies[0][piece][1]) % 4


def write_map(
    puzzle: EdgeMatchingPuzzle, there: Integers, pixels: int, tabs: Tabs, path: str | Path, other: int = 1
) -> None:
    """Write the position of each pixel of the first assembly in another: a PNG file with three channels of 16 bits.

    The other one has the index `other`.  Red is the column in it plus a half, in 65536ths of the width; green is the
    row plus a half, in 65536ths of the height, both rounded down; blue is 16384 times the clockwise quarter turns.  The
    column is red times the width over 65536, rounded down; the row follows in the same way from green and the height.
    """
    with replacing_bytes(path) as file:
        file.writelines(png16(uv_map(puzzle, there, pixels, tabs, other)))


def uv_map(puzzle: EdgeMatchingPuzzle, there: Integers, pixels: int, tabs: Tabs, other: int = 1) -> NDArray[np.uint16]:
    """The numbers that `write_map` writes, an array of rows, columns and three channels."""
    height, width = puzzle.rows * pixels, puzzle.columns * pixels
    found = np.empty((height, width, 3), np.uint16)
    found[..., 0] = _in_parts(there % width, width).reshape(height, width)
    found[..., 1] = _in_parts(there // width, height).reshape(height, width)
    lies = _lies(puzzle, other + 1)
    turns = np.array([_turn(lies, piece, other) for piece in range(len(puzzle.pieces))])
    found[..., 2] = 16384 * turns[owners(puzzle, puzzle.assemblies[0], pixels, tabs)]
    return found


def _in_parts(places: Integers, length: int) -> Integers:
    return (2 * places + 1) * 2**15 // length


_BYTES = 6  # of a pixel


def png16(samples: NDArray[np.uint16]) -> Iterator[bytes]:
    """The parts of a PNG file, for an array of rows, columns and three channels."""
    height, width, _ = samples.shape
    yield b"\x89PNG\r\n\x1a\n"
    yield _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0))
    plain = samples.astype(">u2").reshape(height, -1).view(np.uint8)
    # The PNG filter Sub: its number, then the difference of each byte from that of the previous pixel.
    rows = np.insert(plain, 0, 1, axis=1)
    rows[:, 1 + _BYTES :] -= plain[:, :-_BYTES]
    yield _chunk(b"IDAT", zlib.compress(rows.data, 9))
    yield _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


# The names of the puzzle of a second board, and of its proof and formula.
_OF_SECOND = re.compile(r"(jigsaw-\d+x\d+\.json|certificate-\d+x\d+\.drat(\.cnf)?)")


def file_names(number: int, second: Board | None = None) -> tuple[str, ...]:
    """The files that are written into the folder for that many pictures, or for two of which one has a second board."""
    if second is not None:
        return "jigsaw.json", beside("jigsaw.json", second).name, "artwork.png", "assembly-1.png", "assembly-2.png"
    assemblies = [f"assembly-{each}.png" for each in range(1, number + 1)]
    maps = ["uv-map.png", *(f"uv-map-{each}.png" for each in range(3, number + 1))]
    return ("jigsaw.json", "artwork.png", *assemblies, "mapping.csv", *maps)


#: All files that may be written for one board, and of which an earlier run may have left some.
ALL_FILES = file_names(3)


def of_second(folder: Path) -> list[str]:
    """The files of a second board that are in a folder."""
    return [each.name for each in folder.glob("*-*") if _OF_SECOND.fullmatch(each.name)]


@contextmanager
def made_folder(name: str | Path) -> Iterator[Path]:
    """A context with a folder, which is made if it does not exist, and removed if nothing comes into it."""
    if str(name) in ("", "-"):
        raise UsageError(f"{str(name)!r} is not the name of a folder; give one, because several files are written")
    folder = Path(name)
    try:
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise InstanceError(f"{folder}: is not a folder; give an existing or a new folder") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InstanceError(f"{folder}: cannot be made: {reason}") from error
    try:
        yield folder
    finally:
        with suppress(OSError):  # one that is not empty, as it should be
            for each in new:
                each.rmdir()


def write_files(
    folder: Path,
    puzzle: EdgeMatchingPuzzle,
    artwork: Artwork,
    pixels: int,
    tabs: Tabs,
    second: EdgeMatchingPuzzle | None = None,
) -> None:
    """Write all files, with `pixels` pixels for the side of a piece; remove others of an earlier run before.

    `second` is the second board of a jigsaw of two boards.
    """
    number = len(artwork.shown)
    for name in (*ALL_FILES, *of_second(folder)):
        if name not in file_names(number, second and second.board):
            with writing(folder / name):
                (folder / name).unlink(missing_ok=True)
    if second is not None:
        _write_boards(folder, puzzle, second, artwork, pixels, tabs)
        return
    jigsaw, picture, *others = (folder / name for name in file_names(number))
    save(puzzle, jigsaw)
    write_picture(artwork.shown[0], picture)
    for shown, assembly, path in zip(artwork.shown, puzzle.assemblies, others, strict=False):
        write_picture(outlined(shown, owners(puzzle, assembly, pixels, tabs)), path)
    write_table(puzzle, others[number], number)
    for other, path in enumerate(others[number + 1 :], start=1):
        write_map(puzzle, artwork.there[other - 1], pixels, tabs, path, other)


def _write_boards(
    folder: Path, puzzle: EdgeMatchingPuzzle, second: EdgeMatchingPuzzle, artwork: Artwork, pixels: int, tabs: Tabs
) -> None:
    """Write the files of a jigsaw of two boards; the piece that is left over lies beside the second picture."""
    one, other = artwork.shown
    save(puzzle, folder / "jigsaw.json")
    save(second, folder / beside("jigsaw.json", second.board))
    write_picture(one, folder / "artwork.png")
    owner = owners(puzzle, puzzle.assemblies[0], pixels, tabs)
    write_picture(outlined(one, owner), folder / "assembly-1.png")
    (spare,) = left_over(second.assemblies[0], len(puzzle.pieces))
    shown = outlined(other, owners(second, second.assemblies[0], pixels, tabs))
    write_picture(side_by_side([shown, _alone(one, owner == spare, pixels)]), folder / "assembly-2.png")


def _alone(artwork: Picture, mask: NDArray[np.bool_], pixels: int) -> Picture:
    """A piece alone, in the middle of a white square with twice its side, with a dark outline."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    part = np.ix_(range(rows[0], rows[-1] + 1), range(columns[0], columns[-1] + 1))
    owner = np.full((2 * pixels, 2 * pixels), -1, np.int32)
    top, left = ((2 * pixels - len(each)) // 2 for each in (rows, columns))
    window = slice(top, top + len(rows)), slice(left, left + len(columns))
    owner[window][mask[part]] = 0
    square = np.full((*owner.shape, artwork.shape[2]), 255, np.uint8)
    square[window][mask[part]] = artwork[part][mask[part]]
    return outlined(square, owner)
