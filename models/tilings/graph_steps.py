"""The steps to a graph of tilings, kept so that a run that was stopped can continue: the tilings, then their edges.

Then Hamiltonian cycles and paths of a graph, by CP-SAT's circuit constraint.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import networkx as nx
from pydantic import Field, StrictBool, StrictInt

from ...csp.base.errors import InstanceError, JigsatError, grouped
from ...csp.base.stop import Progress, Stop, StoppedError, never
from ...csp.base.strict_json import validated
from ...csp.engines.engine import find_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.dissection_files import placed_pieces, polygon_of, shown, solution_reader, vertices
from ...csp.files.schemas import Coordinate, Exact, Vertices
from ...csp.puzzles.check_tiling import TilingChecker
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ...csp.tilings.graph import TilingEdges
from ...csp.tilings.moves import Move
from ...csp.work.steps import KeptSteps

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

#: The largest number of tilings; more would take minutes.
MOST_TILINGS = 5000
_Index = Annotated[StrictInt, Field(ge=0)]


@dataclass
class GraphSoFar:
    """What has been found of a graph."""

    #: The vertices so far; all of them once there are edges.
    tilings: tuple[Tiling, ...] = ()
    #: The edges from each of the first vertices to later ones.
    edges: list[TilingEdges] = field(default_factory=list)

    @property
    def moves(self) -> dict[tuple[int, int], Move]:
        """The edges so far, each with its move."""
        return {(number, onto): move for number, of in enumerate(self.edges) for onto, move in of.moves.items()}


class _MoveEntry(Exact):
    pieces: list[_Index]
    images: list[Vertices]
    outlines: list[Vertices]
    share: Coordinate
    primitive: StrictBool


class _EdgeEntry(Exact):
    onto: _Index
    share: Coordinate | None
    move: _MoveEntry | None


class _EdgesEntry(Exact):
    """The entry of the edges of a tiling; numbers are from 0."""

    edges: list[_EdgeEntry]


class GraphSteps:
    """The steps to a graph."""

    def __init__(self, puzzle: DissectionPuzzle, kept: KeptSteps, stop: Stop) -> None:
        self._puzzle, self._kept, self._stop = puzzle, kept, stop
        self.so_far = GraphSoFar()
        kept.taken_over = not any("edges" in entry for entry in kept.earlier)

    def tilings(self) -> tuple[Tiling, ...]:
        """All tilings, one of each orbit: those that an earlier run has kept if it had found them all.

        Raises JigsatError if the puzzle has no tilings, or too many. Raises StoppedError if a limit or Ctrl-C comes
        before; then those so far are in `so_far`.
        """
        entries = self._kept.earlier
        number = next((number for number, entry in enumerate(entries) if "tiling" not in entry), len(entries))
        self.so_far.tilings = self._checked([entry["tiling"] for entry in entries[:number]])
        if number == len(entries):
            self._list(number)
            self._kept.add({"tilings": len(self.so_far.tilings)})
        return self.so_far.tilings

    def _list(self, already: int) -> None:
        """Search for all tilings; the search is repeated, and finds the kept ones again, in the same order."""
        puzzle, stop = self._puzzle, self._stop
        found: list[Tiling] = []

        def take(tiling: Tiling) -> None:
            found.append(tiling)
            if len(found) > already:
                self.so_far.tilings += (tiling,)
                self._kept.add({"tiling": placed_pieces(tiling)})

        def tell(progress: Progress) -> None:
            stop.tell(f"count {grouped(progress.solutions)}")

        limits = Limits(seconds=stop.seconds_left, solutions=MOST_TILINGS + 1)
        result = find_engine("backtrack", kind="dissection").run(
            puzzle, Goal.ALL, limits, Options(), report=tell, consume=take, must_stop=lambda: stop.interrupted
        )
        if len(found) > MOST_TILINGS:
            self._give_up(f"more than {grouped(MOST_TILINGS)} tilings up to symmetry, too many for a graph")
        if not result.complete:
            stop.ended_by = stop.ended_by or result.ended_by
            raise StoppedError
        if not found:
            self._give_up("has no tilings, so there is no graph of them")
        if len(found) < already or tuple(found) != self.so_far.tilings:
            raise InstanceError(f"{self._kept.label}: its tilings are not those of this puzzle, in their order")

    def _give_up(self, why: str) -> None:
        self._kept.refused = True
        raise JigsatError(f"{self._puzzle.name}: {why}")

    def _checked(self, kept: list[Any]) -> tuple[Tiling, ...]:
        puzzle, label = self._puzzle, self._kept.label
        read, judge = solution_reader(puzzle, label), TilingChecker(puzzle)
        tilings = [read(entry, number) for number, entry in enumerate(kept, start=1)]
        for number, tiling in enumerate(tilings, start=1):
            verdict = judge(tiling)
            if not verdict.is_solution:
                raise InstanceError(f"{label}: tiling {number} is not a solution: {verdict.problems[0]}")
        return tuple(tilings)

    def begin_edges(self, tilings: tuple[Tiling, ...]) -> list[TilingEdges]:
        """The edges that an earlier run has kept; the vertices are now these tilings."""
        entries = [entry for entry in self._kept.earlier if "edges" in entry]
        label = self._kept.label
        self.so_far = GraphSoFar(tilings, [_edges_of(entry, len(tilings), label) for entry in entries])
        if len(entries) > len(tilings):
            raise InstanceError(f"{label}: has edges of {len(entries)} tilings, but there are {len(tilings)}")
        self._kept.taken_over = True
        return list(self.so_far.edges)

    def keep(self, edges: TilingEdges) -> None:
        """Keep the edges of the next tiling."""
        self.so_far.edges.append(edges)
        self._kept.add({"edges": _edges_data(edges)})


def _edges_data(edges: TilingEdges) -> list[dict[str, Any]]:
    """Edges as JSON data."""
    return [
        {
            "onto": onto,
            "share": shown(edges.shares[onto]) if onto in edges.shares else None,
            "move": None if onto not in edges.moves else _move_data(edges.moves[onto]),
        }
        # In their order, on which later steps depend.
        for onto in (*edges.moves, *(edges.shares.keys() - edges.moves.keys()))
    ]


def _move_data(move: Move) -> dict[str, Any]:
    return {
        "pieces": move.pieces,
        "images": list(map(vertices, move.images)),
        "outlines": list(map(vertices, move.outlines)),
        "share": shown(move.share),
        "primitive": move.primitive,
    }


def _edges_of(data: dict[str, Any], tilings: int, label: str) -> TilingEdges:
    """The edges that `_edges_data` has converted."""
    entry = validated(_EdgesEntry, data, label, {})
    if any(edge.onto >= tilings for edge in entry.edges):
        raise InstanceError(f"{label}: has an edge to a tiling that does not exist")
    moves = {edge.onto: _move_of(edge.onto, edge.move, label) for edge in entry.edges if edge.move is not None}
    return TilingEdges(moves, {edge.onto: Fraction(edge.share) for edge in entry.edges if edge.share is not None})


def _move_of(onto: int, entry: _MoveEntry, label: str) -> Move:
    images, outlines = (
        tuple(polygon_of(points, label) for points in polygons) for polygons in (entry.images, entry.outlines)
    )
    return Move(onto, tuple(entry.pieces), images, outlines, Fraction(entry.share), entry.primitive)


@dataclass(frozen=True)
class Hamiltonian:
    """What is known about a graph's Hamiltonian cycles and paths."""

    #: Whether one exists (a cycle has at least three vertices); None if the search was stopped before.
    has_cycle: bool | None
    has_path: bool | None
    #: The vertices in the order of a cycle if there is one, otherwise of a path; None if there is neither or none was
    #: found.
    tour: tuple[int, ...] | None


