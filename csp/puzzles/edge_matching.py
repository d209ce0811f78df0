"""Edge-matching puzzles: square pieces whose facing sides must match."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, overload

from ..base.errors import PuzzleError, plural, shortened
from ..base.notebook import InNotebook
from ..base.tables import data_frame
from .board import (
    BORDER,
    MAX_COLOR,
    PIECE_CLASSES,
    SIDE_NAMES,
    TURNED_OVER,
    Arrangement,
    Board,
    Join,
    Move,
    Placement,
    border_class,
    border_mask_of,
    turned,
)

if TYPE_CHECKING:
    from pandas import DataFrame

Sides = tuple[int, int, int, int]
#: The rim of a board whose outer sides may show anything.
ANY = "any"
#: By whether a piece may be turned and turned over: its rotations.
ROTATIONS = {
    (True, False): (0, 1, 2, 3),
    (False, False): (0,),
    (True, True): tuple(range(8)),
    (False, True): (0, TURNED_OVER),
}


class Rule(Enum):
    """Which side may face which."""

    EQUAL = "edge-matching"
    OPPOSITE = "jigsaw"

    def mate(self, side: int) -> int:
        """The side that fits onto `side`: the same colour, or the opposite connector."""
        return side if self is Rule.EQUAL else -side


class Fixed(NamedTuple):
    """A piece (0-based) that must lie on a given square in a given rotation."""

    square: int
    piece: int
    rotation: int


@dataclass(frozen=True, repr=False)
class EdgeMatchingPuzzle(InNotebook):
    """A board, pieces, the rule by which facing sides match, and pieces that are fixed.

    Parameters
    ----------
    rows, columns
        The size of the board.
    pieces
        The four sides of each piece: up, right, down, left.  0 is the border (a straight side of a jigsaw piece); it
        lies on the border of the board and nowhere else.  Colours are positive; connectors have a sign; none exceeds
        2^31 - 1.  There may be more pieces than squares.  Lists and arrays become tuples.
    rule
        What matches: equal colours, or opposite connectors; or the value, ``"edge-matching"`` or ``"jigsaw"``.
    fixed
        Pieces with their squares and rotations.
    name, source, known
        The name of the puzzle, the origin of the pieces, and known results (``{"count": 160}``).
    assemblies
        Full boards that the pieces were made to allow, for jigsaws.  Pairs of numbers become placements.
    rim
        What the sides on the border of the board show: 0; a colour (or connector) that may also occur inside; or
        ``"any"``.  None means 0, or ``"any"`` if no side is 0.  With a rim other than 0, the colour 0 is one as any
        other, and gets another number; a straight side of a jigsaw fits nothing, so that it lies on the border.
    turn, flip
        Whether the pieces may be turned, and turned over: for all of them, or one value for each.
    squares
        The shape of the board as rows of ``#`` (a square) and ``.`` (none); a side at a gap is on the border.
    wrap
        Which ends of the board meet: ``"none"``, ``"columns"`` (the last column and the first), or ``"both"``.
    mates
        The colours that fit onto other colours, as a mapping or pairs; it works both ways.  A colour without a mate
        fits itself.
    color_names
        Words for colours in messages and files.

    Raises
    ------
    PuzzleError
        If the rule is unknown, there are too few pieces for the board, a side is too large or not allowed by the rule,
        a fixed piece contradicts the board or another one, an assembly is no board, or the board, its rim, the turns
        or the mates are not as above.
    TypeError
        If a side, `rows` or `columns` is not an integer.
    """

    rows: int
    columns: int
    pieces: tuple[Sides, ...]
    rule: Rule = Rule.EQUAL
    fixed: tuple[Fixed, ...] = ()
    name: str = "puzzle"
    source: str = field(default="", compare=False)
    known: Mapping[str, object] = field(default_factory=dict, compare=False)
    assemblies: tuple[Arrangement, ...] = field(default=(), compare=False)
    rim: int | str | None = None
    turn: bool | tuple[bool, ...] = True
    flip: bool | tuple[bool, ...] = False
    squares: tuple[str, ...] = ()
    wrap: str = "none"
    mates: tuple[tuple[int, int], ...] | Mapping[int, int] = ()
    color_names: Mapping[int, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "rule", Rule(self.rule))
        except ValueError:
            kinds = " or ".join(rule.value for rule in Rule)
            raise PuzzleError(f"unknown rule {shortened(repr(self.rule))}; choose {kinds}") from None
        object.__setattr__(self, "rows", index(self.rows))
        object.__setattr__(self, "columns", index(self.columns))
        object.__setattr__(self, "pieces", tuple(tuple(map(index, sides)) for sides in self.pieces))
        object.__setattr__(self, "fixed", tuple(Fixed(*map(index, place)) for place in self.fixed))
        self._set_form()
        if len(self.pieces) < len(self.board):
            squares = f"the {len(self.board)} squares of a {self.board.text}"
            raise PuzzleError(f"pieces: {len(self.pieces)} are too few for {squares}")
        for number, sides in enumerate(self.pieces, start=1):
            if len(sides) != 4:
                raise PuzzleError(f"piece {number}: {len(sides)} sides instead of 4")
            if min(sides) < -MAX_COLOR or max(sides) > MAX_COLOR:
                raise PuzzleError(f"piece {number}: a side is not between -{MAX_COLOR} and {MAX_COLOR}")
            if self.rule is Rule.EQUAL and min(sides) < 0:
                raise PuzzleError(f"piece {number}: colour {min(sides)} is negative; colours are 0 (border), 1, 2, ...")
            if BORDER in sides and self.rim not in (BORDER, ANY):
                raise PuzzleError(f"piece {number}: side 0 fits nothing, because the rim has the colour {self.rim}")
        self._check_fixed()
        try:
            assemblies = tuple(exact_board(self, assembly) for assembly in self.assemblies)
        except PuzzleError as error:
            raise PuzzleError(f"assemblies: {error}") from None
        object.__setattr__(self, "assemblies", assemblies)

    def _set_form(self) -> None:
        """Check and normalise what makes a puzzle other than a framed rectangle with turning pieces."""
        object.__setattr__(self, "squares", tuple(self.squares or ()))
        object.__setattr__(self, "squares", self.board.shape)
        if self.rim is None:
            object.__setattr__(self, "rim", BORDER if any(BORDER in sides for sides in self.pieces) else ANY)
        if self.rim != ANY and (isinstance(self.rim, bool) or not isinstance(self.rim, int)):
            raise PuzzleError(f"rim: {shortened(repr(self.rim))} is neither a colour nor {ANY!r}")
        object.__setattr__(self, "mates", tuple(self.mates.items() if isinstance(self.mates, Mapping) else self.mates))
        if self.rim != BORDER and self.rule is Rule.EQUAL:
            self._make_zero_a_color()
        for name in ("turn", "flip"):
            given = getattr(self, name)
            values = tuple(map(bool, given)) if isinstance(given, Iterable) else (bool(given),)
            if isinstance(given, Iterable) and len(values) != len(self.pieces):
                raise PuzzleError(f"{name}: {len(values)} values for {len(self.pieces)} pieces")
            object.__setattr__(self, name, values if len({*values}) > 1 else values[0])
        of: dict[int, int] = {}
        pairs: Any = self.mates
        for one, other in pairs:
            if BORDER in (one, other) or self.rule is not Rule.EQUAL:
                what = "connectors have no other mates" if self.rule is not Rule.EQUAL else "0 is the border"
                raise PuzzleError(f"mates: {one} and {other}: {what}")
            if of.setdefault(one, other) != other or of.setdefault(other, one) != one:
                raise PuzzleError(f"mates: a colour fits one other, but {one} or {other} has two")
        object.__setattr__(self, "mates", tuple(sorted({(min(pair), max(pair)) for pair in of.items()})))

    def _make_zero_a_color(self) -> None:
        """Give a colour 0 another number: without a frame it is a colour as any other, such as a digit of TetraVex."""
        pairs: Any = self.mates
        colors = {side for sides in (*self.pieces, *pairs) for side in sides}
        if BORDER not in colors:
            return
        new = {BORDER: max([*colors, self.rim] if isinstance(self.rim, int) else colors) + 1}
        pieces = tuple(tuple(new.get(side, side) for side in sides) for sides in self.pieces)
        object.__setattr__(self, "pieces", pieces)
        object.__setattr__(self, "mates", tuple(tuple(new.get(side, side) for side in pair) for pair in pairs))
        object.__setattr__(self, "color_names", {**self.color_names, new[BORDER]: str(BORDER)})

    def _check_fixed(self) -> None:
        squares: set[int] = set()
        pieces: set[int] = set()
        for square, piece, rotation in self.fixed:
            if not 0 <= square < len(self.board):
                raise PuzzleError(f"fixed: square number {square} is not on the {self.board.text}")
            name = self.board.name(square)
            if not 0 <= piece < len(self.pieces):
                raise PuzzleError(
                    f"fixed on {name}: there is no piece {piece + 1}; pieces are numbered 1 to {len(self.pieces)}"
                )
            if rotation not in self.rotations(piece):
                several = " or ".join(", ".join(map(str, self.rotations(piece))).rsplit(", ", 1))
                raise PuzzleError(f"fixed on {name}: rotation {rotation} is not {several}")
            if square in squares:
                raise PuzzleError(f"fixed: two pieces on {name}")
            if piece in pieces:
                raise PuzzleError(f"fixed: piece {piece + 1} is on two squares, one of them {name}")
            squares.add(square)
            pieces.add(piece)
            shown = self.shown(Placement(piece, rotation))
            borders = self.board.border_mask(square)
            for side in range(4):
                on_border = bool(borders >> side & 1)
                if not self.side_fits(shown[side], on_border=on_border):
                    must = "a border side" if self.rim == BORDER else f"side {self.rim}"
                    what = f"must be {must} there" if on_border else "is a border side, but is not on the border"
                    raise PuzzleError(f"fixed on {name}: side {SIDE_NAMES[side]} of piece {piece + 1} {what}")

    def in_words(self) -> str:
        return f"{self.name}: {self.kind} puzzle, {self.rows}x{self.columns}, {plural(len(self.pieces), 'piece')}"

    @property
    def kind(self) -> str:
        """``edge-matching`` or ``jigsaw``."""
        return self.rule.value

    @cached_property
    def board(self) -> Board:
        return Board(self.rows, self.columns, self.squares, self.wrap)

    @cached_property
    def is_classic(self) -> bool:
        """Whether it is a full rectangle whose border shows 0, with pieces that turn and do not flip, without mates."""
        return self.rim == BORDER and self.board.is_plain and self.turn is True and not self.flip and not self.mates

    @property
    def forms(self) -> dict[str, str]:
        """What makes it other than classic: for each of those parameters, words."""
        rim = self.color_name(self.rim) if isinstance(self.rim, int) else self.rim
        named = {
            "squares": ("gaps in the board", self.squares),
            "wrap": (f"ends that meet (wrap {self.wrap})", self.wrap != "none"),
            "rim": (f"rim {rim}", not self.is_framed),
            "turn": ("pieces that do not turn", self.turn is not True),
            "flip": ("pieces that may be turned over", self.flip),
            "mates": ("mates", self.mates),
        }
        return {name: words for name, (words, has) in named.items() if has}

    @property
    def form(self) -> str:
        """What makes it other than classic, in words; empty if nothing does."""
        return ", ".join(self.forms.values())

    @property
    def classic_only(self) -> str:
        """The end of a refusal by what is for classic puzzles only; empty if it is one."""
        return "" if self.is_classic else f"for framed rectangles whose pieces turn, but this puzzle has {self.form}"

    @property
    def is_framed(self) -> bool:
        """Whether the border shows 0, so that pieces with a 0 are its frame."""
        return self.rim == BORDER

    def rotations(self, piece: int) -> tuple[int, ...]:
        """The rotations in which a piece (0-based) may lie."""
        turn = self.turn if isinstance(self.turn, bool) else self.turn[piece]
        return ROTATIONS[turn, self.flip if isinstance(self.flip, bool) else self.flip[piece]]

    def looks(self, piece: int) -> dict[Sides, int]:
        """What a piece can show, and the least rotation for each."""
        found: dict[Sides, int] = {}
        for rotation in self.rotations(piece):
            found.setdefault(self.shown(Placement(piece, rotation)), rotation)
        return found

    def side_fits(self, side: int, *, on_border: bool) -> bool:
        """Whether a side may lie on the border of the board, or inside it."""
        if not on_border:
            return side != BORDER
        return self.rim in (ANY, side)

    @property
    def moved(self) -> str:
        """What the symmetries of the board make of a solution, in words."""
        flips = any(self.flip) if isinstance(self.flip, tuple) else self.flip
        ways = [*(["turned"] if self.turn else []), *(["turned-over"] if flips else [])]
        return f"{' and '.join([*ways, *(['shifted'] if self.wrap != 'none' else [])]) or 'moved'} boards"

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The symmetries of the board that carry solutions to solutions, the identity first.

        Fixed pieces allow no other.  A turn or a reflection is one if every piece may be turned or turned over so.
        """
        if self.fixed:
            return (Move(0, tuple(range(len(self.board)))),)
        alike = isinstance(self.turn, bool) and isinstance(self.flip, bool)
        pieces = range(1 if alike else len(self.pieces))
        every = {*range(8)}.intersection(*{self.rotations(piece) for piece in pieces})
        return tuple(move for rotation in sorted(every) for move in self.board.moves(rotation))

    @cached_property
    def fixed_board(self) -> Arrangement:
        """The board with the fixed pieces and no others."""
        at = {square: Placement(piece, rotation) for square, piece, rotation in self.fixed}
        return tuple(map(at.get, range(len(self.board))))

    @cached_property
    def free_squares(self) -> tuple[int, ...]:
        """The squares without a fixed piece, from the top left."""
        return tuple(square for square, placed in enumerate(self.fixed_board) if placed is None)

    def mate(self, side: int) -> int:
        """The side that fits onto `side`."""
        return self._mates.get(side, side) if self._mates else self.rule.mate(side)

    @cached_property
    def _mates(self) -> dict[int, int]:
        given = dict(self.mates)
        return given | {other: one for one, other in given.items()}

    def color_name(self, color: int) -> str:
        """What files and messages call a colour."""
        return self.color_names.get(color, str(color))

    def shown(self, placement: Placement) -> Sides:
        """The sides of a placed piece in its rotation."""
        up, right, down, left = turned(self.pieces[placement.piece], placement.rotation)
        return up, right, down, left

    @cached_property
    def piece_classes(self) -> tuple[str, ...]:
        """The class of each piece: corner, edge, inner, or (for narrow boards) strip, end, single.

        Without a frame all are inner pieces.
        """
        return tuple(piece_class(sides) if self.is_framed else "inner" for sides in self.pieces)

    def square_class(self, square: int) -> str:
        """The class of the pieces that can lie on a square."""
        return self.board.square_class(square) if self.is_framed else "inner"

    def is_frame_join(self, join: Join) -> bool:
        """Whether a join runs along the frame, if there is one."""
        return self.is_framed and self.board.is_frame_join(join)

    def class_sizes(self) -> dict[str, tuple[int, int]]:
        """For each class that occurs: how many pieces, how many squares."""
        pieces = Counter(self.piece_classes)
        squares = Counter(map(self.square_class, range(len(self.board))))
        return {name: (pieces[name], squares[name]) for name in PIECE_CLASSES if pieces[name] or squares[name]}

    def frame_sides(self) -> Counter[int]:
        """How often each colour occurs next to a border side; those sides meet along the frame."""
        return Counter(self._sides(beside_border=True))

    def inner_sides(self) -> Counter[int]:
        """How often each colour occurs elsewhere; a colour may be both a frame colour and an inner colour."""
        return Counter(self._sides(beside_border=False))

    def _sides(self, *, beside_border: bool) -> Iterable[int]:
        for sides in self.pieces:
            for side, color in enumerate(sides):
                beside = self.is_framed and BORDER in (sides[(side + 1) % 4], sides[(side + 3) % 4])
                if color != BORDER and beside == beside_border:
                    yield color

    @property
    def max_score(self) -> int:
        """The number of joins on the board."""
        return self.board.join_count

    def score(self, arrangement: Sequence[Placement | None]) -> int:
        """The number of valid joins between the pieces of an arrangement (partial or full)."""
        shown = [None if placement is None else self.shown(placement) for placement in arrangement]
        score = 0
        for first, side, second in self.board.joins():
            here, there = shown[first], shown[second]
            if here is not None and there is not None and here[side] == self.mate(there[(side + 2) % 4]):
                score += here[side] != BORDER
        return score

    def upright(self) -> "EdgeMatchingPuzzle":
        """The same puzzle on a board that is not wider than high: if necessary, turned clockwise by a quarter."""
        if self.columns <= self.rows or not self.is_classic:
            return self
        fixed = tuple(
            Fixed(self.board.turned_square(square, 1), piece, (rotation + 1) % 4)
            for square, piece, rotation in self.fixed
        )
        return replace(self, rows=self.columns, columns=self.rows, fixed=fixed, assemblies=())

    def pieces_only(self) -> "EdgeMatchingPuzzle":
        """The same puzzle without fixed pieces and assemblies."""
        return replace(self, fixed=(), assemblies=())

    def with_fixed(
        self, arrangement: Sequence[Placement | None] | Mapping[str, Any], order: Sequence[int] | None = None
    ) -> "EdgeMatchingPuzzle":
        """The same puzzle with the pieces of a partial board fixed, after those that are already fixed.

        The board may be a mapping of names to pieces, as `board_by_names` takes it.

        They follow the given order (of all squares), so that slips count for them as for the search that placed them;
        from the top left if it is left out.  Raises PuzzleError if the partial board is of another size or contradicts
        the fixed pieces.
        """
        if isinstance(arrangement, Mapping):
            arrangement = board_by_names(self, arrangement)
        if len(arrangement) != len(self.board):
            raise PuzzleError(f"the partial board has {len(arrangement)} squares, but the board has {len(self.board)}")
        known = {fixed.square: fixed for fixed in self.fixed}
        added = []
        for square in range(len(self.board)) if order is None else order:
            placement = arrangement[square]
            if placement is None:
                continue
            wanted = Fixed(square, *placement)
            if known.get(square, wanted) != wanted:
                name = self.board.name(square)
                raise PuzzleError(f"the partial board and the puzzle's fixed pieces differ on {name}")
            if square not in known:
                added.append(wanted)
        return replace(self, fixed=(*self.fixed, *added))


