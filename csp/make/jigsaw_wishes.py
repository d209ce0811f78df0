"""The requirements on a jigsaw, and whether such a jigsaw exists."""

import shlex
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from operator import index
from typing import Literal

from ..base.errors import UsageError, misspelt, plural, refuse_name
from ..base.seeded_random import refuse_seed
from ..puzzles.board import Arrangement, Board, checked_board
from ..puzzles.jigsaw_algebra import least_use, most_connectors
from ..puzzles.symmetry import MAX_COLORS
from .annealing import MOST_SQUARES, Wish

#: The methods to make a jigsaw, the quickest first.
METHODS = ("closed-form", "crystal", "planted", "refinement", "annealing")
Method = Literal["closed-form", "crystal", "planted", "refinement", "annealing"]

#: Why there are no perfect jigsaws for some rows, columns and solutions.  A complete search has found 1 scramble for
#: 2x2 and 63 for 4x4 (turns of the board apart) whose connector classes all have two joins.
NONE_EXISTS = {
    (2, 2, 2): "the only scramble with two joins for each connector makes equal pieces",
    (4, 4, 2): "the 8 without equal pieces have 4 or 8 solutions",
}

# If rows + columns is odd: the most squares of boards on which annealing finds the largest number of connectors, and
# the least rows and columns of boards for which a closed form is better.
_MOST_ANNEALED, _LEAST_SIDE = 90, 7


# The largest use of connectors if none is given, for squares of odd and of even size, and for other boards: less takes
# longer, and for most sizes finds nothing.
USE_OF_ODD, USE_OF_EVEN, USE_OF_OTHERS = 6, 8, 10

# The sizes of which such jigsaws have been found, shorter sides first, and the least use of their connectors.
FOUND = {(5, 5): 6, (5, 7): 7, (6, 6): 5, (7, 7): 3, (8, 8): 7, (9, 9): 6}

# The sizes for which a complete search finds none, whatever the use of connectors (tests/csp/make/test_limits.py).
EXCLUDED = frozenset({(3, 3), (3, 4), (3, 5)})
# The least use that a complete search does not exclude for 4x4.
LEAST_OF_4X4 = 6

# The most squares of boards on which a SAT solver finds such jigsaws sooner than annealing does.
MOST_REFINED = 36

# The group of symmetries, by its generators (see `parsed_symmetry`), for boards that are square or not.
SYMMETRIES_TO_REFINE = {True: (("d222", "d777"),), False: (("d222", "d444"),)}
SYMMETRIES = {True: (("d222", "d777"),), False: (("d222", "s644"), ("d222",))}
# The same for squares of even size: reflection exchanges the two scrambles.
SYMMETRIES_OF_EVEN = (("d222", "d777", "s444"),)


@dataclass(frozen=True)
class SolutionsCounted:
    """The outcome of counting the solutions of a jigsaw."""

    solutions: tuple[Arrangement, ...]  #: Those that were found, one of each orbit
    count: int | None  #: The number of arrangements
    ended_by: str | None  #: What ended the count early; None if nothing did


