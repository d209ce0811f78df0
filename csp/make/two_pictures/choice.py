"""Jigsaws to choose among, for two pictures.

A method is a function that yields candidates: jigsaws with two assemblies.  `choose` takes the one that shows the
pictures best, whatever method they come from.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ...base.errors import PuzzleError
from ...base.stopping import StoppedError, never
from ...engines.registry import run_aside
from ...engines.request import Goal, Limits
from ...puzzles.board import Arrangement, Board, Placement
from ...puzzles.check_board import appearance
from ...puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ...puzzles.jigsaw_algebra import jigsaw_from_assemblies, original, quality
from ..edge_matching import MOST_NAME
from ..jigsaw import search_jigsaw
from ..jigsaw_wishes import JigsawWishes
from .tones import Fit, Tones, best_assignment, best_fits

# There are few closed forms of so many squares, and annealing is quick.
_SMALL = 81
# Bounds for counting the solutions of a jigsaw that nobody has made to have two.
_SEARCHES, _MOST_SOLUTIONS = (("most-constrained", 5_000_000), ("backtrack", 2_000_000_000)), 1000


@dataclass(frozen=True)
class Candidate:
    """A jigsaw with two assemblies, and where it comes from in a few words."""

    puzzle: EdgeMatchingPuzzle
    origin: str


@dataclass(frozen=True)
class Choice:
    """The best candidate.

    Parameters
    ----------
    fit
        How it shows the two pictures.
    origin
        Where it comes from.
    number
        The number of candidates.
    """

    fit: Fit
    origin: str
    number: int


@dataclass(frozen=True)
class Solutions:
    """How many solutions a jigsaw has: exactly so many, or at least.

    Parameters
    ----------
    number
        How many are known.
    exact
        Whether there is no other one.
    ended_by
        What ended the search for more, as for results of engines.
    """

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
    """Jigsaws with exactly two solutions, one for each of so many seeds.

    Each is made, and its solutions are counted, as by `jigsat make jigsaw`.

    Raises
    ------
    PuzzleError
        If it is known that there is no such jigsaw.
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
    """Candidates, each followed by what it is in a mirror."""
    for candidate in candidates:
        yield candidate
        yield Candidate(mirrored(candidate.puzzle), f"{candidate.origin}, in a mirror")


def mirrored(puzzle: EdgeMatchingPuzzle) -> EdgeMatchingPuzzle:
    """A jigsaw with its pieces and assemblies as in a mirror; it has as many solutions."""
    pieces = tuple((up, left, down, right) for up, right, down, left in puzzle.pieces)
    name = f"{puzzle.name}, in a mirror"[:MOST_NAME]
    source = f"in a mirror: {puzzle.source}" if puzzle.source else ""
    assemblies = tuple(_mirrored(puzzle.board, assembly) for assembly in puzzle.assemblies)
    return replace(puzzle, pieces=pieces, assemblies=assemblies, name=name, source=source)


def _mirrored(board: Board, assembly: Arrangement) -> Arrangement:
    found: list[Placement | None] = []
    for start in range(0, len(board), board.columns):
        row = reversed(assembly[start : start + board.columns])
        found += [placed and Placement(placed.piece, -placed.rotation % 4) for placed in row]
    return tuple(found)


def choose(
    candidates: Iterable[Candidate],
    tones: Tones,
    *,
    must_stop: Callable[[], bool] = never,
    report: Callable[[Choice], None] = lambda _: None,
) -> Choice | None:
    """The best of the candidates, the best so far if `must_stop` asks to stop, or None if there was none.

    `report` is told the best so far after each candidate.
    """
    best: Choice | None = None
    for number, candidate in enumerate(candidates, start=1):
        fit, *_ = best_fits(candidate.puzzle, tones)
        if best is None or fit.cost < best.fit.cost:
            best = Choice(fit, candidate.origin, number)
        best = replace(best, number=number)
        report(best)
        # Not before: what has been made at last is not thrown away.
        if must_stop():
            break
    return best


def assigned(tones: Tones) -> Candidate:
    """The jigsaw whose second assembly is the best assignment; it may have any number of solutions beside these two.

    Raises
    ------
    PuzzleError
        If there is no such jigsaw.
    """
    board = tones.board
    both = (original(board), best_assignment(tones)[0])
    name, source = f"{board.rows}x{board.columns} jigsaw for two pictures", "the best assignment for two pictures"
    puzzle = jigsaw_from_assemblies(board.rows, board.columns, both, name, source)
    return Candidate(puzzle, "the best assignment")


def given(puzzle: EdgeMatchingPuzzle, label: str) -> Candidate:
    """A jigsaw that somebody has made, as a candidate; `label` names it in errors.

    Raises
    ------
    PuzzleError
        If it is no jigsaw with two assemblies of all its pieces, none of which is fixed.
    """
    if puzzle.rule is not Rule.OPPOSITE:
        raise PuzzleError(f"{label}: is an {puzzle.kind} puzzle; two pictures need a jigsaw with two assemblies")
    if len(puzzle.assemblies) < 2:
        held = "one assembly" if puzzle.assemblies else "no assembly"
        raise PuzzleError(f"{label}: holds {held}; two pictures need two, as files of `jigsat make jigsaw` have")
    if puzzle.fixed:
        raise PuzzleError(f"{label}: has fixed pieces; without them its assemblies can be turned as pictures need it")
    if len(puzzle.pieces) > len(puzzle.board):
        raise PuzzleError(f"{label}: has {len(puzzle.pieces)} pieces for {len(puzzle.board)} squares; all must be used")
    try:
        quality(puzzle)
    except PuzzleError as error:
        raise PuzzleError(f"{label}: {error}") from error
    if len({appearance(puzzle, assembly) for assembly in puzzle.assemblies[:2]}) < 2:
        raise PuzzleError(f"{label}: its first two assemblies are the same solution; two pictures need two")
    return Candidate(puzzle, "given")


def count_solutions(
    puzzle: EdgeMatchingPuzzle, most: int = _MOST_SOLUTIONS, *, must_stop: Callable[[], bool] = never
) -> Solutions:
    """How many solutions a jigsaw has, turns of the whole board apart; at least so many if that is a long search.

    Where the plain search along the rows is slow, filling what is most constrained first is often quick, and vice
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
