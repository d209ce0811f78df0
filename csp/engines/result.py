"""The results of searches, and their words for users."""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from ..base.errors import UsageError, ending, escaped, grouped, plural, shortened
from ..base.notebook import HasSummary, given_pictures
from ..base.tables import data_frame
from ..base.words import short_duration
from ..files.instances import Puzzle, files_of
from ..geometry.polygons import points_text
from ..puzzles.board import Arrangement, board_text
from ..puzzles.dissection import Tiling
from ..puzzles.slips import format_slips, frame_joins, inner_joins
from .figures import HasFigure, label_nodes, plot_found
from .registry import engine_class
from .request import SLIPS, Goal

if TYPE_CHECKING:
    from pandas import DataFrame


class Status(StrEnum):
    """What is known about a puzzle after a search."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    UNKNOWN = "unknown"


def status_of_count(count: int, *, complete: bool) -> Status:
    """The status of a search that has found `count` solutions."""
    return Status.SATISFIABLE if count else Status.UNSATISFIABLE if complete else Status.UNKNOWN


#: The statistics of nodes that this run has not searched: those of a ledger, and those of the search it continues.
LEDGER_NODES, EARLIER_NODES = "nodes from the ledger", "nodes of the earlier search"

#: A field that is no key of the record.
IN_WORDS_ONLY = {"record": False}

SolutionT = TypeVar("SolutionT", covariant=True)


@dataclass(frozen=True, repr=False)
class Result(HasSummary, HasFigure, Generic[SolutionT]):
    """The result of a search.  The fields are the keys of the record for scripts, in their order.

    Parameters
    ----------
    complete
        Whether the goal was reached; a `count` that is not complete is a lower bound.
    count, canonical_count, symmetry_factor
        Arrangements, orbits of arrangements, and the number of arrangements of each orbit if it is the same for all
        (otherwise None).
    picture_count
        Different pictures: arrangements of pieces without numbers, where the symmetries of board or target make other
        pictures.  None if they were not counted.
    essential_count
        Pictures that differ by more than the symmetries of the board, mirror images and exchanges of colours, if the
        set of pieces has such symmetries and the count is complete; otherwise None.
    best_score, max_score
        Valid joins of the best board, and joins of the board.
    best_board, best_depth
        The fullest board seen (for the goal best the full board with the highest score), and its number of pieces.
    nodes_by_depth
        Pieces placed, by the number of pieces on the board.
    solutions
        The solutions kept: arrangements, or for a dissection tilings.
    ended_by
        What ended the search early: ``time``, ``nodes``, ``solutions``, ``depth``, ``interrupt``, ``restarts``
        (no improvement in many attempts); None if nothing did.
    best_bound
        For the goal best: the highest score that is not excluded; `best_score` if that is optimal.
    build_seconds, seconds, cpu_seconds
        The time of preparing the search; of the whole run, including preparation; and processor time.  Compiling
        kernels, which is done once on a machine, does not count.
    statistics
        Further numbers: the conflicts, propagations and branches of a solver; the nodes of an earlier search.
    plan_seconds
        The time of planning before the run, which `seconds` does not include.
    verified
        A second count, made in another way, and whether it is the same; None if none was asked for.
    moved
        What the symmetries of the board or target make of a solution, in words.  It is no key of the record.
    build_cpu_seconds
        The processor time of preparing the search.  It is no key of the record.
    """

    instance: str
    kind: str
    engine: str
    method: str
    goal: Goal
    status: Status
    complete: bool
    count: int | None = None
    canonical_count: int | None = None
    picture_count: int | None = None
    essential_count: int | None = None
    symmetry_factor: int | None = None
    best_score: int | None = None
    max_score: int | None = None
    best_board: Arrangement | None = None
    best_depth: int | None = None
    nodes: int = 0
    nodes_by_depth: tuple[int, ...] = ()
    build_seconds: float = 0.0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_rss_mib: float = 0.0
    seed: int | None = None
    threads: int = 1
    options: Mapping[str, object] = field(default_factory=dict)
    predicted: Mapping[str, str] | None = None
    solutions: tuple[SolutionT, ...] = ()
    proof: Mapping[str, Any] | None = None
    ended_by: str | None = None
    best_bound: int | None = None
    statistics: Mapping[str, int] | None = None
    plan_seconds: float = 0.0
    verified: Mapping[str, Any] | None = None
    moved: str = field(default="turned boards", metadata=IN_WORDS_ONLY)
    build_cpu_seconds: float = field(default=0.0, metadata=IN_WORDS_ONLY)

    @property
    def nodes_now(self) -> int:
        """The nodes of this run, without those of a ledger or of the search that it continues."""
        known = self.statistics or {}
        return self.nodes - known.get(LEDGER_NODES, 0) - known.get(EARLIER_NODES, 0)

    def summary(self, *, verbose: bool = False) -> str:
        """The findings in words.

        Parameters
        ----------
        verbose : bool, default False
            Say also how they were found, and at what cost.

        Returns
        -------
        str
        """
        return count_summary(self, verbose=verbose) if self.goal is Goal.COUNT else solve_summary(self, verbose=verbose)

    def to_pandas(self, table: Literal["solutions", "depths"] = "solutions") -> "DataFrame":
        """The solutions, the best board without one, or a count; or the nodes by depth, as a table of pandas.

        Parameters
        ----------
        table : {'solutions', 'depths'}, default 'solutions'
            ``solutions`` has a row for each piece of each solution: the number of the `solution` from 1, and for boards
            `square`, `piece` (from 1) and `rotation`, for tilings `piece` and `polygon`; of a count, a row with its
            numbers.  ``depths`` has a row for each number of pieces on the board: `depth` and `nodes`.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        JigsatError
            If pandas is not installed.
        """
        if table == "depths":
            rows = ({"depth": depth, "nodes": nodes} for depth, nodes in enumerate(self.nodes_by_depth, start=1))
            return data_frame(rows, ("depth", "nodes"))
        if table != "solutions":
            raise UsageError(f"unknown table {shortened(repr(table))}; choose solutions or depths", "table")
        if self.goal is Goal.COUNT:
            names = ("canonical_count", "picture_count", "count", "symmetry_factor", "complete", "seconds")
            return data_frame([{"instance": self.instance, **{name: getattr(self, name) for name in names}}])
        shown: Any = self.solutions or ([] if self.best_board is None else [self.best_board])
        return data_frame(
            {"solution": number, **row} for number, solution in enumerate(shown, start=1) for row in solution.rows()
        )

    def _draw(self, axes: Any) -> None:
        plot_found(axes, self.nodes_by_depth, self.engine)
        label_nodes(axes, f"{self.instance}: nodes of the search")

    def record(self) -> dict[str, Any]:
        """The result as a record for scripts: one JSON object with its keys in a fixed order, pieces from 1."""
        found = [*self.solutions, *([] if self.best_board is None else [self.best_board])]
        return self.record_of(getattr(found[0], "puzzle")) if found else self.record_of(None)  # noqa: B009

    def record_of(self, puzzle: Puzzle | None) -> dict[str, Any]:
        """The record for solutions that do not refer to their puzzle; it may be None if there are no solutions."""
        record: dict[str, Any] = {name: getattr(self, name) for name in record_keys()}
        data_of = None if puzzle is None else files_of(puzzle.kind).solution_data(puzzle)
        if data_of is not None and self.best_board is not None:
            record["best_board"] = data_of(self.best_board)
        record["solutions"] = [] if data_of is None else [data_of(solution) for solution in self.solutions]
        return record

    def _picture(self) -> str | None:
        shown = self.best_board if self.best_board is not None else next(iter(self.solutions), None)
        return given_pictures().bundle_of(shown).get("image/svg+xml") if hasattr(shown, "puzzle") else None


def record_keys() -> list[str]:
    """The keys of the record of a result, in their order."""
    return [item.name for item in fields(Result) if item.metadata != IN_WORDS_ONLY]


def count_summary(result: Result[Any], notes: Sequence[str] = (), *, verbose: bool = False) -> str:
    """The number of solutions in words; with `verbose`, also `notes` on how it was found, and the cost."""
    lines = _counts(result)
    if result.essential_count is not None:
        lines.append(f"  {grouped(result.essential_count)} apart from mirror images and exchanged colours.")
    stopped = result.ended_by in ("interrupt", "time") and result.kind != "dissection"
    if stopped and result.options.get("ledger") is None:
        lines.append("  Nothing is kept; a count with --ledger FILE can be continued.")
    lines += [*verified_lines(result, verbose=verbose), *proof_lines(result, verbose=verbose)]
    if "salvaged" in result.options:
        lines.append(f"  The ledger: {escaped(str(result.options['salvaged']))}")
    if verbose:
        lines += _counts_by_name(result)
    return "\n".join([*lines, *effort_lines(result, notes, verbose=verbose)])


def _counts(result: Result[Any]) -> list[str]:
    """How many solutions there are: different ones first, then those that differ less."""
    count, different, pictures = result.count or 0, result.canonical_count, result.picture_count
    if result.complete and not count:
        return [f"{head(result)}: no {_word(result)} exists; {all_searched(result)}, in {_time(result)}."]
    at_least = "" if result.complete else "at least "
    if not count:
        return [f"{head(result)}: none found so far, NOT complete: {ending(result.ended_by)}, {_time(result)}."]
    number = plural(count, "arrangement") + " of numbered pieces"
    if different is not None:
        number = plural(different, f"{'different ' * (different != 1)}{_word(result)}")
    apart: list[str] = []
    if pictures is not None and different is not None and pictures not in (different, count):
        apart.append(f"{at_least}{grouped(pictures)} if {result.moved} count apart")
    if different not in (None, count):
        every = "equal pieces count" if result.kind == "dissection" else "every piece and turn counts"
        what = f"{result.moved} count" if pictures == count else every
        apart.append(f"{at_least}{grouped(count)} if {what} apart")
    beside = f" ({apart.pop()})" if len(apart) == 1 else ""
    if result.complete:
        first = f"{head(result)}: exactly {number}{beside}, in {_time(result)}; {all_searched(result)}."
    else:
        first = f"{head(result)}: at least {number}{beside}; NOT complete: {ending(result.ended_by)}, {_time(result)}."
    return [first, *([f"  {'; '.join(apart)}."] if apart else [])]


def _counts_by_name(result: Result[Any]) -> list[str]:
    """The counts by the names of the theory."""
    factor = "not every orbit is full" if result.complete and result.canonical_count is not None else "unknown"
    names = {
        "count": result.count or 0, "canonical count": result.canonical_count, "picture count": result.picture_count,
        "symmetry factor": factor if result.symmetry_factor is None else result.symmetry_factor,
    }  # fmt: skip
    shown = {name: grouped(value) if isinstance(value, int) else value for name, value in names.items()}
    return [f"  {name:<16} {value}" for name, value in shown.items() if value is not None]


def _word(result: Result[Any]) -> str:
    return "tiling" if result.kind == "dissection" else "solution"


def _time(result: Result[Any]) -> str:
    """The time of the search, with that of planning it."""
    seconds = result.seconds + result.plan_seconds
    return short_duration(seconds)


def verified_lines(result: Result[Any], *, verbose: bool) -> list[str]:
    """What became of the second count that was asked for."""
    second = result.verified
    if second is None:
        return []
    if second["reason"] is not None:
        return [f"  NOT verified: {second['reason']}"]
    counted = counted_by(second["engine"], second["method"])
    if second["same"]:
        shared = ", ".join(second["shares"]) or "nothing"
        lines = [f"  Verified: a second way, {counted}, counts the same."]
        return [*lines, f"  shared code      {shared}; {second['seconds']:.2f} s"] if verbose else lines
    numbers = f"{grouped(second['count'] or 0)}"
    if second["canonical_count"] is not None:
        numbers += f", {grouped(second['canonical_count'])} up to symmetry"
    if second["same"] is None:
        return [f"  NOT verified: {counted} had counted at least {numbers}, {ending(second['ended_by'])}"]
    at_least = "" if second["complete"] else "at least "
    return [f"  NOT THE SAME: {counted} counts {at_least}{numbers}; one of the counts is wrong"]


def counted_by(engine: str, method: str) -> str:
    """An engine with its method, unless it had none because its search did not begin."""
    return engine if method == "none" else f"{engine} ({method})"


def solve_summary(
    result: Result[Any],
    shown_before: int | None = None,
    notes: Iterable[str] = (),
    file: str | None = None,
    *,
    verbose: bool = False,
) -> str:
    """The findings: the solution, or the fullest board, or the number of solutions.

    - `shown_before`: the number of solutions that were already shown or written; None if the result keeps them.
    - `notes`: lines about the best board.
    - `file`: where the solutions were written, if the answer names it.
    - `verbose`: say also how they were found, and at what cost.
    """
    number = shown_before or 0
    shown: Any = result.best_board
    if result.goal is Goal.ALL:
        number = len(result.solutions) if shown_before is None else number
        first, shown = f"{_all_found(result, number)}, in {_time(result)}", None
    elif result.solutions or number:
        shown = result.solutions[0] if result.solutions and shown is None else shown
        scored = result.best_board is not None and result.best_score != result.max_score
        if scored or (result.best_board is not None and result.best_bound is not None):
            first = f"score {result.best_score} of {result.max_score}{best_of(result)}; found in {_time(result)}"
        else:
            first = f"a {_word(result)}, found in {_time(result)}"
        if number:
            first, shown = f"{first}; written to {file}" if file else first, None
    else:
        is_shown = not result.complete and _shows_more(shown)
        first, shown = f"{_not_found(result)} ({_time(result)})", shown if is_shown else None
    lines = [f"{head(result)}: {first}{'.' if shown is None else ':'}"]
    if shown is not None:
        lines += [picture_of(result.kind)(shown), *_legend(result, shown)]
    lines += notes if result.solutions or number else []
    return "\n".join([*lines, *proof_lines(result, verbose=verbose), *effort_lines(result, verbose=verbose)])


def _all_found(result: Result[Any], number: int) -> str:
    """The solutions that a search for all has found."""
    different = "different " if result.options.get("symmetry", True) and number > 1 else ""
    if result.complete:
        every = "exactly " if number else ""
        return (
            f"{every}{plural(number, different + _word(result))}; {all_searched(result)}"
            if number
            else (f"no {_word(result)}{_permitted(result)} exists; {all_searched(result)}")
        )
    return f"{plural(number, different + _word(result))}, there may be more: {ending(result.ended_by)}"


def _shows_more(board: Any) -> bool:
    """Whether there is a board that has more pieces than those that are fixed."""
    fixed = getattr(getattr(board, "puzzle", None), "fixed", ())
    return board is not None and sum(placed is not None for placed in board) > len(fixed)


def _not_found(result: Result[Any]) -> str:
    """What is known without a solution."""
    board, what = result.best_board, "full board" if result.goal is Goal.BEST else _word(result)
    if result.complete:
        return f"no {what}{_permitted(result)} exists; {all_searched(result)}"
    by_solver = result.statistics is not None and hands_over(result)
    if result.best_bound is not None and by_solver:
        return f"no board found, {_at_most(result)}"
    if by_solver or board is None:
        return f"no {_word(result)} found, {ending(result.ended_by)}"
    fullest = f"the fullest board has {result.best_depth} of {len(board)} pieces"
    return f"no {what} found, {ending(result.ended_by)}; {fullest}"


def _legend(result: Result[Any], board: Any) -> list[str]:
    """How to read a board of pieces as text, by the example of its first piece."""
    first = next(((square, placed) for square, placed in enumerate(board) if placed is not None), None)
    if result.kind == "dissection" or first is None:
        return []
    piece, rotation = first[1]
    turns = ("not turned", "turned once", "turned twice", "turned three times")[rotation % 4]
    over = "turned over, then " if rotation > 3 else ""
    return [f"  {piece + 1}/{rotation} is piece {piece + 1}, {over}{turns}{' clockwise' if rotation % 4 else ''}."]


def head(result: Result[Any]) -> str:
    """What an answer begins with: the puzzle, with the board that the search started from."""
    start = ""
    if "from" in result.options:
        start = f" from {escaped(str(result.options['from']))} ({result.options['placed']} pieces placed)"
    return f"{escaped(result.instance)}{start}"


def best_of(result: Result[Any]) -> str:
    """The quality of the best score."""
    if result.best_bound is None:
        return ""
    if not any(engine.proves for engine in _engines(result, result.engine)):
        if result.complete:
            return ", the highest possible score"
        return f", more may be possible; {ending(result.ended_by)}"
    if result.complete:
        return f", no other board{_permitted(result)} has more"
    return f", {_at_most(result)}"


def _at_most(result: Result[Any]) -> str:
    """The highest score that is not excluded, and what ended the search."""
    among = _permitted(result)
    boards = among and f" for a board{among}"
    return f"at most {result.best_bound} is possible{boards}; {ending(result.ended_by)}"


def _permitted(result: Result[Any]) -> str:
    """To which boards a statement is restricted: to those that slip arrays permit, or to those with a valid frame."""
    inner, along = (str(result.options.get(name) or "") for name in SLIPS)
    if result.goal is not Goal.BEST:
        return " that the slips permit" if inner or along else ""
    if result.best_bound == result.max_score:
        return ""
    puzzle: Any = getattr(result.best_board, "puzzle", None)
    numbers = (0, 0) if puzzle is None else (inner_joins(puzzle), frame_joins(puzzle))
    anywhere, all_along = (format_slips((1,) * number) for number in numbers)
    if inner not in ("", anywhere) or along not in ("", all_along):
        return " that the slips permit"
    return "" if along else " with a valid frame"


def effort(result: Result[Any]) -> str:
    """The cost of a search in one line."""
    searching = result.seconds - result.build_seconds
    rate = result.nodes_now / searching / 1e6 if searching > 0 else 0.0
    shown = ((name, result.options.get(name)) for name in SLIPS)
    slips = "".join(f", {name.replace('_', ' ')} {array}" for name, array in shown if array)
    if hands_over(result):
        counted = _counted(result)
        return (
            f"{counted or 'no statistics from the solver,'} {'in ' if counted else ''}{result.seconds:.2f} s "
            f"({result.build_seconds:.2f} s to build the model){slips}, {_by_whom(result, ', encoding {}')}"
        )
    width = f", width {grouped(int(str(result.options['width'])))}" if "width" in result.options else ""
    order = f"order {result.options['order']}{slips}{width}, " if "order" in result.options else ""
    device = f"on {result.options['device']}, " if "device" in result.options else ""
    speed = f"{rate:.1f} million" if rate >= 0.1 else f"{1000 * rate:.1f} thousand"
    return (
        f"{plural(result.nodes, 'node')} in {result.seconds:.2f} s ({speed} a second without set-up), "
        f"{order}{device}{_by_whom(result, ' ({})')}"
    )


def _by_whom(result: Result[Any], how: str) -> str:
    """The engine and its method; for a portfolio, the engine that answered."""
    method = "" if result.method == "none" else how.format(result.method)  # the search did not begin
    winner = f", answer by {result.method}" if "winner" in result.options else method
    return f"engine {result.engine}{winner}"


def effort_lines(result: Result[Any], notes: Iterable[str] = (), *, verbose: bool) -> list[str]:
    """With `verbose`, the status, how the answer was found, its cost, and further statistics."""
    if not verbose:
        return []
    lines = [f"  status           {result.status}", *notes, f"  effort           {effort(result)}"]
    if result.statistics and not hands_over(result):
        lines.append(f"  counted          {_counted(result)}")
    return lines


def _counted(result: Result[Any]) -> str:
    return ", ".join(
        f"{grouped(number)} {_worded(what, number)}"
        for what, number in (result.statistics or {}).items()
        if number or not what.endswith("from the ledger")
    )


def _worded(key: str, number: int) -> str:
    """The key of a statistic in words, in the singular for one: conflicts, seconds of work, branch."""
    if number == 1 and "_" not in key:
        return key.removesuffix("es" if key.endswith("ches") else "s")
    return key.replace("_", " ")


def hands_over(result: Result[Any]) -> bool:
    """Whether the engine passes a model to a solver instead of searching itself."""
    return not all(engine.counts_nodes for engine in _engines(result, str(result.options.get("winner", result.engine))))


def _engines(result: Result[Any], name: str) -> list[Any]:
    """The class of the engine of that name, or those of the members of a portfolio."""
    members = name.removeprefix("portfolio:").split(",")
    return [engine_class(member.partition(":")[0], result.kind) for member in members]


def all_searched(result: Result[Any]) -> str:
    """Why a complete search is known to be complete."""
    return "a solver excluded all others" if hands_over(result) else "every possibility was searched"


def proof_lines(result: Result[Any], *, verbose: bool) -> list[str]:
    """What became of the requested proof."""
    if result.options.get("proof") is None:
        return []
    if result.proof is not None and not result.proof["lemmas"]:
        return [f"  No proof: {escaped(str(result.proof['reason']))}"]
    if result.proof is None:
        why = "there is a solution" if result.best_bound is None else "all joins are valid, so no board can have more"
        why = why if result.complete else ending(result.ended_by)
        return [f"  No proof: {why}"]
    page = f"{result.proof['file']}.json"
    if "stopped" in result.proof:
        again = f"use `jigsat check INSTANCE {shlex.quote(page)}`"
        return [f"  Proof: {escaped(str(result.proof['file']))}, NOT CHECKED to its end: {escaped(again)}"]
    states = f"  {escaped(page)} states: {escaped(str(result.proof['states']))}"
    return [proof_line(result.proof, "NOT ACCEPTED", verbose=verbose), states]


def proof_line(proof: Mapping[str, Any], otherwise: str, *, verbose: bool = True) -> str:
    """A proof in one line: file, length, whether it was checked (or the given alternative), and by what.

    With `verbose`, or without a check, also a reason.
    """
    where = f"{escaped(str(proof['file']))}, " if "file" in proof else ""
    verdict = "checked" if proof["checked"] else otherwise
    by = f" by {', '.join(proof['checkers'])}" if proof["checkers"] else ""
    reason = f": {escaped(str(proof['reason']))}" if verbose or not proof["checked"] else ""
    return f"  Proof: {where}{plural(proof['lemmas'], 'step')}, {verdict}{by}{reason}"


def picture_of(kind: str) -> Callable[[Any], str]:
    """The function that shows a solution of a puzzle of that kind as text; a board must refer to its puzzle."""
    if kind == "dissection":
        return tiling_text
    return lambda board: board_text(board, board.puzzle.board)


def tiling_text(tiling: Tiling) -> str:
    """A tiling as text: the vertices of each piece."""
    width = len(str(len(tiling)))
    return "\n".join(
        f"  piece {piece:>{width}}  {'left over' if polygon is None else points_text(polygon)}"
        for piece, polygon in enumerate(tiling, 1)
    )


def link_lines(puzzle: Any, board: Arrangement | None) -> list[str]:
    """A link that shows a board; an empty list if the board is not full or a link cannot represent it."""
    if board is None or None in board:
        return []
    from ..files.viewer_links import link_of

    link = link_of(puzzle, board)
    return [] if link is None else [f"  View: {link}"]
