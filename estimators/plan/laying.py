"""Answers about a board or a tiling that somebody lays, each within a few seconds: for the studio, and for Python."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from ...csp.base.errors import InstanceError, JigsatError, PuzzleError, grouped
from ...csp.base.safe_files import first_bytes, replacing
from ...csp.base.words import about_number
from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.convert import write
from ...csp.files.file_format import bundled_names, is_link
from ...csp.files.instances import Puzzle, files_of, read_puzzle, stated_number
from ...csp.files.solutions import read_solutions
from ...csp.files.to_show import ToShow, to_show
from ...csp.files.viewer_links import UnknownPiecesError, link_of
from ...csp.geometry.polygons import counterclockwise, isometries
from ...csp.puzzles.board import Placement
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.fitting import Fitting
from ...csp.puzzles.rest_of_tiling import rest_of_tiling
from ...render.html.laid import PlacesOnPage, board_on_page
from ...render.html.viewer import codes_of

if TYPE_CHECKING:
    from ...csp.engines.result import Result

#: What lies on a page to play: for squares the number of the piece on each, for a dissection the place of each piece.
Laid = Sequence[Any]

_FORMAT = "jigsat-laid/1"


@dataclass(frozen=True)
class WaysLeft:
    """How many ways there are to complete what is laid; pieces are numbered, so equal ones count apart."""

    #: At least this many; exactly as many if `exact`.
    least: int
    exact: bool
    #: Otherwise an estimate from random boards, with a 95 % interval if there is one.
    sampled: Fraction | None = None
    interval: tuple[Fraction, Fraction] | None = None
    #: How many are expected of random pieces with these colours.
    expected: Fraction | None = None
    #: Whether nothing is left to lay.
    done: bool = False
    #: Why pieces cannot lie where they are, if this is known of them alone.
    why: str = ""
    #: If nothing is laid: whether ways count apart that differ only by turns and reflections of the whole and exchanges
    #: of equal pieces, and how many differ by more, if this is known.
    apart: bool = field(default=False, compare=False)
    different: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.why:
            return f"no way left: {self.why}"
        if self.done:
            return "solved: all is laid, and all fits"
        least = f"{grouped(self.least)} way{'s' if self.least != 1 else ''}"
        if self.exact:
            return f"exactly {least} left" if self.least else "no way left: no solution has these pieces here"
        if self.sampled is not None and self.interval is not None:
            low, high = map(about_number, self.interval)
            return f"about {about_number(self.sampled)} ways left (between {low} and {high}, with 95 % confidence)"
        if self.sampled is not None:
            return f"roughly {about_number(self.sampled)} ways left; the samples are too different for an interval"
        known = f"at least {least} left" if self.least else "the number of ways left is not known"
        if self.expected is None:
            return f"{known}; there was no time to find all"
        return f"{known}; of random pieces with these colours, about {about_number(self.expected)} would be expected"


@dataclass(frozen=True)
class Found:
    """What continues what is laid; without it, whether it is sure that nothing does."""

    laid: Laid | None = None
    is_none: bool = False
    #: The piece (from 0) that a hint adds.
    piece: int | None = None


@lru_cache(4)
def _fitting(puzzle: EdgeMatchingPuzzle) -> Fitting:
    return Fitting(puzzle)


@lru_cache(4)
def _page(puzzle: DissectionPuzzle) -> PlacesOnPage:
    return PlacesOnPage(puzzle)


def _opened(puzzle: Puzzle | str) -> Puzzle:
    return read_puzzle(puzzle) if isinstance(puzzle, str) else puzzle


def _search(puzzle: Puzzle, goal: Goal, seconds: float, options: Options | None = None) -> Result[Any]:
    # To show what is laid takes no engine.
    from .job import Job

    return Job(puzzle, goal, limits=Limits(seconds=seconds), options=options or Options()).plan().run()


def sound(puzzle: Puzzle, laid: Any) -> Laid:
    """What a page says that lies on it; raises PuzzleError if that cannot be."""
    if isinstance(puzzle, DissectionPuzzle):
        return _page(puzzle).sound(laid)
    return codes_of(puzzle, board_on_page(puzzle, laid))


def solution_of(puzzle: Puzzle, entry: Any) -> Any:
    """The board or tiling of an entry of a solution file, or of pairs of a piece from 0 and a rotation."""
    if isinstance(entry[0], list) and isinstance(entry[0][0], int):
        return tuple(Placement(*placed) for placed in entry)
    return files_of(puzzle.kind).solution_reader(puzzle, puzzle.name)(entry, 1, True)


def _of_one(path: str, sources: Iterable[str]) -> ToShow | None:
    """What a file of boards shows of the first puzzle that has its pieces."""
    for source in sources:
        with suppress(JigsatError):
            puzzle = read_puzzle(source)
            if found := read_solutions(path, puzzle):
                return ToShow(puzzle, found, source=source)
    return None


def read_dropped(path: str, among: Sequence[str], opened: str | None = None) -> tuple[str, Any]:
    """The puzzle of a file, and the board or tiling in it to lay, as `solution_of` takes it; None without one.

    Solutions may be of a bundled puzzle or of one of the files `among`; boards that name no puzzle are of the one that
    is `opened`, and links to boards that are not full of any that has these pieces.

    Raises InstanceError if the file cannot be read, or its puzzle is not among these.
    """
    try:
        found = to_show(path, among=among)
    except JigsatError as error:
        is_linked = is_link(first_bytes(path, 200).decode("utf-8", "replace"))
        known = filter(None, [opened, *((*among, *bundled_names("edge-matching")) if is_linked else ())])
        found = _of_one(path, known)
        if found is None and isinstance(error, UnknownPiecesError):
            raise InstanceError(
                "This link shows some pieces of a puzzle that is not here; add the puzzle's file first, then the link."
            ) from None
        if found is None:
            raise
    shown = found.solutions if found.source or found.word == "board" else ()
    laid = files_of(found.puzzle.kind).solution_data(found.puzzle)(shown[0]) if shown and any(shown[0]) else None
    return str(found.source or path), laid


class Table:
    """What is laid of a puzzle, and the file that keeps it: a solution file, or for a dissection a file of places.

    Parameters
    ----------
    puzzle
        The puzzle.
    path
        The file.  Without one, or with one of another puzzle, nothing is laid.
    """

    def __init__(self, puzzle: Puzzle, path: Path) -> None:
        self.puzzle, self._path = puzzle, path
        self.laid = self._kept()
        #: Counts the moves.
        self.version = self._written = 0
        self._lock = Lock()

    @property
    def board(self) -> Any:
        """The board; None for a dissection."""
        return None if isinstance(self.puzzle, DissectionPuzzle) else board_on_page(self.puzzle, self.laid)

    def lay(self, laid: Any) -> bool:
        """Take over what a page says, unless that cannot be; whether it is anything new."""
        try:
            checked = sound(self.puzzle, laid)
        except PuzzleError:
            return False
        is_new = checked != self.laid
        self.laid, self.version = checked, self.version + is_new
        return is_new

    def lay_solution(self, entry: Any) -> bool:
        """Lay a board or tiling, as `solution_of` takes it; whether it is anything new."""
        puzzle, found = self.puzzle, solution_of(self.puzzle, entry)
        return self.lay(_page(puzzle).of(found) if isinstance(puzzle, DissectionPuzzle) else codes_of(puzzle, found))

    def keep(self) -> None:
        """Write what is laid to the file, completely or not at all; several threads may."""
        with self._lock:
            version, laid = self.version, self.laid
            if version == self._written:
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(self.puzzle, EdgeMatchingPuzzle):
                write(self.puzzle, [board_on_page(self.puzzle, laid)], self._path)
            else:
                with replacing(self._path, noted=False) as file:
                    json.dump({"format": _FORMAT, "laid": laid}, file)
            self._written = version

    def _kept(self) -> Laid:
        puzzle = self.puzzle
        try:
            if isinstance(puzzle, EdgeMatchingPuzzle):
                return sound(puzzle, codes_of(puzzle, read_solutions(self._path, puzzle)[0]))
            return sound(puzzle, json.loads(self._path.read_text(encoding="utf-8"))["laid"])
        except (JigsatError, OSError, ValueError, LookupError, TypeError):
            number = len(puzzle.pieces) if isinstance(puzzle, DissectionPuzzle) else len(puzzle.board)
            return sound(puzzle, [None] * number)

    def __str__(self) -> str:
        laid, number = (grouped(len(self.laid) - self.laid.count(None)), grouped(len(self.laid)))
        if isinstance(self.puzzle, DissectionPuzzle):
            return f"{laid} of {number} pieces lie on the target"
        score, most = self.puzzle.score(self.board), self.puzzle.max_score
        return f"{grouped(score)} of {grouped(most)} joins fit; {laid} of {number} squares are filled"

    @property
    def link(self) -> str | None:
        """The viewer link to the board; None if there cannot be one."""
        return None if isinstance(self.puzzle, DissectionPuzzle) else link_of(self.puzzle, self.board)

    def name(self, square: Any) -> str:
        """The name of a square; empty if there is no such square."""
        names: Any = self.puzzle
        is_square = isinstance(square, int) and 0 <= square < len(names.board)
        return names.board.name(square) if is_square else ""

    def fitting(self, name: str) -> tuple[int | None, str, list[tuple[int, Placement]]]:
        """The loose pieces that fit the border and all neighbours of the square with a name.

        The square, or None if it cannot be filled; ``choose`` (there is no such square), ``filled``, ``no_fit`` or
        ``fits``; and the pieces, as numbers and as placements.
        """
        puzzle: Any = self.puzzle
        try:
            square = puzzle.board.parse(name)
        except JigsatError:
            return None, "choose", []
        if self.laid[square] is not None:
            return None, "filled", []
        found = _fitting(puzzle).on(self.board, square)
        return square, "fits" if found else "no_fit", [*zip(codes_of(puzzle, found), found, strict=True)]  # pyright: ignore

    def add(self, code: Any, square: int | None) -> bool:
        """Lay a further piece on an empty square, unless that cannot be; whether it is laid."""
        if square is None or self.laid[square] is not None:
            return False
        return self.lay([*self.laid[:square], code, *self.laid[square + 1 :]])


def ways_left(puzzle: Puzzle | str, laid: Laid, seconds: float = 1.0) -> WaysLeft:
    """The number of ways to complete what is laid: exact if it is counted within some seconds, else an estimate."""
    puzzle = _opened(puzzle)
    found = _ways_left(puzzle, laid, seconds)
    if laid.count(None) < len(laid) or not _counts_apart(puzzle):
        return replace(found, different=None)
    different = found.different or stated_number(puzzle)
    return replace(found, different=different, apart=not found.exact or different != found.least)


def _ways_left(puzzle: Puzzle, laid: Laid, seconds: float) -> WaysLeft:
    if isinstance(puzzle, DissectionPuzzle):
        try:
            found = _tilings(puzzle, laid, Goal.COUNT, seconds)
        except PuzzleError as error:
            return WaysLeft(0, exact=True, why=str(error))
        return WaysLeft(found.number, found.complete, done=found.shown is not None, different=found.different)
    board = board_on_page(puzzle, laid)
    if _fitting(puzzle).is_dead_end(board):
        return WaysLeft(0, exact=True)
    if None not in board:
        return WaysLeft(1, exact=True, done=True)
    fixed = puzzle.with_fixed(board)
    counted = _search(fixed, Goal.COUNT, seconds)
    if counted.complete:
        return WaysLeft(counted.count or 0, exact=True, different=counted.canonical_count)
    from .square_estimates import estimate_squares

    # The rate is of no interest here, and would be measured.
    estimate = estimate_squares(fixed, Options(), sample_solutions=seconds, rate=1e7)
    sampled = None if estimate.sampled is None else estimate.sampled.sample
    expected = estimate.effort.plain.solutions
    if sampled is None:
        return WaysLeft(counted.count or 0, exact=False, expected=expected)
    if sampled.exact is not None:
        return WaysLeft(sampled.exact, exact=True)
    return WaysLeft(counted.count or 0, False, sampled.estimate, sampled.interval, expected)


def solved_from(puzzle: Puzzle | str, laid: Laid, seconds: float = 5.0) -> Found:
    """A solution that has the pieces that are laid, if one is found within some seconds."""
    puzzle = _opened(puzzle)
    if isinstance(puzzle, DissectionPuzzle):
        try:
            found = _tilings(puzzle, laid, Goal.SOLVE, seconds)
        except PuzzleError:
            return Found(is_none=True)
        if found.shown is None:
            return Found(is_none=found.complete)
        # Pieces that lie there stay as they are.
        return Found([old or new for old, new in zip(laid, _page(puzzle).of(found.shown), strict=True)])
    board = board_on_page(puzzle, laid)
    if _fitting(puzzle).is_dead_end(board):
        return Found(is_none=True)
    result = _search(puzzle.with_fixed(board), Goal.SOLVE, seconds)
    return Found(codes_of(puzzle, result.solutions[0])) if result.solutions else Found(is_none=result.complete)


def best_from(puzzle: Puzzle | str, laid: Laid, seconds: float = 5.0) -> Found:
    """The board with the highest score that is found within some seconds and has the pieces that are laid."""
    squares: Any = _opened(puzzle)
    try:
        found = _search(squares.with_fixed(board_on_page(squares, laid)), Goal.BEST, seconds).best_board
    except PuzzleError:
        # A border side lies inside, or another one on the border.
        return Found(is_none=True)
    return Found(None if found is None else codes_of(squares, found))


def hint(puzzle: Puzzle | str, laid: Laid, seconds: float = 3.0) -> Found:
    """What is laid with one more piece of a solution, if one is found within some seconds.

    It lies on the empty square with the most filled neighbours.
    """
    puzzle = _opened(puzzle)
    found = solved_from(puzzle, laid, seconds)
    empty = [place for place, code in enumerate(laid) if code is None]
    if found.laid is None or not empty:
        return found
    # Spare pieces may stay loose.
    at = piece = next((place for place in empty if found.laid[place] is not None), empty[0])
    if isinstance(puzzle, EdgeMatchingPuzzle):

        def filled(square: int) -> int:
            around = (puzzle.board.neighbour(square, side) for side in range(4))
            return sum(other is not None and laid[other] is not None for other in around)

        at = max(empty, key=filled)
        piece = found.laid[at] // (8 if puzzle.flip else 4)
    return Found([*laid[:at], found.laid[at], *laid[at + 1 :]], piece=piece)


def _exact(puzzle: DissectionPuzzle, laid: Laid) -> Tiling | None:
    """The polygons of pieces at places of a page; None if one of them has unknown coordinates.

    Those of known ones are simple fractions, or follow from the corners and edges of the target and of other pieces.

    Raises PuzzleError if a piece lies between the points of the lattice.
    """
    page = _page(puzzle)
    tiling = page.tiling(laid)
    for piece, (place, polygon) in enumerate(zip(laid, tiling, strict=True)):
        if polygon is None:
            continue
        motion = next(isometries(puzzle.pieces[piece], counterclockwise(polygon)), None)
        if motion is None or not page.lies_as(piece, place, polygon):
            if puzzle.motions is Motions.ANY:
                return page.anchored(laid)
            raise PuzzleError(f"piece {piece + 1} lies between the points of the lattice")
    return tiling


class _Tilings(NamedTuple):
    """The tilings with pieces at some places that a search finds."""

    number: int
    #: One of them; a count shows none, unless all is laid.
    shown: Tiling | None = None
    complete: bool = True
    #: How many of them are different, if these are all.
    different: int | None = None


def _tilings(puzzle: DissectionPuzzle, laid: Laid, goal: Goal, seconds: float) -> _Tilings:
    """Count the tilings with pieces at these places, or find one; raises PuzzleError if the pieces cannot lie there."""
    exact = _exact(puzzle, laid)
    if exact is None:
        result, page = _search(puzzle, Goal.ALL, seconds, Options(symmetry=False)), _page(puzzle)
        found = list(result.solutions)
        for piece, place in enumerate(laid):
            if place is not None:
                agree = {polygon: page.lies_as(piece, place, polygon) for polygon in {one[piece] for one in found}}
                found = [one for one in found if agree[one[piece]]]
        is_shown = found and (goal is Goal.SOLVE or None not in laid)
        return _Tilings(len(found), found[0] if is_shown else None, result.complete)
    rest = rest_of_tiling(puzzle, exact)
    if rest is None:
        return _Tilings(1, exact)
    result = _search(rest, goal, seconds)
    added = iter(result.solutions[0] if result.solutions else ())
    tiling = tuple(next(added) if polygon is None else polygon for polygon in exact) if result.solutions else None
    return _Tilings(result.count or 0, tiling, result.complete, result.canonical_count if result.complete else None)


def _counts_apart(puzzle: Puzzle) -> bool:
    """Whether several numbered solutions can be the same up to symmetries and exchanges of equal pieces."""
    if isinstance(puzzle, DissectionPuzzle):
        return len(puzzle.symmetries) > 1 or len(puzzle.classes) < len(puzzle.pieces)
    looks = {frozenset(puzzle.looks(piece)) for piece in range(len(puzzle.pieces))}
    return len(puzzle.moves) > 1 or len(looks) < len(puzzle.pieces)
