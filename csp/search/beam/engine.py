"""The engine `beam`: beam searches for the best score, along one order after the other."""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.stop import Report, Stop, never
from ...engines.request import Goal, Limits, Options, some_options
from ...engines.tallies import Rows, Tally, certain
from ...puzzles.board import Arrangement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import Order, find_order, fixed_first
from ...puzzles.slips import checked_slips, shown_slips
from ...puzzles.symmetry import symmetries
from ..best_score_race import FAILURE, FoundBoard, Race, RacingEngine, Runner, Trial, Wanted, promise
from .beam_search import Beam
from .exchanges import Exchanges
from .routes import BeamTables
from .setting import Setting, beam_orders

if TYPE_CHECKING:
    from .gpu_beam import GpuBeam, RaceOnGpu


# Boards are timed from this part of the board on, since earlier ones take half as long.  When this number of squares
# have been timed, the width begins to depend on the time that they took.  The beam is to end in this part of the time
# that is left, and is never made narrower than this number of boards.
_TIMED_FROM, _SQUARES, _USED, _NARROWEST = 0.55, 8, 0.9, 250


class BeamPace:
    """How many boards a beam may keep, square by square.

    Attributes:
    - `is_narrowed`: whether fewer boards than planned were kept.
    """

    def __init__(self, setting: Setting, width: int, stop: Stop) -> None:
        self._stop = stop
        parts = [setting.part(depth) for depth in range(len(setting.free))]
        self._planned = [setting.width_at(part, width) for part in parts]
        # The number of boards from each square on.
        self._still = [*accumulate(reversed(self._planned))][::-1]
        self._first = next((depth for depth, part in enumerate(parts) if part >= _TIMED_FROM), len(parts))
        self._began, self._boards = 0.0, 0
        self.is_narrowed = False

    def most(self, depth: int) -> int | None:
        """The most boards to keep of the square that is filled next; None for as many as planned.

        Called once for each square, in order.
        """
        left, planned = self._stop.seconds_left, self._planned[depth]
        if left is None or depth < self._first:
            return None
        if depth == self._first:
            self._began = self._stop.used
        most = planned
        if depth >= self._first + _SQUARES:
            needed = (self._stop.used - self._began) / self._boards * self._still[depth]
            most = max(int(planned * min(_USED * left / max(needed, 1e-9), 1.0)), min(_NARROWEST, planned))
        self._boards += most
        if most == planned:
            return None
        self.is_narrowed = True
        return most


# The width of a beam without a limit, of the widest beam if there is time for it, and of the narrowest one.  The first
# beams are narrow, so that a full board is found soon; each is wider than the one before by the same factor.
_WIDTH, _WIDEST, _LEAST, _FIRST, _WIDENED = 40_000, 1_250_000, 500, 250, 16
# On boards with fewer than _LARGE free squares, many narrow beams find better boards in the same time.  So the widest
# beam is half as wide for every _HALVED squares less, down to _LEAST_WIDEST.
_LARGE, _HALVED, _LEAST_WIDEST = 250, 15, 100_000
# The number of beams of full width for which a limit suffices, and the assumed number of nodes per second.  A wide beam
# is worth more than some narrow ones that take as long together.  So those of the first beams are left out that would
# take more than one part in this number of the time of a wide one.
_BEAMS, _NODES_PER_SECOND, _SMALL_PART = 1.2, 5_000_000, 8
# The first beams take milliseconds, and a time that is over does not stop this number of them without a full board.
_AT_LEAST = 5
# The approximate number of nodes of a beam per square and board of its width.
_FILLED = 0.8
# One board in this number of the width is improved by exchanges, but not fewer than the second number of the boards of
# the last layer, nor more than the third.
_IMPROVED, _FEWEST_IMPROVED, _MOST_IMPROVED = 50, 1_000, 20_000
# The approximate memory limit in bytes for all beams together, and with a width given by the user.
_MEMORY, _MOST_MEMORY = 2**30, 2**33
# The part of the remaining time that is planned for a beam at the end.
_CAUTION = 0.9
# The least time of a beam, without that for starting kernels.
_LEAST_SECONDS = 1e-3
# Without a limit the search ends after this number of beams without a better board.
_IDLE = 10


