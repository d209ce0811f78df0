"""Marks on boards: fixed pieces, faults, and sides that do not match."""

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from ...csp.puzzles.board import BORDER, Join, Placement, opposite
from ...csp.puzzles.check_board import Verdict
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from .page import RED
from .piece import CELL, DARK, centre
from .svg import element, short

#: The sides that each square shows, None for an empty one.
Shown = Sequence[Sides | None]

_FAULTY = {"stroke": RED, "stroke_dasharray": "14 8"}


def add_marks(
    board: ET.Element,
    puzzle: EdgeMatchingPuzzle,
    arrangement: Sequence[Placement | None],
    shown: Shown,
    verdict: Verdict,
) -> None:
    """Add frames around fixed pieces and on squares with faults, and bars on joins whose sides do not match."""
    marks = element(board, "g", class_="marks", fill="none")
    for square, *placement in puzzle.fixed:
        if arrangement[square] == tuple(placement):
            add_frame(marks, *centre(square, puzzle.columns), "fixed", f"{puzzle.board.name(square)}: fixed")
    for fault in verdict.faults:
        add_frame(marks, *centre(puzzle.board.parse(fault.square), puzzle.columns), "fault", str(fault))
    # All casings lie below all bars, so that adjacent bars do not cut each other.
    bars = [_bar(join, puzzle.columns) for join in _invalid_joins(puzzle, shown)]
    for name, color, width in (("casing", "#fff", 25), ("mismatch", RED, 13)):
        group = element(marks, "g", stroke=color, stroke_width=width, stroke_linecap="round")
        for bar in bars:
            element(group, "path", class_=name, d=bar)


def _invalid_joins(puzzle: EdgeMatchingPuzzle, shown: Shown) -> Iterator[Join]:
    for join in puzzle.board.joins():
        first, second = shown[join.first], shown[join.second]
        if first is None or second is None:
            continue
        here, there = first[join.side], second[opposite(join.side)]
        if here == BORDER or here != puzzle.mate(there):
            yield join


def _bar(join: Join, columns: int) -> str:
    """A line along a join, a little shorter than it."""
    (x, y), (next_x, next_y) = centre(join.first, columns), centre(join.second, columns)
    half = 38 * CELL // 100
    if y == next_y:
        return f"M{short((x + next_x) / 2)} {short(y - half)}v{2 * half}"
    return f"M{short(x - half)} {short((y + next_y) / 2)}h{2 * half}"


def add_frame(parent: ET.Element, x: float, y: float, kind: str, title: str) -> None:
    """Add a frame: black on white around fixed pieces, dashed red on white inside squares with faults."""
    frame = element(parent, "g", class_=kind, fill="none")
    element(frame, "title", title)
    reach, style = (CELL / 2, {"stroke": DARK}) if kind == "fixed" else (0.41 * CELL, _FAULTY)
    place = {"x": x - reach, "y": y - reach, "width": 2 * reach, "height": 2 * reach}
    element(frame, "rect", **place, stroke="#fff", stroke_width=13)
    element(frame, "rect", **place, stroke_width=6, **style)
