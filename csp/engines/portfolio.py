"""The engine `portfolio:A,B`: several engines on one puzzle, the first answer counts."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..base.errors import EngineError
from ..base.stop import Stop
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.orders import find_order
from .engine import SQUARES, PuzzleT, Search, SearchEngine, SolutionT, default_engine, find_engine
from .portfolio_members import Entry, Member, able_entries, asked_of, named_members, with_threads
from .portfolio_run import PortfolioRun
from .registry import refuse_option
from .request import CLUSTER, SLIPS, About, Goal, Limits, Options, about_options

#: Options for single engines only: a proof belongs to one engine, and a member's count is lost if another one wins.
_ONE_ENGINES = ("proof", "ledger", "part", *CLUSTER)
#: The number of default members, and their names, the most promising ones first; those that support the request are
#: used.
_USUAL = {
    Goal.SOLVE: ("sat:cadical195", "cpsat", "backtrack"),
    Goal.ALL: ("backtrack", "most-constrained", "sat:cadical195", "cpsat"),
    Goal.COUNT: ("backtrack", "most-constrained", "sat:cadical195", "cpsat"),
    Goal.BEST: ("backtrack", "beam", "cpsat"),
}
_USUAL_TILERS = ("backtrack", "sat:cadical195")
_USUAL_NUMBER = 2


class _AnyPortfolio(SearchEngine[PuzzleT, SolutionT]):
    """Several engines on one puzzle, each in a thread of its own; the first answer ends the others.

    An answer is a solution, a proof that no solution exists, or a complete count.  For the best score it is a board
    whose score some member has proved to be the highest; until then the best board of all members is kept.  Time,
    options and limits apply to all members.  An option that some members lack is passed to the others, except for
    slips, which all must take and count along one order.  A node limit applies to each member.  The record's nodes are
    those of the member with the answer.

    With fewer threads than members these take turns, see `Turns`: the first one has a head start.  CP-SAT, which cannot
    be paused, starts again at each turn.  A portfolio hedges against engines whose times vary widely (Huberman, Lukose
    and Hogg 1997; Gomes and Selman 2001).

    - `members`: the members: names separated by commas, or members with their own options; by default chosen by the
      puzzle and the goal.

    Raises EngineError if a member is not an engine, or the members have no goal in common.
    """

    solvers = ("ENGINE,ENGINE,...",)

    def __init__(self, members: str | Iterable[Member] | None = None) -> None:
        self.name, self.members = "portfolio", tuple[Member, ...]()
        # Without given members, those are chosen that know the form of the puzzle.
        self.every_form = True
        if members is None:
            return
        given = named_members(members) if isinstance(members, str) else tuple(members)
        self.members, self.parts = given, tuple(map(self._engine, given))
        self.name = _name(self.parts)
        self.goals = frozenset.intersection(*(part.goals for part in self.parts))
        if not self.goals:
            raise EngineError(f"engine {self.name}: its members have no goal in common")
        self.follows_order = all(part.follows_order for part in self.parts)
        self.counts_nodes = all(part.counts_nodes for part in self.parts)
        self.every_form = any(getattr(part, "every_form", False) for part in self.parts)
        self.native = self.counts_nodes and all(part.native for part in self.parts)
        self.proves = any(part.proves for part in self.parts)
        self.libraries = tuple(dict.fromkeys(name for part in self.parts for name in part.libraries))

    @property
    def _kind(self) -> str:
        return min(self.kinds)

    def _engine(self, member: Member) -> Any:
        if member.engine.partition(":")[0] == "portfolio":
            raise EngineError(f"{member.engine}: a portfolio cannot be a member of another one")
        return find_engine(member.engine, kind=self._kind)

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None:
        return None

    @property
    def options(self) -> dict[str, About]:
        """Threads, and the options that some member takes; slips only if all members do."""
        parts = self.parts or tuple(self._engine(member) for member in self._usual_members())

        def taken(name: str) -> bool:
            among = all if name in SLIPS and self.parts else any
            return name == "threads" or (name not in _ONE_ENGINES and among(name in part.options for part in parts))

        return {name: about for name, about in about_options(Options).items() if taken(name)}

    @abstractmethod
    def _usual_members(self, puzzle: PuzzleT | None = None, goal: Goal | None = None) -> tuple[Member, ...]:
        """The candidates for default members, for a puzzle and a goal or in general."""

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        self._able(self._kind, self.members or self._usual_members(), goal, limits, options)

    def _able(
        self, puzzle: Any, members: Iterable[Member], goal: Goal, limits: Limits, options: Options
    ) -> tuple[list[Entry], dict[str, EngineError]]:
        """The members that support the request, and why others do not; raises EngineError if all lack an option."""
        able, refusals = able_entries(puzzle, members, goal, limits, options)
        if not able:
            raise next(iter(refusals.values()))
        for name in asked_of(options):
            if not any(name in one.engine.options for one in able):
                # A member that has the option raises the more specific error.
                for member, refusal in refusals.items():
                    engine = find_engine(member, kind=self._kind)
                    if name in engine.options and goal in engine.goals:
                        raise refusal
                refuse_option(self, name, getattr(options, name), about_options(Options)[name])
        return able, refusals

    def prepared(self, puzzle: PuzzleT, goal: Goal, limits: Limits, options: Options, stop: Stop) -> Search[SolutionT]:
        options = self._in_one_order(puzzle, options)
        able, refusals = self._able(puzzle, self.members or self._usual_members(puzzle, goal), goal, limits, options)
        if not self.members:
            able, refusals = self._few(able, options), {}
        entries = with_threads(able, goal, options.threads)
        out = {name: str(error) for name, error in refusals.items()}
        name = _name([one.engine for one in entries]) if not self.members else self.name
        return PortfolioRun(name, entries, out, puzzle, goal, limits, options, stop)

    def _few(self, able: Sequence[Entry], options: Options) -> list[Entry]:
        """The first members that support the request, and for each requested option one that takes it."""
        few = list(able[:_USUAL_NUMBER])
        for name in asked_of(options):
            taking = [one for one in able if name in one.engine.options]
            few += [] if any(one in few for one in taking) else taking[:1]
        return few

    def _in_one_order(self, puzzle: PuzzleT, options: Options) -> Options:
        """The options with the order that defines the depths of slips, which is the same for all members."""
        return options


class Portfolio(_AnyPortfolio[EdgeMatchingPuzzle, Arrangement]):
    __doc__ = _AnyPortfolio.__doc__
    kinds = SQUARES
    goals = frozenset(Goal)

    def _usual_members(self, puzzle: EdgeMatchingPuzzle | None = None, goal: Goal | None = None) -> tuple[Member, ...]:
        if puzzle is None or goal is None:
            return tuple(map(Member, {name: None for names in _USUAL.values() for name in names}))
        first = default_engine(puzzle, goal, Limits(), Options())
        return tuple(map(Member, dict.fromkeys((first, *_USUAL[goal]))))

    def _in_one_order(self, puzzle: EdgeMatchingPuzzle, options: Options) -> Options:
        if all(getattr(options, name) is None for name in SLIPS):
            return options
        for member in self.members:
            if "order" in member.options:
                raise EngineError(
                    f"order: with slips all members share one order, so {member.engine} cannot have its own"
                )
        return options if options.order is not None else replace(options, order=find_order(puzzle, None)[0])


class TilingPortfolio(_AnyPortfolio[DissectionPuzzle, Tiling]):
    __doc__ = _AnyPortfolio.__doc__
    kinds = frozenset({"dissection"})
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})

    def _usual_members(self, puzzle: DissectionPuzzle | None = None, goal: Goal | None = None) -> tuple[Member, ...]:
        return tuple(map(Member, _USUAL_TILERS))


def _name(engines: Iterable[SearchEngine]) -> str:
    return f"portfolio:{','.join(engine.name for engine in engines)}"
