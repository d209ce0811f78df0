"""The engine `dive`: many depth-first searches for the best score, each along the same order under a slip array."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from ..base.stop import Stop, never
from ..engines.request import Limits, Options, some_options
from ..engines.tallies import Rows, Tally, certain
from ..puzzles.board import Arrangement, Placement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.orders import Order, checked_order, find_order
from ..puzzles.slips import Slips, allowed, between_fixed, checked_slips, shown_slips
from ..puzzles.symmetry import find_candidates, symmetries
from .beam.beam_search import Beam
from .beam.routes import BeamTables
from .beam.setting import Setting, all_beam_orders
from .best_score_race import FoundBoard, Race, RacingEngine, Runner, Trial, Wanted
from .dive_tables import ORDERS, Descent, DiveTables, dive_tables, early_colors, early_quota, is_past_quota
from .shared_tree import BUDGET_SPENT, DEEPER, EXHAUSTED, ROWS_FULL

_WIDTH = 2000


def complete(
    puzzle: EdgeMatchingPuzzle,
    arrangement: Sequence[Placement | None],
    seed: int,
    width: int = _WIDTH,
    *,
    must_stop: Callable[[], bool] = never,
    along_frame: int = 0,
) -> Arrangement | None:
    """A full board that keeps the pieces of a partial one in place, or None if no such board was found in time.

    At most `along_frame` joins along the frame are invalid, and any others; the fixed pieces of the puzzle are on the
    board.
    """
    start = puzzle.with_fixed(arrangement)
    frame_slips = (1,) * along_frame
    _, before = between_fixed(start, frame_slips)
    found, tables = symmetries(start), BeamTables(start)
    best: Arrangement | None = None
    for order in all_beam_orders(start)[:4]:
        squares = checked_order(start, [square for square in order if arrangement[square] is None])
        setting = Setting(start, tables, squares, None, before._replace(inner=0), frame_slips)
        beam = Beam(setting, width, seed)
        while beam.number and not beam.is_full and not must_stop():
            beam.extend()
        if beam.number and beam.is_full:
            tally = Tally(start, found, tables.candidates, squares[len(start.fixed) :], None, by_type=True)
            board = next(tally.arrangements(beam.best_row()[None]))
            if best is None or start.score(board) > start.score(best):
                best = board
        if must_stop():
            break
    return best


# For a board of 256 squares: the twenty slips with the fewest expected nodes for each expected board of Eternity II
# (`jigsat estimate eternity2 --order best --slips best:20`), and two more at each of the last depths, so that dives can
# fill the board themselves.
_SLIPS = (
    186, 202, 208, 212, 217, 221, 225, 228, 232, 234, 237, 239, 241, 243, 245, 247, 248, 249, 251, 252,
    253, 253, 254, 254, 255, 255, 256, 256,
)  # fmt: skip
# In proportion to the board these are for large boards.  On smaller ones the slip array that has led to 470 valid joins
# on Eternity II, with slips at the last depths, leads to higher scores.
_SLIPS_OF_SMALL = (197, 203, 210, 216, 221, 225, 229, 233, 236, 238, *sorted((*range(240, 257), *range(240, 257))))
_SLIPS_SQUARES = 256
# A dive is given up after this number of nodes without getting deeper.
_PATIENCE = 5_000_000
# The part of the early colours that must be used up; after a dive that got stuck before, the factor by which it is
# reduced.
_USED_UP, _MODESTY = 0.85, 0.85
# Without a limit the search ends after this number of dives without a better board.
_RESTARTS = 10
_SLICE = 2_000_000
# The next completion may take longer than the slowest one so far by this factor; the first one gets this part of the
# total time.
_CAUTION, _FIRST_SHARE = 1.25, 0.3


class Dive(RacingEngine):
    """Depth-first search under a slip array, restarted again and again with other orders of candidates.

    It allows no invalid join on most of the board, and then one after the other (the method of those who searched for
    the best scores of Eternity II, such as Blackwood).  Some colours, different in each dive, are used up early, so
    that few colours remain at the end.  As long as no dive has filled the board, a beam search completes the deepest
    ones.
    """

    name = "dive"
    takes = some_options("order", "slips", "frame_slips", "seed", "threads")
    orders = ORDERS

    @classmethod
    def order_of(cls, puzzle: EdgeMatchingPuzzle, options: Options) -> tuple[str, Order]:
        # Along the shorter side, so that fewer sides are open.
        usual = "colscan" if puzzle.columns > puzzle.rows else "rowscan2" if _is_large(puzzle) else "rowscan"
        return find_order(puzzle, usual if options.order is None else options.order)

    def race(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options, stop: Stop) -> Race:
        return _DiveRace(puzzle, limits, options, stop)


def default_slips(puzzle: EdgeMatchingPuzzle) -> Slips:
    """The default slip array: that for Eternity II, in proportion to the board."""
    squares, slips = len(puzzle.board), _SLIPS if _is_large(puzzle) else _SLIPS_OF_SMALL
    return checked_slips(puzzle, tuple(max(1, round(depth * squares / _SLIPS_SQUARES)) for depth in slips))


def _is_large(puzzle: EdgeMatchingPuzzle) -> bool:
    return len(puzzle.board) >= _SLIPS_SQUARES


class _DiveRace(Race):
    """One run: what all its threads share."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options, stop: Stop | None = None) -> None:
        stop = Stop(limits.seconds) if stop is None else stop
        super().__init__(Dive.name, "dives with restarts", puzzle, limits, options, stop)
        self._order_name, self.order = Dive.order_of(puzzle, options)
        self.ways = (self._order_name,)
        self.slips = default_slips(puzzle) if options.slips is None else checked_slips(puzzle, options.slips)
        found = symmetries(puzzle)
        # The largest number of full boards that look the same.
        self._alike = found.board
        candidates = find_candidates(puzzle, found.types)
        if options.slips is not None or self.frame_slips:
            self.judge_by(None if options.slips is None else self.slips, self.order)
        self.tables: DiveTables | None = None
        if self.possible and self.fixed < len(self.order):
            self.tables = dive_tables(puzzle, candidates, self.order, self.slips, self.before, self.frame_slips)
            Descent(self.tables).advance(0, 0)
        self._tally = Tally(puzzle, found, candidates, self.order[self.fixed :], None, by_type=True)
        self.seed = 0 if options.seed is None else options.seed
        self.begin([_Diver(self, self.seed + number, share) for number, share in enumerate(self.shares())])

    def board(self, row: Rows) -> Arrangement:
        """The fixed pieces and the candidates of the first depths."""
        return self._tally.partial_board(row, self.order[: self.fixed])

    def trial(self, number: int, wanted: Wanted, way: int, is_dropped: Callable[[], bool] = never) -> Trial | None:
        diver = _DiverOfTrial(self, self.seed, number)
        diver.is_dropped = is_dropped
        diver.work()
        if is_dropped():
            return None
        scores = Counter(one.score for one in diver.found)
        least = wanted.raised(scores, self._alike).least
        boards = tuple(one for one in diver.found if one.score >= least)
        return Trial(number, self._order_name, max(scores, default=None), int(diver.nodes.sum()), boards=boards)

    @property
    def shown_options(self) -> Mapping[str, object]:
        return {"order": self._order_name, **shown_slips(self.slips, self.frame_slips)}


