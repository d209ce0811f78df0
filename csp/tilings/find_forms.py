"""The search for the convex forms that the pieces of a dissection can tile: its options, and what a run keeps."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StrictBool, StrictInt, StrictStr

from ..base.errors import InstanceError, UsageError, grouped, plural, told_of
from ..base.stop import Report, Stop, stoppable
from ..base.strict_json import validated
from ..engines.request import number_of_threads
from ..files.dissection_files import ITEM_NAMES, placed_pieces, polygon_of, solution_reader
from ..files.dissection_files import vertices as shown_vertices
from ..files.instances import Puzzle, fingerprint
from ..files.schemas import Exact, PlacedPiece, Vertices
from ..geometry.polygons import Polygon
from ..puzzles.check_tiling import TilingChecker
from ..puzzles.dissection import DissectionPuzzle, Motions
from ..work.steps import KeptSteps, keep_steps
from .convex_forms import FormClass
from .quick_tests import COLOURING, CORNERS, LENGTHS, SEARCH
from .tile_forms import Form, solved_forms
from .tileable_forms import TileableForms, refuse_forms_file

# In a journal an outcome is a letter: why there is no tiling, or that there is one.
_LETTERS = {LENGTHS: "l", CORNERS: "c", COLOURING: "o", SEARCH: "s"}
_REASONS = {letter: reason for reason, letter in _LETTERS.items()}
_TILED = "t"
# How much an entry of the journal holds.
_MOST_OUTCOMES, _SECONDS = 64, 1.0


def forms(
    puzzle: Puzzle,
    vertices: int | None = None,
    *,
    seams: bool = False,
    any_lengths: bool = False,
    decide: bool = False,
    threads: int | str = 1,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    time_limit: float | None = None,
    report: Report | None = None,
) -> TileableForms:
    """The forms that the pieces of a dissection can tile; parameters and errors are those of `jigsat.forms`."""
    if not isinstance(puzzle, DissectionPuzzle):
        raise UsageError(f"{puzzle.name}: forms are for dissections, but this is of the kind {puzzle.kind}")
    puzzle.refuse_unless_classic("forms are")
    puzzle = puzzle.without_cells()
    form_class = FormClass(puzzle, vertices, seams, any_lengths)
    kind = None if output is None else refuse_forms_file(output)
    head = {"work": "forms", "instance": puzzle.name, "sha256": fingerprint(puzzle)}
    head |= {"vertices": vertices, "seams": seams, "any_lengths": any_lengths, "decide": decide}
    with keep_steps(output, head, resume=resume, overwrite=overwrite) as journal:
        with stoppable(time_limit, report=report) as stop:
            found = _found(form_class, decide, number_of_threads(threads), journal, stop)
        journal.complete = found.complete
        journal.write_answer(None if kind is None else found.content(kind))
    return replace(found, kept=journal.kept)


def _found(form_class: FormClass, decide: bool, threads: int, journal: KeptSteps, stop: Stop) -> TileableForms:
    """The forms: first those that the journal has from an earlier run."""
    candidates: list[Polygon] = []
    for candidate in form_class.candidates(stop):
        candidates.append(candidate)
        stop.tell(plural(len(candidates), "candidate"))
    # The fewest vertices first.
    candidates.sort(key=len)
    settled = list(_known(journal, candidates, form_class.puzzle)) if stop.ended_by is None else []
    partial: list[Form] = []
    kept = _Kept(journal)
    tiled = sum(form.count > 0 for form in settled)
    left = candidates[len(settled) :]
    try:
        for form in solved_forms(form_class, left, decide=decide, threads=threads, must_stop=stop):
            if form.complete or (decide and form.count > 0):
                settled.append(form)
                kept.add(form)
            elif form.count:
                partial.append(form)
            tiled += form.count > 0
            note = f"{grouped(tiled)} forms; {grouped(len(settled))} of {grouped(len(candidates))} candidates"
            stop.tell(note, len(settled) / len(candidates))
    finally:
        kept.flush()
    found = sorted(
        (form for form in (*settled, *partial) if form.count),
        key=lambda form: (len(form.target), -form.canonical_count, form.target),
    )
    refuted = tuple(form for form in settled if not form.count)
    total = max(len(candidates), len(settled))
    return TileableForms(form_class, tuple(found), refuted, total, len(settled), not decide, stop.ended_by)


class _Kept:
    """Writes outcomes to a journal, some at a time."""

    def __init__(self, journal: KeptSteps) -> None:
        self._journal, self._outcomes = journal, list[Form]()
        self._written = time.monotonic()

    def add(self, form: Form) -> None:
        self._outcomes.append(form)
        if len(self._outcomes) == _MOST_OUTCOMES or time.monotonic() - self._written > _SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._outcomes:
            letters = "".join(_TILED if form.count else _LETTERS[form.reason or SEARCH] for form in self._outcomes)
            self._journal.add(
                {"outcomes": letters, "forms": [_entry_of(form) for form in self._outcomes if form.count]}
            )
        self._outcomes, self._written = [], time.monotonic()


def _known(journal: KeptSteps, candidates: Sequence[Polygon], puzzle: DissectionPuzzle) -> Iterator[Form]:
    """The outcomes of an earlier run."""
    others = f"{journal.label}: its candidates are not those of this search; start over with --overwrite"
    number = 0
    for data in journal.earlier:
        entry = validated(_Outcomes, data, journal.label, ITEM_NAMES)
        tiled = iter(data["forms"])
        for letter in entry.outcomes:
            if number == len(candidates):
                raise InstanceError(others)
            target = candidates[number]
            number += 1
            form = Form(target, 0, 0, complete=True, reason=_REASONS.get(letter))
            if letter == _TILED:
                found = next(tiled, None)
                if found is None:
                    raise InstanceError(others)
                form = _form_of(found, puzzle, journal.label)
            if form.target != target:
                raise InstanceError(others)
            yield form


def _entry_of(form: Form) -> dict[str, Any]:
    """The entry of a form in the journal."""
    return {
        "target": shown_vertices(form.target),
        "count": form.count,
        "canonical_count": form.canonical_count,
        "complete": form.complete,
        "tiling": None if form.tiling is None else placed_pieces(form.tiling),
    }


class _FormEntry(Exact):
    """A form in a journal."""

    target: Vertices
    count: Annotated[StrictInt, Field(ge=0)]
    canonical_count: Annotated[StrictInt, Field(ge=0)]
    complete: StrictBool
    tiling: list[PlacedPiece] | None


class _Outcomes(Exact):
    """An entry of a journal: what became of some candidates, a letter for each."""

    outcomes: Annotated[StrictStr, Field(pattern=f"^[{_TILED}{''.join(_REASONS)}]+$")]
    forms: list[_FormEntry]


def _form_of(data: dict[str, Any], puzzle: DissectionPuzzle, label: str) -> Form:
    """The form of an entry, after a check of its tiling."""
    entry = validated(_FormEntry, data, label, ITEM_NAMES)
    target = polygon_of(entry.target, label)
    tiling = None
    if entry.tiling is not None:
        tiling = solution_reader(puzzle, label)(data["tiling"], 1)
        with told_of(label):
            verdict = TilingChecker(replace(puzzle, target=target, holes=(), motions=Motions.LATTICE))(tiling)
        if not verdict.is_solution:
            raise InstanceError(f"{label}: has an invalid tiling: {verdict.problems[0]}")
    return Form(target, entry.count, entry.canonical_count, entry.complete, tiling)
