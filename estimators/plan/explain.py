"""All ways to a goal as a table, with the chosen one marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import EngineError, escaped
from ...csp.base.notebook import HasSummary
from ...csp.base.tables import data_frame
from ...csp.base.words import about_number, short_duration
from ...csp.engines.engine import find_engine
from ...csp.engines.figures import HasFigure
from ...csp.engines.request import Options
from ...csp.files.instances import Puzzle
from ..effort.search_effort import Plan
from ..ways.times import Spread, Way

if TYPE_CHECKING:
    from pandas import DataFrame

_COLUMNS = ("way", "nodes", "time", "90 % interval", "set-up", "memory")
#: The goal of certificates.
CERTIFY = "certify"
# The number of ways in a section of another text.
_MOST_IN_SECTION = 3
# Shorter times are shown as less than this.
_SHORTEST = 0.001


class HasWays(HasSummary, HasFigure):
    """A base class of what has the ways to a goal, the chosen one first: what that one is predicted to cost."""

    puzzle: Any
    ways: tuple[Way, ...]

    @property
    def seconds(self) -> float | None:
        """The predicted seconds on this machine, the median; None if they are not known."""
        return None if self._time is None else self._time.at_median

    @property
    def seconds_interval(self) -> tuple[float, float] | None:
        """The ends of the interval in which the seconds are in 9 of 10 cases; None if they are not known."""
        return None if self._time is None else self._time.interval

    @property
    def nodes(self) -> Any:
        """The nodes that the search of the chosen way is predicted to visit, the median; None if they are not known.

        They are those of `Result.nodes`: symmetries are broken, unless this was not to be done.
        """
        return None if self._nodes is None else self._nodes.at_median

    @property
    def nodes_interval(self) -> tuple[float, float] | None:
        """The ends of the interval in which the nodes are in 9 of 10 cases; None if they are not known."""
        return None if self._nodes is None else self._nodes.interval

    @property
    def _time(self) -> Spread | None:
        return self.ways[0].time if self.ways else None

    @property
    def _nodes(self) -> Spread | None:
        return self.ways[0].nodes if self.ways else None

    def to_pandas(self) -> "DataFrame":
        """The ways as a table of pandas, a row for each; `way` is its name, `refused` the reason if it is impossible.

        Raises JigsatError if pandas is not installed.
        """
        rows = ways_record(self.ways)
        return data_frame({"way": way.name, **row} for way, row in zip(self.ways, rows, strict=True))

    def _draw(self, axes: Any) -> None:
        from ..effort.figures import draw_times

        known = [(way.name, way.time) for way in self.ways if way.time is not None]
        times = [(name, time.low, time.median, time.high) for name, time in known]
        draw_times(axes, f"{self.puzzle.name}: predicted seconds", times)


@dataclass(frozen=True, repr=False)
class Explanation(HasWays):
    """All ways to a goal.

    ``print`` and notebooks show the table of ``jigsat plan``.
    """

    #: The puzzle and the goal.
    puzzle: Puzzle
    goal: str
    #: The chosen way first, impossible ones last.
    ways: tuple[Way, ...]
    #: Remarks below the table.
    notes: tuple[str, ...] = ()

    def summary(self, *, verbose: bool = False) -> str:
        """The fastest way in a sentence, and a table of the first ways.

        With `verbose`, the table has all ways, and is followed by the impossible ones with the reason for each.
        """
        able, refused = ([way for way in self.ways if (way.refusal is None) is able] for able in (True, False))
        lines = [f"{escaped(self.puzzle.name)}: {self._fastest(able)}"]
        if not verbose:
            return "\n".join([*lines, *ways_section(able)])
        lines += ["", *table_of(able)]
        if len(able) > 1 and all(way.time is None and way.score is None for way in able):
            lines += ["", "  no predictions; the default is used"]
        if refused:
            width = max(len(way.name) for way in refused)
            lines += ["", "  not possible", *(f"  {way.name:<{width}}  {why_refused(way)}" for way in refused)]
        return "\n".join([*lines, *(["", *(f"  {note}" for note in self.notes)] if self.notes else [])])

    def _fastest(self, able: Sequence[Way]) -> str:
        """The first sentence: what `jigsat` would do, and how long that would take."""
        if not able:
            return f"there is no way to the goal {self.goal}."
        if able[0].time is None:
            return f"the goal {self.goal} by {able[0].name}; no time is predicted."
        middle, interval = _times(able[0].time)
        return f"the goal {self.goal} takes about {middle} on this machine (in 9 of 10 cases {interval})."

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts."""
        return {
            "instance": self.puzzle.name,
            "kind": self.puzzle.kind,
            "goal": self.goal,
            "ways": ways_record(self.ways),
            "notes": list(self.notes),
        }


