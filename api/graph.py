"""The graph of a dissection's tilings: from the puzzle to the graph, its numbers, and a Hamiltonian tour."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..csp.base.errors import EngineError, NotFoundError, UsageError, ending, escaped, grouped, plural
from ..csp.base.notebook import Brief, HasSummary
from ..csp.base.safe_files import replacing_bytes
from ..csp.base.stop import Report, Stop, StoppedError, stoppable
from ..csp.files.dissection_files import placed_pieces, shown, vertices
from ..csp.files.file_format import format_for
from ..csp.files.instances import INSTANCE_FORMATS, fingerprint
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.work.steps import keep_steps
from ..render.picture import FORMATS, Picture, refuse_picture
from .public import AnyPuzzle, opened, public

if TYPE_CHECKING:
    from ..csp.tilings.always_together import Merged
    from ..csp.tilings.graph import GraphSummary, TilingGraph
    from ..csp.tilings.moves import Move
    from ..models.tilings.graph_steps import GraphSoFar, GraphSteps, Hamiltonian
    from ..render.html.page import WebPage


def graph_text(graph: TilingGraph, kind: str, name: str) -> str:
    """The graph in a format, ``"dot"`` or ``"graphml"``.

    Tilings are numbered from 1.  An edge has the attributes ``kind`` (local, global or move) and, where the graph has
    clusters, a vertex the attribute ``cluster``, also numbered from 1.
    """
    import networkx as nx

    plain = nx.Graph(name=escaped(name))
    for vertex in sorted(graph.graph):
        plain.add_node(vertex + 1, **({"cluster": graph.clusters[vertex] + 1} if graph.clusters else {}))
    for one, other in sorted(graph.moves):
        plain.add_edge(one + 1, other + 1, kind=graph.kind((one, other)))
    if kind == "graphml":
        return "\n".join(nx.generate_graphml(plain)) + "\n"
    lines = [f"graph {json.dumps(escaped(name), ensure_ascii=False)} {{"]
    lines += [f"  {vertex}{_attributes(data)};" for vertex, data in plain.nodes(data=True)]
    lines += [f"  {one} -- {other}{_attributes(data)};" for one, other, data in plain.edges(data=True)]
    return "\n".join([*lines, "}"]) + "\n"


def _attributes(data: dict[str, object]) -> str:
    return "".join(f" [{key}={value}]" for key, value in data.items())


_PAGES = {"html": (".html", ".htm")}
# Graphs for other programs, with the endings of their files.
_GRAPH_FORMATS = {"dot": (".dot", ".gv"), "graphml": (".graphml",)}


@dataclass(frozen=True, repr=False)
class GraphParts(Brief):
    """The complete results."""

    #: The number of tilings up to symmetry.
    canonical_count: int
    #: The puzzle whose tilings the graph has: with pieces that are always together as one, or the original.
    whole: Merged
    #: The graph, and it in numbers.
    graph: TilingGraph
    numbers: GraphSummary
    #: A Hamiltonian cycle or path of the largest component, if that was asked for.
    tour: Hamiltonian | None = None


@dataclass(frozen=True, repr=False)
class FoundGraph(HasSummary):
    """The graph of a dissection's tilings, or the results of a search that was stopped.

    If there is a graph, the fields of `GraphParts` are also available here.
    """

    #: The puzzle.
    puzzle: DissectionPuzzle
    #: The name of the rule by which a move counts.
    moves: str
    #: The complete results; None if the search was stopped before there was a graph.
    parts: GraphParts | None
    #: What ended the search early, ``"time"`` or ``"interrupt"``; None if nothing did.
    ended_by: str | None
    #: What was found before the search ended.
    so_far: GraphSoFar
    #: Where an incomplete graph is kept, in words; None if it is complete, or not kept.
    kept: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the graph is complete."""
        return self.parts is not None

    @property
    def canonical_count(self) -> int:
        """The number of tilings up to symmetry."""
        return self._known.canonical_count

    @property
    def whole(self) -> Merged:
        """The puzzle whose tilings the graph has."""
        return self._known.whole

    @property
    def graph(self) -> TilingGraph:
        """The graph: a vertex for each tiling, an edge for each move."""
        return self._known.graph

    @property
    def numbers(self) -> GraphSummary:
        """The graph in numbers."""
        return self._known.numbers

    @property
    def tour(self) -> Hamiltonian | None:
        """A Hamiltonian cycle or path of the largest component, if that was asked for."""
        return self._known.tour

    @property
    def _known(self) -> GraphParts:
        if self.parts is None:
            raise NotFoundError(f"{self.puzzle.name}: there is no graph, {ending(self.ended_by)}", self.ended_by)
        return self.parts

    def record(self) -> dict[str, Any]:
        """The results for scripts, as `jigsat graph --json` prints them; pieces and tilings are numbered from 1."""
        about = {"instance": self.puzzle.name, "kind": self.puzzle.kind, "motions": str(self.puzzle.motions)}
        if self.parts is None:
            return {
                **about,
                "moves": self.moves,
                "complete": False,
                "ended_by": self.ended_by,
                "vertices": len(self.so_far.tilings),
                "edges": len(self.so_far.moves),
                "tilings": [placed_pieces(tiling) for tiling in self.so_far.tilings],
                "edge_list": [_edge_record(edge, move) for edge, move in sorted(self.so_far.moves.items())],
            }
        numbers, graph = self.numbers, self.graph
        largest = numbers.largest
        return {
            **about,
            "canonical_count": self.canonical_count,
            "together": _numbered(self.whole.groups),
            "pieces": _numbered(self.whole.parts),
            "moves": self.moves,
            "complete": True,
            "rule": str(graph.rule),
            "vertices": numbers.vertices,
            "edges": numbers.edges,
            "kinds": numbers.kinds,
            "components": list(numbers.components),
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
            "cluster_sizes": list(numbers.cluster_sizes),
            "hamiltonian": _tour_record(self.tour),
            "ended_by": self.ended_by,
            "tilings": [placed_pieces(tiling) for tiling in self.whole.tilings],
            "edge_list": [_edge_record(edge, graph.moves[edge], graph.kind(edge)) for edge in sorted(graph.moves)],
        }

    def summary(self, *, verbose: bool = False) -> str:
        """The graph in words; with `verbose` all its numbers."""
        if self.parts is None:
            return "\n".join([f"{escaped(self.puzzle.name)}: no graph, {ending(self.ended_by)}", *self._lines_so_far()])
        numbers, graph = self.numbers, self.graph
        largest = numbers.largest
        count = plural(self.canonical_count, f"{'different ' * (self.canonical_count != 1)}tiling")
        connected = "all connected" if len(numbers.components) == 1 else f"in {plural(len(numbers.components), 'part')}"
        first = f"{escaped(self.puzzle.name)}: {count}; the graph of the moves between them has "
        first += f"{plural(numbers.vertices, 'vertex')} and {plural(numbers.edges, 'edge')}, {connected}."
        lines = [first]
        if not verbose:
            if largest.diameter:
                moves = f"  At most {plural(largest.diameter, 'move')} between any two"
                lines.append(f"{moves}{' in the largest part' * (len(numbers.components) > 1)}.")
            return "\n".join(lines + self._tour_lines() + self._kept_lines())
        groups = ", ".join("+".join(str(piece + 1) for piece in group) for group in self.whole.groups)
        lines.append(f"  always together  {groups or 'no pieces'}{self._merging()}")
        lines.append(f"  vertices         {plural(numbers.vertices, 'tiling')}")
        lines.append(f"  edges            {grouped(numbers.edges)}{_of_kinds(numbers.kinds)}")
        lines.append(f"  moves            {self.moves}: {graph.rule}")
        sizes = " + ".join(map(grouped, numbers.components[:12])) + (" + ..." if len(numbers.components) > 12 else "")
        lines.append(f"  components       {grouped(len(numbers.components))}: {sizes}")
        if len(numbers.components) > 1:
            lines.append(f"    the largest    {plural(largest.edges, 'edge')}{_of_kinds(largest.kinds)}")
        degrees = f"{largest.least_degree} to {largest.greatest_degree}, {float(largest.mean_degree):.2f} on average"
        lines.append(f"    degrees        {degrees}")
        lines.append(f"    diameter       {largest.diameter}, radius {largest.radius}")
        if graph.cores is not None:
            lines.append(f"  core tilings     {_cores_text(graph.cores.parts, numbers)}")
        return "\n".join(lines + self._tour_lines() + self._kept_lines())

    def _lines_so_far(self) -> list[str]:
        vertices, done = len(self.so_far.tilings), len(self.so_far.edges)
        lines = [] if not vertices or done else [f"  so far           at least {plural(vertices, 'tiling')}"]
        if done:
            edges = plural(len(self.so_far.moves), "edge")
            lines = [f"  so far           {plural(vertices, 'tiling')}, {edges} of the first {grouped(done)}"]
        return lines + self._kept_lines()

    def _kept_lines(self) -> list[str]:
        return [] if self.kept is None else [f"  kept             {escaped(self.kept)}"]

    def _merging(self) -> str:
        whole = self.whole
        if not whole.groups:
            return ""
        if len(whole.parts) == len(self.puzzle.pieces):
            return "; kept apart"
        but = "" if set(whole.groups) <= set(whole.parts) else ", except for what is not convex"
        return f"; each taken as one{but}: {plural(len(whole.parts), 'piece')}"

    def _tour_lines(self) -> list[str]:
        tour = self.tour
        if tour is None:
            return []
        cycle = "no cycle" if tour.has_cycle is False else f"undecided: {ending(self.ended_by)}"
        path = "no path either" if tour.has_path is False else f"a path undecided: {ending(self.ended_by)}"
        if tour.tour is None:
            return [f"  Hamiltonian      {cycle if tour.has_cycle is None else f'{cycle}, {path}'}"]
        head = "a cycle through the largest component" if tour.has_cycle else "no cycle, but a path"
        return [f"  Hamiltonian      {head}", f"    {' '.join(str(vertex + 1) for vertex in tour.tour)}"]

    def draw(self, *, thumbnails: bool = False) -> str:
        """The graph as an SVG, with pictures of its tilings if `thumbnails` asks for them.

        Raises NotFoundError if there is no graph, because the search was stopped.
        """
        from ..render.svg.graph import draw_tiling_graph

        graph = self.graph
        return draw_tiling_graph(
            {edge: graph.kind(edge) for edge in graph.moves},
            len(self.whole.tilings),
            name=f"{self.puzzle.name}: tilings and moves",
            highlighted=() if graph.cores is None else graph.cores.cores,
            cycle=() if self.tour is None or self.tour.tour is None else self.tour.tour,
            clusters=graph.clusters,
            thumbnails=[(self.whole.puzzle, tiling) for tiling in self.whole.tilings] if thumbnails else (),
        )

    def page(self) -> WebPage:
        """A page to explore the graph: point at a vertex for its tiling, click on an edge to see the move.

        Notebooks display it, and its method `save` writes it to a file.

        Raises NotFoundError if there is no graph, because the search was stopped.
        """
        from ..render.html.graph_page import graph_page
        from ..render.html.page import WebPage

        graph, number = self.graph, len(self.whole.tilings)
        html = graph_page(
            self.whole.puzzle,
            self.whole.tilings,
            graph.moves,
            {edge: graph.kind(edge) for edge in graph.moves},
            name=f"{self.puzzle.name}: tilings and moves",
            parts=self.whole.parts,
            cores=() if graph.cores is None else graph.cores.cores,
            clusters=graph.clusters,
        )
        return WebPage(html, number, number)

    def save(self, path: str | Path, *, thumbnails: bool = False) -> None:
        """Write the graph to a file.

        - `path`: the file, whose ending decides the format: a picture (``.svg``, ``.png``, ``.pdf``), a page
          (``.html``), a graph for other programs (``.dot``, ``.graphml``), or the record (``.json``).  ``-`` is
          standard output, an SVG.
        - `thumbnails`: whether a picture shows the tilings.

        Raises UsageError if the ending is another one. Raises NotFoundError if there is no graph, because the search
        was stopped. Raises InstanceError if the file cannot be written.
        """
        content = self.content(refuse_graph_file(path), thumbnails=thumbnails)
        with replacing_bytes(path) as file:
            file.write(content)

    def content(self, kind: str, *, thumbnails: bool = False) -> bytes:
        """The content of a file in one of the formats of `save`, such as ``"dot"``."""
        if kind == "json":
            return f"{json.dumps(self.record())}\n".encode()
        if kind == "html":
            return self.page().html.encode()
        if kind in _GRAPH_FORMATS:
            return graph_text(self.graph, kind, self.puzzle.name).encode()
        return Picture(self.draw(thumbnails=thumbnails)).content(kind)

    def _picture(self) -> str | None:
        return None if self.parts is None else self.draw()


