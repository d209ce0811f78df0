"""`jigsat draw --photo`: what a jigsaw looks like on a table."""

import argparse
from io import BytesIO
from pathlib import Path

from ...csp.base.errors import InstanceError, shortened
from ...csp.base.extras import need_extra
from ...csp.base.safe_files import refuse_same_file, replacing_bytes
from ...csp.files.instances import Puzzle, require_jigsaw
from ...csp.puzzles.board import Arrangement
from .draw_print import laid_out, progress
from .options import whole

_KINDS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}
_QUALITY, _PIXELS, _MOST_PIXELS = 90, 96, 100_000_000
#: Options that only renderings have.
OPTIONS = ("loose", "pixels", "seed")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of --photo."""
    group = parser.add_argument_group(
        "a rendering of a jigsaw",
        "With --photo: the jigsaw as it lies on a table, with real tabs, bevelled edges and shadows.  FILE ends in "
        ".png or .jpg.  --number, SOLUTION and --curves are those of --print; --image is the artwork as it lies in the "
        "first assembly, so that --number 2 shows what becomes of it.",
    )
    group.add_argument("--photo", action="store_true", help="render the jigsaw on a table")
    group.add_argument("--loose", type=whole, metavar="N", help="so many pieces are not yet in place (default: 0)")
    group.add_argument(
        "--pixels", type=whole, metavar="P", help=f"how many pixels long a side of a piece is (default: {_PIXELS})"
    )
    group.add_argument("--seed", type=whole, metavar="S", help="how the loose pieces lie (default: 0)")


def draw_photo(puzzle: Puzzle, linked: Arrangement | None, arguments: argparse.Namespace) -> int:
    """Write a rendering; `linked` is the board of a link given as the puzzle."""
    from ...csp.files.picture_files import read_image
    from ...render.cut.curves.family import cut_of

    need_extra("PIL", "scipy")
    from ...render.photo.photo import photo

    refuse_same_file(arguments.output, arguments.instance, arguments.solution, arguments.image)
    jigsaw = require_jigsaw(puzzle, "tabs")
    kind, pixels = _kind(arguments.output), _pixels(len(jigsaw.board), arguments)
    board = laid_out(jigsaw, linked, arguments)
    loose = arguments.loose or 0
    if loose > len(board):
        raise InstanceError(f"--loose {loose}: the jigsaw has {len(board)} pieces")
    artwork = None
    if arguments.image is not None:
        if not jigsaw.assemblies:
            raise InstanceError(f"--image: {jigsaw.name} has no assembly that says where the picture lies")
        artwork = read_image(arguments.image, jigsaw.rows, jigsaw.columns)
    with progress(arguments) as tell:
        tell("curves")
        cut = cut_of(jigsaw, arguments.curves or 0)
        options = {"pixels": pixels, "loose": loose, "seed": arguments.seed or 0}
        picture = photo(jigsaw, cut, board, artwork, report=tell, **options)
    content = BytesIO()
    picture.save(content, kind, quality=_QUALITY)
    with replacing_bytes(arguments.output) as file:
        file.write(content.getvalue())
    return 0


def _kind(output: str) -> str:
    """What kind of file it is to be; standard output is a PNG file."""
    ending = Path(output).suffix.lower()
    if output != "-" and ending not in _KINDS:
        raise InstanceError(f"{shortened(output)}: a rendering is written to a file that ends in {', '.join(_KINDS)}")
    return _KINDS.get(ending, "PNG")


def _pixels(squares: int, arguments: argparse.Namespace) -> int:
    from ...render.photo.photo import LEAST_PIXELS, MOST_PIXELS

    pixels = _PIXELS if arguments.pixels is None else arguments.pixels
    if not LEAST_PIXELS <= pixels <= MOST_PIXELS:
        raise InstanceError(f"--pixels {pixels}: must be from {LEAST_PIXELS} to {MOST_PIXELS}")
    if squares * pixels**2 > _MOST_PIXELS:
        raise InstanceError(f"--pixels {pixels}: is too much for {squares} pieces; fewer make a picture that fits")
    return pixels
