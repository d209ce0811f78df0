"""The convex forms that the pieces of a dissection can tile: the answer, in words, for scripts and drawn."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from ...base.safe_files import escaped, replacing_bytes
from ...base.words import ending, grouped, several
from ...files.dissection_files import vertices as shown_vertices
from ...files.file_format import format_for
from ...files.instances import INSTANCE_FORMATS
from ...geometry.polygons import points_text
from ...puzzles.dissection import DissectionPuzzle, Motions
from .convex_forms import FormClass
from .off_lattice import OffLattice, off_lattice
from .quick_tests import MEANINGS
from .tile_forms import Form

# The largest number of refuted candidates that are listed one by one.
_MOST_LISTED = 100


@dataclass(frozen=True)
class TileableForms:
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
    def off_lattice(self) -> OffLattice:
        """What is known about forms off the lattice, which are not searched for."""
        tilings = ((form.target, form.tiling) for form in self.forms if form.tiling is not None)
        return off_lattice(self.puzzle, tilings, self.form_class.vertices)

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
            "off_lattice": self.off_lattice.record(),
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

    def summary(self) -> str:
        """The forms as text."""
        at_least = "" if self.complete else "at least "
        lines = [f"{escaped(self.puzzle.name)}: {at_least}{several(len(self.forms), 'form')} that can be tiled"]
        lines += [self._line(form) for form in self.forms]
        lines.append(f"  class            {self.form_class}")
        if self.form_class.vertices is None:
            lines += [_vertices_line(*row) for row in self.by_vertices()]
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
            solved = f"{several(self.settled, 'candidate')} solved or refuted"
            lines.append(f"  complete         NO, {ending(self.ended_by)}: {solved}")
        lines.append(f"  off the lattice  {self.off_lattice}")
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
        # Pictures are in a higher layer.
        draw_sheet: Callable[..., str] = import_module("jigsat.render.svg.tiling").draw_sheet
        drawn = [
            (replace(self.puzzle, target=form.target, holes=(), motions=Motions.LATTICE), form.tiling)
            for form in self.forms
            if form.tiling is not None
        ]
        captions = [grouped(form.canonical_count) for form in self.forms] if self.counted else ()
        number = self.form_class.vertices
        what = "convex forms" if number is None else f"{number} vertices"
        title = f"{self.puzzle.name}, {what}{'' if self.complete else ', INCOMPLETE'}"
        return draw_sheet(drawn, title, "form", captions=captions)

    def save(self, path: str | Path) -> None:
        """Write the forms to a file.

        Parameters
        ----------
        path : str or Path
            The file, whose ending decides the format: a picture (``.svg``, ``.png``, ``.pdf``), or the record
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
        picture: Callable[..., Any] = import_module("jigsat.render.picture").Picture
        return picture(self.draw()).content(kind)

    def __repr__(self) -> str:
        return f"<{self.summary().splitlines()[0]}>"

    def _repr_svg_(self) -> str:
        return self.draw()


def refuse_forms_file(path: str | Path) -> str:
    """The format that the ending of a file decides; errors are those of `TileableForms.save`, before the search."""
    pictures = import_module("jigsat.render.picture")
    kind = format_for(path, {**pictures.FORMATS, **INSTANCE_FORMATS}, "svg")
    if kind in pictures.FORMATS:
        pictures.refuse_picture(path)
    return kind


def _vertices_line(vertices: int, candidates: int, count: int, tilings: int | None) -> str:
    counted = "" if tilings is None else f", {several(tilings, 'canonical tiling')}"
    return f"    {vertices:>2} vertices    {several(count, 'form')} of {several(candidates, 'candidate')}{counted}"
