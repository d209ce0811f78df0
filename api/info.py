"""Facts about a puzzle that need no search."""

from __future__ import annotations

import warnings
from dataclasses import replace
from math import factorial, prod
from typing import Any

from ..csp.base.errors import PuzzleError
from ..csp.engines.request import refuse_of_others
from ..csp.files.dissection_files import shown, vertices
from ..csp.files.instances import fingerprint
from ..csp.geometry.polygons import Polygon, area
from ..csp.puzzles.board import BORDER
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import ANY, EdgeMatchingPuzzle
from ..csp.puzzles.orders import default_order
from ..csp.puzzles.slips import inner_joins
from ..csp.puzzles.symmetry import symmetries
from .public import AnyPuzzle, opened, public


@public
def info(puzzle: AnyPuzzle, blocks: bool = False) -> dict[str, Any]:
    """Describe a puzzle: size, classes of pieces, colours, symmetries and known results.

    For a dissection: polygons, areas, congruent pieces, lattice and symmetries.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is: a file, the name of a bundled puzzle, or a viewer link.
    blocks : bool, default False
        Also count the 2x2 blocks of free pieces that fit together, by class (boards with even sides).

    Returns
    -------
    dict
        For puzzles of squares: sizes, classes, colours with their numbers, symmetries, odd colours, known results, and
        for a jigsaw its quality.  For a dissection: polygons, areas, congruent pieces, lattice, symmetries, known
        results.

    Warns
    -----
    UserWarning
        If the pieces cannot fill the board, or their sides seem to be in another order than they were read.

    Raises
    ------
    UsageError
        If `blocks` is set for a dissection.

    Examples
    --------
    >>> from jigsat import read
    >>> facts = info(read("clue1"))
    >>> facts["rows"], facts["pieces"], facts["odd_colors"]
    (6, 36, [])
    """
    puzzle = opened(puzzle)
    about = {"name": puzzle.name, "kind": puzzle.kind, "source": puzzle.source, "sha256": fingerprint(puzzle)}
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, blocks=blocks)
        return about | _dissection_facts(puzzle)
    facts = about | _square_facts(puzzle)
    if blocks:
        from ..csp.search.counting.two_by_two import block_numbers

        facts["blocks"] = block_numbers(puzzle)
    # Imported here: it takes NumPy, which dissections do without.
    from ..csp.files.square_files import doubt_of, misfit

    why = misfit(puzzle) or doubt_of(puzzle)
    if why is not None:
        warnings.warn(f"{puzzle.name}: {why}", UserWarning, stacklevel=3)
    return facts


def _square_facts(puzzle: EdgeMatchingPuzzle) -> dict[str, Any]:
    found = symmetries(puzzle)
    frame, inner = puzzle.frame_sides(), puzzle.inner_sides()
    said = puzzle.color_names
    return {
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "form": puzzle.form,
        "squares": len(puzzle.board),
        "pieces": len(puzzle.pieces),
        "spare_pieces": len(puzzle.pieces) - len(puzzle.board),
        "fixed": [
            {"square": puzzle.board.name(square), "piece": piece + 1, "rotation": rotation}
            for square, piece, rotation in puzzle.fixed
        ],
        "classes": {
            name: {"pieces": pieces, "squares": squares} for name, (pieces, squares) in puzzle.class_sizes().items()
        },
        "joins": {"frame": puzzle.max_score - inner_joins(puzzle), "all": puzzle.max_score},
        "frame_colors": {puzzle.color_name(color): frame[color] for color in sorted(frame)},
        "inner_colors": {puzzle.color_name(color): inner[color] for color in sorted(inner)},
        "shared_colors": [said.get(color, color) for color in sorted((set(frame) & set(inner)) - {BORDER})],
        "odd_colors": [said.get(color, color) for color in sorted(_odd_colors(puzzle))],
        "symmetries": {
            "board": found.board,
            "identical_pieces": found.identical,
            "symmetric_pieces": found.symmetric,
            "symmetry_factor": found.product if found.regular else None,
            "product": found.product,
        },
        "default_order": default_order(puzzle)[0],
        "known": dict(puzzle.known),
        **(_jigsaw_facts(puzzle) if puzzle.kind == "jigsaw" else {}),
    }


