"""Made jigsaws are as wished, the same for ever; what cannot be is refused in a line."""

import json
import shlex
from collections import Counter
from itertools import combinations

import pytest

from brute_force import all_solutions, number_of_orbits, spin
from command_line import run
from jigsat.csp.base.errors import UsageError
from jigsat.csp.base.seeded_random import MAX_SEED
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.instances import fingerprint, format_instance, read_squares
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.puzzles.jigsaw_algebra import quality
from jigsaw_joins import are_plain, facing, joins

# ---- by plain means


def joins_of(puzzle, board):
    """The pairs of darts that face each other; every one must match, and all borders be straight."""
    meets = facing(puzzle.rows, puzzle.columns, board)
    for (piece, side), other in meets.items():
        connector = puzzle.pieces[piece][side]
        assert connector == (0 if other is None else -puzzle.pieces[other[0]][other[1]])
        assert (connector == 0) == (other is None)
    return joins(puzzle.rows, puzzle.columns, board)


def uses_of(puzzle):
    """On how many joins each connector is; as many of its sides are positive as negative."""
    sides = Counter(side for piece in puzzle.pieces for side in piece if side)
    assert all(sides[side] == sides[-side] for side in sides)
    return {side: number for side, number in sides.items() if side > 0}


def turned(board, rows, columns, quarter_turns):
    for _ in range(quarter_turns):
        board = [board[(rows - 1 - c) * columns + r] for r in range(columns) for c in range(rows)]
        board = [(piece, (turns + 1) % 4) for piece, turns in board]
        rows, columns = columns, rows
    return board


def turns_of(puzzle):
    return (0, 1, 2, 3) if puzzle.rows == puzzle.columns else (0, 2)


def stay(puzzle, first, second, quarter_turns):
    moved = turned(second, puzzle.rows, puzzle.columns, quarter_turns)
    return {piece for (piece, _), (other, _) in zip(first, moved, strict=True) if piece == other}


def assert_as_wished(made, wishes):
    """All that was asked for, determined from the pieces and the assemblies."""
    puzzle = made.puzzle
    assert made.faults == ()
    assert (puzzle.rows, puzzle.columns) == (wishes.rows, wishes.columns)
    assert len(puzzle.pieces) == wishes.rows * wishes.columns
    assert (puzzle.kind, puzzle.fixed) == ("jigsaw", ())
    uses = uses_of(puzzle)
    if wishes.connectors is None:
        assert max(uses.values()) <= wishes.use
    else:
        assert len(uses) == wishes.connectors
    assert are_plain(puzzle.pieces)
    # All solutions are there, no two the same however they are turned.
    assert made.solutions == len(puzzle.assemblies) == wishes.solutions
    met = [joins_of(puzzle, board) for board in puzzle.assemblies]
    for one, other in combinations(puzzle.assemblies, 2):
        assert all(
            turned(other, puzzle.rows, puzzle.columns, turns) != [*map(tuple, one)] for turns in turns_of(puzzle)
        )
    if wishes.solutions > 1:
        assert not met[0] & met[1]
    if wishes.disjoint:
        assert not any(one & other for one, other in combinations(met, 2))
    if wishes.no_stay:
        for turns in turns_of(puzzle):
            staying = stay(puzzle, puzzle.assemblies[0], puzzle.assemblies[1], turns)
            if turns and puzzle.rows == puzzle.columns:
                staying = {piece for piece in staying if puzzle.pieces[piece].count(0) < 2}
            assert not staying
    result = find_engine("most-constrained").run(puzzle, Goal.COUNT)
    assert (result.complete, result.canonical_count) == (True, wishes.solutions)
    assert puzzle.known == {"count": result.count, "canonical_count": wishes.solutions}
    # What is said of its quality is the same.
    found = quality(puzzle)
    assert found == made.quality
    assert (found.uses, found.unbalanced, found.duplicates, found.symmetric) == (uses, (), (), ())
    assert {pair: len(met[pair[0]] & met[pair[1]]) for pair in found.shared} == found.shared
    assert found.perfect == (wishes.solutions > 1 and not met[0] & met[1] and set(uses.values()) == {2})
    if wishes.perfect:
        assert found.perfect
    assert ("perfect" in puzzle.name) == wishes.perfect


# ---- as wished

