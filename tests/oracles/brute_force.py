"""Counts solutions of small puzzles the plain way; shares no code with the search, the tables or the symmetries.

Arrangements are dictionaries {(row, column): (piece, rotation)} held as sorted tuples; orbits are taken literally, by
applying every generator of the symmetries to every arrangement and joining what is connected.
"""

from itertools import combinations, permutations, product

Square = tuple[int, int]
Arrangement = tuple[tuple[Square, tuple[int, int]], ...]


def spin(sides, rotation):
    """The sides (up, right, down, left) after that many clockwise quarter turns."""
    kept = 4 - rotation % 4
    return [*sides[kept:], *sides[:kept]]


def fits(puzzle, a, b):
    """Whether two facing sides match."""
    if a == 0 or b == 0:
        return False
    return a == b if puzzle.kind == "edge-matching" else a == -b


class TooMuch(Exception):  # noqa: N818 - a signal for the tests, not an error
    """The puzzle has too many solutions, or takes too many steps, for a brute force."""


def all_solutions(puzzle, most_solutions: int = 2_000, most_steps: int = 200_000) -> set[Arrangement]:
    """Every arrangement of the numbered pieces, found row by row from the top left."""
    rows, columns = puzzle.rows, puzzle.columns
    pinned = {(f.square // columns, f.square % columns): (f.piece, f.rotation) for f in puzzle.fixed}
    found: set[Arrangement] = set()
    steps = 0

    def extend(at: int, board: dict, looks: dict) -> None:
        nonlocal steps
        steps += 1
        if steps > most_steps or len(found) > most_solutions:
            raise TooMuch
        if at == rows * columns:
            found.add(tuple(sorted(board.items())))
            return
        r, c = at // columns, at % columns
        free = set(range(len(puzzle.pieces))) - {piece for piece, _ in board.values()}
        free -= {piece for square, (piece, _) in pinned.items() if square != (r, c)}
        for piece in free:
            for rotation in range(4):
                if (r, c) in pinned and pinned[r, c] != (piece, rotation):
                    continue
                up, right, down, left = spin(puzzle.pieces[piece], rotation)
                if (up == 0) != (r == 0) or (down == 0) != (r == rows - 1):
                    continue
                if (left == 0) != (c == 0) or (right == 0) != (c == columns - 1):
                    continue
                if r > 0 and not fits(puzzle, looks[r - 1, c][2], up):
                    continue
                if c > 0 and not fits(puzzle, looks[r, c - 1][1], left):
                    continue
                extend(
                    at + 1,
                    {**board, (r, c): (piece, rotation)},
                    {**looks, (r, c): (up, right, down, left)},
                )

    extend(0, {}, {})
    return found


def neighbours(puzzle, arrangement: Arrangement, turns: bool = True):
    """What one step of a symmetry makes of an arrangement; unless `turns`, the board itself may not be turned."""
    rows, columns = puzzle.rows, puzzle.columns
    pinned = {f.piece for f in puzzle.fixed}
    board = dict(arrangement)
    if turns and not pinned:
        if rows == columns:
            yield {(c, rows - 1 - r): (p, (t + 1) % 4) for (r, c), (p, t) in board.items()}
        else:
            yield {(rows - 1 - r, columns - 1 - c): (p, (t + 2) % 4) for (r, c), (p, t) in board.items()}
    for square, (piece, rotation) in board.items():
        for turn in (1, 2, 3):
            if piece not in pinned and spin(puzzle.pieces[piece], turn) == list(puzzle.pieces[piece]):
                yield {**board, square: (piece, (rotation + turn) % 4)}
    place = {piece: square for square, (piece, _) in board.items()}
    for a, b in combinations(sorted(set(range(len(puzzle.pieces))) - pinned), 2):
        for turn in range(4):
            if spin(puzzle.pieces[b], turn) == list(puzzle.pieces[a]):
                # b turned by `turn` looks like a.
                swapped = dict(board)
                if a in place:
                    swapped[place[a]] = (b, (board[place[a]][1] + turn) % 4)
                if b in place:
                    swapped[place[b]] = (a, (board[place[b]][1] - turn) % 4)
                yield swapped


def orbit(puzzle, arrangement: Arrangement, turns: bool = True) -> set[Arrangement]:
    """Everything that the symmetries make of an arrangement."""
    found = {arrangement}
    stack = [arrangement]
    while stack:
        for moved in neighbours(puzzle, stack.pop(), turns):
            key = tuple(sorted(moved.items()))
            if key not in found:
                found.add(key)
                stack.append(key)
    return found


def number_of_orbits(puzzle, solutions: set[Arrangement], turns: bool = True) -> int:
    """How many classes the symmetries make of the solutions."""
    left = set(solutions)
    orbits = 0
    while left:
        orbits += 1
        alike = orbit(puzzle, next(iter(left)), turns)
        assert alike <= solutions, "a symmetry leads out of the solutions"
        left -= alike
    return orbits


def nodes_by_depth(puzzle, order) -> list[int]:
    """How many valid fillings of the first 1, 2, ... squares of the order there are; fixed pieces come first."""
    columns = puzzle.columns
    pinned = {f.square: (f.piece, f.rotation) for f in puzzle.fixed}
    fillings: list[dict] = [{}]
    nodes = []
    for square in order:
        r, c = divmod(square, columns)
        extended = []
        for filling in fillings:
            for piece in set(range(len(puzzle.pieces))) - {piece for piece, _, _ in filling.values()}:
                for rotation in range(4):
                    if square in pinned:
                        if pinned[square] != (piece, rotation):
                            continue
                    elif piece in {p for p, _ in pinned.values()}:
                        continue
                    looks = spin(puzzle.pieces[piece], rotation)
                    if all(
                        _side_is_right(puzzle, filling, r + dr, c + dc, looks[side], side)
                        for side, (dr, dc) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1)))
                    ):
                        extended.append({**filling, (r, c): (piece, rotation, looks)})
        fillings = extended
        nodes.append(len(fillings))
    return nodes


