"""Choose a jigsaw and make artwork for it that shows two pictures, one in each assembly."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from ...csp.base.errors import InstanceError, NotFoundError, UsageError, misspelt, need_extra
from ...csp.base.safe_files import refuse_same_file, refuse_unwritable
from ...csp.base.stop import Report, Stop, stoppable
from ...csp.base.words import ending, grouped
from ...csp.files.file_format import format_for
from ...csp.files.instances import read_squares, readable_instance
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .result import Foresight, TwoPictures
from .wishes import Blend, PictureWishes

if TYPE_CHECKING:
    from ...csp.files.picture_files import Picture
    from ...csp.make.tones import Fit, Tones
    from ...csp.make.two_pictures import Candidate, Choice
    from .artwork import WantedPictures
    from .blend import Artwork
    from .raster import Integers, Tabs

    #: The costs for each pair of pictures.
    Costs = Mapping[tuple[int, int], Tones]

#: The methods to choose a jigsaw.
Method = Literal["annealing", "scrambles", "assignment"]
METHODS: tuple[Method, ...] = get_args(Method)
# Numbers of jigsaws to choose among: with annealing this number of squares in all, within these bounds.
_MADE, _ANNEALED_SQUARES, _FEWEST, _MOST = 200, 1000, 3, 40
# What an alternative must add to the lower similarity; the most squares that annealing is known to manage.
_BETTER, _MOST_ANNEALED = 0.02, 400


@dataclass(frozen=True, kw_only=True)
class _Selection:
    """The options of `pictures` for the choice of a jigsaw."""

    rows: int | None
    columns: int | None
    method: str | None
    scrambles: int | None
    seed: int | None
    max_use: int | None
    no_stay: bool

    def check(self, *, is_given: bool) -> None:
        """Refuse options that are missing, invalid or without effect; `is_given` if the jigsaw is given.

        Raises UsageError if there is one.
        """
        if not is_given and None in (self.rows, self.columns):
            raise UsageError("give both, or a jigsaw", "rows", "columns")
        if self.method is not None and self.method not in METHODS:
            raise UsageError(f"{misspelt(self.method, METHODS)} is unknown; choose from {', '.join(METHODS)}", "method")
        about_choice = asdict(self)
        where = "a given jigsaw" if is_given else "the method assignment"
        if not is_given:
            for option in ("rows", "columns", "method"):
                del about_choice[option]
        if not is_given and self.method != "assignment":
            about_choice = {}
        for option, value in about_choice.items():
            if value is not None and value is not False:
                raise UsageError(f"it is for choosing among jigsaws, and {where} leaves no choice", option)
        if self.scrambles is not None and self.scrambles < 1:
            raise UsageError(f"must be 1 or more, not {self.scrambles}", "scrambles")


def pictures(
    first: str | Path,
    second: str | Path,
    folder: str | Path,
    *,
    third: str | Path | None = None,
    jigsaw: EdgeMatchingPuzzle | str | Path | None = None,
    rows: int | None = None,
    columns: int | None = None,
    method: Method | None = None,
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
    blend: Blend = "seen",
    curves: int = 0,
    time_limit: float | None = 600,
    report: Report | None = None,
) -> TwoPictures:
    """Make artwork for a jigsaw with two or three assemblies, so that each assembly shows a picture.

    This is what ``jigsat pictures`` does.  The jigsaw is given, or chosen so that what matters in one picture lies on
    what matters little in the other, and tones differ little.  The artwork is optimised for the eye.

    Parameters
    ----------
    first, second : str or Path
        The pictures: files such as PNG or JPEG, or the names of bundled ones (cup, ring).
    folder : str or Path
        The folder for the jigsaw, the artwork and the other files; it is made if it does not exist.  Such files of an
        earlier run are replaced or removed.
    third : str or Path, optional
        A third picture, for a given jigsaw with three assemblies.
    jigsaw : EdgeMatchingPuzzle, str or Path, optional
        The jigsaw, with an assembly for each picture: a puzzle, a file, or the name of a bundled one.
    rows, columns : int, optional
        The size of the jigsaw to choose, if `jigsaw` is not given.
    method : {'annealing', 'scrambles', 'assignment'}, optional
        ``annealing`` (the default): anneal scrambles until the tones fit and exactly two solutions remain.
        ``scrambles``: the best of jigsaws with exactly two solutions that were made independently of the pictures.
        ``assignment``: the best of all assignments of pieces to squares, whose jigsaw may have many solutions.
    scrambles : int, optional
        The number of jigsaws among which to choose: by default 200; with annealing 1000 divided by the number of
        squares, but at least 3 and at most 40.
    seed : int, optional
        The random seed of these jigsaws, by default 0.
    max_use : int, optional
        The largest number of joins of a connector, by default 2.  With annealing there is by default a price of joins
        instead, found by trial so that two solutions remain.
    no_stay : bool, default False
        Whether every piece must have different squares in the two assemblies.
    pixels : int, default 64
        The side of a piece in pixels, an even number from 8 to 512.
    weight : float, optional
        The weight of the first picture in the tones and in the artwork, from 0 to 1; the others share the rest.  By
        default all have the same.
    grey : bool, default False
        Whether to convert the pictures to grey.
    crop : bool, default False
        Whether to crop pictures of another shape, where most of what matters remains: of what a mask shows, or else
        of what stands out.
    crop_a, crop_b, crop_c : str, optional
        Crop the first, the second or the third picture, and keep this part: ``top``, ``bottom left``, ``50%,30%``.
    mask_a, mask_b, mask_c : str or Path, optional
        Grey pictures, white where the first, the second or the third picture matters; by default, what stands out
        matters.
    match : float, default 0.0
        How far the tones of the pictures are matched first, from 0 (not at all) to 1.
    blend : {'seen', 'mean'}, default 'seen'
        ``seen``: choose the jigsaw and optimise the artwork for the eye.  ``mean``: for the squared error, which the
        mean of the two tones makes least.
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
    need_extra("PIL", "scipy", "skimage")
    sources = (first, second) if third is None else (first, second, third)
    number = len(sources)
    if number == 2:
        for option, value in (("mask_c", mask_c), ("crop_c", crop_c)):
            if value is not None:
                raise UsageError("there is no third picture; omit the option", option)
    elif jigsaw is None:
        raise UsageError(
            "three pictures need a given jigsaw, made by `jigsat make jigsaw --solutions 3 --disjoint`", "jigsaw"
        )
    selection = _Selection(
        rows=rows, columns=columns, method=method, scrambles=scrambles, seed=seed, max_use=max_use, no_stay=no_stay
    )
    selection.check(is_given=jigsaw is not None)
    wishes = PictureWishes(
        sources=sources, masks=(mask_a, mask_b, mask_c)[:number], crops=(crop_a, crop_b, crop_c)[:number],
        pixels=pixels, weight=1 / number if weight is None else weight, grey=grey, crop=crop, match=match, blend=blend,
    )  # fmt: skip
    from .files import ALL_FILES, made_folder

    named = None if isinstance(jigsaw, EdgeMatchingPuzzle) else jigsaw
    with made_folder(folder) as there:
        for name in ALL_FILES:
            refuse_same_file(there / name, *sources, named, *wishes.masks)
            refuse_unwritable(there / name)
        with stoppable(time_limit, report=report) as stop:
            return _made(wishes, selection, _given(jigsaw, number), curves, str(folder), stop)


