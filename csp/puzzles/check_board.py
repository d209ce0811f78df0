"""Checks any claimed solution against the puzzle alone.

It is independent of the engines: it has its own code to turn pieces, find neighbours and compare sides, so that it
shares no errors with the code that it checks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .board import letters
from .edge_matching import EdgeMatchingPuzzle, Rule


@dataclass(frozen=True)
class Fault:
    """An error on a square; `piece` is the number of the wrong piece (from 1), or None."""

    square: str
    piece: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.square}: {self.what}" if self.piece is None else f"{self.square}: piece {self.piece} {self.what}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check."""

    #: Violations that slips cannot permit: a piece used twice or unknown, a fixed piece out of place, a border side
    #: inside the board or an inner side on the border.
    faults: tuple[Fault, ...]
    #: Joins whose sides do not match, without those that the slip arrays permit.
    invalid_joins: tuple[Fault, ...]
    #: Inner joins whose sides do not match and that the slip array permits.
    slips: tuple[Fault, ...]
    #: Number of pieces on the board, number of squares.
    placed: int
    squares: int
    #: Number of valid joins, number of joins.
    score: int
    max_score: int
    #: Joins along the frame whose sides do not match and that the frame slip array permits.
    frame_slips: tuple[Fault, ...] = ()

    @property
    def is_solution(self) -> bool:
        """Whether every square is filled, there is no fault, and every join is valid or permitted."""
        return self.placed == self.squares and not self.faults and not self.invalid_joins

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that prevents this from being a solution, one line each."""
        lines = [str(fault) for fault in (*self.faults, *self.invalid_joins)]
        if self.placed < self.squares:
            lines.append(f"{self.squares - self.placed} of {self.squares} squares are empty")
        return tuple(lines)


def check(
    puzzle: EdgeMatchingPuzzle,
    arrangement: Sequence[tuple[int, int] | None],
    slips: Sequence[int] = (),
    order: Sequence[int] = (),
    frame_slips: Sequence[int] = (),
) -> Verdict:
    """Check an arrangement, full or partial.

    Parameters
    ----------
    puzzle
        The puzzle.
    arrangement
        ``(piece, rotation)`` (0-based piece) or None for each square, row by row from the top left.
    slips, order
        A slip array, and the search order that defines its depths: all squares, in the order in which they are filled.
    frame_slips
        A slip array for the joins along the frame, along the same order.

    Raises
    ------
    ValueError
        If the arrangement has another number of squares than the board or, with slips, the order does.

    Examples
    --------
    >>> puzzle = EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 7, 0, 0)))
    >>> print(*check(puzzle, [(0, 0), (1, 2)]).problems)
    A1: piece 1 does not match piece 2 on A2: right side 5 faces left side 7
    """
    grid = _Grid.of(puzzle)
    if len(arrangement) != len(grid.places):
        raise ValueError(f"{len(arrangement)} squares for a {puzzle.rows}x{puzzle.columns} board")
    faults = _misplaced(puzzle, grid, arrangement)
    sides: dict[int, tuple[int, ...]] = {}
    for square, placed in enumerate(arrangement):
        if placed is not None and 0 <= placed[0] < len(puzzle.pieces) and placed[1] in _allowed(puzzle, placed[0]):
            sides[square] = _seen(puzzle.pieces[placed[0]], placed[1])
    faults += _border_faults(puzzle, grid, sides, arrangement)
    mismatched, score = _joins(puzzle, grid, sides, arrangement)
    invalid, inner, along = _judged(puzzle, grid, mismatched, (slips, frame_slips), order)
    placed_pieces = sum(placed is not None for placed in arrangement)
    slips_used, frame_slips_used = tuple(inner), tuple(along)
    return Verdict(
        tuple(faults), tuple(invalid), slips_used, placed_pieces, len(grid.places), score, grid.joins, frame_slips_used
    )


@dataclass(frozen=True)
class _Grid:
    """The places of the squares, and which of them meet."""

    places: tuple[tuple[int, int], ...]
    number: dict[tuple[int, int], int]
    #: For each square those across its four sides, or None; and the number of joins.
    around: tuple[tuple[int | None, ...], ...]
    joins: int

    @classmethod
    def of(cls, puzzle: EdgeMatchingPuzzle) -> "_Grid":
        return _grid(puzzle.rows, puzzle.columns, puzzle.squares, puzzle.wrap)

    def name(self, square: int) -> str:
        r, c = self.places[square]
        return f"{letters(r)}{c + 1}"


@lru_cache(maxsize=8)
def _grid(rows: int, columns: int, squares: tuple[str, ...], wrap: str) -> _Grid:
    shape = squares or ("#" * columns,) * rows
    places = tuple((r, c) for r, line in enumerate(shape) for c, mark in enumerate(line) if mark == "#")
    number = {place: n for n, place in enumerate(places)}
    meets = number
    if wrap != "none":
        # Places beyond an end are those at the other end.
        meets = dict(number)
        for (r, c), n in number.items():
            for dr in (-rows, 0, rows) if wrap == "both" else (0,):
                for dc in (-columns, 0, columns):
                    meets[r + dr, c + dc] = n
    at = meets.get
    around = tuple((at((r - 1, c)), at((r, c + 1)), at((r + 1, c)), at((r, c - 1))) for r, c in places)
    joins = sum((right is not None) + (down is not None) for _, right, down, _ in around)
    return _Grid(places, number, around, joins)


def _seen(own: Sequence[int], rotation: int) -> tuple[int, ...]:
    """The sides of a piece after a rotation; from 4 on it lies with its other side up."""
    if rotation > 3:
        up, right, down, left = own
        own, rotation = (up, left, down, right), rotation - 4
    return (*own[4 - rotation :], *own[: 4 - rotation])


_TURNS = (0, 1, 2, 3)
_ALLOWED = {
    (True, False): _TURNS,
    (False, False): (0,),
    (True, True): (0, 1, 2, 3, 4, 5, 6, 7),
    (False, True): (0, 4),
}


def _allowed(puzzle: EdgeMatchingPuzzle, piece: int) -> tuple[int, ...]:
    """The rotations that a piece may have."""
    if puzzle.turn is True and puzzle.flip is False:  # the usual case, quickly decided
        return _TURNS
    may_turn = puzzle.turn if isinstance(puzzle.turn, bool) else puzzle.turn[piece]
    may_flip = puzzle.flip if isinstance(puzzle.flip, bool) else puzzle.flip[piece]
    return _ALLOWED[may_turn, may_flip]


def appearance(
    puzzle: EdgeMatchingPuzzle, board: Sequence[tuple[int, int] | None], *, turnable: bool = True
) -> tuple[object, ...]:
    """A value that is equal for two full boards exactly if they are the same solution.

    They are the same if one results from the other by turning the whole board (if nothing is fixed, and it is
    `turnable`), exchanging identical pieces and turning symmetric ones.  The look of a board shows neither piece
    numbers nor turns of symmetric pieces.
    """
    shown = []
    for placed in board:
        assert placed is not None
        # How a piece may be turned belongs to its look: pieces that differ in it are not identical.
        shown.append((*_seen(puzzle.pieces[placed[0]], placed[1]), len(_allowed(puzzle, placed[0]))))
    return min(_images(puzzle, shown)) if turnable and not puzzle.fixed else tuple(shown)


def same_solutions(
    puzzle: EdgeMatchingPuzzle,
    boards: Sequence[Sequence[tuple[int, int] | None]],
    *,
    symmetry: bool = True,
    turnable: bool = True,
) -> tuple[int, int] | None:
    """The indices of the first two of several full boards that are the same solution; None if no two are.

    With `symmetry` they are the same if their `appearance` is equal, without it if their placements are.
    """
    seen: dict[tuple[object, ...], int] = {}
    for number, board in enumerate(boards):
        looks = appearance(puzzle, board, turnable=turnable) if symmetry else tuple(board)
        if looks in seen:
            return seen[looks], number
        seen[looks] = number
    return None


def _images(puzzle: EdgeMatchingPuzzle, shown: list[tuple[int, ...]]) -> list[tuple[tuple[int, ...], ...]]:
    """What the squares of a full board show, row by row, after all motions that keep the board.

    It is turned and turned over if every piece may be, and shifted where its ends meet.
    """
    grid = _Grid.of(puzzle)
    common = set(range(8)).intersection(*(_allowed(puzzle, piece) for piece in range(len(puzzle.pieces))))
    images = []
    for motion in sorted(common):
        if motion % 2 and puzzle.wrap == "columns":
            continue
        moved = {}
        for (r, c), sides in zip(grid.places, shown, strict=True):
            c = puzzle.columns - 1 - c if motion > 3 else c
            height, width = puzzle.rows, puzzle.columns
            for _ in range(motion % 4):
                r, c, height, width = c, height - 1 - r, width, height
            moved[r, c] = (*_seen(sides[:4], motion), *sides[4:])
        if motion % 2 and puzzle.wrap == "both" and puzzle.rows != puzzle.columns:
            continue
        corner = (
            min(r for r, _ in grid.places) - min(r for r, _ in moved),
            (min(c for _, c in grid.places) - min(c for _, c in moved)),
        )
        down = range(puzzle.rows) if puzzle.wrap == "both" else [corner[0]]
        right = range(puzzle.columns) if puzzle.wrap != "none" else [corner[1]]
        for dr in down:
            for dc in right:
                there = {
                    (
                        (r + dr) % puzzle.rows if puzzle.wrap == "both" else r + dr,
                        (c + dc) % puzzle.columns if puzzle.wrap != "none" else c + dc,
                    ): sides
                    for (r, c), sides in moved.items()
                }
                if there.keys() == grid.number.keys():
                    images.append(tuple(there[place] for place in grid.places))
    return images


def _misplaced(puzzle: EdgeMatchingPuzzle, grid: _Grid, arrangement: Sequence[tuple[int, int] | None]) -> list[Fault]:
    faults = []
    seen: dict[int, int] = {}
    for place, placed in enumerate(arrangement):
        if placed is None:
            continue
        piece, rotation = placed
        allowed: tuple[int, ...] = (0, 1, 2, 3)
        if not 0 <= piece < len(puzzle.pieces):
            what = f"does not exist; pieces are numbered 1 to {len(puzzle.pieces)}"
            faults.append(Fault(grid.name(place), piece + 1, what))
        else:
            allowed = _allowed(puzzle, piece)
            if piece in seen:
                faults.append(Fault(grid.name(place), piece + 1, f"lies on {grid.name(seen[piece])} already"))
        seen.setdefault(piece, place)
        if rotation not in allowed:
            several = " or ".join(", ".join(map(str, allowed)).rsplit(", ", 1))
            faults.append(Fault(grid.name(place), piece + 1, f"has rotation {rotation}, which is not {several}"))
    for square, piece, rotation in puzzle.fixed:
        placed = arrangement[square]
        if placed is None:
            faults.append(Fault(grid.name(square), None, f"is empty, but piece {piece + 1} is fixed there"))
        elif tuple(placed) != (piece, rotation):
            what = f"in rotation {placed[1]} lies where piece {piece + 1} in rotation {rotation} is fixed"
            faults.append(Fault(grid.name(square), placed[0] + 1, what))
    return faults


def _border_faults(
    puzzle: EdgeMatchingPuzzle,
    grid: _Grid,
    sides: dict[int, tuple[int, ...]],
    arrangement: Sequence[tuple[int, int] | None],
) -> list[Fault]:
    faults = []
    rim = puzzle.rim
    for square, shown in sides.items():
        for side, beyond in enumerate(grid.around[square]):
            color, outside = shown[side], beyond is None
            if (rim in ("any", color)) if outside else color != 0:
                continue
            placed = arrangement[square]
            assert placed is not None
            word = ("up", "right", "down", "left")[side]
            what = f"has {color} on the border" if outside else "has its border side inside the board"
            faults.append(Fault(grid.name(square), placed[0] + 1, f"{what} ({word} side)"))
    return faults


def _joins(
    puzzle: EdgeMatchingPuzzle,
    grid: _Grid,
    sides: dict[int, tuple[int, ...]],
    arrangement: Sequence[tuple[int, int] | None],
) -> tuple[list[tuple[int, int, Fault]], int]:
    """The joins that do not match, with their squares, and the number of those that match."""
    invalid = []
    score = 0
    mates = {one: other for pair in dict(puzzle.mates).items() for one, other in (pair, pair[::-1])}
    opposite = puzzle.rule is not Rule.EQUAL
    for square, here in sides.items():
        # The right and lower sides of all squares give every join once.
        _, right, down, _ = grid.around[square]
        for word, facing, a, b, beyond in (("right", "left", 1, 3, right), ("down", "up", 2, 0, down)):
            there = None if beyond is None else sides.get(beyond)
            if beyond is None or there is None:
                continue
            wanted = -here[a] if opposite else mates.get(here[a], here[a]) if mates else here[a]
            if there[b] == wanted and here[a] != 0:
                score += 1
                continue
            first, second = arrangement[square], arrangement[beyond]
            assert first is not None
            assert second is not None
            one, other = (puzzle.color_names.get(color, color) for color in (here[a], there[b]))
            sides_facing = f"{word} side {one} faces {facing} side {other}"
            what = f"does not match piece {second[0] + 1} on {grid.name(beyond)}: {sides_facing}"
            invalid.append((square, beyond, Fault(grid.name(square), first[0] + 1, what)))
    return invalid, score


def _judged(
    puzzle: EdgeMatchingPuzzle,
    grid: _Grid,
    mismatched: list[tuple[int, int, Fault]],
    arrays: tuple[Sequence[int], Sequence[int]],
    order: Sequence[int],
) -> tuple[list[Fault], list[Fault], list[Fault]]:
    """The mismatched joins that are invalid, and those that the slip arrays permit: inner ones, and along the frame.

    A join is made when the later of its two pieces is placed.  In that order, the i-th invalid join of a kind needs a
    depth of at least the i-th entry of the slip array of its kind.
    """
    if not any(arrays):
        return [fault for _, _, fault in mismatched], [], []
    if sorted(order) != list(range(len(grid.places))):
        raise ValueError("slips need a search order that holds every square once")
    depth = {square: number for number, square in enumerate(order, start=1)}
    made: tuple[list[tuple[int, Fault]], list[tuple[int, Fault]]] = [], []
    for first, second, fault in mismatched:
        # A join runs along the frame if the border is beside it, on the same side of both squares.
        beside = (0, 2) if grid.around[first][1] == second else (1, 3)
        along = puzzle.rim == 0 and any(
            grid.around[first][side] is None and grid.around[second][side] is None for side in beside
        )
        made[along].append((max(depth[first], depth[second]), fault))
    invalid, inner = _permitted(made[0], arrays[0], "slip")
    if arrays[1]:
        invalid_along, along_frame = _permitted(made[1], arrays[1], "frame slip")
    else:
        what = "no slip is allowed along the frame"
        invalid_along = [Fault(fault.square, fault.piece, f"{fault.what}; {what}") for _, fault in made[1]]
        along_frame = []
    return invalid_along + invalid, inner, along_frame


def _permitted(made: list[tuple[int, Fault]], array: Sequence[int], name: str) -> tuple[list[Fault], list[Fault]]:
    """Those of the mismatched joins, with the depths at which they are made, that an array forbids, and permits."""
    invalid, permitted = [], []
    wanted = iter(sorted(array))
    for depth, fault in sorted(made, key=lambda pair: pair[0]):
        needed = next(wanted, None)
        if needed is not None and depth >= needed:
            permitted.append(fault)
        else:
            later = f"depth {depth}, the next {name} is allowed from {needed}"
            reason = f"all {name}s are used" if needed is None else later
            invalid.append(Fault(fault.square, fault.piece, f"{fault.what} ({reason})"))
    return invalid, permitted
