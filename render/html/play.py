"""The page to play a jigsaw or an edge-matching puzzle: drag, rotate and join its pieces on a table."""

from base64 import b64encode
from collections.abc import Sequence
from colorsys import hls_to_rgb
from hashlib import sha256
from io import BytesIO
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree as ET

from markupsafe import Markup

from ...csp.base.errors import InstanceError
from ...csp.base.seeded_random import Chance
from ...csp.files.picture_files import read_image
from ...csp.puzzles.board import TURNED_OVER, Arrangement
from ...csp.puzzles.board import turned as turned_sides
from ...csp.puzzles.check_board import check
from ...csp.puzzles.edge_matching import ANY, EdgeMatchingPuzzle, Rule
from ..cut.family import cut_of
from ..cut.tabs import SIDE, flattened, outline, path_data, turned
from ..svg.palette import hex_color, looks
from ..svg.svg import define_pieces
from .page import embedded, resource, self_contained
from .viewer import codes_of, puzzle_data

if TYPE_CHECKING:
    from PIL.Image import Image

    from ...csp.files.picture_files import Crop

#: The largest number of pieces on a page.
MOST_PIECES = 1600

_STYLES = ("base.css", "play.css")
_SCRIPTS = (
    "svg.js", "board.js", "judge.js", "table.js", "moves.js", "hints.js", "pieces.js", "gestures.js", "storage.js",
    "progress.js", "sha256.js", "controls.js", "play.js",
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
    complete: bool = False,
    curves: int = 0,
    image: str | Scattered | None = None,
    seed: int = 0,
    word: str = "assembly",
    give_away: bool = False,
    second: EdgeMatchingPuzzle | None = None,
) -> str:
    """The HTML of a page to play a puzzle with square pieces, which recognises solutions and keeps the progress.

    `complete` says that the boards are all solutions.  The picture of a jigsaw covers the first of the boards; it is a
    data URI, or has a tile for each piece.  A page to give away has only salted hashes of the boards, no buttons to
    show them, no hints, and no marks at the tops of pieces.  The page can switch to a `second` board for the same
    pieces, whose assemblies are its boards.  Raises InstanceError if there are too many pieces, a board is not full and
    valid, or there is no board for the picture, or it would lie on pieces that are turned over.
    """
    refuse_large(puzzle)
    _refuse_unsolved(puzzle, boards, word)
    if image is not None and not boards:
        raise InstanceError(f"{puzzle.name}: has no assembly to place the picture on; give SOLUTIONS with one")
    if image is not None and puzzle.flip:
        raise InstanceError(f"{puzzle.name}: its pieces may be turned over, so a picture has no place on them")
    data = {**_data(puzzle, seed), "boards": [codes_of(puzzle, board) for board in boards], "word": word}
    if complete and not give_away:
        data["complete"] = True
    if second is not None:
        _refuse_unsolved(second, second.assemblies, word)
        own = puzzle_data(second, _CELL)
        data["second"] = {
            **{name: own[name] for name in ("rows", "columns", "names", "fixed")},
            "moves": [list(move) for move in second.moves],
            "boards": [codes_of(second, board) for board in second.assemblies],
        }
    # A browser keeps the progress under this key.
    essence = sha256(embedded([data, str(image)]).encode()).hexdigest()
    data |= {"colored": True} if puzzle.rule is Rule.EQUAL else _outlines(puzzle, curves)
    if puzzle.rule is Rule.EQUAL and not puzzle.is_framed and isinstance(puzzle.rim, int):
        data["rimColor"] = looks(puzzle)[puzzle.rim].background
    artwork = {"width": _CELL * puzzle.columns, "height": _CELL * puzzle.rows, "uri": image}
    if isinstance(image, Scattered):
        side = _CELL * image.side
        artwork = {"width": f"{side * image.columns:g}", "height": f"{side * image.rows:g}", "uri": image.uri}
        data["tiles"] = {"columns": image.columns, "side": side}
    data["key"] = f"jigsat-{essence[:24]}"
    if second is not None:
        data["second"]["key"] = f"{data['key']}-2"
    if give_away:
        salt = sha256(f"salt {essence}".encode()).hexdigest()[:32]
        hashes = [sha256((salt + look_of(puzzle, board)).encode()).hexdigest() for board in boards]
        data |= {"boards": [], "hidden": {"salt": salt, "hashes": hashes}}
    return self_contained(
        resource("play_squares.html"),
        title=puzzle.name,
        styles=map(resource, _STYLES),
        scripts=map(resource, _SCRIPTS),
        data=data,
        artwork=artwork if image else None,
        drawn=_drawn(puzzle) if puzzle.rule is Rule.EQUAL else "",
        flips=bool(puzzle.flip),
        sizes=[f"{each.rows}x{each.columns}" for each in (puzzle, second) if each is not None],
        rim="" if puzzle.is_framed else _rim_words(puzzle),
    )