def _side_is_right(puzzle, filling, row, column, color, side):
    if not (0 <= row < puzzle.rows and 0 <= column < puzzle.columns):
        return color == 0
    if (row, column) in filling:
        return fits(puzzle, color, filling[row, column][2][(side + 2) % 4])
    return color != 0


def fillings_with_slips(puzzle, order, slips, most: int = 20_000) -> list[list[dict]]:
    """For 1, 2, ... squares of the order, all fillings that the slip array permits, by its definition.

    With p pieces on the board at most as many inner joins are invalid as the array has entries of at most p; joins
    along the frame are all valid.  A filling is {(row, column): (piece, rotation, sides shown)}.
    """
    pinned = {divmod(f.square, puzzle.columns): (f.piece, f.rotation) for f in puzzle.fixed}
    fillings: list[dict] = [{}]
    by_depth = []
    for p, square in enumerate(order, start=1):
        place = divmod(square, puzzle.columns)
        permitted = sum(1 for depth in slips if depth <= p)
        extended = []
        for filling in fillings:
            used = {piece for piece, _, _ in filling.values()}
            for piece, sides in enumerate(puzzle.pieces):
                if piece in used:
                    continue
                for rotation in range(4):
                    if pinned.get(place, (piece, rotation)) != (piece, rotation):
                        continue
                    if place not in pinned and piece in {number for number, _ in pinned.values()}:
                        continue
                    board = {**filling, place: (piece, rotation, spin(sides, rotation))}
                    if invalid_joins(puzzle, board) <= permitted:
                        extended.append(board)
            if len(extended) > most:
                raise TooMuch
        fillings = extended
        by_depth.append(fillings)
    return by_depth


def invalid_joins(puzzle, board) -> float:
    """How many inner joins of a filling are invalid; infinitely many if it breaks a rule that no slip allows."""
    last_row, last_column = puzzle.rows - 1, puzzle.columns - 1
    invalid = 0
    for (r, c), (_, _, (up, right, down, left)) in board.items():
        if (up == 0) != (r == 0) or (right == 0) != (c == last_column):
            return float("inf")
        if (down == 0) != (r == last_row) or (left == 0) != (c == 0):
            return float("inf")
        if (r, c + 1) in board and not fits(puzzle, right, board[r, c + 1][2][3]):
            invalid += float("inf") if r in (0, last_row) else 1
        if (r + 1, c) in board and not fits(puzzle, down, board[r + 1, c][2][0]):
            invalid += float("inf") if c in (0, last_column) else 1
    return invalid


