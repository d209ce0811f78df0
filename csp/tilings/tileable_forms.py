"""The search for the convex forms that the pieces of a dissection can tile."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from ..base.errors import InstanceError, UsageError, told_of
from ..base.safe_files import escaped, replacing_bytes
from ..base.stopping import Report, Stop, stoppable
from ..base.strict_json import validated
from ..base.words import ending, grouped, several
from ..files.dissection_files import ITEM_NAMES, PlacedPiece, Vertices, placed_pieces, polygon_of, tiling_reader
from ..files.dissection_files import vertices as shown_vertices
from ..files.file_format import format_for
from ..files.growing.kept_steps import KeptSteps, keep_steps
from ..files.instances import INSTANCE_FORMATS, Puzzle, fingerprint
from ..geometry.polygons import Polygon, points_text
from ..puzzles.check_tiling import TilingChecker
from ..puzzles.dissection import DissectionPuzzle, Motions
from .convex_forms import FormClass
from .tile_forms import Form, solved_forms


@dataclass(frozen=True)
class TileableForms:
    """The forms of a class that the pieces of a dissection can tile.

    Parameters
    ----------
    form_class
        The class of polygons, with the puzzle whose pieces tile them.
    forms
        Those that can be tiled, most tilings first, each with one of its tilings.
    candidates
        The number of polygons that the lengths of the edges allow; a lower bound if the search was stopped.
    settled
        The number of candidates that were tiled in all ways, or refuted; if the search only decides, tiled or refuted.
    counted
        Whether tilings were counted.
    ended_by
        What ended the search early, ``"time"`` or ``"interrupt"``; None if nothing did.
    kept
        Where an incomplete answer is kept, in words; None if it is complete, or not kept.
    """

    form_class: FormClass
    forms: tuple[Form, ...]
    candidates: int
    settled: int
    counted: bool
    ended_by: str | None = None
    kept: str | None = None

    @property
    def puzzle(self) -> DissectionPuzzle:
        """The puzzle whose pieces are used."""
        return self.form_class.puzzle

    @property
    def complete(self) -> bool:
        """Whether all candidates are settled."""
        return self.ended_by is None

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

    def summary(self) -> str:
        """The forms as text."""
        at_least = "" if self.complete else "at least "
        lines = [f"{escaped(self.puzzle.name)}: {at_least}{several(len(self.forms), 'form')} that can be tiled"]
        lines += [self._line(form) for form in self.forms]
        lines.append(f"  class            {self.form_class}")
        lines.append(f"  candidates       {at_least}{grouped(self.candidates)} that the lengths of the edges allow")
        if self.complete:
            lines.append(f"  complete         yes, all others of the {grouped(self.candidates)} were refuted")
        else:
            solved = f"{several(self.settled, 'candidate')} solved or refuted"
            lines.append(f"  complete         NO, {ending(self.ended_by)}: {solved}")
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
            (replace(self.puzzle, target=form.target, motions=Motions.LATTICE), form.tiling)
            for form in self.forms
            if form.tiling is not None
        ]
        captions = [grouped(form.canonical_count) for form in self.forms] if self.counted else ()
        title = f"{self.puzzle.name}, {self.form_class.vertices} vertices{'' if self.complete else ', INCOMPLETE'}"
        return draw_sheet(drawn, title, "form", captions=captions)

    def save(self, path: str | Path) -> None:
        """Write the forms to a file.

        Parameters
        ----------
        path : str or Path
            The file, whose ending decides the format: a picture (``.svg``, ``.png``, ``.pdf``), or the record
            (``.json``).  ``-`` is standard output, an SVG.

        Raises
        ------
        UsageError
            If the ending is another one.
        InstanceError
            If the file cannot be written.
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