@dataclass(frozen=True)
class JigsawWishes:
    """The requirements on a jigsaw.  All pieces must differ from each other, and from themselves when turned.

    Raises UsageError if it is known that there is no such jigsaw.
    """

    #: The size of the board.
    rows: int
    columns: int
    solutions: int = 2  #: The number of solutions; turns of the whole board do not count as different
    max_use: int | None = None  #: The largest number of joins of a connector; None for the default, see `use`
    types: int | None = None  #: The number of connectors, instead of `max_use`; None for the default, see `connectors`
    #: Whether no piece may have the same square in the first two assemblies, for any turn of the second as a whole.
    #: Corner pieces of square boards are excepted, because some turn takes each of them to its place.
    no_stay: bool = False
    #: One of `METHODS`; None for the first that can meet the wishes.  ``closed-form``: two solutions, rows and
    #: columns odd from 5 on, or even from 10 on with a difference of 0, 4, 8, ..., or one of them odd, from 7 on, with
    #: the largest number of connectors; 4x4, 6x6 and 8x8 with four solutions.  ``crystal``: squares of odd size with
    #: 2^((size - 1) / 2) solutions.  ``planted``: one solution.  ``refinement``: three solutions without a common join
    #: on at most 36 squares.  ``annealing``: everything else.
    method: Method | None = None
    seed: int = 0
    name: str | None = None  #: The name; by default made of the wishes
    disjoint: bool = False  #: Whether no join may be in two of the solutions, of which there are two or three

    def __post_init__(self) -> None:
        self._refuse_numbers()
        self._refuse_impossible()

    def _refuse_numbers(self) -> None:
        checked_board(self.rows, self.columns)
        for name in ("solutions", "use"):
            if index(getattr(self, name)) < 1:
                raise UsageError(f"must be 1 or more, not {getattr(self, name)}", name.replace("use", "max_use"))
        if self.types is not None:
            index(self.types)  # or TypeError
        refuse_seed(index(self.seed))
        refuse_name(self.name)
        if self.method is not None and self.method not in METHODS:
            raise UsageError(f"{misspelt(self.method, METHODS)} is unknown; choose from {', '.join(METHODS)}", "method")

    def _refuse_impossible(self) -> None:
        """Raise UsageError if it is known that there is no such jigsaw."""
        about_two = [name for name, given in (("no_stay", self.no_stay), ("types", self.types is not None)) if given]
        about_two += ["disjoint"] if self.disjoint else []
        if self.solutions == 1 and about_two:
            raise UsageError("has no meaning with one solution; it is about two assemblies", *about_two)
        if self.types is not None and self.max_use is not None:
            raise UsageError("only one of them can be chosen; omit the other", "types", "max_use")
        if self.solutions > 1 and self.use == 1:
            raise UsageError(
                "must be 2 or more, not 1: with one join per connector there is only one solution", "max_use"
            )
        if self.disjoint and self.solutions > 2:
            self._refuse_disjoint()
        if self.solutions == self.rows == self.columns == 1:
            raise UsageError("a 1x1 jigsaw has one piece, which looks alike after every turn")
        reason = self._why_not(self.method) if self.method else None
        if reason is not None:
            raise UsageError(f"{self.method} {reason}", "method")
        if self.chosen in ("annealing", "refinement"):
            self.of_scramble()
        elif (self.use < 3 or self.chosen == "closed-form") and (joins := self._joins) > MAX_COLORS:
            size = f"a {self.rows}x{self.columns} jigsaw"
            raise UsageError(
                f"{size} has {joins} joins; with two for each connector at most {MAX_COLORS} are supported"
            )
        none = NONE_EXISTS.get((self.rows, self.columns, self.solutions))
        if self.perfect and none is not None:
            size = f"{self.rows}x{self.columns}"
            raise UsageError(f"no perfect {size} jigsaw has {self.solutions} solutions: {none}{self._nearest()}")

    def _refuse_disjoint(self) -> None:
        """Raise UsageError if it is known that there are no such solutions without a common join, or no way to them."""
        for name in ("types", "no_stay"):
            if getattr(self, name):
                raise UsageError("is not available with three or more disjoint solutions; omit it", name, "disjoint")
        if self.method not in (None, "annealing", "refinement"):
            raise UsageError(f"{self.method} makes no three disjoint solutions; use annealing", "method", "disjoint")
        reason = why_not_disjoint(self.rows, self.columns, self.solutions, self.use)
        if reason is None and self.method is None:
            reason = why_not_found(self.rows, self.columns, self.use)
        if reason is not None:
            raise UsageError(*reason)

    @property
    def use(self) -> int:
        """The largest number of joins of a connector.

        By default 2; for three solutions without a common join see `use_of_three`; 3 if rows + columns is odd,
        where 2 is impossible.
        """
        if self.max_use is not None:
            return self.max_use
        if self.disjoint and self.solutions > 2:
            return use_of_three(self.rows, self.columns)
        return least_use(self._joins) if self.solutions > 1 else 2

    @property
    def connectors(self) -> int | None:
        """The number of connectors; None for any.

        With rows + columns odd it is by default the largest that is possible, on boards where that is found in time.
        """
        is_asked = self.types is not None or self.max_use is not None or self.of_three or self.solutions == 1
        if is_asked or self._joins % 2 == 0:
            return self.types
        may_be_closed = self.solutions == 2 and not self.no_stay and self.method in (None, "closed-form")
        is_found = self.rows * self.columns <= _MOST_ANNEALED or (may_be_closed and self._has_mixed_form)
        return most_connectors(self._joins) if is_found else None

    @property
    def _has_mixed_form(self) -> bool:
        """Whether a closed form with rows + columns odd is better than annealing."""
        from .mixed_form import has_mixed_form

        is_wide = min(self.rows, self.columns) >= _LEAST_SIDE or self.rows * self.columns > _MOST_ANNEALED
        return is_wide and has_mixed_form(self.rows, self.columns)

    @property
    def _joins(self) -> int:
        return Board(self.rows, self.columns).join_count

    @property
    def of_three(self) -> bool:
        """Whether the wishes are three solutions without a common join."""
        return self.disjoint and self.solutions == 3

    @property
    def symmetries_of_three(self) -> tuple[tuple[str, ...], ...]:
        """The groups of symmetries of three such assemblies to try in turn."""
        square = self.rows == self.columns
        if self.chosen == "refinement":
            return SYMMETRIES_TO_REFINE[square]
        return SYMMETRIES_OF_EVEN if square and self.rows % 2 == 0 else SYMMETRIES[square]

    def of_scramble(self) -> Wish:
        """The requirements on the second assembly; raises UsageError if it is known not to exist."""
        try:
            return Wish(self.rows, self.columns, self.use, self.no_stay, self.connectors)
        except UsageError as error:
            if error.options:  # not about the size
                raise
            raise UsageError(f"{error}{self._nearest()}") from error

    def _nearest(self) -> str:
        """The nearest sizes of perfect jigsaws with two solutions, as the end of an error message."""
        if not self.perfect or self.solutions != 2 or self.no_stay:
            return ""
        sizes = product(range(max(self.rows - 5, 2), self.rows + 6), range(max(self.columns - 5, 2), self.columns + 6))
        distances = {(abs(r - self.rows) + abs(c - self.columns), -r * c, r, c) for r, c in sizes if _is_made(r, c)}
        words = [f"{rows}x{columns}" for *_, rows, columns in sorted(distances)[:2]]
        return f"; the nearest sizes that can be made are {' and '.join(words)}" if words else ""

    @cached_property
    def chosen(self) -> str:
        """The method to use."""
        return self.method or next(method for method in METHODS if self._why_not(method) is None)

    def _why_not(self, method: str) -> str | None:
        """Why a method cannot meet the wishes; None if it can."""
        if method == "refinement":
            if not self.of_three:
                return "is for three solutions without a common join only"
            return None if self.rows * self.columns <= MOST_REFINED else f"is for at most {MOST_REFINED} squares"
        if self.of_three and method != "annealing":
            return "makes no three solutions without a common join"
        if self.solutions == 1 or method == "planted":
            return None if self.solutions == 1 and method == "planted" else "is not for that many solutions"
        if method == "annealing":
            return None
        is_mixed = method == "closed-form" and self._joins % 2 == 1
        if self.no_stay or self.connectors != (most_connectors(self._joins) if is_mixed else None):
            on_two = "the largest number of connectors" if is_mixed else "two joins for each connector"
            return f"has {on_two} and pieces that stay; use annealing"
        rows, size = self.rows, f"{self.rows}x{self.columns} jigsaws"
        if method == "crystal":
            number = 2 ** (rows // 2) if rows == self.columns and rows % 2 and rows >= 5 else None
        else:
            number = 2 if is_mixed and self._has_mixed_form else _solutions_of_closed_form(rows, self.columns)
        if number is None:
            return f"makes no {size}"
        return None if self.solutions == number else f"makes {size} of {number} solutions"

    @property
    def perfect(self) -> bool:
        """Whether the wishes are those of a perfect jigsaw."""
        return self.solutions > 1 and self.use == 2 and self.connectors is None

    @property
    def title(self) -> str:
        """The name of the jigsaw."""
        if self.name is not None:
            return self.name
        size = f"{self.rows}x{self.columns} jigsaw"
        words = [f"perfect {size}" if self.perfect else size]
        words += [plural(self.solutions, "solution", str)]
        words += [f"max use {self.use}"] if self.connectors is None and self.use != 2 else []
        words += [] if self.connectors is None else [f"{self.connectors} connectors"]
        words += ["no piece stays"] if self.no_stay else []
        words += ["disjoint"] if self.disjoint else []
        return ", ".join([*words, f"seed {self.seed}"])

    @property
    def command(self) -> str:
        """The command that makes the jigsaw."""
        words = [f"jigsat make jigsaw --rows {self.rows} --columns {self.columns} --solutions {self.solutions}"]
        words += [f"--max-use {self.use}" if self.connectors is None else f"--types {self.connectors}"]
        words += ["--no-stay"] if self.no_stay else []
        words += ["--disjoint"] if self.disjoint else []
        words += [f"--method {self.chosen} --seed {self.seed}"]
        words += [] if self.name is None else [shlex.quote(f"--name={self.name}")]
        return " ".join(words)


def _is_made(rows: int, columns: int) -> bool:
    """Whether perfect jigsaws of a size with two solutions are made, in closed form or by annealing."""
    annealed = (rows + columns) % 2 == 0 and rows * columns <= MOST_SQUARES and (rows, columns, 2) not in NONE_EXISTS
    return annealed or _solutions_of_closed_form(rows, columns) == 2


def _solutions_of_closed_form(rows: int, columns: int) -> int | None:
    """The usual number of solutions of jigsaws in closed form; None if there is no closed form."""
    if rows % 2 and columns % 2:
        return 2 if min(rows, columns) >= 5 else None
    if rows % 2 or columns % 2 or (rows - columns) % 4 or min(rows, columns) < 4:
        return None
    return 2 if min(rows, columns) >= 10 else 4 if rows == columns else None


def use_of_three(rows: int, columns: int) -> int:
    """The largest use of connectors if none is given."""
    if rows != columns:
        return USE_OF_OTHERS
    return USE_OF_ODD if rows % 2 else USE_OF_EVEN


def why_not_found(rows: int, columns: int, max_use: int) -> tuple[str, ...] | None:
    """Why no search for such a jigsaw is promising, and the options that the reason is about; None if one is."""
    short, long = sorted((rows, columns))
    least, size, more = FOUND.get((short, long)), f"{rows}x{columns}", "with --method annealing the search is tried"
    if least is None:
        nearest = sorted(FOUND, key=lambda found: abs(found[0] - short) + abs(found[1] - long))[:2]
        words = " and ".join(f"{one}x{other}" for one, other in nearest)
        return f"no {size} jigsaw with 3 disjoint solutions is known; the nearest sizes are {words}; {more}", "disjoint"
    if max_use < least:
        return f"must be {least} or more, not {max_use}: with fewer no {size} jigsaw is known; {more}", "max_use"
    return None


def why_not_disjoint(rows: int, columns: int, solutions: int, max_use: int) -> tuple[str, ...] | None:
    """Why there is no jigsaw with that many solutions without a common join; None if there may be one.

    The reason comes with the options that it is about.  If each connector is on three joins, three divides the number
    of joins, and that of joins of the frame, because sides of the frame meet in every solution: 2 rows columns - rows -
    columns and 2 (rows + columns - 2).  So rows and columns are 1, 4, 7, ....  For 4x4 see `research/three_of_4x4.py`.
    """
    if solutions > 3:
        return f"at most 3 solutions without a common join can be made, not {solutions}", "solutions", "disjoint"
    if max_use < 3:
        more = use_of_three(rows, columns)
        return (
            f"must be 3 or more, not {max_use}: a connector on two joins has two positive and two negative sides, "
            f"which meet in two ways only, so three solutions share joins; try {more}, or 3 for 7x7",
            "max_use",
            "disjoint",
        )
    size = f"{rows}x{columns}"
    if min(rows, columns) < 3:
        return f"{size} is too narrow: rows and columns must be at least 3; 7x7 can be made", "disjoint"
    if (min(rows, columns), max(rows, columns)) in EXCLUDED:
        return (
            f"no {size} jigsaw of different pieces has three solutions without a common join, as a complete search "
            "shows; the nearest size that can be made is 5x5",
            "disjoint",
        )
    if rows == columns == 4 and max_use < LEAST_OF_4X4:
        return (
            f"must be {LEAST_OF_4X4} or more for 4x4, not {max_use}: with fewer joins for each connector some pieces "
            "are equal or symmetric, as a complete search shows; 7x7 can be made",
            "max_use",
            "disjoint",
        )
    if max_use == 3 and (rows % 3, columns % 3) != (1, 1):
        return (
            f"must be 4 or more for {size}, not 3: if each connector is on three joins, three divides the number of "
            "joins of the frame and that of all joins, so rows and columns must be 4, 7, 10, ...; 7x7 can be made",
            "max_use",
            "disjoint",
        )
    return None
