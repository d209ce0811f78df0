"""The ways to deal colours to places, and what has to stay as it is: which fixed pieces meet validly."""

from itertools import combinations


def deals(colors, length):
    """The different ways to put colours, each as often as given, on a number of places."""
    if not colors:
        yield ()
        return
    (color, number), *others = colors.items()
    for places in combinations(range(length), number):
        rest = [place for place in range(length) if place not in places]
        for deal in deals(dict(others), len(rest)):
            row = [color] * length
            for place, other in zip(rest, deal, strict=True):
                row[place] = other
            yield tuple(row)


def fixed_pattern(puzzle):
    """Which joins between fixed pieces are valid."""
    shown = {fixed.square: _shown(puzzle, fixed) for fixed in puzzle.fixed}
    return [
        shown[j.first][j.side] == puzzle.mate(shown[j.second][(j.side + 2) % 4])
        for j in puzzle.board.joins()
        if j.first in shown and j.second in shown
    ]


def _shown(puzzle, fixed):
    sides = puzzle.pieces[fixed.piece]
    return [sides[(side - fixed.rotation) % 4] for side in range(4)]
