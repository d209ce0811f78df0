"""The convex forms that the pieces of a dissection can tile: the answer, in words, for scripts and drawn.

It says also whether pieces that tile a convex polygon can lie off the lattice, when they may be moved by any motions.
There is a theorem: if edges of different pieces whose lengths have a rational ratio lie along each other only after
lattice motions, then every tiling of a convex polygon lies on the lattice, up to a motion of the whole.  The page *Off
the lattice* of the documentation has the proof.
"""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.errors import ending, escaped, grouped, plural
from ..base.notebook import HasSummary, given_pictures
from ..base.safe_files import replacing_bytes
from ..base.tables import data_frame
from ..files.dissection_files import vertices as shown_vertices
from ..files.instances import INSTANCE_FORMATS
from ..geometry.exact_numbers import rational
from ..geometry.lattices import Lattice, is_reflection, moved_point, primitive, unit_edges
from ..geometry.polygons import points_text
from ..puzzles.dissection import DissectionPuzzle
from .convex_forms import FormClass
from .quick_tests import MEANINGS
from .tile_forms import Form

if TYPE_CHECKING:
    from pandas import DataFrame

# The largest number of refuted candidates that are listed one by one.
_MOST_LISTED = 100


class FreeEdges(NamedTuple):
    """Edges of two pieces (0-based) that can lie along each other at an angle that no lattice motion makes."""

    #: The pieces.
    piece: int
    other: int
    #: Whether one of the pieces is turned over, and not the other.
    turned_over: bool

    def __str__(self) -> str:
        over = ", one of them turned over," if self.turned_over else ""
        return (
            f"edges of pieces {self.piece + 1} and {self.other + 1}{over} can lie along each other at an angle that "
            "no lattice motion makes"
        )


@dataclass(frozen=True, repr=False)
class TileableForms(HasSummary):
    """The forms of a class that the pieces of a dissection can tile."""

    #: The class of polygons, with the puzzle whose pieces tile them.
    form_class: FormClass
    #: Those that can be tiled, each with one of its tilings: the fewest vertices first, then the most tilings.
    forms: tuple[Form, ...]
    #: Those that cannot be tiled, with the reasons.
    refuted: tuple[Form, ...]
    #: The number of polygons that the lengths of the edges allow; a lower bound if the search was stopped.
    candidates: int
    #: The number of candidates that were tiled in all ways, or refuted; if the search only decides, tiled or refuted.
    settled: int
    #: Whether tilings were counted.
    counted: bool
    #: What ended the search early, ``"time"`` or ``"interrupt"``; None if nothing did.
    ended_by: str | None = None
    #: Where an incomplete answer is kept, in words; None if it is complete, or not kept.
    kept: str | None = None

    @property
    def puzzle(self) -> DissectionPuzzle:
        """The puzzle whose pieces are used."""
        return self.form_class.puzzle

    @property
    def complete(self) -> bool:
        """Whether all candidates are settled."""
        return self.ended_by is None

    @cached_property
    def off_lattice(self) -> FreeEdges | None:
        """Edges that may let pieces lie off the lattice, where no forms are searched for; None without such edges."""
        return free_edges(self.puzzle)

    def record(self) -> dict[str, Any]:
        """The result for scripts, as `jigsat forms --json` prints it; a coordinate is an integer or a string."""
        return {
            "instance": self.puzzle.name,
            "kind": self.puzzle.kind,
            "class": str(self.form_class),
            "vertices": self.form_class.vertices,
            "candidates": self.candidates,
            "count": len(self.forms),
            "complete": self.complete,
            "ended_by": self.ended_by,
            "off_lattice": {"excluded": self.off_lattice is None, "reason": self.off_lattice and str(self.off_lattice)},
            "by_vertices": [
                {"vertices": vertices, "candidates": candidates, "count": count, "canonical_tilings": tilings}
                for vertices, candidates, count, tilings in self.by_vertices()
            ],
            "refuted": self.reasons,
            "refuted_forms": [{"target": shown_vertices(form.target), "reason": form.reason} for form in self._listed],
            "forms": [
                {
                    "target": shown_vertices(form.target),
                    "count": form.count if self.counted else None,
                    "canonical_count": form.canonical_count if self.counted else None,
                    "complete": form.complete,
                }
                for form in self.forms
            ],
        }

    def by_vertices(self) -> list[tuple[int, int, int, int | None]]:
        """For each number of vertices: the settled candidates, the forms, and their canonical tilings if counted."""
        settled = Counter(len(form.target) for form in (*self.forms, *self.refuted))
        forms = Counter(len(form.target) for form in self.forms)
        tilings = Counter[int]()
        for form in self.forms:
            tilings[len(form.target)] += form.canonical_count
        return [(n, settled[n], forms[n], tilings[n] if self.counted else None) for n in sorted(settled)]

    @property
    def reasons(self) -> dict[str, int]:
        """The number of refuted candidates by the reason."""
        found = Counter(form.reason for form in self.refuted)
        return {reason: found[reason] for reason in MEANINGS}

    @property
    def _listed(self) -> tuple[Form, ...]:
        return self.refuted if len(self.refuted) <= _MOST_LISTED else ()

    def summary(self, *, verbose: bool = False) -> str:
        """The number of forms; with `verbose` each of them, and what was refuted."""
        at_least = "" if self.complete else "at least "
        sure = "exactly " if self.complete else at_least
        every = "the only candidate was" if self.candidates == 1 else f"all {grouped(self.candidates)} candidates were"
        why = f"{every} decided" if self.complete else f"NOT complete: {ending(self.ended_by)}"
        lines = [f"{escaped(self.puzzle.name)}: {sure}{plural(len(self.forms), 'form')} can be tiled; {why}."]
        if not verbose:
            lines.append("  -o forms.svg draws them; --verbose lists them.")
            return "\n".join([*lines, *([] if self.kept is None else [f"  Kept: {escaped(self.kept)}"])])
        lines += [self._line(form) for form in self.forms]
        lines.append(f"  class            {self.form_class}")
        if self.form_class.vertices is None:
            for vertices, candidates, count, tilings in self.by_vertices():
                counted = "" if tilings is None else f", {plural(tilings, 'canonical tiling')}"
                of = f"{plural(count, 'form')} of {plural(candidates, 'candidate')}"
                lines.append(f"    {vertices:>2} vertices    {of}{counted}")
        allow = "" if self.form_class.any_lengths else " that the lengths of the edges allow"
        lines.append(f"  candidates       {at_least}{grouped(self.candidates)}{allow}")
        lines += [
            f"  refuted          {grouped(number)} by {reason}: {MEANINGS[reason]}"
            for reason, number in self.reasons.items()
            if number
        ]
        lines += [f"    {points_text(form.target)}  {form.reason}" for form in self._listed]
        if self.complete:
            lines.append(f"  complete         yes, all others of the {grouped(self.candidates)} were refuted")
        else:
            solved = f"{plural(self.settled, 'candidate')} solved or refuted"
            lines.append(f"  complete         NO, {ending(self.ended_by)}: {solved}")
        kept_on = "no forms: the edges of the pieces keep them on the lattice"
        free = self.off_lattice
        lines.append(f"  off the lattice  {kept_on if free is None else f'not searched: {free}'}")
        if self.kept is not None:
            lines.append(f"  kept             {escaped(self.kept)}")
        return "\n".join(lines)

    def _line(self, form: Form) -> str:
        target = points_text(form.target)
        if not self.counted:
            return f"  {target}"
        at_least = "" if form.complete else "at least "
        return f"  {target}  count {at_least}{grouped(form.count)}, canonical {at_least}{grouped(form.canonical_count)}"

    def draw(self) -> str:
        """An SVG sheet with one tiling of each form and the number of its tilings."""
        captions = [grouped(form.canonical_count) for form in self.forms] if self.counted else ()
        number = self.form_class.vertices
        what = "convex forms" if number is None else f"{number} vertices"
        title = f"{self.puzzle.name}, {what}{'' if self.complete else ', INCOMPLETE'}"
        return given_pictures().draw_forms(self, title, captions)

    def to_pandas(self) -> "DataFrame":
        """The forms as a table of pandas: the vertices of the `target`, `count`, `canonical_count` and `complete`.

        Raises JigsatError if pandas is not installed.
        """
        return data_frame(self.record()["forms"], ("target", "count", "canonical_count", "complete"))

    def save(self, path: str | Path) -> None:
        """Write the forms to a file.

        - `path`: the file, whose ending decides the format: a picture (``.svg``, ``.png``, ``.pdf``), or the record
          (``.json``).  ``-`` is standard output, an SVG.

        Raises UsageError if the ending is another one. Raises InstanceError if the file cannot be written.
        """
        content = self.content(refuse_forms_file(path))
        with replacing_bytes(path) as file:
            file.write(content)

    def content(self, kind: str) -> bytes:
        """The content of a file in one of the formats of `save`, such as ``"pdf"``."""
        if kind == "json":
            return f"{json.dumps(self.record())}\n".encode()
        return given_pictures().picture_content(self.draw(), kind)

    def _picture(self) -> str:
        return self.draw()


