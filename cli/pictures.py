"""`jigsat pictures`: one artwork that shows two pictures, one in each assembly of a jigsaw."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..csp.base.errors import InstanceError, JigsatError
from ..csp.base.extras import need_extra
from ..csp.base.quantities import grouped, several
from ..csp.base.safe_files import escaped, refuse_same_file
from ..csp.files.instances import read_squares, save
from ..csp.puzzles.board import Board
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .parts.options import add_json, add_time_limit, options_by_name, whole
from .parts.progress import Patience, patience
from .parts.wording import ending, print_json

if TYPE_CHECKING:
    from ..csp.make.two_pictures.choice import Choice, Solutions
    from ..csp.make.two_pictures.tones import Tones
    from ..render.photo.arrays import Picture
    from ..render.photo.blend import Artwork

#: What is written into the folder.
FILES = ("jigsaw.json", "artwork.png", "assembly-1.png", "assembly-2.png", "mapping.csv", "uv-map.png")
_METHODS = ("annealing", "scrambles", "assignment")
_SCRAMBLES = {"annealing": 3, "scrambles": 200}
_PIXELS, _MOST_ARTWORK = (8, 512), 36_000_000

_DESCRIPTION = """\
Make artwork for the pieces of a jigsaw with two assemblies, so that one of them
shows picture A and the other one picture B as well as possible.  Each pixel of
the artwork is a blend of the two tones that it has to show; the jigsaw is given,
or chosen among many so that these differ little.
"""
_FILES_HELP = """\
files in FOLDER:
  jigsaw.json     the jigsaw; its first assembly shows A, its second one B
  artwork.png     what to print on the pieces, as it lies in the first assembly
  assembly-1.png  the first assembly, with its cut lines
  assembly-2.png  the second assembly, with its cut lines
  mapping.csv     a line for each piece: piece; square_1, row_1, column_1 and
                  rotation_1 of the first assembly, the same of the second, and
                  turn, which is clockwise quarter turns from the one to the other
  uv-map.png      where each pixel of the artwork lies in the second assembly, in
                  three colours of 16 bits: the column is red x width / 65536, the
                  row green x height / 65536, both rounded down, and the piece's
                  turn is blue / 16384
