"""Choose a jigsaw and make artwork for it that shows two pictures, one in each assembly."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, NotFoundError, UsageError, ending, grouped, misspelt
from ...csp.base.safe_files import refuse_same_file, refuse_unwritable
from ...csp.base.stop import Report, Stop, stoppable
from ...csp.files.file_format import format_for
from ...csp.files.instances import read_squares, readable_instance, require_frame
from ...csp.puzzles.board import Arrangement, Board, Placement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.work.steps import KeptSteps
from .result import Foresight, TwoPictures

if TYPE_CHECKING:
    from ...csp.files.picture_files import Picture
    from ...csp.make.tones import Fit, Tones
    from ...csp.make.two_pictures import Candidate, Choice
    from .artwork import WantedPictures
    from .pixels import Artwork, Integers, Tabs

    Costs = Mapping[tuple[int, int], Tones]


#: The error that the artwork makes least: what people see, or the squared error.
BLENDS = "seen", "mean"
#: The least and the largest side of a piece, in pixels.
PIXELS = 8, 512
_MOST_ARTWORK = 36_000_000


@dataclass(frozen=True, kw_only=True)
class PictureWishes:
    """The options about pictures: sources, masks and crops, in order, and others for all of them."""

    sources: tuple[str | Path, ...]
    masks: tuple[str | Path | None, ...]
    crops: tuple[str | None, ...]
    pixels: int
    weight: float
    grey: bool
    crop: bool
    match: float
    blend: str = "seen"

    def __post_init__(self) -> None:
        for option, given in (("mask", self.masks), ("crop", self.crops)):
            if any(value is not None for value in given[len(self.sources) :]):
                raise UsageError("there is no third picture; omit the option", f"{option}_c")
        from .files import crop_for

        for option, place in zip(("crop_a", "crop_b", "crop_c"), self.crops, strict=False):
            crop_for(False, place, option)
        least, most = PIXELS
        if not least <= self.pixels <= most or self.pixels % 2:
            raise UsageError(f"must be an even number from {least} to {most}, not {self.pixels}", "pixels")
        if not 0 <= self.weight <= 1:
            raise UsageError(f"must lie between 0 and 1, not {self.weight}", "weight")
        if not 0 <= self.match <= 1:
            raise UsageError(f"must lie between 0 and 1, not {self.match}", "match")
        if self.blend not in BLENDS:
            raise UsageError(f"{misspelt(self.blend, BLENDS)} is unknown; choose from {', '.join(BLENDS)}", "blend")
        if self.blend == "mean" and set(self.masks) != {None}:
            raise UsageError("the blend mean takes no account of what matters; omit the masks", "blend")

    @property
    def shares(self) -> tuple[float, ...]:
        """The weights of the pictures; the others share what the first one leaves."""
        others = len(self.sources) - 1
        return (self.weight, *([(1 - self.weight) / others] * others))

    def read(self, *boards: Board) -> "tuple[Picture, ...]":
        """The pictures in the sizes of their boards; the last board is that of all others, too."""
        from ...csp.make.tones import MOST_SQUARES
        from .files import MOST_LENGTH

        board = boards[0]
        if len(board) > MOST_SQUARES:
            size = f"a {board.rows}x{board.columns} board"
            raise UsageError(f"{size} is too large for pictures; at most {MOST_SQUARES} squares are supported")
        pixels = self.pixels
        if len(board) * pixels**2 > _MOST_ARTWORK or max(boards[-1].rows, boards[-1].columns) * pixels > MOST_LENGTH:
            most = f"{_MOST_ARTWORK // 10**6} million pixels, and {MOST_LENGTH} pixels a side"
            raise UsageError(f"{pixels}: is too much for {len(board)} pieces; artwork is limited to {most}", "pixels")
        pairs = zip(self.sources, self._each(boards), strict=True)
        return tuple(self._read(source, number, own, grey=self.grey) for number, (source, own) in enumerate(pairs))

    def _each(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        return (*boards, *[boards[-1]] * (len(self.sources) - len(boards)))

    def wanted(self, given: "tuple[Picture, ...]", *boards: Board) -> "WantedPictures":
        """The pictures that were read, with matched tones, and what matters in them."""
        from .artwork import wanted_of

        masks = [
            None if mask is None else self._read(mask, number, board, grey=True)
            for number, (mask, board) in enumerate(zip(self.masks, self._each(boards), strict=False))
        ]
        return wanted_of(given, masks, self._each(boards), self.shares, self.match, self.blend)

    def _read(self, source: str | Path, number: int, board: Board, *, grey: bool) -> "Picture":
        """A picture or mask in the size of the board, cropped as asked for the picture of that number, from 0."""
        from .files import crop_for, read_picture

        option, label = ("crop_a", "crop_b", "crop_c")[number], source if source in self.sources else None
        crop = crop_for(self.crop, self.crops[number], option, self.masks[number], label)
        return read_picture(source, board.rows, board.columns, self.pixels, grey=grey, crop=crop)


#: The methods to choose a jigsaw.
METHODS = "annealing", "scrambles", "assignment"
# Numbers of jigsaws to choose among: with annealing this number of squares in all, within these bounds.
_MADE, _ANNEALED_SQUARES, _FEWEST, _MOST = 200, 1000, 3, 40
# What an alternative must add to the lower similarity; the most squares that annealing is known to manage.
_BETTER, _MOST_ANNEALED = 0.02, 400


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The options of `pictures` for the choice of a jigsaw."""

    rows: int | None
    columns: int | None
    method: str | None
    scrambles: int | None
    seed: int | None
    max_use: int | None
    no_stay: bool
    two_boards: bool = False  #: Whether the second board has a row less and a column more

    def check(self, *, is_given: bool) -> None:
        """Refuse options that are missing, invalid or without effect; `is_given` if the jigsaw is given."""
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

    def number(self, squares: int) -> int:
        """The number of jigsaws to choose among."""
        annealed = min(max(_ANNEALED_SQUARES // squares, _FEWEST), _MOST)
        return self.scrambles or (annealed if self.method in (None, "annealing") else _MADE)


def made_pictures(
    wishes: PictureWishes,
    selection: Selection,
    jigsaw: EdgeMatchingPuzzle | str | Path | None,
    folder: str | Path,
    curves: int,
    time_limit: float | None,
    report: Report | None,
    kept: KeptSteps | None = None,
    second_board: EdgeMatchingPuzzle | None = None,
) -> TwoPictures:
    """The jigsaw, given or chosen, and its artwork, whose files are written into the folder.

    The scrambles of the method annealing are added to the journal `kept`, and those of an earlier run taken from it.
    """
    if len(wishes.sources) > 2 and jigsaw is None:
        raise UsageError(
            "three pictures need a given jigsaw, made by `jigsat make jigsaw --solutions 3 --disjoint`", "jigsaw"
        )
    selection.check(is_given=jigsaw is not None)
    from .files import ALL_FILES, made_folder, of_second

    named = None if isinstance(jigsaw, EdgeMatchingPuzzle) else jigsaw
    with made_folder(folder) as there:
        for name in (*ALL_FILES, *of_second(there)):
            refuse_same_file(there / name, *wishes.sources, named, *wishes.masks)
            refuse_unwritable(there / name)
        with stoppable(time_limit, report=report) as stop:
            given = _given(jigsaw, len(wishes.sources), second_board)
            return _made(wishes, selection, given, curves, str(folder), stop, kept or KeptSteps())


def preview(wishes: PictureWishes, rows: int, columns: int, path: str | Path, *, two_boards: bool = False) -> Foresight:
    """Foresee how well a jigsaw can show two pictures, and draw both assemblies with the best assignment to squares.

    With `two_boards` the second one has a row less and a column more.
    """
    format_for(path, {"png": (".png",)}, "png")
    refuse_same_file(path, *wishes.sources, *wishes.masks)
    from ...csp.puzzles.board import checked_board
    from .artwork import foreseen_with_picture
    from .files import write_picture

    def tried(wanted: PictureWishes, rows: int, columns: int) -> "tuple[Foresight, Picture]":
        board = checked_board(rows, columns)
        other = checked_board(rows - 1, columns + 1) if two_boards else board
        pair = wanted.wanted(wanted.read(board, other), board, other)
        return foreseen_with_picture(pair, pair.costs())

    found, picture = tried(wishes, rows, columns)
    write_picture(picture, path)
    better = []
    for name, other in _alternatives(wishes, rows, columns, found, two_boards=two_boards):
        # A picture may have too few pixels for more squares; what is cut off was said before.
        with suppress(InstanceError), warnings.catch_warnings(action="ignore"):
            better.append((name, tried(*other)[0].similarities))
    low = min(found.similarities)
    return replace(found, better=tuple((name, pair) for name, pair in better if min(pair) > low + _BETTER))


def _alternatives(
    wishes: PictureWishes, rows: int, columns: int, found: Foresight, *, two_boards: bool
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
        sizes = f"--rows {more_rows} --columns {more_columns}"
        if two_boards:
            sizes = f"--boards {more_rows}x{more_columns},{more_rows - 1}x{more_columns + 1}"
        yield sizes, (small, more_rows, more_columns)


def _given(
    jigsaw: EdgeMatchingPuzzle | str | Path | None, number: int, second: EdgeMatchingPuzzle | None
) -> "Candidate | None":
    if jigsaw is None:
        return None
    from ...csp.make.two_pictures import given

    if isinstance(jigsaw, EdgeMatchingPuzzle):
        # Its file is written at the end.
        readable_instance(jigsaw, "jigsaw")
    puzzle = jigsaw if isinstance(jigsaw, EdgeMatchingPuzzle) else read_squares(jigsaw)
    require_frame(puzzle, "pictures are")
    return given(puzzle, puzzle.name if puzzle is jigsaw else str(jigsaw), number, second)


def _made(
    wishes: PictureWishes,
    selection: Selection,
    given: "Candidate | None",
    curves: int,
    folder: str,
    stop: Stop,
    kept: KeptSteps,
) -> TwoPictures:
    from ...csp.make.tones import best_fits_of_all, random_cost, shared_costs, tones
    from ...csp.make.two_pictures import Choice, Solutions, count_solutions
    from ...csp.puzzles.board import checked_board
    from ..cut.family import cut_of
    from .files import file_names, write_files

    board = checked_board(selection.rows or 0, selection.columns or 0) if given is None else given.puzzle.board
    chosen, drawn = _parts(board, wishes.pixels, selection if given is None else None)
    other = Board(board.rows - 1, board.columns + 1) if selection.two_boards else None
    if given is not None and given.second is not None:
        other = given.second.board
    own, number = wishes.read(board, other or board), len(wishes.sources)
    stop.tell("comparing the pictures")
    wanted = wishes.wanted(own, board, other or board)
    targets = wanted.targets() if wishes.match else own
    pairs = list(combinations(range(number), 2))
    squared = {pair: tones(targets[pair[0]], targets[pair[1]], board, other) for pair in pairs}
    costs = {pair: wanted.costs(*pair) for pair in pairs} if wishes.blend == "seen" else squared
    if number > 2:
        costs = shared_costs(costs, wishes.shares)
    fits = [] if given is None else best_fits_of_all(given.puzzle, costs, number, given.second)
    verdict = _foreseen(wanted, costs, fits)
    stop.tell(verdict.summary(), chosen)
    if given is not None:
        method, choice = "given", Choice(fits[0], given.origin, 1)
    else:
        method = selection.method or METHODS[0]
        choice = _chosen(selection, method, costs[0, 1], stop, (chosen, drawn), kept)
        if choice is None:
            slow = method == "annealing" and other is None and stop.ended_by == "time"
            hint = "; the method scrambles is quicker" if slow else ""
            why = ending(stop.ended_by) or "no candidate meets all conditions"
            raise NotFoundError(f"no jigsaw was found ({why}){hint}", stop.ended_by)
        fits = best_fits_of_all(choice.fit.puzzle, costs, number, choice.fit.second)
    tabs = cut_of(choice.fit.puzzle, curves).tabs
    puzzle, artwork, plain = _drawn(wishes, wanted, targets, fits, tabs, stop, drawn)
    second = fits[0].second
    write_files(Path(folder), puzzle, artwork, wishes.pixels, tabs, second)
    errors = {"as_cut": artwork.errors, "squares": plain.errors}
    if number == 2:
        # Of the weighted mean: for the best assignment to plain squares, and for a random scramble.
        for key, cost in (("least", squared[0, 1].best_assignment[1]), ("random", random_cost(squared[0, 1]))):
            difference = cost / squared[0, 1].numbers
            errors[key] = (1 - wishes.weight) ** 2 * difference, wishes.weight**2 * difference
    seen = {"as_cut": wanted.seen(artwork.shown, targets), "matched": wanted.seen(targets, own)}
    ended_by = stop.ended_by
    # Jigsaws of two boards are made with one solution on each.
    counted = [Solutions(1, True, None)]
    if second is None or given is not None:
        # Counting may take half a minute; the time limit is for choosing.
        puzzles = [puzzle] if second is None else [puzzle, second]
        counted = [count_solutions(each, must_stop=lambda: stop.interrupted) for each in puzzles]
    solutions = max(counted, key=lambda each: (not each.exact, each.number))
    return TwoPictures(
        puzzle, wishes.pixels, wishes.weight, wishes.grey, curves, wishes.match, wishes.blend, method,
        choice.origin, choice.number, ended_by, solutions.number, solutions.exact, solutions.ended_by, errors,
        seen, verdict, folder, file_names(number, second and second.board), second,
    )  # fmt: skip


def _drawn(
    wishes: PictureWishes,
    wanted: "WantedPictures",
    targets: Sequence["Picture"],
    fits: "Sequence[Fit]",
    tabs: "Tabs",
    stop: Stop,
    done: float,
) -> "tuple[EdgeMatchingPuzzle, Artwork, Artwork]":
    """The best of the ways to assign the pictures to assemblies, with its artwork, as cut and on plain squares.

    Ways with the same cost on plain squares may have different costs with tabs.
    """
    from .artwork import STEPS
    from .pixels import artwork_of

    steps = 0
    stop.tell("drawing, and counting solutions", done)

    def must_stop() -> bool:
        nonlocal steps
        steps += 1
        stop.tell("drawing, and counting solutions", done + (1 - done) * steps / (STEPS * (len(fits) + 1) + 1))
        return stop.interrupted

    def blended(there: Sequence["Integers"], few: Sequence["Integers"]) -> "Picture":
        return wanted.artwork(there, few, must_stop)

    def error(artwork: "Artwork") -> float:
        each = artwork.errors if how is None else [-similar for _, similar in wanted.seen(artwork.shown, targets)]
        return sum(share * one for share, one in zip(wishes.shares, each, strict=True))

    how = blended if wishes.blend == "seen" else None
    drawn = ((fit, artwork_of(fit.puzzle, targets, wishes.shares, tabs, how, fit.second)) for fit in fits)
    fit, artwork = min(drawn, key=lambda one: error(one[1]))
    return fit.puzzle, artwork, artwork_of(fit.puzzle, targets, wishes.shares, None, how, fit.second)


def _foreseen(wanted: "WantedPictures", costs: "Costs", fits: "Sequence[Fit]") -> Foresight:
    """The errors to expect: of the best assignment of two pictures, or of the given jigsaw on squares for three.

    `fits` are the cheapest ways of the given jigsaw.
    """
    from ...csp.make.tones import random_cost
    from .artwork import foreseen_with_picture, shown_plainly
    from .pixels import transfers

    number = len(wanted.pictures)
    if number == 2:
        return foreseen_with_picture(wanted, costs[0, 1])[0]
    worst = sum(map(random_cost, costs.values()))
    there = transfers(fits[0].puzzle, number, wanted.pixels, None)
    return shown_plainly(wanted, there, fits[0].cost / worst if worst else 0.0)[0]


# About the seconds that a pixel of artwork takes for comparing and for drawing, and a join for annealing.
_COMPARED, _DRAWN, _ANNEALED = 2.5e-6, 5e-6, 0.02


def _parts(board: Board, pixels: int, selection: Selection | None) -> tuple[float, float]:
    """About which parts of the work are done when the choice begins and when it ends; None if there is no choice."""
    area = len(board) * pixels**2
    choosing = 0.0 if selection is None else _ANNEALED * board.join_count * selection.number(len(board))
    whole = (_COMPARED + _DRAWN) * area + choosing
    return _COMPARED * area / whole, (_COMPARED * area + choosing) / whole


def _chosen(
    selection: Selection, method: str, costs: "Tones", stop: Stop, parts: tuple[float, float], kept: KeptSteps
) -> "Choice | None":
    """The jigsaw that shows the pictures best; meanwhile the part of the work that is done grows between `parts`."""
    from ...csp.make.two_pictures import assigned, choose

    if method == "assignment":
        return choose([assigned(costs)], costs)
    best, done = "", 0.0

    def tell(what: str, part: float) -> None:
        nonlocal done
        timed = stop.used / stop.limit if stop.limit else 0.0
        done = max(done, min(max(part, timed), 1.0))
        stop.tell(best + what, parts[0] + (parts[1] - parts[0]) * done)

    def tell_best(choice: "Choice") -> None:
        nonlocal best
        best = f"best of {grouped(choice.number)}: squared difference {choice.fit.cost / costs.numbers:.0f}; "
        tell("", choice.number / selection.number(len(costs.board)))

    return choose(_candidates(selection, method, costs, stop, tell, kept), costs, must_stop=stop, report=tell_best)


def _candidates(
    selection: Selection, method: str, costs: "Tones", stop: Stop, tell: Callable[[str, float], None], kept: KeptSteps
) -> "Iterable[Candidate]":
    from ...csp.make.tone_annealing import boards_annealed, jigsaws_annealed
    from ...csp.make.two_pictures import jigsaws_made, with_mirrored
    from ...csp.puzzles.jigsaw_algebra import least_use

    seed, board = selection.seed or 0, costs.board
    number = selection.number(len(board))
    if method == "annealing":
        how: dict[str, Any] = {
            "earlier": [_scramble(entry) for entry in kept.earlier if "scramble" in entry],
            "keep": lambda it: kept.add({"scramble": it and [(lies.piece, lies.rotation) for lies in it if lies]}),
            "must_stop": stop,
            "report": tell,
        }
        if selection.two_boards:
            return boards_annealed(costs, number, seed, **how)
        return jigsaws_annealed(costs, number, seed, max_use=selection.max_use, no_stay=selection.no_stay, **how)
    use = least_use(board.join_count) if selection.max_use is None else selection.max_use
    made = jigsaws_made(board.rows, board.columns, number, seed, max_use=use, no_stay=selection.no_stay, must_stop=stop)
    return with_mirrored(made)


def _scramble(entry: Mapping[str, Any]) -> Arrangement | None:
    found = entry["scramble"]
    return None if found is None else tuple(Placement(piece, rotation) for piece, rotation in found)
