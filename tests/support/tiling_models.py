"""All solutions of the models of a dissection, as rows of placements and as tilings."""

import numpy as np

from all_models import all_models
from cp_solutions import cp_solutions


def models(formula):
    """Rows of placements, one for each model that differs in the placements."""
    pieces = len(formula.puzzle.pieces)
    found = [sorted(true) for true in all_models(list(formula.clauses), range(1, len(formula.deciding) + 1))]
    assert all(len(true) == pieces for true in found)
    return formula.rows(np.array(found, dtype=np.int64).reshape(-1, pieces))


def cp_rows(model):
    """The same for a model of CP-SAT."""
    rows = cp_solutions(model.model, lambda found: model.domains.rows(model.there(found)[None])[0])
    return np.array(rows, dtype=np.int64).reshape(-1, len(model.puzzle.pieces))


def tilings(domains, rows):
    slots = domains.tally().slot_of_piece
    return [tuple(map(domains.placements.polygon, row[slots].tolist())) for row in rows]


def counted(domains, rows):
    tally = domains.tally()
    tally.add(rows)
    return tally.count, tally.canonical_count
