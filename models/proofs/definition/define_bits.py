"""The clauses of the encoding `bits` by their definition: the second encoder.

It is for jigsaws each of whose connectors is on one or two joins.  The two positive and the two negative sides of a
connector are joined in two ways; a variable is true if the first positive one is joined to the first negative one, in
the order of pieces and sides.  Connectors with two joins, ascending, have the variables 1, 2, ...

Two neighbouring sides of a piece that are not straight meet at a point where four pieces meet.  Across the join at the
first of them, and on to the next side clockwise, leads to the next of these four pieces; four such steps lead back.
Every solution makes that true at every such point, whatever else it does.  Each way of joining the connectors on the
way that would lead elsewhere, or to a straight side, is excluded by a clause.

The joins of a solution determine it up to turns of the board.  So a clause that excludes the bits of a known solution
excludes no other one.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ....csp.puzzles.edge_matching import EdgeMatchingPuzzle

Side = tuple[int, int]  # a piece, and one of its sides
Clauses = set[frozenset[int]]


def bit_clauses(puzzle: EdgeMatchingPuzzle, excluded: Sequence[Sequence[tuple[int, int] | None]]) -> Clauses:
    """The clauses for a jigsaw and its known solutions."""
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


def why_not(puzzle: EdgeMatchingPuzzle) -> str | None:
    """Why the definition does not fit a puzzle; None if it does."""
    positive, negative = _sides_of_connectors(puzzle)
    if len(puzzle.pieces) != puzzle.rows * puzzle.columns or puzzle.fixed or puzzle.kind != "jigsaw":
        return "not a jigsaw with a square for each piece, none of them fixed"
    if any(not len(positive[c]) == len(negative[c]) <= 2 for c in {*positive, *negative}):
        return "a connector is not on one or two joins"
    return None


def _bits_of(
    puzzle: EdgeMatchingPuzzle,
    board: Sequence[tuple[int, int] | None],
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
