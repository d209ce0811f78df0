"""Results in words, and as JSON."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...csp.base.quantities import grouped, several
from ...csp.base.safe_files import escaped
from ...csp.engines.registry import RACING
from ...csp.engines.result import Result
from ...csp.puzzles.board import letters

if TYPE_CHECKING:
    from ...estimators.random_probes.tree_probes import Probes


def print_json(data: Any) -> None:
    """One JSON object on a line."""
    with _all_digits():
        readable = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        print(json.dumps(data, ensure_ascii=not readable))


@contextmanager
def _all_digits() -> Iterator[None]:
    """Lets numbers of any length be printed; Python's limit is for reading, and there it stays."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def effort(result: Result) -> str:
    """What a search cost, in a line."""
    searching = result.seconds - result.build_seconds
    nodes_now = result.nodes - (result.statistics or {}).get("nodes from the ledger", 0)
    rate = nodes_now / searching / 1e6 if searching > 0 else 0.0
    slips = f", slips {result.options['slips']}" if result.options.get("slips") else ""
    if is_solver(result.engine):
        counted = _counted(result)
        return (
            f"{counted or 'the solver told nothing of it:'} {'in ' if counted else ''}{result.seconds:.2f} s "
            f"({result.build_seconds:.2f} s to build the model){slips}, "
            f"engine {result.engine}, encoding {result.method}"
        )
    width = f", width {grouped(int(str(result.options['width'])))}" if "width" in result.options else ""
    order = f"order {result.options['order']}{slips}{width}, " if "order" in result.options else ""
    speed = f"{rate:.1f} million" if rate >= 0.1 else f"{1000 * rate:.1f} thousand"
    return (
        f"{several(result.nodes, 'node')} in {result.seconds:.2f} s ({speed} a second), "
        f"{order}engine {result.engine} ({result.method})"
    )


def _counted(result: Result) -> str:
    return ", ".join(
        f"{grouped(number)} {what.replace('_', ' ')}" for what, number in (result.statistics or {}).items()
    )


def effort_lines(result: Result) -> list[str]:
    """What a search cost, and what else it counted."""
    lines = [f"  effort           {effort(result)}"]
    if result.statistics and not is_solver(result.engine):
        lines.append(f"  counted          {_counted(result)}")
    return lines


def is_solver(engine: str) -> bool:
    """Whether an engine hands a model to a solver, instead of searching itself."""
    return engine.partition(":")[0] not in ("backtrack", *RACING, "balanced", "most-constrained")


def proves_its_best(engine: str) -> bool:
    """Whether an engine that is asked for the best score goes on until nothing better is possible."""
    return engine not in RACING


def known_lines(known: Mapping[str, Any]) -> list[str]:
    """Known results, one a line."""
    lines: list[str] = []
    for key, value in known.items():
        shown = grouped(value) if isinstance(value, int) else escaped(str(value))
        lines.append(f"  known {escaped(key):<10} {shown}" if len(key) <= 10 else f"  known {escaped(key)}: {shown}")
    return lines


def proof_lines(result: Result) -> list[str]:
    """What became of the proof that was asked for."""
    if result.options.get("proof") is None:
        return []
    if result.proof is not None and not result.proof["lemmas"]:
        return [f"  proof            none: {escaped(str(result.proof['reason']))}"]
    if result.proof is None:
        why = "there is a solution" if result.best_bound is None else "no board can have more than all joins valid"
        why = why if result.complete else ending(result.ended_by)
        return [f"  proof            none: {why}"]
    page = f"{result.proof['file']}.json"
    if "stopped" in result.proof:
        again = f"`jigsat check INSTANCE {page}` does it"
        return [f"  proof            {escaped(str(result.proof['file']))}, NOT CHECKED to its end: {escaped(again)}"]
    states = f"  {escaped(page)} states: {escaped(str(result.proof['states']))}"
    return [proof_line(result.proof, "NOT ACCEPTED"), states]


def proof_line(proof: Mapping[str, Any], otherwise: str) -> str:
    """A proof in a line: where it is, how long, whether it was checked (or what to say otherwise), by whom, and why."""
    where = f"{escaped(str(proof['file']))}, " if "file" in proof else ""
    verdict = "checked" if proof["checked"] else otherwise
    by = f" by {', '.join(proof['checkers'])}" if proof["checkers"] else ""
    return (
        f"  proof            {where}{several(proof['lemmas'], 'lemma')}, {verdict}{by}: {escaped(str(proof['reason']))}"
    )


def status_of(result: Result) -> int:
    """The exit status of a search."""
    if result.ended_by == "interrupt" or (result.proof is not None and result.proof.get("stopped") == "interrupt"):
        return 130
    return 0 if result.proof is None or result.proof["checked"] else 1


def all_searched(result: Result) -> str:
    """How a search knows that there is nothing more."""
    return "the solver excluded everything else" if is_solver(result.engine) else "every branch was searched"


def ending(ended_by: str | None) -> str:
    """Why a search stopped early, in words, from what `Result.ended_by` says."""
    return {
        "time": "the time limit was reached",
        "nodes": "the node limit was reached",
        "depth": "the depth limit kept the search from full boards",
        "solutions": "the number of solutions asked for was reached",
        "interrupt": "interrupted",
        "restarts": "many attempts led to nothing better",
    }.get(ended_by or "", "")


def picture(board, columns: int) -> str:
    """A board as text: piece numbers, and rotations as quarter turns after the slash."""
    cells = ["." if placed is None else f"{placed.piece + 1}/{placed.rotation}" for placed in board]
    width = max(len(cell) for cell in (*cells, str(columns)))
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    margin = len(letters(len(rows) - 1))
    lines = [" " * (margin + 2) + " ".join(f"{column + 1:>{width}}" for column in range(columns))]
    lines += [
        f"  {letters(i):>{margin}}" + " ".join(["", *(f"{cell:>{width}}" for cell in row)])
        for i, row in enumerate(rows)
    ]
    return "\n".join(lines)


def probes_record(probes: "Probes", fixed: int = 0) -> dict[str, Any]:
    """What probes say, for scripts; depths count the fixed pieces."""
    return {
        "number": probes.number,
        "width": probes.width,
        "nodes": probes.total,
        "error": probes.total_error,
        "trusted_depth": probes.trusted_depth + fixed,
    }


def actual_record(actual: Result) -> dict[str, Any]:
    """What the search itself found, for scripts."""
    return {
        "complete": actual.complete,
        "ended_by": actual.ended_by,
        "nodes": actual.nodes,
        "count": actual.count,
        "seconds": actual.seconds,
    }
