"""Drawings on paper: dissections come back from them, and nothing else is read as one."""

from pathlib import Path

import pytest

import jigsat as js
from jigsat.csp.files.paper_drawings import PaperDrawing, paper_of

DRAWING = {
    "paper": "triangles", "pieces": {"A": [[1, 1], [3, 1], [1, 3]]}, "target": None, "no_flip": True, "mark": "0" * 28,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "is_tiling", "number"),
    [("tangram", True, 1), ("pentominoes-8x8", True, 65), ("calissons", False, 6), ("tangram-swan", True, 7)],
)
def test_dissections_come_back(name, is_tiling, number, tmp_path):
    paper = paper_of(js.read(name))
    file = tmp_path / "drawing.svg"
    file.write_text(PaperDrawing.read({**paper, "mark": "01234567"}).svg)
    assert (paper["target"] is None, js.count(js.make_dissection(file)).canonical_count) == (is_tiling, number)


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        (js.DissectionPuzzle(((0, 0), (200, 0), (200, 1), (0, 1)), [((0, 0), (200, 0), (200, 1), (0, 1))]), "larger"),
        (js.DissectionPuzzle(["##"], [["#"], ["#"]], cells="squares", no_flip=(0,)), "rules"),
        (js.DissectionPuzzle(["##"], [["#"]], cells="squares", leave="A1"), "rules"),
        (js.DissectionPuzzle(["#" * 53], [["#"]] * 53, cells="squares"), "at most 52"),
        (js.DissectionPuzzle(["#.#"], [["#"], ["#"]], cells="squares"), "several parts"),
    ],
)
def test_what_a_drawing_does_not_have_is_refused(puzzle, why):
    with pytest.raises(js.PuzzleError, match=why):
        paper_of(puzzle)


def test_the_area_of_a_triangle_is_one(tmp_path):
    file = tmp_path / "drawing.svg"
    target = {"pieces": {"a": [[1, 1], [2, 1], [1, 2]]}, "target": [[5, 1], [7, 1], [5, 3]]}
    file.write_text(PaperDrawing.read({**DRAWING, **target}).svg)
    with pytest.raises(js.InstanceError, match="the area of the pieces is 1, but that of the target is 4"):
        js.make_dissection(file)


@pytest.mark.parametrize(
    "wrong",
    [
        {"pieces": [[[0, 0], [1, 0], [0, 1]]]},
        {"pieces": {"AB": [[0, 0], [1, 0], [0, 1]]}},
        {"pieces": {"A": [[0, 0], [1, 0], [0, "1"]]}},
        {"pieces": {"A": [[0, 0], [1, 0], [0, float("nan")]]}},
        {"pieces": {"A": [[0, 0], [1, 0], [0, 1e300]]}},
        {"pieces": {"A": [[0, 0], [1, 0], [0, 1001]]}},
        {"pieces": {"A": [[0, 0], [1, 0]]}},
        {"pieces": {"A": [[0, 0]] * 501}},
        {"target": "x"},
        {"paper": "hexagons"},
        {"no_flip": 1},
        {"mark": '"><script>'},
        {"more": 1},
    ],
)
def test_other_values_are_refused(wrong):
    assert PaperDrawing.read(DRAWING).no_flip
    with pytest.raises(js.InstanceError, match=r"^This drawing is too large, or is no drawing\.$"):
        PaperDrawing.read({**DRAWING, **wrong})


def test_no_object_and_long_texts_are_refused():
    for given, kept in ((None, ""), ([], ""), (DRAWING, 5), (DRAWING, "x" * 200_001)):
        with pytest.raises(js.InstanceError, match="no drawing"):
            PaperDrawing.read(given, kept)


def test_files_of_others_are_not_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = drawn, made, picture = [Path(name) for name in ("d.svg", "d.json", "d-all.svg")]
    drawing = PaperDrawing.read(DRAWING)
    assert drawing.may_take(files)
    picture.write_text("")
    assert not drawing.may_take(files)
    drawn.write_text(drawing.svg)
    assert drawing.may_take(files)
    assert not PaperDrawing.read({**DRAWING, "mark": "1" * 28}).may_take(files)
    js.make_dissection(drawn, output=made)
    assert drawing.may_take(files)
    made.write_text("{}")
    assert not drawing.may_take(files)
