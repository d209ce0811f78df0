"""What `jigsat info` prints for a dissection."""

from typing import Any

from ...csp.base.safe_files import escaped
from ...csp.base.words import grouped, several
from .wording import known_lines

_MOTIONS = {
    "any": "any rotation and translation, {over}",
    "lattice": "{turns}, {over}, on the lattice",
}


def text(facts: dict[str, Any]) -> str:
    """The facts, as text."""
    target, found = facts["target"], facts["symmetries"]
    lines = [f"{escaped(facts['name'])}: {facts['kind']} puzzle, {several(len(facts['pieces']), 'piece')}"]
    if facts["source"]:
        lines.append(f"  source           {escaped(facts['source'])}")
    rigid = facts["not_turned_over"]
    over = "turned over or not" if len(rigid) < len(facts["pieces"]) else "not turned over"
    lines.append(
        f"  motions          {facts['motions']}: {_MOTIONS[facts['motions']].format(turns=facts['turns'], over=over)}"
    )
    if 0 < len(rigid) < len(facts["pieces"]):
        lines.append(f"  not turned over  {' '.join(map(str, rigid))}")
    lines.append(f"  lattice          {facts['lattice'] or 'none contains all vertices'}")
    shape = "convex" if target["convex"] else "not convex"
    lines.append(f"  target           area {target['area']}, {shape}: {_points(target)}")
    for number, part in enumerate(facts["other_parts"], start=2):
        lines.append(f"  part {number:<10}  area {part['area']}: {_points(part)}")
    for number, hole in enumerate(facts["holes"], start=1):
        lines.append(f"  hole {number:<10}  area {hole['area']}: {_points(hole)}")
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