def refuse_forms_file(path: str | Path) -> str:
    """The format that the ending of a file decides; errors are those of `TileableForms.save`, before the search."""
    return given_pictures().picture_format(path, INSTANCE_FORMATS)


def free_edges(puzzle: DissectionPuzzle) -> FreeEdges | None:
    """The first edges of two pieces whose lengths have a rational ratio and that lie along each other off the lattice.

    If it is None, the pieces of every tiling of a convex polygon lie on the lattice, up to a motion of the whole,
    even if they may be moved by any motions.  The pieces need not be convex, and the target is ignored.

    Raises PuzzleError if the vertices lie on no lattice.
    """
    lattice = Lattice.of(puzzle.pieces)
    # The different primitive vectors along the edges of each piece, with the squares of their lengths.
    rows = []
    for piece in puzzle.pieces:
        steps = dict.fromkeys(primitive(*edge)[0] for edge in unit_edges(lattice.units(piece)))
        vectors = [lattice.vector(*step) for step in steps]
        rows.append([(step, rational(x * x + y * y)) for step, (x, y) in zip(steps, vectors, strict=True)])
    for one, other in combinations(range(len(rows)), 2):
        # Two pieces that are both turned over lie as the mirror image of two that are not.
        sides = (False, True) if {one, other}.difference(puzzle.no_flip) else (False,)
        for step, square in rows[one]:
            for second, second_square in rows[other]:
                ratio = square * second_square
                product = ratio.numerator * ratio.denominator
                if isqrt(product) ** 2 != product:
                    continue
                for over in sides:
                    images = (
                        moved_point(motion, second) for motion in lattice.motions if is_reflection(motion) == over
                    )
                    if step not in images:
                        return FreeEdges(one, other, over)
    return None
