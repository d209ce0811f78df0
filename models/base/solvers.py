"""The SAT solvers of PySAT, and those of them that write proofs."""

from pysat.solvers import SolverNames

from ...csp.base.errors import EngineError, misspelt

#: PySAT lists two solvers that need libraries that do not come with it.
SOLVERS = tuple(
    name for name in sorted(vars(SolverNames)) if not name.startswith("_") and name not in ("cryptosat", "minisatgh")
)

# Those without proofs, and maplesat, whose proofs PySAT returns with other variables than the formula's.
_WITHOUT_PROOF = frozenset({"kissat404", "maplesat", "mergesat3", "minicard", "minisat22", "minisatep"})

#: The solvers that write proofs.
PROVERS = tuple(name for name in SOLVERS if name not in _WITHOUT_PROOF)


def checked_solver(solver: str) -> str:
    """The name of a solver; raises EngineError if it is unknown."""
    if solver not in SOLVERS:
        raise EngineError(f"unknown solver {misspelt(solver, SOLVERS)}, choose from {', '.join(SOLVERS)}")
    return solver


def check_prover(solver: str) -> None:
    """Raise EngineError for a solver that does not write proofs."""
    if solver not in PROVERS:
        named = misspelt(solver, PROVERS)
        raise EngineError(f"the solver {named} writes no proofs; those that do: {', '.join(PROVERS)}")
