"""Three assemblies without a common join, by a SAT solver that learns from every further solution.

The solver finds a jigsaw with three assemblies.  All its solutions are counted.  If there are
others, a clause forbids each of them: some of its joins must not fit, unless it is assembly 2 or 3.  Then the solver
goes on.
This is counterexample-guided refinement (Clarke, Grumberg, Jha, Lu and Veith, 2000).  If it ends without a jigsaw and
no symmetry was asked for, no such jigsaw exists.

A seed gives the same jigsaw on every machine with the same version of the solver: time only stops the work.

Assembly 1 has piece p on square p, unturned; k = 0, 1 are assemblies 2 and 3.  Darts and slots are numbers
4 * square + side, as in `pair_kernel`.  The variables of the formula say

- where pieces lie: (``"lies"``, k, p, u), the upper side of piece p is on slot u of assembly k;
- what meets: (``"meets"``, k, a, b), the darts a < b meet in assembly k;
- which darts look the same: (``"same"``, a, b).  Darts a and b fit each other if a and the mate of b in
  assembly 1 look the same.

With symmetries (see `PairElement`) the images of a statement have the same variable, so that only jigsaws with these
symmetries are models.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from ..base.seeded_random import Chance
from ..base.stop import StoppedError, never
from ..engines.engine import run_aside
from ..engines.request import Goal, Limits
from ..puzzles.board import Arrangement, Board, Placement
from ..puzzles.jigsaw_algebra import jigsaw_of, mating, original
from .annealing import Annealed, Wish, board_symmetry
from .pair_annealing import PairElement, group

# Conflicts between two checks whether to stop.
SLICE = 2_000
# The solutions of a jigsaw that are looked at.
MOST_SOLUTIONS = 48


#: A literal: a variable or its negation; False and True are known.  Variable 1 is true, because 1 == True in Python.
Literal = int | bool
#: A piece and the slot of its upper side, for each piece in the order of their numbers.
Laying = tuple[tuple[int, int], ...]

_Key = tuple[int | str, ...]


def turned(half_side: int, sides: int) -> int:
    """The dart or slot a number of sides further clockwise on the same square."""
    return (half_side & ~3) + ((half_side + sides) & 3)


def is_first_turn(board: Board, slot: int) -> bool:
    """Whether an assembly with piece 0 on this slot is the one of its turns that is looked for."""
    return slot >> 2 == 0 if board.turns() == 4 else slot >> 2 < board.columns


class ThreeAssemblies:
    """A formula whose models are jigsaws with three assemblies without a common join: the clauses, and what they say.

    The jigsaws have all symmetries of a group, `elements`.
    """

    def __init__(self, board: Board, max_use: int, elements: Sequence[PairElement]) -> None:
        self._board, self._elements = board, elements
        self._mate: list[int] = mating(board, original(board)).tolist()
        # Whether a side is next to a straight one.
        self._on_frame = [any(self._mate[turned(a, sides)] < 0 for sides in (1, 3)) for a in range(len(self._mate))]
        self._upper = [a for a, mate in enumerate(self._mate) if mate > a]
        self._numbers: dict[_Key, int] = {}
        self._last = 1
        self._clauses: dict[tuple[int, ...], None] = {(1,): None}
        self._label(max_use)
        for k in range(2):
            self._lay(k)
        # No join is in both.
        for key, literal in self._numbers.items():
            if key[:2] == ("meets", 0) and (other := self._numbers.get(("meets", 1, *key[2:]))):
                self._add([-literal, -other])
        self._make_pieces_differ()

    @property
    def clauses(self) -> list[tuple[int, ...]]:
        """The clauses, each with increasing literals."""
        return list(self._clauses)

    @property
    def variables(self) -> int:
        """The number of variables."""
        return self._last

    def new_variable(self) -> int:
        """A variable that nothing is known of."""
        self._last += 1
        return self._last

    def fits(self, a: int, b: int) -> Literal:
        """Whether two darts fit each other."""
        return a != b and self._same(a, self._mate[b])

    def lies(self, k: int, laying: Laying) -> list[int] | None:
        """The placements of an assembly; None if assembly k cannot be like that."""
        found = [self._numbers.get(("lies", k, piece, slot)) for piece, slot in laying]
        known = [literal for literal in found if literal is not None]
        return known if len(known) == len(found) else None

    def labels(self, model: set[int]) -> list[int]:
        """The connector of each dart in a model, negative for one of its two signs."""
        found = [0] * len(self._mate)
        number = 0
        for a in self._upper:
            if found[a]:
                continue
            number += 1
            for b in range(len(self._mate)):
                if self._mate[b] >= 0:
                    same = self._same(a, b)
                    if same is True or (same is not False and same in model):
                        found[b], found[self._mate[b]] = number, -number
        return found

    def arrangement(self, model: set[int], k: int) -> Arrangement:
        """Assembly k of a model."""
        placements: dict[int, Placement] = {}
        for piece, slot, literal in self._placements(k):
            if literal in model:
                placements[slot >> 2] = Placement(piece, slot & 3)
        return tuple(placements[square] for square in range(len(self._board)))

    def _add(self, literals: Iterable[Literal]) -> None:
        """Add a clause, unless it always holds."""
        clause = {literal for literal in literals if literal is not False}
        if True not in clause and not any(-literal in clause for literal in clause):
            self._clauses[tuple(sorted(clause))] = None

    def _meets(self, k: int, a: int, b: int) -> int:
        key = ("meets", k, min(a, b), max(a, b))
        if key not in self._numbers:
            images = {("meets", k ^ swap, *sorted((first[a], first[b]))) for swap, first, _ in self._elements}
            self._give_number(images)
        return self._numbers[key]

    def _same(self, a: int, b: int) -> Literal:
        mate = self._mate
        if a == b or b == mate[a] or self._on_frame[a] != self._on_frame[b]:
            return a == b
        key = ("same", min(a, b), max(a, b))
        if key not in self._numbers:
            images: set[_Key] = set()
            for _, first, _ in self._elements:
                one, other = first[a], first[b]
                images |= {("same", *sorted(pair)) for pair in ((one, other), (mate[one], mate[other]))}
            self._give_number(images)
        return self._numbers[key]

    def _give_number(self, keys: Iterable[_Key]) -> None:
        """Give the same new variable to all these statements."""
        self._numbers |= dict.fromkeys(keys, self.new_variable())

    def _is_allowed(self, piece: int, slot: int) -> bool:
        mate, board = self._mate, self._board
        if any((mate[4 * piece + side] < 0) != (mate[turned(slot, side)] < 0) for side in range(4)):
            return False
        return piece > 0 or is_first_turn(board, slot)

    def _placements(self, k: int) -> Iterator[tuple[int, int, int]]:
        """The allowed placements of all pieces in assembly k: piece, slot of its upper side, variable."""
        for piece, slot in product(range(len(self._board)), range(len(self._mate))):
            key: _Key = ("lies", k, piece, slot)
            if key not in self._numbers:
                images: set[tuple[str, int, int, int]] = set()
                for swapping, first, second in self._elements:
                    a, u = first[4 * piece], second[k][slot]
                    images.add(("lies", k ^ swapping, a >> 2, turned(u, -a)))
                if not all(self._is_allowed(*image[2:]) for image in images):
                    continue
                self._give_number(images)
            yield piece, slot, self._numbers[key]

    def _label(self, max_use: int) -> None:
        """Darts look the same consistently, and each connector is on few joins."""
        for frame in (True, False):
            joins = [a for a in self._upper if self._on_frame[a] == frame]
            for a, b in combinations(joins, 2):
                self._add([-self._same(a, b), -self._same(a, self._mate[b])])
            for a, b, c in combinations(joins, 3):
                for other, third in product((b, self._mate[b]), (c, self._mate[c])):
                    one, two, three = self._same(a, other), self._same(other, third), self._same(a, third)
                    self._add([-one, -two, three])
                    self._add([-one, -three, two])
                    self._add([-two, -three, one])
            for a in joins:
                uses = [self._same(a, side) for b in joins if b != a for side in (b, self._mate[b])]
                if max_use < len(joins):
                    bound = CardEnc.atmost(uses, max_use - 1, top_id=self._last, encoding=EncType.seqcounter)
                    self._last = max(self._last, bound.nv)
                    for clause in bound.clauses:
                        self._add(clause)

    def _lay(self, k: int) -> None:
        """Assembly k has each piece once, one on each square, and what meets fits and does not in assembly 1."""
        mate = self._mate
        lying: dict[int, list[tuple[int, int]]] = {}
        alike: dict[tuple[str, int], list[int]] = {}
        for piece, slot, literal in self._placements(k):
            for side in range(4):
                lying.setdefault(turned(slot, side), []).append((4 * piece + side, literal))
            alike.setdefault(("piece", piece), []).append(literal)
            alike.setdefault(("square", slot >> 2), []).append(literal)
        for literals in alike.values():
            self._add(literals)
            for one, other in combinations(literals, 2):
                self._add([-one, -other])
        met: dict[int, list[int]] = {}
        for slot in self._upper:
            for (a, one), (b, other) in product(lying[slot], lying[mate[slot]]):
                if a >> 2 == b >> 2:
                    continue
                if mate[a] == b:
                    self._add([-one, -other])
                    continue
                meets = self._meets(k, a, b)
                self._add([-one, -other, meets])
                self._add([-meets, self.fits(a, b)])
                met.setdefault(a, []).append(meets)
                met.setdefault(b, []).append(meets)
        for meetings in met.values():
            self._add(meetings)

    def _make_pieces_differ(self) -> None:
        """No two pieces are equal, and none looks the same after a half turn."""
        around = range(4)
        for p, q in combinations(range(len(self._board)), 2):
            for turn in around:
                self._add_difference([(4 * p + side, 4 * q + (side + turn) % 4) for side in around])
        for p in range(len(self._board)):
            self._add_difference([(4 * p, 4 * p + 2), (4 * p + 1, 4 * p + 3)])

    def _add_difference(self, pairs: list[tuple[int, int]]) -> None:
        """Not all of these pairs of sides look the same; straight sides look like straight sides only."""
        if all((self._mate[a] < 0) == (self._mate[b] < 0) for a, b in pairs):
            same = [self._same(a, b) for a, b in pairs if self._mate[a] >= 0]
            if False not in same:
                self._add([-literal for literal in same])


class Refinement:
    """A search by refinement; `step` looks at one more jigsaw."""

    def __init__(self, wish: Wish, seed: int, symmetry: tuple[str, ...] = ()) -> None:
        self._board, chance = wish.board, Chance(seed)
        self._formula = ThreeAssemblies(wish.board, wish.max_use, group(wish.board, symmetry))
        # The solver knows the variables by other numbers, which depend on the seed.
        self._names = [0, *chance.shuffled(range(1, self._formula.variables + 1))]
        self._solver = Solver("glucose4", [self._named(clause) for clause in chance.shuffled(self._formula.clauses)])
        self._mate: list[int] = mating(self._board, original(self._board)).tolist()
        self._excluded: set[Laying] = set()
        self.looked_at = 0

    def close(self) -> None:
        """Free the solver's memory."""
        self._solver.delete()

    def step(self, must_stop: Callable[[], bool]) -> "Found | None":
        """The next jigsaw; None if there is no other.

        Raises StoppedError if `must_stop` returns true.
        """
        model = self._model(must_stop)
        if model is None:
            return None
        self.looked_at += 1
        scrambles = self._formula.arrangement(model, 0), self._formula.arrangement(model, 1)
        labels = np.array(self._formula.labels(model), np.int64)
        board = self._board
        jigsaw = jigsaw_of(board.rows, board.columns, labels, "", "", (original(board), *scrambles))
        limits = Limits(solutions=MOST_SOLUTIONS)
        counted = run_aside("most-constrained", jigsaw, Goal.ALL, limits, must_stop)
        planned = {_laying(board, each) for each in jigsaw.assemblies if each is not None}
        others = [laying for each in counted.solutions if (laying := _laying(board, each)) not in planned]
        for laying in others:
            self._exclude(laying)
        return Found(*scrambles, len(others) + len(planned), counted.complete and not others)

    def _model(self, must_stop: Callable[[], bool]) -> set[int] | None:
        answer = None
        while answer is None:
            if must_stop():
                raise StoppedError
            self._solver.conf_budget(SLICE)
            answer = self._solver.solve_limited()
        if not answer:
            return None
        true = {literal for literal in self._solver.get_model() or () if literal > 0}
        return {own for own, name in enumerate(self._names) if name in true}

    def _named(self, clause: tuple[int, ...]) -> list[int]:
        return [self._names[literal] if literal > 0 else -self._names[-literal] for literal in clause]

    def _exclude(self, laying: Laying) -> None:
        """Some joins of a solution must not fit, unless it is assembly 2 or 3."""
        if laying in self._excluded:
            return
        self._excluded.add(laying)
        at = {turned(slot, side): 4 * piece + side for piece, slot in laying for side in range(4)}
        fitting = {self._formula.fits(at[u], at[mate]) for u, mate in enumerate(self._mate) if mate > u} - {True}
        # All of them fit in the jigsaw that was found, so none is False.
        clause = [-literal for literal in sorted(fitting)]
        for k in range(2):
            placements = self._formula.lies(k, laying)
            if placements is not None:
                is_like_that = self._formula.new_variable()
                self._names.append(is_like_that)
                for placement in placements:
                    self._solver.add_clause(self._named((-is_like_that, placement)))
                clause.append(is_like_that)
        self._solver.add_clause(self._named(tuple(clause)))


