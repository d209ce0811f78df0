"""All solutions of a model of CP-SAT."""

from ortools.sat.python import cp_model


class Collector(cp_model.CpSolverSolutionCallback):
    """Keeps what a function sees in each solution."""

    def __init__(self, see):
        super().__init__()
        self._see = see
        self.seen = []

    def on_solution_callback(self):
        self.seen.append(self._see(self))


def cp_solutions(model, see):
    """What `see` makes of each solution, of which it is given the values; CP-SAT says that there are no more."""
    assert model.validate() == ""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.linearization_level = 0
    collector = Collector(see)
    status = solver.solve(model, collector)
    assert status == (cp_model.OPTIMAL if collector.seen else cp_model.INFEASIBLE)
    return collector.seen
