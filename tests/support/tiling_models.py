"""All solutions of the models of a dissection, as rows of placements and as tilings."""

import numpy as np
from pysat.solvers import Solver

from cp_solutions import cp_solutions


def models(formula):
    """Rows of placements, one for each model that differs in the placements."""
    found = []
    with Solver("cadical195", bootstrap_with=list(formula.clauses)) as solver:
        while solver.solve():
            literals = np.array(solver.get_model())
            true = literals[(literals > 0) & (literals <= len(formula.deciding))]
            assert len(true) == len(formula.puzzle.pieces)
            found.append(formula.rows(true[None])[0])
            solver.add_clause((-true).tolist())
    return np.array(found, dtype=np.int64).reshape(-1, len(formula.puzzle.pieces))


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
