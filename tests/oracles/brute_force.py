"""Counts solutions of small puzzles the plain way; shares no code with the search, the tables or the symmetries.

Arrangements are dictionaries {(row, column): (piece, rotation)} held as sorted tuples; orbits are taken literally, by
applying every generator of the symmetries to every arrangement and joining what is connected.
"""

from functools import cache
from itertools import combinations_with_replacement, permutations, product

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


def walk(puzzle, order, visit) -> None:
    """Show every valid filling of the first 1, 2, ... squares of an order to `visit`: how many they are, and the board.

    The board is {(row, column): (piece, rotation, sides shown)}, and is used for all of them.
    """
    pinned = {divmod(f.square, puzzle.columns): (f.piece, f.rotation) for f in puzzle.fixed}
    taken = {piece for piece, _ in pinned.values()}
    squares = [divmod(square, puzzle.columns) for square in order]
    steps = []
    for depth, (r, c) in enumerate(squares):
        around = [(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]
        outside = [not (0 <= y < puzzle.rows and 0 <= x < puzzle.columns) for y, x in around]
        known = [(side, square, (side + 2) % 4) for side, square in enumerate(around) if square in squares[:depth]]
        # What may lie here, by the sides that it has towards pieces that lie there already.
        candidates: dict = {}
        for piece, rotation in product(range(len(puzzle.pieces)), range(4)):
            shown = spin(puzzle.pieces[piece], rotation)
            free = (r, c) not in pinned and piece not in taken
            if (free or pinned.get((r, c)) == (piece, rotation)) and [side == 0 for side in shown] == outside:
                towards = tuple(shown[side] for side, _, _ in known)
                candidates.setdefault(towards, []).append((piece, rotation, shown))
        steps.append(((r, c), known, candidates))
    sign = 1 if puzzle.kind == "edge-matching" else -1
    board: dict = {}
    used = set()

    def extend(depth: int) -> None:
        square, known, candidates = steps[depth]
        wanted = tuple([sign * board[there][2][facing] for _, there, facing in known])
        for placed in candidates.get(wanted, ()):
            if placed[0] not in used:
                used.add(placed[0])
                board[square] = placed
                visit(depth + 1, board)
                if depth + 1 < len(steps):
                    extend(depth + 1)
                del board[square]
                used.remove(placed[0])

    extend(0)


def all_solutions(puzzle, most_solutions: int = 2_000, most_steps: int = 200_000) -> set[Arrangement]:
    """Every arrangement of the numbered pieces, found row by row from the top left."""
    squares = puzzle.rows * puzzle.columns
    found: set[Arrangement] = set()
    steps = 0

    def visit(depth: int, board: dict) -> None:
        nonlocal steps
        steps += 1
        if depth == squares:
            found.add(placements(board))
        if steps > most_steps or len(found) > most_solutions:
            raise TooMuch

    walk(puzzle, range(squares), visit)
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
            if piece not in pinned and (piece, piece, turn) in looks_alike(puzzle.pieces):
                yield {**board, square: (piece, (rotation + turn) % 4)}
    place = {piece: square for square, (piece, _) in board.items()}
    for a, b, turn in looks_alike(puzzle.pieces):
        if a != b and not {a, b} & pinned:
            swapped = dict(board)
            if a in place:
                swapped[place[a]] = (b, (board[place[a]][1] + turn) % 4)
            if b in place:
                swapped[place[b]] = (a, (board[place[b]][1] - turn) % 4)
            yield swapped


@cache
def looks_alike(pieces) -> dict[tuple[int, int, int], None]:
    """Pieces a <= b and the turns of b that make it look like a."""
    pairs = combinations_with_replacement(range(len(pieces)), 2)
    alike = product(pairs, range(4))
    return {(a, b, turn): None for (a, b), turn in alike if spin(pieces[b], turn) == list(pieces[a])}


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
    nodes = [0] * len(order)

    def visit(depth: int, board: dict) -> None:
        nodes[depth - 1] += 1

    walk(puzzle, order, visit)
    return nodes


def fillings_with_slips(puzzle, order, slips, most: int = 20_000, frame_slips=()) -> list[list[dict]]:
    """For 1, 2, ... squares of the order, all fillings that the slip arrays permit, by their definition.

    With p pieces on the board at most as many inner joins are invalid as `slips` has entries of at most p, and at most
    as many joins along the frame as `frame_slips` has.  A filling is {(row, column): (piece, rotation, sides shown)}.
    """
    pinned = {divmod(f.square, puzzle.columns): (f.piece, f.rotation) for f in puzzle.fixed}
    taken = {piece for piece, _ in pinned.values()}
    looks = [(p, r, spin(sides, r)) for p, sides in enumerate(puzzle.pieces) for r in range(4)]
    fillings: list[tuple[dict, int, int]] = [({}, 0, 0)]
    by_depth = []
    for p, square in enumerate(order, start=1):
        place = divmod(square, puzzle.columns)
        most_inner, most_along = (sum(1 for depth in array if depth <= p) for array in (slips, frame_slips))
        extended = []
        for placed in looks:
            if pinned.get(place, placed[:2]) != placed[:2] or (place not in pinned and placed[0] in taken):
                continue
            if not is_within(puzzle, place, placed[2]):
                continue
            for filling, inner, along in fillings:
                if all(placed[0] != piece for piece, _, _ in filling.values()):
                    more_inner, more_along = invalid_around(puzzle, filling, place, placed[2])
                    if inner + more_inner <= most_inner and along + more_along <= most_along:
                        extended.append(({**filling, place: placed}, inner + more_inner, along + more_along))
            if len(extended) > most:
                raise TooMuch
        fillings = extended
        by_depth.append([filling for filling, _, _ in fillings])
    return by_depth


def is_within(puzzle, place, sides) -> bool:
    """Whether the sides of a piece are border where the frame is, and nowhere else."""
    (r, c), (up, right, down, left) = place, sides
    return (up == 0, right == 0, down == 0, left == 0) == (
        r == 0, c == puzzle.columns - 1, r == puzzle.rows - 1, c == 0
    )  # fmt: skip


def invalid_around(puzzle, filling, place, sides) -> tuple[int, int]:
    """How many joins of a piece with those that lie there are invalid: inner ones, and those along the frame."""
    r, c = place
    inner = frame = 0
    for side, there in enumerate(((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))):
        if there in filling and not fits(puzzle, sides[side], filling[there][2][(side + 2) % 4]):
            along = r in (0, puzzle.rows - 1) if side % 2 else c in (0, puzzle.columns - 1)
            inner, frame = inner + (not along), frame + along
    return inner, frame


def invalid_joins(puzzle, board, along=float("inf")) -> float:
    """How many joins of a filling are invalid; infinitely many if it breaks a rule that no slip allows.

    One along the frame counts as `along`, infinitely much without slips there.
    """
    last_row, last_column = puzzle.rows - 1, puzzle.columns - 1
    invalid = 0
    for (r, c), (_, _, (up, right, down, left)) in board.items():
        if (up == 0) != (r == 0) or (right == 0) != (c == last_column):
            return float("inf")
        if (down == 0) != (r == last_row) or (left == 0) != (c == 0):
            return float("inf")
        if (r, c + 1) in board and not fits(puzzle, right, board[r, c + 1][2][3]):
            invalid += along if r in (0, last_row) else 1
        if (r + 1, c) in board and not fits(puzzle, down, board[r + 1, c][2][0]):
            invalid += along if c in (0, last_column) else 1
    return invalid


def full_boards(puzzle, most: int) -> list[tuple[int, dict]]:
    """Every full board with at most that many invalid joins, and their number, the fewest first.

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


def is_bound_by_order(puzzle, order, slips, frame_slips=()) -> bool:
    """Whether fewer joins may be invalid at some depth than there are, although an array has slips left for later."""
    last_row, last_column = puzzle.rows - 1, puzzle.columns - 1
    there = set()
    inner = frame = 0
    for p, square in enumerate(order, start=1):
        r, c = divmod(square, puzzle.columns)
        beside, stacked = ((r, c - 1) in there) + ((r, c + 1) in there), ((r - 1, c) in there) + ((r + 1, c) in there)
        frame += beside * (r in (0, last_row)) + stacked * (c in (0, last_column))
        inner += beside * (r not in (0, last_row)) + stacked * (c not in (0, last_column))
        there.add((r, c))
        for joins, array in ((inner, slips), (frame, frame_slips)):
            if sum(depth <= p for depth in array) < min(joins, len(array)):
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
