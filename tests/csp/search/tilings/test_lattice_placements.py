"""Which placements overlap, by clipping polygons with fractions."""

from fractions import Fraction

import numpy as np
import pytest

from jigsat.csp.files.instances import read_puzzle as read
from jigsat.csp.search.tilings import lattice_placements
from jigsat.csp.search.tilings.lattice import unpacked
from jigsat.csp.search.tilings.lattice_placements import find_placements


def shared_area(one, other):
    """Twice the area that two convex polygons have in common (Sutherland and Hodgman 1974)."""
    left = [(Fraction(x), Fraction(y)) for x, y in one]
    for (x0, y0), (x1, y1) in zip(other, (*other[1:], other[0]), strict=True):

        def side(point, x0=x0, y0=y0, x1=x1, y1=y1):
            return (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)

        clipped = []
        for p, q in zip(left, [*left[1:], *left[:1]], strict=True):
            if side(p) >= 0:
                clipped.append(p)
            if side(p) * side(q) < 0:
                part = side(p) / (side(p) - side(q))
                clipped.append((p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])))
        left = clipped
    return sum(
        (p[0] * q[1] - q[0] * p[1] for p, q in zip(left, [*left[1:], *left[:1]], strict=True)), start=Fraction(0)
    )


@pytest.mark.parametrize("room", [2**16, 20, 0], ids=lambda room: f"{room} moves")
def test_disjoint_placements(monkeypatch, room):
    """The same with and without room for the moves of two shapes against each other."""
    monkeypatch.setattr(lattice_placements, "_MOST_MOVES", max(room, 1))
    placements = find_placements(read("l-shape"))
    disjoint = unpacked(placements.disjoint, len(placements))
    apart = [[not shared_area(one, other) for other in placements.lattice] for one in placements.lattice]
    assert 0 < disjoint.sum() < disjoint.size
    assert disjoint.tolist() == np.array(apart, dtype=np.uint8).tolist()