class PuzzleBoard(InNotebook, tuple[Placement | None, ...]):
    """A board, full or partial, with a reference to its puzzle; otherwise it behaves as the tuple of its squares.

    A square may also be given by its name: ``board["A1"]``.

    Parameters
    ----------
    squares
        The placement on each square, row by row from the top left; None for an empty square.
    puzzle
        The puzzle whose board it is; pieces are numbered as there.

    Attributes
    ----------
    puzzle
        That puzzle.

    Examples
    --------
    >>> puzzle = EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0)))
    >>> squares = Placement(0, 0), Placement(1, 2)
    >>> board = PuzzleBoard(squares, puzzle)
    >>> board == squares, board[1], board["A2"].number, board.puzzle.columns
    (True, Placement(piece=1, rotation=2), 2, 2)
    """

    puzzle: EdgeMatchingPuzzle

    def __new__(cls, squares: Iterable[Placement | None], puzzle: EdgeMatchingPuzzle) -> "PuzzleBoard":
        board = super().__new__(cls, squares)
        board.puzzle = puzzle
        return board

    @overload
    def __getitem__(self, square: SupportsIndex | str) -> Placement | None: ...
    @overload
    def __getitem__(self, square: slice) -> Arrangement: ...
    def __getitem__(self, square: Any) -> Any:
        return super().__getitem__(self.puzzle.board.index(square))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.puzzle

    def in_words(self) -> str:
        return f"board of {self.puzzle.name}, {filled_fact(self.puzzle, len(self) - self.count(None))}"

    def rows(self) -> Iterator[dict[str, Any]]:
        """The name of each filled square with the number of its piece, from 1, and the rotation."""
        for square, placed in enumerate(self):
            if placed is not None:
                name = self.puzzle.board.name(square)
                yield {"square": name, "piece": placed.number, "rotation": placed.rotation}

    def to_pandas(self) -> "DataFrame":
        """The filled squares as a table of pandas: `square`, `piece` (from 1) and `rotation`.

        Raises JigsatError if pandas is not installed.
        """
        return data_frame(self.rows(), ("square", "piece", "rotation"))


