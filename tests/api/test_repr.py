"""Every public object shows itself in one short line that says what it is; `print` and notebooks show more."""

import ast
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import pytest

import jigsat as js
from jigsat.api.pictures import PhotoJigsaw
from jigsat.csp.base.notebook import MOST_SHOWN

FOLDER = Path(js.__file__).parent
#: Functions that return plain data, nothing, or what others return.
PLAIN = {
    "convert", "engines", "info", "list_puzzles", "number", "read_dissection", "read_squares", "records_frame", "save",
    "schema", "to_shapely", "to_sympy", "write",
}  # fmt: skip
LARGE, SMALL, JIGSAW, DISSECTION = "eternity2", "tetravex-3x3", "perfect-3x3", "tangram"
PICTURES = tuple(FOLDER / "instances" / "pictures" / f"{name}.png" for name in ("cup", "ring"))


@cache
def searched():
    return js.solve(LARGE, engine="backtrack", order="rowscan", node_limit=1000)


@cache
def proof(folder):
    return js.certify(JIGSAW, 2, proof=folder / "proof")


def reread(folder):
    js.write(js.read(DISSECTION), js.solve(DISSECTION).solutions, folder / "tilings.json")
    return js.read_solutions(folder / "tilings.json", DISSECTION)[0]


def merged(folder):
    js.count("puzzle-a", method="frames", ledger=folder / "some")
    return js.merge([folder / "some"], folder / "all")


