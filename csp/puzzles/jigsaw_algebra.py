"""Jigsaws that can be assembled in more than one way: the connectors that their assemblies force, and their quality.

A scramble is an `Arrangement` of the pieces.  *Darts* are the sides of pieces: dart 4 p + s is side s (up, right, down,
left) of piece p.  The page *The algebra of jigsaws* of the documentation has the theory; the problem was posed by Matt
Parker in the video "How can a jigsaw have two distinct solutions?".
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ..base.errors import PuzzleError
from .board import BORDER, DOWN, LEFT, RIGHT, SIDE_NAMES, UP, Arrangement, Board, Placement
from .check_board import check
from .edge_matching import EdgeMatchingPuzzle, Rule
from .symmetry import symmetries

Integers = NDArray[np.int64]


def original(board: Board) -> Arrangement:
    """The arrangement with piece p unturned on square p."""
    return tuple(Placement(piece, 0) for piece in range(len(board)))


def mating(board: Board, arrangement: Arrangement) -> Integers:
    """For each dart the one that it faces in an arrangement of all pieces; -1 on the border.

    Raises PuzzleError if the arrangement has another size than the board, an empty square, or a piece on two squares.

    >>> mating(Board(1, 2), (Placement(1, 0), Placement(0, 1))).tolist()
    [-1, -1, 5, -1, -1, 2, -1, -1]
    """
    pieces, rotations = _placed(arrangement, board)
    # On each square, the side of the piece that each side shows.
    origins = (np.arange(4) - rotations[:, None]) % 4
    shown = (4 * pieces[:, None] + origins).reshape(board.rows, board.columns, 4)
    mate = np.full(4 * len(board), -1)
    for here, there in (
        (shown[:, :-1, RIGHT], shown[:, 1:, LEFT]),
        (shown[:-1, :, DOWN], shown[1:, :, UP]),
    ):
        mate[here] = there
        mate[there] = here
    return mate


def shared_joins_of_pairs(board: Board, arrangements: Sequence[Arrangement]) -> dict[tuple[int, int], int]:
    """The number of joins that two arrangements share, for each pair of them (by index)."""
    mates = [mating(board, arrangement) for arrangement in arrangements]
    return {
        (i, j): int(np.count_nonzero((mates[i] == mates[j]) & (mates[i] >= 0))) // 2
        for i, j in combinations(range(len(mates)), 2)
    }


def least_use(joins: int) -> int:
    """The number of joins that some connector of two assemblies without a common join reaches, with `joins` joins."""
    return 2 + joins % 2


def most_connectors(joins: int) -> int:
    """The number that connectors do not exceed if two assemblies of that number of joins share none of them.

    It is half the number of joins if that is even, and otherwise one less than the half rounded down (see the page
    *Exactly two assemblies*, theorem 3).

    >>> most_connectors(Board(5, 7).join_count), most_connectors(Board(5, 6).join_count)
    (29, 23)
    """
    return joins // 2 - joins % 2


@dataclass(frozen=True, eq=False)
class ConnectorClasses:
    """The darts that must have the same connector, so that several assemblies fit."""

    #: For each dart the number of its class with the sign that it needs; 0 on the border.  Classes are numbered
    #: from 1 in the order of their lowest darts, which are positive.
    connector: Integers
    #: For each class, from the first, its number of joins: the same in every assembly.
    uses: tuple[int, ...]
    #: The classes without consistent signs: their connector must mate with itself.  All their darts count as
    #: positive.
    self_mating: tuple[int, ...]


def connector_classes(board: Board, arrangements: Sequence[Arrangement]) -> ConnectorClasses:
    """The finest connectors of jigsaw pieces for which all given assemblies fit.

    Darts that face each other in any assembly have opposite connectors, so the classes are the components of the
    graph that these joins make.  The joins of two assemblies make even cycles (and single edges where they share a
    join), on which the signs alternate; three or more can make odd ones.

    Raises PuzzleError if there is no assembly, one does not hold all pieces, or a side is on the border in one and
    inside in another.
    """
    return classes_of(_matings(board, arrangements))


def classes_of(mates: Sequence[Integers]) -> ConnectorClasses:
    """The same, from what `mating` has for each assembly; in those after the first, sides may face nothing (-1)."""
    half_sides = np.flatnonzero(mates[0] >= 0)
    graph: nx.Graph = nx.Graph()
    for mate in mates:
        once = half_sides[half_sides < mate[half_sides]]
        graph.add_edges_from(zip(once.tolist(), mate[once].tolist(), strict=True))
    connector = np.zeros(len(mates[0]), np.int64)
    number = 0
    for half_side in half_sides.tolist():
        if connector[half_side] == 0:
            number += 1
            distances = nx.single_source_shortest_path_length(graph, half_side)
            odd = np.fromiter(distances.values(), np.int64) % 2
            connector[np.fromiter(distances, np.int64)] = number * (1 - 2 * odd)
    # Along an odd cycle two neighbours have the same sign, wherever the signs start.
    facing = [half_sides[mate[half_sides] >= 0] for mate in mates]
    clashing = np.concatenate(
        [these[connector[these] == connector[mate[these]]] for these, mate in zip(facing, mates, strict=True)]
    )
    self_mating = np.unique(np.abs(connector[clashing]))
    connector = np.where(np.isin(-connector, self_mating), -connector, connector)
    uses = np.bincount(np.abs(connector), minlength=1)[1:] // 2
    return ConnectorClasses(connector, tuple(uses.tolist()), tuple(self_mating.tolist()))


def jigsaw_from_assemblies(
    rows: int, columns: int, arrangements: Sequence[Arrangement], name: str = "jigsaw", source: str = ""
) -> EdgeMatchingPuzzle:
    """The jigsaw with the most connectors that has all given arrangements as assemblies; pieces keep their numbers.

    Raises PuzzleError if an arrangement does not hold all pieces, a side is on the border in one and inside in another,
    or a connector would have to mate with itself.
    """
    board = Board(rows, columns)
    classes = connector_classes(board, arrangements)
    if classes.self_mating:
        half_side = int(np.flatnonzero(classes.connector == classes.self_mating[0])[0])
        one = _half_side_name(half_side)
        other = _half_side_name(int(mating(board, arrangements[0])[half_side]))
        raise PuzzleError(
            f"assemblies: {len(classes.self_mating)} of {len(classes.uses)} connectors would have to mate with "
            f"themselves, such as the one between {one} and {other} in assembly 1; every cycle of joins must be even"
        )
    return jigsaw_of(rows, columns, classes.connector, name, source, tuple(arrangements))


def jigsaw_of(
    rows: int, columns: int, connectors: Integers, name: str, source: str, assemblies: tuple[Arrangement, ...]
) -> EdgeMatchingPuzzle:
    """The jigsaw whose darts have these connectors."""
    pieces = tuple((up, right, down, left) for up, right, down, left in connectors.reshape(-1, 4).tolist())
    return EdgeMatchingPuzzle(rows, columns, pieces, Rule.OPPOSITE, name=name, source=source, assemblies=assemblies)


def uses(puzzle: EdgeMatchingPuzzle) -> Counter[int]:
    """The number of joins of each connector, counted by its positive sides; see `unbalanced` for exceptions."""
    return Counter(side for side in _sides(puzzle).tolist() if side > BORDER)


def unbalanced(puzzle: EdgeMatchingPuzzle) -> tuple[int, ...]:
    """The connectors with different numbers of positive and negative sides, which cannot all be on joins."""
    total = Counter(_sides(puzzle).tolist())
    return tuple(sorted({abs(side) for side in total if total[side] != total[-side]}))


def duplicate_pieces(puzzle: EdgeMatchingPuzzle) -> tuple[tuple[int, ...], ...]:
    """The groups of two or more pieces that look the same in some rotation."""
    types = symmetries(puzzle.pieces_only()).types
    return tuple(kind.pieces for kind in types if len(kind.pieces) > 1)


def symmetric_pieces(puzzle: EdgeMatchingPuzzle) -> tuple[int, ...]:
    """The pieces that look the same after a half or quarter turn."""
    types = symmetries(puzzle.pieces_only()).types
    return tuple(sorted(piece for kind in types if kind.order > 1 for piece in kind.pieces))


@dataclass(frozen=True)
class Staying:
    """The pieces that stay on their squares between two arrangements, however they are turned there."""

    #: Those pieces for each number of clockwise quarter turns that map the second board onto the first.
    by_turn: Mapping[int, tuple[int, ...]]

    @property
    def pieces(self) -> tuple[int, ...]:
        """All pieces that stay after some turn."""
        return tuple(sorted(set().union(*self.by_turn.values())))


def staying_pieces(board: Board, first: Arrangement, second: Arrangement) -> Staying:
    """The pieces that lie on the same squares in two arrangements, for every turn of the second board."""
    (one, _), (other, _) = _placed(first, board), _placed(second, board)
    squares = np.arange(len(board)).reshape(board.rows, board.columns)
    # For each square, the one whose piece moves there when the whole board is turned clockwise.
    origins = {turns: np.rot90(squares, -turns).ravel() for turns in board.quarter_turns()}
    return Staying({turns: tuple(sorted(one[one == other[of]].tolist())) for turns, of in origins.items()})


@dataclass(frozen=True)
class Quality:
    """The quality of a jigsaw with several assemblies; only a search can show that there are no others."""

    #: The results of the functions of those names, for all pieces, spare ones included.
    uses: Counter[int]
    unbalanced: tuple[int, ...]
    duplicates: tuple[tuple[int, ...], ...]
    symmetric: tuple[int, ...]
    #: For each pair of assemblies (by index), the number of joins that they share, and the pieces that stay; empty if
    #: there are more pieces than squares.
    shared: Mapping[tuple[int, int], int]
    staying: Mapping[tuple[int, int], Staying]

    @property
    def perfect(self) -> bool:
        """Whether every connector is on two joins, the first two assemblies share no join, and no pieces are equal.

        Further assemblies of such a jigsaw must share joins with the first two.
        """
        return self.shared.get((0, 1)) == 0 and self._each_on(2) and not self.duplicates

    @property
    def three_perfect(self) -> bool:
        """Whether every connector is on three joins, no two of three assemblies share a join, and no pieces are equal.

        Further assemblies of such a jigsaw must share joins with one of the three.
        """
        disjoint = [self.shared.get(pair) for pair in ((0, 1), (0, 2), (1, 2))] == [0, 0, 0]
        return disjoint and self._each_on(3) and not self.duplicates

    @property
    def words(self) -> str:
        """What is best possible about its connectors, after a comma; empty if nothing is."""
        if self.perfect or self.three_perfect:
            return ", perfect" if self.perfect else ", 3-perfect"
        joins = sum(self.uses.values())
        is_most = len(self.uses) == most_connectors(joins) and self.shared.get((0, 1)) == 0
        return ", the largest possible number" * (is_most and joins % 2 == 1 and not self.unbalanced)

    def _each_on(self, joins: int) -> bool:
        return not self.unbalanced and set(self.uses.values()) == {joins}


def quality(puzzle: EdgeMatchingPuzzle) -> Quality:
    """Measure a jigsaw by its pieces and assemblies.

    Raises PuzzleError if the puzzle is not a jigsaw, or one of its assemblies does not fit.
    """
    board = puzzle.board
    for number, assembly in enumerate(puzzle.assemblies, start=1):
        problems = check(puzzle, assembly).problems
        if problems:
            raise PuzzleError(f"assembly {number} does not fit: {problems[0]}")
    assemblies = puzzle.assemblies if len(puzzle.pieces) == len(board) else ()
    pairs = {(i, j): (assemblies[i], assemblies[j]) for i, j in combinations(range(len(assemblies)), 2)}
    return Quality(
        uses(puzzle),
        unbalanced(puzzle),
        duplicate_pieces(puzzle),
        symmetric_pieces(puzzle),
        shared_joins_of_pairs(board, assemblies),
        {pair: staying_pieces(board, *both) for pair, both in pairs.items()},
    )


def _sides(puzzle: EdgeMatchingPuzzle) -> Integers:
    """The connectors of all darts."""
    if puzzle.rule is not Rule.OPPOSITE:
        raise PuzzleError(f"{puzzle.name}: the kind is {puzzle.kind}, but only a jigsaw has connectors")
    return np.array(puzzle.pieces, np.int64).ravel()


def _placed(arrangement: Arrangement, board: Board) -> tuple[Integers, Integers]:
    """The piece and rotation on each square of an arrangement of all pieces."""
    squares = len(arrangement)
    if squares != len(board):
        raise PuzzleError(f"arrangement: {squares} squares instead of a {board.rows}x{board.columns} board")
    if None in arrangement:
        raise PuzzleError(f"arrangement: square number {arrangement.index(None)} is empty; all squares must be filled")
    placed = np.array(arrangement, np.int64).reshape(-1, 2)
    pieces, rotations = placed[:, 0], placed[:, 1]
    if not np.array_equal(np.sort(pieces), np.arange(squares)):
        missing = min(set(range(squares)) - set(pieces.tolist()))
        raise PuzzleError(
            f"arrangement: piece {missing + 1} is missing; each of pieces 1 to {squares} must lie on one square"
        )
    if not np.isin(rotations, range(4)).all():
        raise PuzzleError("arrangement: every rotation must be 0, 1, 2 or 3")
    return pieces, rotations


def _half_side_name(half_side: int) -> str:
    piece, side = divmod(half_side, 4)
    return f"the {SIDE_NAMES[side]} side of piece {piece + 1}"


def _matings(board: Board, arrangements: Sequence[Arrangement]) -> list[Integers]:
    if not arrangements:
        raise PuzzleError("assemblies: the list is empty; a jigsaw needs at least one")
    mates = [mating(board, arrangement) for arrangement in arrangements]
    for number, mate in enumerate(mates[1:], start=2):
        wrong = np.flatnonzero((mate < 0) & (mates[0] >= 0))
        if wrong.size:
            name = _half_side_name(int(wrong[0]))
            raise PuzzleError(f"assembly {number}: {name} is on the border, but not in assembly 1")
    return mates
