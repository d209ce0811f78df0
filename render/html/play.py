"""The page to play a jigsaw: drag, rotate and join its pieces on a table."""

from base64 import b64encode
from collections.abc import Sequence
from colorsys import hls_to_rgb
from hashlib import sha256
from io import BytesIO
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...csp.base.errors import InstanceError
from ...csp.base.seeded_random import Chance
from ...csp.files.instances import Puzzle, require_jigsaw
from ...csp.files.picture_files import CROP_HINT, read_image
from ...csp.puzzles.board import Arrangement, Board, Move
from ...csp.puzzles.board import turned as turned_sides
from ...csp.puzzles.check_board import check
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from ..cut.family import cut_of
from ..cut.tabs import SIDE, Point, flattened, outline, path_data, turned
from ..svg.palette import hex_color
from .page import embedded, resource, self_contained
from .viewer import puzzle_data

if TYPE_CHECKING:
    from PIL.Image import Image

    from ...csp.files.picture_files import Crop

#: The largest number of pieces on a page.
MOST_PIECES = 1600

_STYLES = ("base.css", "play.css")
_SCRIPTS = (
    "svg.js", "board.js", "judge.js", "table.js", "moves.js", "pieces.js", "gestures.js", "storage.js", "progress.js",
    "sha256.js", "controls.js", "play.js",
)  # fmt: skip
# The length of a side on the page, and decimals of the outlines' coordinates.
_CELL, _DECIMALS = 100, 2
# The largest random offset of a piece from the centre of its place, in both directions.
_JITTER = 8


class Scattered(NamedTuple):
    """A picture with a square tile for each piece in rotation 0, row by row."""

    uri: str  #: The picture as a data URI
    #: The numbers of tiles across and down.
    columns: int
    rows: int
    side: float  #: The side of a tile, as a multiple of the side of a piece


def play_page(
    puzzle: EdgeMatchingPuzzle,
    boards: Sequence[Arrangement],
    *,
    curves: int = 0,
    image: str | Scattered | None = None,
    seed: int = 0,
    word: str = "assembly",
    give_away: bool = False,
) -> str:
    """The HTML of a page to play a jigsaw, which recognises its known assemblies and keeps the progress.

    The picture covers the first of the boards; it is a data URI, or has a tile for each piece.  A page to give away has
    only salted hashes of the boards, no buttons to show them, and no marks at the tops of pieces.  Raises InstanceError
    if the puzzle is not a jigsaw or has too many pieces, a board is not full and valid, or there is no board for the
    picture.
    """
    checked_jigsaw(puzzle)
    _refuse_unsolved(puzzle, boards, word)
    if image is not None and not boards:
        raise InstanceError(f"{puzzle.name}: has no assembly to place the picture on; give SOLUTIONS with one")
    tabs, half = cut_of(puzzle, curves).tabs, SIDE // 2
    outlines = [[(x - half, y - half) for x, y in outline(sides, tabs)] for sides in puzzle.pieces]
    data = {
        **puzzle_data(puzzle, _CELL),
        "outlines": [path_data(points, _CELL / SIDE, _DECIMALS, closed=True) for points in outlines],
        "fills": [_fill(number) for number in range(len(puzzle.pieces))],
        "fixed": [[square, 4 * piece + rotation] for square, piece, rotation in puzzle.fixed],
        "boards": [[4 * placed.piece + placed.rotation for placed in board if placed] for board in boards],
        "deal": _deal(len(puzzle.pieces), seed),
        "word": word,
    }
    if not puzzle.is_classic:
        still = [puzzle.rotations(piece) == (0,) for piece in range(len(puzzle.pieces))]
        deal = [(piece, 0 if still[piece] else turn, *off) for piece, turn, *off in data["deal"]]
        data |= {"still": still, "deal": deal, "moves": [list(move) for move in puzzle.moves]}
    # A browser keeps the progress under this key.
    essence = sha256(embedded([data, str(image)]).encode()).hexdigest()
    artwork = {"width": _CELL * puzzle.columns, "height": _CELL * puzzle.rows, "uri": image}
    if isinstance(image, Scattered):
        side = _CELL * image.side
        artwork = {"width": f"{side * image.columns:g}", "height": f"{side * image.rows:g}", "uri": image.uri}
        data["tiles"] = {"columns": image.columns, "side": side}
    data["key"] = f"jigsat-{essence[:24]}"
    if give_away:
        salt = sha256(f"salt {essence}".encode()).hexdigest()[:32]
        hashes = [sha256((salt + look_of(puzzle, board)).encode()).hexdigest() for board in boards]
        data |= {"boards": [], "hidden": {"salt": salt, "hashes": hashes}}
    return self_contained(
        resource("play_jigsaw.html"),
        title=puzzle.name,
        styles=map(resource, _STYLES),
        scripts=map(resource, _SCRIPTS),
        data=data,
        artwork=artwork if image else None,
    )


def scattered_for(puzzle: EdgeMatchingPuzzle, board: Arrangement, picture: "Image", curves: int) -> Scattered:
    """The picture on a full and valid board, cut into the pieces of the jigsaw."""
    _refuse_unsolved(puzzle, [board], "solution")
    tabs = cut_of(puzzle, curves).tabs
    return scattered(picture, board, puzzle.board, [outline(sides, tabs) for sides in puzzle.pieces])


