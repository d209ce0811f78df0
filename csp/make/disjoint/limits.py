"""Which jigsaws with three solutions that have no join in common exist or can be found."""

from ...puzzles.board import Board

# The least use with which annealing has found exactly three solutions without a common join, for squares and a few
# other sizes; the next one is tried for all others.
LEAST_USE: dict[tuple[int, int], int] = {}

# Groups to try in turn, by their generators (see `annealing.generator`), for boards that are square or not.
SYMMETRIES = {True: (("d555", "s755"), ("d577", "s311"), ("d555",)), False: (("s200",), ("d646",))}


def default_use(rows: int, columns: int, solutions: int, disjoint: bool) -> int:
    """The largest number of joins of a connector if none is given."""
    if not disjoint or solutions < 3:
        return 2
    return LEAST_USE.get((min(rows, columns), max(rows, columns)), max(LEAST_USE.values(), default=8))


def symmetries_of_pairs(rows: int, columns: int) -> tuple[tuple[str, ...], ...]:
    """Groups that work well for such boards."""
    return SYMMETRIES[rows == columns]


def why_not_disjoint(rows: int, columns: int, solutions: int, max_use: int) -> tuple[str, ...] | None:
    """Why there is no jigsaw with so many solutions without a common join, and the options that this is about."""
    if max_use < solutions:
        sides = f"{max_use} positive and {max_use} negative sides"
        return (
            f"a connector on {max_use} joins has {sides}, so at most {max_use} solutions have no join in common; "
            f"for {solutions} of them give --max-use {default_use(rows, columns, solutions, True)} or more",
            "max_use",
        )
    if solutions > 3:
        return (f"must be 2 or 3 with --disjoint, not {solutions}: no way to more is known", "solutions")
    return None


def fewest_joins(board: Board) -> int:
    return board.join_count
