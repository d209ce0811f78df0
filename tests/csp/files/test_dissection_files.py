"""Dissections and tilings survive writing and reading, exactly; any other file is refused in one line."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.engines.request import Goal
from jigsat.csp.engines.result import Result, Status
from jigsat.csp.files.file_format import BUNDLED, bundled_names
from jigsat.csp.files.instances import fingerprint, format_instance, parse_instance, read_puzzle
from jigsat.csp.files.solutions import read_solutions
from jigsat.csp.geometry.exact_numbers import surd
from jigsat.csp.geometry.polygons import Isometry, counterclockwise
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from solution_files import save_solutions

SQUARE = [[0, 0], [2, 0], [2, 2], [0, 2]]
GOOD = {
    "format": "jigsat/1",
    "kind": "dissection",
    "name": "two",
    "target": SQUARE,
    "pieces": [[[0, 0], [2, 0], [0, 2]], [[2, 0], [2, 2], [0, 2]]],
}
RATIONALS = st.builds(Fraction, st.integers(-99, 99), st.integers(1, 99))
SURDS = st.builds(surd, st.dictionaries(st.sampled_from((1, 2, 5, 10, 13)), RATIONALS, max_size=3))


def puzzle_from(**changes):
    return parse_instance(json.dumps({**GOOD, **changes}))


@st.composite
def puzzles(draw):
    """A rectangle cut into strips, each of them moved by a rational motion."""
    widths = draw(st.lists(st.builds(Fraction, st.integers(1, 9), st.integers(1, 4)), min_size=1, max_size=6))
    height = draw(st.builds(Fraction, st.integers(1, 9), st.integers(1, 4)))
    cosine, sine = draw(st.sampled_from(((1, 0), (0, -1), (Fraction(3, 5), Fraction(-4, 5)))))
    motion = Isometry(cosine, -sine, sine, cosine, draw(RATIONALS), draw(RATIONALS))
    total = sum(widths)
    return DissectionPuzzle(
        ((0, 0), (total, 0), (total, height), (0, height)),
        tuple(motion(((0, 0), (width, 0), (width, height), (0, height))) for width in widths),
        draw(st.sampled_from(Motions)),
        name=draw(st.text(st.characters(codec="utf-8"), min_size=1, max_size=9)),
        source=draw(st.text(st.characters(codec="utf-8"), max_size=9)),
        known=draw(st.sampled_from(({}, {"count": 7, "why": "counted"}))),
    )


@given(puzzles())
def test_every_dissection_survives_writing_and_reading(puzzle):
    text = format_instance(puzzle)
    again = parse_instance(text)
    assert again == puzzle
    assert again.known == puzzle.known
    assert fingerprint(again) == fingerprint(puzzle)
    assert format_instance(again) == text


def test_bundled_dissections_are_written_as_format_instance_writes_them():
    names = bundled_names("dissection")
    assert {"ostomachion", "four-triangles", "l-shape"} <= set(names)
    for name in names:
        assert format_instance(read_puzzle(name)) == (BUNDLED / "dissection" / f"{name}.json").read_text()


def test_a_file_needs_no_name_and_all_its_faults_are_listed(tmp_path):
    """Catches faults that are found one by one, and lists without an end."""
    file = tmp_path / "triangle.json"
    head = {"format": "jigsat/1", "kind": "dissection", "target": [[0, 0], [2, 0], [2, 2]]}

    def faults(**changes):
        file.write_text(json.dumps(head | changes))
        with pytest.raises(InstanceError) as caught:
            read_puzzle(file)
        return [str(caught.value).split(".json: ")[1], *caught.value.__notes__]

    file.write_text(json.dumps(head | {"pieces": [head["target"]]}))
    assert read_puzzle(file).name == "triangle"
    assert faults(motion="any", pieces=[[[0, 0], [1, 0, 2], [1, 1]], [[0, "x"], [1, 0], [1, 1]]]) == [
        "piece 1, vertex 2: has 3 entries; give at most 2",
        "piece 2, vertex 1, y: 'x' is not an exact number such as 3, -7/2 or 3/2-1/5*sqrt(10)",
        "motion: is not a field of this format (did you mean 'motions'?)",
    ]
    assert [fault.split(":")[0] for fault in faults(pieces=[[[0, 0], [1, 0]]] * 9)] == [
        *(f"piece {number}" for number in range(1, 7)),
        "and 3 other faults",
    ]


def test_the_ostomachion_is_that_of_archimedes():
    puzzle = read_puzzle("ostomachion")
    assert len(puzzle.pieces) == 14
    assert puzzle.motions is Motions.LATTICE
    assert puzzle.known == {"count": 17152, "canonical_count": 536}
    assert [members for members in puzzle.classes if len(members) > 1] == [(5, 6), (7, 8)]
    assert fingerprint(puzzle) == "782b5ffd1cf2612e81297212f6423071f18f67ef8f8f102f81ac94e87382dc83"


def test_the_fingerprint_is_of_target_and_pieces_alone():
    puzzle = puzzle_from()
    other = replace(puzzle, name="other", source="there", motions=Motions.LATTICE, known={"count": 4})
    assert fingerprint(other) == fingerprint(puzzle)
    assert fingerprint(puzzle_from(target=SQUARE[::-1])) == fingerprint(puzzle)
    moved = [[[x + 1, y] for x, y in piece] for piece in GOOD["pieces"]]
    prints = {fingerprint(puzzle_from(**changes)) for changes in ({}, {"pieces": moved}, {"pieces": moved[::-1]})}
    assert len(prints) == 3


@given(st.lists(st.lists(st.tuples(SURDS, SURDS), min_size=3, max_size=5, unique=True), min_size=2, max_size=2))
def test_tilings_survive_writing_and_reading(tmp_path_factory, polygons):
    """Irrational coordinates, too; that these polygons are no tiling is for the checker to say."""
    puzzle, file = puzzle_from(), tmp_path_factory.mktemp("tilings") / "t.json"
    tiling = tuple(counterclockwise(tuple(polygon)) for polygon in polygons)
    save_solutions(puzzle, [tiling, puzzle.pieces], file)
    assert read_solutions(file, puzzle) == [tiling, puzzle.pieces]


def test_the_record_numbers_pieces_from_1_and_writes_coordinates_as_files_do():
    puzzle = puzzle_from()
    half = tuple((x + Fraction(1, 2), y) for x, y in puzzle.pieces[0])
    tiling = (half, puzzle.pieces[1])
    found = Result("two", "dissection", "e", "m", Goal.ALL, Status.SATISFIABLE, complete=True, solutions=(tiling,))
    record = json.loads(json.dumps(found.record_of(puzzle)))
    assert record["solutions"] == [
        [
            {"piece": 1, "vertices": [["1/2", 0], ["5/2", 0], ["1/2", 2]]},
            {"piece": 2, "vertices": [[0, 2], [2, 0], [2, 2]]},
        ]
    ]
    assert record["best_board"] is None
