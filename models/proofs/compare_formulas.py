"""The formula of a certificate compared with that of the second encoder.

What its variables mean is taken from the first encoder, as a hint: a wrong hint cannot make a clause follow that should
not, see `derive`.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from ...csp.base.stop import never
from ..squares.bits_cnf import BitCNF
from ..squares.cnf import EdgeMatchingCNF
from ..tilings.cnf import DissectionCNF
from .define_boards import BoardClaim, BoardDefinition, bit_clauses, why_no_bits
from .define_tilings import TilingDefinition, TilingsClaim
from .derive import FormulaComparison, derive

# More take minutes; their proofs take longer than that to check.
_MOST_CLAUSES = 1_500_000

_Meanings = dict[int, list[int]]


def compare_boards(
    model: EdgeMatchingCNF | BitCNF, claim: BoardClaim, must_stop: Callable[[], bool] = never
) -> FormulaComparison:
    """Compare the formula of a claim about a puzzle of squares with its definition.

    The anchor of the claim is ignored; that of the formula is used.
    """
    if isinstance(model, BitCNF):
        return _compare_bits(model, claim)
    if len(model.clauses) > _MOST_CLAUSES:
        return FormulaComparison(len(model.clauses), undecided=len(model.clauses))
    anchor = model.domains.anchor
    anchor_piece = None if anchor is None else anchor.piece_type.pieces[0]
    definition = BoardDefinition(replace(claim, anchor=anchor_piece))
    meanings, placed = _meanings_of_squares(model, definition)
    looks = (definition.there(square, look) or 0 for square, some in enumerate(definition.looks) for look in some)
    absent = [look for look in looks if look not in placed]
    return derive(definition.clauses, list(model.clauses), meanings, absent, must_stop)


def compare_tilings(
    model: DissectionCNF, claim: TilingsClaim, must_stop: Callable[[], bool] = never
) -> FormulaComparison:
    """Compare the formula of a claim about a dissection with its definition; the anchor is that of the formula."""
    domains = model.domains
    if len(model.clauses) > _MOST_CLAUSES:
        return FormulaComparison(len(model.clauses), undecided=len(model.clauses))
    anchor = None if domains.anchor is None else domains.kinds[domains.anchor][0]
    definition = TilingDefinition(replace(claim, anchor=anchor), must_stop)
    meanings: _Meanings = {}
    tiles = zip(model.deciding.tolist(), domains.left.tolist(), domains.of_kind.tolist(), strict=True)
    for variable, placement, kind in tiles:
        tile = definition.there(domains.kinds[kind][0], domains.placements.polygon(placement))
        meanings[variable] = [] if tile is None else [tile]
    there = {literal for literals in meanings.values() for literal in literals}
    absent = [tile for tile in definition.tile_variables() if tile not in there]
    return derive(definition.clauses, list(model.clauses), meanings, absent, must_stop)


def _compare_bits(model: BitCNF, claim: BoardClaim) -> FormulaComparison:
    own = bit_clauses(claim.puzzle, claim.excluded) if why_no_bits(claim.puzzle) is None else set()
    clauses = [frozenset(clause) for clause in model.clauses]
    if frozenset() in own:  # the first encoder writes it as two clauses of a new variable
        new = model.clauses.top
        clauses = [frozenset() if clause in ({new}, {-new}) else clause for clause in clauses]
    wrong = next((number for number, clause in enumerate(clauses, start=1) if clause not in own), None)
    if wrong is None and own.difference(clauses):
        wrong = len(clauses) + 1
    return FormulaComparison(len(clauses), equal=wrong is None, wrong=wrong)


def _meanings_of_squares(model: EdgeMatchingCNF, definition: BoardDefinition) -> tuple[_Meanings, set[int]]:
    """The meanings of the variables that have one, and the looks that are placements of the model."""
    domains, variables = model.domains, model.variables
    looks = [
        definition.there(square, definition.look(piece, rotation)) or 0
        for square, piece, rotation in zip(
            domains.square.tolist(), *(numbers.tolist() for numbers in domains.name_of_piece()), strict=True
        )
    ]
    meanings: dict[int, list[int]] = defaultdict(list)
    if model.encoding.name != "diamond":
        for variable, look in zip(variables.witness[:, 0].tolist(), looks, strict=True):
            meanings[variable] = [look]
    if model.encoding.name == "diamond" or "pieces" in model.encoding.redundant:
        for unit, look in zip(variables.unit_of.tolist(), looks, strict=True):
            meanings[int(variables.unit[unit])].append(look)
    for variable, (word, *where) in model.names():
        numbers = [int(number) for number in where]
        if word == "color":
            meanings[variable] = [literal for literal in [definition.color(*numbers)] if literal is not None]
        elif word == "invalid":
            meanings[variable] = [literal for literal in [definition.invalid(*numbers)] if literal is not None]
    return {variable: [lit for lit in literals if lit] for variable, literals in meanings.items()}, set(looks)