def checked_jigsaw(puzzle: Puzzle) -> EdgeMatchingPuzzle:
    """Return the puzzle; raises InstanceError if its pieces have no tabs, or are too many."""
    jigsaw = require_jigsaw(puzzle, "pieces to play with")
    no = [words for name, words in jigsaw.forms.items() if name in ("wrap", "flip")]
    if no:
        raise InstanceError(f"{jigsaw.name}: a page to play with has no {' and no '.join(no)}")
    if len(jigsaw.pieces) > MOST_PIECES:
        number = len(jigsaw.pieces)
        raise InstanceError(f"{jigsaw.name}: has {number} pieces; a page to play with can have {MOST_PIECES}")
    return jigsaw


def _refuse_unsolved(puzzle: EdgeMatchingPuzzle, boards: Sequence[Arrangement], word: str) -> None:
    for number, board in enumerate(boards, start=1):
        problems = check(puzzle, board).problems
        if problems:
            raise InstanceError(f"{puzzle.name}: {word} {number} is not full and valid: {problems[0]}")


def _fill(number: int) -> str:
    """A pale colour; the golden angle between the hues keeps the colours of consecutive pieces different."""
    hue, light = number * 137.508 / 360 % 1, (0.78, 0.7, 0.84)[number % 3]
    return hex_color(255 * part for part in hls_to_rgb(hue, light, 0.55))


def _deal(number: int, seed: int) -> list[tuple[int, int, int, int]]:
    """For each place next to the board a piece, its rotation, and its horizontal and vertical offset from the place."""
    # Its own stream: in that of `shuffled_jigsaw`, the order of a gift's pieces would give their squares away.
    chance = Chance(seed, "deal")

    def off() -> int:
        return chance.below(2 * _JITTER + 1) - _JITTER

    return [(piece, chance.below(4), off(), off()) for piece in chance.shuffled(range(number))]


def look_of(puzzle: EdgeMatchingPuzzle, board: Arrangement) -> str:
    """The text that two full boards share exactly if they look the same, as ``lookOf`` in judge.js makes it."""
    sides = [puzzle.shown(placed) for placed in board if placed is not None]
    if not puzzle.is_classic:
        return min(_look_after(move, sides) for move in puzzle.moves)
    rows, columns, looks = puzzle.rows, puzzle.columns, []
    for _ in range(1 if puzzle.fixed else 4):
        if rows == puzzle.rows:
            looks.append(";".join(",".join(map(str, square)) for square in sides))
        turned = ((row * columns + column) for column in range(columns) for row in reversed(range(rows)))
        sides = [(left, up, right, down) for up, right, down, left in (sides[square] for square in turned)]
        rows, columns = columns, rows
    return min(looks)


def _look_after(move: Move, sides: Sequence[Sides]) -> str:
    there = sorted((target, turned_sides(own, move.rotation)) for target, own in zip(move.targets, sides, strict=True))
    return ";".join(",".join(map(str, own)) for _, own in there)


# The largest side of a piece in pixels, of all pieces in a row, and the room around a square for tabs, in sides.
_LARGEST, _LONGEST, _ROOM = 160, 1600, 0.36
_STEPS, _EDGE = 8, 5


def scattered(picture: "Image", board: Arrangement, grid: Board, outlines: Sequence[Sequence[Point]]) -> Scattered:
    """Cut a picture, as it lies on the board, along the outlines of the pieces in rotation 0."""
    from PIL import Image, ImageDraw, ImageFilter, ImageOps

    rows, columns = grid.rows, grid.columns
    cell = min(_LARGEST, _LONGEST // max(rows, columns))
    room = ceil(_ROOM * cell)
    tile, across = cell + 2 * room, ceil(sqrt(len(outlines)))
    down = ceil(len(outlines) / across)
    # Around the picture plain edges of that width, which no piece shows.
    spread = ImageOps.expand(picture.resize((cell * columns, cell * rows)), room)
    plain = spread.resize((1, 1)).getpixel((0, 0))
    atlas = Image.new("RGB", (across * tile, down * tile), plain)
    for square, placed in enumerate(board):
        assert placed is not None
        row, column = grid.place(square)
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


#: The longer side of a picture in a page has at most this many pixels.
LONGEST_PICTURE = 1600


def data_uri(source: str | Path, rows: int, columns: int, crop: "Crop | None" = None) -> str:
    """A picture for a board as a data URI, the shorter of PNG and JPEG; raises the errors of `read_image`."""
    picture = read_image(source, rows, columns, crop=crop, hint=CROP_HINT)
    picture.thumbnail((LONGEST_PICTURE, LONGEST_PICTURE))
    uris = []
    for kind, how in (("jpeg", {"quality": 85}), ("png", {})):
        picture.save(file := BytesIO(), kind, optimize=True, **how)
        uris.append((len(file.getvalue()), f"data:image/{kind};base64,{b64encode(file.getvalue()).decode()}"))
    return min(uris)[1]
