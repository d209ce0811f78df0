"""Balanced rotation sets of small puzzles by their definition; shares no code with the models and the counts."""

from itertools import product

from brute_force import TooMuch, spin


def is_balanced(puzzle, chosen):
    """The definition: chosen has (piece, rotation, shade of its square), the shade None without a checkerboard."""
    rows, columns = puzzle.rows, puzzle.columns
    checkerboard = any(shade is not None for _, _, shade in chosen)
    squares, kinds, sides = [], [], []
    for r, c in product(range(rows), range(columns)):
        squares.append((r == 0, c == columns - 1, r == rows - 1, c == 0, (r + c) % 2 if checkerboard else None))
    for piece, rotation, shade in chosen:
        looks = spin(puzzle.pieces[piece], rotation)
        kinds.append((*(side == 0 for side in looks), shade))
        sides += [(side, looks[side], shade) for side in range(4) if looks[side] != 0]
    if sorted(squares, key=str) != sorted(kinds, key=str):
        return False
    for side, color, shade in sides:
        mate = color if puzzle.kind == "edge-matching" else -color
        facing = ((side + 2) % 4, mate, 1 - shade if checkerboard else None)
        if sides.count((side, color, shade)) != sides.count(facing):
            return False
    return True


def balanced_sets(puzzle, checkerboard, most=20_000):
    """All balanced sets, by trying every stance of every piece: for each piece None or (piece, rotation, shade)."""
    shades = (0, 1) if checkerboard else (None,)
    pinned = {f.piece: (f.rotation, sum(divmod(f.square, puzzle.columns)) % 2) for f in puzzle.fixed}
    choices = []
    for piece in range(len(puzzle.pieces)):
        if piece in pinned:
            rotation, shade = pinned[piece]
            choices.append([(piece, rotation, shade if checkerboard else None)])
        else:
            choices.append([None, *((piece, rotation, shade) for rotation in range(4) for shade in shades)])
    total = 1
    for choice in choices:
        total *= len(choice)
    if total > most:
        raise TooMuch
    return {
        chosen
        for chosen in product(*choices)
        if len(used := [one for one in chosen if one is not None]) == puzzle.rows * puzzle.columns
        and is_balanced(puzzle, used)
    }
