"""Jigsaws to choose among, for two pictures.

A method is a function that yields candidates: jigsaws with two assemblies.  `choose` selects the one that shows the
pictures best, from any methods.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ..base.errors import MAX_NAME, PuzzleError
from ..base.stop import StoppedError, never
from ..engines.engine import run_aside
from ..engines.request import Goal, Limits
from ..puzzles.board import Arrangement, Placement
from ..puzzles.check_board import appearance
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ..puzzles.jigsaw_algebra import jigsaw_from_assemblies, original, quality
from .jigsaw import search_jigsaw
from .jigsaw_wishes import JigsawWishes
from .tones import Fit, Tones, best_fits_of_all

# Below this number of squares there are few closed forms, and annealing is quick.
_SMALL = 81
# Limits for counting the solutions of a jigsaw that was not made to have two.
_SEARCHES, _MOST_SOLUTIONS = (("most-constrained", 5_000_000), ("backtrack", 2_000_000_000)), 1000


@dataclass(frozen=True)
class Candidate:
    """A jigsaw with two assemblies, and its origin in a few words."""

    puzzle: EdgeMatchingPuzzle
    origin: str
    second: EdgeMatchingPuzzle | None = None  #: The second board, if it is another one, with its assembly


@dataclass(frozen=True)
class Choice:
    """The way in which the best candidate shows the two pictures, its origin, and the number of candidates."""

    fit: Fit
    origin: str
    number: int


@dataclass(frozen=True)
class Solutions:
    """The number of solutions of a jigsaw: exact, or a lower bound with what ended the search for more."""

    number: int
    exact: bool
    ended_by: str | None


def jigsaws_made(
    rows: int,
    columns: int,
    number: int,
    seed: int = 0,
    *,
    max_use: int = 2,
    no_stay: bool = False,
    must_stop: Callable[[], bool] = never,
) -> Iterator[Candidate]:
    """Jigsaws with exactly two solutions, one for each of a number of seeds.

    Raises UsageError if it is known that there is no such jigsaw.
    """
    wishes = JigsawWishes(rows, columns, max_use=max_use, no_stay=no_stay, seed=seed)
    if rows * columns <= _SMALL and wishes.chosen == "closed-form":
        wishes = replace(wishes, method="annealing")
    for each in range(seed, seed + number):
        made = search_jigsaw(replace(wishes, seed=each), must_stop=must_stop)
        if must_stop():
            return
        if not made.faults:
            yield Candidate(made.puzzle, f"seed {each}")


def with_mirrored(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Candidates, each followed by its mirror image."""
    for candidate in candidates:
        yield candidate
        yield Candidate(mirrored(candidate.puzzle), f"{candidate.origin}, in a mirror")


def mirrored(puzzle: EdgeMatchingPuzzle) -> EdgeMatchingPuzzle:
    """The mirror image of a jigsaw with its assemblies; it has the same number of solutions."""

    def image(assembly: Arrangement) -> Arrangement:
        rows = (assembly[start : start + puzzle.columns] for start in range(0, len(assembly), puzzle.columns))
        return tuple(placed and Placement(placed.piece, -placed.rotation % 4) for row in rows for placed in row[::-1])

    pieces = tuple((up, left, down, right) for up, right, down, left in puzzle.pieces)
    name = f"{puzzle.name}, in a mirror"[:MAX_NAME]
    source = f"in a mirror: {puzzle.source}" if puzzle.source else ""
    return replace(puzzle, pieces=pieces, assemblies=tuple(map(image, puzzle.assemblies)), name=name, source=source)


def choose(
    candidates: Iterable[Candidate],
    tones: Tones,
    *,
    must_stop: Callable[[], bool] = never,
    report: Callable[[Choice], None] = lambda _: None,
) -> Choice | None:
    """The best of the candidates, the best so far if `must_stop` asks to stop, or None without candidates.

    `report` is called with the best so far after each candidate.
    """
    best: Choice | None = None
    for number, candidate in enumerate(candidates, start=1):
        fit, *_ = best_fits_of_all(candidate.puzzle, {(0, 1): tones}, 2, candidate.second)
        if best is None or fit.cost < best.fit.cost:
            best = Choice(fit, candidate.origin, number)
        best = replace(best, number=number)
        report(best)
        # Not before: the last candidate is not discarded.
        if must_stop():
            break
    return best


