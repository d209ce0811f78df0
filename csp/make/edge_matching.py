"""Makes framed edge-matching puzzles of chosen size, colours, piece properties, and clues."""

import shlex
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import index
from typing import Any

from ..base.errors import NotFoundError, UsageError, plural, refuse_name
from ..base.seeded_random import Chance, refuse_seed
from ..puzzles.board import BORDER, Arrangement, Board, Placement, checked_board, opposite, turned
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Sides

#: The sides that have one colour together: both of a join, or a single one.  Side s of square q is number 4q + s.
Slot = tuple[int, ...]

# When to give up.  More attempts would not change puzzles that are found now; fewer would lose some.
ATTEMPTS, ATTEMPTS_PER_PIECE = 50_000, 50

DISTRIBUTIONS = ("flat", "skewed")
CLUE_PLACES = ("random", "corner", "diagonal")


@dataclass(frozen=True)
class MadePuzzle:
    """A generated puzzle, and its planted solution; None for a random set."""

    puzzle: EdgeMatchingPuzzle
    solution: Arrangement | None


def deal_edge_matching(*numbers: Any, **options: Any) -> MadePuzzle:
    """A framed puzzle and its planted solution; parameters and errors are those of `jigsat.make_edge_matching`."""
    wishes = _Wishes(*numbers, **options)
    _refuse_impossible(wishes)
    chance = Chance(wishes.seed)
    sides = _dealt_sides(wishes, chance)
    return _cut(wishes, sides, chance)


