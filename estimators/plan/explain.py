"""All ways to a goal as a table, the one that is taken marked."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...csp.base.safe_files import escaped
from ...csp.engines.request import Goal
from ...csp.files.instances import Puzzle
from ..effort.durations import short_duration
from ..ways.spread import Spread
from ..ways.way import Way

_COLUMNS = ("way", "nodes", "time", "90 % interval", "set-up", "memory")


@dataclass(frozen=True)
class Explanation:
    """All ways to a goal.

    Parameters
    ----------
    puzzle, goal
        What the ways are for.
    ways
        The one that is taken first, those that cannot be taken last.
    """

    puzzle: Puzzle
    goal: Goal
    ways: tuple[Way, ...]

    def text(self) -> str:
        """The table, and below it the ways that cannot be taken, with the reason."""
        able, refused = ([way for way in self.ways if (way.refusal is None) is able] for able in (True, False))
        rows = [_COLUMNS, *(_cells(way) for way in able)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
        puzzle = self.puzzle
        lines = [f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {len(puzzle.pieces)} pieces, goal {self.goal}", ""]
        for number, (first, *others) in enumerate(rows):
            cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
            lines.append(f"{'>' if number == 1 else ' '} {'  '.join([f'{first:<{widths[0]}}', *cells])}".rstrip())
        if refused:
            width = max(len(way.name) for way in refused)
            lines += ["", "  not possible", *(f"  {way.name:<{width}}  {_why(way)}" for way in refused)]
        return "\n".join(lines)

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts."""
        ways = [{"chosen": number == 0, **way.record()} for number, way in enumerate(self.ways)]
        return {"instance": self.puzzle.name, "kind": self.puzzle.kind, "goal": str(self.goal), "ways": ways}


def _why(way: Way) -> str:
    """Why a way cannot be taken; which engines can do what it cannot, stands above it."""
    why, _, _ = escaped(str(way.refusal)).partition("; engines that do: ")
    return why.removeprefix(f"engine {way.engine} ")


def _cells(way: Way) -> tuple[str, ...]:
    nodes = "" if way.nodes is None else f"{way.nodes.at_median:.2g}"
    memory = "" if way.memory is None else f"{way.memory:.0f} MiB"
    if way.races:
        score = "not known" if way.score is None else f"{way.score:.0f}"
        return way.name, nodes, f"score {score}", "proves nothing", "", memory
    if way.time is None:
        return way.name, nodes, "not known", "", "", memory
    setup = short_duration(Fraction(way.setup)) if way.setup else ""
    return way.name, nodes, _short(way.time.at_median), _interval(way.time), setup, memory


def _interval(spread: Spread) -> str:
    return " to ".join(_short(end) for end in spread.interval)


def _short(seconds: float) -> str:
    return short_duration(Fraction(seconds))
