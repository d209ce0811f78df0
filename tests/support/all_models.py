"""All models of clauses, as far as some variables decide them."""

from pysat.solvers import Solver


def all_models(clauses, deciding, solver="cadical195"):
    """Yield the true ones among the deciding variables, once for each combination that some model has."""
    deciding = {int(variable) for variable in deciding}
    with Solver(solver, bootstrap_with=clauses) as search:
        while search.solve():
            true = deciding.intersection(search.get_model() or ())
            yield true
            if not deciding:
                return
            search.add_clause([-variable if variable in true else variable for variable in deciding])