def refuse_graph_file(path: str | Path) -> str:
    """The format that the ending of a file decides; errors are those of `FoundGraph.save`, before there is a graph."""
    kind = format_for(path, {**FORMATS, **_PAGES, **_GRAPH_FORMATS, **INSTANCE_FORMATS}, "svg")
    if kind in FORMATS:
        refuse_picture(path)
    return kind


@public
def graph(
    puzzle: AnyPuzzle,
    *,
    moves: Literal["convex", "primitive", "chung-graham", "exchanges"] = "chung-graham",
    merge: bool = True,
    motions: Literal["any", "lattice"] | None = None,
    hamiltonian: bool = False,
    output: str | Path | None = None,
    thumbnails: bool = False,
    resume: bool = False,
    overwrite: bool = False,
    time_limit: float | None = None,
    report: Report | None = None,
) -> FoundGraph:
    """Build the graph of a dissection's tilings, in which edges are moves that lead from one tiling to another.

    The vertices are all tilings up to symmetry.  Pieces that lie together in every tiling are first merged into one
    piece.

    Parameters
    ----------
    puzzle : DissectionPuzzle, str or Path
        The dissection, or where it is.
    moves : {'convex', 'primitive', 'chung-graham', 'exchanges'}, default 'chung-graham'
        What counts as a move (default: chung-graham).  convex: a symmetry of a convex region that some pieces fill.
        primitive: the same, unless some of these pieces, without the others, cover the same points before and after.
        chung-graham: the same with regions of at most four vertices that are not acute triangles of half the target's
        area; it gives the published figures for the Ostomachion (Chung and Graham).  exchanges: convex, or an exchange
        of the pieces of two congruent convex regions.
    merge : bool, default True
        Merge pieces that always lie together; otherwise do not merge pieces that always lie together.
    hamiltonian : bool, default False
        Find a Hamiltonian cycle of the largest component.  If there is no cycle, find a path, or prove that there is no
        path.
    output : str or Path, optional
        A file for the graph: .svg, .png, .pdf, .html (a page that plays moves), .dot, .graphml or .json; - for standard
        output (SVG).  While the search runs, its steps are in a file whose name ends in ``.part``.
    thumbnails : bool, default False
        Show the tilings in the picture.
    resume : bool, default False
        Continue a run that was stopped, from that file.
    overwrite : bool, default False
        Start over where such a file is left, and replace an earlier output even by an incomplete graph.
    time_limit : float, optional
        Give up after this many seconds; on the command line also 1m30s or 2h.

    Returns
    -------
    FoundGraph
        The graph.  If the time limit or Ctrl-C came first, there is no graph, but what was found of it, `so_far`, and
        `ended_by` has the reason.

    Raises
    ------
    UsageError
        If the puzzle is not a dissection, or a stopped search has left a file and neither `resume` nor `overwrite` is
        given.
    JigsatError
        If the puzzle has no tiling, or more than 5000.

    Examples
    --------
    A tangram makes its square in one way, so there is one vertex:

    >>> import jigsat as js
    >>> found = js.graph("tangram")
    >>> found.canonical_count, found.numbers.edges
    (1, 0)
    """
    # The command describes its options without these.
    from ..csp.tilings.always_together import refuse_rigid_among_equals
    from ..models.tilings.graph_steps import GraphSteps

    kind = None if output is None else refuse_graph_file(output)
    if thumbnails and kind not in FORMATS:
        raise UsageError("applies to a picture; give an output that ends in .svg, .png or .pdf", "thumbnails")
    dissection = opened(puzzle)
    if not isinstance(dissection, DissectionPuzzle):
        raise UsageError(f"{dissection.name}: graphs are for dissections, but this is of the kind {dissection.kind}")
    dissection.refuse_unless_classic("graphs are")
    dissection = dissection.with_motions(motions)
    refuse_rigid_among_equals(dissection, [[piece + 1] for piece in range(len(dissection.pieces))])
    head = {"work": "graph", "instance": dissection.name, "sha256": fingerprint(dissection)}
    head |= {"motions": str(dissection.motions), "moves": moves, "merge": merge}
    with keep_steps(output, head, resume=resume, overwrite=overwrite) as kept:
        with stoppable(time_limit, report=report) as stop:
            steps, parts = GraphSteps(dissection, kept, stop), None
            try:
                with suppress(StoppedError):
                    parts = _parts(dissection, moves, steps, stop, merge=merge, hamiltonian=hamiltonian)
            except EngineError:
                kept.refused = True
                raise
        found = FoundGraph(dissection, moves, parts, stop.ended_by, steps.so_far)
        kept.complete = stop.ended_by is None
        if kind is not None:
            there = parts is not None or kind == "json"
            kept.write_answer(found.content(kind, thumbnails=thumbnails) if there else None)
    return replace(found, kept=kept.kept)


