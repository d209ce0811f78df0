"""The shortest way to write an engine: a generator of boards."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping

from ..base.stop import Report, Stop
from ..engines.engine import SQUARES, Engine, EngineRun
from ..engines.request import Goal, Limits, Options, some_options
from ..engines.result import Result, Status
from ..puzzles.board import Arrangement
from ..puzzles.check_board import check
from ..puzzles.edge_matching import EdgeMatchingPuzzle


class BoardEngine(Engine):
    """An engine that looks for one solution and is written as one generator.

    A subclass sets `name` and defines `boards`.  Each board that the generator yields is checked; the first solution is
    the answer.  Limits and Ctrl-C are looked at between two boards.

    Examples
    --------
    >>> from itertools import permutations
    >>> import jigsat as js
    >>> from jigsat.csp.puzzles.board import Placement
    >>> class Permutations(BoardEngine):
    ...     name = "permutations"
    ...     def boards(self, puzzle, seed):
    ...         for pieces in permutations(range(len(puzzle.pieces)), len(puzzle.board)):
    ...             yield tuple(Placement(piece, 0) for piece in pieces)
    >>> sides = [[0, 1, 0, 0], [0, 0, 0, 1]]
    >>> puzzle = js.EdgeMatchingPuzzle(1, 2, sides)
    >>> Permutations().run(puzzle, Goal.SOLVE).solutions[0]
    (Placement(piece=0, rotation=0), Placement(piece=1, rotation=0))
    """

    kinds = SQUARES
    goals = frozenset({Goal.SOLVE})
    takes = some_options("seed")
    proves = False
    counts_nodes = True

    @abstractmethod
    def boards(self, puzzle: EdgeMatchingPuzzle, seed: int | None) -> Iterator[Arrangement]:
        """Candidates for a solution: full boards, a `Placement` for each square, row by row."""

    def prepared(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> "BoardRun":
        """Prepare the search for one solution."""
        run = BoardRun(self.name, puzzle, goal, limits, options, stop)
        run.method, run.candidates = "board by board", self.boards(puzzle, options.seed)
        return run


class BoardRun(EngineRun[EdgeMatchingPuzzle]):
    """Checks board after board.

    Attributes:
    - `candidates`: the boards that are left.
    - `tried`: the number of boards that were checked.
    - `found`: the solution, if one was found.
    """

    candidates: Iterator[Arrangement] = iter(())
    tried = 0
    found: Arrangement | None = None
    _ended_by: str | None = None

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Yield the first board that is a solution."""
        while self.limits.solutions != 0:
            self._ended_by = self.limit_reached(self.tried * len(self.puzzle.board))
            board = None if self._ended_by else next(self.candidates, None)
            if board is None:
                break
            self.tried += 1
            if check(self.puzzle, board).is_solution:
                self.found = board
                yield board
                return

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The solution, or nothing: that there are no more candidates proves nothing."""
        status = Status.UNKNOWN if self.found is None else Status.SATISFIABLE
        nodes = (self.tried,) * len(self.puzzle.board)
        ended_by = self._ended_by or ("solutions" if self.limits.solutions == 0 else "restarts")
        return self.answer(kept, status, ended_by, complete=self.found is not None, nodes=nodes, board=self.found)

    @property
    def shown_options(self) -> Mapping[str, object]:
        """Whether symmetries are broken, which every record has."""
        return {"symmetry": self.options.symmetry}