class _Diver(Runner):
    """One thread's dives, one after the other."""

    def __init__(self, race: _DiveRace, seed: int, left: int | None) -> None:
        super().__init__(race, left)
        self._dives, self._seed = race, seed
        self._completed_depth, self._used_up = 0, _USED_UP
        self._reserve = 0.0 if race.limits.seconds is None else _FIRST_SHARE * race.limits.seconds
        # Of the dives so far, and of the last ones without a better board.
        self._dives_done = self._idle = 0

    def own_state(self) -> dict[str, Any]:
        return {
            "dives": self._dives_done, "idle": self._idle, "completed_depth": self._completed_depth,
            "used_up": self._used_up, "reserve": self._reserve,
        }  # fmt: skip

    def restore_own(self, state: Mapping[str, Any]) -> None:
        self._dives_done, self._idle = int(state["dives"]), int(state["idle"])
        self._completed_depth, self._used_up = int(state["completed_depth"]), float(state["used_up"])
        self._reserve = max(self._reserve, float(state["reserve"]))

    def work(self) -> None:
        """Dive until something ends it."""
        race = self._dives
        if race.tables is None:
            self.ended_by = self.reason_to_stop() or "restarts"
            if race.possible and self.ended_by == "restarts":
                self._complete(self.fullest, self._seed)
            return
        limited = race.limits.seconds is not None or self.left is not None
        while self.ended_by is None:
            self.part_begins()
            before = self.score
            exhausted = self._dive(race.tables, Random(f"{self._seed}/{self._dives_done}"))
            self._dives_done += 1
            self._idle = 0 if self.score != before else self._idle + 1
            if self.ended_by is None and self._idle >= _RESTARTS and (exhausted or not limited):
                self.ended_by = "restarts"

    def _dive(self, tables: DiveTables, chance: Random) -> bool:
        """Run one dive, and complete its deepest board if this is worth it; return whether its tree is exhausted."""
        race, seed = self._dives, chance.getrandbits(32)
        early = early_colors(race.puzzle, chance)
        need = early_quota(race.puzzle, early, self._used_up) if early else None
        row, exhausted = self._descend(tables, Descent(tables, seed, early, need))
        if not is_past_quota(race.puzzle, len(row)):
            self._used_up *= _MODESTY
        if exhausted and need is not None:
            again, exhausted = self._descend(tables, Descent(tables, seed, early))
            row = max(row, again, key=len)
        board = race.board(row)
        if board.count(None) < self.fullest.count(None):
            self.fullest = board
        in_time = self.ended_by != "time" or race.stop.seconds_left != 0
        if self._is_worth_completing(row) and self.ended_by != "interrupt" and in_time:
            self._completed_depth = len(row)
            self._complete(board, seed)
        return exhausted

    def _descend(self, tables: DiveTables, descent: Descent) -> tuple[Rows, bool]:
        """Follow one descent until it gets no deeper; return its deepest row, and whether its tree is exhausted."""
        row = np.zeros(0, dtype=np.int64)
        if self.score is not None:
            descent.allow(self._most_invalid())
        patience, counted = _PATIENCE, np.zeros_like(descent.nodes)
        while patience > 0 and self.ended_by is None:
            self.ended_by = self.reason_to_stop(self._reserve if self._is_worth_completing(row) else 0.0)
            if self.ended_by is not None:
                break
            code = descent.advance(min(_SLICE, patience, _SLICE if self.left is None else self.left), len(row))
            fresh = descent.nodes - counted
            counted = descent.nodes.copy()
            patience -= int(fresh.sum())
            for depth in np.flatnonzero(fresh):
                self.count(int(depth), int(fresh[depth]))
            if code == EXHAUSTED:
                return row, True
            if code in (DEEPER, ROWS_FULL):
                row, patience = descent.row(), _PATIENCE
            if code == ROWS_FULL:
                self._completed_depth = len(row)
                self.keep(self._dives.board(row))
                if self.ended_by is None:
                    descent.allow(self._most_invalid())
            assert code in (BUDGET_SPENT, DEEPER, ROWS_FULL)
        return row, False

    def _is_worth_completing(self, row: Rows) -> bool:
        """Whether to complete a row: no row so far was longer or a full board, and slips may be anywhere."""
        return self._dives.options.slips is None and self._completed_depth <= len(row) < len(self.nodes)

    def _most_invalid(self) -> int:
        """The largest number of invalid joins, as the search counts them, on a board better than the best one."""
        assert self.score is not None
        race = self._dives
        return race.highest - self.score - 1 + race.before.total

    def _complete(self, board: Arrangement, seed: int) -> None:
        """Fill the rest of a board; if this fails, retry without its last row, its last three rows, and so on."""
        race, started = self._dives, time.perf_counter()
        pieces, fewer = len(board) - board.count(None), race.puzzle.columns

        def over() -> bool:
            return self.is_dropped() or race.stop.seconds_left == 0

        while True:
            # All joins that a completion makes are made later than those that are there.
            along = allowed(race.frame_slips, pieces)
            full = board
            if pieces < len(board):
                full = complete(race.puzzle, board, seed, must_stop=over, along_frame=along)
            if full is not None or pieces == race.fixed or over():
                break
            pieces, fewer = max(pieces - fewer, race.fixed), 2 * fewer
            kept = set(race.order[:pieces])
            board = tuple(placed if square in kept else None for square, placed in enumerate(board))
        self._reserve = max(_CAUTION * (time.perf_counter() - started), 0.0 if self.score is None else self._reserve)
        if full is not None:
            self.keep(full)


class _DiverOfTrial(_Diver):
    """One dive of a race, all of whose boards are kept."""

    def __init__(self, race: _DiveRace, seed: int, number: int) -> None:
        super().__init__(race, seed, None)
        self._number = number
        self.found: list[FoundBoard] = []

    def work(self) -> None:
        """Dive once."""
        tables, seed = self._dives.tables, f"{self._seed}/{self._number}"
        if tables is not None:
            self._dive(tables, Random(seed))
        elif self._dives.possible:
            self._complete(self.fullest, Random(seed).getrandbits(32))

    def keep(self, board: Arrangement) -> bool:
        race = self._dives
        found = FoundBoard(board, certain(race.puzzle, board, *race.judged_by).score)
        self.found.append(found)
        better = self.score is None or found.score > self.score
        if better:
            self.best, self.score = board, found.score
        if found.score == race.highest:
            self.ended_by = "restarts"
        return better
