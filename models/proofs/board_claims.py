"""Claims about puzzles of squares: in words, as a formula that has a model if the claim is false, and on a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from pydantic import ConfigDict, StrictInt, StrictStr, TypeAdapter, ValidationError

from ...csp.base.errors import EngineError, InstanceError, JigsatError, plural, told_of
from ...csp.base.errors import listed as listed_words
from ...csp.base.stop import never
from ...csp.files.square_files import board_rows
from ...csp.puzzles.board import TURNED_OVER, Arrangement, Placement
from ...csp.puzzles.check_board import check, same_solutions
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import checked_order
from ...csp.puzzles.slips import Slips, checked_slips, format_slips, inner_joins, restrict_nothing
from ..base.encodings import BITS, cnf_encoding
from ..base.formula import PuzzleFormula
from ..squares.bits_cnf import BitCNF, no_bits
from .pages import OnBoard, Page, Pages, not_a_certificate, read_page

if TYPE_CHECKING:
    from ..squares.cnf import EdgeMatchingCNF
    from .compare_formulas import FormulaComparison

    # A puzzle of squares as a formula.
    BoardFormula = EdgeMatchingCNF | BitCNF

_ROWS = TypeAdapter(list[list[tuple[StrictInt, StrictInt]]])


@dataclass(frozen=True)
class Claim:
    """A claim about the boards that the slip array permits: there are no others than these, or no better ones."""

    listed: ClassVar[str] = "excluded board"

    #: The puzzle.
    puzzle: EdgeMatchingPuzzle
    #: The name of an encoding, see `encodings.cnf_encoding`; or ``bits``, see `bits_cnf.BitCNF`.
    encoding: str
    #: A search order, and the slip array along it.
    order: tuple[int, ...]
    slips: Slips = ()
    #: Whether boards that differ only by turning the whole board, exchanging identical pieces and turning symmetric
    #: ones count as one solution.
    symmetry: bool = True
    #: The known solutions, all different.
    excluded: tuple[Arrangement, ...] = ()
    #: The score that no board exceeds; None if it is about solutions, and then nothing is excluded.
    score: int | None = None

    @property
    def size(self) -> str:
        """The size of the board."""
        return f"{self.puzzle.rows}x{self.puzzle.columns}"

    @property
    def left_over(self) -> list[int]:
        """The pieces, from 1, that are on none of the known solutions."""
        laid = {placed.piece for board in self.excluded for placed in board if placed is not None}
        return [piece + 1 for piece in range(len(self.puzzle.pieces)) if piece not in laid]

    @property
    def turnable(self) -> bool:
        """Whether the slip array allows turning the whole board."""
        return restrict_nothing(self.puzzle, self.slips, self.order)

    @property
    def same_solutions(self) -> str:
        """Which boards are the same solution with symmetries broken, in words."""
        whole = self._whole_board
        if self.turnable and not self.puzzle.fixed:
            whole = f"{whole}, " if whole else ""
            return f"{whole}exchanging identical pieces and turning symmetric ones make no other solution"
        free = " that are not fixed" if self.puzzle.fixed else ""
        same = f"exchanging identical pieces{free} and turning symmetric ones{free} make no other solution"
        return f"{same}, but {whole} does" if whole else same

    @property
    def _whole_board(self) -> str:
        """What may be done with the whole board, in words; empty if nothing."""
        if self.puzzle.is_classic:
            return "turning the whole board"
        moves = replace(self.puzzle, fixed=()).moves[1:]
        named = {
            "turning": any(move.rotation % TURNED_OVER for move in moves),
            "turning over": any(move.rotation >= TURNED_OVER for move in moves),
            "shifting": any(move.rotation == 0 for move in moves),
        }
        words = [word for word, is_one in named.items() if is_one]
        return f"{' or '.join(words)} the whole board" if words else ""

    def words(self, name: str | None = None) -> str:
        """The claim in plain words, of the puzzle by that name (or its own)."""
        puzzle, slips = self.puzzle, self.slips
        name = puzzle.name if name is None else name
        form = f"; {puzzle.form}" if puzzle.form else ""
        what = (
            f"{puzzle.kind} puzzle {name!r} ({puzzle.rows}x{puzzle.columns} board, {len(puzzle.pieces)} pieces{form})"
        )
        array = f"the slip array {format_slips(slips)} permits along the order of squares that is listed"
        if self.score is not None:
            every_join = inner_joins(puzzle) == len(slips) and self.turnable
            along = " whose joins along the frame are valid" if puzzle.is_framed else ""
            return (
                f"No full board of the {what}{along} has more than {self.score} of "
                f"{puzzle.max_score} joins valid{'' if every_join else f', among the boards that {array}'}."
            )
        although = f", even if joins may be invalid as {array}" if slips else ""
        if not self.excluded:
            return f"The {what} has no solution{although}."
        number = plural(len(self.excluded), "solution", str)
        listed = "the one that is listed" if len(self.excluded) == 1 else f"the {len(self.excluded)} that are listed"
        if not self.symmetry:
            return f"The {what} has exactly {number} with numbered pieces: {listed}{although}."
        return f"The {what} has exactly {number}: {listed}{although}; {self.same_solutions}."

    def details(self) -> dict[str, Any]:
        """What the page has about the slips, the order, the excluded boards and the score."""
        return {
            "slips": format_slips(self.slips),
            "order": " ".join(map(self.puzzle.board.name, self.order)),
            "excluded": [
                [[(square[0], square[1]) for square in row if square] for row in board_rows(board, self.puzzle.board)]
                for board in self.excluded
            ],
            "score": self.score,
        }

    def formula(self, must_stop: Callable[[], bool] = never) -> BoardFormula:
        """The formula that all solutions satisfy.

        Raises EngineError if the encoding is unknown, or does not support this puzzle. Raises StoppedError if
        `must_stop` asks to stop.
        """
        if self.encoding == BITS:
            return BitCNF(self.puzzle)
        # A claim with bits needs neither.
        from ..squares.cnf import EdgeMatchingCNF
        from ..squares.domains import Domains

        encoding = cnf_encoding(self.encoding)
        domains = Domains(
            self.puzzle, self.order, self.slips, symmetry=self.symmetry, prune=encoding.prune, must_stop=must_stop
        )
        return EdgeMatchingCNF(domains, encoding, must_stop)

    def state(self, formula: PuzzleFormula) -> None:
        """Add what makes the formula have a model only if the claim is false.

        With ``bits`` it may have one though the claim is true.
        """
        for board in self.excluded:
            formula.exclude(board)
        if self.score is not None:
            invalid = self.puzzle.max_score - self.score - 1
            formula.clauses.at_most(cast("EdgeMatchingCNF", formula).variables.invalid, invalid)

    def why_wrong(self) -> str | None:
        """Why the excluded boards are not different solutions, or are there; None if nothing is wrong."""
        if self.score is not None and (self.excluded or not self.slips):
            return "a claim about scores excludes no boards and allows invalid joins"
        puzzle = self.puzzle
        for number, board in enumerate(self.excluded, start=1):
            verdict = check(puzzle, board, self.slips, self.order)
            if not verdict.is_solution:
                return f"excluded board {number} is not a solution: {verdict.problems[0]}"
        same = same_solutions(puzzle, self.excluded, symmetry=self.symmetry, turnable=self.turnable)
        return None if same is None else f"excluded boards {same[0] + 1} and {same[1] + 1} are the same solution"

    def compared(self, formula: Any) -> FormulaComparison:
        """How the formula compares with that of the second encoder."""
        from .compare_formulas import compare_boards
        from .define_boards import BoardClaim

        same = BoardClaim(self.puzzle, self.excluded, self.score, self.symmetry, self.slips, self.order)
        return compare_boards(formula, same)


def claim_of(formula: BoardFormula, excluded: tuple[Arrangement, ...] = (), score: int | None = None) -> Claim:
    """A claim with the terms from which a formula was built; raises EngineError for one with slips along the frame."""
    if isinstance(formula, BitCNF):
        order = tuple(range(len(formula.puzzle.board)))
        return Claim(formula.puzzle, BITS, order, excluded=excluded)
    domains = formula.domains
    if domains.frame_slips:
        raise EngineError("a proof cannot be about slips along the frame; build the formula without frame_slips")
    encoding = str(formula.encoding)
    return Claim(formula.puzzle, encoding, domains.order, domains.slips, domains.symmetry, excluded, score)


class BoardPage(Page):
    """The page of a certificate about boards."""

    model_config = ConfigDict(extra="forbid")
    slips: StrictStr
    order: StrictStr
    excluded: list[Any]
    score: StrictInt | None


class OneBoardPage(OnBoard, BoardPage):
    """One of several claims about the same pieces on several boards."""

    model_config = ConfigDict(extra="forbid")


def read_claims(path: str | Path, pages: Pages, puzzle: EdgeMatchingPuzzle) -> list[tuple[BoardPage, Claim]]:
    """The claims of a certificate of several boards, one of which is the puzzle's; errors are those of `read_claim`."""
    found: list[tuple[BoardPage, Claim]] = []
    for number, entry in enumerate(pages.claims, start=1):
        label = f"{path}: claim {number}"
        try:
            board = OnBoard.model_validate(entry)
        except ValidationError as error:
            raise not_a_certificate(label, error) from error
        with told_of(label):
            there = on_board(puzzle, board.rows, board.columns)
        page, claim = read_claim(label, [json.dumps(entry)], there, OneBoardPage)
        if not claim.symmetry or claim.slips or claim.score is not None:
            raise InstanceError(f"{label}: one of several claims is about solutions without slips, symmetries broken")
        if board.left_over != claim.left_over:
            listed = f"{board.left_over}, but the listed boards leave out {claim.left_over}"
            raise InstanceError(f"{label}: left_over: {listed}")
        found.append((page, claim))
    sizes = [claim.size for _, claim in found]
    if len(set(sizes)) < len(sizes):
        raise InstanceError(f"{path}: two claims are about the same board")
    if f"{puzzle.rows}x{puzzle.columns}" not in sizes:
        raise InstanceError(f"{path}: is about the boards {listed_words(sizes)}; {puzzle.name} is of another size")
    return found


