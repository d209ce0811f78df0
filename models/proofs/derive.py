"""Whether the clauses of a formula follow from those of another one.

Each variable of the formula has a meaning in terms of the other one's, or is given one: an auxiliary variable is true
exactly if the clauses with which it was introduced make it so.  As such meanings only define variables, any will do: a
wrong one cannot make a clause follow that should not, it can only keep one from following.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pysat.solvers import Solver

from ...csp.base.errors import grouped
from ...csp.base.stop import StoppedError, never

# Unit propagation decides almost every clause; the search for the others ends after this number of conflicts.
_MOST_CONFLICTS = 20_000


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


def derive(
    known: Sequence[Sequence[int]],
    clauses: Sequence[Sequence[int]],
    meanings: Mapping[int, Sequence[int]],
    absent: Iterable[int] = (),
    must_stop: Callable[[], bool] = never,
) -> FormulaComparison:
    """Whether clauses follow from known ones, but for the meanings of their variables.

    - `known`: the known clauses.
    - `clauses`: the clauses that may follow.
    - `meanings`: for variables of `clauses` the literals of `known`, of which at least one is true exactly if the
      variable is. Variables without a meaning get one.
    - `absent`: literals of `known` that are false in all models, as far as unit propagation shows; the others are
      ignored.
    - `must_stop`: is called often; returns whether to give up.

    Raises StoppedError if `must_stop` asks to stop.

    Examples
    --------
    At most one of 1, 2 and 3 is true: the variables 4 and 5 say that one of the first one or two is.

    >>> pairs, ladder = [[-1, -2], [-1, -3], [-2, -3]], [[-1, 4], [-4, 5], [-2, -4], [-2, 5], [-3, -5]]
    >>> print(derive(pairs, ladder, {1: [1], 2: [2], 3: [3]}))
    all 5 clauses follow from the definition by the second encoder (5 by unit propagation, 0 by search)
    """
    with Solver("glucose4", bootstrap_with=known) as solver:
        _exclude(solver, list(absent), must_stop)
        top = max((abs(literal) for clause in known for literal in clause), default=0)
        literal_of = _Meanings(solver, top, meanings).of_all(clauses)
        translated = [[literal_of[lit] if lit > 0 else -literal_of[-lit] for lit in clause] for clause in clauses]
        left = _not_propagated(solver, translated, must_stop)
        searched = undecided = 0
        for number in left:
            if must_stop():
                raise StoppedError
            solver.conf_budget(_MOST_CONFLICTS)
            found = solver.solve_limited(assumptions=[-literal for literal in translated[number]])
            if found:
                return FormulaComparison(len(clauses), wrong=number + 1)
            searched += found is False
            undecided += found is None
            if found is False:
                solver.add_clause(translated[number])
        propagated = len(clauses) - len(left)
        return FormulaComparison(len(clauses), propagated=propagated, searched=searched, undecided=undecided)


def _exclude(solver: Solver, literals: list[int], must_stop: Callable[[], bool]) -> None:
    """Add that literals are false whose truth leads to a contradiction, until there are no more."""
    changed = True
    while changed:
        changed, left = False, []
        for literal in literals:
            if must_stop():
                raise StoppedError
            if _propagated(solver, [literal]) is not None:
                left.append(literal)
            else:
                solver.add_clause([-literal])
                changed = True
        literals = left


def _not_propagated(solver: Solver, clauses: list[list[int]], must_stop: Callable[[], bool]) -> list[int]:
    """The numbers of the clauses whose negation does not lead to a contradiction by unit propagation."""
    left = []
    pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, clause in enumerate(clauses):
        if len(clause) == 2:
            pairs[clause[0]].append((clause[1], number))
            continue
        if number % 100 == 0 and must_stop():
            raise StoppedError
        if not _contradicts(solver, clause):
            left.append(number)
    for first, others in pairs.items():
        if must_stop():
            raise StoppedError
        true = _propagated(solver, [-first])
        if true is not None:
            left += [n for other, n in others if other not in true and not _contradicts(solver, [first, other])]
    return sorted(left)


def _contradicts(solver: Solver, clause: list[int]) -> bool:
    there = set(clause)
    return any(-literal in there for literal in there) or _propagated(solver, [-lit for lit in clause]) is None


def _propagated(solver: Solver, assumed: list[int]) -> set[int] | None:
    """The literals that unit propagation makes true, with the assumed ones; None if that leads to a contradiction."""
    possible, true = solver.propagate(assumed) or (True, [])
    return set(true) if possible else None


class _Meanings:
    """Gives each variable of a formula a literal that is equivalent to its meaning."""

    def __init__(self, solver: Solver, top: int, given: Mapping[int, Sequence[int]]) -> None:
        self._solver, self._top = solver, top
        self._literals = {variable: self._one_of(list(literals)) for variable, literals in given.items()}

    def of_all(self, clauses: Sequence[Sequence[int]]) -> dict[int, int]:
        """The literals of all variables of these clauses."""
        heads: dict[int, list[Sequence[int]]] = defaultdict(list)
        missing = {abs(literal) for clause in clauses for literal in clause} - set(self._literals)
        for clause in clauses:
            if not missing.issuperset(clause):  # else it only says that one of them is true
                for literal in missing.intersection(clause):
                    heads[literal].append(clause)
        order = sorted(missing)
        while order:
            left = [variable for variable in order if not self._define(variable, heads[variable], _waits_for_all)]
            if len(left) == len(order):  # some wait for each other
                left.remove(self._define_one(left, heads))
            order = left[::-1]  # variables may be introduced after or before those on which they depend
        return self._literals

    def _define_one(self, variables: list[int], heads: Mapping[int, list[Sequence[int]]]) -> int:
        """Define one of several variables that wait for each other, and return it."""
        for waits, several in ((_waits_for_conditions, variables), (_waits_for_nothing, sorted(variables))):
            for variable in several:
                if self._define(variable, heads[variable], waits):
                    return variable
        self._literals[variables[0]] = self._one_of([])
        return variables[0]

    def _define(self, variable: int, heads: list[Sequence[int]], waits: Callable[[list[int]], bool]) -> bool:
        """Define a variable by the clauses that can make it true, unless it waits for what is undefined in them."""
        bodies = [[-literal for literal in clause if literal != variable] for clause in heads]
        undefined = [[literal for literal in body if abs(literal) not in self._literals] for body in bodies]
        ready = [body for body, missing in zip(bodies, undefined, strict=True) if not missing]
        if any(map(waits, filter(None, undefined))) or (heads and not ready):
            return False
        self._literals[variable] = self._one_of([self._all_of(body) for body in ready])
        return True

    def _all_of(self, body: list[int]) -> int:
        literals = [self._literals[lit] if lit > 0 else -self._literals[-lit] for lit in body]
        return -self._one_of([-literal for literal in literals])

    def _one_of(self, literals: list[int]) -> int:
        """A literal that is true exactly if one of these is."""
        if len(literals) == 1:
            return literals[0]
        self._top += 1
        self._solver.add_clause([-self._top, *literals])
        for literal in literals:
            self._solver.add_clause([self._top, -literal])
        return self._top


def _waits_for_all(undefined: list[int]) -> bool:
    return True


def _waits_for_conditions(undefined: list[int]) -> bool:
    """Of variables that are true or else this one is, as of the digit and the carry of a sum, one comes first."""
    return any(literal > 0 for literal in undefined)


def _waits_for_nothing(undefined: list[int]) -> bool:
    return False
