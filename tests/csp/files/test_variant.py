"""Variants of dissections: what they are, the published and known numbers of them, and what is refused."""

import pytest

import jigsat as js
from jigsat.csp.base.errors import UsageError
from jigsat.csp.files.instances import format_instance, parse_puzzle, read_puzzle
from jigsat.csp.files.variant import variant
from jigsat.csp.geometry.polygons import area

SQUARE, HALF = ((0, 0), (2, 0), (2, 2), (0, 2)), ((0, 0), (2, 0), (2, 2))
TWO = js.DissectionPuzzle(SQUARE, (HALF, HALF), name="two", known={"count": 4})


def test_a_stretch_by_a_root():
    """The Longram is a tangram that has been turned and stretched; that is undone here."""
    found = variant(read_puzzle("longram"), stretch="sqrt(3):3")
    assert found.name == "longram (stretched sqrt(3):3)"
    assert found.target == ((0, 0), (12, 0), (12, 12), (0, 12))
    # A turn by an eighth that takes (1, 0) to (1, -1) doubles areas.
    areas = [9 * area(piece) * 2 for piece in read_puzzle("tangram").pieces]
    assert list(map(area, found.pieces)) == areas
    assert [len(members) for members in found.classes] == [2, 1, 1, 2, 1]


BOARD, CORNER = ((0, 0), (4, 0), (4, 4), (0, 4)), ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
FRAME = js.DissectionPuzzle(BOARD, (CORNER,) * 4, name="frame", holes=(((1, 1), (3, 1), (3, 3), (1, 3)),))


def test_holes_of_a_puzzle(tmp_path):
    """They are scaled with it, come with its target, are replaced with it, and others are added to them."""
    assert variant(FRAME, scale=2).holes == (((2, 2), (6, 2), (6, 6), (2, 6)),)
    js.save(FRAME, tmp_path / "frame.json")
    assert variant(FRAME, target=tmp_path / "frame.json") == variant(FRAME, target=FRAME)
    three = variant(FRAME, pieces="1-3", hole=["3/4x2@1/8,1", "1/2x3@13/4,1/2"])
    assert (len(three.holes), three.area) == (3, 9)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"scale": "1" * 5000}, r"scale: '1{37}\.\.\.' is not a positive number"),
        ({"pieces": "1" * 5000}, r"pieces: '1{37}\.\.\.' is not a piece's number; give a list such as 1-5,7"),
        ({"pieces": "1-" + "1" * 5000}, r"pieces: '1-1{35}\.\.\.' is not a piece's number"),
        ({"target": "[" * 100_000}, r"target: '\[{37}\.\.\.' is neither a file, a bundled dissection"),
        ({"target": f"[[0,0],[2,0],[0,{'[' * 800}{']' * 800}]]"}, "target: a vertex is two numbers, such as 2,0"),
        ({"target": ((0, 0), (2.0, 0), (0, 2))}, "target: coordinate 2.0 is not exact; give 7 or '7/2'"),
        ({"hole": [3]}, r"hole: \[3\] is neither a polygon, a text such as 2x2@3,3, nor a list of these"),
        ({"hole": ((0, 0), (1.5, 0), (0, 1))}, "hole: coordinate 1.5 is not exact; give 7 or '7/2'"),
        (
            {"hole": "1x1@0,0"},
            "hole: hole 1: has a part of an edge in common with the target; cut it out of the target",
        ),
        (
            {"hole": "1x1@1/2,1/2"},
            "hole: the total area of the pieces is 4, but that of the target without its holes is",
        ),
    ],
)
def test_what_is_refused(asked, message):
    """What commands can ask for, and what is said of it, is in tests/cli/messages.md."""
    with pytest.raises(UsageError, match=message):
        variant(TWO, **asked)


def test_files_keep_what_may_not_be_turned_over():
    """One line for all, an object for some; and other hashes, because other tilings are solutions."""
    puzzle = read_puzzle("tangram")
    for no_flip, text in (("all", '  "flip": false,'), ("4", '[2, 1], [1, 2]], "flip": false},')):
        found = variant(puzzle, no_flip=no_flip)
        assert text in format_instance(found)
        assert parse_puzzle(format_instance(found)) == found
    hashes = {js.info(variant(puzzle, no_flip=no_flip))["sha256"] for no_flip in (None, "4", "all")}
    assert len(hashes) == 3


@pytest.mark.parametrize(
    ("name", "asked", "counts"),
    [
        ("tangram", {"no_flip": True}, (16, 1)),
        ("pentominoes-8x8", {"pieces": "3,5,8,11", "target": "6x4", "hole": "2x2@2,1"}, (4, 1)),
        # Published: Scott (1958), Haselgrove and Haselgrove (1960).
        pytest.param("pentominoes-8x8", {"target": "20x3"}, (8, 2), marks=pytest.mark.slow),
        pytest.param("pentominoes-8x8", {"target": "15x4"}, (1472, 368), marks=pytest.mark.slow),
        pytest.param("pentominoes-8x8", {"target": "12x5"}, (4040, 1010), marks=pytest.mark.slow),
        pytest.param("pentominoes-8x8", {"target": "10x6"}, (9356, 2339), marks=pytest.mark.slow),
        pytest.param("ostomachion", {"no_flip": True}, (64, 4), marks=pytest.mark.slow),
        pytest.param("ostomachion", {"target": "24x6"}, (8704, 544), marks=pytest.mark.slow),
        pytest.param("ostomachion", {"stretch": "2:1"}, (1351200, 28150), marks=pytest.mark.slow),
    ],
)
def test_known_numbers(name, asked, counts):
    result = js.count(variant(read_puzzle(name), **asked))
    assert (result.count, result.canonical_count) == counts
