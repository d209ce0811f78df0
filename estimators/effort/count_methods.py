"""The methods of counting other than the plain search: their predicted cost, and their tables.

A count by `frames` cuts the board where the expected cost is least.  Expectations follow Owen's model: the number of
ways to lay types in a row, times the probability that the joins match.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import expm1, factorial, inf, prod
from operator import mul

from ...csp.base.errors import EngineError
from ...csp.base.stop import working_time
from ...csp.engines.request import DEFAULTS, FramesCut, Options, Prepared, given_slips
from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order, fixed_first
from ...csp.puzzles.symmetry import Symmetries, color_indices, find_anchors, symmetries
from ...csp.search.counting.frames_ring import (
    MOST_BYTES,
    Half,
    anchor_of,
    facing,
    filled_together,
    halves_of,
    inside_of,
    why_too_big,
)
from ...csp.search.counting.methods import refuse_blocks, refuse_frames, refuse_macros, refuse_middle
from ...csp.search.counting.scheduler import cut_into_parts
from ...csp.search.counting.two_by_two import block_sites, squares_of_block
from ..owen.complexity import Complexity, class_fillings, mixed

# Half or more of the entries are copied when their table grows.
_BYTES_OF_ENTRY, _BYTES_OF_HALF, _BYTES_OF_PAIR = 18, 64, 48
# A round of the method middle may take this many times as much memory as expected.
_DOUBT = 2
# The cost of a middle row, in half-rows placed.
_NODES_OF_MIDDLE_ROW = Fraction(3, 2)
# The cost of a table lookup, of a pair of words, and of a piece placed on a frame, in pieces placed inside.
_NODES_OF_LOOKUP, _NODES_OF_PAIR, _NODES_OF_RING = 0.3, 3.0, 3.0


def prepared(puzzle: EdgeMatchingPuzzle, options: Options) -> Options:
    """Add the tables of the method to the options.

    Raises EngineError if the method does not apply; for some methods only this call can find out.
    """
    began = working_time()
    cut = with_cut(puzzle, options)
    piecework = cut_into_parts(puzzle, cut)
    return replace(cut, prepared=Prepared(piecework, working_time() - began))


def method_nodes(model: Complexity, options: Options) -> Iterator[tuple[str, Fraction]]:
    """Yield the applicable methods other than the plain search, and the expected nodes of each in its own unit."""
    puzzle = model.puzzle
    if not options.symmetry or given_slips(options) is not None:
        return
    upright = puzzle.upright()
    model = model if upright is puzzle else Complexity(upright)
    with suppress(EngineError):
        yield "frames", Fraction(best_plan(puzzle).cost)
    for method, refuse, expected in (
        ("macros", refuse_macros, lambda model: Fraction(sum(_half_rows(model)))),
        ("middle", refuse_middle, lambda model: middle_plan(model.puzzle).cost),
        ("blocks", refuse_blocks, _blocks),
    ):
        with suppress(EngineError):
            refuse(puzzle, options)
            yield method, expected(model)


def listed_half_rows(puzzle: EdgeMatchingPuzzle) -> float:
    """The expected number of half-rows with one edge piece, all of which the method macros lists before it counts."""
    columns = puzzle.upright().columns
    fixed = {fixed.piece for fixed in puzzle.fixed}
    free = [sides for number, sides in enumerate(puzzle.pieces) if number not in fixed]
    inner = [sides for sides in free if BORDER not in sides]
    edges = sum(sides.count(BORDER) == 1 for sides in free)
    followers = 4 * len(inner) / max(len({color for sides in inner for color in sides}), 1)
    return sum(edges * followers ** (half - 1) for half in (columns // 2, (columns + 1) // 2))


def _half_rows(model: Complexity) -> list[Fraction]:
    """The expected half-rows placed, by half-row, or more if there are three or more identical pieces."""
    puzzle = model.puzzle
    order, half = find_order(replace(puzzle, fixed=()), "rowscan")[1], (puzzle.columns + 1) // 2
    rows = [order[at : at + puzzle.columns] for at in range(0, len(order), puzzle.columns)]
    groups = [part for row in rows for part in (row[:half], row[half:])]
    found = symmetries(puzzle)
    # Of identical pieces only pairs are exchanged for nothing.
    different = prod(factorial(number) // 2 ** (number // 2) for number in (len(kind.pieces) for kind in found.types))
    turns = found.board if find_anchors(puzzle, found, order) else 1
    every = [nodes / turns for nodes in _laid(model, groups, symmetry=False)]
    return min([nodes * different for nodes in _laid(model, groups, symmetry=True)], every, key=sum)


@dataclass(frozen=True)
class MiddlePlan:
    """What a count by a middle row is expected to take."""

    #: The expected work, in half-rows placed and middle rows placed on bottom rows.
    cost: Fraction
    #: The expected memory of a round.
    bytes: float


@lru_cache(maxsize=8)
def middle_plan(puzzle: EdgeMatchingPuzzle) -> MiddlePlan:
    """The cost of a count by a middle row.

    Raises EngineError if the method does not apply, or the boards of a round are expected to outgrow the memory.
    """
    from ...csp.search.counting.middle import MOST_BYTES, ONE_ROUND_BYTES, bytes_of_round, middle_row

    refuse_middle(puzzle, DEFAULTS)
    puzzle = puzzle.upright()
    model, found, below = Complexity(puzzle), symmetries(puzzle), middle_row(puzzle)
    half_rows = _half_rows(model)
    # Top rows have two of the other corner pieces than the anchor; without an anchor, any two.
    times = 2 if anchor_of(found) is not None and found.board == 4 else 1
    bottom, top = half_rows[: 2 * below], [times * nodes for nodes in half_rows[: 2 * (puzzle.rows - below - 1)]]
    rounds = max(sum(kind.piece_class == "corner" for kind in found.types) - 1, 1)
    size = bytes_of_round(float(bottom[-1]), float(top[-1]))
    if size <= ONE_ROUND_BYTES:
        rounds = 1
    if size / rounds > MOST_BYTES / _DOUBT:
        raise EngineError(f"method middle: the boards of a round would take about {size / rounds / 2**30:.3g} GiB")
    squares = puzzle.columns
    first = (puzzle.rows - 1 - below) * squares
    middle = range(first, first + squares)
    order = (*middle, *(square for square in range(len(puzzle.board)) if square not in middle))
    rows = model.estimate(order).nodes_by_depth[squares - 1]
    cost = sum(bottom, Fraction(0)) + sum(top, Fraction(0)) + half_rows[2 * below + 1]
    return MiddlePlan(cost + _NODES_OF_MIDDLE_ROW * rounds * rows, size / rounds)


def _blocks(model: Complexity) -> Fraction:
    """The expected number of 2x2 blocks placed."""
    puzzle = model.puzzle
    groups = [squares_of_block(puzzle.board, site) for site in block_sites(puzzle)]
    return sum(_laid(model, groups, symmetry=True), Fraction(0))


def _laid(model: Complexity, groups: list[tuple[int, ...]], *, symmetry: bool) -> list[Fraction]:
    """The expected nodes at the depth at which each group of squares is complete; 0 for groups of fixed squares."""
    fixed = {fixed.square for fixed in model.puzzle.fixed}
    order = fixed_first(model.puzzle, [square for group in groups for square in group])
    found = model.estimate(order, symmetry=symmetry)
    depths = accumulate((sum(square not in fixed for square in group) for group in groups), initial=len(fixed))
    return [
        Fraction(found.numerators[depth - 1] if depth > before else 0, found.denominator)
        for before, depth in pairwise(depths)
    ]


def with_cut(puzzle: EdgeMatchingPuzzle, options: Options) -> Options:
    """Add the cut of least expected cost to the options of counts by frames; return other options unchanged.

    Raises EngineError if the method is `frames`, and it does not apply or its tables are expected to outgrow the
    memory.
    """
    if options.method != "frames" or options.cut is not None:
        return options
    refuse_frames(puzzle, options)
    return replace(options, cut=best_plan(puzzle).cut)


@dataclass(frozen=True)
class FramesPlan:
    """A way to cut the board, with its expected cost."""

    #: The cut, as the count needs it.
    cut: FramesCut
    #: The expected work, in nodes.
    cost: float
    #: The expected size of the tables.
    tables_bytes: float


@lru_cache(maxsize=8)
def best_plan(puzzle: EdgeMatchingPuzzle) -> FramesPlan:
    """Return the plan of least cost whose tables fit into memory and whose numbers fit into 64 bits.

    A plan may turn the board, which turns its rows into columns.

    Raises EngineError if the method does not apply, or no plan fits.
    """
    refuse_frames(puzzle, DEFAULTS)
    found, shape = symmetries(puzzle), inside_of(puzzle)
    # The lower half is the smaller one because its tables are searched.
    sizes = range(-(-prod(shape) // 2), prod(shape))
    pairs = [halves_of(puzzle, columns, size) for columns in sorted(set(shape), reverse=True) for size in sizes]
    refusals = [why_too_big(puzzle, found, pair) for pair in pairs]
    possible = [pair for pair, refusal in zip(pairs, refusals, strict=True) if refusal is None]
    if not possible:
        raise EngineError(f"method frames: {refusals[0]}")
    expected = _Expected(puzzle, found)
    plans = [expected.plan(pair) for pair in possible]
    plan = min(plans, key=lambda plan: (plan.tables_bytes > MOST_BYTES, plan.cost, plan.cut.columns))
    if plan.tables_bytes > MOST_BYTES:
        size = f"{plan.tables_bytes / 2**30:.3g} GiB"
        raise EngineError(f"method frames: the tables would take about {size}; the limit is 1 GiB")
    return plan


class _Expected:
    """Expected numbers of a puzzle that do not depend on the cut."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, found: Symmetries) -> None:
        self._square = puzzle.rows == puzzle.columns
        model = Complexity(puzzle)
        self._frame_chance = [n / model.frame.denominator for n in model.frame.numerators]
        self._inner_chance = model.inner_chance
        self._anchor = anchor_of(found)
        others = [kind for kind in found.types if kind is not self._anchor]
        ways = class_fillings(found.types, Counter(puzzle.piece_classes))
        self._edges, self._corners, self._inner = (ways[name] for name in ("edge", "corner", "inner"))
        self._other_corners = class_fillings(others, {"corner": 4})["corner"]
        turns = found.board if self._anchor else 1
        self._frames = self._edges[-1] * self._corners[-1] * self._frame_chance[-1] / turns
        # What the lists of rows depend on: inner pieces in all orientations, and colours.
        candidates = sum(4 // kind.order for kind in found.types if kind.piece_class == "inner")
        self._rows_of = candidates, len(color_indices(puzzle, puzzle.inner_sides()))
        letters = Counter(facing(kind) for kind in found.types if kind.piece_class == "edge" for _ in kind.pieces)
        # The numbers of colour words that 0, 1, ... edge pieces can show, and of choices of 0, 1, ... inner pieces.
        self._letter_ways, self._choices = [1] + [0] * letters.total(), [1]
        for number in letters.values():
            self._letter_ways = mixed(self._letter_ways, [1] * (number + 1))
        for most in (len(kind.pieces) for kind in found.types if kind.piece_class == "inner"):
            self._choices = [sum(self._choices[max(0, n - most) : n + 1]) for n in range(len(self._choices) + most)]

    def plan(self, halves: tuple[Half, Half]) -> FramesPlan:
        """The expected cost of a cut."""
        upper, lower = halves
        by_depth = self._rings(upper, upper=True), self._rings(lower, upper=False)
        rings = by_depth[0][-1], by_depth[1][-1]
        words = self._words(rings[0], upper), self._words(rings[1], lower)
        if upper == lower:
            words = (self._words(sum(rings), upper) / 2,) * 2
        pairs = _different(self._frames, self._letter_ways[-1])
        fill_nodes = self._fill_nodes(upper), self._fill_nodes(lower)
        entries = self._entries(upper), self._entries(lower)
        pair_nodes = _NODES_OF_PAIR + _NODES_OF_LOOKUP * entries[1]
        cost = _NODES_OF_RING * sum(map(sum, by_depth)) + sum(map(mul, words, fill_nodes)) + pairs * pair_nodes
        size = sum(map(mul, words, entries)) * _BYTES_OF_ENTRY + sum(rings) * _BYTES_OF_HALF + pairs * _BYTES_OF_PAIR
        return FramesPlan(FramesCut(upper.columns, upper.squares, fill_nodes, pair_nodes), cost, size)

    def _rings(self, half: Half, *, upper: bool) -> list[float]:
        """Nodes by depth of the search for halves of frames; the upper half begins with the anchor."""
        anchor_is_first = upper and self._square and self._anchor is not None
        of_corners = self._corners if upper and not self._square else self._other_corners
        numbers = []
        for depth in range(1, half.pieces_of_frame + 1):
            corners = (depth > half.left) + (depth > half.left + half.columns + 1)
            ways = self._edges[depth - corners] * of_corners[corners - (anchor_is_first and corners > 0)]
            numbers.append(ways * self._frame_chance[depth - 1])
        return numbers

    def _words(self, halves: float, half: Half) -> float:
        return _different(min(halves, self._frames), self._letter_ways[half.edges])

    def _fillings(self, half: Half) -> list[float]:
        """Nodes by depth of filling half of the inside for a given word."""
        chances = (
            self._inner_chance(rim, joins - rim) for joins, rim in zip(half.joins(), half.rim_joins(), strict=True)
        )
        return [ways * chance for ways, chance in zip(self._inner, chances, strict=False)][1:]

    def _fill_nodes(self, half: Half) -> float:
        """Nodes of filling half of the inside for a given word; squares that are filled together have one node."""
        fillings = self._fillings(half)
        together = filled_together(half, *self._rows_of)
        return sum(fillings[: half.squares - together]) + (fillings[-1] if together else 0.0)

    def _entries(self, half: Half) -> float:
        colors = 1 / max(self._inner_chance(0, 1), 1e-4)
        return _different(self._fillings(half)[-1], self._choices[half.squares] * colors**half.cut)


def _different(drawn: float, ways: float) -> float:
    """The expected number of different values among `drawn` uniform draws from `ways` values."""
    if not 0 < ways < inf or drawn <= 0:
        return 0.0
    return ways * -expm1(-drawn / ways)
