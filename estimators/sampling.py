"""How many solutions a puzzle has, where nobody can count them: an estimate with its error.

A *population* is a set of boards that are filled square by square.  At each depth all their continuations are listed
(Knuth, 1975, follows one board; Chen, 1992, and sequential Monte Carlo, several).  Where these are more than the
population may have members, some are chosen, and each of them stands for as many as had to go.  So a population
estimates the number of solutions, and it does so without bias, whatever continuations are preferred.  While all fit
in, the number is exact.

Preferred are boards from which many solutions are to be expected: Owen's model, applied to the sides of the pieces
that are left and the sides that they have to face.  Put at random onto the free places of the board, the sides fit
everywhere with a probability that is, between boards of one depth, in proportion to the product over the colours of
``left! / joins!``, where so many sides have the colour and so many joins have yet to get it (none of them can be
negative, which excludes boards that have no solution).  Continuations that count for more than the chosen ones do in
the mean are kept as they are (Fearnhead and Clifford, 2003); the others are taken at even distances in the order of
the tree.

How many members there may be is another matter at each depth: as many more as the members are expected to dwindle
later.  Several independent populations tell how far to believe them.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import exp, floor, inf, isfinite, log, perm, prod, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..csp.board import BORDER, Placement
from ..csp.candidates import Candidates, find_candidates
from ..csp.edge_matching import EdgeMatchingPuzzle, Sides
from ..csp.interrupts import StoppedError, never
from ..csp.orders import find_order
from ..csp.search.compile import kernel
from ..csp.search.slip_kernel import first_of_list, sides_compared
from ..csp.search.tables import Tables, build_tables
from ..csp.search.walk import available_of, described, neighbours_of
from ..csp.slips import permitted_prefix
from ..csp.symmetry import Anchor, PieceType, Symmetries, find_anchors, symmetries
from .complexity import Complexity

#: How many populations there are, unless something stops them.
POPULATIONS = 50
#: With fewer populations than this, or an estimate that rests on fewer of them, there is no interval.
FEWEST = 10
_NARROWEST = 16
# Members of a population grow at most so much where they are expected to dwindle.
_MOST_GROWTH = 1e4
# Bytes of the largest population: many that stay near the processor are better than a few wide ones.
_MOST_BYTES = 2**26
# Continuations that are listed in one go.
_LISTED = 1 << 16

Floats = NDArray[np.float64]
Counts = NDArray[np.unsignedinteger]
Report = Callable[[int, int], None]

_0, _1, _4 = np.uint64(0), np.uint64(1), np.uint64(4)


@dataclass(frozen=True)
class Sample:
    """What some populations say of the number of solutions, which is `count` of a search.

    Parameters
    ----------
    populations
        The logarithm of the number that each population estimates; -inf where it died out.
    exact
        The number itself, where a population had room for every board.
    width
        How many members a population had, in the mean of the depths, in each tree.
    """

    populations: tuple[float, ...]
    exact: int | None
    width: int

    @cached_property
    def _scale(self) -> float:
        """The logarithm of the greatest estimate."""
        return max(self.populations, default=-inf)

    @cached_property
    def _parts(self) -> Floats:
        """The estimates as parts of the greatest."""
        return np.exp(np.array(self.populations) - self._scale)

    @property
    def died_out(self) -> int:
        """How many populations found no solution."""
        return sum(not isfinite(population) for population in self.populations)

    @property
    def estimate(self) -> Fraction | None:
        """The mean of the populations; None if no solution was found and some may exist."""
        if self.exact is not None:
            return Fraction(self.exact)
        return _exponential(self._scale, self._parts.mean()) if isfinite(self._scale) else None

    @property
    def error(self) -> float | None:
        """The standard error as a part of the estimate; None where that cannot be told."""
        if self.exact is not None:
            return 0.0
        if not isfinite(self._scale) or len(self._parts) < 2:
            return None
        return float(self._parts.std(ddof=1) / self._parts.mean() / sqrt(len(self._parts)))

    @property
    def interval(self) -> tuple[Fraction, Fraction] | None:
        """Where the number lies with 95 % confidence; None where the populations are too few or too unlike to tell."""
        if self.exact is not None:
            return Fraction(self.exact), Fraction(self.exact)
        ends = confidence(self._parts) if isfinite(self._scale) else None
        return None if ends is None else (_exponential(self._scale, ends[0]), _exponential(self._scale, ends[1]))


def confidence(values: Floats) -> tuple[float, float] | None:
    """A 95 % interval for the mean of independent estimates that are never negative; None if too few tell of it.

    It is Student's, carried over to the logarithm of the mean: estimates are skewed, and both ends of this interval
    are missed about equally often, where the plain one is nearly always missed above.  How many estimates tell is
    Kish's effective size of a sample: with few large ones among many small ones the next may be larger still.
    """
    if not values.any() or values.sum() ** 2 < FEWEST * (values**2).sum():
        return None
    mean, freedom = float(values.mean()), len(values) - 1
    part = float(values.std(ddof=1)) / mean / sqrt(len(values))
    away = exp(_student(freedom) * part)
    return mean / away, mean * away


def _student(freedom: int) -> float:
    """The 97.5th percentile of Student's distribution, to three digits from nine degrees of freedom on (Fisher)."""
    z = NormalDist().inv_cdf(0.975)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def sample(
    puzzle: EdgeMatchingPuzzle,
    order: str | tuple[int, ...] | None = None,
    width: int = 4096,
    number: int = POPULATIONS,
    seed: int = 0,
    report: Report | None = None,
    must_stop: Callable[[], bool] = never,
) -> Sample:
    """Estimate the number of solutions.

    Parameters
    ----------
    puzzle
        The puzzle.
    order
        A search order; None for the default one.  The fewer nodes it has, the better is the estimate.
    width
        How many boards a population has at a depth, in the mean of the depths.
    number
        How many populations there are.
    seed
        Where the random numbers start; populations of other widths have others.
    report
        Called after each population with the number of populations so far, and how many there are to be.
    must_stop
        Asked now and then; if it says so, the populations so far are all.

    Raises
    ------
    ValueError
        If there is to be no population, or none of any width.
    """
    return Sampler(puzzle, order).sample(width, number, seed, report, must_stop)