TABLE = [
    *({"rows": n, "columns": n, "seed": 1} for n in (3, *range(5, 14), 15, 17, 21, 31)),
    *({"rows": r, "columns": c, "seed": 2} for r, c in ((5, 7), (6, 8), (7, 9), (9, 11), (8, 6), (2, 4), (4, 6))),
    *({"rows": r, "columns": c, "max_use": 3, "seed": 3} for r, c in ((5, 6), (6, 7), (7, 8), (6, 5))),
    {"rows": 5, "columns": 6, "seed": 1},
    *({"rows": n, "columns": n, "no_stay": True, "seed": 1} for n in (6, 8)),
    {"rows": 6, "columns": 8, "no_stay": True},
    *({"rows": n, "columns": n, "solutions": 1} for n in (2, 5, 12)),
    *({"rows": r, "columns": c, "solutions": 1, "max_use": 1} for r, c in ((3, 7), (1, 6))),
    {"rows": 6, "columns": 7, "solutions": 1, "max_use": 3},
    {"rows": 6, "columns": 6, "solutions": 3, "seed": 3},
    {"rows": 7, "columns": 7, "solutions": 3, "disjoint": True, "max_use": 6, "seed": 26},
    {"rows": 5, "columns": 5, "disjoint": True, "seed": 1},
    {"rows": 5, "columns": 5, "solutions": 4},
    {"rows": 4, "columns": 4, "solutions": 4},
    {"rows": 6, "columns": 6, "solutions": 4},
    {"rows": 7, "columns": 7, "solutions": 8},
    {"rows": 6, "columns": 6, "types": 20, "seed": 2},
    {"rows": 7, "columns": 9, "types": 20, "seed": 5},
    {"rows": 6, "columns": 7, "types": 33, "seed": 5},
    {"rows": 5, "columns": 5, "method": "annealing", "seed": 4},
    {"rows": 9, "columns": 9, "method": "annealing", "seed": 4},
    {"rows": 7, "columns": 7, "method": "closed-form", "seed": 4},
    {"rows": 10, "columns": 10, "method": "closed-form", "seed": 4},
    {"rows": 5, "columns": 5, "method": "crystal", "solutions": 4},
    {"rows": 4, "columns": 3, "method": "planted", "solutions": 1, "seed": 4},
    {"rows": 6, "columns": 6, "seed": MAX_SEED},
    {"rows": 6, "columns": 6, "max_use": 4, "seed": 5},
]


@pytest.mark.some_cases(16)
@pytest.mark.parametrize("wishes", TABLE, ids=lambda w: ",".join(f"{key}={value}" for key, value in w.items()))
def test_what_is_made_is_as_wished(wishes):
    wishes = JigsawWishes(**wishes)
    made = search_jigsaw(wishes)
    assert_as_wished(made, wishes)
    assert made.puzzle.name == wishes.title
    assert made.puzzle.source == wishes.command
    assert made.tried >= 1


@pytest.mark.parametrize(
    "wishes",
    [
        {"rows": 3, "columns": 3},
        {"rows": 2, "columns": 4},
        {"rows": 3, "columns": 4, "max_use": 3},
        {"rows": 4, "columns": 4, "solutions": 4},
        {"rows": 3, "columns": 3, "solutions": 1},
    ],
)
def test_small_ones_have_so_many_solutions_by_a_brute_force(wishes):
    made = search_jigsaw(JigsawWishes(**wishes))
    assert number_of_orbits(made.puzzle, all_solutions(made.puzzle)) == made.solutions == wishes.get("solutions", 2)


# ---- the same for ever


def test_jigsaws_stay_what_they_are():
    """Their sources say how to make them, in every later version."""
    assert {
        "5x5": fingerprint(search_jigsaw(JigsawWishes(5, 5, seed=1)).puzzle)[:16],
        "6x6": fingerprint(search_jigsaw(JigsawWishes(6, 6, seed=1)).puzzle)[:16],
        "planted": fingerprint(search_jigsaw(JigsawWishes(5, 5, 1, seed=1)).puzzle)[:16],
    } == {"5x5": "7a2c316f762f0e36", "6x6": "8faa837e22d38804", "planted": "595c502e93f51186"}


@pytest.mark.parametrize(
    "wishes",
    [
        {"rows": 6, "columns": 7, "max_use": 3, "seed": 4, "name": 'it\'s a "name" $HOME; ünï'},
        pytest.param({"rows": 5, "columns": 5, "seed": 4}, marks=pytest.mark.slow),
        pytest.param({"rows": 6, "columns": 6, "types": 20, "no_stay": True, "seed": 4}, marks=pytest.mark.slow),
        {"rows": 5, "columns": 5, "solutions": 1, "seed": 0, "name": "--json"},
    ],
)
def test_its_source_is_a_command_that_makes_it_again(wishes, capsys, tmp_path):
    puzzle = search_jigsaw(JigsawWishes(**wishes)).puzzle
    words = shlex.split(puzzle.source)
    assert words[0] == "jigsat"
    path = str(tmp_path / "again.json")
    status, _, err = run(capsys, *words[1:], "-o", path, "--quiet")
    assert (status, err) == (0, "")
    again = read_squares(path)
    assert (fingerprint(again), again.assemblies) == (fingerprint(puzzle), puzzle.assemblies)
    assert again.source == puzzle.source
    if "name" in wishes:
        assert again.name == puzzle.name == wishes["name"]
    assert json.loads(format_instance(puzzle)) | {"name": ""} == json.loads(format_instance(again)) | {"name": ""}


