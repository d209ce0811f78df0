"""Judges any claimed solution from the puzzle alone.

It knows no engine, and it turns pieces, finds neighbours and compares sides by its own few lines, so that it shares
no fault with what it judges.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .board import letters
from .edge_matching import EdgeMatchingPuzzle, Rule


@dataclass(frozen=True)
class Fault:
    """What is wrong on a square; `piece` is the number of the piece at fault (from 1), None if there is none."""

    square: str
    piece: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.square}: {self.what}" if self.piece is None else f"{self.square}: piece {self.piece} {self.what}"


@dataclass(frozen=True)
class Verdict:
    """What the checker found.

    Parameters
    ----------
    faults
        Broken rules that no allowance permits: a piece used twice or unknown, a fixed piece out of place, a border
        side inside or an inner side outside.
    invalid_joins
        Joins whose sides do not match.
    placed, squares
        Number of pieces on the board, number of squares.
    score, max_score
        Number of valid joins, number of joins.
    """

    faults: tuple[Fault, ...]
    invalid_joins: tuple[Fault, ...]
    placed: int
    squares: int
    score: int
    max_score: int

    @property
    def is_solution(self) -> bool:
        """Every square filled, no fault, every join valid."""
        return self.placed == self.squares and not self.faults and not self.invalid_joins

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that keeps this from being a solution, a line each."""
        lines = [str(fault) for fault in (*self.faults, *self.invalid_joins)]
        if self.placed < self.squares:
            lines.append(f"{self.squares - self.placed} of {self.squares} squares are empty")
        return tuple(lines)


def check(puzzle: EdgeMatchingPuzzle, arrangement: Sequence[tuple[int, int] | None]) -> Verdict:
    """Judge an arrangement, full or partial.

    Parameters
    ----------
    puzzle
        What was to be solved.
    arrangement
        ``(piece, rotation)`` (0-based piece) or None for each square, row by row from the top left.

    Raises
    ------
    ValueError
        If the arrangement has another number of squares than the board.

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
    invalid, score = _joins(puzzle, sides, arrangement)
    placed_pieces = sum(placed is not None for placed in arrangement)
    max_score = rows * (columns - 1) + (rows - 1) * columns
    return Verdict(tuple(faults), tuple(invalid), placed_pieces, rows * columns, score, max_score)


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
) -> tuple[list[Fault], int]:
    invalid = []
    score = 0
    equal = puzzle.rule is Rule.EQUAL
    for (row, column), here in sides.items():
        # Looking right and down from every square meets every join once.
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
            first, second = arrangement[row * puzzle.columns + column], arrangement[r * puzzle.columns + c]
            assert first is not None
            assert second is not None
            sides_facing = f"{word} side {here[a]} faces {facing} side {there[b]}"
            what = f"does not match piece {second[0] + 1} on {_name(r, c)}: {sides_facing}"
            invalid.append(Fault(_name(row, column), first[0] + 1, what))
    return invalid, score
