"""Jigsaws whose pieces make two assemblies on boards of different sizes: n x n, and (n - 1) x (n + 1).

Both boards have the same perimeter, so all pieces of the frame are used twice; one inner piece is left over on the
second board.  The joins of both boards determine which sides must have the same connector.  The graph of both has
alternating cycles, and two paths between the sides of the piece that is left over.

In annealing that piece lies on a *spare slot*, where its sides face each other in pairs, as if they were joined: so the
two matchings are perfect, as those of two assemblies of one board.  From 8x8 on a `StairForm` needs no annealing.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, product
from operator import index
from typing import Any

import numpy as np

from ..base.errors import PuzzleError, UsageError, refuse_name, shortened
from ..base.seeded_random import Chance, refuse_seed
from ..base.stop import StoppedError, never
from ..puzzles.board import Arrangement, Board, Placement, checked_board
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.jigsaw_algebra import Integers, classes_of, jigsaw_of, mating, original, uses
from .annealing import MOST_SQUARES, STEPS_PER_JOIN, Annealing, Element, Numbers, cool, inner_mates, peers_by_class
from .consistent_domains import count_by_domains
from .mixed_form import CORNER, FLAT, ONE_ODD, MixedForm

# Smaller boards, and those with a smaller use, are annealed from random scrambles; the others have a form.
LEAST_FORM, _USE_OF_FORM, _SLICE = 7, 4, 16_384


def parsed_boards(boards: str | Iterable[str]) -> tuple[Board, Board]:
    """Two boards from text, such as ``10x10,9x11``; raises UsageError if it is something else."""
    texts = boards.split(",") if isinstance(boards, str) else list(boards)
    sizes = [re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", text.strip()) for text in texts]
    if len(sizes) != 2 or None in sizes:
        raise UsageError(f"{shortened(','.join(texts))!r} is not two boards; write them as 10x10,9x11", "boards")
    first, second = (checked_board(int(size[1]), int(size[2])) for size in sizes if size)
    return first, second


@dataclass(frozen=True)
class BoardsJigsaw:
    """A jigsaw with one solution on each of two boards."""

    first: EdgeMatchingPuzzle  #: All pieces and the first board, with its solution as the assembly
    second: EdgeMatchingPuzzle  #: All pieces and the second board, with its solution as the assembly
    spare: int  #: The piece (0-based) that is left over on the second board
    tried: int = 1  #: The number of jigsaws whose solutions were counted

    def __repr__(self) -> str:
        name = self.first.name.removeprefix("jigsaw ")
        return f"<BoardsJigsaw {name}: {len(self.first.pieces)} pieces, piece {self.spare + 1} is left over>"

    @property
    def puzzles(self) -> tuple[EdgeMatchingPuzzle, EdgeMatchingPuzzle]:
        """The puzzles of both boards."""
        return self.first, self.second

    @cached_property
    def uses(self) -> Counter[int]:
        """The number of joins of each connector on the first board."""
        return uses(self.first)

    @property
    def text(self) -> str:
        """What it is, in a line."""
        sizes = [f"{puzzle.rows}x{puzzle.columns}" for puzzle in self.puzzles]
        numbers = ", ".join(f"{number} on {joins}" for joins, number in sorted(Counter(self.uses.values()).items()))
        return (
            f"{len(self.first.pieces)} pieces, exactly 1 solution on {sizes[0]} and on {sizes[1]}, where piece "
            f"{self.spare + 1} is left over; {len(self.uses)} connectors ({numbers} joins)"
        )

    def record(self) -> dict[str, Any]:
        """The same for scripts."""
        return {
            "instance": self.first.name,
            "boards": [[puzzle.rows, puzzle.columns] for puzzle in self.puzzles],
            "canonical_counts": [1, 1],
            "spare_piece": self.spare + 1,
            "connectors": len(self.uses),
            "max_use": max(self.uses.values()),
            "tried": self.tried,
        }


@dataclass(frozen=True)
class BoardsWishes:
    """The requirements.  Raises UsageError if there is no such jigsaw, or none can be made."""

    first: Board
    second: Board
    max_use: int | None = None  #: The largest number of joins of a connector; None for the least that is found in time
    seed: int = 0
    name: str | None = None

    def __post_init__(self) -> None:
        refuse_seed(index(self.seed))
        refuse_name(self.name)
        n = self.first.rows
        if (self.first.columns, self.second.rows, self.second.columns) != (n, n - 1, n + 1):
            raise UsageError(
                f"{self.text}: the boards must be n x n and (n - 1) x (n + 1), such as 10x10,9x11: then they have the "
                "same perimeter, and one piece is left over",
                "boards",
            )
        if not n >= 4 or n * n > MOST_SQUARES:
            raise UsageError(f"{self.text}: the first board must be between 4x4 and 32x32", "boards")
        least = 3 if n <= 5 else 2
        if self.use < least:
            why = "with fewer a complete search finds no such jigsaw" if n <= 5 else "no join may be on both boards"
            raise UsageError(f"must be {least} or more for {self.text}, not {self.use}: {why}", "max_use")

    @property
    def text(self) -> str:
        """The boards, as the command line has them."""
        return ",".join(f"{board.rows}x{board.columns}" for board in (self.first, self.second))

    @property
    def use(self) -> int:
        """The largest number of joins of a connector."""
        return self.max_use if self.max_use is not None else 3 if self.first.rows < 6 else 4

    @property
    def title(self) -> str:
        """The name of the jigsaw."""
        sizes = self.text.replace(",", " and ")
        return self.name or f"jigsaw of two boards, {sizes}, max use {self.use}, seed {self.seed}"

    @property
    def command(self) -> str:
        """The command that makes the jigsaw."""
        return f"jigsat make jigsaw --boards {self.text} --max-use {self.use} --seed {self.seed}"


@dataclass(frozen=True)
class BoardsScramble:
    """The requirements on a scramble from a board to another one, as `annealing.Wish` has those of one board.

    `slots` has for each square of the first board a square of the second one with as many straight sides, the slot of
    its number; the spare slot has the number after the last square.
    """

    board: Board
    other: Board
    slots: tuple[int, ...]
    max_use: int
    no_stay: bool = False

    def tables(self) -> tuple[Numbers, ...]:
        """The kernel's data, see `Wish.tables`."""
        size, squares = 4 * len(self.board), len(self.other)
        there = [int(x) if x < 4 * squares else size for x in inner_mates(self.other)]
        there += [x ^ 1 for x in range(4 * squares, size)]
        number = {square: slot for slot, square in enumerate(self.slots)}
        facing = [
            size if (x := there[4 * square + side]) == size else 4 * number[x // 4] + x % 4
            for square, side in product(self.slots, range(4))
        ]
        classes = [self.board.square_class(square) for square in range(size // 4)]
        place, peers, limits = (np.array(each, np.uint64) for each in (*peers_by_class(classes), [self.max_use, 0]))
        unwanted = np.zeros((size // 4) ** 2, np.uint64)
        return inner_mates(self.board), np.array(facing, np.uint64), place, peers, unwanted, limits

    def group(self, generators: tuple[str, ...]) -> tuple[Element, ...]:
        """The identity, and if there are generators the half turn of both boards: it keeps the spare slot, so that the
        piece in the middle of the first board is left over."""
        squares = len(self.board)
        identity = tuple(range(4 * squares))
        elements = (Element(False, identity, identity),)
        if not generators:
            return elements
        # The spare slot has the number after the last square.
        images = [*reversed(range(len(self.other))), len(self.other)]
        number = {square: slot for slot, square in enumerate(self.slots)}
        first = tuple(4 * (squares - 1 - x // 4) + (x + 2) % 4 for x in identity)
        second = tuple(4 * number[images[self.slots[x // 4]]] + (x + 2) % 4 for x in identity)
        return *elements, Element(False, first, second)


def search_boards(
    wishes: BoardsWishes,
    *,
    must_stop: Callable[[], bool] = never,
    report: Callable[[str], None] = lambda _: None,
) -> BoardsJigsaw | None:
    """Search for a jigsaw with one solution on each board, up to turns of the board; None if `must_stop` ended it."""
    chance, tried = Chance(wishes.seed), 0
    for attempt in count(1):
        lies = _annealed(wishes, chance, must_stop)
        if must_stop():
            return None
        if lies is None:
            report(f"{attempt} scrambles annealed, {tried} jigsaws counted")
            continue
        tried += 1
        report(f"counting the solutions of jigsaw {tried}")
        try:
            made = made_of(wishes, lies, must_stop)
        except StoppedError:
            return None
        if made is not None:
            return replace(made, tried=tried)
    raise AssertionError


def _annealed(wishes: BoardsWishes, chance: Chance, must_stop: Callable[[], bool]) -> dict[int, tuple[int, int]] | None:
    """For each piece its square on the second board, and its turns; None if the annealing failed."""
    n, board = wishes.first.rows, wishes.first
    steps, symmetry = 2 * STEPS_PER_JOIN * board.join_count, ()
    if n < LEAST_FORM or wishes.use < _USE_OF_FORM:
        start = None
        slots = slots_by_class(board, wishes.second)
        if n % 2 and n >= LEAST_FORM:
            steps, symmetry = 10 * steps, ("half turn",)
    else:
        form = StairForm(n, chance)
        while not form.choose_kinds():
            if must_stop():
                return None
            form = StairForm(n, chance)
        moves = form.moves()
        slots = tuple(moves[piece][0] for piece in range(len(board)))
        start = tuple(Placement(piece, moves[piece][1]) for piece in range(len(board)))
        # In some forms pieces are equal: in all of 7x7, which are annealed.  Others are faster drawn again.
        steps = steps if n == LEAST_FORM else 0
    run = Annealing(BoardsScramble(board, wishes.second, slots, wishes.use), chance.below(2**53), symmetry, start)
    found = cool(run, steps, _SLICE, must_stop, lambda _: None)
    if found.energy:
        return None
    placed = enumerate(found.arrangement)
    return {each.piece: (slots[slot], each.rotation) for slot, each in placed if each is not None}


def slots_by_class(board: Board, other: Board) -> tuple[int, ...]:
    """The slots of a `BoardsScramble`: squares with as many straight sides, in the order of their numbers."""
    squares = {
        name: [q for q in range(len(other)) if other.square_class(q) == name] for name in ("corner", "edge", "inner")
    }
    squares["inner"] += range(len(other), len(board))
    left = {name: iter(of) for name, of in squares.items()}
    return tuple(next(left[board.square_class(square)]) for square in range(len(board)))


def made_of(
    wishes: BoardsWishes, lies: dict[int, tuple[int, int]], must_stop: Callable[[], bool], source: str | None = None
) -> BoardsJigsaw | None:
    """The jigsaw of a scramble; None if it has more than one solution on a board."""
    at = {square: Placement(piece, turns) for piece, (square, turns) in lies.items()}
    second = tuple(at[square] for square in range(len(wishes.second)))
    spare = at[len(wishes.second)].piece
    connectors = connectors_of(wishes.first, wishes.second, second)
    name, source, n = wishes.title, source or wishes.command, wishes.first.rows
    one = jigsaw_of(n, n, connectors, name, source, (original(wishes.first),))
    if [len(found) for found in solutions_of(one, 2, must_stop)] != [1]:
        return None
    other = EdgeMatchingPuzzle(
        n - 1, n + 1, one.pieces, one.rule, name=f"{name}, board 2"[:200], source=source, assemblies=(second,)
    )
    if sum(len(found) for found in solutions_of(other, 2, must_stop)) != 1:
        return None
    known = [{"count": board.turns(), "canonical_count": 1} for board in (wishes.first, wishes.second)]
    return BoardsJigsaw(replace(one, known=known[0]), replace(other, known=known[1]), spare)


def connectors_of(board: Board, other: Board, second: Arrangement) -> Integers:
    """The connector of each dart, if piece p is on square p of a board, and a second board has this arrangement.

    All darts of a cycle or path of joins get the same connector, with signs in turn; there are as many connectors as
    possible.
    """
    # What faces what on the second board is known of its pieces alone, numbered without the piece that is left over.
    laid = sorted(placed.piece for placed in second if placed is not None)
    numbered = (placed and Placement(laid.index(placed.piece), placed.rotation) for placed in second)
    darts = (4 * np.array(laid)[:, None] + np.arange(4)).ravel()
    there = mating(other, tuple(numbered))
    mate = np.full(4 * len(board), -1)
    mate[darts] = np.where(there < 0, -1, darts[there])
    classes = classes_of([mating(board, original(board)), mate])
    if classes.self_mating:
        raise PuzzleError("a connector would have to mate with itself")
    return classes.connector


def can_be_left(puzzle: EdgeMatchingPuzzle) -> Iterator[int]:
    """The pieces that may be the only one left over: the others must have as many sides of k as of -k."""
    total = Counter(side for sides in puzzle.pieces for side in sides)
    for piece, sides in enumerate(puzzle.pieces):
        rest = total - Counter(sides)
        if all(rest[side] == rest[-side] for side in rest if side):
            yield piece


def solutions_of(
    puzzle: EdgeMatchingPuzzle, most: int, must_stop: Callable[[], bool] = never
) -> Iterator[tuple[Arrangement, ...]]:
    """The solutions of a jigsaw, up to `most` for each piece that may be left over.

    Turns of the board do not count as different.  Raises PuzzleError if a count takes too long.
    """
    spares = len(puzzle.pieces) - len(puzzle.board)
    assert spares <= 1
    for left in can_be_left(puzzle) if spares else (None,):
        kept = [piece for piece in range(len(puzzle.pieces)) if piece != left]
        pieces = tuple(puzzle.pieces[piece] for piece in kept)
        if sum(0 in sides for sides in pieces) != 2 * (puzzle.rows + puzzle.columns - 2):
            continue
        found = count_by_domains(replace(puzzle, pieces=pieces, assemblies=()), most, must_stop)
        if found is None or found.ended_by == "nodes":
            yield ((),) * most
        else:
            yield tuple(
                tuple(None if one is None else Placement(kept[one.piece], one.rotation) for one in board)
                for board in found.solutions
            )


class StairForm(MixedForm):
    """A scramble of n x n onto (n - 1) x (n + 1) in which nearly all connectors are on two joins.

    Squares are (row, column), those of the second board in rows 1, ..., n - 1 and columns 0, ..., n.  Squares below the
    diagonal stay, those above it go one row down and one column to the right.  This map S commutes with the half turns
    of the boards, and is composed with a scramble of a board onto itself as in `mixed_form`: squares of odd row +
    column are calm and go to S or, with a half turn, to S of their image; others are exchanged in pairs.  On the
    diagonal the order is reversed.

    For odd n the corner at the top right is calm, too, so that it is not like its image.  In the two-by-two squares
    there, calm and busy ones are exchanged.  So two pairs of busy squares meet in the frame: there is a ghost between
    them, and four connectors are on three joins.
    """

    _climbs = True

    def __init__(self, n: int, chance: Chance) -> None:
        board = Board(n, n)
        self._n, self._board, self._chance, self._half = n, board, chance, len(board) // 2
        self._has_ghost, self._middle = True, 0
        busy = [square for square in range(self._half) if self._is_busy(square)]
        self._middle = busy[0]
        self._around = {square: self._neighbours(square, set(busy)) for square in busy}
        odd_one = n * (n // 2) + n // 2 - 1 if n % 2 else n * (n // 2 - 2) + n // 2 - 1
        beside = (square for square in range(self._half) if abs(square // n - square % n) == 1)
        self._kind = {square: int(square == odd_one) for square in beside}
        self._groups = list(self._draw_kinds({*busy, *range(0, self._half, n + 1)}))
        self._shape = {square: self._shape_of(square) for square in busy}

    def _is_busy(self, square: int) -> bool:
        row, column = divmod(square, self._n)
        if self._n % 2 and row < 2 and column >= self._n - 2:
            return (row + column) % 2 == 1
        return (row + column) % 2 == 0 and row != column

    def _faults(self, counts) -> int:
        flat = sum(counts[sides, FLAT] for sides in (2, 3, 4))
        odd = sum(counts[3, shape] % 2 for shape in ("first", "inside", "last"))
        return flat + odd + counts[4, ONE_ODD] % 2 + counts[4, CORNER] % 2

    def moves(self) -> dict[int, tuple[int, int]]:
        """For each piece its square of the second board, and its turns; the spare piece goes to the square after the
        last."""
        n = self._n
        to_of: dict[int, tuple[int, int]] = {}
        for square, (to, turns) in self._moves():
            for p, q in ((square, to), (len(self._board) - 1 - square, len(self._board) - 1 - to)):
                to_of[p] = (self._shifted(q), turns % 4)
        for i in range(2, n - 1):
            to_of[(n + 1) * i] = (self._at(n - i, n - i), 0)
        for i, to, turns in self._in_the_middle():
            to_of[(n + 1) * i] = (self._at(to, to), turns)
        to_of[n + 1] = ((n - 1) * (n + 1), 1)
        to_of[0], to_of[n] = (self._at(1, 0), 0), (self._at(n - 1, n - 1), 3)
        to_of[n * n - 1], to_of[n * n - 1 - n] = (self._at(n - 1, n), 0), (self._at(1, 1), 3)
        return to_of

    def _in_the_middle(self) -> tuple[tuple[int, int, int], ...]:
        """Where three pieces of the diagonal go, and their turns: the reversed order would leave one in its place."""
        m = self._n // 2
        if self._n % 2:
            return (m - 1, m + 1, 2), (m, m + 2, 0), (m + 1, m, 2)
        return (m - 1, m + 1, 2), (m, m - 1, 2), (m + 1, m, 0)

    def _at(self, row: int, column: int) -> int:
        return (row - 1) * (self._n + 1) + column

    def _shifted(self, square: int) -> int:
        row, column = divmod(square, self._n)
        return self._at(row + 1, column + 1) if column > row else self._at(row, column)
