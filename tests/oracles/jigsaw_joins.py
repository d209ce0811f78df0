"""What the assemblies of a jigsaw force, by plain means: which darts meet, and which connectors that makes."""

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def facing(rows, columns, board):
    """For each dart (piece, side) the one that it faces, or None on the border; each piece must lie on one square."""
    assert sorted(piece for piece, _ in board) == list(range(rows * columns))
    shows = {
        (*divmod(at, columns), (side + turns) % 4): (piece, side)
        for at, (piece, turns) in enumerate(board)
        for side in range(4)
    }
    return {
        dart: shows.get((row + STEPS[side][0], column + STEPS[side][1], (side + 2) % 4))
        for (row, column, side), dart in shows.items()
    }


def unturned(rows, columns):
    """The first assembly."""
    return [(square, 0) for square in range(rows * columns)]


def joins(rows, columns, board):
    """The pairs of darts that meet."""
    return {frozenset((dart, other)) for dart, other in facing(rows, columns, board).items() if other is not None}


def connectors(rows, columns, *boards):
    """The connector of each dart for which all boards fit, numbers from 1 with a sign; no two classes the same."""
    meets = [facing(rows, columns, board) for board in boards]
    for dart in meets[0]:
        borders = {other[dart] is None for other in meets}
        assert len(borders) == 1, f"{dart}: on the border in one of them only"
    found, number = {}, 0
    for start in sorted(dart for dart, other in meets[0].items() if other is not None):
        number += start not in found
        waiting = [] if start in found else [(start, number)]
        for dart, connector in waiting:
            if dart not in found:
                found[dart] = connector
                waiting += [(other[dart], -connector) for other in meets]
    return found


def uses(rows, columns, *boards):
    """The number of joins of each connector."""
    numbers = [abs(connector) for connector in connectors(rows, columns, *boards).values()]
    return [numbers.count(number) // 2 for number in sorted(set(numbers))]


def pieces(rows, columns, *boards):
    """The sides of the pieces with these connectors."""
    found = connectors(rows, columns, *boards)
    return tuple(tuple(found.get((piece, side), 0) for side in range(4)) for piece in range(rows * columns))


def are_plain(sides):
    """Whether no two pieces are equal, and none looks the same after a half turn."""
    looks = {min(own[turn:] + own[:turn] for turn in range(4)) for own in sides}
    return len(looks) == len(sides) and not any(own[:2] == own[2:] for own in sides)