def filled_fact(puzzle: EdgeMatchingPuzzle, placed: int) -> str:
    """How much of a board is filled, in squares if there are spare pieces."""
    number = len(puzzle.board)
    if len(puzzle.pieces) == number:
        return f"{placed} of {plural(number, 'piece', str)}"
    return f"{placed} of {plural(number, 'square', str)} filled"


def board_of(puzzle: EdgeMatchingPuzzle, squares: Iterable[Placement | None]) -> PuzzleBoard:
    """A board with a reference to its puzzle; one that has it already is returned unchanged."""
    if isinstance(squares, PuzzleBoard) and squares.puzzle is puzzle:
        return squares
    return PuzzleBoard(squares, puzzle)


def board_by_names(puzzle: EdgeMatchingPuzzle, named: Mapping[str, Any]) -> Arrangement:
    """A partial board from a mapping of the names of squares to pieces, such as ``{"A1": 6, "B2": (17, 3)}``.

    Each piece has its number from 1, as in files and output, and a rotation unless it is 0.  Raises PuzzleError if a
    square is not on the board, or its piece is no such number.
    """
    board: list[Placement | None] = [None] * len(puzzle.board)
    for name, placed in named.items():
        try:
            piece, rotation = map(index, placed if isinstance(placed, Iterable) else (placed, 0))
        except (TypeError, ValueError):
            why = "is not the number of a piece, or a pair of it and a rotation, such as (6, 1)"
            raise PuzzleError(f"{name}: {shortened(repr(placed))} {why}") from None
        if not 0 < piece <= len(puzzle.pieces):
            raise PuzzleError(f"{name}: there is no piece {piece}; pieces are numbered 1 to {len(puzzle.pieces)}")
        board[puzzle.board.parse(name)] = Placement(piece - 1, rotation)
    return tuple(board)


def exact_board(puzzle: EdgeMatchingPuzzle, squares: Any) -> Arrangement:
    """A board from any sequence of pairs of whole numbers, or None; it is not checked further.

    Raises PuzzleError if it is something else, or has not one entry for each square.
    """
    if not hasattr(squares, "__len__"):
        raise PuzzleError(f"{shortened(repr(squares))} is not a board")
    if len(squares) != len(puzzle.board):
        raise PuzzleError(f"a board has {len(puzzle.board)} squares, not {len(squares)}")
    if isinstance(squares, PuzzleBoard):
        return squares
    found: list[Placement | None] = []
    for placed in squares:
        try:
            found.append(None if placed is None else Placement(*map(index, placed)))
        except (TypeError, ValueError):
            why = "is not the number of a piece and a rotation, such as (0, 1)"
            raise PuzzleError(f"{shortened(repr(placed))} {why}") from None
    return tuple(found)


def piece_class(sides: Sequence[int]) -> str:
    """The class of a piece, determined by its border sides."""
    return border_class(border_mask_of(sides))