def on_board(puzzle: EdgeMatchingPuzzle, rows: int, columns: int) -> EdgeMatchingPuzzle:
    """The puzzle with its pieces on another board; raises PuzzleError if that is no puzzle."""
    if (rows, columns) == (puzzle.rows, puzzle.columns):
        return puzzle
    return replace(puzzle, rows=rows, columns=columns, fixed=(), assemblies=(), known={})


def words_of_all(claims: Sequence[Claim], name: str) -> str:
    """Claims about the same pieces on several boards in plain words, of the puzzle by that name."""
    boards: list[str] = []
    for claim in claims:
        number = f"exactly {plural(len(claim.excluded), 'solution', str)}" if claim.excluded else "no solution"
        left = [str(piece) for piece in claim.left_over] if claim.excluded else []
        spare = f"piece {left[0]} is" if len(left) == 1 else f"pieces {listed_words(left)} are"
        boards.append(f"{number} on the {claim.size} board{f', where {spare} left over' if left else ''}")
    one = claims[0]
    kind, pieces = one.puzzle.kind, len(one.puzzle.pieces)
    has = listed_words(boards)
    return f"The {kind} puzzle {name!r} ({pieces} pieces) has {has}: those that are listed; {one.same_solutions}."


def read_claim(
    path: str | Path, parts: Iterable[str], puzzle: EdgeMatchingPuzzle, schema: type[BoardPage] = BoardPage
) -> tuple[BoardPage, Claim]:
    """The page of a certificate, and its claim; errors are those of `certificate.verify_certificate`."""
    page = read_page(path, parts, puzzle, schema, "excluded", partial(_board, path, puzzle))
    with told_of(path, JigsatError):
        slips = checked_slips(puzzle, page.slips or None)
        order = checked_order(puzzle, map(puzzle.board.parse, page.order.split()))
        if page.encoding != BITS:
            cnf_encoding(page.encoding)
        elif not page.symmetry or slips or page.score is not None:
            raise InstanceError(f"encoding {BITS}: is for claims about solutions without slips, symmetries broken")
        elif (reason := no_bits(puzzle)) is not None:
            raise InstanceError(f"encoding {BITS}: {reason}")
    return page, Claim(puzzle, page.encoding, order, slips, page.symmetry, tuple(page.excluded), page.score)


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
