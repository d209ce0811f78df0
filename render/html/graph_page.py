"""The page for a graph of tilings: a tiling for each vertex, and each edge as the move that it is."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2
from typing import Any

from ...csp.base.errors import InstanceError, plural
from ...csp.geometry.polygons import Isometry, Polygon, isometries
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ...csp.tilings.moves import Move
from ..svg.graph import Edge, Point, place_components
from ..svg.tiling import piece_fills, scale_to, small_tiling
from .page import resource, self_contained

_STYLES = ("base.css", "graph.css")
_SCRIPTS = ("svg.js", "graph_words.js", "graph.js")
# The longer side of a tiling in pixels, before the page sets the size of the picture.
_SIZE = 360


def graph_page(
    puzzle: DissectionPuzzle,
    tilings: Sequence[Tiling],
    moves: Mapping[Edge, Move],
    kinds: Mapping[Edge, str],
    *,
    name: str,
    parts: Sequence[Sequence[int]],
    cores: Sequence[int] = (),
    clusters: Sequence[int] = (),
) -> str:
    """The HTML of a page to explore a graph of tilings: point at a vertex, click on an edge to see the move.

    `moves` are from the first tiling of each edge on.  `parts` has, for each piece, the numbers from 0 that its parts
    have in the puzzle before they were taken as one.
    """
    scale = scale_to([(puzzle, ())], _SIZE)
    drawn = [small_tiling(puzzle, tiling, scale) for tiling in tilings]
    places, discs, size = place_components(kinds, len(tilings), clusters)
    names = sorted(set(kinds.values()))
    left, top = min(x for x, _ in puzzle.hull), max(y for _, y in puzzle.hull)

    def pixel(point: tuple[Any, Any]) -> Point:
        return round(float((point[0] - left) * scale), 2), round(float((top - point[1]) * scale), 2)

    data = {
        "size": [round(length) for length in size],
        "places": [[round(c, 1) for c in places[vertex]] for vertex in range(len(tilings))],
        "discs": [[disc.cluster, *(round(c, 1) for c in disc[1:])] for disc in discs],
        "cores": list(cores),
        "clusters": list(clusters),
        "kinds": names,
        "pieces": ["+".join(str(piece + 1) for piece in part) for part in parts],
        "fills": piece_fills(puzzle),
        "target": [outline.points for outline in drawn[0].outlines] if drawn else [],
        "box": [round(length, 1) for length in drawn[0].size] if drawn else [0, 0],
        "tilings": [[shape.points for shape in tiling.shapes] for tiling in drawn],
        "edges": [
            [*edge, names.index(kinds[edge]), list(_parts(tilings[edge[0]], move, pixel))]
            for edge, move in sorted(moves.items())
        ],
    }
    return self_contained(
        resource("graph.html"),
        title=name,
        styles=map(resource, _STYLES),
        scripts=map(resource, _SCRIPTS),
        data=data,
        facts=f"{plural(len(tilings), 'tiling')}, {plural(len(moves), 'move')}",
    )


def _parts(tiling: Tiling, move: Move, pixel: Any) -> Iterator[list[Any]]:
    """The parts of a move: the pieces, whether they are turned over, the angle, and the middles before and after.

    The angle is that of the rotation, or of the axis of the reflection; y points downwards.
    """
    ends = move.outlines[0], move.outlines[-1]
    for motion in isometries(*ends):
        there = _moved_by(tiling, move, motion)
        rest = [piece for piece in move.pieces if piece not in there]
        back = next(isometries(motion(ends[0]), ends[0])) if not rest else motion.inverse()
        if there and set(_moved_by(tiling, move, back)) >= set(rest):
            yield _part(there, motion, ends, pixel)
            if rest:
                yield _part(rest, back, ends[::-1], pixel)
            return
    raise InstanceError(f"no motion of a region makes the move to tiling {move.onto + 1}")


def _moved_by(tiling: Tiling, move: Move, motion: Isometry) -> list[int]:
    images = zip(move.pieces, move.images, strict=True)
    return [piece for piece, image in images if motion(tiling[piece]) == image]


def _part(pieces: list[int], motion: Isometry, ends: tuple[Polygon, ...], pixel: Any) -> list[Any]:
    angle = -atan2(motion.c, motion.a) / (2 if motion.is_reflection else 1)
    return [pieces, int(motion.is_reflection), round(angle, 6), *_middle(ends[0], pixel), *_middle(ends[1], pixel)]


def _middle(polygon: Polygon, pixel: Any) -> Point:
    points = [pixel(point) for point in polygon]
    x, y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    return round(x, 2), round(y, 2)
