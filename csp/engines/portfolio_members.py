"""The members of a portfolio and their options."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any

from ..base.errors import EngineError
from .engine import SearchEngine, able_engine, find_engine
from .registry import engine_class
from .request import CLUSTER, SLIPS, Goal, Limits, Options, about_options

#: Options that are the same for all members, or that a single engine only can have.
_NOT_ONES_OWN = (*SLIPS, "symmetry", "threads", "proof", "ledger", "part", *CLUSTER)
#: Seconds that a member works before the next one gets its turn, by default.
HEAD_START = 1.0
#: The ratio of the length of a member's turn to that of its previous turn.
GROWTH = 2


@dataclass(frozen=True)
class Member:
    """An engine that takes part in a portfolio.

    Parameters
    ----------
    engine
        Its name.
    options
        Its own options, by the names of `Options` or of the engine's dataclass; they replace those for all members.
    head_start
        The seconds of its first turn, if there are fewer threads than members.
    recorded
        What records show instead of its options, such as the name of an order in place of its squares.

    Raises
    ------
    EngineError
        If an option must be the same for all members, or the head start is not positive.
    """

    engine: str
    options: Mapping[str, Any] = field(default_factory=dict)
    head_start: float = HEAD_START
    recorded: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in _NOT_ONES_OWN:
            if name in self.options:
                raise EngineError(f"{name}: cannot be an option of a single member of a portfolio, here {self.engine}")
        if not self.head_start > 0:
            raise EngineError(f"head start {self.head_start} of {self.engine}: must be more than 0 seconds")

    def record(self) -> dict[str, Any]:
        """The engine and its own options, for scripts."""
        shown = {name: value for name, value in self.options.items() if name not in _PLANNED}
        return {"engine": self.engine, **shown, **self.recorded}


#: Options that a plan adds, which records do not show.
_PLANNED = set(map(attrgetter("name"), fields(Options))) - set(about_options(Options))


def named_members(text: str) -> tuple[Member, ...]:
    """The members of a portfolio by name, as in ``backtrack,sat:cadical195``; raises EngineError if one comes twice."""
    names = text.split(",")
    for name in names:
        if names.count(name) > 1:
            raise EngineError(f"portfolio:{text}: {name} is named twice")
    return tuple(map(Member, names))


@dataclass(frozen=True)
class Entry:
    """A member that supports the request."""

    #: The member, and its engine.
    member: Member
    engine: SearchEngine
    #: The options for the engine.
    options: Any


def entry(puzzle: Any, member: Member, goal: Goal, limits: Limits, options: Options) -> Entry:
    """A member with its options: its own, and those of the request that it takes; for a puzzle, or a kind of puzzle.

    Raises EngineError if its engine is unknown, or does not support the request, including slips, which would change
    the problem.
    """
    engine, own = find_engine(member.engine, kind=getattr(puzzle, "kind", puzzle)), dict(member.options)
    for name in own:
        if name not in engine.options and name not in _PLANNED:
            raise EngineError(f"{name}: the engine {engine.name} has no such option")
    known = {item.name: item.default for item in fields(Options)}
    lacking = about_options(Options).keys() - engine.options.keys() - {*SLIPS, "threads", "symmetry"}
    planned = {name: own.pop(name) for name in list(own) if name in known}
    given = replace(options, **{name: known[name] for name in lacking} | planned, threads=1)
    able_engine(puzzle, member.engine, goal, limits, given)
    return Entry(member, engine, engine.given(given, own))


def asked_of(options: Options) -> Iterator[str]:
    """The requested options, without those that every portfolio has."""
    for name in about_options(Options):
        if name not in ("symmetry", "threads") and getattr(options, name) is not None:
            yield name


def with_threads(entries: Sequence[Entry], goal: Goal, threads: int) -> list[Entry]:
    """The members with threads: one each; the rest goes to the first one that can use it.

    Raises EngineError if there are more threads than all members can use.
    """
    spare, shared = max(threads - len(entries), 0), []
    for one in entries:
        most = one.engine.most_threads(goal)
        more = spare if most is None else min(spare, most - 1)
        spare -= more
        # An engine of another package may not have the option threads.
        given = replace(one.options, threads=1 + more) if hasattr(one.options, "threads") else one.options
        shared.append(replace(one, options=given))
    if spare:
        names = ",".join(one.engine.name for one in entries)
        raise EngineError(f"threads {threads}: for the goal {goal}, {names} can use {threads - spare} at most")
    return shared


def able_entries(
    puzzle: Any, members: Iterable[Member], goal: Goal, limits: Limits, options: Options
) -> tuple[list[Entry], dict[str, EngineError]]:
    """The members that support the request for a puzzle, or a kind of puzzle, and why the others do not."""
    able, out = [], dict[str, EngineError]()
    for member in members:
        try:
            able.append(entry(puzzle, member, goal, limits, options))
        except EngineError as error:
            out[member.engine] = error
    return able, out


def portfolio_of(kind: str, members: Iterable[Member]) -> Any:
    """The portfolio of these members for a kind of puzzle.

    Raises
    ------
    EngineError
        If a member is not an engine, or the members have no goal in common.

    Examples
    --------
    >>> along = [Member("backtrack", {"order": order}) for order in ("rowscan", "spiral_in")]
    >>> portfolio_of("edge-matching", along).name
    'portfolio:backtrack,backtrack'
    """
    return engine_class("portfolio", kind)(members)
