"""The SAT solvers of PySAT, and those of them that write proofs."""

from pysat.solvers import SolverNames

#: PySAT lists two solvers that need libraries it does not come with.
SOLVERS = tuple(
    name for name in sorted(vars(SolverNames)) if not name.startswith("_") and name not in ("cryptosat", "minisatgh")
)

# Those that keep no proof, and maplesat, whose proofs PySAT hands over with other variables than the formula's.
_WITHOUT_PROOF = frozenset({"kissat404", "maplesat", "mergesat3", "minicard", "minisat22", "minisatep"})

#: The solvers that write proofs.
PROVERS = tuple(name for name in SOLVERS if name not in _WITHOUT_PROOF)
