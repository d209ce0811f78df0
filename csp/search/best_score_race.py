"""A race for the best score: its trials, and parallel searches, one per thread, until a limit or nothing improves."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..base.errors import UsageError
from ..base.stop import INTERRUPTS, Progress, Report, Stop, main_reason, never
from ..engines.engine import SQUARES, Engine, EngineRun, Search
from ..engines.request import Goal, Limits, Options
from ..engines.result import Result, Status
from ..engines.tallies import certain
from ..puzzles.board import Arrangement, Placement
from ..puzzles.check_board import check
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.slips import Slips, anywhere, between_fixed, checked_frame_slips, permitted_prefix
from ..work.pools import Finished, Threads
from ..work.run import run

# How far below the best score boards are kept, and how many, unless the user says from which score on.
_SPREAD, _MOST = 2, 10_000


class FoundBoard(NamedTuple):
    """A full board with the number of its valid joins."""

    board: Arrangement
    score: int


@dataclass(frozen=True)
class Wanted:
    """Which boards of a race are kept: those of at least a score."""

    #: The score.
    least: int = 0
    #: Whether it rises: to the best score minus 2, and further if there are more than 10 000 boards of at least that
    #: score, at most to the best score.
    adapted: bool = True

    def raised(self, numbers: Mapping[int, int], alike: int = 1) -> "Wanted":
        """What is wanted if there are boards with these scores, whose numbers are given.

        Up to `alike` of them look the same.
        """
        if not self.adapted or not numbers:
            return self
        best = max(numbers)
        least = max(self.least, best - _SPREAD)
        while least < best and sum(number for score, number in numbers.items() if score >= least) > _MOST * alike:
            least += 1
        return replace(self, least=least)


@dataclass(frozen=True)
class Trial:
    """A trial: one beam or one dive, a function of the puzzle, the options of the race, its number and its way."""

    #: Its number, from 0.
    number: int
    #: The order of squares that it followed, in words.
    way: str
    #: The best score of its boards; None without a full board.
    score: int | None
    #: The number of placed pieces.
    nodes: int
    #: Whether no board was dropped for lack of room, so that another trial of this way would find the same.
    exhaustive: bool = False
    #: Its full boards of at least the wanted score.
    boards: tuple[FoundBoard, ...] = ()
    #: The processor time that it took, if it was measured.
    cpu_seconds: float = 0.0


#: A trial to make: its number, which boards are wanted, and the number of its way.
TrialPart = tuple[int, Wanted, int]


# The bonus of one trial.
_BONUS = 1.5
#: How much worse than the best score a trial without a full board counts.
FAILURE = 5


def promise(mean: float, number: int) -> float:
    """The mean score of some trials, with a bonus that is large if they are few (Auer et al. 2002)."""
    return inf if number == 0 else mean + _BONUS / sqrt(number)


def highest_score(puzzle: EdgeMatchingPuzzle, frame_slips: Slips) -> int:
    """The highest score that is possible with the invalid joins between fixed pieces."""
    return puzzle.max_score - between_fixed(puzzle, frame_slips)[1].total


class RacingEngine(Engine):
    """An engine whose only goal is the best score, and whose runs are races.

    Joins along the frame of its boards are valid unless a frame slip array permits others; inner joins may be invalid.
    Each thread has its share of the nodes, and its own random numbers, derived from ``options.seed``.  The engine
    ignores symmetries.
    """

    kinds = SQUARES
    goals = frozenset({Goal.BEST})
    proves = False
    native = counts_nodes = waits = True

    def prepared(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Arrangement]:
        return self.race(puzzle, limits, options, stop)

    @abstractmethod
    def race(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options, stop: Stop) -> "Race":
        """A run of the engine."""


class Race(EngineRun[EdgeMatchingPuzzle]):
    """One run of an engine that searches for the best score and cannot prove it optimal.

    Attributes:
    - `fixed`: the number of fixed pieces.
    - `frame_slips`: the slip array of the joins along the frame.
    - `possible`: whether the joins along the frame between fixed pieces are valid or permitted, so that a full board
      may exist.
    - `invalid`: the joins between fixed pieces that are invalid.
    - `before`: those of them that count for the slips of the search.
    - `highest`: the highest score that is possible with these.
    - `judged_by`: the slip array by which full boards are checked, the order along which it counts, and the frame slip
      array.
    - `under_way`: how far trials are that run in this process, by number: from 0 to 1, if it is known.
    - `ways`: the names of the orders of squares that trials can follow.
    """

    ways: tuple[str, ...]

    def __init__(
        self, engine: str, method: str, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options, stop: Stop
    ) -> None:
        super().__init__(engine, puzzle, Goal.BEST, limits, options, stop)
        self.method = method
        self.fixed = len(puzzle.fixed)
        self.frame_slips = checked_frame_slips(puzzle, options.frame_slips)
        placed, self.invalid = between_fixed(puzzle, self.frame_slips)
        self.possible, self.highest = placed == self.fixed, puzzle.max_score - self.invalid.total
        # If the slip array is the engine's own, invalid inner joins between fixed pieces are permitted.
        self.before = self.invalid._replace(inner=0)
        self.judged_by: tuple[Slips, Sequence[int], Slips]
        self.judged_by = anywhere(puzzle), range(len(puzzle.board)), self.frame_slips
        self.under_way: dict[int, float] = {}
        self._runners: Sequence[Runner] = ()
        self._waiting: list[Runner] = []
        self._ended = 0
        self._ended_by: str | None = None

    def judge_by(self, slips: Slips | None, order: Sequence[int]) -> None:
        """Check full boards by the user's slip arrays, which count along an order, fixed squares first.

        None stands for invalid inner joins anywhere.
        """
        array = anywhere(self.puzzle) if slips is None else slips
        placed, _ = permitted_prefix(self.puzzle, order[: self.fixed], array, self.frame_slips)
        self.possible &= placed == self.fixed
        self.judged_by = array, order, self.frame_slips
        if slips is not None:
            self.before = self.invalid

    def begin(self, runners: "Sequence[Runner]") -> None:
        """Set the searches, one for each thread, where an earlier run has left them; preparation ends here."""
        self._runners, self._waiting = runners, [*runners]
        earlier = self.options.earlier
        place = None if earlier is None else earlier.continue_from(*self.of)
        if place is not None:
            try:
                for runner, state in zip(runners, place["runners"], strict=True):
                    runner.restore(state)
            except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
                why = "the state of the earlier search is damaged; start over with --overwrite"
                raise UsageError(why, "resume") from error
            self.earlier_nodes = sum(self._nodes()[self.fixed :])
        self.built()

    @abstractmethod
    def trial(self, number: int, wanted: Wanted, way: int, is_dropped: Callable[[], bool] = never) -> Trial | None:
        """The trial of this number along a way, with all its boards that are wanted; None if it was dropped.

        Its boards depend on nothing else than the puzzle, the options, its number and its way.  Trials may run in
        several threads.
        """

    def do(self, part: TrialPart, is_dropped: Callable[[], bool]) -> Trial | None:
        """A trial, for a pool."""
        return self.trial(*part, is_dropped)

    @property
    def width(self) -> int | None:
        """The width of its beams; None without beams."""
        return None

    @property
    def of(self) -> tuple[object, ...]:
        """What the course of the searches depends on, as JSON data."""
        options, shown = self.options, dict(self.shown_options)
        if len(self.ways) > 1:
            shown["ways"] = list(self.ways)
        return self.engine_name, shown, options.seed, options.threads

    def place(self) -> dict[str, object]:
        """The place that all searches have reached, as JSON data."""
        return {"of": self.of, "runners": [runner.state for runner in self._runners]}

    def shares(self) -> list[int | None]:
        """The node limit of each thread: the same for all, so that their results do not depend on time."""
        threads, nodes = self.options.threads, self.limits.nodes
        if nodes is None:
            return [None] * threads
        free = max(nodes - self.fixed, 0)
        return [free // threads + (number < free % threads) for number in range(threads)]

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Search; yield the best full board at the end."""
        run(
            self,
            Threads(_search, len(self._runners)),
            stop=lambda: "interrupt" if self.stop.interrupted else None,
            report=lambda workers: None if report is None else report(self._progress()),
        )
        best = self._first()
        if best.score != self.highest:
            self._ended_by = main_reason(runner.ended_by for runner in self._runners)
        if best.best is not None:
            yield best.best

    @property
    def over(self) -> bool:
        """Whether all threads have ended, or nothing better is possible; a node limit ends each thread by itself."""
        found = self.limits.nodes is None and self._first().score == self.highest
        return found or self._ended == len(self._runners)

    def next_part(self, workers: int) -> "Runner | None":
        """A search that has not begun."""
        return self._waiting.pop(0) if self._waiting else None

    def enter(self, finished: "Finished[Runner, None]") -> None:
        """A search has ended."""
        self._ended += 1

    def _first(self) -> "Runner":
        """The thread with the best board, or else with the fullest one; ties go to the lowest number."""
        return max(
            self._runners,
            key=lambda runner: (-1, -runner.fullest.count(None)) if runner.score is None else (runner.score, 0),
        )

    def _nodes(self) -> tuple[int, ...]:
        """Pieces placed, by the number of pieces on the board."""
        return (*(1,) * self.fixed, *np.sum([runner.nodes for runner in self._runners], axis=0).tolist())

    def _progress(self) -> Progress:
        nodes, seconds = sum(self._nodes()), self.seconds
        parts = [seconds / self.limits.seconds if self.limits.seconds else 0.0]
        parts.append(nodes / self.limits.nodes if self.limits.nodes else 0.0)
        first = self._first()
        scores = (first.score, self.puzzle.max_score)
        return Progress(
            nodes,
            int(first.best is not None),
            min(max(parts), 1.0),
            seconds,
            scores,
            found_nodes=self.earlier_nodes,
            best=first.best,
            place=self.place(),
        )

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The result of the run so far."""
        first = self._first()
        return self.answer(
            kept,
            Status.UNKNOWN if first.best is None else Status.FEASIBLE,
            self._ended_by,
            complete=self._ended_by is None,
            nodes=self._nodes(),
            board=first.fullest if first.best is None else first.best,
            best_bound=self.highest,
        )


def _data_of(board: Arrangement) -> list[Any]:
    return [None if placed is None else [placed.piece, placed.rotation] for placed in board]


def _board_of(data: Sequence[Any], puzzle: EdgeMatchingPuzzle) -> Arrangement:
    """The board that `_data_of` has converted."""
    board = tuple(None if placed is None else Placement(int(placed[0]), int(placed[1])) for placed in data)
    pieces = [placed.piece for placed in board if placed is not None]
    wrong = len(board) != len(puzzle.board) or len(set(pieces)) != len(pieces)
    if wrong or any(not 0 <= piece < len(puzzle.pieces) for piece in pieces):
        raise ValueError
    return board


class Runner(ABC):
    """One thread's search.

    Attributes:
    - `best`, `score`: the best full board so far, and its score.
    - `fullest`: the fullest board so far.
    - `nodes`: pieces placed, by the number of free pieces on the board.
    - `left`: the number of pieces that may still be placed; None for no limit.
    - `ended_by`: what ended the search; None so far.
    - `is_dropped`: asks whether the search must end; it waits while the search is paused.
    - `state`: where the search was at the end of its last part, as JSON data from which `restore` continues.
    """

    def __init__(self, race: Race, left: int | None) -> None:
        puzzle = race.puzzle
        self._race, self.left = race, left
        self.is_dropped: Callable[[], bool] = never
        self.nodes = np.zeros(len(puzzle.board) - race.fixed, dtype=np.int64)
        self.best: Arrangement | None = None
        self.score: int | None = None
        self.fullest = puzzle.fixed_board
        self.ended_by: str | None = None
        self.state: dict[str, Any] = {}

    @abstractmethod
    def own_state(self) -> dict[str, Any]:
        """The part of the state that only this kind of search has."""

    @abstractmethod
    def restore_own(self, state: Mapping[str, Any]) -> None:
        """Continue where `own_state` was made."""

    def part_begins(self) -> None:
        """A part of the search begins: its beginning is where a later run continues."""
        best = None if self.best is None else _data_of(self.best)
        boards = {"best": best, "fullest": _data_of(self.fullest)}
        self.state = {"nodes": self.nodes.tolist(), **boards, **self.own_state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue at a state; raises ValueError, or another error of wrong data, if it is not one of this search."""
        if not state:
            return
        nodes = np.array(state["nodes"], dtype=np.int64)
        if nodes.shape != self.nodes.shape or nodes.min(initial=0) < 0:
            raise ValueError
        self.nodes, self.state = nodes, dict(state)
        if self.left is not None:
            self.left = max(self.left - int(nodes.sum()), 0)
        puzzle = self._race.puzzle
        self.fullest = _board_of(state["fullest"], puzzle)
        if state["best"] is not None:
            board = _board_of(state["best"], puzzle)
            if not check(puzzle, board, *self._race.judged_by).is_solution:
                raise ValueError
            self.best, self.score = board, puzzle.score(board)
        self.restore_own(state)

    @abstractmethod
    def work(self) -> None:
        """Search until something ends it."""

    def reason_to_stop(self, reserve: float = 0.0) -> str | None:
        """The limit that is reached; the time limit counts as reached if at most `reserve` seconds remain."""
        race = self._race
        if self.is_dropped():
            return "interrupt"
        left = race.stop.seconds_left
        if left is not None and left <= reserve:
            return "time"
        if self.left is not None and self.left <= 0:
            return "nodes"
        return None

    def count(self, depth: int, nodes: int) -> None:
        """Record that `nodes` pieces were placed with `depth` free ones on the board before."""
        self.nodes[depth] += nodes
        if self.left is not None:
            self.left -= nodes

    def keep(self, board: Arrangement) -> bool:
        """Keep a full board if it is better than the best one so far; the highest possible score ends the search."""
        race = self._race
        certain(race.puzzle, board, *race.judged_by)
        score = race.puzzle.score(board)
        better = self.score is None or score > self.score
        if better:
            self.best, self.score = board, score
            INTERRUPTS.keep()
        if self.score == race.highest:
            self.ended_by = "restarts"
        return better


def _search(runner: Runner, is_dropped: Callable[[], bool]) -> None:
    runner.is_dropped = is_dropped
    runner.work()