"""


class _Loaded(NamedTuple):
    """The two pictures and what their tiles cost."""

    first: "Picture"
    second: "Picture"
    tones: "Tones"


class _Outcome(NamedTuple):
    """All there is to tell; errors by what they are of, those of the first picture and of the second."""

    choice: "Choice"
    solutions: "Solutions"
    errors: dict[str, tuple[float, float]]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _FILES_HELP
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    for name, which in (("A", "first"), ("B", "second")):
        parser.add_argument(
            which, metavar=name, help="a picture, PNG or JPEG for example, or a bundled one (cup, ring)"
        )
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="write the files into this folder")
    parser.add_argument("--jigsaw", metavar="JIGSAW", help="the jigsaw: a file, or the name of a bundled one")
    for option, letter, what in (("--rows", "R", "rows"), ("--columns", "C", "columns")):
        parser.add_argument(option, type=whole, metavar=letter, help=f"choose a jigsaw with so many {what}")
    parser.add_argument(
        "--method",
        choices=_METHODS,
        help="annealing (the default): scrambles are cooled down until tones fit and exactly two solutions are left; "
        "scrambles: the best of jigsaws with exactly two solutions that were made without looking at the pictures; "
        "assignment: the best of all assignments of pieces to squares, whose jigsaw may have many solutions",
    )
    parser.add_argument(
        "--scrambles",
        type=whole,
        metavar="N",
        help="how many jigsaws to choose among (default: 3 annealed ones, 200 others)",
    )
    parser.add_argument("--seed", type=whole, metavar="S", help="another choice of jigsaws (default: 0)")
    parser.add_argument(
        "--max-use",
        type=whole,
        metavar="N",
        help="on how many joins a connector may be (default: 2; with "
        "annealing, what leaves two solutions is found by trying)",
    )
    parser.add_argument("--no-stay", action="store_true", help="no piece has the same square in the two assemblies")
    _add_picture_options(parser)
    add_time_limit(parser, "choose among the jigsaws found in", default=600)
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run)


def _add_picture_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pixels",
        type=whole,
        default=64,
        metavar="P",
        help=f"how many pixels long a side of a piece is, an even number from {_PIXELS[0]} to {_PIXELS[1]} "
        "(default: 64)",
    )
    parser.add_argument(
        "--weight", type=float, default=0.5, metavar="W", help="the share of A in the blend, from 0 to 1 (default: 0.5)"
    )
    parser.add_argument("--grey", action="store_true", help="leave out the colours")
    parser.add_argument("--crop", action="store_true", help="cut pictures of another shape, keeping their middle")
    parser.add_argument(
        "--curves", type=whole, default=0, metavar="SEED", help="which curves the tabs have (default: 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    need_extra("PIL", "scipy")
    _check(arguments)
    with patience(arguments) as must_stop:
        given = _given(arguments)
        loaded = _loaded(arguments, given)
        choice = _chosen(arguments, loaded, given, must_stop)
        if choice is None:
            hint = "; --method scrambles is quicker" if _method(arguments) == "annealing" else ""
            why = ending(must_stop.ended_by) or "none is as wished"
            print(f"jigsat: no jigsaw was found ({why}){hint}", file=sys.stderr)
            return 130 if must_stop.ended_by == "interrupt" else 1
        must_stop.tell("drawing, and counting solutions")
        outcome = _written(arguments, loaded, choice, must_stop)
        must_stop.clear()
    print_json(_record(arguments, outcome, must_stop)) if arguments.json else _tell(arguments, outcome, must_stop)
    return 130 if must_stop.ended_by == "interrupt" else 0


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that are wrong or contradict each other, and a folder that cannot be written to."""
    _check_choice(arguments)
    least, most = _PIXELS
    if not least <= arguments.pixels <= most or arguments.pixels % 2:
        raise JigsatError(f"--pixels {arguments.pixels}: must be an even number from {least} to {most}")
    if not 0 <= arguments.weight <= 1:
        raise JigsatError(f"--weight {arguments.weight}: must lie between 0 and 1")
    _make_folder(arguments)


def _check_choice(arguments: argparse.Namespace) -> None:
    """Refuse options about the choice of a jigsaw that leave nothing to choose, or too much."""
    about_size = {"--rows": arguments.rows, "--columns": arguments.columns}
    about_choice = {
        "--scrambles": arguments.scrambles,
        "--seed": arguments.seed,
        "--max-use": arguments.max_use,
        "--no-stay": arguments.no_stay or None,
    }
    if arguments.jigsaw is None and None in about_size.values():
        raise JigsatError("which jigsaw? give --jigsaw, or --rows and --columns to have one chosen")
    where = "--jigsaw" if arguments.jigsaw is not None else "--method assignment"
    if arguments.jigsaw is not None:
        about_choice = {**about_size, "--method": arguments.method, **about_choice}
    elif arguments.method != "assignment":
        about_choice = {}
    for option, value in about_choice.items():
        if value is not None:
            raise JigsatError(
                f"{option} is about jigsaws to choose among; with {where} there are none, so leave it out"
            )
    if arguments.scrambles == 0:
        raise JigsatError("--scrambles 0: there must be a jigsaw to choose, 1 or more")


