"""Clauses that follow are found to follow, and others not."""

import pytest

from jigsat.models.base.encodings import AT_MOST_ONE
from jigsat.models.base.formula import Clauses
from jigsat.models.proofs.compare_formulas import derive
from jigsat.models.proofs.plain_formula import PlainFormula


def derived(how, state, bound, own):
    """Whether "at most `bound`" or "exactly" of 7, written in some way, follows from the same with `own`."""
    plain, made = PlainFormula(), Clauses()
    literals = [plain.variable(i) for i in range(7)]
    variables = made.new(7)
    getattr(plain, state)(literals, own)
    getattr(made, state)(variables, bound, how)
    return derive(plain.clauses, list(made), {int(v): [lit] for v, lit in zip(variables, literals, strict=True)})


@pytest.mark.parametrize("how", sorted(set(AT_MOST_ONE) - {"pairwise", "product"}))
@pytest.mark.parametrize("state", ["at_most", "exactly"])
def test_every_way_to_count_follows_from_the_count_and_from_no_other(how, state):
    for bound in (1, 2, 3, 6):
        found = derived(how, state, bound, bound)
        assert (found.wrong, found.undecided) == (None, 0)
        assert derived(how, state, bound, bound + 1).wrong is not None
        if state == "exactly":
            assert derived(how, state, bound, bound - 1).wrong is not None


@pytest.mark.parametrize("how", ["pairwise", "product", "ladder", "bitwise", "sequential"])
def test_every_way_to_say_at_most_one(how):
    for bound, right in ((1, True), (2, False)):
        plain, made = PlainFormula(), Clauses()
        literals = [plain.variable(i) for i in range(9)]
        variables = made.new(9)
        plain.at_most(literals, bound)
        made.at_most_one(variables, how)
        meanings = {int(v): [lit] for v, lit in zip(variables, literals, strict=True)}
        assert (derive(plain.clauses, list(made), meanings).wrong is None) == right


def test_wrong_meanings_let_nothing_follow_that_should_not():
    """The only model has 1 true and 2 false: whatever 5 means, it is not both."""
    for meaning in ({}, {5: [1]}, {5: [2]}, {5: []}, {5: [1, -2]}):
        assert derive([[1], [-2]], [[5], [-5]], meaning).wrong is not None


def test_what_is_absent_must_be_excluded_by_propagation():
    """That 3 is false follows, for 2 and -2 would; that 4 is false does not."""
    known = [[-3, 2], [-3, -2], [1, 3, 4]]
    assert derive(known, [[7, 8]], {7: [1], 8: [4]}, absent=[3, 4]).wrong is None
    assert derive(known, [[7]], {7: [1]}, absent=[3, 4]).wrong == 1
