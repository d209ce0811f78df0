"""The quality with which a jigsaw shows two or three pictures, foreseen and reached, as a record and as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

from ...csp.base.errors import ending, escaped, grouped, listed, plural
from ...csp.base.notebook import HasSummary
from ...csp.puzzles.board import left_over
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle

# The similarity from which a picture is clear, and below which it may be lost.
_CLEAR, _LOST = 0.72, 0.6
# The mean colour difference from which colours look wrong.
_WRONG = 10
_WORDS = {how: f"these two suit each other {how}" for how in ("well", "fairly", "badly")}


@dataclass(frozen=True, repr=False)
class Foresight(HasSummary):
    """The errors of the best assignment of pieces to squares, which no jigsaw is expected to beat by much."""

    #: For each picture the mean colour difference (CIEDE2000) and the structural similarity (SSIM, at most 1), in
    #: which pixels count by the mask, or by how much they stand out.
    color_differences: tuple[float, ...]
    similarities: tuple[float, ...]
    ratio: float  #: The visible error of the best assignment as part of that of a random scramble
    #: What else was tried, and its similarities: pairs of an option and these numbers; only what is better.
    better: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @property
    def verdict(self) -> str:
        """``well``, ``fairly`` or ``badly``, by the less similar picture, and the one with the worse colours."""
        return self.verdict_with(self.color_differences)

    def verdict_with(self, color_differences: Sequence[float]) -> str:
        """The verdict with these colour differences, such as those that were reached."""
        least = min(self.similarities)
        is_well = least >= _CLEAR and max(color_differences) < _WRONG
        return "well" if is_well else "fairly" if least >= _LOST else "badly"

    def record(self) -> dict[str, Any]:
        """The verdict as a record."""
        return {
            "suit": self.verdict,
            "color_differences": list(self.color_differences),
            "similarities": list(self.similarities),
            "ratio": self.ratio,
            "better": [{"with": option, "similarities": list(pair)} for option, pair in self.better],
        }

    def summary(self, *, verbose: bool = False) -> str:
        """The verdict as text of one line."""
        return self.told(self.verdict)

    def told(self, verdict: str) -> str:
        """The text of one line, with this verdict."""
        words = _WORDS[verdict].replace("two", "three") if len(self.similarities) > 2 else _WORDS[verdict]
        similar = listed([f"{each:.2f}" for each in self.similarities])
        text = (
            f"{words}: similarity {similar}, colour difference {listed([f'{d:.1f}' for d in self.color_differences])}"
        )
        better = [f"; with {option}: {listed([f'{each:.2f}' for each in found])}" for option, found in self.better]
        return text + "".join(better)


# The fields that are in a record as they are.
_RECORDED = (
    "pixels", "weight", "grey", "curves", "match", "blend", "method", "chosen", "candidates", "ended_by",
)  # fmt: skip
#: The keys of errors, and their names in the text.
_ERRORS = {
    "as_cut": "as cut",
    "squares": "on plain squares",
    "least": "of the mean, best assignment",
    "random": "of the mean, random scramble",
}


@dataclass(frozen=True, repr=False)
class TwoPictures(HasSummary):
    """A jigsaw that shows two or three pictures, and its files."""

    jigsaw: EdgeMatchingPuzzle  #: The jigsaw; its first assembly shows the first picture, and so on
    #: The options of the artwork.
    pixels: int
    weight: float
    grey: bool
    curves: int
    match: float
    blend: str
    method: str  #: How the jigsaw was chosen: ``given``, ``annealing``, ``scrambles`` or ``assignment``
    #: The origin of the jigsaw, and the number of jigsaws among which it was chosen.
    chosen: str
    candidates: int
    #: What ended the choice or the drawing early: ``"time"`` or ``"interrupt"``; None if they were not ended early.
    ended_by: str | None
    #: The number of solutions found, whether these are all, and what ended the search for more.
    solutions: int
    exact: bool
    counting_ended_by: str | None
    #: The errors of the pictures, for tones from 0 to 255: ``as_cut``, on plain ``squares``, and on squares with the
    #: weighted mean of the tones as artwork: ``least``, those of the best assignment, and those of a ``random``
    #: scramble.  No artwork on squares has a lower weighted sum than ``least``, but one of the two errors may be lower
    #: than with the mean.  The last two are missing for three pictures.  Errors are differences from the pictures with
    #: matched tones.
    mean_squared_errors: dict[str, tuple[float, ...]]
    #: For each picture the mean colour difference (CIEDE2000) and the structural similarity (SSIM, at most 1), in
    #: which pixels count by the mask, or by how much they stand out: ``as_cut``, from the pictures with matched tones;
    #: and of these, ``matched``, from the pictures as given.
    seen_errors: dict[str, tuple[tuple[float, float], ...]]
    verdict: Foresight  #: What was foreseen before the jigsaw was chosen
    #: The folder, and the files that were written into it.
    folder: str
    files: tuple[str, ...]
    #: The second board, if it is another one, with the assembly that shows the second picture.
    second: EdgeMatchingPuzzle | None = None

    @property
    def suit(self) -> str:
        """``well``, ``fairly`` or ``badly``: as foreseen, but with the colours that were reached."""
        colors = [max(self.verdict.color_differences), *(each[0] for each in self.seen_errors["as_cut"])]
        return self.verdict.verdict_with(colors)

    @property
    def decibels(self) -> dict[str, tuple[float | None, ...]]:
        """The errors as peak signal-to-noise ratios; None for error 0."""
        return {key: tuple(map(_decibels, errors)) for key, errors in self.mean_squared_errors.items()}

    def record(self) -> dict[str, Any]:
        """The record that ``jigsat pictures --json`` prints."""
        return {
            "instance": self.jigsaw.name,
            "rows": self.jigsaw.rows,
            "columns": self.jigsaw.columns,
            **({} if self.second is None else {"second_board": [self.second.rows, self.second.columns]}),
            **{name: getattr(self, name) for name in _RECORDED},
            "canonical_count": self.solutions,
            "complete": self.exact,
            "mean_squared_errors": {key: list(pair) for key, pair in self.mean_squared_errors.items()},
            "decibels": {key: list(pair) for key, pair in self.decibels.items()},
            "color_differences": {key: [each[0] for each in pair] for key, pair in self.seen_errors.items()},
            "similarities": {key: [each[1] for each in pair] for key, pair in self.seen_errors.items()},
            "suit": self.suit,
            "verdict": self.verdict.record(),
            "folder": self.folder,
            "files": list(self.files),
        }

    def summary(self, *, verbose: bool = False) -> str:
        """What ``jigsat pictures`` prints: solutions, and what to look at; with `verbose` also all errors."""
        puzzle, folder, why = self.jigsaw, escaped(self.folder), ending(self.ended_by)
        early = f" ({why})" if why else ""
        shown = [name for name in self.files if name.startswith("assembly")]
        reached = listed([f"{each[1]:.2f}" for each in self.seen_errors["as_cut"]])
        spare = ""
        if self.second is not None:
            left = [str(piece + 1) for piece in left_over(self.second.assemblies[0], len(puzzle.pieces))]
            spare = f"; left over on the second: piece{'s' * (len(left) > 1)} {listed(left)}"
        lines = [
            f"{escaped(puzzle.name)}: {plural(len(puzzle.pieces), 'piece')}, {self._counted()}{early}{spare}",
            f"{self.verdict.told(self.suit)}; reached: {reached}",
            f"look at {listed(shown)} in {folder} first; artwork.png is the print",
        ]
        return "\n".join([*lines, *(self._details() if verbose else ())])

    def _details(self) -> list[str]:
        """How the jigsaw was chosen, the files, and the errors of all pictures."""
        mirrors = " with their mirrors" if self.method == "scrambles" else ""
        chosen = escaped(self.chosen)
        if self.candidates > 1:
            chosen += f", the best of {grouped(self.candidates)}{mirrors}"
        letters = "B" if len(self.verdict.similarities) == 2 else f"{'B':<21}C"
        lines = [
            f"  chosen           {chosen}",
            f"  files            {', '.join(self.files)}",
            f"  mean squared error (tones 0 to 255)  {'A':<21}{letters}",
        ]
        for key, errors in self.mean_squared_errors.items():
            label, cells = _ERRORS[key], "".join(f"{_cell(error):<21}" for error in errors)
            lines.append(f"    {label:<28}{cells.rstrip()}")
        for i, (what, form) in enumerate(
            (("colour difference (CIEDE2000)", ".1f"), ("similarity (SSIM, 1 is perfect)", ".3f"))
        ):
            lines.append(f"  {what}")
            labels = {"as_cut": "as cut", "matched": "of the matched tones"}
            for key, label in labels.items() if self.match else [("as_cut", "as cut")]:
                cells = "".join(f"{format(each[i], form):>8}{'':<13}" for each in self.seen_errors[key])
                lines.append(f"    {label:<28}{cells.rstrip()}")
        return lines

    def _counted(self) -> str:
        number = plural(self.solutions, "solution")
        if self.counting_ended_by in ("nodes", "interrupt"):
            return f"at least {number} (the search for others is incomplete)"
        if self.second is not None:
            told = f"{'exactly' if self.exact else 'at least'} {number}"
            return f"{told} on each board" if self.solutions == 1 else f"{told} on one of its two boards"
        shown = len(self.verdict.similarities)
        number_shown = "three" if shown > 2 else "two"
        told = f"{'exactly' if self.exact else 'at least'} {number}"
        return f"{told}; {number_shown} of them show the pictures" if self.solutions > shown else told


def _decibels(error: float) -> float | None:
    return 10 * log10(255**2 / error) if error else None


def _cell(error: float) -> str:
    decibels = _decibels(error)
    return "    none" if decibels is None else f"{error:8.1f} ({decibels:.1f} dB)"