def find_hamiltonian(graph: nx.Graph, *, must_stop: Callable[[], bool] = never) -> Hamiltonian:
    """Find a Hamiltonian cycle, or else a path, or prove that neither exists.

    - `graph`: a graph with at least one vertex; vertices are any integers.
    """
    vertices = sorted(graph)
    if len(vertices) == 1:
        return Hamiltonian(False, True, (vertices[0],))
    if not nx.is_connected(graph):
        return Hamiltonian(False, False, None)
    has_cycle, tour = (False, None) if len(vertices) < 3 else _search(graph, vertices, must_stop, closed=True)
    if tour is not None:
        return Hamiltonian(True, True, tour)
    has_path, tour = _search(graph, vertices, must_stop, closed=False)
    return Hamiltonian(has_cycle, has_path, tour)


def is_hamiltonian(graph: nx.Graph, tour: Sequence[int], *, closed: bool) -> bool:
    """Whether vertices in this order are a Hamiltonian path, or a cycle."""
    steps = list(pairwise((*tour, tour[0]) if closed else tour))
    return (
        sorted(tour) == sorted(graph)
        and all(graph.has_edge(a, b) for a, b in steps)
        and len({frozenset(step) for step in steps}) == len(steps)
    )


def _search(
    graph: nx.Graph, vertices: Sequence[int], must_stop: Callable[[], bool], *, closed: bool
) -> tuple[bool | None, tuple[int, ...] | None]:
    """Whether there is a cycle, or a path, and one if there is."""
    if must_stop():
        return None, None
    from ortools.sat.python import cp_model

    from ..base.cp_solving import model_solutions

    model = cp_model.CpModel()
    arcs = _arcs(model, graph, vertices, closed=closed)
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    # One worker finds the same tour every time.
    solver.parameters.num_workers = 1

    def read(callback: "cp_model.CpSolverSolutionCallback") -> dict[int, int]:
        return {a: b for a, b, used in arcs if callback.value(used)}

    found = model_solutions(model, solver, read, must_stop)
    try:
        after = next(found)
    except StopIteration as end:
        return (False if end.value == cp_model.INFEASIBLE else None), None
    finally:
        found.close()
    tour = _followed(after, vertices, closed=closed)
    if not is_hamiltonian(graph, tour, closed=closed):
        raise AssertionError(f"not a Hamiltonian tour: {tour}")
    return True, tour


def _arcs(
    model: "cp_model.CpModel", graph: nx.Graph, vertices: Sequence[int], *, closed: bool
) -> "list[tuple[int, int, cp_model.IntVar]]":
    """The edges both ways; for a path also arcs from and to a further vertex, which is the last."""
    at = {vertex: place for place, vertex in enumerate(vertices)}
    ends = [(at[a], at[b]) for edge in graph.edges for a, b in (edge, edge[::-1])]
    if not closed:
        ends += [pair for place in at.values() for pair in ((place, len(at)), (len(at), place))]
    return [(a, b, model.new_bool_var("")) for a, b in ends]


def _followed(after: dict[int, int], vertices: Sequence[int], *, closed: bool) -> tuple[int, ...]:
    """The vertices in the order of the arcs."""
    tour: list[int] = []
    place = 0 if closed else after[len(vertices)]
    for _ in vertices:
        tour.append(vertices[place])
        place = after[place]
    return tuple(tour)