def _data(puzzle: EdgeMatchingPuzzle, seed: int) -> dict[str, Any]:
    """What the script needs of the puzzle itself, with the first places of the pieces."""
    rotations = [puzzle.rotations(piece) for piece in range(len(puzzle.pieces))]
    still, flips = [1 not in own for own in rotations], [TURNED_OVER in own for own in rotations]
    data = {
        **puzzle_data(puzzle, _CELL),
        "moves": [list(move) for move in puzzle.moves],
        "deal": _deal(len(puzzle.pieces), seed),
    }
    if any(still):
        data["still"] = still
        data["deal"] = [(piece, 0 if still[piece] else turn, *off) for piece, turn, *off in data["deal"]]
    if any(flips):
        # Every second piece lies on its other side.
        data["flips"] = flips
        data["deal"] = [(*place, flips[place[0]] and bool(number % 2)) for number, place in enumerate(data["deal"])]
    return data


def _outlines(puzzle: EdgeMatchingPuzzle, curves: int) -> dict[str, Any]:
    tabs, half = cut_of(puzzle, curves).tabs, SIDE // 2
    outlines = [[(x - half, y - half) for x, y in outline(sides, tabs)] for sides in puzzle.pieces]
    return {
        "outlines": [path_data(points, _CELL / SIDE, _DECIMALS, closed=True) for points in outlines],
        "fills": [_fill(number) for number in range(len(puzzle.pieces))],
    }


def _drawn(puzzle: EdgeMatchingPuzzle) -> Markup:
    root = ET.Element("defs")
    define_pieces(root, puzzle)
    return Markup(ET.tostring(root, encoding="unicode"))


def _rim_words(puzzle: EdgeMatchingPuzzle) -> str:
    if puzzle.rim == ANY:
        return "The outer sides may show anything."
    return f"The outer sides show {puzzle.color_name(puzzle.rim) if isinstance(puzzle.rim, int) else puzzle.rim}."


def refuse_large(puzzle: EdgeMatchingPuzzle) -> None:
    """Raise InstanceError if a puzzle has too many pieces for a page."""
    if len(puzzle.pieces) > MOST_PIECES:
        number = len(puzzle.pieces)
        raise InstanceError(f"{puzzle.name}: has {number} pieces; a page to play with can have {MOST_PIECES}")


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
    found = []
    for move in puzzle.moves:
        images = zip(move.targets, (turned_sides(own, move.rotation) for own in sides), strict=True)
        found.append(";".join(",".join(map(str, own)) for _, own in sorted(images)))
    return min(found)


# The largest side of a piece in pixels, of all pieces in a row, and the room around a square for tabs, in sides.
_LARGEST, _LONGEST, _ROOM = 160, 1600, 0.36
_STEPS, _EDGE = 8, 5


def scattered(puzzle: EdgeMatchingPuzzle, board: Arrangement, picture: "Image", curves: int) -> Scattered:
    """Cut a picture, as it lies on a full and valid board, along the outlines of the pieces in rotation 0."""
    from PIL import Image, ImageDraw, ImageFilter, ImageOps

    _refuse_unsolved(puzzle, [board], "solution")
    tabs = cut_of(puzzle, curves).tabs
    outlines = [outline(sides, tabs) for sides in puzzle.pieces]
    rows, columns = puzzle.rows, puzzle.columns
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
        row, column = puzzle.board.place(square)
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
    picture = read_image(source, rows, columns, crop=crop)
    picture.thumbnail((LONGEST_PICTURE, LONGEST_PICTURE))
    uris = []
    for kind, how in (("jpeg", {"quality": 85}), ("png", {})):
        picture.save(file := BytesIO(), kind, optimize=True, **how)
        uris.append((len(file.getvalue()), f"data:image/{kind};base64,{b64encode(file.getvalue()).decode()}"))
    return min(uris)[1]
