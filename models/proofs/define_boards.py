"""Edge-matching puzzles and jigsaws as formulas by their definition: the second encoder.

It is written for reading, not for solvers, and shares nothing with `models.squares`: from the package it takes the
puzzle's fields alone.  Its formula has a model exactly if a claim is false.

A *look* is what lies on a square: the four sides that it shows.  Two boards are the same solution if one results from
the other by exchanging pieces that look the same in some rotation and by turning pieces that look the same after it:
exactly then all their squares have the same looks.  So where these count as one, a look is the sides alone, and of each
set of pieces that look the same no more looks may be there than it has pieces; otherwise a look has the piece and its
rotation as well, and each set is one piece.  Pieces that may not be turned or turned over alike are never of one set;
where there are some, a look also says how its piece may be.

Rotations are clockwise quarter turns; 4 more are for a piece that is turned over first, left to right.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from .plain_formula import PlainFormula

Sides = tuple[int, ...]
Look = tuple[int, ...]  # the four sides, then how the piece may be turned, or piece and rotation
Move = tuple[int, list[int]]  # a rotation of the board, and where each square goes
Board = Sequence[tuple[int, int] | None]
Side = tuple[int, int]  # a piece, and one of its sides


@dataclass(frozen=True)
class BoardClaim:
    """A claim as a certificate makes it: there are no solutions but these, or none with a better score."""

    #: The puzzle.
    puzzle: EdgeMatchingPuzzle
    #: The solutions that are known: (piece, rotation) for each square.
    excluded: Sequence[Board] = ()
    #: The number of valid joins that no board exceeds; None for a claim about solutions.
    score: int | None = None
    #: Whether boards count as one that exchanging identical pieces and turning symmetric ones make of each other
    #: and, if it is `turnable`, turning the whole board.
    symmetry: bool = True
    #: The slip array, and the order of squares to which it refers; empty if every join must be valid.
    slips: Sequence[int] = ()
    order: Sequence[int] = ()
    #: A piece that may be kept to some of its places, because turning the board leads there; None for no such piece.
    anchor: int | None = None


class BoardDefinition(PlainFormula):
    """The formula of a claim; it has a model exactly if the claim is false."""

    def __init__(self, claim: BoardClaim) -> None:
        super().__init__()
        self.claim, self.puzzle = claim, claim.puzzle
        rows = self.puzzle.squares or ["#" * self.puzzle.columns] * self.puzzle.rows
        self._places = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
        self._number = {place: square for square, place in enumerate(self._places)}
        self._mates = {color: other for pair in dict(self.puzzle.mates).items() for color, other in (pair, pair[::-1])}
        self._fixed = {fixed.square: (fixed.piece, fixed.rotation) for fixed in self.puzzle.fixed}
        taken = {piece for piece, _ in self._fixed.values()}
        self._free = [piece for piece in range(len(self.puzzle.pieces)) if piece not in taken]
        self.looks = [self._looks_on(square) for square in range(len(self._places))]
        self._colors: dict[tuple, set[int]] = defaultdict(set)
        self._one_look_a_square()
        self._no_piece_twice()
        self._loose = self._joins()
        self._only_permitted_slips()
        self._other_boards_only()
        if claim.anchor is not None:
            self._keep_anchor(claim.anchor)

    def look(self, piece: int, rotation: int) -> Look:
        """What a piece in a rotation looks like."""
        shown = turned(self.puzzle.pieces[piece], rotation)
        if not self.claim.symmetry:
            return (*shown, piece, rotation)
        alike = isinstance(self.puzzle.turn, bool) and isinstance(self.puzzle.flip, bool)
        return shown if alike else (*shown, *self._may(piece))

    def _may(self, piece: int) -> tuple[bool, bool]:
        """Whether a piece may be turned, and turned over."""
        turn, flip = self.puzzle.turn, self.puzzle.flip
        return turn if isinstance(turn, bool) else turn[piece], flip if isinstance(flip, bool) else flip[piece]

    def there(self, square: int, look: Look) -> int | None:
        """The variable "this look is on this square"; None if the border or a fixed piece excludes it."""
        return self.known("look", square, look)

    def _looks_on(self, square: int) -> list[Look]:
        if square in self._fixed:
            return [self.look(*self._fixed[square])]
        looks = {self.look(piece, rotation) for piece in self._free for rotation in rotations(*self._may(piece))}
        outside = [self._neighbour(square, side) is None for side in range(4)]
        return sorted(look for look in looks if all(map(self._fits_border, look[:4], outside)))

    def _fits_border(self, color: int, outside: bool) -> bool:
        """Whether a side may be there: the border lies outside only, and outside is what the rim shows."""
        return self.puzzle.rim in (color, "any") if outside else color != 0

    def _neighbour(self, square: int, side: int) -> int | None:
        row, column = self._places[square]
        return self._at(row + (-1, 0, 1, 0)[side], column + (0, 1, 0, -1)[side])

    def _at(self, row: int, column: int) -> int | None:
        """The square at a place; ends that meet go on at the other one."""
        if self.puzzle.wrap == "both":
            row %= self.puzzle.rows
        if self.puzzle.wrap in ("both", "columns"):
            column %= self.puzzle.columns
        return self._number.get((row, column))

    def _one_look_a_square(self) -> None:
        for square, looks in enumerate(self.looks):
            literals = [self.variable("look", square, look) for look in looks]
            self.add(*literals)
            self.at_most(literals, 1)

    def _set_of(self, look: Look) -> tuple[int, ...]:
        """What the looks of a piece, and of those that look the same, have in common."""
        if not self.claim.symmetry:
            return look[4:5]
        return min(turned(look[:4], rotation) for rotation in self._rotations_of(look)) + look[4:]

    def _rotations_of(self, look: Look) -> list[int]:
        """The rotations of a piece with a look."""
        turns, flips = look[4:] or self._may(0)
        return rotations(turns, flips)

    def _no_piece_twice(self) -> None:
        """Of each set of pieces that look the same no more than there are; all of them if no piece may be left over.

        None may be left over of those pieces that have a border on certain sides, if there are as many squares with
        such borders: each of these squares needs one of these pieces.  Where the rim shows something else than a
        border, all pieces and squares are of one kind.
        """
        pieces, places = defaultdict(int), defaultdict(list)
        have, need = defaultdict(int), defaultdict(int)
        for piece in self._free:
            pieces[self._set_of(self.look(piece, 0))] += 1
            have[self._borders(self.puzzle.pieces[piece])] += 1
        for square, looks in enumerate(self.looks):
            if square in self._fixed:
                continue
            need[self._borders([0 if self._neighbour(square, side) is None else 1 for side in range(4)])] += 1
            for look in looks:
                places[self._set_of(look)].append(self.variable("look", square, look))
        self._used_up = {borders for borders, number in have.items() if number == need[borders]}
        for one, number in pieces.items():
            sides = one[:4] if self.claim.symmetry else self.puzzle.pieces[one[0]]
            (self.exactly if self._borders(sides) in self._used_up else self.at_most)(places[one], number)

    def _borders(self, sides: Sequence[int]) -> tuple[bool, ...]:
        """Which sides are border, however the piece is turned; nothing if the rim shows something else."""
        border = [side == 0 for side in sides]
        return min(tuple(border[i:] + border[:i]) for i in range(4)) if self.puzzle.rim == 0 else ()

    def _joins(self) -> list[tuple[int, int, int]]:
        """Facing sides match, or the join is invalid; the joins that may be: the squares, the variable "is invalid"."""
        invalid = []
        for square in range(len(self._places)):
            for side in (1, 2):
                other = self._neighbour(square, side)
                if other is None:
                    continue
                if self.claim.slips and not self._is_along_frame(square, side, other):
                    variable = self.variable("invalid", square, side)
                    invalid.append((square, other, variable))
                    self._shown(square, side, ("first", square, side))
                    self._shown(other, side + 2, ("second", square, side), mates=True)
                    self._differ(("first", square, side), ("second", square, side), variable)
                else:
                    self._shown(square, side, ("join", square, side))
                    self._shown(other, side + 2, ("join", square, side), mates=True)
                    self._exactly_one(("join", square, side))
        return invalid

    def _is_along_frame(self, square: int, side: int, other: int) -> bool:
        """Whether both squares of a join have a border on the same side beside it, and there is a frame."""
        beside = [(side + 1) % 4, (side + 3) % 4]
        return self.puzzle.rim == 0 and any(
            self._neighbour(square, one) is None and self._neighbour(other, one) is None for one in beside
        )

    def _mate(self, color: int) -> int:
        """What a side matches: the same colour or its mate, or the opposite connector."""
        return self._mates.get(color, color) if self.puzzle.rule is Rule.EQUAL else -color

    def _shown(self, square: int, side: int, where: tuple, mates: bool = False) -> None:
        """A look gives its colour there; seen from the other square it is the one that it would match."""
        for look in self.looks[square]:
            color = self._mate(look[side % 4]) if mates else look[side % 4]
            variable = self.variable("color", *where, color)
            self._colors[where].add(color)
            self.add(-self.variable("look", square, look), variable)

    def _exactly_one(self, where: tuple) -> None:
        literals = [self.variable("color", *where, color) for color in sorted(self._colors[where])]
        self.add(*literals)
        self.at_most(literals, 1)

    def _differ(self, one: tuple, other: tuple, differ: int) -> None:
        """The variable is true exactly if two colours are not the same."""
        for where in (one, other):
            self._exactly_one(where)
        for color in sorted(self._colors[one] | self._colors[other]):
            first, second = (self.known("color", *where, color) for where in (one, other))
            if first is None or second is None:
                self.add(-(first or second or 0), differ)
            else:
                self.add(-first, -second, -differ)
                self.add(-first, second, differ)
                self.add(first, -second, differ)

    def color(self, square: int, side: int, color: int) -> int | None:
        """The variable "this square shows this colour on that side"; None if neither it nor its neighbour can."""
        join = self._join(square, side)
        own = color if join == (square, side) else self._mate(color)
        loose = ("first" if join == (square, side) else "second", *join)
        return self.known("color", "join", *join, own) or self.known("color", *loose, own)

    def _join(self, square: int, side: int) -> tuple[int | None, int]:
        """A join by its square on the left or above, and the side of that."""
        return (square, side) if side in (1, 2) else (self._neighbour(square, side), (side + 2) % 4)

    def invalid(self, square: int, side: int) -> int | None:
        """The variable "the join on that side of the square is invalid"; None if it must be valid."""
        return self.known("invalid", *self._join(square, side))

    def _only_permitted_slips(self) -> None:
        """With p pieces on the board at most as many joins are invalid as the slip array has entries of at most p.

        A claim about scores excludes boards with more invalid joins than one with a better score has, too.
        """
        made = sorted(self._loose, key=self._depth)
        literals = [variable for _, _, variable in made]
        self.at_most_so_far(literals, [sum(slip <= self._depth(join) for slip in self.claim.slips) for join in made])
        if self.claim.score is not None:
            sides = [(square, side) for square in range(len(self._places)) for side in (1, 2)]
            joins = sum(self._neighbour(*one) is not None for one in sides)
            most = joins - self.claim.score - 1
            self.at_most(literals, most) if most >= 0 else self.add()

    def _depth(self, join: tuple[int, int, int]) -> int:
        """How many pieces are on the board when a join is made: as many as there are squares up to its later one."""
        return 1 + max(self.claim.order.index(square) for square in join[:2])

    def _other_boards_only(self) -> None:
        """The known solutions are excluded and, where turning the board makes no other, what that makes of them."""
        for board in self.claim.excluded:
            looks = [self.look(*placed) for placed in board if placed is not None]
            for turned in self._images_of(looks) if self.claim.symmetry else [looks]:
                literals = [self.there(square, look) for square, look in enumerate(turned)]
                if None not in literals:
                    self.add(*(-literal for literal in literals if literal is not None))

    def _images_of(self, looks: list[Look]) -> Iterator[list[Look]]:
        """A board and what turning it makes of it, if that makes no other solution."""
        yield looks
        if self.turnable:
            for move in self._moves:
                turned: list[Look] = [()] * len(looks)
                for square, look in enumerate(looks):
                    there, shown = _after(square, look, move)
                    turned[there] = shown
                yield turned

    @cached_property
    def _moves(self) -> list[Move]:
        """The ways to turn, turn over and shift the board onto itself, but for the one that moves nothing.

        It is turned with all its pieces, so each of them must be allowed to be turned so.
        """
        pieces = range(len(self.puzzle.pieces))
        allowed = set(range(8)).intersection(*({*rotations(*self._may(piece))} for piece in pieces))
        wrap, rows, columns = self.puzzle.wrap, self.puzzle.rows, self.puzzle.columns
        # Whether the ends that meet would be the same after a quarter turn.
        turns_by_quarters = wrap == "none" or (wrap == "both" and rows == columns)
        found = [
            (rotation, targets)
            for rotation in sorted(allowed)
            if rotation % 2 == 0 or turns_by_quarters
            for first in range(len(self._places))
            if (targets := self._carried(rotation, first)) is not None
        ]
        return [move for move in found if move != (0, list(range(len(self._places))))]

    def _carried(self, rotation: int, first: int) -> list[int] | None:
        """Where the squares go in a rotation that takes the first one to a given one; None if not onto the board."""
        flat = [_about_origin(place, rotation) for place in self._places]
        down, right = (self._places[first][i] - flat[0][i] for i in range(2))
        targets: list[int] = []
        for row, column in flat:
            there = self._at(row + down, column + right)
            if there is None:
                return None
            targets.append(there)
        sides = turned((0, 1, 2, 3), rotation)
        for square, there in enumerate(targets):
            for now, before in enumerate(sides):
                beside = self._neighbour(square, before)
                if self._neighbour(there, now) != (None if beside is None else targets[beside]):
                    return None
        return targets

    @property
    def turnable(self) -> bool:
        """Whether turning a board that is permitted makes one that is permitted.

        Nothing may be fixed; and the slip array must never permit fewer invalid joins than it has entries or than there
        are joins that can be, so that only their number matters.
        """
        if self.puzzle.fixed:
            return False
        if not self.claim.slips:
            return True
        depths, slips = [self._depth(join) for join in self._loose], self.claim.slips
        permitted = ((sum(s <= p for s in slips), sum(d <= p for d in depths)) for p in range(len(self.looks) + 1))
        return all(now >= min(len(slips), joins) for now, joins in permitted)

    def _keep_anchor(self, anchor: int) -> None:
        """Of the places that turning the board makes of each other, the anchor lies in one only.

        This excludes no solution, up to turns of the board: the anchor is in every solution, no other piece looks like
        it, and what is excluded above is excluded however it is turned.
        """
        mine = self._set_of(self.look(anchor, 0))
        alike = [piece for piece in self._free if self._set_of(self.look(piece, 0)) == mine]
        used_up = self._borders(mine[:4]) in self._used_up
        if not (self.claim.symmetry and self.turnable and len(alike) == 1 and used_up):
            return
        places = [(square, look) for square, looks in enumerate(self.looks) for look in looks]
        for square, look in [place for place in places if self._set_of(place[1]) == mine]:
            images = [(square, look), *(_after(square, look, move) for move in self._moves)]
            if min(images, key=self._rank) != (square, look):
                self.add(-self.variable("look", square, look))

    def _rank(self, place: tuple[int, Look]) -> tuple[int, int]:
        """Places on the first square of the order come first, and on one square those turned least."""
        square, look = place
        least = self._set_of(look)[:4]
        turns = next(turn for turn in self._rotations_of(look) if turned(least, turn) == look[:4])
        return self.claim.order.index(square), turns


def rotations(may_turn: int, may_flip: int) -> list[int]:
    """The rotations of a piece."""
    turns = range(4) if may_turn else range(1)
    return [over + turn for over in ((0, 4) if may_flip else (0,)) for turn in turns]


def turned(sides: Sequence[int], rotation: int) -> Sides:
    """The sides in a rotation: up, right, down, left; turned over, right and left change places."""
    up, right, down, left = sides
    if rotation >= 4:
        right, left = left, right
    for _ in range(rotation % 4):
        up, right, down, left = left, up, right, down
    return up, right, down, left


def _about_origin(place: tuple[int, int], rotation: int) -> tuple[int, int]:
    """Where a rotation about the place in row 0 and column 0 takes a place."""
    row, column = place
    if rotation >= 4:
        column = -column
    for _ in range(rotation % 4):
        row, column = column, -row
    return row, column


def _after(square: int, look: Look, move: Move) -> tuple[int, Look]:
    """Where a look lies after turning the board, and what it shows there."""
    rotation, targets = move
    return targets[square], turned(look[:4], rotation) + look[4:]


def bit_clauses(puzzle: EdgeMatchingPuzzle, excluded: Sequence[Board]) -> set[frozenset[int]]:
    """The clauses of the encoding `bits` for a jigsaw and its known solutions.

    It is for jigsaws each of whose connectors is on one or two joins.  The two positive and the two negative sides of a
    connector are joined in two ways; a variable is true if the first positive one is joined to the first negative one,
    in the order of pieces and sides.  Connectors with two joins, ascending, have the variables 1, 2, ...

    Two neighbouring sides of a piece that are not straight meet at a point where four pieces meet.  Across the join at
    the first of them, and on to the next side clockwise, leads to the next of these four pieces; four such steps lead
    back. Every solution makes that true at every such point, whatever else it does.  Each way of joining the connectors
    on the way that would lead elsewhere, or to a straight side, is excluded by a clause.

    The joins of a solution determine it up to turns of the board.  So a clause that excludes the bits of a known
    solution excludes no other one.
    """
    positive, negative = _sides_of_connectors(puzzle)
    twice = [connector for connector in sorted(positive) if len(positive[connector]) == 2]
    variable = {connector: number for number, connector in enumerate(twice, start=1)}

    def mates(side: Side) -> Iterator[tuple[Side, int]]:
        """The sides to which one can be joined, each with the literal for it (0: it must be)."""
        sign = puzzle.pieces[side[0]][side[1]]
        own, others = (positive, negative) if sign > 0 else (negative, positive)
        for mate in others[abs(sign)]:
            in_order = own[abs(sign)].index(side) == others[abs(sign)].index(mate)
            bit = variable.get(abs(sign), 0)
            yield mate, bit if in_order else -bit

    def wrong_walks(at: Side, start: Side, steps: int, assumed: frozenset[int]) -> Iterator[frozenset[int]]:
        """What joins the sides on a walk that has made some of its four steps, if it does not lead back."""
        if puzzle.pieces[at[0]][at[1]] == 0 or (steps == 4 and at != start):
            yield assumed
        elif steps < 4:
            for (piece, side), literal in mates(at):
                if -literal not in assumed or not literal:
                    now = assumed | {literal} - {0}
                    yield from wrong_walks((piece, (side + 1) % 4), start, steps + 1, now)

    sides = [(piece, side) for piece in range(len(puzzle.pieces)) for side in range(4)]
    starts = [s for s in sides if puzzle.pieces[s[0]][s[1]] and puzzle.pieces[s[0]][s[1] - 1]]
    walks = {walk for start in starts for walk in wrong_walks(start, start, 0, frozenset())}
    known = [_bits_of(puzzle, board, positive, negative, variable) for board in excluded]
    return {frozenset(-literal for literal in some) for some in (*walks, *known)}


def _sides_of_connectors(puzzle: EdgeMatchingPuzzle) -> tuple[dict[int, list[Side]], dict[int, list[Side]]]:
    """The sides with each connector, those where it is positive and those where it is negative."""
    positive, negative = defaultdict(list), defaultdict(list)
    for piece, sides in enumerate(puzzle.pieces):
        for side, connector in enumerate(sides):
            if connector:
                (positive if connector > 0 else negative)[abs(connector)].append((piece, side))
    return positive, negative


def why_no_bits(puzzle: EdgeMatchingPuzzle) -> str | None:
    """Why the definition does not fit a puzzle; None if it does."""
    positive, negative = _sides_of_connectors(puzzle)
    if len(puzzle.pieces) != puzzle.rows * puzzle.columns or puzzle.fixed or puzzle.kind != "jigsaw":
        return "not a jigsaw with a square for each piece, none of them fixed"
    if puzzle.rim != 0 or puzzle.squares or puzzle.wrap != "none" or puzzle.turn is not True or puzzle.flip:
        return "not a framed rectangle of pieces that may be turned but not turned over"
    if any(not len(positive[c]) == len(negative[c]) <= 2 for c in {*positive, *negative}):
        return "a connector is not on one or two joins"
    return None


def _bits_of(
    puzzle: EdgeMatchingPuzzle,
    board: Board,
    positive: dict[int, list[Side]],
    negative: dict[int, list[Side]],
    variable: dict[int, int],
) -> frozenset[int]:
    """The literals that a solution makes true."""
    facing: dict[tuple[int, int, int], Side] = {}
    for square, placed in enumerate(board):
        assert placed is not None
        for side in range(4):
            facing[(*divmod(square, puzzle.columns), side)] = (placed[0], (side - placed[1]) % 4)
    joined = set()
    for (row, column, side), one in facing.items():
        row, column = row + (-1, 0, 1, 0)[side], column + (0, 1, 0, -1)[side]
        joined.add((one, facing.get((row, column, (side + 2) % 4))))
    return frozenset(
        bit if (positive[connector][0], negative[connector][0]) in joined else -bit
        for connector, bit in variable.items()
    )
