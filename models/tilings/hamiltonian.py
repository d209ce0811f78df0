"""Hamiltonian cycles and paths of a graph, by CP-SAT's circuit constraint."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx
from ortools.sat.python import cp_model

from ...csp.base.stop import never
from ..base.cp_solving import model_solutions

_Arcs = list[tuple[int, int, cp_model.IntVar]]


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
    - `must_stop`: is called from time to time; returns whether to stop.

    Examples
    --------
    >>> find_hamiltonian(nx.star_graph(3))
    Hamiltonian(has_cycle=False, has_path=False, tour=None)
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
    model = cp_model.CpModel()
    arcs = _arcs(model, graph, vertices, closed=closed)
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    # One worker finds the same tour every time.
    solver.parameters.num_workers = 1

    def read(callback: cp_model.CpSolverSolutionCallback) -> dict[int, int]:
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


def _arcs(model: cp_model.CpModel, graph: nx.Graph, vertices: Sequence[int], *, closed: bool) -> _Arcs:
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
