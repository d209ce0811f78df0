"""The candidates of a beam's boards: against rows that are kept in full."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.search.beam.beam_search import Lineage
from property_tests import examples


def grown(lineage, width, steps, chance, *, newest=False):
    """A lineage of random parents, and the row of every board at its end."""
    rows = [()]
    for _ in range(steps):
        parents, candidates = lineage.begin_step(len(rows))
        children = []
        for child in range(chance.randint(1, width)):
            parents[child] = 0 if newest else chance.randrange(len(rows))
            candidates[child] = chance.randrange(1 << 32)
            children.append((*rows[parents[child]], int(candidates[child])))
        rows = children
    return rows


@examples(60)
@given(st.integers(1, 20), st.integers(0, 60), st.integers(0, 1 << 32))
def test_every_board_keeps_its_row(width, steps, seed):
    lineage = Lineage(width)
    rows = grown(lineage, width, steps, Random(seed))
    numbers = np.array([Random(seed).randrange(len(rows)) for _ in range(5)])
    assert [tuple(row) for row in lineage.rows(numbers).tolist()] == [rows[number] for number in numbers]
    if steps:
        assert lineage.candidates(len(rows)).tolist() == [row[-1] for row in rows]


def test_boards_without_descendants_take_no_memory():
    lineage = Lineage(1_000)
    grown(lineage, 1_000, 200, Random(1), newest=True)
    assert sum(len(rows) for rows, _ in lineage._chapters) < 1_000 + 200
