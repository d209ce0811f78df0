"""Claims about dissections: there are no tilings on the lattice other than the listed ones."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import factorial, prod
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ConfigDict

from ...csp.base.errors import EngineError, PuzzleError, plural, told_of
from ...csp.base.stop import never
from ...csp.files.dissection_files import placed_pieces, solution_reader
from ...csp.geometry.lattices import Lattice
from ...csp.geometry.polygons import Polygon
from ...csp.puzzles.check_tiling import TilingChecker
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..base.encodings import Encoding, tiling_encoding
from ..base.formula import PuzzleFormula
from ..tilings.cnf import DissectionCNF
from ..tilings.domains import TilingDomains
from .compare_formulas import FormulaComparison, compare_tilings
from .define_tilings import TilingsClaim
from .pages import Page, read_page

# The pieces of a tiling by class, those of a class in any order.
_Picture = tuple[tuple[Polygon, ...], ...]


@dataclass(frozen=True)
class TilingClaim:
    """That a dissection has no tilings on its lattice but these."""

    listed: ClassVar[str] = "tiling"

    #: What the formula is made of.
    domains: TilingDomains
    #: How.
    encoding: Encoding
    #: The known tilings, all different; with symmetry breaking, tilings that differ only by the target's symmetries
    #: and exchanges of congruent pieces are the same.
    excluded: tuple[Tiling, ...]

    @property
    def puzzle(self) -> DissectionPuzzle:
        return self.domains.puzzle

    @property
    def symmetry(self) -> bool:
        return self.domains.symmetry

    def words(self, name: str | None = None) -> str:
        """The claim in plain words, of the puzzle by that name (or its own)."""
        puzzle = self.puzzle
        pieces = plural(len(puzzle.pieces), "piece", str)
        what = f"dissection {puzzle.name if name is None else name!r} ({pieces})"
        lattice = (
            f"with all vertices on the lattice of {puzzle.lattice.words} and the pieces turned by "
            f"multiples of {puzzle.lattice.angle} degrees, {_turned_over(puzzle)}"
        )
        if not self.excluded:
            return f"The {what} has no tiling {lattice}."
        number = plural(len(self.excluded), "tiling", str)
        listed = "the one that is listed" if len(self.excluded) == 1 else f"the {len(self.excluded)} that are listed"
        if not self.symmetry:
            return f"The {what} has exactly {number} with numbered pieces {lattice}: {listed}."
        stand = "stands" if len(self.excluded) == 1 else "stand"
        numbered = sum(map(Pictures(puzzle).numbered, self.excluded))
        return (
            f"The {what} has exactly {number} {lattice}: {listed}, which {stand} for {numbered} with numbered pieces; "
            f"the {len(puzzle.symmetries)} symmetries of the target and exchanging congruent pieces make no other "
            f"tiling.  Of those that they make of each other the formula has at least one: {self.domains.breaks}."
        )

    def details(self) -> dict[str, Any]:
        """What the page has about the tilings."""
        return {"tilings": [placed_pieces(tiling) for tiling in self.excluded]}

    def formula(self, must_stop: Callable[[], bool] = never) -> DissectionCNF:
        """The formula that all tilings satisfy."""
        return DissectionCNF(self.domains, self.encoding)

    def state(self, formula: PuzzleFormula) -> None:
        """Add what makes the formula have a model only if the claim is false."""
        for tiling in self.excluded:
            formula.exclude(tiling)

    def why_wrong(self) -> str | None:
        """Why the tilings are not different tilings on the lattice; None if they are."""
        judge, pictures = TilingChecker(self.puzzle), Pictures(self.puzzle)
        seen: dict[_Picture | Tiling, int] = {}
        for number, tiling in enumerate(self.excluded, start=1):
            verdict = judge(tiling)
            if not verdict.is_solution:
                return f"tiling {number} is not a solution: {verdict.problems[0]}"
            least = min(pictures(tiling)) if self.symmetry else tiling
            if least in seen:
                return f"tilings {seen[least]} and {number} are the same"
            seen[least] = number
        return None

    def compared(self, formula: Any) -> FormulaComparison:
        """How the formula compares with that of the second encoder."""
        return compare_tilings(formula, TilingsClaim(self.puzzle, self.excluded, self.symmetry))


class TilingPage(Page):
    """The page of a certificate about tilings, which are those of a solution file."""

    model_config = ConfigDict(extra="forbid")
    tilings: list[Any]


def refuse_without_proof(puzzle: DissectionPuzzle) -> None:
    """Raise EngineError if the definition of tilings that proofs use does not describe those of this puzzle."""
    try:
        puzzle.refuse_unless_classic("proofs are")
    except PuzzleError as error:
        raise EngineError(str(error)) from error
    # The definition has the coarsest lattice of the vertices.
    if puzzle.cells and (
        puzzle.cells == "hexagons" or Lattice.of((*puzzle.outlines, *puzzle.pieces)).cell != puzzle.lattice.cell
    ):
        what = "hexagons" if puzzle.cells == "hexagons" else "cells of which several always lie together"
        raise EngineError(f"{puzzle.name}: proofs are not for puzzles of {what}")


def read_claim(path: str | Path, parts: Iterable[str], puzzle: DissectionPuzzle) -> tuple[TilingPage, TilingClaim]:
    """The page of a certificate, and its claim; errors are those of `certificate.verify_certificate`."""
    page = read_page(path, parts, puzzle, TilingPage, "tilings", solution_reader(puzzle, str(path)))
    with told_of(path, EngineError):
        encoding = tiling_encoding(page.encoding)
        refuse_without_proof(puzzle)
        lattice = replace(puzzle, motions=Motions.LATTICE)
        domains = TilingDomains(lattice, symmetry=page.symmetry, prune=encoding.prune)
    return page, TilingClaim(domains, encoding, tuple(page.tilings))


def _turned_over(puzzle: DissectionPuzzle) -> str:
    """Which pieces may be turned over, in words."""
    if not puzzle.no_flip:
        return "turned over or not"
    if len(puzzle.no_flip) == len(puzzle.pieces):
        return "none of them turned over"
    pieces = ", ".join(str(piece + 1) for piece in puzzle.no_flip)
    return f"turned over or not, but for {'piece' if len(puzzle.no_flip) == 1 else 'pieces'} {pieces}: not turned over"


class Pictures:
    """The images of tilings under the target's symmetries, without distinguishing congruent pieces."""

    def __init__(self, puzzle: DissectionPuzzle) -> None:
        self._puzzle = puzzle
        self._exchanges = prod(factorial(len(members)) for members in puzzle.classes)
        # Thousands of tilings share their placements.
        self._images = cache(lambda polygon: tuple(motion(polygon) for motion in puzzle.symmetries))

    def __call__(self, tiling: Tiling) -> Iterator[_Picture]:
        """The pictures of a tiling, one for each symmetry."""
        mirror_of, classes = self._puzzle.mirror_of, self._puzzle.classes
        images = zip(*map(self._images, tiling), strict=True)
        for motion, moved in zip(self._puzzle.symmetries, images, strict=True):
            if motion.is_reflection:
                # The mirror image of a mirror image is the piece itself.
                moved = [moved[piece] for piece in mirror_of if piece is not None]
            yield tuple(tuple(sorted(moved[piece] for piece in members)) for members in classes)

    def numbered(self, tiling: Tiling) -> int:
        """The size of the orbit of a tiling under symmetries and exchanges of congruent pieces."""
        return len(set(self(tiling))) * self._exchanges
