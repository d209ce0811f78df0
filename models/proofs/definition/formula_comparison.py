"""The result of comparing a formula with the definition of its claim."""

from dataclasses import dataclass
from typing import Any

from ....csp.base.words import grouped


@dataclass(frozen=True)
class FormulaComparison:
    """The result of comparing a formula with the definition of its claim."""

    #: The number of its clauses.
    clauses: int
    #: Whether both encoders make the same clauses.
    equal: bool = False
    #: How many clauses follow from the definition by unit propagation, and how many by a search.
    propagated: int = 0
    searched: int = 0
    #: How many were not decided.
    undecided: int = 0
    #: The first clause, by its number, that does not follow, or that only one of the encoders makes; None if there is
    #: no such clause.
    wrong: int | None = None

    def record(self) -> dict[str, Any]:
        """The entry ``formula`` of the object that ``jigsat certify --verify CERTIFICATE --json`` prints."""
        return {
            "clauses": self.clauses,
            "equal": self.equal,
            "by_propagation": self.propagated,
            "by_search": self.searched,
            "undecided": self.undecided,
        }

    def __str__(self) -> str:
        clauses = f"{grouped(self.clauses)} clauses"
        if self.wrong is not None:
            return f"clause {self.wrong} of the formula does not follow from the definition by the second encoder"
        if self.equal:
            return f"the second encoder makes the same {clauses}"
        how = f"{grouped(self.propagated)} by unit propagation, {grouped(self.searched)} by search"
        if self.undecided:
            left = f"{grouped(self.undecided)} were not decided"
            return f"of the {clauses} {grouped(self.clauses - self.undecided)} follow from the definition; {left}"
        return f"all {clauses} follow from the definition by the second encoder ({how})"