def forms(
    puzzle: Puzzle,
    vertices: int,
    *,
    seams: bool = False,
    decide: bool = False,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    time_limit: float | None = None,
    report: Report | None = None,
) -> TileableForms:
    """Find the convex polygons that the pieces of a dissection can tile, regardless of its target.

    The polygons have their vertices on the lattice, and pieces move by lattice motions; polygons that are the same up
    to a lattice motion are one form.

    Parameters
    ----------
    puzzle
        The dissection whose pieces are used.
    vertices
        The number of vertices of the forms, at least 3.
    seams
        Whether to include forms with a seam on their boundary.  A seam is a pair of equally long edges of two pieces,
        along a direction that no other edge has: inside a form, only these edges can meet, so the pieces lie together.
    decide
        Whether one tiling of each form is enough; otherwise all are counted.
    output
        A file for the forms, as for `TileableForms.save`.  While the search runs, each form that is decided is kept in
        a file whose name has ``.part`` at its end; it is removed when the search is complete.
    resume
        Whether to continue a search that was stopped, from that file.
    overwrite
        Whether to start over where such a file is left, and to replace an earlier output even by incomplete forms.
    time_limit
        Seconds after which to stop; None for no limit.
    report
        Is called from time to time with the progress.

    Returns
    -------
    TileableForms
        The forms; those found so far if the time limit or Ctrl-C ended the search.

    Raises
    ------
    UsageError
        If the puzzle is not a dissection, there are fewer than 3 vertices, or a stopped search has left a file and
        neither `resume` nor `overwrite` is given.
    InstanceError
        If a file cannot be written, or is not of this search.

    Examples
    --------
    The triangles that a tangram makes:

    >>> import jigsat as js
    >>> found = js.forms(js.read("tangram"), 3)
    >>> found.candidates, [(form.count, form.canonical_count) for form in found.forms]
    (1, [(48, 6)])
    """
    if not isinstance(puzzle, DissectionPuzzle):
        raise UsageError(f"{puzzle.name}: forms are for dissections, but this is of the kind {puzzle.kind}")
    form_class = FormClass(puzzle, vertices, seams)
    kind = None if output is None else refuse_forms_file(output)
    head = {"work": "forms", "instance": puzzle.name, "sha256": fingerprint(puzzle)}
    head |= {"vertices": vertices, "seams": seams, "decide": decide}
    with keep_steps(output, head, resume=resume, overwrite=overwrite) as journal:
        with stoppable(time_limit, report=report) as stop:
            found = _found(form_class, decide, journal, stop)
        journal.complete = found.complete
        journal.write_answer(None if kind is None else found.content(kind))
    return replace(found, kept=journal.kept)


def _found(form_class: FormClass, decide: bool, journal: KeptSteps, stop: Stop) -> TileableForms:
    """The forms: first those that the journal has from an earlier run."""
    puzzle, candidates = form_class.puzzle, _candidates(form_class, stop)
    known = [_form_of(entry, puzzle, journal.label) for entry in journal.earlier]
    if any(form.target != candidate for form, candidate in zip(known, candidates, strict=False)):
        raise InstanceError(
            f"{journal.label}: its candidates are not those of this search; start over with --overwrite"
        )
    found: list[Form] = [form for form in known if form.count]
    settled = len(known)
    for form in solved_forms(puzzle, candidates[settled:], decide=decide, must_stop=stop):
        if form.complete or (decide and form.count > 0):
            settled += 1
            journal.add(_entry_of(form))
        if form.count:
            found.append(form)
        note = f"{grouped(len(found))} forms; {grouped(settled)} of {grouped(len(candidates))} candidates"
        stop.tell(note, settled / len(candidates))
    found.sort(key=lambda form: (-form.canonical_count, form.target))
    return TileableForms(form_class, tuple(found), max(len(candidates), len(known)), settled, not decide, stop.ended_by)


def _entry_of(form: Form) -> dict[str, Any]:
    """The entry of a form in the journal."""
    return {
        "target": shown_vertices(form.target),
        "count": form.count,
        "canonical_count": form.canonical_count,
        "complete": form.complete,
        "tiling": None if form.tiling is None else placed_pieces(form.tiling),
    }


class _FormEntry(BaseModel):
    """The entry of a form in a journal."""

    model_config = ConfigDict(extra="forbid")
    target: Vertices
    count: Annotated[StrictInt, Field(ge=0)]
    canonical_count: Annotated[StrictInt, Field(ge=0)]
    complete: StrictBool
    tiling: list[PlacedPiece] | None


def _form_of(data: dict[str, Any], puzzle: DissectionPuzzle, label: str) -> Form:
    """The form of an entry, after a check of its tiling."""
    entry = validated(_FormEntry, data, label, ITEM_NAMES)
    target = polygon_of(entry.target, label)
    tiling = None
    if entry.tiling is not None:
        tiling = tiling_reader(puzzle, label)(data["tiling"], 1)
        with told_of(label):
            verdict = TilingChecker(replace(puzzle, target=target, motions=Motions.LATTICE))(tiling)
        if not verdict.is_solution:
            raise InstanceError(f"{label}: has an invalid tiling: {verdict.problems[0]}")
    return Form(target, entry.count, entry.canonical_count, entry.complete, tiling)


def _candidates(form_class: FormClass, stop: Stop) -> list[Polygon]:
    candidates: list[Polygon] = []
    for candidate in form_class.candidates(stop):
        candidates.append(candidate)
        stop.tell(several(len(candidates), "candidate"))
    return candidates
