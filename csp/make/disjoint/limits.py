"""Which jigsaws with three solutions without a common join can be made."""

# The largest use of connectors if none is given, for squares of odd and of even size, and for other boards: less takes
# longer, and for most sizes finds nothing.
USE_OF_ODD, USE_OF_EVEN, USE_OF_OTHERS = 6, 8, 10

# The sizes of which such jigsaws have been found, shorter sides first, and the least use of their connectors.
FOUND = {(5, 5): 6, (5, 7): 7, (6, 6): 5, (7, 7): 3, (8, 8): 7, (9, 9): 6}

# The sizes for which a complete search finds none, whatever the use of connectors (tests/csp/make/disjoint).
EXCLUDED = frozenset({(3, 3), (3, 4), (3, 5)})

# The most squares of boards on which a SAT solver finds such jigsaws sooner than annealing does.
MOST_REFINED = 36

# The group of symmetries, by its generators (see `annealing.generator`), for boards that are square or not.
SYMMETRIES_TO_REFINE = {True: (("d222", "d777"),), False: (("d222", "d444"),)}
SYMMETRIES = {True: (("d222", "d777"),), False: (("d222", "s644"), ("d222",))}
# The same for squares of even size: reflection exchanges the two scrambles.
SYMMETRIES_OF_EVEN = (("d222", "d777", "s444"),)


def symmetries_of_pairs(rows: int, columns: int) -> tuple[tuple[str, ...], ...]:
    """The groups of symmetries to try in turn, when annealing."""
    return SYMMETRIES_OF_EVEN if rows == columns and rows % 2 == 0 else SYMMETRIES[rows == columns]


def symmetries_to_refine(rows: int, columns: int) -> tuple[tuple[str, ...], ...]:
    """The groups of symmetries to try in turn, with a SAT solver."""
    return SYMMETRIES_TO_REFINE[rows == columns]


def use_of_three(rows: int, columns: int) -> int:
    """The largest use of connectors if none is given."""
    if rows != columns:
        return USE_OF_OTHERS
    return USE_OF_ODD if rows % 2 else USE_OF_EVEN


def why_not_found(rows: int, columns: int, max_use: int) -> tuple[str, ...] | None:
    """Why no search for such a jigsaw is promising; None if one is.

    Returns
    -------
    The reason and the options that it is about, for UsageError.
    """
    short, long = sorted((rows, columns))
    least, size, more = FOUND.get((short, long)), f"{rows}x{columns}", "with --method annealing the search is tried"
    if least is None:
        nearest = sorted(FOUND, key=lambda found: abs(found[0] - short) + abs(found[1] - long))[:2]
        words = " and ".join(f"{one}x{other}" for one, other in nearest)
        return f"no {size} jigsaw with 3 disjoint solutions is known; the nearest sizes are {words}; {more}", "disjoint"
    if max_use < least:
        return f"must be {least} or more, not {max_use}: with fewer no {size} jigsaw is known; {more}", "max_use"
    return None


def why_not_disjoint(rows: int, columns: int, solutions: int, max_use: int) -> tuple[str, ...] | None:
    """Why there is no jigsaw with that many solutions without a common join; None if there may be one.

    Returns
    -------
    The reason and the options that it is about, for UsageError.

    Notes
    -----
    If each connector is on three joins, three divides the number of joins, and that of joins of the frame, because
    sides of the frame meet in every solution: 2 rows columns - rows - columns and 2 (rows + columns - 2).  So rows and
    columns are 1, 4, 7, ...; the frames of 4x4 exclude each other.
    """
    if solutions > 3:
        return f"at most 3 solutions without a common join can be made, not {solutions}", "solutions", "disjoint"
    if max_use < 3:
        more = use_of_three(rows, columns)
        return (
            f"must be 3 or more, not {max_use}: a connector on two joins has two positive and two negative sides, "
            f"which meet in two ways only, so three solutions share joins; try {more}, or 3 for 7x7",
            "max_use",
            "disjoint",
        )
    size = f"{rows}x{columns}"
    if min(rows, columns) < 3:
        return f"{size} is too narrow: rows and columns must be at least 3; 7x7 can be made", "disjoint"
    if (min(rows, columns), max(rows, columns)) in EXCLUDED:
        return (
            f"no {size} jigsaw of different pieces has three solutions without a common join, as a complete search "
            "shows; the nearest size that can be made is 5x5",
            "disjoint",
        )
    if max_use == rows - 1 == columns - 1 == 3:
        return (
            "must be 4 or more for 4x4, not 3: if each connector is on three joins, no three frames go together, as a "
            "complete search shows; 7x7 can be made",
            "max_use",
            "disjoint",
        )
    if max_use == 3 and (rows % 3, columns % 3) != (1, 1):
        return (
            f"must be 4 or more for {size}, not 3: if each connector is on three joins, three divides the number of "
            "joins of the frame and that of all joins, so rows and columns must be 4, 7, 10, ...; 7x7 can be made",
            "max_use",
            "disjoint",
        )
    return None
