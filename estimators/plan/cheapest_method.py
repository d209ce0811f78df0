"""Which method counts the solutions of a puzzle in the least time, by what each is predicted to cost."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from time import perf_counter

from ...csp.base.errors import EngineError
from ...csp.engines.request import Options, Prepared
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, find_order, fixed_first
from ...csp.puzzles.symmetry import find_anchors, symmetries
from ...csp.search.counting.blocks import method as blocks
from ...csp.search.counting.blocks.tables import block_sites, squares_of_block
from ...csp.search.counting.macros import method as macros
from ...csp.search.counting.methods import cut_into_parts
from ..owen.complexity import Complexity
from ..owen.rounding import significant
from .effort import MOST_PREDICTED, Plan
from .frames_cut import best_plan, with_cut
from .prediction import Prediction, cheapest

# Nodes a second of each method, on one core of 2024: tests/benchmarks/counting.py measures them.
RATES = {"frames": 30_000_000, "macros": 80_000_000, "blocks": 30_000_000}
# The same of the plain search: its kernel for rows is twice as fast as the others.
PLAIN_RATES = dict.fromkeys(NAMED_ORDERS, 45_000_000) | {"rowscan": 90_000_000}
#: Below so many predicted seconds of the plain search, to prepare anything else takes longer than to search.
_QUICK_SECONDS = Fraction(1, 10)


@dataclass(frozen=True)
class Cost:
    """What a method is predicted to cost.

    Parameters
    ----------
    method
        Its name.
    nodes, seconds
        Its nodes, whatever it counts as such, and the time of one thread for them, made ready.
    order_name
        The search order of the plain search; the others have none.
    """

    method: str
    nodes: Fraction
    seconds: Fraction
    order_name: str | None = None


def costs(puzzle: EdgeMatchingPuzzle, options: Options) -> tuple[tuple[Cost, ...], Prediction | None]:
    """What the methods that apply are predicted to cost, the cheapest one first, and the plain search's prediction.

    The plain search goes along the named order of least time, whatever order the options have.

    Of boards with more than 400 squares nothing is predicted: there is neither.
    """
    if len(puzzle.board) > MOST_PREDICTED:
        return (), None
    model = Complexity(puzzle)
    plain = cheapest(model, options, PLAIN_RATES)
    nodes = plain.effort.searched.nodes
    found = [Cost("plain", nodes, nodes / PLAIN_RATES[plain.order_name], plain.order_name)]
    if found[0].seconds > _QUICK_SECONDS:
        found += [Cost(method, nodes, nodes / RATES[method]) for method, nodes in _others(model, options)]
    return tuple(sorted(found, key=lambda cost: cost.seconds)), plain


def planned_count(puzzle: EdgeMatchingPuzzle, options: Options) -> tuple[Plan, tuple[Cost, ...]]:
    """The count of least predicted cost, and what all methods are predicted to cost.

    No order of squares must be asked for: only the plain search has one.
    """
    found, plain = costs(puzzle, options)
    if plain is None:
        return Plan(None, options), found
    while found[0].method != "plain":
        prepared = _prepared(puzzle, replace(options, method=found[0].method))
        if prepared is not None:
            predicted = {"solutions": plain.summary["solutions"], "nodes": significant(found[0].nodes)}
            return Plan(None, prepared, predicted), found
        found = found[1:]
    return plain.plan(options), found


def _prepared(puzzle: EdgeMatchingPuzzle, options: Options) -> Options | None:
    """The options with the tables of their method; None if it does not apply, which may turn out only here."""
    began = perf_counter()
    try:
        cut = with_cut(puzzle, options)
        piecework = cut_into_parts(puzzle, cut)
    except EngineError:
        return None
    return replace(cut, prepared=Prepared(piecework, perf_counter() - began))


def _others(model: Complexity, options: Options) -> Iterator[tuple[str, Fraction]]:
    """The methods besides the plain search that apply, and their nodes."""
    puzzle = model.puzzle
    if not options.symmetry or options.slips is not None:
        return
    upright = puzzle.upright()
    model = model if upright is puzzle else Complexity(upright)
    with suppress(EngineError):
        yield "frames", Fraction(best_plan(puzzle).cost)
    for method, refuse, expected in (("macros", macros.refuse, _half_rows), ("blocks", blocks.refuse, _blocks)):
        with suppress(EngineError):
            refuse(puzzle, options)
            yield method, expected(model)


def _half_rows(model: Complexity) -> Fraction:
    """How many half-rows are expected to be laid; identical pieces count as different ones there."""
    puzzle = model.puzzle
    order, half = find_order(replace(puzzle, fixed=()), "rowscan")[1], (puzzle.columns + 1) // 2
    rows = [order[at : at + puzzle.columns] for at in range(0, len(order), puzzle.columns)]
    found = symmetries(puzzle)
    turns = found.board if find_anchors(puzzle, found, order) else 1
    return _laid(model, [part for row in rows for part in (row[:half], row[half:])], symmetry=False) / turns


def _blocks(model: Complexity) -> Fraction:
    """How many 2x2 blocks are expected to be laid."""
    puzzle = model.puzzle
    return _laid(model, [squares_of_block(puzzle.board, site) for site in block_sites(puzzle)], symmetry=True)


def _laid(model: Complexity, groups: list[tuple[int, ...]], *, symmetry: bool) -> Fraction:
    """The nodes that are expected whenever one more group of squares is filled."""
    fixed = {fixed.square for fixed in model.puzzle.fixed}
    order = fixed_first(model.puzzle, [square for group in groups for square in group])
    nodes = model.estimate(order, symmetry=symmetry).nodes_by_depth
    depths = accumulate((sum(square not in fixed for square in group) for group in groups), initial=len(fixed))
    return sum((nodes[depth - 1] for before, depth in pairwise(depths) if depth > before), Fraction(0))