#: For each public function or class something that it makes, and how its repr begins.
MADE = {
    "DissectionPuzzle": (lambda _: js.read("ostomachion"), "<ostomachion: dissection puzzle, 14 pieces>"),
    "EdgeMatchingPuzzle": (lambda _: js.read(LARGE), "<eternity2: edge-matching puzzle, 16x16, 256 pieces>"),
    "Improved": (lambda _: js.improve(LARGE, searched().best_board, time_limit=0.01), "<Improved eternity2: score "),
    "Picture": (lambda _: js.draw(LARGE, pieces=True), "<Picture of "),
    "Placement": (lambda _: js.Placement(0, 1), "Placement(piece=0, rotation=1)"),
    "PuzzleBoard": (lambda _: searched().best_board, "<board of eternity2, 104 of 256 pieces>"),
    "PuzzleTiling": (lambda _: js.solve(DISSECTION).solutions[0], "<tiling of tangram, 7 pieces>"),
    "Result": (lambda _: js.solve(DISSECTION), "<Result tangram: a tiling, found in "),
    "best": (lambda _: js.best(SMALL, engine="backtrack"), "<Result tetravex-3x3: score 12 of 12, "),
    "certify": (proof, "<Certification perfect-3x3: exactly 2 different solutions, proved>"),
    "check": (lambda _: js.check(LARGE, searched().best_board), "<NOT valid: eternity2: 0 of 1 board, score 183 of "),
    "cnf": (lambda _: js.cnf("clue3"), "<EdgeMatchingCNF clue3: 1 444 variables, 67 268 clauses, encoding pairs>"),
    "compare": (lambda folder: js.compare("smoke", folder, dry_run=True), "<Comparison smoke: 45 runs, 0 recorded"),
    "count": (lambda _: js.count(SMALL), "<Result tetravex-3x3: exactly "),
    "cp_model": (lambda _: js.cp_model(DISSECTION), "<DissectionCp tangram: 104 variables, 31 constraints, "),
    "draw": (lambda _: js.draw(DISSECTION), "<Picture of "),
    "draw_photo": (lambda _: js.draw_photo(JIGSAW, pixels=16), "<Photo of "),
    "draw_print": (lambda _: js.draw_print(JIGSAW), "<CutSheets perfect-3x3: "),
    "estimate": (lambda _: js.estimate(LARGE, rate=1e8, probes=64), "<SquaresEstimate eternity2: about 15 000 "),
    "explain": (lambda _: js.explain(SMALL), "<Explanation tetravex-3x3: the goal solve takes about "),
    "export": (lambda folder: js.export(SMALL, folder / "x.cnf"), "<Exported tetravex-3x3: cnf with "),
    "forms": (lambda _: js.forms("four-triangles"), "<TileableForms four-triangles: exactly 6 forms can be tiled"),
    "graph": (lambda _: js.graph(DISSECTION), "<FoundGraph tangram: "),
    "improve": (lambda _: js.improve(LARGE, searched().best_board, time_limit=0.01), "<Improved eternity2: "),
    "make_boards_jigsaw": (
        lambda _: js.make_boards_jigsaw("4x4,3x5", seed=2),
        "<BoardsJigsaw of two boards, 4x4 and 3x5, max use 3, seed 2: 16 pieces, piece 11 is left over",
    ),
    "make_dissection": (lambda _: js.make_dissection("AAB/ACB"), "<AAB/ACB: dissection puzzle, 3 pieces>"),
    "make_edge_matching": (lambda _: js.make_edge_matching(3, 3, 2, 3, seed=1), "<3x3, 2+3 colours, seed 1: "),
    "make_jigsaw": (lambda _: js.make_jigsaw(3, 3, seed=1), "<perfect 3x3 jigsaw, 2 solutions, seed 1: jigsaw "),
    # To make one takes a minute.
    "make_photo_jigsaw": (
        lambda _: PhotoJigsaw(js.read(JIGSAW), {"suit": "well"}, js.certify(JIGSAW, 2), "pets", ()),
        "<PhotoJigsaw 3x3 jigsaw, 9 pieces: exactly 2 solutions, ",
    ),
    "make_polyominoes": (lambda _: js.make_polyominoes(4, "5x4"), "<"),
    "merge": (merged, "<Merged "),
    "pictures": (lambda folder: js.pictures(*PICTURES, folder, jigsaw=JIGSAW, pixels=8), "<TwoPictures perfect-3x3: "),
    "play": (lambda _: js.play(DISSECTION), "<TilingWidget tangram: dissection puzzle, 7 pieces>"),
    "plan": (lambda _: js.plan(LARGE), "<JobPlan eternity2: solve by "),
    "preview_pictures": (
        lambda folder: js.preview_pictures(*PICTURES, folder / "out.png", rows=3, columns=3, pixels=8),
        "<Foresight these two suit each other ",
    ),
    "race": (lambda folder: js.race(SMALL, folder, trials=1, width=10), "<RaceResult tetravex-3x3: "),
    "read": (lambda _: js.read(JIGSAW), "<perfect-3x3: jigsaw puzzle, 3x3, 9 pieces>"),
    "read_solutions": (reread, "<tiling of tangram, 7 pieces>"),
    "solutions": (lambda _: js.solutions(SMALL), "<"),
    "solve": (lambda _: searched(), "<Result eternity2: no solution found, the node limit was reached"),
    "variant": (lambda _: js.variant(DISSECTION, no_flip=True), "<tangram (no piece turned over): dissection"),
    "verify": (lambda folder: [proof(folder), js.verify(JIGSAW, folder / "proof.json")][1], "<Verification perfect"),
    "view": (lambda _: js.view(JIGSAW), "<WebPage perfect-3x3"),
}  # fmt: skip


def with_parts(thing):
    """A thing, and what its fields hold."""
    yield thing
    for item in fields(thing) if is_dataclass(thing) else ():
        value = getattr(thing, item.name)
        yield from value[:3] if isinstance(value, list) or type(value) is tuple else [value]


SLOW = {"pictures", "draw_photo"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW)) for n in sorted(MADE)])
def test_one_short_line_tells_what_it_is(tmp_path, name):
    make, start = MADE[name]
    made = make(tmp_path)
    assert repr(made).startswith(start)
    for thing in with_parts(made):
        if type(thing).__module__.startswith("jigsat."):
            assert len(repr(thing)) <= MOST_SHOWN
            assert "\n" not in repr(thing)


def test_every_public_object_is_tried():
    stub = ast.parse((FOLDER / "__init__.pyi").read_text())
    names = {alias.name for part in stub.body if isinstance(part, ast.ImportFrom) for alias in part.names}
    errors = {name for name in names if name.endswith("Error")}
    assert names - errors - PLAIN == set(MADE)
    assert len(errors) > 1
