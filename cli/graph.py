"""`jigsat graph`: the graph of a dissection's tilings."""

import argparse
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from ..csp.base.errors import EngineError
from ..csp.base.quantities import grouped, several
from ..csp.base.safe_files import escaped, refuse_same_file, replacing
from ..csp.base.stopping import StoppedError
from ..csp.engines.registry import find_tiling_engine
from ..csp.engines.request import Goal, Limits, Options
from ..csp.files.dissection_files import placed_pieces, shown, vertices
from ..csp.files.instances import read_puzzle
from ..csp.puzzles.dissection import DissectionPuzzle, Tiling
from ..csp.tilings.always_together import Merged, always_together, merged
from ..csp.tilings.moves import RULES
from .parts.dissections.commands import with_motions
from .parts.options import add_instance, add_json, add_motions, add_time_limit
from .parts.progress import Patience, patience
from .parts.wording import ending, print_json

if TYPE_CHECKING:
    from ..csp.tilings.graph import GraphSummary, TilingGraph
    from ..models.tilings.hamiltonian import Hamiltonian

# More would take minutes.
MOST_TILINGS = 5000


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find all tilings of a dissection, up to symmetry, and which of them a move makes of each other; "
        "tell of the graph that they make.  Pieces that lie together in every tiling, as the tilings show, are taken "
        "as one piece first."
    )
    add_instance(parser)
    parser.add_argument(
        "--moves",
        choices=tuple(RULES),
        default="chung-graham",
        help="what counts as a move: convex (pieces that fill a convex region are moved by a symmetry of the region), "
        "primitive (the same if no proper part of the pieces covers the same points as before), chung-graham (the "
        "same with regions of at most four vertices that are no acute triangles of half the target's area; it gives "
        "the published figures for the Ostomachion; the default), exchanges (convex, or two congruent convex regions "
        "exchange their pieces)",
    )
    parser.add_argument("--no-merge", action="store_true", help="keep pieces that always lie together apart")
    add_motions(parser)
    parser.add_argument(
        "--hamiltonian",
        action="store_true",
        help="find a Hamiltonian cycle of the largest component, or else a path, or prove that there is none",
    )
    parser.add_argument("--draw", metavar="FILE", help="draw the graph, as SVG, in this file (- for standard output)")
    parser.add_argument("--thumbnails", action="store_true", help="show the tilings in the picture")
    add_time_limit(parser, "give up after")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_json(parser)
    parser.set_defaults(run=run)


class Found(NamedTuple):
    """All that was found out.

    The puzzle and the number of its tilings up to symmetry; the puzzle whose tilings the graph has, with pieces that
    always lie together as one, or the original; the graph, and it in numbers; a Hamiltonian tour if that was asked for.
    """

    original: DissectionPuzzle
    canonical_count: int
    whole: Merged
    graph: "TilingGraph"
    summary: "GraphSummary"
    tour: "Hamiltonian | None"


def run(arguments: argparse.Namespace) -> int:
    if arguments.draw is not None:
        refuse_same_file(arguments.draw, arguments.instance)
    elif arguments.thumbnails:
        raise EngineError("--thumbnails: they are for the picture; --draw FILE makes one")
    if arguments.draw == "-" and arguments.json:
        raise EngineError("--draw - and --json: only one of them can have the standard output")
    puzzle = _dissection(read_puzzle(arguments.instance), arguments)
    with patience(arguments) as must_stop:
        try:
            # What cannot be written is refused before the search.
            with nullcontext() if arguments.draw is None else replacing(arguments.draw) as file:
                found = _find(puzzle, arguments, must_stop)
                if file is not None:
                    file.write(_picture(found, thumbnails=arguments.thumbnails))
        except StoppedError:
            found = None
    if found is None:
        if arguments.json:
            print_json({"instance": puzzle.name, "kind": puzzle.kind, "ended_by": must_stop.ended_by})
        else:
            print(f"{escaped(puzzle.name)}: no graph, {ending(must_stop.ended_by)}")
        return 130 if must_stop.ended_by == "interrupt" else 1
    if arguments.json:
        print_json(record(found, arguments.moves, must_stop))
    elif arguments.draw != "-":
        print(describe(found, arguments.moves, must_stop))
    return 130 if must_stop.ended_by == "interrupt" else 0


