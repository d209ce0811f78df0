"""`jigsat info` and `jigsat schema`: what is known about a puzzle without a search, and the schema of the files."""

import argparse
import json
from collections import Counter
from typing import Any

from ..api.info import info, schema
from ..csp.base.errors import escaped, grouped, plural, shortened
from ..csp.files.instances import stated_number
from .from_functions import describe, take
from .options import RARE, add_instance, add_json, read_variant
from .parser import Parser
from .wording import known_lines, print_answer, print_json

# More colours than these are summarized; more pairs of assemblies are not shown.
_MOST_COLORS, _MOST_PAIRS = 64, 10


def add_info(parser: Parser) -> None:
    describe(parser, info)
    parser.examples = ("jigsat info eternity2", "jigsat info ostomachion --json")
    add_instance(parser)
    take(parser, info)
    add_json(parser)
    parser.rare = RARE
    parser.set_defaults(run=run)


def add_schema(parser: Parser) -> None:
    describe(parser, schema)
    parser.examples = ("jigsat schema", "jigsat schema --experiments")
    take(parser, schema)
    parser.set_defaults(run=run_schema)


def run_schema(arguments: argparse.Namespace) -> int:
    print(json.dumps(schema(arguments.experiments), indent=2))
    return 0


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_variant(arguments)
    facts = info(puzzle, blocks=arguments.blocks)
    if arguments.json:
        print_json(facts)
    else:
        dissection = facts["kind"] == "dissection"
        if arguments.verbose:
            print_answer(_dissection_text(facts) if dissection else text(facts))
        else:
            about = _about_dissection(facts) if dissection else _about_squares(facts)
            print_answer("\n".join([about, *_common(facts, stated_number(puzzle))]))
    return 0


def _about_squares(facts: dict[str, Any]) -> str:
    """A puzzle of squares in a sentence."""
    size = f"{facts['rows']} rows x {facts['columns']} columns"
    if facts["squares"] < facts["rows"] * facts["columns"]:
        size = f"{plural(facts['squares'], 'square')} in {size}"
    along, inside = len(facts["frame_colors"]), len(facts["inner_colors"])
    if "connectors" in facts:
        sides = f"{plural(facts['connectors'], 'connector')} on at most {plural(facts['max_use'], 'join')} each"
        sides += facts["best_possible"]
    else:
        sides = f"{along} frame and {inside} inner colours" if along else f"{inside} colours"
    form = f", {escaped(facts['form'])}" if facts["form"] else ""
    lines = [f"{escaped(facts['name'])}: {facts['kind']} puzzle, {size}, {facts['pieces']} pieces, {sides}{form}."]
    if facts.get("assemblies"):
        lines.append(f"  Made to have {plural(facts['assemblies'], 'solution')}.")
    if facts["fixed"]:
        fixed = [f"piece {one['piece']} on {one['square']}" for one in facts["fixed"]]
        lines.append(f"  Fixed: {shortened(', '.join(fixed), 100)}.")
    return "\n".join(lines)


def _about_dissection(facts: dict[str, Any]) -> str:
    """A dissection in a sentence."""
    flips = len(facts["not_turned_over"]) < len(facts["pieces"])
    over = "may be turned over" if flips else "may not be turned over"
    return (
        f"{escaped(facts['name'])}: {facts['kind']} puzzle, {plural(len(facts['pieces']), 'piece')} that {over}, "
        f"a target of area {facts['target']['area']}."
    )


def _common(facts: dict[str, Any], different: int | None) -> list[str]:
    """The source and the known number of solutions of a puzzle."""
    lines = [f"  From: {escaped(shortened(facts['source'], 150))}"] if facts["source"] else []
    if different is not None:
        lines.append(f"  Known: {plural(different, 'solution' if different == 1 else 'different solution')}.")
    return [*lines, "  --verbose shows the pieces' numbers, symmetries and more."]


