"""The ways to a certificate: the first one is the encoding that `certify` takes."""

import pytest

import jigsat as js
from jigsat.csp.base.errors import JigsatError


@pytest.mark.parametrize(("puzzle", "solutions"), [("perfect-5x5", 2), ("clue3", 0)])
def test_the_first_encoding_is_the_one_that_is_taken(puzzle, solutions):
    read = js.read(puzzle)
    explained = js.explain(read, "certify")
    taken = js.certify(read, solutions, time_limit=0.01) if solutions == 0 else js.certify(read, solutions)
    assert explained.ways[0].how == f"encoding {taken.encoding}"
    assert {way.how for way in explained.ways} == {
        f"encoding {name}" for name in ("bits", "direct", "seams", "pairs", "diamond")
    }


def test_why_others_do_not_apply():
    text = str(js.explain(js.read("puzzle-a"), "certify", solver="glucose4"))
    assert "> sat:glucose4, encoding direct   not known\n" in text
    assert "sat:glucose4, encoding bits  it is for jigsaws, not for edge-matching puzzles" in text
    assert "a count without a proof: " in text
    jigsaw = str(js.explain(js.read("perfect-5x5"), "certify"))
    assert "not possible" not in jigsaw
    assert "if bits is inconclusive, direct is used instead" in jigsaw
    # An encoding that is named is the only one.
    (way,) = js.explain(js.read("perfect-5x5"), "certify", encoding="pairs+sequential").ways
    assert (way.how, way.time) == ("encoding pairs+sequential", None)


@pytest.mark.parametrize(
    ("puzzle", "asked", "message"),
    [
        ("ostomachion", {}, "is a dissection, but only puzzles of squares can be certified"),
        ("clue1", {"encoding": "bits"}, "encoding bits: it is for jigsaws"),
        ("clue1", {"encoding": "runes"}, "unknown CNF encoding 'runes'"),
        ("clue1", {"solver": "minisat22"}, "the solver 'minisat22' writes no proofs"),
        ("clue1", {"order": "rowscan"}, "order: a certificate has no such option"),
        ("clue1", {"limit": 2}, "limit: a certificate has no such option"),
    ],
)
def test_what_certify_refuses(puzzle, asked, message):
    """With the words that `certify` has for it."""
    with pytest.raises(JigsatError, match=message) as error:
        js.explain(js.read(puzzle), "certify", **asked)
    if asked.keys() <= {"encoding", "solver"}:
        with pytest.raises(JigsatError) as same:
            js.certify(js.read(puzzle), 1, **asked)
        assert str(same.value) == str(error.value)