class Found(NamedTuple):
    """Two scrambles, the number of solutions of their jigsaw that were found, and whether they are the three wanted."""

    second: Arrangement
    third: Arrangement
    solutions: int
    is_exact: bool


def refine_pair(
    wish: Wish,
    seed: int,
    *,
    symmetry: tuple[str, ...] = (),
    must_stop: Callable[[], bool] = never,
    report: Callable[[Annealed], None] = lambda _: None,
) -> Annealed:
    """Look for two scrambles whose jigsaw has exactly three solutions; return the nearest ones, as `anneal_pair` does.

    Their `energy` is the number of solutions besides the three wanted, their `steps` are the jigsaws looked at.
    """
    first = original(wish.board)
    nearest = Annealed(first, wish.joins, 0, symmetry, first)
    search = Refinement(wish, seed, symmetry)
    try:
        while nearest.energy and (found := search.step(must_stop)) is not None:
            energy = 0 if found.is_exact else max(1, found.solutions - 3)
            if energy < nearest.energy:
                nearest = Annealed(found.second, energy, search.looked_at, symmetry, found.third)
            report(Annealed(nearest.arrangement, nearest.energy, search.looked_at, symmetry, nearest.third))
    except StoppedError:
        pass
    finally:
        search.close()
    return Annealed(nearest.arrangement, nearest.energy, search.looked_at, symmetry, nearest.third)


def _laying(board: Board, arrangement: Arrangement) -> Laying:
    """The placement of each piece, with the board turned so that piece 0 is where `ThreeAssemblies` has it."""
    for turns in board.quarter_turns():
        image = board_symmetry(board, turns, mirrored=False)
        slots = {
            placement.piece: image[4 * square + placement.rotation]
            for square, placement in enumerate(arrangement)
            if placement is not None
        }
        if is_first_turn(board, slots[0]):
            return tuple(sorted(slots.items()))
    raise AssertionError("a corner piece is not in a corner")