def _dissection(puzzle, arguments: argparse.Namespace) -> DissectionPuzzle:
    if not isinstance(puzzle, DissectionPuzzle):
        raise EngineError(f"{puzzle.name}: is of the kind {puzzle.kind}; jigsat graph is for dissections")
    return with_motions(puzzle, arguments.motions)


def _find(puzzle: DissectionPuzzle, arguments: argparse.Namespace, must_stop: Patience) -> Found:
    """Everything that is asked for; StoppedError if a limit or Ctrl-C comes before the graph is done."""
    from ..csp.tilings.graph import summarise, tiling_graph
    from ..models.tilings.hamiltonian import find_hamiltonian

    tilings = _tilings(puzzle, arguments, must_stop)
    must_stop.tell(f"{several(len(tilings), 'tiling')}: pieces that lie together")
    if arguments.no_merge:
        groups = always_together(puzzle, tilings, must_stop=must_stop)
        one = Merged(puzzle, tilings, tuple((piece,) for piece in range(len(puzzle.pieces))), groups)
    else:
        one = merged(puzzle, tilings, must_stop=must_stop)
    must_stop.tell(f"{several(len(one.tilings), 'tiling')}: moves")
    graph = tiling_graph(one.puzzle, one.tilings, RULES[arguments.moves], must_stop=must_stop)
    summary = summarise(graph, must_stop=must_stop)
    tour = None
    if arguments.hamiltonian:
        must_stop.tell("Hamiltonian cycle")
        tour = find_hamiltonian(graph.graph.subgraph(graph.components[0]), must_stop=must_stop)
    return Found(puzzle, len(tilings), one, graph, summary, tour)


def _tilings(puzzle: DissectionPuzzle, arguments: argparse.Namespace, must_stop: Patience) -> tuple[Tiling, ...]:
    """All tilings, one of each orbit; StoppedError if a limit or Ctrl-C comes before."""

    def report(progress) -> None:
        must_stop.tell(f"count {grouped(progress.solutions)}")

    limits = Limits(seconds=arguments.time_limit, solutions=MOST_TILINGS + 1)
    result = find_tiling_engine("backtrack").run(puzzle, Goal.ALL, limits, Options(), report=report)
    if len(result.solutions) > MOST_TILINGS:
        most = grouped(MOST_TILINGS)
        raise EngineError(f"{puzzle.name}: more than {most} tilings up to symmetry, which are too many for a graph")
    if not result.complete:
        must_stop.ended_by = result.ended_by
        raise StoppedError
    if not result.solutions:
        raise EngineError(f"{puzzle.name}: has no tilings, so there is no graph of them")
    return result.solutions


def _picture(found: Found, *, thumbnails: bool) -> str:
    from ..render.svg.tiling_graph import draw_tiling_graph

    graph = found.graph
    return draw_tiling_graph(
        {edge: graph.kind(edge) for edge in graph.moves},
        len(found.whole.tilings),
        name=f"{found.original.name}: tilings and moves",
        highlighted=() if graph.cores is None else graph.cores.cores,
        cycle=() if found.tour is None or found.tour.tour is None else found.tour.tour,
        thumbnails=[(found.whole.puzzle, tiling) for tiling in found.whole.tilings] if thumbnails else (),
    )


def record(found: Found, moves: str, must_stop: Patience) -> dict[str, Any]:
    """What is known, for scripts; pieces and tilings are numbered from 1."""
    summary, graph = found.summary, found.graph
    largest = summary.largest
    return {
        "instance": found.original.name,
        "kind": found.original.kind,
        "motions": str(found.original.motions),
        "canonical_count": found.canonical_count,
        "together": _numbered(found.whole.groups),
        "pieces": _numbered(found.whole.parts),
        "moves": moves,
        "rule": str(graph.rule),
        "vertices": summary.vertices,
        "edges": summary.edges,
        "kinds": summary.kinds,
        "components": list(summary.components),
        "largest": {
            "vertices": largest.vertices,
            "edges": largest.edges,
            "kinds": largest.kinds,
            "degrees": [largest.least_degree, largest.greatest_degree],
            "mean_degree": shown(largest.mean_degree),
            "diameter": largest.diameter,
            "radius": largest.radius,
        },
        "cores": None if graph.cores is None else [core + 1 for core in graph.cores.cores],
        "clusters": [number + 1 for number in graph.clusters] or None,
        "cluster_sizes": list(summary.cluster_sizes),
        "hamiltonian": _tour_record(found.tour),
        "ended_by": must_stop.ended_by,
        "tilings": [placed_pieces(tiling) for tiling in found.whole.tilings],
        "edge_list": [_edge_record(graph, edge) for edge in sorted(graph.moves)],
    }


