"""Pictures and pages of puzzles, made in processes aside."""

import json
from math import isfinite
from typing import Any

from ..api.draw import draw
from ..api.solve import explain
from ..api.view import view
from ..csp.base.words import log10_of
from ..csp.engines.engine import find_engine
from ..csp.engines.request import Options
from ..csp.files.instances import files_of, read_puzzle
from ..csp.puzzles.board import Placement
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..estimators.effort.search_effort import predict
from ..estimators.plan.explain import why_refused
from ..estimators.ways.times import Way


def thumbnail(source: str) -> str:
    """The SVG of a puzzle on the shelf: its solution if one is known, its pieces otherwise."""
    return draw(source, pieces=True).svg


def page_to_play(source: str) -> str:
    """The HTML of the page to play a puzzle."""
    return view(source, play=True).html


def board_picture(source: str, board: Any) -> str:
    """The SVG of a board or tiling, as files of solutions have it, or of a board of pairs as `Run.best`."""
    puzzle = read_puzzle(source)
    if isinstance(board[0], list) and isinstance(board[0][0], int):
        shown: Any = tuple(Placement(*placed) for placed in board)
    else:
        shown = files_of(puzzle.kind).solution_reader(puzzle, source)(board, 1, True)
    return draw(puzzle, shown).svg


def ways_to_goal(source: str, goal: str, options: dict[str, Any]) -> dict[str, Any]:
    """The prediction in a sentence, and the record of each way with the options that choose it.

    `keeps` is whether a count in that way can have a ledger.
    """
    found = explain(source, goal, **options)  # pyright: ignore[reportArgumentType]
    ways = [
        {**way.record(), "name": way.name, "races": way.races, "refused": way.refusal and why_refused(way),
         "given": {"engine": way.engine, **way.choices}, "keeps": _keeps(way, found.puzzle.kind)}
        for way in found.ways
    ]  # fmt: skip
    return {"sentence": found.summary().partition("\n")[0], "ways": ways}


def _keeps(way: Way, kind: str) -> bool:
    return way.refusal is None and "ledger" in find_engine(way.engine, kind=kind).options


def expected_by_depth(source: str, order: str, slips: str, symmetry: bool) -> str:
    """The decimal logarithms of the nodes that a search along an order is expected to visit at each depth, as JSON."""
    puzzle = read_puzzle(source)
    options = Options(order=order, slips=slips or None, symmetry=symmetry)
    found = predict(puzzle, options, follows=True) if isinstance(puzzle, EdgeMatchingPuzzle) else None
    logs = [] if found is None else map(log10_of, found.nodes_by_depth)
    return json.dumps([log if isfinite(log) else None for log in logs])
