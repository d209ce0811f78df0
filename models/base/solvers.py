"""The SAT solvers of PySAT, and those of them that write proofs."""

from pysat.solvers import SolverNames

from ...csp.base.errors import EngineError, misspelt

#: PySAT lists two solvers that need libraries it does not come with.
SOLVERS = tuple(
    name for name in sorted(vars(SolverNames)) if not name.startswith("_") and name not in ("cryptosat", "minisatgh")
)

# Those that keep no proof, and maplesat, whose proofs PySAT hands over with other variables than the formula's.
_WITHOUT_PROOF = frozenset({"kissat404", "maplesat", "mergesat3", "minicard", "minisat22", "minisatep"})

#: The solvers that write proofs.
PROVERS = tuple(name for name in SOLVERS if name not in _WITHOUT_PROOF)


def checked_solver(solver: str) -> str:
    """The name of a solver; raises EngineError if there is none of that name."""
    if solver not in SOLVERS:
        raise EngineError(f"unknown solver {misspelt(solver, SOLVERS)}, choose from {', '.join(SOLVERS)}")
    return solver


def check_prover(solver: str) -> None:
    """Refuse a solver that writes no proofs; raises EngineError."""
    if solver not in PROVERS:
        named = misspelt(solver, PROVERS)
        raise EngineError(f"the solver {named} writes no proofs; those that do: {', '.join(PROVERS)}")
