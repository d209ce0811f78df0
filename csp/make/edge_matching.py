"""Makes edge-matching puzzles of chosen size, colours, rim, piece properties, and clues."""

import shlex
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from operator import index
from typing import Any

from ..base.errors import NotFoundError, UsageError, plural, refuse_name, shortened
from ..base.seeded_random import Chance, refuse_seed
from ..puzzles.board import BORDER, Arrangement, Board, Placement, checked_board, opposite, turned, undone
from ..puzzles.edge_matching import ANY, ROTATIONS, EdgeMatchingPuzzle, Fixed, Sides

#: The sides that have one colour together: both of a join, or a single one.  Side s of square q is number 4q + s.
Slot = tuple[int, ...]

# When to give up.  More attempts would not change puzzles that are found now; fewer would lose some.
ATTEMPTS, ATTEMPTS_PER_PIECE = 50_000, 50

DISTRIBUTIONS = ("flat", "skewed")
CLUE_PLACES = ("random", "corner", "diagonal")

# Without a frame, pieces have as many colours by default as TetraVex has digits.
_DIGITS = 10


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
    frame_colors: int | None = None
    inner_colors: int | None = None
    colors: int | None = None
    rim: int | str = BORDER
    turn: bool = True
    flip: bool = False
    wrap: str = "none"
    squares: tuple[str, ...] = ()
    distribution: str = "flat"
    unique: bool = False
    asymmetric: bool = False
    random: bool = False
    clues: int = 0
    clue_places: str = "random"
    seed: int = 0
    name: str | None = None

    def __post_init__(self) -> None:
        if not (self.rim == ANY or isinstance(self.rim, int)):
            raise UsageError(f"must be 0, a colour, or any, not {shortened(str(self.rim))}", "rim")
        if not self.is_framed and self.colors is None:
            object.__setattr__(self, "colors", _DIGITS)
        needed = ("frame_colors", "inner_colors") if self.is_framed else ("colors",)
        without = f"with rim {self.rim} the puzzle has {'frame and inner colours' if self.is_framed else 'no frame'}"
        for each in ("frame_colors", "inner_colors", "colors"):
            if (each in needed) != (getattr(self, each) is not None):
                raise UsageError(f"{without}; {'give a number' if each in needed else 'omit the option'}", each)
        for each in (*needed, "clues", "seed"):
            object.__setattr__(self, each, index(getattr(self, each)))

    @property
    def is_framed(self) -> bool:
        """Whether the border shows 0."""
        return self.rim == BORDER

    @cached_property
    def board(self) -> Board:
        checked_board(self.rows, self.columns)
        return Board(self.rows, self.columns, self.squares, self.wrap)

    @property
    def rotations(self) -> tuple[int, ...]:
        """The rotations in which a piece may lie."""
        return ROTATIONS[self.turn, self.flip]

    @property
    def size(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def palette(self) -> str:
        if not self.is_framed:
            return plural(self.colors or 0, "colour")
        return f"{self.frame_colors} frame and {self.inner_colors} inner colours"

    @cached_property
    def joins(self) -> dict[str, list[Slot]]:
        """The joins that share their colours: frame joins and inner ones; without a frame all joins are inner."""
        found: dict[str, list[Slot]] = {"frame": [], "inner": []}
        for join in self.board.joins():
            slot = (4 * join.first + join.side, 4 * join.second + opposite(join.side))
            found["frame" if self.is_framed and self.board.is_frame_join(join) else "inner"].append(slot)
        return found

    @cached_property
    def outer(self) -> list[Slot]:
        """The sides on the border of the board."""
        sides = product(range(len(self.board)), range(4))
        return [(4 * square + side,) for square, side in sides if self.board.neighbour(square, side) is None]

    @cached_property
    def classes(self) -> Counter[str]:
        """The number of squares of each class; without a frame all are inner ones."""
        squares = range(len(self.board))
        return Counter(self.board.square_class(square) if self.is_framed else "inner" for square in squares)

    @cached_property
    def looks(self) -> dict[str, int]:
        """The number of different pieces of each class, up to rotation, that are asymmetric if required.

        A half turn does not change m**2 inner pieces, a quarter turn m of them (Burnside's lemma).
        """
        f, m = (self.frame_colors or 0, self.inner_colors or 0) if self.is_framed else (0, self.colors or 0)
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
        palette = f"{self.frame_colors}+{self.inner_colors} colours" if self.is_framed else self.palette
        words = [self.size, palette, *self._form]
        words += [] if self.distribution == "flat" else [self.distribution]
        words += self.adjectives + (["random set"] if self.random else [])
        places = {"random": "", "corner": " in a corner", "diagonal": " on a diagonal"}[self.clue_places]
        words += [plural(self.clues, "clue", str) + places] if self.clues else []
        return ", ".join([*words, f"seed {self.seed}"])

    @property
    def _form(self) -> list[str]:
        """What is special about the puzzle, in words."""
        words = [] if self.is_framed else [f"rim {self.rim}"]
        words += [] if self.turn else ["no turning"]
        words += ["two-sided"] if self.flip else []
        return [*words, *([] if self.wrap == "none" else [f"wrap {self.wrap}"]), *(["shaped"] if self.squares else [])]

    @property
    def command(self) -> str:
        """The command that makes the puzzle."""
        words = [f"jigsat make edge-matching --rows {self.rows} --columns {self.columns}"]
        colors = f"--frame-colors {self.frame_colors} --inner-colors {self.inner_colors}"
        words += [colors] if self.is_framed else [f"--colors {self.colors} --rim {self.rim}"]
        words += [*([] if self.turn else ["--no-turn"]), *(["--flip"] if self.flip else [])]
        words += [] if self.wrap == "none" else [f"--wrap {self.wrap}"]
        words += ["--squares", shlex.quote(",".join(self.squares))] if self.squares else []
        words += [f"--distribution {self.distribution}", *(f"--{word}" for word in self.adjectives)]
        words += ["--random" if self.random else f"--clues {self.clues}"]
        words += [] if self.clue_places == "random" else [f"--clue-places {self.clue_places}"]
        words += [f"--seed {self.seed}"]
        words += [] if self.name is None else [shlex.quote(f"--name={self.name}")]
        return " ".join(words)


def _refuse_impossible(wishes: _Wishes) -> None:
    """Raise UsageError if counting shows that there is no such puzzle."""
    _refuse_numbers(wishes)
    if wishes.is_framed:
        for what, colors in (("frame", wishes.frame_colors), ("inner", wishes.inner_colors)):
            _refuse_colors(wishes, colors or 0, f"{what}_colors", len(wishes.joins[what]), f"{what} joins")
    else:
        outer = len(wishes.outer) if wishes.rim == ANY else 0
        most = len(wishes.joins["inner"]) + outer
        _refuse_colors(wishes, wishes.colors or 0, "colors", most, "joins and outer sides" if outer else "joins")
        if wishes.rim != ANY and not 1 <= int(wishes.rim) <= (wishes.colors or 0):
            raise UsageError(f"must be any, 0 or one of the colours 1 to {wishes.colors}, not {wishes.rim}", "rim")
    if wishes.flip or not wishes.turn:
        return  # of such pieces there are others; the search says whether there are enough
    for piece_class, squares in wishes.classes.items():
        needed = squares if wishes.unique else min(squares, 1)
        looks = wishes.looks[piece_class]
        if wishes.adjectives and looks < needed:
            raise UsageError(
                f"a {wishes.size} board needs {needed} such {piece_class} pieces, but only {looks} can be made of "
                f"{wishes.palette}",
                *wishes.adjectives,
            )


def _refuse_colors(wishes: _Wishes, colors: int, option: str, most: int, what: str) -> None:
    if not min(most, 1) <= colors <= most:
        right = f"1 to {most}, its number of {what}" if most else f"0, because it has no {what}"
        raise UsageError(f"a {wishes.size} board can have {right}, but not {colors}", option)


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
    if places != "random" and wishes.squares:
        raise UsageError("the board has gaps; only random places are known for it", "clue_places")
    if places == "diagonal" and wishes.clues > (length := max(board.rows, board.columns)):
        room = f"a diagonal of a {wishes.size} board has room for {length} clues"
        raise UsageError(f"{room}, not for {wishes.clues}", "clues", "clue_places")


def _dealt_sides(wishes: _Wishes, chance: Chance) -> list[int]:
    """The colour of each side of each square, four per square, 0 on a border of the frame."""
    pools = _pools(wishes)
    sides = [BORDER if wishes.rim == ANY else int(wishes.rim)] * (4 * len(wishes.board))
    for slots, colors in pools:
        for slot, color in zip(slots, chance.shuffled(colors), strict=True):
            for place in slot:
                sides[place] = color
    if wishes.adjectives:
        slots_alone = [slots for slots, _ in pools]
        rotations = wishes.rotations
        left = repair(
            sides, slots_alone, chance, unique=wishes.unique, asymmetric=wishes.asymmetric, rotations=rotations
        )
        if left:
            raise NotFoundError(
                f"{' and '.join(wishes.adjectives)} pieces: no such set was found for a {wishes.size} board with "
                f"{wishes.palette} (faults left: {left}); more colours, a flat distribution or another seed may help"
            )
    return sides


def _pools(wishes: _Wishes) -> list[tuple[list[Slot], list[int]]]:
    """Slots, and the colours to distribute over them: joins for a planted set, sides for a random one."""
    board, (frame, inner) = wishes.board, wishes.joins.values()
    if not wishes.is_framed:
        slots = inner + (wishes.outer if wishes.rim == ANY else [])
        slots = _alone(chain.from_iterable(slots)) if wishes.random else slots
        return [(slots, _colors(wishes.colors or 0, len(slots), wishes.distribution, first=1))]
    of_frame = _colors(wishes.frame_colors or 0, len(frame), wishes.distribution, first=1)
    of_inner = _colors(wishes.inner_colors or 0, len(inner), wishes.distribution, first=(wishes.frame_colors or 0) + 1)
    if not wishes.random:
        return [(frame, of_frame), (inner, of_inner)]
    frame_sides, inner_sides = list(chain.from_iterable(frame)), list(chain.from_iterable(inner))
    if 1 in (wishes.rows, wishes.columns):
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
    rotations = wishes.rotations
    planted = tuple(Placement(number, rotations[chance.below(len(rotations))]) for number in numbers)
    pieces: list[Sides] = [(0, 0, 0, 0)] * len(squares)
    for square, (number, rotation) in enumerate(planted):
        up, right, down, left = turned(sides[4 * square : 4 * square + 4], undone(rotation))
        pieces[number] = (up, right, down, left)
    fixed = tuple(Fixed(square, *planted[square]) for square in sorted(_clue_squares(wishes, chance)))
    puzzle = EdgeMatchingPuzzle(
        wishes.rows, wishes.columns, tuple(pieces), fixed=fixed, name=wishes.title, source=wishes.command,
        rim=wishes.rim, turn=wishes.turn, flip=wishes.flip, squares=wishes.squares, wrap=wishes.wrap,
        known={} if wishes.random else {"planted": 1},
    )  # fmt: skip
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

    def __init__(self, sides: list[int], *, unique: bool, asymmetric: bool, rotations: Sequence[int]) -> None:
        self._sides, self._unique, self._asymmetric, self._rotations = sides, unique, asymmetric, rotations
        self._copies: Counter[tuple[int, ...]] = Counter()
        self._looks: list[tuple[int, ...]] = [()] * (len(sides) // 4)
        self.number = 0
        for square in range(len(self._looks)):
            self.add(square)

    def add(self, square: int) -> None:
        """Count the piece on a square as it is now."""
        sides = self._sides[4 * square : 4 * square + 4]
        look = min(turned(sides, rotation) for rotation in self._rotations)
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


def repair(
    sides: list[int],
    pools: Sequence[Sequence[Slot]],
    chance: Chance,
    *,
    unique: bool,
    asymmetric: bool,
    rotations: Sequence[int] = range(4),
) -> int:
    """Exchange colours until no two pieces are equal, or none is symmetric, or both; return the remaining faults.

    A local search: a slot of a faulty piece and another slot of the same pool exchange their colours, unless this
    increases the number of faults.  It gives up after a number of attempts that depends only on the number of pieces,
    so that the outcome is the same on every machine.  `sides`, four per square, are changed in place.
    """
    faults = _Faults(sides, unique=unique, asymmetric=asymmetric, rotations=rotations)
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
        places = [place for place in range(4 * square, 4 * square + 4) if place in homes]
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
