"""Jigsaws with exactly two solutions that are made for two pictures, by annealing scrambles with their tones."""

from collections.abc import Callable, Iterator

import numpy as np

from ...base.seeded_random import Chance
from ...base.stopping import never
from ...puzzles.board import Arrangement, Board
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.jigsaw_algebra import jigsaw_from_assemblies, original
from ..annealing import Wish
from .annealing import UNIT, anneal_tones
from .choice import Candidate, count_solutions
from .tones import Tones

# Boards with at most this number of squares have a bound on the joins of a connector, which gives few pieces more
# freedom; larger ones have a price, which takes a tenth of the time and leaves many connectors.
_MOST_BOUNDED = 100
# After scrambles with too many joins for a connector more are allowed, and after a third solution fewer.
_MORE, _FEWER = 1.25, 0.93
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
        The largest number of joins of a connector.  By default it is determined by trial so that there are two
        solutions; or on boards of more than 100 squares the price of a join is, as low as two solutions allow.
    no_stay
        Whether no piece may have the same square in both assemblies, for any turn of one of them.
    must_stop
        Is called several times a second; returns whether to give up.
    report
        Is called with the progress in words.

    Raises
    ------
    PuzzleError
        If it is known that there is no such jigsaw.
    """
    board, chance = tones.board, Chance(seed)
    bounds = _Bounds(board, max_use)
    tried = found = failures = 0
    while found < number and failures < _MOST_FAILURES and not must_stop():
        tried += 1
        failures += 1
        what = f"scramble {tried}{bounds.words}"
        toned = anneal_tones(
            Wish(board.rows, board.columns, bounds.use, no_stay),
            tones.costs.astype(np.float64),
            chance.below(2**53),
            price=bounds.price,
            must_stop=must_stop,
            report=lambda part, what=what: report(f"{what}, {100 * part:.0f} % annealed"),
        )
        if not toned.is_as_wished:
            bounds.after_fault(toned.excess)
            continue
        puzzle = _jigsaw(
            board, toned.arrangement, f"scramble {tried} annealed for two pictures by seed {seed}{bounds.words}"
        )
        report(f"{what}, counting solutions")
        solutions = count_solutions(puzzle, 3, must_stop=must_stop)
        if solutions.exact and solutions.number == 2:
            found, failures = found + 1, 0
            yield Candidate(puzzle, f"scramble {tried}")
            bounds.after_two_solutions()
        else:
            bounds.after_more_solutions()


class _Bounds:
    """What keeps connectors from too many joins: the largest number of joins, or the price of each further one.

    Parameters
    ----------
    board
        The board.
    max_use
        The largest number of joins, if it is given; then nothing changes.
    """

    def __init__(self, board: Board, max_use: int | None) -> None:
        self._joins, self._least = board.join_count, 2 + board.join_count % 2
        self._is_given = max_use is not None
        is_priced = max_use is None and len(board) > _MOST_BOUNDED
        self.price = _FIRST_PRICE if is_priced else None
        # With this number of joins per connector about every other scramble has two solutions.
        many = board.rows + board.columns
        self.use = max_use if max_use is not None else self._least if is_priced else many

    @property
    def words(self) -> str:
        """The bound in words, after a comma; empty with a price."""
        return f", connectors on up to {self.use} joins" if self.price is None else ""

    def after_fault(self, excess: int) -> None:
        """With many uses some pieces are equal; with few uses some joins have no connector."""
        if self.price is not None:
            self.price = self.price * _HIGHER // 100
        elif not self._is_given:
            self.use = min(int(_MORE * self.use) + 1, self._joins) if excess else self._fewer()

    def after_more_solutions(self) -> None:
        """More connectors make fewer solutions."""
        if self.price is not None:
            self.price = self.price * _HIGHER // 100
        elif not self._is_given:
            self.use = self._fewer()

    def after_two_solutions(self) -> None:
        """Fewer connectors leave more to the tones."""
        if self.price is not None:
            self.price = self.price * _LOWER // 100

    def _fewer(self) -> int:
        return max(int(_FEWER * self.use), self._least)


def _jigsaw(board: Board, scramble: Arrangement, source: str) -> EdgeMatchingPuzzle:
    name = f"{board.rows}x{board.columns} jigsaw for two pictures"
    return jigsaw_from_assemblies(board.rows, board.columns, [original(board), scramble], name, source)