def _make_folder(arguments: argparse.Namespace) -> None:
    if arguments.output in ("", "-"):
        raise InstanceError(f"-o {arguments.output!r}: several files are written; give -o the name of a folder")
    folder = Path(arguments.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise InstanceError(f"{folder}: is no folder; give -o the name of one, or of one to be made") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InstanceError(f"{folder}: cannot be made: {reason}") from error
    for name in FILES:
        refuse_same_file(folder / name, arguments.first, arguments.second, arguments.jigsaw)


def _given(arguments: argparse.Namespace):
    """The jigsaw that the user has named, if any."""
    if arguments.jigsaw is None:
        return None
    from ..csp.make.two_pictures.choice import given

    return given(read_squares(arguments.jigsaw), arguments.jigsaw)


def _loaded(arguments: argparse.Namespace, given) -> _Loaded:
    """The two pictures, of the size of the board."""
    from ..csp.make.two_pictures.tones import tones
    from ..render.photo.arrays import read_picture
    from ..render.photo.mapping import MOST_LENGTH

    board = Board(arguments.rows, arguments.columns) if given is None else given.puzzle.board
    pixels = arguments.pixels
    if len(board) * pixels**2 > _MOST_ARTWORK or max(board.rows, board.columns) * pixels > MOST_LENGTH:
        most = f"{_MOST_ARTWORK // 10**6} million pixels in all and {MOST_LENGTH} along a side"
        raise JigsatError(f"--pixels {pixels}: makes too large an artwork for {len(board)} pieces; {most} are possible")
    first, second = (
        read_picture(source, board.rows, board.columns, pixels, grey=arguments.grey, crop=arguments.crop)
        for source in (arguments.first, arguments.second)
    )
    return _Loaded(first, second, tones(first, second, board))


def _chosen(arguments: argparse.Namespace, loaded: _Loaded, given, must_stop: Patience) -> "Choice | None":
    """The jigsaw that shows the two pictures best."""
    from ..csp.make.two_pictures.annealed_jigsaws import jigsaws_annealed
    from ..csp.make.two_pictures.choice import assigned, choose, jigsaws_made, with_mirrored

    method, tones, best = _method(arguments), loaded.tones, ""

    def tell(choice: "Choice") -> None:
        nonlocal best
        best = f"best of {grouped(choice.number)}: mean squared difference {choice.fit.cost / tones.numbers:.0f}; "
        must_stop.tell(best)

    if method == "given":
        return choose([given], tones)
    if method == "assignment":
        return choose([assigned(tones)], tones)
    number = arguments.scrambles or _SCRAMBLES[method]
    wishes = {"seed": arguments.seed or 0, "no_stay": arguments.no_stay, "must_stop": must_stop}
    if method == "annealing":
        told = {"report": lambda what: must_stop.tell(best + what), **wishes}
        candidates = jigsaws_annealed(tones, number, max_use=arguments.max_use, **told)
    else:
        use = 2 if arguments.max_use is None else arguments.max_use
        candidates = with_mirrored(jigsaws_made(arguments.rows, arguments.columns, number, max_use=use, **wishes))
    return choose(candidates, tones, must_stop=must_stop, report=tell)


def _method(arguments: argparse.Namespace) -> str:
    return "given" if arguments.jigsaw is not None else arguments.method or _METHODS[0]


def _written(arguments: argparse.Namespace, loaded: _Loaded, choice: "Choice", must_stop: Patience) -> _Outcome:
    """Draw, measure and write everything."""
    from ..csp.make.two_pictures.choice import count_solutions
    from ..csp.make.two_pictures.tones import best_assignment, best_fits, random_cost
    from ..render.cut.curves.family import cut_of
    from ..render.photo.blend import artwork_of, best_artwork, least_errors

    tabs = cut_of(choice.fit.puzzle, arguments.curves).tabs
    # What costs the same on plain squares may not with tabs.
    ways = [fit.puzzle for fit in best_fits(choice.fit.puzzle, loaded.tones)]
    puzzle, artwork = best_artwork(ways, loaded.first, loaded.second, arguments.weight, tabs)
    _write_files(arguments, puzzle, artwork, tabs)
    plain = artwork_of(puzzle, loaded.first, loaded.second, arguments.weight, None)
    errors = {"as_cut": artwork.errors, "squares": plain.errors}
    size = loaded.tones.numbers
    errors["least"] = least_errors(best_assignment(loaded.tones)[1] / size, arguments.weight)
    errors["random"] = least_errors(random_cost(loaded.tones) / size, arguments.weight)
    # Counting may take half a minute; the time limit is for choosing.
    return _Outcome(choice, count_solutions(puzzle, must_stop=must_stop.is_interrupted), errors)


def _write_files(arguments: argparse.Namespace, puzzle: EdgeMatchingPuzzle, artwork: "Artwork", tabs) -> None:
    from ..render.photo.arrays import write_picture
    from ..render.photo.blend import outlined
    from ..render.photo.mapping import write_map, write_table
    from ..render.photo.raster import owners

    jigsaw, picture, *assemblies, table, uv_map = (Path(arguments.output) / name for name in FILES)
    save(puzzle, jigsaw)
    write_picture(artwork.first, picture)
    for number, shown in enumerate((artwork.first, artwork.second)):
        owner = owners(puzzle, puzzle.assemblies[number], arguments.pixels, tabs)
        write_picture(outlined(shown, owner), assemblies[number])
    write_table(puzzle, table)
    write_map(puzzle, artwork.there, arguments.pixels, tabs, uv_map)


def _tell(arguments: argparse.Namespace, outcome: _Outcome, must_stop: Patience) -> None:
    """The outcome for people."""
    choice, solutions, errors = outcome
    puzzle = choice.fit.puzzle
    print(f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {several(len(puzzle.pieces), 'piece')}, {_count(solutions)}")
    origin, why = escaped(choice.origin), ending(must_stop.ended_by)
    mirrors = " with their mirrors" if _method(arguments) == "scrambles" else ""
    chosen = f"{origin}, the best of {grouped(choice.number)}{mirrors}" if choice.number > 1 else origin
    print(f"  chosen           {chosen}{f' ({why})' if why else ''}")
    print(f"  files            {', '.join(FILES)} in {escaped(arguments.output)}")
    print(f"  mean squared error (tones 0 to 255)  {'A':<21}B")
    for label, key in zip(_LABELS, _KEYS, strict=True):
        print(f"    {label:<28}{''.join(f'{_cell(error):<21}' for error in errors[key]).rstrip()}")


_KEYS = ("as_cut", "squares", "least", "random")
_LABELS = ("as cut", "on plain squares", "the least there is on them", "a random scramble's")


def _cell(error: float) -> str:
    from ..render.photo.blend import signal_to_noise

    return f"{error:8.1f} ({signal_to_noise(error):.1f} dB)" if error else "    none"


def _count(solutions: "Solutions") -> str:
    number = several(solutions.number, "solution")
    if solutions.ended_by in ("nodes", "interrupt"):
        return f"at least {number} (others were looked for, but not to the end)"
    told = f"{'exactly' if solutions.exact else 'at least'} {number}"
    return f"{told}: these are two of them" if solutions.number > 2 else told


def _record(arguments: argparse.Namespace, outcome: _Outcome, must_stop: Patience) -> dict[str, Any]:
    """The outcome for scripts."""
    from ..render.photo.blend import signal_to_noise

    choice, solutions, errors = outcome
    puzzle = choice.fit.puzzle
    return {
        "instance": puzzle.name,
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        **options_by_name(arguments, "pixels", "weight", "grey", "curves"),
        "method": _method(arguments),
        "chosen": choice.origin,
        "candidates": choice.number,
        "ended_by": must_stop.ended_by,
        "canonical_count": solutions.number,
        "complete": solutions.exact,
        "mean_squared_errors": errors,
        "decibels": {key: [signal_to_noise(e) if e else None for e in pair] for key, pair in errors.items()},
        "folder": arguments.output,
        "files": FILES,
    }
