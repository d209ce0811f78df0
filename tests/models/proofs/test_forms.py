"""The second encoder on puzzles of squares of every form, beside a brute force in C and the first encoder."""

import json
import random

import pytest

import in_c
from all_models import all_models
from form_puzzles import squares_document
from forms_in_c import answer
from jigsat.csp.files.instances import parse_puzzle
from jigsat.models.proofs.board_claims import Claim
from jigsat.models.proofs.define_boards import BoardClaim, BoardDefinition

ENCODINGS = (
    *("direct", "seams", "pairs", "diamond", "direct+pieces", "seams+pieces+absent-colors", "diamond+color-counts"),
    *("pairs+bitwise+unpruned", "diamond+totalizer", "seams+color-counts+checkerboard+parity"),
)


def models(definition):
    """The number of models of a definition, as looks on squares."""
    looks = [variable for square, some in enumerate(definition.looks) for variable in _there(definition, square, some)]
    return counted(definition.clauses, looks)


def _there(definition, square, looks):
    return [definition.there(square, look) for look in looks]


def counted(clauses, deciding):
    return sum(1 for _ in all_models(clauses, deciding))


@pytest.mark.filterwarnings("ignore:drawn.json")
@pytest.mark.skipif(not in_c.compiler(), reason="there is no C compiler")
@pytest.mark.parametrize("first", [0, pytest.param(25, marks=pytest.mark.slow)])
def test_the_encoders_agree_with_a_brute_force_on_every_form(first):
    """Catches rims, gaps, ends that meet, mates and rotations that an encoder takes for something else."""
    for number in range(first, first + (25 if first == 0 else 300)):
        chance = random.Random(number)
        document = squares_document(chance)
        puzzle = parse_puzzle(json.dumps(document), "drawn.json")
        try:
            true = answer(document, most=100)
        except in_c.TooMuch:
            continue
        order = tuple(chance.sample(range(len(puzzle.board)), len(puzzle.board)))
        for symmetry, wanted in ((False, true.count), (True, true.picture_count)):
            if wanted > 100:
                continue
            assert models(BoardDefinition(BoardClaim(puzzle, symmetry=symmetry, order=order))) == wanted, number
            encoding = chance.choice(ENCODINGS)
            claim = Claim(puzzle, encoding, order, symmetry=symmetry)
            formula = claim.formula()
            anchor = formula.domains.anchor
            if anchor is not None:
                piece = anchor.piece_type.pieces[0]
                wanted = models(BoardDefinition(BoardClaim(puzzle, order=order, anchor=piece)))
            assert counted(list(formula.clauses), formula.deciding.tolist()) == wanted, (number, encoding)
            found = claim.compared(formula)
            # What digits of a parity mean is not always found.
            assert (found.wrong, found.undecided) == (None, 0) or "parity" in encoding, (number, encoding)
