"""The steps to a jigsaw, kept so that a run that was stopped can continue: annealings, and counts of solutions."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from ..base.errors import InstanceError, told_of
from ..base.strict_json import validated
from ..files.square_files import arrangement_from_rows, board_rows, check_pieces
from ..puzzles.board import Arrangement, Board
from ..puzzles.check_board import check
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..work.steps import KeptSteps
from .annealing import Annealed
from .jigsaw_wishes import JigsawWishes

_Number = Annotated[StrictInt, Field(ge=0)]
_Rows = list[list[tuple[_Number, _Number]]]


@dataclass(frozen=True)
class SolutionsCounted:
    """The outcome of counting the solutions of a jigsaw."""

    #: Those that were found, one of each orbit.
    solutions: tuple[Arrangement, ...]
    #: The number of arrangements.
    count: int | None
    #: What ended the count early; None if nothing did.
    ended_by: str | None


class _AnnealedEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")
    steps: _Number
    energy: _Number
    scramble: _Rows | None
    third: _Rows | None = None


class _CountedEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")
    solutions: list[_Rows]
    count: _Number | None
    ended_by: str | None


class JigsawSteps:
    """The steps of a search for a jigsaw.

    The steps of an earlier run have the same outcomes again, without being done.

    - `wishes`: the requirements on the jigsaw.
    - `kept`: where the steps are kept.
    """

    def __init__(self, wishes: JigsawWishes, kept: KeptSteps) -> None:
        self._board, self._kept = Board(wishes.rows, wishes.columns), kept
        self._annealed = deque(entry["annealed"] for entry in kept.earlier if "annealed" in entry)
        self._counted = deque(entry["counted"] for entry in kept.earlier if "counted" in entry)
        self._least: int | None = None
        self._ended = False
        self._tell_kept()

    def _tell_kept(self) -> None:
        self._kept.taken_over = not (self._annealed or self._counted)

    @property
    def annealed(self) -> Iterator[Annealed]:
        """The annealings of the earlier run."""
        while self._annealed:
            entry = validated(_AnnealedEntry, self._annealed.popleft(), self._kept.label, {})
            self._tell_kept()
            if self._least is None or entry.energy < self._least:
                self._least = entry.energy
            # The scrambles that lead nowhere are not kept.
            scramble = () if entry.scramble is None else self._arrangement(entry.scramble)
            if entry.energy == 0 and not scramble:
                raise InstanceError(f"{self._kept.label}: a scramble is missing")
            third = () if entry.third is None else self._arrangement(entry.third)
            yield Annealed(scramble, entry.energy, entry.steps, (), third)

    def keep_annealed(self, found: Annealed) -> None:
        """Keep the outcome of an annealing."""
        wanted = found.energy == 0 or self._least is None or found.energy < self._least
        self._least = found.energy if self._least is None else min(self._least, found.energy)
        rows = board_rows(found.arrangement, self._board.columns) if wanted else None
        entry = {"steps": found.steps, "energy": found.energy, "scramble": rows}
        if wanted and found.third:
            entry["third"] = board_rows(found.third, self._board.columns)
        self._kept.add({"annealed": entry})

    def end(self) -> None:
        """Neither keep what follows nor take it from an earlier run: a run that is not stopped does not come to it."""
        self._ended = True

    def counted(self, jigsaw: EdgeMatchingPuzzle, count: Callable[[], SolutionsCounted]) -> SolutionsCounted:
        """The solutions of the next jigsaw: those of the earlier run, or else what `count` finds."""
        if self._ended:
            return count()
        if self._counted:
            earlier = self._counted_earlier(jigsaw, self._counted.popleft())
            self._tell_kept()
            return earlier
        found = count()
        rows = [board_rows(board, jigsaw.columns) for board in found.solutions]
        self._kept.add({"counted": {"solutions": rows, "count": found.count, "ended_by": found.ended_by}})
        return found

    def _counted_earlier(self, jigsaw: EdgeMatchingPuzzle, data: Any) -> SolutionsCounted:
        entry, label = validated(_CountedEntry, data, self._kept.label, {}), self._kept.label
        solutions = tuple(map(self._arrangement, entry.solutions))
        for board in solutions:
            verdict = check(jigsaw, board)
            if not verdict.is_solution:
                raise InstanceError(f"{label}: has what is not a solution: {verdict.problems[0]}")
        return SolutionsCounted(solutions, entry.count, entry.ended_by)

    def _arrangement(self, rows: _Rows) -> Arrangement:
        with told_of(self._kept.label):
            found = arrangement_from_rows(rows, self._board, "board")
            check_pieces(found, self._board, len(self._board), "board", once=True, full=True)
        return found
