"""What `jigsat info` says of a dissection."""

from math import factorial, prod
from typing import Any

from ....csp.base.quantities import grouped, several
from ....csp.base.safe_files import escaped
from ....csp.files.dissection_files import shown, vertices
from ....csp.files.instances import fingerprint
from ....csp.geometry.exact_numbers import rational
from ....csp.geometry.polygons import double_area
from ....csp.puzzles.dissection import DissectionPuzzle
from ..wording import known_lines

_MOTIONS = {
    "any": "any rotation and translation, turned over or not",
    "lattice": "quarter turns, turned over or not, on the lattice",
}


def describe(puzzle: DissectionPuzzle) -> dict[str, Any]:
    """The facts, as plain data."""

    def facts(polygon) -> dict[str, Any]:
        return {"area": shown(rational(double_area(polygon)) / 2), "vertices": vertices(polygon)}

    exchanges = prod(factorial(len(members)) for members in puzzle.classes)
    return {
        "name": puzzle.name,
        "kind": puzzle.kind,
        "source": puzzle.source,
        "sha256": fingerprint(puzzle),
        "motions": puzzle.motions,
        "target": {**facts(puzzle.target), "convex": not puzzle.pockets},
        "pieces": [{"piece": number, **facts(piece)} for number, piece in enumerate(puzzle.pieces, start=1)],
        "congruent": [[piece + 1 for piece in members] for members in puzzle.classes if len(members) > 1],
        "lattice_side": shown(rational(1) / puzzle.scale),
        "symmetries": {
            "target": len(puzzle.symmetries),
            "congruent_pieces": exchanges,
            "product": len(puzzle.symmetries) * exchanges,
        },
        "known": dict(puzzle.known),
    }


def text(facts: dict[str, Any]) -> str:
    """The facts, as text."""
    target, found = facts["target"], facts["symmetries"]
    lines = [f"{escaped(facts['name'])}: {facts['kind']} puzzle, {several(len(facts['pieces']), 'piece')}"]
    if facts["source"]:
        lines.append(f"  source           {escaped(facts['source'])}")
    lines.append(f"  motions          {facts['motions']}: {_MOTIONS[facts['motions']]}")
    lines.append(f"  lattice          squares of side {facts['lattice_side']}")
    shape = "convex" if target["convex"] else "not convex"
    lines.append(f"  target           area {target['area']}, {shape}: {_points(target)}")
    width = len(str(len(facts["pieces"])))
    for piece in facts["pieces"]:
        number = f"{piece['piece']:>{width}}"
        lines.append(f"  piece {number:<9}  area {piece['area']}: {_points(piece)}")
    groups = "; ".join(" ".join(map(str, group)) for group in facts["congruent"])
    lines.append(f"  congruent        {groups or 'none'}")
    lines.append(f"  symmetry factor  {grouped(found['product'])} if all orbits are full")
    lines.append(f"    target {found['target']} x congruent pieces {grouped(found['congruent_pieces'])}")
    return "\n".join([*lines, *known_lines(facts["known"]), f"  sha256           {facts['sha256']}"])


def _points(polygon: dict[str, Any]) -> str:
    return " ".join(f"({x}, {y})" for x, y in polygon["vertices"])