def _numbered(groups: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    return [[piece + 1 for piece in group] for group in groups]


def _tour_record(tour: "Hamiltonian | None") -> dict[str, Any] | None:
    if tour is None:
        return None
    vertices = None if tour.tour is None else [vertex + 1 for vertex in tour.tour]
    return {"cycle": tour.has_cycle, "path": tour.has_path, "tour": vertices}


def _edge_record(graph: "TilingGraph", edge: tuple[int, int]) -> dict[str, Any]:
    move = graph.moves[edge]
    return {
        "tilings": [edge[0] + 1, edge[1] + 1],
        "kind": graph.kind(edge),
        "move": "exchange" if move.is_exchange else "symmetry",
        "pieces": [piece + 1 for piece in move.pieces],
        "outlines": [vertices(outline) for outline in move.outlines],
        "share": shown(move.share),
    }


def describe(found: Found, moves: str, must_stop: Patience) -> str:
    """What is known, as text."""
    original, summary, graph = found.original, found.summary, found.graph
    largest = summary.largest
    count = several(found.canonical_count, "tiling")
    lines = [f"{escaped(original.name)}: {original.kind} puzzle, {count} up to symmetry"]
    groups = ", ".join("+".join(str(piece + 1) for piece in group) for group in found.whole.groups)
    lines.append(f"  always together  {groups or 'no pieces'}{_merging(found)}")
    lines.append(f"  vertices         {several(summary.vertices, 'tiling')}")
    lines.append(f"  edges            {grouped(summary.edges)}{_of_kinds(summary.kinds)}")
    lines.append(f"  moves            {moves}: {graph.rule}")
    sizes = " + ".join(map(grouped, summary.components[:12])) + (" + ..." if len(summary.components) > 12 else "")
    lines.append(f"  components       {grouped(len(summary.components))}: {sizes}")
    if len(summary.components) > 1:
        lines.append(f"    the largest    {several(largest.edges, 'edge')}{_of_kinds(largest.kinds)}")
    degrees = f"{largest.least_degree} to {largest.greatest_degree}, {float(largest.mean_degree):.2f} on average"
    lines.append(f"    degrees        {degrees}")
    lines.append(f"    diameter       {largest.diameter}, radius {largest.radius}")
    if graph.cores is not None:
        least, most = summary.cluster_sizes[0], summary.cluster_sizes[-1]
        made = f"each of {graph.cores.parts} congruent parts"
        sizes = several(most, "tiling") if least == most else f"{least} to {most} tilings"
        clusters = f"{several(len(summary.cluster_sizes), 'cluster')} of {sizes}"
        lines.append(f"  core tilings     {grouped(len(graph.cores.cores))}, {made}; {clusters}")
    return "\n".join(lines + _tour_lines(found.tour, must_stop))


def _merging(found: Found) -> str:
    whole = found.whole
    if not whole.groups:
        return ""
    if len(whole.parts) == len(found.original.pieces):
        return "; kept apart"
    but = "" if set(whole.groups) <= set(whole.parts) else ", but for what is not convex"
    return f"; each taken as one{but}: {several(len(whole.parts), 'piece')}"


def _of_kinds(kinds: dict[str, int]) -> str:
    return f": {kinds['local']} local, {kinds['global']} global" if "local" in kinds else ""


def _tour_lines(tour: "Hamiltonian | None", must_stop: Patience) -> list[str]:
    if tour is None:
        return []
    cycle = "no cycle" if tour.has_cycle is False else f"undecided: {ending(must_stop.ended_by)}"
    path = "no path either" if tour.has_path is False else f"a path undecided: {ending(must_stop.ended_by)}"
    if tour.tour is None:
        return [f"  Hamiltonian      {cycle if tour.has_cycle is None else f'{cycle}, {path}'}"]
    head = "a cycle through the largest component" if tour.has_cycle else "no cycle, but a path"
    return [f"  Hamiltonian      {head}", f"    {' '.join(str(vertex + 1) for vertex in tour.tour)}"]