def table_of(ways: Sequence[Way]) -> list[str]:
    """A headline and a line for each way, all of which must be possible; the first way is marked."""
    rows = [_COLUMNS, *(_cells(way) for way in ways)]
    # Columns without any value are omitted.
    shown = [i for i in range(len(_COLUMNS)) if any(row[i] for row in rows[1:])]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    lines = list[str]()
    for number, row in enumerate(rows):
        first, *others = (f"{row[i]:>{widths[i]}}" if i else f"{row[i]:<{widths[i]}}" for i in shown)
        lines.append(f"{'>' if number == 1 else ' '} {'  '.join([first, *others])}".rstrip())
    return lines


def ways_section(ways: Sequence[Way]) -> list[str]:
    """The first ways to a goal as a table, and how many others there are."""
    able = [way for way in ways if way.refusal is None]
    hidden = len(able) - _MOST_IN_SECTION
    more = [f"  and {hidden} more ways: --verbose shows all"] if hidden > 1 else []
    return [*table_of(able[: _MOST_IN_SECTION if more else None]), *more]


def time_lines(ways: Sequence[Way]) -> list[str]:
    """How long it takes to count, in a sentence; empty without a prediction."""
    if not ways or ways[0].time is None:
        return []
    way, (middle, interval) = ways[0], _times(ways[0].time)
    nodes = "" if way.nodes is None else f", {about_number(Fraction(way.nodes.at_median))} nodes"
    how = f"by {way.name}{nodes}"
    return [f"  Counting them takes about {middle} on this machine (in 9 of 10 cases {interval}), {how}."]


def ways_record(ways: Sequence[Way]) -> list[dict[str, Any]]:
    """All numbers of the ways, for scripts; the first one is chosen."""
    return [{"chosen": number == 0 and way.refusal is None, **way.record()} for number, way in enumerate(ways)]


def choices_of(found: Explanation) -> list[dict[str, Any]]:
    """The record of each way with its name, the options that choose it, and why it is impossible.

    `keeps` is whether a count in that way can have a ledger.
    """

    def keeps(way: Way) -> bool:
        return way.refusal is None and "ledger" in find_engine(way.engine, kind=found.puzzle.kind).options

    return [
        {**way.record(), "name": way.name, "races": way.races, "refused": way.refusal and why_refused(way),
         "given": {"engine": way.engine, **way.choices}, "keeps": keeps(way)}
        for way in found.ways
    ]  # fmt: skip


def why_refused(way: Way) -> str:
    """Why a way is impossible, without the list of engines that could, which are shown in the table."""
    why, _, _ = escaped(str(way.refusal)).partition("; supported by: ")
    return why.removeprefix(f"engine {way.engine}").lstrip(": ")


def _cells(way: Way) -> tuple[str, ...]:
    nodes = "" if way.nodes is None else f"{way.nodes.at_median:.2g}"
    memory = "" if way.memory is None else f"{way.memory:.0f} MiB"
    if way.races:
        score = "not known" if way.score is None else f"{way.score:.0f}"
        return way.name, nodes, f"score {score}", "proves nothing", "", memory
    if way.time is None:
        return way.name, nodes, "not known", "", "", memory
    setup = _short(way.setup) if way.setup else ""
    return way.name, nodes, *_times(way.time), setup, memory


def _times(seconds: Spread) -> tuple[str, str]:
    """The median and the interval, in words."""
    return _short(seconds.at_median), " to ".join(_short(end) for end in seconds.interval)


def _short(seconds: float) -> str:
    return f"< {_SHORTEST} s" if seconds < _SHORTEST else short_duration(Fraction(seconds))


def explain_certificate(puzzle: Puzzle, encoding: str | None = None, solver: str | None = None) -> Explanation:
    """List the ways of `jigsat certify`, whose parameters and errors these are; no time is predicted for proofs."""
    from ...models.base.encodings import BITS, CNF_NAMES, cnf_encoding
    from ...models.base.solver_process import check_prover
    from ...models.proofs.certify_exactly import POSITIONS, of_squares, usual_encoding
    from ...models.squares.bits_cnf import no_bits

    squares, prover = of_squares(puzzle), "cadical195" if solver is None else solver
    check_prover(prover)
    why = no_bits(squares)
    if encoding == BITS and why is not None:
        raise EngineError(f"encoding {BITS}: {why}")
    if encoding not in (None, BITS):
        cnf_encoding(encoding)
    taken = usual_encoding(squares) if encoding is None else encoding
    names = dict.fromkeys((taken, BITS, *CNF_NAMES) if encoding is None else (taken,))
    ways = [
        Way(
            f"sat:{prover}", Plan(None, Options(encoding=name)), f"encoding {name}",
            refusal=why if name == BITS else None,
        )
        for name in names
    ]  # fmt: skip
    notes = [f"if {BITS} is inconclusive, {POSITIONS} is used instead"] if encoding is None and taken == BITS else []
    first_able = tuple(sorted(ways, key=lambda way: way.refusal is not None))
    return Explanation(squares, CERTIFY, first_able, tuple(notes))