def assigned(tones: Tones) -> Candidate:
    """The jigsaw whose second assembly is the best assignment; it may have any number of further solutions.

    Raises PuzzleError if that is the same solution as the first assembly.
    """
    board = tones.board
    both = (original(board), tones.best_assignment[0])
    name, source = f"{board.rows}x{board.columns} jigsaw for two pictures", "the best assignment for two pictures"
    puzzle = jigsaw_from_assemblies(board.rows, board.columns, both, name, source)
    if not _are_different(puzzle, 2):
        same = "its two assemblies are the same solution"
        raise PuzzleError(f"the best assignment: {same}; give more squares, or another method")
    return Candidate(puzzle, "the best assignment")


def given(
    puzzle: EdgeMatchingPuzzle, label: str, number: int = 2, second: EdgeMatchingPuzzle | None = None
) -> Candidate:
    """A given jigsaw as a candidate for two or three pictures; `label` names it in errors.

    With a `second` board, each of two pictures has the first assembly of a board.

    Raises PuzzleError if it is not a jigsaw with an assembly for each of them, of all its pieces, without fixed pieces.
    """
    many = ("no", "one", "two", "three")
    pictures = f"{many[number]} pictures"
    if puzzle.rule is not Rule.OPPOSITE:
        needed = f"{pictures} need a jigsaw with {many[number]} assemblies"
        raise PuzzleError(f"{label}: is an {puzzle.kind} puzzle, but {needed}")
    if len(puzzle.assemblies) < (number if second is None else 1):
        held = f"{many[len(puzzle.assemblies)]} {'assemblies' if len(puzzle.assemblies) > 1 else 'assembly'}"
        needed = f"{pictures} need {many[number]}, as in files of `jigsat make jigsaw`"
        raise PuzzleError(f"{label}: has {held}, but {needed}")
    if puzzle.fixed:
        raise PuzzleError(f"{label}: has fixed pieces, so its assemblies cannot be turned as {pictures} need")
    if len(puzzle.pieces) > len(puzzle.board):
        raise PuzzleError(f"{label}: has {len(puzzle.pieces)} pieces for {len(puzzle.board)} squares; all must be used")
    for each, name in ((puzzle, label), *([] if second is None else [(second, second.name)])):
        try:
            quality(each)
        except PuzzleError as error:
            raise PuzzleError(f"{name}: {error}") from error
    if second is not None:
        return Candidate(puzzle, "given", second)
    if not _are_different(puzzle, number):
        same = f"its first {many[number]} assemblies are {'the same solution' if number == 2 else 'not all different'}"
        raise PuzzleError(f"{label}: {same}; {pictures} need {many[number]}")
    return Candidate(puzzle, "given")


def _are_different(puzzle: EdgeMatchingPuzzle, number: int) -> bool:
    """Whether that many first assemblies are different solutions."""
    return len({appearance(puzzle, assembly) for assembly in puzzle.assemblies[:number]}) == number


def count_solutions(
    puzzle: EdgeMatchingPuzzle, most: int = _MOST_SOLUTIONS, *, must_stop: Callable[[], bool] = never
) -> Solutions:
    """The number of solutions of a jigsaw up to turns of the whole board; a lower bound if the search is long.

    If the plain search along the rows is slow, filling the most constrained square first is often quick, and vice
    versa; so one is tried, and then the other.
    """
    number = len({appearance(puzzle, assembly) for assembly in puzzle.assemblies})
    ended_by = None
    for engine, nodes in _SEARCHES:
        try:
            result = run_aside(engine, puzzle, Goal.ALL, Limits(nodes=nodes, solutions=most), must_stop)
        except StoppedError:
            return Solutions(number, False, "interrupt")
        number, ended_by = max(number, len(result.solutions)), result.ended_by
        if ended_by != "nodes":
            return Solutions(number, result.complete, ended_by)
    return Solutions(number, False, ended_by)