# ---- stopped


def test_stopped_at_once_there_is_a_jigsaw_that_says_that_it_is_not_as_wished():
    """It must not have the name and the command of one that is."""
    made = search_jigsaw(JigsawWishes(14, 16, no_stay=True, seed=1, name="big"), must_stop=lambda: True)
    assert made.faults
    assert made.puzzle.name == "not a big"
    assert made.puzzle.source.startswith("NOT as wished, but the nearest jigsaw found by: jigsat make jigsaw")


def test_faults_are_what_is_wrong():
    """Each kind of fault is reported of a jigsaw that has it."""
    seen = set()
    for rows, columns, wanted in (
        (4, 6, {}),
        (6, 6, {"no_stay": True}),
        (4, 4, {"solutions": 4, "method": "annealing"}),
    ):
        for asked in range(3, 14):
            left = iter([False] * asked)
            wishes = JigsawWishes(rows, columns, seed=asked, **wanted)
            made = search_jigsaw(wishes, must_stop=lambda left=left: next(left, True))
            puzzle = made.puzzle
            uses, most = uses_of(puzzle), f"a connector on {max(uses_of(puzzle).values())} joins"
            first, second = puzzle.assemblies[:2] if len(puzzle.assemblies) > 1 else (puzzle.assemblies[0],) * 2
            shared = len(joins_of(puzzle, first) & joins_of(puzzle, second))
            kinds = {min(tuple(spin(sides, turns)) for turns in range(4)) for sides in puzzle.pieces}
            assert (most in made.faults) == (max(uses.values()) > 2)
            assert ("pieces that are equal" in made.faults) == (len(kinds) < len(puzzle.pieces))
            assert (f"{shared} shared joins" in made.faults) == (shared > 0)
            if made.solutions is not None and made.solutions != wishes.solutions:
                assert any(fault.startswith(f"{made.solutions} solution") for fault in made.faults)
            seen.update(fault.lstrip("0123456789 ") for fault in made.faults)
    assert len(seen) >= 3, seen


# ---- refused

#: What no command can ask for; what commands can is in tests/cli/messages.md.
BAD = [
    ({"solutions": -2}, "solutions: must be 1 or more, not -2"),
    ({"max_use": -1}, "max_use: must be 1 or more, not -1"),
    ({"types": -1}, "types: must lie between 1 and 30"),
    ({"seed": -1}, "seed: must lie between 0 and"),
    ({"seed": MAX_SEED + 1}, "seed: must lie between 0 and"),
    ({"name": "a\nb"}, "name: must be 1 to 200 printable characters"),
    ({"columns": -5}, "columns must lie between 1 and 1024"),
]


@pytest.mark.parametrize(("wishes", "message"), BAD, ids=[str(wishes) for wishes, _ in BAD])
def test_wishes_that_cannot_be_fulfilled_are_refused(wishes, message):
    with pytest.raises(UsageError, match=f"^{message}") as caught:
        JigsawWishes(**{"rows": 6, "columns": 6, **wishes})
    assert "\n" not in str(caught.value)


def test_defaults():
    """Of the largest use, and with rows + columns odd of the number of connectors."""
    assert [JigsawWishes(7, 7, 3, disjoint=disjoint).use for disjoint in (True, False)] == [6, 2]
    expected = {(5, 6): 23, (6, 5): 23, (7, 8): 47, (9, 10): 79, (5, 7): None, (13, 14): 167, (4, 31): None}
    assert {size: JigsawWishes(*size).connectors for size in expected} == expected
    assert (JigsawWishes(13, 14).use, JigsawWishes(13, 14, 1).use) == (3, 2)
    given = JigsawWishes(5, 6, max_use=3), JigsawWishes(5, 6, types=9), JigsawWishes(5, 6, 1)
    assert [each.connectors for each in given] == [None, 9, None]
    assert JigsawWishes(5, 6, seed=4).command == JigsawWishes(5, 6, types=23, seed=4).command
