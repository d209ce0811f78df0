"""Certificates of dissections: there are no tilings on the lattice other than the listed ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import factorial, prod
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from ...csp.base.errors import EngineError, told_of
from ...csp.base.stop import aside, never
from ...csp.base.words import several
from ...csp.files.dissection_files import placed_pieces, solution_reader
from ...csp.geometry.polygons import Polygon
from ...csp.puzzles.check_tiling import TilingChecker
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..tilings.cnf import DissectionCNF, TilingEncoding, tiling_encoding
from ..tilings.domains import TilingDomains
from .certificate_files import (
    Page,
    Statement,
    check_files,
    compared,
    left_out,
    not_proved,
    prove,
    read_page,
    why_not_as_written,
)
from .check_proof import ProofCheck
from .definition.compare_formulas import compare_tilings
from .definition.define_tilings import TilingsClaim

# The pieces of a tiling by class, those of a class in any order.
_Picture = tuple[tuple[Polygon, ...], ...]


class TilingCertificateFile(Page):
    """The page of a certificate; its tilings are those of a solution file."""

    model_config = ConfigDict(extra="forbid")
    tilings: list[Any]


@dataclass(frozen=True)
class TilingClaim:
    """That a dissection has no tilings on its lattice but these."""

    #: What the formula is made of.
    domains: TilingDomains
    #: How.
    encoding: TilingEncoding
    #: The known tilings, all different; with symmetry breaking, tilings that differ only by the target's symmetries
    #: and exchanges of congruent pieces are the same.
    tilings: tuple[Tiling, ...]

    def words(self, name: str | None = None) -> str:
        """The claim in plain words, of the puzzle by that name (or its own)."""
        puzzle = self.domains.puzzle
        pieces = several(len(puzzle.pieces), "piece", str)
        what = f"dissection {puzzle.name if name is None else name!r} ({pieces})"
        lattice = (
            f"with all vertices on the lattice of {puzzle.lattice.words} and the pieces turned by "
            f"multiples of {puzzle.lattice.angle} degrees, {_turned_over(puzzle)}"
        )
        if not self.tilings:
            return f"The {what} has no tiling {lattice}."
        number = several(len(self.tilings), "tiling", str)
        listed = "the one that is listed" if len(self.tilings) == 1 else f"the {len(self.tilings)} that are listed"
        if not self.domains.symmetry:
            return f"The {what} has exactly {number} with numbered pieces {lattice}: {listed}."
        stand = "stands" if len(self.tilings) == 1 else "stand"
        numbered = sum(map(_Pictures(puzzle).numbered, self.tilings))
        return (
            f"The {what} has exactly {number} {lattice}: {listed}, which {stand} for {numbered} with numbered pieces; "
            f"the {len(puzzle.symmetries)} symmetries of the target and exchanging congruent pieces make no other "
            f"tiling.  Of those that they make of each other the formula has at least one: {self.domains.breaks}."
        )

    @property
    def statement(self) -> Statement:
        """What a certificate states."""
        details = {"tilings": [placed_pieces(tiling) for tiling in self.tilings]}
        domains = self.domains
        return Statement(domains.puzzle, self.words(), str(self.encoding), domains.symmetry, details)


def certify_tilings(
    claim: TilingClaim, solver: str, path: str | Path, must_stop: Callable[[], bool] = never
) -> dict[str, object]:
    """Prove a claim, write the certificate, and have the proof checked; returns what `certificate_files.prove` does."""
    formula = DissectionCNF(claim.domains, claim.encoding)
    for tiling in claim.tilings:
        formula.exclude(tiling)
    return prove(formula, claim.statement, solver, path, must_stop)


def verify_tilings(path: str | Path, puzzle: DissectionPuzzle) -> tuple[str, ProofCheck]:
    """Check a certificate: its statement, and whether this is proved.

    The formula is built from the puzzle again and compared, clause by clause; the tilings that it excludes are checked;
    the proof is checked; and the formula is compared with that of a second encoder.

    Raises InstanceError if the file is not a certificate of this puzzle, or one of its files cannot be read.
    """
    page = read_page(path, puzzle, TilingCertificateFile, "tilings", solution_reader(puzzle, str(path)))
    with told_of(path, EngineError):
        encoding = tiling_encoding(page.encoding)
        lattice = replace(puzzle, motions=Motions.LATTICE)
        domains = TilingDomains(lattice, symmetry=page.symmetry, prune=encoding.prune)
    claim = TilingClaim(domains, encoding, tuple(page.tilings))
    # For this puzzle, by its name here.
    return claim.words(), _judged(path, page, claim)


def _turned_over(puzzle: DissectionPuzzle) -> str:
    """Which pieces may be turned over, in words."""
    if not puzzle.no_flip:
        return "turned over or not"
    if len(puzzle.no_flip) == len(puzzle.pieces):
        return "none of them turned over"
    pieces = ", ".join(str(piece + 1) for piece in puzzle.no_flip)
    return f"turned over or not, but for {'piece' if len(puzzle.no_flip) == 1 else 'pieces'} {pieces}: not turned over"


def _judged(path: str | Path, page: TilingCertificateFile, claim: TilingClaim) -> ProofCheck:
    wrong = _wrong_tilings(claim) or why_not_as_written(path, page, claim.words(page.instance))
    if wrong is not None:
        return not_proved(wrong)
    formula = DissectionCNF(claim.domains, claim.encoding)
    number = aside(left_out, formula, claim.tilings)
    if number is not None:
        return not_proved(f"tiling {number} is not a model of the formula even if nothing is excluded")
    for tiling in claim.tilings:
        formula.exclude(tiling)
    same = TilingsClaim(claim.domains.puzzle, claim.tilings, claim.domains.symmetry)
    return compared(check_files(path, page, formula), lambda: compare_tilings(formula, same))


def _wrong_tilings(claim: TilingClaim) -> str | None:
    """Why the tilings are not different tilings on the lattice; None if they are."""
    puzzle = claim.domains.puzzle
    judge, pictures = TilingChecker(puzzle), _Pictures(puzzle)
    seen: dict[_Picture | Tiling, int] = {}
    for number, tiling in enumerate(claim.tilings, start=1):
        verdict = judge(tiling)
        if not verdict.is_solution:
            return f"tiling {number} is not a solution: {verdict.problems[0]}"
        least = min(pictures(tiling)) if claim.domains.symmetry else tiling
        if least in seen:
            return f"tilings {seen[least]} and {number} are the same"
        seen[least] = number
    return None


class _Pictures:
    """The images of tilings under the target's symmetries, without distinguishing congruent pieces."""

    def __init__(self, puzzle: DissectionPuzzle) -> None:
        self._puzzle = puzzle
        self._exchanges = prod(factorial(len(members)) for members in puzzle.classes)
        # Thousands of tilings share their placements.
        self._moved: dict[Polygon, tuple[Polygon, ...]] = {}

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

    def _images(self, polygon: Polygon) -> tuple[Polygon, ...]:
        if polygon not in self._moved:
            self._moved[polygon] = tuple(motion(polygon) for motion in self._puzzle.symmetries)
        return self._moved[polygon]
