"""Claims about a puzzle: in words, and as a formula that has a model if the claim is false."""

from collections.abc import Callable
from dataclasses import dataclass

from ...csp.base.errors import EngineError
from ...csp.base.stop import never
from ...csp.base.words import several
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import Slips, format_slips, inner_joins, restrict_nothing
from ..base.encodings import BITS, cnf_encoding
from ..squares.bits_cnf import BitCNF
from ..squares.cnf import EdgeMatchingCNF
from ..squares.domains import Domains

#: A puzzle of squares as a formula.
BoardFormula = EdgeMatchingCNF | BitCNF


@dataclass(frozen=True)
class Terms:
    """The puzzle of a claim, and how its formula is built."""

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

    @property
    def turnable(self) -> bool:
        """Whether the slip array allows turning the whole board."""
        return restrict_nothing(self.puzzle, self.slips, self.order)

    @property
    def same_solutions(self) -> str:
        """Which boards are the same solution with symmetries broken, in words."""
        if self.turnable and not self.puzzle.fixed:
            same = "turning the whole board, exchanging identical pieces and turning symmetric ones"
            return f"{same} make no other solution"
        free = " that are not fixed" if self.puzzle.fixed else ""
        same = f"exchanging identical pieces{free} and turning symmetric ones{free}"
        return f"{same} make no other solution, but turning the whole board does"

    def formula(self, must_stop: Callable[[], bool] = never) -> BoardFormula:
        """The formula that all solutions satisfy.

        Raises EngineError if the encoding is unknown, or does not support this puzzle. Raises StoppedError if
        `must_stop` asks to stop.
        """
        if self.encoding == BITS:
            return BitCNF(self.puzzle)
        encoding = cnf_encoding(self.encoding)
        domains = Domains(
            self.puzzle, self.order, self.slips, symmetry=self.symmetry, prune=encoding.prune, must_stop=must_stop
        )
        return EdgeMatchingCNF(domains, encoding, must_stop)


def terms_of(formula: BoardFormula) -> Terms:
    """What a formula was built from; raises EngineError for one with slips along the frame."""
    if isinstance(formula, BitCNF):
        return Terms(formula.puzzle, BITS, tuple(range(len(formula.puzzle.board))))
    domains = formula.domains
    if domains.frame_slips:
        raise EngineError("a proof cannot be about slips along the frame; build the formula without frame_slips")
    return Terms(formula.puzzle, str(formula.encoding), domains.order, domains.slips, domains.symmetry)


@dataclass(frozen=True)
class Claim:
    """A claim about the boards that the slip array permits: there are no others than these, or no better ones."""

    #: The known solutions, all different.
    excluded: tuple[Arrangement, ...] = ()
    #: The score that no board exceeds; None if it is about solutions, and then nothing is excluded.
    score: int | None = None

    def words(self, terms: Terms, name: str | None = None) -> str:
        """The claim in plain words, of the puzzle by that name (or its own)."""
        puzzle, slips = terms.puzzle, terms.slips
        name = puzzle.name if name is None else name
        what = f"{puzzle.kind} puzzle {name!r} ({puzzle.rows}x{puzzle.columns} board, {len(puzzle.pieces)} pieces)"
        array = f"the slip array {format_slips(slips)} permits along the order of squares that is listed"
        if self.score is not None:
            every_join = inner_joins(puzzle) == len(slips) and terms.turnable
            return (
                f"No full board of the {what} whose joins along the frame are valid has more than {self.score} of "
                f"{puzzle.max_score} joins valid{'' if every_join else f', among the boards that {array}'}."
            )
        although = f", even if joins may be invalid as {array}" if slips else ""
        if not self.excluded:
            return f"The {what} has no solution{although}."
        number = several(len(self.excluded), "solution", str)
        listed = "the one that is listed" if len(self.excluded) == 1 else f"the {len(self.excluded)} that are listed"
        if not terms.symmetry:
            return f"The {what} has exactly {number} with numbered pieces: {listed}{although}."
        return f"The {what} has exactly {number}: {listed}{although}; {terms.same_solutions}."

    def state(self, formula: BoardFormula) -> None:
        """Add what makes the formula have a model only if the claim is false.

        With ``bits`` it may have one though the claim is true.
        """
        for board in self.excluded:
            formula.exclude(board)
        if self.score is not None:
            assert isinstance(formula, EdgeMatchingCNF)
            invalid = formula.puzzle.max_score - self.score - 1
            formula.clauses.at_most(formula.variables.invalid, invalid)
