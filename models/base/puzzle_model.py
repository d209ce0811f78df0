"""What models of all kinds of puzzles share: their size, and a line that says what they are."""

from typing import TYPE_CHECKING, Any, NamedTuple

from ...csp.base.errors import grouped
from ...csp.base.notebook import short

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    #: What has the values of a solution: a solver that has found one, or a callback.
    Values = cp_model.CpSolver | cp_model.CpSolverSolutionCallback


class ModelSize(NamedTuple):
    """The size of a model; the constraints of a formula are its clauses."""

    variables: int
    constraints: int


class PuzzleModel:
    """The model of a puzzle, by an encoding; the repr has its size."""

    #: What the constraints are called.
    constraints = "constraints"
    puzzle: Any
    encoding: Any

    @property
    def size(self) -> ModelSize:
        """The numbers of variables and of constraints, including your own."""
        raise NotImplementedError

    def __repr__(self) -> str:
        variables, constraints = self.size
        size = f"{grouped(variables)} variables, {grouped(constraints)} {self.constraints}"
        return short(f"{type(self).__name__} {self.puzzle.name}: {size}, encoding {self.encoding}")


class PuzzleCp(PuzzleModel):
    """A model of CP-SAT."""

    model: Any

    @property
    def size(self) -> ModelSize:
        """The numbers of variables and of constraints, including your own."""
        return ModelSize(len(self.model.proto.variables), len(self.model.proto.constraints))