def _parts(
    puzzle: DissectionPuzzle, moves: str, steps: GraphSteps, stop: Stop, *, merge: bool, hamiltonian: bool
) -> GraphParts:
    """The complete results; raises StoppedError if a limit or Ctrl-C comes before the graph is done."""
    from ..csp.tilings.always_together import Merged, always_together, merged
    from ..csp.tilings.graph import summarise, tiling_graph
    from ..csp.tilings.moves import RULES
    from ..models.tilings.graph_steps import find_hamiltonian

    tilings = steps.tilings()
    stop.tell(f"{plural(len(tilings), 'tiling')}: pieces that lie together")
    if merge:
        whole = merged(puzzle, tilings, must_stop=stop)
    else:
        groups = always_together(puzzle, tilings, must_stop=stop)
        whole = Merged(puzzle, tilings, tuple((piece,) for piece in range(len(puzzle.pieces))), groups)
    stop.tell(f"{plural(len(whole.tilings), 'tiling')}: moves")
    known = steps.begin_edges(whole.tilings)
    found = tiling_graph(whole.puzzle, whole.tilings, RULES[moves], known=known, keep=steps.keep, must_stop=stop)
    numbers = summarise(found, must_stop=stop)
    tour = None
    if hamiltonian:
        stop.tell("Hamiltonian cycle")
        tour = find_hamiltonian(found.graph.subgraph(found.components[0]), must_stop=stop)
    return GraphParts(len(tilings), whole, found, numbers, tour)


