"""Checks any claimed solution against the puzzle alone.

It is independent of the engines: it has its own code to turn pieces, find neighbours and compare sides, so that it
shares no errors with the code that it checks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

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
    rows, columns = puzzle.rows, puzzle.columns
    if len(arrangement) != rows * columns:
        raise ValueError(f"{len(arrangement)} squares for a {rows}x{columns} board")
    faults = _misplaced(puzzle, arrangement)
    sides: dict[tuple[int, int], tuple[int, ...]] = {}
    for place, placed in enumerate(arrangement):
        if placed is None:
            continue
        piece, rotation = placed
        if 0 <= piece < len(puzzle.pieces) and rotation in (0, 1, 2, 3):
            own = puzzle.pieces[piece]
            sides[divmod(place, columns)] = (own[-rotation], own[1 - rotation], own[2 - rotation], own[3 - rotation])
    faults += _border_faults(rows, columns, sides, arrangement)
    mismatched, score = _joins(puzzle, sides, arrangement)
    invalid, inner, along = _judged(rows, columns, mismatched, (slips, frame_slips), order)
    placed_pieces = sum(placed is not None for placed in arrangement)
    max_score = rows * (columns - 1) + (rows - 1) * columns
    slips_used, frame_slips_used = tuple(inner), tuple(along)
    return Verdict(
        tuple(faults), tuple(invalid), slips_used, placed_pieces, rows * columns, score, max_score, frame_slips_used
    )


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
        own, turn = puzzle.pieces[placed[0]], placed[1]
        shown.append((*own[4 - turn :], *own[: 4 - turn]))
    return min(_quarter_turns(shown, puzzle.rows, puzzle.columns)) if turnable and not puzzle.fixed else tuple(shown)


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


def _quarter_turns(shown: list[tuple[int, ...]], rows: int, columns: int) -> list[tuple[tuple[int, ...], ...]]:
    """The sides that the squares of a full board show, row by row, after the turns that keep its rows and columns."""
    turned = []
    for turn in range(4):
        if turn % 2 == 0 or rows == columns:
            turned.append(tuple(shown))
        # The first row of the turned board is the first column, from the bottom.
        height, width = (rows, columns) if turn % 2 == 0 else (columns, rows)
        shown = [shown[(height - 1 - c) * width + r] for r in range(width) for c in range(height)]
        shown = [(left, up, right, down) for up, right, down, left in shown]
    return turned


def _name(row: int, column: int) -> str:
    return f"{letters(row)}{column + 1}"


def _misplaced(puzzle: EdgeMatchingPuzzle, arrangement: Sequence[tuple[int, int] | None]) -> list[Fault]:
    faults = []
    seen: dict[int, int] = {}
    for place, placed in enumerate(arrangement):
        if placed is None:
            continue
        piece, rotation = placed
        if not 0 <= piece < len(puzzle.pieces):
            what = f"does not exist; pieces are numbered 1 to {len(puzzle.pieces)}"
            faults.append(Fault(_name(*divmod(place, puzzle.columns)), piece + 1, what))
        elif piece in seen:
            what = f"lies on {_name(*divmod(seen[piece], puzzle.columns))} already"
            faults.append(Fault(_name(*divmod(place, puzzle.columns)), piece + 1, what))
        seen.setdefault(piece, place)
        if rotation not in (0, 1, 2, 3):
            what = f"has rotation {rotation}, which is not 0, 1, 2 or 3"
            faults.append(Fault(_name(*divmod(place, puzzle.columns)), piece + 1, what))
    for square, piece, rotation in puzzle.fixed:
        placed = arrangement[square]
        name = _name(*divmod(square, puzzle.columns))
        if placed is None:
            faults.append(Fault(name, None, f"is empty, but piece {piece + 1} is fixed there"))
        elif tuple(placed) != (piece, rotation):
            what = f"in rotation {placed[1]} lies where piece {piece + 1} in rotation {rotation} is fixed"
            faults.append(Fault(name, placed[0] + 1, what))
    return faults


def _border_faults(
    rows: int,
    columns: int,
    sides: dict[tuple[int, int], tuple[int, ...]],
    arrangement: Sequence[tuple[int, int] | None],
) -> list[Fault]:
    faults = []
    for (row, column), shown in sides.items():
        outside = (row == 0, column == columns - 1, row == rows - 1, column == 0)
        for side in range(4):
            if (shown[side] == 0) == outside[side]:
                continue
            placed = arrangement[row * columns + column]
            assert placed is not None
            word = ("up", "right", "down", "left")[side]
            what = f"has {shown[side]} on the border" if outside[side] else "has its border side inside the board"
            faults.append(Fault(_name(row, column), placed[0] + 1, f"{what} ({word} side)"))
    return faults


def _joins(
    puzzle: EdgeMatchingPuzzle,
    sides: dict[tuple[int, int], tuple[int, ...]],
    arrangement: Sequence[tuple[int, int] | None],
) -> tuple[list[tuple[int, int, Fault]], int]:
    """The joins that do not match, with the indices of their squares, and the number of those that match."""
    invalid = []
    score = 0
    equal = puzzle.rule is Rule.EQUAL
    columns = puzzle.columns
    for (row, column), here in sides.items():
        # The right and lower sides of all squares give every join once.
        for word, facing, a, (r, c), b in (
            ("right", "left", 1, (row, column + 1), 3),
            ("down", "up", 2, (row + 1, column), 0),
        ):
            there = sides.get((r, c))
            if there is None:
                continue
            matches = here[a] == there[b] if equal else here[a] + there[b] == 0
            if matches and here[a] != 0:
                score += 1
                continue
            first, second = arrangement[row * columns + column], arrangement[r * columns + c]
            assert first is not None
            assert second is not None
            sides_facing = f"{word} side {here[a]} faces {facing} side {there[b]}"
            what = f"does not match piece {second[0] + 1} on {_name(r, c)}: {sides_facing}"
            fault = Fault(_name(row, column), first[0] + 1, what)
            invalid.append((row * columns + column, r * columns + c, fault))
    return invalid, score


def _judged(
    rows: int,
    columns: int,
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
    if sorted(order) != list(range(rows * columns)):
        raise ValueError("slips need a search order that holds every square once")
    depth = {square: number for number, square in enumerate(order, start=1)}
    made: tuple[list[tuple[int, Fault]], list[tuple[int, Fault]]] = [], []
    for first, second, fault in mismatched:
        side_by_side = columns > 1 and second == first + 1
        row, column = divmod(first, columns)
        along = row in (0, rows - 1) if side_by_side else column in (0, columns - 1)
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