def full_boards(puzzle, most: int) -> list[tuple[int, dict]]:
    """Every full board with at most so many invalid joins, and their number, the fewest first.

    First every frame whose joins are valid, then every way to lay the inner pieces: for boards up to 4x4.
    """
    columns, last_row, last_column = puzzle.columns, puzzle.rows - 1, puzzle.columns - 1
    ring = [(0, c) for c in range(columns)] + [(r, last_column) for r in range(1, last_row)]
    ring += [(last_row, c) for c in reversed(range(columns))] + [(r, 0) for r in reversed(range(1, last_row))]
    inside = [(r, c) for r in range(1, last_row) for c in range(1, last_column)]
    frames: list[dict] = [{}]
    for square in ring:
        frames = [
            board
            for frame in frames
            for piece in set(range(len(puzzle.pieces))) - {used for used, _, _ in frame.values()}
            for rotation in range(4)
            for board in [{**frame, square: (piece, rotation, spin(puzzle.pieces[piece], rotation))}]
            if invalid_joins(puzzle, board) == 0
        ]
    inner = [piece for piece, sides in enumerate(puzzle.pieces) if 0 not in sides]
    looks = {(piece, rotation): spin(puzzle.pieces[piece], rotation) for piece in inner for rotation in range(4)}
    found = []
    for frame in frames:
        for pieces in permutations(inner, len(inside)):
            for rotations in product(range(4), repeat=len(inside)):
                placed = zip(inside, pieces, rotations, strict=True)
                board = frame | {square: (p, r, looks[p, r]) for square, p, r in placed}
                invalid = invalid_joins(puzzle, board)
                if invalid <= most:
                    found.append((invalid, board))
    return sorted(found, key=lambda one: one[0])


def permitted(puzzle, board, order, slips) -> bool:
    """Whether the slip array permits a full board."""
    filling = {}
    for p, square in enumerate(order, start=1):
        filling[divmod(square, puzzle.columns)] = board[divmod(square, puzzle.columns)]
        if invalid_joins(puzzle, filling) > sum(depth <= p for depth in slips):
            return False
    return True


def as_brute_force(board, columns):
    """A board of the library as an arrangement."""
    return tuple(sorted((divmod(square, columns), tuple(placed)) for square, placed in enumerate(board)))


def placements(filling) -> Arrangement:
    """A filling without the sides that it shows."""
    return tuple(sorted((square, placed[:2]) for square, placed in filling.items()))


def is_bound_by_order(puzzle, order, slips) -> bool:
    """Whether fewer joins may be invalid at some depth than there are, although the array has slips left for later."""
    last_row, last_column = puzzle.rows - 1, puzzle.columns - 1
    there = set()
    joins = 0
    for p, square in enumerate(order, start=1):
        r, c = divmod(square, puzzle.columns)
        joins += r not in (0, last_row) and ((r, c - 1) in there) + ((r, c + 1) in there)
        joins += c not in (0, last_column) and ((r - 1, c) in there) + ((r + 1, c) in there)
        there.add((r, c))
        if sum(depth <= p for depth in slips) < min(joins, len(slips)):
            return True
    return False


def stretches(puzzle, kinds):
    """The sequences of 1, 2, ... pieces of the classes given that fit together clockwise along a frame."""

    def ends(piece):
        # With a border above and none on the right, a piece begins on the left; a corner piece below.
        looks = (spin(puzzle.pieces[piece], turns) for turns in range(4))
        return next((left or down, right) for up, right, down, left in looks if up == 0 != right)

    rows = [()]
    for kind in kinds:
        of_kind = [piece for piece, name in enumerate(puzzle.piece_classes) if name == kind]
        longer = [(*row, piece) for row in rows for piece in of_kind if piece not in row]
        rows = [row for row in longer if len(row) == 1 or fits(puzzle, ends(row[-2])[1], ends(row[-1])[0])]
        yield rows
