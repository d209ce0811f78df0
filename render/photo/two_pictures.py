"""Choose a jigsaw and make artwork for it that shows two pictures, one in each assembly."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from ...csp.base.errors import NotFoundError, UsageError, misspelt
from ...csp.base.extras import need_extra
from ...csp.base.safe_files import refuse_same_file
from ...csp.base.stopping import Report, Stop, stoppable
from ...csp.base.words import ending, grouped
from ...csp.files.instances import read_squares
from ...csp.puzzles.board import Board
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .pictures_shown import TwoPictures

if TYPE_CHECKING:
    from ...csp.files.picture_files import Picture
    from ...csp.make.two_pictures.choice import Candidate, Choice
    from ...csp.make.two_pictures.tones import Tones

#: The methods to choose a jigsaw.
Method = Literal["annealing", "scrambles", "assignment"]
METHODS: tuple[Method, ...] = get_args(Method)
#: The least and the largest side of a piece, in pixels.
PIXELS = 8, 512
_SCRAMBLES = {"annealing": 3, "scrambles": 200}
_MOST_ARTWORK = 36_000_000


@dataclass(frozen=True)
class _Options:
    """The options of `pictures` for the jigsaw and its artwork."""

    rows: int | None
    columns: int | None
    method: str | None
    scrambles: int | None
    seed: int | None
    max_use: int | None
    no_stay: bool
    pixels: int
    weight: float
    grey: bool
    crop: bool
    curves: int


def pictures(
    first: str | Path,
    second: str | Path,
    folder: str | Path,
    *,
    jigsaw: EdgeMatchingPuzzle | str | Path | None = None,
    rows: int | None = None,
    columns: int | None = None,
    method: Method | None = None,
    scrambles: int | None = None,
    seed: int | None = None,
    max_use: int | None = None,
    no_stay: bool = False,
    pixels: int = 64,
    weight: float = 0.5,
    grey: bool = False,
    crop: bool = False,
    curves: int = 0,
    time_limit: float | None = 600,
    report: Report | None = None,
) -> TwoPictures:
    """Make artwork for a jigsaw with two assemblies, so that each assembly shows one of two pictures.

    This is what ``jigsat pictures`` does.  Each pixel of the artwork is a blend of the two tones that it should show.
    The jigsaw is given, or chosen among many so that the two tones differ little.

    Parameters
    ----------
    first, second : str or Path
        The pictures: files such as PNG or JPEG, or the names of bundled ones (cup, ring).
    folder : str or Path
        The folder for the jigsaw, the artwork and the other files; it is made if it does not exist.
    jigsaw : EdgeMatchingPuzzle, str or Path, optional
        The jigsaw, with two assemblies: a puzzle, a file, or the name of a bundled one.
    rows, columns : int, optional
        The size of the jigsaw to choose, if `jigsaw` is not given.
    method : {'annealing', 'scrambles', 'assignment'}, optional
        ``annealing`` (the default): anneal scrambles until the tones fit and exactly two solutions remain.
        ``scrambles``: the best of jigsaws with exactly two solutions that were made independently of the pictures.
        ``assignment``: the best of all assignments of pieces to squares, whose jigsaw may have many solutions.
    scrambles : int, optional
        The number of jigsaws among which to choose: by default 3 with annealing, otherwise 200.
    seed : int, optional
        The random seed of these jigsaws, by default 0.
    max_use : int, optional
        The largest number of joins of a connector, by default 2; with annealing, the default is found by trial so that
        two solutions remain.
    no_stay : bool, default False
        Whether every piece must have different squares in the two assemblies.
    pixels : int, default 64
        The side of a piece in pixels, an even number from 8 to 512.
    weight : float, default 0.5
        The weight of the first picture in the blend, from 0 to 1.
    grey : bool, default False
        Whether to convert the pictures to grey.
    crop : bool, default False
        Whether to crop pictures of another shape around their middle.
    curves : int, default 0
        The random seed of the curves.
    time_limit : float, optional
        Seconds after which to use the best jigsaw found so far; None for no limit.  Ctrl-C does the same.
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
        If the given jigsaw cannot show two pictures.
    InstanceError
        If a picture or the jigsaw cannot be read, or the folder cannot be written to.
    JigsatError
        If pillow or scipy is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import jigsat as js
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = js.pictures("cup", "ring", folder, jigsaw="perfect-5x5", pixels=8)
    >>> made.method, made.solutions, made.files[:2]
    ('given', 2, ('jigsaw.json', 'artwork.png'))
    """
    need_extra("PIL", "scipy")
    wishes = _Options(
        rows, columns, method, scrambles, seed, max_use, no_stay, pixels, weight, grey, crop, curves
    )  # fmt: skip
    _check_choice(wishes, jigsaw is not None)
    _check_artwork(wishes)
    from .artwork_files import FILES, made_folder

    there = made_folder(folder)
    named = None if isinstance(jigsaw, EdgeMatchingPuzzle) else jigsaw
    for name in FILES:
        refuse_same_file(there / name, first, second, named)
    with stoppable(time_limit, report=report) as stop:
        return _made(wishes, first, second, str(folder), _given(jigsaw), stop)


def _check_artwork(wishes: _Options) -> None:
    least, most = PIXELS
    if not least <= wishes.pixels <= most or wishes.pixels % 2:
        raise UsageError(f"must be an even number from {least} to {most}, not {wishes.pixels}", "pixels")
    if not 0 <= wishes.weight <= 1:
        raise UsageError(f"must lie between 0 and 1, not {wishes.weight}", "weight")


def _check_choice(wishes: _Options, is_given: bool) -> None:
    """Refuse options about the choice of a jigsaw that are missing, invalid or without effect."""
    if not is_given and None in (wishes.rows, wishes.columns):
        raise UsageError("give both, or a jigsaw", "rows", "columns")
    if wishes.method is not None and wishes.method not in METHODS:
        raise UsageError(f"{misspelt(wishes.method, METHODS)} is unknown; choose from {', '.join(METHODS)}", "method")
    about_choice = {
        "scrambles": wishes.scrambles,
        "seed": wishes.seed,
        "max_use": wishes.max_use,
        "no_stay": wishes.no_stay or None,
    }
    where = "a given jigsaw" if is_given else "the method assignment"
    if is_given:
        about_choice = {"rows": wishes.rows, "columns": wishes.columns, "method": wishes.method, **about_choice}
    elif wishes.method != "assignment":
        about_choice = {}
    for option, value in about_choice.items():
        if value is not None:
            raise UsageError(f"it is for choosing among jigsaws, and {where} leaves no choice", option)
    if wishes.scrambles is not None and wishes.scrambles < 1:
        raise UsageError(f"must be 1 or more, not {wishes.scrambles}", "scrambles")


def _given(jigsaw: EdgeMatchingPuzzle | str | Path | None) -> "Candidate | None":
    """The jigsaw that the user has given, if any."""
    if jigsaw is None:
        return None
    from ...csp.make.two_pictures.choice import given

    if isinstance(jigsaw, EdgeMatchingPuzzle):
        return given(jigsaw, jigsaw.name)
    return given(read_squares(jigsaw), str(jigsaw))


def _made(
    wishes: _Options, first: str | Path, second: str | Path, folder: str, candidate: "Candidate | None", stop: Stop
) -> TwoPictures:
    """Choose the jigsaw, and draw, measure and write everything."""
    from ...csp.make.two_pictures.choice import count_solutions
    from ...csp.make.two_pictures.tones import best_fits, tones
    from ..cut.curves.family import cut_of
    from .artwork_files import FILES, write_files
    from .blend import artwork_of, best_artwork

    board = _board(wishes) if candidate is None else candidate.puzzle.board
    one, other = _loaded(wishes, board, first, second)
    costs = tones(one, other, board)
    method = "given" if candidate is not None else wishes.method or METHODS[0]
    choice = _chosen(wishes, method, costs, candidate, stop)
    if choice is None:
        hint = "; the method scrambles is quicker" if method == "annealing" else ""
        why = ending(stop.ended_by) or "no candidate meets all conditions"
        raise NotFoundError(f"no jigsaw was found ({why}){hint}", stop.ended_by)
    stop.tell("drawing, and counting solutions")
    tabs = cut_of(choice.fit.puzzle, wishes.curves).tabs
    # Assemblies with the same cost on plain squares may have different costs with tabs.
    ways = [fit.puzzle for fit in best_fits(choice.fit.puzzle, costs)]
    puzzle, artwork = best_artwork(ways, one, other, wishes.weight, tabs)
    write_files(Path(folder), puzzle, artwork, wishes.pixels, tabs)
    plain = artwork_of(puzzle, one, other, wishes.weight, None)
    errors = {"as_cut": artwork.errors, "squares": plain.errors, **_bounds(wishes, costs)}
    # Counting may take half a minute; the time limit is for choosing.
    solutions = count_solutions(puzzle, must_stop=lambda: stop.interrupted)
    return TwoPictures(
        puzzle, wishes.pixels, wishes.weight, wishes.grey, wishes.curves, method, choice.origin, choice.number,
        stop.ended_by, solutions.number, solutions.exact, solutions.ended_by, errors, folder, FILES,
    )  # fmt: skip


def _bounds(wishes: _Options, costs: "Tones") -> dict[str, tuple[float, float]]:
    """The least possible errors on plain squares, and those of a random scramble."""
    from ...csp.make.two_pictures.tones import best_assignment, random_cost
    from .blend import least_errors

    differences = {"least": best_assignment(costs)[1], "random": random_cost(costs)}
    return {key: least_errors(cost / costs.numbers, wishes.weight) for key, cost in differences.items()}


def _board(wishes: _Options) -> Board:
    from ...csp.make.edge_matching import checked_board

    return checked_board(wishes.rows or 0, wishes.columns or 0)


def _loaded(wishes: _Options, board: Board, first: str | Path, second: str | Path) -> "tuple[Picture, Picture]":
    """The two pictures in the size of the board."""
    from .arrays import read_picture
    from .mapping import MOST_LENGTH

    pixels = wishes.pixels
    if len(board) * pixels**2 > _MOST_ARTWORK or max(board.rows, board.columns) * pixels > MOST_LENGTH:
        most = f"{_MOST_ARTWORK // 10**6} million pixels, and {MOST_LENGTH} pixels a side"
        raise UsageError(f"{pixels}: is too much for {len(board)} pieces; artwork is limited to {most}", "pixels")

    def read(source: str | Path) -> "Picture":
        return read_picture(source, board.rows, board.columns, pixels, grey=wishes.grey, crop=wishes.crop)

    return read(first), read(second)


def _chosen(
    wishes: _Options, method: str, costs: "Tones", candidate: "Candidate | None", stop: Stop
) -> "Choice | None":
    """The jigsaw that shows the two pictures best."""
    from ...csp.make.two_pictures.choice import assigned, choose

    if candidate is not None:
        return choose([candidate], costs)
    if method == "assignment":
        return choose([assigned(costs)], costs)
    best = ""

    def tell(choice: "Choice") -> None:
        nonlocal best
        best = f"best of {grouped(choice.number)}: mean squared difference {choice.fit.cost / costs.numbers:.0f}; "
        stop.tell(best)

    candidates = _candidates(wishes, method, costs, stop, lambda what: stop.tell(best + what))
    return choose(candidates, costs, must_stop=stop, report=tell)


def _candidates(
    wishes: _Options, method: str, costs: "Tones", stop: Stop, tell: Callable[[str], None]
) -> "Iterable[Candidate]":
    """The jigsaws to choose among."""
    from ...csp.make.two_pictures.annealed_jigsaws import jigsaws_annealed
    from ...csp.make.two_pictures.choice import jigsaws_made, with_mirrored

    number, seed, board = wishes.scrambles or _SCRAMBLES[method], wishes.seed or 0, costs.board
    if method == "annealing":
        return jigsaws_annealed(
            costs, number, seed, max_use=wishes.max_use, no_stay=wishes.no_stay, must_stop=stop, report=tell
        )
    use = 2 if wishes.max_use is None else wishes.max_use
    made = jigsaws_made(board.rows, board.columns, number, seed, max_use=use, no_stay=wishes.no_stay, must_stop=stop)
    return with_mirrored(made)