def text(facts: dict[str, Any]) -> str:
    """The facts, as text."""
    spare = f", {facts['spare_pieces']} more than squares" if facts["spare_pieces"] else ""
    size = f"{facts['rows']} rows x {facts['columns']} columns"
    if facts["squares"] < facts["rows"] * facts["columns"]:
        size = f"{plural(facts['squares'], 'square')} in {size}"
    lines = [f"{escaped(facts['name'])}: {facts['kind']} puzzle, {size}, {facts['pieces']} pieces{spare}"]
    if facts["form"]:
        lines.append(f"  form             {escaped(facts['form'])}")
    if facts["source"]:
        lines.append(f"  source           {escaped(facts['source'])}")
    classes = (f"{name} {sizes['pieces']} for {sizes['squares']}" for name, sizes in facts["classes"].items())
    lines.append(f"  classes          {', '.join(classes)} squares")
    along = facts["joins"]["frame"]
    lines.append(f"  joins            {facts['joins']['all']}{f', of which {along} in the frame' if along else ''}")
    word = "sides" if "connectors" in facts else "colours"
    if facts["frame_colors"]:
        lines.append(f"  {f'frame {word}':<15}  {_numbers(facts['frame_colors'])}")
    lines.append(f"  {f'inner {word}' if facts['frame_colors'] else word:<15}  {_numbers(facts['inner_colors'])}")
    if facts["shared_colors"]:
        lines.append(f"  in both          {_listed(facts['shared_colors'])}")
    odd = _listed(facts["odd_colors"]) or "none"
    lines.append(f"  odd {word:<11}  {odd}")
    lines += [
        f"  fixed            piece {fixed['piece']} on {fixed['square']}, rotation {fixed['rotation']}"
        for fixed in facts["fixed"]
    ]
    found = facts["symmetries"]
    factor = "known after a complete count (orbits may differ in size)"
    if found["symmetry_factor"] is not None:
        factor = grouped(found["symmetry_factor"])
    lines.append(f"  symmetry factor  {factor}")
    identical, symmetric = grouped(found["identical_pieces"]), grouped(found["symmetric_pieces"])
    lines.append(f"    board {found['board']} x identical pieces {identical} x symmetric pieces {symmetric}")
    if "connectors" in facts:
        lines += _jigsaw_lines(facts)
    else:
        lines.append(f"  default order    {facts['default_order']}")
    if "blocks" in facts:
        numbers = ", ".join(f"{name} {grouped(number)}" for name, number in facts["blocks"].items())
        lines.append(f"  blocks of 2x2    {numbers}")
    lines += known_lines(facts["known"])
    lines.append(f"  sha256           {facts['sha256']}")
    return "\n".join(lines)


def _listed(colors: list[int | str]) -> str:
    """Colours in a line; words may have blanks."""
    return (", " if any(isinstance(color, str) for color in colors) else " ").join(escaped(str(c)) for c in colors)


def _numbers(numbers: dict[str, int]) -> str:
    """How often each colour occurs; many colours are summarized."""
    if len(numbers) <= _MOST_COLORS:
        return f"{len(numbers)}: " + " ".join(f"{escaped(color)}({number})" for color, number in numbers.items())
    times = sorted(Counter(numbers.values()).items())
    return f"{len(numbers)}: " + ", ".join(
        f"{grouped(colors)} of them {grouped(number)} times" for number, colors in times
    )


def _jigsaw_lines(facts: dict[str, Any]) -> list[str]:
    """How good a jigsaw is, as text."""
    most = plural(facts["max_use"], "join")
    lines = [f"  connectors       {grouped(facts['connectors'])}, on at most {most} each{facts['best_possible']}"]
    for key, title in (("unbalanced_connectors", "unbalanced"), ("equal_pieces", "equal pieces")):
        if facts[key]:
            lines.append(f"  {title:<15}  {len(facts[key])}: {shortened(' '.join(map(str, facts[key])), 100)}")
    note = "" if facts["fault"] is None else f", but {escaped(facts['fault'])}"
    if not note and facts["spare_pieces"] and facts["assemblies"] > 1:
        note = ", not compared because there are spare pieces"
    lines.append(f"  assemblies       {facts['assemblies']}{note}")
    for pair in facts["pairs_of_assemblies"][:_MOST_PAIRS]:
        one, other = pair["assemblies"]
        staying = ", ".join(f"{pieces} after {degrees}" for degrees, pieces in pair["staying_pieces"].items())
        lines.append(
            f"    {one} and {other}: {pair['shared_joins']} shared joins; pieces that stay when the second is turned: "
            f"{staying} degrees"
        )
    return lines


_MOTIONS = {
    "any": "any rotation and translation, {over}",
    "lattice": "{turns}, {over}, on the lattice",
}


def _dissection_text(facts: dict[str, Any]) -> str:
    """The facts about a dissection, as text."""
    target, found = facts["target"], facts["symmetries"]
    lines = [f"{escaped(facts['name'])}: {facts['kind']} puzzle, {plural(len(facts['pieces']), 'piece')}"]
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