@dataclass(frozen=True)
class _Wishes:
    """The parameters of a puzzle, and their consequences."""

    rows: int
    columns: int
    frame_colors: int
    inner_colors: int
    distribution: str = "flat"
    unique: bool = False
    asymmetric: bool = False
    random: bool = False
    clues: int = 0
    clue_places: str = "random"
    seed: int = 0
    name: str | None = None

    def __post_init__(self) -> None:
        for each in ("frame_colors", "inner_colors", "clues", "seed"):
            object.__setattr__(self, each, index(getattr(self, each)))

    @cached_property
    def board(self) -> Board:
        return checked_board(self.rows, self.columns)

    @property
    def size(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def palette(self) -> str:
        return f"{self.frame_colors} frame and {self.inner_colors} inner colours"

    @property
    def one_line(self) -> bool:
        """Whether the board has one row or column, so that the border is on both sides of each join."""
        return 1 in (self.rows, self.columns)

    @cached_property
    def joins(self) -> dict[str, int]:
        """The number of frame joins and of inner ones."""
        every = self.board.join_count
        frame = every if self.one_line else 2 * (self.rows - 1) + 2 * (self.columns - 1)
        return {"frame": frame, "inner": every - frame}

    @cached_property
    def squares(self) -> Counter[str]:
        """The number of squares of each class."""
        return Counter(self.board.square_class(square) for square in range(len(self.board)))

    @cached_property
    def looks(self) -> dict[str, int]:
        """The number of different pieces of each class, up to rotation, that are asymmetric if required.

        A half turn does not change m**2 inner pieces, a quarter turn m of them (Burnside's lemma).
        """
        f, m = self.frame_colors, self.inner_colors
        ever = {"corner": f * f, "edge": f * f * m, "end": f}
        if self.asymmetric:
            return {**ever, "inner": (m**4 - m**2) // 4, "strip": f * (f - 1) // 2, "single": 0}
        return {**ever, "inner": (m**4 + m**2 + 2 * m) // 4, "strip": f * (f + 1) // 2, "single": 1}

    @property
    def adjectives(self) -> list[str]:
        """The required properties of pieces."""
        return [word for word in ("unique", "asymmetric") if getattr(self, word)]

    @property
    def title(self) -> str:
        """The name of the puzzle."""
        if self.name is not None:
            return self.name
        words = [self.size, f"{self.frame_colors}+{self.inner_colors} colours"]
        words += [] if self.distribution == "flat" else [self.distribution]
        words += self.adjectives + (["random set"] if self.random else [])
        places = {"random": "", "corner": " in a corner", "diagonal": " on a diagonal"}[self.clue_places]
        words += [plural(self.clues, "clue", str) + places] if self.clues else []
        return ", ".join([*words, f"seed {self.seed}"])

    @property
    def command(self) -> str:
        """The command that makes the puzzle."""
        words = [f"jigsat make edge-matching --rows {self.rows} --columns {self.columns}"]
        words += [f"--frame-colors {self.frame_colors} --inner-colors {self.inner_colors}"]
        words += [f"--distribution {self.distribution}", *(f"--{word}" for word in self.adjectives)]
        words += ["--random" if self.random else f"--clues {self.clues}"]
        words += [] if self.clue_places == "random" else [f"--clue-places {self.clue_places}"]
        words += [f"--seed {self.seed}"]
        words += [] if self.name is None else [shlex.quote(f"--name={self.name}")]
        return " ".join(words)


def _refuse_impossible(wishes: _Wishes) -> None:
    """Raise UsageError if counting shows that there is no such puzzle."""
    _refuse_numbers(wishes)
    for what, colors in (("frame", wishes.frame_colors), ("inner", wishes.inner_colors)):
        joins = wishes.joins[what]
        if not min(joins, 1) <= colors <= joins:
            right = f"1 to {joins}, its number of {what} joins" if joins else f"0, because it has no {what} joins"
            raise UsageError(f"a {wishes.size} board can have {right}, but not {colors}", f"{what}_colors")
    for piece_class, squares in wishes.squares.items():
        needed = squares if wishes.unique else min(squares, 1)
        looks = wishes.looks[piece_class]
        if wishes.adjectives and looks < needed:
            raise UsageError(
                f"a {wishes.size} board needs {needed} such {piece_class} pieces, but only {looks} can be made of "
                f"{wishes.palette}",
                *wishes.adjectives,
            )


def _refuse_numbers(wishes: _Wishes) -> None:
    board, places = wishes.board, wishes.clue_places
    if wishes.distribution not in DISTRIBUTIONS:
        raise UsageError(f"must be {' or '.join(DISTRIBUTIONS)}, not {wishes.distribution!r}", "distribution")
    refuse_seed(wishes.seed)
    refuse_name(wishes.name)
    if not 0 <= wishes.clues <= len(board):
        squares = f"the number of squares of a {wishes.size} board"
        raise UsageError(f"must lie between 0 and {len(board)}, {squares}, not {wishes.clues}", "clues")
    if wishes.clues and wishes.random:
        raise UsageError("clues need a planted solution, and a random set has no planted solution", "clues", "random")
    if places not in CLUE_PLACES:
        raise UsageError(f"must be {', '.join(CLUE_PLACES[:-1])} or {CLUE_PLACES[-1]}, not {places!r}", "clue_places")
    if places != "random" and not wishes.clues:
        raise UsageError(f"there are no clues; omit {places}, or choose a number of clues", "clue_places")
    if places == "diagonal" and wishes.clues > (length := max(board.rows, board.columns)):
        room = f"a diagonal of a {wishes.size} board has room for {length} clues"
        raise UsageError(f"{room}, not for {wishes.clues}", "clues", "clue_places")


def _dealt_sides(wishes: _Wishes, chance: Chance) -> list[int]:
    """The colour of each side of each square, four per square, 0 on the border."""
    pools = _pools(wishes)
    sides = [0] * (4 * len(wishes.board))
    for slots, colors in pools:
        for slot, color in zip(slots, chance.shuffled(colors), strict=True):
            for place in slot:
                sides[place] = color
    if wishes.adjectives:
        slots_alone = [slots for slots, _ in pools]
        left = repair(sides, slots_alone, chance, unique=wishes.unique, asymmetric=wishes.asymmetric)
        if left:
            raise NotFoundError(
                f"{' and '.join(wishes.adjectives)} pieces: no such set was found for a {wishes.size} board with "
                f"{wishes.palette} (faults left: {left}); more colours, a flat distribution or another seed may help"
            )
    return sides


def _pools(wishes: _Wishes) -> list[tuple[list[Slot], list[int]]]:
    """Slots, and the colours to distribute over them: joins for a planted set, sides for a random one."""
    board = wishes.board
    frame: list[Slot] = []
    inner: list[Slot] = []
    for join in board.joins():
        slot = (4 * join.first + join.side, 4 * join.second + opposite(join.side))
        (frame if board.is_frame_join(join) else inner).append(slot)
    of_frame = _colors(wishes.frame_colors, len(frame), wishes.distribution, first=1)
    of_inner = _colors(wishes.inner_colors, len(inner), wishes.distribution, first=wishes.frame_colors + 1)
    if not wishes.random:
        return [(frame, of_frame), (inner, of_inner)]
    frame_sides, inner_sides = list(chain.from_iterable(frame)), list(chain.from_iterable(inner))
    if wishes.one_line:
        # With the border on both sides, a side is a left or a right one depending on the rotation.
        return [(_alone(frame_sides), 2 * of_frame)]
    left = [place for place in frame_sides if _is_left(board, place)]
    right = [place for place in frame_sides if not _is_left(board, place)]
    return [(_alone(left), of_frame), (_alone(right), of_frame), (_alone(inner_sides), 2 * of_inner)]


def _is_left(board: Board, place: int) -> bool:
    """Whether a side of a frame join lies to the left of its piece's border, seen from the middle of the board."""
    square, side = divmod(place, 4)
    return bool(board.border_mask(square) >> (side + 1) % 4 & 1)


def _alone(places: Iterable[int]) -> list[Slot]:
    return [(place,) for place in places]


def _colors(number: int, joins: int, distribution: str, *, first: int) -> list[int]:
    """The colour of each of the joins: `number` colours from `first` on."""
    if distribution == "skewed":
        numbers = _skewed(number, joins)
    else:
        numbers = [joins // number + (color < joins % number) for color in range(number)]
    return [color for color, times in enumerate(numbers, start=first) for _ in range(times)]


def _skewed(number: int, joins: int) -> list[int]:
    """The number of joins of each colour if the k-th share is proportional to 1/k."""
    weights = [2**64 // k for k in range(1, number + 1)]
    total = sum(weights)
    ones = []
    while weights and joins * weights[-1] < total:
        # Less than one join: it gets one, and the others share the rest.
        ones.append(1)
        joins, total = joins - 1, total - weights.pop()
    shares = [divmod(joins * weight, total) for weight in weights]
    missing = joins - sum(whole for whole, _ in shares)
    by_remainder = sorted(range(len(shares)), key=lambda color: -shares[color][1])
    favoured = set(by_remainder[:missing])
    return [whole + (color in favoured) for color, (whole, _) in enumerate(shares)] + ones


def _cut(wishes: _Wishes, sides: list[int], chance: Chance) -> MadePuzzle:
    """The pieces in random order, each in a random rotation, and their placements."""
    squares = range(len(wishes.board))
    numbers = chance.shuffled(squares)
    planted = tuple(Placement(number, chance.below(4)) for number in numbers)
    pieces: list[Sides] = [(0, 0, 0, 0)] * len(squares)
    for square, (number, rotation) in enumerate(planted):
        up, right, down, left = turned(sides[4 * square : 4 * square + 4], -rotation)
        pieces[number] = (up, right, down, left)
    fixed = tuple(Fixed(square, *planted[square]) for square in sorted(_clue_squares(wishes, chance)))
    puzzle = EdgeMatchingPuzzle(
        wishes.board.rows, wishes.board.columns, tuple(pieces), fixed=fixed, name=wishes.title, source=wishes.command
    )
    return MadePuzzle(puzzle, None if wishes.random else planted)


def _clue_squares(wishes: _Wishes, chance: Chance) -> list[int]:
    """The squares whose pieces are fixed."""
    board, clues = wishes.board, wishes.clues
    if wishes.clue_places == "random":
        return chance.sample(range(len(board)), clues)
    rows, columns = range(board.rows), range(board.columns)
    from_below, from_right = chance.below(2), chance.below(2)
    if wishes.clue_places == "corner":
        near = sorted((row**2 + column**2, row, column) for row in rows for column in columns)[:clues]
        squares = [(row, column) for _, row, column in near]
    else:
        # In the middles of equal parts of the diagonal.
        squares = [
            ((2 * i + 1) * len(rows) // (2 * clues), (2 * i + 1) * len(columns) // (2 * clues)) for i in range(clues)
        ]
    return [
        (rows[-1 - row] if from_below else row) * len(columns) + (columns[-1 - column] if from_right else column)
        for row, column in squares
    ]


class _Faults:
    """Counts the faults: every further copy of a piece, every piece that a turn maps to itself."""

    def __init__(self, sides: list[int], *, unique: bool, asymmetric: bool) -> None:
        self._sides, self._unique, self._asymmetric = sides, unique, asymmetric
        self._copies: Counter[tuple[int, ...]] = Counter()
        self._looks: list[tuple[int, ...]] = [()] * (len(sides) // 4)
        self.number = 0
        for square in range(len(self._looks)):
            self.add(square)

    def add(self, square: int) -> None:
        """Count the piece on a square as it is now."""
        up, right, down, left = self._sides[4 * square : 4 * square + 4]
        look = min((up, right, down, left), (right, down, left, up), (down, left, up, right), (left, up, right, down))
        self._looks[square] = look
        self.number += self._symmetric(look) + (self._unique and self._copies[look] > 0)
        self._copies[look] += 1

    def remove(self, square: int) -> None:
        """Remove the piece on a square from the counts, as it was when it was added."""
        look = self._looks[square]
        self._copies[look] -= 1
        self.number -= self._symmetric(look) + (self._unique and self._copies[look] > 0)

    def at(self, square: int) -> bool:
        """Whether the piece on a square has a fault."""
        look = self._looks[square]
        return self._symmetric(look) or (self._unique and self._copies[look] > 1)

    def _symmetric(self, look: tuple[int, ...]) -> bool:
        # A quarter turn that changes nothing is, done twice, a half turn that changes nothing.
        return self._asymmetric and look[:2] == look[2:]


def repair(sides: list[int], pools: Sequence[Sequence[Slot]], chance: Chance, *, unique: bool, asymmetric: bool) -> int:
    """Exchange colours until no two pieces are equal, or none is symmetric, or both; return the remaining faults.

    A local search: a slot of a faulty piece and another slot of the same pool exchange their colours, unless this
    increases the number of faults.  It gives up after a number of attempts that depends only on the number of pieces,
    so that the outcome is the same on every machine.  `sides`, four per square, are changed in place.
    """
    faults = _Faults(sides, unique=unique, asymmetric=asymmetric)
    homes = {place: (pool, slot) for pool in pools for slot in pool for place in slot}
    # Of equal pieces at most one is not in the queue: faulty pieces are not removed, and changed pieces are added
    # again.
    waiting = OrderedDict.fromkeys(range(len(sides) // 4))
    attempts = ATTEMPTS + ATTEMPTS_PER_PIECE * len(waiting)
    while waiting and attempts:
        square, _ = waiting.popitem(last=False)
        if not faults.at(square):
            continue
        attempts -= 1
        waiting[square] = None
        places = [place for place in range(4 * square, 4 * square + 4) if sides[place] != BORDER]
        pool, slot = homes[places[chance.below(len(places))]]
        waiting.update(dict.fromkeys(_attempt(sides, faults, slot, pool[chance.below(len(pool))])))
    return faults.number


def _attempt(sides: list[int], faults: _Faults, one: Slot, other: Slot) -> list[int]:
    """Exchange the colours of two slots unless this makes more faults; return the squares that have changed."""
    if sides[one[0]] == sides[other[0]]:
        return []
    squares = list(dict.fromkeys(place // 4 for place in one + other))
    before = faults.number
    _exchange(sides, faults, one, other, squares)
    if faults.number > before:
        _exchange(sides, faults, one, other, squares)
        return []
    return squares


def _exchange(sides: list[int], faults: _Faults, one: Slot, other: Slot, squares: list[int]) -> None:
    for square in squares:
        faults.remove(square)
    color_of_one, color_of_other = sides[one[0]], sides[other[0]]
    for place in one:
        sides[place] = color_of_other
    for place in other:
        sides[place] = color_of_one
    for square in squares:
        faults.add(square)
