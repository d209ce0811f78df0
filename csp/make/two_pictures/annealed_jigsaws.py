"""Jigsaws with exactly two solutions that are made for two pictures, by annealing scrambles with their tones."""

from collections.abc import Callable, Iterator

import numpy as np

from ...base.seeded_random import Chance
from ...base.stopping import never
from ...puzzles.board import Arrangement, Board
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.jigsaw_algebra import jigsaw_from_assemblies, least_use, original
from ..annealing import Wish
from .annealing import UNIT, anneal_tones
from .choice import Candidate, count_solutions
from .tones import Tones

# The first price of a join of a connector above the least use; in percent, the price after a jigsaw with two solutions,
# which leaves more to the tones, and the price after another one.
_FIRST_PRICE, _LOWER, _HIGHER = UNIT // 10, 70, 150
# After this number of consecutive scrambles without exactly two solutions the search gives up.
_MOST_FAILURES = 40


def jigsaws_annealed(
    tones: Tones,
    number: int,
    seed: int = 0,
    *,
    max_use: int | None = None,
    no_stay: bool = False,
    must_stop: Callable[[], bool] = never,
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[Candidate]:
    """Up to `number` jigsaws with exactly two solutions, annealed for low cost; fewer if the search gives up.

    Parameters
    ----------
    tones
        The costs of pieces.
    number
        The number of jigsaws.
    seed
        The random seed.
    max_use
        The largest number of joins of a connector.  By default each join above the least number has a price, found by
        trial, as low as two solutions allow.
    no_stay
        Whether no piece may have the same square in both assemblies, for any turn of one of them.
    must_stop
        Is called several times a second; returns whether to give up.
    report
        Is called with the progress in words.

    Raises UsageError if it is known that there is no such jigsaw.
    """
    board, chance = tones.board, Chance(seed)
    price = _FIRST_PRICE if max_use is None else None
    use = least_use(board.join_count) if max_use is None else max_use
    bound = "" if max_use is None else f", connectors on up to {max_use} joins"
    tried = found = failures = 0
    while found < number and failures < _MOST_FAILURES and not must_stop():
        tried += 1
        failures += 1
        what = f"scramble {tried}{bound}"
        toned = anneal_tones(
            Wish(board.rows, board.columns, use, no_stay),
            tones.costs.astype(np.float64),
            chance.below(2**53),
            price=price,
            must_stop=must_stop,
            report=lambda part, what=what: report(f"{what}, {100 * part:.0f} % annealed"),
        )
        change = _HIGHER
        if toned.is_as_wished:
            source = f"scramble {tried} annealed for two pictures by seed {seed}{bound}"
            puzzle = _jigsaw(board, toned.arrangement, source)
            report(f"{what}, counting solutions")
            solutions = count_solutions(puzzle, 3, must_stop=must_stop)
            if solutions.exact and solutions.number == 2:
                found, failures, change = found + 1, 0, _LOWER
                yield Candidate(puzzle, f"scramble {tried}")
        price = None if price is None else price * change // 100


def _jigsaw(board: Board, scramble: Arrangement, source: str) -> EdgeMatchingPuzzle:
    name = f"{board.rows}x{board.columns} jigsaw for two pictures"
    return jigsaw_from_assemblies(board.rows, board.columns, [original(board), scramble], name, source)