class BeamSearch(RacingEngine):
    """Beam search with slips: of the partial boards with equally many pieces, the most promising are kept.

    They are ranked by the number of ways to match the remaining colours (see `rank`), minus a penalty for every
    invalid join.  The next beam fills the board in another order.
    """

    name = "beam"
    takes = some_options("order", "slips", "frame_slips", "seed", "threads", "width", "device")

    @classmethod
    def order_of(cls, puzzle: EdgeMatchingPuzzle, options: Options) -> tuple[str, Order]:
        return find_order(puzzle, "rowscan2" if options.order is None else options.order)

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        if options.device is None:
            return
        if options.threads != 1:
            why = f"a search on a GPU has one thread, not {options.threads}; omit one of them"
            raise EngineError(why, "threads", "device")
        if options.frame_slips is not None:
            raise EngineError("a search on a GPU does not support them; omit one of them", "frame_slips", "device")

    def race(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options, stop: Stop) -> Race:
        self.check(Goal.BEST, limits, options)
        return _BeamRace(puzzle, limits, options, stop)


class _BeamRace(Race):
    """One run: what all its threads share."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options, stop: Stop) -> None:
        super().__init__(BeamSearch.name, "beam search", puzzle, limits, options, stop)
        self.slips = None if options.slips is None else checked_slips(puzzle, options.slips)
        self._found = symmetries(puzzle)
        self.tables = BeamTables(puzzle)
        # Slips from the first depth on may be anywhere.
        along_order = self.slips is not None or any(depth > 1 for depth in self.frame_slips)
        if options.order is None and not along_order:
            self.order_name, self.orders = "turned and reflected", beam_orders(puzzle)
        else:
            # Slips count along one order.
            self.order_name, order = BeamSearch.order_of(puzzle, options)
            self.orders = (order,)
        if along_order:
            self.judge_by(self.slips, fixed_first(puzzle, self.orders[0]))
        self.ways = self._names_of_orders()
        # Boards with slips along the order stay as the beam has made them.
        self._exchanges = None if along_order else Exchanges(puzzle, self.tables)
        self.setting = cache(self._setting)
        self.on_gpu, self.first, self.widened = None, _FIRST, _WIDENED
        if options.device is None:
            self._wide = self._width()
            Beam.warm_up(self.setting(0)[0])
        else:
            self.on_gpu = self._on_gpu()
        if self._exchanges is not None:
            free = self.setting(0)[0].free
            self._exchanges.improve(free, np.zeros((0, len(free)), np.int64), np.zeros(0, np.int64), 0)
        self.begin([_BeamRunner(self, number, share) for number, share in enumerate(self.shares())])

    def _names_of_orders(self) -> tuple[str, ...]:
        if len(self.orders) == 1:
            return (self.order_name,)
        first = (fixed_first(self.puzzle, order)[self.fixed :][:2] for order in self.orders)
        names = [f"from {', '.join(map(self.puzzle.board.name, squares))}" for squares in first]
        return tuple(name if names.count(name) == 1 else f"{name} ({n})" for n, name in enumerate(names, start=1))

    def _setting(self, number: int) -> tuple[Setting, Tally]:
        order = fixed_first(self.puzzle, self.orders[number])
        tally = Tally(self.puzzle, self._found, self.tables.candidates, order[self.fixed :], None, by_type=True)
        return Setting(self.puzzle, self.tables, order, self.slips, self.before, self.frame_slips), tally

    def _on_gpu(self) -> "RaceOnGpu":
        """What the race has on the GPU; the widths of its beams are chosen here, too."""
        from .gpu_beam import BEAMS, FIRST, WIDENED, WIDTH, RaceOnGpu

        there = RaceOnGpu(self.options, lambda order: self.setting(order)[0], len(self.orders))
        self.first, self.widened = FIRST, WIDENED
        given = self._given_width(there.bytes_a_board, there.most_bytes)
        self._wide = self._chosen_width(there.rate, BEAMS, WIDTH, max(there.widest, _LEAST)) if given is None else given
        return there

    def _width(self) -> int:
        """The width given, or one for which the limits leave time for a wide beam after the narrow ones."""
        a_board = self.options.threads * Beam.bytes_a_board(self.setting(0)[0])
        given = self._given_width(a_board, _MOST_MEMORY)
        smaller = max(_LARGE - (len(self.puzzle.board) - self.fixed), 0)
        widest = max(int(_WIDEST / 2 ** (smaller / _HALVED)), _LEAST_WIDEST)
        widest = min(widest, max(_MEMORY // a_board, _LEAST))
        return self._chosen_width(_NODES_PER_SECOND, _BEAMS, _WIDTH, widest) if given is None else given

    def _given_width(self, a_board: int, memory: int) -> int | None:
        """The width given by the user, if there is enough memory for it."""
        width = self.options.width
        if width is not None and width * a_board > memory:
            there = f"here, with {memory >> 30} GiB of memory"
            there += "" if self.options.threads == 1 else f" for {self.options.threads} threads"
            raise EngineError(f"width {width}: at most {memory // a_board} is possible {there}")
        return width

    def _chosen_width(self, rate: float, beams: float, usual: int, widest: int) -> int:
        """The width for which the limits leave time for some beams at a number of nodes per second."""
        squares = max(len(self.puzzle.board) - self.fixed, 1)
        nodes: list[float] = [limit for limit in self.shares()[:1] if limit is not None]
        if self.limits.seconds is not None:
            nodes.append(self.limits.seconds * rate)
        wanted = min(nodes) / (beams * _FILLED * squares) if nodes else usual
        return int(min(max(wanted, _LEAST), widest))

    @property
    def width(self) -> int:
        return self._wide

    def begun(self, order: int, number: int, width: int) -> "Beam | GpuBeam":
        """The beam of this number, along one of the orders."""
        if self.on_gpu is None:
            return Beam(self.setting(order)[0], width, self._seed(number))
        return self.on_gpu.begun(order, width, self._seed(number), self.width)

    def _seed(self, number: int) -> int:
        seed = 0 if self.options.seed is None else self.options.seed
        return ((seed ^ seed >> 32) & 0xFFFFFFFF) << 32 | number

    def extend(
        self, beam: "Beam | GpuBeam", order: int, most: int | None = None, must_stop: Callable[[], bool] = never
    ) -> int:
        """Fill the next square of a beam, as its own method does; all full boards remain."""
        if beam.depth == len(self.setting(order)[0].free) - 1:
            beam.tell_apart()
        return beam.extend(most, must_stop)

    def best_of(
        self, beam: "Beam | GpuBeam", order: int, number: int, width: int, must_stop: Callable[[], bool]
    ) -> tuple[Rows, NDArray[np.int64]]:
        """The best boards of a full beam of this number, improved by exchanges; and their invalid joins."""
        invalid = beam.invalid.astype(np.int64)
        best = np.argsort(invalid, kind="stable")
        if self._exchanges is None:
            return beam.rows(best[:1]), invalid[best[:1]]
        best = best[: min(max(width // _IMPROVED, _FEWEST_IMPROVED), _MOST_IMPROVED)]
        free, rows = self.setting(order)[0].free, beam.rows(best)
        return self._exchanges.improve(free, rows, invalid[best], self._seed(number), must_stop)

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        try:
            yield from super().steps(report)
        finally:
            if self.on_gpu is not None:
                self.on_gpu.leave()

    def trial(self, number: int, wanted: Wanted, way: int, is_dropped: Callable[[], bool] = never) -> Trial | None:
        squares, tally = self.setting(way)[0].free, self.setting(way)[1]
        beam, nodes = self.begun(way, number, self.width), 0
        try:
            while self.possible and beam.number and not beam.is_full:
                if is_dropped():
                    return None
                self.under_way[number] = beam.depth / len(squares)
                nodes += self.extend(beam, way, must_stop=is_dropped)
        finally:
            self.under_way.pop(number, None)
        score, boards = None, ()
        if self.possible and beam.is_full and beam.number > 0:
            rows, invalid = self.best_of(beam, way, number, self.width, is_dropped)
            if is_dropped():
                return None
            score = int(self._scores(invalid).max())
            boards = self._wanted_of(beam, rows, invalid, tally, wanted)
        return Trial(number, self.ways[way], score, nodes, beam.is_exhaustive, boards)

    def _scores(self, invalid: NDArray[np.int64]) -> NDArray[np.int64]:
        """Invalid joins between fixed pieces count in a beam only if they count for its slips."""
        return self.highest + self.before.total - invalid

    def _wanted_of(
        self, beam: "Beam | GpuBeam", rows: Rows, invalid: NDArray[np.int64], tally: Tally, wanted: Wanted
    ) -> tuple[FoundBoard, ...]:
        """The wanted full boards of a beam, and of those that were made of them."""
        before, scores = self._scores(beam.invalid.astype(np.int64)), self._scores(invalid)
        every = np.unique_counts(np.concatenate((before, scores)))
        numbers = dict(zip(*(each.tolist() for each in every), strict=True))
        least = wanted.raised(numbers, self._found.board).least
        rows = np.concatenate((beam.rows(np.flatnonzero(before >= least)), rows[scores >= least]))
        # Each once, in the order in which they were found.
        first = np.sort(np.unique(rows, axis=0, return_index=True)[1])
        found = tally.arrangements(rows[first])
        return tuple(FoundBoard(board, certain(self.puzzle, board, *self.judged_by).score) for board in found)

    @property
    def shown_options(self) -> Mapping[str, object]:
        slips = shown_slips(self.slips or (), self.frame_slips)
        device = {} if self.on_gpu is None else {"device": str(self.on_gpu)}
        return {"order": self.order_name, **slips, "width": self.width, **device}


class _BeamRunner(Runner):
    """One thread's beams, one after the other."""

    def __init__(self, race: _BeamRace, number: int, left: int | None) -> None:
        super().__init__(race, left)
        self._beams, self._number = race, number
        # Of a beam, and for each board of its width.
        self._seconds = self._seconds_a_board = 0.0
        # Each thread begins with another order.
        ways = range(len(race.orders))
        first = number * len(ways) // race.options.threads
        self._scores: dict[int, list[int]] = {way: [] for way in (*ways[first:], *ways[:first])}
        # Of the beams so far, and of the last ones without a better board.
        self._beams_done = self._idle = 0

    def own_state(self) -> dict[str, Any]:
        scores = [[way, list(scores)] for way, scores in self._scores.items()]
        seconds = {"seconds": self._seconds_a_board, "seconds_a_beam": self._seconds}
        return {"beams": self._beams_done, "idle": self._idle, "scores": scores, **seconds}

    def restore_own(self, state: Mapping[str, Any]) -> None:
        self._beams_done, self._idle = int(state["beams"]), int(state["idle"])
        self._seconds_a_board, self._seconds = float(state["seconds"]), float(state["seconds_a_beam"])
        self._scores = {int(way): list(map(int, scores)) for way, scores in state["scores"]}
        if not self._scores.keys() <= set(range(len(self._beams.orders))):
            raise ValueError

    def work(self) -> None:
        """Search until something ends it."""
        race = self._beams
        limited = race.limits.seconds is not None or self.left is not None
        while self.ended_by is None:
            self.part_begins()
            if not (race.possible and self._scores) or (self._idle >= _IDLE and not limited):
                self.ended_by = "restarts"
                break
            number = self._beams_done
            width = self._affordable(race.width)
            if race.stop.seconds_left == 0 and self._needs_a_board:
                width = min(race.first, race.width)
            if width == 0:
                self.ended_by = "time"
                break
            of_all = number * race.options.threads + self._number
            narrowed = self._at_first(number, width)
            better = self._one_beam(self._next_order(), of_all, narrowed, is_widening=narrowed < width)
            self._beams_done += 1
            self._idle = 0 if better else self._idle + 1
            if self.ended_by == "time" and self._needs_a_board:
                self.ended_by = None

    @property
    def _needs_a_board(self) -> bool:
        """Whether the search goes on though its time is over: an answer without a board is of no use.

        Without any time, none is wanted.
        """
        return self.best is None and self._beams_done < _AT_LEAST and self._beams.limits.seconds != 0

    def _next_order(self) -> int:
        """The order whose beams were best on average, with a bonus for orders with few beams (Auer et al. 2002)."""
        means = {way: (sum(scores) / max(len(scores), 1), len(scores)) for way, scores in self._scores.items()}
        return max(means, key=lambda way: promise(*means[way]))

    def _affordable(self, width: int) -> int:
        """The width of a beam that can be finished before the time is over; 0 if no width is worth it."""
        race = self._beams
        left = race.stop.seconds_left
        if left is None or not self._seconds_a_board:
            return width
        affordable = int((_CAUTION * left - self._seconds) / self._seconds_a_board)
        return min(affordable, width) if affordable >= min(_LEAST, width) else 0

    def _at_first(self, number: int, width: int) -> int:
        """The width of a beam of this number: the first ones are narrower, but for those that would take too long."""
        narrow = self._beams.first * self._beams.widened ** min(number, _WIDENED)
        return width if number and _SMALL_PART * narrow > width else min(narrow, width)

    def _one_beam(self, order: int, number: int, width: int, *, is_widening: bool) -> bool:
        """Run one beam, to its end unless something stops it; return whether it has led to a better board.

        The scores of the first beams, which are narrower than later ones, are no measure of an order.
        """
        race = self._beams
        started = time.perf_counter()
        setting, tally = race.setting(order)
        beam = race.begun(order, number, width)
        is_needed = width <= race.first and self._needs_a_board
        pace = BeamPace(setting, width, race.stop)

        def must_stop() -> bool:
            reason = self.reason_to_stop()
            self.ended_by = None if reason == "time" and is_needed else reason
            return self.ended_by is not None

        while beam.number and not beam.is_full and not must_stop():
            depth = beam.depth
            mosts = [most for most in (self.left, None if is_needed else pace.most(depth)) if most is not None]
            self.count(depth, race.extend(beam, order, min(mosts, default=None), must_stop))
        if beam.is_full and beam.number:
            rows, invalid = race.best_of(beam, order, number, width, self._must_end)
        else:
            rows, invalid = beam.best_row()[None], None
        seconds = time.perf_counter() - started
        if race.on_gpu is not None and width <= race.first and self.ended_by is None:
            # Nearly all of it is starting kernels, which takes as long in wider beams.
            self._seconds = seconds
        if self.ended_by is None and not pace.is_narrowed and width > min(race.first, race.width - 1):
            self._seconds_a_board = max(seconds - self._seconds, _LEAST_SECONDS) / width
            if not is_widening:
                self._scores[order].append(self._value(invalid))
            if width == race.width and beam.is_exhaustive:
                del self._scores[order]
        if invalid is None:
            if rows.shape[1] + race.fixed > len(self.fullest) - self.fullest.count(None):
                self.fullest = tally.partial_board(rows[0], setting.order[: race.fixed])
            return False
        return self.keep(next(tally.arrangements(rows[[int(np.argmin(invalid))]])))

    def _must_end(self) -> bool:
        """Whether the time is over, or the search was interrupted."""
        return self.reason_to_stop() in ("time", "interrupt")

    def _value(self, invalid: NDArray[np.int64] | None) -> int:
        """The value of a beam: its score or, without a full board, the best score so far minus a penalty."""
        if invalid is not None:
            return self._beams.puzzle.max_score - int(invalid.min())
        return (self.score or 0) - FAILURE
