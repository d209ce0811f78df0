"""`jigsat estimate` for dissections: tilings and nodes to be expected."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....csp.base.quantities import grouped, several
from ....csp.base.safe_files import escaped
from ....csp.engines.request import Limits, Options
from ....csp.puzzles.dissection import DissectionPuzzle
from ..progress import counted, patience
from ..wording import actual_record, ending, print_json, probes_record

if TYPE_CHECKING:
    from ....estimators.random_probes.tiling_probes import TilingEffort


def estimate_tilings(arguments: argparse.Namespace, puzzle: DissectionPuzzle) -> int:
    """Probe the search's tree, let the search itself run if that is asked for, and print what was found."""
    from ....estimators.random_probes.tiling_probes import PROBES, probed_tilings

    symmetry = not arguments.no_symmetry
    nodes = PROBES * 256 if arguments.probes is None else arguments.probes
    arguments.time_limit = None
    with patience(arguments) as waiting:
        effort = probed_tilings(
            puzzle,
            nodes,
            arguments.seed or 0,
            symmetry=symmetry,
            report=lambda done: waiting.tell(f"{done} of {PROBES} probes"),
        )
    if arguments.actual:
        effort = replace(effort, actual=counted(arguments, puzzle, Limits(), Options(symmetry=symmetry)))
    if arguments.json:
        print_json(as_record(puzzle, effort))
    else:
        print(describe(puzzle, effort))
        if arguments.by_depth:
            print(describe_depths(effort))
    return 0


def by_depth(effort: "TilingEffort") -> list[dict[str, Any]]:
    """For each number of pieces what the probes say and the search found."""
    probes = effort.probes
    rows = []
    for at in range(len(probes.nodes)):
        row: dict[str, Any] = {
            "depth": at + 1,
            "probed": float(probes.nodes[at]),
            "probed_error": float(probes.errors[at]),
            "probed_trusted": bool(probes.trusted[at]),
        }
        if effort.actual is not None:
            row["actual"] = effort.actual.nodes_by_depth[at]
        rows.append(row)
    return rows


def as_record(puzzle: DissectionPuzzle, effort: "TilingEffort") -> dict[str, Any]:
    """All numbers for scripts."""
    record: dict[str, Any] = {
        "instance": puzzle.name,
        "kind": puzzle.kind,
        "tilings": effort.tilings,
        "tilings_error": effort.tilings_error,
        "probes": probes_record(effort.probes),
        "by_depth": by_depth(effort),
    }
    if effort.actual is not None:
        record["actual"] = actual_record(effort.actual)
    return record


def describe(puzzle: DissectionPuzzle, effort: "TilingEffort") -> str:
    """The prediction, as text."""
    probes = effort.probes
    how = "with symmetries broken" if effort.symmetry else "without breaking symmetries"
    lines = [
        f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {several(len(puzzle.pieces), 'piece')}, "
        f"motions {puzzle.motions}",
        f"  tilings          {effort.tilings:.4g} expected, standard error {effort.tilings_error:.2g}",
        f"  to search        {probes.total:.4g} nodes {how}, standard error {probes.total_error:.2g}",
        f"  probes           {probes.number} of width {probes.width}",
    ]
    if probes.trusted_depth < len(probes.nodes):
        deepest = f"depth {probes.trusted_depth} of {len(probes.nodes)}"
        lines.append(f"                   trusted to {deepest}; what lies deeper is too rare for them")
    if effort.actual is not None:
        partial = "" if effort.actual.complete else f"; not all, {ending(effort.actual.ended_by)}"
        lines.append(
            f"  actual           {grouped(effort.actual.count or 0)} tilings, {grouped(effort.actual.nodes)} nodes in "
            f"{effort.actual.seconds:.2f} s{partial}"
        )
    return "\n".join(lines)


def describe_depths(effort: "TilingEffort") -> str:
    """A line for each depth."""
    lines = [f"\n  {'depth':>5}  {'probed':>12}  {'error':>9}" + (f"  {'actual':>10}" if effort.actual else "")]
    for row in by_depth(effort):
        doubt = " " if row["probed_trusted"] else "?"
        actual = f"  {row['actual']:>10}" if "actual" in row else ""
        lines.append(f"  {row['depth']:>5}  {row['probed']:>11.5g}{doubt}  {row['probed_error']:>9.2g}{actual}")
    return "\n".join(lines)