class Sampler:
    """Makes populations of boards of one puzzle; `model` is the puzzle's, if there is one, all else as for `sample`."""

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        order: str | tuple[int, ...] | None = None,
        model: Complexity | None = None,
    ) -> None:
        squares = find_order(puzzle, order)[1]
        fixed = len(puzzle.fixed)
        self._found = symmetries(puzzle)
        candidates = find_candidates(puzzle, self._found.types, repeat_turns=False)
        anchors = find_anchors(puzzle, self._found, squares)
        self._anchor = anchors[0] if anchors else None
        self._growth = _growth(model or Complexity(puzzle), squares)
        starts = permitted_prefix(puzzle, squares[:fixed], ())[0] == fixed
        self._is_full = starts and fixed == len(squares)
        trees = len(self._anchor.squares) if self._anchor else 1
        choices = range(trees if starts and not self._is_full else 0)
        self._trees = [_Tree(puzzle, self._found, candidates, squares, self._anchor, choice) for choice in choices]

    @property
    def widest(self) -> int:
        """The greatest width that `sample_for` takes."""
        growth = max(self._growth, default=1.0)
        bytes_each = max((tree.bytes_each for tree in self._trees), default=1)
        return max(1, int(_MOST_BYTES / bytes_each / growth))

    def sample(
        self,
        width: int,
        number: int = POPULATIONS,
        seed: int = 0,
        report: Report | None = None,
        must_stop: Callable[[], bool] = never,
    ) -> Sample:
        """Estimate the number of solutions, as `sample` does."""
        if width < 1 or number < 1:
            raise ValueError(f"{number} populations of width {width}: at least 1 of width 1 is needed")
        populations: list[float] = []
        for turn in range(number):
            chance = np.random.default_rng([seed, width, turn])
            try:
                exact, logarithm = self._population(width, chance, must_stop)
            except StoppedError:
                break
            populations.append(logarithm)
            if report is not None:
                report(turn + 1, number)
            if exact is not None:
                return Sample(tuple(populations), exact, width)
        return Sample(tuple(populations), None, width)

    def sample_for(
        self,
        seconds: float,
        seed: int = 0,
        report: Report | None = None,
        must_stop: Callable[[], bool] = never,
    ) -> Sample:
        """Estimate the number of solutions in about so many seconds, by populations as wide as these allow.

        The clock decides on width and number; `sample` makes the same populations again when it is told these.
        """
        width, share = _NARROWEST, seconds / POPULATIONS
        while True:
            # The first one of a width makes room, or loads the kernels.
            self.sample(width, 1, seed, must_stop=must_stop)
            started = time.perf_counter()
            trial = self.sample(width, 1, seed, must_stop=must_stop)
            each = time.perf_counter() - started
            if trial.exact is not None or must_stop():
                return trial if trial.exact is not None else replace(trial, populations=())
            if 2 * each > share or width >= self.widest:
                break
            width = min(4 * width, self.widest)
        wide = int(min(max(width * share / each, _NARROWEST), self.widest))
        number = max(POPULATIONS, int(seconds / (each * wide / width)))
        return self.sample(wide, number, seed, report, must_stop)

    def _population(
        self, width: int, chance: np.random.Generator, must_stop: Callable[[], bool]
    ) -> tuple[int | None, float]:
        """One population: the number of solutions if it is exact, and the logarithm of its estimate."""
        widths = [max(1, round(width * growth)) for growth in self._growth]
        exact, complete, logarithms = int(self._is_full), True, [0.0 if self._is_full else -inf]
        for tree in self._trees:
            leaves = tree.filled(widths, chance, must_stop)
            complete &= leaves.complete
            for arrangements, chosen in self._by_arrangements(leaves.available):
                exact += arrangements * int(chosen.sum())
                logarithms.append(log(arrangements) + _log_sum(leaves.logarithms[chosen]))
        return exact if complete else None, _log_sum(np.array(logarithms))

    def _by_arrangements(self, available: Counts) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Pairs: how many arrangements a full board stands for, and which of those that leave these types do."""
        turns = self._found.board if self._anchor else 1
        # What varies is how many pieces are used of the types that are not used up.
        kinds = list(enumerate(self._found.types))
        vary = [index for index, kind in kinds if kind.piece_class not in self._found.used_up]
        always = prod(_numbered(kind, 0) for index, kind in kinds if index not in vary)
        for left in {tuple(row) for row in available[:, vary].tolist()}:
            uses = prod(_numbered(self._found.types[index], rest) for index, rest in zip(vary, left, strict=True))
            yield turns * always * uses, (available[:, vary] == left).all(axis=1)


def _numbered(kind: PieceType, left: int) -> int:
    """In how many ways all pieces of a type but so many can lie where pieces of that type lie."""
    used = len(kind.pieces) - left
    return perm(len(kind.pieces), used) * kind.order**used


def _growth(model: Complexity, order: tuple[int, ...]) -> list[float]:
    """How many members a population has at each depth, as a part of the mean.

    Of a member that stands for `dwindling` boards of a later depth each of those it is expected to find one; its
    relative variance is about as great, and members that cost the same are best in proportion to its square root.
    """
    estimate = model.estimate(order, None)
    logs = [log(n) - log(estimate.denominator) if n else -inf for n in estimate.numerators][len(model.puzzle.fixed) :]
    growth: list[float] = []
    least = inf
    for here in reversed(logs):
        dwindling = exp(min(here - least, log(_MOST_GROWTH))) if isfinite(here) and isfinite(least) else 1.0
        growth.append(sqrt(1 + dwindling))
        least = min(least, here)
    mean = sum(growth) / max(len(growth), 1)
    return [part / mean for part in reversed(growth)]


@dataclass(frozen=True)
class _Leaves:
    """Full boards of a population: what they leave, the logarithm of what each stands for, whether all are there."""

    available: NDArray[np.unsignedinteger]
    logarithms: Floats
    complete: bool


class _Tree:
    """The tree of the boards that are filled along an order, for one place of the anchor."""

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        found: Symmetries,
        candidates: Candidates,
        order: tuple[int, ...],
        anchor: Anchor | None,
        choice: int,
    ) -> None:
        tables = build_tables(puzzle, candidates, order, anchor, choice)
        self._depths = len(tables.squares)
        types, sides, mates = described(candidates, tables)
        ends = _Ends(puzzle)
        of_position = ends.of_positions(candidates, tables)
        faces = (of_position, np.array(ends.pair, dtype=np.uint16), _waiting(puzzle, tables.squares))
        copies = np.array([*(kind.order for kind in found.types), 1], dtype=np.float64)
        types = types.astype(np.uint16)
        self._listing = (
            types, mates, tables.index, tables.base, *neighbours_of(tables), tables.keyed, tables.known,
            *faces, copies,
        )  # fmt: skip
        self._laying = (types, sides, *faces)
        self._longest = len(candidates.sides)
        available = available_of(candidates, len(candidates.kinds) + 1)[None]
        self._root = _Boards(available, np.zeros((1, self._depths), dtype=np.uint64), *ends.start())
        # Boards lie in the same places time and again, because fresh memory is slow.
        self._space = [_Boards(*(row[:0] for row in self._root))] * 2

    @property
    def bytes_each(self) -> int:
        """How much memory a member needs, with all its continuations and its successor."""
        return 2 * sum(array.nbytes for array in self._root) + 32 * 8

    def filled(self, widths: Sequence[int], chance: np.random.Generator, must_stop: Callable[[], bool]) -> _Leaves:
        """The full boards of a population.

        Raises
        ------
        StoppedError
            If `must_stop` asks to stop.
        """
        boards, weights, likelihoods = self._root, np.ones(1), np.zeros(1)
        scale, complete = 0.0, True
        for depth, width in enumerate(widths):
            parents, positions, values = self._continued(boards, weights, depth, must_stop)
            if depth + 1 < self._depths and len(values) > width:
                complete = False
                least = _least_kept(values, width)
                chosen = _chosen(values, least, chance.random())
                parents, positions, odds = parents[chosen], positions[chosen], values[chosen] / weights[parents[chosen]]
                values = np.maximum(values[chosen], least)
            else:
                odds = values / weights[parents]
            likelihoods = likelihoods[parents] + np.log(odds)
            boards = self._laid(boards, depth, parents, positions)
            mean = values.mean() if len(values) else 1.0
            scale += log(mean)
            weights = values / mean
        return _Leaves(boards.available, scale + np.log(weights) - likelihoods, complete)

    def _continued(
        self, boards: "_Boards", weights: Floats, depth: int, must_stop: Callable[[], bool]
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Floats]:
        """All continuations of some boards: the board, the candidate's position, and the weight of each."""
        found: list[tuple[NDArray[np.uint32], NDArray[np.uint32], Floats]] = []
        start, most = np.uint64(0), np.uint64(_LISTED)
        while start < len(weights) or not found:
            if must_stop():
                raise StoppedError
            parents, positions = np.empty((2, _LISTED + self._longest), dtype=np.uint32)
            values = np.empty(_LISTED + self._longest)
            number, start = _list_continuations(
                *self._listing, np.uint64(depth), *boards, weights, start, most, parents, positions, values
            )
            found.append((parents[:number], positions[:number], values[:number]))
        parents, positions, values = zip(*found, strict=True)
        return np.concatenate(parents), np.concatenate(positions), np.concatenate(values)

    def _laid(
        self, boards: "_Boards", depth: int, parents: NDArray[np.uint32], positions: NDArray[np.uint32]
    ) -> "_Boards":
        """Some continuations as boards of their own, which lie where the boards before the last lay."""
        if len(self._space[depth % 2].available) < len(parents):
            self._space[depth % 2] = _Boards(*(np.empty((len(parents), row.shape[1]), row.dtype) for row in self._root))
        laid = _Boards(*(array[: len(parents)] for array in self._space[depth % 2]))
        _lay(*self._laying, np.uint64(depth), parents, positions, *boards, *laid)
        return laid


