"""How a board is cut into two halves for the method `frames`, and what that is expected to cost.

The expectations are those of Owen's model: the number of ways to lay types in a row, times the chance that the joins
match if the colours of the inner sides, and those of the frame's sides, change places at random.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, expm1, inf, perm, prod

from ....puzzles.board import BORDER
from ....puzzles.candidates import color_indices
from ....puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ....puzzles.symmetry import PieceType, Symmetries

# Keys and words are numbers of 64 bits, and one number tells an empty place.
_MOST_KEYS = 2**63
#: What may be held.
MOST_BYTES = 2**30
_MOST_SQUARES = 64
# Entries are copied, half of them or more, when their table grows.
_BYTES_OF_ENTRY, _BYTES_OF_HALF, _BYTES_OF_PAIR = 18, 64, 48
# What an entry looked up, a pair of words, and a piece laid on a frame cost in pieces laid inside.
_NODES_OF_LOOKUP, _NODES_OF_PAIR, _NODES_OF_RING = 0.3, 3.0, 3.0


@dataclass(frozen=True)
class Half:
    """The first squares of the inside, row by row from its top left, and the stretch of the frame around them.

    The lower half is one, too, when the board is turned by 180 degrees.

    Parameters
    ----------
    squares, columns
        How many inner squares, in how many columns.
    left, right
        How many edge pieces the stretch has on the left, below the corner, and on the right.
    """

    squares: int
    columns: int
    left: int
    right: int

    @property
    def edges(self) -> int:
        return self.left + self.columns + self.right

    @property
    def pieces_of_frame(self) -> int:
        return self.edges + 2

    @property
    def stepped(self) -> bool:
        """Whether the last row is not full, so that the cut has a step."""
        return self.squares % self.columns != 0

    @property
    def cut(self) -> int:
        """How many colours lie along the cut."""
        return self.columns + self.stepped

    def joins(self) -> list[int]:
        """How many joins the first 0, 1, ... squares have with each other and the frame above them."""
        joins = [0]
        for square in range(self.squares):
            joins.append(joins[-1] + 2 + (square % self.columns == self.columns - 1))
        return joins


def cut_inside(rows: int, columns: int, squares: int) -> tuple[Half, Half]:
    """The upper and the lower half of an inside, so many squares in the upper one."""

    def half(number: int) -> Half:
        return Half(number, columns, -(-number // columns), number // columns)

    return half(squares), half(rows * columns - squares)


@dataclass(frozen=True)
class Plan:
    """A way to cut the board, and the numbers that are to be expected of it.

    Parameters
    ----------
    upper, lower
        The halves.
    anchor
        The corner piece that always lies in the upper half, if there is one; on a square board it comes first.
    ring_nodes, rings
        Nodes of the searches for halves of frames, and halves.
    words
        Different words of upper and of lower halves.
    pairs
        Pairs of words that a frame shows.
    fill_nodes, entries
        Nodes, and keys in a table, of one upper and of one lower half of the inside.
    """

    upper: Half
    lower: Half
    anchor: PieceType | None
    ring_nodes: float
    rings: float
    words: tuple[float, float]
    pairs: float
    fill_nodes: tuple[float, float]
    entries: tuple[float, float]

    @property
    def nodes_to_fill(self) -> float:
        """The nodes of all halves of the inside."""
        return sum(words * nodes for words, nodes in zip(self.words, self.fill_nodes, strict=True))

    @property
    def work_of_pair(self) -> float:
        """What joining the tables of a pair costs, in nodes."""
        return _NODES_OF_PAIR + _NODES_OF_LOOKUP * self.entries[1]

    @property
    def cost(self) -> float:
        """All work, in nodes."""
        return _NODES_OF_RING * self.ring_nodes + self.nodes_to_fill + self.pairs * self.work_of_pair

    @property
    def tables_bytes(self) -> float:
        entries = sum(words * entries for words, entries in zip(self.words, self.entries, strict=True))
        return entries * _BYTES_OF_ENTRY + self.rings * _BYTES_OF_HALF + self.pairs * _BYTES_OF_PAIR


def reason_against(puzzle: EdgeMatchingPuzzle, found: Symmetries) -> str | None:
    """Why the method does not apply, if it does not."""
    if min(puzzle.rows, puzzle.columns) < 3 or puzzle.rows * puzzle.columns < 12:
        return f"the board is {puzzle.rows}x{puzzle.columns}; it must be 3x4 or larger"
    if puzzle.fixed:
        return "there are fixed pieces; all pieces must be free"
    for name, (pieces, squares) in puzzle.class_sizes().items():
        if pieces != squares:
            return f"there are {pieces} {name} pieces for {squares} squares; their numbers must be equal"
    if not found.regular:
        return "a solution may be the same after half a turn; the method plain can count such puzzles"
    return None


def best_plan(puzzle: EdgeMatchingPuzzle, found: Symmetries) -> Plan | str:
    """The plan of least cost whose tables fit into memory and whose numbers into 64 bits; or why there is none.

    The board may be turned, which makes its rows columns.
    """
    rows, columns = puzzle.rows - 2, puzzle.columns - 2
    squares = rows * columns
    if squares > _MOST_SQUARES:
        return f"the inside has {squares} squares; at most {_MOST_SQUARES} can be tabulated"
    expected = _Expected(puzzle, found)
    # The lower half, whose tables are looked through, is the smaller one.
    sizes = range(-(-squares // 2), squares)
    halves = [cut_inside(*shape, size) for shape in sorted({(rows, columns), (columns, rows)}) for size in sizes]
    possible = [pair for pair in halves if expected.are_numbered(*pair)]
    if not possible:
        types, colors = len(found.types), expected.colors
        return f"{types} different pieces and {colors} colours inside are too many for numbers of 64 bits"
    plans = [expected.plan(*pair) for pair in possible]
    plan = min(plans, key=lambda plan: (plan.tables_bytes > MOST_BYTES, plan.cost, plan.upper.columns))
    if plan.tables_bytes > MOST_BYTES:
        return f"the tables would take about {plan.tables_bytes / 2**30:.3g} GiB; there is room for 1"
    return plan


class _Expected:
    """What is to be expected of a puzzle, whatever the cut."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, found: Symmetries) -> None:
        self._puzzle = puzzle
        kinds = {
            name: [kind for kind in found.types if kind.piece_class == name] for name in ("corner", "edge", "inner")
        }
        self._corners, self._edges, self._inner = kinds["corner"], kinds["edge"], kinds["inner"]
        self._square = puzzle.rows == puzzle.columns
        unique = [kind for kind in self._corners if len(kind.pieces) == 1]
        self.anchor = unique[0] if unique else None
        self._turns = found.board if unique else 1
        self._others = [kind for kind in self._corners if kind is not self.anchor]
        self.uses = prod(len(kind.pieces) + 1 for kind in self._inner)
        self._frame_uses = prod(len(kind.pieces) + 1 for kind in self._corners + self._edges)
        self.colors = len(color_indices(puzzle, puzzle.inner_sides()))
        self._frame_colors = len(color_indices(puzzle, puzzle.frame_sides()))
        self._letters = Counter(facing(kind) for kind in self._edges for _ in kind.pieces)

    def are_numbered(self, upper: Half, lower: Half) -> bool:
        """Whether keys and words are numbers of 64 bits."""
        words = self.colors ** max(upper.edges, lower.edges)
        halves = self._frame_uses * self._frame_colors**2 << 24
        return max(words, self.uses * self.colors**upper.cut, halves) < _MOST_KEYS

    def plan(self, upper: Half, lower: Half) -> Plan:
        """What is to be expected of a cut."""
        rings = self._rings(upper, upper=True), self._rings(lower, upper=False)
        words = self._words(rings[0][-1], upper), self._words(rings[1][-1], lower)
        if upper == lower:
            both = self._words(rings[0][-1] + rings[1][-1], upper) / 2
            words = both, both
        return Plan(
            upper,
            lower,
            self.anchor,
            sum(map(sum, rings)),
            rings[0][-1] + rings[1][-1],
            words,
            _different(self._frames, self._ways_of_letters[sum(self._letters.values())]),
            (sum(self._fillings(upper)), sum(self._fillings(lower))),
            (self._entries(upper), self._entries(lower)),
        )

    @cached_property
    def _ways_of_edges(self) -> list[int]:
        return _rows_of([(len(kind.pieces), 1) for kind in self._edges])

    @cached_property
    def _ways_of_corners(self) -> list[int]:
        return _rows_of([(len(kind.pieces), 1) for kind in self._corners])

    @cached_property
    def _ways_of_inner(self) -> list[int]:
        return _rows_of([(len(kind.pieces), 4 // kind.order) for kind in self._inner])

    @cached_property
    def _ways_of_letters(self) -> list[int]:
        return _rows_of([(number, 1) for number in self._letters.values()])

    @cached_property
    def _frame_chance(self) -> list[float]:
        """The chances that 0, 1, ... joins of the frame match."""
        ends = [ends_of(kind) for kind in self._corners + self._edges for _ in kind.pieces]
        begin, end = Counter(first for first, _ in ends), Counter(last for _, last in ends)
        joins = len(ends)
        ways = [
            [perm(number, i) * perm(begin[self._puzzle.mate(color)], i) for i in range(number + 1)]
            for color, number in end.items()
        ]
        return _ratios(_spread(ways, joins), [perm(joins, j) ** 2 for j in range(joins + 1)])

    @cached_property
    def _inner_chance(self) -> list[float]:
        """The chances that 0, 1, ... joins inside match."""
        sides = self._puzzle.inner_sides()
        ways = []
        for color, number in sides.items():
            mate = self._puzzle.mate(color)
            if self._puzzle.rule is Rule.EQUAL:
                ways.append([perm(number, 2 * i) for i in range(number // 2 + 1)])
            elif color > mate or mate not in sides:
                ways.append([2**i * perm(number, i) * perm(sides[mate], i) for i in range(number + 1)])
        joins = sides.total() // 2
        return _ratios(_spread(ways, joins), [perm(sides.total(), 2 * j) for j in range(joins + 1)])

    @cached_property
    def _frames(self) -> float:
        pieces = len(self._frame_chance) - 1
        return self._ways_of_edges[-1] * self._ways_of_corners[-1] * self._frame_chance[pieces] / self._turns

    def _rings(self, half: Half, *, upper: bool) -> list[float]:
        """Nodes by depth of the search for halves of frames: the anchor comes first in the upper one."""
        anchor_is_first = upper and self._square and self.anchor is not None
        free = self._corners if upper and not self._square else self._others
        of_corners = [*_rows_of([(len(kind.pieces), 1) for kind in free]), 0, 0]
        numbers = []
        for depth in range(1, half.pieces_of_frame + 1):
            corners = (depth > half.left) + (depth > half.left + half.columns + 1)
            free_corners = corners - (anchor_is_first and corners > 0)
            ways = self._ways_of_edges[depth - corners] * of_corners[free_corners]
            numbers.append(ways * self._frame_chance[depth - 1])
        return numbers

    def _words(self, halves: float, half: Half) -> float:
        return _different(min(halves, self._frames), self._ways_of_letters[half.edges])

    def _fillings(self, half: Half) -> list[float]:
        """Nodes by depth of filling a half of the inside whose word is given."""
        joins = half.joins()
        return [self._ways_of_inner[d] * self._inner_chance[joins[d]] for d in range(1, half.squares + 1)]

    def _entries(self, half: Half) -> float:
        colors = 1 / max(self._inner_chance[1], 1e-9)
        return _different(self._fillings(half)[-1], self._choices[half.squares] * colors**half.cut)

    @cached_property
    def _choices(self) -> list[int]:
        """In how many ways 0, 1, ... inner pieces can be chosen."""
        choices = [1]
        for kind in self._inner:
            most = len(kind.pieces)
            choices = [sum(choices[max(0, n - most) : n + 1]) for n in range(len(choices) + most)]
        return choices


def facing(kind: PieceType) -> int:
    """The colour that an edge piece shows to the inside."""
    return kind.sides[(kind.sides.index(BORDER) + 2) % 4]


def ends_of(kind: PieceType) -> tuple[int, int]:
    """The colours with which an edge or corner piece begins and ends, clockwise along the frame."""
    # The last of the border sides, clockwise: what follows it is the end.
    last = next(side for side in range(4) if kind.sides[side] == BORDER != kind.sides[(side + 1) % 4])
    borders = kind.sides.count(BORDER)
    return kind.sides[last - borders], kind.sides[(last + 1) % 4]


def _different(drawn: float, ways: float) -> float:
    """How many different ones are among so many drawn at random, each in one of so many ways."""
    if not 0 < ways < inf or drawn <= 0:
        return 0.0
    return ways * -expm1(-drawn / ways)


def _rows_of(types: Iterable[tuple[int, int]]) -> list[int]:
    """In how many ways 0, 1, ... things can be laid in a row: so many of each type, each in so many orientations."""
    types = list(types)
    return _spread([[turns**i for i in range(number + 1)] for number, turns in types], sum(n for n, _ in types))


def _spread(ways: Iterable[Sequence[int]], most: int) -> list[int]:
    """In how many ways 0, 1, ..., `most` places can be shared out, if a taker can take i places in ``way[i]`` ways."""
    total = [1] + [0] * most
    for way in ways:
        total = [
            sum(comb(n, i) * way[i] * total[n - i] for i in range(min(n, len(way) - 1) + 1)) for n in range(most + 1)
        ]
    return total


def _ratios(parts: Sequence[int], wholes: Sequence[int]) -> list[float]:
    return [part / whole for part, whole in zip(parts, wholes, strict=True)]