def _numbered(groups: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    return [[piece + 1 for piece in group] for group in groups]


def _tour_record(tour: Hamiltonian | None) -> dict[str, Any] | None:
    if tour is None:
        return None
    order = None if tour.tour is None else [vertex + 1 for vertex in tour.tour]
    return {"cycle": tour.has_cycle, "path": tour.has_path, "tour": order}


def _edge_record(edge: tuple[int, int], move: Move, kind: str | None = None) -> dict[str, Any]:
    return {
        "tilings": [edge[0] + 1, edge[1] + 1],
        "kind": kind,
        "move": "exchange" if move.is_exchange else "symmetry",
        "pieces": [piece + 1 for piece in move.pieces],
        "outlines": [vertices(outline) for outline in move.outlines],
        "share": shown(move.share),
    }


def _of_kinds(kinds: dict[str, int]) -> str:
    return f": {kinds['local']} local, {kinds['global']} global" if "local" in kinds else ""


def _cores_text(parts: int, numbers: GraphSummary) -> str:
    least, most = numbers.cluster_sizes[0], numbers.cluster_sizes[-1]
    sizes = plural(most, "tiling") if least == most else f"{least} to {most} tilings"
    clusters = f"{plural(len(numbers.cluster_sizes), 'cluster')} of {sizes}"
    return f"{grouped(numbers.cores or 0)}, each of {parts} congruent parts; {clusters}"
