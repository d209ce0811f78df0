"""The engine `maxsat:rc2`: the best score as a MaxSAT problem, valid joins being the soft clauses."""

from collections.abc import Iterator

from ...csp.base.enforced import enforced
from ...csp.base.errors import EngineError, misspelt
from ...csp.engines.request import Goal, some_options
from ...csp.puzzles.board import Arrangement
from ..base.encodings import Encoding, cnf_encoding
from ..base.solver_process import SolverProcess
from ..squares.cnf import EdgeMatchingCNF
from .model_engine import ModelEngine, ModelRun, Watch

SOLVERS = ("rc2",)


class MaxSat(ModelEngine):
    """RC2 (Ignatiev, Morgado, Marques-Silva 2019): from above, by unsatisfiable cores, to the best score."""

    solvers = SOLVERS
    goals = frozenset({Goal.BEST})
    takes = some_options("encoding", "order", "slips", "frame_slips")
    waits = True
    libraries = ("python-sat",)

    def __init__(self, solver: str = "rc2") -> None:
        if solver not in SOLVERS:
            raise EngineError(f"unknown MaxSAT solver {misspelt(solver, SOLVERS)}, choose from {', '.join(SOLVERS)}")
        self.name = f"maxsat:{solver}"

    def encoding(self, text: str | None) -> Encoding:
        return cnf_encoding(text)

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
        with SolverProcess("rc2") as solver:
            with enforced(run.stop, "building the model"):
                model = EdgeMatchingCNF(run.domains, run.encoding)
                solver.add(model.clauses.blocks())
            run.built()
            if watch():
                return
            solver.send("maximise", model.deciding, (-model.variables.invalid).tolist())
            true = solver.answer(watch)
            run.statistics = solver.statistics
        if true is None:
            return
        run.exhausted = True
        if true is not False:
            run.better(next(run.domains.tally().arrangements(model.rows(true[None]))))
            assert run.best is not None
            yield run.best