class _Boards(NamedTuple):
    """Some boards of one depth, a row each: what the kernels read and write."""

    available: Counts
    shown: NDArray[np.uint64]
    left: Counts
    joins: Counts


class _Ends:
    """The ends of joins: sides that can face each other, told apart by their colours and by the border beside them.

    Parameters
    ----------
    puzzle
        The puzzle.

    Attributes
    ----------
    pair
        For each kind of end the number that it shares with the kind that it faces.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self._puzzle = puzzle
        self._number: dict[_End, int] = {}
        for sides in puzzle.pieces:
            for end in filter(None, _ends(sides)):
                self._number.setdefault(end, len(self._number))
                self._number.setdefault(self._mate(end), len(self._number))
        pairs: dict[_End, int] = {}
        self.pair = [pairs.setdefault(min(end, self._mate(end)), len(pairs)) for end in self._number]

    def _mate(self, end: "_End") -> "_End":
        before, after, color = end
        return after, before, self._puzzle.mate(color)

    def start(self) -> tuple[Counts, Counts]:
        """Before the first free piece: how many sides of each kind are left, and joins of each pair to be made.

        None are told apart where not all pieces are needed: then colours may be left over.
        """
        puzzle = self._puzzle
        if len(puzzle.pieces) > len(puzzle.board):
            return np.zeros((1, 0), dtype=np.uint16), np.zeros((1, 0), dtype=np.uint16)
        fixed = {piece for _, piece, _ in puzzle.fixed}
        left = Counter(end for piece, sides in enumerate(puzzle.pieces) if piece not in fixed for end in _ends(sides))
        # What the fixed pieces need for themselves is in no other join.
        free = Counter(left)
        filled = {square for square, _, _ in puzzle.fixed}
        for square, piece, rotation in puzzle.fixed:
            ends = _ends(puzzle.shown(Placement(piece, rotation)))
            for join in puzzle.board.joins_of(square):
                end = ends[join.side]
                if join.second not in filled and end is not None:
                    free[self._mate(end)] -= 1
        joins = np.zeros(max(self.pair, default=-1) + 1, dtype=np.uint16)
        for end, number in self._number.items():
            mate = self._mate(end)
            joins[self.pair[number]] = max(0, free[end] // 2 if mate == end else min(free[end], free[mate]))
        return np.array([[left[end] for end in self._number]], dtype=np.uint16), joins[None]

    def of_positions(self, candidates: Candidates, tables: Tables) -> NDArray[np.uint16]:
        """The kind of each side of the candidate at each position; borders have the number after the last."""
        color_of = {index: color for color, index in candidates.color_index.items()} | {-1: BORDER}
        none = len(self._number)
        kinds = np.full((len(candidates.sides) + 1, 4), none, dtype=np.uint16)
        for row, shown in enumerate(candidates.sides.tolist()):
            up, right, down, left = (color_of[index] for index in shown)
            kinds[row] = [none if end is None else self._number[end] for end in _ends((up, right, down, left))]
        # The end of a list (-1) has no sides: the row after the last.
        return kinds[tables.entries]


#: Whether the border is beside it, counterclockwise and clockwise, and the colour.
_End = tuple[bool, bool, int]


def _ends(sides: Sides) -> list[_End | None]:
    """The four sides as ends of joins; None for the border."""
    return [
        None if color == BORDER else (sides[side - 1] == BORDER, sides[(side + 1) % 4] == BORDER, color)
        for side, color in enumerate(sides)
    ]


def _waiting(puzzle: EdgeMatchingPuzzle, squares: Sequence[int]) -> NDArray[np.bool_]:
    """Which sides of the square of each depth face a square that is filled later."""
    depth_of = {square: depth for depth, square in enumerate(squares)}
    waiting = np.zeros((len(squares), 4), dtype=np.bool_)
    for depth, square in enumerate(squares):
        for join in puzzle.board.joins_of(square):
            waiting[depth, join.side] = depth_of.get(join.second, -1) > depth
    return waiting


# Data layout: a board is a row of `available` (pieces by type, then a one), `shown` (the sides of the candidate at
# each depth), `left` (sides by kind) and `joins` (joins to be made by pair); what comes before `ends` is that of
# `search_any_order`.  ``ends[i]`` has the kinds of the four sides of the candidate at position i, or a number that is
# no kind; ``waiting[d]`` tells which of them face squares filled after depth d; ``copies[t]`` is how many turns of
# type t look alike.  Invariant: between two candidates all rows are those of their boards.
@kernel
def _list_continuations(
    types, mates, index, base, neighbour, shift, stride, lane, keyed, known, ends, pair, waiting, copies,
    depth, available, shown, left, joins, weights, start, most, parents, positions, values,
):  # fmt: skip
    """List what may follow on each board from number `start` on, until there are `most`; how many, and the next board.

    A continuation's weight is that of its board, times the part of what was expected of the board that is now expected
    of it; without kinds of sides there is nothing to be expected.
    """
    end, boards, kinds = np.uint64(available.shape[1] - 1), np.uint64(len(weights)), np.uint64(left.shape[1])
    number, n = _0, start
    while n < boards and number < most:
        i = first_of_list(depth, index, base, shown[n], neighbour, shift, stride, keyed)
        must, cared, _ = sides_compared(depth, shown[n], neighbour, shift, lane, keyed, known, known)
        t = np.uint64(types[i])
        while t != end:
            pieces = available[n, t]
            if pieces != 0 and (mates[i] ^ must) & cared == _0:
                odds = 1.0
                if kinds > _0:
                    odds = copies[t] * float(pieces) * _odds(ends, pair, waiting, left, joins, kinds, depth, n, i)
                if odds > 0.0:
                    parents[number], positions[number], values[number] = n, i, weights[n] * odds
                    number += _1
            i += _1
            t = np.uint64(types[i])
        n += _1
    return number, n


@kernel
def _odds(ends, pair, waiting, left, joins, kinds, depth, n, i):
    """The factor by which a candidate changes ``left! / joins!``, the product over all kinds and pairs, inverted."""
    over, under = 1.0, 1.0
    for side in range(_4):
        kind = np.uint64(ends[i, side])
        if kind < kinds:
            under *= float(left[n, kind])
            left[n, kind] -= np.uint16(1)
            if waiting[depth, side]:
                join = np.uint64(pair[kind])
                over *= float(joins[n, join])
                joins[n, join] -= np.uint16(1)
    for side in range(_4):
        kind = np.uint64(ends[i, side])
        if kind < kinds:
            left[n, kind] += np.uint16(1)
            if waiting[depth, side]:
                joins[n, np.uint64(pair[kind])] += np.uint16(1)
    return over / under


# Data layout: as above; the boards laid on are followed by those that come out of it.
@kernel
def _lay(
    types, sides, ends, pair, waiting, depth, parents, positions,
    available, shown, left, joins, laid_available, laid_shown, laid_left, laid_joins,
):  # fmt: skip
    """Copy boards and lay a candidate on each."""
    kinds = np.uint64(left.shape[1])
    for n in range(np.uint64(len(parents))):
        parent, i = np.uint64(parents[n]), np.uint64(positions[n])
        for t in range(np.uint64(available.shape[1])):
            laid_available[n, t] = available[parent, t]
        for d in range(depth):
            laid_shown[n, d] = shown[parent, d]
        for kind in range(kinds):
            laid_left[n, kind] = left[parent, kind]
        for join in range(np.uint64(joins.shape[1])):
            laid_joins[n, join] = joins[parent, join]
        laid_available[n, np.uint64(types[i])] -= np.uint8(1)
        laid_shown[n, depth] = sides[i]
        for side in range(_4):
            kind = np.uint64(ends[i, side])
            if kind < kinds:
                laid_left[n, kind] -= np.uint16(1)
                if waiting[depth, side]:
                    laid_joins[n, np.uint64(pair[kind])] -= np.uint16(1)


@kernel
def _least_kept(values, number):
    """The c for which the sum of min(1, value / c) is `number`, of more values than that: those above it are kept."""
    least = values.sum() / number
    while True:
        kept, others = 0, 0.0
        for value in values:
            if value > least:
                kept += 1
            else:
                others += value
        # It descends, and ends where it passes no further value.
        following = others / (number - kept)
        if following >= least * (1 - 1e-12):
            return least
        least = following


@kernel
def _chosen(values, least, start):
    """Which values are chosen, each with probability min(1, value / least), at even distances from `start` (0 to 1)."""
    chosen = np.empty(len(values), dtype=np.uint32)
    number, passed = 0, start
    for n in range(len(values)):
        passed += min(1.0, values[n] / least)
        if passed >= 1.0:
            passed -= 1.0
            chosen[number] = n
            number += 1
    return chosen[:number]


def _log_sum(logarithms: Floats) -> float:
    """The logarithm of a sum, given those of its terms."""
    return float(np.logaddexp.reduce(logarithms, initial=-inf))


def _exponential(logarithm: float, factor: float = 1.0) -> Fraction:
    """``factor * exp(logarithm)``, however large."""
    exponent = floor(logarithm / log(10))
    return Fraction(factor * exp(logarithm - exponent * log(10))) * Fraction(10) ** exponent
