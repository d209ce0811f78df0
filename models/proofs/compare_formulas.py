"""Whether the clauses of a certificate's formula follow from those of the second encoder.

Each variable of the formula has a meaning in terms of the other one's, or is given one: an auxiliary variable is true
exactly if the clauses with which it was introduced make it so.  As such meanings only define variables, any will do: a
wrong one cannot make a clause follow that should not, it can only keep one from following.  So they may be taken from
the first encoder, as hints.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pysat.solvers import Solver

from ...csp.base.errors import grouped
from ..squares.bits_cnf import BitCNF
from ..squares.cnf import EdgeMatchingCNF
from ..tilings.cnf import DissectionCNF
from .define_boards import BoardClaim, BoardDefinition, bit_clauses, why_no_bits
from .define_tilings import TilingDefinition, TilingsClaim

# More take minutes; their proofs take longer than that to check.
_MOST_CLAUSES = 1_500_000

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

    @classmethod
    def of_all(cls, found: "Sequence[FormulaComparison]") -> "FormulaComparison":
        """The result for the formulas of several claims together, of which none is wrong."""
        propagated = sum(each.clauses if each.equal else each.propagated for each in found)
        equal = all(each.equal for each in found)
        searched, undecided = (sum(getattr(each, name) for each in found) for name in ("searched", "undecided"))
        return cls(sum(each.clauses for each in found), equal, 0 if equal else propagated, searched, undecided)

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
) -> FormulaComparison:
    """Whether clauses follow from known ones, but for the meanings of their variables.

    - `known`: the known clauses.
    - `meanings`: for variables of `clauses` the literals of `known`, of which at least one is true exactly if the
      variable is. Variables without a meaning get one.
    - `absent`: literals of `known` that are false in all models, as far as unit propagation shows; the others are
      ignored.

    Examples
    --------
    At most one of 1, 2 and 3 is true: the variables 4 and 5 say that one of the first one or two is.

    >>> pairs, ladder = [[-1, -2], [-1, -3], [-2, -3]], [[-1, 4], [-4, 5], [-2, -4], [-2, 5], [-3, -5]]
    >>> print(derive(pairs, ladder, {1: [1], 2: [2], 3: [3]}))
    all 5 clauses follow from the definition by the second encoder (5 by unit propagation, 0 by search)
    """
    with Solver("glucose4", bootstrap_with=known) as solver:
        _exclude(solver, list(absent))
        top = max((abs(literal) for clause in known for literal in clause), default=0)
        literal_of = _Meanings(solver, top, meanings).of_all(clauses)
        translated = [[literal_of[lit] if lit > 0 else -literal_of[-lit] for lit in clause] for clause in clauses]
        left = _not_propagated(solver, translated)
        searched = undecided = 0
        for number in left:
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


def _exclude(solver: Solver, literals: list[int]) -> None:
    """Add that literals are false whose truth leads to a contradiction, until there are no more."""
    changed = True
    while changed:
        changed, left = False, []
        for literal in literals:
            if _propagated(solver, [literal]) is not None:
                left.append(literal)
            else:
                solver.add_clause([-literal])
                changed = True
        literals = left


def _not_propagated(solver: Solver, clauses: list[list[int]]) -> list[int]:
    """The numbers of the clauses whose negation does not lead to a contradiction by unit propagation."""
    left = []
    pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, clause in enumerate(clauses):
        if len(clause) == 2:
            pairs[clause[0]].append((clause[1], number))
            continue
        if not _contradicts(solver, clause):
            left.append(number)
    for first, others in pairs.items():
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
            left = [
                variable for variable in order if not self._define(variable, heads[variable], lambda undefined: True)
            ]
            if len(left) == len(order):  # some wait for each other
                left.remove(self._define_one(left, heads))
            order = left[::-1]  # variables may be introduced after or before those on which they depend
        return self._literals

    def _define_one(self, variables: list[int], heads: Mapping[int, list[Sequence[int]]]) -> int:
        """Define one of several variables that wait for each other, and return it."""
        for waits, several in ((_waits_for_conditions, variables), (lambda undefined: False, sorted(variables))):
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


def _waits_for_conditions(undefined: list[int]) -> bool:
    """Of variables that are true or else this one is, as of the digit and the carry of a sum, one comes first."""
    return any(literal > 0 for literal in undefined)


def compare_boards(model: EdgeMatchingCNF | BitCNF, claim: BoardClaim) -> FormulaComparison:
    """Compare the formula of a claim about a puzzle of squares with its definition.

    The anchor of the claim is ignored; that of the formula is used.
    """
    if isinstance(model, BitCNF):
        return _compare_bits(model, claim)
    if len(model.clauses) > _MOST_CLAUSES:
        return FormulaComparison(len(model.clauses), undecided=len(model.clauses))
    anchor = model.domains.anchor
    anchor_piece = None if anchor is None else anchor.piece_type.pieces[0]
    definition = BoardDefinition(replace(claim, anchor=anchor_piece))
    meanings, placed = _meanings_of_squares(model, definition)
    looks = (definition.there(square, look) or 0 for square, some in enumerate(definition.looks) for look in some)
    absent = [look for look in looks if look not in placed]
    return derive(definition.clauses, list(model.clauses), meanings, absent)


def compare_tilings(model: DissectionCNF, claim: TilingsClaim) -> FormulaComparison:
    """Compare the formula of a claim about a dissection with its definition; the anchor is that of the formula."""
    domains = model.domains
    if len(model.clauses) > _MOST_CLAUSES:
        return FormulaComparison(len(model.clauses), undecided=len(model.clauses))
    anchor = None if domains.anchor is None else domains.kinds[domains.anchor][0]
    definition = TilingDefinition(replace(claim, anchor=anchor))
    meanings: dict[int, list[int]] = {}
    tiles = zip(model.deciding.tolist(), domains.left.tolist(), domains.of_kind.tolist(), strict=True)
    for variable, placement, kind in tiles:
        tile = definition.there(domains.kinds[kind][0], domains.placements.polygon(placement))
        meanings[variable] = [] if tile is None else [tile]
    there = {literal for literals in meanings.values() for literal in literals}
    absent = [tile for tile in definition.tile_variables() if tile not in there]
    return derive(definition.clauses, list(model.clauses), meanings, absent)


def _compare_bits(model: BitCNF, claim: BoardClaim) -> FormulaComparison:
    own = bit_clauses(claim.puzzle, claim.excluded) if why_no_bits(claim.puzzle) is None else set()
    clauses = [frozenset(clause) for clause in model.clauses]
    if frozenset() in own:  # the first encoder writes it as two clauses of a new variable
        new = model.clauses.top
        clauses = [frozenset() if clause in ({new}, {-new}) else clause for clause in clauses]
    wrong = next((number for number, clause in enumerate(clauses, start=1) if clause not in own), None)
    if wrong is None and own.difference(clauses):
        wrong = len(clauses) + 1
    return FormulaComparison(len(clauses), equal=wrong is None, wrong=wrong)


def _meanings_of_squares(model: EdgeMatchingCNF, definition: BoardDefinition) -> tuple[dict[int, list[int]], set[int]]:
    """The meanings of the variables that have one, and the looks that are placements of the model."""
    domains, variables = model.domains, model.variables
    looks = [
        definition.there(square, definition.look(piece, rotation)) or 0
        for square, piece, rotation in zip(
            domains.square.tolist(), *(numbers.tolist() for numbers in domains.name_of_piece()), strict=True
        )
    ]
    meanings: dict[int, list[int]] = defaultdict(list)
    if model.encoding.name != "diamond":
        for variable, look in zip(variables.witness[:, 0].tolist(), looks, strict=True):
            meanings[variable] = [look]
    if model.encoding.name == "diamond" or "pieces" in model.encoding.redundant:
        for unit, look in zip(variables.unit_of.tolist(), looks, strict=True):
            meanings[int(variables.unit[unit])].append(look)
    for variable, (word, *where) in model.names():
        numbers = [int(number) for number in where]
        if word == "color":
            meanings[variable] = [literal for literal in [definition.color(*numbers)] if literal is not None]
        elif word == "invalid":
            meanings[variable] = [literal for literal in [definition.invalid(*numbers)] if literal is not None]
    return {variable: [lit for lit in literals if lit] for variable, literals in meanings.items()}, set(looks)
