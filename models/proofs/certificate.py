"""Certificates of puzzles of squares: that one has no solution, exactly these ones, or no better score, with a proof.

A certificate is three files: a formula that has a model if the claim is false, a proof that it has no model, and a page
with the claim, the puzzle, and how the formula was built.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, StrictInt, StrictStr, TypeAdapter

from ...csp.base.errors import InstanceError, JigsatError, told_of
from ...csp.base.stop import StoppedError, aside
from ...csp.files.square_files import board_rows
from ...csp.puzzles.board import Arrangement, Placement
from ...csp.puzzles.check_board import check, same_solutions
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import checked_order
from ...csp.puzzles.slips import checked_slips, format_slips
from ..base.encodings import BITS, cnf_encoding
from ..base.solver_process import SolverProcess
from ..squares.bits_cnf import no_bits
from .certificate_files import (
    Page,
    Statement,
    check_files,
    compared,
    left_out,
    no_proof,
    not_proved,
    prove,
    read_page,
    why_not_as_written,
    write_certificate,
)
from .check_proof import ProofCheck
from .claim_formulas import BoardFormula, Claim, Terms, terms_of
from .definition.compare_formulas import compare_boards
from .definition.define_boards import BoardClaim

_ROWS = TypeAdapter(list[list[tuple[StrictInt, StrictInt]]])


class CertificateFile(Page):
    """The page of a certificate."""

    model_config = ConfigDict(extra="forbid")
    slips: StrictStr
    order: StrictStr
    excluded: list[Any]
    score: StrictInt | None


def certify(
    terms: Terms, claim: Claim, solver: str, path: str | Path, must_stop: Callable[[], bool]
) -> dict[str, object]:
    """Prove a claim, write the certificate, and have the proof checked; returns what `certificate_files.prove` does."""
    try:
        formula = terms.formula(must_stop)
    except StoppedError:
        return no_proof(path)
    claim.state(formula)
    return prove(formula, _statement(terms, claim), solver, path, must_stop)


def certificate(
    formula: BoardFormula, claim: Claim, process: SolverProcess, path: str | Path, must_stop: Callable[[], bool]
) -> dict[str, object]:
    """Write the certificate of a claim whose formula a solver that keeps a proof has refuted, and have it checked.

    Returns what `certify` does.
    """
    return write_certificate(formula, _statement(terms_of(formula), claim), process, path, must_stop)


def _statement(terms: Terms, claim: Claim) -> Statement:
    puzzle = terms.puzzle
    details = {
        "slips": format_slips(terms.slips),
        "order": " ".join(map(puzzle.board.name, terms.order)),
        "excluded": [_rows(board, puzzle.columns) for board in claim.excluded],
        "score": claim.score,
    }
    return Statement(puzzle, claim.words(terms), terms.encoding, terms.symmetry, details)


def verify_boards(path: str | Path, puzzle: EdgeMatchingPuzzle) -> tuple[str, ProofCheck]:
    """Check a certificate: its statement, and whether this is proved.

    The formula is built from the puzzle again and compared, clause by clause; the solutions that it excludes are
    checked; the proof is checked; and the formula is compared with that of a second encoder.

    Raises InstanceError if the file is not a certificate of this puzzle, or one of its files cannot be read.
    """
    page = read_page(path, puzzle, CertificateFile, "excluded", partial(_board, path, puzzle))
    claim = Claim(tuple(page.excluded), page.score)
    terms = _terms(path, page, puzzle)
    # For this puzzle, by its name here.
    return claim.words(terms), _judged(path, page, claim, terms)


def _terms(path: str | Path, page: CertificateFile, puzzle: EdgeMatchingPuzzle) -> Terms:
    """The part of the page about how its formula was built."""
    with told_of(path, JigsatError):
        slips = checked_slips(puzzle, page.slips or None)
        order = checked_order(puzzle, map(puzzle.board.parse, page.order.split()))
        if page.encoding != BITS:
            cnf_encoding(page.encoding)
        elif not page.symmetry or slips or page.score is not None:
            raise InstanceError(f"encoding {BITS}: is for claims about solutions without slips, symmetries broken")
        elif (reason := no_bits(puzzle)) is not None:
            raise InstanceError(f"encoding {BITS}: {reason}")
    return Terms(puzzle, page.encoding, order, slips, page.symmetry)


def _judged(path: str | Path, page: CertificateFile, claim: Claim, terms: Terms) -> ProofCheck:
    """Check the page, compare the formula with that of the claim, built again, and check the proof."""
    if page.score is not None and (page.excluded or not terms.slips):
        return not_proved("a claim about scores excludes no boards and allows invalid joins")
    wrong = _wrong_boards(claim, terms) or why_not_as_written(path, page, claim.words(terms, page.instance))
    if wrong is not None:
        return not_proved(wrong)
    model = terms.formula()
    number = aside(left_out, model, claim.excluded)
    if number is not None:
        return not_proved(f"excluded board {number} is not a model of the formula even if nothing is excluded")
    claim.state(model)
    same = BoardClaim(terms.puzzle, claim.excluded, claim.score, terms.symmetry, terms.slips, terms.order)
    return compared(check_files(path, page, model), lambda: compare_boards(model, same))


def _wrong_boards(claim: Claim, terms: Terms) -> str | None:
    """Why the excluded boards are not different solutions; None if they are."""
    puzzle = terms.puzzle
    for number, board in enumerate(claim.excluded, start=1):
        verdict = check(puzzle, board, terms.slips, terms.order)
        if not verdict.is_solution:
            return f"excluded board {number} is not a solution: {verdict.problems[0]}"
    same = same_solutions(puzzle, claim.excluded, symmetry=terms.symmetry, turnable=terms.turnable)
    return None if same is None else f"excluded boards {same[0] + 1} and {same[1] + 1} are the same solution"


def _rows(board: Arrangement, columns: int) -> list[list[tuple[int, int]]]:
    return [[(square[0], square[1]) for square in row if square] for row in board_rows(board, columns)]


def _board(path: str | Path, puzzle: EdgeMatchingPuzzle, entry: Any, number: int) -> Arrangement:
    """An excluded board; raises ValidationError or InstanceError if it is not a board."""
    board = tuple(_placement(piece - 1, rotation) for row in _ROWS.validate_python(entry) for piece, rotation in row)
    if len(board) != len(puzzle.board):
        raise InstanceError(f"{path}: excluded board {number} has {len(board)} of {len(puzzle.board)} squares")
    return board


@lru_cache(maxsize=2**16)
def _placement(piece: int, rotation: int) -> Placement:
    """A placement, which boards share."""
    return Placement(piece, rotation)
