"""Makes jigsaws that have exactly so many solutions."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index

import numpy as np

from ..base.errors import PuzzleError, shortened
from ..base.quantities import several
from ..base.seeded_random import Chance
from ..base.stopping import StoppedError, never
from ..engines.registry import run_aside
from ..engines.request import Goal, Limits
from ..puzzles.board import Arrangement, Board
from ..puzzles.candidates import MAX_COLORS
from ..puzzles.check_board import appearance
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.jigsaw_algebra import Quality, connector_classes, jigsaw_from_assemblies, jigsaw_of, original, quality
from .annealing import Annealed, Wish, scrambles
from .closed_form import crystal, draw_closed_form
from .edge_matching import MOST_NAME, refuse_seed_or_name
from .even_form import draw_even_form

#: How to make a jigsaw, the quickest way first.
METHODS = ("closed-form", "crystal", "planted", "annealing")

#: Why there are no perfect jigsaws of some rows, columns and solutions.  A complete search has found 1 scramble for 2x2
#: and 63 for 4x4 (turns of the board apart) whose connector classes all have two joins.
NONE_EXISTS = {
    (2, 2, 2): "the only scramble with two joins for each connector makes equal pieces",
    (4, 4, 2): "the 8 without equal pieces have 4 or 8 solutions",
}

# Groups of few symmetries, for numbers of solutions that larger ones do not allow.
_SMALL_GROUPS = {True: (("d46",), ("d75",), ("d22",)), False: (("d66",), ("d44",), ("d22",))}

# A jigsaw whose solutions are not all counted with so many nodes for each that is wanted is left for another one; most
# need as many nodes as pieces.
_MOST_NODES = 5_000_000


@dataclass(frozen=True)
class JigsawWishes:
    """What a jigsaw should be like.  Its pieces shall all differ from each other, and from themselves when turned.

    Parameters
    ----------
    rows, columns
        The size of the board.
    solutions
        How many solutions it has; turning the whole board makes no other one.
    max_use
        On how many joins a connector may be at most.
    types
        The number of connectors, whatever their use; None for any.
    no_stay
        Whether no piece may have the same square in the first two assemblies, however the second is turned as a whole.
        Corner pieces are excepted on square boards, where one turn or another takes each of them to its old place.
    method
        One of `METHODS`; None for the first that can fulfil the wishes.  ``closed-form``: two solutions, rows and
        columns odd from 5 on, or even from 10 on with a difference of 0, 4, 8, ...; 4x4, 6x6 and 8x8 with four
        solutions.  ``crystal``: squares of odd size with 2^((size - 1) / 2) solutions.  ``planted``: one solution.
        ``annealing``: whatever else.
    seed
        Chooses among such jigsaws.
    name
        What to call it; made of the wishes if left out.

    Raises
    ------
    PuzzleError
        If it is known beforehand that there is no such jigsaw.
    """

    rows: int
    columns: int
    solutions: int = 2
    max_use: int = 2
    types: int | None = None
    no_stay: bool = False
    method: str | None = None
    seed: int = 0
    name: str | None = None

    def __post_init__(self) -> None:
        self._refuse_numbers()
        self._refuse_impossible()

    def _refuse_numbers(self) -> None:
        Board(index(self.rows), index(self.columns))
        for name in ("solutions", "max_use"):
            if index(getattr(self, name)) < 1:
                raise PuzzleError(f"{name.replace('_', ' ')} must be 1 or more, not {getattr(self, name)}")
        refuse_seed_or_name(index(self.seed), self.name)
        if self.method is not None and self.method not in METHODS:
            raise PuzzleError(f"method {shortened(self.method)!r} is unknown; choose from {', '.join(METHODS)}")

    def _refuse_impossible(self) -> None:
        """Say why there is no such jigsaw, if that is known."""
        if self.solutions == 1 and (self.no_stay or self.types is not None):
            raise PuzzleError("with one solution there are no two assemblies that no-stay and types could be about")
        if self.solutions > 1 and self.types is None and self.max_use == 1:
            raise PuzzleError("max use must be 2 or more, not 1: connectors on one join each allow one solution only")
        if self.solutions == self.rows == self.columns == 1:
            raise PuzzleError("a 1x1 jigsaw has one piece, which looks alike after every turn")
        reason = self._why_not(self.method) if self.method else None
        if reason is not None:
            raise PuzzleError(f"method {self.method} {reason}")
        if self.chosen == "annealing":
            self.of_scramble()
        elif self.max_use < 3 and (joins := Board(self.rows, self.columns).join_count) > MAX_COLORS:
            size = f"a {self.rows}x{self.columns} jigsaw"
            raise PuzzleError(f"{size} has {joins} joins; with two for each connector there may be {MAX_COLORS}")
        none = NONE_EXISTS.get((self.rows, self.columns, self.solutions))
        if self.perfect and none is not None:
            raise PuzzleError(f"no perfect {self.rows}x{self.columns} jigsaw has {self.solutions} solutions: {none}")

    def of_scramble(self) -> Wish:
        """What is wished of the second assembly; raises PuzzleError if there is none."""
        return Wish(self.rows, self.columns, self.max_use, self.no_stay, self.types)

    @cached_property
    def chosen(self) -> str:
        """The method to use."""
        return self.method or next(method for method in METHODS if self._why_not(method) is None)

    def _why_not(self, method: str) -> str | None:
        """Why a method cannot fulfil the wishes; None if it can."""
        if self.solutions == 1 or method == "planted":
            return None if self.solutions == 1 and method == "planted" else "is not for that many solutions"
        if method == "annealing":
            return None
        if self.types is not None or self.no_stay:
            return "has two joins for each connector and pieces that stay; annealing can do otherwise"
        solutions = _solutions_of_closed_form if method == "closed-form" else _solutions_of_crystal
        number, size = solutions(self.rows, self.columns), f"{self.rows}x{self.columns} jigsaws"
        if number is None:
            return f"makes no {size}"
        return None if self.solutions == number else f"makes {size} of {number} solutions"

    @property
    def perfect(self) -> bool:
        """Whether the wishes are those of a perfect jigsaw."""
        return self.solutions > 1 and self.max_use == 2 and self.types is None

    @property
    def title(self) -> str:
        """The name of the jigsaw."""
        if self.name is not None:
            return self.name
        size = f"{self.rows}x{self.columns} jigsaw"
        words = [f"perfect {size}" if self.perfect else size]
        words += [several(self.solutions, "solution", str)]
        words += [f"max use {self.max_use}"] if self.types is None and self.max_use != 2 else []
        words += [] if self.types is None else [f"{self.types} connectors"]
        words += ["no piece stays"] if self.no_stay else []
        return ", ".join([*words, f"seed {self.seed}"])

    @property
    def command(self) -> str:
        """The command that makes the jigsaw."""
        words = [f"jigsat make jigsaw --rows {self.rows} --columns {self.columns} --solutions {self.solutions}"]
        words += [f"--max-use {self.max_use}" if self.types is None else f"--types {self.types}"]
        words += ["--no-stay"] if self.no_stay else []
        words += [f"--method {self.chosen} --seed {self.seed}"]
        words += [] if self.name is None else [shlex.quote(f"--name={self.name}")]
        return " ".join(words)


def _solutions_of_closed_form(rows: int, columns: int) -> int | None:
    """How many solutions jigsaws in closed form have, but for unlucky draws; None if there is no closed form."""
    if rows % 2 and columns % 2:
        return 2 if min(rows, columns) >= 5 else None
    if rows % 2 or columns % 2 or (rows - columns) % 4 or min(rows, columns) < 4:
        return None
    return 2 if min(rows, columns) >= 10 else 4 if rows == columns else None


def _solutions_of_crystal(rows: int, columns: int) -> int | None:
    return 2 ** (rows // 2) if rows == columns and rows % 2 and rows >= 5 else None


@dataclass(frozen=True)
class MadeJigsaw:
    """A jigsaw that was made.

    Parameters
    ----------
    puzzle
        The jigsaw, with its solutions as assemblies.
    quality
        How good it is.
    solutions
        How many solutions it has; None if they were not all counted.
    faults
        In what it is not what was wished for, a few words each.
    tried
        How many scrambles were tried.
    """

    puzzle: EdgeMatchingPuzzle
    quality: Quality
    solutions: int | None
    faults: tuple[str, ...]
    tried: int = 1

    @property
    def distance(self) -> tuple[int, int]:
        """How far it is from what was wished for; smaller is nearer."""
        return len(self.faults), self.solutions or _MOST_NODES


def make_jigsaw(
    wishes: JigsawWishes, *, must_stop: Callable[[], bool] = never, report: Callable[[str], None] = lambda _: None
) -> MadeJigsaw:
    """Make a jigsaw that has exactly so many solutions, by a native search that counts them.

    The same wishes make the same jigsaw on every machine and in every later version, unless `must_stop` ends the work.

    Parameters
    ----------
    wishes
        What it should be like.
    must_stop
        Asked several times a second whether to give up.  Without it the work ends only when there is such a jigsaw.
    report
        Told now and then, in words, how far the work is.

    Returns
    -------
    The jigsaw, or the nearest one if `must_stop` ended the work or no other is possible: then it has `faults`, and says
    so in its name.

    Notes
    -----
    The second assembly is a scramble of the first: one in closed form, or one that annealing finds among those with
    well-chosen symmetries.  Sides that face each other in either of them must have opposite connectors, and as many
    connectors are used as that allows.

    Examples
    --------
    >>> made = make_jigsaw(JigsawWishes(5, 5, seed=1))
    >>> made.puzzle.name, made.solutions, made.quality.perfect
    ('perfect 5x5 jigsaw, 2 solutions, seed 1', 2, True)
    """
    nearest: MadeJigsaw | None = None
    tried = 0
    for jigsaw in _candidates(wishes, must_stop, report):
        tried += 1
        report(f"counting the solutions of scramble {tried}")
        made = _judged(wishes, jigsaw, must_stop)
        if nearest is None or made.distance < nearest.distance:
            nearest = made
        if not made.faults or must_stop():
            break
        report(f"{tried} scrambles tried; the nearest has {' and '.join(nearest.faults)}")
    assert nearest is not None
    if nearest.faults:
        source = f"NOT as wished, but the nearest jigsaw found by: {wishes.command}"
        nearest = replace(
            nearest, puzzle=replace(nearest.puzzle, name=f"not a {wishes.title}"[:MOST_NAME], source=source)
        )
    return replace(nearest, tried=tried)


def _candidates(
    wishes: JigsawWishes, must_stop: Callable[[], bool], report: Callable[[str], None]
) -> Iterator[EdgeMatchingPuzzle]:
    """Jigsaws that may be as wished, the nearest one to the wishes if there is none."""
    chance = Chance(wishes.seed)
    while wishes.chosen == "planted":
        yield _planted(wishes, chance)
    while wishes.chosen == "closed-form":
        draw = draw_closed_form if wishes.rows % 2 else draw_even_form
        yield _with_scramble(wishes, draw(wishes.rows, wishes.columns, chance))
    if wishes.chosen == "crystal":
        yield _with_scramble(wishes, crystal(wishes.rows))
        return
    best: Annealed | None = None

    def tell(found: Annealed) -> None:
        nonlocal best
        best = found
        report(f"{found.steps / 1e6:.1f} million moves, {found.energy} faults are left in the nearest scramble")

    none = True
    groups = _SMALL_GROUPS[wishes.rows == wishes.columns] if wishes.solutions > 2 else None
    seed = chance.below(2**53)
    for found in scrambles(wishes.of_scramble(), seed, groups=groups, must_stop=must_stop, report=tell):
        yield _with_scramble(wishes, found.arrangement)
        none = False
    if none and best is not None:
        yield _with_scramble(wishes, best.arrangement)


def _with_scramble(wishes: JigsawWishes, scramble: Arrangement) -> EdgeMatchingPuzzle:
    board = Board(wishes.rows, wishes.columns)
    both = (original(board), scramble)
    return jigsaw_from_assemblies(wishes.rows, wishes.columns, both, wishes.title, wishes.command)


def _planted(wishes: JigsawWishes, chance: Chance) -> EdgeMatchingPuzzle:
    """One assembly, its joins dealt to connectors of the wanted use, and the signs at random."""
    board = Board(wishes.rows, wishes.columns)
    each_its_own = connector_classes(board, [original(board)])
    joins = len(each_its_own.uses)
    dealt = chance.shuffled(range(joins))
    connector = [0] * (joins + 1)
    for place, join in enumerate(dealt):
        connector[join + 1] = (place // wishes.max_use + 1) * (1 - 2 * chance.below(2))
    own = each_its_own.connector
    sides = np.sign(own) * np.array(connector)[abs(own)]
    return jigsaw_of(wishes.rows, wishes.columns, sides, wishes.title, wishes.command, (original(board),))


def _judged(wishes: JigsawWishes, jigsaw: EdgeMatchingPuzzle, must_stop: Callable[[], bool]) -> MadeJigsaw:
    """Whether a jigsaw is as wished; its solutions become its assemblies."""
    found = quality(jigsaw)
    faults = list(_faults(wishes, found))
    limits = Limits(nodes=_MOST_NODES * wishes.solutions, solutions=wishes.solutions + 1)

    try:
        result = run_aside("most-constrained", jigsaw, Goal.ALL, limits, must_stop)
    except StoppedError:
        return MadeJigsaw(jigsaw, found, None, (*faults, "an unknown number of solutions"))
    number = len(result.solutions)
    if not result.complete:
        more = result.ended_by == "solutions"
        faults.append(f"more than {wishes.solutions} solutions" if more else "an unknown number of solutions")
        return MadeJigsaw(jigsaw, found, None, tuple(faults))
    if number != wishes.solutions:
        faults.append(several(number, "solution", str))
    assemblies: dict[object, Arrangement] = {}
    for assembly in (*jigsaw.assemblies, *result.solutions):
        assemblies.setdefault(appearance(jigsaw, assembly), assembly)
    known = {"count": result.count, "canonical_count": number}
    jigsaw = replace(jigsaw, assemblies=tuple(assemblies.values()), known=known)
    return MadeJigsaw(jigsaw, found, number, tuple(faults))


def _faults(wishes: JigsawWishes, found: Quality) -> Iterator[str]:
    """In what a jigsaw is not as wished, solutions apart."""
    most = max(found.uses.values(), default=0)
    if wishes.types is None and most > wishes.max_use:
        yield f"a connector on {most} joins"
    if wishes.types is not None and len(found.uses) != wishes.types:
        yield f"{len(found.uses)} connectors"
    if any(found.shared.values()):
        yield "joins that are in both assemblies"
    if found.duplicates:
        yield "pieces that are equal"
    if found.symmetric:
        yield "pieces that look alike after a turn"
    if wishes.no_stay:
        board = Board(wishes.rows, wishes.columns)
        corners = board.turns() == 4
        staying = found.staying[0, 1]
        if staying.by_turn[0] or any(not corners or board.square_class(p) != "corner" for p in staying.pieces):
            yield "pieces that stay"