def preview_pictures(
    first: str | Path,
    second: str | Path,
    path: str | Path,
    *,
    rows: int,
    columns: int,
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

    This is what ``jigsat pictures --preview`` does.  The preview has both assemblies side by side, with the best
    assignment of pieces to plain squares, which no jigsaw is expected to beat by much.

    Parameters
    ----------
    first, second : str or Path
        The pictures, as for `pictures`.
    path : str or Path
        The file for the preview (.png), or ``-`` for standard output.
    rows, columns : int
        The size of the jigsaw.
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
    need_extra("PIL", "scipy", "skimage")
    wishes = PictureWishes(
        sources=(first, second), masks=(mask_a, mask_b), crops=(crop_a, crop_b),
        pixels=pixels, weight=0.5 if weight is None else weight, grey=grey, crop=crop, match=match,
    )  # fmt: skip
    format_for(path, {"png": (".png",)}, "png")
    refuse_same_file(path, first, second, mask_a, mask_b)
    from ...csp.puzzles.board import checked_board
    from .artwork import foreseen_with_picture
    from .files import write_picture

    def tried(wanted: PictureWishes, rows: int, columns: int) -> "tuple[Foresight, Picture]":
        board = checked_board(rows, columns)
        pair = wanted.wanted(board, wanted.read(board))
        return foreseen_with_picture(pair, pair.costs())

    found, picture = tried(wishes, rows, columns)
    write_picture(picture, path)
    better = []
    for name, other in _alternatives(wishes, rows, columns, found):
        with suppress(InstanceError):  # a picture may have too few pixels for more squares
            better.append((name, tried(*other)[0].similarities))
    low = min(found.similarities)
    return replace(found, better=tuple((name, pair) for name, pair in better if min(pair) > low + _BETTER))


def _alternatives(
    wishes: PictureWishes, rows: int, columns: int, found: Foresight
) -> Iterator[tuple[str, tuple[PictureWishes, int, int]]]:
    """Other wishes and sizes that may be better, with their options on the command line."""
    small = replace(wishes, pixels=min(wishes.pixels, 32))
    if not wishes.grey:
        yield "--grey", (replace(small, grey=True), rows, columns)
    shift = 0.15 if found.similarities[0] < found.similarities[1] else -0.15
    weight = round(min(max(wishes.weight + shift, 0), 1), 2)
    yield f"--weight {weight:g}", (replace(small, weight=weight), rows, columns)
    # Of the same proportions, which the pictures have, too.
    common = gcd(rows, columns)
    more_rows, more_columns = (side // common * ((3 * common + 1) // 2) for side in (rows, columns))
    if more_rows * more_columns <= _MOST_ANNEALED:
        yield f"--rows {more_rows} --columns {more_columns}", (small, more_rows, more_columns)


def _given(jigsaw: EdgeMatchingPuzzle | str | Path | None, number: int) -> "Candidate | None":
    """The jigsaw that the user has given, if any."""
    if jigsaw is None:
        return None
    from ...csp.make.two_pictures import given

    if isinstance(jigsaw, EdgeMatchingPuzzle):
        # Its file is written at the end.
        readable_instance(jigsaw, "jigsaw")
        return given(jigsaw, jigsaw.name, number)
    return given(read_squares(jigsaw), str(jigsaw), number)


def _made(
    wishes: PictureWishes, selection: _Selection, given: "Candidate | None", curves: int, folder: str, stop: Stop
) -> TwoPictures:
    """Choose the jigsaw, and draw, measure and write everything."""
    from ...csp.make.tones import best_fits_of_all, shared_costs, tones
    from ...csp.make.two_pictures import Choice, count_solutions
    from ...csp.puzzles.board import checked_board
    from ..cut.family import cut_of
    from .files import file_names, write_files

    board = checked_board(selection.rows or 0, selection.columns or 0) if given is None else given.puzzle.board
    own, number = wishes.read(board), len(wishes.sources)
    wanted = wishes.wanted(board, own)
    targets = wanted.targets() if wishes.match else own
    pairs = list(combinations(range(number), 2))
    squared = {pair: tones(targets[pair[0]], targets[pair[1]], board) for pair in pairs}
    costs = {pair: wanted.costs(*pair) for pair in pairs} if wishes.blend == "seen" else squared
    if number > 2:
        costs = shared_costs(costs, wishes.shares)
    fits = [] if given is None else best_fits_of_all(given.puzzle, costs, number)
    verdict = _foreseen(wanted, costs, fits)
    stop.tell(verdict.summary())
    if given is not None:
        method, choice = "given", Choice(fits[0], given.origin, 1)
    else:
        method = selection.method or METHODS[0]
        choice = _chosen(selection, method, costs[0, 1], stop)
        if choice is None:
            slow = method == "annealing" and stop.ended_by == "time"
            hint = "; the method scrambles is quicker" if slow else ""
            why = ending(stop.ended_by) or "no candidate meets all conditions"
            raise NotFoundError(f"no jigsaw was found ({why}){hint}", stop.ended_by)
        fits = best_fits_of_all(choice.fit.puzzle, costs, number)
    stop.tell("drawing, and counting solutions")
    tabs = cut_of(choice.fit.puzzle, curves).tabs
    puzzle, artwork, plain = _drawn(wishes, wanted, targets, [fit.puzzle for fit in fits], tabs, stop)
    write_files(Path(folder), puzzle, artwork, wishes.pixels, tabs)
    errors = {"as_cut": artwork.errors, "squares": plain.errors}
    if number == 2:
        errors |= _bounds(wishes.weight, squared[0, 1])
    seen = {"as_cut": _seen(wanted, artwork.shown, targets), "matched": _seen(wanted, targets, own)}
    ended_by = stop.ended_by
    # Counting may take half a minute; the time limit is for choosing.
    solutions = count_solutions(puzzle, must_stop=lambda: stop.interrupted)
    return TwoPictures(
        puzzle, wishes.pixels, wishes.weight, wishes.grey, curves, wishes.match, wishes.blend, method,
        choice.origin, choice.number, ended_by, solutions.number, solutions.exact, solutions.ended_by, errors,
        seen, verdict, folder, file_names(number),
    )  # fmt: skip


def _drawn(
    wishes: PictureWishes,
    wanted: "WantedPictures",
    targets: Sequence["Picture"],
    ways: Sequence[EdgeMatchingPuzzle],
    tabs: "Tabs",
    stop: Stop,
) -> "tuple[EdgeMatchingPuzzle, Artwork, Artwork]":
    """The best of the ways to assign the pictures to assemblies, with its artwork, as cut and on plain squares.

    Ways with the same cost on plain squares may have different costs with tabs.
    """
    from .blend import artwork_of, best_artwork

    def blended(there: Sequence["Integers"], few: Sequence["Integers"]) -> "Picture":
        return wanted.artwork(there, few, lambda: stop.interrupted)

    def unlike(artwork: "Artwork") -> float:
        each = _seen(wanted, artwork.shown, targets)
        return -sum(share * similarity for share, (_, similarity) in zip(wishes.shares, each, strict=True))

    how, error = (blended, unlike) if wishes.blend == "seen" else (None, None)
    puzzle, artwork = best_artwork(ways, targets, wishes.shares, tabs, how, error)
    return puzzle, artwork, artwork_of(puzzle, targets, wishes.shares, None, how)


def _seen(
    wanted: "WantedPictures", shown: Sequence["Picture"], targets: Sequence["Picture"]
) -> tuple[tuple[float, float], ...]:
    """The error and the similarity of each picture, as an eye sees them."""
    from .eye import WORKING_PIXELS, seen_errors

    size = wanted.board.rows * WORKING_PIXELS, wanted.board.columns * WORKING_PIXELS
    every = zip(shown, targets, wanted.importance, strict=True)
    return tuple(seen_errors(one, other, *size, importance) for one, other, importance in every)


def _foreseen(wanted: "WantedPictures", costs: "Costs", fits: "Sequence[Fit]") -> Foresight:
    """The errors to expect: of the best assignment of two pictures, or of the given jigsaw on squares for three.

    `fits` are the cheapest ways of the given jigsaw.
    """
    from ...csp.make.tones import random_cost
    from .artwork import foreseen, shown_plainly
    from .blend import transfers

    number = len(wanted.pictures)
    if number == 2:
        return foreseen(wanted, costs[0, 1])
    worst = sum(map(random_cost, costs.values()))
    there = transfers(fits[0].puzzle, number, len(wanted.pictures[0]) // wanted.board.rows, None)
    return shown_plainly(wanted, there, fits[0].cost / worst if worst else 0.0)[0]


def _bounds(weight: float, costs: "Tones") -> dict[str, tuple[float, float]]:
    """The errors of the weighted mean: for the best assignment to plain squares, and for a random scramble."""
    from ...csp.make.tones import best_assignment, random_cost
    from .blend import least_errors

    differences = {"least": best_assignment(costs)[1], "random": random_cost(costs)}
    return {key: least_errors(cost / costs.numbers, weight) for key, cost in differences.items()}


def _chosen(selection: _Selection, method: str, costs: "Tones", stop: Stop) -> "Choice | None":
    """The jigsaw that shows the pictures best."""
    from ...csp.make.two_pictures import assigned, choose

    if method == "assignment":
        return choose([assigned(costs)], costs)
    best = ""

    def tell(choice: "Choice") -> None:
        nonlocal best
        best = f"best of {grouped(choice.number)}: squared difference {choice.fit.cost / costs.numbers:.0f}; "
        stop.tell(best)

    candidates = _candidates(selection, method, costs, stop, lambda what: stop.tell(best + what))
    return choose(candidates, costs, must_stop=stop, report=tell)


def _candidates(
    selection: _Selection, method: str, costs: "Tones", stop: Stop, tell: Callable[[str], None]
) -> "Iterable[Candidate]":
    """The jigsaws to choose among."""
    from ...csp.make.tone_annealing import jigsaws_annealed
    from ...csp.make.two_pictures import jigsaws_made, with_mirrored
    from ...csp.puzzles.jigsaw_algebra import least_use

    seed, board = selection.seed or 0, costs.board
    annealed = min(max(_ANNEALED_SQUARES // len(board), _FEWEST), _MOST)
    number = selection.scrambles or (annealed if method == "annealing" else _MADE)
    if method == "annealing":
        return jigsaws_annealed(
            costs, number, seed, max_use=selection.max_use, no_stay=selection.no_stay, must_stop=stop, report=tell
        )
    use = least_use(board.join_count) if selection.max_use is None else selection.max_use
    made = jigsaws_made(board.rows, board.columns, number, seed, max_use=use, no_stay=selection.no_stay, must_stop=stop)
    return with_mirrored(made)
