"""Renderings of jigsaws on a table, with bevelled edges, shadows and loose pieces."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy.ndimage import gaussian_filter

from ...csp.base.seeded_random import Chance, mixed
from ...csp.puzzles.board import Arrangement, Board, Placement, left_over
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..cut.family import Cut
from ..cut.tabs import SIDE, flattened, outline
from ..svg.palette import plain_fill

Floats = NDArray[np.float64]

#: The least pixels of a side that show a tab, and the most that fit into a picture.
LEAST_PIXELS, MOST_PIXELS = 16, 400
# As fractions of a side: the largest height of a tab, and the thickness of the cardboard.
_REACH, _THICKNESS = 0.4, 0.045
_CARDBOARD = (176, 150, 118)
# Outlines are drawn larger by this factor and then reduced, so that their edges are smooth.
_FINE = 4


@dataclass(frozen=True)
class _Place:
    """The place of a piece: its centre in pixels, and its clockwise rotation in degrees."""

    x: float
    y: float
    angle: float


def photo(
    puzzle: EdgeMatchingPuzzle,
    cut: Cut,
    arrangement: Arrangement,
    artwork: Image.Image | None = None,
    *,
    pixels: int = 96,
    board: Board | None = None,
    loose: int = 0,
    seed: int = 0,
    report: Callable[[str], None] = lambda _: None,
) -> Image.Image:
    """Render a jigsaw on a wooden table, in the given assembly, which may be one of another board.

    The artwork is that of its first assembly; pieces that are not in it are white.  Without it pieces have plain
    colours. `loose` pieces, from the lower right corner on, lie next to the others at random places, and so do those
    that are left over.
    """
    spare = [Placement(piece, 0) for piece in left_over(arrangement, len(puzzle.pieces))]
    places = _places(board or puzzle.board, len(spare), pixels, loose, seed)
    table = Image.fromarray(np.rint(_table(*_size(places, pixels))).astype(np.uint8))
    printed = _printed(puzzle, artwork, pixels)
    for number, (lies, place) in enumerate(zip([*arrangement, *spare], places, strict=True), start=1):
        assert lies is not None
        report(f"piece {number} of {len(places)}")
        sprite = _sprite(puzzle, cut, lies.piece, printed[lies.piece], pixels)
        turned = sprite.rotate(-90 * lies.rotation - place.angle, Image.Resampling.BICUBIC)
        # What the piece covers, with room for its shadow.
        left, top, right, bottom = turned.getchannel("A").getbbox() or (0, 0, *turned.size)
        margin = min(left, top, turned.width - right, turned.height - bottom) - 6 * _thickness(pixels)
        _lay(table, turned.crop((margin, margin, turned.width - margin, turned.height - margin)), place, pixels)
    return table


def area(board: Board, spare: int, pixels: int, loose: int, seed: int) -> int:
    """The number of pixels of a rendering with `spare` pieces left over; the other parameters are those of `photo`."""
    rows, columns = _size(_places(board, spare, pixels, loose, seed), pixels)
    return rows * columns


def _size(places: list[_Place], pixels: int) -> tuple[int, int]:
    columns = max(place.x for place in places) / pixels + 1.1
    rows = max(place.y for place in places) / pixels + 1.1
    return round(rows * pixels), round(columns * pixels)


def _places(board: Board, spare: int, pixels: int, loose: int, seed: int) -> list[_Place]:
    """The places of the pieces: the squares of the board, or next to it for loose pieces, then those left over."""
    chance = Chance(seed)
    places = [
        _Place((column + 1) * pixels, (row + 1) * pixels, 0.0)
        for row in range(board.rows)
        for column in range(board.columns)
    ]
    pitch = 1.75
    high = max(int((board.rows + 0.8) / pitch), 1)
    # The squares nearest to the lower right corner.
    squares = sorted(range(len(places)), key=lambda square: sum(divmod(square, board.columns)), reverse=True)
    beside = [*squares[:loose], *range(len(places), len(places) + spare)]
    places += places[:1] * spare
    for number, square in enumerate(beside):
        column, row = divmod(number, high)
        off_x, off_y = (chance.below(21) / 100 - 0.1 for _ in range(2))
        x, y = board.columns + 1.5 + pitch * column + off_x, 0.6 + (board.rows + 0.8) * (row + 0.5) / high + off_y
        places[square] = _Place(x * pixels, y * pixels, float(chance.below(360)))
    return places


def _printed(puzzle: EdgeMatchingPuzzle, artwork: Image.Image | None, pixels: int) -> list[Image.Image]:
    """The artwork on and around each piece in rotation 0, a square of `_window` pixels."""
    side = _window(pixels)
    if artwork is None:
        return [Image.new("RGB", (side, side), plain_fill(piece)) for piece in range(len(puzzle.pieces))]
    size = (puzzle.columns * pixels, puzzle.rows * pixels)
    margin = (side - pixels) // 2
    whole = np.asarray(artwork.convert("RGB").resize(size, Image.Resampling.LANCZOS))
    # Straight sides end where the artwork ends, but their smooth edges include a little of the area beyond.
    bled = np.pad(whole, ((margin, margin), (margin, margin), (0, 0)), mode="edge")
    found = [Image.new("RGB", (side, side), "white")] * len(puzzle.pieces)
    for square, lies in enumerate(puzzle.assemblies[0]):
        assert lies is not None
        row, column = divmod(square, puzzle.columns)
        tile = bled[row * pixels : row * pixels + side, column * pixels : column * pixels + side]
        found[lies.piece] = Image.fromarray(np.rot90(tile, lies.rotation))
    return found


def _window(pixels: int) -> int:
    """The side of a square around a piece that holds it in any rotation, in pixels; it has the parity of `pixels`."""
    half = (1 + 2 * _REACH) * pixels * np.sqrt(2) / 2
    return 2 * int(half) + pixels % 2


def _sprite(puzzle: EdgeMatchingPuzzle, cut: Cut, piece: int, printed: Image.Image, pixels: int) -> Image.Image:
    """A piece in rotation 0 in the middle of its window: its colours, and its coverage of each pixel."""
    side = _window(pixels)
    points = flattened(outline(puzzle.pieces[piece], cut.tabs), 12) - SIDE / 2
    mask = Image.new("L", (side * _FINE, side * _FINE))
    drawn = points * (pixels * _FINE / SIDE) + side * _FINE / 2
    ImageDraw.Draw(mask).polygon([(x, y) for x, y in drawn.tolist()], fill=255)
    sprite = printed.convert("RGBA")
    sprite.putalpha(mask.resize((side, side), Image.Resampling.BOX))
    return sprite


def _thickness(pixels: int) -> int:
    return max(round(_THICKNESS * pixels), 1)


def _lay(table: Image.Image, sprite: Image.Image, place: _Place, pixels: int) -> None:
    """Draw a rotated piece on the table: its shadow, its cardboard edge, and its bevelled printed face."""
    half, thick = sprite.width // 2, _thickness(pixels)
    cover = np.asarray(sprite.getchannel("A"), np.float64)

    def paste(what: Any, mask: Floats, right: float, down: float) -> None:
        at = round(place.x + right) - half, round(place.y + down) - half
        table.paste(what, at, Image.fromarray(np.rint(mask).astype(np.uint8)))

    paste((0, 0, 0), 0.55 * gaussian_filter(cover, 1.6 * thick), 1.2 * thick, 1.6 * thick)
    for down in range(thick, 0, -1):
        color = tuple(round(part * (1 - 0.25 * down / thick)) for part in _CARDBOARD)
        paste(color, cover, 0.35 * down, down)
    # Rounded edges are lighter towards the light, which comes from the upper left.
    soft = gaussian_filter(cover / 255, max(0.018 * pixels, 0.6))
    light = (np.gradient(soft, axis=1) + 1.3 * np.gradient(soft, axis=0)) * max(0.018 * pixels, 0.6) * 2.2
    face = np.asarray(sprite.convert("RGB")) * (1 + np.clip(light, -0.5, 0.45)[..., None])
    paste(Image.fromarray(np.rint(np.clip(face, 0, 255)).astype(np.uint8)), cover, 0, 0)


def _table(rows: int, columns: int) -> Floats:
    noise = (mixed(1, rows * columns) >> np.uint64(40)).astype(np.float64).reshape(rows, columns) / 2**24 - 0.5
    long, short = max(columns / 12, 1), max(rows / 300, 0.6)
    grain = gaussian_filter(noise, (short, long))
    slow = gaussian_filter(noise, (rows / 14, columns / 5))
    grain, slow = grain / grain.std(), slow / slow.std()
    tone = 1 + 0.045 * grain + 0.05 * np.sin(5 * slow + 9 * np.arange(rows)[:, None] / rows)
    height = max(rows // 4, 1)
    seams = np.arange(rows) % height < max(rows // 300, 1)
    tone = np.where(seams[:, None], 0.72 * tone, tone)
    return tone[..., None] * np.array([168.0, 122.0, 78.0])