def _odd_colors(puzzle: EdgeMatchingPuzzle) -> set[int]:
    """The colours of which a side is left over, so that a piece stays out or a join is invalid.

    Sides of a colour pair with each other or with those of its mate, those of a connector with its opposite; on a
    rectangle, along the frame and inside the board separately.  On a free rim any side may lie.
    """
    outer = sum(puzzle.board.border_mask(square).bit_count() for square in range(len(puzzle.board)))
    frame, inner = puzzle.frame_sides(), puzzle.inner_sides()
    if puzzle.rim == ANY and outer:
        return set()
    if isinstance(puzzle.rim, int) and not puzzle.is_framed:
        inner[puzzle.rim] -= outer
    along = (frame, inner) if puzzle.board.is_plain else (frame + inner,)
    colors = ((sides, color, puzzle.mate(color)) for sides in along for color in sides)
    return {
        color
        for sides, color, mate in colors
        if (sides[color] % 2 == 1 if mate == color else sides[color] > sides[mate])
    }


def _jigsaw_facts(puzzle: EdgeMatchingPuzzle) -> dict[str, Any]:
    """The quality of a jigsaw as plain data, with what each pair of assemblies has in common."""
    from ..csp.puzzles.jigsaw_algebra import quality

    fault = None
    # Assemblies of other forms are not compared.
    comparable = puzzle if puzzle.is_classic else replace(puzzle, assemblies=())
    try:
        found = quality(comparable)
    except PuzzleError as error:
        fault, found = str(error), quality(replace(puzzle, assemblies=()))
    return {
        "connectors": len(found.uses),
        "max_use": max(found.uses.values(), default=0),
        "unbalanced_connectors": list(found.unbalanced) if puzzle.is_framed else [],
        "equal_pieces": [[piece + 1 for piece in group] for group in found.duplicates],
        "turned_alike": [piece + 1 for piece in found.symmetric],
        "assemblies": len(puzzle.assemblies),
        "pairs_of_assemblies": [
            {
                "assemblies": [one + 1, other + 1],
                "shared_joins": found.shared[one, other],
                "staying_pieces": {str(90 * turns): len(pieces) for turns, pieces in staying.by_turn.items()},
            }
            for (one, other), staying in found.staying.items()
        ],
        "perfect": found.perfect,
        "three_perfect": found.three_perfect,
        "best_possible": found.words,
        "fault": fault,
    }


def _dissection_facts(puzzle: DissectionPuzzle) -> dict[str, Any]:
    def facts(polygon: Polygon) -> dict[str, Any]:
        return {"area": shown(area(polygon)), "vertices": [list(vertex) for vertex in vertices(polygon)]}

    exchanges = prod(factorial(len(members)) for members in puzzle.classes)
    return {
        "motions": str(puzzle.motions),
        "not_turned_over": [piece + 1 for piece in puzzle.no_flip],
        "target": {**facts(puzzle.parts[0]), "convex": not puzzle.pockets},
        "other_parts": list(map(facts, puzzle.parts[1:])),
        "holes": list(map(facts, puzzle.holes)),
        "pieces": [{"piece": number, **facts(piece)} for number, piece in enumerate(puzzle.pieces, start=1)],
        "congruent": [[piece + 1 for piece in members] for members in puzzle.classes if len(members) > 1],
        **_lattice(puzzle),
        "lattice_side": shown(puzzle.lattice.across[0]) if puzzle.is_rational else None,
        "symmetries": {
            "target": len(puzzle.symmetries),
            "congruent_pieces": exchanges,
            "product": len(puzzle.symmetries) * exchanges,
        },
        "known": dict(puzzle.known),
    }


def _lattice(puzzle: DissectionPuzzle) -> dict[str, str | None]:
    try:
        angle = puzzle.lattice.angle
        turns = {90: "quarter turns", 180: "half turns"}.get(angle, f"turns by {angle} degrees")
        return {"lattice": puzzle.lattice.words, "turns": turns}
    except PuzzleError:
        return {"lattice": None, "turns": None}


@public
def schema(experiments: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of instance and solution files, or of experiment files.

    Parameters
    ----------
    experiments : bool, default False
        The schema of the files that `compare` reads.

    Returns
    -------
    dict
        The schema.

    Examples
    --------
    >>> sorted(schema())
    ['$defs', 'anyOf']
    """
    if experiments:
        from ..estimators.experiments.files import experiment_schema

        return experiment_schema()
    from ..csp.files.schemas import json_schema

    return json_schema()
